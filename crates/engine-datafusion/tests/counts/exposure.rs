//! In how large groups people are, over two overlapping queries: against a few lines that share nothing with the engine
//! but SHA-256.

use incrowd_engine::{
    BinSource, ColumnType, Cut, Dialect, Dimension, Edges, Expression, Items, ListedValues, Nulls, Other, Query,
    RequestField, Source, Unit, Unwatched, Watch,
};
use incrowd_engine_datafusion::{DataFusionEngine, Exposed, Settings, Unlinked, WhyUnlinked};
use incrowd_exact::Rational;
use proptest::prelude::*;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

const TOWNS: [&str; 5] = ["Aarau", "Bern", "Chur", "Davos", ""];
const KEYS: [&str; 2] = ["first key", "second key"];

/// Person, town, age, and for how many people the row stands.
type Row = (u8, usize, u8, u8);

/// By the sizes of their groups, with the query: how many people.
type Groups = BTreeMap<Vec<(usize, u64)>, u64>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinkedBy {
    Row,
    People,
    Person(usize),
}

fn units(who: LinkedBy) -> Unit {
    match who {
        LinkedBy::Row => Unit::Row,
        LinkedBy::People => Unit::People { column: "people".into() },
        LinkedBy::Person(most) => Unit::Person { column: "person".into(), bins_per_person: most as u64 },
    }
}

fn dimension(column: &str, cut: Cut, other: Other, nulls: Nulls) -> Dimension<Expression> {
    Dimension { name: column.into(), source: BinSource::Column(column.into()), cut, other, nulls, items: Items::Each }
}

/// The first query has declared towns, others and missing ones; the second finds towns, cuts ages, and has a condition.
fn queries(location: &Path, who: LinkedBy) -> Vec<Query> {
    let source = Source {
        location: location.to_string_lossy().into_owned(),
        secret_variable: None,
        dialect: Dialect::default(),
        types: BTreeMap::from([("age".into(), ColumnType::Integer), ("people".into(), ColumnType::Integer)]),
        timezone: "UTC".into(),
    };
    let listed = Cut::Values(ListedValues::Texts(vec!["Bern".into(), "Chur".into()]));
    let ages = Cut::Edges(Edges::Numbers([0u8, 20, 40].map(Rational::from).to_vec()));
    vec![
        Query {
            plan_hash: "0".into(),
            source: source.clone(),
            condition: None,
            split: None,
            unit: units(who),
            bounding_key: KEYS[0].into(),
            time: None,
            dimensions: vec![dimension("town", listed, Other::Counted, Nulls::Bin)],
        },
        Query {
            plan_hash: "0".into(),
            source,
            condition: Some(Expression::parse("age >= 10", RequestField::Condition).expect("a condition")),
            split: None,
            unit: units(who),
            bounding_key: KEYS[1].into(),
            time: None,
            dimensions: vec![
                dimension("town", Cut::Found, Other::NotCounted, Nulls::Drop),
                dimension("age", ages, Other::NotCounted, Nulls::Drop),
            ],
        },
    ]
}

/// The canonical text of a row's bin in one of the queries.
fn bin(query: usize, (_, town, age, _): Row) -> Option<String> {
    let town = TOWNS[town];
    match (query, town, age) {
        (0, "Bern", _) => Some("c1:0".into()),
        (0, "Chur", _) => Some("c1:1".into()),
        (0, "", _) => Some("c1:3".into()),
        (0, _, _) => Some("c1:2".into()),
        (_, "", _) => None,
        (_, town, age @ 10..40) => Some(format!("t{}:{town}i1:{}", town.len(), age / 20)),
        (_, _, _) => None,
    }
}

fn by_hand(rows: &[Row], who: LinkedBy) -> Groups {
    // Everybody's bins: a person's, or those of a row, which stands for some people.
    let mut everybody: BTreeMap<usize, (u64, BTreeSet<(usize, String)>)> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        let (name, people) = match who {
            LinkedBy::Row => (index, 1),
            LinkedBy::People => (index, u64::from(row.3)),
            LinkedBy::Person(_) => (usize::from(row.0), 1),
        };
        let one = everybody.entry(name).or_default();
        one.0 = people;
        one.1.extend((0..2).filter_map(|query| Some((query, bin(query, *row)?))));
    }
    if let LinkedBy::Person(most) = who {
        for (person, (_, bins)) in &mut everybody {
            for (query, key) in KEYS.iter().enumerate() {
                let person = format!("p{person}");
                let hash = |bin: &String| Sha256::digest(format!("{key}t{}:{person}{bin}", person.len()).as_bytes());
                let mut own: Vec<_> = bins.iter().filter(|(of, _)| *of == query).cloned().collect();
                own.sort_by_key(|(_, bin)| hash(bin).to_vec());
                own.iter().skip(most).for_each(|left_out| assert!(bins.remove(left_out)));
            }
        }
    }
    let mut sizes: BTreeMap<&(usize, String), u64> = BTreeMap::new();
    everybody.values().for_each(|(people, bins)| bins.iter().for_each(|bin| *sizes.entry(bin).or_default() += people));
    let mut groups = Groups::new();
    for (people, bins) in everybody.values().filter(|(people, bins)| *people > 0 && !bins.is_empty()) {
        let mut own: Vec<(usize, u64)> = bins.iter().map(|bin| (bin.0, sizes[bin])).collect();
        own.sort_unstable();
        *groups.entry(own).or_default() += people;
    }
    groups
}

fn write(folder: &Path, rows: &[Row], files: usize) {
    for file in 0..files {
        let mut text = String::from("unused,person,town,age,people\n");
        for (person, town, age, people) in rows.iter().skip(file).step_by(files) {
            let person = if *person == 0 { String::new() } else { format!("p{person}") };
            text.push_str(&format!("x,{person},{},{age},{people}\n", TOWNS[*town]));
        }
        std::fs::write(folder.join(format!("{file}.csv")), text).expect("a file");
    }
}

