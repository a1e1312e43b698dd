//! How many of a person's class are sampled: binomial laws, one more person at a time.
//!
//! Every chance lies between its cell and the cell plus `error` units, in the window and outside it; nothing may be
//! trimmed without raising that error. It is separate because both the theorems and the mechanisms start from it. Read
//! `scan.rs` next.

use crate::cells::{Cells, Mass};
use incrowd_exact::{Enclosure, Fixed, Rational};

/// Cells up to so many units are cut off at both ends.
const TRIMMED_UNITS: u64 = 4;

/// The law of the number of sampled others.
#[derive(Debug, Clone)]
pub(super) struct Binomial<const N: usize> {
    /// How many others there are.
    pub(super) others: u64,
    /// The chances that matter.
    pub(super) cells: Cells<N>,
    keep: Fixed<N>,
    take: Fixed<N>,
}

impl<const N: usize> Binomial<N> {
    /// Returns the law with no others at all: surely none is sampled.
    pub(super) fn of_nobody(chance: &Rational) -> Self {
        let bits = Fixed::<N>::BITS + 8;
        let down = |chance: &Rational| Fixed::rounding_down(&Enclosure::rational(chance, bits));
        Binomial { others: 0, cells: Cells::sure(0), keep: down(&(Rational::ONE - chance)), take: down(chance) }
    }

    /// Returns the law with one more person: `b'(j) = (1-p) b(j) + p b(j-1)`.
    ///
    /// Two factors and two products are rounded down, by a unit each at most; the old errors are averaged, not added.
    /// What is trimmed is at most `TRIMMED_UNITS` for each cell.
    pub(super) fn with_one_more(&self) -> Self {
        let old = &self.cells.low;
        let mut low = Vec::with_capacity(old.len() + 1);
        let mut below = Fixed::ZERO;
        for cell in old {
            low.push(self.keep.times_rounding_down(*cell).plus(self.take.times_rounding_down(below)));
            below = *cell;
        }
        low.push(self.take.times_rounding_down(below));
        let small = |cell: &Fixed<N>| *cell <= Fixed::units(TRIMMED_UNITS);
        let kept = low.iter().rposition(|cell| !small(cell)).map_or(0, |last| last + 1);
        low.truncate(kept);
        let first = low.iter().position(|cell| !small(cell)).unwrap_or(0);
        low.drain(..first);
        let cells = Cells { start: self.cells.start + first as i64, low, error: self.cells.error + 4 + TRIMMED_UNITS };
        Binomial { others: self.others + 1, cells, keep: self.keep, take: self.take }
    }

    /// Returns what is known of one count's chance.
    pub(super) fn at(&self, count: i64) -> Mass<N> {
        let low = self.cells.at(count).low;
        let possible = u64::try_from(count).is_ok_and(|count| count <= self.others);
        Mass { low, error: if possible { self.cells.error } else { 0 } }
    }

    /// Returns a number that is not below the chance of all counts outside the window.
    pub(super) fn outside(&self) -> Fixed<N> {
        let cells = (self.others + 1).saturating_sub(self.cells.low.len() as u64);
        Fixed::units(cells.saturating_mul(self.cells.error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::Integer;

    #[test]
    fn every_chance_is_enclosed() {
        let chance = Rational::from_parts(3.into(), 10u8.into());
        let mut law = Binomial::<2>::of_nobody(&chance);
        let mut exact = vec![Rational::ONE];
        let units = |value: Rational| (value * Rational::from(Integer::ONE << Fixed::<2>::BITS)).floor();
        for _ in 0..300 {
            for (count, chance) in exact.iter().enumerate() {
                let cell = law.at(count as i64);
                let chance = units(chance.clone());
                assert!(Integer::from(cell.low.to_units()) <= chance, "{count}");
                assert!(chance <= Integer::from(cell.high().to_units()), "{count}");
            }
            let outside = (0..exact.len() as i64)
                .filter(|count| law.cells.at(*count).low == Fixed::ZERO)
                .fold(Rational::ZERO, |sum, count| sum + &exact[count as usize]);
            assert!(units(outside) <= Integer::from(law.outside().to_units()));
            let mut next = vec![Rational::ZERO; exact.len() + 1];
            for (count, old) in exact.iter().enumerate() {
                next[count] += old * (Rational::ONE - &chance);
                next[count + 1] += old * &chance;
            }
            exact = next;
            law = law.with_one_more();
        }
        assert!(law.cells.start > 0 && law.cells.end() < 300, "the window is narrower than the law");
    }
}
