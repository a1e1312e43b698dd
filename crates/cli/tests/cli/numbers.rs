//! The numbers behind the pages, read from JSON: laws that sum to one, and errors known from the theory.

use crate::requests::MECHANISMS;
use crate::run::incrowd;
use incrowd_exact::{Rational, parse_number};
use serde_json::Value;

#[test]
fn every_law_sums_to_one_but_for_what_it_says_it_left_out() {
    let tiny = parse_number("1e-30").expect("a number");
    for case in &MECHANISMS {
        for count in [0, 1, case.turns_at - 1, case.turns_at, case.turns_at + 1, 1_000_000] {
            let arguments = ["law", "-", "--format", "json", "--count", &count.to_string()];
            let object = incrowd(&arguments, case.request()).done().json();
            let outcomes = object["outcomes"].as_array().expect("a list");
            let truncated = exact(&object["truncated_mass"]);
            assert!(truncated < tiny, "{} at {count}", case.title);
            let sum = outcomes.iter().fold(Rational::ZERO, |sum, outcome| sum + exact(&outcome["probability"]));
            // Each probability is rounded to 24 digits.
            let slack = &truncated + parse_number("1e-23").expect("a number");
            let off = Rational::ONE - &sum;
            assert!(off <= slack && -off <= slack, "{} at {count}: the sum is {}", case.title, sum.to_f64().value());
            let values: std::collections::BTreeSet<String> = outcomes.iter().map(without_probability).collect();
            assert_eq!(values.len(), outcomes.len(), "{} at {count}: no outcome is listed twice", case.title);
        }
    }
}

#[test]
fn the_errors_of_outlier_privacy_are_those_of_the_theory() {
    // General is given its alpha: to search for it takes a minute here.
    let request = "release = \"histogram\"\n[promise]\nkind = \"simple-outlier-dp\"\ngroup = 100\nepsilon = 1\n\
        delta = \"1e-6\"\n[mechanism]\nname = \"general\"\nepsilon-a = \"1/200\"\nalpha = 12\n";
    let object = incrowd(&["compare", "-", "--format", "json", "--counts", "50,105"], request).done().json();
    let errors = |name: &str| -> [f64; 2] {
        let mechanisms = object["mechanisms"].as_array().expect("a list");
        let found = mechanisms.iter().find(|mechanism| mechanism["name"] == name).expect("a mechanism");
        [0, 1].map(|at| found["utility"][at]["mean_absolute_error"].as_f64().expect("a number"))
    };
    let [small, large] = errors("tailored-geometric");
    assert!(small < 40.0 && large < 1.1, "tailored-geometric: {small}, {large}");
    let [small, large] = errors("noisy-noise");
    assert!((69.0..71.0).contains(&small) && (82.0..83.0).contains(&large), "noisy-noise: {small}, {large}");
}

fn exact(value: &Value) -> Rational {
    parse_number(value.as_str().expect("a number as text")).expect("a number")
}

fn without_probability(outcome: &Value) -> String {
    let mut outcome = outcome.clone();
    outcome.as_object_mut().expect("an object").remove("probability");
    outcome.to_string()
}
