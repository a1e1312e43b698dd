//! The tailored geometric mechanism: one closed form that meets any protection curve exactly.
//!
//! On a bin of `k` it publishes `y` with `mu(y) e^-|Phi(y) - Phi(k)|`, where `Phi(k) = eps(1) + ... + eps(k)` and
//! `mu(y) = 1/(1+r_y) + 1/(1+r_{y+1}) - 1`, `r_j = e^-eps(j)`, `r_0 = 0`; it must never evaluate `Phi` beyond the last
//! finite count. It is separate because its law needs no convolution. Read `law/distribution.rs` for how it is used.

use crate::curve::{Curve, Epsilon, Level};
use incrowd_exact::{Enclosure, Fixed, Integer, Rational, exp_neg};

/// Returns `Phi(to) - Phi(from)`: the sum of `eps(j)` for `from < j <= to`; nothing if that is infinite.
pub fn exponent_between(curve: &Curve, from: u64, to: u64, bits: usize) -> Option<Enclosure> {
    let mut sum = Enclosure::zero(bits);
    let mut at = from + 1;
    while at <= to {
        let run = curve.run_of(at);
        let end = run.to.map_or(to, |end| end.min(to));
        let length = Rational::from(end - at + 1);
        let part = match &run.level {
            Level::Constant(Epsilon::Infinite) => return None,
            Level::Constant(Epsilon::Finite(epsilon)) => epsilon * length,
            // slope * (at + ... + end)
            Level::Proportional(slope) => {
                slope * length * Rational::from(Integer::from(at) + Integer::from(end)) / Rational::from(2u8)
            }
        };
        sum = sum.plus(&Enclosure::rational(&part, bits));
        at = end + 1;
    }
    Some(sum)
}

/// Returns `r_j = e^-eps(j)`: one where nothing may be learnt, zero where everything may; `r_0 = 0`.
pub fn ratio(curve: &Curve, count: u64, bits: usize) -> Enclosure {
    if count == 0 {
        return Enclosure::zero(bits);
    }
    match curve.epsilon(count) {
        Epsilon::Infinite => Enclosure::zero(bits),
        Epsilon::Finite(epsilon) => exp_neg(&epsilon, bits),
    }
}

/// Returns `P(Y >= value | count)`, the law of the published value on a closed universe.
///
/// For `value > count` this is `e^-(Phi(value) - Phi(count)) / (1 + r_value)`, for `value <= count` one minus the lower
/// tail `e^-(Phi(count) - Phi(value - 1)) / (1 + r_value)`. Values of a zero run are one outcome: asked for a value in
/// it, this is the chance of any outcome at all.
pub fn at_least(curve: &Curve, value: u64, count: u64, bits: usize) -> Enclosure {
    let one = Enclosure::one(bits);
    let below = Enclosure::one(bits).plus(&ratio(curve, value, bits));
    if value == 0 || curve.last_zero().is_none_or(|last_zero| value <= last_zero) {
        return one;
    }
    if let Some(last) = curve.last_finite()
        && count > last
    {
        return if value <= count { one } else { Enclosure::zero(bits) };
    }
    if value > count {
        match exponent_between(curve, count, value, bits) {
            Some(exponent) => exponent.exp_neg().over(&below),
            None => Enclosure::zero(bits),
        }
    } else {
        match exponent_between(curve, value - 1, count, bits) {
            Some(exponent) => one.minus(&exponent.exp_neg().over(&below)),
            None => one,
        }
    }
}

/// `mu = 1/(1+r) + 1/(1+s) - 1`.
pub(crate) fn weight(here: &Enclosure, above: &Enclosure) -> Enclosure {
    let one = Enclosure::one(here.bits());
    one.over(&one.plus(here)).plus(&one.over(&one.plus(above))).minus(&one).positive_part()
}

/// Returns the smallest `T >= 2` with `P(Y >= T | 1) <= delta`: what an open universe needs (`docs/theory.md` section
/// 5).
///
/// Nothing if no value does, which is so for `delta = 0` unless the curve has an infinite tail.
pub fn smallest_threshold(curve: &Curve, delta: &Rational) -> Option<u64> {
    curve.last_zero()?;
    let fits = |value: u64| {
        let mut bits = 256;
        loop {
            let chance = at_least(curve, value, 1, bits);
            if &chance.upper() <= delta {
                return true;
            }
            if &chance.lower() > delta || bits > 4096 {
                return false;
            }
            bits *= 2;
        }
    };
    let limit = curve.last_finite().map_or(1 << 42, |last| last + 1);
    let mut high = 2;
    while !fits(high) {
        if high >= limit {
            return None;
        }
        high = (high * 2).min(limit.max(2));
    }
    let mut low = 1;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// So many values with an epsilon of their own are followed.
const MAX_BENDS: u64 = 1 << 14;

/// The cells of the law at one count.
pub struct Walked<const N: usize> {
    /// The value of the first cell.
    pub start: i64,
    /// Rounded down.
    pub low: Vec<Fixed<N>>,
    /// In units of the last place.
    pub error: u64,
    /// Of the merged outcome "at most Z".
    pub at_most: Option<(u64, Fixed<N>)>,
    /// An upper bound on what is in no cell.
    pub lost: Fixed<N>,
}

/// Walks away from the count, one value after the other.
pub struct Walker<'a, const N: usize> {
    curve: &'a Curve,
    bits: usize,
}

impl<'a, const N: usize> Walker<'a, N> {
    /// Returns a walker for a curve that is not zero everywhere.
    pub fn new(curve: &'a Curve) -> Self {
        Walker { curve, bits: Fixed::<N>::BITS + 32 }
    }

