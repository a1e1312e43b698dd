//! One table in every format has the same counts: nobody moves to another bin because a file was written by another
//! program.

use crate::counting::{Counts, counted};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array, Int8Array,
    Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray, TimestampMillisecondArray,
    TimestampSecondArray,
};
use incrowd_engine::{
    BinSource, ColumnType, Cut, Date, Dimension, Edges, Engine, Expression, Items, ListedValues, Nulls, Other,
    PeriodUnit, Periods, Precision, Query, Reading, RequestField, Source, Stored, Unit,
};
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_exact::parse_number;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Names, numbers, whole numbers, texts, truth values, days and seconds since 1970, as a CSV file has them.
const ROWS: [[&str; 7]; 9] = [
    ["a", "0.1", "1", "x", "true", "2026-01-31", "1769832000"],
    ["a", "0.3", "2", "", "false", "2026-02-01", "1769921999"],
    ["b", "0.7", "-3", "y", "", "2026-02-28", "1769922000"],
    ["b", "-0.0", "7", "x", "true", "", "1772323200"],
    ["", "0.3", "0", "x", "true", "2026-03-01", ""],
    ["c", "", "", "a text of more than twelve bytes", "false", "2026-01-31", "1769832000"],
    ["c", "1", "2", "", "true", "2025-12-31", "-1"],
    ["d", "0.29", "100", "ü", "true", "1969-12-31", "0"],
    ["d", "0.31", "2", "x", "false", "2026-01-01", "1769922000"],
];

fn column(place: usize) -> Vec<Option<&'static str>> {
    ROWS.iter().map(|row| Some(row[place]).filter(|text| !text.is_empty())).collect()
}

fn read<T: std::str::FromStr>(place: usize) -> Vec<Option<T>> {
    column(place).into_iter().map(|text| text.and_then(|text| text.parse().ok())).collect()
}

fn days() -> Vec<Option<i32>> {
    // By hand, so that nothing that is tested reads a date here.
    let known = [("2026-01-31", 20_484), ("2026-02-01", 20_485), ("2026-02-28", 20_512), ("2026-03-01", 20_513)];
    let more = [("2025-12-31", 20_453), ("1969-12-31", -1), ("2026-01-01", 20_454)];
    let day = |text: &str| known.iter().chain(&more).find(|(known, _)| *known == text).map(|(_, day)| *day);
    column(5).into_iter().map(|text| text.and_then(day)).collect()
}

/// Texts of moments, which only text formats need.
fn moments() -> Vec<Option<&'static str>> {
    let known = [
        ("1769832000", "2026-01-31T04:00:00"),
        ("1769921999", "2026-02-01T04:59:59"),
        ("1769922000", "2026-02-01T05:00:00Z"),
        ("1772323200", "2026-03-01T01:00:00+01:00"),
        ("-1", "1969-12-31 23:59:59"),
        ("0", "1970-01-01T00:00:00"),
    ];
    let moment = |text: &str| known.iter().find(|(known, _)| *known == text).map(|(_, moment)| *moment);
    column(6).into_iter().map(|text| text.and_then(moment)).collect()
}

/// How numbers, whole numbers and texts are stored where a format has types.
#[derive(Clone, Copy)]
enum Typed {
    Usual,
    Small,
    Decimal,
    Views,
}

