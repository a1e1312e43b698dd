//! The certificate: everything that is needed to recompute the promise of a release without its data.
//!
//! A function of the plan, the ledger's entry and the bytes of the tables; it must never say anything that was learnt
//! from the data. It is separate from the report because a stranger's program reads it. Read `certificate/words.rs` for
//! its sentences, and `verify.rs` for the way back.

mod request;
mod text;
mod version;
mod words;

pub use incrowd_privacy::Origin as Randomness;
pub use text::certificate_text;
pub use version::CERTIFICATE_VERSION;

pub(crate) use version::{Earlier, FILES, REPORT, SOFTWARE, STATISTICS, Version, unknown_software};

pub(crate) use request::{planned_request, request_of};

use crate::files::WrittenTable;
use crate::odds::Odds;
use crate::plan::Plan;
use crate::plan_json::mechanism_json;
use crate::refusal::Refusal;
use crate::request::{CellCount, KeyColumn, Unit};
use crate::table::KeyType;
use incrowd_definition::{After, CertificateHash};
use incrowd_exact::number_of;
use incrowd_exact::{Rational, rational_text};
use incrowd_plan::TableRefusal;
use incrowd_plan::delta_text::delta_text;
use incrowd_privacy::{Curve, Delta, Epsilon, Level, Tightness, Universe};
use serde_json::{Value, json};

/// The JSON Schema of the certificate's form.
pub const CERTIFICATE_SCHEMA: &str = include_str!("../../../docs/certificate.schema.json");

/// What the ledger says about the charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeFacts {
    /// The name of the charge: the first 32 digits of `head`.
    pub charge_id: String,
    /// The number of its entry.
    pub seq: u64,
    /// The hash of its entry, in 64 hexadecimal digits.
    pub head: String,
    /// Whether the charge opened its account.
    pub account: AccountAge,
    /// What was promised about the same people with this charge, and what was left then.
    pub after: After,
    /// How the values that were counted are stored, in the canonical form of a reading; certificates of
    /// version 2 do not say.
    pub reading: Option<Value>,
}

/// What a folder holds, and what it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderFacts {
    /// Its tables.
    pub tables: Vec<WrittenTable>,
    /// The types of the keys; certificates of version 2 do not say.
    pub key_types: Vec<KeyType>,
    /// The certificates of the folders that it was made from, the one that was paid for first; none for a release.
    pub derived_from: Vec<CertificateHash>,
}

/// Whether an account was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountAge {
    /// It was there.
    Existing,
    /// This charge opened it, without limits.
    Opened,
}

/// Refuses a plan whose certificate could not be read back; nothing has been charged then.
pub fn check_certifiable(plan: &Plan) -> Result<(), Refusal> {
    let request = plan.request().canonical();
    let parameters = &mechanism_json(plan.settled())["parameters"];
    match (request_of(&request), planned_request(&request, parameters)) {
        (Some(_), Some(_)) => Ok(()),
        (_, _) => Err(TableRefusal::NotCertifiable.into()),
    }
}

/// Returns the certificate of a release, or of what was made from one.
pub fn certificate(plan: &Plan, charge: &ChargeFacts, folder: &FolderFacts, randomness: Randomness) -> Value {
    let request = plan.request();
    let mut certificate = json!({
        "version": CERTIFICATE_VERSION,
        "software": SOFTWARE,
        "how_to_read": words::how_to_read(),
        "request_hash": request.request_hash(),
        "binning_hash": request.binning_hash(charge.reading.as_ref()),
        "reading": charge.reading,
        "dataset": request.ledger.dataset,
        "snapshot": request.ledger.snapshot,
        "notion": plan.notion(),
        "unit": unit(plan),
        "universe": universe(plan),
        "curve": runs(plan.curve()),
        "delta": rational_text(&asked_delta(plan)),
        "mechanism": mechanism(plan),
        "theorem": {
            "source": plan.theorem().source,
            "statement": plan.theorem().statement,
            "assumptions": plan.theorem_assumptions(),
            "epsilon": plan.theorem_cost().0.to_string(),
            "delta": rational_text(&plan.theorem_cost().1),
        },
        "exact": exact(plan),
        "worst_case_dp": worst_case(plan),
        "odds": plan.odds().iter().map(Odds::to_json).collect::<Vec<_>>(),
        "sampling": plan.sampled().map(|sampled| sampled.to_json(plan.request())),
        "postprocessing": words::postprocessing(plan, &folder.key_types),
        "randomness": words::randomness(randomness),
        "floating_point": words::FLOATING_POINT,
        "timing": words::TIMING,
        "assumptions": words::assumptions(plan, randomness),
        "not_protected": words::not_protected(plan),
        "ledger": {
            "charge_id": charge.charge_id,
            "seq": charge.seq,
            "head": charge.head,
            "account_opened": charge.account == AccountAge::Opened,
            "after": after(&charge.after),
        },
        "derived_from": words::derived_from(&folder.derived_from),
        "tables": folder.tables.iter().map(|table| json!({ "name": table.name, "sha256": table.sha256 })).collect::<Vec<_>>(),
        "request": request.canonical(),
    });
    if randomness == Randomness::KnownSeed {
        certificate["not_private"] = json!(true);
    }
    certificate
}

