//! The pages of a Parquet file, checked for their sizes before the library makes room for them.
//!
//! A page says how long it is and how long it will be once it is unpacked: a file of a kilobyte may say two gigabytes.
//! It must never pass on a size beyond the limit or beyond the file. It is separate from the reader of the row groups,
//! which believes what it reads. Read `../parquet.rs` next.

use crate::file::Seekable;
use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::io::{BufReader, Cursor, Read};

/// How long a page may be once it is unpacked.
const LONGEST_PAGE: u64 = 256 << 20;

/// The longest that three numbers and their types are written.
const BEGINNING: u64 = 24;

/// The type of a whole number behind the field with the number before, as a page's header begins.
const NEXT_NUMBER: u8 = 0x15;

/// A file whose pages are looked at.
pub(super) struct Pages {
    file: Seekable,
    bytes: u64,
}

impl Pages {
    pub(super) fn of(file: Seekable) -> std::io::Result<Pages> {
        let bytes = file.length();
        Ok(Pages { file, bytes })
    }
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for Pages {
    type T = std::io::Chain<Cursor<Vec<u8>>, BufReader<Seekable>>;

    /// Begins to read at the header of a page.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        let mut reader = BufReader::new(self.file.from(start));
        let mut beginning = Vec::new();
        reader.by_ref().take(BEGINNING).read_to_end(&mut beginning)?;
        match unpacked_length(&beginning) {
            Some(length) if length <= LONGEST_PAGE => Ok(Cursor::new(beginning).chain(reader)),
            Some(_) | None => Err(ParquetError::General("a page is too long".into())),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        if length as u64 > self.bytes.saturating_sub(start) {
            return Err(ParquetError::EOF("a page goes on behind the file".into()));
        }
        self.file.get_bytes(start, length)
    }
}

/// Returns how long a page will be: the second number of its header, behind its kind.
fn unpacked_length(header: &[u8]) -> Option<u64> {
    let mut bytes = header.iter().copied();
    let mut number = || -> Option<i64> {
        if bytes.next()? != NEXT_NUMBER {
            return None;
        }
        let mut value = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = bytes.next()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                // Signs alternate: 0, -1, 1, -2.
                return i64::try_from(value >> 1).ok().map(|half| if value & 1 == 0 { half } else { -half - 1 });
            }
        }
        None
    };
    let _kind = number()?;
    u64::try_from(number()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_page_is_the_second_number_of_its_header() {
        // A page of data with 10 bytes, 300 packed ones, and one that says 2^31 - 1.
        assert_eq!(unpacked_length(&[0x15, 0, 0x15, 20, 0x15, 20]), Some(10));
        assert_eq!(unpacked_length(&[0x15, 4, 0x15, 0xd8, 0x04, 0x15, 2]), Some(300));
        assert_eq!(unpacked_length(&[0x15, 0, 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f]), Some((1 << 31) - 1));
        assert_eq!(unpacked_length(&[0x15, 0, 0x15, 1]), None, "negative");
        assert_eq!(unpacked_length(&[0x15, 0, 0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]), None, "too long");
        assert_eq!(unpacked_length(&[0x35, 0, 0x15, 2]), None, "another order");
        assert_eq!(unpacked_length(&[]), None);
    }
}
