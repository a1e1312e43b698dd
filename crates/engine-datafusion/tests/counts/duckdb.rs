//! Counts before protection equal DuckDB's for the same question, through the engine contract.
//!
//! `tests/duckdb/cases.py` writes data, requests and DuckDB's counts; `tests/real-data/expected.py` does the same for
//! public data sets. `./test` makes the former and runs this; INCROWD_DATA names a folder with the latter.

use crate::counting::{Counts, counted};
use incrowd_conformance::{difference, expected, question};
use incrowd_engine::Query;
use incrowd_engine_datafusion::Settings;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn compare(name: &str, query: &Query, settings: Settings, theirs: &Counts) {
    assert!(!theirs.is_empty(), "{name} compares nothing");
    if let Some(difference) = difference(&counted(query, settings), theirs) {
        panic!("{name}: {difference}");
    }
}

#[test]
#[ignore = "needs DuckDB's counts in INCROWD_CASES: ./test makes them"]
fn counts_before_protection_equal_those_of_duckdb() {
    let folder = PathBuf::from(std::env::var_os("INCROWD_CASES").expect("INCROWD_CASES"));
    let mut cases = 0;
    for entry in std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if !entry.is_dir() {
            continue;
        }
        let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
        let query = question(&entry.join("request.toml"), &entry);
        let theirs = expected(&entry.join("expected.csv"));
        for threads in [1, 2, 5] {
            compare(&name, &query, Settings { threads, ..Settings::default() }, &theirs);
        }
        cases += 1;
    }
    assert!(cases >= 20, "{cases} cases");
}

#[test]
#[ignore = "needs public data sets in INCROWD_DATA and DuckDB's counts of them in INCROWD_DATA_COUNTS"]
fn counts_of_public_data_equal_those_of_duckdb() {
    let data = PathBuf::from(std::env::var_os("INCROWD_DATA").expect("INCROWD_DATA"));
    let all = PathBuf::from(std::env::var_os("INCROWD_DATA_COUNTS").expect("INCROWD_DATA_COUNTS"));
    let mut theirs: BTreeMap<String, Counts> = BTreeMap::new();
    for row in csv::Reader::from_path(all).expect("CSV").into_records() {
        let row = row.expect("a row");
        theirs.entry(row[0].to_string()).or_default().insert(row[1].to_string(), row[2].parse().expect("a count"));
    }
    assert!(theirs.len() >= 5, "{} data sets", theirs.len());
    let requests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/real-data");
    for (name, theirs) in theirs {
        let query = question(&requests.join(format!("{name}.toml")), &data);
        compare(&name, &query, Settings::default(), &theirs);
    }
}
