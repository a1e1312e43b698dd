//! The cases, read from `tests/conformance`.
//!
//! `tables` has the tables; `rows` what bins are on their rows, in one file for each theme; `counts` and `people` have
//! a folder for each case, with a request as users write it, the counts, and who is left out of a sample. It must
//! never change what a request asks but for the place of its data and the key that chooses bins, which is the same in
//! all cases. It is separate from the running of cases because other tests look at them, too. Read `row_case.rs` and
//! `expected.rs`.

use crate::counting::CountsByKey;
use crate::expected::{expected, question};
use crate::row_case;
use crate::sample::LeftOut;
use crate::table::{CaseColumn, CaseTable};
use incrowd_engine::{ColumnType, Dialect, Participants, Precision, Query, RowPlan, RowType};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A table, what is asked of it, and what is to be counted.
pub struct Case {
    /// What it is about, unlike all others.
    pub name: String,
    /// The columns that are asked for, and the first.
    pub table: CaseTable,
    /// The question; its location is to be replaced.
    pub query: Query,
    /// The counts.
    pub expected: CountsByKey,
    /// The canonical bytes of persons who are not in the sample, if it is one.
    left_out: Option<BTreeSet<Vec<u8>>>,
}

/// Where a table was put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Stored in its own types.
    Typed(String),
    /// Stored in other types, so that requests have to declare them.
    Declared(String),
    /// Stored as texts in a dialect, which requests have to say beside the types.
    Written(String, Dialect),
}

impl Case {
    /// Returns the question about the table in its place; nothing if a type that it would have to declare there has no
    /// name in a request, or is not the one that it asks for.
    pub fn asked_at(&self, place: &Place) -> Option<Query> {
        let mut query = self.query.clone();
        match place {
            Place::Typed(location) => query.source.location.clone_from(location),
            Place::Declared(location) => self.declare(&mut query, location)?,
            Place::Written(location, dialect) => {
                // What a case itself says of texts would be said in two dialects.
                let is_of_texts = |column: &CaseColumn| query.source.types.contains_key(&column.name);
                let texts = self.table.columns.iter().filter(|column| column.kind == RowType::Text);
                if query.source.dialect != Dialect::default() || texts.into_iter().any(is_of_texts) {
                    return None;
                }
                self.declare(&mut query, location)?;
                query.source.dialect.clone_from(dialect);
            }
        }
        Some(query)
    }

    fn declare(&self, query: &mut Query, location: &String) -> Option<()> {
        query.source.location.clone_from(location);
        for column in &self.table.columns {
            let Some(kind) = declared(&column.kind)? else { continue };
            if *query.source.types.entry(column.name.clone()).or_insert(kind) != kind {
                return None;
            }
        }
        Some(())
    }

    /// Returns who is counted.
    pub fn participants(&self) -> Participants {
        match &self.left_out {
            None => Participants::Everybody,
            Some(persons) => Participants::Sample(Arc::new(LeftOut(persons.clone()))),
        }
    }
}

/// Returns what a column must be declared as where it is stored in another type: inside, nothing for texts; outside,
/// nothing for a type that no request can name.
fn declared(kind: &RowType) -> Option<Option<ColumnType>> {
    match kind {
        RowType::Text => Some(None),
        RowType::Integer => Some(Some(ColumnType::Integer)),
        RowType::Number => Some(Some(ColumnType::Number)),
        RowType::Boolean => Some(Some(ColumnType::Boolean)),
        RowType::Date => Some(Some(ColumnType::Date)),
        RowType::Timestamp { precision: Precision::Microsecond, zone: None } => Some(Some(ColumnType::Timestamp)),
        RowType::Timestamp { .. }
        | RowType::Unsigned
        | RowType::Decimal { .. }
        | RowType::Null
        | RowType::Foreign(_) => None,
    }
}

/// Returns every case.
pub fn cases() -> Vec<Case> {
    let folder = folder();
    let tables = entries(&folder.join("tables"));
    let tables: BTreeMap<String, CaseTable> =
        tables.iter().map(|path| (name_of(path), CaseTable::read(path))).collect();
    let table = |name: &str| tables.get(name).unwrap_or_else(|| panic!("there is no table {name}"));
    let key = read(&folder.join("bounding-key.txt")).trim().to_owned();
    let mut cases = Vec::new();
    for path in entries(&folder.join("rows")) {
        let json: Json =
            serde_json::from_str(&read(&path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let table = table(json["table"].as_str().expect("a table"));
        for row in row_case::read(&json, &name_of(&path), table) {
            cases.push(case(row.name, table, row.query, row.expected, None, &key));
        }
    }
    for family in ["counts", "people"] {
        for path in entries(&folder.join(family)).iter().filter(|path| path.is_dir()) {
            let query = question(&path.join("request.toml"), Path::new(""));
            let left_out = path.join("left-out.txt");
            let left_out = left_out.exists().then(|| read(&left_out).lines().map(|line| line.into()).collect());
            let table = table(&query.source.location);
            let name = format!("{family}/{}", name_of(path));
            cases.push(case(name, table, query, expected(&path.join("expected.csv")), left_out, &key));
        }
    }
    cases
}

/// Returns a whole table.
pub fn table(name: &str) -> CaseTable {
    CaseTable::read(&folder().join("tables").join(format!("{name}.json")))
}

fn case(
    name: String,
    table: &CaseTable,
    mut query: Query,
    expected: CountsByKey,
    left_out: Option<BTreeSet<Vec<u8>>>,
    key: &str,
) -> Case {
    query.bounding_key = key.to_owned();
    assert!(!expected.is_empty(), "{name} expects nothing");
    let plan = RowPlan::of(&query, &table.source_columns()).unwrap_or_else(|problem| panic!("{name}: {problem}"));
    let used = plan.columns.iter().map(|(column, _)| column.as_str()).collect();
    Case { table: table.with(&used), name, query, expected, left_out }
}

/// Returns the folder of the data.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = all.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_stem().expect("a name").to_string_lossy().into_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
