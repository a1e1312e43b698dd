//! A query counted through the engine contract, with the one exit that tests have.
//!
//! It must never be called by anything but tests: `cli/tests/architecture.rs` looks for that exit and for who depends
//! on this crate. It is separate because this is the only file here that looks at true counts. Read `lib.rs` for who
//! asks.

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use incrowd_counts::testing::reveal_true_counts;
use incrowd_counts::{KeyBytes, write_cell};
use incrowd_engine::{Engine, Participants, Query, QueryCells, Unwatched, Watch};
use incrowd_exact::Rational;
use incrowd_ledger::{AccountName, Charge, Ledger, Moment};
use incrowd_privacy::Epsilon;
use std::collections::BTreeMap;
use std::sync::Arc;

/// CountsByKey by the canonical text of their keys; bins that nobody is in are not among them.
pub type CountsByKey = BTreeMap<String, u64>;

/// Returns the true counts of those who are counted.
pub fn counted_of(engine: &dyn Engine, query: &Query, who: Participants) -> CountsByKey {
    try_counted(engine, query, who).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Returns the true counts of those who are counted, or why there are none.
pub(crate) fn try_counted(engine: &dyn Engine, query: &Query, who: Participants) -> Result<CountsByKey, String> {
    counted_watched(engine, query, who, Arc::new(Unwatched))
}

/// Returns the same, counted while somebody watches.
pub fn counted_watched(
    engine: &dyn Engine,
    query: &Query,
    who: Participants,
    watch: Arc<dyn Watch>,
) -> Result<CountsByKey, String> {
    let mut ledger = Ledger::in_memory().expect("a ledger");
    let charge = Charge {
        account: AccountName::new("tests").expect("a name"),
        snapshot: "1".into(),
        plan_hash: query.plan_hash.clone(),
        binning: "0".into(),
        promise: "none".into(),
        kind: "table".into(),
        epsilon: Epsilon::ZERO,
        delta: Rational::ZERO,
        smallest_group: None,
    };
    let receipt = ledger.charge(&charge, Moment::from_unix_seconds(0)).expect("a receipt");
    let prepared = engine.prepare(query).map_err(|problem| format!("not prepared: {problem}"))?;
    let failed = |error| format!("not counted: {error}");
    let counts = prepared.count(&receipt, who, watch).map_err(failed)?;
    let batches = reveal_true_counts(counts).map_err(failed)?;
    let declared = matches!(query.cells(), QueryCells::Declared(_));
    let found: Vec<(String, u64)> = batches.iter().flat_map(|batch| rows(batch, declared)).collect();
    let map: CountsByKey = found.iter().filter(|(_, count)| *count > 0).cloned().collect();
    assert_eq!(map.len(), found.iter().filter(|(_, count)| *count > 0).count(), "a bin came twice");
    Ok(map)
}

fn rows(batch: &RecordBatch, declared: bool) -> Vec<(String, u64)> {
    let (counts, keys) = batch.columns().split_last().expect("columns");
    let counts = counts.as_primitive::<UInt64Type>();
    let key = |row: usize| {
        let mut key = Vec::new();
        if declared {
            write_cell(keys[0].as_primitive::<UInt64Type>().value(row), &mut key);
        } else {
            for column in keys {
                KeyBytes::new(column.as_ref()).expect("a key").write(row, &mut key);
            }
        }
        String::from_utf8(key).expect("text")
    };
    (0..batch.num_rows()).map(|row| (key(row), counts.value(row))).collect()
}
