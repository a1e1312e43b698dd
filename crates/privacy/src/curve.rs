//! Protection curves: how strongly a person in a group of `k` is protected.
//!
//! A curve is the promise itself, exact and non-decreasing; it must never be read through a float. It is separate from
//! `promise.rs` because every mechanism and every account needs the curve, and only the reader of a request needs the
//! name of its kind. Read `promise.rs` next.

use incrowd_exact::{Rational, rational_text};
use std::fmt;
use std::sync::Arc;

/// How much may be learnt about one person: nothing (0), something, or anything.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Epsilon {
    /// A finite bound on the log of the odds.
    Finite(Rational),
    /// Nothing is promised.
    Infinite,
}

impl Epsilon {
    /// Nothing may be learnt.
    pub const ZERO: Epsilon = Epsilon::Finite(Rational::ZERO);

    /// Returns the bound, or nothing where there is none.
    pub fn finite(&self) -> Option<&Rational> {
        match self {
            Epsilon::Finite(value) => Some(value),
            Epsilon::Infinite => None,
        }
    }

    /// Whether nothing at all may be learnt.
    pub fn is_zero(&self) -> bool {
        self == &Epsilon::ZERO
    }

    /// Returns the bound divided by a positive number.
    pub fn divided_by(&self, divisor: u64) -> Epsilon {
        match self {
            Epsilon::Finite(value) => Epsilon::Finite(value / Rational::from(divisor)),
            Epsilon::Infinite => Epsilon::Infinite,
        }
    }
}

impl fmt::Display for Epsilon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Epsilon::Finite(value) => f.write_str(&rational_text(value)),
            Epsilon::Infinite => f.write_str("infinite"),
        }
    }
}

/// What epsilon is over a stretch of counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Level {
    /// The same for every count.
    Constant(Epsilon),
    /// `slope * k` at count `k`.
    Proportional(Rational),
}

/// A stretch of counts, from `from` up to and including `to` (without end if `None`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// First count.
    pub from: u64,
    /// Last count.
    pub to: Option<u64>,
    /// Epsilon over the stretch.
    pub level: Level,
}

impl Run {
    fn epsilon(&self, count: u64) -> Epsilon {
        match &self.level {
            Level::Constant(epsilon) => epsilon.clone(),
            Level::Proportional(slope) => Epsilon::Finite(slope * Rational::from(count)),
        }
    }
}

/// Why a list of values is not a protection curve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CurveError {
    /// There is no value.
    Empty,
    /// A value is below zero.
    Negative {
        /// The first count with such a value.
        count: u64,
    },
    /// A larger group would be protected better than a smaller one.
    Decreasing {
        /// The first count whose value is below its predecessor's.
        count: u64,
    },
    /// Even a group of one would get no protection.
    NothingPromised,
}

impl fmt::Display for CurveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CurveError::Empty => f.write_str("a protection curve needs at least one value"),
            CurveError::Negative { count } => write!(f, "epsilon is below zero for groups of {count}; the least is 0"),
            CurveError::Decreasing { count } => write!(
                f,
                "epsilon is lower for groups of {count} than for groups of {}: larger groups may not be protected better than smaller ones",
                count - 1
            ),
            CurveError::NothingPromised => {
                f.write_str("epsilon is infinite even for a group of one: that promises nothing to anybody")
            }
        }
    }
}

impl std::error::Error for CurveError {}

/// The promise `eps(k)` for `k = 1, 2, ...`: non-decreasing, and finite for a group of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curve {
    /// Shared: curves are handed on to programs and samplers, and some have a hundred thousand runs.
    runs: Arc<[Run]>,
}

impl Curve {
    /// Returns the curve that is `epsilon` everywhere.
    pub fn constant(epsilon: Epsilon) -> Result<Self, CurveError> {
        Self::from_runs(vec![Run { from: 1, to: None, level: Level::Constant(epsilon) }])
    }

    /// Returns the curve with the given values at 1, 2, ..., the last one repeated.
    pub fn table(values: Vec<Epsilon>) -> Result<Self, CurveError> {
        let last = values.len() as u64;
        let runs = values
            .into_iter()
            .zip(1..)
            .map(|(epsilon, count)| Run {
                from: count,
                to: (count < last).then_some(count),
                level: Level::Constant(epsilon),
            })
            .collect();
        Self::from_runs(runs)
    }

