//! What was forecast of true sizes, and what real releases show of them.
//!
//! Twenty made-up columns of keys, released with known seeds: what is drawn is always the same, so that the test fails
//! by a change alone, and never by chance.

use crate::place::Place;
use serde_json::Value;
use std::fmt::Write;

/// A column of keys: so many people have each.
type Column = (&'static str, Vec<u64>);

/// Sizes of many shapes; none is random.
fn columns() -> Vec<Column> {
    let zipf = |keys: u64, first: u64, power: f64| -> Vec<u64> {
        (1..=keys).map(|rank| (first as f64 / (rank as f64).powf(power)).ceil() as u64).collect()
    };
    let geometric =
        |first: f64, ratio: f64, keys: i32| (0..keys).map(|at| (first * ratio.powi(at)).ceil() as u64).collect();
    vec![
        ("zipf", zipf(400, 2000, 1.0)),
        ("steep zipf", zipf(300, 5000, 1.5)),
        ("flat zipf", zipf(300, 100, 0.5)),
        ("long tail", zipf(2000, 300, 0.8)),
        ("uniform", (1..=60).collect()),
        ("wide uniform", (1..=40).map(|at| at * 7).collect()),
        ("around the turn", (0..120).map(|at| 8 + at % 16).collect()),
        ("geometric", geometric(3000.0, 0.93, 120)),
        ("slow geometric", geometric(60.0, 0.99, 300)),
        ("all ones", vec![1; 1500]),
        ("all tiny", (0..900).map(|at| 1 + at % 5).collect()),
        ("all large", vec![500; 30]),
        ("one size, at the turn", vec![15; 200]),
        ("one size, below it", vec![11; 400]),
        ("one size, above it", vec![19; 200]),
        ("two sizes", [vec![12; 150], vec![17; 150]].concat()),
        ("heavy ties", (0..300).map(|at| [2, 13, 14, 16, 40][at % 5]).collect()),
        ("one giant", [vec![4000], vec![3; 500]].concat()),
        ("squares", (1..=40).map(|at| at * at / 4 + 1).collect()),
        ("a single key", vec![14]),
    ]
}

/// How the columns are released, one after the other.
const PROMISES: [(&str, &str); 4] = [
    ("kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"", ""),
    ("kind = \"simple-outlier-dp\"\ngroup = 8\nepsilon = 1\ndelta = \"1e-5\"", ""),
    ("kind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"", "[mechanism]\nname = \"threshold\"\n"),
    (
        "kind = \"simple-outlier-dp\"\ngroup = 5\nepsilon = 1\ndelta = \"1e-4\"",
        "[mechanism]\nname = \"noisy-suppress\"\n",
    ),
];

/// A forecast from the true sizes, and how many rows were shown.
struct Tried {
    low: u64,
    high: u64,
    expected: f64,
    shown: u64,
    error: f64,
    expected_error: Option<f64>,
}

fn tried(sizes: &[u64], (promise, mechanism): (&str, &str), seed: usize) -> Tried {
    let place = Place::new();
    let (mut data, mut list) = (String::from("key\n"), String::from("count\n"));
    for (key, size) in sizes.iter().enumerate() {
        data.push_str(&format!("k{key}\n").repeat(*size as usize));
        writeln!(list, "{size}").expect("a string takes all");
    }
    place.write("d.csv", data);
    place.write("sizes.csv", list);
    place.write(
        "request.toml",
        format!(
            "[data]\nsource = \"d.csv\"\nsynthetic = true\n[[bins]]\nname = \"key\"\ncolumn = \"key\"\n[promise]\n{promise}\n\
             {mechanism}[ledger]\ndataset = \"keys\"\n"
        ),
    );
    let said = place.run(&["plan", "request.toml", "--counts", "1", "--like", "sizes.csv", "--format", "json"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let plan: Value = serde_json::from_str(&said.stdout).expect("JSON");
    let forecast = &plan["forecast"];
    let said = place.run(&["release", "request.toml", "--quiet", "--test-seed", &seed.to_string()]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let rows = place.counts();
    let distance = |row: &String| {
        let fields: Vec<&str> = row.split(',').collect();
        let size = sizes[fields[0][1..].parse::<usize>().expect("a key")];
        fields[1].parse::<i64>().expect("a count").max(0).abs_diff(size as i64) as f64
    };
    Tried {
        low: forecast["low"].as_u64().expect("a number"),
        high: forecast["high"].as_u64().expect("a number"),
        expected: forecast["shown_expected"].as_f64().expect("a number"),
        shown: rows.len() as u64,
        error: rows.iter().map(distance).sum(),
        expected_error: forecast["mean_absolute_error"].as_f64(),
    }
}

#[test]
fn of_twenty_columns_the_number_shown_is_within_the_interval_in_at_least_eighteen() {
    let columns = columns();
    assert_eq!(columns.len(), 20);
    let (mut within, mut expected, mut shown, mut widths) = (0, 0.0, 0, 0);
    let (mut errors, mut expected_errors) = (0.0, 0.0);
    let mut told = String::new();
    for (at, (name, sizes)) in columns.iter().enumerate() {
        let tried = tried(sizes, PROMISES[at % 4], at);
        let hit = (tried.low..=tried.high).contains(&tried.shown);
        writeln!(
            told,
            "{name}: {} of {} shown, forecast {:.1} ({} to {})",
            tried.shown,
            sizes.len(),
            tried.expected,
            tried.low,
            tried.high
        )
        .expect("a string takes all");
        within += usize::from(hit);
        expected += tried.expected;
        shown += tried.shown;
        widths += tried.high - tried.low;
        errors += tried.error;
        expected_errors += tried.expected_error.unwrap_or(0.0) * tried.expected;
    }
    assert!(within >= 18, "{within} of 20:\n{told}");
    // Neither by being wide nor by being shy: the sums are near what was shown.
    assert!((widths as f64) < 0.3 * shown as f64, "{widths} wide, {shown} shown");
    assert!((expected / shown as f64 - 1.0).abs() < 0.05, "{expected} expected, {shown} shown");
    assert!((errors / expected_errors - 1.0).abs() < 0.15, "off by {errors}, and {expected_errors} was expected");
}
