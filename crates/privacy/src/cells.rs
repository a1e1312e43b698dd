//! Arrays of probabilities: fixed-point cells, rounded down, with one error bound for all.
//!
//! Every true probability lies between a cell and the cell plus `error` units; nothing may be cut off without being
//! told. It is separate from `law/distribution.rs` because convolving and reading a program are different things. Read
//! `law/distribution.rs` next.

pub mod work;

use incrowd_exact::{Enclosure, Fixed, Integer, Rational, exp_neg};
use std::fmt;

/// The most cells that one distribution may have.
pub const MAX_CELLS: usize = 1 << 23;

/// A law has more outcomes than incrowd lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooManyOutcomes;

impl fmt::Display for TooManyOutcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this law has more than {MAX_CELLS} outcomes that matter; a larger epsilon has fewer")
    }
}

impl std::error::Error for TooManyOutcomes {}

/// A sum of cells: the true value lies in `low ..= low + error`.
#[derive(Debug, Clone, Copy)]
pub struct Mass<const N: usize> {
    /// Rounded down.
    pub low: Fixed<N>,
    /// In units of the last place.
    pub error: u64,
}

impl<const N: usize> Mass<N> {
    pub(crate) const NONE: Self = Mass { low: Fixed::ZERO, error: 0 };

    pub(crate) fn add(&mut self, other: Mass<N>) {
        self.low = self.low.plus(other.low);
        self.error = self.error.saturating_add(other.error);
    }

    /// Returns a number that is not below the true value.
    pub fn high(self) -> Fixed<N> {
        self.low.plus(Fixed::units(self.error))
    }
}

/// Probabilities of `start, start + 1, ...`.
#[derive(Debug, Clone)]
pub struct Cells<const N: usize> {
    /// The value of the first cell.
    pub start: i64,
    /// Rounded down.
    pub low: Vec<Fixed<N>>,
    /// Every cell's error, in units of the last place.
    pub error: u64,
}

impl<const N: usize> Cells<N> {
    /// Nothing.
    pub const EMPTY: Self = Cells { start: 0, low: Vec::new(), error: 0 };

    /// Returns what is surely one value.
    pub fn sure(value: i64) -> Self {
        Cells { start: value, low: vec![Fixed::one()], error: 0 }
    }

    pub(crate) fn end(&self) -> i64 {
        self.start + self.low.len() as i64
    }

    /// Returns what is known of one value's probability.
    pub fn at(&self, value: i64) -> Mass<N> {
        match usize::try_from(value - self.start).ok().and_then(|index| self.low.get(index)) {
            Some(low) => Mass { low: *low, error: self.error },
            None => Mass::NONE,
        }
    }

    /// Returns the whole mass.
    pub fn total(&self) -> Mass<N> {
        let low = self.low.iter().fold(Fixed::ZERO, |sum, cell| sum.plus(*cell));
        Mass { low, error: self.error.saturating_mul(self.low.len() as u64) }
    }

    /// Returns the sum of many.
    pub(crate) fn sum(parts: Vec<Cells<N>>) -> Result<Self, TooManyOutcomes> {
        let start = parts.iter().map(|part| part.start).min().unwrap_or(0);
        let end = parts.iter().map(Cells::end).max().unwrap_or(0);
        let length = usize::try_from(end - start).unwrap_or(usize::MAX);
        if length > MAX_CELLS {
            return Err(TooManyOutcomes);
        }
        let mut sum = Cells { start, low: vec![Fixed::ZERO; length], error: 0 };
        for part in parts {
            let offset = (part.start - start) as usize;
            for (cell, more) in sum.low[offset..].iter_mut().zip(&part.low) {
                *cell = cell.plus(*more);
            }
            sum.error = sum.error.saturating_add(part.error);
        }
        Ok(sum)
    }

    /// Splits off the cells with values up to and including `limit`.
    pub(crate) fn split_at_most(mut self, limit: i64) -> (Self, Self) {
        let cut = usize::try_from(limit.saturating_add(1).saturating_sub(self.start)).unwrap_or(0).min(self.low.len());
        let above = Cells { start: self.start + cut as i64, low: self.low.split_off(cut), error: self.error };
        (self, above)
    }

