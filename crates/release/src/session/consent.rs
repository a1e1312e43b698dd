//! What somebody is told who is asked before a release is paid for, and what they answer.
//!
//! It must never ask after the charge, nor say less than will be charged. It is separate so that every front end asks
//! about the same. Read `opened.rs` for when it is asked.

use super::ledger_location::LedgerLocation;
use crate::account_page::left_words;
use crate::plan::Plan;
use crate::request::printable;
use incrowd_exact::rare_rounding_up;
use incrowd_ledger::{Account, AccountName};
use std::path::Path;

/// A release that could be paid for now.
pub struct Offer<'a> {
    /// What would be promised, and at what cost.
    pub plan: &'a Plan,
    /// The account that would pay.
    pub account: &'a AccountName,
    /// What it is now; nothing where it is not open.
    pub before: Option<&'a Account>,
    /// The book that it is in.
    pub ledger: &'a LedgerLocation,
    /// The folder that would be made.
    pub folder: &'a Path,
}

/// What somebody answers who is asked before a plan is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Go on.
    Given,
    /// Stop, and charge nothing.
    Refused,
}

impl Offer<'_> {
    /// Whether something is spent that lasts: a book in memory forgets its charges.
    pub fn is_charged_to_a_book_that_lasts(&self) -> bool {
        match self.ledger {
            LedgerLocation::File(_) | LedgerLocation::Database(_) => true,
            LedgerLocation::Memory => false,
        }
    }

    /// Returns what would be spent, of what, and where, in a sentence.
    pub fn words(&self) -> String {
        let cost = self.plan.cost();
        let snapshot = self.plan.request().ledger.snapshot_name();
        let left = match self.before {
            Some(account) => format!("left there: {}", left_words(account, snapshot)),
            None => "it is not open, and would have no limit".to_string(),
        };
        let made_up = self.plan.made_up_words().map(|words| format!("; {words}")).unwrap_or_default();
        format!(
            "this release charges epsilon {}, delta {} to account {} in {} ({left}) and delivers {}{made_up}",
            cost.epsilon,
            rare_rounding_up(&cost.delta),
            printable(self.account.as_str()),
            printable(&self.ledger.to_string()),
            printable(&self.folder.display().to_string()),
        )
    }
}
