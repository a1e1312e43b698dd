//! A table that turns one random word into one symbol, exactly.
//!
//! It must never answer a word it cannot decide: those escape to refined enclosures. It is separate because its proof
//! is about integers only and knows nothing of noise. Read `geometric.rs` next, for the digits it draws.
//!
//! Derivation (Vose's alias method, in integers). Words have `w` bits, there are `n = 2^c` symbols with masses `p_j`.
//! - Weights `w_j = floor(2^w p_j)`, the largest lowered until they sum to `2^w - n`.
//! - The low `c` bits of a word choose a column, the rest is a height in `0..=C`, `C = 2^(w-c) - 1`. A column has a
//!   threshold `t`: heights below give its own symbol, heights above (`C - t` of them) its alias, and height `t` itself
//!   escapes. As `n C = 2^w - n`, columns can be filled so that symbol `j` owns exactly `w_j` words; `n` words escape.
//! - After an escape symbol `j` is chosen with probability `(2^w p_j - w_j)/n` (these sum to one).
//!
//! Together: `w_j/2^w + (n/2^w) (2^w p_j - w_j)/n = p_j`.

use crate::bits::{Bits, narrow_word};
use crate::coin::choose_in_words;
use crate::digit::DigitLaw;
use incrowd_exact::{Enclosure, Integer};

/// Draws symbols of one law.
pub(crate) struct AliasTable {
    /// Per column: threshold above, alias in the low `column_bits`.
    entries: Box<[u64]>,
    column_bits: u32,
    column_mask: usize,
    word_bits: u32,
    law: DigitLaw,
}

impl AliasTable {
    /// Builds the table and checks that every symbol owns exactly its weight of words.
    ///
    /// # Panics
    /// If the check fails, or words are too narrow for the symbols: no draw is ever made from a wrong table.
    pub(crate) fn new(law: DigitLaw, word_bits: u32) -> Self {
        let column_bits = law.symbol_bits();
        assert!(2 * column_bits <= word_bits && word_bits <= 64, "words must be wider than two symbols");
        let weights = integer_weights(&law, word_bits, column_bits);
        let entries = fill_columns(&weights, word_bits - column_bits, column_bits);
        let table = AliasTable { entries, column_bits, column_mask: (1 << column_bits) - 1, word_bits, law };
        assert!(table.weights() == weights, "an alias table must give every symbol exactly its weight");
        table
    }

    /// Returns a symbol with exactly its mass.
    #[inline]
    pub(crate) fn draw(&self, bits: &mut impl Bits) -> usize {
        let word = narrow_word(self.word_bits, bits);
        let column = word as usize & self.column_mask;
        let entry = self.entries[column];
        let (height, threshold) = (word >> self.column_bits, entry >> self.column_bits);
        if height == threshold {
            return self.escape(bits);
        }
        let alias = entry as usize & self.column_mask;
        if height < threshold { column } else { alias }
    }

    #[cold]
    #[inline(never)]
    fn escape(&self, bits: &mut dyn Bits) -> usize {
        let weights = self.weights();
        choose_in_words(self.word_bits, |places| self.residual_masses(&weights, places), bits)
    }

    /// Returns `(2^w p_j - w_j)/n` for every symbol, with at least `places` binary places.
    fn residual_masses(&self, weights: &[u64], places: usize) -> Vec<Enclosure> {
        // Units of 2^-(places+w) of p are units of 2^-places of 2^w p, and units of 2^-(places+c) of 2^w p / n.
        let masses = self.law.masses(places + self.word_bits as usize);
        let residual = |(mass, weight): (&Enclosure, &u64)| {
            let owned = Integer::from(*weight) << places;
            let (low, high) = (mass.low_units() - &owned, mass.high_units() - &owned);
            Enclosure::between(low, high, places + self.column_bits as usize)
        };
        masses.iter().zip(weights).map(residual).collect()
    }

    /// Returns how many words each symbol owns, counted from the columns.
    fn weights(&self) -> Vec<u64> {
        let capacity = capacity(self.word_bits - self.column_bits);
        let mut weights = vec![0u64; self.entries.len()];
        for (column, entry) in self.entries.iter().enumerate() {
            let threshold = entry >> self.column_bits;
            weights[column] += threshold;
            weights[*entry as usize & self.column_mask] += capacity - threshold;
        }
        weights
    }
}

fn capacity(height_bits: u32) -> u64 {
    (1 << height_bits) - 1
}

/// Returns `floor(2^w p_j)`, the largest lowered so that all sum to `2^w - n`.
fn integer_weights(law: &DigitLaw, word_bits: u32, column_bits: u32) -> Vec<u64> {
    let mut weights = floors(law, word_bits);
    // Each floor loses less than one, so the floors sum to more than 2^w - n and to less than 2^w: nothing overflows.
    let target = (1u128 << word_bits) - (1u128 << column_bits);
    let excess = weights.iter().map(|weight| u128::from(*weight)).sum::<u128>() - target;
    let largest = weights.iter_mut().max();
    if let Some(largest) = largest {
        *largest -= excess as u64;
    }
    weights
}

