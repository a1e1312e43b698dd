//! The records of a CSV file that have as many fields as there are columns; others are left out.
//!
//! Whole records go on or go nowhere: it must never leave out anything but a record with too few or too many fields, so
//! an open quote at the end, one that only a later quote closes, and a record that is too long are damage here as
//! everywhere. It is separate because only a
//! request that says `on-bad-row = "skip"` needs it. Read `records.rs` for the same records where all are kept.

use super::super::text::Text;
use crate::file::{LONGEST_RECORD, Signs};
use std::io::{self, BufRead, Read};

/// About how much is handed on at a time.
const STEP: usize = 1 << 20;

/// A text without its uneven records. Every record that goes on ends with a newline.
pub(super) struct EvenRecords {
    text: Text,
    signs: Signs,
    columns: usize,
    place: Place,
    /// How many fields of the record have ended.
    fields: usize,
    /// What of a record came in earlier chunks.
    begun: Vec<u8>,
    /// The first record, which is judged by whoever reads its names.
    first: First,
    /// Whether a line ended since the quote was opened.
    is_over_lines: bool,
    kept: Vec<u8>,
    taken: usize,
    has_ended: bool,
}

/// What the first record is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum First {
    /// Names: it goes on, whatever it has.
    Names,
    /// A row like any other.
    Row,
}

/// Where the next byte is.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Before a record; blank lines are no records.
    Start,
    /// At the beginning of another field, where a quote opens.
    Field,
    /// In a field, outside of quotes.
    Bare,
    /// Between quotes.
    Quoted,
    /// Behind a quote between quotes: the closing one, or the first of a doubled one.
    Unquoted,
}

impl EvenRecords {
    pub(super) fn new(text: Text, signs: Signs, columns: usize, first: First) -> EvenRecords {
        let (begun, kept) = (Vec::new(), Vec::new());
        let place = Place::Start;
        let (fields, taken, is_over_lines, has_ended) = (0, 0, false, false);
        EvenRecords { text, signs, columns, place, fields, begun, first, is_over_lines, kept, taken, has_ended }
    }

    /// Follows a byte and returns whether it ends a record. A field over several lines ends at its closing quote.
    fn ends_record(&mut self, byte: u8) -> io::Result<bool> {
        let (is_quote, is_delimiter) = (byte == self.signs.quote, byte == self.signs.delimiter);
        let is_end = matches!(byte, b'\r' | b'\n');
        match self.place {
            Place::Quoted => self.is_over_lines = self.is_over_lines || is_end,
            Place::Unquoted if is_quote => {}
            Place::Unquoted => {
                if std::mem::take(&mut self.is_over_lines) && !is_end && !is_delimiter {
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
            Place::Start | Place::Field | Place::Bare => {}
        }
        self.place = match self.place {
            Place::Start if is_end => Place::Start,
            Place::Start | Place::Field if is_quote => Place::Quoted,
            Place::Quoted if is_quote => Place::Unquoted,
            Place::Quoted => Place::Quoted,
            Place::Unquoted if is_quote => Place::Quoted,
            Place::Start | Place::Field | Place::Bare | Place::Unquoted if is_delimiter => {
                self.fields += 1;
                Place::Field
            }
            Place::Field | Place::Bare | Place::Unquoted if is_end => return Ok(true),
            Place::Start | Place::Field | Place::Bare | Place::Unquoted => Place::Bare,
        };
        Ok(false)
    }

    /// Keeps a record or leaves it out; `rest` is what of it did not come earlier, without its end.
    fn end_record(&mut self, rest: &[u8]) {
        let is_kept = self.fields + 1 == self.columns || self.first == First::Names;
        if is_kept {
            self.kept.append(&mut self.begun);
            self.kept.extend_from_slice(rest);
            self.kept.push(b'\n');
        }
        self.begun.clear();
        (self.place, self.fields, self.first) = (Place::Start, 0, First::Row);
    }

    fn refill(&mut self) -> io::Result<()> {
        self.kept.clear();
        self.taken = 0;
        while self.kept.len() < STEP && !self.has_ended {
            let chunk = self.text.fill_buf()?.to_vec();
            if chunk.is_empty() {
                self.has_ended = true;
                match self.place {
                    Place::Start => {}
                    Place::Quoted => return Err(io::ErrorKind::InvalidData.into()),
                    Place::Field | Place::Bare | Place::Unquoted => self.end_record(&[]),
                }
                break;
            }
            let mut begin = 0;
            for (at, byte) in chunk.iter().enumerate() {
                if self.begun.len() + at + 1 - begin > LONGEST_RECORD {
                    return Err(io::ErrorKind::InvalidData.into());
                }
                let is_before = self.place == Place::Start;
                if self.ends_record(*byte)? {
                    self.end_record(&chunk[begin..at]);
                    begin = at + 1;
                } else if is_before && self.place == Place::Start {
                    begin = at + 1;
                }
            }
            self.begun.extend_from_slice(&chunk[begin..]);
            self.text.consume(chunk.len());
        }
        Ok(())
    }
}

impl BufRead for EvenRecords {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.kept.len() && !self.has_ended {
            self.refill()?;
        }
        Ok(&self.kept[self.taken..])
    }

    fn consume(&mut self, bytes: usize) {
        self.taken = self.kept.len().min(self.taken + bytes);
    }
}

impl Read for EvenRecords {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let read = available.len().min(buffer.len());
        buffer[..read].copy_from_slice(&available[..read]);
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIGNS: Signs = Signs { delimiter: b';', quote: b'"' };

