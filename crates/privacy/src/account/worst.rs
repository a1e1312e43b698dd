//! The worst count of a mechanism under a promise: every `k` is looked at, or proved to be no worse than one that is.
//!
//! It must never leave a count out without an argument. It is separate from `account.rs` because comparing two laws and
//! knowing which pairs matter are different questions. Read `search.rs` for how parameters are found with it.

use crate::account::drawn_epsilon;
use crate::account::{Delta, QuickBounds, Tightness};
use crate::cells::TooManyOutcomes;
use crate::curve::{Curve, Epsilon, Level};
use crate::mechanism::lower_bound::{Bound, LowerBound};
use crate::mechanism::shape::{CountNoise, OneNoise, Shape};
use crate::mechanism::{Deployed, Universe};
use crate::precision::places_for;
use incrowd_exact::{Enclosure, Integer, Rational};
use std::collections::BTreeSet;
use std::fmt;

/// The most counts that are looked at one by one.
const MAX_COUNTS: usize = 1 << 17;
/// Binary places for a first look.
const FEW_PLACES: usize = 128;

/// The count at which the promise is closest to being broken.
#[derive(Debug, Clone)]
pub struct Worst {
    /// How many people.
    pub count: u64,
    /// What was promised to them.
    pub epsilon: Epsilon,
    /// What that costs.
    pub delta: Delta,
}

/// Why a promise could not be accounted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountError {
    /// A law is too large.
    Law(TooManyOutcomes),
    /// The curve changes at too many counts.
    TooManyCounts,
}

impl fmt::Display for AccountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccountError::Law(error) => error.fmt(f),
            AccountError::TooManyCounts => write!(
                f,
                "this promise changes at more than {MAX_COUNTS} counts, too many to check one by one; use fewer steps or tailored-geometric"
            ),
        }
    }
}

impl std::error::Error for AccountError {}

impl From<TooManyOutcomes> for AccountError {
    fn from(error: TooManyOutcomes) -> Self {
        AccountError::Law(error)
    }
}

impl Deployed {
    /// Returns the worst count under a curve: no other count has a larger `delta_k(eps(k))`.
    pub fn worst(&self, curve: &Curve) -> Result<Worst, AccountError> {
        let mut worst: Option<Worst> = None;
        let mut look = |count: u64| -> Result<(), AccountError> {
            let epsilon = curve.epsilon(count);
            let delta = self.delta(count, &epsilon)?;
            keep_worst(&mut worst, Worst { count, epsilon, delta });
            Ok(())
        };
        match self.shape() {
            Shape::Table { curve: own, table } => {
                // Claim 2: no step of the table exceeds its budget, and the first one uses all of it.
                if own.is_at_most(curve) {
                    let epsilon = curve.epsilon(1);
                    let budget = Integer::from(table.delta_units());
                    let enclosure = Enclosure::between(budget.clone(), budget, 128);
                    // A publication threshold on top is post-processing: it can only cost less.
                    let tightness = if self.publish_from.is_some() { Tightness::UpperBound } else { Tightness::Exact };
                    let delta = Delta { enclosure, tightness };
                    keep_worst(&mut worst, Worst { count: 1, epsilon, delta });
                } else {
                    // Another promise than its own: the table has no shape that would single out counts.
                    keep_worst(&mut worst, Worst { count: 1, epsilon: curve.epsilon(1), delta: everything() });
                }
            }
            Shape::DrawnEpsilon { bound, .. } => self.worst_of_drawn_epsilon(bound, curve, &mut worst)?,
            Shape::Ladder(ladder) => {
                look(1)?;
                if let Some(found) = ladder.worst(self, curve)? {
                    keep_worst(&mut worst, found);
                }
            }
            // Every count has a noise of its own: few places are enough to see which cannot be the worst.
            Shape::OneNoise(one) if one.is_of_count() => {
                for count in self.counts_that_matter(curve)?.into_iter().rev() {
                    let known = worst.as_ref().map_or(Rational::ZERO, |worst: &Worst| worst.delta.upper_bound());
                    let epsilon = curve.epsilon(count);
                    if let Epsilon::Finite(finite) = &epsilon
                        && worst.is_some()
                        && self.single_delta(&one, count, finite, places_for(FEW_PLACES, finite)).upper() <= known
                    {
                        continue;
                    }
                    let delta = self.delta(count, &epsilon)?;
                    keep_worst(&mut worst, Worst { count, epsilon, delta });
                }
            }
            Shape::Walk(_) | Shape::OneNoise(_) | Shape::Range { .. } => {
                for count in self.counts_that_matter(curve)? {
                    look(count)?;
                }
            }
        }
        if let Shape::Walk(own) = self.shape()
            && !own.tail_is_at_most(curve)
        {
            // Its epsilon grows for ever and the promise does not: delta comes as close to one as one likes.
            let count = own.runs()[own.runs().len() - 1].from;
            keep_worst(&mut worst, Worst { count, epsilon: curve.epsilon(count), delta: everything() });
        }
        worst.ok_or(AccountError::TooManyCounts)
    }

