//! Arrow files and streams as Polars writes them.
//!
//! The files were written by Polars (`tests/polars/write.py`), and what they hold was counted by plain Python. It is
//! separate because Polars puts words behind the batches that use them. Read `arrow.rs` for what the format allows.

use super::folder::{Folder, read};
use incrowd_engine::Unwatched;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

type Counts = BTreeMap<String, BTreeMap<String, u64>>;

#[test]
fn every_way_that_polars_writes_has_the_same_counts() {
    let polars = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/polars");
    let text = std::fs::read_to_string(polars.join("counts.json")).expect("counts");
    let expected: Counts = serde_json::from_str(&text).expect("counts");
    let mut seen = 0;
    for entry in std::fs::read_dir(&polars).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "arrow") {
            continue;
        }
        let folder = Folder::new();
        folder.write_as_is("d.arrow", &std::fs::read(&path).expect("a file"));
        let columns: Vec<&str> = expected.keys().map(String::as_str).collect();
        let files = folder.files("d.arrow");
        let (_, rows) = read(&files, &columns, 2, 7, Arc::new(Unwatched)).unwrap_or_else(|_| panic!("{path:?}"));
        assert_eq!(rows.len(), 40, "{path:?}");
        let mut counts = Counts::new();
        for row in &rows {
            for (column, value) in columns.iter().zip(row) {
                if let Some(value) = value {
                    *counts.entry((*column).into()).or_default().entry(value.clone()).or_default() += 1;
                }
            }
        }
        assert_eq!(counts, expected, "{path:?}");
        seen += 1;
    }
    assert_eq!(seen, 13);
}
