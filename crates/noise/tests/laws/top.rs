//! Permute-and-flip, judged by its exact law; the law's own ratio between neighbours; and mutants.
//!
//! The law is the definition, written out order by order; it must never share a line with the sampler. It is separate
//! from `mechanisms.rs` because places are drawn, not values. Read `src/top.rs` for the claim.
//!
//! With `q = e^-rate` every coin is a power of `q`, so a law is a whole polynomial in `q` over `n!`. For a rational
//! rate `q` is transcendental: two polynomials agree at `q` only if they are the same, and "at most" is decided without
//! rounding.

use crate::budget::share;
use crate::judge::{Verdict, judge_counts};
use crate::number;
use incrowd_exact::{Enclosure, Rational, exp_neg};
use incrowd_noise::testing::SeededBits;
use incrowd_noise::{Bits, Geometric, SystemBits, TopChooser};
use std::cmp::Ordering;

const PLACES: usize = 256;
const DRAWS: u64 = 300_000;
const RATES: [&str; 3] = ["1/10", "1", "5/2"];

/// Coefficients of `1, q, q^2, ...`, without zeros at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Polynomial(Vec<i64>);

impl Polynomial {
    fn zero() -> Self {
        Polynomial(Vec::new())
    }

    fn one() -> Self {
        Polynomial(vec![1])
    }

    fn plus(&self, other: &Self, factor: i64) -> Self {
        let length = self.0.len().max(other.0.len());
        let at = |p: &Self, i: usize| p.0.get(i).copied().unwrap_or(0);
        let mut sum: Vec<i64> = (0..length).map(|i| at(self, i) + factor * at(other, i)).collect();
        while sum.last() == Some(&0) {
            sum.pop();
        }
        Polynomial(sum)
    }

    fn times_power(&self, power: u64) -> Self {
        if self.0.is_empty() {
            return Self::zero();
        }
        let mut shifted = vec![0; power as usize];
        shifted.extend(&self.0);
        Polynomial(shifted)
    }

    /// Returns the value at `q`, by Horner's rule.
    fn at(&self, q: &Enclosure) -> Enclosure {
        let add = |sum: Enclosure, coefficient: &i64| sum.times(q).plus(&Enclosure::integer(*coefficient, PLACES));
        self.0.iter().rev().fold(Enclosure::zero(PLACES), add)
    }
}

