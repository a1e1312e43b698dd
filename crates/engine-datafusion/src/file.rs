//! One file: what it is by its name, its bytes, and the stream that an Arrow file holds.
//!
//! It must never look at a row. It is separate because columns are looked at before the charge (`source.rs`) and rows
//! are read after it (`scan.rs`), and both begin here. Read `file/bytes.rs` next.

pub(crate) mod arrow_stream;
pub(crate) mod bytes;
mod format;

pub(crate) use format::{Compression, Format};

use std::path::PathBuf;

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OneFile {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// How long it is.
    pub(crate) bytes: u64,
    /// How it is packed.
    pub(crate) compression: Compression,
}
