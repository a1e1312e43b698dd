//! Counts after protection: what may be written, sent and shown.
//!
//! It must never hold a key that is not shown, nor anything that was computed from a true count but what the mechanism
//! drew. It is separate from `true_counts.rs` because reports and tables see only this. Read `true_counts.rs` for how it is
//! made.

use crate::true_counts::CountError;
use arrow_array::ArrayRef;
use incrowd_privacy::{Outcome, Told};

/// What one bin shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The count, an interval, or nothing.
    pub outcome: Outcome,
    /// What is shown beside it.
    pub told: Told,
}

/// Which bins.
#[derive(Debug, Clone)]
pub enum Keys {
    /// Declared cells, by their numbers.
    Cells(Vec<u64>),
    /// One column for each dimension: codes of declared ones, values of found ones.
    Columns(Vec<ArrayRef>),
}

/// Some bins and what they show, in the order in which they are published.
#[derive(Debug, Clone)]
pub struct PublishedBatch {
    /// Which bins.
    pub keys: Keys,
    /// What each of them shows; as many as there are keys.
    pub shown: Vec<Shown>,
}

/// All bins that are published, batch by batch.
///
/// An owned stream: reading it again would draw again, so it can be read once.
pub struct PublishedCounts {
    batches: Box<dyn Iterator<Item = Result<PublishedBatch, CountError>> + Send>,
}

impl PublishedCounts {
    pub(crate) fn new(batches: impl Iterator<Item = Result<PublishedBatch, CountError>> + Send + 'static) -> Self {
        PublishedCounts { batches: Box::new(batches) }
    }
}

impl Iterator for PublishedCounts {
    type Item = Result<PublishedBatch, CountError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next()
    }
}
