//! Laws are laws: they sum to one, promises are used up exactly, intervals cover, post-processing says what it claims.

use incrowd_exact::testing::number;
use incrowd_exact::{Enclosure, Integer, Rational, exp_neg};
use incrowd_privacy::{
    Bound, BoundParameters, Curve, Deployed, Epsilon, Intervals, LowerBound, Mechanism, Outcome, Promise, RelayTable,
    SideOutput, Spreads, Universe,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

fn finite(text: &str) -> Epsilon {
    Epsilon::Finite(number(text))
}

fn table(values: &[&str]) -> Curve {
    let values = values.iter().map(|text| if *text == "infinite" { Epsilon::Infinite } else { finite(text) });
    Curve::table(values.collect()).expect("a curve")
}

fn closed(mechanism: Mechanism) -> Deployed {
    Deployed { mechanism, universe: Universe::Closed, publish_from: None }
}

fn tailored_by(curve: Curve) -> Deployed {
    closed(Mechanism::TailoredGeometric { curve })
}

fn staircase(side_output: SideOutput, last: &str) -> Deployed {
    let epsilons = vec![finite("1"), finite("1/2"), finite(last)];
    closed(Mechanism::Staircase { epsilons, levels: vec![111, 44], side_output })
}

fn general(bound: Bound, side_output: SideOutput) -> Deployed {
    let curve = table(&["0.3", "0.3", "0.5", "0.8", "1", "1", "1.4", "2"]);
    let parameters = BoundParameters {
        bound,
        epsilon_a: number("1/4"),
        delta_a: Some(number("1e-3")),
        grid: number("1/5"),
        alpha: number("2"),
    };
    closed(Mechanism::General { bound: Arc::new(LowerBound::new(&curve, parameters).expect("a bound")), side_output })
}

/// Every mechanism with the count at which it changes.
fn every_mechanism() -> Vec<(Deployed, u64)> {
    let e = || number("1/10");
    let step = || Curve::steps(vec![(100, finite("1/100"))], finite("1")).expect("a curve");
    let fading = Promise::Fading { group: 100, width: 70, epsilon: number("1/5"), factor: number("1") };
    let line = Promise::Linear { slope: number("1/50"), floor: number("1/10"), cap: Epsilon::Infinite };
    let relay = {
        let curve = table(&["0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "1"]);
        let table = Arc::new(RelayTable::build(&curve, &number("1e-6")).expect("a table"));
        Deployed { mechanism: Mechanism::Relay { curve, table }, universe: Universe::Open, publish_from: None }
    };
    let threshold = Deployed {
        mechanism: Mechanism::Threshold { epsilon: e(), threshold: 133 },
        universe: Universe::Open,
        publish_from: None,
    };
    let mut all = vec![
        (tailored_by(step()), 100),
        (tailored_by(table(&["0", "0", "0", "1/2"])), 3),
        (tailored_by(table(&["1/5", "1/5", "1/5", "infinite"])), 4),
        (tailored_by(line.curve().expect("a curve")), 5),
        (Deployed { publish_from: Some(105), universe: Universe::Open, ..tailored_by(step()) }, 105),
        (relay, 9),
        (closed(Mechanism::SuppressBelow { crowd: 20 }), 20),
        (closed(Mechanism::NoiseBelow { crowd: 20, epsilon: e() }), 20),
        (closed(Mechanism::SuppressUpTo { group: 20 }), 20),
        (closed(Mechanism::NoiseUpTo { group: 20, epsilon: e() }), 20),
        (closed(Mechanism::Geometric { epsilon: e() }), 20),
        (closed(Mechanism::GroupGeometric { group: 20, epsilon: e() }), 20),
        (closed(Mechanism::NoisySuppress { group: 10, epsilon: e(), offset: 107 }), 117),
        (closed(Mechanism::NoisyNoise { group: 10, epsilon: e(), offset: 105 }), 115),
        (staircase(SideOutput::Hidden, "1/10"), 44),
        (staircase(SideOutput::Published, "1/10"), 111),
        (staircase(SideOutput::Hidden, "0"), 44),
        (closed(Mechanism::Fading { curve: fading.curve().expect("a curve"), at_zero: number("7/50") }), 30),
        (threshold, 133),
        (closed(Mechanism::Range { epsilon: e(), half_width: 60 }), 60),
    ];
    for side_output in [SideOutput::Hidden, SideOutput::Published] {
        all.extend(Bound::ALL.into_iter().map(|bound| (general(bound, side_output), 8)));
    }
    all
}

#[test]
fn every_law_sums_to_one_at_every_kind_of_count() {
    for (deployed, bend) in every_mechanism() {
        for count in [0, 1, bend - 1, bend, bend + 1, 1_000_000] {
            let law = deployed.law(count).expect("a law");
            let name = deployed.mechanism.name();
            assert!(law.truncated < number("1e-30"), "{name} at {count}");
            let sum = law.lines.iter().fold(Enclosure::zero(254), |sum, line| sum.plus(&line.probability));
            assert!(sum.lower() <= Rational::ONE && sum.upper() + law.truncated >= Rational::ONE, "{name} at {count}");
        }
    }
}

#[test]
fn twenty_digits_of_every_listed_probability_are_certain() {
    for (deployed, bend) in every_mechanism() {
        for line in deployed.law(bend).expect("a law").lines {
            let (low, high) = (line.probability.low_units(), line.probability.high_units());
            if line.probability.to_f64() > 1e-31 {
                let error = (high - low) * Integer::from(10u8).pow(20);
                assert!(&error <= high, "{} {:?}", deployed.mechanism.name(), line.outcome);
            }
        }
    }
}

fn curves() -> impl Strategy<Value = Vec<u32>> {
    // Increments in hundredths: zero runs, flat stretches and bends all occur.
    proptest::collection::vec(prop_oneof![Just(0u32), Just(0u32), 0u32..40], 1..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_tailored_geometric_uses_up_its_curve_exactly(increments in curves(), ends in any::<bool>(), count in 1u64..16) {
        let mut sum = 0;
        let mut values: Vec<Epsilon> = increments.iter().map(|step| {
            sum += step;
            Epsilon::Finite(Rational::from(sum) / Rational::from(100u32))
        }).collect();
        if ends {
            values.push(Epsilon::Infinite);
        }
        let curve = Curve::table(values).expect("a curve");
        let Epsilon::Finite(epsilon) = curve.epsilon(count) else { return Ok(()) };
        if curve.last_zero().is_none() {
            return Ok(());
        }
        let deployed = tailored_by(curve.clone());
        let law = |count: u64| -> BTreeMap<Outcome, Enclosure> {
            deployed.law(count).expect("a law").lines.into_iter().map(|line| (line.outcome, line.probability)).collect()
        };
        let (here, before) = (law(count), law(count - 1));
        let factor = exp_neg(&epsilon, 254);
        for (outcome, p) in &here {
            let Some(q) = before.get(outcome) else { continue };
            if p.lower() < number("1e-25") || q.lower() < number("1e-25") {
                continue;
            }
            // One of the two ratios is e^epsilon, to twenty digits: nothing is wasted, nothing is overdrawn.
            let forward = (p.upper() * factor.upper() / q.lower() - Rational::ONE).to_f64().value().abs();
            let backward = (q.upper() * factor.upper() / p.lower() - Rational::ONE).to_f64().value().abs();
            prop_assert!(forward.min(backward) < 1e-20 || epsilon == Rational::ZERO, "{outcome:?}: {forward} {backward}");
        }
    }

    #[test]
    fn unbiased_values_have_the_count_as_their_mean_and_state_their_variance(increments in curves(), count in 0u64..12) {
        let mut sum = 20;
        let values = increments.iter().map(|step| {
            sum += step;
            Epsilon::Finite(Rational::from(sum) / Rational::from(100u32))
        });
        let curve = Curve::table(values.collect()).expect("a curve");
        let deployed = tailored_by(curve);
        prop_assert_eq!(deployed.spreads(), Some(Spreads::Unbiased));
        let (mut mean, mut square, mut stated) = (0.0, 0.0, 0.0);
        for line in deployed.law(count).expect("a law").lines {
            let Outcome::Value(value) = line.outcome else { panic!("a value") };
            let (unbiased, chance) = (deployed.unbiased(value).expect("an unbiased value"), line.probability.to_f64());
            let guess = unbiased.value.to_f64();
            mean += chance * guess;
            square += chance * (guess - count as f64).powi(2);
            stated += chance * unbiased.variance.to_f64();
        }
        prop_assert!((mean - count as f64).abs() < 1e-9, "{mean} for {count}");
        prop_assert!((square - stated).abs() < 1e-7 * square, "{square} and {stated} for {count}");
    }
}

#[test]
fn intervals_cover_the_truth_at_least_nineteen_times_out_of_twenty() {
    let step = Curve::steps(vec![(10, finite("1/5"))], finite("1")).expect("a curve");
    let relay = {
        let curve = Curve::constant(finite("1")).expect("a curve");
        let table = Arc::new(RelayTable::build(&curve, &number("1e-4")).expect("a table"));
        Deployed { mechanism: Mechanism::Relay { curve, table }, universe: Universe::Open, publish_from: None }
    };
    let threshold = Deployed {
        mechanism: Mechanism::Threshold { epsilon: number("1/2"), threshold: 12 },
        universe: Universe::Open,
        publish_from: None,
    };
    let cases = [
        tailored_by(step.clone()),
        tailored_by(table(&["0", "0", "1/2"])),
        tailored_by(table(&["1/5", "1/5", "1/5", "1/5", "1/5", "infinite"])),
        Deployed { publish_from: Some(14), universe: Universe::Open, ..tailored_by(step) },
        relay,
        threshold,
        closed(Mechanism::NoiseBelow { crowd: 8, epsilon: number("1/2") }),
        closed(Mechanism::NoisyNoise { group: 5, epsilon: number("1/2"), offset: 6 }),
        closed(Mechanism::Staircase {
            epsilons: vec![finite("1"), finite("1/2"), finite("1/5")],
            levels: vec![25, 12],
            side_output: SideOutput::Hidden,
        }),
        closed(Mechanism::Fading { curve: table(&["1/5", "1/4", "1/3", "1/2"]), at_zero: number("1/6") }),
        closed(Mechanism::Range { epsilon: number("1/2"), half_width: 9 }),
    ];
    let cut = |deployed: &Deployed, from: i64| Deployed { publish_from: Some(from), ..deployed.clone() };
    let more: Vec<Deployed> = [4, 7, 8, 9].iter().map(|index| cut(&cases[*index], 24)).collect();
    for deployed in cases.iter().chain(&more) {
        let finder = Intervals::of(deployed).expect("intervals");
        let mut intervals = BTreeMap::new();
        for count in [1u64, 2, 5, 8, 10, 11, 14, 20, 24, 30, 40, 90] {
            let (mut published, mut covered) = (0.0, 0.0);
            for line in deployed.law(count).expect("a law").lines {
                let chance = line.probability.to_f64();
                let value = match line.outcome {
                    Outcome::Value(value) => value,
                    Outcome::Range(low, high) => (low + high) / 2,
                    Outcome::Suppressed | Outcome::AtMost(_) => continue,
                };
                published += chance;
                // Values rarer than this cannot change the verdict, and each interval costs a search.
                if chance < 1e-5 * published {
                    covered += chance;
                    continue;
                }
                let interval = intervals.entry(value).or_insert_with(|| finder.interval(value).expect("an interval"));
                if (interval.low..=interval.high).contains(&count) {
                    covered += chance;
                }
            }
            let name = deployed.mechanism.name();
            assert!(covered >= 0.95 * published - 1e-4 * published, "{name} at {count}: {covered} of {published}");
        }
    }
}

#[test]
fn the_posterior_median_is_pulled_towards_what_is_plausible() {
    let deployed = tailored_by(Curve::steps(vec![(100, finite("1/100"))], finite("1")).expect("a curve"));
    // Inside the flat stretch a published 0 says little: the median is far above it. Beyond it, the value is believed.
    let low = deployed.posterior_median(0, (0, Some(200))).expect("a median");
    assert!((20..60).contains(&low), "{low}");
    assert_eq!(deployed.posterior_median(1000, (0, Some(5000))), Some(1000));
    assert_eq!(deployed.posterior_median(1000, (0, None)), Some(1000));
    assert_eq!(deployed.posterior_median(5, (7, Some(7))), Some(7));
    assert_eq!(deployed.posterior_median(5, (8, Some(7))), None);
    let plain = closed(Mechanism::Geometric { epsilon: number("1") });
    assert_eq!(plain.posterior_median(5, (0, Some(10))), Some(5));
    assert_eq!(plain.posterior_median(-40, (0, None)), Some(0));
    let ladder = Mechanism::NoisyNoise { group: 5, epsilon: number("1"), offset: 3 };
    assert_eq!(closed(ladder).posterior_median(5, (0, None)), None);
}

/// The median by its definition: the law of every count is summed, and the value's chances are added up.
#[test]
fn the_posterior_median_is_that_of_the_laws() {
    let curve =
        Curve::steps(vec![(3, finite("0")), (6, finite("1/10")), (12, finite("1/2"))], finite("2")).expect("a curve");
    for mechanism in [
        Mechanism::TailoredGeometric { curve },
        Mechanism::Geometric { epsilon: number("1/3") },
        Mechanism::GroupGeometric { group: 4, epsilon: number("1") },
        Mechanism::NoisySuppress { group: 4, epsilon: number("1/2"), offset: 2 },
    ] {
        let deployed = closed(mechanism);
        for value in [7, 9, 14, 30] {
            let chance = |count: u64| -> f64 {
                let law = deployed.law(count).expect("a law");
                law.lines
                    .iter()
                    .filter(|line| line.outcome == Outcome::Value(value))
                    .map(|line| line.probability.to_f64())
                    .sum()
            };
            let chances: Vec<f64> = (0..=60).map(chance).collect();
            let half = chances.iter().sum::<f64>() / 2.0;
            let mut sum = 0.0;
            let median = chances.iter().position(|chance| {
                sum += chance;
                sum >= half * (1.0 - 1e-12)
            });
            assert_eq!(deployed.posterior_median(value, (0, Some(60))), median.map(|count| count as u64), "{value}");
        }
    }
}

/// Mechanisms whose spread is only bounded: at no count does the value spread more than stated, and its mean is the
/// count.
#[test]
fn what_only_adds_noise_spreads_no_more_than_stated() {
    let half = number("1/2");
    for mechanism in [
        Mechanism::NoiseBelow { crowd: 5, epsilon: half.clone() },
        Mechanism::NoiseUpTo { group: 3, epsilon: number("2") },
        Mechanism::NoisyNoise { group: 4, epsilon: number("2"), offset: 2 },
        Mechanism::Staircase {
            epsilons: vec![finite("2"), finite("1"), finite("1/2")],
            levels: vec![12, 6],
            side_output: SideOutput::Hidden,
        },
    ] {
        let deployed = closed(mechanism);
        assert_eq!(deployed.spreads(), Some(Spreads::AtMost));
        for count in [0u64, 3, 4, 5, 8, 20] {
            let (mut mean, mut square, mut stated) = (0.0, 0.0, 0.0);
            for line in deployed.law(count).expect("a law").lines {
                let Outcome::Value(value) = line.outcome else { panic!("a value") };
                let (unbiased, chance) =
                    (deployed.unbiased(value).expect("an unbiased value"), line.probability.to_f64());
                mean += chance * value as f64;
                square += chance * (value as f64 - count as f64).powi(2);
                stated += chance * unbiased.variance.to_f64();
            }
            assert!((mean - count as f64).abs() < 1e-6, "{mean} for {count}");
            assert!(square <= stated * (1.0 + 1e-9), "{square} and {stated} for {count}");
        }
    }
}

#[test]
fn the_attacker_of_the_managers_is_right_at_most_with_odds_of_two_epsilon() {
    // OP Example 1: a hundred people in one of two otherwise empty bins, each with its own draw.
    let deployed = tailored_by(Curve::steps(vec![(100, finite("1/100"))], finite("1")).expect("a curve"));
    let law = |count: u64| -> BTreeMap<Outcome, f64> {
        deployed
            .law(count)
            .expect("a law")
            .lines
            .into_iter()
            .map(|line| (line.outcome, line.probability.to_f64()))
            .collect()
    };
    let (full, empty) = (law(100), law(0));
    let mut right = 0.0;
    for (a, pa) in &full {
        for (b, pb) in &empty {
            // The attacker guesses the likelier bin; she is right half of the time when both are alike.
            let swapped = full.get(b).unwrap_or(&0.0) * empty.get(a).unwrap_or(&0.0);
            right += (pa * pb).max(swapped) / 2.0;
        }
    }
    let odds = (2.0f64).exp();
    assert!(right <= odds / (1.0 + odds));
    assert!((right - 0.724).abs() < 1e-3, "{right}");
}

/// Intervals of ladders by their definition: the law of every count is summed, and its tails are compared with 2.5 %.
#[test]
fn ladders_have_the_intervals_of_their_laws() {
    let rates = |texts: &[&str]| texts.iter().map(|text| finite(text)).collect::<Vec<_>>();
    let stairs = |epsilons: Vec<Epsilon>, levels: &[i64]| Mechanism::Staircase {
        epsilons,
        levels: levels.to_vec(),
        side_output: SideOutput::Hidden,
    };
    let ladders = [
        (Mechanism::NoisyNoise { group: 5, epsilon: number("1"), offset: 3 }, Universe::Closed, None),
        (stairs(rates(&["1", "1/2", "1/4"]), &[20, 9]), Universe::Closed, None),
        (stairs(rates(&["2", "1", "0"]), &[15, 6]), Universe::Closed, None),
        (stairs(vec![Epsilon::Infinite, finite("1/3")], &[12]), Universe::Closed, None),
        (stairs(rates(&["1", "1/2"]), &[10]), Universe::Open, Some(14)),
    ];
    for (mechanism, universe, publish_from) in ladders {
        let deployed = Deployed { mechanism, universe, publish_from };
        let intervals = Intervals::of(&deployed).expect("intervals");
        let least = if universe == Universe::Open { 1 } else { 0 };
        let laws: Vec<BTreeMap<i64, f64>> = (least..=90)
            .map(|count| {
                let mut law = BTreeMap::new();
                for line in deployed.law(count).expect("a law").lines {
                    if let Outcome::Value(value) = line.outcome {
                        *law.entry(value).or_insert(0.0) += line.probability.to_f64();
                    }
                }
                law
            })
            .collect();
        for value in publish_from.unwrap_or(-15)..45 {
            let accepted = laws.iter().zip(least..).filter(|(law, _)| {
                let shown: f64 = law.values().sum();
                let below: f64 = law.range(..=value).map(|(_, chance)| chance).sum();
                let above: f64 = law.range(value..).map(|(_, chance)| chance).sum();
                shown > 0.0 && below > shown / 40.0 && above > shown / 40.0
            });
            let accepted: Vec<u64> = accepted.map(|(_, count)| count).collect();
            let Some((low, high)) = accepted.first().zip(accepted.last()) else { continue };
            let found = intervals.interval(value).expect("an interval");
            // Ladders that may show nothing are listed, and one wider beyond the list.
            let hair = u64::from(deployed.may_be_silent());
            assert!((low.saturating_sub(hair)..=*low).contains(&found.low), "{value}: {found:?}, not {low} to {high}");
            assert!((*high..=high + hair).contains(&found.high), "{value}: {found:?}, not {low} to {high}");
        }
    }
}
