//! The search for the worst population, and the proof that it may stop.
//!
//! Populations are looked at one after the other until none that is left can be worse; the search must never stop for
//! any other reason. It is separate because the theorems and the mechanisms share the argument. Read `crowd.rs` next.
//!
//! **One probability is enough.** The laws with and without a person are affine in each other person's probability, and
//! the hockey stick is convex: over `[0, most]` it is largest at an end, for one person after the other. Probability 0
//! is a smaller population. So the worst population has `most` everywhere, whatever `least` is, and only its size `n`
//! is looked for. In the person's own probability the hockey stick is convex too, and zero at zero: `most` is the worst
//! again.
//!
//! **Where to stop.** See [`Ceiling::rising`]: the largest delta with `n` or more others falls geometrically in `n`.

use super::binomial::Binomial;
use super::{Sampled, SamplingError};
use crate::account::{Delta, Tightness, is_tight};
use crate::precision::bits_for;
use incrowd_exact::{Enclosure, Fixed, Integer, Natural, Rational, exp_neg, ln};

/// Deltas below `2^-104`, about 5e-32, are not told apart.
const FLOOR_BITS: usize = 104;
/// So many cells are worked through in one search.
const MAX_WORK: u64 = 1 << 26;
/// From here on a larger epsilon is accounted for as this one, which is not less.
const LARGEST_EPSILON: u64 = 30;

/// Bounds of a delta, divided by `e^epsilon` so that every number stays below one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shrunk<const N: usize> {
    pub(super) low: Fixed<N>,
    pub(super) high: Fixed<N>,
}

impl<const N: usize> Shrunk<N> {
    pub(super) const NONE: Self = Shrunk { low: Fixed::ZERO, high: Fixed::ZERO };

    /// Returns the larger of two.
    pub(super) fn max(self, other: Self) -> Self {
        Shrunk { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    /// Returns the sum.
    pub(super) fn plus(self, other: Self) -> Self {
        Shrunk { low: self.low.plus(other.low), high: self.high.plus(other.high) }
    }
}

/// Bounds of a factor between zero and one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Factor<const N: usize> {
    pub(super) down: Fixed<N>,
    pub(super) up: Fixed<N>,
}

impl<const N: usize> Factor<N> {
    /// Returns the bounds of an enclosed number; below zero counts as zero.
    pub(super) fn of(value: &Enclosure) -> Self {
        Factor { down: Fixed::rounding_down(value), up: Fixed::rounding_up(value) }
    }

    /// Returns a number that is not below the product with `value`.
    pub(super) fn times_up(self, value: Fixed<N>) -> Fixed<N> {
        self.up.times_rounding_down(value).plus(Fixed::units(1))
    }

    /// Returns a number that is not above the product with `value`.
    pub(super) fn times_down(self, value: Fixed<N>) -> Fixed<N> {
        self.down.times_rounding_down(value)
    }
}

/// A number for each `n`, falling: no delta with `n` or more others is above it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ceiling<const N: usize> {
    /// `a t ratio^n`.
    power: Fixed<N>,
    ratio: Fixed<N>,
    /// At most `8 r (1-r) / pi`, in units of `2^-32`.
    width: u64,
}

impl<const N: usize> Ceiling<N> {
    /// Bounds `sum_m (a b(m) - c b(m+1))_+`, `a < c`, for the binomial `b` of `n` people with probability `p`.
    ///
    /// Take any `1 < t <= c/a`, and let `m` be the first positive term. As `b(m)/b(m+1)` grows, all terms from there on
    /// are positive, and their sum is `a b(m) - (c-a) (b(m+1) + ...) <= a b(m)`. Now `b(m) = t^-m E[t^W] B(m)`, where
    /// `B` is the binomial law with probability `r = p t/(1-p+p t)`. The term is positive, so `B(m) > B(m+1)`: `m` is
    /// not below the mode of `B`, `floor((n+1) r) > n r - 1`. So the sum is at most `a t ((1-p+p t) t^-r)^n B(m)`.
    ///
    /// The power falls: its base is `e^-KL(r||p)`. And `B(m) <= (1/2 pi) integral |1-r+r e^iu|^n du`, where
    /// `|1-r+r e^iu|^2 = 1 - 2r(1-r)(1 - cos u) <= e^(-4r(1-r) u^2/pi^2)`, so `B(m) <= sqrt(pi / (8 n r (1-r)))`.
    ///
    /// Any mechanism sees the sampled count at most, and telling it is the case of all `m >= 0`: so this bounds every
    /// mechanism, forwards with `a = e^-E p`, `c = 1 - e^-E (1-p)`.
    pub(super) fn rising(a: &Enclosure, c: &Enclosure, chance: &Rational) -> Option<Self> {
        if a.upper() <= Rational::ZERO {
            return None;
        }
        let largest = Rational::from(Integer::ONE << 40);
        let quotient = (c.lower() / a.upper()).min(largest);
        // With t = 1 the argument is the same, for a <= c.
        let tilt = Enclosure::rational(&quotient, 96).lower().max(Rational::ONE);
        let bits = Fixed::<N>::BITS + 64;
        let total = Rational::ONE - chance + chance * &tilt;
        let tilted = chance * &tilt / &total;
        let logarithm = Enclosure::rational(&tilted, bits).times(&ln(&tilt, bits));
        let ratio = Enclosure::rational(&total, bits).times(&logarithm.exp_neg());
        let start = Enclosure::rational(&(a.upper() * &tilt), bits);
        let spread = &tilted * (Rational::ONE - &tilted) * Rational::from(8u8)
            / Rational::from_parts(31_416.into(), 10_000u32.into());
        let width = (spread * Rational::from(Natural::ONE << 32)).floor();
        Some(Ceiling {
            power: Fixed::rounding_up(&start),
            ratio: Fixed::rounding_up(&ratio).min(Fixed::one()),
            width: u64::try_from(&width).unwrap_or(0),
        })
    }

