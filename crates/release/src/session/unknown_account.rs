//! An account that nobody opened, in a book that has others.
//!
//! The first account of a fresh book opens itself, so that a first release needs no ceremony. From then on a name that
//! the book does not know is more likely a slip, or a way to a fresh budget, than other people: it is refused before
//! anything is charged, unless it is said that it is meant. It is separate because a front end shows the names that may
//! have been meant. Read `opened.rs` for when it is asked.

use super::ledger_location::LedgerLocation;
use crate::request::printable;
use incrowd_engine::nearest;
use incrowd_ledger::{Account, AccountName, Ledger, LedgerError};
use std::fmt;

/// How many names of other accounts are told.
const MOST_TOLD: usize = 8;

/// An account that is not open, in a book that has others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownAccount {
    /// Its name.
    pub account: AccountName,
    /// The book.
    pub ledger: LedgerLocation,
    /// The accounts that the book has.
    pub others: Vec<AccountName>,
}

/// Whether a release may open an account beside others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// Only the first one of a book.
    OnlyTheFirst,
    /// It was said that it is meant.
    Meant,
}

/// Returns the account that would pay, if it is open, or refuses one that is not in a book that has others.
///
/// Nothing closes an account, so what is found open stays open until the charge. Two releases that race for a fresh
/// book may both find it empty: then both are its first.
pub(super) fn known_account(
    name: &AccountName,
    book: &Ledger,
    ledger: &LedgerLocation,
    opening: Opening,
) -> Result<Result<Option<Account>, UnknownAccount>, LedgerError> {
    if let Some(account) = book.account(name)? {
        return Ok(Ok(Some(account)));
    }
    if opening == Opening::Meant {
        return Ok(Ok(None));
    }
    let others: Vec<AccountName> = book.accounts()?.into_iter().map(|other| other.name).collect();
    // Somebody who asked for the same opened it in between.
    if others.contains(name) {
        return Ok(Ok(book.account(name)?));
    }
    if others.is_empty() {
        return Ok(Ok(None));
    }
    Ok(Err(UnknownAccount { account: name.clone(), ledger: ledger.clone(), others }))
}

impl UnknownAccount {
    /// Returns the names of other accounts, as many as are told.
    fn told(&self) -> String {
        let mut names: Vec<String> = self.others.iter().take(MOST_TOLD).map(shown).collect();
        if self.others.len() > MOST_TOLD {
            names.push(format!("{} more", self.others.len() - MOST_TOLD));
        }
        names.join(", ")
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        let near = nearest(self.account.as_str(), self.others.iter().map(AccountName::as_str));
        let near = near.map(|near| format!("did you mean {}? ", seen(&near))).unwrap_or_default();
        format!(
            "{near}other people have an account of their own: `incrowd ledger open {}` sets its limits, and a release with \
             --open sets none",
            typed(self.account.as_str())
        )
    }
}

impl fmt::Display for UnknownAccount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ledger = printable(&self.ledger.to_string());
        write!(f, "there is no account {} in {ledger}, which has {}", shown(&self.account), self.told())
    }
}

/// A name as it is typed.
fn typed(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if name.chars().all(is_plain) { name.to_string() } else { format!("{:?}", printable(name)) }
}

/// A name in quotes; where letters of other scripts stand between Latin ones they have their numbers, as they may look
/// like these.
fn seen(name: &str) -> String {
    let is_latin = |c: char| c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&c);
    let is_mixed = name.chars().any(|c| c.is_ascii_alphabetic()) && !name.chars().all(is_latin);
    let sign = |c: char| if is_mixed && !is_latin(c) { c.escape_default().to_string() } else { c.to_string() };
    format!("{:?}", printable(name)).chars().map(sign).collect()
}

/// A name in quotes, so that blanks at its ends are seen.
fn shown(name: &AccountName) -> String {
    seen(name.as_str())
}
