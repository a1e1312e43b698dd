//! What stands between true counts and published ones: the mechanism, how bins are named, and what happens to empty
//! ones.
//!
//! It must never hold a count. It is separate from `true_counts.rs` because each way to publish needs it. Read
//! `true_counts.rs` next.

use arrow_array::RecordBatch;
use incrowd_published::{CountError, Shown};

/// How the bins of a stream are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Two columns: the number of a declared cell, strictly ascending and below `cells`, and its count.
    Declared {
        /// How many cells are declared.
        cells: u64,
    },
    /// A column for each dimension, sorted by the first, then the second and so on, missing values last; then the
    /// count.
    Found {
        /// How many dimensions there are.
        dimensions: usize,
    },
}

/// What happens to declared bins that nobody is in.
pub enum Empties {
    /// Each is visited and drawn for.
    Visited,
    /// None can show anything.
    Silent,
    /// Each passed independently with its exact chance; these did, ascending. Bins that are not empty are drawn for
    /// anyway.
    Passed(Box<dyn Iterator<Item = u64> + Send>),
}

/// The mechanism that stands between true counts and published ones.
pub trait Protection: Send + Sync {
    /// Returns what the bin with this canonical key shows.
    fn show(&self, key: &[u8], count: u64) -> Shown;

    /// Returns what an empty bin shows that is known to have passed the threshold.
    fn show_passed(&self, key: &[u8]) -> Shown;
}

pub(crate) type Batches = Box<dyn Iterator<Item = Result<RecordBatch, CountError>> + Send>;