fn orders(places: &[usize]) -> Vec<Vec<usize>> {
    if places.is_empty() {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for first in places {
        let rest: Vec<usize> = places.iter().copied().filter(|place| place != first).collect();
        all.extend(orders(&rest).into_iter().map(|order| [vec![*first], order].concat()));
    }
    all
}

fn factorial(n: usize) -> i64 {
    (1..=n as i64).product()
}

/// Returns the chance of every place times `n!`: over all orders, the chance that all before it fail and it passes.
fn law(scores: &[u64]) -> Vec<Polynomial> {
    let best = scores.iter().max().copied().unwrap_or(0);
    let mut law = vec![Polynomial::zero(); scores.len()];
    for order in orders(&(0..scores.len()).collect::<Vec<_>>()) {
        let mut all_failed = Polynomial::one();
        for place in order {
            let passed = all_failed.times_power(best - scores[place]);
            law[place] = law[place].plus(&passed, 1);
            all_failed = all_failed.plus(&passed, -1);
        }
    }
    law
}

fn chances(scores: &[u64], rate: &Rational) -> Vec<Enclosure> {
    let all = Enclosure::integer(factorial(scores.len()), PLACES);
    let q = exp_neg(rate, PLACES);
    law(scores).iter().map(|polynomial| polynomial.at(&q).over(&all)).collect()
}

/// One or two people ahead, ties above and below, far behind.
const SCORES: [&[u64]; 9] =
    [&[4], &[3, 3], &[10, 9], &[0, 2], &[5, 5, 4], &[7, 6, 4], &[2, 0, 1, 0], &[8, 8, 7, 7], &[100, 101, 99, 3]];

fn first_choices(scores: &[u64], chooser: &TopChooser, bits: &mut impl Bits) -> Vec<u64> {
    let mut counts = vec![0; scores.len()];
    for _ in 0..DRAWS {
        counts[chooser.choose(scores, 1, bits)[0]] += 1;
    }
    counts
}

fn judge_first(scores: &[u64], rate: &Rational, counts: &[u64], alpha: f64) -> Verdict {
    let expected: Vec<f64> = chances(scores, rate).iter().map(|chance| chance.to_f64().min(1.0)).collect();
    judge_counts(counts, &expected, DRAWS, alpha)
}

/// One part of the share for every list of scores at every rate, and one for pairs at every rate.
fn alpha() -> f64 {
    share("top places") / (RATES.len() * (SCORES.len() + 1)) as f64
}

#[test]
fn one_choice_follows_its_law() {
    let mut bits = SystemBits::new().expect("entropy");
    for rate in RATES.map(number) {
        let chooser = TopChooser::new(&rate).expect("a rate");
        for scores in SCORES {
            let counts = first_choices(scores, &chooser, &mut bits);
            assert_eq!(judge_first(scores, &rate, &counts, alpha()), Verdict::Accepted, "{scores:?} at {rate}");
        }
    }
}

#[test]
fn a_second_choice_follows_the_law_among_those_that_are_left() {
    let mut bits = SystemBits::new().expect("entropy");
    let scores = [3, 2, 2, 0];
    for rate in RATES.map(number) {
        let chooser = TopChooser::new(&rate).expect("a rate");
        let mut counts = [[0; 4]; 4];
        for _ in 0..DRAWS {
            let chosen = chooser.choose(&scores, 2, &mut bits);
            counts[chosen[0]][chosen[1]] += 1;
        }
        let first = chances(&scores, &rate);
        let mut expected = Vec::new();
        for (one, chance_of_one) in first.iter().enumerate() {
            let left: Vec<usize> = (0..4).filter(|place| *place != one).collect();
            let second = chances(&left.iter().map(|place| scores[*place]).collect::<Vec<_>>(), &rate);
            for other in 0..4 {
                let chance = left.iter().position(|place| *place == other).map(|at| chance_of_one.times(&second[at]));
                expected.push(chance.map_or(0.0, |chance| chance.to_f64()));
            }
        }
        assert_eq!(judge_counts(counts.as_flattened(), &expected, DRAWS, alpha()), Verdict::Accepted, "at {rate}");
    }
}

/// Places far enough apart for everything that is wrong below to show.
const APART: &[u64] = &[2, 0, 1, 0];

/// Mutants use fixed seeds: they fail always or never.
#[test]
fn choosers_of_another_rate_are_rejected() {
    for (seed, rate) in RATES.map(number).iter().enumerate() {
        let mut bits = SeededBits::from_seed(seed as u64);
        let mut verdict = |factor: &str| {
            let chooser = TopChooser::new(&(rate * number(factor))).expect("a rate");
            judge_first(APART, rate, &first_choices(APART, &chooser, &mut bits), alpha())
        };
        assert_eq!(verdict("1"), Verdict::Accepted, "honest at {rate}");
        for factor in ["2", "1/2", "5/4", "4/5"] {
            assert_eq!(verdict(factor), Verdict::Rejected, "times {factor} at {rate}");
        }
    }
}

#[test]
fn choosers_without_a_random_order_and_the_exponential_mechanism_are_rejected() {
    let rate = Rational::ONE;
    let mut bits = SeededBits::from_seed(0);
    let coin = Geometric::new(&rate).expect("a rate");
    let mut in_order = vec![0; APART.len()];
    for _ in 0..DRAWS {
        let passes = |place: &usize| coin.draw(&mut bits) >= 2 - APART[*place] as i64;
        in_order[[3, 2, 1, 0].into_iter().find(passes).expect("the best passes")] += 1;
    }
    assert_eq!(judge_first(APART, &rate, &in_order, alpha()), Verdict::Rejected);
    // The expected counts themselves: right ones are accepted, those of chances like e^score are not.
    let expected = |chances: Vec<f64>| chances.iter().map(|chance| (DRAWS as f64 * chance) as u64).collect::<Vec<_>>();
    let right = expected(chances(APART, &rate).iter().map(Enclosure::to_f64).collect());
    assert_eq!(judge_first(APART, &rate, &right, alpha()), Verdict::Accepted);
    let weights: Vec<f64> = APART.iter().map(|score| (*score as f64).exp()).collect();
    let exponential = expected(weights.iter().map(|weight| weight / weights.iter().sum::<f64>()).collect());
    assert_eq!(judge_first(APART, &rate, &exponential, alpha()), Verdict::Rejected);
}

/// Every list of `n` scores up to `most`.
fn lists(n: usize, most: u64) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    for _ in 0..n {
        all = all
            .into_iter()
            .flat_map(|list: Vec<u64>| (0..=most).map(move |score| [list.clone(), vec![score]].concat()))
            .collect();
    }
    all
}

/// Returns how much of `q * more` is missing in `less`; at least zero if the ratio is at most `e^rate`.
fn slack(more: &Polynomial, less: &Polynomial) -> Polynomial {
    less.plus(&more.times_power(1), -1)
}

fn is_negative(slack: &Polynomial, q: &Enclosure) -> bool {
    // A polynomial other than zero is not zero at q, so enough binary places tell its sign.
    *slack != Polynomial::zero() && slack.at(q).sign().expect("decided") == Ordering::Less
}

#[test]
fn one_more_person_costs_the_rate_and_no_less() {
    let qs = RATES.map(|rate| exp_neg(&number(rate), PLACES));
    for n in 1..=4 {
        let (mut attained, mut pairs) = (0, 0);
        for scores in lists(n, 3) {
            let before = law(&scores);
            for moved in 1..1u64 << n {
                let raised: Vec<u64> =
                    scores.iter().enumerate().map(|(place, score)| score + (moved >> place & 1)).collect();
                for (without, with) in before.iter().zip(&law(&raised)) {
                    for slack in [slack(with, without), slack(without, with)] {
                        attained += u64::from(slack == Polynomial::zero());
                        pairs += 1;
                        assert!(!qs.iter().any(|q| is_negative(&slack, q)), "{scores:?} {raised:?}");
                    }
                }
            }
        }
        // A place that is alone is always chosen.
        assert_eq!(attained > 0, n > 1, "{attained} of {pairs}");
    }
}

#[test]
fn scores_that_move_apart_would_cost_more() {
    let (before, after) = (law(&[2, 2]), law(&[1, 3]));
    let slack = slack(&before[0], &after[0]);
    assert!(RATES.iter().all(|rate| is_negative(&slack, &exp_neg(&number(rate), PLACES))));
}
