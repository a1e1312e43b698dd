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
use incrowd_ledger::{Entry, Event, People, Provenance};
use incrowd_privacy::Epsilon;
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
        Event::Opened(_)
        | Event::Ended { .. }
        | Event::TermsChanged { .. }
        | Event::Refused(_)
        | Event::SetAside(_) => None,
    }
}

/// The names of the columns. Decimals stand beside exact numbers, which have an apostrophe before them where they are
/// fractions: spreadsheets read 1/2 as a day.
const COLUMNS: [&str; 33] = [
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
    "budget_epsilon_decimal",
    "budget_delta",
    "budget_delta_decimal",
    "allow",
    "min_group",
    "max_epsilon_per_release",
    "max_epsilon_per_release_decimal",
    "people",
    "refresh",
    "splits",
    "by",
    "user",
    "host",
    "table",
    "folder",
    "note",
    "reason",
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
        ("account", harmless(entry.account.as_str())),
        ("event", event_word(&entry.event).to_string()),
        ("hash", entry.hash.clone()),
    ]);
    cells.extend(entry.charge_id().map(|id| ("charge_id", id.as_str().to_string())));
    if let Some(Provenance { by, folder, host, nonce: _, note, table, user }) = &entry.provenance {
        let said = [("by", by), ("user", user), ("host", host), ("table", table), ("folder", folder), ("note", note)];
        cells.extend(said.into_iter().filter_map(|(name, text)| Some((name, harmless(text.as_ref()?)))));
    }
    match &entry.event {
        Event::Opened(terms) | Event::TermsChanged { terms, .. } => {
            cells.extend(
                terms.epsilon.iter().flat_map(|budget| number("budget_epsilon", "budget_epsilon_decimal", budget)),
            );
            let delta = terms.delta_budget();
            cells.extend(delta.iter().flat_map(|budget| number("budget_delta", "budget_delta_decimal", budget)));
            let kinds = terms.allow.as_ref().map(|kinds| kinds.iter().cloned().collect::<Vec<_>>().join(" "));
            cells.extend(kinds.map(|kinds| ("allow", kinds)));
            cells.extend(terms.min_group.map(|group| ("min_group", group.to_string())));
            let names = ("max_epsilon_per_release", "max_epsilon_per_release_decimal");
            cells.extend(terms.max_epsilon_per_release.iter().flat_map(|most| number(names.0, names.1, most)));
            let (people, refresh) = match terms.people {
                People::Overlapping => ("overlapping", None),
                People::DisjointPerPeriod(period) => ("disjoint-per-period", Some(period.as_str())),
            };
            cells.insert("people", people.to_string());
            cells.extend(refresh.map(|period| ("refresh", period.to_string())));
            cells.insert("splits", terms.splits.iter().cloned().collect::<Vec<_>>().join(" "));
        }
        Event::Charged(charged) => {
            cells.insert("snapshot", harmless(&charged.snapshot));
            cells.insert("promise", charged.promise.clone());
            cells.extend(price(&charged.epsilon, &charged.delta));
            cells.insert("plan_hash", charged.plan_hash.clone());
            cells.insert("binning_hash", charged.binning_hash.clone());
        }
        Event::Refused(refused) => {
            cells.insert("snapshot", harmless(&refused.snapshot));
            cells.insert("reason", refused.reason.clone());
            cells.insert("plan_hash", refused.plan_hash.clone());
            cells.extend(price(&refused.epsilon, &refused.delta));
        }
        Event::SetAside(aside) => {
            cells.insert("reason", aside.fault.clone());
            cells.insert("plan_hash", aside.digest.clone());
        }
        Event::Ended { certificate, .. } => {
            cells.extend(certificate.as_ref().map(|hash| ("certificate_hash", hash.as_str().to_string())));
        }
    }
    cells
}

/// What was, or would have been, charged.
fn price(epsilon: &Epsilon, delta: &Rational) -> Vec<(&'static str, String)> {
    let mut cells: Vec<_> = number("delta", "delta_decimal", delta).into();
    match epsilon {
        Epsilon::Finite(epsilon) => cells.extend(number("epsilon", "epsilon_decimal", epsilon)),
        Epsilon::Infinite => cells.extend(["epsilon", "epsilon_decimal"].map(|name| (name, "infinite".to_string()))),
    }
    cells
}

/// A number exactly, and as a decimal, rounded up.
fn number(exact: &'static str, decimal: &'static str, value: &Rational) -> [(&'static str, String); 2] {
    let text = rational_text(value);
    // A spreadsheet takes 1/2 for a day in January.
    let text = if text.contains('/') { format!("'{text}") } else { text };
    [(exact, text), (decimal, significant_rounding_up(value, 12))]
}

/// A text that no spreadsheet runs.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_string() }
}

/// A cell as others read it (RFC 4180).
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_string() }
}
