//! `incrowd ledger report`: a page for people.
//!
//! It must never overwrite a file. It is separate because it only fetches and writes. Read
//! `incrowd_release::ledger_page` for what is on it.

use super::{accounts, policy_words};
use crate::args::{Format, LedgerReport};
use crate::chart::write_new;
use crate::failure::Failure;
use crate::page;
use crate::place;
use incrowd_release::ledger_page;
use incrowd_release::plan_json::JSON_VERSION;
use serde_json::json;

/// Runs the command.
pub fn run(command: &LedgerReport, format: Format) -> Result<(), Failure> {
    let book = place::alone(command.ledger.as_deref())?.open_existing()?;
    let accounts = accounts(&book, command.name.as_deref())?;
    let entries = book.history(None)?;
    let head = entries.last().map(|entry| entry.hash.clone()).unwrap_or_default();
    write_new(&command.output, &ledger_page::page(&accounts, &entries, &head, &policy_words))?;
    let shown = command.output.display().to_string();
    if format == Format::Json {
        return page::print_json(&json!({ "version": JSON_VERSION, "written": shown }));
    }
    page::print(&format!("The page is in {shown}.\n"))
}
