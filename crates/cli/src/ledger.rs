//! `incrowd ledger`: opens accounts, shows what they have promised, and verifies the book.
//!
//! It reads the book and its own arguments, never data, but for `exposure`; it must never show less than was spent. It
//! is separate from the book, which knows no terminal. Read `incrowd_release::account_page` for what is shown of an
//! account.

mod export;
mod exposure;
mod key;
mod report;
mod set_aside;
mod setup;
mod sign;
mod terms;
mod verify;

use crate::args::{LedgerCommand, LedgerLook, PrintFormat};
use crate::failure::Failure;
use crate::session;
use crate::terminal::{Printed, print_blocks, print_json};
use incrowd_ledger::{Account, AccountName, Entry, Ledger};
use incrowd_release::account_course::{HEADING, course};
use incrowd_release::account_json::{account_json, entry_json};
use incrowd_release::account_page;
use incrowd_release::request::printable;
use incrowd_release::snapshot_names::SnapshotNames;
use incrowd_report::Page;
use serde_json::{Value, json};

/// Runs the command.
pub fn run(command: &LedgerCommand, format: PrintFormat) -> Result<(), Failure> {
    match command {
        LedgerCommand::Open(command) => terms::open(command, format),
        LedgerCommand::Policy(command) => terms::change(command, format),
        LedgerCommand::Show(command) => show(command, format),
        LedgerCommand::History(command) => history(command, format),
        LedgerCommand::Verify(command) => verify::run(command, format),
        LedgerCommand::Export(command) => export::run(command, format),
        LedgerCommand::Report(command) => report::run(command, format),
        LedgerCommand::Exposure(command) => exposure::run(command, format),
        LedgerCommand::Key(command) => key::run(command, format),
        LedgerCommand::SetAside(command) => set_aside::run(command, format),
        LedgerCommand::Setup(command) => setup::run(command, format),
        LedgerCommand::Sign(command) => sign::run(command, format),
    }
}

fn show(command: &LedgerLook, format: PrintFormat) -> Result<(), Failure> {
    let (book, location) = session::existing_book(command.ledger.as_deref())?;
    let (accounts, entries) = everything(&book, command.name.as_deref())?;
    if format == PrintFormat::Json {
        let accounts: Vec<Value> = accounts.iter().map(account_json).collect();
        return print_json(&json!({ "accounts": accounts }));
    }
    let page = |account: &Account| {
        let mut page = account_page::page(account);
        let course = course(account, &entries);
        if !course.is_empty() {
            page.add(HEADING, course);
        }
        page
    };
    let mut pages: Vec<Page> = accounts.iter().map(page).collect();
    if pages.is_empty() {
        pages.push(Page::titled("There are no accounts in this book."));
    }
    let closing = format!("From the ledger {}", printable(&location.to_string()));
    Printed { closing: &closing, ..Printed::only("Accounts", pages) }.print(format)
}

fn history(command: &LedgerLook, format: PrintFormat) -> Result<(), Failure> {
    let (book, _) = session::existing_book(command.ledger.as_deref())?;
    let entries = entries(&book, command.name.as_deref())?;
    if format == PrintFormat::Json {
        let entries: Vec<Value> = entries.iter().map(entry_json).collect();
        return print_json(&json!({ "entries": entries }));
    }
    let snapshots = SnapshotNames::of(&book, &entries)?;
    print_blocks(account_page::history(&entries, &snapshots))
}

/// Returns the accounts that were asked for.
fn accounts(book: &Ledger, name: Option<&str>) -> Result<Vec<Account>, Failure> {
    match name {
        None => Ok(book.accounts()?),
        Some(text) => Ok(vec![book.account(&account_name(text)?)?.ok_or_else(|| no_account(text))?]),
    }
}

/// Returns the accounts that were asked for, and the entries of all, of one state of the book.
fn everything(book: &Ledger, name: Option<&str>) -> Result<(Vec<Account>, Vec<Entry>), Failure> {
    let (mut accounts, entries) = book.everything()?;
    if let Some(text) = name {
        let name = account_name(text)?;
        accounts.retain(|account| account.name == name);
        if accounts.is_empty() {
            return Err(no_account(text));
        }
    }
    Ok((accounts, entries))
}

/// Returns the entries that were asked for.
fn entries(book: &Ledger, name: Option<&str>) -> Result<Vec<Entry>, Failure> {
    let name = name.map(account_name).transpose()?;
    let entries = book.history(name.as_ref())?;
    match name {
        Some(name) if entries.is_empty() => Err(no_account(name.as_str())),
        Some(_) | None => Ok(entries),
    }
}

fn no_account(text: &str) -> Failure {
    let message = format!("there is no account {:?}", printable(text));
    Failure::usage(message, "`incrowd ledger show` lists the accounts of this book")
}

fn account_name(text: &str) -> Result<AccountName, Failure> {
    AccountName::new(text).map_err(|error| Failure::usage(error.to_string(), error.hint()))
}
