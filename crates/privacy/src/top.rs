//! How often the most frequent items are found and chosen, before any data is read.
//!
//! An item must first be found, by noise of its own on its count, and is then chosen among those that were found.
//! Chances are exact or rounded down, never up; a float decides nothing. It is separate from `utility.rs` because what
//! is published is a choice among places, not a number. Read `incrowd-noise`'s `top.rs` for how places are chosen.

use crate::curve::Epsilon;
use crate::interval::acceptance::last_true;
use crate::precision::places_for;
use crate::two_sided::TwoSided;
use incrowd_exact::{Enclosure, Rational, exp_neg};

/// Binary places of what is told.
const BITS: usize = 256;
/// No chance is compared more finely than with so many binary places.
const MOST_BITS: usize = 1 << 14;
/// No longer lead is looked for.
const FURTHEST: u64 = 1 << 62;

/// Returns the chance that permute-and-flip chooses the one best place when `others` places are exactly `lead` below
/// it.
///
/// The best place always passes, so it is chosen unless one that comes before it passes, each with `q = e^(-rate
/// lead)`. In a random order `0, 1, ..., N` of the others come before it, equally often: the mean of `(1-q)^j` over `j
/// = 0..=N` is `(1 - (1-q)^(N+1)) / ((N+1) q)`. Compared with all orders, written out, in the tests.
///
/// # Panics
/// If the rate is negative.
pub fn chance_of_the_best(rate: &Rational, lead: u64, others: u64) -> Enclosure {
    best_at(rate, lead, others, BITS)
}

/// Returns a lower bound, rounded down, of the chance that the true top `items` are all chosen, in any order.
///
/// The last of them must be ahead of every other place by at least `lead`, and there may be at most `others` other
/// places. The bound is `chance_of_the_best` to the power `items`, because in every round in which only top items are
/// gone:
/// - the best place `b` that is left is a top item, it passes surely, and every other place is at least `lead` below it
///   and so passes with at most `q`. If no other place before `b` passes, a top item is chosen: `b`, or one before it.
/// - Of the other places `j` come before `b`, every `j = 0..=N` equally often, wherever further top items stand: the
///   chance is at least the mean of `(1-q)^j`, which falls with `q` and with `N`. Larger leads, more leaders or fewer
///   others only help.
/// - This holds whatever the rounds before chose among the top items, so the chances of the rounds multiply.
///
/// # Panics
/// If the rate is negative.
pub fn chance_of_all(rate: &Rational, lead: u64, others: u64, items: u64) -> Rational {
    chance_of_the_best(rate, lead, others).power(items).lower().max(Rational::ZERO)
}

/// Returns a lower bound, rounded down, of the chance that `items` items of at least `count` people each are all found:
/// that each count, with discrete Laplace noise of this rate and its own, reaches the threshold.
///
/// The noises are independent, and more people only help: for items of exactly `count` people the power is the truth.
///
/// # Panics
/// If the rate is not positive.
pub fn chance_of_finding(rate: &Rational, threshold: i64, count: u64, items: u64) -> Rational {
    let centre = i64::try_from(count).unwrap_or(i64::MAX);
    let noisy = TwoSided { centre, rate: Epsilon::Finite(rate.clone()) };
    noisy.between(Some(threshold), None, BITS).power(items).lower().max(Rational::ZERO)
}

/// Returns the smallest count with which all of `items` items are found with at least this chance; nothing if no count
/// is enough, as for certainty.
pub fn count_for(rate: &Rational, threshold: i64, items: u64, chance: &Rational) -> Option<u64> {
    let short = |count: u64| &chance_of_finding(rate, threshold, count, items) < chance;
    // The search takes it for granted that zero passes its test.
    if !short(0) {
        return Some(0);
    }
    let last_short = last_true(FURTHEST, short);
    (last_short < FURTHEST).then(|| last_short + 1)
}

