//! The exact law of one digit of a geometric variate, with or without the sign of a discrete Laplace variate.
//!
//! It only computes masses, as enclosures; it must never draw. It is separate so that table and slow path read the same
//! law. Read `alias.rs` next, for how the masses become a table.
//!
//! Derivation. Let `P[G >= m] = q^m`, `q = e^-rate`. Write `G = d + b H` with `0 <= d < b`. Then `P[d, H] = (1-q) q^d
//! (q^b)^H` is a product, so digit and rest are independent: `P[d] = q^d (1-q)/(1-q^b)`, and `H` is geometric with rate
//! `b * rate`. Repeat for the digits of `H`; stop at a digit whose rate is so large that `H` is hardly ever `b-1` or
//! more, and let its symbol `b-1` mean "at least `b-1`": since a geometric variate is memoryless, `b-1` plus a fresh
//! draw continues it exactly. So `P[d] = (1-q) q^d` for `d < b-1`, and `q^(b-1)`.
//!
//! Sign. If `P[s=1] = q/(1+q)`, independent of `G`, then `G` (for s = 0) or `-1-G` (for s = 1) is discrete Laplace:
//! `P[y] = (1-q)/(1+q) q^y` for `y >= 0`, and `P[-1-g] = q (1-q)/(1+q) q^g`. No value is drawn twice, none is rejected.

use incrowd_exact::{Enclosure, Rational, exp_neg};

/// Lost in `1 - q^b >= 1e-15` (50 bits) and in a few hundred products (10 bits), rounded up.
const GUARD_BITS: usize = 96;

/// Whether there are higher digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The digit is below `base`; the digits above are drawn apart.
    Lower,
    /// The last symbol means "at least `base - 1`, draw again and add".
    Top,
}

/// Whether the sign is drawn together with the digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Symbols are digits.
    Apart,
    /// Symbol `d` is digit `d` with sign 0, symbol `base + d` is digit `d` with sign 1. For the lowest digit only.
    Joint,
}

/// The law of a digit: its rate (`rate * base^place`), base and symbols.
#[derive(Debug, Clone)]
pub(crate) struct DigitLaw {
    pub(crate) rate: Rational,
    pub(crate) base_bits: u32,
    pub(crate) place: Place,
    pub(crate) sign: Sign,
}

impl DigitLaw {
    /// How many symbols there are, as a power of two.
    pub(crate) fn symbol_bits(&self) -> u32 {
        match self.sign {
            Sign::Apart => self.base_bits,
            Sign::Joint => self.base_bits + 1,
        }
    }

    /// Returns the masses of all symbols with `bits` binary places, a few units wide.
    pub(crate) fn masses(&self, bits: usize) -> Vec<Enclosure> {
        let work = bits + GUARD_BITS;
        let base = 1usize << self.base_bits;
        let one = Enclosure::one(work);
        let q = exp_neg(&self.rate, work);
        let positive = match self.sign {
            Sign::Apart => one.clone(),
            Sign::Joint => one.over(&one.plus(&q)),
        };
        let first = match self.place {
            Place::Lower => one.minus(&q).over(&one.minus(&q.power(base as u64))),
            Place::Top => one.minus(&q),
        };
        // first q^0 .. first q^base; the masses with sign 1 are those with sign 0 times q, the same run one step on.
        let run: Vec<Enclosure> =
            std::iter::successors(Some(first.times(&positive)), |mass| Some(mass.times(&q))).take(base + 1).collect();
        let restart = match self.place {
            Place::Lower => None,
            Place::Top => Some(q.power(base as u64 - 1).times(&positive)),
        };
        let mut masses = half(&run[..base], restart.clone());
        match self.sign {
            Sign::Apart => {}
            Sign::Joint => masses.extend(half(&run[1..], restart.map(|mass| mass.times(&q)))),
        }
        masses.iter().map(|mass| mass.with_bits(bits)).collect()
    }
}

/// Returns a run of masses, with the last one replaced where it means "at least".
fn half(run: &[Enclosure], restart: Option<Enclosure>) -> Vec<Enclosure> {
    let mut masses = run.to_vec();
    if let (Some(last), Some(restart)) = (masses.last_mut(), restart) {
        *last = restart;
    }
    masses
}