fn engine(threads: usize) -> DataFusionEngine {
    DataFusionEngine::new(Settings { threads, ..Settings::default() })
}

fn groups(exposed: Exposed) -> Groups {
    let mut found = Groups::new();
    for group in exposed.groups() {
        let mut bins: Vec<(usize, u64)> = group.bins.iter().map(|bin| (bin.query, bin.size)).collect();
        bins.sort_unstable();
        assert!(found.insert(bins, group.people).is_none(), "a combination came twice");
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn people_are_found_again_in_every_query(
        rows in prop::collection::vec((0u8..12, 0usize..5, 0u8..50, 0u8..4), 1..120),
        files in 1usize..4,
        threads in 1usize..4,
        who in prop::sample::select(vec![LinkedBy::Row, LinkedBy::People, LinkedBy::Person(1), LinkedBy::Person(2), LinkedBy::Person(9)]),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), &rows, files);
        // Rows of nobody are dropped where people have names.
        let of_somebody: Vec<Row> = match who {
            LinkedBy::Row | LinkedBy::People => rows,
            LinkedBy::Person(_) => rows.into_iter().filter(|(person, ..)| *person > 0).collect(),
        };
        let exposure = engine(threads).exposure(&queries(folder.path(), who)).expect("the same people");
        let exposed = exposure.reveal_group_sizes(Arc::new(Unwatched)).expect("read to the end");
        prop_assert_eq!(groups(exposed), by_hand(&of_somebody, who));
    }
}

#[test]
fn objects_are_read_as_rows_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: Vec<Row> = (0..60).map(|row| (1, usize::from(row) % 5, row, 1)).collect();
    let object = |(_, town, age, _): &Row| match TOWNS[*town] {
        "" => format!("{{\"age\": {age}}}\n"),
        town => format!("{{\"town\": \"{town}\", \"age\": {age}}}\n"),
    };
    std::fs::write(folder.path().join("rows.ndjson"), rows.iter().map(object).collect::<String>()).expect("a file");
    let exposure = engine(2).exposure(&queries(folder.path(), LinkedBy::Row)).expect("the same people");
    let exposed = exposure.reveal_group_sizes(Arc::new(Unwatched)).expect("read to the end");
    assert_eq!(groups(exposed), by_hand(&rows, LinkedBy::Row));
}

#[test]
fn people_who_cannot_be_linked_are_refused() {
    let (one, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    for folder in [&one, &other] {
        write(folder.path(), &[(1, 1, 30, 1)], 1);
    }
    let apart = |change: fn(&mut Query), who: LinkedBy| {
        let mut queries = queries(one.path(), who);
        change(&mut queries[1]);
        match engine(1).exposure(&queries) {
            Ok(_) => None,
            Err(Unlinked::Apart { query: 1, why }) => Some(why),
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(apart(|_| {}, LinkedBy::Row), None);
    assert_eq!(
        apart(|query| query.unit = Unit::People { column: "people".into() }, LinkedBy::Row),
        Some(WhyUnlinked::Unit)
    );
    assert_eq!(apart(|query| query.unit = units(LinkedBy::Person(1)), LinkedBy::Row), Some(WhyUnlinked::Unit));
    assert_eq!(
        apart(|query| query.unit = Unit::People { column: "age".into() }, LinkedBy::People),
        Some(WhyUnlinked::Unit)
    );
    assert_eq!(
        apart(|query| query.source.timezone = "Europe/Zurich".into(), LinkedBy::Row),
        Some(WhyUnlinked::Reading)
    );
    assert_eq!(apart(|query| query.source.types.clear(), LinkedBy::Row), Some(WhyUnlinked::Reading));
    assert_eq!(apart(|query| query.source.timezone = "Europe/Zurich".into(), LinkedBy::Person(1)), None);
    let another_type = |query: &mut Query| {
        query.source.types.insert("person".into(), ColumnType::Integer);
    };
    assert_eq!(apart(another_type, LinkedBy::Person(1)), Some(WhyUnlinked::PersonType));
    let another_column = |query: &mut Query| {
        query.unit = Unit::Person { column: "unused".into(), bins_per_person: 1 };
    };
    assert_eq!(apart(another_column, LinkedBy::Person(1)), Some(WhyUnlinked::PersonColumn));

    // The same files by another way are the same; a copy of them is not.
    let mut queries = queries(one.path(), LinkedBy::Row);
    let way_round = one.path().join("..").join(one.path().file_name().expect("a name"));
    queries[1].source.location = way_round.to_string_lossy().into_owned();
    assert!(engine(1).exposure(&queries).is_ok());
    queries[1].source.location = other.path().to_string_lossy().into_owned();
    assert_eq!(engine(1).exposure(&queries).err(), Some(Unlinked::Apart { query: 1, why: WhyUnlinked::Source }));
}

#[test]
fn sizes_are_mute_and_reading_can_be_stopped() {
    struct Impatient;
    impl Watch for Impatient {
        fn read(&self, _bytes: u64) {}
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &[(1, 1, 30, 1)], 1);
    for who in [LinkedBy::Row, LinkedBy::Person(1)] {
        let exposure = || engine(1).exposure(&queries(folder.path(), who)).expect("the same people");
        let stopped = exposure().reveal_group_sizes(Arc::new(Impatient)).err();
        assert_eq!(stopped, Some(incrowd_engine::CountError::Cancelled));
        let exposed = exposure().reveal_group_sizes(Arc::new(Unwatched)).expect("read");
        assert_eq!(format!("{exposed:?}"), "Exposed");
    }
}
