//! Sheets of workbooks, whole and damaged.
//!
//! A test must never look at a library's sentence. It is separate because two kinds of workbooks answer the same
//! questions. Read `workbook.rs` for how they are written.

use super::folder::{Folder, read, table, zipped};
use super::workbook::{Cell, STYLES, SheetCells, ods, ods_of, texts, xlsx, xlsx_of};
use crate::file::workbook::NoColumns;
use crate::scan::Fault;
use crate::source::{FileError, Files};
use incrowd_engine::{Dialect, Header, PrepareError, Sign, Unwatched};
use std::sync::Arc;

fn said(sheet: Option<&str>, header: Header) -> Dialect {
    Dialect { sheet: sheet.map(str::to_string), header, ..Dialect::default() }
}

fn problem(folder: &Folder, name: &str, dialect: &Dialect) -> PrepareError {
    Files::resolve(&folder.path(name), dialect).expect_err("a problem")
}

fn rows(folder: &Folder, name: &str, dialect: &Dialect, columns: &[&str]) -> Result<super::folder::Texts, Fault> {
    read(&folder.files_in(name, dialect), columns, 2, 3, Arc::new(Unwatched)).map(|(_, rows)| rows)
}

fn text(text: &str) -> Cell {
    Cell::Text(text.into())
}

fn number(number: &str) -> Cell {
    Cell::Number(number.into())
}

/// A sheet with every kind of cell, a column without a name, and rows without anything.
fn all_kinds() -> SheetCells {
    vec![
        vec![Cell::Empty; 5],
        vec![text("t"), text("n"), Cell::Empty, text("b"), text("d")],
        vec![
            text("x < y & \"z\""),
            number("7"),
            text("nobody reads this"),
            Cell::Truth(true),
            day("2020-01-01", 43_831.0),
        ],
        vec![Cell::Empty; 5],
        vec![Cell::Empty, Cell::Empty, text("nor this"), Cell::Empty, Cell::Empty],
        vec![
            text(" é\tü "),
            number("0.1000000000000000055"),
            Cell::Empty,
            Cell::Truth(false),
            day("2020-01-01T12:30:00", 43_831.520_833_333_336),
        ],
        vec![Cell::Error, number("-1.5E3"), Cell::Error, Cell::Error, Cell::Error],
        vec![text("_x0041_"), number("12345678901234567890")],
        vec![text("again"), text("again"), text("again"), text("again"), text("again")],
        vec![text("again"), text("again"), text("again"), text("again"), text("again")],
    ]
}

fn day(iso: &str, serial: f64) -> Cell {
    Cell::Day(serial, iso.into())
}

#[test]
fn every_cell_has_one_spelling_in_both_kinds_of_workbooks() {
    let folder = Folder::new();
    let other: SheetCells = vec![vec![text("other")], vec![text("sheet")]];
    folder.write_as_is("d.xlsx", &xlsx(&[("One", &all_kinds()), ("Two & more", &other)]));
    folder.write_as_is("d.ods", &ods(&[("One", &all_kinds()), ("Two & more", &other)]));
    let expected = table(&[
        &["x < y & \"z\"", "7", "true", "2020-01-01"],
        &[" é\tü ", "0.1", "false", "2020-01-01T12:30:00"],
        &["-", "-1500", "-", "-"],
        &["_x0041_", "12345678901234567000", "-", "-"],
        &["again", "again", "again", "again"],
        &["again", "again", "again", "again"],
    ]);
    for name in ["d.xlsx", "d.ods"] {
        let columns = ["t", "n", "b", "d"];
        let schema = folder.files(name).schema;
        assert_eq!(schema.fields().iter().map(|field| field.name().as_str()).collect::<Vec<_>>(), columns, "{name}");
        assert_eq!(rows(&folder, name, &Dialect::default(), &columns), Ok(expected.clone()), "{name}");
        assert_eq!(rows(&folder, name, &said(Some("One"), Header::Names), &columns), Ok(expected.clone()), "{name}");
        let second = said(Some("Two & more"), Header::Names);
        assert_eq!(rows(&folder, name, &second, &["other"]), Ok(table(&[&["sheet"]])), "{name}");
        assert_eq!(rows(&folder, name, &Dialect::default(), &[]).map(|rows| rows.len()), Ok(6), "{name}");
        let decimal = Dialect { decimal: Sign::of(","), ..Dialect::default() };
        let spelled = rows(&folder, name, &decimal, &["n"]).expect("rows");
        assert_eq!(spelled[1], [Some("0,1".to_string())], "{name}: as the request reads numbers");
    }
}

