//! What the relay promises, checked on the integers that it draws from.

use crate::curve::{Curve, Epsilon, Level, Run};
use crate::relay::mass::{Growth, Mass};
use crate::relay::walk::{Course, Ending, walk};
use crate::relay::{MAX_RELAY_CELLS, RelayError, RelayLaw, RelayTable, excess};
use incrowd_exact::testing::number;
use incrowd_exact::{Natural, Rational};
use proptest::prelude::*;

/// `"1/10 x8, 1"`: each value for so many counts, the last one for ever; `inf` is infinite.
fn curve(text: &str) -> Curve {
    let epsilon = |text: &str| if text == "inf" { Epsilon::Infinite } else { Epsilon::Finite(number(text)) };
    let mut steps = Vec::new();
    let mut to = 0;
    let mut beyond = None;
    for part in text.split(", ") {
        match part.split_once(" x") {
            Some((value, times)) => {
                to += times.parse::<u64>().expect("a number of counts");
                steps.push((to, epsilon(value)));
            }
            None => beyond = Some(epsilon(part)),
        }
    }
    Curve::steps(steps, beyond.expect("a last value")).expect("a curve")
}

fn line(slope: &str) -> Curve {
    Curve::from_runs(vec![Run { from: 1, to: None, level: Level::Proportional(number(slope)) }]).expect("a curve")
}

fn table(curve: &Curve, delta: &str) -> RelayTable {
    RelayTable::build(curve, &number(delta)).expect("a table")
}

fn share(mass: &Natural) -> f64 {
    Rational::from_parts(mass.clone().into(), Natural::ONE << 128).to_f64().value()
}

fn published_share(table: &RelayTable, count: u64) -> f64 {
    share(&table.publication(count))
}

/// Curves of every kind, with a delta each.
fn cases() -> Vec<(Curve, &'static str)> {
    vec![
        (curve("1"), "1e-6"),
        (curve("1/10"), "1e-6"),
        (curve("1/12"), "1e-4"),
        (curve("1/3"), "1e-20"),
        (curve("5/2"), "1/100"),
        (curve("1"), "9/10"),
        (curve("60"), "1e-9"),
        (curve("100"), "1e-9"),
        (curve("1/10 x8, 1"), "1e-4"),
        (curve("1/50 x30, 1/5 x10, 3"), "1e-5"),
        (curve("0 x10, 1"), "1e-3"),
        (curve("0 x30, 1/2"), "1/20"),
        (curve("0 x4, 1/30 x20, 2"), "1/1000"),
        (curve("0"), "1/64"),
        (line("1/100"), "1e-6"),
        (line("1/3"), "1e-9"),
        (line("50"), "1e-4"),
        (curve("1/20 x20, inf"), "1e-6"),
        (curve("1 x5, inf"), "0"),
        (curve("0 x9, inf"), "1e-3"),
        (curve("0 x40, inf"), "1/16"),
        (curve("1 x200, inf"), "1e-6"),
        (curve("1/12 x300, inf"), "1e-3"),
    ]
}

/// The counts worth a look: all that the table has, the first shifted ones, and the last finite ones.
fn counts(table: &RelayTable) -> Vec<u64> {
    let end = table.closed_at().or(table.exact_from()).expect("every table ends");
    let mut counts: Vec<u64> = (1..=end + 30).collect();
    if let Some(exact) = table.exact_from() {
        counts.extend((exact.saturating_sub(30).max(end + 31))..=exact + 2);
    } else {
        counts.extend([1_000_000_000, 1_000_000_001, 1_000_000_000_000]);
    }
    counts
}

#[test]
fn publication_meets_the_bound_for_every_count() {
    for (curve, delta) in cases() {
        let table = table(&curve, delta);
        let delta = number(delta).to_f64().value();
        let mut bound = 0.0f64;
        for count in (1..).take_while(|count| *count <= 400.max(table.closed_at().unwrap_or(0) + 5)) {
            bound = match curve.epsilon(count) {
                Epsilon::Infinite => 1.0,
                Epsilon::Finite(epsilon) => {
                    let growth = epsilon.to_f64().value().exp();
                    (growth * bound + delta).min(1.0 - (1.0 - bound - delta) / growth).min(1.0)
                }
            };
            let published = published_share(&table, count);
            assert!((published - bound).abs() < 1e-12, "{curve:?} at {count}: {published} against {bound}");
        }
    }
}

