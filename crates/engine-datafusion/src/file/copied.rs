//! A copy of what has no name and passes once: in memory, and on disk if it is long.
//!
//! On disk it has no name either: nobody can open it, and nothing is left of it when the process ends, however it ends.
//! It must never be made without somebody being told before (`Engine::copied`). It is separate because formats that are
//! read from their ends need it and all others do not. Read `standard_input.rs` next.

use super::Seekable;
use bytes::Bytes;
use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// How many bytes are kept in memory; what is longer goes to disk, all of it.
pub(crate) const IN_MEMORY: u64 = 256 << 20;

/// A copy.
#[derive(Debug, Clone)]
pub(crate) enum Copied {
    /// In memory.
    Memory(Bytes),
    /// In a file without a name.
    Disk {
        /// The file.
        file: Arc<Mutex<File>>,
        /// How long it is.
        bytes: u64,
    },
}

impl Copied {
    /// Copies a stream to its end, to a file without a name in `place` if it is longer than `in_memory`.
    pub(crate) fn of(mut stream: impl Read, place: &Path, in_memory: u64) -> io::Result<Copied> {
        let mut kept = Vec::new();
        stream.by_ref().take(in_memory.saturating_add(1)).read_to_end(&mut kept)?;
        if kept.len() as u64 <= in_memory {
            return Ok(Copied::Memory(kept.into()));
        }
        let mut file = tempfile::tempfile_in(place)?;
        file.write_all(&kept)?;
        drop(kept);
        io::copy(&mut stream, &mut file)?;
        let bytes = file.metadata()?.len();
        Ok(Copied::Disk { file: Arc::new(Mutex::new(file)), bytes })
    }

    /// Returns how long it is.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Copied::Memory(bytes) => bytes.len() as u64,
            Copied::Disk { bytes, .. } => *bytes,
        }
    }

    /// Returns a reader with a place of its own.
    pub(crate) fn seekable(&self) -> Seekable {
        match self {
            Copied::Memory(bytes) => Seekable::Memory(Cursor::new(bytes.clone())),
            Copied::Disk { file, bytes } => Seekable::Disk { file: Arc::clone(file), bytes: *bytes, at: 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, SeekFrom};

    #[test]
    fn what_is_copied_is_read_from_any_place_and_leaves_no_name() {
        let place = tempfile::tempdir().expect("a folder");
        let bytes: Vec<u8> = (0..=255).cycle().take(10_000).collect();
        for in_memory in [9_999, 10_000] {
            let copy = Copied::of(&bytes[..], place.path(), in_memory).expect("copied");
            assert_eq!(matches!(copy, Copied::Disk { .. }), in_memory < 10_000);
            assert_eq!(copy.bytes(), 10_000);
            let (mut one, mut other) = (copy.seekable(), copy.seekable());
            assert_eq!(one.seek(SeekFrom::End(-3)).expect("a place"), 9_997);
            let (mut end, mut all) = (Vec::new(), Vec::new());
            other.read_to_end(&mut all).expect("read");
            one.read_to_end(&mut end).expect("read");
            assert!(all == bytes && end == bytes[9_997..]);
            assert_eq!(one.range(5, 4).expect("a range"), bytes[5..9]);
            assert!(one.range(9_999, 2).is_err());
            let named = std::fs::read_dir(place.path()).expect("a folder").count();
            assert_eq!(named, 0, "nothing there has a name, though it is still read");
        }
    }
}
