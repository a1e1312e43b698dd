//! How values are stored is told before anything is charged, whatever the format; what is counted of them is the same
//! in all of them (`conformance.rs`).

use crate::counting::{Counts, counted};
use crate::stored::{Columns, Stored as Storage};
use incrowd_conformance::{Place, table};
use incrowd_engine::{
    BinSource, ColumnType, Cut, Dialect, Dimension, Edges, Engine, Expression, Items, ListedValues, Nulls, Other,
    Precision, Query, Reading, RequestField, Source, Stored, Unit,
};
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_exact::parse_number;
use std::collections::BTreeMap;

fn query(column: &str, cut: Cut) -> Query {
    let source = BinSource::Column(column.into());
    let (other, nulls, items) = (Other::Counted, Nulls::Bin, Items::Each);
    Query {
        plan_hash: "0".into(),
        source: Source {
            location: String::new(),
            secret_variable: None,
            dialect: Dialect::default(),
            types: BTreeMap::new(),
            timezone: "America/New_York".into(),
        },
        condition: None,
        split: None,
        unit: Unit::Row,
        bounding_key: "key".into(),
        time: None,
        dimensions: vec![Dimension { name: column.into(), source, cut, other, nulls, items }],
    }
}

fn types() -> BTreeMap<String, ColumnType> {
    let types = [
        ("n", ColumnType::Number),
        ("k", ColumnType::Integer),
        ("b", ColumnType::Boolean),
        ("d", ColumnType::Date),
        ("m", ColumnType::Timestamp),
    ];
    types.into_iter().map(|(name, kind)| (name.to_string(), kind)).collect()
}

#[test]
fn the_reading_tells_how_values_are_stored_before_anything_is_charged() {
    let edges = Edges::Numbers(["0", "1"].map(|text| parse_number(text).expect("a number")).to_vec());
    let mut query = query("n", Cut::Edges(edges));
    query.source.types = types();
    query.condition =
        Some(Expression::parse("k > 0 and m is not null and b", RequestField::Condition).expect("a condition"));
    query.unit = Unit::Person { column: "id".into(), bins_per_person: 1 };
    let reading = |query: &Query, storage: Storage| -> Reading {
        let folder = tempfile::tempdir().expect("a folder");
        let mut query = query.clone();
        query.source.location = match storage.write(&table("readings"), folder.path()).expect("a file") {
            Place::Typed(location) | Place::Declared(location) | Place::Written(location, _) => location,
        };
        let prepared = DataFusionEngine::new(Settings::default()).prepare(&query);
        prepared.unwrap_or_else(|problem| panic!("{storage:?}: {problem}")).reading()
    };
    let shown = |storage: Storage| {
        let reading = reading(&query, storage);
        let columns: Vec<String> = reading.columns.iter().map(|(name, stored)| format!("{name} {stored}")).collect();
        format!("{}; {}", columns.join(", "), reading.person.expect("a person"))
    };
    assert_eq!(shown(Storage::Csv), "b text, id text, k text, m text, n text; text");
    assert_eq!(shown(Storage::Json), "b json, id json, k json, m json, n json; text");
    // A text that was spelled of a number is not taken for one that somebody wrote.
    for (storage, format) in [(Storage::Xlsx, "xlsx"), (Storage::Ods, "ods"), (Storage::Sqlite, "sqlite")] {
        let stored = format!("text({{\"format\":\"{format}\"}})");
        assert_eq!(shown(storage), format!("b {stored}, id {stored}, k {stored}, m {stored}, n {stored}; text"));
    }
    assert_eq!(shown(Storage::Zip), shown(Storage::Csv), "how a file is packed makes no difference");
    for (columns, expected) in [
        (Columns::Usual, "b boolean, id text, k integer, m timestamp(us), n float64; text"),
        (Columns::Small, "b boolean, id text, k integer, m timestamp(s), n float32; text"),
        (Columns::Exchanged, "b boolean, id text, k float64, m timestamp(us), n decimal(2); text"),
        (Columns::Views, "b boolean, id text, k integer, m timestamp(us, Asia/Tokyo), n float64; text"),
    ] {
        let both = (shown(Storage::Parquet(columns)), shown(Storage::Arrow(columns)));
        assert_eq!(both, (expected.to_owned(), expected.to_owned()));
    }
    // The texts 7 and 07 are two people, the integer 7 is one.
    let mut by_number = query.clone();
    by_number.unit = Unit::Person { column: "k".into(), bins_per_person: 1 };
    assert_eq!(reading(&by_number, Storage::Csv).person, Some(Stored::Integer));
    by_number.source.types = BTreeMap::new();
    by_number.condition = None;
    assert_eq!(reading(&by_number, Storage::Csv).person, Some(Stored::Text));
    assert_eq!(reading(&by_number, Storage::Parquet(Columns::Usual)).person, Some(Stored::Integer));
    by_number.unit = Unit::Person { column: "m".into(), bins_per_person: 1 };
    let zoned = Stored::Timestamp { precision: Precision::Microsecond, zone: Some("Asia/Tokyo".into()) };
    assert_eq!(reading(&by_number, Storage::Arrow(Columns::Views)).person, Some(zoned));
}

#[test]
fn a_hundred_thousand_columns_take_no_longer_than_a_hundred_thousand_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let columns = 130_000;
    let names: Vec<String> = (0..columns).map(|column| format!("c{column}")).collect();
    let row = |value: &str| vec![value; columns].join(",");
    let text = format!("{}\n{}\n{}\n", names.join(","), row("1"), row("2"));
    std::fs::write(folder.path().join("wide.csv"), text).expect("written");
    let mut query = query("c129999", Cut::Values(ListedValues::Integers(vec![1, 2])));
    query.source.types = BTreeMap::from([("c129999".into(), ColumnType::Integer)]);
    let begun = std::time::Instant::now();
    let location = folder.path().join("wide.csv").to_string_lossy().into_owned();
    assert_eq!(
        incrowd_engine_datafusion::look(&location, &Dialect::default(), incrowd_engine_datafusion::Names::OnTop)
            .expect("columns")
            .columns
            .len(),
        columns
    );
    query.source.location = location;
    let counts = counted(&query, Settings::default());
    assert_eq!(counts, Counts::from([("c1:0".into(), 1), ("c1:1".into(), 1)]));
    // One look for each pair of columns took minutes.
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}
