//! Why a file could not be written, in three words.
//!
//! The system's own sentence is not passed on: it may name paths. It must never depend on what was being written. It is
//! separate because the command line turns it into an exit code. Read `digest.rs` for where it comes from.

use std::fmt;
use std::io;

/// Why a file could not be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteError {
    /// No space is left, or a limit on sizes is reached.
    DiskFull,
    /// The place may not be written to.
    NotWritable,
    /// Anything else.
    Other,
}

impl WriteError {
    /// Returns what a failure of the system means.
    pub fn of(error: &io::Error) -> WriteError {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                WriteError::DiskFull
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => WriteError::NotWritable,
            _ => WriteError::Other,
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            WriteError::DiskFull => "make room on the disk, or choose a folder on another one",
            WriteError::NotWritable => "look at the permissions of the folder, or choose another one",
            WriteError::Other => "look at the disk and its connections, or choose a folder on another one",
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WriteError::DiskFull => "the disk is full",
            WriteError::NotWritable => "the folder may not be written to",
            WriteError::Other => "the files could not be written",
        })
    }
}

impl std::error::Error for WriteError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_disks_quotas_and_size_limits_are_one_thing() {
        // ENOSPC, EFBIG, EDQUOT on Linux.
        for code in [28, 27, 122] {
            assert_eq!(WriteError::of(&io::Error::from_raw_os_error(code)), WriteError::DiskFull, "{code}");
        }
        // EACCES, EPERM, EROFS.
        for code in [13, 1, 30] {
            assert_eq!(WriteError::of(&io::Error::from_raw_os_error(code)), WriteError::NotWritable, "{code}");
        }
        assert_eq!(WriteError::of(&io::Error::from_raw_os_error(5)), WriteError::Other);
    }
}