#[test]
fn without_names_columns_are_named_by_their_places() {
    let sheet: SheetCells =
        vec![vec![Cell::Empty, text("Canary"), number("1")], vec![text("x"), Cell::Empty, number("2")]];
    let folder = Folder::new();
    folder.write_as_is("d.xlsx", &xlsx(&[("S", &sheet)]));
    folder.write_as_is("d.ods", &ods(&[("S", &sheet)]));
    for name in ["d.xlsx", "d.ods"] {
        let dialect = said(None, Header::Row);
        let files = folder.files_in(name, &dialect);
        let names: Vec<&String> = files.schema.fields().iter().map(|field| field.name()).collect();
        assert_eq!(names, ["column1", "column2", "column3"], "{name}");
        let expected = table(&[&["-", "Canary", "1"], &["x", "-", "2"]]);
        assert_eq!(rows(&folder, name, &dialect, &["column1", "column2", "column3"]), Ok(expected), "{name}");
    }
}

#[test]
fn an_unknown_sheet_is_refused_with_those_that_are_there() {
    let sheet = texts(&[vec!["a".into()], vec!["Canary".into()]]);
    let folder = Folder::new();
    folder.write_as_is("d.xlsx", &xlsx(&[("One", &sheet), ("Two", &sheet)]));
    folder.write_as_is("d.ods", &ods(&[("One", &sheet), ("Two", &sheet)]));
    for name in ["d.xlsx", "d.ods"] {
        let found = problem(&folder, name, &said(Some("one"), Header::Names));
        let why = NoColumns::NoSheet(vec!["One".into(), "Two".into()]);
        assert_eq!(found, FileError::Workbook { location: folder.path(name), why }.into());
    }
    folder.write("d.csv", b"a\n");
    let found = problem(&folder, "d.csv", &said(Some("One"), Header::Names));
    assert_eq!(found, FileError::NoSuchPart { key: "sheet" }.into());
}

#[test]
fn names_are_read_without_judging_what_follows() {
    let sheet = "<worksheet><sheetData><row><c t=\"s\"><v>1</v></c></row><row><c><v>no number</v></c></row>&broken;";
    let shared = "<sst><si><t>x</t></si><si><t>a</t></si><si>&broken;";
    let folder = Folder::new();
    folder.write_as_is("d.xlsx", &xlsx_of(&[("S", sheet)], shared, STYLES));
    let broken = "<table:table table:name=\"S\"><table:table-row><table:table-cell \
        office:value-type=\"string\"><text:p>a</text:p></table:table-cell></table:table-row><table:table-row>&broken;";
    folder.write_as_is("d.ods", &ods_of(broken));
    for name in ["d.xlsx", "d.ods"] {
        let files = folder.files(name);
        assert_eq!(files.schema.field(0).name(), "a", "{name}");
        assert_eq!(rows(&folder, name, &Dialect::default(), &["a"]), Err(Fault::Damaged), "{name}");
    }
}

#[test]
fn what_is_no_workbook_is_refused_and_a_part_of_one_is_damage_at_the_latest() {
    let folder = Folder::new();
    let rows_of: Vec<Vec<String>> = (0..50).map(|row| vec![format!("name{row}"), format!("{row}")]).collect();
    for (name, whole) in [("d.xlsx", xlsx(&[("S", &texts(&rows_of))])), ("d.ods", ods(&[("S", &texts(&rows_of))]))] {
        let damaged =
            || -> PrepareError { FileError::Workbook { location: folder.path(name), why: NoColumns::Damaged }.into() };
        folder.write_as_is(name, b"");
        let empty = FileError::Empty { location: folder.path(name) };
        assert_eq!(problem(&folder, name, &Dialect::default()), empty.into(), "{name}");
        for bytes in [&b"a,b\n1,2\n"[..], &zipped(&[]), &zipped(&[("content.txt", b"x")])] {
            folder.write_as_is(name, bytes);
            assert_eq!(problem(&folder, name, &Dialect::default()), damaged(), "{name}");
        }
        for cut in [1, 10, 100, whole.len() / 2] {
            folder.write_as_is(name, &whole[..whole.len() - cut]);
            assert_eq!(problem(&folder, name, &Dialect::default()), damaged(), "{name}: {cut}");
        }
        // A byte here and there: told before the charge or damage after it, and never other rows without a word.
        folder.write_as_is(name, &whole);
        let expected = folder.rows(name, &["name0", "0"]).expect("rows");
        let mut undamaged = 0;
        for place in (0..whole.len()).step_by(97) {
            let mut wrong = whole.clone();
            wrong[place] ^= 0x20;
            folder.write_as_is(name, &wrong);
            let Ok(files) = Files::resolve(&folder.path(name), &Dialect::default()) else { continue };
            if let Ok((_, rows)) = read(&files, &["name0", "0"], 1, 100, Arc::new(Unwatched)) {
                assert_eq!(rows, expected, "{name}: {place}");
                undamaged += 1;
            }
        }
        assert!(undamaged < whole.len() / 97, "{name}: damage is noticed");
    }
}

