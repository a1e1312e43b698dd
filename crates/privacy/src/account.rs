//! What a mechanism really costs: `delta_k(eps)` from the very law that runs, never below the truth.
//!
//! A person in a bin of `k` is as safe as the laws at `k` and `k - 1` are close, in both directions; no account may rest on
//! a theorem where the law can be summed. It is separate from the laws because it decides what is promised. Read
//! `worst.rs` for which counts must be looked at.

use crate::cells::{Mass, TooManyOutcomes};
use crate::curve::Epsilon;
use crate::mechanism::{Deployed, Mechanism, Universe};
use crate::program::{Told, rate_of_count};
use crate::spread::Spread;
use crate::two_sided::{TwoSided, excess};
use crate::{account_general, tailored};
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

/// Binary places of closed forms, before what a large epsilon needs.
pub(crate) const BITS: usize = 384;

/// Returns binary places that are enough for an epsilon: `e^eps` is below `2^(3/2 eps)`.
pub(crate) fn bits_for(epsilon: &Rational) -> usize {
    places_for(BITS, epsilon)
}

/// Returns so many binary places and what an epsilon needs on top: fewer, and `e^-eps` could not be told from zero.
pub(crate) fn places_for(places: usize, epsilon: &Rational) -> usize {
    let whole = usize::try_from(&epsilon.clone().ceil()).unwrap_or(1 << 16);
    places + 3 * whole
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
        match &self.mechanism {
            Mechanism::TailoredGeometric { curve } => {
                let own = Epsilon::Finite(epsilon.clone()) >= curve.epsilon(count);
                match (first_step, self.publish_from) {
                    // Claim 1: the ratio of neighbours is e^eps(k) or its inverse, and thresholds are post-processing.
                    (false, _) if own => Ok(Delta::none()),
                    (true, Some(from)) if from > 0 && curve.last_zero().is_some() => {
                        // With a threshold, "at most Z" is silence: the first value that can show is above the zero run.
                        let above = curve.last_zero().filter(|last| *last > 0).map_or(0, |last| last + 1);
                        let first = u64::try_from(from).unwrap_or(0).max(above);
                        Ok(Delta::exact(tailored::at_least(curve, first, 1, bits_for(epsilon))))
                    }
                    // A curve that is zero everywhere shows nothing, present or absent.
                    (true, _) if curve.last_zero().is_none() => Ok(Delta::none()),
                    (_, _) => self.summed_delta(count, epsilon),
                }
            }
            Mechanism::Range { epsilon: rate, half_width } if !first_step => {
                Ok(Delta::exact(range_delta(rate, *half_width, epsilon)))
            }
            // All that follows the first noise is post-processing.
            Mechanism::NoisyNoise { epsilon: first, .. } if !first_step && epsilon >= first => Ok(Delta::none()),
            Mechanism::Staircase { epsilons, .. } if !first_step && Epsilon::Finite(epsilon.clone()) >= epsilons[0] => {
                Ok(Delta::none())
            }
            // At its own curve the table accounts for itself, on the integers that are drawn from.
            Mechanism::Relay { curve, table }
                if curve.epsilon(count).finite() == Some(epsilon) && self.publish_from.is_none() =>
            {
                let units = Integer::from(table.step_delta(count));
                Ok(Delta::exact(Enclosure::between(units.clone(), units, 128)))
            }
            Mechanism::NoisyNoise { .. }
            | Mechanism::Staircase { .. }
            | Mechanism::Relay { .. }
            | Mechanism::Range { .. } => self.summed_delta(count, epsilon),
            Mechanism::General { bound, telling } => account_general::delta(self, bound, *telling, count, epsilon),
            Mechanism::SuppressBelow { .. }
            | Mechanism::NoiseBelow { .. }
            | Mechanism::SuppressUpTo { .. }
            | Mechanism::NoiseUpTo { .. }
            | Mechanism::Geometric { .. }
            | Mechanism::GroupGeometric { .. }
            | Mechanism::NoisySuppress { .. }
            | Mechanism::Fading { .. }
            | Mechanism::Threshold { .. } => Ok(Delta::exact(self.single_delta(count, epsilon, bits_for(epsilon)))),
        }
    }

    /// Returns the delta of a mechanism that adds noise at most once, at a precision.
    pub(crate) fn single_delta(&self, count: u64, epsilon: &Rational, bits: usize) -> Enclosure {
        let first_step = self.universe == Universe::Open && count == 1;
        let here = self.single(count);
        let before = if first_step { Single::Suppressed } else { self.single(count - 1) };
        // One noise of one rate around both counts: the ratio is at most e^rate, and all that follows is post-processing.
        // Said by proof, because sums only ever come close to zero.
        if let (Single::Number(here), Single::Number(before)) = (&here, &before)
            && here.rate == before.rate
            && Epsilon::Finite(epsilon.clone()) >= here.rate
        {
            return Enclosure::zero(bits);
        }
        let cut = self.single_cut();
        let factor = Enclosure::one(bits).over(&exp_neg(epsilon, bits));
        let forward = single_excess(&here, &before, &factor, cut);
        forward.max(&single_excess(&before, &here, &factor, cut))
    }

    /// The law at a count of a mechanism that adds noise at most once.
    pub(crate) fn single(&self, count: u64) -> Single {
        let centre = i64::try_from(count).unwrap_or(i64::MAX / 4);
        let noisy = |rate: Rational| Single::Number(TwoSided { centre, rate: Epsilon::Finite(rate) });
        let sure = Single::Number(TwoSided { centre, rate: Epsilon::Infinite });
        let shared = |epsilon: &Rational, group: u64| epsilon / Rational::from(group);
        match &self.mechanism {
            Mechanism::SuppressBelow { crowd } if count < *crowd => Single::Suppressed,
            Mechanism::SuppressUpTo { group } if count <= *group => Single::Suppressed,
            Mechanism::NoiseBelow { crowd, epsilon } if count < *crowd => noisy(epsilon.clone()),
            Mechanism::NoiseUpTo { group, epsilon } if count <= *group => noisy(shared(epsilon, *group)),
            Mechanism::Geometric { epsilon }
            | Mechanism::NoisySuppress { epsilon, .. }
            | Mechanism::Threshold { epsilon, .. }
            | Mechanism::NoisyNoise { epsilon, .. }
            | Mechanism::Range { epsilon, .. } => noisy(epsilon.clone()),
            Mechanism::GroupGeometric { group, epsilon } => noisy(shared(epsilon, *group)),
            Mechanism::Fading { curve, at_zero } => {
                Single::Number(TwoSided { centre, rate: rate_of_count(curve, at_zero, count) })
            }
            Mechanism::SuppressBelow { .. }
            | Mechanism::SuppressUpTo { .. }
            | Mechanism::NoiseBelow { .. }
            | Mechanism::NoiseUpTo { .. }
            | Mechanism::TailoredGeometric { .. }
            | Mechanism::Relay { .. }
            | Mechanism::Staircase { .. }
            | Mechanism::General { .. } => sure,
        }
    }

    /// The smallest value that such a mechanism publishes.
    pub(crate) fn single_cut(&self) -> Option<i64> {
        let own = match &self.mechanism {
            Mechanism::NoisySuppress { group, offset, .. } => {
                Some(i64::try_from(*group).unwrap_or(i64::MAX / 4).saturating_add(*offset).saturating_add(1))
            }
            Mechanism::Threshold { threshold, .. } => Some(*threshold),
            Mechanism::TailoredGeometric { .. }
            | Mechanism::Relay { .. }
            | Mechanism::SuppressBelow { .. }
            | Mechanism::NoiseBelow { .. }
            | Mechanism::SuppressUpTo { .. }
            | Mechanism::NoiseUpTo { .. }
            | Mechanism::Geometric { .. }
            | Mechanism::GroupGeometric { .. }
            | Mechanism::NoisyNoise { .. }
            | Mechanism::Staircase { .. }
            | Mechanism::General { .. }
            | Mechanism::Fading { .. }
            | Mechanism::Range { .. } => None,
        };
        own.max(self.publish_from)
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
        let program = self.program();
        let here = Spread::<N>::of(&program, count, tail_bits)?;
        let before = if self.universe == Universe::Open && count == 1 {
            Spread::absent()
        } else {
            Spread::of(&program, count - 1, tail_bits)?
        };
        let forward = hockey_stick(&here, &before, epsilon);
        Ok(forward.max(&hockey_stick(&before, &here, epsilon)))
    }
}

