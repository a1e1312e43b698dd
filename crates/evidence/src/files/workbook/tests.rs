use super::*;
use crate::request::OutputRequest;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array, StringArray, TimestampSecondArray,
    UInt64Array,
};
use arrow_schema::{Field, Schema};
use calamine::{Data, Reader, Xlsx, open_workbook_from_rs};
use std::io::{Cursor, Read};
use std::sync::Arc;

fn written(columns: Vec<(&str, ArrayRef)>, keys: usize, most_rows: u32, totals: Option<&RecordBatch>) -> Vec<u8> {
    written_with(columns, (keys, None), most_rows, totals)
}

fn written_with(
    columns: Vec<(&str, ArrayRef)>,
    (keys, uncertain_from): (usize, Option<usize>),
    most_rows: u32,
    totals: Option<&RecordBatch>,
) -> Vec<u8> {
    let fields = columns.iter().map(|(name, column)| Field::new(*name, column.data_type().clone(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let rows =
        RecordBatch::try_new(schema.clone(), columns.into_iter().map(|(_, column)| column).collect()).expect("rows");
    let cells = (0..rows.num_columns()).map(|at| if at < keys { CellOf::Key } else { CellOf::Rest }).collect();
    let spelling = Spelling::of(&OutputRequest::default());
    let columns = SheetColumns { keys: cells, uncertain_from };
    let mut sheets = Sheets::with_rows("counts", &schema, columns, &spelling, most_rows).expect("a workbook");
    sheets.write(&rows).expect("written");
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("counts.xlsx");
    let file = File::create_new(&path).expect("a file");
    let totals = totals.map(|rows| ("totals", KeyPlaces::Second, rows)).into_iter();
    let about = [("what".into(), "words".into())];
    let hash = sheets.finish(totals, &about, file).expect("a hash");
    let bytes = std::fs::read(path).expect("bytes");
    assert_eq!(hash, super::super::hex(sha2::Digest::new_with_prefix(&bytes)));
    bytes
}

fn opened(bytes: &[u8]) -> Xlsx<Cursor<Vec<u8>>> {
    open_workbook_from_rs(Cursor::new(bytes.to_vec())).expect("another reader opens it")
}

fn column(bytes: &[u8], sheet: &str, at: usize) -> Vec<Data> {
    let range = opened(bytes).worksheet_range(sheet).expect("a sheet");
    range.rows().map(|row| row.get(at).cloned().unwrap_or(Data::Empty)).collect()
}

fn text(text: &str) -> Data {
    Data::String(text.into())
}

/// Keys that somebody put into the data to harm whoever opens the table.
const HOSTILE: [&str; 12] = [
    "=HYPERLINK(\"http://x\",\"y\")",
    "'=1",
    "''=1",
    "\ttab",
    "line\nbreak",
    "-2+3",
    "@SUM(A1)",
    "\u{202e}right to left",
    "<b>&amp;</b>",
    "(missing)",
    "(long text 1)",
    "Müller",
];

#[test]
fn hostile_texts_are_texts_and_no_cell_is_a_formula() {
    let keys: ArrayRef =
        Arc::new(StringArray::from(HOSTILE.iter().map(|key| Some(*key)).chain([None]).collect::<Vec<_>>()));
    let bytes = written(vec![("=key", keys)], 1, 100, None);
    let found = column(&bytes, "counts", 0);
    let expected = HOSTILE.iter().map(|key| match *key {
        "(missing)" | "(long text 1)" => text(&format!("'{key}")),
        key => text(key),
    });
    assert_eq!(found, [text("=key")].into_iter().chain(expected).chain([text("(missing)")]).collect::<Vec<_>>());
    let mut book = opened(&bytes);
    for sheet in book.sheet_names() {
        assert!(book.worksheet_formula(&sheet).expect("a sheet").is_empty(), "{sheet}");
    }
}

#[test]
fn characters_that_xml_cannot_hold_leave_the_workbook_readable_and_texts_apart() {
    let keys: Vec<String> = (0u8..32)
        .map(|code| format!("a{}b", char::from(code)))
        .chain(["a\u{ffff}b".into(), "a_x0000_b".into()])
        .collect();
    let column_of: ArrayRef = Arc::new(StringArray::from(keys.iter().map(String::as_str).collect::<Vec<_>>()));
    let bytes = written(vec![("key", column_of)], 1, 100, None);
    let found: Vec<String> = column(&bytes, "counts", 0).iter().skip(1).map(ToString::to_string).collect();
    let different: std::collections::BTreeSet<&String> = found.iter().collect();
    assert_eq!((found.len(), different.len()), (keys.len(), keys.len()), "{found:?}");
}

#[test]
fn texts_that_are_too_long_for_a_cell_stand_in_parts_in_a_sheet_of_their_own() {
    let (long, emoji) = ("x".repeat(40_000), "🎈".repeat(20_000));
    let keys: ArrayRef = Arc::new(StringArray::from(vec!["short", &long, &emoji, &"y".repeat(32_767), &long]));
    let bytes = written(vec![("key", keys)], 1, 100, None);
    let found = column(&bytes, "counts", 0);
    assert_eq!(found[1..4], [text("short"), text("(long text 1)"), text("(long text 2)")]);
    assert_eq!(found[4], text(&"y".repeat(32_767)));
    assert_eq!(found[5], text("(long text 1)"), "as above");
    let numbers = column(&bytes, LONG_TEXTS, 0);
    let parts = column(&bytes, LONG_TEXTS, 2);
    for (number, whole) in [(1.0, &long), (2.0, &emoji)] {
        let own = numbers.iter().zip(&parts).filter(|(of, _)| **of == Data::Float(number));
        assert_eq!(&own.map(|(_, part)| part.to_string()).collect::<String>(), whole);
    }
}

#[test]
fn numbers_days_and_truth_values_keep_their_kinds_as_far_as_spreadsheets_hold_them() {
    let whole: ArrayRef =
        Arc::new(Int64Array::from(vec![Some(-3), Some(999_999_999_999_999), Some(1_000_000_000_000_000), None]));
    let unsigned: ArrayRef = Arc::new(UInt64Array::from(vec![0, 1, 2, u64::MAX]));
    let numbers: ArrayRef = Arc::new(Float64Array::from(vec![0.1, -1e-7, f64::INFINITY, 1e300]));
    let decimals = Decimal128Array::from(vec![1234, -5, 1_000_000_000_000_000, 0]).with_precision_and_scale(38, 2);
    let decimals: ArrayRef = Arc::new(decimals.expect("decimals"));
    let days: ArrayRef = Arc::new(Date32Array::from(vec![0, -25_508, -25_509, 2_932_896]));
    let moments: ArrayRef = Arc::new(TimestampSecondArray::from(vec![43_200, -1, i64::from(i32::MIN), 0]));
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true, false, true, false]));
    let columns = vec![
        ("i", whole),
        ("u", unsigned),
        ("f", numbers),
        ("d", decimals),
        ("day", days),
        ("m", moments),
        ("b", flags),
    ];
    let bytes = written(columns, 0, 100, None);
    assert_eq!(
        column(&bytes, "counts", 0)[1..],
        [Data::Float(-3.0), Data::Float(999_999_999_999_999.0), text("1000000000000000"), Data::Empty]
    );
    assert_eq!(column(&bytes, "counts", 1)[4], text("18446744073709551615"));
    assert_eq!(
        column(&bytes, "counts", 2)[1..],
        [Data::Float(0.1), Data::Float(-1e-7), text("inf"), Data::Float(1e300)]
    );
    assert_eq!(
        column(&bytes, "counts", 3)[1..],
        [Data::Float(12.34), Data::Float(-0.05), text("10000000000000.00"), Data::Float(0.0)]
    );
    let date = |cell: &Data| match cell {
        Data::DateTime(date) => Some(date.to_ymd_hms_milli()),
        _ => None,
    };
    let days = column(&bytes, "counts", 4);
    assert_eq!(date(&days[1]), Some((1970, 1, 1, 0, 0, 0, 0)));
    assert_eq!(date(&days[2]), Some((1900, 3, 1, 0, 0, 0, 0)));
    assert_eq!(days[3], text("1900-02-28"));
    assert_eq!(date(&days[4]), Some((9999, 12, 31, 0, 0, 0, 0)));
    let moments = column(&bytes, "counts", 5);
    assert_eq!(date(&moments[1]), Some((1970, 1, 1, 12, 0, 0, 0)));
    assert_eq!(date(&moments[2]), Some((1969, 12, 31, 23, 59, 59, 0)));
    assert_eq!(column(&bytes, "counts", 6)[1..3], [Data::Bool(true), Data::Bool(false)]);
}

