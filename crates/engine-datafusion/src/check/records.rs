//! The records of a text file with the lines on which they begin.
//!
//! Quotes, signs and blank lines mean what they mean to the reader of the rows; it must never end at damage, because
//! damage is what it looks for. It is separate from that reader, which counts no lines. Read `damage.rs` for who
//! asks.

use crate::file::Signs;
use std::io::{self, BufRead};
use std::ops::ControlFlow;

/// A record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordSeen {
    /// The line on which it begins, from 1.
    pub(super) line: u64,
    /// How many fields it has.
    pub(super) fields: usize,
    /// How many bytes it has.
    pub(super) bytes: u64,
}

/// How a walk ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WalkEnd {
    /// Behind the last record, or where the visitor had enough.
    Whole,
    /// Between quotes, which were opened on this line.
    OpenQuote { line: u64 },
}

enum Place {
    Start,
    Field,
    Bare,
    Quoted,
    Unquoted,
}

/// Visits every record of a text that begins behind so many lines.
pub(super) fn each_record(
    mut text: impl BufRead,
    skipped: u64,
    signs: Signs,
    mut visit: impl FnMut(RecordSeen) -> ControlFlow<()>,
) -> io::Result<WalkEnd> {
    let (mut line, mut place, mut opened) = (skipped + 1, Place::Start, skipped + 1);
    let (mut record, mut after_return) = (RecordSeen { line: 1, fields: 0, bytes: 0 }, false);
    loop {
        let chunk = text.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        let taken = chunk.len();
        for byte in chunk {
            let ends_line = matches!(byte, b'\r' | b'\n') && !(after_return && *byte == b'\n');
            if let (Place::Start, false) = (&place, matches!(byte, b'\r' | b'\n')) {
                record = RecordSeen { line, fields: 1, bytes: 0 };
                place = Place::Field;
            }
            record.bytes += 1;
            place = match (place, *byte) {
                (Place::Start, _) => Place::Start,
                (Place::Quoted, sign) if sign == signs.quote => Place::Unquoted,
                (Place::Quoted, _) => Place::Quoted,
                (Place::Unquoted, sign) if sign == signs.quote => Place::Quoted,
                (Place::Field, sign) if sign == signs.quote => {
                    opened = line;
                    Place::Quoted
                }
                (Place::Field | Place::Bare | Place::Unquoted, b'\r' | b'\n') => {
                    if visit(record).is_break() {
                        return Ok(WalkEnd::Whole);
                    }
                    Place::Start
                }
                (Place::Field | Place::Bare | Place::Unquoted, sign) if sign == signs.delimiter => {
                    record.fields += 1;
                    Place::Field
                }
                (Place::Field | Place::Bare | Place::Unquoted, _) => Place::Bare,
            };
            line += u64::from(ends_line);
            after_return = *byte == b'\r';
        }
        text.consume(taken);
    }
    match place {
        Place::Start => Ok(WalkEnd::Whole),
        Place::Quoted => Ok(WalkEnd::OpenQuote { line: opened }),
        Place::Field | Place::Bare | Place::Unquoted => {
            // A last line without an end is a record like any other.
            let _ = visit(record);
            Ok(WalkEnd::Whole)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COMMAS: Signs = Signs { delimiter: b',', quote: b'"' };

    fn walk(text: &[u8], at_a_time: usize) -> (Vec<RecordSeen>, WalkEnd) {
        let mut found = Vec::new();
        let buffered = io::BufReader::with_capacity(at_a_time, text);
        let end = each_record(buffered, 0, COMMAS, |record| {
            found.push(record);
            ControlFlow::Continue(())
        });
        (found, end.expect("bytes"))
    }

    #[test]
    fn records_have_lines_and_fields_whatever_stands_between_quotes() {
        let (found, end) = walk(b"a,b\r\n\r\n1,\"x\n,y\"\n2\n3,4,5", 3);
        let found: Vec<(u64, usize)> = found.iter().map(|record| (record.line, record.fields)).collect();
        assert_eq!((found, end), (vec![(1, 2), (3, 2), (5, 1), (6, 3)], WalkEnd::Whole));
        assert_eq!(walk(b"a,b\n1,\"x\n2,3\n", 1).1, WalkEnd::OpenQuote { line: 2 });
    }

    proptest! {
        #[test]
        fn the_library_sees_the_same_records(text in "[a\",\r\n é]{0,24}", at_a_time in 1usize..9) {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
            let mut theirs = Vec::new();
            let mut record = csv::ByteRecord::new();
            while reader.read_byte_record(&mut record).expect("bytes") {
                theirs.push(record.len());
            }
            let (ours, end) = walk(text.as_bytes(), at_a_time);
            let ours: Vec<usize> = ours.iter().map(|record| record.fields).collect();
            match end {
                WalkEnd::Whole => prop_assert_eq!(ours, theirs),
                // What is open at the end is a record for the library, and none here.
                WalkEnd::OpenQuote { .. } => prop_assert_eq!(ours.len() + 1, theirs.len()),
            }
        }
    }
}
