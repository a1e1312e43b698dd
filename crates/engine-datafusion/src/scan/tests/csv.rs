//! CSV files, whole and damaged.
//!
//! A damaged file must never be read as a shorter one. It is separate because CSV has more ways to break than the
//! others. Read `json.rs` next.

use super::folder::{Folder, Texts, packed, read, table};
use crate::file::Compression;
use crate::scan::{Fault, LONGEST_RECORD};
use incrowd_engine::Unwatched;
use proptest::prelude::*;
use std::sync::Arc;

fn rows(text: &[u8], columns: &[&str]) -> Result<Texts, Fault> {
    let folder = Folder::new();
    folder.write("data.csv", text);
    folder.rows("data.csv", columns)
}

#[test]
fn packed_and_plain_files_have_the_same_rows() {
    for name in ["data.csv", "data.csv.gz", "data.csv.zst", "DATA.CSV.GZ"] {
        let folder = Folder::new();
        folder.write(name, b"id,city\n1,Bern\n2,\n3,\"Biel, Bienne\"\n4,Z\xc3\xbcrich");
        let expected = table(&[&["1", "Bern"], &["2", "-"], &["3", "Biel, Bienne"], &["4", "Zürich"]]);
        assert_eq!(folder.rows(name, &["id", "city"]), Ok(expected), "{name}");
    }
}

#[test]
fn columns_are_chosen_by_name_in_any_order() {
    let text = b"a,b,c\n1,2,3\n4,5,6\n";
    assert_eq!(rows(text, &["c", "a"]), Ok(table(&[&["3", "1"], &["6", "4"]])));
    assert_eq!(rows(text, &[]), Ok(vec![vec![], vec![]]));
}

#[test]
fn marks_line_ends_blank_lines_and_quoted_newlines_are_understood() {
    let text = "\u{feff}\"a\",\"b\nb\"\r\n\r\n1,\"x\r\ny\"\r\n\"2\",\"say \"\"hi\"\"\"\r\n3,5\" disk\r\n".as_bytes();
    let expected = table(&[&["1", "x\r\ny"], &["2", "say \"hi\""], &["3", "5\" disk"]]);
    assert_eq!(rows(text, &["a", "b\nb"]), Ok(expected));
}

#[test]
fn an_empty_field_is_missing_quoted_or_not() {
    assert_eq!(rows(b"a,b\n,\"\"\n", &["a", "b"]), Ok(table(&[&["-", "-"]])));
}

#[test]
fn a_header_alone_has_no_rows() {
    for text in [&b"a,b"[..], b"a,b\n", b"a,b\r\n\r\n"] {
        assert_eq!(rows(text, &["a"]), Ok(vec![]));
    }
}

#[test]
fn zero_bytes_and_long_texts_are_texts() {
    let long = "x".repeat(1 << 20);
    let text = format!("a,b\n\0,{long}\n\"{long}\",2\n");
    let expected = table(&[&["\0", &long], &[&long, "2"]]);
    assert_eq!(rows(text.as_bytes(), &["a", "b"]), Ok(expected));
}

#[test]
fn ragged_rows_are_damage() {
    for text in [&b"a,b\n1,2\n3\n"[..], b"a,b\n1,2,3\n", b"a,b\n1,2\n3", b"a,b\n1,2\n\"\"\n"] {
        assert_eq!(rows(text, &["a"]), Err(Fault::Damaged), "{text:?}");
    }
}

#[test]
fn invalid_text_is_damage_even_where_a_comma_cuts_a_character() {
    for text in [&b"a,b\n1,\xff\n"[..], b"a,b\n\xc3,\xa9\n", b"a,b\n1,2\n3,\xc3"] {
        assert_eq!(rows(text, &["a"]), Err(Fault::Damaged), "{text:?}");
    }
}

#[test]
fn a_quote_that_is_never_closed_is_damage() {
    for text in [&b"a,b\n1,\"2"[..], b"a,b\n1,\"", b"a,b\n\"1,2\n3,4\n", b"a,b\n1,2\n3,\"x\"\"", b"a,b\n1,\"2\n"] {
        assert_eq!(rows(text, &["a"]), Err(Fault::Damaged), "{text:?}");
    }
    assert_eq!(rows(b"a\n\"", &["a"]), Err(Fault::Damaged));
}

