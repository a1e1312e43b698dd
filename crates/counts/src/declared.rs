//! Declared cells on their way through a mechanism: the counted ones, and those that nobody is in.
//!
//! Every cell gets a draw of its own, whether it was counted or not; it must never treat an absent cell unlike a
//! counted zero. It is separate from `found.rs` because here absence is not an output. Read `found.rs` next.

use crate::key::write_cell;
use crate::protection::{Batches, Empties, Protection};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, RecordBatch, UInt64Array};
use incrowd_privacy::Outcome;
use incrowd_published::{CountError, Listing};
use incrowd_published::{Keys, PublishedBatch, Shown};
use std::iter::Peekable;
use std::sync::Arc;

/// How many cells are published at a time.
const CELLS_AT_A_TIME: usize = 8192;

/// The stream of declared cells.
pub(crate) struct Declared {
    counted: Counted,
    cells: u64,
    next: u64,
    listing: Listing,
    visit: Visit,
    protection: Arc<dyn Protection>,
    ended: bool,
}

enum Visit {
    EveryCell,
    Passed(Peekable<Box<dyn Iterator<Item = u64> + Send>>),
}

impl Declared {
    pub(crate) fn new(
        batches: Batches,
        cells: u64,
        protection: Arc<dyn Protection>,
        listing: Listing,
        empties: Empties,
    ) -> Self {
        let visit = match empties {
            Empties::Visited => Visit::EveryCell,
            Empties::Silent => {
                let none: Box<dyn Iterator<Item = u64> + Send> = Box::new(std::iter::empty());
                Visit::Passed(none.peekable())
            }
            Empties::Passed(places) => Visit::Passed(places.peekable()),
        };
        Declared { counted: Counted::new(batches, cells), cells, next: 0, listing, visit, protection, ended: false }
    }

    fn batch(&mut self) -> Result<Option<PublishedBatch>, CountError> {
        let mut numbers = Vec::with_capacity(CELLS_AT_A_TIME);
        let mut shown = Vec::with_capacity(CELLS_AT_A_TIME);
        let mut key = Vec::new();
        while numbers.len() < CELLS_AT_A_TIME {
            let Some((cell, shows)) = self.cell(&mut key)? else { break };
            if self.listing == Listing::OnlyShown && shows.outcome == Outcome::Suppressed {
                continue;
            }
            numbers.push(cell);
            shown.push(shows);
        }
        Ok((!numbers.is_empty()).then_some(PublishedBatch { keys: Keys::Cells(numbers), shown }))
    }

    /// Returns the next cell that is drawn for, and what it shows.
    fn cell(&mut self, key: &mut Vec<u8>) -> Result<Option<(u64, Shown)>, CountError> {
        key.clear();
        match &mut self.visit {
            Visit::EveryCell => {
                if self.next == self.cells {
                    // Nothing may be left over, or the engine counted cells that do not exist.
                    return if self.counted.peek()?.is_none() { Ok(None) } else { Err(CountError::Contract) };
                }
                let cell = self.next;
                self.next += 1;
                let count = self.counted.take(cell)?;
                write_cell(cell, key);
                Ok(Some((cell, self.protection.show(key, count))))
            }
            Visit::Passed(places) => {
                let counted = self.counted.peek()?;
                let passed = places.peek().copied();
                match (counted, passed) {
                    (None, None) => Ok(None),
                    (Some(cell), place) if place.is_none_or(|place| cell <= place) => {
                        // A place that hit a counted cell is discarded: that cell draws for itself.
                        if place == Some(cell) {
                            places.next();
                        }
                        let count = self.counted.take(cell)?;
                        write_cell(cell, key);
                        let shows = if count == 0 && place != Some(cell) {
                            // Counted as zero, and it did not pass.
                            Shown { outcome: Outcome::Suppressed, side_value: incrowd_privacy::SideValue::Nothing }
                        } else if count == 0 {
                            self.protection.show_passed(key)
                        } else {
                            self.protection.show(key, count)
                        };
                        Ok(Some((cell, shows)))
                    }
                    (_, Some(place)) => {
                        places.next();
                        if place >= self.cells {
                            return Err(CountError::Contract);
                        }
                        write_cell(place, key);
                        Ok(Some((place, self.protection.show_passed(key))))
                    }
                    (Some(_), None) => Err(CountError::Contract),
                }
            }
        }
    }
}

impl Iterator for Declared {
    type Item = Result<PublishedBatch, CountError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let batch = self.batch().transpose();
        self.ended = !matches!(batch, Some(Ok(_)));
        batch
    }
}

/// Counted cells with a look ahead, checked to ascend.
struct Counted {
    batches: Batches,
    cells: u64,
    batch: Option<(UInt64Array, UInt64Array)>,
    row: usize,
    last: Option<u64>,
}

impl Counted {
    fn new(batches: Batches, cells: u64) -> Self {
        Counted { batches, cells, batch: None, row: 0, last: None }
    }

    /// Returns the next counted cell.
    fn peek(&mut self) -> Result<Option<u64>, CountError> {
        loop {
            if let Some((numbers, _)) = &self.batch
                && self.row < numbers.len()
            {
                let cell = numbers.value(self.row);
                let ascends = self.last.is_none_or(|last| last < cell);
                return if ascends && cell < self.cells { Ok(Some(cell)) } else { Err(CountError::Contract) };
            }
            match self.batches.next() {
                None => return Ok(None),
                Some(batch) => {
                    self.batch = Some(columns(&batch?)?);
                    self.row = 0;
                }
            }
        }
    }

    /// Returns the count of a cell, 0 if it was not counted; cells are asked for in ascending order.
    fn take(&mut self, cell: u64) -> Result<u64, CountError> {
        if self.peek()? != Some(cell) {
            return Ok(0);
        }
        let Some((_, counts)) = &self.batch else { return Ok(0) };
        let count = counts.value(self.row);
        self.row += 1;
        self.last = Some(cell);
        Ok(count)
    }
}

fn columns(batch: &RecordBatch) -> Result<(UInt64Array, UInt64Array), CountError> {
    let [numbers, counts] = batch.columns() else { return Err(CountError::Contract) };
    let column = |array: &dyn Array| {
        let typed = array.as_primitive_opt::<UInt64Type>().filter(|typed| typed.null_count() == 0);
        typed.cloned().ok_or(CountError::Contract)
    };
    Ok((column(numbers)?, column(counts)?))
}