#[test]
fn no_step_costs_more_than_delta() {
    for (curve, delta) in cases() {
        let table = table(&curve, delta);
        assert_eq!(table.delta_units(), (number(delta) * Rational::from(Natural::ONE << 128)).floor().into_parts().1);
        for count in counts(&table) {
            let cost = table.step_delta(count);
            assert!(cost <= table.delta_units(), "{curve:?} at {count}: {cost}");
        }
    }
}

#[test]
fn every_law_adds_up_to_the_whole_and_is_what_is_drawn() {
    for (curve, delta) in cases() {
        let table = table(&curve, delta);
        for count in counts(&table) {
            let law = table.law(count);
            let mut start = Natural::ZERO;
            let nothing = (None, law.nothing);
            for (value, mass) in [nothing].into_iter().chain(law.published.into_iter().map(|(v, m)| (Some(v), m))) {
                let end = &start + &mass;
                if mass > Natural::ZERO {
                    for word in [start, &end - Natural::ONE] {
                        let word = u128::try_from(&word).expect("a word");
                        assert_eq!(table.outcome(count, word), value, "{curve:?} at {count}");
                    }
                }
                start = end;
            }
            assert_eq!(start, Natural::ONE << 128, "{curve:?} at {count}");
        }
    }
}

#[test]
fn an_absent_bin_is_never_published() {
    let table = table(&curve("1"), "1e-6");
    assert_eq!(table.law(0), RelayLaw { nothing: Natural::ONE << 128, published: vec![] });
    assert_eq!((table.outcome(0, 0), table.outcome(0, u128::MAX)), (None, None));
    assert_eq!(table.step_delta(1), table.delta_units());
}

#[test]
fn the_figures_of_the_design_come_out() {
    let plain = table(&curve("1"), "1e-6");
    for (count, expected) in [(10, 0.013), (15, 0.890), (20, 0.999)] {
        assert!((published_share(&plain, count) - expected).abs() < 5e-4);
    }
    assert_eq!((plain.closed_at(), plain.first_value()), (Some(29), 14));
    // The window peaks at age 14, the rows before it at age 13: the labels that outlive the closing keep their value,
    // so the error first comes down to its final one.
    assert!((mean_error(&plain, 29) - 1.120).abs() < 5e-4);
    assert!((36..80).chain([1_000_000]).all(|count| (mean_error(&plain, count) - 0.851).abs() < 5e-4));
    let wide = table(&curve("1/10"), "1e-6");
    assert!(published_share(&wide, 108) < 0.5 && published_share(&wide, 109) > 0.5);
    let step = table(&curve("1/10 x8, 1"), "1e-4");
    assert!((published_share(&step, 15) - 0.814).abs() < 5e-4);
}

#[test]
fn small_epsilons_make_a_table_of_the_expected_size() {
    let table = table(&curve("1/100"), "1e-9");
    assert_eq!(table.cells(), 192_262);
    let closed = table.closed_at().expect("it closes");
    for count in (1..closed).step_by(97).chain(closed - 1..closed + 60) {
        assert!(table.step_delta(count) <= table.delta_units(), "at {count}");
    }
}

/// The mean of `|published - count|` at a count where everything is published.
fn mean_error(table: &RelayTable, count: u64) -> f64 {
    table.law(count).published.iter().map(|(value, mass)| value.abs_diff(count) as f64 * share(mass)).sum()
}

/// The sum over the given counts of `(published - count) * mass`.
fn bias(table: &RelayTable, counts: std::ops::Range<u64>) -> Rational {
    let mut sum = Rational::ZERO;
    for count in counts {
        for (value, mass) in table.law(count).published {
            sum += (Rational::from(value) - Rational::from(count)) * Rational::from(mass);
        }
    }
    sum
}

