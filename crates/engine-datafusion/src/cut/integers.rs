//! Listed integers and listed days.
//!
//! Lists that lie close together are a table, others a hash map; it must never depend on the order of the list for what
//! it finds. It is separate from the edges because here a value is in a bin or not, and order says nothing. Read
//! `texts.rs` next.

use datafusion_common::HashMap;
use incrowd_engine::thresholds::OUTSIDE;
use std::sync::Arc;

/// Tables have at most so many entries, or so many for each listed value if that is more.
const SMALL_TABLE: u64 = 1 << 16;
const ENTRIES_PER_VALUE: u64 = 8;

/// Listed integers.
#[derive(Clone)]
pub(super) enum Integers {
    Near { first: i64, codes: Arc<[u64]> },
    Far(Arc<HashMap<i64, u64>>),
}

impl Integers {
    pub(super) fn new(values: impl Iterator<Item = i64> + Clone) -> Integers {
        let least = values.clone().min().unwrap_or(0);
        let span = values.clone().max().map_or(0, |most| most.abs_diff(least));
        let count = values.clone().count() as u64;
        if span < SMALL_TABLE.max(count.saturating_mul(ENTRIES_PER_VALUE)) {
            let mut codes = vec![OUTSIDE; span as usize + 1];
            for (code, value) in values.enumerate() {
                let entry = &mut codes[value.abs_diff(least) as usize];
                *entry = (*entry).min(code as u64);
            }
            if count == 0 {
                codes.clear();
            }
            return Integers::Near { first: least, codes: codes.into() };
        }
        let mut codes = HashMap::new();
        for (code, value) in values.enumerate() {
            codes.entry(value).or_insert(code as u64);
        }
        Integers::Far(Arc::new(codes))
    }

    /// Returns the place in the list, or `OUTSIDE`.
    #[inline(always)]
    pub(super) fn of(&self, value: i64) -> u64 {
        match self {
            Integers::Near { first, codes } => {
                // Values below the first wrap around to the far end, where no table reaches.
                let place = value.wrapping_sub(*first) as u64;
                usize::try_from(place).ok().and_then(|place| codes.get(place)).copied().unwrap_or(OUTSIDE)
            }
            Integers::Far(codes) => codes.get(&value).copied().unwrap_or(OUTSIDE),
        }
    }
}
