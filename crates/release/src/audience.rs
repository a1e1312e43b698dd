//! Somebody who watches a release: which stage begins, what was charged, what is waited for.
//!
//! It must never learn a count or a key. It is separate from `release.rs` because what is waited for is told from
//! elsewhere, too. Read `outcome.rs` next.

use incrowd_engine::{CountedWhere, InputSize, Unwatched, Watch};
use incrowd_ledger::{Attendant, ChargeId, LedgerError};
use std::path::Path;
use std::sync::Arc;

/// How far a release has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Names and types are looked at.
    Preparing,
    /// The ledger is written.
    Charging,
    /// The data is read.
    Counting(InputSize),
    /// Published counts are written.
    Writing,
    /// The folder gets its name.
    Delivering,
}

/// Somebody who watches a release.
pub trait Audience: Watch {
    /// A stage begins.
    fn begins(&self, stage: Stage);

    /// The data will be counted there; nothing is charged yet.
    fn counts_where(&self, _place: &CountedWhere) {}

    /// The release was charged: from here on an end without a folder is a charge of this name without one.
    fn charged(&self, _charge: &ChargeId) {}

    /// The ledger does not answer, and is asked again.
    fn waits(&self, _error: &LedgerError) {}

    /// The server of the ledger has not answered for another second.
    fn ledger_is_silent(&self) {}

    /// The release is at this target, however everything that follows ends.
    fn delivered(&self, _target: &Path) {}
}

impl Audience for Unwatched {
    fn begins(&self, _stage: Stage) {}
}

/// An audience that waits for the server of a ledger.
pub(crate) struct Attending(Arc<dyn Audience>);

impl Attending {
    /// Returns whoever follows a release as somebody who waits for its ledger.
    pub(crate) fn of(audience: &Arc<dyn Audience>) -> Self {
        Attending(Arc::clone(audience))
    }
}

impl Attendant for Attending {
    fn waits(&self) {
        self.0.ledger_is_silent();
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