#[test]
fn large_counts_are_published_without_bias_and_no_worse_than_by_the_geometric() {
    // Labels of one count: no bias at any count. Of an odd number: none over as many counts in a row.
    for (epsilon, spacing) in [("1", 1), ("1/4", 1), ("3", 1), ("1/12", 3), ("1/20", 5), ("1/100", 25)] {
        let table = table(&curve(epsilon), "1e-5");
        let from = table.closed_at().expect("it closes") + 3 * 1000;
        assert_eq!(bias(&table, from..from + spacing), Rational::ZERO, "{epsilon}");
        let decay = (-number(epsilon).to_f64().value()).exp();
        let geometric = 2.0 * decay / (1.0 - decay * decay);
        let error = (from..from + spacing).map(|count| mean_error(&table, count)).sum::<f64>() / spacing as f64;
        // Rounding to labels of s = 1/(4 eps) counts adds variance s^2/12, hence at most 1/384 of the error.
        let most = if spacing == 1 { geometric } else { geometric * (1.0 + 1.0 / 384.0) };
        assert!(error <= most, "{epsilon}: {error} against {geometric}");
    }
}

#[test]
fn counts_without_end_are_served() {
    let table = table(&curve("1/12"), "1e-4");
    let (near, far) = (table.law(3_000), table.law(1_000_000_000_002));
    let shifted: Vec<_> = near.published.iter().map(|(v, m)| (v + 1_000_000_000_002 - 3_000, m.clone())).collect();
    assert_eq!(far.published, shifted);
    assert_eq!(table.outcome(1_000_000_000, 1 << 127).map(|value| value.abs_diff(1_000_000_000) <= 1), Some(true));
    assert!(table.step_delta(1_000_000_000) <= table.delta_units());
    // A promise that holds up to a million million people still closes, and then turns exact.
    let million_million = 1_000_000_000_000;
    let curve =
        Curve::steps(vec![(million_million, Epsilon::Finite(number("1")))], Epsilon::Infinite).expect("a curve");
    let table = RelayTable::build(&curve, &number("1e-6")).expect("a table");
    assert_eq!(table.closed_at(), Some(29));
    for count in million_million - 20..=million_million + 1 {
        assert!(table.step_delta(count) <= table.delta_units());
        assert!(table.law(count).published.iter().all(|(value, _)| *value <= million_million.max(count)));
    }
    assert_eq!(table.law(million_million + 1).published, [(million_million + 1, Natural::ONE << 128)]);
}

#[test]
fn a_label_stands_for_the_first_count_at_which_it_is_heaviest() {
    // One label at the zero run's end, and the growing one before an exact count.
    let zeros = table(&curve("0"), "1/64");
    assert_eq!((zeros.closed_at(), zeros.first_value()), (Some(65), 64));
    assert_eq!(zeros.law(1_000).published, [(64, Natural::ONE << 128)]);
    let before_exact = table(&curve("0 x9, inf"), "1e-3");
    assert_eq!(before_exact.law(9).published, [(9, before_exact.delta_units() * Natural::from(9u8))]);
    // With labels of their own the outcome is the one whose mass at its own count is the largest of all counts.
    let plain = table(&curve("1"), "1e-6");
    let mass = |count: u64, value: u64| {
        plain.law(count).published.iter().find(|(v, _)| *v == value).map_or(Natural::ZERO, |(_, m)| m.clone())
    };
    // No label is heaviest at 28: there the table closes, and peaks move from age 13 to age 14.
    for value in (14..60).filter(|value| *value != 28) {
        let heaviest = mass(value, value);
        assert!(heaviest > Natural::ZERO, "{value}");
        assert!((1..value).all(|count| mass(count, value) < heaviest), "{value}");
        assert!((value..80).all(|count| mass(count, value) <= heaviest), "{value}");
    }
}

#[test]
fn what_cannot_work_is_refused_with_the_way_out() {
    let refused = |curve: &Curve, delta: &str| RelayTable::build(curve, &number(delta)).expect_err("no table");
    let one = curve("1");
    assert_eq!(refused(&one, "0"), RelayError::NoPublication);
    assert_eq!(refused(&one, "1e-22"), RelayError::DeltaTooSmall);
    assert_eq!(refused(&one, "1"), RelayError::DeltaOutOfRange);
    assert_eq!(refused(&one, "-1e-60"), RelayError::DeltaOutOfRange);
    assert!(RelayTable::build(&one, &Rational::from_parts(1.into(), Natural::ONE << 72)).is_ok());
    assert!(RelayError::TooLarge { most: MAX_RELAY_CELLS }.to_string().contains("threshold"));
    assert!(RelayError::DeltaTooSmall.to_string().contains("threshold"));
    // The limit itself, on a small scale: one cell less than needed is refused.
    let course = Course::along(&one);
    let cells = table(&one, "1e-6").cells();
    assert!(walk(&course, 1 << 108, cells / 2).is_none());
    assert!(walk(&course, 1 << 108, cells * 2).is_some());
}

