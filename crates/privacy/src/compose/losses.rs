//! What releases about the same people cost together: their privacy losses, added up exactly.
//!
//! It must never answer below the truth: masses are whole numbers that only round up, and a loss without a cell of its
//! own moves up. The list of parts must be fixed before the first release: what is asked may depend on earlier answers,
//! its epsilon and delta may not (a test shows what choosing them late would cost). It is separate from `compose.rs`
//! because sums of epsilons need no laws. Read `losses/tests.rs` next.

use incrowd_exact::{BitTest, Enclosure, Integer, Natural, Rational, exp_neg};
use std::collections::BTreeMap;
use std::fmt;

/// The worst pair of laws of one part of a release: randomised response at `epsilon` plus a mass of `delta` that tells
/// everything, `times` over.
///
/// Nothing that is `(epsilon, delta)`-differentially private in both directions tells more (Kairouz, Oh & Viswanath
/// 2015), and so for compositions (Zhu, Dong & Wang 2022, Theorem 10).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The loss is this with odds of `e^epsilon : 1`, else its negative.
    pub epsilon: Rational,
    /// With this probability the loss is infinite instead.
    pub delta: Rational,
    /// How many such parts there are.
    pub times: u64,
}

/// The loss of all parts together.
///
/// `delta(eps) = D + (1 - D) E[(1 - e^(eps - L))_+]`, where `D = 1 - prod (1 - delta_i)` and `L` is a sum of
/// independent `+-epsilon_i`.
#[derive(Debug, Clone)]
pub struct Losses {
    /// Not below `D`, and equal to it where it is short enough to keep.
    tells_everything: Rational,
    /// No finite loss is above it.
    sum: Rational,
    law: Masses,
    /// For each cell, of all masses `m_i` from the top down to it: `sum m_i`, and `sum m_i e^(loss - loss_i)` rounded
    /// down.
    weights: Vec<(Natural, Natural)>,
}

/// Why parts do not add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LossesError {
    /// An epsilon is below 0.
    Epsilon {
        /// The place of the part in the list.
        part: usize,
    },
    /// A delta is not from 0 to 1.
    Delta {
        /// The place of the part in the list.
        part: usize,
    },
    /// There are more parts, or more different epsilons, than incrowd adds up.
    TooMany,
}

impl fmt::Display for LossesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LossesError::Epsilon { part } => write!(f, "the epsilon of part {part} is below 0"),
            LossesError::Delta { part } => write!(f, "the delta of part {part} is not from 0 to 1"),
            LossesError::TooMany => {
                write!(f, "there are more than {MAX_PARTS} parts or {MAX_EPSILONS} different epsilons to add up")
            }
        }
    }
}

impl std::error::Error for LossesError {}

/// Binary places of a mass.
const PLACES: usize = 128;
/// Most parts, each counted as often as it is repeated.
const MAX_PARTS: u64 = 10_000_000;
/// Most different epsilons.
const MAX_EPSILONS: usize = 10_000;
/// About how many cells a law may have.
const MAX_CELLS: u64 = 1 << 15;
/// About how many cells the laws of all epsilons may have together.
const MAX_CELLS_APART: u64 = 1 << 18;
/// Tails of at most so many units are cut; with fewer, cells that only rounding keeps above zero would pile up.
const TAIL: u64 = 1 << 18;
/// Binary places within a cell, at which an epsilon is rounded down.
const SUBCELLS: usize = 128;
/// The longest denominator, in bits, that is kept without rounding.
const SHORT: usize = 1 << 10;

/// How many times there is each value.
type Times<'a> = BTreeMap<&'a Rational, u64>;

impl Losses {
    /// Returns the loss of all parts together, the same in whatever order; or why there is none.
    pub fn of(parts: &[Loss]) -> Result<Losses, LossesError> {
        let mut left = MAX_PARTS;
        let (mut epsilons, mut deltas) = (Times::new(), Times::new());
        for (part, Loss { epsilon, delta, times }) in parts.iter().enumerate() {
            if epsilon < &Rational::ZERO {
                return Err(LossesError::Epsilon { part });
            }
            if !(delta >= &Rational::ZERO && delta <= &Rational::ONE) {
                return Err(LossesError::Delta { part });
            }
            left = left.checked_sub(*times).ok_or(LossesError::TooMany)?;
            *epsilons.entry(epsilon).or_default() += times;
            *deltas.entry(delta).or_default() += times;
        }
        epsilons.retain(|epsilon, times| *epsilon > &Rational::ZERO && *times > 0);
        if epsilons.len() > MAX_EPSILONS {
            return Err(LossesError::TooMany);
        }
        let sum = sum(&epsilons, |epsilon, times| epsilon * Rational::from(times));
        let law = Masses::of_all(&epsilons);
        Ok(Losses { tells_everything: tells_everything(&deltas), sum, weights: law.weights(), law })
    }

