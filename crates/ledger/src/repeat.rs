//! Whether a request was paid for before.
//!
//! The same request of the same state of the data is not paid for twice by mistake: what was delivered is there, and
//! what is under way will be. It must never forget a charge whose end is not in the book, because its process may still
//! be at work. It is separate from `account.rs` because terms and sums do not know requests. Read `ledger.rs` for the
//! transaction in which it is asked.

use crate::account_name::AccountName;
use crate::damage::Fault;
use crate::line::Line;
use crate::number::shown;
use incrowd_definition::{ChargeId, Moment};
use incrowd_privacy::Epsilon;
use std::fmt;

/// What happens to a request that was paid for before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// It is refused if it was delivered, or if nobody knows how it ended.
    Refused,
    /// It is refused, too, if it failed: for whoever tries again and again and reads no message.
    RefusedOnceTried,
    /// It is meant, and paid for again.
    Meant,
}

impl Repetition {
    /// Returns whether another charge is refused beside an earlier one that ended so.
    pub fn refuses(self, state: EarlierState) -> bool {
        match (self, state) {
            (Repetition::Meant, _) | (Repetition::Refused, EarlierState::Failed) => false,
            (Repetition::Refused, EarlierState::Delivered | EarlierState::UnderWay)
            | (Repetition::RefusedOnceTried, _) => true,
        }
    }
}

/// A charge for the same request that stands in the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierCharge {
    /// What it was charged as.
    pub charge_id: ChargeId,
    /// When, by the clock of whoever was charged.
    pub time: Moment,
    /// What became of it.
    pub state: EarlierState,
}

/// What became of an earlier charge, what matters least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EarlierState {
    /// It failed: there is nothing to show for it.
    Failed,
    /// The book does not say how it ended: somebody is at it, or was interrupted.
    UnderWay,
    /// It was delivered.
    Delivered,
}

/// A release that would be paid for a second time. Nothing was charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    /// Who should have paid.
    pub account: AccountName,
    /// The charge that stands.
    pub earlier: EarlierCharge,
    /// What it would cost once more.
    pub epsilon: Epsilon,
}

impl Repeat {
    /// Returns what to do instead.
    pub fn hint(&self) -> String {
        let again = match self.epsilon.finite() {
            Some(epsilon) => format!("--again draws anew and costs epsilon {}", shown(epsilon)),
            None => "--again publishes anew, where the account pays for exact counts once more".to_string(),
        };
        match self.earlier.state {
            EarlierState::Failed => {
                format!("`incrowd check` looks for the cause and charges nothing; once it is mended, {again}")
            }
            EarlierState::Delivered => format!(
                "incrowd render FOLDER changes margins, formats and rounding for free; {again}; data that changed gets another \
                 `snapshot` in [ledger]"
            ),
            EarlierState::UnderWay => format!(
                "wait for whoever is at it; if it was interrupted, incrowd recover FOLDER delivers what is complete for free, \
                 and {again}"
            ),
        }
    }
}

impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EarlierCharge { charge_id, time, state } = &self.earlier;
        let account = &self.account;
        match state {
            EarlierState::Failed => write!(
                f,
                "this request was charged already, {time} as charge {charge_id} of account {account}, and not delivered"
            ),
            EarlierState::Delivered => {
                write!(f, "this request was delivered already, {time} as charge {charge_id} of account {account}")
            }
            EarlierState::UnderWay => write!(
                f,
                "this request was charged already, {time} as charge {charge_id} of account {account}, and the ledger does not \
                 say how that ended"
            ),
        }
    }
}

/// The charges for one request, found while a book is read.
pub(crate) struct Search<'a> {
    plan_hash: &'a str,
    found: Vec<(ChargeId, Moment)>,
}

impl<'a> Search<'a> {
    pub fn of(plan_hash: &'a str) -> Search<'a> {
        Search { plan_hash, found: Vec::new() }
    }

    /// Takes a line of the account.
    pub fn show(&mut self, line: &Line<'_>) -> Result<(), Fault> {
        if line.kind == "charge" && line.plan_hash == Some(self.plan_hash) {
            let charge_id = line.charge_id.and_then(ChargeId::read).ok_or(Fault::Unreadable)?;
            self.found.push((charge_id, Moment::read(line.time).ok_or(Fault::Unreadable)?));
        }
        Ok(())
    }

    /// Returns the last charge that was delivered, or else the last whose end is not known, or else the last that
    /// failed.
    pub fn judged(self, state: impl Fn(&ChargeId) -> Option<EarlierState>) -> Option<EarlierCharge> {
        let mut earlier: Option<EarlierCharge> = None;
        for (charge_id, time) in self.found {
            let Some(state) = state(&charge_id) else { continue };
            if earlier.as_ref().is_none_or(|earlier| earlier.state <= state) {
                earlier = Some(EarlierCharge { charge_id, time, state });
            }
        }
        earlier
    }
}
