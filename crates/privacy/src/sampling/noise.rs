//! One noise on a random count, with both tails of the result summed in closed form.
//!
//! Below the smallest and above the largest count that matters the noisy law is geometric, whatever the counts' chances
//! are: two such laws have one ratio there, so that all these values may be one outcome without any delta being lost. A
//! window that does not hold every count must never be used. It is separate from `cells.rs` because there a tail is
//! cut. Read `mixture.rs` for its only use.

use crate::cells::Cells;
use incrowd_exact::{Enclosure, Fixed, Rational, exp_neg};

/// Discrete Laplace noise of one rate, ready for many laws of the count.
pub(super) struct Noise<const N: usize> {
    /// `q = e^-rate`.
    decay: Fixed<N>,
    /// `(1-q)/(1+q)`.
    scale: Fixed<N>,
    /// `1/(1+q)`.
    side: Fixed<N>,
    /// At least `2/(1-q)`.
    fading: u64,
}

impl<const N: usize> Noise<N> {
    /// Returns the noise; nothing where it reaches so far that errors could not be bounded.
    pub(super) fn of(rate: &Rational) -> Option<Self> {
        let bits = Fixed::<N>::BITS + 32;
        let (decay, one) = (exp_neg(rate, bits), Enclosure::one(bits));
        let fading = u64::try_from(&one.over(&one.minus(&decay)).times_integer(2).upper().ceil()).ok()?;
        Some(Noise {
            scale: Fixed::rounding_down(&one.minus(&decay).over(&one.plus(&decay))),
            side: Fixed::rounding_down(&one.over(&one.plus(&decay))),
            decay: Fixed::rounding_down(&decay),
            fading: (fading < 1 << 24).then_some(fading)?,
        })
    }

    /// Returns the law of count plus noise on `first - 1 ..= last`, where the ends stand for all values beyond, too.
    ///
    /// All counts lie in `first..last`. With `f_i = x_i + q f_{i-1}` and `g_i = x_i + q g_{i+1}` a cell is `(1-q)/(1+q)
    /// (f_i + q g_{i+1})`, the upper end `f_last/(1+q)` and the lower end `q g_first/(1+q)`. The errors of `f` and `g`
    /// are at most `(e + 2)/(1-q)` units each, those of the results below `2 (e + 2)/(1-q) + 6`.
    pub(super) fn around(&self, counts: &Cells<N>, first: i64, last: i64) -> Cells<N> {
        assert!(counts.low.is_empty() || (first <= counts.start && counts.end() <= last), "a window holds every count");
        let length = (last - first) as usize;
        // From `first - 1` to `last`: index 0 is the lower end.
        let mut low = vec![Fixed::ZERO; length + 2];
        if !counts.low.is_empty() {
            let offset = (counts.start - first + 1) as usize;
            low[offset..offset + counts.low.len()].copy_from_slice(&counts.low);
        }
        let mut behind = vec![Fixed::ZERO; length + 2];
        let mut carried = Fixed::ZERO;
        for index in (0..length + 2).rev() {
            behind[index] = carried;
            carried = self.decay.times_rounding_down(low[index].plus(carried));
        }
        let mut ahead = Fixed::ZERO;
        for (cell, behind) in low.iter_mut().zip(&behind) {
            ahead = cell.plus(self.decay.times_rounding_down(ahead));
            *cell = self.scale.times_rounding_down(ahead.plus(*behind));
        }
        low[0] = self.side.times_rounding_down(behind[0]);
        low[length + 1] = self.side.times_rounding_down(ahead);
        let error = counts.error.saturating_add(2).saturating_mul(self.fading).saturating_add(6);
        Cells { start: first - 1, low, error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::parse_number;

    #[test]
    fn every_value_and_both_tails_are_those_of_the_long_sum() {
        let rate = parse_number("0.2").expect("a number");
        let noise = Noise::<2>::of(&rate).expect("noise");
        let half = Fixed::rounding_down(&Enclosure::rational(&parse_number("1/2").expect("a number"), 128));
        let counts = Cells { start: 3, low: vec![half, Fixed::ZERO, half], error: 0 };
        let near = noise.around(&counts, 2, 9);
        let mut lost = Fixed::ZERO;
        let long = counts.with_noise(&rate, 110, &mut lost).expect("a law");
        let sum = |from: i64, to: i64| (from..=to).map(|value| long.at(value).low.to_f64()).sum::<f64>();
        for value in 2..9 {
            assert!((near.at(value).low.to_f64() - sum(value, value)).abs() < 1e-15, "{value}");
        }
        assert!((near.at(1).low.to_f64() - sum(-1000, 1)).abs() < 1e-14);
        assert!((near.at(9).low.to_f64() - sum(9, 1000)).abs() < 1e-14);
    }
}