/// Upper bounds of deltas at one count after the other, downwards: each law is summed once and used twice.
#[derive(Default)]
pub(crate) struct QuickBounds {
    /// The last law, and the count it belongs to.
    known: Option<(u64, Spread<2>)>,
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
        let law = |count| Spread::<2>::of(&program, count, 64);
        let here = match self.known.take() {
            Some((known, spread)) if known == count => spread,
            Some(_) | None => law(count)?,
        };
        let before = if deployed.universe == Universe::Open && count == 1 { Spread::absent() } else { law(count - 1)? };
        let bound = hockey_stick(&here, &before, epsilon).max(&hockey_stick(&before, &here, epsilon)).upper();
        self.known = Some((count - 1, before));
        Ok(bound)
    }
}

/// The law of at most one noisy number.
pub(crate) enum Single {
    Suppressed,
    Number(TwoSided),
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

/// `p q^L + (1 - q e^eps)_+ p (1 + q + ... + q^(L-1))` with `p = (1-q)/(1+q)`: errata 2.2, at any epsilon.
///
/// The interval's ends tell `c`; at the far end `d = L` it is impossible for the neighbour, and nearer the ratio is `e^rate`.
/// "Suppressed" is equally likely on both sides.
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
fn hockey_stick<const N: usize>(p: &Spread<N>, q: &Spread<N>, epsilon: &Rational) -> Enclosure {
    let bits = Fixed::<N>::BITS + 64;
    let shrink = exp_neg(epsilon, bits);
    let (low, high) = shrunk_hockey_stick(p, q, (Fixed::<N>::rounding_down(&shrink), Fixed::<N>::rounding_up(&shrink)));
    let units = |fixed: Fixed<N>| Integer::from(fixed.to_units());
    let scaled = Enclosure::between(units(low), units(high), Fixed::<N>::BITS).with_bits(bits_for(epsilon).max(bits));
    scaled.over(&exp_neg(epsilon, bits_for(epsilon).max(bits)))
}

/// Returns bounds of `sum_y max(0, e^-eps P(y) - Q(y))`, for `e^-eps` between `down` and `up`.
pub(crate) fn shrunk_hockey_stick<const N: usize>(
    p: &Spread<N>,
    q: &Spread<N>,
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
    let told: BTreeSet<&Told> = p.values.keys().collect();
    for told in told {
        let (p, q) = (&p.values[told], q.values.get(told).unwrap_or(&empty));
        for value in p.start..p.start + p.low.len() as i64 {
            add(p.at(value), q.at(value));
        }
    }
    high = high.plus(up.times_rounding_down(p.lost).plus(unit));
    low = low.minus_or_zero(q.lost);
    (low.min(high), high)
}