    /// Returns the delta of all parts together at an epsilon: not below the truth, never rising with epsilon, at most
    /// 1.
    ///
    /// Where `l` is the least loss above epsilon that has a cell, and `m` and `w` are its weights, the expectation is
    /// `m - e^(eps - l) w`. It does not rise from cell to cell, since at a cell's own loss both neighbours give the
    /// same number, to the last unit; nor within a cell, since `shrink` keeps the order.
    pub fn delta(&self, epsilon: &Rational) -> Rational {
        if epsilon >= &self.sum {
            return self.tells_everything.clone();
        }
        let Masses { step, top, beyond, .. } = &self.law;
        let below_top = (top - epsilon) / step;
        let mut finite = Natural::ZERO;
        if below_top > Rational::ZERO {
            let last = usize::try_from(&below_top.ceil()).unwrap_or(usize::MAX).min(self.weights.len()) - 1;
            let cells = Enclosure::rational(&(below_top - Rational::from(last)), SUBCELLS).upper();
            let (mass, weight) = &self.weights[last];
            finite = mass - times_rounding_down(weight, &shrink(&cells, step));
        }
        let told = Rational::from_parts((finite + beyond).into(), Natural::ONE << PLACES).min(Rational::ONE);
        &self.tells_everything + (Rational::ONE - &self.tells_everything) * told
    }

    /// Returns the least epsilon, to nine digits of the sum of all epsilons, whose delta is at most the given one. It
    /// is never above that sum. Nothing where the parts tell everything with a larger probability.
    pub fn epsilon(&self, delta: &Rational) -> Option<Rational> {
        if &self.tells_everything > delta {
            return None;
        }
        let (ten, digits) = (Rational::from(10u8), Rational::from(1_000_000_000u64));
        let mut unit = Rational::ONE;
        while self.sum > Rational::ZERO && &unit * &digits > self.sum {
            unit /= &ten;
        }
        while &unit * &digits * &ten <= self.sum {
            unit *= &ten;
        }
        // Enough at `high`, not enough below `low`.
        let (mut low, mut high) = (Integer::ZERO, (&self.sum / &unit).ceil());
        while low < high {
            let middle: Integer = (&low + &high) >> 1;
            if &self.delta(&(&unit * Rational::from(middle.clone()))) <= delta {
                high = middle;
            } else {
                low = middle + Integer::ONE;
            }
        }
        Some((unit * Rational::from(high)).min(self.sum.clone()))
    }
}

/// Returns a number not below `1 - prod (1 - delta)^times`, and that number itself where it is short.
fn tells_everything(deltas: &Times) -> Rational {
    let mut told = Rational::ZERO;
    for (delta, times) in deltas {
        let once = Rational::ONE - *delta;
        let is_short = once.denominator().bit_len() as u64 * times <= SHORT as u64;
        let silent = match isize::try_from(*times) {
            Ok(times) if is_short => once.pow(times),
            Ok(_) | Err(_) => Enclosure::rational(&once, places_resolving(delta)).power(*times).lower(),
        };
        told = short_rounding_up(Rational::ONE - (Rational::ONE - told) * silent);
    }
    told
}

/// Returns the sum of what each epsilon, so many times, comes to; rounded up where it is long.
fn sum(epsilons: &Times, value: fn(&Rational, u64) -> Rational) -> Rational {
    epsilons.iter().fold(Rational::ZERO, |sum, (epsilon, times)| short_rounding_up(sum + value(epsilon, *times)))
}

fn short_rounding_up(value: Rational) -> Rational {
    let is_short = value.denominator().bit_len() <= SHORT;
    if is_short { value } else { Enclosure::rational(&value, places_resolving(&value)).upper() }
}

/// A law of losses that is not below the true one: whatever is added to a cell, moved up or moved beyond all cells can
/// only raise a delta, alone or in company. Masses are in units of `2^-PLACES`.
#[derive(Debug, Clone)]
struct Masses {
    /// How far apart the cells are.
    step: Rational,
    /// The loss of the first cell.
    top: Rational,
    /// From the top loss downwards; never empty.
    cells: Vec<Natural>,
    /// The mass of losses above the top.
    beyond: Natural,
}

impl Masses {
    /// Returns the law of the sum of all epsilons, each so many times, with its signs.
    fn of_all(epsilons: &Times) -> Masses {
        let step = common_step(epsilons);
        let mut laws: Vec<Masses> =
            epsilons.iter().map(|(epsilon, times)| Masses::of_one(epsilon).power(*times).with_step(&step)).collect();
        while laws.len() > 1 {
            let join = |pair: &[Masses]| pair[1..].iter().fold(pair[0].clone(), |all, law| all.with(law));
            laws = laws.chunks(2).map(join).collect();
        }
        let cells = vec![Natural::ONE << PLACES];
        laws.pop().unwrap_or(Masses { step, top: Rational::ZERO, cells, beyond: Natural::ZERO })
    }

