//! The names in the first record of a CSV file, or how many fields a first record without names has.
//!
//! It must never judge a byte behind that record: what the rows are like may not be known before the charge. Of a row
//! it keeps nothing but how many fields it has. It is separate from the reader of the rows, which is a library that
//! would read on; a property test holds the two together. Read `schema.rs` next.

use crate::file::{LONGEST_RECORD, Signs};
use std::io::{self, BufReader, Read};

/// A header longer than this is a quote that was never closed.
const LONGEST: usize = 1 << 20;

/// Most columns of a file that names none.
const MOST_COLUMNS: usize = 1 << 17;

/// The mark that some programs put before UTF-8.
const MARK: &str = "\u{feff}";

/// The marks of UTF-16, and what is left of its letters of ASCII where they are read as UTF-8.
const MARKS_OF_UTF16: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];
const ZERO: u8 = 0;

/// Why there are no names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoHeader {
    /// There is no whole record, or none of a bearable length.
    NotWhole,
    /// Its bytes are no letters of the encoding.
    NotLetters,
    /// It is packed, and ends before the record does.
    CutOff,
    /// It seems to be UTF-16, which was not said; its name.
    LikeUtf16(&'static str),
}

/// Returns the names of a file in UTF-8.
pub(super) fn names(file: impl Read, signs: Signs) -> Result<Vec<String>, NoHeader> {
    let record = first_record(file, Record::new(signs, Kept::Texts), LONGEST)?;
    if record.names.iter().flatten().any(|byte| *byte == ZERO) {
        let [even, odd] = record.zeros;
        // The letters of ASCII have the byte of zero first or last.
        return Err(NoHeader::LikeUtf16(if even > odd { "utf-16be" } else { "utf-16le" }));
    }
    record.names.into_iter().map(|name| String::from_utf8(name).map_err(|_| NoHeader::NotLetters)).collect()
}

/// Returns how many fields the first record of a file has.
pub(super) fn width(file: impl Read, signs: Signs) -> Result<usize, NoHeader> {
    let record = first_record(file, Record::new(signs, Kept::Nothing), LONGEST_RECORD)?;
    if record.fields > MOST_COLUMNS { Err(NoHeader::NotWhole) } else { Ok(record.fields) }
}

fn first_record(mut file: impl Read, mut record: Record, longest: usize) -> Result<Record, NoHeader> {
    let mut first = Vec::new();
    file.by_ref().take(MARK.len() as u64).read_to_end(&mut first).map_err(why)?;
    if MARKS_OF_UTF16.iter().any(|mark| first.starts_with(mark)) {
        return Err(NoHeader::LikeUtf16("utf-16"));
    }
    if first == MARK.as_bytes() {
        first.clear();
    }
    for (position, byte) in BufReader::new(first.chain(file)).bytes().enumerate() {
        if position == longest {
            return Err(NoHeader::NotWhole);
        }
        let byte = byte.map_err(why)?;
        record.zeros[position % 2] += usize::from(byte == ZERO);
        if record.push(byte) == Progress::Ended {
            return Ok(record);
        }
    }
    match record.place {
        Place::Start | Place::Quoted => Err(NoHeader::NotWhole),
        Place::Field | Place::Bare | Place::Unquoted => {
            record.end_field();
            Ok(record)
        }
    }
}

/// Bytes that are no letters are told apart from a file that cannot be read.
fn why(error: io::Error) -> NoHeader {
    match error.kind() {
        io::ErrorKind::InvalidData => NoHeader::NotLetters,
        io::ErrorKind::UnexpectedEof => NoHeader::CutOff,
        _ => NoHeader::NotWhole,
    }
}

struct Record {
    signs: Signs,
    kept: Kept,
    fields: usize,
    names: Vec<Vec<u8>>,
    /// Bytes of zero in even places and in odd ones.
    zeros: [usize; 2],
    field: Vec<u8>,
    place: Place,
}

