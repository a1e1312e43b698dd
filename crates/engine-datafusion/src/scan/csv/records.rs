//! Where the records of a CSV file end, found before the library reads them.
//!
//! The library keeps a record, and a batch of them, whole in memory: this decides how long they may be. It must never
//! take a newline between quotes for an end, or let a field pass that goes over lines and does not end at its closing
//! quote: such a quote was opened by mistake, and hides rows. It is separate because it looks at four signs only, and
//! at every byte. Read `../csv.rs` next.

use crate::file::Signs;
use crate::scan::{BATCH_BYTES, Fault, LONGEST_RECORD};
use memchr::{memchr, memchr2, memchr3};

/// Why a piece ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// There are no more bytes at hand.
    Chunk,
    /// A record ends, and the batch is long enough.
    Batch,
}

/// Follows the records of a file, piece by piece.
pub(super) struct Records {
    signs: Signs,
    place: Place,
    /// The byte before the next one.
    last: u8,
    /// How long the record is so far.
    record: usize,
    /// How long the batch is so far.
    batch: usize,
    ended: u64,
    /// Whether a line ended since the quote was opened.
    is_over_lines: bool,
}

/// Where the next byte is.
#[derive(Clone, Copy)]
enum Place {
    /// Before a record; blank lines are skipped.
    Start,
    /// In a record, outside of quotes. A quote opens only where a field begins.
    Bare,
    /// Between quotes.
    Quoted,
    /// Behind a quote between quotes: the closing one, or the first of a doubled one.
    Unquoted,
}

impl Records {
    pub(super) fn new(signs: Signs) -> Records {
        Records { signs, place: Place::Start, last: 0, record: 0, batch: 0, ended: 0, is_over_lines: false }
    }

    /// Returns how many records have ended, the header among them.
    pub(super) fn ended(&self) -> u64 {
        self.ended
    }

