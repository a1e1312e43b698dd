//! Bins that were found in the data, on their way through a mechanism.
//!
//! A bin that is suppressed leaves no trace: neither a row nor a byte of its key; it must never give a draw to a bin
//! that nobody is in. It is separate from `declared.rs` because here that a bin appears at all is an output. Read
//! `column.rs` next.

use crate::column::rebuilt;
use crate::key::KeyBytes;
use crate::protection::{Batches, Protection};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, RecordBatch};
use incrowd_privacy::Outcome;
use incrowd_published::CountError;
use incrowd_published::{Keys, PublishedBatch};
use std::sync::Arc;

/// The stream of found bins.
pub(crate) struct Found {
    batches: Batches,
    dimensions: usize,
    protection: Arc<dyn Protection>,
    last: Vec<u8>,
    ended: bool,
}

impl Found {
    pub(crate) fn new(batches: Batches, dimensions: usize, protection: Arc<dyn Protection>) -> Self {
        Found { batches, dimensions, protection, last: Vec::new(), ended: false }
    }

    fn protect(&mut self, batch: &RecordBatch) -> Result<PublishedBatch, CountError> {
        let Some((counts, keys)) = batch.columns().split_last() else { return Err(CountError::Contract) };
        let counts = counts.as_primitive_opt::<UInt64Type>().ok_or(CountError::Contract)?;
        if keys.len() != self.dimensions || counts.null_count() > 0 {
            return Err(CountError::Contract);
        }
        let columns = keys.iter().map(|array| KeyBytes::new(array.as_ref())).collect::<Result<Vec<_>, _>>();
        let columns = columns.map_err(|_| CountError::Contract)?;
        let (mut rows, mut shown) = (Vec::new(), Vec::new());
        let mut key = Vec::new();
        for row in 0..batch.num_rows() {
            key.clear();
            columns.iter().for_each(|column| column.write(row, &mut key));
            // Sorted bins that occur twice are neighbours, and a bin that is drawn for twice is no longer protected.
            if key == self.last {
                return Err(CountError::Contract);
            }
            std::mem::swap(&mut key, &mut self.last);
            let count = counts.value(row);
            if count == 0 {
                continue;
            }
            let shows = self.protection.show(&self.last, count);
            if shows.outcome != Outcome::Suppressed {
                rows.push(row);
                shown.push(shows);
            }
        }
        let keys = keys.iter().map(|array| rebuilt(array.as_ref(), &rows)).collect::<Result<Vec<_>, _>>();
        Ok(PublishedBatch { keys: Keys::Columns(keys.map_err(|_| CountError::Contract)?), shown })
    }
}

impl Iterator for Found {
    type Item = Result<PublishedBatch, CountError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let published = match self.batches.next() {
                None => break,
                Some(batch) => batch.and_then(|batch| self.protect(&batch)),
            };
            match published {
                // How many batches there are would tell how many bins were found.
                Ok(batch) if batch.shown.is_empty() => {}
                Ok(batch) => return Some(Ok(batch)),
                Err(error) => {
                    self.ended = true;
                    return Some(Err(error));
                }
            }
        }
        self.ended = true;
        None
    }
}
