//! Laws, accounts and errors against values computed elsewhere: `tests/reference/reference.py`, brute force from the
//! definitions, sharing no code with this crate.

use incrowd_exact::{Rational, parse_number};
use incrowd_privacy::{
    Bound, BoundParameters, Curve, Deployed, Epsilon, LowerBound, Mechanism, Outcome, Promise, RelayTable, SideOutput,
    SideValue, Tightness, Universe,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../tests/reference/vectors.json")).expect("reference values")
}

fn number(value: &Value) -> Rational {
    let text = value.as_str().expect("a number as text");
    // Decimals of more than 50 digits do not occur; exponents do.
    parse_number(text).expect("a number")
}

fn epsilon(value: &Value) -> Epsilon {
    if value == "infinite" { Epsilon::Infinite } else { Epsilon::Finite(number(value)) }
}

fn curve(record: &Value) -> Curve {
    let values = record["curve"].as_array().expect("a curve").iter().map(epsilon).collect();
    Curve::table(values).expect("a curve")
}

fn whole(value: &Value) -> u64 {
    value.as_u64().expect("a whole number")
}

fn side_output(value: &Value) -> SideOutput {
    if value == true { SideOutput::Published } else { SideOutput::Hidden }
}

fn deployed(record: &Value) -> Deployed {
    let parameters = &record["parameters"];
    let rate = || number(&parameters["epsilon"]);
    let group = || whole(&parameters["group"]);
    let crowd = || whole(&parameters["crowd"]);
    let offset = || parameters["offset"].as_i64().expect("an offset");
    let mut universe = Universe::Closed;
    let mechanism = match record["mechanism"].as_str().expect("a name") {
        "geometric" => Mechanism::Geometric { epsilon: rate() },
        "group-geometric" => Mechanism::GroupGeometric { group: group(), epsilon: rate() },
        "suppress-below" => Mechanism::SuppressBelow { crowd: crowd() },
        "noise-below" => Mechanism::NoiseBelow { crowd: crowd(), epsilon: rate() },
        "suppress-up-to" => Mechanism::SuppressUpTo { group: group() },
        "noise-up-to" => Mechanism::NoiseUpTo { group: group(), epsilon: rate() },
        "noisy-suppress" => Mechanism::NoisySuppress { group: group(), epsilon: rate(), offset: offset() },
        "noisy-noise" => Mechanism::NoisyNoise { group: group(), epsilon: rate(), offset: offset() },
        "staircase" => Mechanism::Staircase {
            epsilons: parameters["epsilons"].as_array().expect("epsilons").iter().map(epsilon).collect(),
            levels: parameters["levels"]
                .as_array()
                .expect("levels")
                .iter()
                .map(|v| v.as_i64().expect("a level"))
                .collect(),
            side_output: side_output(&parameters["publish-levels"]),
        },
        "general" => {
            let name = parameters["bound"].as_str().expect("a bound");
            let grid = parameters.get("grid").filter(|grid| grid.is_string());
            let bound = BoundParameters {
                bound: Bound::ALL.into_iter().find(|bound| bound.name() == name).expect("a known bound"),
                epsilon_a: number(&parameters["epsilon-a"]),
                delta_a: None,
                grid: grid.map_or_else(|| parse_number("1/1000").expect("a number"), number),
                alpha: number(&parameters["alpha"]),
            };
            let bound = LowerBound::new(&curve(record), bound).expect("a bound");
            Mechanism::General { bound: Arc::new(bound), side_output: side_output(&parameters["publish-epsilon"]) }
        }
        "fading" => {
            let (group, width) = (group(), whole(&parameters["width"]));
            let factor = number(&parameters["factor"]);
            let at_zero = rate() * &factor * Rational::from(width) / Rational::from(group);
            let promise = Promise::Fading { group, width, epsilon: rate(), factor };
            Mechanism::Fading { curve: promise.curve().expect("a curve"), at_zero }
        }
        "threshold" => {
            universe = Universe::Open;
            Mechanism::Threshold { epsilon: rate(), threshold: parameters["threshold"].as_i64().expect("a threshold") }
        }
        "range" => Mechanism::Range { epsilon: rate(), half_width: whole(&parameters["half-width"]) },
        "tailored-geometric" => Mechanism::TailoredGeometric { curve: curve(record) },
        other => panic!("an unknown mechanism: {other}"),
    };
    Deployed { mechanism, universe, publish_from: None }
}

fn outcome(value: &Value) -> Outcome {
    match value {
        Value::Number(number) => Outcome::Value(number.as_i64().expect("a whole number")),
        Value::String(_) => Outcome::Suppressed,
        Value::Array(ends) => {
            Outcome::Range(ends[0].as_i64().expect("a whole number"), ends[1].as_i64().expect("a whole number"))
        }
        Value::Object(map) => Outcome::AtMost(whole(&map["at_most"])),
        Value::Null | Value::Bool(_) => panic!("not an outcome: {value}"),
    }
}

fn side_value(line: &Value) -> SideValue {
    if let Some(levels) = line.get("levels").and_then(Value::as_array) {
        return SideValue::Levels(levels.iter().map(|fired| fired.as_u64() == Some(1) || fired == true).collect());
    }
    match line.get("epsilon_total") {
        Some(total) => SideValue::EpsilonTotal(epsilon(total)),
        None => SideValue::Nothing,
    }
}

fn small(text: &str) -> Rational {
    parse_number(text).expect("a number")
}

