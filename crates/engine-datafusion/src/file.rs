//! One file: what it is by its name, its bytes, and the stream, workbook or database that it holds.
//!
//! It must never look at a row. It is separate because columns are looked at before the charge (`source.rs`) and rows
//! are read after it (`scan.rs`), and both begin here. Read `file/bytes.rs` next, then the file of what it holds.

pub(crate) mod arrow_file;
pub(crate) mod arrow_stream;
pub(crate) mod bytes;
mod copied;
pub(crate) mod database;
mod delivery;
mod format;
pub(crate) mod letters;
pub(crate) mod lines;
mod seekable;
mod signs;
mod spelling;
mod standard_input;
pub(crate) mod workbook;
pub(crate) mod zipped;

pub(crate) use copied::{Copied, IN_MEMORY};
pub(crate) use delivery::Delivery;
pub(crate) use format::{Compression, Format, how_to_read};
pub(crate) use seekable::Seekable;
pub(crate) use signs::Signs;
pub(crate) use standard_input::{NoInput, StandardInput, Stream};

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// How long a record may be in a text format, and a text in any: what is longer is damage.
pub(crate) const LONGEST_RECORD: usize = 16 << 20;

/// A file.
#[derive(Debug, Clone)]
pub(crate) struct OneFile {
    /// Where it is, or how it is shown where it has no name.
    pub(crate) path: PathBuf,
    /// How long it is; nothing is known of a stream.
    pub(crate) bytes: u64,
    /// How it is packed.
    pub(crate) compression: Compression,
    /// Where its bytes come from.
    pub(crate) content: Content,
    /// What the names of its folders say: columns and their values, missing where a name says so.
    pub(crate) keys: Keys,
}

/// Columns that are names of folders, in the order of the folders, with their values.
pub(crate) type Keys = Arc<[(String, Option<String>)]>;

/// Where the bytes of a file come from.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    /// From the file of this name.
    Named,
    /// From a copy of what has no name.
    Copy(Copied),
    /// From a stream that passes once.
    Stream(Stream),
    /// From nowhere: somebody delivers the rows.
    Delivered(Delivery),
}

impl OneFile {
    /// Returns the bytes as they lie there, to be read from any place; a stream has no places.
    pub(crate) fn seekable(&self) -> io::Result<Seekable> {
        match &self.content {
            Content::Named => Seekable::of(File::open(&self.path)?),
            Content::Copy(copy) => Ok(copy.seekable()),
            Content::Stream(_) | Content::Delivered(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}
