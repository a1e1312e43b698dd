//! Periods and pairs: against a few lines that share nothing with the engine but SHA-256.

use crate::counting::{Counts, counted};
use incrowd_engine::{
    BinSource, Cut, Dialect, Dimension, Expression, Items, ListedValues, Nulls, Other, Query, Source, Time, Unit,
};
use incrowd_engine_datafusion::Settings;
use proptest::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const KEY: &str = "ffeeddccbbaa99887766554433221100";
const TOWNS: [&str; 4] = ["Aarau", "Bern", "Chur", "Davos"];
const PERIODS: usize = 3;

/// A row: who, when, where. Period 3 is not asked for.
type Row = (u8, usize, usize);

fn town_key(town: usize, found: bool) -> String {
    if found { format!("t{}:{}", TOWNS[town].len(), TOWNS[town]) } else { String::new() }
}

/// The canonical key of a period and a town: two parts, or the number of one cell.
fn key(period: usize, town: usize, found: bool) -> String {
    if found {
        // The code of a declared dimension beside a found one is a number.
        return format!("i1:{period}{}", town_key(town, true));
    }
    let cell = (period * TOWNS.len() + town).to_string();
    format!("c{}:{cell}", cell.len())
}

/// Those with the lowest hashes.
fn chosen(person: u8, keys: BTreeSet<String>, most: usize) -> Vec<String> {
    let person = format!("p{person}");
    let mut hashed: Vec<(Vec<u8>, String)> = keys
        .into_iter()
        .map(|key| (Sha256::digest(format!("{KEY}t{}:{person}{key}", person.len()).as_bytes()).to_vec(), key))
        .collect();
    hashed.sort();
    hashed.into_iter().take(most).map(|(_, key)| key).collect()
}

/// Where a row counts.
fn periods(period: usize, time: Time) -> Vec<usize> {
    match time {
        _ if period >= PERIODS => Vec::new(),
        Time::Apart => vec![period],
        Time::Running => (period..PERIODS).collect(),
    }
}

fn by_hand(rows: &[Row], time: Time, most: Option<usize>, found: bool) -> Counts {
    let mut counts = Counts::new();
    let spread = rows.iter().flat_map(|(person, period, town)| {
        periods(*period, time).into_iter().map(move |period| (*person, period, *town))
    });
    match most {
        None => spread.for_each(|(_, period, town)| *counts.entry(key(period, town, found)).or_default() += 1),
        Some(most) => {
            let mut bins: BTreeMap<(u8, usize), BTreeSet<String>> = BTreeMap::new();
            spread.for_each(|(person, period, town)| {
                bins.entry((person, period)).or_default().insert(key(period, town, found));
            });
            for ((person, _), keys) in bins {
                chosen(person, keys, most).into_iter().for_each(|key| *counts.entry(key).or_default() += 1);
            }
        }
    }
    counts
}

fn pairs_by_hand(rows: &[Row], most: usize) -> Counts {
    let mut items: BTreeMap<u8, BTreeSet<usize>> = BTreeMap::new();
    rows.iter().for_each(|(person, _, town)| {
        items.entry(*person).or_default().insert(*town);
    });
    let mut counts = Counts::new();
    for (person, towns) in items {
        let pair = |one: usize, other: usize| format!("{}{}", town_key(one, true), town_key(other, true));
        let all =
            towns.iter().flat_map(|one| towns.iter().filter(move |other| one < other).map(move |other| (*one, *other)));
        let keys = all.map(|(one, other)| pair(one, other)).collect();
        chosen(person, keys, most).into_iter().for_each(|key| *counts.entry(key).or_default() += 1);
    }
    counts
}

fn dimension(name: &str, cut: Cut) -> Dimension<Expression> {
    Dimension {
        name: name.into(),
        source: BinSource::Column(name.into()),
        cut,
        other: Other::NotCounted,
        nulls: Nulls::Drop,
        items: Items::Each,
    }
}

fn query(folder: &Path, most: Option<usize>, dimensions: Vec<Dimension<Expression>>) -> Query {
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
        unit: match most {
            None => Unit::Row,
            Some(most) => Unit::Person { column: "person".into(), bins_per_person: most as u64 },
        },
        bounding_key: KEY.into(),
        time: None,
        dimensions,
    }
}

fn write(folder: &Path, rows: &[Row]) {
    for file in 0..2 {
        let mut text = String::from("person,year,town\n");
        for (person, period, town) in rows.iter().skip(file).step_by(2) {
            text.push_str(&format!("p{person},{},{}\n", 2000 + period, TOWNS[*town]));
        }
        std::fs::write(folder.join(format!("{file}.csv")), text).expect("a file");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn people_have_their_bins_in_each_period(
        rows in prop::collection::vec((0u8..8, 0usize..4, 0usize..4), 1..80),
        most in prop::option::of(1usize..3),
        found in any::<bool>(),
        running in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), &rows);
        let time = if running { Time::Running } else { Time::Apart };
        let years = Cut::Values(ListedValues::Integers((2000..2000 + PERIODS as i64).collect()));
        let towns = if found { Cut::Found } else { Cut::Values(ListedValues::Texts(TOWNS.map(String::from).to_vec())) };
        let mut query = query(folder.path(), most, vec![dimension("year", years), dimension("town", towns)]);
        query.time = Some(time);
        let settings = Settings { threads: 2, ..Settings::default() };
        prop_assert_eq!(counted(&query, settings), by_hand(&rows, time, most, found));
    }

    #[test]
    fn a_persons_pairs_are_those_of_her_items(
        rows in prop::collection::vec((0u8..8, 0usize..4, 0usize..4), 1..80),
        most in 1usize..4,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), &rows);
        let side = Dimension { items: Items::Pairs, ..dimension("town", Cut::Found) };
        let query = query(folder.path(), Some(most), vec![side.clone(), side]);
        let settings = Settings { threads: 2, ..Settings::default() };
        prop_assert_eq!(counted(&query, settings), pairs_by_hand(&rows, most));
    }
}
