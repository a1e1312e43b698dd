//! The tailored geometric against the best of all mechanisms, by a linear-programming solver that knows neither.

#![allow(clippy::needless_range_loop)] // indices are counts, guesses and symbols here

use incrowd_exact::parse_number;
use incrowd_privacy::{Curve, Deployed, Epsilon, Mechanism, Outcome, Universe};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};

/// Counts run from 0 to here.
const LAST: usize = 20;
/// What the solver's own tolerance allows.
const TOLERANCE: f64 = 1e-5;

type Loss = fn(usize, usize) -> f64;

fn curve(values: &[&str]) -> Curve {
    let values = values.iter().map(|text| match *text {
        "infinite" => Epsilon::Infinite,
        text => Epsilon::Finite(parse_number(text).expect("a number")),
    });
    // Counts stop at LAST, so whatever is published beyond says no more than LAST itself: the curve may end there.
    let mut values: Vec<Epsilon> = values.collect();
    let last = values[values.len() - 1].clone();
    values.resize(LAST, last);
    values.push(Epsilon::Infinite);
    Curve::table(values).expect("a curve")
}

fn exponent(curve: &Curve, count: usize) -> Option<f64> {
    curve.epsilon(count as u64).finite().map(|epsilon| epsilon.to_f64().value())
}

/// The chance of each published symbol at each count; "at most Z" is the symbol 0.
fn tailored(curve: &Curve) -> Vec<Vec<f64>> {
    let deployed = Deployed {
        mechanism: Mechanism::TailoredGeometric { curve: curve.clone() },
        universe: Universe::Closed,
        publish_from: None,
    };
    let rows = (0..=LAST as u64).map(|count| {
        let mut row = vec![0.0; LAST + 1];
        for line in deployed.law(count).expect("a law").lines {
            let symbol = match line.outcome {
                Outcome::Value(value) => value as usize,
                Outcome::AtMost(_) => 0,
                Outcome::Suppressed | Outcome::Range(_, _) => panic!("the tailored geometric shows a number"),
            };
            row[symbol] += line.probability.to_f64();
        }
        row
    });
    rows.collect()
}

/// The least expected loss of any mechanism that meets the curve, under a prior.
fn best_of_all(curve: &Curve, prior: &[f64], loss: Loss) -> f64 {
    let (mut problem, cells) = mechanisms(curve, |count, guess| prior[count] * loss(count, guess));
    meet(&mut problem, &cells, curve);
    solved(&problem)
}

/// The least worst-case loss of any mechanism that meets the curve.
fn best_worst_case_of_all(curve: &Curve, loss: Loss) -> f64 {
    let (mut problem, cells) = mechanisms(curve, |_, _| 0.0);
    meet(&mut problem, &cells, curve);
    let worst = problem.add_var(1.0, (0.0, f64::INFINITY));
    for (count, row) in cells.iter().enumerate() {
        let mut terms: Vec<(Variable, f64)> =
            row.iter().enumerate().map(|(guess, cell)| (*cell, loss(count, guess))).collect();
        terms.push((worst, -1.0));
        problem.add_constraint(terms, ComparisonOp::Le, 0.0);
    }
    solved(&problem)
}

fn mechanisms(_: &Curve, cost: impl Fn(usize, usize) -> f64) -> (Problem, Vec<Vec<Variable>>) {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let cells: Vec<Vec<Variable>> = (0..=LAST)
        .map(|count| (0..=LAST).map(|guess| problem.add_var(cost(count, guess), (0.0, 1.0))).collect())
        .collect();
    for row in &cells {
        problem.add_constraint(row.iter().map(|cell| (*cell, 1.0)).collect::<Vec<_>>(), ComparisonOp::Eq, 1.0);
    }
    (problem, cells)
}

fn meet(problem: &mut Problem, cells: &[Vec<Variable>], curve: &Curve) {
    for count in 1..=LAST {
        let Some(epsilon) = exponent(curve, count) else { continue };
        for guess in 0..=LAST {
            let (here, before) = (cells[count][guess], cells[count - 1][guess]);
            problem.add_constraint([(here, 1.0), (before, -epsilon.exp())], ComparisonOp::Le, 0.0);
            problem.add_constraint([(before, 1.0), (here, -epsilon.exp())], ComparisonOp::Le, 0.0);
        }
    }
}

