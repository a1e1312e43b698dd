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
/// They can be protected once, with the receipt of the charge that they were counted for:
///
/// ```
/// use incrowd_counts::{Empties, Listing, Protection, PublishedCounts, TrueCounts};
/// use incrowd_ledger::{Receipt, SpentReceipt};
/// use std::sync::Arc;
/// type Left = Result<(PublishedCounts, SpentReceipt), SpentReceipt>;
/// fn protect(counts: TrueCounts, receipt: Receipt, how: Arc<dyn Protection>) -> Left {
///     counts.protect_with(receipt, how, Listing::EveryCell, Empties::Visited)
/// }
/// ```
/// ```compile_fail,E0382
/// use incrowd_counts::{Empties, Listing, Protection, PublishedCounts, TrueCounts};
/// use incrowd_ledger::{Receipt, SpentReceipt};
/// use std::sync::Arc;
/// fn protect(one: TrueCounts, two: TrueCounts, receipt: Receipt, how: Arc<dyn Protection>) {
///     let _ = one.protect_with(receipt, how.clone(), Listing::EveryCell, Empties::Visited);
///     let _ = two.protect_with(receipt, how, Listing::EveryCell, Empties::Visited);
/// }
/// ```
pub struct TrueCounts {
    shape: Shape,
    batches: Batches,
    /// The plan that they were counted for; nothing is published of counts without one.
    plan_hash: Option<String>,
}

impl TrueCounts {
    /// Takes what an engine counted; batches hold final, merged counts, every bin once. They belong to no plan yet.
    pub fn new(
        shape: Shape,
        batches: impl Iterator<Item = Result<RecordBatch, CountError>> + Send + 'static,
    ) -> TrueCounts {
        TrueCounts { shape, batches: Box::new(batches), plan_hash: None }
    }

    /// Says once and for all which plan they were counted for: the one that a receipt paid for.
    pub fn counted_for(self, receipt: &Receipt) -> Result<TrueCounts, CountError> {
        match self.plan_hash {
            Some(plan_hash) if plan_hash != receipt.plan_hash() => Err(CountError::Contract),
            Some(_) | None => Ok(TrueCounts { plan_hash: Some(receipt.plan_hash().to_string()), ..self }),
        }
    }

    /// Uses the receipt up and returns what the mechanism shows of each bin, and the spent receipt that records
    /// the charge's outcome; of counts for another plan only the spent receipt, and nothing is read or drawn.
    pub fn protect_with(
        self,
        receipt: Receipt,
        protection: Arc<dyn Protection>,
        listing: Listing,
        empties: Empties,
    ) -> Result<(PublishedCounts, SpentReceipt), SpentReceipt> {
        let spent = self.paid_with(receipt)?;
        let published = match self.shape {
            Shape::Declared { cells } => {
                PublishedCounts::new(Declared::new(self.batches, cells, protection, listing, empties))
            }
            Shape::Found { dimensions } => PublishedCounts::new(Found::new(self.batches, dimensions, protection)),
        };
        Ok((published, spent))
    }

    /// Uses the receipt up and returns the bins that are chosen, the first chosen first, each with its rank as the
    /// first key; `public` are texts that the request names as candidates, whoever is in them. Counts for another plan
    /// are refused, as by [`protect_with`](TrueCounts::protect_with).
    pub fn choose_with(
        self,
        receipt: Receipt,
        public: Vec<String>,
        choice: Box<dyn Choice>,
    ) -> Result<(PublishedCounts, SpentReceipt), SpentReceipt> {
        let spent = self.paid_with(receipt)?;
        Ok((PublishedCounts::new(Chosen::new(self.batches, self.shape, public, choice)), spent))
    }

    /// Uses the receipt up and returns points that were moved, in the order of their coordinates.
    ///
    /// Counts are of places on a grid, declared; with any other shape nothing is published. Counts for another plan are
    /// refused, as by [`protect_with`](TrueCounts::protect_with).
    pub fn move_with(
        self,
        receipt: Receipt,
        grid: Vec<Grid>,
        mover: Box<dyn Mover>,
    ) -> Result<(PublishedCounts, SpentReceipt), SpentReceipt> {
        let spent = self.paid_with(receipt)?;
        let places = match self.shape {
            Shape::Declared { cells } => cells,
            Shape::Found { .. } => 0,
        };
        Ok((PublishedCounts::new(Moved::new(self.batches, places, grid, mover)), spent))
    }

    /// Uses a receipt up: what is left of it, as an error where it paid for another plan than the one that was counted.
    fn paid_with(&self, receipt: Receipt) -> Result<SpentReceipt, SpentReceipt> {
        let counted_for_it = self.plan_hash.as_deref() == Some(receipt.plan_hash());
        let spent = receipt.spend();
        if counted_for_it { Ok(spent) } else { Err(spent) }
    }

    pub(crate) fn into_batches(self) -> Batches {
        self.batches
    }
}
