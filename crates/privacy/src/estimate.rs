//! Best guesses from a published value: a median, and a value for sums.
//!
//! Functions of published values and the request only, decided in exact arithmetic; they must never see a true count.
//! They are separate from `interval.rs` because a guess may be wrong and an interval may not. Read
//! `mechanism/tailored.rs` for the law.

use crate::curve::{Curve, Epsilon};
use crate::mechanism::shape::{CountNoise, OneNoise, Shape, SmallCounts};
use crate::mechanism::{Deployed, tailored};
use incrowd_exact::{Enclosure, Fixed, Rational, exp_neg};

/// Binary places of an unbiased value.
const BITS: usize = 128;
/// Weights below `2^-120` of the largest are left out of a median.
const NEGLIGIBLE_BITS: usize = 120;
/// The largest weight; so many of them are below one together.
const MOST_WEIGHTS_BITS: usize = 22;

/// A value whose mean is the true count, for sums.
#[derive(Debug, Clone)]
pub struct Unbiased {
    /// Its mean is the count, whatever the count.
    pub value: Enclosure,
    /// How much it spreads: see `Spreads`.
    pub variance: Enclosure,
}

/// What is known of the spread of an unbiased value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spreads {
    /// The mean of the stated variance is the true one, whatever the count.
    Unbiased,
    /// The true variance is at most the stated one.
    AtMost,
}

impl Deployed {
    /// Returns what is known of the spread of unbiased values; nothing where there are none.
    ///
    /// A bin that may show no number at all has none. All other mechanisms but the tailored geometric only add
    /// symmetric noises, one after the other, so the value itself has the count as its mean.
    pub fn spreads(&self) -> Option<Spreads> {
        if self.may_be_silent() {
            return None;
        }
        match self.shape() {
            Shape::Walk(_) | Shape::OneNoise(OneNoise { noise: CountNoise::Alike(_), .. }) => Some(Spreads::Unbiased),
            Shape::OneNoise(OneNoise { noise: CountNoise::Below { .. } | CountNoise::OfCount { .. }, .. })
            | Shape::Ladder(_)
            | Shape::DrawnEpsilon { .. } => Some(Spreads::AtMost),
            // These may be silent.
            Shape::Table { .. } | Shape::Range { .. } => None,
        }
    }

    /// Returns the unbiased value of a published one, and how much such values spread; nothing where there is none.
    pub fn unbiased(&self, value: i64) -> Option<Unbiased> {
        self.spreads()?;
        if let Shape::Walk(curve) = self.shape() {
            return tailored_unbiased(curve, u64::try_from(value).ok()?);
        }
        let none = Enclosure::zero(BITS);
        let variance = self.rates().iter().fold(none, |sum, rate| sum.plus(&noise_variance(rate)));
        Some(Unbiased { value: Enclosure::integer(value, BITS), variance })
    }

    /// The rates of all noises that a count may get: where the rate depends on the count or is drawn, the smallest.
    fn rates(&self) -> Vec<Epsilon> {
        match self.shape() {
            Shape::OneNoise(one) => match one.noise {
                CountNoise::Alike(rate) | CountNoise::Below { small: SmallCounts::Noisy(rate), .. } => {
                    vec![Epsilon::Finite(rate)]
                }
                CountNoise::Below { small: SmallCounts::Silent, .. } => Vec::new(),
                CountNoise::OfCount { curve, at_zero } => vec![Epsilon::Finite(at_zero.clone()).min(curve.epsilon(1))],
            },
            Shape::Ladder(ladder) => ladder.epsilons,
            // What is drawn is never below the curve's first value where no bin is silent.
            Shape::DrawnEpsilon { bound, .. } => vec![bound.left_for_the_count(&bound.curve().epsilon(1))],
            Shape::Walk(_) | Shape::Table { .. } | Shape::Range { .. } => Vec::new(),
        }
    }

    /// Whether `posterior_median` is there for this mechanism.
    pub fn has_median(&self) -> bool {
        self.likelihood().is_some()
    }

    /// Returns the median of the counts from `prior.0` on, up to `prior.1` if given, weighed by how likely each would
    /// have shown this value; all of them are equally likely beforehand.
    ///
    /// Weights below `2^-120` of the largest are left out. Nothing for mechanisms whose likelihood is not a product
    /// along the counts, and where more than four million counts weigh in.
    pub fn posterior_median(&self, value: i64, prior: (u64, Option<u64>)) -> Option<u64> {
        let (from, to) = (prior.0.max(self.least()), prior.1.unwrap_or(u64::MAX));
        if from > to {
            return None;
        }
        let near = |to: u64| u64::try_from(value).unwrap_or(0).clamp(from, to);
        let steps = match self.likelihood()? {
            Likelihood::Sure => return Some(near(to)),
            Likelihood::Along(curve)
                if curve.last_finite().is_some_and(|last| value > i64::try_from(last).unwrap_or(i64::MAX)) =>
            {
                return Some(near(to));
            }
            Likelihood::Along(curve) => Steps::Along(curve.clone()),
            Likelihood::Noise(rate) => Steps::Alike(Fixed::rounding_down(&exp_neg(&rate, Fixed::<4>::BITS))),
        };
        let to = match &steps {
            Steps::Along(curve) => curve.last_finite().map_or(to, |last| to.min(last)),
            Steps::Alike(_) => to,
        };
        if from > to {
            return Some(from);
        }
        let peak = near(to);
        let above = weights(steps.clone(), (peak..to).map(|count| count + 1))?;
        let below = weights(steps, (from..peak).rev().map(|count| count + 1))?;
        let sum = |weights: &[Fixed<4>]| weights.iter().fold(Fixed::<4>::ZERO, |sum, weight| sum.plus(*weight));
        let total = sum(&below).plus(largest()).plus(sum(&above)).to_units();
        let mut so_far = Fixed::<4>::ZERO;
        let first = peak - below.len() as u64;
        let ascending = below.iter().rev().copied().chain([largest()]).chain(above.iter().copied());
        for (count, weight) in (first..).zip(ascending) {
            so_far = so_far.plus(weight);
            if so_far.to_units() * 2u8 >= total {
                return Some(count);
            }
        }
        Some(peak)
    }