    /// Returns the curve made of steps: each value up to and including its count, the last one without end.
    pub fn steps(steps: Vec<(u64, Epsilon)>, beyond: Epsilon) -> Result<Self, CurveError> {
        let mut runs = Vec::with_capacity(steps.len() + 1);
        let mut from = 1;
        for (to, epsilon) in steps {
            if to >= from {
                runs.push(Run { from, to: Some(to), level: Level::Constant(epsilon) });
                from = to + 1;
            }
        }
        runs.push(Run { from, to: None, level: Level::Constant(beyond) });
        Self::from_runs(runs)
    }

    /// Returns the curve made of runs that follow each other from 1 on, checked.
    pub fn from_runs(runs: Vec<Run>) -> Result<Self, CurveError> {
        let Some(first) = runs.first() else { return Err(CurveError::Empty) };
        assert!(first.from == 1, "the first run starts at one");
        if first.epsilon(1) == Epsilon::Infinite {
            return Err(CurveError::NothingPromised);
        }
        let mut before = Epsilon::ZERO;
        let mut joined: Vec<Run> = Vec::with_capacity(runs.len());
        for run in runs {
            let here = run.epsilon(run.from);
            if here < Epsilon::ZERO {
                return Err(CurveError::Negative { count: run.from });
            }
            if here < before {
                return Err(CurveError::Decreasing { count: run.from });
            }
            if let Some(to) = run.to {
                before = run.epsilon(to);
                if before < here {
                    return Err(CurveError::Negative { count: run.from + 1 });
                }
            }
            match joined.last_mut() {
                Some(last) if last.level == run.level => last.to = run.to,
                Some(_) | None => joined.push(run),
            }
        }
        Ok(Curve { runs: joined.into() })
    }

    /// The stretches of the curve, in order.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Returns epsilon for a group of `count`.
    ///
    /// # Panics
    /// If `count` is zero: nobody is in an empty group.
    pub fn epsilon(&self, count: u64) -> Epsilon {
        self.run_of(count).epsilon(count)
    }

    /// Returns the stretch that a count lies in.
    pub fn run_of(&self, count: u64) -> &Run {
        assert!(count > 0, "a protection curve starts at one person");
        let index = self.runs.partition_point(|run| run.to.is_some_and(|to| to < count));
        &self.runs[index]
    }

    /// Returns the weakest protection that anybody gets.
    pub fn supremum(&self) -> Epsilon {
        match &self.runs[self.runs.len() - 1].level {
            Level::Constant(epsilon) => epsilon.clone(),
            Level::Proportional(_) => Epsilon::Infinite,
        }
    }

    /// Returns the last count that reveals nothing, 0 if every count reveals something; `None` if no count ever does.
    ///
    /// Written Z in `docs/claims.md`.
    pub fn last_zero(&self) -> Option<u64> {
        match &self.runs[0].level {
            Level::Constant(epsilon) if epsilon.is_zero() => self.runs[0].to,
            Level::Constant(_) | Level::Proportional(_) => Some(0),
        }
    }

    /// Returns the last count with a finite epsilon, or nothing if all are finite. Written L in `docs/claims.md`.
    pub fn last_finite(&self) -> Option<u64> {
        let last = &self.runs[self.runs.len() - 1];
        (last.level == Level::Constant(Epsilon::Infinite)).then(|| last.from - 1)
    }

    /// Returns the count from which on epsilon no longer changes, or nothing if it grows for ever.
    pub fn constant_from(&self) -> Option<u64> {
        let last = &self.runs[self.runs.len() - 1];
        matches!(last.level, Level::Constant(_)).then_some(last.from)
    }

    /// Returns the curve with every value divided by `parts`: what each of `parts` bins may spend.
    pub fn divided_by(&self, parts: u64) -> Curve {
        let runs = self.runs.iter().map(|run| Run {
            from: run.from,
            to: run.to,
            level: match &run.level {
                Level::Constant(epsilon) => Level::Constant(epsilon.divided_by(parts)),
                Level::Proportional(slope) => Level::Proportional(slope / Rational::from(parts)),
            },
        });
        Curve { runs: runs.collect() }
    }

