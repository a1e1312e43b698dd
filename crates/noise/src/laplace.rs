//! Discrete Laplace variates, the noise `DL(rate)` of `docs/theory.md`, exactly.
//!
//! It must never reject or double a value: zero has one sign. It is separate from `geometric.rs` because the sign is
//! drawn together with the lowest digit, from one word. Read `testing.rs` and `enumeration.rs` next, for how the law is
//! proved.

use crate::alias::AliasTable;
use crate::bits::Bits;
use crate::coin::bernoulli;
use crate::digit::{DigitLaw, Place, Sign};
use crate::geometric::{Geometric, geometric_untabled};
use crate::rate::{RateError, Shape, check};
use incrowd_exact::{Enclosure, Rational, exp_neg};

/// A discrete Laplace law prepared for many draws: `P[y] = (1-q)/(1+q) q^|y|` on the integers, `q = exp(-rate)`.
///
/// `digit.rs` derives how sign and geometric part give this law, and `alias.rs` why each digit is exact.
pub struct DiscreteLaplace {
    sign_and_lowest: AliasTable,
    rest: Rest,
    base_bits: u32,
}

/// Where the part of a draw above its lowest digit comes from.
enum Rest {
    /// The lowest digit is the top one: its last symbol draws again and adds.
    Restart,
    /// The higher digits are a geometric variate of their own.
    Higher(Geometric),
}

impl DiscreteLaplace {
    /// Returns the law of a rate of at least 1e-15, or says why there is none.
    pub fn new(rate: &Rational) -> Result<Self, RateError> {
        check(rate)?;
        Ok(Self::with_shape(rate, Shape::STANDARD))
    }

    pub(crate) fn with_shape(rate: &Rational, shape: Shape) -> Self {
        let base_bits = shape.base_bits;
        let rates = shape.digit_rates(rate);
        let (place, rest) = match rates.get(1) {
            None => (Place::Top, Rest::Restart),
            Some(higher) => (Place::Lower, Rest::Higher(Geometric::with_shape(higher, shape))),
        };
        let law = DigitLaw { rate: rate.clone(), base_bits, place, sign: Sign::Joint };
        DiscreteLaplace { sign_and_lowest: AliasTable::new(law, shape.word_bits), rest, base_bits }
    }

    /// Returns a draw.
    ///
    /// Values beyond the range of `i64` saturate; at the smallest rate they have probability below `e^-9000`.
    #[inline]
    pub fn draw(&self, bits: &mut impl Bits) -> i64 {
        let (sign, digit) = self.sign_and_digit(bits);
        let magnitude = match &self.rest {
            Rest::Higher(higher) => higher.draw_above(digit, self.base_bits, bits),
            Rest::Restart if digit == self.restart_digit() => self.restart(bits),
            Rest::Restart => digit,
        };
        // The complement of g is -1 - g.
        magnitude ^ -sign
    }

    /// Returns a sign, 0 or 1, and the lowest digit.
    #[inline]
    fn sign_and_digit(&self, bits: &mut impl Bits) -> (i64, i64) {
        let symbol = self.sign_and_lowest.draw(bits) as i64;
        (symbol >> self.base_bits, symbol & self.restart_digit())
    }

    fn restart_digit(&self) -> i64 {
        (1 << self.base_bits) - 1
    }

    /// Returns a geometric draw of which only "at least the last digit" is known. Sign and digit are independent, so
    /// fresh digits come from the same table, and their signs are dropped.
    #[cold]
    #[inline(never)]
    fn restart(&self, bits: &mut dyn Bits) -> i64 {
        let mut bits = bits;
        let mut sum = self.restart_digit();
        loop {
            let (_, digit) = self.sign_and_digit(&mut bits);
            sum = sum.saturating_add(digit);
            if digit != self.restart_digit() {
                return sum;
            }
        }
    }
}

/// Returns one draw of the law of [`DiscreteLaplace`] without building tables, for a rate that is used once.
///
/// The same sign and geometric part, the sign by a coin of probability `q/(1+q)`. Values beyond the range of `i64`
/// saturate.
pub fn laplace_untabled(rate: &Rational, bits: &mut dyn Bits) -> Result<i64, RateError> {
    check(rate)?;
    let negative = bernoulli(|places| sign_probability(rate, places), bits);
    let magnitude = i64::try_from(geometric_untabled(rate, bits)?).unwrap_or(i64::MAX);
    Ok(if negative { !magnitude } else { magnitude })
}

fn sign_probability(rate: &Rational, places: usize) -> Enclosure {
    let q = exp_neg(rate, places);
    q.over(&Enclosure::one(places).plus(&q))
}
