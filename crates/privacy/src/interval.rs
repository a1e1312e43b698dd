//! What a published value says about the true count: an interval.
//!
//! A function of published values and the request only, decided in exact arithmetic; it must never see a true count. It is
//! separate from `utility.rs` because it is delivered to readers. Read `estimate.rs` for the best guesses.

use crate::cells::TooManyOutcomes;
use crate::curve::{Curve, Epsilon};
use crate::ladder_interval::LadderReader;
use crate::mechanism::{Bound, Deployed, Mechanism, Universe};
use crate::program::Publish;
use crate::spread::Spread;
use crate::tailored;
use incrowd_exact::{Fixed, Rational};
use std::collections::BTreeMap;

/// One in forty: 2.5 % on either side.
const ONE_IN: u64 = 40;
/// No count is looked for beyond this.
const FURTHEST: u64 = 1 << 44;
/// The most counts that are listed one by one.
const MAX_LISTED: u64 = 1 << 16;

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
/// A count `k` is accepted for a value if `P(Y <= value | k, published)` and `P(Y >= value | k, published)` are both above
/// 2.5 %; the interval is the hull of the accepted counts. So whatever the true count, the chance that the interval misses it
/// is at most 5 % of the times that anything is published.
///
/// Where larger counts always make larger values likelier (one noise, the tailored geometric: their kernels are totally
/// positive) the ends are found by halving. Ladders are read backwards from a value. `general`, fading and the relay have no
/// such order, so what each count accepts is listed, count by count, up to where the law only shifts with the count.
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