/// What is kept of a record.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    /// Its texts, which are names.
    Texts,
    /// Nothing, for it is a row.
    Nothing,
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
    fn new(signs: Signs, kept: Kept) -> Record {
        Record { signs, kept, fields: 0, names: Vec::new(), zeros: [0, 0], field: Vec::new(), place: Place::Start }
    }

    fn push(&mut self, byte: u8) -> Progress {
        let (is_quote, is_delimiter) = (byte == self.signs.quote, byte == self.signs.delimiter);
        self.place = match (self.place, byte) {
            (Place::Start, b'\r' | b'\n') => Place::Start,
            (Place::Start | Place::Field, _) if is_quote => Place::Quoted,
            (Place::Quoted, _) if is_quote => Place::Unquoted,
            (Place::Quoted, _) => self.keep(byte, Place::Quoted),
            (Place::Unquoted, _) if is_quote => self.keep(byte, Place::Quoted),
            (Place::Field | Place::Bare | Place::Unquoted, b'\r' | b'\n') => {
                self.end_field();
                return Progress::Ended;
            }
            (Place::Start | Place::Field | Place::Bare | Place::Unquoted, _) if is_delimiter => {
                self.end_field();
                Place::Field
            }
            (Place::Start | Place::Field | Place::Bare | Place::Unquoted, _) => self.keep(byte, Place::Bare),
        };
        Progress::Continues
    }

    fn keep(&mut self, byte: u8, place: Place) -> Place {
        if self.kept == Kept::Texts {
            self.field.push(byte);
        }
        place
    }

    fn end_field(&mut self) {
        self.fields += 1;
        if self.kept == Kept::Texts {
            self.names.push(std::mem::take(&mut self.field));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COMMAS: Signs = Signs { delimiter: b',', quote: b'"' };

    fn read(text: &[u8]) -> Option<Vec<String>> {
        names(text, COMMAS).ok()
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
    fn other_signs_cut_other_names() {
        let signs = Signs { delimiter: b';', quote: b'\'' };
        assert_eq!(names(&b"a;'b;''c'\"d\n"[..], signs), Ok(vec!["a".into(), "b;'c\"d".into()]));
        let tabs = Signs { delimiter: b'\t', quote: 0xfe };
        assert_eq!(names(&b"\"a\tb\"\n"[..], tabs), Ok(vec!["\"a".into(), "b\"".into()]));
    }

    #[test]
    fn the_fields_of_a_row_are_counted_and_nothing_else_is_judged() {
        for (text, expected) in [(&b"1,\"2,\n\",3\n4"[..], 3), (b"\n\r\n\xff\xc3,\0\n", 2), (b"7", 1), (b",,,\n", 4)] {
            assert_eq!(width(text, COMMAS), Ok(expected), "{text:?}");
        }
        assert_eq!(width(&b""[..], COMMAS), Err(NoHeader::NotWhole));
        assert_eq!(width(&b"1,\"2"[..], COMMAS), Err(NoHeader::NotWhole));
        assert_eq!(width(vec![b','; 1_000_000].as_slice(), COMMAS), Err(NoHeader::NotWhole));
        let long = [vec![b'a'; 2 * LONGEST], b",b\n".to_vec()].concat();
        assert_eq!(width(long.as_slice(), COMMAS), Ok(2));
        let endless = vec![b'a'; LONGEST_RECORD + 1];
        assert_eq!(width(endless.as_slice(), COMMAS), Err(NoHeader::NotWhole));
    }

    #[test]
    fn what_looks_like_utf16_is_told_apart() {
        for (text, encoding) in [
            (&b"\xff\xfea\0,\0b\0\n\0"[..], "utf-16"),
            (b"\xfe\xff\0a\0,\0b\0\n", "utf-16"),
            (b"a\0,\0b\0\n\0", "utf-16le"),
            (b"\"\0a\0\"\0,\0b\0\n\0", "utf-16le"),
            (b"\0a\0,\0b\0\n", "utf-16be"),
            (b"\0\"\0a\0\"\0,\0b\0\n", "utf-16be"),
        ] {
            assert_eq!(names(text, COMMAS), Err(NoHeader::LikeUtf16(encoding)), "{text:?}");
        }
        assert_eq!(names(&b"Stra\xdfe,b\n"[..], COMMAS), Err(NoHeader::NotLetters));
    }

    #[test]
    fn nothing_behind_the_header_is_judged() {
        assert_eq!(read(b"a,b\n\xff\xff,\"never closed"), Some(vec!["a".into(), "b".into()]));
    }

    proptest! {
        #[test]
        fn the_reader_of_the_rows_sees_the_same_header(text in "\u{feff}?[a\",;'\r\n é]{0,12}\n", signs in prop::sample::select(vec![COMMAS, Signs { delimiter: b';', quote: b'\'' }])) {
            let format = arrow_csv::reader::Format::default().with_header(true)
                .with_delimiter(signs.delimiter).with_quote(signs.quote);
            let theirs = format.infer_schema(text.as_bytes(), Some(0)).expect("valid text").0;
            let theirs: Vec<String> = theirs.fields().iter().map(|field| field.name().clone()).collect();
            // The library takes an open quote for a whole field, and nothing for a header without names.
            if let Ok(ours) = names(text.as_bytes(), signs) {
                prop_assert_eq!(width(text.as_bytes(), signs), Ok(ours.len()));
                prop_assert_eq!(ours, theirs);
            } else {
                prop_assert!(theirs.is_empty() || text.contains(signs.quote as char));
            }
        }
    }
}
