//! The tailored geometric law when the count itself is random: one pass up and one pass down.
//!
//! `sum_k v(k) mu(y) e^-|Phi(y) - Phi(k)|` is `mu(y) (f(y) + g(y))` with `f(y) = v(y) + r_y f(y-1)` and `g(y) = r_{y+1}
//! (v(y+1) + g(y+1))`: sums of non-negative terms, so that rounding down keeps a lower bound. It is separate from
//! `mechanism/tailored.rs`, which starts from one count. Read `direct.rs` next.

use crate::cells::{Cells, MAX_CELLS, Mass, TooManyOutcomes};
use crate::curve::{Curve, Epsilon};
use crate::mechanism::tailored::{ratio, weight};
use incrowd_exact::{Enclosure, Fixed, Integer};

/// A curve's ratios `r_y` and weights `mu(y)`, as far as they were asked for.
pub(super) struct Walk<const N: usize> {
    curve: Curve,
    ratios: Vec<Fixed<N>>,
    weights: Vec<Fixed<N>>,
}

/// What is shown when the count is random.
pub(super) struct Walked<const N: usize> {
    /// Of each value.
    pub(super) values: Cells<N>,
    /// Of the merged outcome "at most Z".
    pub(super) at_most: Option<(u64, Mass<N>)>,
    /// An upper bound on what is in no cell.
    pub(super) lost: Fixed<N>,
}

impl<const N: usize> Walk<N> {
    /// Returns the walk of a curve that is not zero everywhere.
    pub(super) fn new(curve: &Curve) -> Self {
        Walk { curve: curve.clone(), ratios: Vec::new(), weights: Vec::new() }
    }

    /// Returns what is shown for a law of counts; upper tails below `2^-tail_bits` are cut.
    ///
    /// The error of `f(y)` is at most one of `v`, one of `f(y-1)` and two units of rounding, and likewise that of
    /// `g(y)`; the weights are at most one.
    pub(super) fn distribution(&mut self, counts: Cells<N>, tail_bits: usize) -> Result<Walked<N>, TooManyOutcomes> {
        let last = self.curve.last_finite();
        let limit = last.map_or(i64::MAX - 1, |last| i64::try_from(last).unwrap_or(i64::MAX - 1));
        let (walking, exact) = counts.split_at_most(limit);
        if walking.low.is_empty() {
            return Ok(Walked { values: exact, at_most: None, lost: Fixed::ZERO });
        }
        let highest = usize::try_from(walking.end() - 1).map_err(|_| TooManyOutcomes)?;
        let (top, lost) = self.top(highest, last, tail_bits)?;
        let mut low = vec![Fixed::ZERO; top + 1];
        let start = usize::try_from(walking.start).map_err(|_| TooManyOutcomes)?;
        low[start..=highest].copy_from_slice(&walking.low);
        let mut above = vec![Fixed::ZERO; top + 1];
        for value in (0..top).rev() {
            above[value] = self.ratios[value + 1].times_rounding_down(low[value + 1].plus(above[value + 1]));
        }
        let mut below = Fixed::ZERO;
        for value in 0..=top {
            below = low[value].plus(self.ratios[value].times_rounding_down(below));
            low[value] = self.weights[value].times_rounding_down(below.plus(above[value]));
        }
        let error = 2 * (top as u64 + 1) * (walking.error + 2) + 3;
        let mut values = Cells { start: 0, low, error };
        let mut at_most = None;
        if let Some(zero) = self.curve.last_zero().filter(|zero| *zero > 0) {
            let (hidden, shown) = values.split_at_most(i64::try_from(zero).unwrap_or(i64::MAX - 1));
            at_most = Some((zero, hidden.total()));
            values = shown;
        }
        values.add(exact)?;
        Ok(Walked { values, at_most, lost })
    }

    /// Returns the last value that is listed, and a bound of what lies above it.
    fn top(
        &mut self,
        highest: usize,
        last: Option<u64>,
        tail_bits: usize,
    ) -> Result<(usize, Fixed<N>), TooManyOutcomes> {
        if let Some(last) = last {
            let last = usize::try_from(last).map_err(|_| TooManyOutcomes)?;
            self.prepare(last)?;
            return Ok((last, Fixed::ZERO));
        }
        // P(Y > top | k) <= e^-(Phi(top+1) - Phi(k)) <= the product of the ratios from highest + 1 to top + 1.
        let cut = Fixed::rounding_up(&Enclosure::between(Integer::ONE, Integer::ONE, tail_bits));
        let zero = self.curve.last_zero().and_then(|zero| usize::try_from(zero).ok()).ok_or(TooManyOutcomes)?;
        let mut top = highest.max(zero);
        let mut beyond = Fixed::one();
        loop {
            self.prepare(top + 1)?;
            let ratio = self.ratios[top + 1].plus(Fixed::units(1));
            beyond = beyond.times_rounding_down(ratio).plus(Fixed::units(1));
            if beyond <= cut {
                return Ok((top, beyond));
            }
            top += 1;
        }
    }

    /// Makes ready ratios and weights up to a value.
    fn prepare(&mut self, value: usize) -> Result<(), TooManyOutcomes> {
        if value > MAX_CELLS {
            return Err(TooManyOutcomes);
        }
        let bits = Fixed::<N>::BITS + 32;
        let epsilon = |value: u64| if value == 0 { Epsilon::Infinite } else { self.curve.epsilon(value) };
        while self.ratios.len() <= value {
            let at = self.ratios.len() as u64;
            // Inside a stretch of equal epsilon nothing changes.
            if at >= 2
                && epsilon(at - 1) == epsilon(at)
                && epsilon(at) == epsilon(at + 1)
                && epsilon(at - 2) == epsilon(at)
            {
                self.ratios.push(self.ratios[at as usize - 1]);
                self.weights.push(self.weights[at as usize - 1]);
                continue;
            }
            let (here, above) = (ratio(&self.curve, at, bits), ratio(&self.curve, at + 1, bits));
            self.ratios.push(Fixed::rounding_down(&here));
            self.weights.push(Fixed::rounding_down(&weight(&here, &above)));
        }
        Ok(())
    }
}