    /// Looks at the counts of a mechanism that draws its epsilon, from the largest down; most are seen not to be the
    /// worst without summing their laws: by OP Theorem 20 (corrected), by being a shifted copy of the count above, or
    /// by a quick sum.
    fn worst_of_drawn_epsilon(
        &self,
        bound: &LowerBound,
        curve: &Curve,
        worst: &mut Option<Worst>,
    ) -> Result<(), AccountError> {
        let mut quick = QuickBounds::default();
        let mut above = None;
        for count in self.counts_that_matter(curve)?.into_iter().rev() {
            let epsilon = curve.epsilon(count);
            let Epsilon::Finite(finite) = &epsilon else {
                let delta = self.delta(count, &epsilon)?;
                keep_worst(worst, Worst { count, epsilon, delta });
                continue;
            };
            let pair = (bound.number(count), bound.number(count - 1), epsilon.clone());
            let copied = self.publish_from.is_none() && above.as_ref() == Some(&pair);
            above = Some(pair);
            let known = worst.as_ref().map(|worst| worst.delta.upper_bound());
            let first_step = self.universe == Universe::Open && count == 1;
            if !first_step && let Some(known) = known {
                if copied || drawn_epsilon::event_bound(bound, count, finite) <= known {
                    continue;
                }
                if bound.parameters().bound == Bound::NoiseOnCount
                    && quick.upper_bound(self, count, finite).is_ok_and(|bound| bound <= known)
                {
                    continue;
                }
            }
            let delta = self.delta(count, &epsilon)?;
            keep_worst(worst, Worst { count, epsilon, delta });
        }
        Ok(())
    }

    /// Returns counts such that every other is no worse than one of them.
    ///
    /// Between two bends of the mechanism or of the curve, `delta_k(e)` for fixed `e` does not decrease in `k`: a
    /// single noise with values below a cut merged costs `q^max(cut - k, 0) (1 - q e^e)_+ / (1 + q)`, sure counts cost
    /// 0 or 1, and laws that only shift cost the same everywhere. So the last count of each stretch is enough, and
    /// beyond the last bend one count. Where the curve is proportional or the noise changes with every count, every
    /// count is looked at.
    ///
    /// Beyond the last bend of the mechanism itself its law only shifts with the count, so `delta_k(e)` no longer
    /// changes for fixed `e`; and as promises do not get stricter with the count, the first count there is the worst of
    /// them.
    fn counts_that_matter(&self, curve: &Curve) -> Result<BTreeSet<u64>, AccountError> {
        let last_bend = self.bends().into_iter().max().unwrap_or(0) + 1;
        let settled = |from: u64| (from + 1, Some((from + 1).max(last_bend)));
        let (every_up_to, steady) = match self.shape() {
            Shape::DrawnEpsilon { bound, .. } => settled(bound.settled_from(curve)),
            Shape::OneNoise(OneNoise { noise: CountNoise::OfCount { curve: own, .. }, .. }) => {
                settled(own.constant_from().ok_or(AccountError::TooManyCounts)?)
            }
            // Claim 1 where it is the curve itself: only the first step of an open universe can cost anything.
            Shape::Walk(own) if own.is_at_most(curve) => return Ok(BTreeSet::from([1])),
            Shape::Walk(_) => (0, None),
            Shape::OneNoise(_) | Shape::Ladder(_) | Shape::Table { .. } | Shape::Range { .. } => (0, Some(last_bend)),
        };
        let mut stretches = vec![(1, 2), (1, every_up_to)];
        stretches.extend(self.bends().into_iter().map(|bend| (bend, bend + 1)));
        for run in curve.runs() {
            let to = run.to.unwrap_or(run.from);
            match (&run.level, steady) {
                (Level::Constant(_), _) => stretches.extend([(run.from, run.from + 1), (to, to + 1)]),
                (Level::Proportional(_), Some(steady)) => {
                    stretches.push((run.from, run.to.unwrap_or(u64::MAX).min(steady)))
                }
                (Level::Proportional(slope), None) => stretches.push((run.from, run.to.unwrap_or(self.enough(slope)))),
            }
        }
        if let Shape::Walk(own) = self.shape() {
            let ends = own.runs().iter().flat_map(|run| [Some(run.from), run.to]).flatten();
            stretches.extend(ends.map(|end| (end, end + 1)));
        }
        let furthest = steady.map_or(u64::MAX, |steady| steady.saturating_add(1));
        let mut counts = BTreeSet::new();
        for (from, to) in stretches {
            let to = to.min(furthest);
            if to.saturating_sub(from) > MAX_COUNTS as u64 || counts.len() > MAX_COUNTS {
                return Err(AccountError::TooManyCounts);
            }
            counts.extend(from.max(1)..=to);
        }
        counts.extend(steady);
        counts.extend(steady.map(|steady| steady + 1));
        Ok(counts)
    }

    /// Counts at which the mechanism behaves in a new way.
    pub(crate) fn bends(&self) -> Vec<u64> {
        let positive = |level: i64| u64::try_from(level).unwrap_or(0);
        let mut bends = match self.shape() {
            Shape::OneNoise(one) => one.bends(),
            Shape::Ladder(_)
            | Shape::Walk(_)
            | Shape::Table { .. }
            | Shape::DrawnEpsilon { .. }
            | Shape::Range { .. } => Vec::new(),
        };
        if let Some(from) = self.publish_from {
            bends.extend([positive(from - 1), positive(from)]);
        }
        bends
    }

    /// Returns how far an endless proportional promise is followed where the mechanism never becomes steady.
    fn enough(&self, slope: &Rational) -> u64 {
        u64::try_from(&(Rational::from(64u8) / slope).ceil()).unwrap_or(u64::MAX / 4)
    }
}

/// Nothing is protected.
fn everything() -> Delta {
    Delta { enclosure: Enclosure::one(128), tightness: Tightness::UpperBound }
}

/// Keeps whichever of the two costs more.
pub(crate) fn keep_worst(worst: &mut Option<Worst>, found: Worst) {
    let replace = match worst {
        None => true,
        Some(known) => found.delta.upper_bound() > known.delta.upper_bound(),
    };
    if replace {
        *worst = Some(found);
    }
}