    /// Bounds `sum_j (a b(j) - c b(j-1))_+`: counting those who are not sampled, that is the sum above.
    pub(super) fn falling(a: &Enclosure, c: &Enclosure, chance: &Rational) -> Option<Self> {
        Self::rising(a, c, &(Rational::ONE - chance))
    }

    fn with_one_more(self) -> Self {
        // No less than the product, and never rising again.
        let power = self.power.times_rounding_down(self.ratio).plus(Fixed::units(1)).min(self.power);
        Ceiling { power, ..self }
    }

    /// Returns the ceiling for so many others.
    fn value(&self, others: u64) -> Fixed<N> {
        // root / 2^32 <= sqrt(n * width / 2^32)
        let root = ((u128::from(others) * u128::from(self.width)) << 32).isqrt();
        if root <= 1 << 32 {
            return self.power;
        }
        let inverse = Integer::from((1u128 << 94).div_ceil(root));
        let inverse = Fixed::rounding_up(&Enclosure::between(inverse.clone(), inverse, 62));
        self.power.times_rounding_down(inverse).plus(Fixed::units(1))
    }
}

/// The largest delta so far, and where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peak<const N: usize> {
    pub(super) found: Shrunk<N>,
    pub(super) others: u64,
    work: u64,
}

impl<const N: usize> Peak<N> {
    pub(super) fn new() -> Self {
        Peak { found: Shrunk::NONE, others: 0, work: 0 }
    }

    /// Looks at `n = 0, 1, ...` others until the ceilings are below what was found, or below the floor.
    ///
    /// `delta` gets the laws with `n` and with `n + 1` people, and returns also how many cells it worked through.
    pub(super) fn look(
        &mut self,
        odds: &Odds,
        ceilings: &[Option<Ceiling<N>>],
        mut delta: impl FnMut(&Binomial<N>, &Binomial<N>) -> Result<(Shrunk<N>, u64), SamplingError>,
    ) -> Result<(), SamplingError> {
        let tiny = odds.shrunk(&Rational::from_parts(1.into(), Natural::ONE << FLOOR_BITS));
        // Rounded up by a unit each time, a ceiling does not fall below the second of these.
        let floor = Fixed::<N>::rounding_down(&tiny).max(Fixed::units(1 << 20));
        let mut ceilings: Vec<Ceiling<N>> = ceilings.iter().flatten().copied().collect();
        let mut here = Binomial::of_nobody(&odds.chance);
        loop {
            let left = ceilings.iter().map(|ceiling| ceiling.value(here.others)).max().unwrap_or(Fixed::ZERO);
            if left <= self.found.low || left <= floor {
                self.found.high = self.found.high.max(left);
                return Ok(());
            }
            let next = here.with_one_more();
            let (found, cells) = delta(&here, &next)?;
            if found.low > self.found.low {
                self.others = here.others;
            }
            self.found = self.found.max(found);
            self.work += cells;
            if self.work > MAX_WORK {
                return Err(SamplingError::TooManyPeople { others: here.others });
            }
            here = next;
            ceilings.iter_mut().for_each(|ceiling| *ceiling = ceiling.with_one_more());
        }
    }
}

/// The epsilon that is accounted for, and the probability of the worst population.
#[derive(Debug, Clone)]
pub(super) struct Odds {
    /// What was asked for.
    asked: Rational,
    /// What is accounted for.
    pub(super) epsilon: Rational,
    /// `e^-epsilon`.
    pub(super) shrink: Enclosure,
    /// Of every other person.
    pub(super) chance: Rational,
}

