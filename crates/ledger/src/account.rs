//! An account: its terms, what it has spent, and whether it pays for a release.
//!
//! It must never pay more than its terms say, and what is spent never becomes less. It is separate from the book, which
//! finds out what was spent, because whether an account pays is arithmetic and can be read on its own. Read `book.rs`
//! next.
//!
//! What releases cost together is decided by `incrowd_privacy::compose`; a budget holds for that total. Where an
//! account has paid for exact counts of large groups, the total is that of crowd-blending, and the budget bounds its
//! epsilon.

use crate::account_name::AccountName;
use crate::charge::Charge;
use crate::entry::{Charged, Entry, Event};
use crate::refusal::{ChargeRefusal, Subtraction};
use crate::signature::TermsRequest;
use crate::tally::{Releases, Tally};
use crate::terms::{Guard, People, Terms};
use incrowd_definition::{After, Binning, Left, Moment};
use incrowd_exact::Rational;
use incrowd_privacy::{Clash, ClashKind, Epsilon, Loss, Total};
use std::sync::Arc;

/// What an account has spent: exact sums over its charges, whatever became of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spent {
    /// The sum of the epsilons.
    pub epsilon: Epsilon,
    /// The sum of the deltas.
    pub delta: Rational,
}

/// What the people of one period have been promised in all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Which period, if the account's people are others in each; the name of its snapshot.
    pub period: Option<String>,
    /// How many releases there were.
    pub charges: u64,
    /// What they promise together, or that they promise nothing.
    pub total: Result<Total, ClashKind>,
    /// What is left of the budgets.
    pub left: Left,
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
    /// What it has paid for.
    pub(crate) tally: Tally,
    /// How often it refused to pay, as far as the book kept it.
    pub refused: u64,
    /// Where its terms come from.
    pub(crate) origin: TermsOrigin,
}

/// Where the terms of an account come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TermsOrigin {
    /// The hash of the entry that opened it.
    pub opened: String,
    /// The hash of the entry with the terms that hold.
    pub last: String,
    /// The entries that loosened its terms while it had no key whose signature the book could show.
    pub unsigned: Vec<u64>,
}

impl Account {
    /// Returns the entries that loosened its terms while it had no key that signs: whoever could write the book then
    /// could write them.
    pub fn unsigned(&self) -> &[u64] {
        &self.origin.unsigned
    }

    /// Whether looser terms need a signature that every reader of the book checks.
    pub fn is_guarded(&self) -> bool {
        matches!(self.terms.guard, Some(Guard::Signature(_)))
    }

    /// Returns what has to be signed so that the account gets these terms.
    pub fn request(&self, terms: &Terms) -> TermsRequest {
        TermsRequest {
            account: self.name.clone(),
            opened: self.origin.opened.clone(),
            after: self.origin.last.clone(),
            before: self.terms.clone(),
            terms: terms.clone(),
        }
    }

    /// Whether it has paid for a release of this state of the data.
    pub(crate) fn has_paid_for(&self, snapshot: &str) -> bool {
        self.tally.groups().iter().any(|group| group.charged.snapshot == snapshot)
    }

    /// Whether a snapshot names no period of this account, or one that has begun nowhere at that time.
    pub(crate) fn is_early(&self, snapshot: &str, at: Moment) -> bool {
        match self.terms.people {
            People::Overlapping => false,
            People::DisjointPerPeriod(period) => {
                !period.is_named_by(snapshot) || period.begins(snapshot).is_some_and(|begins| begins > at)
            }
        }
    }

    /// Whether it has promised more than its terms allow now: they became stricter since, or somebody else than incrowd
    /// wrote charges.
    pub(crate) fn is_overdrawn(&self) -> bool {
        let beyond = |budget: Option<Rational>, spent: Option<&Rational>| {
            budget.is_some_and(|budget| spent.is_none_or(|spent| *spent > budget))
        };
        self.standings().iter().any(|standing| match &standing.total {
            Ok(total) => {
                beyond(self.terms.epsilon.clone(), total.epsilon())
                    || beyond(self.terms.delta_budget(), Some(total.delta()))
            }
            Err(_) => true,
        })
    }

    /// How many releases it has paid for, delivered or not.
    pub fn charges(&self) -> u64 {
        self.tally.groups().iter().map(|group| group.times).sum()
    }

    /// How many of them have bins of which the book has no definition.
    pub(crate) fn undefined(&self) -> u64 {
        let unknown = self.tally.groups().iter().filter(|group| !self.tally.is_defined(&group.charged.binning_hash));
        unknown.map(|group| group.times).sum()
    }

    /// Returns the plain sums of everything that was charged.
    pub fn spent(&self) -> Spent {
        let mut spent = Spent { epsilon: Epsilon::ZERO, delta: Rational::ZERO };
        for group in self.tally.groups() {
            let times = Rational::from(group.times);
            spent.epsilon = match (spent.epsilon, &group.charged.epsilon) {
                (Epsilon::Finite(before), Epsilon::Finite(more)) => Epsilon::Finite(before + more * &times),
                (Epsilon::Infinite, Epsilon::Finite(_) | Epsilon::Infinite)
                | (Epsilon::Finite(_), Epsilon::Infinite) => Epsilon::Infinite,
            };
            spent.delta += &group.charged.delta * &times;
        }
        spent
    }

