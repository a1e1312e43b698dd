//! Counts before protection. They are mute, and leave only as what a mechanism drew.
//!
//! It must never show a count, a key or how many there are. It is separate from the engines that count and from the
//! mechanisms that protect, so that neither can be passed by. Read `declared.rs` and `found.rs` next.

use crate::choice::{Choice, Chosen};
use crate::declared::Declared;
use crate::found::Found;
use crate::points::{Moved, Mover};
use crate::protection::{Batches, Empties, Protection, Shape};
use crate::published_counts::PublishedCounts;
use arrow_array::RecordBatch;
use incrowd_ledger::{Receipt, SpentReceipt};
use incrowd_published::{CountError, Grid, Listing};
use std::sync::Arc;

/// True counts, as a stream of batches. Mute: no `Debug`, no `Clone`, no way to look inside.
///
/// ```compile_fail,E0277
/// fn print(counts: incrowd_counts::TrueCounts) { println!("{counts:?}"); }
/// ```
/// ```compile_fail,E0599
/// fn copy(counts: &incrowd_counts::TrueCounts) -> incrowd_counts::TrueCounts { counts.clone() }
/// ```
/// They can be protected once, with the receipt of a charge:
///
/// ```
/// use incrowd_counts::{Empties, Listing, Protection, PublishedCounts, TrueCounts};
/// use incrowd_ledger::{Receipt, SpentReceipt};
/// use std::sync::Arc;
/// fn protect(counts: TrueCounts, receipt: Receipt, how: Arc<dyn Protection>) -> (PublishedCounts, SpentReceipt) {
///     counts.protect_with(receipt, how, Listing::EveryCell, Empties::Visited)
/// }
/// ```
/// ```compile_fail,E0382
/// use incrowd_counts::{Empties, Listing, Protection, PublishedCounts, TrueCounts};
/// use incrowd_ledger::{Receipt, SpentReceipt};
/// use std::sync::Arc;
/// fn protect(one: TrueCounts, two: TrueCounts, receipt: Receipt, how: Arc<dyn Protection>) {
///     one.protect_with(receipt, how.clone(), Listing::EveryCell, Empties::Visited);
///     two.protect_with(receipt, how, Listing::EveryCell, Empties::Visited);
/// }
/// ```
pub struct TrueCounts {
    shape: Shape,
    batches: Batches,
}

impl TrueCounts {
    /// Takes what an engine counted; batches hold final, merged counts, every bin once.
    pub fn new(
        shape: Shape,
        batches: impl Iterator<Item = Result<RecordBatch, CountError>> + Send + 'static,
    ) -> TrueCounts {
        TrueCounts { shape, batches: Box::new(batches) }
    }

    /// Uses the receipt up and returns what the mechanism shows of each bin, and the spent receipt that records
    /// the charge's outcome.
    pub fn protect_with(
        self,
        receipt: Receipt,
        protection: Arc<dyn Protection>,
        listing: Listing,
        empties: Empties,
    ) -> (PublishedCounts, SpentReceipt) {
        let spent = receipt.spend();
        let published = match self.shape {
            Shape::Declared { cells } => {
                PublishedCounts::new(Declared::new(self.batches, cells, protection, listing, empties))
            }
            Shape::Found { dimensions } => PublishedCounts::new(Found::new(self.batches, dimensions, protection)),
        };
        (published, spent)
    }

    /// Uses the receipt up and returns the bins that are chosen, the first chosen first, each with its rank as the first key;
    /// `public` are texts that the request names as candidates, whoever is in them.
    pub fn choose_with(
        self,
        receipt: Receipt,
        public: Vec<String>,
        choice: Box<dyn Choice>,
    ) -> (PublishedCounts, SpentReceipt) {
        (PublishedCounts::new(Chosen::new(self.batches, self.shape, public, choice)), receipt.spend())
    }

    /// Uses the receipt up and returns points that were moved, in the order of their coordinates.
    ///
    /// Counts are of places on a grid, declared; with any other shape nothing is published.
    pub fn move_with(
        self,
        receipt: Receipt,
        grid: Vec<Grid>,
        mover: Box<dyn Mover>,
    ) -> (PublishedCounts, SpentReceipt) {
        let places = match self.shape {
            Shape::Declared { cells } => cells,
            Shape::Found { .. } => 0,
        };
        (PublishedCounts::new(Moved::new(self.batches, places, grid, mover)), receipt.spend())
    }

    pub(crate) fn into_batches(self) -> Batches {
        self.batches
    }
}
