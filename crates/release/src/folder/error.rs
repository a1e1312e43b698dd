//! Why a folder cannot be delivered.
//!
//! Speaks of the place that the request names; it must never quote the system's sentences. It is separate because most
//! of these are refusals before a charge. Read `../folder.rs` for who refuses.

use incrowd_evidence::WriteError;
use std::fmt;

/// Why a folder cannot be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderError {
    /// The path names no folder of its own: empty, `/`, `.`, `..`, too long, or with control characters.
    NotAName,
    /// The folder that should hold it does not exist.
    NoParent,
    /// The folder that should hold it is itself a delivery.
    InsideDelivered,
    /// There is something already.
    Exists,
    /// Another release to it is under way.
    Busy,
    /// It may be replaced only if it is a delivery, and it is none.
    NotADelivery,
    /// The place could not be written to.
    Write(WriteError),
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::NotAName => f.write_str("the output folder needs a name of its own"),
            FolderError::NoParent => f.write_str("the folder that should hold the output folder does not exist"),
            FolderError::InsideDelivered => {
                f.write_str("the folder that should hold the output folder was delivered itself")
            }
            FolderError::Exists => f.write_str("the output folder already exists"),
            FolderError::Busy => f.write_str("another release is being made into the output folder"),
            FolderError::NotADelivery => f.write_str(
                "the output folder holds something that its own certificate does not list, so it is not replaced",
            ),
            FolderError::Write(error) => error.fmt(f),
        }
    }
}

impl FolderError {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            FolderError::NotAName => "give a name such as \"out\" or \"results/2026\", without control characters",
            FolderError::NoParent => "make that folder first, or choose another",
            FolderError::InsideDelivered => {
                "choose a folder beside it: a delivered folder holds what its certificate lists, and nothing else"
            }
            FolderError::Exists => "choose another `folder` in [output], or replace it with --replace",
            FolderError::Busy => "wait until it has ended, or choose another `folder` in [output]",
            FolderError::NotADelivery => "move what is not incrowd's out of it, or choose another `folder` in [output]",
            FolderError::Write(error) => error.hint(),
        }
    }
}

impl std::error::Error for FolderError {}

impl From<WriteError> for FolderError {
    fn from(error: WriteError) -> Self {
        FolderError::Write(error)
    }
}
