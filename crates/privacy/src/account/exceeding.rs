//! How often a loss exceeds a level: the chance that somebody rightly becomes surer than a percentage, from even odds.
//!
//! With `P` and `Q` the laws at two neighbouring counts, whoever starts from even odds holds `P` for more than `odds`
//! times as likely as `Q` just where `P(y) > odds Q(y)`; the chance of that under `P` is summed from the law that runs,
//! in both directions, and never below the truth. It is not delta, which may be far smaller: delta is an excess.
//! Nothing here may use that a coarser result tells less: merging outcomes can make this chance larger. It is separate
//! from `account.rs` because a chance decides nothing that is charged. Read `account/exceeding/counts.rs` for which
//! counts are looked at.

mod counts;

pub use counts::LargestChance;

use crate::account::drawn_epsilon;
use crate::account::{Tightness, is_tight};
use crate::cells::{Cells, Mass, TooManyOutcomes};
use crate::curve::Epsilon;
use crate::law::distribution::Distribution;
use crate::mechanism::program::SideValue;
use crate::mechanism::shape::{OneNoise, Shape, Single};
use crate::mechanism::{Deployed, SideOutput, Universe, tailored};
use crate::precision::bits_for;
use crate::two_sided::{chance_above, chance_where_positive};
use incrowd_exact::{Enclosure, Fixed, Integer, Rational, exp_neg};
use std::collections::BTreeSet;

/// Binary places of closed forms.
const BITS: usize = 256;

/// The chance that a loss exceeds a level, and what is known of it.
#[derive(Debug, Clone)]
pub struct Chance {
    /// The true chance lies in here, or below it where it is only an upper bound.
    pub enclosure: Enclosure,
    /// Which of the two.
    pub tightness: Tightness,
}

impl Chance {
    /// Returns the chance to report: not below the truth.
    pub fn upper_bound(&self) -> Rational {
        self.enclosure.upper()
    }

    pub(crate) fn none() -> Self {
        Chance { enclosure: Enclosure::zero(BITS), tightness: Tightness::Exact }
    }

    /// Returns the chance between these bounds, which tell whether it is exact.
    pub(crate) fn within(enclosure: Enclosure) -> Self {
        let one = Enclosure::one(enclosure.bits()).high_units().clone();
        let within = |units: &Integer| units.clone().clamp(Integer::ZERO, one.clone());
        let (low, high) = (within(enclosure.low_units()), within(enclosure.high_units()));
        let enclosure = Enclosure::between(low, high, enclosure.bits());
        let tiny = Rational::ONE / Rational::from(Integer::from(10u8).pow(30));
        let exact = is_tight(&enclosure) || enclosure.upper() < tiny;
        Chance { enclosure, tightness: if exact { Tightness::Exact } else { Tightness::UpperBound } }
    }

    /// Returns the larger of two.
    pub(crate) fn max(self, other: Chance) -> Chance {
        let bits = self.enclosure.bits().max(other.enclosure.bits());
        Chance::within(self.enclosure.with_bits(bits).max(&other.enclosure.with_bits(bits)))
    }
}