/// Returns the smallest lead at which all of the top `items` are chosen with at least this chance, by the bound of
/// [`chance_of_all`]; nothing if no lead is enough: for certainty, or at a rate of zero.
///
/// Decided exactly: away from lead zero the bound is a polynomial in `e^(-rate lead)`, which is transcendental, so it
/// never equals a rational and refining always tells which is larger.
pub fn lead_for(rate: &Rational, others: u64, items: u64, chance: &Rational) -> Option<u64> {
    if without_a_lead(others, items, chance) {
        return Some(0);
    }
    if !(rate > &Rational::ZERO && chance < &Rational::ONE) {
        return None;
    }
    let enough = |lead: u64| reaches(rate, lead, others, items, chance);
    let last_short = last_true(FURTHEST, |lead| !enough(lead));
    (last_short < FURTHEST).then(|| last_short + 1)
}

/// Whether `(1 / (others + 1))^items` is at least the chance.
fn without_a_lead(others: u64, items: u64, chance: &Rational) -> bool {
    if others == 0 || items == 0 {
        return chance <= &Rational::ONE;
    }
    // Every factor is at most one half, so either the items or the chance are soon used up.
    let places = Rational::from(others) + Rational::ONE;
    let mut product = Rational::ONE;
    let mut left = items;
    while left > 0 && &product >= chance && chance > &Rational::ZERO {
        product /= &places;
        left -= 1;
    }
    &product >= chance
}

fn reaches(rate: &Rational, lead: u64, others: u64, items: u64, chance: &Rational) -> bool {
    let mut bits = BITS;
    loop {
        let bound = best_at(rate, lead, others, bits).power(items);
        if &bound.lower() >= chance {
            return true;
        }
        if &bound.upper() < chance || bits >= MOST_BITS {
            return false;
        }
        bits *= 2;
    }
}

