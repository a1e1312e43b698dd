//! What a published value says about the true count: an interval.
//!
//! A function of published values and the request only, decided in exact arithmetic; it must never see a true count. It
//! is separate from `utility.rs` because it is delivered to readers. Read `interval/acceptance.rs` for which values a
//! count accepts, `estimate.rs` for the best guesses.

pub(crate) mod acceptance;
mod ladder;
mod one_sided;
mod shifted;

pub use one_sided::{LEVELS, OneSided, OneSidedEnds, level};
pub use shifted::ShiftedIntervals;

use crate::cells::TooManyOutcomes;
use crate::curve::Epsilon;
use crate::interval::acceptance::{Lister, Side, TailLevel, last_true};
use crate::interval::ladder::LadderReader;
use crate::mechanism::Deployed;
use crate::mechanism::lower_bound::Bound;
use crate::mechanism::shape::{CountNoise, OneNoise, Shape};
use incrowd_exact::Rational;

/// No count is looked for beyond this.
const FURTHEST: u64 = 1 << 44;
/// The most counts that are listed one by one.
const MAX_LISTED: u64 = 1 << 16;
/// The furthest that `general` may reach below a count if a threshold cuts it off: each count has as many cells, and
/// more.
const MAX_REACH: u64 = 1 << 13;

/// The counts that a published value leaves open, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The smallest.
    pub low: u64,
    /// The largest.
    pub high: u64,
}

/// The intervals of a mechanism's published values.
///
/// A count `k` is accepted for a value if `P(Y <= value | k, published)` and `P(Y >= value | k, published)` are both
/// above 2.5 %; the interval is the hull of the accepted counts. So whatever the true count, the chance that the
/// interval misses it is at most 5 % of the times that anything is published. (Ladders and `general` leave out counts
/// that are published with a chance below `2^-80`.) Test: `tests/coverage`.
///
/// Where larger counts always make larger values likelier (one noise, the tailored geometric: their kernels are totally
/// positive) the ends are found by halving. Ladders that always show something are read backwards from a value. Other
/// ladders, `general`, fading and the relay have no such order, so what each count accepts is listed, count by count,
/// up to where the law only shifts with the count.
#[derive(Debug)]
pub struct Intervals<'a> {
    deployed: &'a Deployed,
    listed: Option<Listed>,
    ladder: Option<LadderReader>,
}

/// The values that each count accepts.
#[derive(Debug)]
struct Listed {
    by_count: Vec<Option<(i64, i64)>>,
    /// Beyond the list: how far below and above itself a count accepts, at most.
    beyond: (i64, i64),
}

impl Listed {
    /// Returns the list, in which the law only shifts from `steady` on.
    fn of(deployed: &Deployed, by_count: Vec<Option<(i64, i64)>>, steady: u64) -> Listed {
        // One unit wider either way: a law that is only almost steady may differ by a hair at a boundary.
        let hair = if deployed.is_exact_in_the_end() { 0 } else { 1 };
        let ends = (steady..).zip(by_count.iter().skip(steady as usize)).filter_map(|(count, accepted)| {
            let (low, high) = (*accepted)?;
            Some((low - count as i64 - hair, high - count as i64 + hair))
        });
        let beyond = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0));
        Listed { by_count, beyond }
    }
}

impl<'a> Intervals<'a> {
    /// Makes ready for a mechanism; takes a while where counts must be listed.
    pub fn of(deployed: &'a Deployed) -> Result<Self, TooManyOutcomes> {
        if let Some(ladder) = LadderReader::of(deployed)? {
            return Ok(Intervals { deployed, listed: None, ladder: Some(ladder) });
        }
        let listed = match deployed.shifts_from()? {
            None => None,
            Some((steady, period)) => {
                let lister = Lister::of(deployed)?;
                let level = [TailLevel::one_in_forty()];
                let accepted = (0..steady + period).map(|count| Ok(lister.accepted(count, &level)?[0]));
                Some(Listed::of(deployed, accepted.collect::<Result<Vec<_>, _>>()?, steady))
            }
        };
        Ok(Intervals { deployed, listed, ladder: None })
    }

