//! Masses of the relay's table, in units of `2^-128`, and the exact `floor(x e^eps)` and `ceil(x e^-eps)` on them.
//!
//! It must never round the wrong way: a product that the enclosure does not decide goes to the slow exact functions of
//! `incrowd-exact`. It is separate because a table multiplies millions of masses and needs a fast way that is still
//! exact. Read `relay/row.rs` next.

use incrowd_exact::{Enclosure, Integer, Natural, Rational, ceil_times_exp_neg, exp_neg, floor_times_exp};

/// A whole number from 0 to `2^128`, both included; sums stop at `2^128`, differences at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mass {
    // Compared first. When true, `part` is zero.
    whole: bool,
    part: u128,
}

impl Mass {
    /// Nothing.
    pub(crate) const ZERO: Mass = Mass { whole: false, part: 0 };
    /// All of it, `2^128`. Written W in `docs/claims.md`.
    pub(crate) const WHOLE: Mass = Mass { whole: true, part: 0 };

    /// Returns so many units.
    pub(crate) fn new(units: u128) -> Mass {
        Mass { whole: false, part: units }
    }

    /// Returns what lies between two places of a cumulative table that ends at `2^128`.
    pub(crate) fn between(start: u128, end: Option<u128>) -> Mass {
        match end {
            Some(end) => Mass::new(end.saturating_sub(start)),
            None => Mass::WHOLE.minus(Mass::new(start)),
        }
    }

    /// Returns the units, or nothing where there are `2^128` of them.
    pub(crate) fn units(self) -> Option<u128> {
        (!self.whole).then_some(self.part)
    }

    /// Returns the sum, at most `2^128`.
    pub(crate) fn plus(self, other: Mass) -> Mass {
        match self.part.checked_add(other.part) {
            Some(part) if !self.whole && !other.whole => Mass::new(part),
            Some(_) | None => Mass::WHOLE,
        }
    }

    /// Returns the difference, at least 0.
    pub(crate) fn minus(self, other: Mass) -> Mass {
        if other == Mass::ZERO {
            self
        } else if self <= other {
            Mass::ZERO
        } else {
            // The whole has part 0, so the subtraction wraps around `2^128` exactly where it must.
            Mass::new(self.part.wrapping_sub(other.part))
        }
    }

    /// Returns the same number without limit.
    pub(crate) fn to_natural(self) -> Natural {
        if self.whole { Natural::ONE << 128 } else { Natural::from(self.part) }
    }

    fn from_natural(value: &Natural) -> Mass {
        u128::try_from(value).map_or(Mass::WHOLE, Mass::new)
    }
}

/// Binary places of the fast factors.
const PLACES: usize = 256;
/// Limbs below the point.
const FRACTION: usize = PLACES / 64;
/// Limbs of the fast factor `e^eps`: three above the point, enough below `e^89 < 2^129`.
const RISE_LIMBS: usize = FRACTION + 3;
/// From here on `e^eps` exceeds `2^128`, since `89 > 128 ln 2 = 88.72...`.
const BEYOND_EVERY_MASS: u64 = 89;
/// Spare binary places of the enclosures.
const GUARD: usize = 64;

/// The factor of one step: how far a mass may rise and must at least stay.
#[derive(Debug, Clone)]
pub(crate) struct Growth {
    epsilon: Rational,
    pace: Pace,
}

#[derive(Debug, Clone)]
enum Pace {
    /// `eps = 0`.
    Still,
    /// Lower bounds of `e^eps` and `e^-eps`, less than `2^32` units of `2^-256` below the truth.
    Fast { rise: [u64; RISE_LIMBS], fall: [u64; FRACTION] },
    /// Every positive mass may rise to the whole and fall to one unit.
    Beyond,
}

impl Growth {
    /// Returns the factor `e^epsilon`, for `epsilon >= 0`.
    pub(crate) fn new(epsilon: &Rational) -> Growth {
        let pace = if epsilon <= &Rational::ZERO {
            Pace::Still
        } else if epsilon >= &Rational::from(BEYOND_EVERY_MASS) {
            Pace::Beyond
        } else {
            // The quotient 1/e^-eps loses twice the bits that e^eps has, less than 3 for each unit of eps.
            let whole = usize::try_from(&epsilon.ceil()).unwrap_or(BEYOND_EVERY_MASS as usize);
            let bits = PLACES + GUARD + 3 * whole;
            let fall = exp_neg(epsilon, bits);
            let rise = Enclosure::one(bits).over(&fall);
            Pace::Fast { rise: limbs_rounding_down(&rise), fall: limbs_rounding_down(&fall) }
        };
        Growth { epsilon: epsilon.clone(), pace }
    }

    /// The exponent.
    pub(crate) fn epsilon(&self) -> &Rational {
        &self.epsilon
    }

    /// Returns `floor(x e^eps)`, at most `2^128`.
    pub(crate) fn rise(&self, mass: Mass) -> Mass {
        match &self.pace {
            Pace::Still => mass,
            Pace::Beyond if mass == Mass::ZERO => Mass::ZERO,
            Pace::Beyond => Mass::WHOLE,
            Pace::Fast { rise, .. } => match mass.units() {
                None => Mass::WHOLE,
                Some(units) => floor_of_product(units, rise)
                    .unwrap_or_else(|| Mass::from_natural(&floor_times_exp(&mass.to_natural(), &self.epsilon))),
            },
        }
    }

