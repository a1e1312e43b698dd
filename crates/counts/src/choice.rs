//! Some bins are chosen, by counts that nobody sees.
//!
//! All candidates are gathered first, because a choice looks at all of them; it must never publish a bin that was not
//! chosen, nor the order in which bins were counted. It is separate from `found.rs` and `declared.rs` because there
//! each bin stands for itself. Read `published_counts.rs` next.

use crate::column::rebuilt;
use crate::key::{KeyBytes, write_cell};
use crate::protection::{Batches, Shape};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, UInt64Array};
use incrowd_published::CountError;
use incrowd_published::{Keys, PublishedBatch, Shown};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// The mechanism that stands between true counts and the bins that are chosen among them.
pub trait Choice: Send {
    /// Whether the bin with this canonical key, in which somebody is, may be chosen at all.
    fn is_candidate(&mut self, key: &[u8], count: u64) -> bool;

    /// Returns the places of the chosen ones among all candidates, the first chosen first.
    fn choose(&mut self, counts: &[u64]) -> Vec<usize>;

    /// Returns what a chosen bin shows.
    fn show(&mut self, key: &[u8], count: u64) -> Shown;
}

/// One candidate.
struct Candidate {
    key: Vec<u8>,
    count: u64,
    place: Place,
}

/// Where a candidate's key is kept.
enum Place {
    /// A declared cell.
    Cell(u64),
    /// A row of a batch.
    Row { batch: Arc<Vec<ArrayRef>>, row: usize },
    /// A text that the request itself names.
    Public(String),
}

/// Chosen bins, each with its rank as the first key.
pub(crate) struct Chosen {
    batches: Batches,
    shape: Shape,
    public: Vec<String>,
    choice: Box<dyn Choice>,
    /// What was chosen, once all was counted.
    published: Option<VecDeque<PublishedBatch>>,
}

impl Chosen {
    pub(crate) fn new(batches: Batches, shape: Shape, public: Vec<String>, choice: Box<dyn Choice>) -> Self {
        Chosen { batches, shape, public, choice, published: None }
    }

    fn chosen(&mut self) -> Result<VecDeque<PublishedBatch>, CountError> {
        let mut candidates = Vec::new();
        let mut seen: BTreeSet<Vec<u8>> = BTreeSet::new();
        let public: BTreeSet<Vec<u8>> = self.public.iter().map(|text| text_key(text)).collect();
        let mut last = Vec::new();
        while let Some(batch) = self.batches.next() {
            for candidate in self.bins(&batch?)? {
                // Sorted bins that occur twice are neighbours, and one that is drawn for twice is no longer protected.
                if candidate.key == last {
                    return Err(CountError::Contract);
                }
                last.clone_from(&candidate.key);
                if candidate.count == 0 {
                    continue;
                }
                if public.contains(&candidate.key) {
                    seen.insert(candidate.key.clone());
                    candidates.push(candidate);
                } else if self.choice.is_candidate(&candidate.key, candidate.count) {
                    candidates.push(candidate);
                }
            }
        }
        // What the request names is a candidate whether somebody is in it or not.
        for text in &self.public {
            let key = text_key(text);
            if seen.insert(key.clone()) {
                candidates.push(Candidate { key, count: 0, place: Place::Public(text.clone()) });
            }
        }
        // The order of counting is that of keys; those that are named but not there must not stand apart.
        candidates.sort_by(|one, other| one.key.cmp(&other.key));
        let counts: Vec<u64> = candidates.iter().map(|candidate| candidate.count).collect();
        let places = self.choice.choose(&counts);
        let chosen = places.iter().filter_map(|place| candidates.get(*place));
        let mut published = VecDeque::new();
        for (rank, candidate) in (0u64..).zip(chosen) {
            let shown = vec![self.choice.show(&candidate.key, candidate.count)];
            published.push_back(PublishedBatch { keys: self.key(rank, &candidate.place)?, shown });
        }
        Ok(published)
    }

    fn bins(&self, batch: &RecordBatch) -> Result<Vec<Candidate>, CountError> {
        let Some((counts, keys)) = batch.columns().split_last() else { return Err(CountError::Contract) };
        let counts = counts.as_primitive_opt::<UInt64Type>().ok_or(CountError::Contract)?;
        if counts.null_count() > 0 {
            return Err(CountError::Contract);
        }
        match (self.shape, keys) {
            (Shape::Declared { cells }, [numbers]) => {
                let numbers = numbers.as_primitive_opt::<UInt64Type>().ok_or(CountError::Contract)?;
                let bin = |row: usize| {
                    let cell = numbers.value(row);
                    let mut key = Vec::new();
                    write_cell(cell, &mut key);
                    let known = numbers.is_valid(row) && cell < cells;
                    known.then(|| Candidate { key, count: counts.value(row), place: Place::Cell(cell) })
                };
                (0..batch.num_rows()).map(bin).collect::<Option<_>>().ok_or(CountError::Contract)
            }
            (Shape::Found { dimensions }, keys) if keys.len() == dimensions => {
                let columns = keys.iter().map(|array| KeyBytes::new(array.as_ref())).collect::<Result<Vec<_>, _>>();
                let columns = columns.map_err(|_| CountError::Contract)?;
                let arrays = Arc::new(keys.to_vec());
                let bin = |row: usize| {
                    let mut key = Vec::new();
                    columns.iter().for_each(|column| column.write(row, &mut key));
                    Candidate { key, count: counts.value(row), place: Place::Row { batch: Arc::clone(&arrays), row } }
                };
                Ok((0..batch.num_rows()).map(bin).collect())
            }
            (Shape::Declared { .. } | Shape::Found { .. }, _) => Err(CountError::Contract),
        }
    }

    /// The rank as a first code, then the key; of a declared cell its number, with the rank above.
    fn key(&self, rank: u64, place: &Place) -> Result<Keys, CountError> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(UInt64Array::from(vec![rank]))];
        match (place, self.shape) {
            (Place::Cell(cell), Shape::Declared { cells }) => {
                let number = rank.checked_mul(cells).and_then(|above| above.checked_add(*cell));
                return Ok(Keys::Cells(vec![number.ok_or(CountError::Contract)?]));
            }
            (Place::Row { batch, row }, Shape::Found { .. }) => {
                for array in batch.iter() {
                    columns.push(rebuilt(array.as_ref(), &[*row]).map_err(|_| CountError::Contract)?);
                }
            }
            (Place::Public(text), Shape::Found { dimensions: 1 }) => {
                columns.push(Arc::new(StringArray::from(vec![text.as_str()])));
            }
            (Place::Cell(_) | Place::Row { .. } | Place::Public(_), _) => return Err(CountError::Contract),
        }
        Ok(Keys::Columns(columns))
    }
}

/// The canonical bytes of a text.
fn text_key(text: &str) -> Vec<u8> {
    let mut key = Vec::new();
    let array = StringArray::from(vec![text]);
    if let Ok(column) = KeyBytes::new(&array) {
        column.write(0, &mut key);
    }
    key
}

impl Iterator for Chosen {
    type Item = Result<PublishedBatch, CountError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.published.is_none() {
            match self.chosen() {
                Ok(published) => self.published = Some(published),
                Err(error) => {
                    self.published = Some(VecDeque::new());
                    return Some(Err(error));
                }
            }
        }
        self.published.as_mut()?.pop_front().map(Ok)
    }
}