    /// Returns how many of the values behind a count have an epsilon of their own.
    fn bends_within(&self, count: u64, values: u64) -> u64 {
        let runs = self.curve.runs();
        let place = |value: u64| runs.partition_point(|run| run.to.is_some_and(|to| to < value));
        let (first, last) = (place(count.max(1)), place(count.saturating_add(values)));
        if runs[first..=last].iter().any(|run| matches!(run.level, Level::Proportional(_))) {
            return values;
        }
        (last - first) as u64
    }

    /// Returns the law at a count, tails below `2^-tail_bits` cut off; nothing if that takes too many cells.
    pub fn cells(&self, count: u64, tail_bits: usize) -> Option<Walked<N>> {
        let last_zero = self.curve.last_zero()?;
        if self.curve.last_finite().is_some_and(|last| count > last) {
            let start = i64::try_from(count).ok()?;
            return Some(Walked { start, low: vec![Fixed::one()], error: 0, at_most: None, lost: Fixed::ZERO });
        }
        // Every bend has an exponential of its own: give up at once where there are too many before the law ends.
        if self.bends_within(count, MAX_BENDS) > MAX_BENDS / 2 {
            let reached = exponent_between(self.curve, count, count.saturating_add(MAX_BENDS), 64)?;
            if reached.upper() < Rational::from(tail_bits as u64) {
                return None;
            }
        }
        // All counts of a zero run have the law of its end.
        let centre = count.max(last_zero);
        let least = if last_zero > 0 { last_zero + 1 } else { 0 };
        let cut = Enclosure::between(Integer::ONE, Integer::ONE, tail_bits);
        let cut = Fixed::rounding_up(&cut).plus(Fixed::units(1));
        let mut lost = Fixed::ZERO;

        let mut upward = Vec::new();
        let mut steps = Steps::new(self);
        let mut chance = Fixed::one();
        let mut value = centre;
        loop {
            if value >= least {
                upward.push(steps.weight(value).times_rounding_down(chance));
            }
            let ratio = steps.ratio(value + 1);
            chance = chance.times_rounding_down(ratio);
            if chance <= cut {
                lost = lost.plus(chance).plus(Fixed::units(2 * upward.len() as u64 + 16));
                break;
            }
            value += 1;
            if upward.len() > crate::cells::MAX_CELLS {
                return None;
            }
        }

        let mut downward = Vec::new();
        let mut chance = Fixed::one();
        let mut value = centre;
        let mut at_most = None;
        while value > 0 {
            if value <= last_zero {
                break;
            }
            chance = chance.times_rounding_down(steps.ratio(value));
            value -= 1;
            if chance <= cut {
                lost = lost.plus(chance).plus(Fixed::units(2 * downward.len() as u64 + 16));
                break;
            }
            if value >= least {
                downward.push(steps.weight(value).times_rounding_down(chance));
            }
            if downward.len() > crate::cells::MAX_CELLS {
                return None;
            }
        }
        if last_zero > 0 {
            // P(Y <= Z | k) = e^-(Phi(k) - Phi(Z)) / (1 + r_{Z+1}); zero here means: below the cut, and counted as
            // lost.
            let reached = if value <= last_zero { chance } else { Fixed::ZERO };
            let one = Enclosure::one(self.bits);
            let share = one.over(&one.plus(&ratio(self.curve, last_zero + 1, self.bits)));
            at_most = Some((last_zero, Fixed::rounding_down(&share).times_rounding_down(reached)));
        }
        let error = (upward.len().max(downward.len()) as u64) * 2 + 16;
        let first = if upward.is_empty() { centre + 1 } else { centre.max(least) };
        let start = i64::try_from(first - downward.len() as u64).ok()?;
        downward.reverse();
        downward.extend(upward);
        Some(Walked { start, low: downward, error, at_most, lost })
    }
}

/// Ratios and weights, remembered over a stretch of equal epsilon.
struct Steps<'a, const N: usize> {
    walker: &'a Walker<'a, N>,
    ratio: Option<(Epsilon, Fixed<N>)>,
    weight: Option<(Epsilon, Fixed<N>)>,
}

impl<'a, const N: usize> Steps<'a, N> {
    fn new(walker: &'a Walker<'a, N>) -> Self {
        Steps { walker, ratio: None, weight: None }
    }

    /// `r_value`, rounded down.
    fn ratio(&mut self, value: u64) -> Fixed<N> {
        let epsilon = self.walker.curve.epsilon(value.max(1));
        if let Some((known, fixed)) = &self.ratio
            && known == &epsilon
        {
            return *fixed;
        }
        let fixed = Fixed::rounding_down(&ratio(self.walker.curve, value, self.walker.bits));
        self.ratio = Some((epsilon, fixed));
        fixed
    }

    /// `mu(value)`, rounded down; inside a stretch of equal epsilon it is `(1-r)/(1+r)`.
    fn weight(&mut self, value: u64) -> Fixed<N> {
        let inside = value > 0 && {
            let (here, above) = (self.walker.curve.epsilon(value), self.walker.curve.epsilon(value + 1));
            if here == above {
                if let Some((known, fixed)) = &self.weight
                    && known == &here
                {
                    return *fixed;
                }
                true
            } else {
                false
            }
        };
        let bits = self.walker.bits;
        let exact = weight(&ratio(self.walker.curve, value, bits), &ratio(self.walker.curve, value + 1, bits));
        let fixed = Fixed::rounding_down(&exact);
        if inside {
            self.weight = Some((self.walker.curve.epsilon(value), fixed));
        }
        fixed
    }
}
