//! How far noise moves a synthetic point: a bound for plans, which tests compare with the exact chance.
//!
//! Bounds are rounded up, never down, and no float decides. It is separate from `points.rs` because it knows of rates
//! and distances only, not of cells. Read `points.rs` for the grid that distances are counted on.

use crate::interval::acceptance::last_true;
use incrowd_exact::{Enclosure, Integer, Rational, exp_neg};

/// Binary places of a chance.
const BITS: usize = 256;
/// Chances below `e^-4096` are only known to be that small.
const MOST_EXPONENT: u64 = 4096;
/// No chance is compared more finely than with so many binary places.
const MOST_BITS: usize = 1 << 14;
/// No longer distance is looked for.
const FURTHEST: u64 = 1 << 61;

/// Returns the smallest distance in steps whose bound by [`bound_at`] is at most this chance; nothing if there is none,
/// because the chance or the rate is not positive. Without a rate there is no noise.
///
/// Decided exactly: the bound is one, or a rational times `e^-x`, which no rational equals.
pub fn displacement_within(rate: Option<&Rational>, dimensions: u64, chance: &Rational) -> Option<u64> {
    let rate = match rate {
        Some(rate) if dimensions > 0 => rate,
        Some(_) | None => return (chance >= &Rational::ZERO).then_some(0),
    };
    let enough = |distance: u64| {
        let mut bits = BITS;
        loop {
            let bound = bound_at(rate, dimensions, distance, bits);
            if &bound.upper() <= chance {
                return true;
            }
            if &bound.lower() > chance || bits >= MOST_BITS {
                return false;
            }
            bits *= 2;
        }
    };
    if enough(0) {
        return Some(0);
    }
    if !(chance > &Rational::ZERO && rate > &Rational::ZERO) {
        return None;
    }
    let last_short = last_true(FURTHEST, |distance| !enough(distance));
    (last_short < FURTHEST).then(|| last_short + 1)
}

