//! The columns of a published table that say what a row is of.
//!
//! What is published is not what is counted: ranks are in no data, and points are moved; it must never be used to
//! count. It is separate because tables and verifiers read these columns whatever the kind of release. Read
//! `kinds.rs` next.

use incrowd_definition::{CellCount, Dimension};

/// One column of the published table that says what a row is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyColumn<'r> {
    /// A dimension, as it is counted.
    Counted(&'r Dimension),
    /// The place of each row, from 1 up to `last` at most; not in the data.
    Numbered {
        /// The heading.
        name: &'r str,
        /// The most rows.
        last: u64,
    },
    /// Numbers that noise has made of those of a column.
    Drawn {
        /// The heading.
        name: &'r str,
        /// The column of the data.
        column: &'r str,
    },
}

impl<'r> KeyColumn<'r> {
    /// Returns the heading.
    pub fn name(&self) -> &'r str {
        match self {
            KeyColumn::Counted(dimension) => &dimension.name,
            KeyColumn::Numbered { name, .. } | KeyColumn::Drawn { name, .. } => name,
        }
    }

    /// Returns how many keys there are, symbols included, or nothing if they follow from data or noise.
    pub fn size(&self) -> Option<u64> {
        match self {
            KeyColumn::Counted(dimension) => dimension.size(),
            KeyColumn::Numbered { last, .. } => Some(*last),
            KeyColumn::Drawn { .. } => None,
        }
    }
}

/// Returns whether the rows that these columns span are public, and how many there are.
pub(crate) fn cells(columns: &[KeyColumn<'_>]) -> CellCount {
    CellCount::of(columns.iter().map(KeyColumn::size))
}
