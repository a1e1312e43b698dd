//! The records of a text file with the lines on which they begin.
//!
//! Quotes, signs and blank lines mean what they mean to the reader of the rows; it must never end at damage, because
//! damage is what it looks for: what quotes hold over several lines is told, because it may be rows. It is separate
//! from that reader, which counts no lines. Read `damage.rs` for who asks.

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
    /// The most suspicious of its fields that go over lines.
    pub(super) over_lines: Option<FieldOverLines>,
}

/// A field between quotes that goes over lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldOverLines {
    /// The line on which its quote is opened.
    pub(super) opened: u64,
    /// The line on which it is closed.
    pub(super) closed: u64,
    /// Whether the field goes on behind the closing quote.
    pub(super) is_torn: bool,
    /// How many fields each of its lines would have if quotes meant nothing there; nothing if they have not all as
    /// many.
    pub(super) width: Option<usize>,
}

impl FieldOverLines {
    /// How much it looks like rows between quotes that nobody meant.
    fn suspicion(self) -> (bool, bool) {
        (self.is_torn, self.width.is_some())
    }
}

/// What is between quotes.
#[derive(Clone, Copy)]
struct Between {
    /// The line on which the quote was opened.
    opened: u64,
    /// Which field of the record it is, from 1.
    field: usize,
    /// How many delimiters stand in the present line.
    delimiters: usize,
    /// How many fields the lines so far would have; nothing if they have not all as many.
    width: Option<usize>,
}

impl Between {
    /// A line ends between the quotes.
    fn end_line(&mut self, is_first: bool) {
        let fields = self.delimiters + if is_first { self.field } else { 1 };
        self.width = if is_first { Some(fields) } else { self.width.filter(|width| *width == fields) };
        self.delimiters = 0;
    }

    /// Returns the field, if it goes over lines; behind it stands the rest of the record.
    fn close(self, line: u64, is_torn: bool) -> Option<FieldOverLines> {
        let width = self.width.filter(|_| self.delimiters + 1 == self.field);
        (line > self.opened).then_some(FieldOverLines { opened: self.opened, closed: line, is_torn, width })
    }
}

impl RecordSeen {
    fn add(&mut self, field: Option<FieldOverLines>) {
        let Some(field) = field else { return };
        if self.over_lines.is_none_or(|known| known.suspicion() < field.suspicion()) {
            self.over_lines = Some(field);
        }
    }
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
    let (mut line, mut place, mut after_return) = (skipped + 1, Place::Start, false);
    let mut record = RecordSeen { line: 1, fields: 0, bytes: 0, over_lines: None };
    let mut between = Between { opened: skipped + 1, field: 0, delimiters: 0, width: None };
    loop {
        let chunk = text.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        let taken = chunk.len();
        for byte in chunk {
            let ends_line = matches!(byte, b'\r' | b'\n') && !(after_return && *byte == b'\n');
            if let (Place::Start, false) = (&place, matches!(byte, b'\r' | b'\n')) {
                record = RecordSeen { line, fields: 1, bytes: 0, over_lines: None };
                place = Place::Field;
            }
            record.bytes += 1;
            match place {
                Place::Quoted if ends_line => between.end_line(line == between.opened),
                Place::Quoted => between.delimiters += usize::from(*byte == signs.delimiter),
                Place::Unquoted if *byte != signs.quote => {
                    let is_end = *byte == signs.delimiter || matches!(byte, b'\r' | b'\n');
                    record.add(between.close(line, !is_end));
                }
                Place::Start | Place::Field | Place::Bare | Place::Unquoted => {}
            }
            place = match (place, *byte) {
                (Place::Start, _) => Place::Start,
                (Place::Quoted, sign) if sign == signs.quote => Place::Unquoted,
                (Place::Quoted, _) => Place::Quoted,
                (Place::Unquoted, sign) if sign == signs.quote => Place::Quoted,
                (Place::Field, sign) if sign == signs.quote => {
                    between = Between { opened: line, field: record.fields, delimiters: 0, width: None };
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
        Place::Quoted => Ok(WalkEnd::OpenQuote { line: between.opened }),
        Place::Field | Place::Bare | Place::Unquoted => {
            if let Place::Unquoted = place {
                record.add(between.close(line, false));
            }
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

    #[test]
    fn fields_over_lines_are_told_from_rows_between_quotes() {
        let first = |text: &[u8], at_a_time: usize| walk(text, at_a_time).0.iter().find_map(|record| record.over_lines);
        for at_a_time in [1, 2, 100] {
            // Rows between a quote too many and the next one, which goes on behind it, or ends the field.
            let field = FieldOverLines { opened: 2, closed: 4, is_torn: true, width: Some(3) };
            assert_eq!(first(b"a,b,c\n1,\"x,1\r\n2,y,2\r\n3,\"x\",3\n", at_a_time), Some(field));
            let field = FieldOverLines { is_torn: false, ..field };
            assert_eq!(first(b"a,b,c\n1,\"x,1\n2,y,2\n3,x\",3\n", at_a_time), Some(field));
            assert_eq!(first(b"a,b,c\n\"1,x,1\n2,y,2\n3\",x,3\n", at_a_time), Some(field));
            assert_eq!(first(b"a,b,c\n1,x,\"1\n2,y,2\n3,x,3\"", at_a_time), Some(field));
            // Text over lines.
            let field = FieldOverLines { opened: 1, closed: 3, is_torn: false, width: None };
            assert_eq!(first(b"1,\"Bern,\na, b\nc\",3\n", at_a_time), Some(field));
            assert_eq!(first(b"1,\"x\" y,\"z\"\"\",3\n", at_a_time), None);
        }
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
