//! A rehearsal: an engine that reads nothing and counts nobody.
//!
//! It answers every query with made-up counts of the declared shape, so that the whole way to a folder can be walked
//! without data and without budget; it must never open a file. It is separate from real engines because a steward, a
//! reviewer or a page can run it anywhere. Read `release.rs` next.

use crate::plan::{Plan, telling_counts};
use crate::request::{Date, PeriodUnit};
use arrow_array::{ArrayRef, Date32Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{Field, Schema};
use incrowd_counts::{CountError, Shape, TrueCounts};
use incrowd_engine::{
    Cut, Engine, InputSize, Paid, Participants, PrepareError, Prepared, Query, QueryCells, Reading, Watch,
};
use incrowd_plan::kinds::TableRows;
use std::path::PathBuf;
use std::sync::Arc;

/// How many bins are made up where they would be found.
const MADE_UP_BINS: u64 = 100;
/// How many declared cells get people.
const MADE_UP_CELLS: u64 = 100_000;
/// How many people there are at most where each of them is published as a row or a point.
const MADE_UP_ROWS: u64 = 20_000;
/// When made-up periods begin.
const FIRST_YEAR: u16 = 2020;

/// An engine of made-up counts, around the group sizes at which the promise is worth looking at.
pub struct Rehearsal {
    sizes: Vec<u64>,
    people: u64,
}

impl Rehearsal {
    /// Returns the rehearsal of a plan.
    pub fn of(plan: &Plan) -> Self {
        let people = match plan.kind().rows() {
            TableRows::Bins | TableRows::Items(_) => u64::MAX,
            TableRows::People(_) => MADE_UP_ROWS,
        };
        // Larger groups would leave no room for others.
        let sizes = telling_counts(plan.curve()).into_iter().filter(|size| *size <= people / 4).collect();
        Rehearsal { sizes, people }
    }
}

impl Engine for Rehearsal {
    /// Nothing is read, so nothing is about people.
    fn files(&self, _location: &str) -> Vec<PathBuf> {
        Vec::new()
    }

    fn prepare(&self, query: &Query) -> Result<Box<dyn Prepared>, PrepareError> {
        Ok(Box::new(MadeUp { query: query.clone(), sizes: self.sizes.clone(), people: self.people }))
    }
}

struct MadeUp {
    query: Query,
    sizes: Vec<u64>,
    people: u64,
}

impl Prepared for MadeUp {
    fn input(&self) -> InputSize {
        InputSize { bytes: Some(0) }
    }

    /// Nothing is read, in no way.
    fn reading(&self) -> Reading {
        Reading::default()
    }

    fn plan_hash(&self) -> &str {
        &self.query.plan_hash
    }

    fn count_paid(
        self: Box<Self>,
        paid: Paid,
        _who: Participants,
        _watch: Arc<dyn Watch>,
    ) -> Result<TrueCounts, CountError> {
        paid.must_be_for(&self.query.plan_hash)?;
        match self.query.cells() {
            QueryCells::TooMany => Err(CountError::Failed),
            QueryCells::Declared(cells) => {
                let few = self.bins(cells.min(MADE_UP_CELLS));
                // Where only some cells get people, they are spread over all.
                let stride = if few < cells.min(MADE_UP_CELLS) { cells / few.max(1) } else { 1 };
                let columns: Vec<ArrayRef> = vec![
                    Arc::new(UInt64Array::from_iter_values((0..few).map(|cell| cell * stride))),
                    Arc::new(UInt64Array::from_iter_values((0..few).map(|cell| self.size(cell)))),
                ];
                Ok(TrueCounts::new(Shape::Declared { cells }, std::iter::once(batch(columns))))
            }
            QueryCells::Found => {
                let bins = self.bins(MADE_UP_BINS);
                let keys = self.query.dimensions.iter().map(|dimension| -> ArrayRef {
                    match (&dimension.cut, dimension.size()) {
                        // Declared dimensions keep to one bin, so that found ones stay in order.
                        (_, Some(_)) => Arc::new(UInt64Array::from_iter_values((0..bins).map(|_| 0))),
                        (Cut::Truncated(period), None) => {
                            Arc::new(Date32Array::from_iter_values(starts(*period).take(bins as usize)))
                        }
                        (_, None) => {
                            Arc::new(StringArray::from_iter_values((0..bins).map(|bin| format!("made up {bin:03}"))))
                        }
                    }
                });
                let mut columns: Vec<ArrayRef> = keys.collect();
                columns.push(Arc::new(UInt64Array::from_iter_values((0..bins).map(|bin| self.size(bin)))));
                let shape = Shape::Found { dimensions: self.query.dimensions.len() };
                Ok(TrueCounts::new(shape, std::iter::once(batch(columns))))
            }
        }
    }
}

impl MadeUp {
    /// How many of so many bins get people before there are enough of them.
    fn bins(&self, most: u64) -> u64 {
        let mut people = 0u64;
        (0..most)
            .take_while(|bin| {
                people = people.saturating_add(self.size(*bin));
                people <= self.people
            })
            .count() as u64
    }

    fn size(&self, bin: u64) -> u64 {
        let index = usize::try_from(bin % self.sizes.len().max(1) as u64).unwrap_or(0);
        self.sizes.get(index).copied().unwrap_or(1)
    }
}

/// The first days of periods, one after the other, as days since 1970-01-01.
fn starts(unit: PeriodUnit) -> impl Iterator<Item = i32> {
    let first = Date::new(FIRST_YEAR, 1, 1).map(|day| day.truncated(unit));
    std::iter::successors(first, move |day| day.next(unit)).map(Date::days)
}

fn batch(columns: Vec<ArrayRef>) -> Result<RecordBatch, CountError> {
    let fields: Vec<Field> = columns
        .iter()
        .enumerate()
        .map(|(index, column)| Field::new(index.to_string(), arrow_array::Array::data_type(column).clone(), true))
        .collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).map_err(|_| CountError::Contract)
}