impl Deployed {
    /// Returns the chance that the loss between `count` and `count - 1` people exceeds `ln odds`, the larger of both
    /// directions; `odds` are at least one.
    pub fn exceeding_at(&self, count: u64, odds: &Rational) -> Result<Chance, TooManyOutcomes> {
        let first_step = self.universe == Universe::Open && count == 1;
        match self.shape() {
            Shape::Walk(curve) => match (first_step, self.publish_from) {
                // Claim 1: the ratio of neighbours is e^eps(k) or its inverse; so is that of outcomes taken together.
                (false, _) if is_within(&curve.epsilon(count), odds) => Ok(Chance::none()),
                (true, Some(from)) if from > 0 && curve.last_zero().is_some() => {
                    let above = curve.last_zero().filter(|last| *last > 0).map_or(0, |last| last + 1);
                    let first = u64::try_from(from).unwrap_or(0).max(above);
                    Ok(first_person(&tailored::at_least(curve, first, 1, BITS), odds))
                }
                (true, _) if curve.last_zero().is_none() => Ok(Chance::none()),
                (_, _) => self.summed_exceeding(count, odds),
            },
            Shape::Range { rate, half_width } if !first_step => Ok(range(rate, half_width, odds)),
            // All that follows the first noise has ratios between those of what it follows from.
            Shape::Ladder(ladder) if !first_step && is_within(&ladder.epsilons[0], odds) => Ok(Chance::none()),
            Shape::Table { table, .. } => {
                let units = Integer::from(table.step_exceeding(count, odds, self.publish_from));
                Ok(Chance::within(Enclosure::between(units.clone(), units, 128)))
            }
            Shape::DrawnEpsilon { bound, .. } if !first_step && drawn_epsilon::is_pure(bound, count, odds) => {
                Ok(Chance::none())
            }
            Shape::DrawnEpsilon { bound, side_output: SideOutput::Published }
                if !first_step && self.publish_from.is_none() =>
            {
                drawn_epsilon::exceeding(bound, count, odds).map(Chance::within)
            }
            Shape::Ladder(_) | Shape::Range { .. } | Shape::DrawnEpsilon { .. } => self.summed_exceeding(count, odds),
            Shape::OneNoise(one) => {
                let (forward, reverse) = self.single_exceeding(&one, count, odds);
                Ok(Chance::within(forward.max(&reverse)))
            }
        }
    }

    /// Returns both directions for a mechanism that adds noise at most once: with her, and without her.
    fn single_exceeding(&self, one: &OneNoise<'_>, count: u64, odds: &Rational) -> (Enclosure, Enclosure) {
        let first_step = self.universe == Universe::Open && count == 1;
        let here = one.law(count);
        let before = if first_step { Single::Suppressed } else { one.law(count - 1) };
        if let (Single::Number(here), Single::Number(before)) = (&here, &before)
            && here.rate == before.rate
            && is_within(&here.rate, odds)
        {
            return (Enclosure::zero(BITS), Enclosure::zero(BITS));
        }
        let factor = Enclosure::rational(odds, BITS);
        let cut = self.cut_of(one);
        (single(&here, &before, &factor, cut), single(&before, &here, &factor, cut))
    }

    /// Returns the same by summing over the cells of both laws, with more places and wider windows until it is tight.
    ///
    /// This works for every mechanism; tests compare it with the closed forms above.
    pub fn summed_exceeding(&self, count: u64, odds: &Rational) -> Result<Chance, TooManyOutcomes> {
        for tail_bits in [64, 100] {
            let chance = Chance::within(self.summed_chance::<2>(count, odds, tail_bits)?);
            if is_tight(&chance.enclosure) {
                return Ok(chance);
            }
        }
        Ok(Chance::within(self.summed_chance::<4>(count, odds, 180)?))
    }

    fn summed_chance<const N: usize>(
        &self,
        count: u64,
        odds: &Rational,
        tail_bits: usize,
    ) -> Result<Enclosure, TooManyOutcomes> {
        let (here, before) = self.with_and_without::<N>(count, tail_bits)?;
        Ok(either_way(&here, &before, odds))
    }
}

/// Whether `e^epsilon` is surely not above the odds.
pub(crate) fn is_within(epsilon: &Epsilon, odds: &Rational) -> bool {
    let Epsilon::Finite(epsilon) = epsilon else { return false };
    let bits = bits_for(epsilon);
    exp_neg(epsilon, bits).times(&Enclosure::rational(odds, bits)).lower() >= Rational::ONE
}

/// Returns the chance for the first person of a bin that is found in the data, who makes it show with chance `shown`.
///
/// What shows is never seen of an absent bin. Silence is less likely with her; without her it is sure, and tells too
/// much where it is unlikely with her.
fn first_person(shown: &Enclosure, odds: &Rational) -> Chance {
    let one = Enclosure::one(shown.bits());
    let silent = one.minus(shown).times(&Enclosure::rational(odds, shown.bits()));
    Chance::within(shown.max(&chance_where_positive(&one.minus(&silent), &one)))
}