#[test]
fn a_packed_file_that_is_cut_off_is_damage() {
    let text: String =
        (0..100_000).map(|row: u64| format!("{},{row}\n", row.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
    for (name, compression) in [("data.csv.gz", Compression::Gzip), ("data.csv.zst", Compression::Zstandard)] {
        let folder = Folder::new();
        let whole = packed(compression, format!("a,b\n{text}").as_bytes());
        folder.write_as_is(name, &whole);
        assert_eq!(folder.rows(name, &["a"]).map(|rows| rows.len()), Ok(100_000));
        for kept in [whole.len() / 2, whole.len() - 1] {
            folder.write_as_is(name, &whole[..kept]);
            assert_eq!(folder.rows(name, &["a"]), Err(Fault::Damaged), "{name} {kept}");
        }
    }
}

#[test]
fn packed_files_may_be_glued_together() {
    let folder = Folder::new();
    for (name, compression) in [("data.csv.gz", Compression::Gzip), ("data.csv.zst", Compression::Zstandard)] {
        folder.write_as_is(name, &[packed(compression, b"a\n1\n"), packed(compression, b"2\n")].concat());
        assert_eq!(folder.rows(name, &["a"]), Ok(table(&[&["1"], &["2"]])));
    }
}

#[test]
fn a_header_that_changed_since_it_was_seen_is_damage() {
    let folder = Folder::new();
    folder.write("data.csv", b"a,b\n1,2\n");
    let files = folder.files("data.csv");
    folder.write("data.csv", b"b,a\n1,2\n");
    let read = super::folder::read(&files, &["a"], 1, 10, std::sync::Arc::new(incrowd_engine::Unwatched));
    assert_eq!(read.map(|(_, rows)| rows), Err(Fault::Damaged));
}

proptest! {
    #[test]
    fn what_is_written_with_quotes_is_read_again(cells in prop::collection::vec(("[a\",\r\n é#]{0,6}", "[a\",\r\n é#]{0,6}"), 0..9)) {
        let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
        let lines: String = cells.iter().map(|(a, b)| format!("{},{}\n", quoted(a), quoted(b))).collect();
        let cell = |cell: &String| (!cell.is_empty()).then(|| cell.clone());
        let expected: Texts = cells.iter().map(|(a, b)| vec![cell(a), cell(b)]).collect();
        prop_assert_eq!(rows(format!("a,b\n{lines}").as_bytes(), &["a", "b"]), Ok(expected));
    }
}

#[test]
fn a_record_that_is_too_long_is_damage_packed_or_not() {
    let long = "x".repeat(LONGEST_RECORD);
    for name in ["d.csv", "d.csv.gz", "d.csv.zst"] {
        let folder = Folder::new();
        folder.write(name, format!("a,b\n1,2\n3,{long}\n").as_bytes());
        assert_eq!(folder.rows(name, &["a"]), Err(Fault::Damaged), "{name}");
        folder.write(name, format!("a,b\n1,2\n3,\"{}\"\n", "\n".repeat(LONGEST_RECORD)).as_bytes());
        assert_eq!(folder.rows(name, &["a"]), Err(Fault::Damaged), "{name}");
        folder.write(name, format!("a,b\n1,2\n3,{}\n", &long[..LONGEST_RECORD - 3]).as_bytes());
        assert_eq!(folder.rows(name, &["a"]), Ok(table(&[&["1"], &["3"]])), "{name}");
    }
}

#[test]
fn long_records_make_short_batches_and_none_is_lost() {
    let folder = Folder::new();
    let field = "y".repeat(3 << 20);
    let rows: String = (0..20).map(|row| format!("{row},\"{field}\"\"\n\"\n")).collect();
    folder.write("d.csv", format!("a,b\n{rows}").as_bytes());
    let files = folder.files("d.csv");
    let (_, read) = read(&files, &["a"], 1, 8192, Arc::new(Unwatched)).expect("rows");
    let expected: Vec<_> = (0..20).map(|row| vec![Some(row.to_string())]).collect();
    assert_eq!(read, expected);
}