    /// Returns what has been promised in all: for all people, or for the people of each period.
    pub fn standings(&self) -> Vec<Standing> {
        let periods: Vec<Option<String>> = match self.terms.people {
            People::Overlapping => vec![None],
            People::DisjointPerPeriod(_) => {
                let mut periods: Vec<String> =
                    self.tally.groups().iter().map(|group| group.charged.snapshot.clone()).collect();
                periods.sort();
                periods.dedup();
                periods.into_iter().map(Some).collect()
            }
        };
        periods
            .into_iter()
            .map(|period| {
                let releases = self.tally.releases(period.as_deref(), &self.terms.splits);
                let total = releases.total();
                let left = self.left_of(total.as_ref().ok());
                let charges = releases.all.iter().map(|release| release.times).sum();
                Standing { period, charges, total: total.map_err(|clash| clash.why), left }
            })
            .collect()
    }

    /// Returns what is left to spend on a snapshot.
    pub fn left(&self, snapshot: &str) -> Left {
        self.left_of(self.releases(snapshot).total().ok().as_ref())
    }

    /// Returns what a person is promised in all by the size of her groups; of one period, or of all people.
    pub fn by_group(&self, period: Option<&str>, count: u64) -> Epsilon {
        self.tally.releases(period, &self.terms.splits).by_group(count)
    }

    /// Returns what a person is promised in all whose groups have at most `count` people in every table.
    pub fn in_every_table(&self, period: Option<&str>, count: u64) -> Epsilon {
        self.tally.releases(period, &self.terms.splits).in_every_table(count)
    }

    /// Returns the group sizes after which what a person is promised may change, ascending.
    pub fn bends(&self, period: Option<&str>) -> Vec<u64> {
        let releases = self.tally.releases(period, &self.terms.splits);
        let curves = releases.all.iter().filter_map(|release| release.curve.as_ref());
        let mut bends: Vec<u64> = curves.flat_map(|curve| curve.runs().iter().filter_map(|run| run.to)).collect();
        bends.sort_unstable();
        bends.dedup();
        bends
    }

    /// Returns the worst pairs of all releases, for the composition that is tighter than sums; nothing if one is
    /// unbounded.
    pub fn losses(&self, period: Option<&str>) -> Option<Vec<Loss>> {
        self.tally.releases(period, &self.terms.splits).losses()
    }