fn batch(typed: Typed) -> RecordBatch {
    // An empty text is stored as such, not as null: it must be missing all the same.
    let names: Vec<&str> = ROWS.iter().map(|row| row[0]).collect();
    let texts: Vec<&str> = ROWS.iter().map(|row| row[3]).collect();
    let hundredths = || {
        let units = read::<f64>(1).into_iter().map(|number| number.map(|number| (number * 100.0).round() as i128));
        Decimal128Array::from_iter(units).with_precision_and_scale(20, 2).expect("decimals")
    };
    let (numbers, integers, names, texts): (ArrayRef, ArrayRef, ArrayRef, ArrayRef) = match typed {
        Typed::Usual => (
            Arc::new(Float64Array::from(read::<f64>(1))),
            Arc::new(Int64Array::from(read::<i64>(2))),
            Arc::new(StringArray::from(names)),
            Arc::new(StringArray::from(texts)),
        ),
        Typed::Small => (
            Arc::new(Float32Array::from(read::<f32>(1))),
            Arc::new(Int8Array::from(read::<i8>(2))),
            Arc::new(LargeStringArray::from(names)),
            Arc::new(texts.into_iter().collect::<DictionaryArray<Int32Type>>()),
        ),
        Typed::Decimal => (
            Arc::new(hundredths()),
            Arc::new(Float64Array::from(read::<f64>(2))),
            Arc::new(names.into_iter().collect::<DictionaryArray<Int32Type>>()),
            Arc::new(LargeStringArray::from(texts)),
        ),
        Typed::Views => (
            Arc::new(Float64Array::from(read::<f64>(1))),
            Arc::new(Int64Array::from(read::<i64>(2))),
            Arc::new(StringViewArray::from(names)),
            Arc::new(StringViewArray::from(texts)),
        ),
    };
    let truths: BooleanArray = column(4).into_iter().map(|text| text.map(|text| text == "true")).collect();
    let seconds = read::<i64>(6);
    let moments: ArrayRef = match typed {
        Typed::Small => Arc::new(TimestampSecondArray::from(seconds)),
        Typed::Usual | Typed::Decimal | Typed::Views => {
            let zone = matches!(typed, Typed::Views).then_some("Asia/Tokyo");
            let thousandths: Vec<_> = seconds.into_iter().map(|moment| moment.map(|moment| moment * 1000)).collect();
            Arc::new(TimestampMillisecondArray::from(thousandths).with_timezone_opt(zone))
        }
    };
    let days: ArrayRef = Arc::new(Date32Array::from(days()));
    let columns = [
        ("id", names),
        ("n", numbers),
        ("k", integers),
        ("t", texts),
        ("b", Arc::new(truths)),
        ("d", days),
        ("m", moments),
    ];
    RecordBatch::try_from_iter(columns).expect("a table")
}

fn csv() -> String {
    let mut text = String::from("id,n,k,t,b,d,m\n");
    for (row, moment) in ROWS.iter().zip(moments()) {
        text.push_str(&format!("{},{}\n", row[..6].join(","), moment.unwrap_or("")));
    }
    text
}

fn json() -> String {
    let quoted = |text: &str| format!("\"{text}\"");
    let bare = |text: &str| if text.is_empty() { "null".to_string() } else { text.to_string() };
    let lines = ROWS.iter().zip(moments()).map(|(row, moment)| {
        let [id, n, k, t, b, d, _] = row;
        let moment = moment.map_or("null".to_string(), quoted);
        let (id, n, k, t, b, d) = (quoted(id), bare(n), bare(k), quoted(t), bare(b), quoted(d));
        format!("{{\"id\":{id},\"n\":{n},\"k\":{k},\"t\":{t},\"b\":{b},\"d\":{d},\"m\":{moment}}}\n")
    });
    lines.collect()
}

