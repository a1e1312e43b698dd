//! Numbers for bins that are found in the data, so that a person's bins are small.
//!
//! Bins are kept as bytes that sort like the bins; it must never number one bin twice, however many threads ask. It is
//! separate because only found bins of persons need it. Read `persons.rs` next.

use arrow_array::{ArrayRef, UInt64Array};
use arrow_row::{RowConverter, SortField};
use arrow_schema::{ArrowError, DataType, SortOptions};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, PoisonError, RwLock};

/// How many locks there are; a power of two.
const SHARDS: usize = 64;

/// Numbers for bins.
pub(crate) struct Interner {
    converter: Arc<RowConverter>,
    hasher: RandomState,
    shards: Vec<RwLock<HashMap<Box<[u8]>, u64>>>,
}

impl Interner {
    /// Returns an interner for bins of these types.
    pub(crate) fn new(types: &[DataType]) -> Result<Self, ArrowError> {
        let options = SortOptions { descending: false, nulls_first: false };
        let fields = types.iter().map(|kind| SortField::new_with_options(kind.clone(), options)).collect();
        Ok(Interner {
            converter: Arc::new(RowConverter::new(fields)?),
            hasher: RandomState::new(),
            shards: (0..SHARDS).map(|_| RwLock::new(HashMap::new())).collect(),
        })
    }

    /// Returns the number of each row.
    pub(crate) fn numbers(&self, columns: &[ArrayRef]) -> Result<UInt64Array, ArrowError> {
        let rows = self.converter.convert_columns(columns)?;
        Ok(rows.iter().map(|row| self.number(row.as_ref())).collect::<Vec<_>>().into())
    }

    fn number(&self, row: &[u8]) -> u64 {
        let shard = (self.hasher.hash_one(row) as usize) % SHARDS;
        let known = self.shards[shard].read().unwrap_or_else(PoisonError::into_inner).get(row).copied();
        known.unwrap_or_else(|| {
            let mut bins = self.shards[shard].write().unwrap_or_else(PoisonError::into_inner);
            let next = (bins.len() * SHARDS + shard) as u64;
            *bins.entry(row.into()).or_insert(next)
        })
    }

    /// Takes out all bins with their numbers, sorted.
    pub(crate) fn take_sorted(&self) -> Sorted {
        let shards = self.shards.iter();
        let shards = shards.map(|shard| std::mem::take(&mut *shard.write().unwrap_or_else(PoisonError::into_inner)));
        let mut bins: Vec<(Box<[u8]>, u64)> = shards.flatten().collect();
        bins.sort_unstable();
        Sorted { converter: Arc::clone(&self.converter), bins }
    }
}

/// All bins in order.
pub(crate) struct Sorted {
    converter: Arc<RowConverter>,
    bins: Vec<(Box<[u8]>, u64)>,
}

impl Sorted {
    /// Returns how many there are.
    pub(crate) fn len(&self) -> usize {
        self.bins.len()
    }

    /// Returns the numbers, in order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.bins.iter().map(|(_, number)| *number)
    }

    /// Returns the columns of the bins at these places.
    pub(crate) fn columns(&self, places: impl Iterator<Item = usize>) -> Result<Vec<ArrayRef>, ArrowError> {
        let parser = self.converter.parser();
        let rows: Vec<_> = places.map(|place| parser.parse(&self.bins[place].0)).collect();
        self.converter.convert_rows(rows)
    }
}