#[test]
fn a_table_that_is_too_long_for_a_sheet_goes_on_in_the_next_one() {
    let numbers: ArrayRef = Arc::new((1..=8).map(Some).collect::<Int64Array>());
    let bytes = written(vec![("n", numbers)], 0, 3, None);
    assert_eq!(opened(&bytes).sheet_names(), ["counts", "counts 2", "counts 3", "about"]);
    let rows = |sheet: &str| column(&bytes, sheet, 0);
    let number = |number: u8| Data::Float(f64::from(number));
    assert_eq!(rows("counts"), [text("n"), number(1), number(2), number(3)]);
    assert_eq!(rows("counts 2"), [text("n"), number(4), number(5), number(6)]);
    assert_eq!(rows("counts 3"), [text("n"), number(7), number(8)]);
}

#[test]
fn totals_have_a_sheet_and_a_missing_label_its_name() {
    let names: ArrayRef = Arc::new(StringArray::from(vec![Some("sex"), Some("sex"), None]));
    let labels: ArrayRef = Arc::new(StringArray::from(vec![Some("f"), None, None]));
    let totals: ArrayRef = Arc::new(Float64Array::from(vec![1.5, 2.5, 4.0]));
    let totals = RecordBatch::try_from_iter_with_nullable([
        ("dimension", names, true),
        ("value", labels, true),
        ("total", totals, true),
    ]);
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let bytes = written(vec![("n", numbers)], 0, 100, Some(&totals.expect("totals")));
    assert_eq!(column(&bytes, "totals", 1), [text("value"), text("f"), text("(missing)"), Data::Empty]);
    assert_eq!(column(&bytes, "totals", 2)[3], Data::Float(4.0));
    assert_eq!(column(&bytes, "about", 1), [text("words")]);
}

