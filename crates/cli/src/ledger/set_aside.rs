//! `incrowd ledger set-aside`: a book that one row made unreadable is a book again.
//!
//! It must never say less of what became of the rows than happened. It is separate because it begins with damage, at
//! which every other command stops. Read `incrowd_ledger::SetAside` for what is done.

use crate::args::{LedgerSetAside, PrintFormat};
use crate::failure::Failure;
use crate::session::{environment, says};
use crate::terminal::{print_json, print_page};
use incrowd_ledger::SetAside;
use incrowd_release::session::LedgerLocation;
use incrowd_report::{Facts, Page};
use serde_json::json;

/// Runs the command.
pub fn run(command: &LedgerSetAside, format: PrintFormat) -> Result<(), Failure> {
    says(command.by.as_deref(), command.note.as_deref());
    let environment = environment(command.ledger.as_deref());
    let location = environment.ledger()?;
    if !matches!(location, LedgerLocation::Database(_)) {
        let hint = "put a file back from a backup that holds every delivered charge: incrowd ledger verify --against FOLDER...";
        return Err(Failure::usage("entries are set aside in a book in a PostgreSQL database alone", hint));
    }
    let mut book = environment.open_existing(&location)?;
    book.written_by(environment.writer.clone());
    let done = book.set_aside(environment.now()?)?;
    if format == PrintFormat::Json {
        return print_json(&json!({
            "damaged": done.part.to_string(),
            "entry": done.entry,
            "rows": done.rows,
            "paid_again": done.paid_again,
            "written_again": done.written_again,
            "terms_lost": done.terms_lost,
            "unread": done.unread,
        }));
    }
    let SetAside { part, entry, rows, paid_again, written_again, terms_lost, unread } = done;
    let mut facts = Facts::default();
    facts.add("ledger", location.to_string());
    facts.add("damaged", part.to_string());
    match entry {
        Some(seq) => facts.add("set aside", format!("{}; entry {seq} says so", many(rows, "row", "rows"))),
        None => facts.add("mended", "what stands beside the entries, from the entries; no entry was set aside"),
    }
    if paid_again > 0 {
        facts.add("paid again", format!("{}: nothing is refunded", many(paid_again, "charge", "charges")));
    }
    if written_again > 0 {
        facts.add("written again", many(written_again, "other entry", "other entries"));
    }
    if terms_lost > 0 {
        let changes = many(terms_lost, "change of terms", "changes of terms");
        facts
            .add("mind", format!("{changes} that loosened something do not hold; who may, signs and makes them again"));
    }
    if unread > 0 {
        let words = "what they said before somebody changed them, if anything, is not known, and costs nothing here";
        facts.add("mind", format!("{} could not be read: {words}", many(unread, "row", "rows")));
    }
    if entry.is_some() {
        let words = "hold every delivered folder against the book: incrowd ledger verify --against FOLDER...; a charge that \
                     it does not find is to be taken from the budget by incrowd ledger policy";
        facts.add("next", words);
    }
    let mut page = Page::titled("This book can be read again");
    page.add("", vec![facts.block()]);
    print_page(&page, "")
}

fn many(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}
