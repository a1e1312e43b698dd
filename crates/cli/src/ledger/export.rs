//! `incrowd ledger export`: the book for other programs.
//!
//! It must never leave an entry out, nor change a number. It is separate because other programs read it, and people read the
//! report. Read `docs/json.md` for the fields.

use super::{account_json, accounts, entries, entry_json, event_word};
use crate::args::{ExportForm, Format, LedgerExport};
use crate::chart::write_new;
use crate::failure::Failure;
use crate::page;
use crate::place;
use incrowd_exact::rational_text;
use incrowd_ledger::{Entry, Event, Terms};
use incrowd_release::plan_json::JSON_VERSION;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Runs the command.
pub fn run(command: &LedgerExport, format: Format) -> Result<(), Failure> {
    let book = place::alone(command.ledger.as_deref())?.open_existing()?;
    let entries = entries(&book, command.name.as_deref())?;
    let text = match command.form {
        ExportForm::Csv => csv(&entries),
        ExportForm::Json => {
            let accounts = accounts(&book, command.name.as_deref())?;
            let hashes: BTreeSet<&str> = entries.iter().filter_map(binning_hash).collect();
            let hashes: Vec<&str> = hashes.into_iter().collect();
            let texts = book.definitions(&hashes)?;
            let definitions = hashes.iter().zip(&texts).map(|(hash, text)| {
                let value = text.as_ref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null);
                json!({ "binning_hash": hash, "binning": value })
            });
            let object = json!({
                "version": JSON_VERSION,
                "head": entries.last().map(|entry| &entry.hash),
                "accounts": accounts.iter().map(account_json).collect::<Vec<_>>(),
                "entries": entries.iter().map(entry_json).collect::<Vec<_>>(),
                "definitions": definitions.collect::<Vec<_>>(),
            });
            format!("{object:#}\n")
        }
    };
    match &command.output {
        None => page::print(&text),
        Some(path) => {
            write_new(path, &text)?;
            let shown = path.display().to_string();
            if format == Format::Json {
                return page::print_json(&json!({ "version": JSON_VERSION, "written": shown }));
            }
            page::print(&format!("{} entries are in {shown}.\n", entries.len()))
        }
    }
}

fn binning_hash(entry: &Entry) -> Option<&str> {
    match &entry.event {
        Event::Charged(charged) => Some(&charged.binning_hash),
        Event::Opened(_) | Event::Ended { .. } | Event::TermsChanged(_) => None,
    }
}

const COLUMNS: [&str; 15] = [
    "seq",
    "time",
    "account",
    "event",
    "charge_id",
    "snapshot",
    "promise",
    "epsilon",
    "delta",
    "allow",
    "min_group",
    "max_epsilon_per_release",
    "plan_hash",
    "binning_hash",
    "hash",
];

fn csv(entries: &[Entry]) -> String {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    for entry in entries {
        let mut cells: [Option<String>; COLUMNS.len()] = Default::default();
        let [seq, time, account, event, charge, snapshot, promise, epsilon, delta, rest @ ..] = &mut cells;
        let [allow, min_group, most, plan_hash, binning_hash, hash] = rest;
        *seq = Some(entry.seq.to_string());
        *time = Some(entry.time.to_string());
        *account = Some(entry.account.as_str().to_string());
        *event = Some(event_word(&entry.event).to_string());
        *charge = entry.charge_id().map(|id| id.as_str().to_string());
        *hash = Some(entry.hash.clone());
        match &entry.event {
            Event::Opened(terms) | Event::TermsChanged(terms) => {
                let Terms { epsilon: budget, delta: budget_delta, .. } = terms;
                *epsilon = budget.as_ref().map(rational_text);
                *delta = budget_delta.as_ref().map(rational_text);
                *allow = terms.allow.as_ref().map(|kinds| kinds.iter().cloned().collect::<Vec<_>>().join(" "));
                *min_group = terms.min_group.map(|group| group.to_string());
                *most = terms.max_epsilon_per_release.as_ref().map(rational_text);
            }
            Event::Charged(charged) => {
                *snapshot = Some(charged.snapshot.clone());
                *promise = Some(charged.promise.clone());
                *epsilon = Some(charged.epsilon.to_string());
                *delta = Some(rational_text(&charged.delta));
                *plan_hash = Some(charged.plan_hash.clone());
                *binning_hash = Some(charged.binning_hash.clone());
            }
            Event::Ended { .. } => {}
        }
        let cells: Vec<String> = cells.iter().map(|cell| cell.as_deref().map(quoted).unwrap_or_default()).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// A cell as others read it (RFC 4180).
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_string() }
}