#[test]
fn a_workbook_names_nobody_no_machine_and_no_moment_and_is_the_same_whenever_it_is_written() {
    let number = || Arc::new(Int64Array::from(vec![1])) as ArrayRef;
    let bytes = written(vec![("n", number())], 0, 100, None);
    assert_eq!(bytes, written(vec![("n", number())], 0, 100, None));
    let mut archive = zip::ZipArchive::new(Cursor::new(&bytes)).expect("an archive");
    let mut all = String::new();
    for at in 0..archive.len() {
        let mut member = archive.by_index(at).expect("a member");
        let dated = member.last_modified().expect("a date");
        assert_eq!((dated.year(), dated.month(), dated.day(), dated.hour()), (1980, 1, 1, 0), "member {at}");
        assert!(member.extra_data().is_none_or(|more| more.is_empty()), "member {at}");
        member.read_to_string(&mut all).expect("a text");
    }
    assert_eq!(all.matches("1980-01-01T00:00:00Z").count(), 2, "created and modified");
    assert!(all.contains("<dc:creator></dc:creator>") && all.contains("<cp:lastModifiedBy></cp:lastModifiedBy>"));
    let own = [std::env::var("HOME"), std::env::var("USER"), std::env::var("HOSTNAME")];
    let here = std::env::current_dir().expect("a folder").display().to_string();
    let temporary = std::env::temp_dir().display().to_string();
    for secret in own.into_iter().flatten().chain([here, temporary]).filter(|text| text.len() > 3) {
        assert!(!all.contains(&secret), "{secret}");
    }
}

#[test]
fn uncertain_values_are_grey_and_words_say_how_to_read_them() {
    let whole = |numbers: Vec<Option<i64>>| Arc::new(Int64Array::from(numbers)) as ArrayRef;
    let columns = vec![
        ("town", Arc::new(StringArray::from(vec!["Bern", "Chur", "Genf", "Thun"])) as ArrayRef),
        ("count", whole(vec![Some(100), Some(21), None, Some(5)])),
        ("low", whole(vec![Some(97), Some(0), None, Some(1)])),
        ("high", whole(vec![Some(103), Some(24), None, Some(12)])),
        ("status", Arc::new(StringArray::from(vec!["published", "published", "suppressed", "published"])) as ArrayRef),
    ];
    let bytes = written_with(columns.clone(), (1, Some(1)), 100, None);
    assert_eq!(
        column(&bytes, "counts", 5),
        [text("read as"), Data::Empty, text("at most 24"), Data::Empty, text("1 to 12")]
    );
    assert_eq!(column(&bytes, "counts", 1)[1..3], [Data::Float(100.0), Data::Float(21.0)], "numbers stay numbers");
    let part = |name: &str| {
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes.clone())).expect("an archive");
        let mut text = String::new();
        archive.by_name(name).expect("a part").read_to_string(&mut text).expect("text");
        text
    };
    assert!(part("xl/styles.xml").contains("<color rgb=\"FF808080\"/>"), "grey is one of the styles");
    let sheet = part("xl/worksheets/sheet1.xml");
    let styles = |row: usize| {
        let row =
            sheet.split(&format!("<row r=\"{row}\"")).nth(1).expect("a row").split("</row>").next().expect("its end");
        let cells: Vec<bool> =
            row.split("<c ").skip(1).map(|cell| cell.split('>').next().expect("a cell").contains(" s=")).collect();
        cells
    };
    assert_eq!(styles(2), [false; 5], "a value that may stand looks as ever");
    assert_eq!(styles(3), [false, true, true, true, true, true], "the key is no less known");
    assert!(written(columns, 1, 100, None).len() < bytes.len(), "without marks there is no further column");
}
