//! What a mechanism really costs: `delta_k(eps)` from the very law that runs, never below the truth.
//!
//! A person in a bin of `k` is as safe as the laws at `k` and `k - 1` are close, in both directions; no account may
//! rest on a theorem where the law can be summed. It is separate from the laws because it decides what is promised.
//! Read `account/worst.rs` for which counts must be looked at.

pub(crate) mod drawn_epsilon;
pub(crate) mod exceeding;
pub(crate) mod ladder;
pub(crate) mod sureness;
pub(crate) mod worst;

use crate::cells::{Mass, TooManyOutcomes};
use crate::curve::Epsilon;
use crate::law::distribution::Distribution;
use crate::mechanism::program::SideValue;
use crate::mechanism::shape::{OneNoise, Shape, Single};
use crate::mechanism::{Deployed, Universe, tailored};
use crate::precision::{BITS, bits_for};
use crate::two_sided::excess;
use incrowd_exact::{Enclosure, Fixed, Integer, Rational, exp_neg};
use std::collections::BTreeSet;

/// Whether a delta is the truth or only not below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tightness {
    /// Within a relative 1e-9 of the truth (down to 1e-30).
    Exact,
    /// An upper bound: the law is too large, and that of a mechanism which reveals more was taken.
    UpperBound,
}

/// A delta and what is known of it.
#[derive(Debug, Clone)]
pub struct Delta {
    /// The true delta lies in here, or below it where it is only an upper bound.
    pub enclosure: Enclosure,
    /// Which of the two.
    pub tightness: Tightness,
}

impl Delta {
    /// Returns the delta to report: not below the truth.
    pub fn upper_bound(&self) -> Rational {
        self.enclosure.upper()
    }

    pub(crate) fn exact(enclosure: Enclosure) -> Self {
        // No delta is above one, whatever rounding left at a large epsilon.
        let one = Enclosure::one(enclosure.bits()).high_units().clone();
        let within = |units: &Integer| units.clone().clamp(Integer::ZERO, one.clone());
        let (low, high) = (within(enclosure.low_units()), within(enclosure.high_units()));
        Delta { enclosure: Enclosure::between(low, high, enclosure.bits()), tightness: Tightness::Exact }
    }

    pub(crate) fn none() -> Self {
        Delta::exact(Enclosure::zero(BITS))
    }
}

impl Deployed {
    /// Returns `delta_count(epsilon)`: the larger of both directions between `count` and `count - 1` people.
    ///
    /// On an open universe the step from nobody to one person compares with an absent bin, which surely shows nothing.
    pub fn delta(&self, count: u64, epsilon: &Epsilon) -> Result<Delta, TooManyOutcomes> {
        let first_step = self.universe == Universe::Open && count == 1;
        let epsilon = match epsilon {
            Epsilon::Finite(epsilon) => epsilon,
            Epsilon::Infinite if !first_step => return Ok(Delta::none()),
            // Nothing finite bounds the step from an absent bin, so its delta is the same at every epsilon.
            Epsilon::Infinite => &Rational::ZERO,
        };
        match self.shape() {
            Shape::Walk(curve) => {
                let own = Epsilon::Finite(epsilon.clone()) >= curve.epsilon(count);
                match (first_step, self.publish_from) {
                    // Claim 1: the ratio of neighbours is e^eps(k) or its inverse, and thresholds are post-processing.
                    (false, _) if own => Ok(Delta::none()),
                    (true, Some(from)) if from > 0 && curve.last_zero().is_some() => {
                        // With a threshold, "at most Z" is silence: the first value that can show is above the zero
                        // run.
                        let above = curve.last_zero().filter(|last| *last > 0).map_or(0, |last| last + 1);
                        let first = u64::try_from(from).unwrap_or(0).max(above);
                        Ok(Delta::exact(tailored::at_least(curve, first, 1, bits_for(epsilon))))
                    }
                    // A curve that is zero everywhere shows nothing, present or absent.
                    (true, _) if curve.last_zero().is_none() => Ok(Delta::none()),
                    (_, _) => self.summed_delta(count, epsilon),
                }
            }
            Shape::Range { rate, half_width } if !first_step => {
                Ok(Delta::exact(range_delta(rate, half_width, epsilon)))
            }
            // All that follows the first noise is post-processing.
            Shape::Ladder(ladder) if !first_step && Epsilon::Finite(epsilon.clone()) >= ladder.epsilons[0] => {
                Ok(Delta::none())
            }
            // At its own curve the table accounts for itself, on the integers that are drawn from.
            Shape::Table { curve, table }
                if curve.epsilon(count).finite() == Some(epsilon) && self.publish_from.is_none() =>
            {
                let units = Integer::from(table.step_delta(count));
                Ok(Delta::exact(Enclosure::between(units.clone(), units, 128)))
            }
            Shape::Ladder(_) | Shape::Table { .. } | Shape::Range { .. } => self.summed_delta(count, epsilon),
            Shape::DrawnEpsilon { bound, side_output } => {
                drawn_epsilon::delta(self, bound, side_output, count, epsilon)
            }
            Shape::OneNoise(one) => Ok(Delta::exact(self.single_delta(&one, count, epsilon, bits_for(epsilon)))),
        }
    }

