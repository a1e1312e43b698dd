//! What several plans promise together, by the rules of the account book itself.
//!
//! They are charged, one after the other, to a book that is forgotten at once: what it would refuse has no sum here either. It
//! must never add up by rules of its own. It is separate from the plan, which knows one release. Read `charge.rs` next.

use crate::charge::charge;
use crate::plan::Plan;
use crate::refusal::Refusal;
use incrowd_engine::Reading;
use incrowd_ledger::{Ledger, LedgerError, Moment};
use incrowd_privacy::Total;

/// Why plans have no sum.
#[derive(Debug)]
pub enum NoSum {
    /// One of them cannot be charged at all.
    Plan(Refusal),
    /// An account that paid for those before it would not pay for it.
    Account {
        /// Which of them, from 0.
        plan: usize,
        /// Why.
        error: LedgerError,
    },
}

/// Returns what plans of one data set promise together, in this order, in an account that has paid for nothing else and
/// declares nothing.
///
/// How values are stored is not known before a release: plans that mean the same columns are taken to read them alike.
pub fn together(plans: &[&Plan]) -> Result<Total, NoSum> {
    let book = |error| NoSum::Account { plan: 0, error };
    let mut ledger = Ledger::in_memory().map_err(book)?;
    let now = Moment::from_unix_seconds(0);
    let mut total = Total::Everybody { epsilon: Default::default(), delta: Default::default() };
    for (index, plan) in plans.iter().enumerate() {
        let price = charge(plan, &Reading::default()).map_err(NoSum::Plan)?;
        let refused = |error| NoSum::Account { plan: index, error };
        // The book is in memory: nobody ever asks how it ended.
        drop(ledger.charge(&price, now).map_err(refused)?.spend());
        let account = ledger.account(&price.account).map_err(refused)?;
        let standing = account.and_then(|account| account.standings().into_iter().next());
        if let Some(Ok(sum)) = standing.map(|standing| standing.total) {
            total = sum;
        }
    }
    Ok(total)
}