/// Returns an upper bound of the chance that noise moves a point by more than `distance` steps, all coordinates
/// together.
///
/// Discrete Laplace noise has `P(|G| >= m) = 2 q^m / (1+q) <= q^(m - 1/2)` for `m >= 1`, `q = e^-rate`, because `2
/// sqrt(q) <= 1 + q`: it is at most an exponential variate and one half. So `d` of them are at most an Erlang variate
/// and `d/2`, and being whole, more than `distance` is at least `distance + 1`: the bound is `e^-x (1 + x + ... +
/// x^(d-1)/(d-1)!)`, `x = rate (distance + 1 - d/2)`, and one for `x <= 0`. This is CB Proposition 11 with the tail of
/// `docs/errata.md` 4.4; for `n` points multiply by `n`.
fn bound_at(rate: &Rational, dimensions: u64, distance: u64, bits: usize) -> Enclosure {
    if dimensions == 0 {
        return Enclosure::zero(bits);
    }
    let beyond = Rational::from(Integer::from(distance) + 1) - Rational::from(dimensions) / Rational::from(2u8);
    let x = rate * beyond;
    if x <= Rational::ZERO {
        return Enclosure::one(bits);
    }
    let whole = u64::try_from(&x.ceil()).unwrap_or(u64::MAX).min(MOST_EXPONENT);
    let work = bits + 3 * whole as usize;
    let factor = Enclosure::rational(&x, work);
    let mut term = exp_neg(&x, work);
    let mut sum = term.clone();
    for j in 1..dimensions {
        term = term.times(&factor).over(&Enclosure::rational(&Rational::from(j), work));
        sum = sum.plus(&term);
    }
    let most = Enclosure::one(work).high_units().clone();
    Enclosure::between(sum.low_units().clone().min(most.clone()), sum.high_units().clone().min(most), work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::Natural;
    use incrowd_exact::testing::number;

    /// The bound as it is reported, rounded up.
    fn displacement_bound(rate: Option<&Rational>, dimensions: u64, distance: u64) -> Rational {
        rate.map_or(Rational::ZERO, |rate| bound_at(rate, dimensions, distance, BITS).upper())
    }

    /// The chance that noise moves a point by more than `distance` steps, exactly; for short distances.
    ///
    /// A noise vector has chance `((1-q)/(1+q))^d q^n`, `n` the sum of its absolute values, so this is one minus the
    /// sum of that over `n = 0..=distance` times how many vectors of whole numbers have the sum `n`.
    fn displacement_chance(rate: &Rational, dimensions: u64, distance: u64) -> Enclosure {
        let furthest = rate * Rational::from(Integer::from(distance) + 1);
        let whole = u64::try_from(&furthest.ceil()).unwrap_or(u64::MAX).min(MOST_EXPONENT);
        let work = BITS + 3 * whole as usize;
        let one = Enclosure::one(work);
        let q = exp_neg(rate, work);
        let mut within = Enclosure::zero(work);
        let mut power = one.clone();
        for vectors in vectors_by_sum(dimensions, distance) {
            within = within.plus(&power.times(&Enclosure::rational(&Rational::from(vectors), work)));
            power = power.times(&q);
        }
        let at_zero = one.minus(&q).positive_part().over(&one.plus(&q));
        one.minus(&within.times(&at_zero.power(dimensions))).positive_part()
    }

    /// How many vectors of whole numbers have absolute values that sum to `0, 1, ..., most`.
    ///
    /// One coordinate more turns counts `c` into `c(n) + 2 c(n-1) + 2 c(n-2) + ...`, which is the one before plus
    /// `c(n) + c(n-1)`.
    fn vectors_by_sum(dimensions: u64, most: u64) -> Vec<Natural> {
        let mut counts = vec![Natural::ZERO; most as usize + 1];
        counts[0] = Natural::ONE;
        for _ in 0..dimensions {
            for n in (1..counts.len()).rev() {
                let below = counts[n - 1].clone();
                counts[n] += below;
            }
            for n in 1..counts.len() {
                let before = counts[n - 1].clone();
                counts[n] += before;
            }
        }
        counts
    }

    /// The law of the sum of absolute values up to `most`, by folding the law of one coordinate.
    fn convolved(rate: &Rational, dimensions: u64, most: usize) -> Vec<Enclosure> {
        let q = exp_neg(rate, BITS);
        let one = Enclosure::one(BITS);
        let at_zero = one.minus(&q).over(&one.plus(&q));
        let single: Vec<Enclosure> =
            (0..=most).map(|m| at_zero.times(&q.power(m as u64)).times_integer(if m == 0 { 1 } else { 2 })).collect();
        let mut law = vec![Enclosure::zero(BITS); most + 1];
        law[0] = one;
        for _ in 0..dimensions {
            let at = |n: usize| (0..=n).fold(Enclosure::zero(BITS), |sum, m| sum.plus(&single[m].times(&law[n - m])));
            law = (0..=most).map(at).collect();
        }
        law
    }

    #[test]
    fn the_exact_chance_is_that_of_the_folded_laws() {
        for rate in ["1/20", "1/3", "2"].map(number) {
            for dimensions in 0..=4 {
                let mut within = Enclosure::zero(BITS);
                for (distance, mass) in (0u64..).zip(convolved(&rate, dimensions, 25)) {
                    within = within.plus(&mass);
                    let exact = displacement_chance(&rate, dimensions, distance);
                    let folded = Rational::ONE - within.upper();
                    let apart = exact.upper() - folded;
                    assert!(apart < number("1e-60") && -apart < number("1e-60"), "{rate} {dimensions} {distance}");
                }
            }
        }
    }

    #[test]
    fn vectors_are_counted_like_one_by_one() {
        let mut counts = vec![0u32; 7];
        for x in -6i32..=6 {
            for y in -6i32..=6 {
                for z in -6i32..=6 {
                    if let Some(count) = counts.get_mut((x.abs() + y.abs() + z.abs()) as usize) {
                        *count += 1;
                    }
                }
            }
        }
        assert_eq!(vectors_by_sum(3, 6), counts.into_iter().map(Natural::from).collect::<Vec<_>>());
    }

    #[test]
    fn the_bound_is_above_the_exact_chance_and_not_far() {
        for rate in ["1/50", "1/3", "1", "4"].map(number) {
            for dimensions in 1..=6 {
                for distance in [0, 1, 2, 3, 5, 9, 20, 60, 200] {
                    let bound = displacement_bound(Some(&rate), dimensions, distance);
                    let exact = displacement_chance(&rate, dimensions, distance);
                    assert!(bound >= exact.upper() && bound <= Rational::ONE, "{rate} {dimensions} {distance}");
                    // Slow noise is nearly continuous, and the bound nearly exact.
                    if rate == number("1/50") {
                        assert!(bound < exact.lower() * number("1.02"), "{dimensions} {distance}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_step_further_would_be_no_bound_and_the_tail_is_that_of_the_errata() {
        // Were x a step larger, the bound would fall below the truth.
        let rate = number("1/3");
        let wrong = displacement_bound(Some(&rate), 2, 21);
        assert!(wrong < displacement_chance(&rate, 2, 20).lower());
        // `docs/errata.md` 4.4: ten dimensions at x = 50 give 1.3e-12 where the printed bound is 0.067.
        let at_fifty = displacement_bound(Some(&Rational::ONE), 10, 54);
        assert!(at_fifty > number("1.2e-12") && at_fifty < number("1.3e-12"), "{}", at_fifty.to_f64().value());
    }

    #[test]
    fn the_distance_is_the_smallest_whose_bound_is_enough() {
        for rate in ["1e-5", "1/30", "1", "9"].map(number) {
            for dimensions in [1, 2, 10] {
                for chance in ["1/2", "1/20", "1e-6", "1e-30", "1e-300"].map(number) {
                    let distance = displacement_within(Some(&rate), dimensions, &chance).expect("a distance");
                    let bound = |distance| bound_at(&rate, dimensions, distance, 2048);
                    assert!(bound(distance).upper() <= chance, "{rate} {dimensions}");
                    assert!(distance == 0 || bound(distance - 1).lower() > chance, "{rate} {dimensions} {distance}");
                }
            }
        }
    }

    #[test]
    fn without_noise_nothing_moves_and_certainty_is_not_to_be_had() {
        let rate = Rational::ONE;
        assert_eq!(displacement_bound(None, 3, 0), Rational::ZERO);
        assert_eq!(displacement_within(None, 3, &Rational::ZERO), Some(0));
        assert_eq!(displacement_bound(Some(&rate), 0, 0), Rational::ZERO);
        assert_eq!(displacement_within(Some(&rate), 0, &Rational::ZERO), Some(0));
        assert_eq!(displacement_within(Some(&rate), 2, &Rational::ZERO), None);
        assert_eq!(displacement_within(Some(&rate), 2, &Rational::ONE), Some(0));
        assert_eq!(displacement_within(Some(&Rational::ZERO), 2, &number("1/2")), None);
        assert_eq!(displacement_bound(Some(&Rational::ZERO), 2, 100), Rational::ONE);
        assert_eq!(displacement_bound(Some(&rate), 9, 3), Rational::ONE);
        let far = displacement_bound(Some(&number("50")), 3, u64::MAX);
        assert!(far > Rational::ZERO && far < number("1e-300"));
    }
}
