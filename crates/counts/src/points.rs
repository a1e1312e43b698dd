//! Points are moved, by noise that nobody sees.
//!
//! All places are gathered first, because a cell with few points is left out; it must never publish how many points a
//! cell had that was left out, nor points in the order of their rows. It is separate from `found.rs` because what is
//! published is not a bin of the data. Read `published_counts.rs` next.

use crate::protection::Batches;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, Decimal128Array};
use incrowd_privacy::{Outcome, SideValue};
use incrowd_published::{CountError, Grid, Keys, MOST_POINTS, PublishedBatch, Shown};
use std::collections::HashMap;
use std::sync::Arc;

/// How many different points are published at a time.
const POINTS_AT_A_TIME: usize = 8192;

/// The mechanism that stands between points and what is published of them.
pub trait Mover: Send {
    /// Returns the cell that a declared place is in, if it is in one.
    fn cell(&self, place: u64) -> Option<u64>;

    /// Whether a cell with so many points is published.
    fn is_shown(&self, people: u64) -> bool;

    /// Calls back with each of so many points of a place, moved: an index of the grid for each axis.
    fn moved(&mut self, place: u64, people: u64, point: &mut dyn FnMut(&[i64]));
}

/// A point as indices of the grid, and how many there are of it.
type Alike = (Box<[i64]>, i64);

/// Moved points in the order of their coordinates.
pub(crate) struct Moved {
    batches: Batches,
    places: u64,
    grid: Vec<Grid>,
    mover: Box<dyn Mover>,
    /// Different points and how many there are of each, once all was counted.
    points: Option<std::vec::IntoIter<Alike>>,
}

impl Moved {
    pub(crate) fn new(batches: Batches, places: u64, grid: Vec<Grid>, mover: Box<dyn Mover>) -> Self {
        Moved { batches, places, grid, mover, points: None }
    }

    fn points(&mut self) -> Result<Vec<Alike>, CountError> {
        let mut counted: Vec<(u64, u64)> = Vec::new();
        let mut people: HashMap<u64, u64> = HashMap::new();
        for batch in self.batches.by_ref() {
            let batch = batch?;
            let [places, counts] = batch.columns() else { return Err(CountError::Contract) };
            let column = |array: &ArrayRef| {
                array.as_primitive_opt::<UInt64Type>().filter(|typed| typed.null_count() == 0).cloned()
            };
            let (places, counts) = column(places).zip(column(counts)).ok_or(CountError::Contract)?;
            for (place, count) in places.values().iter().zip(counts.values()) {
                // Ascending: a place that came twice would be moved twice.
                if *place >= self.places || counted.last().is_some_and(|(last, _)| last >= place) {
                    return Err(CountError::Contract);
                }
                counted.push((*place, *count));
                if let Some(cell) = self.mover.cell(*place) {
                    let people = people.entry(cell).or_default();
                    *people = people.saturating_add(*count);
                }
            }
        }
        // How many points a shown cell has is published: that there are too many says nothing else.
        let shown = people.values().filter(|people| self.mover.is_shown(**people));
        if shown.fold(0u64, |sum, people| sum.saturating_add(*people)) > MOST_POINTS {
            return Err(CountError::Failed);
        }
        let mut points: Vec<Box<[i64]>> = Vec::new();
        for (place, count) in counted {
            let people = self.mover.cell(place).and_then(|cell| people.get(&cell)).copied();
            if people.is_some_and(|people| self.mover.is_shown(people)) {
                self.mover.moved(place, count, &mut |point| points.push(point.into()));
            }
        }
        points.sort_unstable();
        let mut alike: Vec<Alike> = Vec::new();
        for point in points {
            match alike.last_mut() {
                Some((last, times)) if *last == point => *times += 1,
                Some(_) | None => alike.push((point, 1)),
            }
        }
        Ok(alike)
    }

    fn batch(&self, points: &[Alike]) -> Result<PublishedBatch, CountError> {
        let column = |(axis, grid): (usize, &Grid)| -> Option<ArrayRef> {
            let value = |point: &Alike| Some(i128::from(*point.0.get(axis)?).saturating_mul(i128::from(grid.digits)));
            let values = points.iter().map(value).collect::<Option<Vec<i128>>>()?;
            Some(Arc::new(Decimal128Array::from(values).with_precision_and_scale(38, grid.scale).ok()?))
        };
        let keys = self.grid.iter().enumerate().map(column).collect::<Option<Vec<_>>>().ok_or(CountError::Contract)?;
        let shown =
            points.iter().map(|(_, times)| Shown { outcome: Outcome::Value(*times), side_value: SideValue::Nothing });
        Ok(PublishedBatch { keys: Keys::Columns(keys), shown: shown.collect() })
    }
}

impl Iterator for Moved {
    type Item = Result<PublishedBatch, CountError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.points.is_none() {
            match self.points() {
                Ok(points) => self.points = Some(points.into_iter()),
                Err(error) => {
                    self.points = Some(Vec::new().into_iter());
                    return Some(Err(error));
                }
            }
        }
        let some: Vec<_> = self.points.as_mut()?.take(POINTS_AT_A_TIME).collect();
        if some.is_empty() { None } else { Some(self.batch(&some)) }
    }
}