    /// Returns the 95 % interval of the true count, given a published value (of a range its middle, of "at most Z" Z).
    pub fn interval(&self, value: i64) -> Result<Interval, TooManyOutcomes> {
        if let Some(ladder) = &self.ladder {
            return ladder.interval(value);
        }
        let Some(listed) = &self.listed else { return Ok(self.deployed.ordered_interval(value)) };
        // Labels of the relay end with the last finite epsilon; beyond it counts show themselves, and nothing else
        // does.
        if let Shape::Table { table, .. } = self.deployed.shape()
            && let (Some(exact_from), Ok(value)) = (table.exact_from(), u64::try_from(value))
            && value >= exact_from
        {
            return Ok(Interval { low: value, high: value });
        }
        let accepts = |accepted: &Option<(i64, i64)>| accepted.is_some_and(|(low, high)| (low..=high).contains(&value));
        let first = listed.by_count.iter().position(accepts).map(|count| count as u64);
        let last = listed.by_count.iter().rposition(accepts).map(|count| count as u64);
        let steady = listed.by_count.len() as i64;
        let (from, to) = ((value - listed.beyond.1).max(steady), value - listed.beyond.0);
        let far = (from <= to).then_some((from as u64, to as u64));
        let nearest = u64::try_from(value).unwrap_or(0).max(self.deployed.least());
        let low = first.or(far.map(|far| far.0)).unwrap_or(nearest);
        let high = far.map(|far| far.1).or(last).unwrap_or(nearest);
        Ok(Interval { low: low.max(self.deployed.least()), high })
    }
}

impl Deployed {
    fn ordered_interval(&self, value: i64) -> Interval {
        if let Shape::Range { half_width, .. } = self.shape() {
            let half = i64::try_from(half_width).unwrap_or(i64::MAX / 4);
            let clamp = |end: i64| u64::try_from(end).unwrap_or(0);
            return Interval { low: clamp(value - half), high: clamp(value + half) };
        }
        let found = self.stretches().into_iter().filter_map(|(from, to)| self.accepted_in(value, from, to));
        let hull = found.reduce(|a, b| Interval { low: a.low.min(b.low), high: a.high.max(b.high) });
        let nearest = u64::try_from(value).unwrap_or(0).max(self.least());
        hull.unwrap_or(Interval { low: nearest, high: nearest })
    }

    /// Returns the count from which on the law only shifts with the count, and with which period; nothing where values
    /// are ordered like counts and no list is needed.
    fn shifts_from(&self) -> Result<Option<(u64, u64)>, TooManyOutcomes> {
        let far = |rate: &Epsilon, units: u64| match rate.finite() {
            None => Ok(0),
            // Nothing can be told apart: every count accepts what any other does.
            Some(rate) if rate == &Rational::ZERO => Err(TooManyOutcomes),
            Some(rate) => u64::try_from(&(Rational::from(units) / rate).ceil()).map_err(|_| TooManyOutcomes),
        };
        // Noise passes 40 units of its scale with a chance below e^-40.
        let (steady, period, reach) = match self.shape() {
            Shape::Ladder(ladder) => {
                let top = ladder.levels.iter().copied().max().unwrap_or(0).max(0) as u64;
                let reach = far(&ladder.epsilons[0], 40)?;
                (top + reach + 1, 1, reach)
            }
            Shape::DrawnEpsilon { bound, .. } => {
                let constant = bound.constant_from();
                let number = bound.number(constant);
                let settled = match bound.parameters().bound {
                    // The noisy count is kept below the count, and must have passed the last change too.
                    Bound::NoiseOnCount => (constant as i64).abs_diff(number.centre) + far(&number.rate, 40)?,
                    Bound::GlobalEpsilon | Bound::SmoothEpsilon | Bound::GlobalInverse | Bound::SmoothInverse => 0,
                };
                let steady = constant + settled + 1;
                // Its noise has many rates, some of them slow and rare: only the law itself says how far down it
                // reaches.
                let reach = match self.publish_from {
                    Some(_) if steady <= MAX_LISTED => self.reach_below(steady)?,
                    Some(_) | None => 0,
                };
                if reach > MAX_REACH {
                    return Err(TooManyOutcomes);
                }
                (steady, 1, reach)
            }
            Shape::OneNoise(OneNoise { noise: CountNoise::OfCount { curve, .. }, .. }) => {
                (curve.constant_from().ok_or(TooManyOutcomes)? + 1, 1, far(&curve.supremum(), 40)?)
            }
            Shape::Table { curve, table } => {
                // Slow labels stand for several counts; a table that never closes ends in exact counts.
                let spacing = match table.closed_at() {
                    Some(closed) => (far(&curve.epsilon(closed.max(1)), 1)? / 4).max(1),
                    None => 1,
                };
                match (table.closed_at(), curve.last_finite()) {
                    (Some(closed), None) => (2 * closed + spacing, spacing, closed + spacing),
                    (closed, Some(last)) => (last.min(2 * closed.unwrap_or(last) + spacing) + 1, spacing, last),
                    (None, None) => return Err(TooManyOutcomes),
                }
            }
            Shape::OneNoise(OneNoise { noise: CountNoise::Alike(_) | CountNoise::Below { .. }, .. })
            | Shape::Walk(_)
            | Shape::Range { .. } => return Ok(None),
        };
        // Counts near a publication threshold have cut laws; beyond its reach they are whole.
        let threshold = self.publish_from.map_or(0, |from| u64::try_from(from).unwrap_or(0).saturating_add(reach));
        let steady = steady.max(threshold);
        if steady > MAX_LISTED { Err(TooManyOutcomes) } else { Ok(Some((steady, period))) }
    }

