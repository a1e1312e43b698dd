//! One file: what it is by its name, its bytes, and the stream that an Arrow file holds.
//!
//! It must never look at a row. It is separate because columns are looked at before the charge (`source.rs`) and rows
//! are read after it (`scan.rs`), and both begin here. Read `file/bytes.rs` next.

pub(crate) mod arrow_stream;
pub(crate) mod bytes;
mod format;
pub(crate) mod letters;
mod signs;

pub(crate) use format::{Compression, Format};
pub(crate) use signs::Signs;

use std::path::PathBuf;

/// How long a record may be in a text format, and a text in any: what is longer is damage.
pub(crate) const LONGEST_RECORD: usize = 16 << 20;

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
