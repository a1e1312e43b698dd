//! Many keys in little memory: grouping and sorting spill, and the counts stay right.

use crate::counting::counted;
use incrowd_engine::{BinSource, Cut, Dialect, Dimension, Items, Nulls, Other, Query, Source, Unit};
use incrowd_engine_datafusion::Settings;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const KEYS: usize = 400_000;

#[test]
fn four_hundred_thousand_keys_fit_into_sixty_four_megabytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = String::from("key\n");
    for row in 0..2 * KEYS {
        // Each key twice, far apart.
        writeln!(text, "a rather long key, number {:09}", row * 7919 % KEYS).expect("a text takes all");
    }
    std::fs::write(folder.path().join("d.csv"), text.replace("key, ", "key ")).expect("a file");
    let query = Query {
        plan_hash: "0".into(),
        source: Source {
            location: folder.path().join("d.csv").to_string_lossy().into_owned(),
            secret_variable: None,
            dialect: Dialect::default(),
            types: BTreeMap::new(),
            timezone: "UTC".into(),
        },
        condition: None,
        split: None,
        unit: Unit::Row,
        bounding_key: "key".into(),
        time: None,
        dimensions: vec![Dimension {
            name: "key".into(),
            source: BinSource::Column("key".into()),
            cut: Cut::Found,
            other: Other::NotCounted,
            nulls: Nulls::Drop,
            items: Items::Each,
        }],
    };
    let settings = Settings { memory: Some(64 << 20), threads: 2, spill: Some(folder.path().to_path_buf()) };
    let counts = counted(&query, settings);
    assert_eq!(counts.len(), KEYS);
    assert!(counts.values().all(|count| *count == 2));
}
