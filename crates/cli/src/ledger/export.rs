//! `incrowd ledger export`: the book for other programs.
//!
//! It must never leave an entry out, nor change a number. It is separate because other programs read it, and people
//! read the report. Read `docs/json.md` for the fields.

use super::{accounts, entries};
use crate::args::{ExportForm, LedgerExport, PrintFormat};
use crate::chart::write_new;
use crate::failure::Failure;
use crate::session;
use crate::terminal;
use incrowd_exact::{Rational, rational_text, significant_rounding_up};
use incrowd_ledger::{Entry, Event, People};
use incrowd_release::account_json::{account_json, entry_json};
use incrowd_release::account_page::event_word;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Runs the command.
pub fn run(command: &LedgerExport, format: PrintFormat) -> Result<(), Failure> {
    let (book, _) = session::existing_book(command.ledger.as_deref())?;
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
                    "head": entries.last().map(|entry| &entry.hash),
                "accounts": accounts.iter().map(account_json).collect::<Vec<_>>(),
                "entries": entries.iter().map(entry_json).collect::<Vec<_>>(),
                "definitions": definitions.collect::<Vec<_>>(),
            });
            format!("{:#}\n", terminal::of_this_command(object))
        }
    };
    match &command.output {
        None => terminal::print(&text),
        Some(path) => {
            write_new(path, &text)?;
            let shown = path.display().to_string();
            if format == PrintFormat::Json {
                return terminal::print_json(&json!({ "written": shown }));
            }
            terminal::print(&format!("{} entries are in {shown}.\n", entries.len()))
        }
    }
}

fn binning_hash(entry: &Entry) -> Option<&str> {
    match &entry.event {
        Event::Charged(charged) => Some(&charged.binning_hash),
        Event::Opened(_) | Event::Ended { .. } | Event::TermsChanged { .. } => None,
    }
}

/// The names of the columns. Decimals stand beside exact numbers, because spreadsheets read 1/2 as a day.
const COLUMNS: [&str; 23] = [
    "seq",
    "time",
    "account",
    "event",
    "charge_id",
    "snapshot",
    "promise",
    "epsilon",
    "epsilon_decimal",
    "delta",
    "delta_decimal",
    "budget_epsilon",
    "budget_delta",
    "allow",
    "min_group",
    "max_epsilon_per_release",
    "people",
    "refresh",
    "splits",
    "plan_hash",
    "binning_hash",
    "certificate_hash",
    "hash",
];

fn csv(entries: &[Entry]) -> String {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    for entry in entries {
        let cells = cells(entry);
        let row = COLUMNS.iter().map(|name| cells.get(name).map(|cell| quoted(cell)).unwrap_or_default());
        text.push_str(&row.collect::<Vec<_>>().join(","));
        text.push('\n');
    }
    text
}

/// The cells of an entry by the names of their columns.
fn cells(entry: &Entry) -> BTreeMap<&'static str, String> {
    let mut cells = BTreeMap::from([
        ("seq", entry.seq.to_string()),
        ("time", entry.time.to_string()),
        ("account", entry.account.as_str().to_string()),
        ("event", event_word(&entry.event).to_string()),
        ("hash", entry.hash.clone()),
    ]);
    cells.extend(entry.charge_id().map(|id| ("charge_id", id.as_str().to_string())));
    match &entry.event {
        Event::Opened(terms) | Event::TermsChanged { terms, .. } => {
            cells.extend(terms.epsilon.as_ref().map(|budget| ("budget_epsilon", rational_text(budget))));
            cells.extend(terms.delta_budget().map(|budget| ("budget_delta", rational_text(&budget))));
            let kinds = terms.allow.as_ref().map(|kinds| kinds.iter().cloned().collect::<Vec<_>>().join(" "));
            cells.extend(kinds.map(|kinds| ("allow", kinds)));
            cells.extend(terms.min_group.map(|group| ("min_group", group.to_string())));
            let most = terms.max_epsilon_per_release.as_ref();
            cells.extend(most.map(|most| ("max_epsilon_per_release", rational_text(most))));
            let (people, refresh) = match terms.people {
                People::Overlapping => ("overlapping", None),
                People::DisjointPerPeriod(period) => ("disjoint-per-period", Some(period.as_str())),
            };
            cells.insert("people", people.to_string());
            cells.extend(refresh.map(|period| ("refresh", period.to_string())));
            cells.insert("splits", terms.splits.iter().cloned().collect::<Vec<_>>().join(" "));
        }
        Event::Charged(charged) => {
            cells.insert("snapshot", charged.snapshot.clone());
            cells.insert("promise", charged.promise.clone());
            cells.insert("epsilon", charged.epsilon.to_string());
            let decimal = |value: &Rational| significant_rounding_up(value, 12);
            cells.insert("epsilon_decimal", charged.epsilon.finite().map_or("infinite".into(), decimal));
            cells.insert("delta", rational_text(&charged.delta));
            cells.insert("delta_decimal", decimal(&charged.delta));
            cells.insert("plan_hash", charged.plan_hash.clone());
            cells.insert("binning_hash", charged.binning_hash.clone());
        }
        Event::Ended { certificate, .. } => {
            cells.extend(certificate.as_ref().map(|hash| ("certificate_hash", hash.as_str().to_string())));
        }
    }
    cells
}

/// A cell as others read it (RFC 4180).
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_string() }
}