impl Odds {
    /// Returns what is accounted for at an epsilon; a delta at `needed` or above, if smaller, is not less.
    pub(super) fn new(epsilon: &Rational, chance: &Rational, needed: &Rational) -> Result<Self, SamplingError> {
        if epsilon <= &Rational::ZERO {
            return Err(SamplingError::NotPositive);
        }
        let largest = Rational::from(LARGEST_EPSILON).max(needed.clone());
        let accounted = epsilon.clone().min(largest);
        let shrink = exp_neg(&accounted, bits_for(&accounted));
        Ok(Odds { asked: epsilon.clone(), epsilon: accounted, shrink, chance: chance.clone() })
    }

    /// `factor * e^-epsilon`.
    pub(super) fn shrunk(&self, factor: &Rational) -> Enclosure {
        self.rational(factor).times(&self.shrink)
    }

    /// A rational at the precision of `e^-epsilon`.
    pub(super) fn rational(&self, value: &Rational) -> Enclosure {
        Enclosure::rational(value, self.shrink.bits())
    }

    /// Returns a delta from its bounds.
    fn enlarged<const N: usize>(&self, found: Shrunk<N>) -> Enclosure {
        let units = |fixed: Fixed<N>| Integer::from(fixed.to_units());
        let bits = self.shrink.bits().max(Fixed::<N>::BITS + 64);
        Enclosure::between(units(found.low.min(found.high)), units(found.high), Fixed::<N>::BITS)
            .with_bits(bits)
            .over(&exp_neg(&self.epsilon, bits))
    }

    /// Returns what was found.
    pub(super) fn sampled<const N: usize>(&self, peak: &Peak<N>) -> Sampled {
        let delta = Delta::exact(self.enlarged(peak.found));
        let tiny = Rational::ONE / Rational::from(Integer::from(10u8).pow(30));
        let exact = self.asked == self.epsilon && (is_tight(&delta.enclosure) || delta.upper_bound() < tiny);
        let tightness = if exact { Tightness::Exact } else { Tightness::UpperBound };
        Sampled { epsilon: self.asked.clone(), delta: Delta { tightness, ..delta }, worst: (0, peak.others) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::testing::number;

    /// `sum_m (a b(m) - c b(m+1))_+` and `sum_j (a b(j) - c b(j-1))_+`, in floats.
    fn sums(law: &Binomial<2>, a: f64, c: f64) -> (f64, f64) {
        let chance = |count: i64| law.at(count).low.to_f64();
        let all = -1..=law.others as i64 + 1;
        let rising = all.clone().map(|m| (a * chance(m) - c * chance(m + 1)).max(0.0)).sum();
        (rising, all.map(|j| (a * chance(j) - c * chance(j - 1)).max(0.0)).sum())
    }

    #[test]
    fn no_delta_is_above_its_ceiling_and_ceilings_fall() {
        for (probability, a, c) in [
            ("0.1", "0.08", "0.26"),
            ("0.1", "0.1", "0.101"),
            ("0.5", "0.2", "0.9"),
            ("0.9", "0.7", "0.75"),
            ("0.01", "0.009", "0.02"),
            ("0.3", "0.000001", "1"),
        ] {
            let enclose = |text: &str| Enclosure::rational(&number(text), 256);
            let (a, c, chance) = (enclose(a), enclose(c), number(probability));
            let mut rising = Ceiling::<2>::rising(&a, &c, &chance).expect("a ceiling");
            let mut falling = Ceiling::<2>::falling(&a, &c, &chance).expect("a ceiling");
            let mut law = Binomial::<2>::of_nobody(&chance);
            let mut before = (Fixed::one(), Fixed::one());
            for _ in 0..400 {
                let (up, down) = sums(&law, a.to_f64(), c.to_f64());
                let now = (rising.value(law.others), falling.value(law.others));
                // Trimmed cells show in the sums below 1e-34.
                assert!(up <= now.0.to_f64() * (1.0 + 1e-12) + 1e-34, "{probability} {}", law.others);
                assert!(down <= now.1.to_f64() * (1.0 + 1e-12) + 1e-34, "{probability} {}", law.others);
                assert!(now.0 <= before.0 && now.1 <= before.1);
                before = now;
                law = law.with_one_more();
                (rising, falling) = (rising.with_one_more(), falling.with_one_more());
            }
        }
    }

    #[test]
    fn a_search_that_would_not_end_is_given_up() {
        let odds = Odds::new(&number("1"), &number("0.1"), &Rational::ZERO).expect("odds");
        let flat = Ceiling::<2> { power: Fixed::one(), ratio: Fixed::one(), width: 0 };
        let mut peak = Peak::<2>::new();
        let refused = peak.look(&odds, &[Some(flat)], |_, _| Ok((Shrunk::NONE, MAX_WORK / 4)));
        assert_eq!(refused, Err(SamplingError::TooManyPeople { others: 4 }));
    }
}
