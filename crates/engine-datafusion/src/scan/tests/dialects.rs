//! CSV and JSON files in other dialects, whole and damaged.
//!
//! What a program wrote in a dialect must never be read as something else, nor damage as a shorter file. It is separate
//! from `csv.rs`, which has the dialect that most files have. Read `values.rs` for what texts say.

use super::folder::{Folder, Texts, read, table};
use crate::scan::{Fault, LONGEST_RECORD};
use incrowd_engine::{BadRows, DataFormat, Dialect, Encoding, Header, Quote, Sign, Unwatched, Watch};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) fn encoding(name: &str) -> Encoding {
    Encoding::ALL.into_iter().find(|each| each.as_str() == name).expect("an encoding")
}

/// Returns a text in an encoding; nothing if it has letters that this one has not.
fn encoded(text: &str, encoding: Encoding) -> Option<Vec<u8>> {
    let low = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let high = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    match encoding.as_str() {
        "utf-8" => Some(text.as_bytes().to_vec()),
        "utf-16" | "utf-16le" => Some(low(text)),
        "utf-16be" => Some(high(text)),
        name => {
            let (bytes, _, unmappable) = encoding_rs::Encoding::for_label(name.as_bytes())?.encode(text);
            (!unmappable).then(|| bytes.into_owned())
        }
    }
}

fn semicolons() -> Dialect {
    Dialect { delimiter: Sign::of(";"), ..Dialect::default() }
}

fn rows(bytes: &[u8], dialect: &Dialect, columns: &[&str]) -> Result<Texts, Fault> {
    let folder = Folder::new();
    folder.write("data.csv", bytes);
    folder.rows_in("data.csv", dialect, columns)
}

/// When fields are put in quotes.
#[derive(Debug, Clone, Copy)]
enum Quoting {
    Always,
    IfNeeded,
}

fn field(text: &str, dialect: &Dialect, quoting: Quoting) -> String {
    let quote = match dialect.quote {
        Quote::Double => '"',
        Quote::Other(sign) => sign.byte() as char,
        Quote::None => return text.into(),
    };
    let delimiter = dialect.delimiter.map_or(',', |sign| sign.byte() as char);
    let needed = text.contains([quote, delimiter, '\r', '\n']);
    match quoting {
        Quoting::IfNeeded if !needed => text.into(),
        Quoting::Always | Quoting::IfNeeded => {
            format!("{quote}{}{quote}", text.replace(quote, &format!("{quote}{quote}")))
        }
    }
}

fn any_dialect() -> impl Strategy<Value = Dialect> {
    let encodings = ["utf-8", "utf-16", "utf-16le", "utf-16be", "windows-1252", "iso-8859-15", "gb18030"];
    (
        prop::sample::select(vec![None, Sign::of(";"), Sign::of("tab"), Sign::of("|"), Sign::of(" ")]),
        prop::sample::select(vec![Quote::Double, Sign::of("'").map_or(Quote::None, Quote::Other), Quote::None]),
        prop::sample::select(encodings.to_vec()),
        prop::sample::select(vec![Header::Names, Header::Row]),
        prop::sample::select(BadRows::ALL.to_vec()),
    )
        .prop_map(|(delimiter, quote, name, header, bad_rows)| {
            let encoding = encoding(name);
            Dialect { delimiter, quote, encoding, header, bad_rows, ..Dialect::default() }
        })
}

proptest! {
    #[test]
    fn what_is_written_in_a_dialect_is_read_again(
        dialect in any_dialect(),
        cells in prop::collection::vec(("[a\"',;|\t\r\n \0é€#]{0,6}", "[a\"',;|\t\r\n \0é€#]{0,6}"), 0..9),
        quoting in prop::sample::select(vec![Quoting::Always, Quoting::IfNeeded]),
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        mark in any::<bool>(),
        bad in prop::collection::vec(0usize..9, 0..3),
    ) {
        // Without quotes no field can hold the signs of the file.
        let delimiter = dialect.delimiter.map_or(',', |sign| sign.byte() as char);
        let bare = |cell: &String| match dialect.quote {
            Quote::None => cell.replace([delimiter, '\r', '\n'], ""),
            Quote::Double | Quote::Other(_) => cell.clone(),
        };
        let cells: Vec<[String; 2]> = cells.iter().map(|(a, b)| [bare(a), bare(b)]).collect();
        let line = |fields: &[&str]| {
            let fields: Vec<_> = fields.iter().map(|text| field(text, &dialect, quoting)).collect();
            format!("{}{end}", fields.join(&delimiter.to_string()))
        };
        let mut text = if mark && dialect.encoding.as_str().starts_with("utf") { "\u{feff}".to_owned() } else { String::new() };
        let columns = match dialect.header {
            Header::Names => {
                text += &line(&["n", "m"]);
                ["n", "m"]
            }
            Header::Row => ["column1", "column2"],
        };
        for (place, [a, b]) in cells.iter().enumerate() {
            text += &line(&[a, b]);
            if dialect.bad_rows == BadRows::Skip && bad.contains(&place) {
                text += &line(&["x"]);
                text += &line(&["x", "y", "z"]);
            }
        }
        let cell = |cell: &String| (!cell.is_empty()).then(|| cell.clone());
        let expected: Texts = cells.iter().map(|[a, b]| vec![cell(a), cell(b)]).collect();
        // A file without names has a first row.
        if expected.is_empty() && dialect.header == Header::Row {
            return Ok(());
        }
        let bytes = encoded(&text, dialect.encoding).expect("letters that all encodings have");
        prop_assert_eq!(rows(&bytes, &dialect, &columns), Ok(expected), "{:?} {:?}", dialect, text);
    }
}

