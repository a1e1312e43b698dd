//! What is known, before anything is spent, of the account that would pay.
//!
//! Reads a book that is there, and must never make one, open an account or fail a plan: what cannot be known is said to
//! be unknown. It is separate because a plan is a function of the request, and a book is not. Read
//! `incrowd_plan::questions` for what is made of it.

use super::ledger_location::LedgerLocation;
use super::opened::OpenedRequest;
use crate::charge::{account, price};
use crate::plan::Plan;
use incrowd_definition::{Left, Reading};
use incrowd_ledger::{Account, AccountName, ChargeRefusal, Ledger, People, Repeat};
use incrowd_plan::questions::{AccountFacts, AccountState, ChargedBefore, KnownAccount};
use incrowd_privacy::{Epsilon, Total};

impl OpenedRequest<'_> {
    /// Returns what is known of the account that would pay for a plan.
    pub fn account_facts(&self, plan: &Plan) -> AccountFacts {
        let Ok(name) = account(plan) else { return AccountFacts::Unknown };
        let account = name.as_str().to_string();
        let Ok(location) = self.ledger() else { return AccountFacts::Unreadable { account } };
        let nowhere = match &location {
            LedgerLocation::File(path) => !path.exists(),
            LedgerLocation::Memory => true,
            LedgerLocation::Database(_) => false,
        };
        if nowhere {
            return AccountFacts::NotOpen { account, others: Vec::new() };
        }
        let Ok(book) = self.session().environment().open_existing(&location) else {
            return AccountFacts::Unreadable { account };
        };
        match book.account(&name) {
            Ok(Some(found)) => AccountFacts::Known(Box::new(known(&found, &name, &book, plan))),
            Ok(None) => {
                let others = book.accounts().unwrap_or_default().into_iter();
                AccountFacts::NotOpen { account, others: others.map(|other| other.name.as_str().to_string()).collect() }
            }
            Err(_) => AccountFacts::Unreadable { account },
        }
    }
}

fn known(account: &Account, name: &AccountName, book: &Ledger, plan: &Plan) -> KnownAccount {
    let request = plan.request();
    let terms = &account.terms;
    let earlier = book.earlier(name, &request.request_hash()).ok().flatten();
    let repeated = earlier.map(|earlier| {
        let repeat = Repeat { account: name.clone(), earlier, epsilon: plan.cost().epsilon };
        format!("{repeat}, and would be refused: {}", repeat.hint())
    });
    let charge = price(plan, &Reading::default());
    KnownAccount {
        account: name.as_str().to_string(),
        budget: Left { epsilon: terms.epsilon.clone(), delta: terms.delta_budget() },
        left: account.left(request.ledger.snapshot_name()),
        charged_delta: charge.as_ref().map_or_else(|_| plan.cost().delta, |charge| charge.delta.clone()),
        state: state(account, plan),
        own_people_of_each: match terms.people {
            People::Overlapping => None,
            People::DisjointPerPeriod(period) => Some(period.as_str()),
        },
        declares_parts: !terms.splits.is_empty(),
        before: before(account, plan),
        repeated,
    }
}

/// What the people of a release were promised before, where that has an epsilon for everybody.
fn before(account: &Account, plan: &Plan) -> Option<ChargedBefore> {
    let period = period_of(account, plan);
    let standing = account.standings().into_iter().find(|standing| standing.period == period)?;
    let (charges, total) = (standing.charges, standing.total.ok()?);
    let Total::Everybody { epsilon, delta } = total else { return None };
    let of_small = plan.small().map(|to| account.in_every_table(period.as_deref(), to));
    let epsilon_of_small = of_small.and_then(|epsilon| epsilon.finite().cloned());
    (charges > 0).then_some(ChargedBefore { charges, epsilon, delta, epsilon_of_small })
}

/// The period whose people a release is about, where an account has periods.
fn period_of(account: &Account, plan: &Plan) -> Option<String> {
    match account.terms.people {
        People::Overlapping => None,
        People::DisjointPerPeriod(_) => Some(plan.request().ledger.snapshot_name().to_string()),
    }
}

/// How values are stored is not known before a release, so that only those refusals are told that do not depend on it.
fn state(account: &Account, plan: &Plan) -> AccountState {
    let Ok(charge) = price(plan, &Reading::default()) else { return AccountState::Undecided };
    if let Err(refusal) = account.would_pay(&charge) {
        match &*refusal {
            ChargeRefusal::KindNotAllowed { .. }
            | ChargeRefusal::GroupTooSmall { .. }
            | ChargeRefusal::TooMuchAtOnce { .. }
            | ChargeRefusal::NotAPeriod { .. }
            | ChargeRefusal::PeriodNotBegun { .. } => {
                return AccountState::Refuses(format!("{refusal}; {}", refusal.hint()));
            }
            ChargeRefusal::Unbounded { .. } if charge.epsilon == Epsilon::Infinite => {
                return AccountState::Refuses(format!("{refusal}; {}", refusal.hint()));
            }
            ChargeRefusal::Overdrawn { .. }
            | ChargeRefusal::DeltaOverdrawn { .. }
            | ChargeRefusal::NoDeltaBudget { .. }
            | ChargeRefusal::Unbounded { .. }
            | ChargeRefusal::OtherBinning { .. }
            | ChargeRefusal::SnapshotNotNamed { .. }
            | ChargeRefusal::OtherReading { .. }
            | ChargeRefusal::Endless { .. }
            | ChargeRefusal::OtherPeople { .. }
            | ChargeRefusal::Repeated(_) => {}
        }
    }
    if charge.epsilon == Epsilon::Infinite {
        return AccountState::Undecided;
    }
    let snapshot = period_of(account, plan);
    let standing = account.standings().into_iter().find(|standing| standing.period == snapshot);
    match standing.map(|standing| (standing.charges, standing.total)) {
        None | Some((0, _)) | Some((_, Ok(Total::Everybody { .. }))) => AccountState::Adds,
        Some((_, Ok(Total::Crowd { .. }))) => AccountState::AddsTwice,
        Some((_, Ok(Total::Growing { .. }) | Err(_))) => AccountState::Undecided,
    }
}