impl<'a> Intervals<'a> {
    /// Makes ready for a mechanism; takes a while where counts must be listed.
    pub fn of(deployed: &'a Deployed) -> Result<Self, TooManyOutcomes> {
        if let Some(ladder) = LadderReader::of(deployed)? {
            return Ok(Intervals { deployed, listed: None, ladder: Some(ladder) });
        }
        let listed = match deployed.shifts_from()? {
            None => None,
            Some((steady, period)) => {
                let accepted = (0..steady + period).map(|count| deployed.accepted_values(count));
                let by_count = accepted.collect::<Result<Vec<_>, _>>()?;
                // One unit wider either way: a law that is only almost steady may differ by a hair at a boundary.
                let ends = (steady..steady + period).filter_map(|count| {
                    let (low, high) = by_count[count as usize]?;
                    Some((low - count as i64 - 1, high - count as i64 + 1))
                });
                let beyond = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0));
                Some(Listed { by_count, beyond })
            }
        };
        Ok(Intervals { deployed, listed, ladder: None })
    }

    /// Returns the 95 % interval of the true count, given a published value (of a range, its middle).
    pub fn interval(&self, value: i64) -> Result<Interval, TooManyOutcomes> {
        if let Some(ladder) = &self.ladder {
            return ladder.interval(value);
        }
        let Some(listed) = &self.listed else { return self.deployed.ordered_interval(value) };
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
    fn ordered_interval(&self, value: i64) -> Result<Interval, TooManyOutcomes> {
        if let Publish::Range { half_width } = self.program().publish {
            let half = i64::try_from(half_width).unwrap_or(i64::MAX / 4);
            let clamp = |end: i64| u64::try_from(end).unwrap_or(0);
            return Ok(Interval { low: clamp(value - half), high: clamp(value + half) });
        }
        let mut hull: Option<Interval> = None;
        for (from, to) in self.stretches() {
            if let Some(found) = self.accepted_in(value, from, to)? {
                hull = Some(match hull {
                    None => found,
                    Some(known) => Interval { low: known.low.min(found.low), high: known.high.max(found.high) },
                });
            }
        }
        let nearest = u64::try_from(value).unwrap_or(0).max(self.least());
        Ok(hull.unwrap_or(Interval { low: nearest, high: nearest }))
    }

    /// Returns the count from which on the law only shifts with the count, and with which period; nothing where values are
    /// ordered like counts and no list is needed.
    fn shifts_from(&self) -> Result<Option<(u64, u64)>, TooManyOutcomes> {
        let far = |rate: &Epsilon, units: u64| match rate.finite() {
            None => Ok(0),
            // Nothing can be told apart: every count accepts what any other does.
            Some(rate) if rate == &Rational::ZERO => Err(TooManyOutcomes),
            Some(rate) => u64::try_from(&(Rational::from(units) / rate).ceil()).map_err(|_| TooManyOutcomes),
        };
        // Noise passes 40 units of its scale with a chance below e^-40.
        let (steady, period, reach) = match &self.mechanism {
            // Its noise has many rates: where a threshold cuts it off, nothing says when the law becomes steady.
            Mechanism::General { .. } if self.publish_from.is_some() => return Err(TooManyOutcomes),
            Mechanism::General { bound, .. } => {
                let number = bound.number(bound.constant_from());
                let reach = match bound.parameters().bound {
                    Bound::NoiseOnCount => number.centre.unsigned_abs() + 2 * far(&number.rate, 40)?,
                    Bound::GlobalEpsilon | Bound::SmoothEpsilon | Bound::GlobalInverse | Bound::SmoothInverse => 0,
                };
                (bound.constant_from() + reach + 1, 1, 0)
            }
            Mechanism::Fading { curve, .. } => {
                (curve.constant_from().ok_or(TooManyOutcomes)? + 1, 1, far(&curve.supremum(), 40)?)
            }
            Mechanism::Relay { curve, table } => {
                let rate = curve.epsilon(table.closed_at().unwrap_or(1).max(1));
                let spacing = (far(&rate, 1)? / 4).max(1);
                match (table.closed_at(), curve.last_finite()) {
                    (Some(closed), None) => (2 * closed + spacing, spacing, closed + spacing),
                    (closed, Some(last)) => (last.min(2 * closed.unwrap_or(last) + spacing) + 1, spacing, last),
                    (None, None) => return Err(TooManyOutcomes),
                }
            }
            // Ladders are read backwards.
            Mechanism::TailoredGeometric { .. }
            | Mechanism::NoisyNoise { .. }
            | Mechanism::Staircase { .. }
            | Mechanism::SuppressBelow { .. }
            | Mechanism::NoiseBelow { .. }
            | Mechanism::SuppressUpTo { .. }
            | Mechanism::NoiseUpTo { .. }
            | Mechanism::Geometric { .. }
            | Mechanism::GroupGeometric { .. }
            | Mechanism::NoisySuppress { .. }
            | Mechanism::Threshold { .. }
            | Mechanism::Range { .. } => return Ok(None),
        };
        // Counts near a publication threshold have cut laws; beyond its reach they are whole.
        let threshold = self.publish_from.map_or(0, |from| u64::try_from(from).unwrap_or(0).saturating_add(reach));
        let steady = steady.max(threshold);
        if steady > MAX_LISTED { Err(TooManyOutcomes) } else { Ok(Some((steady, period))) }
    }

    /// Returns the smallest and the largest value that a count accepts; nothing if it publishes nothing.
    fn accepted_values(&self, count: u64) -> Result<Option<(i64, i64)>, TooManyOutcomes> {
        if count < self.least() {
            return Ok(None);
        }
        let spread = Spread::<2>::of(&self.program(), count, 64)?;
        let mut by_value: BTreeMap<i64, Fixed<2>> = BTreeMap::new();
        let mut all = Fixed::<2>::ZERO;
        for cells in spread.values.values() {
            for (value, mass) in (cells.start..).zip(&cells.low) {
                if *mass > Fixed::ZERO {
                    let known = by_value.entry(value).or_insert(Fixed::ZERO);
                    *known = known.plus(*mass);
                    all = all.plus(*mass);
                }
            }
        }
        let limit = all.to_units();
        let likely = |sum: &mut Fixed<2>, mass: &Fixed<2>| {
            *sum = sum.plus(*mass);
            sum.to_units() * ONE_IN > limit
        };
        let mut sum = Fixed::<2>::ZERO;
        let low = by_value.iter().find(|(_, mass)| likely(&mut sum, mass)).map(|(value, _)| *value);
        let mut sum = Fixed::<2>::ZERO;
        let high = by_value.iter().rev().find(|(_, mass)| likely(&mut sum, mass)).map(|(value, _)| *value);
        Ok(low.zip(high))
    }

    /// The smallest count that a bin which published something can have.
    pub(crate) fn least(&self) -> u64 {
        match self.universe {
            Universe::Closed => 0,
            Universe::Open => 1,
        }
    }

    /// Stretches of counts on which the law moves upwards with the count.
    fn stretches(&self) -> Vec<(u64, u64)> {
        let exact_from = match &self.mechanism {
            Mechanism::SuppressBelow { crowd } | Mechanism::NoiseBelow { crowd, .. } => Some(*crowd),
            Mechanism::SuppressUpTo { group } | Mechanism::NoiseUpTo { group, .. } => Some(group + 1),
            Mechanism::TailoredGeometric { curve } => curve.last_finite().map(|last| last + 1),
            Mechanism::Relay { .. }
            | Mechanism::Geometric { .. }
            | Mechanism::GroupGeometric { .. }
            | Mechanism::NoisySuppress { .. }
            | Mechanism::NoisyNoise { .. }
            | Mechanism::Staircase { .. }
            | Mechanism::General { .. }
            | Mechanism::Fading { .. }
            | Mechanism::Threshold { .. }
            | Mechanism::Range { .. } => None,
        };
        match exact_from {
            None => vec![(self.least(), FURTHEST)],
            Some(from) if from <= self.least() => vec![(from, FURTHEST)],
            Some(from) => vec![(self.least(), from - 1), (from, FURTHEST)],
        }
    }

    fn accepted_in(&self, value: i64, from: u64, to: u64) -> Result<Option<Interval>, TooManyOutcomes> {
        let start = u64::try_from(value).unwrap_or(0).clamp(from, to);
        // Larger counts make small values rarer, smaller counts large ones: each side fails once and for all.
        let at_most = |count| Ok(self.sides(count, value)?.is_some_and(|sides| sides.at_most));
        let at_least = |count| Ok(self.sides(count, value)?.is_some_and(|sides| sides.at_least));
        let high = match last_true(start, to, at_most)? {
            Some(high) => Some(high),
            None => last_true(from, start, at_most)?,
        };
        let low = match last_true_down(start, from, at_least)? {
            Some(low) => Some(low),
            None => last_true_down(to, start, at_least)?,
        };
        Ok(match (low, high) {
            (Some(low), Some(high)) if low <= high => Some(Interval { low, high }),
            (_, _) => None,
        })
    }

    /// Whether values up to, and from, the published one are likely enough at a count; nothing if nothing is published.
    fn sides(&self, count: u64, value: i64) -> Result<Option<Sides>, TooManyOutcomes> {
        if let Mechanism::TailoredGeometric { curve } = &self.mechanism {
            return Ok(self.tailored_sides(curve, count, value));
        }
        let spread = Spread::<4>::of(&self.program(), count, 112)?;
        let mut below = Fixed::<4>::ZERO;
        let mut above = Fixed::<4>::ZERO;
        let mut all = Fixed::<4>::ZERO;
        for cells in spread.values.values() {
            for (at, mass) in (cells.start..).zip(&cells.low) {
                all = all.plus(*mass);
                if at <= value {
                    below = below.plus(*mass);
                }
                if at >= value {
                    above = above.plus(*mass);
                }
            }
        }
        if all == Fixed::ZERO {
            return Ok(None);
        }
        let likely = |mass: Fixed<4>| mass.to_units() * ONE_IN > all.to_units();
        Ok(Some(Sides { at_most: likely(below), at_least: likely(above) }))
    }

    fn tailored_sides(&self, curve: &Curve, count: u64, value: i64) -> Option<Sides> {
        let bits = 256;
        // "At most Z" is an outcome of its own; a published value is above Z.
        let first = self.publish_from.map_or(0, |from| u64::try_from(from).unwrap_or(0));
        let first = first.max(curve.last_zero()?.checked_add(1).filter(|next| *next > 1).unwrap_or(0));
        let value = u64::try_from(value).unwrap_or(0);
        let published = tailored::at_least(curve, first, count, bits);
        let above = tailored::at_least(curve, value, count, bits);
        let beyond = tailored::at_least(curve, value + 1, count, bits);
        if published.upper() == Rational::ZERO {
            return None;
        }
        // Undecided cases (there are none at 256 bits for numbers people write) count as accepted: intervals only widen.
        let forty = |mass: &incrowd_exact::Enclosure| {
            mass.times_integer(ONE_IN as i64).minus(&published).upper() > Rational::ZERO
        };
        Some(Sides { at_most: forty(&published.minus(&beyond)), at_least: forty(&above) })
    }
}

#[derive(Clone, Copy)]
struct Sides {
    at_most: bool,
    at_least: bool,
}

/// Returns the last count from `start` up to `end` that passes, where passing stops once; nothing if `start` fails.
fn last_true(
    start: u64,
    end: u64,
    mut test: impl FnMut(u64) -> Result<bool, TooManyOutcomes>,
) -> Result<Option<u64>, TooManyOutcomes> {
    if !test(start)? {
        return Ok(None);
    }
    let (mut good, mut stride) = (start, 1);
    let mut bad = loop {
        if good == end {
            return Ok(Some(end));
        }
        let probe = good.saturating_add(stride).min(end);
        if test(probe)? {
            good = probe;
            stride *= 2;
        } else {
            break probe;
        }
    };
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if test(middle)? {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Ok(Some(good))
}

/// The same downwards.
fn last_true_down(
    start: u64,
    end: u64,
    mut test: impl FnMut(u64) -> Result<bool, TooManyOutcomes>,
) -> Result<Option<u64>, TooManyOutcomes> {
    let found = last_true(0, start - end, |below| test(start - below))?;
    Ok(found.map(|below| start - below))
}
