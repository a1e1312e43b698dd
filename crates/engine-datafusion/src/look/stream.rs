//! The beginning of standard input, looked at in place of a file.
//!
//! What is read is gone for everybody else, so whoever looks must say so; it must never read on to the end, nor keep
//! more than a beginning. It is separate because files can be opened again. Read `../file/standard_input.rs` next.

use super::bytes_guess::End;
use crate::file::StandardInput;
use crate::source::{FileError, Files, Format, Machine, STANDARD_INPUT};
use bytes::Bytes;
use incrowd_engine::{DataFormat, Dialect, PrepareError, Unwatched};
use std::io::{Cursor, Read};
use std::sync::Arc;

/// The beginning of a stream.
pub(super) struct Beginning {
    pub(super) bytes: Bytes,
    pub(super) end: End,
    pub(super) format: DataFormat,
}

impl Beginning {
    /// Takes the beginning of standard input.
    pub(super) fn of(input: &StandardInput, said: Option<DataFormat>, most: u64) -> Result<Beginning, PrepareError> {
        let stream = input.take().map_err(FileError::NoInput)?;
        let mut bytes = Vec::new();
        let read = stream.whole(Arc::new(Unwatched)).and_then(|all| all.take(most + 1).read_to_end(&mut bytes));
        read.map_err(|_| FileError::NotLookedAt { advice: "was its program ended? Save it as a file, and name that" })?;
        let end = if bytes.len() as u64 > most { End::Cut } else { End::Whole };
        if let End::Cut = end {
            // What is cut in the middle of a line is no row.
            bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1));
        }
        let begins_like = begins_like(&bytes).map_err(|advice| FileError::NotLookedAt { advice })?;
        let format = said.unwrap_or(begins_like);
        match Format::said(format) {
            Format::Csv | Format::Tsv | Format::Json => Ok(Beginning { bytes: bytes.into(), end, format }),
            Format::Parquet | Format::Arrow | Format::Xlsx | Format::Ods | Format::Sqlite => {
                Err(FileError::NotLookedAt { advice: WHOLE }.into())
            }
        }
    }

    /// Returns it as the source that standard input is.
    pub(super) fn files(&self, dialect: &Dialect) -> Result<Files, PrepareError> {
        let input = StandardInput::given(Box::new(Cursor::new(self.bytes.clone())));
        Files::resolve_on(&Machine { input, ..Machine::reading_twice() }, STANDARD_INPUT, dialect)
    }
}

const WHOLE: &str = "it is read from its end: save it as a file, and run `incrowd init` on that";
const PACKED: &str = "unpack it on the way, such as with: zcat people.csv.gz | incrowd init -";

/// Returns the format of a text that begins so; how to look at it where it is none.
fn begins_like(bytes: &[u8]) -> Result<DataFormat, &'static str> {
    const BINARY: [&[u8]; 4] = [b"PAR1", b"ARROW1", b"PK\x03\x04", b"SQLite format 3\0"];
    const PACKERS: [&[u8]; 2] = [&[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd]];
    let begins = |marks: &[&[u8]]| marks.iter().any(|mark| bytes.starts_with(mark));
    if begins(&BINARY) {
        return Err(WHOLE);
    }
    if begins(&PACKERS) {
        return Err(PACKED);
    }
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    let is_array =
        text.strip_prefix(b"[").is_some_and(|rest| matches!(rest.trim_ascii_start().first(), Some(b'{' | b']')));
    Ok(if text.starts_with(b"{") || is_array { DataFormat::Json } else { DataFormat::Csv })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beginning(bytes: &'static [u8], most: u64) -> Result<Beginning, PrepareError> {
        Beginning::of(&StandardInput::given(Box::new(bytes)), None, most)
    }

    #[test]
    fn a_beginning_tells_its_format_or_how_to_look_at_it() {
        for (bytes, format) in [
            (&b"id;town\n1;Bern\n"[..], DataFormat::Csv),
            (b"\xef\xbb\xbf {\"id\": 1}\n", DataFormat::Json),
            (b"[ {\"id\": 1}]", DataFormat::Json),
            (b"[a],b\n1,2\n", DataFormat::Csv),
            (b"", DataFormat::Csv),
        ] {
            assert_eq!(beginning(bytes, 1 << 20).expect("a text").format, format, "{bytes:?}");
        }
        for (bytes, hint) in [(&b"PAR1..."[..], WHOLE), (b"PK\x03\x04", WHOLE), (b"\x1f\x8b\x08", PACKED)] {
            assert_eq!(beginning(bytes, 1 << 20).err().expect("refused").hint(), hint);
        }
        let parquet = Beginning::of(&StandardInput::given(Box::new(&b"x"[..])), Some(DataFormat::Parquet), 9);
        assert_eq!(parquet.err().expect("refused").hint(), WHOLE);
    }

    #[test]
    fn what_is_cut_ends_with_a_whole_line() {
        let cut = beginning(b"id\n1\n2345\n", 7).expect("a text");
        assert_eq!((&cut.bytes[..], cut.end), (&b"id\n1\n"[..], End::Cut));
        let whole = beginning(b"id\n1\n2345", 9).expect("a text");
        assert_eq!((&whole.bytes[..], whole.end), (&b"id\n1\n2345"[..], End::Whole));
    }
}