    /// Returns the law of randomised response: epsilon with probability `1/(1 + e^-epsilon)`, else its negative.
    fn of_one(epsilon: &Rational) -> Masses {
        let bits = PLACES + 64;
        let (one, fall) = (Enclosure::one(bits), exp_neg(epsilon, bits));
        let both = one.plus(&fall);
        let cells = vec![units_rounding_up(&one.over(&both)), units_rounding_up(&fall.over(&both))];
        let (step, top) = (epsilon * Rational::from(2u8), epsilon.clone());
        Masses { step, top, cells, beyond: Natural::ZERO }.without_tails()
    }

    /// Returns the law of the sum of so many independent losses, at least one.
    fn power(&self, times: u64) -> Masses {
        let mut result = self.clone();
        for bit in (0..times.max(1).ilog2()).rev() {
            result = result.with(&result);
            if (times >> bit) & 1 == 1 {
                result = result.with(self);
            }
        }
        result
    }

    /// Returns the law of the sum of two independent losses with the same step.
    ///
    /// The convolution is one product of two long integers, which hold a mass every `stride` bytes: none of its cells
    /// can exceed the product of the totals, so none runs into the next.
    fn with(&self, other: &Masses) -> Masses {
        let (mine, others): (Natural, Natural) = (self.cells.iter().sum(), other.cells.iter().sum());
        let stride = ((&mine + Natural::ONE) * (&others + Natural::ONE)).bit_len() / 8 + 1;
        let product = (packed(&self.cells, stride) * packed(&other.cells, stride)).to_le_bytes();
        let mut cells: Vec<Natural> =
            product.chunks(stride).map(|bytes| round_up(Natural::from_le_bytes(bytes))).collect();
        cells.resize(self.cells.len() + other.cells.len() - 1, Natural::ZERO);
        let beyond = round_up(&self.beyond * (others + &other.beyond) + mine * &other.beyond);
        let top = short_rounding_up(&self.top + &other.top);
        Masses { step: self.step.clone(), top, cells, beyond }.without_tails()
    }

    /// Returns the law with its upper tail beyond all cells, and its lower tail moved up.
    fn without_tails(mut self) -> Masses {
        let tail = Natural::from(TAIL);
        let mut low = Natural::ZERO;
        while self.cells.len() > 1 && self.cells.last().is_some_and(|cell| &low + cell <= tail) {
            low += self.cells.pop().unwrap_or_default();
        }
        if let Some(last) = self.cells.last_mut() {
            *last += low;
        }
        let mut cut = 0;
        let mut high = Natural::ZERO;
        while cut + 1 < self.cells.len() && &high + &self.cells[cut] <= tail {
            high += &self.cells[cut];
            cut += 1;
        }
        self.cells.drain(..cut);
        self.beyond += high;
        self.top -= &self.step * Rational::from(cut);
        self
    }

    /// Returns a law with another step and the same top that is not below this one.
    ///
    /// A loss `l = a + u` between the cells `a` and `a + step` is split so that neither the total of the masses changes
    /// nor that of their `e^-l` parts: `(1 - e^-u)/(1 - e^-step)` of it goes up. No delta falls, each being a sum of
    /// convex functions of `e^-l` (Doroshenko et al. 2022, "Connect the Dots"). None falls either where more goes up,
    /// and `1 - e^-u <= u (1 - u/2 + u^2/6)`.
    fn with_step(&self, step: &Rational) -> Masses {
        let (above, below) = (&self.step / step).into_parts();
        let above = above.into_parts().1;
        let fine = places_resolving(step);
        let fallen = Enclosure::one(fine).minus(&exp_neg(step, fine));
        let stretch = Enclosure::rational(step, fine).over(&fallen).with_bits(PLACES);
        let fraction = |above: Natural, below: &Natural| {
            Enclosure::rational(&Rational::from_parts(above.into(), below.clone()), PLACES)
        };
        let (half, sixth) = (fraction(Natural::ONE, &2u8.into()), fraction(Natural::ONE, &6u8.into()));
        let width = Enclosure::rational(step, PLACES);
        let mut cells: Vec<Natural> = Vec::new();
        for (index, mass) in self.cells.iter().enumerate() {
            let place = &above * Natural::from(index);
            let (cell, rest) = (usize::try_from(&(&place / &below)).unwrap_or(usize::MAX), &place % &below);
            if rest == Natural::ZERO {
                cells.resize(cells.len().max(cell + 1), Natural::ZERO);
                cells[cell] += mass;
                continue;
            }
            let part = fraction(&below - rest, &below);
            let u = part.times(&width);
            let curve = Enclosure::one(PLACES).minus(&u.times(&half)).plus(&u.times(&u).times(&sixth));
            let up = round_up(mass * units_rounding_up(&part.times(&curve).times(&stretch))).min(mass.clone());
            cells.resize(cells.len().max(cell + 2), Natural::ZERO);
            cells[cell + 1] += mass - &up;
            cells[cell] += up;
        }
        Masses { step: step.clone(), top: self.top.clone(), cells, beyond: self.beyond.clone() }
    }

