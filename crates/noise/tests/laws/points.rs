//! Noisy points of a small cell, judged by their exact law; the law's own ratio between points; and mutants.
//!
//! The law is a product of discrete Laplace laws; it must never be taken from the sampler. It is separate from
//! `mechanisms.rs` because outcomes have several coordinates. Read `src/points.rs` for the claim.

use crate::budget::share;
use crate::judge::{Verdict, judge_counts};
use crate::number;
use incrowd_exact::{Enclosure, Rational, exp_neg};
use incrowd_noise::testing::SeededBits;
use incrowd_noise::{DiscreteLaplace, PointNoise, SystemBits};
use incrowd_privacy::points::{Lattice, radius, rate_for};
use std::ops::RangeInclusive;

const PLACES: usize = 256;
const DRAWS: u64 = 400_000;
/// Outputs further out are judged together.
const WINDOW: RangeInclusive<i64> = -6..=8;

type Point = [i64; 2];

/// Returns the places of a cell of three by two grid points, and the rate of its noise at epsilon 1.
fn cell() -> (Vec<Point>, Rational) {
    let axis = |to: &str| Lattice::new(vec![Rational::ZERO, number(to)], number("1/2")).expect("a grid");
    let axes = [axis("3/2"), axis("1")];
    let [(left, right), (bottom, top)] = [axes[0].range(0), axes[1].range(0)];
    let places = (left..=right).flat_map(|x| (bottom..=top).map(move |y| [x, y])).collect();
    (places, rate_for(&Rational::ONE, radius(&axes, &[0, 0])).expect("noise"))
}

fn distance(one: &Point, other: &Point) -> i64 {
    (one[0] - other[0]).abs() + (one[1] - other[1]).abs()
}

fn window() -> impl Iterator<Item = Point> {
    WINDOW.flat_map(|x| WINDOW.map(move |y| [x, y]))
}

/// Judges draws from a place: every output in the window, and all others together.
fn judge(from: &Point, rate: &Rational, alpha: f64, mut draw: impl FnMut() -> Point) -> Verdict {
    let side = WINDOW.count();
    let mut counts = vec![0; side * side + 1];
    for _ in 0..DRAWS {
        let out = draw();
        let inside = out.iter().all(|coordinate| WINDOW.contains(coordinate));
        let [x, y] = out.map(|coordinate| coordinate.saturating_sub(*WINDOW.start()) as usize);
        counts[if inside { x * side + y } else { side * side }] += 1;
    }
    let q = exp_neg(rate, PLACES);
    let one = Enclosure::one(PLACES);
    let at_zero = one.minus(&q).over(&one.plus(&q)).power(2);
    let law = window().map(|to| at_zero.times(&q.power(distance(from, &to) as u64)));
    let law: Vec<Enclosure> = law.collect();
    let outside = law.iter().fold(one, |left, chance| left.minus(chance));
    let chances: Vec<f64> = law.iter().chain([&outside]).map(Enclosure::to_f64).collect();
    judge_counts(&counts, &chances, DRAWS, alpha)
}

#[test]
fn points_of_a_cell_follow_their_law() {
    let (places, rate) = cell();
    assert_eq!((places.len(), &rate), (6, &number("1/3")));
    let noise = PointNoise::new(Some(&rate), 2).expect("a rate");
    let mut bits = SystemBits::new().expect("entropy");
    let mut out = Vec::new();
    for from in &places {
        let verdict = judge(from, &rate, share("noisy points") / 6.0, || {
            out.clear();
            noise.draw(from, &mut bits, &mut out);
            [out[0], out[1]]
        });
        assert_eq!(verdict, Verdict::Accepted, "from {from:?}");
    }
}

/// Rates off, the rate of a diameter that is too short, the same noise on both coordinates. Seeds are fixed.
#[test]
fn wrong_points_are_rejected() {
    let (_, rate) = cell();
    let alpha = share("noisy points") / 6.0;
    let mut bits = SeededBits::from_seed(0);
    // The longest side, two steps, in place of their sum: each coordinate would hide itself only.
    for wrong in ["1/2", "1/6", "2/3", "0.35", "0.315"] {
        let noise = PointNoise::new(Some(&number(wrong)), 2).expect("a rate");
        let verdict = judge(&[0, 0], &rate, alpha, || {
            let mut out = Vec::new();
            noise.draw(&[0, 0], &mut bits, &mut out);
            [out[0], out[1]]
        });
        assert_eq!(verdict, Verdict::Rejected, "rate {wrong}");
    }
    let single = DiscreteLaplace::new(&rate).expect("a rate");
    let twice = judge(&[0, 0], &rate, alpha, || [single.draw(&mut bits); 2]);
    assert_eq!(twice, Verdict::Rejected);
    let twins = judge(&[0, 0], &rate, alpha, || [single.draw(&mut bits), single.draw(&mut bits)]);
    assert_eq!(twins, Verdict::Accepted);
}

#[test]
fn no_output_tells_two_points_of_a_cell_apart_by_more_than_epsilon() {
    let (places, rate) = cell();
    let mut reached = Vec::new();
    for one in &places {
        for other in &places {
            // Chances are c q^distance with the same c: the logarithm of their ratio is the rate times a whole number.
            let exponents = window().map(|to| &rate * Rational::from(distance(other, &to) - distance(one, &to)));
            let largest = exponents.max().expect("an output");
            assert!(largest <= Rational::ONE, "{one:?} {other:?}");
            if largest == Rational::ONE {
                reached.push((*one, *other));
            }
        }
    }
    let corners = [([0, 0], [2, 1]), ([0, 1], [2, 0]), ([2, 0], [0, 1]), ([2, 1], [0, 0])];
    assert_eq!(reached, corners);
}
