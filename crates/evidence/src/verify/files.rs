//! Opens the files of a folder that may be hostile.
//!
//! Only plain files are opened, and links to them: never what waits or does not end, as pipes, devices and sockets do.
//! Nothing is read beyond a limit. It is separate so that no check opens a file in another way. Read `tables.rs` next.

use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Why a file is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotRead {
    Missing,
    NotPlain,
    TooLarge,
    Failed,
}

impl fmt::Display for NotRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotRead::Missing => "is missing",
            NotRead::NotPlain => "is not a plain file",
            NotRead::TooLarge => "is larger than any that incrowd writes",
            NotRead::Failed => "cannot be read",
        })
    }
}

/// Opens a plain file.
pub(super) fn open(path: &Path) -> Result<File, NotRead> {
    // Looked at before it is opened: opening a pipe waits for a writer.
    match fs::metadata(path) {
        Ok(there) if there.is_file() => {}
        Ok(_) => return Err(NotRead::NotPlain),
        Err(_) => return Err(NotRead::Missing),
    }
    let file = File::open(path).map_err(|_| NotRead::Failed)?;
    // And looked at again, as it may have been exchanged between.
    match file.metadata() {
        Ok(there) if there.is_file() => Ok(file),
        Ok(_) => Err(NotRead::NotPlain),
        Err(_) => Err(NotRead::Failed),
    }
}

/// Returns the bytes of a plain file that is not larger than a limit.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, NotRead> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too large, whatever its size claims to be.
    let read = open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|_| NotRead::Failed)?;
    if read as u64 > most { Err(NotRead::TooLarge) } else { Ok(bytes) }
}