    /// Returns the curve of so many releases that each have this one.
    pub fn times(&self, times: u64) -> Curve {
        let times = Rational::from(times);
        let runs = self.runs.iter().map(|run| Run {
            from: run.from,
            to: run.to,
            level: match &run.level {
                Level::Constant(Epsilon::Finite(epsilon)) => Level::Constant(Epsilon::Finite(epsilon * &times)),
                Level::Constant(Epsilon::Infinite) => Level::Constant(Epsilon::Infinite),
                Level::Proportional(slope) => Level::Proportional(slope * &times),
            },
        });
        Curve { runs: runs.collect() }
    }

    /// Returns whether this curve does not outgrow the other.
    pub(crate) fn tail_is_at_most(&self, other: &Curve) -> bool {
        match (&self.runs[self.runs.len() - 1].level, &other.runs[other.runs.len() - 1].level) {
            (Level::Proportional(mine), Level::Proportional(theirs)) => mine <= theirs,
            (Level::Proportional(_), Level::Constant(theirs)) => theirs == &Epsilon::Infinite,
            (Level::Constant(_), _) => true,
        }
    }

    /// Returns whether this curve is nowhere above the other: whoever keeps this one keeps the other.
    pub fn is_at_most(&self, other: &Curve) -> bool {
        // Between the ends of runs both curves are linear, so the ends decide; beyond the last end, the tails do.
        let ends =
            |curve: &Curve| curve.runs.iter().flat_map(|run| [Some(run.from), run.to]).flatten().collect::<Vec<_>>();
        let mut counts = ends(self);
        counts.extend(ends(other));
        let furthest = counts.iter().copied().max().unwrap_or(1);
        let tails = match (&self.run_of(furthest).level, &other.run_of(furthest).level) {
            (Level::Proportional(mine), Level::Proportional(theirs)) => mine <= theirs,
            (Level::Proportional(_), Level::Constant(theirs)) => theirs == &Epsilon::Infinite,
            (Level::Constant(_), Level::Constant(_) | Level::Proportional(_)) => true,
        };
        tails && counts.into_iter().all(|count| self.epsilon(count) <= other.epsilon(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::parse_number;

    fn finite(text: &str) -> Epsilon {
        Epsilon::Finite(parse_number(text).expect("a number"))
    }

    #[test]
    fn a_table_repeats_its_last_value_and_joins_equal_neighbours() {
        let curve = Curve::table(vec![finite("0"), finite("0"), finite("1"), finite("1")]).expect("a curve");
        assert_eq!(curve.runs().len(), 2);
        assert_eq!(curve.epsilon(2), Epsilon::ZERO);
        assert_eq!(curve.epsilon(1_000_000), finite("1"));
        assert_eq!((curve.last_zero(), curve.last_finite(), curve.constant_from()), (Some(2), None, Some(3)));
    }

    #[test]
    fn steps_that_protect_larger_groups_better_are_refused() {
        let refused = Curve::table(vec![finite("1"), finite("1/2")]);
        assert_eq!(refused, Err(CurveError::Decreasing { count: 2 }));
        assert_eq!(Curve::constant(Epsilon::Infinite), Err(CurveError::NothingPromised));
        assert_eq!(Curve::constant(finite("-1")), Err(CurveError::Negative { count: 1 }));
        assert_eq!(Curve::table(vec![]), Err(CurveError::Empty));
    }

    #[test]
    fn curves_are_compared_at_every_bend_and_beyond() {
        let step = Curve::steps(vec![(100, finite("1/100"))], finite("1")).expect("a curve");
        let flat = Curve::constant(finite("1")).expect("a curve");
        assert!(step.is_at_most(&flat));
        assert!(!flat.is_at_most(&step));
        let line = Curve::from_runs(vec![Run {
            from: 1,
            to: None,
            level: Level::Proportional(parse_number("0.001").expect("a number")),
        }])
        .expect("a curve");
        assert!(!line.is_at_most(&flat));
        assert!(!flat.is_at_most(&line));
    }
}
