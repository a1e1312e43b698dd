//! Rows of a sheet, every column a text.
//!
//! It must never deliver a sheet whose first row is another than the one that was seen before the charge. It is
//! separate from `file/workbook.rs`, which knows no batches. Read `delivered.rs` next.

use super::delivered::conform;
use super::{BATCH_BYTES, Batches, Fault, Reading};
use crate::file::OneFile;
use crate::file::workbook::Sheet;
use arrow_array::builder::StringViewBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::sync::Arc;

/// Returns the rows of a workbook's sheet.
pub(super) fn batches(file: &OneFile, reading: &Reading) -> Result<Batches, Fault> {
    let sheet = Sheet::open(file, reading.format, &reading.dialect, reading.watch.clone()).map_err(Fault::damaged)?;
    let named = sheet.columns();
    if !named.iter().map(|(_, name)| name).eq(reading.columns.fields().iter().map(|field| field.name())) {
        return Err(Fault::Damaged);
    }
    let places: Vec<usize> = reading.projection()?.into_iter().map(|place| named[place].0).collect();
    let texts = TextBatches::of(&reading.delivered, reading.batch_rows);
    Ok(Box::new(Rows { sheet, places, texts }))
}

struct Rows {
    sheet: Sheet,
    /// The columns of the sheet that are delivered.
    places: Vec<usize>,
    texts: TextBatches,
}

impl Rows {
    fn batch(&mut self) -> Result<Option<RecordBatch>, Fault> {
        while self.texts.has_room() {
            let Some(row) = self.sheet.next().map_err(Fault::damaged)? else { break };
            let cell = |place: &usize| {
                let found = row.binary_search_by_key(place, |(column, _)| *column).ok()?;
                Some(row[found].1.as_str())
            };
            self.texts.push(self.places.iter().map(cell))?;
        }
        self.texts.flush()
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().transpose()
    }
}

/// Rows of texts as they become batches: so many rows or so many bytes, whichever comes first.
pub(super) struct TextBatches {
    texts: Vec<StringViewBuilder>,
    stored: SchemaRef,
    delivered: SchemaRef,
    batch_rows: usize,
    rows: usize,
    bytes: usize,
}

impl TextBatches {
    pub(super) fn of(delivered: &SchemaRef, batch_rows: usize) -> TextBatches {
        let columns = delivered.fields().iter();
        let texts = columns.map(|field| Field::new(field.name(), DataType::Utf8View, true)).collect::<Vec<_>>();
        TextBatches {
            texts: texts.iter().map(|_| StringViewBuilder::new()).collect(),
            stored: Arc::new(Schema::new(texts)),
            delivered: delivered.clone(),
            batch_rows,
            rows: 0,
            bytes: 0,
        }
    }

    pub(super) fn has_room(&self) -> bool {
        self.rows < self.batch_rows && self.bytes < BATCH_BYTES
    }

    /// Adds a row, with a value for every column.
    pub(super) fn push<T: AsRef<str>>(&mut self, row: impl Iterator<Item = Option<T>>) -> Result<(), Fault> {
        for (texts, value) in self.texts.iter_mut().zip(row) {
            match value {
                Some(value) if value.as_ref().len() > super::LONGEST_RECORD => return Err(Fault::Damaged),
                Some(value) => {
                    self.bytes += value.as_ref().len();
                    texts.append_value(value.as_ref());
                }
                None => texts.append_null(),
            }
        }
        self.rows += 1;
        Ok(())
    }

    /// Returns the rows so far; nothing if there are none.
    pub(super) fn flush(&mut self) -> Result<Option<RecordBatch>, Fault> {
        if self.rows == 0 {
            return Ok(None);
        }
        let columns = self.texts.iter_mut().map(|texts| Arc::new(texts.finish()) as ArrayRef).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        let batch = RecordBatch::try_new_with_options(self.stored.clone(), columns, &options);
        (self.rows, self.bytes) = (0, 0);
        conform(batch.map_err(Fault::damaged)?, &self.delivered).map(Some)
    }
}
