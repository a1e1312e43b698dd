//! Columns that the names of folders say: `year=2020/` is a column `year` of the files inside.
//!
//! It must never look into a file. It is separate because formats know nothing of folders. Read `source/listing.rs` for
//! how such names are read.

use super::delivered::words;
use super::{Batches, Fault};
use crate::file::Keys;
use crate::source::Files;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, RecordBatchOptions, StringArray};
use arrow_schema::{Field, Schema, SchemaRef};
use std::sync::Arc;

/// Returns the columns that are in the files themselves.
pub(super) fn without_keys(schema: &Schema, files: &Files) -> Schema {
    let own = schema.fields().iter().filter(|field| !files.is_key(field.name()));
    Schema::new(own.cloned().collect::<Vec<_>>())
}

/// Returns the wanted columns, with the types of those that files deliver.
pub(super) fn with_keys(wanted: &Schema, delivered: &SchemaRef, files: &Files) -> SchemaRef {
    if files.keys().is_empty() {
        return Arc::clone(delivered);
    }
    let mut own = delivered.fields().iter().cloned();
    let fields = wanted.fields().iter().filter_map(|field| {
        if files.is_key(field.name()) { Some(Arc::new(Field::new(field.name(), words(), true))) } else { own.next() }
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Adds what the names of a file's folders say to its batches.
pub(super) fn add_keys(batches: Batches, keys: &Keys, all: &SchemaRef) -> Batches {
    if keys.is_empty() {
        return batches;
    }
    let (keys, all) = (Arc::clone(keys), Arc::clone(all));
    Box::new(batches.map(move |batch| added(&batch?, &keys, &all)))
}

fn added(batch: &RecordBatch, keys: &Keys, all: &SchemaRef) -> Result<RecordBatch, Fault> {
    let mut own = batch.columns().iter();
    let columns = all.fields().iter().map(|field| match keys.iter().find(|(key, _)| key == field.name()) {
        Some((_, value)) => said(value.as_deref(), batch.num_rows()),
        None => own.next().cloned().ok_or(Fault::Damaged),
    });
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(all.clone(), columns.collect::<Result<_, Fault>>()?, &options)
        .map_err(Fault::damaged)
}

/// Returns a column in which every row says the same.
fn said(value: Option<&str>, rows: usize) -> Result<ArrayRef, Fault> {
    let code = value.map(|_| 0);
    let codes = Int32Array::from(vec![code; rows]);
    let words = Arc::new(StringArray::from(vec![value.unwrap_or_default()]));
    DictionaryArray::<Int32Type>::try_new(codes, words).map(|words| Arc::new(words) as ArrayRef).map_err(Fault::damaged)
}