#[test]
fn endings_say_what_nothing_else_says() {
    let folder = Folder::new();
    let expected = table(&[&["1", "2"]]);
    for (name, text) in [("a.tsv", "n\tm\n1\t2\n"), ("a.tab.gz", "n\tm\n1\t2\n"), ("a.txt", "n,m\n1,2\n")] {
        folder.write(name, text.as_bytes());
        assert_eq!(folder.rows(name, &["n", "m"]), Ok(expected.clone()), "{name}");
    }
    folder.write("b.tsv", b"n;m\n1;2\n");
    assert_eq!(folder.rows_in("b.tsv", &semicolons(), &["n", "m"]), Ok(expected.clone()));
    folder.write("part-0", b"n\tm\n1\t2\n");
    let said = |format| Dialect { format: Some(format), ..Dialect::default() };
    assert_eq!(folder.rows_in("part-0", &said(DataFormat::Tsv), &["n", "m"]), Ok(expected.clone()));
    folder.write("c.csv", b"{\"n\":1,\"m\":2}\n");
    assert_eq!(folder.rows_in("c.csv", &said(DataFormat::Json), &["n", "m"]), Ok(expected));
}

#[test]
fn rows_with_too_few_or_too_many_fields_are_left_out_if_the_request_says_so() {
    let skip = Dialect { bad_rows: BadRows::Skip, ..semicolons() };
    let text = b"a;b\n1;2\n3\n4;5;6\n\"\"\n7;8";
    assert_eq!(rows(text, &skip, &["a", "b"]), Ok(table(&[&["1", "2"], &["7", "8"]])));
    assert_eq!(rows(text, &semicolons(), &["a", "b"]), Err(Fault::Damaged));
    let headless = Dialect { header: Header::Row, ..skip.clone() };
    assert_eq!(rows(text, &headless, &["column1"]), Ok(table(&[&["a"], &["1"], &["7"]])));
}

#[test]
fn every_other_damage_ends_the_scan_whatever_is_left_out() {
    let skip = Dialect { bad_rows: BadRows::Skip, ..semicolons() };
    for text in [&b"a;b\n1;\"2"[..], b"a;b\n1;2\n3;\xff\n", b"a;b\n\xff\n1;2\n", b"a;b\n1;2\n\xc3"] {
        assert_eq!(rows(text, &skip, &["a"]), Err(Fault::Damaged), "{text:?}");
    }
    let long = format!("a;b\n1;2\n{}\n3;4\n", "x".repeat(LONGEST_RECORD));
    assert_eq!(rows(long.as_bytes(), &skip, &["a"]), Err(Fault::Damaged));
}

#[test]
fn a_row_of_a_million_fields_is_bad_and_nothing_worse() {
    let text = format!("a;b\n1;2\n{}\n3;4\n", ";".repeat(1_000_000));
    let skip = Dialect { bad_rows: BadRows::Skip, ..semicolons() };
    assert_eq!(rows(text.as_bytes(), &skip, &["a"]), Ok(table(&[&["1"], &["3"]])));
    assert_eq!(rows(text.as_bytes(), &semicolons(), &["a"]), Err(Fault::Damaged));
}

#[test]
fn long_records_have_a_limit_in_every_encoding() {
    let wide = Dialect { encoding: encoding("utf-16"), ..Dialect::default() };
    for (length, expected) in [(LONGEST_RECORD - 3, Ok(table(&[&["1"]]))), (LONGEST_RECORD, Err(Fault::Damaged))] {
        let text = format!("a,b\n1,{}\n", "x".repeat(length));
        assert_eq!(rows(&encoded(&text, wide.encoding).expect("letters"), &wide, &["a"]), expected);
    }
    // A letter of one byte may be three in UTF-8.
    let euros = Dialect { encoding: encoding("windows-1252"), ..Dialect::default() };
    let text = [b"a,b\n1,".to_vec(), vec![0x80; LONGEST_RECORD / 3 + 1], b"\n".to_vec()].concat();
    assert_eq!(rows(&text, &euros, &["a"]), Err(Fault::Damaged));
}

