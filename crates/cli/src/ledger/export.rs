//! `incrowd ledger export`: the book for other programs.
//!
//! It must never leave an entry out, nor change a number. It is separate because other programs read it, and people
//! read the report. Read `docs/json.md` for the fields.

use super::{accounts, entries, everything};
use crate::args::{ExportForm, LedgerExport, PrintFormat};
use crate::chart::write_new;
use crate::failure::Failure;
use crate::session;
use crate::terminal;
use incrowd_ledger::{Entry, Event, Ledger};
use incrowd_release::account_json::{account_json, entry_json};
use incrowd_release::ledger_table::csv;
use incrowd_release::ledger_workbook::workbook;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Runs the command.
pub fn run(command: &LedgerExport, format: PrintFormat) -> Result<(), Failure> {
    let (book, _) = session::existing_book(command.ledger.as_deref())?;
    let name = command.name.as_deref();
    let entries = entries(&book, name)?;
    match (command.form, &command.output) {
        (ExportForm::Xlsx, None) => {
            let hint = "name it: incrowd ledger export --as xlsx --output book.xlsx";
            Err(Failure::usage("a workbook is no text for the screen, but a file", hint))
        }
        (ExportForm::Csv, None) => terminal::print(&csv(&entries)),
        (ExportForm::Json, None) => terminal::print(&json_text(&book, name, &entries)?),
        (ExportForm::Csv, Some(path)) => write(path, csv(&entries).as_bytes(), entries.len(), format),
        (ExportForm::Json, Some(path)) => {
            write(path, json_text(&book, name, &entries)?.as_bytes(), entries.len(), format)
        }
        (ExportForm::Xlsx, Some(path)) => {
            let (accounts, all) = everything(&book, name)?;
            let head = all.last().map(|entry| entry.hash.as_str()).unwrap_or_default();
            let bytes = workbook(&accounts, &entries, head)
                .map_err(|error| Failure::usage(format!("the workbook: {error}"), error.hint()))?;
            write(path, &bytes, entries.len(), format)
        }
    }
}

fn write(path: &Path, bytes: &[u8], entries: usize, format: PrintFormat) -> Result<(), Failure> {
    write_new(path, bytes)?;
    let shown = path.display().to_string();
    if format == PrintFormat::Json {
        return terminal::print_json(&json!({ "written": shown }));
    }
    terminal::print(&format!("{entries} entries are in {shown}.\n"))
}

/// Returns one object with accounts, entries and definitions.
fn json_text(book: &Ledger, name: Option<&str>, entries: &[Entry]) -> Result<String, Failure> {
    let accounts = accounts(book, name)?;
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
    Ok(format!("{:#}\n", terminal::of_this_command(object)))
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