    /// Returns `ceil(x e^-eps)`.
    pub(crate) fn fall(&self, mass: Mass) -> Mass {
        if mass == Mass::ZERO {
            return Mass::ZERO;
        }
        match &self.pace {
            Pace::Still => mass,
            Pace::Beyond => Mass::new(1),
            // A positive multiple of e^-eps is irrational, so its ceiling is one above its floor.
            Pace::Fast { fall, .. } => mass
                .units()
                .and_then(|units| floor_of_product(units, fall))
                .map(|floor| floor.plus(Mass::new(1)))
                .unwrap_or_else(|| Mass::from_natural(&ceil_times_exp_neg(&mass.to_natural(), &self.epsilon))),
        }
    }
}

/// Returns the largest multiple of `2^-256` that is not above the enclosed number, as limbs from the lowest on.
///
/// The enclosures above are a few units of `2^-320` wide at most, so the truth is within two units of `2^-256`. That is
/// asserted, since `floor_of_product` rests on it.
fn limbs_rounding_down<const N: usize>(value: &Enclosure) -> [u64; N] {
    let coarse = value.with_bits(PLACES);
    assert!(coarse.high_units() - coarse.low_units() < Integer::from(1u64 << 32), "the enclosure is narrow");
    let bytes = coarse.low_units().clone().into_parts().1.to_le_bytes();
    let mut limbs = [0u64; N];
    for (index, byte) in bytes.iter().enumerate() {
        limbs[index / 8] |= u64::from(*byte) << (8 * (index % 8));
    }
    limbs
}

/// Returns `floor(units * f)`, at most `2^128`, for the number `f` that the limbs bound from below; nothing where they
/// do not decide it.
///
/// The truth exceeds the product of the limbs by less than `2^128 * 2^32 * 2^-256 = 2^-96`. So unless the 64 places
/// below the point are all ones, both have the same floor.
fn floor_of_product<const N: usize>(units: u128, factor: &[u64; N]) -> Option<Mass> {
    let mut product = [0u64; RISE_LIMBS + 2];
    for (shift, digit) in [units as u64, (units >> 64) as u64].into_iter().enumerate() {
        let mut carry = 0u64;
        for (index, limb) in factor.iter().enumerate() {
            let wide = u128::from(digit) * u128::from(*limb) + u128::from(product[index + shift]) + u128::from(carry);
            product[index + shift] = wide as u64;
            carry = (wide >> 64) as u64;
        }
        product[N + shift] = carry;
    }
    if product[FRACTION + 2..].iter().any(|limb| *limb != 0) {
        return Some(Mass::WHOLE);
    }
    if product[FRACTION - 1] == u64::MAX {
        return None;
    }
    Some(Mass::new(u128::from(product[FRACTION]) | u128::from(product[FRACTION + 1]) << 64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn assert_exact(units: u128, epsilon: &Rational) {
        let (growth, mass) = (Growth::new(epsilon), Mass::new(units));
        let natural = Natural::from(units);
        assert_eq!(growth.rise(mass), Mass::from_natural(&floor_times_exp(&natural, epsilon)), "{units} {epsilon}");
        assert_eq!(growth.fall(mass), Mass::from_natural(&ceil_times_exp_neg(&natural, epsilon)), "{units} {epsilon}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_fast_products_are_the_exact_ones(units in any::<u128>(), shift in 0u32..128, above in 0u32..95_000, below in 1u32..1000) {
            let epsilon = Rational::from(above) / Rational::from(below * 1000);
            assert_exact(units >> shift, &epsilon);
            assert_exact(units >> shift, &Rational::from(above / 1000));
        }
    }

    #[test]
    fn the_largest_masses_and_factors_are_exact_too() {
        for epsilon in ["0", "1e-40", "1/1000", "1", "63", "88", "88.7", "88.73", "88.99", "89", "1000"] {
            let epsilon = incrowd_exact::parse_number(epsilon).expect("a number");
            for units in [0, 1, 2, u128::MAX / 3, u128::MAX - 1, u128::MAX] {
                assert_exact(units, &epsilon);
            }
            let growth = Growth::new(&epsilon);
            let whole = Mass::WHOLE.to_natural();
            assert_eq!(growth.rise(Mass::WHOLE), Mass::WHOLE);
            assert_eq!(growth.fall(Mass::WHOLE), Mass::from_natural(&ceil_times_exp_neg(&whole, &epsilon)));
        }
    }

    #[test]
    fn the_whole_is_one_more_than_the_largest_part() {
        let largest = Mass::new(u128::MAX);
        assert_eq!(largest.plus(Mass::new(1)), Mass::WHOLE);
        assert_eq!(Mass::WHOLE.minus(largest), Mass::new(1));
        assert_eq!(Mass::WHOLE.minus(Mass::WHOLE), Mass::ZERO);
        assert_eq!(Mass::WHOLE.minus(Mass::ZERO), Mass::WHOLE);
        assert_eq!(Mass::between(0, None), Mass::WHOLE);
        assert!(largest < Mass::WHOLE && Mass::WHOLE.units().is_none());
    }
}
