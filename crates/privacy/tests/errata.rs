//! Printed statements that are wrong, each shown to break its own claim, so that nobody brings them back.

use incrowd_exact::Rational;
use incrowd_exact::testing::number;
use incrowd_privacy::{
    Bound, BoundParameters, Curve, Deployed, Epsilon, LowerBound, Mechanism, Outcome, Promise, RelayTable, SideOutput,
    TwoSided, Universe,
};
use std::collections::BTreeMap;
use std::sync::Arc;

fn finite(text: &str) -> Epsilon {
    Epsilon::Finite(number(text))
}

fn noisy(centre: i64, rate: f64) -> TwoSided {
    TwoSided { centre, rate: Epsilon::Finite(number(&format!("{rate:.12}"))) }
}

fn parameters(bound: Bound, epsilon_a: &str, alpha: &str, grid: &str) -> BoundParameters {
    BoundParameters {
        bound,
        epsilon_a: number(epsilon_a),
        delta_a: Some(number("1e-6")),
        grid: number(grid),
        alpha: number(alpha),
    }
}

fn closed(mechanism: Mechanism) -> Deployed {
    Deployed { mechanism, universe: Universe::Closed, publish_from: None }
}

/// OP Example 8, bullet 4, printed with minus: `docs/errata.md` 1.1.
#[test]
fn subtracting_alpha_from_the_inverse_publishes_the_exact_count() {
    let curve =
        Promise::Table { values: (1..=10).map(|k| finite(&format!("{k}/5"))).collect() }.curve().expect("a curve");
    let bound = LowerBound::new(&curve, parameters(Bound::GlobalInverse, "0.1", "10", "0.01")).expect("a bound");
    // The corrected number is centred at R(3) + a; as printed it would be R(3) - a, and numbers up to 0 mean infinity.
    let corrected = bound.number(3);
    let aim = 167; // ceil(1 / (0.01 * 0.6))
    let printed = TwoSided { centre: 2 * aim - corrected.centre, rate: corrected.rate.clone() };
    assert_eq!(bound.epsilon_total(0), Epsilon::Infinite);
    let exact_count = printed.between(None, Some(0), 256).to_f64();
    assert!(exact_count > 0.9999, "{exact_count}");
    // Exactly published counts 3 and 2 have nothing in common, so delta is at least that; corrected it is as claimed.
    let deployed = closed(Mechanism::General { bound: Arc::new(bound), side_output: SideOutput::Published });
    let delta = deployed.delta(3, &curve.epsilon(3)).expect("an account").upper_bound();
    assert!(delta <= number("2.3e-5"), "{}", delta.to_f64().value());
}

/// OP Example 8, bullets 3 and 5, with S* as printed: `docs/errata.md` 1.2.
#[test]
fn the_printed_smooth_sensitivity_is_not_smooth() {
    let (epsilon_a, delta_a) = (0.5f64, 1e-6f64);
    let beta = epsilon_a / (2.0 * (2.0 / delta_a).ln());
    let f = |k: i64| k.min(2) as f64;
    let printed =
        |k: i64| (0..1000).map(|j| (f(k) - f(j)).abs() * (-beta * k.abs_diff(j) as f64).exp()).fold(0.0, f64::max);
    let units = 100_000.0; // a fine grid stands for the real line
    let law = |k: i64, alpha: f64| {
        let scale = 2.0 * printed(k) * units / epsilon_a;
        noisy((f(k) * units - alpha * scale) as i64, 1.0 / scale)
    };
    let alpha = (1.0 / (2.0 * delta_a)).ln();
    let without_shift = law(0, 0.0).delta(&law(1, 0.0), &number("0.5")).to_f64();
    let with_shift = law(0, alpha).delta(&law(1, alpha), &number("0.5")).to_f64();
    assert!((0.14..0.16).contains(&without_shift), "{without_shift}");
    assert!((0.97..0.99).contains(&with_shift), "{with_shift}");
}

/// The shift itself depends on the data: `docs/errata.md` 1.3, the factor and the floor.
#[test]
fn a_shift_that_moves_with_the_data_needs_factor_four_and_a_floor() {
    let (epsilon_a, delta_a) = (0.5f64, 1e-6f64);
    let beta = epsilon_a / (2.0 * (2.0 / delta_a).ln());
    let alpha = (1.0 / (2.0 * delta_a)).ln();
    let units = 1e6;
    // f concave with increments e^(-beta k), so that the genuine smooth sensitivity is e^(-beta k).
    let f = |k: i64| (0..k).map(|j| (-beta * j as f64).exp()).sum::<f64>();
    let law = |k: i64| {
        let scale = 2.0 * (-beta * k as f64).exp() * units / epsilon_a;
        noisy((f(k) * units - alpha * scale) as i64, 1.0 / scale)
    };
    let factor_two = (1..60).map(|k| law(k).delta(&law(k - 1), &number("0.5")).to_f64()).fold(0.0, f64::max);
    assert!(factor_two > 5e-4, "{factor_two}");

    // Without the floor the noise vanishes while the whole-number shift still steps from 2 to 1.
    let unfloored = TwoSided { centre: 60 - 2, rate: finite("9.9") }
        .delta(&TwoSided { centre: 60 - 1, rate: finite("9.9") }, &number("0.5"))
        .to_f64();
    assert!(unfloored > 0.999, "{unfloored}");
    let curve = Curve::steps(vec![(899, finite("0.6"))], finite("1")).expect("a curve");
    let bound =
        LowerBound::new(&curve, parameters(Bound::SmoothEpsilon, "0.5", "10", "0.01")).expect("a certified bound");
    let worst = (1..=bound.constant_from() + 1).map(|k| bound.step_delta(k).to_f64()).fold(0.0, f64::max);
    assert!(worst <= 1e-6, "{worst}");
}

