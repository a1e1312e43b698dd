//! Samples: a person's rows live or die together, and every row that is a person gets one coin, whatever it says.

use crate::counting::{Counts, counted, counted_of};
use incrowd_engine::{
    BinSource, Coins, Cut, Dialect, Dimension, Expression, Items, ListedValues, Nulls, Other, Participants, Query,
    RequestField, RowBatch, Source, Unit,
};
use incrowd_engine_datafusion::Settings;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

const TOWNS: [&str; 3] = ["Bern", "Chur", "Davos"];
const FILES: usize = 3;
const ROWS: usize = 30_000;

/// Coins that say what they were asked.
#[derive(Default)]
struct Written {
    batches: Mutex<Vec<RowBatch>>,
    persons: Mutex<BTreeMap<Vec<u8>, u64>>,
}

/// Every third person is left out.
fn is_kept(person: &[u8]) -> bool {
    !person.iter().map(|byte| usize::from(*byte)).sum::<usize>().is_multiple_of(3)
}

impl Coins for Written {
    fn person(&self, person: &[u8]) -> bool {
        *self.persons.lock().expect("a lock").entry(person.to_vec()).or_default() += 1;
        is_kept(person)
    }

    /// Every fourth row is kept.
    fn rows(&self, batch: &RowBatch) -> Vec<bool> {
        self.batches.lock().expect("a lock").push(*batch);
        (0..batch.rows).map(|row| row.is_multiple_of(4)).collect()
    }
}

fn town(row: usize) -> &'static str {
    TOWNS[row / 7 % TOWNS.len()]
}

/// 30,000 rows in three files; each of 2,000 persons has fifteen, in several towns.
fn write(folder: &Path) {
    for file in 0..FILES {
        let mut text = String::from("person,town,n\n");
        for row in (file..ROWS).step_by(FILES) {
            text.push_str(&format!("p{},{},{}\n", row % 2_000, town(row), row % 10));
        }
        std::fs::write(folder.join(format!("{file}.csv")), text).expect("a file");
    }
}

fn query(folder: &Path, unit: Unit, found: bool, condition: Option<&str>) -> Query {
    Query {
        plan_hash: "0".into(),
        source: Source {
            location: folder.to_string_lossy().into_owned(),
            secret_variable: None,
            dialect: Dialect::default(),
            types: BTreeMap::new(),
            timezone: "UTC".into(),
        },
        condition: condition.map(|text| Expression::parse(text, RequestField::Condition).expect("a condition")),
        split: None,
        unit,
        bounding_key: "key".into(),
        time: None,
        dimensions: vec![Dimension {
            name: "town".into(),
            source: BinSource::Column("town".into()),
            cut: if found { Cut::Found } else { Cut::Values(ListedValues::Texts(TOWNS.map(String::from).to_vec())) },
            other: Other::NotCounted,
            nulls: Nulls::Drop,
            items: Items::Each,
        }],
    }
}

fn threads(threads: usize) -> Settings {
    Settings { threads, ..Settings::default() }
}

#[test]
fn all_rows_of_a_person_are_counted_or_none() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    let unit = |most| Unit::Person { column: "person".into(), bins_per_person: most };
    // With as many bins as there are towns, a person's bins are all her towns.
    let mut towns: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    (0..ROWS).for_each(|row| {
        towns.entry(row % 2_000).or_default().insert(town(row));
    });
    let canonical = |person: usize| format!("t{}:p{person}", format!("p{person}").len()).into_bytes();
    for found in [false, true] {
        let coins = Arc::new(Written::default());
        let who = Participants::Sample(Arc::clone(&coins) as Arc<dyn Coins>);
        let counts = counted_of(&query(folder.path(), unit(3), found, None), who, threads(2));
        let mut expected = Counts::new();
        for (person, towns) in towns.iter().filter(|(person, _)| is_kept(&canonical(**person))) {
            assert!(towns.len() > 1, "person {person} is in one town");
            for town in towns {
                let place = TOWNS.iter().position(|other| other == town).expect("a town");
                let key = if found { format!("t{}:{town}", town.len()) } else { format!("c1:{place}") };
                *expected.entry(key).or_default() += 1;
            }
        }
        assert_eq!(counts, expected);
        let asked = coins.persons.lock().expect("a lock");
        assert_eq!(asked.len(), 2_000, "everybody has a coin");
        assert!(asked.values().all(|times| *times == 1) && coins.batches.lock().expect("a lock").is_empty());
    }
    // One bin each: sampling comes before the choice of a bin, which it does not change.
    let one = query(folder.path(), unit(1), true, None);
    let (everybody, some) =
        (counted(&one, threads(2)), counted_of(&one, Participants::Sample(Arc::new(Written::default())), threads(2)));
    let kept = (0..2_000).filter(|person| is_kept(&canonical(*person))).count() as u64;
    assert_eq!((everybody.values().sum::<u64>(), some.values().sum::<u64>()), (2_000, kept));
    assert!(some.iter().all(|(town, count)| everybody.get(town).is_some_and(|all| all >= count)));
}

#[test]
fn every_row_gets_one_coin_before_any_condition() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    for (found, condition) in [(false, None), (true, None), (false, Some("n = '3'")), (true, Some("n = '3'"))] {
        for parts in [1, 3] {
            let coins = Arc::new(Written::default());
            let who = Participants::Sample(Arc::clone(&coins) as Arc<dyn Coins>);
            let counts = counted_of(&query(folder.path(), Unit::Row, found, condition), who, threads(parts));
            let batches = coins.batches.lock().expect("a lock");
            assert_eq!(batches.iter().map(|batch| batch.rows).sum::<usize>(), ROWS, "one coin for each row");
            let places: BTreeSet<(u64, u64)> = batches.iter().map(|batch| (batch.part, batch.number)).collect();
            assert_eq!(places.len(), batches.len(), "no place twice");
            assert!(coins.persons.lock().expect("a lock").is_empty());
            let kept: u64 = batches.iter().map(|batch| batch.rows.div_ceil(4) as u64).sum();
            let counted = counts.values().sum::<u64>();
            match condition {
                None => assert_eq!(counted, kept),
                Some(_) => assert!((500..1_000).contains(&counted), "{counted} of {kept}"),
            }
        }
    }
}

#[test]
#[should_panic(expected = "counted")]
fn rows_of_many_persons_have_no_coins() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    let mut query = query(folder.path(), Unit::People { column: "n".into() }, false, None);
    query.source.types.insert("n".into(), incrowd_engine::ColumnType::Integer);
    counted_of(&query, Participants::Sample(Arc::new(Written::default())), threads(1));
}
