//! What a published value says: its count, its interval, its status and, if asked for, an estimate.
//!
//! All of it is post-processing, a function of the published value and the plan; it must never differ for two bins that
//! publish the same. It is separate from the columns because a verifier computes the same numbers again. Read
//! `incrowd_privacy`'s `interval.rs` for what an interval means.
//!
//! Rounding comes last and in a column of its own: the estimate if there is one, else the count, to the nearest
//! multiple (halves up). The count and its interval stay as they are, so that anybody can compute the interval again.
//! So do they where small values are shown as "fewer than 6": that is a column of its own, too.

use crate::kinds::{ItemCounts, TableRows};
use crate::plan::Plan;
use crate::quality::{CellNumbers, Quality};
use crate::request::{Estimate, OutputRequest, QualityColumn, fewer_than};
use arrow_schema::DataType;
use incrowd_exact::{Enclosure, Rational};
use incrowd_plan::TableRefusal;
use incrowd_privacy::{Deployed, Intervals, Outcome, ShiftedIntervals, Unbiased};
use std::collections::HashMap;

/// The most values whose numbers are remembered.
const REMEMBERED: usize = 1 << 20;

/// How a table reads published values.
pub(crate) struct Reading<'p> {
    deployed: &'p Deployed,
    intervals: Option<Intervals<'p>>,
    shifted: Option<ShiftedIntervals>,
    estimate: Option<Best>,
    rounding: Option<i64>,
    /// Values below this are shown as being below it.
    small: Option<u64>,
    quality: QualityColumn,
    /// What a bin without any number is called.
    silence: Status,
    /// Values repeat, and an interval may take milliseconds.
    known: HashMap<i64, Known>,
}

#[derive(Clone, Copy)]
enum Best {
    Clamped,
    Median(u64, Option<u64>),
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
    /// Thousandths.
    Thousandths(i64),
}

/// What one bin shows, as numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Numbers {
    pub count: Option<i64>,
    pub low: Option<i64>,
    pub high: Option<i64>,
    pub status: Status,
    pub estimate: Option<Guess>,
    pub rounded: Option<i64>,
}

/// What a bin shows, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// A count, or an interval.
    Published,
    /// Only that it is small: at most `high`, as surely as any interval holds.
    AtMost,
    /// Nothing.
    Suppressed,
    /// That it was chosen, without a count.
    Chosen,
}

impl Status {
    pub(crate) const ALL: [Status; 4] = [Status::Published, Status::AtMost, Status::Suppressed, Status::Chosen];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Status::Published => "published",
            Status::AtMost => "at-most",
            Status::Suppressed => "suppressed",
            Status::Chosen => "chosen",
        }
    }
}

impl Numbers {
    /// Returns how far the value can be relied on.
    pub(crate) fn quality(&self) -> Option<Quality> {
        CellNumbers { count: self.count, low: self.low, high: self.high }.quality()
    }
}

/// Whether counts are published at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShowsCounts {
    Yes,
    No,
}

impl ShowsCounts {
    /// Returns what a plan publishes: rows and points have no counts, and chosen items may have none.
    pub(crate) fn of(plan: &Plan) -> Self {
        match plan.kind().rows() {
            TableRows::Bins | TableRows::Items(ItemCounts::Published) => ShowsCounts::Yes,
            TableRows::Items(ItemCounts::Hidden) | TableRows::People(_) => ShowsCounts::No,
        }
    }
}

impl<'p> Reading<'p> {
    /// Makes ready, with what a bin without any number is called; refuses an estimate that the mechanism does not have.
    pub(crate) fn of(
        deployed: &'p Deployed,
        output: &OutputRequest,
        silence: Status,
        shows: ShowsCounts,
    ) -> Result<Self, TableRefusal> {
        let mechanism = deployed.mechanism.name();
        let estimate = match (output.estimate, output.prior) {
            (None, _) => None,
            (Some(Estimate::Clamped), _) => Some(Best::Clamped),
            (Some(Estimate::Median), prior) if deployed.has_median() => {
                Some(Best::Median(prior.map_or(0, |prior| prior.low), prior.map(|prior| prior.high)))
            }
            (Some(Estimate::Median), _) => return Err(TableRefusal::NoMedian { mechanism }),
            (Some(Estimate::Unbiased), _) if deployed.spreads().is_some() => Some(Best::Unbiased),
            (Some(Estimate::Unbiased), _) => return Err(TableRefusal::NoUnbiasedValue { mechanism }),
        };
        // A law that is too large to sum has no intervals: `low` and `high` stay empty.
        let intervals = Intervals::of(deployed).ok();
        Ok(Reading {
            deployed,
            shifted: intervals.as_ref().and_then(|intervals| ShiftedIntervals::of(deployed, intervals)),
            intervals,
            estimate,
            rounding: output.rounding.and_then(|step| i64::try_from(step).ok()).filter(|step| *step > 1),
            small: output.small,
            quality: match shows {
                ShowsCounts::Yes => output.quality,
                ShowsCounts::No => QualityColumn::LeftOut,
            },
            silence,
            known: HashMap::new(),
        })
    }

    /// Returns the type of the column of estimates, if there is one.
    pub(crate) fn estimate_type(&self) -> Option<DataType> {
        Some(match self.estimate? {
            Best::Clamped | Best::Median(_, _) => DataType::Int64,
            Best::Unbiased => DataType::Float64,
        })
    }

