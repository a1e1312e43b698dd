//! Bytes that can be read from any place: those of a file, or of a copy in memory or on disk.
//!
//! It must never let two readers disturb each other: each has a place of its own. It is separate because Parquet, zip
//! archives and Arrow files are read from their ends, whatever holds them. Read `copied.rs` next.

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that can be read from any place.
#[derive(Debug)]
pub(crate) enum Seekable {
    /// Bytes in memory.
    Memory(Cursor<Bytes>),
    /// A file, perhaps without a name, so that it cannot be opened a second time.
    Disk {
        /// The file, whose own place is nobody's.
        file: Arc<Mutex<File>>,
        /// How long it is.
        bytes: u64,
        /// The place of this reader.
        at: u64,
    },
}

impl Seekable {
    /// Returns the bytes of a file.
    pub(crate) fn of(file: File) -> io::Result<Seekable> {
        let bytes = file.metadata()?.len();
        Ok(Seekable::Disk { file: Arc::new(Mutex::new(file)), bytes, at: 0 })
    }

    /// Returns how long it is.
    pub(crate) fn length(&self) -> u64 {
        match self {
            Seekable::Memory(bytes) => bytes.get_ref().len() as u64,
            Seekable::Disk { bytes, .. } => *bytes,
        }
    }

    /// Returns a reader of the same bytes from a place on.
    pub(crate) fn from(&self, start: u64) -> Seekable {
        match self {
            Seekable::Memory(bytes) => {
                let mut other = bytes.clone();
                other.set_position(start);
                Seekable::Memory(other)
            }
            Seekable::Disk { file, bytes, .. } => Seekable::Disk { file: Arc::clone(file), bytes: *bytes, at: start },
        }
    }

    /// Returns so many bytes from a place on, if there are as many.
    pub(crate) fn range(&self, start: u64, length: u64) -> io::Result<Vec<u8>> {
        if length > self.length().saturating_sub(start) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut range = Vec::new();
        self.from(start).take(length).read_to_end(&mut range)?;
        if range.len() as u64 == length { Ok(range) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

impl Read for Seekable {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Seekable::Memory(bytes) => bytes.read(buffer),
            Seekable::Disk { file, at, .. } => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(*at))?;
                let read = file.read(buffer)?;
                *at += read as u64;
                Ok(read)
            }
        }
    }
}

impl Seek for Seekable {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Seekable::Memory(bytes) => bytes.seek(to),
            Seekable::Disk { bytes, at, .. } => {
                let place = match to {
                    SeekFrom::Start(place) => Some(place),
                    SeekFrom::End(from) => bytes.checked_add_signed(from),
                    SeekFrom::Current(from) => at.checked_add_signed(from),
                };
                *at = place.ok_or(io::ErrorKind::InvalidInput)?;
                Ok(*at)
            }
        }
    }
}

impl Length for Seekable {
    fn len(&self) -> u64 {
        self.length()
    }
}

impl ChunkReader for Seekable {
    type T = BufReader<Seekable>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::new(self.from(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let range = self.range(start, length as u64);
        range.map(Bytes::from).map_err(|_| ParquetError::EOF("the file is too short".into()))
    }
}
