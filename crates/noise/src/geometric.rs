//! Geometric variates with `P[G >= m] = exp(-rate m)`, exactly.
//!
//! It must never approximate a rate. It is separate from `laplace.rs` because one-sided noise is used by itself, in the
//! runs of the tailored mechanism and in gaps between sparse bins. Read `laplace.rs` next.

use crate::alias::AliasTable;
use crate::bits::Bits;
use crate::coin::{bernoulli_exp_neg, uniform_below_natural};
use crate::digit::{DigitLaw, Place, Sign};
use crate::rate::{RateError, Shape, check};
use incrowd_exact::{Integer, Natural, Rational};

/// A geometric law prepared for many draws: `P[G >= m] = exp(-rate m)` for `m = 0, 1, 2, ...`.
///
/// One table look-up per base-256 digit: one at rate 1, two at 1/100, three at 1e-5. `digit.rs` derives why the digits
/// are independent, `alias.rs` why each is exact; `enumeration.rs` counts all tapes and compares with this law.
pub struct Geometric {
    lower: Box<[AliasTable]>,
    top: AliasTable,
    base_bits: u32,
}

impl Geometric {
    /// Returns the law of a rate of at least 1e-15, or says why there is none.
    pub fn new(rate: &Rational) -> Result<Self, RateError> {
        check(rate)?;
        Ok(Self::with_shape(rate, Shape::STANDARD))
    }

    pub(crate) fn with_shape(rate: &Rational, shape: Shape) -> Self {
        let base_bits = shape.base_bits;
        let mut rates = shape.digit_rates(rate);
        let top_rate = rates.pop().unwrap_or_else(|| rate.clone());
        let table =
            |rate, place| AliasTable::new(DigitLaw { rate, base_bits, place, sign: Sign::Apart }, shape.word_bits);
        let lower = rates.into_iter().map(|rate| table(rate, Place::Lower)).collect();
        Geometric { lower, top: table(top_rate, Place::Top), base_bits }
    }

    /// Returns a draw, at least zero.
    ///
    /// Values beyond `i64::MAX` saturate; at the smallest rate they have probability below `e^-9000`.
    #[inline]
    pub fn draw(&self, bits: &mut impl Bits) -> i64 {
        self.draw_above(0, 0, bits)
    }

    /// Returns a draw times `2^shift`, plus a value below `2^shift` that was drawn before.
    #[inline]
    pub(crate) fn draw_above(&self, mut value: i64, mut shift: u32, bits: &mut impl Bits) -> i64 {
        for table in &self.lower {
            value |= (table.draw(bits) as i64) << shift;
            shift += self.base_bits;
        }
        let top = self.top.draw(bits) as i64;
        if top == self.restart_digit() {
            return self.restart(bits).saturating_mul(1 << shift).saturating_add(value);
        }
        // Without a restart nothing can overflow: rates from 1e-15 on have at most seven digits.
        value | top << shift
    }

    fn restart_digit(&self) -> i64 {
        (1 << self.base_bits) - 1
    }

    /// Returns the top part of a draw of which only "at least the last digit" is known: the last digit, and a fresh
    /// draw.
    #[cold]
    #[inline(never)]
    fn restart(&self, bits: &mut dyn Bits) -> i64 {
        let mut bits = bits;
        let mut sum = self.restart_digit();
        loop {
            let digit = self.top.draw(&mut bits) as i64;
            sum = sum.saturating_add(digit);
            if digit != self.restart_digit() {
                return sum;
            }
        }
    }
}

/// Returns one draw of the law of [`Geometric`] without building tables, for a rate that is used once.
///
/// Canonne, Kamath, Steinke (2020), Algorithm 2: with `rate = s/t`, `X = U + t V` is geometric with rate `1/t` if `U`
/// is uniform below `t`, kept with probability `e^(-U/t)`, and `V` counts coins of probability `1/e`; and `floor(X/s)`
/// has rate `s/t`. Values beyond `u64::MAX` saturate.
pub fn geometric_untabled(rate: &Rational, bits: &mut dyn Bits) -> Result<u64, RateError> {
    check(rate)?;
    let steps = rate.denominator();
    let within = loop {
        let candidate = uniform_below_natural(steps, bits);
        if bernoulli_exp_neg(&Rational::from_parts(Integer::from(candidate.clone()), steps.clone()), bits) {
            break candidate;
        }
    };
    let mut whole = Natural::ZERO;
    while bernoulli_exp_neg(&Rational::ONE, bits) {
        whole += Natural::ONE;
    }
    let (_, stride) = rate.numerator().clone().into_parts();
    Ok(u64::try_from((whole * steps + within) / stride).unwrap_or(u64::MAX))
}
