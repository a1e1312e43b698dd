//! What `incrowd release` says to machines: what was delivered and at what cost, or that it was delivered before.
//!
//! It must never hold a figure of the data: names, sizes and hashes are of files that are published. It is separate
//! from `release.rs`, which talks to people. Read `docs/json.md` for the fields.

use incrowd_exact::{Rational, rational_text};
use incrowd_ledger::{Account, EarlierCharge, EarlierState, Repeat};
use incrowd_release::folder::{DeliveredFile, delivered_files};
use incrowd_release::session::{Released, ReleasedAs};
use serde_json::{Value, json};
use std::path::Path;

/// Returns a release that is there.
pub fn released(released: &Released) -> Value {
    let Released { plan, delivered, ledger, .. } = released;
    let (way, private) = match released.way {
        ReleasedAs::Charged => ("charged", true),
        ReleasedAs::Forgotten => ("forgotten", true),
        ReleasedAs::KnownSeed => ("known-seed", false),
        ReleasedAs::Rehearsal => ("rehearsal", false),
    };
    let lasts = released.way == ReleasedAs::Charged;
    let left = |account: &Account| {
        let left = account.left(plan.request().ledger.snapshot_name());
        let number = |value: &Option<Rational>| value.as_ref().map(rational_text);
        json!({ "epsilon": number(&left.epsilon), "delta": number(&left.delta) })
    };
    let file = |file: &DeliveredFile| json!({ "name": file.name, "bytes": file.bytes, "sha256": file.sha256 });
    let files = delivered_files(&delivered.folder).ok();
    json!({
        "already_delivered": false,
        "way": way,
        "charged": lasts,
        "private": private,
        "made_up": plan.made_up_words().is_some(),
        "folder": delivered.folder.display().to_string(),
        "files": files.map(|files| files.iter().map(file).collect::<Vec<_>>()),
        "cost": { "epsilon": delivered.epsilon.to_string(), "delta": rational_text(&delivered.delta) },
        "left": released.after.as_ref().filter(|_| lasts).map(left),
        "ledger": lasts.then(|| ledger.to_string()),
        "charge_id": delivered.charge_id.as_str(),
        "account": delivered.account.as_str(),
        "account_opened": lasts && delivered.opened_account,
        "request_hash": plan.request().request_hash(),
    })
}

/// Returns what was delivered before and is not released again.
pub fn delivered_before(repeat: &Repeat, folder: Option<&Path>) -> Value {
    let EarlierCharge { charge_id, time, state } = &repeat.earlier;
    json!({
        "already_delivered": *state == EarlierState::Delivered,
        "folder": folder.map(|folder| folder.display().to_string()),
        "charge_id": charge_id.as_str(),
        "time": time.to_string(),
        "account": repeat.account.as_str(),
        "cost_again": { "epsilon": repeat.epsilon.to_string() },
        "data_looked_at": false,
        "in_words": NOT_LOOKED_AT,
    })
}

/// What must be known of a delivery that stands for the one that was asked for.
pub const NOT_LOOKED_AT: &str = "The data was not looked at: data that changed gets another `snapshot` in [ledger].";
