//! Counts before protection equal DuckDB's for the same question, through the engine contract.
//!
//! `tests/duckdb/cases.py` writes data, requests and DuckDB's counts; `tests/real-data/expected.py` does the same for
//! public data sets. `./test` makes the former and runs this; INCROWD_DATA names a folder with the latter.

use crate::counting::{Counts, counted};
use incrowd_engine::Query;
use incrowd_engine_datafusion::Settings;
use incrowd_release::query::query;
use incrowd_release::request::Request;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn request(path: &Path, base: &Path) -> Query {
    let text = std::fs::read_to_string(path).expect("a request");
    let request = Request::parse(&text).unwrap_or_else(|error| panic!("{}: {}", path.display(), error.message()));
    query(&request, base).unwrap_or_else(|refusal| panic!("{}: {refusal}", path.display()))
}

fn expected(path: &Path) -> Counts {
    let mut reader = csv::Reader::from_path(path).expect("CSV");
    let heads: Vec<String> = reader.headers().expect("a head").iter().map(str::to_string).collect();
    let column = |name: &str| heads.iter().position(|head| head == name);
    let (cell, key, count) = (column("cell"), column("key"), column("count").expect("a count"));
    let row = |row: csv::StringRecord| {
        let name = match (cell, key) {
            (_, Some(key)) => row[key].to_string(),
            (Some(cell), None) => format!("c{}:{}", row[cell].len(), &row[cell]),
            (None, None) => panic!("no key"),
        };
        (name, row[count].parse().expect("a count"))
    };
    reader.into_records().map(|each| row(each.expect("a row"))).collect()
}

fn compare(name: &str, ours: &Counts, theirs: &Counts) {
    let differing: Vec<_> = ours
        .keys()
        .chain(theirs.keys())
        .filter(|key| ours.get(*key) != theirs.get(*key))
        .map(|key| (key, ours.get(key), theirs.get(key)))
        .take(8)
        .collect();
    assert!(differing.is_empty(), "{name}: (key, ours, DuckDB's) {differing:?}");
    assert!(!theirs.is_empty(), "{name} compares nothing");
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
        let query = request(&entry.join("request.toml"), &entry);
        let theirs = expected(&entry.join("expected.csv"));
        for threads in [1, 2, 5] {
            compare(&name, &counted(&query, Settings { threads, ..Settings::default() }), &theirs);
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
        let query = request(&requests.join(format!("{name}.toml")), &data);
        compare(&name, &counted(&query, Settings::default()), &theirs);
    }
}
