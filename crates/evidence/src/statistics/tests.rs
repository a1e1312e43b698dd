//! Statistics against definitions: where counts are nearly exact, what a list of people gives; else, what must hold.

use crate::certificate::Randomness;
use crate::example::{PlainFolder, cells, plan_of, value};
use crate::plan::Plan;
use crate::table::Table;
use crate::write::write_tables;
use std::collections::HashMap;
use std::fs;

/// Bands of 0, 10, 25 and 100, and one for all else; two towns.
fn plan(epsilon: &str, output: &str) -> Plan {
    plan_of(&format!(
        "[[bins]]\nname = \"town\"\ncolumn = \"t\"\nvalues = [\"A\", \"B\"]\n[[bins]]\nname = \"pay\"\ncolumn = \"p\"\nedges = [0, 10, 25, 100]\nother = true\n[promise]\nkind = \"differential-privacy\"\nepsilon = {epsilon}\n[output]\nstatistics = \"pay\"\n{output}"
    ))
}

const EDGES: [f64; 4] = [0.0, 10.0, 25.0, 100.0];

/// The rows of `statistics.csv` by town and name: estimate, low, high.
fn told(plan: &Plan, counts: &[u64; 8]) -> HashMap<(String, String), [Option<f64>; 3]> {
    let home = tempfile::tempdir().expect("a folder");
    let folder = PlainFolder::create(home.path());
    let mut table = Table::of(plan).unwrap_or_else(|refusal| panic!("{refusal}"));
    let batches = cells(8, |cell| value(counts[cell as usize] as i64)).into_iter().map(Ok);
    write_tables(&mut table, plan, batches, Randomness::OperatingSystem, &folder).expect("tables");
    let text = fs::read_to_string(folder.path.join("statistics.csv")).expect("a table");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("town,statistic,estimate,low,high"));
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |at: usize| fields[at].parse::<f64>().ok();
        ((fields[0].to_string(), fields[1].to_string()), [number(2), number(3), number(4)])
    };
    lines.map(row).collect()
}

/// The bands that hold a quantile of some people, each known by the band she is in.
fn bands_of(quantile: f64, people: &[usize]) -> (f64, f64) {
    let all = people.len() as f64;
    let is_one = |band: &usize| {
        let least = people.iter().filter(|own| *own <= band).count() as f64;
        let most = people.iter().filter(|own| *own >= band).count() as f64;
        least >= quantile * all && most >= (1.0 - quantile) * all
    };
    let bands: Vec<usize> = (0..3).filter(is_one).collect();
    (EDGES[bands[0]], EDGES[bands[bands.len() - 1] + 1])
}

#[test]
fn where_counts_are_nearly_exact_statistics_are_those_of_the_people() {
    // Noise of epsilon 1000 is never seen: only what bands cannot tell is left.
    let plan = plan("1000", "quantiles = [0.25, 0.5, 0.75]");
    for counts in
        [[4, 3, 2, 50, 0, 5, 0, 0], [1, 1, 1, 0, 7, 0, 7, 1], [0, 0, 9, 0, 1, 0, 3, 2], [2, 2, 0, 0, 1, 3, 4, 0]]
    {
        let found = told(&plan, &counts);
        let people = |cells: std::ops::Range<usize>| -> Vec<usize> {
            cells.filter(|cell| cell % 4 < 3).flat_map(|cell| vec![cell % 4; counts[cell] as usize]).collect()
        };
        for (town, people) in [("A", people(0..4)), ("B", people(4..8)), ("(all)", people(0..8))] {
            for (name, quantile) in [("25 % quantile", 0.25), ("median", 0.5), ("75 % quantile", 0.75)] {
                let [estimate, low, high] = found[&(town.to_string(), format!("{name} of pay"))];
                let (from, to) = bands_of(quantile, &people);
                assert_eq!((low, high), (Some(from), Some(to)), "{counts:?} {town} {name}");
                assert!(estimate.is_some_and(|estimate| (from..=to).contains(&estimate)), "{estimate:?}");
            }
            let [estimate, low, high] = found[&(town.to_string(), "mean of pay".to_string())];
            let mean = |side: f64| {
                let place = |band: &usize| EDGES[*band] + side * (EDGES[band + 1] - EDGES[*band]);
                people.iter().map(place).sum::<f64>() / people.len() as f64
            };
            let (low, high) = (low.expect("an end"), high.expect("an end"));
            assert!(low <= mean(0.0) + 1e-9 && mean(0.0) < low + 0.1 + 1e-9, "{low} {}", mean(0.0));
            assert!(high >= mean(1.0) - 1e-9 && mean(1.0) > high - 0.1 - 1e-9, "{high} {}", mean(1.0));
            assert!((estimate.expect("a mean") - mean(0.5)).abs() <= 0.05 + 1e-9, "{estimate:?} {}", mean(0.5));
        }
    }
}

#[test]
fn where_nobody_is_in_a_group_there_is_no_estimate_and_no_interval() {
    let found = told(&plan("1000", ""), &[0, 0, 0, 80, 0, 3, 0, 0]);
    assert_eq!(found[&("A".to_string(), "median of pay".to_string())], [None; 3]);
    assert_eq!(found[&("B".to_string(), "median of pay".to_string())][1..], [Some(10.0), Some(25.0)]);
}

#[test]
fn noise_widens_intervals_and_never_narrows_them() {
    let counts = [60, 90, 30, 5, 40, 20, 70, 0];
    let [sure, noisy, vague] = ["1000", "1", "\"1/100\""].map(|epsilon| told(&plan(epsilon, ""), &counts));
    for (row, [_, low, high]) in &sure {
        let [_, lower, higher] = noisy[row];
        assert!(lower <= *low && *high <= higher, "{row:?}");
        assert!(vague[row][1] <= lower && higher <= vague[row][2], "{row:?}");
    }
    // At epsilon 1/100 noise has a deviation of 141: hardly anything is known of so few people.
    assert_eq!(vague[&("B".to_string(), "median of pay".to_string())][1..], [Some(0.0), Some(100.0)]);
    assert!(noisy[&("A".to_string(), "median of pay".to_string())][2] < Some(100.0));
}

#[test]
fn quantiles_have_names_that_people_read() {
    let output = "margins = [[]]\nquantiles = [\"1/3\", 0.01, 0.5, 0.125]";
    let found = told(&plan("1", output), &[60, 90, 30, 5, 40, 20, 70, 0]);
    let mut names: Vec<&str> = found.keys().map(|(_, name)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["1 % quantile of pay", "1/3 quantile of pay", "12.5 % quantile of pay", "mean of pay", "median of pay"]
    );
}