    /// Returns how much of a chunk may be read at once, at least a byte. A record that is too long is damage, and so is
    /// a field over several lines with something else behind its closing quote than the end of the field.
    pub(super) fn piece(&mut self, chunk: &[u8]) -> Result<(usize, Cut), Fault> {
        let quote = self.signs.quote;
        let mut at = 0;
        while let Some(byte) = chunk.get(at) {
            let rest = &chunk[at..];
            let begun = at;
            match self.place {
                Place::Start if matches!(byte, b'\r' | b'\n') => at += 1,
                Place::Start if *byte == quote => (at, self.place) = (at + 1, Place::Quoted),
                Place::Start => (self.place, self.last) = (Place::Bare, 0),
                Place::Quoted => {
                    let closing = memchr(quote, rest);
                    let field = &rest[..closing.unwrap_or(rest.len())];
                    self.is_over_lines = self.is_over_lines || memchr2(b'\r', b'\n', field).is_some();
                    match closing {
                        Some(quote) => (at, self.place) = (at + quote + 1, Place::Unquoted),
                        None => at = chunk.len(),
                    }
                }
                Place::Unquoted if *byte == quote => (at, self.place) = (at + 1, Place::Quoted),
                Place::Unquoted => {
                    let is_end = *byte == self.signs.delimiter || matches!(byte, b'\r' | b'\n');
                    if std::mem::take(&mut self.is_over_lines) && !is_end {
                        return Err(Fault::Damaged);
                    }
                    (self.place, self.last) = (Place::Bare, quote);
                }
                Place::Bare => match memchr3(quote, b'\r', b'\n', rest) {
                    Some(sign) if rest[sign] == quote => {
                        let before = sign.checked_sub(1).map_or(self.last, |before| rest[before]);
                        if before == self.signs.delimiter {
                            self.place = Place::Quoted;
                        }
                        (at, self.last) = (at + sign + 1, quote);
                    }
                    Some(end) => {
                        (at, self.place) = (at + end + 1, Place::Start);
                        self.ended += 1;
                    }
                    None => (at, self.last) = (chunk.len(), chunk.last().copied().unwrap_or(0)),
                },
            }
            self.record = self.record.saturating_add(at - begun);
            self.batch = self.batch.saturating_add(at - begun);
            if self.record > LONGEST_RECORD {
                return Err(Fault::Damaged);
            }
            if let Place::Start = self.place {
                self.record = 0;
                if self.batch >= BATCH_BYTES {
                    self.batch = 0;
                    return Ok((at, Cut::Batch));
                }
            }
        }
        Ok((at, Cut::Chunk))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COMMAS: Signs = Signs { delimiter: b',', quote: b'"' };

    /// Counts records in pieces of so many bytes.
    fn ended(text: &[u8], signs: Signs, at_a_time: usize) -> u64 {
        let mut records = Records::new(signs);
        for chunk in text.chunks(at_a_time) {
            let mut at = 0;
            while at < chunk.len() {
                at += records.piece(&chunk[at..]).expect("short records").0;
            }
        }
        records.ended()
    }

    /// Whether a field over several lines goes on behind its closing quote: found field by field, from its beginning.
    fn is_torn(text: &str, signs: Signs) -> bool {
        let (bytes, mut at) = (text.as_bytes(), 0);
        while at < bytes.len() {
            let mut is_over_lines = false;
            if bytes[at] == signs.quote {
                at += 1;
                while at < bytes.len() && (bytes[at] != signs.quote || bytes.get(at + 1) == Some(&signs.quote)) {
                    is_over_lines = is_over_lines || matches!(bytes[at], b'\r' | b'\n');
                    at += if bytes[at] == signs.quote { 2 } else { 1 };
                }
                at += 1;
            }
            let rest = bytes.get(at..).unwrap_or_default();
            let end = rest.iter().position(|byte| *byte == signs.delimiter || matches!(byte, b'\r' | b'\n'));
            if is_over_lines && end != Some(0) && !rest.is_empty() {
                return true;
            }
            at += end.map_or(rest.len(), |end| end + 1);
        }
        false
    }

    #[test]
    fn a_quote_that_only_a_later_quote_closes_is_damage() {
        let swallowed = b"id,town,x\n1,\"Bern,1\n2,Chur,2\n3,\"Bern\",3\n";
        let mut whole = Records::new(COMMAS);
        assert!(whole.piece(swallowed).is_err());
        let mut one_by_one = Records::new(COMMAS);
        assert!(swallowed.chunks(1).any(|byte| one_by_one.piece(byte).is_err()));
        let lawful: [&[u8]; 4] = [
            b"1,\"Bern\r\nBern\",2\n\"a\nb\"\n3,\"\n\"\r\n",
            b"1,\"Bern\" (BE),2\n",
            b"1,\"he said \"\"hi\"\"\nand left\",2\n",
            b"1,\"a\nb\",\"c\"d,2\n",
        ];
        for text in lawful {
            assert!(Records::new(COMMAS).piece(text).is_ok(), "{}", String::from_utf8_lossy(text));
        }
    }

    proptest! {
        #[test]
        fn the_library_sees_the_same_records(text in "[a\",;'\r\n é]{0,24}", at_a_time in 1usize..9, signs in prop::sample::select(vec![COMMAS, Signs { delimiter: b';', quote: b'\'' }, Signs { delimiter: b';', quote: 0xfe }])) {
            // A letter and a newline end whatever was open outside of quotes.
            let text = format!("{text}\n");
            prop_assume!(!is_torn(&text, signs));
            let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true)
                .delimiter(signs.delimiter).quote(signs.quote).from_reader(text.as_bytes());
            let mut theirs = 0;
            let mut record = csv::ByteRecord::new();
            while reader.read_byte_record(&mut record).expect("bytes") {
                theirs += 1;
            }
            let ours = ended(text.as_bytes(), signs, at_a_time);
            // What is open at the end is a record for the library, and none here.
            let mut last = Records::new(signs);
            last.piece(text.as_bytes()).expect("short");
            let open = u64::from(!matches!(last.place, Place::Start));
            prop_assert_eq!(ours + open, theirs);
        }
    }

    #[test]
    fn a_record_has_a_longest_length() {
        let mut longest = vec![b'a'; LONGEST_RECORD - 1];
        longest.push(b'\n');
        let mut records = Records::new(COMMAS);
        assert_eq!(records.piece(&longest).expect("as long as may be"), (LONGEST_RECORD, Cut::Batch));
        let mut longer = vec![b'a'; LONGEST_RECORD];
        longer.push(b'\n');
        assert!(Records::new(COMMAS).piece(&longer).is_err());
        let mut quoted = vec![b'\n'; LONGEST_RECORD];
        quoted[0] = b'"';
        assert!(Records::new(COMMAS).piece(&quoted).is_ok());
        quoted.push(b'\n');
        assert!(Records::new(COMMAS).piece(&quoted).is_err());
    }
}