/// Writes the table in every format and every way to store it, and returns the names of the files.
fn written(folder: &Path) -> Vec<String> {
    std::fs::write(folder.join("a.csv"), csv()).expect("written");
    std::fs::write(folder.join("a.ndjson"), json()).expect("written");
    let mut names = vec!["a.csv".to_string(), "a.ndjson".to_string()];
    for (typed, name) in
        [(Typed::Usual, "usual"), (Typed::Small, "small"), (Typed::Decimal, "decimal"), (Typed::Views, "views")]
    {
        let batch = batch(typed);
        let file = std::fs::File::create(folder.join(format!("{name}.parquet"))).expect("a file");
        let mut parquet = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
        parquet.write(&batch).expect("written");
        parquet.close().expect("closed");
        let file = std::fs::File::create(folder.join(format!("{name}.arrow"))).expect("a file");
        let mut arrow = arrow_ipc::writer::FileWriter::try_new(file, &batch.schema()).expect("a writer");
        arrow.write(&batch).expect("written");
        arrow.finish().expect("finished");
        names.extend([format!("{name}.parquet"), format!("{name}.arrow")]);
    }
    names
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

fn bin(column: &str, cut: Cut) -> Dimension<Expression> {
    let source = BinSource::Column(column.into());
    Dimension { name: column.into(), source, cut, other: Other::Counted, nulls: Nulls::Bin, items: Items::Each }
}

fn query(dimension: Dimension<Expression>) -> Query {
    Query {
        plan_hash: "0".into(),
        source: Source { location: String::new(), types: types(), timezone: "America/New_York".into() },
        condition: None,
        split: None,
        unit: Unit::Row,
        bounding_key: "key".into(),
        time: None,
        dimensions: vec![dimension],
    }
}

fn in_file(query: &Query, folder: &Path, name: &str) -> Query {
    let mut query = query.clone();
    query.source.location = folder.join(name).to_string_lossy().into_owned();
    query
}

fn cells(expected: &[(u64, u64)]) -> Counts {
    let key = |cell: u64| format!("c{}:{cell}", cell.to_string().len());
    expected.iter().map(|(cell, count)| (key(*cell), *count)).collect()
}

fn edges(texts: &[&str]) -> Cut {
    Cut::Edges(Edges::Numbers(texts.iter().map(|text| parse_number(text).expect("a number")).collect()))
}

fn day(number: i64) -> Date {
    Date::from_day_number(number).expect("a day")
}

fn texts(texts: &[&str]) -> Cut {
    Cut::Values(ListedValues::Texts(texts.iter().map(|text| text.to_string()).collect()))
}

#[test]
fn every_format_puts_every_row_into_the_same_bin() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = |keys: &[(&str, u64)]| keys.iter().map(|(key, count)| (key.to_string(), *count)).collect::<Counts>();
    let person = Unit::Person { column: "id".into(), bins_per_person: 1 };
    let mut of_persons = query(bin("k", Cut::Values(ListedValues::Integers(vec![2]))));
    of_persons.unit = person;
    let mut asked = query(bin("t", texts(&["x"])));
    asked.condition = Some(
        Expression::parse(
            "n >= 0.3 and coalesce(t, 'none') <> 'y' and date_trunc('month', d) > '2025-11-30'",
            RequestField::Condition,
        )
        .expect("a condition"),
    );
    let cases: Vec<(&str, Query, Counts)> = vec![
        // -0.0, 0.1, [0.29] | 0.3, 0.3, 0.31 | 0.7 | other: 1 | missing.
        ("edges", query(bin("n", edges(&["0", "0.3", "0.7", "1"]))), cells(&[(0, 3), (1, 3), (2, 1), (3, 1), (4, 1)])),
        (
            "equal width",
            query(bin(
                "n",
                Cut::Edges(Edges::Regular {
                    from: parse_number("0").expect("zero"),
                    width: parse_number("0.1").expect("a tenth"),
                    intervals: 10,
                }),
            )),
            cells(&[(0, 1), (1, 1), (2, 1), (3, 3), (7, 1), (10, 1), (11, 1)]),
        ),
        (
            "integers",
            query(bin("k", Cut::Values(ListedValues::Integers(vec![2, 7])))),
            cells(&[(0, 3), (1, 1), (2, 4), (3, 1)]),
        ),
        ("texts", query(bin("t", texts(&["x", "ü"]))), cells(&[(0, 4), (1, 1), (2, 2), (3, 2)])),
        ("an empty text that is listed", query(bin("t", texts(&["", "x"]))), cells(&[(1, 4), (2, 3), (3, 2)])),
        (
            "truth values",
            query(bin("b", Cut::Values(ListedValues::Booleans(vec![true, false])))),
            cells(&[(0, 5), (1, 3), (3, 1)]),
        ),
        (
            "days",
            query(bin("d", Cut::Edges(Edges::Dates([20_454, 20_485, 20_513].map(day).to_vec())))),
            cells(&[(0, 3), (1, 2), (2, 3), (3, 1)]),
        ),
        // In New York a day ends at five in the morning of UTC.
        (
            "days of moments",
            query(bin("m", Cut::Periods(Periods::between(PeriodUnit::Day, day(20_483), day(20_485)).expect("days")))),
            cells(&[(0, 2), (1, 1), (2, 2), (3, 3), (4, 1)]),
        ),
        (
            "found texts",
            query(bin("t", Cut::Found)),
            found(&[("n0:", 2), ("t1:x", 4), ("t1:y", 1), ("t2:ü", 1), ("t32:a text of more than twelve bytes", 1)]),
        ),
        (
            "found months",
            query(bin("d", Cut::Truncated(PeriodUnit::Month))),
            found(&[("n0:", 1), ("y5:20454", 3), ("y5:20485", 2), ("y5:20513", 1), ("y5:20423", 1), ("y3:-31", 1)]),
        ),
        ("persons", of_persons, cells(&[(0, 2), (1, 2)])),
        ("a condition", asked, cells(&[(0, 2), (2, 2)])),
    ];
    for name in written(folder.path()) {
        for (what, query, expected) in &cases {
            let counts = counted(&in_file(query, folder.path(), &name), Settings::default());
            if *what == "persons" {
                // Whose bin is chosen is public and the same everywhere; how many persons there are is known here.
                assert_eq!(counts.values().sum::<u64>(), 4, "{what} of {name}: a person without a name is nobody");
                let first = counted(&in_file(query, folder.path(), "a.csv"), Settings::default());
                assert_eq!(counts, first, "{what} of {name}");
                continue;
            }
            assert_eq!(&counts, expected, "{what} of {name}");
        }
    }
}

