//! What several releases cost together, against PyPI's dp-accounting: `tests/dp-accounting/cases.py` writes the file
//! that `INCROWD_DP_ACCOUNTING` names. It shares no code and no idea of rounding with this crate.

use incrowd_exact::{Rational, parse_number};
use incrowd_privacy::{Loss, Losses};
use serde_json::Value;

fn number(value: &Value) -> Rational {
    parse_number(value.as_str().expect("a number as text")).expect("a number")
}

fn list<'a>(record: &'a Value, name: &str) -> &'a [Value] {
    record[name].as_array().expect("a list")
}

fn part(record: &Value) -> Loss {
    let times = record["times"].as_str().and_then(|times| times.parse().ok()).expect("a whole number");
    Loss { epsilon: number(&record["epsilon"]), delta: number(&record["delta"]), times }
}

/// Their rounding puts the truth between their two deltas, and ours is within the last digits of the truth: above it by
/// less than their step makes theirs, and never below it. What is left are their floats: a relative 1e-6 (ten thousand
/// products) and 1e-9, and 1e-12 for the tails that they cut and for the noise of their Fourier transform.
#[test]
#[ignore = "needs INCROWD_DP_ACCOUNTING: the file of tests/dp-accounting/cases.py"]
fn no_delta_is_above_nor_far_below_that_of_dp_accounting() {
    let path = std::env::var("INCROWD_DP_ACCOUNTING").expect("INCROWD_DP_ACCOUNTING names a file");
    let text = std::fs::read_to_string(path).expect("a file");
    let cases: Value = serde_json::from_str(&text).expect("cases");
    let (noise, mut compared) = (number(&"1e-12".into()), 0);
    for case in cases.as_array().expect("a list of cases") {
        let parts: Vec<Loss> = list(case, "parts").iter().map(part).collect();
        let losses = Losses::of(&parts).expect("parts that add up");
        for point in list(case, "at") {
            let [epsilon, theirs, optimistic] = ["epsilon", "delta", "optimistic"].map(|name| number(&point[name]));
            let ours = losses.delta(&epsilon);
            let most = theirs * number(&"1.000001".into()) + &noise;
            let least = optimistic * number(&"0.999999999".into()) - &noise;
            let shown = ours.to_f64().value();
            assert!(ours <= most, "above at {point}: {shown}, {case}");
            assert!(ours >= least, "below at {point}: {shown}, {case}");
            compared += 1;
        }
    }
    assert!(compared > 50, "there are {compared} points only");
}
