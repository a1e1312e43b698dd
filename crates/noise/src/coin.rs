//! Coins and choices with any computable probability, exact to the last bit.
//!
//! It must never round a probability: what a finite number of words cannot decide is given more words. It is separate
//! because everything else here is built of these decisions. Read `alias.rs` next, for deciding most words by a table.
//!
//! Source of the idea: a uniform real U in [0,1), its bits drawn only as far as needed, and "U < p" has probability p.
//! The bits known so far put U in an interval; a probability known to some precision is an interval too; when the two
//! are apart the comparison is decided, else both are refined. For every p the chance to be undecided falls by 2^-64
//! with each word.

use crate::bits::{Bits, narrow_word};
use incrowd_exact::{Enclosure, Integer, Natural, Rational, exp_neg};

/// How many binary places a probability is known beyond the bits of the uniform number it is compared with.
const GUARD_BITS: usize = 16;

/// Returns a uniform whole number in `0..n`, by rejection.
///
/// # Panics
/// If `n` is zero: there is no such number.
pub fn uniform_below(n: u64, bits: &mut impl Bits) -> u64 {
    assert!(n > 0, "there is no whole number below zero");
    // The shortest words that can hold n - 1: fewer than half of them are rejected on average.
    let width = u64::BITS - (n - 1).leading_zeros();
    if width == 0 {
        return 0;
    }
    loop {
        let candidate = narrow_word(width, bits);
        if candidate < n {
            return candidate;
        }
    }
}

/// Returns a uniform whole number in `0..n` for an `n` of any size, by rejection.
///
/// # Panics
/// If `n` is zero: there is no such number.
pub fn uniform_below_natural(n: &Natural, bits: &mut dyn Bits) -> Natural {
    assert!(n > &Natural::ZERO, "there is no whole number below zero");
    let width = bit_length(&(n - Natural::ONE));
    loop {
        let mut candidate = Natural::ZERO;
        let mut left = width;
        while left > 0 {
            let step = left.min(64);
            candidate = (candidate << step) + Natural::from(narrow_word(step as u32, bits));
            left -= step;
        }
        if &candidate < n {
            return candidate;
        }
    }
}

/// Returns true with exactly the given probability.
///
/// `probability(bits)` must enclose one and the same number in `[0, 1]` each time, and close in on it as `bits` grows;
/// zero and one must be enclosed exactly, or tosses that run into them never end.
pub fn bernoulli(probability: impl FnMut(usize) -> Enclosure, bits: &mut dyn Bits) -> bool {
    bernoulli_in_words(64, probability, bits)
}

/// Returns true with probability `exp(-x)` exactly, for `x >= 0`.
///
/// # Panics
/// If `x` is negative.
pub fn bernoulli_exp_neg(x: &Rational, bits: &mut dyn Bits) -> bool {
    bernoulli(|places| exp_neg(x, places), bits)
}

/// Returns `j` with exactly the probability `masses[j]`, by inversion.
///
/// `masses(bits)` encloses the same law each time, all at one precision, and tightens as `bits` grows; the masses sum
/// to one.
///
/// # Panics
/// If there are no masses.
pub fn choose(masses: impl FnMut(usize) -> Vec<Enclosure>, bits: &mut dyn Bits) -> usize {
    choose_in_words(64, masses, bits)
}

/// A coin of fixed probability that decides nearly every toss by one comparison of a word.
pub struct Coin {
    word_bits: u32,
    /// Words below are heads.
    first_undecided: u64,
    /// Words above are tails.
    last_undecided: u64,
    probability: Box<dyn Fn(usize) -> Enclosure + Send + Sync>,
}

impl Coin {
    /// Returns a coin that shows true with exactly the given probability; see [`bernoulli`] for what is asked of it.
    pub fn new(probability: impl Fn(usize) -> Enclosure + Send + Sync + 'static) -> Self {
        Self::with_words(64, probability)
    }

