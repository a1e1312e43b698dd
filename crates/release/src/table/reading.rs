//! What a published value says: its count, its interval, its status and, if asked for, an estimate.
//!
//! All of it is post-processing, a function of the published value and the plan; it must never differ for two bins that
//! publish the same. It is separate from the columns because a verifier computes the same numbers again. Read
//! `incrowd_privacy`'s `interval.rs` for what an interval means.
//!
//! Rounding comes last: the count and an estimate go to the nearest multiple (halves up), `low` down and `high` up.

use super::refusal::TableRefusal;
use super::steady::Steady;
use crate::request::{Estimate, OutputRequest, Prior};
use arrow_schema::DataType;
use incrowd_privacy::{Deployed, Intervals, Mechanism, Outcome, tailored};
use std::collections::HashMap;

/// Binary places of an unbiased value before it is shown as a float.
const BITS: usize = 128;
/// The most values whose numbers are remembered.
const REMEMBERED: usize = 1 << 20;
/// The widest prior.
const WIDEST_PRIOR: u64 = 1 << 22;

/// How a table reads published values.
pub(crate) struct Reading<'p> {
    deployed: &'p Deployed,
    intervals: Option<Intervals<'p>>,
    steady: Option<Steady>,
    estimate: Option<Best>,
    rounding: Option<i64>,
    /// Values repeat, and an interval may take milliseconds.
    known: HashMap<i64, Known>,
}

#[derive(Clone, Copy)]
enum Best {
    Clamped,
    PosteriorMedian(Prior),
    Unbiased,
}

#[derive(Clone, Copy)]
struct Known {
    low: Option<i64>,
    high: Option<i64>,
    estimate: Option<Guess>,
}

/// A best guess.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Guess {
    /// A whole number.
    Whole(i64),
    /// Shown, never decided with.
    Fraction(f64),
}

/// What one bin shows, as numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Numbers {
    pub count: Option<i64>,
    pub low: Option<i64>,
    pub high: Option<i64>,
    pub status: Status,
    pub estimate: Option<Guess>,
}

/// What a bin shows, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// A count, or an interval.
    Published,
    /// Only that it is not above `high`.
    AtMost,
    /// Nothing.
    Suppressed,
}

impl Status {
    pub(crate) const ALL: [Status; 3] = [Status::Published, Status::AtMost, Status::Suppressed];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Status::Published => "published",
            Status::AtMost => "at-most",
            Status::Suppressed => "suppressed",
        }
    }
}

impl<'p> Reading<'p> {
    /// Makes ready; refuses an estimate that the mechanism does not have.
    pub(crate) fn of(deployed: &'p Deployed, output: &OutputRequest) -> Result<Self, TableRefusal> {
        let mechanism = deployed.mechanism.name();
        let estimate = match (output.estimate, output.prior) {
            (None, _) => None,
            (Some(Estimate::Clamped), _) => Some(Best::Clamped),
            (Some(Estimate::PosteriorMedian), Some(prior))
                if matches!(deployed.mechanism, Mechanism::TailoredGeometric { .. })
                    && prior.high - prior.low < WIDEST_PRIOR =>
            {
                Some(Best::PosteriorMedian(prior))
            }
            (Some(Estimate::PosteriorMedian), _) => return Err(TableRefusal::NoPosteriorMedian { mechanism }),
            (Some(Estimate::Unbiased), _) if has_unbiased(deployed) => Some(Best::Unbiased),
            (Some(Estimate::Unbiased), _) => return Err(TableRefusal::NoUnbiasedValue { mechanism }),
        };
        // A law that is too large to sum has no intervals: `low` and `high` stay empty.
        let intervals = Intervals::of(deployed).ok();
        Ok(Reading {
            deployed,
            steady: intervals.as_ref().and_then(|intervals| Steady::of(deployed, intervals)),
            intervals,
            estimate,
            rounding: output.rounding.and_then(|step| i64::try_from(step).ok()).filter(|step| *step > 1),
            known: HashMap::new(),
        })
    }

    /// Returns the type of the column of estimates, if there is one.
    pub(crate) fn estimate_type(&self) -> Option<DataType> {
        Some(match self.estimate? {
            Best::Clamped | Best::PosteriorMedian(_) => DataType::Int64,
            Best::Unbiased => DataType::Float64,
        })
    }