fn best_at(rate: &Rational, lead: u64, others: u64, bits: usize) -> Enclosure {
    let exponent = rate * Rational::from(lead);
    let one = Enclosure::one(bits);
    // With q below 2^-(bits + 64) what is missing to one is at most N q / 2, below a unit: (1-q)^j >= 1 - j q.
    if exponent > Rational::from(bits as u64 + 64) {
        return Enclosure::between(one.low_units() - 1, one.high_units().clone(), bits);
    }
    // The quotient by (N+1) q loses as many places as that has in front.
    let work = places_for(bits + 128, &exponent);
    let q = exp_neg(&exponent, work);
    let fails = Enclosure::one(work).minus(&q).positive_part();
    let all_fail = fails.power(others).times(&fails);
    let places = Enclosure::rational(&(Rational::from(others) + Rational::ONE), work);
    let best = Enclosure::one(work).minus(&all_fail).over(&places.times(&q)).with_bits(bits);
    Enclosure::between(best.low_units().clone(), best.high_units().min(one.high_units()).clone(), bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::testing::number;

    fn orders(places: usize) -> Vec<Vec<usize>> {
        if places == 0 {
            return vec![vec![]];
        }
        let insert =
            |order: Vec<usize>| (0..places).map(move |at| [&order[..at], &[places - 1], &order[at..]].concat());
        orders(places - 1).into_iter().flat_map(insert).collect()
    }

    /// The chance that the first `top` places are all chosen first: every order of every round, as it is defined.
    fn brute_force(rate: &Rational, scores: &[u64], top: usize) -> Enclosure {
        if top == 0 {
            return Enclosure::one(BITS);
        }
        let best = *scores.iter().max().expect("someone");
        let coin = |score: &u64| exp_neg(&(rate * Rational::from(best - score)), BITS);
        let coins: Vec<Enclosure> = scores.iter().map(coin).collect();
        let without = |place: usize| [&scores[..place], &scores[place + 1..]].concat();
        let later: Vec<Enclosure> = (0..top).map(|place| brute_force(rate, &without(place), top - 1)).collect();
        let orders = orders(scores.len());
        let all = Enclosure::integer(orders.len() as i64, BITS);
        let mut sum = Enclosure::zero(BITS);
        for order in orders {
            let mut all_failed = Enclosure::one(BITS);
            for place in order {
                let passed = all_failed.times(&coins[place]);
                if let Some(later) = later.get(place) {
                    sum = sum.plus(&passed.times(later));
                }
                all_failed = all_failed.minus(&passed);
            }
        }
        sum.over(&all)
    }

    fn is_near(one: &Enclosure, other: &Enclosure) -> bool {
        let slack = number("1e-60");
        one.lower() <= other.upper() + &slack && other.lower() <= one.upper() + slack
    }

    /// `P[count + DL(rate) >= threshold]`, summed value by value from the law's definition.
    fn found(rate: f64, threshold: i64, count: i64) -> f64 {
        let z = (-rate).exp();
        let mass = |value: i64| (1.0 - z) / (1.0 + z) * (-rate * (value - count).abs() as f64).exp();
        (threshold..threshold + 100_000).map(mass).sum()
    }

    #[test]
    fn items_are_found_as_often_as_their_noisy_counts_reach_the_threshold() {
        for (rate, threshold) in [("1/10", 133), ("1/5", 79), ("2", 8)] {
            let width = number(rate).to_f64().value();
            for count in [0, 1, 7, 8, 9, 60, 79, 90, 100, 133, 134, 200] {
                for items in [1, 2, 20] {
                    let told = chance_of_finding(&number(rate), threshold, count, items).to_f64().value();
                    let truth = found(width, threshold, count as i64).powi(items as i32);
                    assert!(
                        (told - truth).abs() <= 1e-9 * truth + 1e-60,
                        "{rate} {count} {items}: {told}, not {truth}"
                    );
                }
            }
        }
        // Two items of 100 and 90 people below a threshold of 133, with noise of epsilon 1/10: hardly ever.
        let both = chance_of_finding(&number("1/10"), 133, 100, 1) * chance_of_finding(&number("1/10"), 133, 90, 1);
        assert!(both > number("1.37e-4") && both < number("1.39e-4"));
    }

    #[test]
    fn the_count_is_the_smallest_that_is_enough() {
        for (rate, threshold) in [("1/10", 133), ("1/5", 79), ("3", 2)] {
            for items in [1, 20, 1000] {
                for chance in ["1/3", "0.975", "0.999999"].map(number) {
                    let enough = |count: u64| chance_of_finding(&number(rate), threshold, count, items) >= chance;
                    let count = count_for(&number(rate), threshold, items, &chance).expect("a count");
                    assert!(enough(count) && (count == 0 || !enough(count - 1)), "{rate} {items} {chance}: {count}");
                }
            }
        }
        assert_eq!(count_for(&number("1"), 5, 2, &Rational::ONE), None, "noise is never sure");
    }

    #[test]
    fn the_best_is_chosen_as_often_as_all_orders_say() {
        for rate in ["1/10", "1", "3"].map(number) {
            for others in 0..=5 {
                for lead in [0, 1, 4] {
                    let scores: Vec<u64> = [vec![7 + lead], vec![7; others as usize]].concat();
                    let chance = chance_of_the_best(&rate, lead, others);
                    assert!(is_near(&chance, &brute_force(&rate, &scores, 1)), "{rate} {lead} {others}");
                    assert!(chance.upper() - chance.lower() < number("1e-60"));
                }
            }
        }
    }

    #[test]
    fn the_bound_of_all_is_never_above_the_truth() {
        for rate in ["1/4", "2"].map(number) {
            for (scores, items, lead) in [
                (&[5, 3, 3][..], 1, 2),
                (&[5, 5, 4, 4], 2, 1),
                (&[9, 5, 4, 4], 2, 1),
                (&[9, 5, 4, 0], 2, 1),
                (&[9, 8, 7, 4, 4], 3, 3),
                (&[6, 6, 6, 6, 5], 4, 1),
                (&[3, 2, 2, 2], 1, 1),
                (&[4, 4, 4, 4, 4], 2, 0),
            ] {
                let others = (scores.len() - items) as u64;
                let bound = chance_of_all(&rate, lead, others, items as u64);
                let truth = brute_force(&rate, scores, items);
                let hair = number("1e-60");
                assert!(bound <= truth.upper(), "{scores:?} at {rate}");
                // Alone in front of places that are all at the lead, the bound is the truth.
                assert_eq!(items == 1, bound > truth.lower() - hair, "{scores:?} at {rate}");
            }
        }
    }

    #[test]
    fn a_long_lead_is_near_certain_and_never_more() {
        let rate = number("1/20");
        let mut before = Rational::ZERO;
        for lead in [0, 100, 400, 1000, 5000, 6399, 6400, 6401, 6500, 10_000, 1 << 40, u64::MAX] {
            let chance = chance_of_the_best(&rate, lead, 1_000_000_000);
            assert!(chance.lower() >= before && chance.upper() <= Rational::ONE, "{lead}");
            assert!(chance.upper() - chance.lower() < number("1e-60"), "{lead}");
            before = chance.lower();
        }
        // The chance of an error is N q / 2 where that is small: 5e8 e^-50.
        let miss = Rational::ONE - chance_of_the_best(&rate, 1000, 1_000_000_000).lower();
        assert!(miss < number("9.65e-14") && miss > number("9.64e-14"));
        assert!(chance_of_the_best(&rate, 7, u64::MAX).lower() > Rational::ZERO);
        assert!(chance_of_the_best(&number("1e-120"), 1, 5).upper() > number("1/6"));
    }

    #[test]
    fn the_lead_is_the_smallest_that_is_enough() {
        for rate in ["1/40", "1", "7"].map(number) {
            for others in [1, 30, 1_000_000_000] {
                for items in [1, 20] {
                    for chance in ["1/1000", "1/2", "0.95", "0.999999"].map(number) {
                        let lead = lead_for(&rate, others, items, &chance).expect("a lead");
                        let found = |lead| chance_of_all(&rate, lead, others, items) >= chance;
                        assert!(found(lead), "{rate} {others} {items}");
                        assert!(lead == 0 || !found(lead - 1), "{rate} {others} {items} {lead}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_lead_is_not_asked_for_where_none_is_needed_or_none_helps() {
        let one = Rational::ONE;
        assert_eq!(lead_for(&one, 0, 3, &one), Some(0));
        assert_eq!(lead_for(&one, 5, 0, &one), Some(0));
        assert_eq!(lead_for(&one, 5, 1, &Rational::ZERO), Some(0));
        // Equal chances by drawing lots, and a hair more.
        assert_eq!(lead_for(&one, 2, 1, &number("1/3")), Some(0));
        assert_eq!(lead_for(&one, 2, 2, &number("1/9")), Some(0));
        assert_eq!(lead_for(&one, 2, 2, &number("0.1111111111111111111111111111111112")), Some(1));
        // 2^64 rounds, each missing with q / 2: 2^63 q <= 300 ln 10, and ln(2^63 / 690.8) = 37.1.
        assert_eq!(lead_for(&one, 1, u64::MAX, &number("1e-300")), Some(38));
        assert_eq!(lead_for(&one, 5, 1, &one), None);
        assert_eq!(lead_for(&one, 5, 1, &number("2")), None);
        assert_eq!(lead_for(&Rational::ZERO, 5, 1, &number("1/2")), None);
        assert_eq!(lead_for(&number("1e-30"), 5, 1, &number("1/2")), None);
        let nearly = one.clone() - number("1e-300");
        // N q / 2 <= 1e-300 with N = 2: 300 ln 10 = 690.8.
        assert_eq!(lead_for(&one, 2, 1, &nearly), Some(691));
    }
}
