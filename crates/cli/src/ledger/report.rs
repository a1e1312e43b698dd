//! `incrowd ledger report`: a page for people.
//!
//! It must never overwrite a file. It is separate because it only fetches and writes. Read
//! `incrowd_release::ledger_report` for what is on it.

use super::accounts;
use crate::args::{LedgerReport, PrintFormat};
use crate::chart::write_new;
use crate::failure::Failure;
use crate::session;
use crate::terminal;
use incrowd_release::ledger_report;
use incrowd_report::html;
use serde_json::json;

/// Runs the command.
pub fn run(command: &LedgerReport, format: PrintFormat) -> Result<(), Failure> {
    let (book, _) = session::existing_book(command.ledger.as_deref())?;
    let accounts = accounts(&book, command.name.as_deref())?;
    let entries = book.history(None)?;
    let head = entries.last().map(|entry| entry.hash.clone()).unwrap_or_default();
    write_new(&command.output, &html(&ledger_report::page(&accounts, &entries, &head)))?;
    let shown = command.output.display().to_string();
    if format == PrintFormat::Json {
        return terminal::print_json(&json!({ "written": shown }));
    }
    terminal::print(&format!("The page is in {shown}.\n"))
}