/// The chance under `p` of all that shows with more than `factor` times the chance under `q`.
fn single(p: &Single, q: &Single, factor: &Enclosure, cut: Option<i64>) -> Enclosure {
    let bits = factor.bits();
    let one = Enclosure::one(bits);
    let shown = |law: &Single| match law {
        Single::Suppressed => Enclosure::zero(bits),
        Single::Number(number) => number.between(cut, None, bits),
    };
    let published = match (p, q) {
        (Single::Suppressed, _) => Enclosure::zero(bits),
        (Single::Number(_), Single::Suppressed) => shown(p),
        (Single::Number(p), Single::Number(q)) => chance_above(p, q, factor, cut),
    };
    let hidden = match (p, q, cut) {
        (Single::Number(_), _, None) => Enclosure::zero(bits),
        (_, _, _) => {
            let own = one.minus(&shown(p));
            chance_where_positive(&own.minus(&factor.times(&one.minus(&shown(q)))), &own)
        }
    };
    published.plus(&hidden)
}

/// `p q^L`, and `p (1 + q + ... + q^(L-1))` more where the noise's own ratio is above the odds; see `range_delta`.
fn range(rate: &Rational, half_width: u64, odds: &Rational) -> Chance {
    let one = Enclosure::one(BITS);
    let q = exp_neg(rate, BITS);
    let far = q.power(half_width);
    let scale = one.plus(&q);
    let end = one.minus(&q).times(&far).over(&scale);
    let near = one.minus(&far).over(&scale);
    let ratio = one.minus(&q.times(&Enclosure::rational(odds, BITS)));
    Chance::within(end.plus(&chance_where_positive(&ratio, &near)))
}

/// Returns the larger of both directions.
pub(crate) fn either_way<const N: usize>(
    here: &Distribution<N>,
    before: &Distribution<N>,
    odds: &Rational,
) -> Enclosure {
    let inverse = Enclosure::rational(&(Rational::ONE / odds), Fixed::<N>::BITS);
    let inverse = (Fixed::rounding_down(&inverse), Fixed::rounding_up(&inverse));
    let (forward, reverse) = (chance_of_more(here, before, inverse), chance_of_more(before, here, inverse));
    let units = |fixed: Fixed<N>| Integer::from(fixed.to_units());
    let low = units(forward.0.max(reverse.0));
    Enclosure::between(low.clone(), units(forward.1.max(reverse.1)).max(low), Fixed::<N>::BITS)
}

/// Returns bounds of `sum of P(y) over all y with P(y)/odds > Q(y)`, for `1/odds` between `down` and `up`.
///
/// Upwards a cell counts wherever it may, and all that was lost of P; downwards only where nothing that was lost of Q
/// could make up for it.
pub(crate) fn chance_of_more<const N: usize>(
    p: &Distribution<N>,
    q: &Distribution<N>,
    (down, up): (Fixed<N>, Fixed<N>),
) -> (Fixed<N>, Fixed<N>) {
    // At odds of one nothing is rounded, so that equal chances are seen to be equal.
    let unit = if up == Fixed::one() { Fixed::ZERO } else { Fixed::units(1) };
    let lost = q.lost;
    let mut low = Fixed::<N>::ZERO;
    let mut high = p.lost;
    let mut add = |p: Mass<N>, q: Mass<N>| {
        if up.times_rounding_down(p.high()).plus(unit) > q.low {
            high = high.plus(p.high());
        }
        if down.times_rounding_down(p.low) > q.high().plus(lost) {
            low = low.plus(p.low);
        }
    };
    let none = Mass { low: Fixed::ZERO, error: 0 };
    for (key, mass) in &p.others {
        add(*mass, q.others.get(key).copied().unwrap_or(none));
    }
    let empty = Cells::EMPTY;
    let side_values: BTreeSet<&SideValue> = p.values.keys().collect();
    for side_value in side_values {
        let (p, q) = (&p.values[side_value], q.values.get(side_value).unwrap_or(&empty));
        for value in p.start..p.start + p.low.len() as i64 {
            add(p.at(value), q.at(value));
        }
    }
    (low.min(high), high)
}
