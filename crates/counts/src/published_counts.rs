//! Counts after protection, as a stream that can be read once.
//!
//! It must never be made but by a mechanism that used a receipt up. It is separate from `true_counts.rs` because
//! whoever writes tables sees only this. Read the crate `published` for what each batch holds.

use incrowd_published::{CountError, PublishedBatch};

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