    pub(crate) fn with_words(word_bits: u32, probability: impl Fn(usize) -> Enclosure + Send + Sync + 'static) -> Self {
        // A word x stands for U in [x, x+1)/2^w. Surely U < p if x+1 <= 2^w p, that is x < floor(2^w p); surely
        // U >= p if x >= 2^w p, that is x > ceil(2^w p) - 1. Clipping only sends more words to the slow path.
        let width = word_bits as usize;
        let rough = probability(width + 64);
        let down = rough.bits() - width;
        let top = (Integer::ONE << width) - Integer::ONE;
        let first = rough.low_units().clone() >> down;
        let last = -((-rough.high_units().clone()) >> down) - Integer::ONE;
        let clip = |value: Integer| {
            let value = value.clamp(Integer::ZERO, top.clone());
            u64::try_from(value).unwrap_or(u64::MAX)
        };
        Coin { word_bits, first_undecided: clip(first), last_undecided: clip(last), probability: Box::new(probability) }
    }

    /// Returns true with exactly the coin's probability.
    #[inline]
    pub fn toss(&self, bits: &mut impl Bits) -> bool {
        let word = narrow_word(self.word_bits, bits);
        if word < self.first_undecided {
            true
        } else if word > self.last_undecided {
            false
        } else {
            self.refine(word, bits)
        }
    }

    #[cold]
    #[inline(never)]
    fn refine(&self, word: u64, bits: &mut dyn Bits) -> bool {
        let mut uniform = UniformPrefix::new(self.word_bits);
        uniform.append(word);
        loop {
            if let Some(below) = uniform.is_below(&(self.probability)(uniform.places + GUARD_BITS)) {
                return below;
            }
            uniform.extend(bits);
        }
    }
}

pub(crate) fn bernoulli_in_words(
    word_bits: u32,
    mut probability: impl FnMut(usize) -> Enclosure,
    bits: &mut dyn Bits,
) -> bool {
    let mut uniform = UniformPrefix::new(word_bits);
    loop {
        uniform.extend(bits);
        if let Some(below) = uniform.is_below(&probability(uniform.places + GUARD_BITS)) {
            return below;
        }
    }
}

pub(crate) fn choose_in_words(
    word_bits: u32,
    mut masses: impl FnMut(usize) -> Vec<Enclosure>,
    bits: &mut dyn Bits,
) -> usize {
    let mut uniform = UniformPrefix::new(word_bits);
    loop {
        uniform.extend(bits);
        let masses = masses(uniform.places + GUARD_BITS);
        assert!(!masses.is_empty(), "a choice needs something to choose from");
        if let Some(choice) = uniform.interval_of(&masses) {
            return choice;
        }
    }
}

/// The first bits of a uniform number in [0,1): it lies in `[value, value + 1) / 2^places`.
struct UniformPrefix {
    word_bits: u32,
    value: Integer,
    places: usize,
}

impl UniformPrefix {
    fn new(word_bits: u32) -> Self {
        UniformPrefix { word_bits, value: Integer::ZERO, places: 0 }
    }

    fn extend(&mut self, bits: &mut dyn Bits) {
        self.append(narrow_word(self.word_bits, bits));
    }

    fn append(&mut self, word: u64) {
        self.value = (std::mem::take(&mut self.value) << self.word_bits as usize) + Integer::from(word);
        self.places += self.word_bits as usize;
    }

    /// Returns whether the number is below another, or nothing where the bits so far do not decide it.
    fn is_below(&self, other: &Enclosure) -> Option<bool> {
        let precision = other.bits().max(self.places);
        let other = other.with_bits(precision);
        let up = precision - self.places;
        if &((&self.value + Integer::ONE) << up) <= other.low_units() {
            Some(true)
        } else if &(&self.value << up) >= other.high_units() {
            Some(false)
        } else {
            None
        }
    }

