//! Counts before protection. They are mute, and leave only as what a mechanism drew.
//!
//! It must never show a count, a key or how many there are. It is separate from the engines that count and from the
//! mechanisms that protect, so that neither can be passed by. Read `declared.rs` and `found.rs` next.

use crate::choice::{Choice, Chosen};
use crate::declared::Declared;
use crate::found::Found;
use crate::points::{Grid, Moved, Mover};
use crate::published::{PublishedCounts, Shown};
use arrow_array::RecordBatch;
use incrowd_ledger::{Receipt, Stub};
use std::fmt;
use std::sync::Arc;

/// Why counting did not come to its end. Says nothing about the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountError {
    /// The data could not be counted: damaged, not what it was declared to be, or too large for the memory.
    Failed,
    /// Somebody asked to stop.
    Cancelled,
    /// The engine broke its contract: an unknown type or cell, a bin twice, or bins out of order.
    Contract,
}

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CountError::Failed => "the data could not be counted",
            CountError::Cancelled => "stopped on request",
            CountError::Contract => "the engine returned something else than sorted, distinct bins",
        })
    }
}

impl std::error::Error for CountError {}

/// How the bins of a stream are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Two columns: the number of a declared cell, strictly ascending and below `cells`, and its count.
    Declared {
        /// How many cells are declared.
        cells: u64,
    },
    /// A column for each dimension, sorted by the first, then the second and so on, missing values last; then the count.
    Found {
        /// How many dimensions there are.
        dimensions: usize,
    },
}

/// Which declared bins are published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Every declared one, suppressed ones too.
    EveryCell,
    /// Those that show something.
    OnlyShown,
}

/// What happens to declared bins that nobody is in.
pub enum Empties {
    /// Each is visited and drawn for.
    Visited,
    /// None can show anything.
    Silent,
    /// Each passed independently with its exact chance; these did, ascending. Bins that are not empty are drawn for anyway.
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
/// use incrowd_ledger::{Receipt, Stub};
/// use std::sync::Arc;
/// fn protect(counts: TrueCounts, receipt: Receipt, how: Arc<dyn Protection>) -> (PublishedCounts, Stub) {
///     counts.protect_with(receipt, how, Listing::EveryCell, Empties::Visited)
/// }
/// ```
/// ```compile_fail,E0382
/// use incrowd_counts::{Empties, Listing, Protection, PublishedCounts, TrueCounts};
/// use incrowd_ledger::{Receipt, Stub};
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

    /// Uses the receipt up and returns what the mechanism shows of each bin, and the stub that records the charge's outcome.
    pub fn protect_with(
        self,
        receipt: Receipt,
        protection: Arc<dyn Protection>,
        listing: Listing,
        empties: Empties,
    ) -> (PublishedCounts, Stub) {
        let stub = receipt.spend();
        let published = match self.shape {
            Shape::Declared { cells } => {
                PublishedCounts::new(Declared::new(self.batches, cells, protection, listing, empties))
            }
            Shape::Found { dimensions } => PublishedCounts::new(Found::new(self.batches, dimensions, protection)),
        };
        (published, stub)
    }

    /// Uses the receipt up and returns the bins that are chosen, the first chosen first, each with its rank as the first key;
    /// `public` are texts that the request names as candidates, whoever is in them.
    pub fn choose_with(
        self,
        receipt: Receipt,
        public: Vec<String>,
        choice: Box<dyn Choice>,
    ) -> (PublishedCounts, Stub) {
        (PublishedCounts::new(Chosen::new(self.batches, self.shape, public, choice)), receipt.spend())
    }

    /// Uses the receipt up and returns points that were moved, in the order of their coordinates.
    ///
    /// Counts are of places on a grid, declared; with any other shape nothing is published.
    pub fn move_with(self, receipt: Receipt, grid: Vec<Grid>, mover: Box<dyn Mover>) -> (PublishedCounts, Stub) {
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