    /// How likely each count would have shown a value, up to a factor that does not depend on the count.
    fn likelihood(&self) -> Option<Likelihood<'_>> {
        match self.shape() {
            Shape::Walk(curve) => Some(Likelihood::Along(curve)),
            Shape::OneNoise(one) => match one.noise {
                CountNoise::Alike(rate) => Some(Likelihood::Noise(rate)),
                CountNoise::Below { small: SmallCounts::Silent, .. } => Some(Likelihood::Sure),
                CountNoise::Below { small: SmallCounts::Noisy(_), .. } | CountNoise::OfCount { .. } => None,
            },
            Shape::Ladder(_) | Shape::Table { .. } | Shape::DrawnEpsilon { .. } | Shape::Range { .. } => None,
        }
    }
}

enum Likelihood<'a> {
    /// `e^-|Phi(value) - Phi(k)|`.
    Along(&'a Curve),
    /// `e^-(rate |value - k|)`.
    Noise(Rational),
    /// Only the value itself.
    Sure,
}

/// By which factor the weight falls between a count and the one below it.
#[derive(Clone)]
enum Steps {
    Along(Curve),
    Alike(Fixed<4>),
}

/// The weight of the count nearest to the value.
fn largest() -> Fixed<4> {
    let share = Rational::ONE / Rational::from(1u64 << MOST_WEIGHTS_BITS);
    Fixed::rounding_down(&Enclosure::rational(&share, Fixed::<4>::BITS))
}

/// Returns the weights away from the peak, over the steps to these counts, until they no longer matter.
fn weights(steps: Steps, counts: impl Iterator<Item = u64>) -> Option<Vec<Fixed<4>>> {
    let smallest = largest().to_units() >> NEGLIGIBLE_BITS;
    let mut found = Vec::new();
    let mut weight = largest();
    let mut known: Option<(Epsilon, Fixed<4>)> = None;
    for count in counts {
        let factor = match &steps {
            Steps::Alike(factor) => *factor,
            Steps::Along(curve) => {
                let epsilon = curve.epsilon(count);
                match &known {
                    Some((same, factor)) if same == &epsilon => *factor,
                    Some(_) | None => {
                        let factor = Fixed::rounding_down(&tailored::ratio(curve, count, Fixed::<4>::BITS));
                        known = Some((epsilon, factor));
                        factor
                    }
                }
            }
        };
        weight = weight.times_rounding_down(factor);
        if weight.to_units() <= smallest {
            break;
        }
        if found.len() >> MOST_WEIGHTS_BITS > 0 {
            return None;
        }
        found.push(weight);
    }
    Some(found)
}

/// The variance of discrete Laplace noise, `2q/(1-q)^2`.
fn noise_variance(rate: &Epsilon) -> Enclosure {
    let Some(rate) = rate.finite() else { return Enclosure::zero(BITS) };
    // Slow noise has a large variance: keep as many places as it has digits.
    let bits = 2 * BITS;
    let q = exp_neg(rate, bits);
    let gap = Enclosure::one(bits).minus(&q);
    q.times_integer(2).over(&gap.times(&gap)).with_bits(BITS)
}

/// `g(y) = y + c`, `c = (a_y - a_{y+1})/mu(y)` with `a_j = r_j/(1 - r_j^2)`, and its variance `c^2 + (a_y +
/// a_{y+1})/mu(y)`.
///
/// The law is `mu(y)` times the kernel `e^-|Phi(y) - Phi(k)|`, whose inverse has three diagonals: `1/(1-r_y^2) +
/// r_{y+1}^2/(1-r_{y+1}^2)` in the middle and `-a_y`, `-a_{y+1}` beside it. Applied to `k` it gives `g`, applied to
/// `k^2` a value `h` whose mean is `k^2`; the variance is the mean of `g^2 - h`.
fn tailored_unbiased(curve: &Curve, value: u64) -> Option<Unbiased> {
    let whole = Enclosure::integer(i64::try_from(value).ok()?, BITS);
    if curve.last_finite().is_some_and(|last| value > last) {
        return Some(Unbiased { value: whole, variance: Enclosure::zero(BITS) });
    }
    let bits = 2 * BITS;
    let one = Enclosure::one(bits);
    let (here, above) = (tailored::ratio(curve, value, bits), tailored::ratio(curve, value + 1, bits));
    let term = |r: &Enclosure| r.over(&one.minus(&r.times(r)));
    let weight = tailored::weight(&here, &above);
    let (a, b) = (term(&here), term(&above));
    let correction = a.minus(&b).over(&weight);
    let variance = correction.times(&correction).plus(&a.plus(&b).over(&weight));
    Some(Unbiased { value: whole.plus(&correction.with_bits(BITS)), variance: variance.with_bits(BITS) })
}
