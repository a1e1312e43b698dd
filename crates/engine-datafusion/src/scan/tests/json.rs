//! JSON files, as arrays and as lines.
//!
//! A damaged file must never be read as a shorter one. It is separate because JSON has no schema. Read `parquet.rs`
//! next.

use super::folder::{Folder, Texts, table};
use crate::scan::{Fault, LONGEST_RECORD};

fn rows(text: &str, columns: &[&str]) -> Result<Texts, Fault> {
    let folder = Folder::new();
    folder.write("data.json", text.as_bytes());
    folder.rows("data.json", columns)
}

#[test]
fn arrays_and_lines_have_the_same_rows_packed_or_not() {
    let lines = "{\"id\":1,\"city\":\"Bern\"}\n\n{\"city\":null,\"id\":2.50}\r\n {\"id\":true,\"x\":[\"}\"]}\n{}";
    let array =
        "\u{feff} [\n{\"id\":1,\"city\":\"Bern\"},{\"city\":null,\n\"id\":2.50},\n{\"id\":true,\"x\":[\"}\"]} , {}]\n";
    let expected = table(&[&["1", "Bern"], &["2.50", "-"], &["true", "-"], &["-", "-"]]);
    for name in ["d.json", "d.ndjson", "d.jsonl", "d.json.gz", "d.ndjson.zst"] {
        for text in [lines, array] {
            let folder = Folder::new();
            folder.write(name, text.as_bytes());
            assert_eq!(folder.rows(name, &["id", "city"]), Ok(expected.clone()), "{name} {text}");
        }
    }
}

#[test]
fn an_empty_file_and_an_empty_array_have_no_rows() {
    for text in ["", "\n \n", "[]", " [ \n ] \n", "\u{feff}"] {
        assert_eq!(rows(text, &["a"]), Ok(vec![]), "{text:?}");
    }
}

#[test]
fn rows_are_counted_even_if_no_column_is_wanted() {
    assert_eq!(rows("{\"a\":1}\n{}\n", &[]), Ok(vec![vec![], vec![]]));
}

#[test]
fn escaped_quotes_and_braces_in_texts_do_not_end_an_object() {
    let text = r#"[{"a":"}\"}\\"},{"a":"\\\"{"}]"#;
    assert_eq!(rows(text, &["a"]), Ok(table(&[&["}\"}\\"], &["\\\"{"]])));
}

#[test]
fn anything_but_objects_is_damage() {
    let damaged = [
        "1",
        "null",
        "\"a\"",
        "x",
        "[1]",
        "[{},]",
        "[,{}]",
        "[{} {}]",
        "[{}",
        "[",
        "[{}]]",
        "[{}]\n{}",
        "[{}],",
        "[null]",
        "{} {}",
        "{}{}",
        "{},{}",
        "{}\n1",
        "{}\n[]",
        "{}\nx",
        "{}]",
        "{\"a\":1",
        "{\"a\":\"x",
        "{\"a\":1}\n{\"a\":1\n{\"a\":2}",
        "{\"a\":1} garbage\n",
    ];
    for text in damaged {
        assert_eq!(rows(text, &["a"]), Err(Fault::Damaged), "{text}");
    }
}

#[test]
fn invalid_text_is_damage() {
    let folder = Folder::new();
    folder.write("data.json", b"{\"a\":1,\"b\":\"\xff\"}");
    assert_eq!(folder.rows("data.json", &["a"]), Err(Fault::Damaged));
}

#[test]
fn long_texts_cross_the_buffers() {
    let long = "é".repeat(1 << 20);
    let text = format!("{{\"a\":\"{long}\"}}\n").repeat(3);
    assert_eq!(rows(&text, &["a"]), Ok(table(&[&[&long], &[&long], &[&long]])));
}

#[test]
fn an_object_that_is_too_long_is_damage() {
    let folder = Folder::new();
    // Braces, a name, a colon and quotes are eight bytes.
    for (length, expected) in [(LONGEST_RECORD - 8, Ok(1)), (LONGEST_RECORD - 7, Err(Fault::Damaged))] {
        folder.write("d.json.gz", format!("{{\"b\":\"{}\"}}", "x".repeat(length)).as_bytes());
        assert_eq!(folder.rows("d.json.gz", &["a"]).map(|rows| rows.len()), expected);
    }
}