/// What the account has promised with this charge, and what is left of its budgets; null where there is none.
fn after(after: &After) -> Value {
    json!({
        "releases": after.charges,
        "epsilon": after.epsilon.as_ref().map(rational_text),
        "delta": rational_text(&after.delta),
        "left": {
            "epsilon": after.left.epsilon.as_ref().map(rational_text),
            "delta": after.left.delta.as_ref().map(rational_text),
        },
    })
}

/// Returns the delta that was asked for, per person.
pub(crate) fn asked_delta(plan: &Plan) -> Rational {
    plan.request().promise.delta.clone().unwrap_or(Rational::ZERO)
}

fn unit(plan: &Plan) -> Value {
    let unit = plan.request().data.as_ref().map(|data| &data.unit);
    json!({
        "person_rule": plan.unit_words(),
        "bins_per_person": plan.request().bins_per_person(),
        "bounding_key": match unit {
            Some(Unit::Person { .. }) => json!(plan.request().bounding_key()),
            Some(Unit::Row | Unit::People { .. }) | None => Value::Null,
        },
        "neighbours": "add or remove one person",
    })
}

fn universe(plan: &Plan) -> Value {
    let dimension = |column: &KeyColumn<'_>| match column.size() {
        Some(size) => json!({ "name": column.name(), "kind": "declared", "size": size.to_string() }),
        None => json!({ "name": column.name(), "kind": "found", "size": null }),
    };
    let (kind, size) = match plan.request().cells() {
        CellCount::Declared(cells) => ("declared", json!(cells.to_string())),
        CellCount::Found | CellCount::Unstated => ("found", Value::Null),
    };
    json!({
        "kind": kind,
        "in_words": plan.universe_words(),
        "accounted": match plan.settled().deployed().universe {
            Universe::Closed => "closed",
            Universe::Open => "open",
        },
        "dimensions": plan.request().kind.published().iter().map(dimension).collect::<Vec<_>>(),
        "size": size,
    })
}

/// The runs of a curve, exact: `epsilon` is constant over a run, or `slope` times the count.
fn runs(curve: &Curve) -> Value {
    let run = |run: &incrowd_privacy::Run| match &run.level {
        Level::Constant(epsilon) => json!({ "from": run.from, "to": run.to, "epsilon": epsilon.to_string() }),
        Level::Proportional(slope) => json!({ "from": run.from, "to": run.to, "slope": rational_text(slope) }),
    };
    curve.runs().iter().map(run).collect()
}

fn mechanism(plan: &Plan) -> Value {
    let object = mechanism_json(plan.settled());
    let mut found = json!({ "name": object["name"], "parameters": object["parameters"] });
    if let Some(steps) = plan.kind().further_steps() {
        found["then"] = steps;
    }
    found
}

/// What was accounted for: the promise of one bin, the count at which it is closest to being broken, and some others.
fn exact(plan: &Plan) -> Value {
    let at = |count: u64, epsilon: &Epsilon, delta: &Delta| {
        json!({
            "count": count,
            "epsilon": epsilon.to_string(),
            "delta": delta_text(&delta.upper_bound()),
            "is": match delta.tightness {
                Tightness::Exact => "exact",
                Tightness::UpperBound => "upper bound",
            },
        })
    };
    json!({
        "runs": runs(plan.settled().curve()),
        "delta": rational_text(plan.settled().delta()),
        "worst": at(plan.worst().count, &plan.worst().epsilon, &plan.worst().delta),
        "by_count": plan.exact().iter().map(|exact| at(exact.count, &exact.epsilon, &exact.delta)).collect::<Vec<_>>(),
    })
}

/// What the release costs as differential privacy: rounded up, never above what was asked.
fn worst_case(plan: &Plan) -> Value {
    let cost = plan.cost();
    let Epsilon::Finite(epsilon) = &cost.epsilon else { return Value::Null };
    let rounded = delta_text(&cost.delta);
    let too_much = |most: &Rational| number_of(&rounded).is_none_or(|rounded| rounded > *most);
    let delta = match plan.most_delta().filter(too_much) {
        Some(most) => rational_text(&most),
        None => rounded,
    };
    json!({ "epsilon": rational_text(epsilon), "delta": delta })
}

#[cfg(test)]
mod tests;
