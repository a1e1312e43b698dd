//! The names in the first record of a CSV file.
//!
//! It must never judge a byte behind that record: what the rows are like may not be known before the charge. It is
//! separate from the reader of the rows, which is a library that would read on; a property test holds the two together.
//! Read `schema.rs` next.

use std::io::{BufReader, Read};

/// A header longer than this is a quote that was never closed.
const LONGEST: usize = 1 << 20;

/// The mark that some programs put before UTF-8.
const MARK: &str = "\u{feff}";

/// Returns the names, or nothing if there is no whole header of valid texts.
pub(super) fn names(mut file: impl Read) -> Option<Vec<String>> {
    let mut first = Vec::new();
    file.by_ref().take(MARK.len() as u64).read_to_end(&mut first).ok()?;
    if first == MARK.as_bytes() {
        first.clear();
    }
    let mut record = Record { names: Vec::new(), field: Vec::new(), place: Place::Start };
    for (position, byte) in BufReader::new(first.chain(file)).bytes().enumerate() {
        if position == LONGEST {
            return None;
        }
        if record.push(byte.ok()?) == Progress::Ended {
            return record.texts();
        }
    }
    match record.place {
        Place::Start | Place::Quoted => None,
        Place::Field | Place::Bare | Place::Unquoted => {
            record.end_field();
            record.texts()
        }
    }
}

struct Record {
    names: Vec<Vec<u8>>,
    field: Vec<u8>,
    place: Place,
}

/// Where in the record the next byte is.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// Before the first field; blank lines are skipped.
    Start,
    /// At the beginning of another field.
    Field,
    /// In a field without quotes, where a quote is a letter like any other.
    Bare,
    /// Between quotes.
    Quoted,
    /// Behind a quote between quotes: the closing one, or the first of a doubled one.
    Unquoted,
}

#[derive(PartialEq)]
enum Progress {
    Continues,
    Ended,
}

impl Record {
    fn push(&mut self, byte: u8) -> Progress {
        self.place = match (self.place, byte) {
            (Place::Start, b'\r' | b'\n') => Place::Start,
            (Place::Start | Place::Field, b'"') => Place::Quoted,
            (Place::Quoted, b'"') => Place::Unquoted,
            (Place::Quoted, _) | (Place::Unquoted, b'"') => {
                self.field.push(byte);
                Place::Quoted
            }
            (Place::Field | Place::Bare | Place::Unquoted, b'\r' | b'\n') => {
                self.end_field();
                return Progress::Ended;
            }
            (Place::Start | Place::Field | Place::Bare | Place::Unquoted, b',') => {
                self.end_field();
                Place::Field
            }
            (Place::Start | Place::Field | Place::Bare | Place::Unquoted, _) => {
                self.field.push(byte);
                Place::Bare
            }
        };
        Progress::Continues
    }

    fn end_field(&mut self) {
        self.names.push(std::mem::take(&mut self.field));
    }

    fn texts(self) -> Option<Vec<String>> {
        self.names.into_iter().map(|name| String::from_utf8(name).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &[u8]) -> Option<Vec<String>> {
        names(text)
    }

    #[test]
    fn quotes_and_quoted_newlines_are_honoured() {
        assert_eq!(
            read(b"a,\"b,c\",\"d\ne\",\"f\"\"g\"\r\n1,2,3,4"),
            Some(vec!["a".into(), "b,c".into(), "d\ne".into(), "f\"g".into()])
        );
    }

    #[test]
    fn the_mark_of_utf8_is_no_part_of_the_first_name() {
        assert_eq!(read("\u{feff}a,b\n".as_bytes()), Some(vec!["a".into(), "b".into()]));
        assert_eq!(read("\u{feff}\"a,b\"\n".as_bytes()), Some(vec!["a,b".into()]));
    }

    #[test]
    fn a_file_without_a_whole_header_has_no_names() {
        for text in [&b""[..], b"\n\n", b"a,\"b", b"\"", b"a\xff,b\n", "\u{feff}".as_bytes()] {
            assert_eq!(read(text), None, "{text:?}");
        }
        let endless = [b"\"".to_vec(), vec![b'a'; 2 * LONGEST], b"\"\n".to_vec()].concat();
        assert_eq!(read(&endless), None);
    }

    #[test]
    fn nothing_behind_the_header_is_judged() {
        assert_eq!(read(b"a,b\n\xff\xff,\"never closed"), Some(vec!["a".into(), "b".into()]));
    }

    proptest! {
        #[test]
        fn the_reader_of_the_rows_sees_the_same_header(text in "\u{feff}?[a\",\r\n é]{0,12}\n") {
            let format = arrow_csv::reader::Format::default().with_header(true);
            let theirs = format.infer_schema(text.as_bytes(), Some(0)).expect("valid text").0;
            let theirs: Vec<String> = theirs.fields().iter().map(|field| field.name().clone()).collect();
            // The library takes an open quote for a whole field, and nothing for a header without names.
            if let Some(ours) = read(text.as_bytes()) {
                prop_assert_eq!(ours, theirs);
            } else {
                prop_assert!(theirs.is_empty() || text.contains('"'));
            }
        }
    }
}