    /// Returns the two weights of each cell: see [`Losses`].
    fn weights(&self) -> Vec<(Natural, Natural)> {
        let fall = shrink(&Rational::ONE, &self.step);
        let (mut mass, mut weight) = (Natural::ZERO, Natural::ZERO);
        let mut weights = Vec::with_capacity(self.cells.len());
        for cell in &self.cells {
            mass += cell;
            weight = times_rounding_down(&weight, &fall) + cell;
            weights.push((mass.clone(), weight.clone()));
        }
        weights
    }
}

/// Returns a step between cells: one that all losses lie on if that takes few enough cells, else a power of two.
///
/// A sum of `n` times `+-epsilon` strays further than `t` from its mean with probability `e^(-t^2/(2 n epsilon^2))` at
/// most, each way (Hoeffding). That is below one unit from `t^2 = 2 n epsilon^2 * 128 ln 2` on: a width of `sqrt(710 n)
/// epsilon`. An epsilon above `PLACES` has one cell, since its negative loss is rarer than a unit. Every step is sound.
fn common_step(epsilons: &Times) -> Rational {
    let mut epsilons = epsilons.clone();
    epsilons.retain(|epsilon, _| *epsilon <= &Rational::from(PLACES));
    let widest = sum(&epsilons, |epsilon, times| epsilon * Rational::from(2 * times));
    let likely_squared = sum(&epsilons, |epsilon, times| epsilon.sqr() * Rational::from(710 * times));
    let apart = sum(&epsilons, |epsilon, times| epsilon * Rational::from((2 * times).min((710 * times).isqrt() + 1)));
    let is_enough = |step: &Rational| {
        let width = step * Rational::from(MAX_CELLS);
        (width >= widest || width.sqr() >= likely_squared) && step * Rational::from(MAX_CELLS_APART) >= apart
    };
    let two = Rational::from(2u8);
    let mut step = Rational::ZERO;
    for epsilon in epsilons.into_keys() {
        let (mut larger, mut smaller) = (&two * epsilon, step);
        while smaller > Rational::ZERO {
            let rest = &larger - &smaller * Rational::from((&larger / &smaller).floor());
            (larger, smaller) = (smaller, rest);
        }
        step = larger;
        if !is_enough(&step) {
            break;
        }
    }
    if step > Rational::ZERO && is_enough(&step) {
        return step;
    }
    step = Rational::ONE;
    while !is_enough(&step) {
        step *= &two;
    }
    while widest > Rational::ZERO && is_enough(&(&step / &two)) {
        step /= &two;
    }
    step
}

/// Returns a number not above `e^-(cells * step)`, as units and binary places.
///
/// If two numbers of cells differ by `2^-SUBCELLS` or more, the larger one never gives the larger result, unless both
/// are below `2^-PLACES`: there are 64 places more than it takes to tell them apart.
fn shrink(cells: &Rational, step: &Rational) -> (Natural, usize) {
    let enclosure = exp_neg(&(cells * step), places_resolving(step));
    (enclosure.low_units().clone().into_parts().1, enclosure.bits())
}

/// Returns how many binary places show at least `PLACES + SUBCELLS + 64` digits of a number from zero to one.
fn places_resolving(number: &Rational) -> usize {
    let zeros = number.denominator().bit_len().saturating_sub(number.numerator().bit_len());
    PLACES + SUBCELLS + 64 + zeros
}

fn times_rounding_down(mass: &Natural, (units, places): &(Natural, usize)) -> Natural {
    (mass * units) >> *places
}

fn round_up(product: Natural) -> Natural {
    (product + ((Natural::ONE << PLACES) - Natural::ONE)) >> PLACES
}

fn units_rounding_up(value: &Enclosure) -> Natural {
    value.with_bits(PLACES).high_units().clone().into_parts().1
}

fn packed(cells: &[Natural], stride: usize) -> Natural {
    let mut bytes = vec![0; cells.len() * stride];
    for (slot, cell) in bytes.chunks_mut(stride).zip(cells) {
        let cell = cell.to_le_bytes();
        slot[..cell.len()].copy_from_slice(&cell);
    }
    Natural::from_le_bytes(&bytes)
}

#[cfg(test)]
mod tests;