    fn even(text: &[u8], columns: usize, first: First) -> io::Result<String> {
        let mut out = String::new();
        let text = Text::new(Box::new(io::Cursor::new(text.to_vec())), Vec::new());
        EvenRecords::new(text, SIGNS, columns, first).read_to_string(&mut out)?;
        Ok(out)
    }

    #[test]
    fn uneven_records_are_left_out_and_whole_ones_go_on() {
        let text = b"a;b\n1\r\n\r\n1;2\r\n1;2;3\n\"1;\n\"\"\";2\n\"\"\n;\n3;\"4\"";
        assert_eq!(even(text, 2, First::Row).expect("records"), "a;b\n1;2\n\"1;\n\"\"\";2\n;\n3;\"4\"\n");
    }

    #[test]
    fn the_first_record_goes_on_where_it_has_names() {
        assert_eq!(even(b"a;b;c\n1;2\n", 2, First::Names).expect("records"), "a;b;c\n1;2\n");
        assert_eq!(even(b"a;b;c\n1;2\n", 2, First::Row).expect("records"), "1;2\n");
    }

    #[test]
    fn an_open_quote_and_a_record_too_long_are_damage() {
        assert!(even(b"1;\"2", 2, First::Row).is_err());
        assert!(even(b"1;2\n\"", 2, First::Row).is_err());
        assert!(even(b"1;\"2\n3;\"4\"\n", 2, First::Row).is_err(), "closed by a later quote alone");
        assert!(even(b"1;\"2\n3;\"4\";5;6\n", 2, First::Row).is_err(), "left out or not");
        assert_eq!(even(b"1;\"2\n3\"\n", 2, First::Row).expect("records"), "1;\"2\n3\"\n");
        let mut long = vec![b'a'; LONGEST_RECORD];
        assert!(even(&long, 2, First::Row).is_ok(), "a record without its end, as long as may be");
        long.extend(b"a\n1;2\n");
        assert!(even(&long, 2, First::Row).is_err(), "left out or not");
    }

    proptest! {
        #[test]
        fn what_goes_on_is_what_the_library_finds_even(text in "[a\";\r\n é]{0,24}", columns in 1usize..4) {
            let text = format!("{text}\n");
            let mut reader =
                csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(b';').from_reader(text.as_bytes());
            let theirs: Vec<csv::StringRecord> = reader.records().map(|record| record.expect("text")).collect();
            // The library takes an open quote for a whole field.
            let Ok(ours) = even(text.as_bytes(), columns, First::Row) else {
                prop_assert!(text.contains('"'));
                return Ok(());
            };
            let theirs: Vec<_> = theirs.into_iter().filter(|record| record.len() == columns).collect();
            let mut reader =
                csv::ReaderBuilder::new().has_headers(false).delimiter(b';').from_reader(ours.as_bytes());
            let ours: Vec<csv::StringRecord> = reader.records().map(|record| record.expect("even")).collect();
            prop_assert_eq!(ours, theirs);
        }
    }
}
