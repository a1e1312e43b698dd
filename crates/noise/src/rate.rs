//! Which rates can be drawn with, and how a rate is cut into digits.
//!
//! A rate is an exact rational; it must never pass through a float. It is separate because tables, digits and untabled
//! draws share its limits. Read `digit.rs` next, for the law of one digit.

use incrowd_exact::Rational;
use std::fmt;

/// Why no noise can be drawn at a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateError {
    /// Zero or negative: there is no such law.
    NotPositive,
    /// Below 1e-15: draws would come near the ends of 64-bit integers.
    TooSmall,
}

impl fmt::Display for RateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RateError::NotPositive => "a noise rate must be positive",
            RateError::TooSmall => "a noise rate may not be below 1e-15",
        })
    }
}

impl std::error::Error for RateError {}

/// Accepts a rate that is at least 1e-15. There is no largest rate: far up, draws are almost surely zero.
pub(crate) fn check(rate: &Rational) -> Result<(), RateError> {
    // Rationals are totally ordered: there is no NaN that could slip between the cases.
    if rate <= &Rational::ZERO {
        Err(RateError::NotPositive)
    } else if rate * Rational::from(1_000_000_000_000_000u64) < Rational::ONE {
        Err(RateError::TooSmall)
    } else {
        Ok(())
    }
}

/// How draws are cut into digits and words. Draws have the same law in every shape; tests use small ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// How many bits of each random word are used.
    pub(crate) word_bits: u32,
    /// The binary logarithm of the base of the digits.
    pub(crate) base_bits: u32,
    /// There are so many digits that `rate * base^digits` is at least this: a restart has probability about `e^-tail`.
    pub(crate) tail: u32,
}

impl Shape {
    /// Base 256, words of 64 bits, and a restart about once in 10^19 draws.
    pub(crate) const STANDARD: Shape = Shape { word_bits: 64, base_bits: 8, tail: 45 };

    pub(crate) fn base(&self) -> u64 {
        1 << self.base_bits
    }

    /// Returns the rates of the digits from the lowest to the top one: each is `base` times the one before.
    pub(crate) fn digit_rates(&self, rate: &Rational) -> Vec<Rational> {
        let base = Rational::from(self.base());
        let enough = Rational::from(self.tail);
        let mut rates = vec![rate.clone()];
        let mut next = rate * &base;
        while next < enough {
            rates.push(next.clone());
            next *= &base;
        }
        rates
    }
}
