//! The types that a scan delivers, the same in every partition and file.
//!
//! It must never change a value: a cast that loses something is damage. It is separate because files may store one
//! column in several ways, and the engine must see one. Read `parquet.rs` for the one choice that depends on the rows.

use super::Fault;
use crate::source::{Files, Format};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use datafusion::arrow::compute::{CastOptions, cast_with_options};
use std::sync::Arc;

/// Returns the wanted columns with the types in which they are delivered, if nothing is known of the rows.
pub(super) fn schema(files: &Files, wanted: &Schema) -> Result<SchemaRef, Fault> {
    let fields = wanted.fields().iter().map(|field| {
        let stored = match files.format {
            Format::Json => &DataType::Utf8,
            Format::Csv | Format::Parquet | Format::Arrow => {
                files.schema.field_with_name(field.name()).map_err(Fault::damaged)?.data_type()
            }
        };
        Ok(Field::new(field.name(), data_type(stored), true))
    });
    Ok(Arc::new(Schema::new(fields.collect::<Result<Vec<_>, Fault>>()?)))
}

/// Returns the type in which a stored type is delivered.
pub(super) fn data_type(stored: &DataType) -> DataType {
    match stored {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => DataType::Utf8View,
        DataType::Dictionary(_, values) if is_text(values) => words(),
        DataType::Dictionary(_, values) => data_type(values),
        other => other.clone(),
    }
}

/// Returns the type of texts that are few words.
pub(super) fn words() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// Returns whether a type holds texts, as they are or as words.
pub(super) fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// Returns the delivered columns of a batch, with their types.
pub(super) fn conform(batch: RecordBatch, delivered: &SchemaRef) -> Result<RecordBatch, Fault> {
    let columns = delivered.fields().iter().map(|field| {
        let column = batch.column_by_name(field.name()).ok_or(Fault::Damaged)?;
        cast(&without_missing_words(column)?, field.data_type())
    });
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(delivered.clone(), columns.collect::<Result<_, Fault>>()?, &options)
        .map_err(Fault::damaged)
}

fn cast(column: &ArrayRef, to: &DataType) -> Result<ArrayRef, Fault> {
    if column.data_type() == to {
        return Ok(column.clone());
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    cast_with_options(column, to, &options).map_err(Fault::damaged)
}

/// Arrow may say "missing" by a row without a code or by a word that is missing; only the first is delivered.
///
/// This comes before any other cast: the one from words to views reads a missing word as the empty text.
fn without_missing_words(column: &ArrayRef) -> Result<ArrayRef, Fault> {
    match column.as_any_dictionary_opt() {
        Some(dictionary) if dictionary.values().null_count() > 0 => {
            cast(&cast(column, dictionary.values().data_type())?, column.data_type())
        }
        Some(_) | None => Ok(column.clone()),
    }
}
