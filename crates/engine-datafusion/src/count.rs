//! Which way to count.
//!
//! Four ways with one meaning: a dense array for few declared cells, grouping for many or found ones, and two passes
//! for persons. It must never say why it failed but by `CountError`. It is separate from the ways themselves because it
//! decides by the request alone. Read `counting.rs` for what they have in common, then `dense.rs`, `grouped.rs` and
//! `persons.rs`.

use crate::counting::{failure, start};
use crate::dense::count_dense;
use crate::grouped::{count_declared, count_found};
use crate::persons::count_persons;
use crate::ready::Ready;
use datafusion_common::DataFusionError;
use incrowd_engine::{CountError, Participants, QueryCells, Time, TrueCounts, Unit, Watch};
use std::sync::Arc;

/// Most cells that are counted in an array per thread.
const DENSE_CELLS: u64 = 10_000_000;

/// Counts a prepared query.
pub(crate) fn count(ready: Ready, who: Participants, watch: Arc<dyn Watch>) -> Result<TrueCounts, CountError> {
    let stopped = Arc::clone(&watch);
    let counted = start(ready, who, watch).and_then(|counting| match (counting.query.cells(), &counting.query.unit) {
        (QueryCells::TooMany, _) => Err(DataFusionError::External("too many cells".into())),
        (_, Unit::Person { .. }) => count_persons(counting),
        (QueryCells::Declared(cells), Unit::Row | Unit::People { .. })
            if cells <= DENSE_CELLS && counting.query.time != Some(Time::Running) =>
        {
            count_dense(counting, cells)
        }
        (QueryCells::Declared(cells), Unit::Row | Unit::People { .. }) => count_declared(counting, cells),
        (QueryCells::Found, Unit::Row | Unit::People { .. }) => count_found(counting),
    });
    counted.map_err(|_| failure(&*stopped))
}