    pub(crate) fn add(&mut self, other: Cells<N>) -> Result<(), TooManyOutcomes> {
        if other.low.is_empty() {
            return Ok(());
        }
        if self.low.is_empty() {
            *self = other;
            return Ok(());
        }
        let (start, end) = (self.start.min(other.start), self.end().max(other.end()));
        let length = usize::try_from(end - start).unwrap_or(usize::MAX);
        if length > MAX_CELLS {
            return Err(TooManyOutcomes);
        }
        let mut low = vec![Fixed::ZERO; length];
        for part in [&*self, &other] {
            let offset = (part.start - start) as usize;
            for (cell, more) in low[offset..].iter_mut().zip(&part.low) {
                *cell = cell.plus(*more);
            }
        }
        *self = Cells { start, low, error: self.error.saturating_add(other.error) };
        Ok(())
    }

    /// Adds discrete Laplace noise, cut where its tail is below `2^-tail_bits`; what is cut off is added to `lost`.
    ///
    /// With `f_i = x_i + q f_{i-1}` and `b_i = x_i + q b_{i+1}` the result is `c (f_i + q b_{i+1})`, `c = (1-q)/(1+q)`:
    /// all sums of non-negative terms, so rounding each step down keeps a lower bound. The error of `f` and `b` is at
    /// most `(e + 2)/(1 - q)` units, that of the result at most `2 (e + 2)/(1 + q) + 6 <= 2 e + 10`.
    pub fn with_noise(&self, rate: &Rational, tail_bits: usize, lost: &mut Fixed<N>) -> Result<Self, TooManyOutcomes> {
        if self.low.is_empty() {
            return Ok(self.clone());
        }
        let reach = reach(rate, tail_bits).ok_or(TooManyOutcomes)?;
        let length = self.low.len() + 2 * reach;
        if length > MAX_CELLS || !self::work::spend(length) {
            return Err(TooManyOutcomes);
        }
        let bits = Fixed::<N>::BITS + 32;
        let decay = exp_neg(rate, bits);
        let one = Enclosure::one(bits);
        let scale = Fixed::rounding_down(&one.minus(&decay).over(&one.plus(&decay)));
        // Two tails beyond the reach, each at most q^(reach + 1)/(1 + q).
        let tail = decay.power(reach as u64 + 1).over(&one.plus(&decay)).times_integer(2);
        *lost = lost.plus(Fixed::rounding_up(&tail));
        let decay = Fixed::rounding_down(&decay);
        let mut low = vec![Fixed::ZERO; length];
        low[reach..reach + self.low.len()].copy_from_slice(&self.low);
        // Backward pass into its own list (q b_{i+1}), then forward pass in place.
        let mut behind = vec![Fixed::ZERO; length];
        let mut carried = Fixed::ZERO;
        for index in (0..length).rev() {
            behind[index] = carried;
            carried = decay.times_rounding_down(low[index].plus(carried));
        }
        let mut ahead = Fixed::ZERO;
        for (cell, behind) in low.iter_mut().zip(&behind) {
            ahead = cell.plus(decay.times_rounding_down(ahead));
            *cell = scale.times_rounding_down(ahead.plus(*behind));
        }
        let error = self.error.saturating_mul(2).saturating_add(10);
        Ok(Cells { start: self.start - reach as i64, low, error })
    }
}

/// Returns how far noise of a rate reaches before its tail is below `2^-tail_bits`.
pub(crate) fn reach(rate: &Rational, tail_bits: usize) -> Option<usize> {
    // 0.6932 > ln 2, so e^(-rate * reach) <= 2^-tail_bits.
    let needed = Rational::from_parts(Integer::from(6932 * tail_bits as u64), 10_000u32.into()) / rate;
    usize::try_from(&needed.ceil()).ok().filter(|reach| *reach <= MAX_CELLS / 2)
}