/// The loss of the tailored geometric when every published symbol is read as the best guess.
fn tailored_loss(curve: &Curve, prior: &[f64], loss: Loss) -> f64 {
    let law = tailored(curve);
    (0..=LAST)
        .map(|symbol| {
            let cost =
                |guess| (0..=LAST).map(|count| prior[count] * law[count][symbol] * loss(count, guess)).sum::<f64>();
            (0..=LAST).map(cost).fold(f64::INFINITY, f64::min)
        })
        .sum()
}

fn tailored_worst_case(curve: &Curve, loss: Loss) -> f64 {
    let law = tailored(curve);
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let worst = problem.add_var(1.0, (0.0, f64::INFINITY));
    let reading: Vec<Vec<Variable>> =
        (0..=LAST).map(|_| (0..=LAST).map(|_| problem.add_var(0.0, (0.0, 1.0))).collect()).collect();
    for row in &reading {
        problem.add_constraint(row.iter().map(|cell| (*cell, 1.0)).collect::<Vec<_>>(), ComparisonOp::Eq, 1.0);
    }
    for count in 0..=LAST {
        let mut terms: Vec<(Variable, f64)> = vec![(worst, -1.0)];
        for symbol in 0..=LAST {
            for guess in 0..=LAST {
                terms.push((reading[symbol][guess], law[count][symbol] * loss(count, guess)));
            }
        }
        problem.add_constraint(terms, ComparisonOp::Le, 0.0);
    }
    solved(&problem)
}

fn solved(problem: &Problem) -> f64 {
    match problem.solve().expect("an optimum") {
        SolveOutcome::Solution(solution) => solution.objective(),
        SolveOutcome::Interrupted(_) => panic!("no limit was set"),
    }
}

fn distance(count: usize, guess: usize) -> f64 {
    count.abs_diff(guess) as f64
}

fn square(count: usize, guess: usize) -> f64 {
    (count.abs_diff(guess) as f64).powi(2)
}

fn wrong(count: usize, guess: usize) -> f64 {
    f64::from(u8::from(count != guess))
}

fn priors() -> [Vec<f64>; 3] {
    let flat = vec![1.0 / (LAST + 1) as f64; LAST + 1];
    let falling: Vec<f64> = (0..=LAST).map(|count| 0.3 * 0.7f64.powi(count as i32)).collect();
    let uneven: Vec<f64> = (0..=LAST).map(|count| ((count * 7 + 3) % 11) as f64 / 110.0).collect();
    [flat, falling, uneven]
}

fn curves() -> Vec<(&'static str, Curve)> {
    vec![
        ("constant", curve(&["1/2"])),
        ("step", curve(&["1/10", "1/10", "1/10", "1/10", "1/10", "1"])),
        ("line", curve(&["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8"])),
        ("uneven", curve(&["0.05", "0.3", "0.31", "0.9", "0.9", "1.7", "2.2"])),
        ("zero run", curve(&["0", "0", "0", "1/2"])),
        ("infinite tail", curve(&["0.4", "0.4", "0.4", "0.4", "0.4", "0.4", "0.4", "infinite"])),
    ]
}

#[test]
fn no_mechanism_that_meets_the_curve_has_a_smaller_expected_loss() {
    let losses: [(&str, Loss); 3] = [("distance", distance), ("square", square), ("wrong", wrong)];
    let priors = priors();
    for (index, (name, curve)) in curves().into_iter().enumerate() {
        for shift in 0..2 {
            let (loss_name, loss) = losses[(index + shift) % 3];
            let prior = &priors[(index + 2 * shift) % 3];
            let (best, ours) = (best_of_all(&curve, prior, loss), tailored_loss(&curve, prior, loss));
            assert!((best - ours).abs() < TOLERANCE, "{name}, {loss_name}: best {best}, tailored {ours}");
        }
    }
}

#[test]
fn no_mechanism_that_meets_the_curve_has_a_smaller_worst_case() {
    for (name, curve) in curves().into_iter().take(3) {
        let (best, ours) = (best_worst_case_of_all(&curve, distance), tailored_worst_case(&curve, distance));
        assert!((best - ours).abs() < TOLERANCE, "{name}: best {best}, tailored {ours}");
    }
}

#[test]
fn a_stricter_mechanism_is_found_to_be_worse() {
    // The solver is an opinion of its own only if it can disagree.
    let (asked, stricter) = (curve(&["1/2"]), curve(&["0.45"]));
    let prior = &priors()[0];
    assert!(tailored_loss(&stricter, prior, distance) > best_of_all(&asked, prior, distance) + 100.0 * TOLERANCE);
}
