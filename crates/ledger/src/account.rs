//! An account: its name, its terms, what it has spent, and whether it pays for a release.
//!
//! It must never pay more than its terms say, and what is spent never becomes less. It is separate from the book, which finds
//! out what was spent, because whether an account pays is arithmetic and can be read on its own. Read `book.rs` next.
//!
//! Sums are the whole of the accounting here: epsilons and deltas add up, whatever the binnings (differential privacy at the
//! suprema, `docs/claims.md`). An infinite epsilon makes the sum infinite, so that nothing finite is left of a budget after
//! it; tighter rules for the same binning are not applied yet.

use crate::charge::{Charge, is_line};
use crate::moment::Moment;
use crate::refusal::Refusal;
use crate::terms::Terms;
use incrowd_exact::Rational;
use incrowd_privacy::Epsilon;
use std::fmt;

/// Most characters of a name.
const MOST: usize = 200;

/// The name of an account: 1 to 200 characters, none of them a control character.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountName(String);

impl AccountName {
    /// Returns the name, or refuses a text that is empty, too long or not one line.
    pub fn new(text: &str) -> Result<AccountName, AccountNameError> {
        if is_line(text, MOST) { Ok(AccountName(text.to_string())) } else { Err(AccountNameError) }
    }

    /// The name as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AccountName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that cannot name an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountNameError;

impl AccountNameError {
    /// Returns what to do instead.
    pub fn hint(&self) -> &'static str {
        "name the people whose data it is, such as employees-2026"
    }
}

impl fmt::Display for AccountNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an account is named with 1 to 200 characters, none of them a control character")
    }
}

impl std::error::Error for AccountNameError {}

/// What an account has spent: exact sums over its charges, whatever became of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spent {
    /// The sum of the epsilons.
    pub epsilon: Epsilon,
    /// The sum of the deltas.
    pub delta: Rational,
}

impl Spent {
    pub(crate) const NOTHING: Spent = Spent { epsilon: Epsilon::ZERO, delta: Rational::ZERO };

    pub(crate) fn add(&mut self, epsilon: &Epsilon, delta: &Rational) {
        self.epsilon = match (&self.epsilon, epsilon) {
            (Epsilon::Finite(before), Epsilon::Finite(more)) => Epsilon::Finite(before + more),
            (Epsilon::Infinite, Epsilon::Finite(_) | Epsilon::Infinite) | (Epsilon::Finite(_), Epsilon::Infinite) => {
                Epsilon::Infinite
            }
        };
        self.delta += delta;
    }
}

/// What an account has left to spend; nothing where there is no limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Of the epsilon budget; 0 once an infinite epsilon has been charged.
    pub epsilon: Option<Rational>,
    /// Of the delta budget, which is 0 where only epsilon has one.
    pub delta: Option<Rational>,
}

/// One account, as its entries add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// What it is called.
    pub name: AccountName,
    /// When it was opened.
    pub created: Moment,
    /// What it may spend, and on what.
    pub terms: Terms,
    /// What it has spent.
    pub spent: Spent,
    /// How many releases it has paid for, delivered or not.
    pub charges: u64,
    /// The binning of a charge with an infinite epsilon, if there was one.
    pub unbounded_binning: Option<String>,
}

impl Account {
    /// Returns what is left to spend.
    pub fn left(&self) -> Left {
        let rest = |budget: &Rational, spent: &Rational| (budget - spent).max(Rational::ZERO);
        let epsilon = self.terms.epsilon.as_ref().map(|budget| match &self.spent.epsilon {
            Epsilon::Finite(spent) => rest(budget, spent),
            Epsilon::Infinite => Rational::ZERO,
        });
        Left { epsilon, delta: self.terms.delta_budget().map(|budget| rest(&budget, &self.spent.delta)) }
    }

    /// Returns whether the account would pay, or why not. Only [`Ledger::charge`](crate::Ledger::charge) makes it pay.
    pub fn would_pay(&self, charge: &Charge) -> Result<(), Box<Refusal>> {
        self.policy_permits(charge)?;
        // Exact counts of large groups in two different tables may isolate anybody: together they promise nothing (CB Prop 7).
        if charge.epsilon == Epsilon::Infinite
            && self.unbounded_binning.as_ref().is_some_and(|earlier| *earlier != charge.binning_hash)
        {
            return Err(Box::new(Refusal::OtherBinning { account: self.name.clone(), kind: charge.kind.clone() }));
        }
        let left = self.left();
        match (left.epsilon, &charge.epsilon) {
            (Some(left), Epsilon::Finite(asked)) if asked > &left => {
                return Err(Box::new(Refusal::Overdrawn { account: self.name.clone(), asked: asked.clone(), left }));
            }
            (Some(_), Epsilon::Infinite) if !self.terms.names(&charge.kind) => {
                return Err(Box::new(Refusal::Unbounded { account: self.name.clone(), kind: charge.kind.clone() }));
            }
            (Some(_) | None, Epsilon::Finite(_) | Epsilon::Infinite) => {}
        }
        match left.delta {
            Some(left) if charge.delta > left => {
                let (account, asked) = (self.name.clone(), charge.delta.clone());
                Err(Box::new(match self.terms.delta {
                    Some(_) => Refusal::DeltaOverdrawn { account, asked, left },
                    None => Refusal::NoDeltaBudget { account, asked },
                }))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn policy_permits(&self, charge: &Charge) -> Result<(), Box<Refusal>> {
        let account = || self.name.clone();
        if let Some(allowed) = &self.terms.allow
            && !allowed.contains(&charge.kind)
        {
            let (kind, allowed) = (charge.kind.clone(), allowed.clone());
            return Err(Box::new(Refusal::KindNotAllowed { account: account(), kind, allowed }));
        }
        if let Some(least) = self.terms.min_group {
            // A finite epsilon for everybody protects every group; without one, the named group is all the protection.
            let large_enough = match charge.smallest_group {
                Some(group) => group >= least,
                None => charge.epsilon.finite().is_some(),
            };
            if !large_enough {
                return Err(Box::new(Refusal::GroupTooSmall {
                    account: account(),
                    named: charge.smallest_group,
                    least,
                }));
            }
        }
        if let Some(most) = &self.terms.max_epsilon_per_release
            && charge.epsilon > Epsilon::Finite(most.clone())
        {
            let (asked, most) = (charge.epsilon.clone(), most.clone());
            return Err(Box::new(Refusal::TooMuchAtOnce { account: account(), asked, most }));
        }
        Ok(())
    }
}