    /// Returns the delta of a mechanism that adds noise at most once, at a precision.
    pub(crate) fn single_delta(&self, one: &OneNoise<'_>, count: u64, epsilon: &Rational, bits: usize) -> Enclosure {
        let first_step = self.universe == Universe::Open && count == 1;
        let here = one.law(count);
        let before = if first_step { Single::Suppressed } else { one.law(count - 1) };
        // One noise of one rate around both counts: the ratio is at most e^rate, and all that follows is
        // post-processing. Said by proof, because sums only ever come close to zero.
        if let (Single::Number(here), Single::Number(before)) = (&here, &before)
            && here.rate == before.rate
            && Epsilon::Finite(epsilon.clone()) >= here.rate
        {
            return Enclosure::zero(bits);
        }
        let cut = self.cut_of(one);
        let factor = Enclosure::one(bits).over(&exp_neg(epsilon, bits));
        let forward = single_excess(&here, &before, &factor, cut);
        forward.max(&single_excess(&before, &here, &factor, cut))
    }

    /// Returns delta by summing over the cells of both laws, with more places and wider windows until it is tight.
    ///
    /// This works for every mechanism; the closed forms above are faster, and tests compare the two.
    pub fn summed_delta(&self, count: u64, epsilon: &Rational) -> Result<Delta, TooManyOutcomes> {
        let narrow = [64, 100];
        let wide = [150, 230];
        for tail_bits in narrow {
            let delta = self.summed::<2>(count, epsilon, tail_bits)?;
            if is_tight(&delta) {
                return Ok(Delta::exact(delta));
            }
        }
        let first = self.summed::<4>(count, epsilon, wide[0])?;
        if is_tight(&first) {
            return Ok(Delta::exact(first));
        }
        let last = self.summed::<4>(count, epsilon, wide[1])?;
        let tiny = Rational::ONE / Rational::from(Integer::from(10u8).pow(30));
        let tightness = if is_tight(&last) || last.upper() < tiny { Tightness::Exact } else { Tightness::UpperBound };
        Ok(Delta { tightness, ..Delta::exact(last) })
    }

    fn summed<const N: usize>(
        &self,
        count: u64,
        epsilon: &Rational,
        tail_bits: usize,
    ) -> Result<Enclosure, TooManyOutcomes> {
        let (here, before) = self.with_and_without::<N>(count, tail_bits)?;
        let forward = hockey_stick(&here, &before, epsilon);
        Ok(forward.max(&hockey_stick(&before, &here, epsilon)))
    }

    /// Returns the laws with a person in a group of so many, and without her. Where bins are found, a bin of nobody is
    /// not there at all.
    pub(crate) fn with_and_without<const N: usize>(
        &self,
        count: u64,
        tail_bits: usize,
    ) -> Result<(Distribution<N>, Distribution<N>), TooManyOutcomes> {
        let program = self.program();
        let here = Distribution::<N>::of(&program, count, tail_bits)?;
        let before = match (self.universe, count) {
            (Universe::Open, 1) => Distribution::absent(),
            (Universe::Open | Universe::Closed, _) => Distribution::of(&program, count - 1, tail_bits)?,
        };
        Ok((here, before))
    }
}

/// Upper bounds of deltas at one count after the other, downwards: each law is summed once and used twice.
#[derive(Default)]
pub(crate) struct QuickBounds {
    /// The last law, and the count it belongs to.
    known: Option<(u64, Distribution<2>)>,
}

impl QuickBounds {
    /// Returns a number that is not below `delta_count(epsilon)`, and rarely more than 1e-17 above it.
    pub(crate) fn upper_bound(
        &mut self,
        deployed: &Deployed,
        count: u64,
        epsilon: &Rational,
    ) -> Result<Rational, TooManyOutcomes> {
        let program = deployed.program();
        let law = |count| Distribution::<2>::of(&program, count, 64);
        let here = match self.known.take() {
            Some((known, distribution)) if known == count => distribution,
            Some(_) | None => law(count)?,
        };
        let before =
            if deployed.universe == Universe::Open && count == 1 { Distribution::absent() } else { law(count - 1)? };
        let bound = hockey_stick(&here, &before, epsilon).max(&hockey_stick(&before, &here, epsilon)).upper();
        self.known = Some((count - 1, before));
        Ok(bound)
    }
}