    /// Whether there is a column of rounded values.
    pub(crate) fn rounds(&self) -> bool {
        self.rounding.is_some()
    }

    /// Whether there is a column of what is shown to readers.
    pub(crate) fn hides_small(&self) -> bool {
        self.small.is_some()
    }

    /// Whether there is a column of how far values can be relied on.
    pub(crate) fn judges(&self) -> bool {
        self.quality == QualityColumn::Written
    }

    /// Returns what readers are shown of a bin with this outcome: that it is small, or its value, rounded where that is
    /// asked for; nothing where it shows nothing, or where nobody asked.
    ///
    /// A function of what was published, never of the interval or the estimate: it says "fewer than 6" of a published
    /// 5, whoever is in the bin.
    pub(crate) fn shown(&self, outcome: &Outcome) -> Option<String> {
        let small = self.small?;
        let is_small = |value: i64| i128::from(value) < i128::from(small);
        Some(match outcome {
            Outcome::Value(value) if is_small(*value) => fewer_than(small),
            Outcome::Value(value) => self.rounded(Some(*value), None).unwrap_or(*value).to_string(),
            Outcome::AtMost(limit) if *limit < small => fewer_than(small),
            Outcome::AtMost(limit) => format!("at most {limit}"),
            Outcome::Range(_, high) if is_small(*high) => fewer_than(small),
            Outcome::Range(low, high) if is_small(*low) => format!("at most {high}"),
            Outcome::Range(low, high) => format!("{low} to {high}"),
            Outcome::Suppressed => return None,
        })
    }

    /// Returns what a bin with this outcome shows.
    pub(crate) fn numbers(&mut self, outcome: &Outcome) -> Numbers {
        match outcome {
            Outcome::Value(value) => {
                let known = self.known(*value);
                Numbers {
                    count: Some(*value),
                    low: known.low,
                    high: known.high,
                    status: Status::Published,
                    estimate: known.estimate,
                    rounded: self.rounded(Some(*value), known.estimate),
                }
            }
            // What was drawn is at most the limit; the count may be somewhat above it, and its interval says how far.
            Outcome::AtMost(limit) => {
                let known = self.known(i64::try_from(*limit).unwrap_or(i64::MAX));
                Numbers {
                    count: None,
                    low: known.low,
                    high: known.high,
                    status: Status::AtMost,
                    estimate: None,
                    rounded: None,
                }
            }
            Outcome::Range(low, high) => {
                let estimate = self.estimate_of(low + (high - low) / 2);
                Numbers {
                    count: None,
                    low: Some((*low).max(0)),
                    high: Some(*high),
                    status: Status::Published,
                    estimate,
                    rounded: self.rounded(None, estimate),
                }
            }
            Outcome::Suppressed => {
                Numbers { count: None, low: None, high: None, status: self.silence, estimate: None, rounded: None }
            }
        }
    }

    /// Returns the unbiased value of a published one; nothing where there is none.
    pub(crate) fn unbiased(&self, value: i64) -> Option<Unbiased> {
        self.deployed.unbiased(value)
    }

    fn known(&mut self, value: i64) -> Known {
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let shifted = self.shifted.and_then(|shifted| shifted.interval(value));
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
        match self.estimate? {
            Best::Clamped => Some(Guess::Whole(value.max(0))),
            Best::Median(low, high) => {
                let median = self.deployed.posterior_median(value, (low, high))?;
                Some(Guess::Whole(i64::try_from(median).unwrap_or(i64::MAX)))
            }
            Best::Unbiased => {
                self.deployed.unbiased(value).map(|unbiased| Guess::Thousandths(thousandths(&unbiased.value)))
            }
        }
    }

    /// The estimate if there is one, else the count, to the nearest multiple, halves up.
    fn rounded(&self, count: Option<i64>, estimate: Option<Guess>) -> Option<i64> {
        let step = i128::from(self.rounding?);
        let thousandths = match estimate {
            Some(Guess::Thousandths(value)) => i128::from(value),
            Some(Guess::Whole(value)) => i128::from(value) * 1000,
            None => i128::from(count?) * 1000,
        };
        let multiple = (thousandths * 2 + step * 1000).div_euclid(step * 2000);
        Some(i64::try_from(multiple * step).unwrap_or(i64::MAX))
    }
}

impl Guess {
    /// Returns the guess as a float, which is as close as a float comes.
    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Guess::Whole(value) => value as f64,
            Guess::Thousandths(value) => thousandths_f64(i128::from(value)),
        }
    }
}

/// Returns the float next to some thousandths, which is written with the same three decimals.
pub(crate) fn thousandths_f64(value: i128) -> f64 {
    value as f64 / 1000.0
}

/// Returns a number in thousandths, halves up.
pub(crate) fn thousandths(value: &Enclosure) -> i64 {
    let half = Rational::ONE / Rational::from(2u8);
    i64::try_from(&(value.lower() * Rational::from(1000u32) + half).floor()).unwrap_or(i64::MAX)
}

/// Returns "1,0": which tests fired, in order.
pub(crate) fn levels_text(levels: &[bool]) -> String {
    levels.iter().map(|fired| if *fired { "1" } else { "0" }).collect::<Vec<_>>().join(",")
}
