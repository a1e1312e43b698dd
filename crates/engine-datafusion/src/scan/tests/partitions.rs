//! Partitions: each row once, every byte told, and an end when somebody asks for it.
//!
//! No number of partitions, rows per batch or row groups may ever change what is read. It is separate because it holds
//! for every format. Read `deal.rs` for how work is spread.

use super::folder::{Folder, Texts, read};
use super::parquet::parquet;
use crate::scan::Fault;
use arrow_array::{ArrayRef, StringArray};
use incrowd_engine::{Unwatched, Watch};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts bytes, and asks to stop after so many of them.
struct Counter {
    bytes: AtomicU64,
    patience: u64,
}

impl Counter {
    fn new(patience: u64) -> Arc<Counter> {
        Arc::new(Counter { bytes: AtomicU64::new(0), patience })
    }
}

impl Watch for Counter {
    fn read(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) >= self.patience
    }
}

fn write(folder: &Folder, kind: &str, files: &[Vec<u16>], group_rows: usize) {
    for (number, values) in files.iter().enumerate() {
        let name = format!("{number:02}.{kind}");
        if kind == "parquet" {
            let column: ArrayRef = Arc::new(StringArray::from_iter_values(values.iter().map(u16::to_string)));
            let properties = WriterProperties::builder().set_max_row_group_row_count(Some(group_rows));
            folder.write(&name, &parquet(vec![("a", column)], properties));
        } else if kind.starts_with("csv") {
            let lines: String = values.iter().map(|value| format!("{value}\n")).collect();
            folder.write(&name, format!("a\n{lines}").as_bytes());
        } else {
            let lines: String = values.iter().map(|value| format!("{{\"a\":{value}}}\n")).collect();
            folder.write(&name, lines.as_bytes());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn partitions_together_give_each_row_once_and_tell_every_byte(
        kind in prop::sample::select(vec!["parquet", "csv", "csv.gz", "json", "json.zst"]),
        files in prop::collection::vec(prop::collection::vec(any::<u16>(), 1..40), 1..5),
        group_rows in 1usize..12,
        at_most in 1usize..6,
        batch_rows in 1usize..20,
    ) {
        let folder = Folder::new();
        write(&folder, kind, &files, group_rows);
        let counter = Counter::new(u64::MAX);
        let resolved = folder.files("");
        let (_, mut rows) = read(&resolved, &["a"], at_most, batch_rows, counter.clone()).expect("rows");
        let mut expected: Texts = files.iter().flatten().map(|value| vec![Some(value.to_string())]).collect();
        rows.sort();
        expected.sort();
        prop_assert_eq!(rows, expected);
        prop_assert_eq!(Some(counter.bytes.load(Ordering::Relaxed)), resolved.bytes());
    }
}

#[test]
fn a_scan_stops_when_it_is_asked_to() {
    for kind in ["csv", "json", "json.gz", "parquet"] {
        let folder = Folder::new();
        write(&folder, kind, &vec![vec![1; 5000]; 4], 100);
        let files = folder.files("");
        for patience in [0, 1, files.bytes().expect("a size") / 2] {
            let counter = Counter::new(patience);
            let stopped = read(&files, &["a"], 2, 10, counter.clone()).map(|(_, rows)| rows.len());
            assert_eq!(stopped, Err(Fault::Stopped), "{kind} {patience}");
            assert!(Some(counter.bytes.load(Ordering::Relaxed)) < files.bytes());
        }
    }
}

#[test]
fn a_file_that_vanished_is_damage() {
    for kind in ["csv", "json", "parquet"] {
        let folder = Folder::new();
        write(&folder, kind, &[vec![1]], 1);
        let files = folder.files("");
        std::fs::remove_file(&files.files[0].path).expect("removed");
        assert_eq!(read(&files, &["a"], 1, 1, Arc::new(Unwatched)).map(|(_, rows)| rows), Err(Fault::Damaged));
    }
}
