//! How sure anybody can become about a person, by the size of her group: one sentence, and the chance that it fails.
//!
//! Delta is not that chance. It is summed from the law that runs where a person is in one bin of one period, and
//! bounded from `(epsilon, delta)` elsewhere; a sentence must never be printed without it. It is separate because plan,
//! report, certificate and ledger say the same. Read `odds/words.rs` for the sentences of a plan.

mod words;

pub use words::{CurveRow, Reader, sampled_words};

use crate::delta_text::delta_text;
use crate::plan::Plan;
use incrowd_exact::{Integer, Rational, rare_rounding_up, rational_text};
use incrowd_privacy::{Curve, Epsilon, LargestChance, Level, Run, Sureness, Tightness, chance_beyond};
use serde_json::{Value, json};

/// How many steps of a curve are told at most.
const MOST_RUNS: usize = 12;

/// How sure anybody can rightly become whether a person is in the data at all, starting from even odds.
#[derive(Debug, Clone)]
pub struct Odds {
    /// The size of her group: from, and to; nothing where it may be any larger one.
    pub group: (u64, Option<u64>),
    /// What she was promised.
    pub epsilon: Rational,
    /// Nobody becomes surer than this of what is true ...
    pub surer_than: Sureness,
    /// ... but for this chance; not below the truth.
    pub chance: Rational,
    /// Whether the chance is the truth.
    pub tightness: Tightness,
    /// Why it holds.
    pub by: Because,
}

/// Why a sentence about odds holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Because {
    /// By the promise of the mechanism.
    Promise,
    /// Because people are sampled first.
    Sample,
}

impl Odds {
    /// Returns what follows from an epsilon and a delta alone: without an exception at delta 0, else a little above
    /// epsilon with a chance of at most ten times delta, or well above it with twice a large delta.
    pub fn bounded(group: (u64, Option<u64>), epsilon: &Rational, delta: &Rational) -> Odds {
        let (surer_than, tightness) = match delta == &Rational::ZERO {
            true => (Sureness::of(epsilon), Tightness::Exact),
            false => (Sureness::with_room(epsilon, delta), Tightness::UpperBound),
        };
        let chance = surer_than.odds().map_or(Rational::ZERO, |odds| chance_beyond(epsilon, delta, &odds));
        Odds { group, epsilon: epsilon.clone(), surer_than, chance, tightness, by: Because::Promise }
    }

    /// Returns the same with the exact chance at the percentage of epsilon itself, if `exceeding` knows it for those
    /// odds.
    ///
    /// Where epsilon is 0 any percentage above 50 would do, and at 50 itself the least change of the odds counts; so
    /// the one that leaves room is taken there.
    pub fn exact(
        group: (u64, Option<u64>),
        epsilon: &Rational,
        delta: &Rational,
        exceeding: impl Fn(&Rational) -> Option<incrowd_privacy::Chance>,
    ) -> Odds {
        let bounded = Odds::bounded(group, epsilon, delta);
        if delta == &Rational::ZERO {
            return bounded;
        }
        let surer_than = match epsilon == &Rational::ZERO {
            true => bounded.surer_than.clone(),
            false => Sureness::of(epsilon),
        };
        let Some(odds) = surer_than.odds() else { return bounded };
        match exceeding(&odds).filter(|chance| chance.tightness == Tightness::Exact) {
            Some(chance) => Odds { surer_than, chance: chance.upper_bound(), tightness: Tightness::Exact, ..bounded },
            None => bounded,
        }
    }

    /// Whether there is an exception at all.
    pub fn may_fail(&self) -> bool {
        self.chance > Rational::ZERO
    }

    /// Returns ", but for a chance of 69 in a million", or nothing.
    pub fn except_words(&self) -> String {
        match self.chance_words() {
            Some(chance) => format!(", but for a chance of {chance}"),
            None => String::new(),
        }
    }

    /// Returns "69 in a million" or "at most 98 in 10 million", rounded up; nothing where there is no exception.
    pub fn chance_words(&self) -> Option<String> {
        // Sums do not tell smaller ones apart.
        let least = Rational::ONE / Rational::from(Integer::from(10u8).pow(30));
        let chance = rare_rounding_up(&self.chance.clone().max(least));
        self.may_fail().then(|| match self.tightness {
            Tightness::Exact => chance,
            Tightness::UpperBound => format!("at most {chance}"),
        })
    }

