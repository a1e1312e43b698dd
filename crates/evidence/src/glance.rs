//! What the report shows of a table: its first rows, its largest ones, and how many there are.
//!
//! Gathered while rows are written, and again while a verifier reads them, so that both make the same report; it must
//! hold nothing but published rows. It is separate because files go on for millions of rows and a page does not. Read
//! `page.rs` next.

use crate::csv::{CsvText, Lines};
use crate::kinds::SeenRows;
use crate::plan::Plan;
use crate::quality::{CellNumbers, ReadAs};
use crate::request::{COUNT, COUNTED};
use crate::write_error::WriteError;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;

/// How many rows are kept for pictures.
const KEPT: usize = 8192;
/// How many of the largest rows are kept.
const LARGEST: usize = 40;
/// Longer cells are cut: a page shows no more of them.
const LONGEST_CELL: usize = 201;

/// The cells of a row as a CSV file shows them, very long ones cut; a missing value is nothing.
pub type Row = Vec<Option<String>>;

/// A glance at a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glance {
    /// The names of the columns.
    pub headings: Vec<String>,
    /// The first rows, at most 8,192.
    pub rows: Vec<Row>,
    /// The rows with the largest counts, at most 40, the largest first, earlier ones before later ones of the same
    /// count.
    pub largest: Vec<(i64, Row)>,
    /// How many rows there are in all.
    pub length: u64,
    /// How many of them show no count.
    pub silent: u64,
    /// What the counts add up to, where they are of rows.
    pub sum: u64,
}

impl Glance {
    /// Nothing has been seen yet.
    pub(crate) fn new(headings: Vec<String>) -> Self {
        Glance { headings, rows: Vec::new(), largest: Vec::new(), length: 0, silent: 0, sum: 0 }
    }

    /// A glance at published rows: their kinds, and how many people have each.
    pub(crate) fn of_kinds(plan: &Plan) -> Self {
        let columns = plan.request().kind.published();
        let names = columns.iter().map(|column| column.name().to_string());
        Glance::new(names.chain([COUNT.to_string()]).collect())
    }

    /// Returns how much was seen of a table with a row for each person; so many of them lie outside of its map.
    pub(crate) fn seen_rows(&self, outside: u64) -> SeenRows {
        SeenRows { rows: self.sum, kinds: self.length, outside }
    }

    /// Whether the table goes on beyond the rows that are kept.
    pub fn goes_on(&self) -> bool {
        self.length > self.rows.len() as u64
    }

    /// Returns the place of a column.
    pub fn place(&self, heading: &str) -> Option<usize> {
        self.headings.iter().position(|known| known == heading)
    }

    /// Returns the place of the counts: a table of them has one such column, and no bin is called `count`.
    pub fn count_place(&self) -> Option<usize> {
        self.place(COUNT).or_else(|| self.place(COUNTED))
    }

    /// Returns what to read in place of a row's count, if that is too uncertain to be a number.
    pub fn read_as(&self, row: &Row) -> Option<ReadAs> {
        let [count, low, high] = [self.count_place(), self.place("low"), self.place("high")];
        let [count, low, high] = [count, low, high].map(|place| self.number(row, place));
        CellNumbers { count, low, high }.read_as()
    }

    /// Returns the number at a place of a row.
    fn number(&self, row: &Row, place: Option<usize>) -> Option<i64> {
        row.get(place?)?.as_ref()?.parse::<i64>().ok()
    }

    /// Takes in a row.
    pub(crate) fn see(&mut self, mut row: Row) {
        self.length += 1;
        for cell in row.iter_mut().flatten() {
            if let Some((end, _)) = cell.char_indices().nth(LONGEST_CELL) {
                *cell = cell[..end].to_string();
            }
        }
        let count = self.number(&row, self.count_place());
        self.silent += u64::from(count.is_none());
        if let Some(count) = count.filter(|count| self.is_large(*count)) {
            let at = self.largest.partition_point(|(known, _)| *known >= count);
            self.largest.insert(at, (count, row.clone()));
            self.largest.truncate(LARGEST);
        }
        if self.rows.len() < KEPT {
            self.rows.push(row);
        }
    }

    /// Takes in some rows; those that are neither early nor large are only counted.
    pub(crate) fn see_batch(&mut self, rows: &RecordBatch) -> Result<(), WriteError> {
        let counts = self.count_place().and_then(|at| rows.columns().get(at)?.as_primitive_opt::<Int64Type>());
        let early = KEPT.saturating_sub(self.rows.len()).min(rows.num_rows());
        self.see_text(&rows.slice(0, early))?;
        let Some(counts) = counts else {
            self.length += (rows.num_rows() - early) as u64;
            self.silent += (rows.num_rows() - early) as u64;
            return Ok(());
        };
        for (at, count) in counts.iter().enumerate().skip(early) {
            match count {
                Some(count) if self.is_large(count) => self.see_text(&rows.slice(at, 1))?,
                Some(_) => self.length += 1,
                None => {
                    self.length += 1;
                    self.silent += 1;
                }
            }
        }
        Ok(())
    }

    /// Takes in a row that stands for so many alike.
    pub(crate) fn see_alike(&mut self, mut row: Row, alike: u64) {
        row.push(Some(alike.to_string()));
        self.sum += alike;
        self.see(row);
    }

    fn see_text(&mut self, rows: &RecordBatch) -> Result<(), WriteError> {
        let mut text = CsvText::bare();
        let mut lines = Lines::new(text.rows(rows)?);
        while let Some(fields) = lines.next().map_err(|_| WriteError::Other)? {
            self.see(fields);
        }
        Ok(())
    }

    fn is_large(&self, count: i64) -> bool {
        self.largest.len() < LARGEST || self.largest.last().is_some_and(|(least, _)| count > *least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{ArrayRef, Int64Array, StringArray};
    use std::sync::Arc;

    #[test]
    fn batches_and_rows_give_the_same_glance() {
        let counts: Vec<Option<i64>> = (0..20_000i64).map(|row| (row % 7 > 0).then_some(row * 7919 % 1000)).collect();
        let keys: StringArray = (0..20_000).map(|row| Some(format!("key {row}"))).collect();
        let columns: Vec<(&str, ArrayRef)> =
            vec![("key", Arc::new(keys)), ("count", Arc::new(Int64Array::from(counts.clone())))];
        let all = RecordBatch::try_from_iter(columns).expect("rows");
        let headings = vec!["key".to_string(), "count".to_string()];
        let mut by_batch = Glance::new(headings.clone());
        for from in (0..20_000).step_by(3_000) {
            by_batch.see_batch(&all.slice(from, 3_000.min(20_000 - from))).expect("seen");
        }
        let mut by_row = Glance::new(headings);
        for (row, count) in counts.iter().enumerate() {
            by_row.see(vec![Some(format!("key {row}")), count.map(|count| count.to_string())]);
        }
        assert_eq!(by_batch, by_row);
        assert_eq!((by_row.length, by_row.rows.len(), by_row.largest.len()), (20_000, KEPT, LARGEST));
        assert!(by_row.goes_on() && by_row.largest.iter().all(|(count, _)| *count >= 997));
    }
}