    /// Whether the counts beyond the list surely show themselves.
    fn is_exact_in_the_end(&self) -> bool {
        match self.shape() {
            Shape::Ladder(ladder) => ladder.epsilons[0] == Epsilon::Infinite,
            Shape::OneNoise(OneNoise { noise: CountNoise::OfCount { curve, .. }, .. }) => {
                curve.supremum() == Epsilon::Infinite
            }
            Shape::OneNoise(OneNoise { noise: CountNoise::Alike(_) | CountNoise::Below { .. }, .. })
            | Shape::Walk(_)
            | Shape::Table { .. }
            | Shape::DrawnEpsilon { .. }
            | Shape::Range { .. } => false,
        }
    }

    /// Stretches of counts on which the law moves upwards with the count.
    fn stretches(&self) -> Vec<(u64, u64)> {
        let exact_from = match self.shape() {
            Shape::OneNoise(OneNoise { noise: CountNoise::Below { exact_from, .. }, .. }) => Some(exact_from),
            Shape::Walk(curve) => curve.last_finite().map(|last| last + 1),
            Shape::OneNoise(OneNoise { noise: CountNoise::Alike(_) | CountNoise::OfCount { .. }, .. })
            | Shape::Ladder(_)
            | Shape::Table { .. }
            | Shape::DrawnEpsilon { .. }
            | Shape::Range { .. } => None,
        };
        match exact_from {
            None => vec![(self.least(), FURTHEST)],
            Some(from) if from <= self.least() => vec![(from, FURTHEST)],
            Some(from) => vec![(self.least(), from - 1), (from, FURTHEST)],
        }
    }

    fn accepted_in(&self, value: i64, from: u64, to: u64) -> Option<Interval> {
        let level = TailLevel::one_in_forty();
        let start = u64::try_from(value).unwrap_or(0).clamp(from, to);
        // Larger counts make small values rarer, smaller counts large ones: each side fails once and for all.
        let up = |first: u64, end: u64| {
            let test = |by: u64| self.accepts(first + by, value, Side::AtMost, &level);
            test(0).then(|| first + last_true(end - first, test))
        };
        let down = |first: u64, end: u64| {
            let test = |by: u64| self.accepts(first - by, value, Side::AtLeast, &level);
            test(0).then(|| first - last_true(first - end, test))
        };
        let high = up(start, to).or_else(|| up(from, start))?;
        let low = down(start, from).or_else(|| down(to, start))?;
        (low <= high).then_some(Interval { low, high })
    }
}