#[test]
fn a_number_needs_no_declared_type_to_be_at_its_edge() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut query = query(bin("n", edges(&["0", "0.3", "0.7", "1"])));
    query.source.types = BTreeMap::new();
    for name in written(folder.path()) {
        let counts = counted(&in_file(&query, folder.path(), &name), Settings::default());
        assert_eq!(counts, cells(&[(0, 3), (1, 3), (2, 1), (3, 1), (4, 1)]), "{name}");
    }
}

#[test]
fn the_reading_tells_how_values_are_stored_before_anything_is_charged() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = written(folder.path());
    let mut query = query(bin("n", edges(&["0", "1"])));
    query.condition =
        Some(Expression::parse("k > 0 and m is not null and b", RequestField::Condition).expect("a condition"));
    query.unit = Unit::Person { column: "id".into(), bins_per_person: 1 };
    let reading = |query: &Query, name: &str| -> Reading {
        let prepared = DataFusionEngine::new(Settings::default()).prepare(&in_file(query, folder.path(), name));
        prepared.unwrap_or_else(|problem| panic!("{name}: {problem}")).reading()
    };
    let shown = |name: &str| {
        let reading = reading(&query, name);
        let columns: Vec<String> = reading.columns.iter().map(|(name, stored)| format!("{name} {stored}")).collect();
        format!("{}; {}", columns.join(", "), reading.person.expect("a person"))
    };
    assert_eq!(shown("a.csv"), "b text, id text, k text, m text, n text; text");
    assert_eq!(shown("a.ndjson"), "b json, id json, k json, m json, n json; text");
    let usual = "b boolean, id text, k integer, m timestamp(ms), n float64; text";
    assert_eq!((shown("usual.parquet").as_str(), shown("usual.arrow").as_str()), (usual, usual));
    assert_eq!(shown("small.arrow"), "b boolean, id text, k integer, m timestamp(s), n float32; text");
    assert_eq!(shown("decimal.arrow"), "b boolean, id text, k float64, m timestamp(ms), n decimal(2); text");
    assert_eq!(shown("views.parquet"), "b boolean, id text, k integer, m timestamp(ms, Asia/Tokyo), n float64; text");
    assert_eq!(names.len(), 10);
    // The texts 7 and 07 are two people, the integer 7 is one.
    let mut by_number = query.clone();
    by_number.unit = Unit::Person { column: "k".into(), bins_per_person: 1 };
    assert_eq!(reading(&by_number, "a.csv").person, Some(Stored::Integer));
    by_number.source.types = BTreeMap::new();
    by_number.condition = None;
    assert_eq!(reading(&by_number, "a.csv").person, Some(Stored::Text));
    assert_eq!(reading(&by_number, "usual.parquet").person, Some(Stored::Integer));
    by_number.unit = Unit::Person { column: "m".into(), bins_per_person: 1 };
    let zoned = Stored::Timestamp { precision: Precision::Millisecond, zone: Some("Asia/Tokyo".into()) };
    assert_eq!(reading(&by_number, "views.arrow").person, Some(zoned));
}

#[test]
fn a_hundred_thousand_columns_take_no_longer_than_a_hundred_thousand_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let columns = 130_000;
    let names: Vec<String> = (0..columns).map(|column| format!("c{column}")).collect();
    let row = |value: &str| vec![value; columns].join(",");
    let text = format!("{}\n{}\n{}\n", names.join(","), row("1"), row("2"));
    std::fs::write(folder.path().join("wide.csv"), text).expect("written");
    let mut query = query(bin("c129999", Cut::Values(ListedValues::Integers(vec![1, 2]))));
    query.source.types = BTreeMap::from([("c129999".into(), ColumnType::Integer)]);
    let begun = std::time::Instant::now();
    let location = folder.path().join("wide.csv").to_string_lossy().into_owned();
    assert_eq!(incrowd_engine_datafusion::look(&location).expect("columns").columns.len(), columns);
    let counts = counted(&in_file(&query, folder.path(), "wide.csv"), Settings::default());
    assert_eq!(counts, cells(&[(0, 1), (1, 1)]));
    // One look for each pair of columns took minutes.
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
}