#[test]
fn laws_agree_with_the_reference_in_twenty_digits() {
    let vectors = vectors();
    let mut compared = 0;
    for record in vectors["laws"].as_array().expect("laws") {
        let count = whole(&record["count"]);
        let deployed = deployed(record);
        if deployed.universe == Universe::Open && count == 0 {
            continue;
        }
        let law = deployed.law(count).expect("a law");
        assert!(law.truncated < small("1e-30"), "{record}");
        let lines: BTreeMap<(Outcome, SideValue), &incrowd_exact::Enclosure> =
            law.lines.iter().map(|line| ((line.outcome.clone(), line.side_value.clone()), &line.probability)).collect();
        for line in record["outcomes"].as_array().expect("outcomes") {
            let expected = number(&line["probability"]);
            let slack = &expected * small("1e-20") + small("1e-32");
            match lines.get(&(outcome(&line["outcome"]), side_value(line))) {
                Some(found) => {
                    assert!(found.lower() - &slack <= expected, "{} {line}", record["mechanism"]);
                    assert!(expected <= found.upper() + &slack, "{} {line}", record["mechanism"]);
                }
                None => assert!(expected <= slack, "{} at {count} lacks {line}", record["mechanism"]),
            }
            compared += 1;
        }
    }
    assert!(compared > 2000, "{compared}");
}

#[test]
fn accounts_are_never_below_the_reference_and_within_a_billionth() {
    let vectors = vectors();
    let mut compared = 0;
    for record in vectors["deltas"].as_array().expect("deltas") {
        let count = whole(&record["count"]);
        let deployed = deployed(record);
        let delta = deployed.delta(count, &epsilon(&record["epsilon"])).expect("an account");
        let (found, expected) = (delta.upper_bound(), number(&record["delta"]));
        // The reference itself is rounded: 25 digits, and nothing below 1e-50.
        assert!(
            found >= &expected * (Rational::ONE - small("1e-24")) - small("1e-50"),
            "{record}: {}",
            found.to_f64().value()
        );
        if delta.tightness == Tightness::Exact {
            let most = &expected * (Rational::ONE + small("1e-9")) + small("1e-39");
            assert!(found <= most, "{record}: {}", found.to_f64().value());
        }
        compared += 1;
    }
    assert!(compared > 400, "{compared}");
}

#[test]
fn closed_forms_and_summed_laws_give_the_same_delta() {
    let vectors = vectors();
    for record in vectors["deltas"].as_array().expect("deltas").iter().step_by(3) {
        let Epsilon::Finite(epsilon) = epsilon(&record["epsilon"]) else { continue };
        let deployed = deployed(record);
        let count = whole(&record["count"]);
        let closed = deployed.delta(count, &Epsilon::Finite(epsilon.clone())).expect("an account");
        let summed = deployed.summed_delta(count, &epsilon).expect("an account");
        if closed.tightness == Tightness::Exact {
            let slack = summed.upper_bound() * small("1e-8") + small("1e-38");
            assert!(closed.enclosure.lower() - &slack <= summed.upper_bound(), "{record}");
            assert!(summed.enclosure.lower() - &slack <= closed.upper_bound(), "{record}");
        }
    }
}

#[test]
fn errors_and_silence_agree_with_the_reference() {
    let vectors = vectors();
    for record in vectors["errors"].as_array().expect("errors") {
        let count = whole(&record["count"]);
        let deployed = deployed(record);
        if deployed.universe == Universe::Open && count == 0 {
            continue;
        }
        let found = deployed.utility(count).expect("a law");
        let error = number(&record["mean_absolute_error"]).to_f64().value();
        assert!((found.mean_absolute_error - error).abs() <= 1e-9 * error.max(1.0), "{record}: {found:?}");
        let silent = (number(&record["suppression"]) + number(&record["at_most"])).to_f64().value();
        assert!((found.suppressed - silent).abs() <= 1e-10, "{record}: {found:?}");
    }
}

#[test]
fn the_relay_publishes_as_often_as_the_reference() {
    let vectors = vectors();
    for record in vectors["relay"].as_array().expect("tables") {
        let table = RelayTable::build(&curve(record), &number(&record["parameters"]["delta"])).expect("a table");
        let whole_mass = Rational::from(incrowd_exact::Natural::ONE << 128);
        for line in record["pi"].as_array().expect("chances") {
            let count = whole(&line["count"]);
            let found = Rational::from(table.publication(count)) / &whole_mass;
            let expected = number(&line["probability"]);
            let gap = if found > expected { &found - &expected } else { &expected - &found };
            assert!(gap <= small("1e-18"), "{count}: {}", found.to_f64().value());
        }
        assert_eq!(table.first_value(), whole(&record["first_peak"]));
    }
}

#[test]
fn unbiased_values_solve_the_equations_of_the_reference() {
    let vectors = vectors();
    for record in vectors["unbiased"].as_array().expect("values") {
        let mechanism = Mechanism::TailoredGeometric { curve: curve(record) };
        let deployed = Deployed { mechanism, universe: Universe::Closed, publish_from: None };
        for line in record["values"].as_array().expect("values") {
            let value = whole(&line["outcome"]);
            let found = deployed.unbiased(value as i64).expect("an unbiased value").value;
            let expected = number(&line["unbiased"]);
            assert!(
                (found.upper() - &expected) < small("1e-18") && (expected - found.lower()) < small("1e-18"),
                "{line}"
            );
        }
    }
}
