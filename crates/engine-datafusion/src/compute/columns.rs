//! The types of Arrow that columns and dimensions are delivered in, and what is refused.
//!
//! What their values are is data, in the crate `conformance`. It must never ask for a type without a value that cannot
//! be read as it. It is separate because it is longer than what it tests. Read `../compute.rs` first.

use super::asked::{columns, of_column, typed};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Date64Array, DictionaryArray, Float32Array, Float64Array,
    Int8Array, RecordBatch, StringArray, StringViewArray, TimestampMicrosecondArray, TimestampSecondArray, UInt64Array,
};
use arrow_schema::DataType;
use incrowd_engine::{ColumnType, Cut, Edges, ListedValues, PrepareError, Query, RequestField, Unit};
use std::sync::Arc;

fn table() -> RecordBatch {
    let words: DictionaryArray<Int32Type> =
        vec![Some("2026-01-31"), Some("2026-01-31T23:30:00Z"), None].into_iter().collect();
    let columns: [(&str, ArrayRef); 12] = [
        ("text", Arc::new(StringArray::from(vec![Some("42"), Some("4.5"), Some("x")]))),
        ("view", Arc::new(StringViewArray::from(vec![Some("2026-01-31"), Some("2026-02-30"), Some("20260131")]))),
        ("words", Arc::new(words)),
        ("truth", Arc::new(StringArray::from(vec![Some("TRUE"), Some("no"), Some("maybe")]))),
        ("flag", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None]))),
        ("tiny", Arc::new(Int8Array::from(vec![Some(-5), Some(5), None]))),
        ("big", Arc::new(UInt64Array::from(vec![Some(5), Some(u64::MAX), None]))),
        ("float", Arc::new(Float64Array::from(vec![Some(-0.0), Some(f64::NAN), Some(1.5)]))),
        ("day", Arc::new(Date32Array::from(vec![Some(20_484), Some(i32::MAX), None]))),
        ("moment", Arc::new(TimestampSecondArray::from(vec![Some(1_769_902_200), Some(i64::MAX), None]))),
        ("zoned", {
            let moments = vec![Some(1_769_902_200_000_000), Some(i64::MIN), None];
            Arc::new(TimestampMicrosecondArray::from(moments).with_timezone("America/New_York"))
        }),
        ("bytes", Arc::new(BinaryArray::from(vec![Some(&b"a"[..]), None, None]))),
    ];
    RecordBatch::try_from_iter(columns).expect("a table")
}

fn shown(values: &ArrayRef) -> String {
    format!("{}: {}", values.data_type(), super::asked::shown(values))
}

fn read(column: &str, cut: Cut, timezone: &str) -> Result<String, PrepareError> {
    let mut query = of_column(column, cut);
    query.source.timezone = timezone.into();
    columns(&query, &table()).map(|columns| shown(&columns[0]))
}

fn read_in_utc(column: &str, cut: Cut) -> String {
    read(column, cut, "UTC").unwrap_or_else(|problem| panic!("{column}: {problem}"))
}

fn numbers() -> Cut {
    Cut::Edges(Edges::Numbers(Vec::new()))
}

#[test]
fn declared_types_that_make_no_sense_are_refused() {
    let declared = |column: &str, kind| typed(column, kind, &table());
    let missing =
        PrepareError::NoColumn { place: RequestField::Types, column: "txt".into(), nearest: Some("text".into()) };
    assert_eq!(declared("txt", ColumnType::Text).expect_err("no such column"), missing);
    for (column, kind) in [("tiny", ColumnType::Date), ("flag", ColumnType::Timestamp), ("day", ColumnType::Integer)] {
        let refused = declared(column, kind).expect_err("no such type");
        assert_eq!(refused, PrepareError::NoSuchCast { column: column.into(), kind });
    }
}