    /// Whether what is shown was rounded, so that its interval does not follow from it.
    pub(crate) fn is_rounded(&self) -> bool {
        self.rounding.is_some()
    }

    /// Whether a number may be shown after rounding.
    pub(crate) fn is_multiple(&self, value: i64) -> bool {
        self.rounding.is_none_or(|step| value % step == 0)
    }

    /// Returns what a bin with this outcome shows.
    pub(crate) fn numbers(&mut self, outcome: &Outcome) -> Numbers {
        match outcome {
            Outcome::Value(value) => {
                let known = self.known(*value);
                Numbers {
                    count: Some(self.nearest(*value)),
                    low: known.low.map(|low| self.down(low)),
                    high: known.high.map(|high| self.up(high)),
                    status: Status::Published,
                    estimate: self.rounded(known.estimate),
                }
            }
            Outcome::AtMost(limit) => Numbers {
                count: None,
                low: Some(0),
                high: Some(self.up(i64::try_from(*limit).unwrap_or(i64::MAX))),
                status: Status::AtMost,
                estimate: None,
            },
            Outcome::Range(low, high) => Numbers {
                count: None,
                low: Some(self.down((*low).max(0))),
                high: Some(self.up(*high)),
                status: Status::Published,
                estimate: self.rounded(self.estimate_of(low + (high - low) / 2)),
            },
            Outcome::Suppressed => {
                Numbers { count: None, low: None, high: None, status: Status::Suppressed, estimate: None }
            }
        }
    }

    fn known(&mut self, value: i64) -> Known {
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let shifted = self.steady.and_then(|steady| steady.interval(value));
        let computed = || self.intervals.as_ref().and_then(|intervals| intervals.interval(value).ok());
        let interval = shifted.or_else(computed);
        let end = |end: u64| i64::try_from(end).unwrap_or(i64::MAX);
        let known = Known {
            low: interval.map(|interval| end(interval.low)),
            high: interval.map(|interval| end(interval.high)),
            estimate: self.estimate_of(value),
        };
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(value, known);
        known
    }

    fn estimate_of(&self, value: i64) -> Option<Guess> {
        let natural = u64::try_from(value).unwrap_or(0);
        match self.estimate? {
            Best::Clamped => Some(Guess::Whole(value.max(0))),
            Best::PosteriorMedian(prior) => {
                let median = self.deployed.posterior_median(natural, (prior.low, prior.high))?;
                Some(Guess::Whole(i64::try_from(median).unwrap_or(i64::MAX)))
            }
            Best::Unbiased => {
                let Mechanism::TailoredGeometric { curve } = &self.deployed.mechanism else {
                    // Every noise is symmetric, whatever decided its rate, so the value itself is unbiased.
                    return Some(Guess::Fraction(value as f64));
                };
                tailored::unbiased(curve, natural, BITS).map(|value| Guess::Fraction(value.to_f64()))
            }
        }
    }

    fn down(&self, value: i64) -> i64 {
        self.rounding.map_or(value, |step| value.div_euclid(step).saturating_mul(step))
    }

    fn up(&self, value: i64) -> i64 {
        let Some(step) = self.rounding else { return value };
        let down = self.down(value);
        if down == value { value } else { down.saturating_add(step) }
    }

    fn nearest(&self, value: i64) -> i64 {
        self.rounding.map_or(value, |step| self.down(value.saturating_add(step / 2)))
    }

    fn rounded(&self, guess: Option<Guess>) -> Option<Guess> {
        Some(match (guess?, self.rounding) {
            (Guess::Whole(value), _) => Guess::Whole(self.nearest(value)),
            (Guess::Fraction(value), None) => Guess::Fraction(value),
            (Guess::Fraction(value), Some(step)) => {
                let step = step as f64;
                Guess::Fraction((value / step + 0.5).floor() * step)
            }
        })
    }
}

/// Whether some function of the published value has the count as its mean, whatever the count.
///
/// The tailored geometric has one unless it merges small counts (`theory.md` 2). All other mechanisms that always show a
/// number only add symmetric noises, one after the other.
fn has_unbiased(deployed: &Deployed) -> bool {
    !deployed.may_be_silent()
}

/// Returns "1,0": which tests fired, in order.
pub(crate) fn levels_text(levels: &[bool]) -> String {
    levels.iter().map(|fired| if *fired { "1" } else { "0" }).collect::<Vec<_>>().join(",")
}