#[test]
fn sheets_that_are_too_wide_too_long_or_too_deep_are_damage() {
    let row = |cells: &str| {
        format!("<worksheet><sheetData><row><c t=\"str\"><v>a</v></c></row><row>{cells}</row></sheetData></worksheet>")
    };
    let folder = Folder::new();
    let wide = "<c><v>1</v></c>".repeat(16_385);
    let million = "<c><v>1</v></c>".repeat(1_000_000);
    let deep = "<x>".repeat(10_000);
    let text = format!("<c t=\"str\"><v>{}</v></c>", "x".repeat(17 << 20));
    let shared = "<c t=\"s\"><v>4000000000</v></c>".to_string();
    for cells in [
        wide,
        million,
        deep,
        text,
        shared,
        "<c r=\"XFE1\"><v>1</v></c>".into(),
        "<c r=\"A2\"><v>1</v></c><c r=\"A2\"><v>2</v></c>".into(),
    ] {
        folder.write_as_is("d.xlsx", &xlsx_of(&[("S", &row(&cells))], "<sst/>", STYLES));
        assert_eq!(rows(&folder, "d.xlsx", &Dialect::default(), &["a"]), Err(Fault::Damaged));
    }
    let cell = |times: &str, text: &str| {
        format!(
            "<table:table-cell office:value-type=\"string\" table:number-columns-repeated=\"{times}\">\
             <text:p>{text}</text:p></table:table-cell>"
        )
    };
    let ods = |times: &str, cells: &str| {
        let head = format!("<table:table table:name=\"S\"><table:table-row>{}</table:table-row>", cell("1", "a"));
        ods_of(&format!(
            "{head}<table:table-row table:number-rows-repeated=\"{times}\">{cells}</table:table-row></table:table>"
        ))
    };
    for (times, cells) in [
        ("1048577", cell("1", "x")),
        ("99999999999999999999", cell("1", "x")),
        ("0", cell("1", "x")),
        ("1", cell("16385", "x")),
        ("1", cell("1000000000", "x")),
        ("1", cell("16384", &"x".repeat(2000))),
        ("1", "<table:table-cell><table:table/></table:table-cell>".into()),
    ] {
        folder.write_as_is("d.ods", &ods(times, &cells));
        assert_eq!(rows(&folder, "d.ods", &Dialect::default(), &["a"]), Err(Fault::Damaged), "{times}");
    }
    folder.write_as_is("d.ods", &ods("100000", &cell("1", "x")));
    assert_eq!(rows(&folder, "d.ods", &Dialect::default(), &["a"]).map(|rows| rows.len()), Ok(100_000));
}

#[test]
fn workbooks_of_other_programs_are_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/workbooks");
    for name in ["openpyxl.xlsx", "odfpy.ods"] {
        let files = Files::resolve(&folder.join(name).to_string_lossy(), &Dialect::default()).expect("columns");
        let columns = ["town", "age", "joined", "seen", "tall"];
        let (_, rows) = read(&files, &columns, 1, 10, Arc::new(Unwatched)).expect("rows");
        let expected = table(&[
            &["Bern", "30", "2020-03-01", "2020-03-01T10:30:00", "true"],
            &["Zürich", "41.5", "1999-12-31", "2021-01-01T23:59:59", "false"],
            &["-", "-", "-", "-", "-"],
            &["a <b> & c", "-2", "2024-02-29", "2020-03-01", "true"],
        ]);
        let expected: Vec<_> = expected.into_iter().filter(|row| row.iter().any(Option::is_some)).collect();
        assert_eq!(rows, expected, "{name}");
    }
}