/// Returns `floor(2^w p_j)`, raising the precision until both bounds agree.
///
/// They agree some day: `p_j` is a non-constant rational function of the transcendental `e^rate` (Lindemann), hence
/// irrational. As `0 < p_j < 1` the floor is at most `2^w - 1`, which settles masses closer to one than any precision
/// at hand.
fn floors(law: &DigitLaw, word_bits: u32) -> Vec<u64> {
    let width = word_bits as usize;
    let top = (Integer::ONE << width) - Integer::ONE;
    let mut bits = width + 64;
    loop {
        let floor = |mass: &Enclosure| {
            let down = bits - width;
            let low = (mass.low_units().clone() >> down).clamp(Integer::ZERO, top.clone());
            let high = (mass.high_units().clone() >> down).clamp(Integer::ZERO, top.clone());
            if low == high { u64::try_from(low).ok() } else { None }
        };
        if let Some(floors) = law.masses(bits).iter().map(floor).collect() {
            return floors;
        }
        bits *= 2;
    }
}

/// Fills columns of equal capacity: a symbol below capacity takes its own column, a symbol above gives the rest.
fn fill_columns(weights: &[u64], height_bits: u32, column_bits: u32) -> Box<[u64]> {
    let capacity = capacity(height_bits);
    let mut left = weights.to_vec();
    // A column that nothing fills up belongs to its symbol alone.
    let mut entries: Vec<u64> = (0..weights.len()).map(|column| pack(capacity, column, column_bits)).collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) =
        (0..weights.len()).partition(|symbol| left[*symbol] < capacity);
    while let (Some(column), Some(giver)) = (small.pop(), large.pop()) {
        entries[column] = pack(left[column], giver, column_bits);
        left[giver] -= capacity - left[column];
        if left[giver] < capacity {
            small.push(giver);
        } else {
            large.push(giver);
        }
    }
    entries.into()
}

fn pack(threshold: u64, alias: usize, column_bits: u32) -> u64 {
    threshold << column_bits | alias as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digit::{Place, Sign};
    use crate::enumeration::count_tapes;
    use crate::testing::TapeBits;
    use incrowd_exact::Rational;
    use incrowd_exact::testing::number;

    fn laws(rate: &str, base_bits: u32) -> Vec<DigitLaw> {
        let mut laws = Vec::new();
        for place in [Place::Lower, Place::Top] {
            for sign in [Sign::Apart, Sign::Joint] {
                laws.push(DigitLaw { rate: number(rate), base_bits, place, sign });
            }
        }
        laws
    }

    #[test]
    fn ten_bit_tables_have_exactly_their_law_on_every_tape() {
        for law in ["1/50", "1/3", "2", "9"].iter().flat_map(|rate| laws(rate, 2)) {
            let masses = law.masses(200);
            let table = AliasTable::new(law, 10);
            // Two words: one of 128 tapes escapes, and about 8 in 1024 of those stay undecided.
            let counted = count_tapes(10, 2, |bits| table.draw(bits));
            assert!(counted.undecided() < number("1e-4"));
            assert!(counted.agrees_with(|symbol| masses[symbol].clone()), "{:?}", table.law);
        }
    }

    #[test]
    fn a_table_that_answers_its_escape_words_disagrees() {
        for law in laws("1/3", 2) {
            let masses = law.masses(200);
            let table = AliasTable::new(law, 10);
            let careless = |bits: &mut TapeBits<'_>| {
                let word = narrow_word(10, bits);
                let column = word as usize & table.column_mask;
                let entry = table.entries[column];
                let below = word >> table.column_bits <= entry >> table.column_bits;
                if below { column } else { entry as usize & table.column_mask }
            };
            let counted = count_tapes(10, 2, careless);
            assert!(!counted.agrees_with(|symbol| masses[symbol].clone()), "{:?}", table.law);
        }
    }

    #[test]
    fn an_escape_word_takes_the_slow_path_at_full_width_too() {
        for law in laws("1/100", 8) {
            let table = AliasTable::new(law, 64);
            for column in [0, 1, 77, table.entries.len() - 1] {
                let threshold = table.entries[column] >> table.column_bits;
                let escape = threshold << table.column_bits | column as u64;
                for fresh in [1, u64::MAX / 3, u64::MAX - 1] {
                    let tape = [escape, fresh];
                    let mut bits = TapeBits::new(&tape);
                    assert!(table.draw(&mut bits) < table.entries.len());
                    assert_eq!(bits.asked(), 2);
                }
            }
        }
    }

    #[test]
    fn masses_enclose_one_and_weights_leave_one_word_per_column() {
        for law in ["1e-12", "1e-6", "1/100", "1", "50", "1000"].iter().flat_map(|rate| laws(rate, 8)) {
            let zero = Enclosure::zero(128);
            let sum = law.masses(128).iter().fold(zero, |sum, mass| sum.plus(mass));
            assert!(sum.lower() <= Rational::ONE && Rational::ONE <= sum.upper());
            assert!(sum.upper() - sum.lower() < number("1e-30"));
            let table = AliasTable::new(law, 64);
            let words: u128 = table.weights().iter().map(|weight| u128::from(*weight)).sum();
            assert_eq!(words + table.entries.len() as u128, 1 << 64);
        }
    }
}
