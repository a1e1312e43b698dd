//! The numbers of the papers, and what exact accounting makes of them.

use incrowd_exact::Rational;
use incrowd_exact::testing::number;
use incrowd_privacy::{Curve, Deployed, Epsilon, Mechanism, ParameterSearch, Promise, SideOutput, Universe, theorem};

fn finite(text: &str) -> Epsilon {
    Epsilon::Finite(number(text))
}

fn wanted<'a>(curve: &'a Curve, delta: &'a Rational, universe: Universe) -> ParameterSearch<'a> {
    ParameterSearch { curve, delta, universe, publish_from: None }
}

#[test]
fn the_exact_threshold_is_863_where_the_paper_takes_885_to_1751() {
    let (epsilon, delta) = (number("0.05"), number("1e-19"));
    let printed = ["1", "0.1", "0.01"].map(|gamma| theorem::printed_threshold(&epsilon, &delta, &number(gamma)));
    assert_eq!(printed, [1751, 964, 885]);
    let curve = Curve::constant(Epsilon::Finite(epsilon.clone())).expect("a curve");
    let found = wanted(&curve, &delta, Universe::Open)
        .smallest(2, |threshold| Mechanism::Threshold { epsilon: epsilon.clone(), threshold });
    assert_eq!(found, Ok(Some(863)));
}

#[test]
fn the_exact_half_width_is_802_where_the_paper_takes_1290() {
    let (epsilon, delta) = (number("0.05"), number("1e-19"));
    assert_eq!(theorem::printed_half_width(&epsilon, &delta, 1_000_000_000), 1290);
    let curve = Curve::constant(Epsilon::Finite(epsilon.clone())).expect("a curve");
    let found = wanted(&curve, &delta, Universe::Closed)
        .smallest(0, |half| Mechanism::Range { epsilon: epsilon.clone(), half_width: half as u64 });
    assert_eq!(found, Ok(Some(802)));
}

#[test]
fn empty_bins_of_a_universe_of_a_trillion_stay_hidden_from_322_on() {
    // ln(1e12 / 0.01) / 0.1 = 322.4
    let threshold = theorem::printed_sparse_threshold(&number("0.1"), &number("0.01"), 1_000_000_000_000);
    assert_eq!(threshold, 323);
}

#[test]
fn uniform_noise_gives_the_managers_away() {
    // OP Example 1: a hundred people in one of two bins; the fuller one is found with a chance of about 1 - exp(-50
    // eps).
    for epsilon in ["1/10", "1/5"] {
        let deployed = Deployed {
            mechanism: Mechanism::Geometric { epsilon: number(epsilon) },
            universe: Universe::Closed,
            publish_from: None,
        };
        let above_fifty = |count: u64| -> f64 {
            let lines = deployed.law(count).expect("a law").lines;
            let above = lines
                .iter()
                .filter(|line| matches!(line.outcome, incrowd_privacy::Outcome::Value(value) if value > 50));
            above.map(|line| line.probability.to_f64()).sum()
        };
        let found = above_fifty(100) * (1.0 - above_fifty(0));
        let claimed = 1.0 - (-50.0 * number(epsilon).to_f64().value()).exp();
        assert!((found - claimed).abs() < 1e-2, "{found} {claimed}");
    }
}

#[test]
fn offsets_of_one_level_are_a_fifth_below_the_theorems() {
    let delta = number("1e-6");
    for (group, epsilon, suppress, noise, printed) in
        [(10, "0.1", 107, 105, (132, 139)), (100, "0.1", 108, 107, (132, 139))]
    {
        let curve = Promise::SimpleOutlierDp { group, epsilon: finite(epsilon) }.curve().expect("a curve");
        let epsilon = number(epsilon);
        let wanted = wanted(&curve, &delta, Universe::Closed);
        let found = wanted.smallest(0, |offset| Mechanism::NoisySuppress { group, epsilon: epsilon.clone(), offset });
        assert_eq!(found, Ok(Some(suppress)));
        let found =
            wanted.smallest_offset(group, |offset| Mechanism::NoisyNoise { group, epsilon: epsilon.clone(), offset });
        assert_eq!(found, Ok(Some(noise)));
        let theorems = (theorem::suppress_offset(&epsilon, &delta), theorem::noise_offset(&epsilon, &delta));
        assert_eq!(theorems, printed);
    }
}

#[test]
fn staircase_levels_are_certified_on_the_exact_frontier() {
    for (thresholds, epsilons, delta, printed, most) in [
        (vec![100, 20], vec!["1", "1/2", "1/10"], "1e-6", vec![115, 65], 155),
        (vec![50, 10], vec!["1", "1/5", "1/20"], "1e-6", vec![65, 98], 113),
        (vec![100, 30, 5], vec!["1", "1/2", "1/4", "1/10"], "1e-6", vec![115, 75, 110], 188),
        (vec![200, 50, 10], vec!["1", "1/2", "1/5", "0"], "1e-6", vec![215, 95, 130], 329),
        (vec![100, 20], vec!["1", "1/2", "1/10"], "1e-9", vec![122, 85], 177),
    ] {
        let epsilons: Vec<Epsilon> = epsilons.into_iter().map(finite).collect();
        let delta = number(delta);
        let curve =
            Promise::Staircase { thresholds: thresholds.clone(), epsilons: epsilons.clone() }.curve().expect("a curve");
        let start = theorem::staircase_levels(&thresholds, &epsilons, &delta);
        assert_eq!(start, printed);
        let wanted = wanted(&curve, &delta, Universe::Closed);
        let levels = wanted
            .smallest_levels(&thresholds, &epsilons, SideOutput::Hidden, start)
            .expect("an account")
            .expect("levels");
        assert!(levels.iter().sum::<i64>() <= most, "{levels:?}");
        let deployed = |levels: Vec<i64>| Deployed {
            mechanism: Mechanism::Staircase { epsilons: epsilons.clone(), levels, side_output: SideOutput::Hidden },
            universe: Universe::Closed,
            publish_from: None,
        };
        // Certified, and on the frontier: one step down on any level that is above its threshold breaks the promise.
        assert!(deployed(levels.clone()).worst(&curve).expect("an account").delta.upper_bound() <= delta);
        for index in 0..levels.len() {
            let mut lower = levels.clone();
            lower[index] -= 1;
            if lower[index] >= thresholds[index] as i64 {
                let worst = deployed(lower).worst(&curve).expect("an account");
                assert!(worst.delta.upper_bound() > delta, "{levels:?} can be lowered at {index}");
            }
        }
    }
}

#[test]
fn very_large_epsilons_are_accounted_for_like_any_other() {
    // e^-300 vanishes in a few binary places; quick looks must take more of them.
    let promise = |factor: &str| {
        let promise = Promise::Fading { group: 20, width: 5, epsilon: number("300"), factor: number(factor) };
        promise.curve().expect("a curve")
    };
    let mechanism = Mechanism::Fading { curve: promise("1"), at_zero: number("75") };
    let deployed = Deployed { mechanism, universe: Universe::Closed, publish_from: None };
    assert!(deployed.worst(&promise("2")).expect("an account").delta.upper_bound() < number("1e-30"));
}