    /// Returns the account as it stood when these entries of it had been written, and none after them.
    ///
    /// What was charged is added up as it is for the account itself, by the definitions that it knows.
    pub fn as_of<'e>(&self, entries: impl IntoIterator<Item = &'e Entry>) -> Account {
        let (tally, terms) = (self.tally.without_releases(), Terms::unlimited());
        let mut then = Account { tally, terms, refused: 0, ..self.clone() };
        for entry in entries.into_iter().filter(|entry| entry.account == self.name) {
            match &entry.event {
                Event::Opened(terms) | Event::TermsChanged { terms, .. } => then.terms = terms.clone(),
                Event::Charged(charged) => then.tally.add(charged),
                Event::Refused(_) => then.refused += 1,
                Event::Ended { .. } | Event::SetAside(_) => {}
            }
        }
        then
    }

    /// The releases about the people of a snapshot.
    fn releases(&self, snapshot: &str) -> Releases {
        let snapshot = match self.terms.people {
            People::Overlapping => None,
            People::DisjointPerPeriod(_) => Some(snapshot),
        };
        self.tally.releases(snapshot, &self.terms.splits)
    }

    fn left_of(&self, total: Option<&Total>) -> Left {
        let rest = |budget: &Rational, spent: Option<&Rational>| match spent {
            Some(spent) => (budget - spent).max(Rational::ZERO),
            None => Rational::ZERO,
        };
        Left {
            epsilon: self.terms.epsilon.as_ref().map(|budget| rest(budget, total.and_then(Total::epsilon))),
            delta: self.terms.delta_budget().map(|budget| rest(&budget, total.map(Total::delta))),
        }
    }

    /// Returns what the account would have promised then, or why it does not pay. Only
    /// [`Ledger::charge`](crate::Ledger::charge) makes it pay.
    pub fn would_pay(&self, charge: &Charge) -> Result<After, Box<ChargeRefusal>> {
        self.policy_permits(charge)?;
        let account = || self.name.clone();
        let before = self.releases(&charge.snapshot);
        let binning = charge.read_binning().map(Arc::new);
        let mut after = self.releases(&charge.snapshot);
        after.push(&Charged::of(charge), binning.clone(), 1);
        let total = after.total().map_err(|clash| self.refusal_of(clash, &after, charge))?;
        let left = self.left_of(before.total().ok().as_ref());
        let delta = |total: &Total| total.delta().clone();
        if let (Some(budget), Some(left)) = (&self.terms.epsilon, left.epsilon) {
            if charge.epsilon == Epsilon::Infinite && !self.terms.names(&charge.kind) {
                return Err(Box::new(ChargeRefusal::Unbounded { account: account(), kind: charge.kind.clone() }));
            }
            if total.epsilon().is_none() {
                // No budget bounds a curve without an end, whoever allows it.
                return Err(Box::new(ChargeRefusal::Unbounded { account: account(), kind: charge.kind.clone() }));
            }
            if let Some(needed) = total.epsilon()
                && needed > budget
            {
                let asked = (needed
                    - before.total().ok().and_then(|total| total.epsilon().cloned()).unwrap_or_default())
                .max(Rational::ZERO);
                let fits = self.fits(charge, binning, budget);
                let spent = before.total().ok().and_then(|total| total.epsilon().cloned());
                let overdrawn = spent.filter(|spent| spent > budget).map(|spent| (spent, budget.clone()));
                return Err(Box::new(ChargeRefusal::Overdrawn { account: account(), asked, left, overdrawn, fits }));
            }
        }
        if let (Some(budget), Some(left)) = (self.terms.delta_budget(), left.delta)
            && total.delta() > &budget
        {
            let asked = delta(&total) - before.total().ok().as_ref().map(delta).unwrap_or_default();
            return Err(Box::new(match self.terms.delta {
                Some(_) => ChargeRefusal::DeltaOverdrawn { account: account(), asked, left },
                None => ChargeRefusal::NoDeltaBudget { account: account(), asked },
            }));
        }
        Ok(After {
            charges: after.all.iter().map(|release| release.times).sum(),
            epsilon: match &total {
                Total::Everybody { epsilon, .. } => Some(epsilon.clone()),
                Total::Crowd { .. } | Total::Growing { .. } => None,
            },
            delta: total.delta().clone(),
            left: self.left_of(Some(&total)),
        })
    }

    /// Returns the largest epsilon with which a release would fit into a budget; nothing for exact counts.
    fn fits(&self, charge: &Charge, binning: Option<Arc<Binning>>, budget: &Rational) -> Option<Rational> {
        charge.epsilon.finite()?;
        let mut others = self.releases(&charge.snapshot);
        let exact = others.all.iter().any(|release| release.epsilon == Epsilon::Infinite);
        let weight = Rational::from(if exact { 2u8 } else { 1u8 });
        // The same release with an epsilon of 0: what is left beside it is what it may have.
        others.push(&Charged { epsilon: Epsilon::ZERO, ..Charged::of(charge) }, binning, 1);
        let taken = others.total().ok()?;
        Some(((budget - taken.epsilon()?) / weight).max(Rational::ZERO))
    }

    fn refusal_of(&self, clash: Clash, releases: &Releases, charge: &Charge) -> Box<ChargeRefusal> {
        let (account, kind) = (self.name.clone(), charge.kind.clone());
        match clash.why {
            ClashKind::Endless => Box::new(ChargeRefusal::Endless { account, kind }),
            ClashKind::OtherPeople => {
                let unit = |place| releases.binning(place).map(|binning| binning.unit()).unwrap_or_default();
                Box::new(ChargeRefusal::OtherPeople { account, before: unit(clash.first), now: unit(clash.second) })
            }
            ClashKind::ExactCounts => {
                let both = releases.binning(clash.first).zip(releases.binning(clash.second));
                let unnamed = both.is_some_and(|(first, second)| {
                    let named = first.names_its_snapshot() && second.names_its_snapshot();
                    !named && first.is_same_but_for_the_snapshot(second)
                });
                if unnamed {
                    return Box::new(ChargeRefusal::SnapshotNotNamed { account, kind });
                }
                if both.is_some_and(|(first, second)| first.is_same_but_for_the_reading(second)) {
                    return Box::new(ChargeRefusal::OtherReading { account, kind });
                }
                let subtraction = both.and_then(|(first, second)| first.difference(second)).map(Subtraction::of);
                Box::new(ChargeRefusal::OtherBinning { account, kind, subtraction })
            }
        }
    }

    fn policy_permits(&self, charge: &Charge) -> Result<(), Box<ChargeRefusal>> {
        let account = || self.name.clone();
        if let People::DisjointPerPeriod(period) = self.terms.people
            && !period.is_named_by(&charge.snapshot)
        {
            return Err(Box::new(ChargeRefusal::NotAPeriod {
                account: account(),
                period,
                snapshot: charge.snapshot.clone(),
            }));
        }
        if let Some(allowed) = &self.terms.allow
            && !allowed.contains(&charge.kind)
        {
            let (kind, allowed) = (charge.kind.clone(), allowed.clone());
            return Err(Box::new(ChargeRefusal::KindNotAllowed { account: account(), kind, allowed }));
        }
        if let Some(least) = self.terms.min_group {
            // A finite epsilon for everybody protects every group; without one, the named group is all the protection.
            let large_enough = match charge.smallest_group {
                Some(group) => group >= least,
                None => charge.epsilon.finite().is_some(),
            };
            if !large_enough {
                return Err(Box::new(ChargeRefusal::GroupTooSmall {
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
            return Err(Box::new(ChargeRefusal::TooMuchAtOnce { account: account(), asked, most }));
        }
        Ok(())
    }
}