    /// Returns "rightly " where there is an exception: it is about being sure of what is true. Of what is not, anybody
    /// becomes as sure with less than that chance, divided by the odds.
    pub fn rightly(&self) -> &'static str {
        if self.may_fail() { "rightly " } else { "" }
    }

    /// Returns the same in fields.
    pub fn to_json(&self) -> Value {
        json!({
            "group": { "from": self.group.0, "to": self.group.1 },
            "epsilon": rational_text(&self.epsilon),
            "surer_than": self.surer_than.to_string(),
            "but_for_a_chance_of": delta_text(&self.chance),
            "is": self.is_words(),
            "by": match self.by {
                Because::Promise => "promise",
                Because::Sample => "sample",
            },
        })
    }

    /// Returns whether the chance is the truth.
    pub fn is_words(&self) -> &'static str {
        match self.tightness {
            Tightness::Exact => "exact",
            Tightness::UpperBound => "at most",
        }
    }
}

impl Plan {
    /// Returns the odds for each step of the curve that has an end to its epsilon, of long curves for some; then, where
    /// a sample is charged, what that gives to everybody.
    pub fn odds(&self) -> &[Odds] {
        self.odds.get_or_init(|| {
            let curve = self.whole_curve();
            let of = |run: &&Run| Some(self.odds_at((run.from, run.to), &epsilon_of(&curve, run)?));
            let by_run = told_runs(&curve).iter().filter_map(of).collect::<Vec<_>>();
            by_run.into_iter().chain(self.sampled_odds()).collect()
        })
    }

    /// Returns the odds of people in groups of these sizes, none of whom was promised more than epsilon over all her
    /// bins and periods.
    pub fn odds_at(&self, group: (u64, Option<u64>), epsilon: &Rational) -> Odds {
        let delta = self.certified_delta() * Rational::from(self.request.periods_per_person());
        Odds::exact(group, epsilon, &delta, |odds| Some(self.most_exceeding(group, odds)?.chance))
    }

    /// Returns a size of the group at which the sentence about it fails most often; nothing where it never does, or
    /// where that is not known from the law.
    pub fn weakest_size(&self, odds: &Odds) -> Option<u64> {
        match (odds.by, odds.tightness) {
            (Because::Promise, Tightness::Exact) if odds.may_fail() => {
                self.most_exceeding(odds.group, &odds.surer_than.odds()?)?.count
            }
            (Because::Promise | Because::Sample, Tightness::Exact | Tightness::UpperBound) => None,
        }
    }

    /// The largest chance of a loss above the odds, by the law that runs.
    fn most_exceeding(&self, group: (u64, Option<u64>), odds: &Rational) -> Option<LargestChance> {
        // Losses of several bins or periods add up, and a choice of items has more steps than the one that is settled.
        let one = self.request.bins_per_person() == 1 && self.request.periods_per_person() == 1;
        let whole = one && self.kind.is_one_law();
        whole.then(|| self.settled.deployed.most_exceeding(group.0, group.1, odds))?
    }

    /// Returns what a sample gives to everybody, where that is charged.
    pub fn sampled_odds(&self) -> Option<Odds> {
        let sampled = self.sampled.as_ref()?;
        let point = sampled.charged.as_ref()?;
        let odds = Odds::exact((1, None), &point.epsilon, &point.delta, |odds| sampled.exceeding(point, odds));
        Some(Odds { by: Because::Sample, ..odds })
    }
}

/// Returns the steps of a curve that are told: all, or some from the first to the last.
pub fn told_runs(curve: &Curve) -> Vec<&Run> {
    let runs = curve.runs();
    let chosen = (0..runs.len().min(MOST_RUNS)).map(|place| match runs.len() <= MOST_RUNS {
        true => place,
        false => place * (runs.len() - 1) / (MOST_RUNS - 1),
    });
    chosen.map(|index| &runs[index]).collect()
}

/// Returns the largest epsilon of a step; nothing where it is infinite or grows without end.
pub fn epsilon_of(curve: &Curve, run: &Run) -> Option<Rational> {
    match (&run.level, run.to) {
        (Level::Constant(Epsilon::Finite(epsilon)), _) => Some(epsilon.clone()),
        (Level::Proportional(_), Some(to)) => curve.epsilon(to).finite().cloned(),
        (Level::Constant(Epsilon::Infinite), _) | (Level::Proportional(_), None) => None,
    }
}

#[cfg(test)]
pub mod tests;
