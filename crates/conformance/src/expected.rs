//! A folder with a request and the counts that it has, whoever made it: the data of this kit, or DuckDB when tests run.
//!
//! It must never count anything. It is separate because generated cases are read in the same way as kept ones. Read
//! `case.rs` next.

use crate::counting::CountsByKey;
use incrowd_engine::Query;
use incrowd_release::hierarchy;
use incrowd_release::query::query;
use incrowd_release::request::Request;
use std::path::Path;

/// Returns the question of a request's file; its source is looked for in `base`, its hierarchies beside it.
pub fn question(path: &Path, base: &Path) -> Query {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut request = Request::parse(&text).unwrap_or_else(|error| panic!("{}: {}", path.display(), error.message()));
    let beside = path.parent().expect("a folder");
    hierarchy::read(&mut request, beside, |_| Vec::new()).unwrap_or_else(|unread| panic!("{}", unread.reason));
    query(&request, base).unwrap_or_else(|refusal| panic!("{}: {refusal}", path.display()))
}

/// Returns the counts of a CSV file: `cell` or `key`, and `count`.
pub fn expected(path: &Path) -> CountsByKey {
    let mut reader = csv::Reader::from_path(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let heads: Vec<String> = reader.headers().expect("a head").iter().map(str::to_string).collect();
    let column = |name: &str| heads.iter().position(|head| head == name);
    let (cell, key, count) = (column("cell"), column("key"), column("count").expect("a count"));
    let row = |row: csv::StringRecord| {
        let name = match (cell, key) {
            (_, Some(key)) => row[key].to_string(),
            (Some(cell), None) => format!("c{}:{}", row[cell].len(), &row[cell]),
            (None, None) => panic!("{}: no key", path.display()),
        };
        (name, row[count].parse().expect("a count"))
    };
    reader.into_records().map(|each| row(each.expect("a row"))).collect()
}

/// Returns where counts differ from those that are expected, a few of them; nothing if they are the same.
pub fn difference(counted: &CountsByKey, expected: &CountsByKey) -> Option<String> {
    let differing: Vec<String> = counted
        .keys()
        .chain(expected.keys().filter(|key| !counted.contains_key(*key)))
        .filter(|key| counted.get(*key) != expected.get(*key))
        .map(|key| format!("{key} is {:?}, expected {:?}", counted.get(key), expected.get(key)))
        .take(8)
        .collect();
    (!differing.is_empty()).then(|| differing.join("; "))
}
