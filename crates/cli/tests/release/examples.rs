//! Every example: written, planned, released and verified, by the commands that it prints.

use crate::place::Place;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The examples that the binary knows.
fn names(place: &Place) -> Vec<String> {
    let listed: Value = serde_json::from_str(&place.run(&["example", "--format", "json"]).stdout).expect("an object");
    let examples = listed["examples"].as_array().expect("a list").clone();
    assert!(examples.iter().all(|example| example["about"].as_str().is_some_and(|about| about.len() > 20)), "{listed}");
    examples.iter().map(|example| example["name"].as_str().expect("a name").to_string()).collect()
}

/// The rows of a table: values by headings.
fn rows(path: &Path) -> Vec<csv::StringRecord> {
    csv::Reader::from_path(path).expect("a table").records().map(|row| row.expect("a row")).collect()
}

#[test]
fn the_examples_are_those_of_the_folder_word_for_word() {
    let place = Place::new();
    let known: BTreeSet<String> = names(&place).into_iter().collect();
    let kept = std::fs::read_dir(folder()).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    assert_eq!(known, kept.map(|name| name.into_string().expect("a name")).collect());
    for name in &known {
        assert_eq!(place.run(&["example", name, name]).code, 0);
        for entry in std::fs::read_dir(folder().join(name)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let written = place.path(name).join(path.file_name().expect("a name"));
            assert_eq!(std::fs::read(&path).expect("kept"), std::fs::read(&written).expect("written"), "{written:?}");
        }
    }
}

#[test]
fn all_examples_are_released_in_one_ledger() {
    let place = Place::new();
    for name in names(&place) {
        assert_eq!(place.run(&["example", &name, &name]).code, 0);
        let said = place.run(&["release", &format!("{name}/request.toml"), "--ledger", "one.sqlite", "--open"]);
        assert_eq!(said.code, 0, "{name}: {}", said.stderr);
    }
}

#[test]
fn every_example_is_planned_released_and_verified_by_the_commands_that_it_prints() {
    let place = Place::new();
    for name in names(&place) {
        let said = place.run(&["example", &name, &name]);
        let mut typed = said.stdout.lines().filter_map(|line| line.split_once(": incrowd ").map(|(_, rest)| rest));
        let (plan, release) = (typed.next().expect("a plan"), typed.next().expect("a release"));
        assert_eq!(release, format!("release {name}/request.toml --ledger {name}/ledger.sqlite"));
        for line in [plan, release, &format!("verify {name}/out")] {
            let said = place.run(&line.split_whitespace().collect::<Vec<_>>());
            assert_eq!(said.code, 0, "{line}: {}", said.stderr);
        }
        let said = place.run(&[
            "ledger",
            "verify",
            "--ledger",
            &format!("{name}/ledger.sqlite"),
            "--against",
            &format!("{name}/out"),
        ]);
        assert_eq!(said.code, 0, "{name}: {}", said.stderr);
        let table = match name.as_str() {
            "rows" => "rows.csv",
            "points" => "points.csv",
            _ => "counts.csv",
        };
        let shown = rows(&place.path(&name).join("out").join(table)).len();
        let least = match name.as_str() {
            "top" => 10,
            "sampled" => 12,
            "diagnoses" => 44,
            "rows" | "points" => 10_000,
            _ => 50,
        };
        assert!(shown >= least, "{name} shows {shown} rows");
    }
}

/// What a promise costs, and whether a mechanism is forced on it.
#[test]
fn no_example_promises_too_little_or_forces_what_is_worse() {
    let place = Place::new();
    for name in names(&place) {
        assert_eq!(place.run(&["example", &name, &name]).code, 0);
        let path = format!("{name}/request.toml");
        let plan: Value =
            serde_json::from_str(&place.run(&["plan", &path, "--format", "json"]).stdout).expect("an object");
        for run in plan["promise"]["curve"].as_array().expect("a curve") {
            let epsilon = run["epsilon"].as_str().expect("a number");
            let small = ["infinite", "0", "1/100", "1/20", "1/5", "1/2", "1", "2"];
            assert!(small.contains(&epsilon), "{name}: epsilon {epsilon}");
        }
        let delta = plan["promise"]["delta"].as_str().expect("a number");
        assert!(["0", "1/1000000"].contains(&delta), "{name}: delta {delta}");
        let text = std::fs::read_to_string(place.path(&path)).expect("a request");
        // The one mechanism that is chosen by name has the default's error and a smaller delta.
        assert_eq!(text.contains("[mechanism]"), name == "sampled", "{name}");
        if name == "sampled" {
            let (before, after) = text.split_once("[mechanism]").expect("a section");
            let (_, after) = after.split_once("\n\n").expect("a next section");
            place.write("sampled/default.toml", format!("{before}{after}"));
            let of = |path: &str| -> Value {
                serde_json::from_str(&place.run(&["plan", path, "--format", "json"]).stdout).expect("an object")
            };
            let (chosen, default) = (of(&path), of("sampled/default.toml"));
            let delta = |plan: &Value| -> f64 {
                let text = plan["worst_case_dp"]["delta"].as_str().expect("a delta").to_string();
                text.parse().expect("a number")
            };
            assert!(delta(&chosen) < delta(&default) / 1000.0, "{} {}", delta(&chosen), delta(&default));
            let error = |plan: &Value, size: usize| plan["utility"][size]["mean_absolute_error"].as_f64().expect("");
            for size in 0..chosen["utility"].as_array().expect("sizes").len() {
                assert!(error(&chosen, size) <= error(&default, size) * 1.01 + 0.1, "{chosen}");
            }
        }
    }
}

#[test]
fn the_salaries_show_the_managers_on_the_screen() {
    let place = Place::new();
    assert_eq!(place.run(&["example", "salaries", "demo"]).code, 0);
    for request in ["demo/uniform.toml", "demo/request.toml"] {
        let said = place.run(&["release", request, "--ledger", "demo/ledger.sqlite"]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        let administration = said.stdout.lines().filter(|line| line.trim_start().starts_with("Administration")).count();
        assert_eq!(administration, 10, "{}", said.stdout);
        assert!(said.stdout.contains("[180000, 200000)"), "{}", said.stdout);
    }
}

/// A map stays recognisable: points end up near streets far more often than elsewhere.
#[test]
fn the_points_keep_the_shape_of_the_city() {
    let place = Place::new();
    assert_eq!(place.run(&["example", "points", "city"]).code, 0);
    assert_eq!(place.run(&["release", "city/request.toml", "--ledger", "city/ledger.sqlite", "--quiet"]).code, 0);
    let cell = |row: &csv::StringRecord| {
        let place = |at: usize| row.get(at).and_then(|text| text.parse::<f64>().ok()).expect("a number");
        // Quarters of a ring's width, about two kilometres.
        (((place(0) - 8.40) / 0.03).floor() as i64, ((place(1) - 47.30) / 0.02).floor() as i64)
    };
    let near = |path: &str| {
        let rows = rows(&place.path(path));
        let mut cells = std::collections::BTreeMap::<(i64, i64), f64>::new();
        for row in &rows {
            *cells.entry(cell(row)).or_default() += 1.0 / rows.len() as f64;
        }
        cells
    };
    let (truth, published) = (near("city/accidents.csv"), near("city/out/points.csv"));
    let keys: BTreeSet<_> = truth.keys().chain(published.keys()).collect();
    let moved: f64 = keys
        .into_iter()
        .map(|key| (truth.get(key).unwrap_or(&0.0) - published.get(key).unwrap_or(&0.0)).abs() / 2.0)
        .sum();
    assert!(moved < 0.25, "{moved} of the points are in another part of the city");
}
