//! `incrowd ledger report`: a page for people, for browsers or as text.
//!
//! It must never overwrite a file. It is separate because it only fetches and writes. Read
//! `incrowd_release::ledger_report` for what is on it.

use super::everything;
use crate::args::{LedgerReport, PrintFormat};
use crate::chart::write_new;
use crate::failure::Failure;
use crate::session;
use crate::terminal;
use incrowd_release::ledger_report;
use incrowd_release::snapshot_names::SnapshotNames;
use incrowd_report::{TextStyle, html, text};
use serde_json::json;

/// The columns of a page as text.
const WIDTH: usize = 100;

/// Runs the command.
pub fn run(command: &LedgerReport, format: PrintFormat) -> Result<(), Failure> {
    let (book, _) = session::existing_book(command.ledger.as_deref())?;
    let (accounts, entries) = everything(&book, command.name.as_deref())?;
    let head = entries.last().map(|entry| entry.hash.clone()).unwrap_or_default();
    let snapshots = SnapshotNames::of(&book, &entries)?;
    let page = ledger_report::page(&accounts, &entries, &snapshots, &head);
    let is_text = command.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("txt"));
    write_new(&command.output, if is_text { text(&page, &TextStyle::plain(WIDTH)) } else { html(&page) })?;
    let shown = command.output.display().to_string();
    if format == PrintFormat::Json {
        return terminal::print_json(&json!({ "written": shown }));
    }
    terminal::print(&format!("The page is in {shown}.\n"))
}
