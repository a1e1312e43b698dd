//! A query counted on this machine's engine, as the conformance kit counts.

use incrowd_engine::{Participants, Query};
use incrowd_engine_datafusion::{DataFusionEngine, Settings};

pub use incrowd_conformance::CountsByKey as Counts;

/// Returns the true counts of a query.
pub fn counted(query: &Query, settings: Settings) -> Counts {
    counted_of(query, Participants::Everybody, settings)
}

/// Returns the true counts of those who are counted.
pub fn counted_of(query: &Query, who: Participants, settings: Settings) -> Counts {
    incrowd_conformance::counted_of(&DataFusionEngine::new(settings), query, who)
}