#[test]
fn found_values_keep_their_kind() {
    for (column, expected) in [
        ("text", "Utf8View: 42 4.5 x"),
        ("words", "Utf8View: 2026-01-31 2026-01-31T23:30:00Z ."),
        ("tiny", "Int64: -5 5 ."),
        ("big", "UInt64: 5 18446744073709551615 ."),
        ("float", "Float64: 0.0 . 1.5"),
        ("flag", "Boolean: true false ."),
        ("moment", "Timestamp(s): 2026-01-31T23:30:00 "),
    ] {
        assert!(read_in_utc(column, Cut::Found).starts_with(expected), "{column}: {}", read_in_utc(column, Cut::Found));
    }
    let refused = read("bytes", Cut::Found, "UTC").expect_err("bytes are no key");
    assert!(refused.to_string().ends_with("but is binary"), "{refused}");
}

#[test]
fn a_time_zone_that_is_none_is_refused() {
    let unknown = read("day", Cut::Values(ListedValues::Days(Vec::new())), "Europe/Zuerich").expect_err("no such zone");
    assert_eq!(unknown, PrepareError::UnknownTimezone { name: "Europe/Zuerich".into() });
}

#[test]
fn each_cut_gets_the_type_it_compares() {
    assert_eq!(read_in_utc("text", Cut::Values(ListedValues::Integers(Vec::new()))), "Int64: 42 . .");
    assert_eq!(read_in_utc("big", Cut::Values(ListedValues::Integers(Vec::new()))), "Int64: 5 . .");
    assert_eq!(read_in_utc("tiny", Cut::Values(ListedValues::Integers(Vec::new()))), "Int64: -5 5 .");
    assert_eq!(read_in_utc("truth", Cut::Values(ListedValues::Booleans(Vec::new()))), "Boolean: true false .");
    assert_eq!(read_in_utc("text", numbers()), "Float64: 42.0 4.5 .");
    assert_eq!(read_in_utc("big", numbers()), "UInt64: 5 18446744073709551615 .");
    assert_eq!(
        read_in_utc("words", Cut::Values(ListedValues::Texts(Vec::new()))),
        "Dictionary(Int32, Utf8): 2026-01-31 2026-01-31T23:30:00Z ."
    );
    for (column, cut) in [
        ("tiny", Cut::Values(ListedValues::Texts(Vec::new()))),
        ("day", Cut::Values(ListedValues::Texts(Vec::new()))),
        ("float", Cut::Values(ListedValues::Integers(Vec::new()))),
        ("tiny", Cut::Values(ListedValues::Booleans(Vec::new()))),
        ("tiny", Cut::Edges(Edges::Dates(Vec::new()))),
        ("day", numbers()),
        ("flag", numbers()),
    ] {
        assert!(matches!(read(column, cut, "UTC"), Err(PrepareError::WrongType { .. })), "{column}");
    }
}

#[test]
fn persons_are_keys_and_people_are_whole_numbers() {
    let units = |unit: Unit| {
        let asked = Query { unit, ..of_column("text", Cut::Found) };
        columns(&asked, &table()).map(|columns| shown(&columns[1]))
    };
    let person = |column: &str| Unit::Person { column: column.into(), bins_per_person: 1 };
    let people = |column: &str| Unit::People { column: column.into() };
    assert_eq!(units(person("text")).expect("a person"), "Utf8View: 42 4.5 x");
    assert_eq!(units(people("text")).expect("people"), "Int64: 42 . .");
    assert!(matches!(units(people("float")), Err(PrepareError::WrongType { place: RequestField::People, .. })));
    assert!(matches!(units(person("nobody")), Err(PrepareError::NoColumn { place: RequestField::Person, .. })));
    assert!(matches!(units(person("bytes")), Err(PrepareError::WrongType { place: RequestField::Person, .. })));
}

#[test]
fn every_type_is_either_read_or_refused() {
    let floats: ArrayRef = Arc::new(Float32Array::from(vec![1.5]));
    let old_days: ArrayRef = Arc::new(Date64Array::from(vec![1_769_817_600_000]));
    let table = RecordBatch::try_from_iter([("f", floats), ("d", old_days)]).expect("a table");
    for (column, cut, expected) in [("f", numbers(), DataType::Float64), ("d", Cut::Found, DataType::Date32)] {
        let values = columns(&of_column(column, cut), &table).expect("values");
        assert_eq!(values[0].data_type(), &expected);
    }
}
