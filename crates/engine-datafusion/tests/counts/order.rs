//! The choice of a person's bins depends on her rows alone: not on their order, nor on files and threads.

use crate::counting::{Counts, counted};
use incrowd_engine::{BinSource, Cut, Dialect, Dimension, Items, ListedValues, Nulls, Other, Query, Source, Unit};
use incrowd_engine_datafusion::Settings;
use proptest::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
const TOWNS: [&str; 6] = ["Aarau", "Bern", "Chur", "Davos", "Engelberg", "Flims"];

/// The same counts by a few lines that share nothing with the engine but SHA-256.
fn by_hand(rows: &[(u8, usize)], most: usize, found: bool) -> Counts {
    let mut bins: BTreeMap<u8, BTreeSet<usize>> = BTreeMap::new();
    for (person, town) in rows {
        bins.entry(*person).or_default().insert(*town);
    }
    let mut counts = Counts::new();
    for (person, towns) in bins {
        let person = format!("p{person}");
        let mut hashed: Vec<(Vec<u8>, String)> = towns
            .iter()
            .map(|town| {
                let bin =
                    if found { format!("t{}:{}", TOWNS[*town].len(), TOWNS[*town]) } else { format!("c1:{town}") };
                let text = format!("{KEY}t{}:{person}{bin}", person.len());
                (Sha256::digest(text.as_bytes()).to_vec(), bin)
            })
            .collect();
        hashed.sort();
        for (_, bin) in hashed.into_iter().take(most) {
            *counts.entry(bin).or_default() += 1;
        }
    }
    counts
}

fn query(folder: &Path, most: usize, found: bool) -> Query {
    let texts = TOWNS.iter().map(|town| (*town).to_string()).collect();
    Query {
        plan_hash: "0".into(),
        source: Source {
            location: folder.to_string_lossy().into_owned(),
            secret_variable: None,
            dialect: Dialect::default(),
            types: BTreeMap::new(),
            timezone: "UTC".into(),
        },
        condition: None,
        split: None,
        unit: Unit::Person { column: "person".into(), bins_per_person: most as u64 },
        bounding_key: KEY.into(),
        time: None,
        dimensions: vec![Dimension {
            name: "town".into(),
            source: BinSource::Column("town".into()),
            cut: if found { Cut::Found } else { Cut::Values(ListedValues::Texts(texts)) },
            other: Other::NotCounted,
            nulls: Nulls::Drop,
            items: Items::Each,
        }],
    }
}

fn write(folder: &Path, rows: &[(u8, usize)], files: usize) {
    for file in 0..files {
        let mut text = String::from("person,town\n");
        for (person, town) in rows.iter().skip(file).step_by(files) {
            text.push_str(&format!("p{person},{}\n", TOWNS[*town]));
        }
        std::fs::write(folder.join(format!("{file}.csv")), text).expect("a file");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_persons_bins_do_not_depend_on_order_files_or_threads(
        rows in prop::collection::vec((0u8..12, 0usize..6), 1..120),
        order in any::<prop::sample::Index>(),
        files in 1usize..4,
        threads in 1usize..4,
        most in 1usize..4,
        found in any::<bool>(),
    ) {
        let expected = by_hand(&rows, most, found);
        let mut turned = rows.clone();
        turned.rotate_left(order.index(rows.len()));
        if order.index(2) == 1 {
            turned.reverse();
        }
        for (rows, files, threads) in [(&rows, 1, 1), (&turned, files, threads)] {
            let folder = tempfile::tempdir().expect("a folder");
            write(folder.path(), rows, files);
            let settings = Settings { threads, ..Settings::default() };
            prop_assert_eq!(&counted(&query(folder.path(), most, found), settings), &expected);
        }
    }
}