    /// Returns the `j` for which the number lies between the sums of the first `j` and the first `j + 1` masses.
    fn interval_of(&self, masses: &[Enclosure]) -> Option<usize> {
        let (_, all_but_last) = masses.split_last()?;
        let mut sum = Enclosure::zero(masses[0].bits());
        for (index, mass) in all_but_last.iter().enumerate() {
            sum = sum.plus(mass);
            if self.is_below(&sum)? {
                return Some(index);
            }
        }
        // The number is below one, the sum of all.
        Some(all_but_last.len())
    }
}

fn bit_length(value: &Natural) -> usize {
    let bytes = value.to_le_bytes();
    match bytes.iter().rposition(|byte| *byte != 0) {
        Some(last) => 8 * last + (8 - bytes[last].leading_zeros() as usize),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TapeBits;
    use incrowd_exact::parse_number;

    /// `2^-70`, a probability that a single word cannot decide.
    fn tiny(places: usize) -> Enclosure {
        let p = Rational::from_parts(Integer::ONE, Natural::ONE << 70usize);
        Enclosure::rational(&p, places)
    }

    #[test]
    fn a_tiny_probability_is_decided_by_as_many_words_as_it_needs() {
        let coin = Coin::new(tiny);
        for (tape, heads, asked) in [
            ([0, (1 << 58) - 1], true, 2),
            ([0, 0], true, 2),
            ([0, 1 << 58], false, 2),
            ([0, u64::MAX], false, 2),
            ([1, 0], false, 1),
            ([u64::MAX, 0], false, 1),
        ] {
            let mut bits = TapeBits::new(&tape);
            assert_eq!((bernoulli(tiny, &mut bits), bits.asked()), (heads, asked), "{tape:?}");
            let mut bits = TapeBits::new(&tape);
            assert_eq!((coin.toss(&mut bits), bits.asked()), (heads, asked), "{tape:?}");
        }
    }

    #[test]
    fn certain_coins_never_err_even_on_extreme_words() {
        for (probability, heads) in [(Rational::ZERO, false), (Rational::ONE, true)] {
            let p = probability.clone();
            let coin = Coin::new(move |places| Enclosure::rational(&p, places));
            for word in [0, 1, 1 << 63, u64::MAX - 1, u64::MAX] {
                let tape = [word];
                let mut bits = TapeBits::new(&tape);
                assert_eq!(bernoulli(|places| Enclosure::rational(&probability, places), &mut bits), heads);
                assert!(!bits.is_exhausted());
                let mut bits = TapeBits::new(&tape);
                assert_eq!(coin.toss(&mut bits), heads);
                assert!(!bits.is_exhausted());
            }
        }
        assert!(bernoulli_exp_neg(&Rational::ZERO, &mut TapeBits::new(&[u64::MAX])));
        assert!(!bernoulli_exp_neg(&parse_number("1e9").expect("a number"), &mut TapeBits::new(&[1])));
    }

    #[test]
    fn a_coin_of_one_half_splits_the_words_in_the_middle() {
        let coin = Coin::new(|places| Enclosure::rational(&(Rational::ONE / Rational::from(2u8)), places));
        assert!(coin.toss(&mut TapeBits::new(&[(1 << 63) - 1])));
        assert!(!coin.toss(&mut TapeBits::new(&[1 << 63])));
    }

    #[test]
    fn numbers_below_one_need_no_words_and_large_ones_use_all_bits() {
        let mut bits = TapeBits::new(&[]);
        assert_eq!(uniform_below(1, &mut bits), 0);
        assert_eq!(uniform_below_natural(&Natural::ONE, &mut bits), Natural::ZERO);
        assert!(!bits.is_exhausted());
        assert_eq!(uniform_below(u64::MAX, &mut TapeBits::new(&[u64::MAX, 5])), 5);
        let wide = Natural::ONE << 70usize;
        let drawn = uniform_below_natural(&wide, &mut TapeBits::new(&[3, 5 << 58]));
        assert_eq!(drawn, (Natural::from(3u8) << 6usize) + Natural::from(5u8));
    }
}
