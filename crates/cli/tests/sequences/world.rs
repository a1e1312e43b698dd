//! A small table of people in two states, its files without any one of them, and what the engine counts there.

use crate::generate::{Format, Person, Spec};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use incrowd_counts::testing::reveal_true_counts;
use incrowd_engine::{Engine, Participants, Unwatched};
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_ledger::{Charge, Ledger, Moment};
use incrowd_release::charge::charge;
use incrowd_release::query::query;
use parquet::arrow::ArrowWriter;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// True counts by the words of their keys; empty bins are not listed.
pub type Counts = BTreeMap<String, u64>;

/// One row: identifier, value, illness, region, year, and the state in which it came.
struct Row {
    id: String,
    value: &'static str,
    illness: &'static str,
    region: &'static str,
    year: i64,
    since: usize,
}

/// The table, its files, and what was counted before.
pub struct World {
    rows: Vec<Row>,
    folder: tempfile::TempDir,
    counted: RefCell<BTreeMap<(&'static str, Vec<usize>), Counts>>,
}

impl World {
    /// Returns the table.
    pub fn new() -> World {
        let mut rows = Vec::new();
        let mut add = |id: &str, value, illness, region, year, since| {
            rows.push(Row { id: id.to_string(), value, illness, region, year, since });
        };
        // Five persons of the north who are ill in both years, the last one of something else in the second.
        for id in ["1", "2", "3", "4", "5"] {
            let second = if id == "5" { "gout" } else { "flu" };
            add(id, "1", "flu", "north", 2020, 0);
            add(id, "0.5", second, "north", 2021, 0);
        }
        // One identifier in six spellings; one of its values is spelt otherwise, too.
        for (place, id) in ["7", "07", "007", "0007", "00007", "000007"].into_iter().enumerate() {
            add(id, if place == 0 { "1.0" } else { "1" }, "gout", "south", 2020, 0);
        }
        // Somebody who came later.
        add("9", "2", "flu", "south", 2021, 1);
        World { rows, folder: tempfile::tempdir().expect("a folder"), counted: RefCell::default() }
    }

    /// Returns the rows of every person, by one of the meanings of that word.
    pub fn people(&self, person: Person) -> Vec<Vec<usize>> {
        let mut people: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, row) in self.rows.iter().enumerate() {
            let name = match person {
                Person::Row => index.to_string(),
                Person::Text => row.id.clone(),
                Person::Integer => row.id.trim_start_matches('0').to_string(),
            };
            people.entry(name).or_default().push(index);
        }
        people.into_values().collect()
    }

    /// Returns the file that a release reads, with everybody in it.
    pub fn whole(&self, spec: &Spec) -> String {
        self.file(spec, &BTreeSet::new())
    }

    /// Returns what a release costs, as it asks the book.
    pub fn charge(&self, spec: &Spec) -> Charge {
        let plan = spec.plan(&self.whole(spec));
        let asked = query(plan.plan().request(), Path::new("")).expect("a query");
        let prepared = DataFusionEngine::new(Settings::default()).prepare(&asked).expect("prepared");
        charge(&plan, &prepared.reading()).expect("a charge")
    }

    /// Returns what a release counts without these rows, before anybody is sampled.
    pub fn counts(&self, spec: &Spec, without: &[usize]) -> Counts {
        let key = (spec.name, without.to_vec());
        if let Some(counts) = self.counted.borrow().get(&key) {
            return counts.clone();
        }
        let plan = spec.plan(&self.file(spec, &without.iter().copied().collect()));
        let asked = query(plan.plan().request(), Path::new("")).expect("a query");
        let engine = DataFusionEngine::new(Settings { threads: 1, ..Settings::default() });
        let prepared = engine.prepare(&asked).unwrap_or_else(|problem| panic!("{problem}"));
        let price = charge(&plan, &prepared.reading()).expect("a charge");
        let mut ledger = Ledger::in_memory().expect("a ledger");
        let receipt = ledger.charge(&price, Moment::from_unix_seconds(0)).expect("paid");
        let counted = prepared.count(&receipt, Participants::Everybody, Arc::new(Unwatched)).expect("counted");
        let batches = reveal_true_counts(counted).expect("counted to the end");
        let counts: Counts = batches.iter().flat_map(cells).filter(|(_, count)| *count > 0).collect();
        self.counted.borrow_mut().insert(key, counts.clone());
        counts
    }

    /// Writes the rows of a state, without some, and returns where.
    fn file(&self, spec: &Spec, without: &BTreeSet<usize>) -> String {
        let kept = |(index, row): &(usize, &Row)| row.since <= spec.state && !without.contains(index);
        let rows: Vec<&Row> = self.rows.iter().enumerate().filter(kept).map(|(_, row)| row).collect();
        let ending = match spec.format {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        };
        let names: Vec<String> = without.iter().map(ToString::to_string).collect();
        let path = self.folder.path().join(format!("{}-{}.{ending}", spec.state, names.join("-")));
        match spec.format {
            Format::Csv => {
                let line =
                    |row: &&Row| format!("{},{},{},{},{}\n", row.id, row.value, row.illness, row.region, row.year);
                let lines: String = rows.iter().map(line).collect();
                std::fs::write(&path, format!("id,value,illness,region,year\n{lines}")).expect("written");
            }
            Format::Parquet => {
                let texts = |of: fn(&Row) -> &'static str| -> ArrayRef {
                    Arc::new(rows.iter().map(|row| Some(of(row))).collect::<StringArray>())
                };
                let number = |text: &str| text.parse::<f64>().expect("a number");
                let columns: Vec<(&str, ArrayRef)> = vec![
                    ("id", Arc::new(rows.iter().map(|row| row.id.parse::<i64>().ok()).collect::<Int64Array>())),
                    ("value", Arc::new(rows.iter().map(|row| Some(number(row.value))).collect::<Float64Array>())),
                    ("illness", texts(|row| row.illness)),
                    ("region", texts(|row| row.region)),
                    ("year", Arc::new(rows.iter().map(|row| Some(row.year)).collect::<Int64Array>())),
                ];
                let batch = RecordBatch::try_from_iter(columns).expect("a batch");
                let file = std::fs::File::create(&path).expect("a file");
                let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
                writer.write(&batch).expect("written");
                writer.close().expect("closed");
            }
        }
        path.to_str().expect("a path").to_string()
    }
}

fn cells(batch: &RecordBatch) -> Vec<(String, u64)> {
    use arrow_array::cast::AsArray;
    use arrow_array::types::UInt64Type;
    let (counts, keys) = batch.columns().split_last().expect("columns");
    let counts = counts.as_primitive::<UInt64Type>();
    let key = |row: usize| keys.iter().map(|column| format!("{:?}", column.slice(row, 1))).collect::<String>();
    (0..batch.num_rows()).map(|row| (key(row), counts.value(row))).collect()
}