/// Continuous tails for discrete noise: `docs/errata.md` 1.7 and 2.11.
#[test]
fn continuous_tails_understate_discrete_noise() {
    for (rate, alpha) in [(1.0f64, 1.999f64), (2.0, 3.9)] {
        let law = noisy(0, rate);
        let beyond = law.between(Some((alpha / rate).floor() as i64 + 1), None, 256).to_f64();
        assert!(beyond > (-alpha).exp() / 2.0, "{beyond}");
        let whole = (alpha / rate).ceil() as i64;
        assert!(law.between(Some(whole + 1), None, 256).to_f64() < (-alpha).exp() / 2.0);
    }
    let two_sided = 2.0 * noisy(0, 1.0).between(Some(1), None, 256).to_f64();
    assert!(two_sided > (-1.0f64).exp() && (two_sided - 0.538).abs() < 1e-3, "{two_sided}");
}

/// SSB Theorem 2's exponent: `docs/errata.md` 2.1, on the law of the range mechanism for several people at once.
#[test]
fn the_printed_exponent_of_ranges_is_too_large() {
    for (people, half_width, claimed, exact) in [(10u64, 50u64, 2.74e-3, 5.50e-3), (2, 10, 4.09e-3, 4.37e-3)] {
        let rate = Rational::ONE / Rational::from(people);
        let deployed = closed(Mechanism::Range { epsilon: rate, half_width });
        let law = |count: u64| -> BTreeMap<Outcome, f64> {
            let lines = deployed.law(count).expect("a law").lines;
            lines.into_iter().map(|line| (line.outcome, line.probability.to_f64())).collect()
        };
        let (here, before) = (law(1000), law(1000 - people));
        let e = 1.0f64.exp();
        let delta: f64 = here.iter().map(|(y, p)| (p - e * before.get(y).copied().unwrap_or(0.0)).max(0.0)).sum();
        assert!((delta / exact - 1.0).abs() < 5e-3, "{delta}");
        assert!(delta > claimed);
    }
}

/// SSB Theorem 4's lower bound below ln 2: `docs/errata.md` 2.6.
#[test]
fn the_relay_publishes_below_the_printed_lower_bound() {
    let (epsilon, delta, chance) = (0.1f64, 1e-6f64, 0.4f64);
    let printed = (chance / delta).ln() / epsilon - 1.0;
    assert!((printed - 127.99).abs() < 0.01, "{printed}");
    let corrected = (1.0 + chance * (epsilon.exp() - 1.0) / delta).ln() / epsilon - 1.0;
    let curve = Curve::constant(finite("0.1")).expect("a curve");
    let table = Arc::new(RelayTable::build(&curve, &number("1e-6")).expect("a table"));
    let published = |count: u64| {
        let deployed = Deployed {
            mechanism: Mechanism::Relay { curve: curve.clone(), table: Arc::clone(&table) },
            universe: Universe::Open,
            publish_from: None,
        };
        1.0 - deployed.utility(count).expect("a law").suppressed
    };
    assert!(published(107) >= chance && published(106) < chance);
    assert!(corrected < 107.0 && 107.0 < printed, "{corrected}");
}

/// LN Theorem 8 at c = 1: `docs/errata.md` 3.1.
#[test]
fn fading_noise_does_not_meet_its_own_curve() {
    let promise = Promise::Fading { group: 100, width: 35, epsilon: number("0.2"), factor: number("1") };
    let curve = promise.curve().expect("a curve");
    let deployed = closed(Mechanism::Fading { curve: curve.clone(), at_zero: number("7/100") });
    for (count, expected) in [(1u64, 1.8e-3), (65, 5.2e-3)] {
        let delta = deployed.delta(count, &curve.epsilon(count)).expect("an account").upper_bound().to_f64().value();
        assert!((delta / expected - 1.0).abs() < 0.1, "{count}: {delta}");
    }
    // With width * epsilon >= ln(1/delta) and a factor it does.
    let wide = Promise::Fading { group: 200, width: 70, epsilon: number("0.2"), factor: number("1") };
    let own = wide.curve().expect("a curve");
    let loosened = Promise::Fading { group: 200, width: 70, epsilon: number("0.2"), factor: number("1.5") };
    let worst = closed(Mechanism::Fading { curve: own, at_zero: number("7/100") })
        .worst(&loosened.curve().expect("a curve"))
        .expect("an account");
    assert!(worst.delta.upper_bound() <= number("2.4e-6"), "{}", worst.delta.upper_bound().to_f64().value());
}