#[test]
fn delta_may_be_zero_where_large_groups_are_exact() {
    let table = table(&curve("1 x5, inf"), "0");
    assert_eq!((table.first_value(), table.exact_from(), table.cells()), (6, Some(6), 0));
    assert_eq!((table.outcome(5, u128::MAX), table.outcome(6, 0)), (None, Some(6)));
    assert_eq!(table.publication(5), Natural::ZERO);
}

fn small_curve() -> impl Strategy<Value = Curve> {
    let level = prop_oneof![Just(0u32), 1u32..400, 400u32..6_000, Just(95_000u32)];
    (prop::collection::vec((level, 1u64..12), 1..5), any::<bool>()).prop_map(|(mut steps, tail)| {
        steps.sort();
        let epsilon = |milli: u32| Epsilon::Finite(Rational::from(milli) / Rational::from(1000u32));
        let mut to = 0;
        let mut ends = Vec::new();
        for (milli, length) in &steps {
            to += length;
            ends.push((to, epsilon(*milli)));
        }
        let last = steps[steps.len() - 1].0.max(20);
        Curve::steps(ends, if tail { Epsilon::Infinite } else { epsilon(last) }).expect("a curve")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_curve_and_delta_keep_their_promise(curve in small_curve(), above in 1u32..1000, zeros in 1i32..9) {
        let delta = Rational::from(above) / Rational::from(Natural::from(10u8).pow(zeros as usize + 2));
        let table = RelayTable::build(&curve, &delta).expect("a table");
        let end = table.closed_at().or(table.exact_from()).expect("an end");
        let stride = if end > 300 { 7 } else { 1 };
        for count in (1..end).step_by(stride).chain(end - 1..end + 8) {
            prop_assert!(table.step_delta(count) <= table.delta_units(), "{} at {}", table.step_delta(count), count);
            let law = table.law(count);
            let sum = law.published.iter().fold(law.nothing, |sum, (_, mass)| sum + mass);
            prop_assert_eq!(sum, Natural::ONE << 128);
        }
    }
}

// That the check of steps sees what it must.
#[test]
fn mutants_are_caught_by_the_step_check() {
    let sound = table(&curve("1/10"), "1e-6");
    // Twice the budget.
    let doubled = table(&curve("1/10"), "2e-6");
    assert!((1..50).all(|count| doubled.step_delta(count) > sound.delta_units()));
    // One unit above the floor: every label is at its upper bound while the publication doubles and redoubles.
    let sound = table(&curve("1"), "1e-6");
    let growth = Growth::new(&Rational::ONE);
    let budget = Mass::new(sound.budget);
    for count in 2..13 {
        let (before, mut after) = (sound.outcomes(count - 1), sound.outcomes(count));
        assert!(excess(&before, &after, &growth) <= budget);
        let first = after.published.values_mut().next().expect("a label");
        *first = first.plus(Mass::new(1));
        after.nothing = after.nothing.minus(Mass::new(1));
        assert!(excess(&before, &after, &growth) > budget, "at {count}");
    }
    // A window whose second oldest label falls to nothing at once: the other direction.
    let budget = Mass::new(window_budget(&sound));
    let (before, mut after) = (sound.outcomes(1_000), sound.outcomes(1_001));
    assert_eq!(excess(&after, &before, &growth), budget);
    let oldest = *after.published.keys().next().expect("a label");
    let fallen = after.published.remove(&oldest).expect("its mass");
    after.published.entry(1_001).and_modify(|mass| *mass = mass.plus(fallen));
    assert!(excess(&after, &before, &growth) > budget);
}

fn window_budget(table: &RelayTable) -> u128 {
    match &table.walk.as_ref().expect("rows").ending {
        Ending::Shifting { window, .. } => window.budget,
        Ending::Complete | Ending::Still(_) => 0,
    }
}