#[test]
fn half_a_letter_is_damage_wherever_it_is() {
    let wide = Dialect { encoding: encoding("utf-16"), ..Dialect::default() };
    let whole = encoded("\u{feff}a,b\n1,2\n", wide.encoding).expect("letters");
    assert_eq!(rows(&whole, &wide, &["a"]), Ok(table(&[&["1"]])));
    assert_eq!(rows(&whole[..whole.len() - 1], &wide, &["a"]), Err(Fault::Damaged));
    let lone = [&whole[..], &[0x00, 0xd8]].concat();
    assert_eq!(rows(&lone, &wide, &["a"]), Err(Fault::Damaged));
    let japanese = Dialect { encoding: encoding("shift_jis"), ..Dialect::default() };
    assert_eq!(rows(b"a,b\n1,\x93\n", &japanese, &["a"]), Err(Fault::Damaged));
}

#[test]
fn a_file_that_changed_since_it_was_seen_is_damage_in_every_dialect() {
    for (dialect, column, after) in [
        (semicolons(), "a", &b"b;a\n1;2\n"[..]),
        (Dialect { bad_rows: BadRows::Skip, ..semicolons() }, "a", b"a;b;c\n1;2\n"),
        (Dialect { bad_rows: BadRows::Skip, ..semicolons() }, "a", b"a\n1;2\n"),
        (Dialect { header: Header::Row, ..semicolons() }, "column1", b"1;2;3\n"),
    ] {
        let folder = Folder::new();
        folder.write("data.csv", b"a;b\n1;2\n");
        let files = folder.files_in("data.csv", &dialect);
        folder.write("data.csv", after);
        let read = read(&files, &[column], 1, 10, Arc::new(Unwatched));
        assert_eq!(read.map(|(_, rows)| rows), Err(Fault::Damaged), "{after:?}");
    }
}

#[test]
fn columns_without_names_are_named_by_their_places_and_no_value_is_kept() {
    let folder = Folder::new();
    folder.write("data.csv", b"canary-1;canary-2;canary-3\n4;5;6\n");
    let headless = Dialect { header: Header::Row, ..semicolons() };
    let files = folder.files_in("data.csv", &headless);
    let names: Vec<_> = files.columns().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["column1", "column2", "column3"]);
    assert!(!format!("{files:?}").contains("canary"));
    let expected = table(&[&["canary-3", "canary-1"], &["6", "4"]]);
    assert_eq!(folder.rows_in("data.csv", &headless, &["column3", "column1"]), Ok(expected));
}

#[test]
fn objects_may_be_written_in_other_letters() {
    let folder = Folder::new();
    for (name, text) in [("utf-16", "\u{feff}[{\"n\":\"Zürich\"}]"), ("windows-1252", "{\"n\":\"Zürich\"}\n")] {
        let dialect = Dialect { encoding: encoding(name), ..Dialect::default() };
        let bytes = encoded(text, dialect.encoding).expect("letters");
        folder.write("data.json", &bytes);
        assert_eq!(folder.rows_in("data.json", &dialect, &["n"]), Ok(table(&[&["Zürich"]])), "{name}");
        folder.write("data.json", &bytes[..bytes.len() - 3]);
        assert_eq!(folder.rows_in("data.json", &dialect, &["n"]), Err(Fault::Damaged), "{name}");
    }
}

/// Counts bytes, and asks to stop after so many of them.
struct Counter {
    bytes: AtomicU64,
    patience: u64,
}

impl Watch for Counter {
    fn read(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) >= self.patience
    }
}

#[test]
fn bytes_are_told_as_they_lie_on_the_disk_and_a_scan_stops_when_asked() {
    let folder = Folder::new();
    let lines: String = (0..200_000).map(|row| format!("{row};é\n")).collect();
    for name in ["utf-16", "windows-1252"] {
        for bad_rows in BadRows::ALL {
            let dialect = Dialect { encoding: encoding(name), bad_rows, ..semicolons() };
            let bytes = encoded(&format!("a;b\n{lines}"), dialect.encoding).expect("letters");
            folder.write("data.csv", &bytes);
            let files = folder.files_in("data.csv", &dialect);
            let counter = |patience| Arc::new(Counter { bytes: AtomicU64::new(0), patience });
            let patient = counter(u64::MAX);
            let (_, rows) = read(&files, &["a"], 1, 8192, patient.clone()).expect("rows");
            assert_eq!(rows.len(), 200_000);
            assert_eq!(patient.bytes.load(Ordering::Relaxed), bytes.len() as u64);
            let impatient = counter(100_000);
            assert_eq!(read(&files, &["a"], 1, 8192, impatient.clone()).map(|(_, rows)| rows), Err(Fault::Stopped));
            assert!(impatient.bytes.load(Ordering::Relaxed) < bytes.len() as u64 / 2);
        }
    }
}
