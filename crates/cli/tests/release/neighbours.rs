//! Two files that differ in one person, thousands of releases of each: what an attacker attains stays below the
//! promise.
//!
//! One release with many declared bins is many releases of one bin: every bin has a stream of its own. So bins of one
//! size are repeated under different names, and each run of the real binary gives hundreds of draws.

use crate::place::{Place, request};
use std::collections::BTreeMap;

/// How many bins of one size there are, and how often they are released.
const BINS: usize = 500;
const RELEASES: usize = 16;

/// Draws of a bin of each size, from real releases.
fn draws(sizes: &[usize], promise: &str) -> BTreeMap<usize, Vec<i64>> {
    let place = Place::new();
    let mut rows = String::from("size,bin\n");
    for size in sizes {
        for bin in 0..BINS {
            rows.push_str(&format!("{size},{bin}\n").repeat(*size));
        }
    }
    place.write("d.csv", rows);
    let listed: Vec<String> = sizes.iter().map(|size| format!("\"{size}\"")).collect();
    let bins = format!(
        "[[bins]]\nname = \"size\"\ncolumn = \"size\"\nvalues = [{}]\n[[bins]]\nname = \"bin\"\ncolumn = \"bin\"\nfrom = 0\nto = {BINS}\nwidth = 1\n",
        listed.join(", ")
    );
    place.write("request.toml", request("d.csv", "", &bins, promise).replace("[\"csv\", \"parquet\"]", "[\"csv\"]"));
    let mut found: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    for _ in 0..RELEASES {
        let said = place.run(&["release", "request.toml", "--replace", "--again", "--quiet"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let mut reader = csv::Reader::from_path(place.path("out/counts.csv")).expect("CSV");
        for row in reader.records() {
            let row = row.expect("a row");
            let size = row[0].parse().expect("a size");
            found.entry(size).or_default().push(row[2].parse().expect("a count"));
        }
    }
    found
}

/// A lower bound of the epsilon that an attacker attains who asks "is it at least t?", for all t at once: the
/// inequality of Dvoretzky, Kiefer, Wolfowitz and Massart at 2e-11 for each of the two samples.
fn attained(with: &[i64], without: &[i64]) -> f64 {
    let draws = with.len().min(without.len()) as f64;
    let slack = ((1e11f64).ln() / (2.0 * draws)).sqrt();
    let mut most = 0f64;
    let ends = with.iter().chain(without).copied();
    let (low, high) = ends.fold((i64::MAX, i64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    for threshold in low..=high {
        let chance =
            |draws: &[i64]| draws.iter().filter(|value| **value >= threshold).count() as f64 / draws.len() as f64;
        let (one, other) = (chance(with), chance(without));
        for (upper, lower) in [(one, other), (other, one), (1.0 - one, 1.0 - other), (1.0 - other, 1.0 - one)] {
            if upper > slack {
                most = most.max(((upper - slack) / (lower + slack)).ln());
            }
        }
    }
    most
}

#[test]
fn what_an_attacker_attains_stays_below_the_promise_at_every_group_size() {
    // Strict up to ten people, usual above.
    let found = draws(&[0, 1, 4, 5, 10, 11, 30, 31], "kind = \"simple-outlier-dp\"\ngroup = 10\nepsilon = 2");
    for (size, promised) in [(1usize, 0.2), (5, 0.2), (11, 2.0), (31, 2.0)] {
        let reached = attained(&found[&size], &found[&(size - 1)]);
        assert!(reached <= promised, "a group of {size}: {reached} attained, {promised} promised");
    }
    // The test has teeth: in large groups the usual protection is weaker than the strict one, and that shows.
    let reached = attained(&found[&31], &found[&30]);
    assert!(reached > 0.2, "a group of 31 is told apart from one of 30 with {reached}");
    let small = attained(&found[&5], &found[&0]);
    assert!(small <= 1.0, "five people together: {small}");
}