fn single_excess(p: &Single, q: &Single, factor: &Enclosure, cut: Option<i64>) -> Enclosure {
    let bits = factor.bits();
    let one = Enclosure::one(bits);
    let shown = |law: &Single| match law {
        Single::Suppressed => Enclosure::zero(bits),
        Single::Number(number) => number.between(cut, None, bits),
    };
    let published = match (p, q) {
        (Single::Suppressed, _) => Enclosure::zero(bits),
        (Single::Number(_), Single::Suppressed) => shown(p),
        (Single::Number(p), Single::Number(q)) => excess((&one, p), (&one, q), factor, cut),
    };
    let hidden = match (p, q, cut) {
        (Single::Number(_), Single::Number(_), None) => Enclosure::zero(bits),
        (_, _, _) => one.minus(&shown(p)).minus(&factor.times(&one.minus(&shown(q)))).positive_part(),
    };
    published.plus(&hidden)
}

/// `p q^L + (1 - q e^eps)_+ p (1 + q + ... + q^(L-1))` with `p = (1-q)/(1+q)`: `docs/errata.md` 2.2, at any epsilon.
///
/// The interval's ends tell `c`; at the far end `d = L` it is impossible for the neighbour, and nearer the ratio is
/// `e^rate`. "Suppressed" is equally likely on both sides.
fn range_delta(rate: &Rational, half_width: u64, epsilon: &Rational) -> Enclosure {
    let bits = bits_for(epsilon);
    let one = Enclosure::one(bits);
    let q = exp_neg(rate, bits);
    let far = q.power(half_width);
    let scale = one.plus(&q);
    let end = one.minus(&q).times(&far).over(&scale);
    let factor = one.over(&exp_neg(epsilon, bits));
    let near = one.minus(&far).over(&scale).times(&one.minus(&q.times(&factor)).positive_part());
    end.plus(&near)
}

/// Whether bounds are within a relative 1e-9 of each other, or so small that nobody can tell.
pub(crate) fn is_tight(delta: &Enclosure) -> bool {
    let (low, high) = (delta.lower(), delta.upper());
    let billion = Rational::from(1_000_000_000u32);
    (&high - &low) * billion <= high
}

/// Returns `sum_y max(0, P(y) - e^eps Q(y))`.
///
/// Summed as `e^eps sum max(0, e^-eps P - Q)`, so that every number stays below one. Upwards each cell counts with its
/// error and what was lost of P is added; downwards what was lost of Q is taken off.
fn hockey_stick<const N: usize>(p: &Distribution<N>, q: &Distribution<N>, epsilon: &Rational) -> Enclosure {
    let bits = Fixed::<N>::BITS + 64;
    let shrink = exp_neg(epsilon, bits);
    let (low, high) = shrunk_hockey_stick(p, q, (Fixed::<N>::rounding_down(&shrink), Fixed::<N>::rounding_up(&shrink)));
    let units = |fixed: Fixed<N>| Integer::from(fixed.to_units());
    let scaled = Enclosure::between(units(low), units(high), Fixed::<N>::BITS).with_bits(bits_for(epsilon).max(bits));
    scaled.over(&exp_neg(epsilon, bits_for(epsilon).max(bits)))
}

/// Returns bounds of `sum_y max(0, e^-eps P(y) - Q(y))`, for `e^-eps` between `down` and `up`.
pub(crate) fn shrunk_hockey_stick<const N: usize>(
    p: &Distribution<N>,
    q: &Distribution<N>,
    (down, up): (Fixed<N>, Fixed<N>),
) -> (Fixed<N>, Fixed<N>) {
    let unit = Fixed::units(1);
    let mut low = Fixed::<N>::ZERO;
    let mut high = Fixed::<N>::ZERO;
    let mut add = |p: Mass<N>, q: Mass<N>| {
        high = high.plus(up.times_rounding_down(p.high()).plus(unit).minus_or_zero(q.low));
        low = low.plus(down.times_rounding_down(p.low).minus_or_zero(q.high()));
    };
    let none = Mass { low: Fixed::ZERO, error: 0 };
    for (key, mass) in &p.others {
        add(*mass, q.others.get(key).copied().unwrap_or(none));
    }
    let empty = crate::cells::Cells::EMPTY;
    let side_values: BTreeSet<&SideValue> = p.values.keys().collect();
    for side_value in side_values {
        let (p, q) = (&p.values[side_value], q.values.get(side_value).unwrap_or(&empty));
        for value in p.start..p.start + p.low.len() as i64 {
            add(p.at(value), q.at(value));
        }
    }
    high = high.plus(up.times_rounding_down(p.lost).plus(unit));
    low = low.minus_or_zero(q.lost);
    (low.min(high), high)
}
