//! What texts say in a dialect, in every format that stores texts.
//!
//! No way to store a text may ever change what it says. It is separate from `dialects.rs`, where texts are what they
//! are. Read `incrowd_engine::written` for the rule.

use super::folder::{Folder, Texts, read, table};
use super::parquet::parquet;
use crate::scan::Fault;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int64Array, StringArray};
use arrow_schema::{DataType, Field, Schema};
use incrowd_engine::{ColumnType, Dialect, Sign, Unwatched};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

fn german() -> Dialect {
    Dialect {
        delimiter: Sign::of(";"),
        decimal: Sign::of(","),
        thousands: Sign::of("."),
        missing: vec!["-".into(), "k. A.".into()],
        dates: vec!["%d.%m.%Y".into(), "%d.%m.%y".into()],
        ..Dialect::default()
    }
}

fn said(folder: &Folder, name: &str, dialect: &Dialect) -> Result<Texts, Fault> {
    let types = [("number", ColumnType::Number), ("day", ColumnType::Date)];
    let types: BTreeMap<String, ColumnType> = types.into_iter().map(|(name, kind)| (name.into(), kind)).collect();
    let names = ["number", "day", "word"];
    let fields: Vec<Field> = names.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect();
    let files = folder.files_in(name, dialect).read_as(&Schema::new(fields), &types);
    read(&files, &names, 1, 5, Arc::new(Unwatched)).map(|(_, rows)| rows)
}

const ROWS: [[&str; 3]; 7] = [
    ["1.234,50", "18.11.2026", "a"],
    ["-", "k. A.", "-"],
    ["12.34", "31.02.2026", "1.234,50"],
    ["-0,5", "18.11.26", "k. A."],
    ["7", "2026-11-18", "18.11.2026"],
    ["1.5", "", "-0,5"],
    ["k. A.", "1.2.2026", "k.A."],
];

fn expected() -> Texts {
    table(&[
        &["1234.50", "2026-11-18", "a"],
        &["-", "-", "-"],
        &["-", "-", "1.234,50"],
        &["-0.5", "2026-11-18", "-"],
        &["7", "2026-11-18", "18.11.2026"],
        &["-", "-", "-0,5"],
        &["-", "2026-02-01", "k.A."],
    ])
}

fn column(place: usize) -> Vec<Option<&'static str>> {
    ROWS.iter().map(|row| Some(row[place]).filter(|text| !text.is_empty())).collect()
}

#[test]
fn texts_say_the_same_in_every_format() {
    let folder = Folder::new();
    let lines: String = ROWS.iter().map(|row| format!("{}\n", row.join(";"))).collect();
    folder.write("a.csv", format!("number;day;word\n{lines}").as_bytes());
    let objects = ROWS.iter().map(|[number, day, word]| {
        serde_json::json!({ "number": number, "day": day, "word": word }).to_string() + "\n"
    });
    folder.write("a.ndjson", objects.collect::<String>().as_bytes());
    let texts = |place| Arc::new(StringArray::from(column(place))) as ArrayRef;
    let words = |place| Arc::new(column(place).into_iter().collect::<DictionaryArray<Int32Type>>()) as ArrayRef;
    for (name, columns) in
        [("texts.parquet", [texts(0), texts(1), texts(2)]), ("words.parquet", [words(0), words(1), words(2)])]
    {
        let [number, day, word] = columns;
        let named = vec![("number", number), ("day", day), ("word", word)];
        folder.write(name, &parquet(named, WriterProperties::builder()));
    }
    for name in ["a.csv", "a.ndjson", "texts.parquet", "words.parquet"] {
        assert_eq!(said(&folder, name, &german()), Ok(expected()), "{name}");
    }
}

#[test]
fn what_a_format_calls_a_number_is_one() {
    let folder = Folder::new();
    folder.write("a.json", b"[{\"number\":1.234},{\"number\":\"1.234\"},{\"number\":-99},{\"number\":true}]");
    let dialect = Dialect { missing: vec!["-99".into()], ..german() };
    let expected = table(&[&["1.234", "-", "-"], &["1234", "-", "-"], &["-", "-", "-"], &["true", "-", "-"]]);
    assert_eq!(said(&folder, "a.json", &dialect), Ok(expected));
    let integers: ArrayRef = Arc::new(Int64Array::from(vec![1234, -99]));
    let texts = || Arc::new(StringArray::from(vec![None::<&str>, None])) as ArrayRef;
    let columns = vec![("number", integers), ("day", texts()), ("word", texts())];
    folder.write("a.parquet", &parquet(columns, WriterProperties::builder()));
    let expected = table(&[&["1234", "-", "-"], &["-99", "-", "-"]].map(|row: &[&str; 3]| &row[..]));
    assert_eq!(said(&folder, "a.parquet", &dialect), Ok(expected));
}

/// Returns digits in groups of three.
fn grouped(digits: &str, sign: &str) -> String {
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(|group| String::from_utf8_lossy(group).into_owned()).collect::<Vec<_>>().join(sign)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn numbers_days_and_nothing_are_found_again_in_every_dialect(
        rows in prop::collection::vec((any::<i32>(), 0usize..1000, 1i32..29, 1i32..13, 1970i32..2068, 0u8..4), 1..12),
        (decimal, thousands) in prop::sample::select(vec![(",", "."), (",", " "), (".", ","), (".", "'"), (",", "")]),
        way in prop::sample::select(vec!["%d.%m.%Y", "%m/%d/%Y", "%Y%m%d", "%d/%m/%y"]),
        nothing in prop::sample::select(vec!["NA", "-", "null", "99"]),
    ) {
        let dialect = Dialect {
            delimiter: Sign::of("|"),
            decimal: Sign::of(decimal).filter(|sign| sign.byte() != b'.'),
            thousands: Sign::of(thousands),
            missing: vec![nothing.into()],
            dates: vec![way.into()],
            ..Dialect::default()
        };
        let (mut text, mut expected) = ("number|day|word\n".to_owned(), Texts::new());
        for (whole, fraction, day, month, year, lost) in rows {
            let sign = if whole < 0 { "-" } else { "" };
            let digits = whole.unsigned_abs().to_string();
            let number = format!("{sign}{}{decimal}{fraction:03}", grouped(&digits, thousands));
            let date = way.replace("%Y", &year.to_string()).replace("%y", &format!("{:02}", year % 100))
                .replace("%m", &format!("{month:02}")).replace("%d", &format!("{day:02}"));
            let shown = |lost: bool, text: &str| if lost { nothing.to_owned() } else { text.to_owned() };
            text += &format!("{}|{}|w{whole}\n", shown(lost == 1, &number), shown(lost == 2, &date));
            let found = |lost: bool, text: String| (!lost).then_some(text);
            expected.push(vec![
                found(lost == 1, format!("{sign}{digits}.{fraction:03}")),
                found(lost == 2, format!("{year}-{month:02}-{day:02}")),
                Some(format!("w{whole}")),
            ]);
        }
        let folder = Folder::new();
        folder.write("a.csv", text.as_bytes());
        prop_assert_eq!(said(&folder, "a.csv", &dialect), Ok(expected), "{}", text);
    }
}
