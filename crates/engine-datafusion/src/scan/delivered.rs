//! The types that a scan delivers, the same in every partition and file.
//!
//! It must never change a value: a cast that loses something is damage; only the empty text is missing, in every
//! format. It is separate because files may store one column in several ways, and the engine must see one. Read
//! `parquet.rs` for the one choice that depends on the rows.

use super::{Fault, LONGEST_RECORD};
use crate::source::{Files, Format};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, BooleanArray, DictionaryArray, RecordBatch, RecordBatchOptions};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::nullif::nullif;
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the wanted columns with the types in which they are delivered, if nothing is known of the rows.
pub(super) fn schema(files: &Files, wanted: &Schema) -> Result<SchemaRef, Fault> {
    let stored: HashMap<&str, &DataType> =
        files.schema.fields().iter().map(|field| (field.name().as_str(), field.data_type())).collect();
    let fields = wanted.fields().iter().map(|field| {
        let stored = match files.format {
            Format::Json => &DataType::Utf8,
            Format::Csv
            | Format::Tsv
            | Format::Parquet
            | Format::Arrow
            | Format::Xlsx
            | Format::Ods
            | Format::Sqlite => stored.get(field.name().as_str()).copied().ok_or(Fault::Damaged)?,
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
    let schema = batch.schema();
    let columns = delivered.fields().iter().enumerate().map(|(place, field)| {
        // Mostly it stands where it is wanted: a hundred thousand columns are not looked for one by one.
        let stands_there = schema.fields().get(place).is_some_and(|there| there.name() == field.name());
        let column = if stands_there { batch.columns().get(place) } else { batch.column_by_name(field.name()) };
        present_texts(cast(&without_missing_words(column.ok_or(Fault::Damaged)?)?, field.data_type())?)
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

/// An empty text is missing, as an empty field of CSV is, and one that is longer than a record may be is damage: a
/// table must not count otherwise in another format.
fn present_texts(column: ArrayRef) -> Result<ArrayRef, Fault> {
    if let Some(texts) = column.as_string_view_opt() {
        // A view begins with the length of its text.
        let is_empty = |view: &u128| *view as u32 == 0;
        if texts.views().iter().any(|view| *view as u32 as usize > LONGEST_RECORD) {
            return Err(Fault::Damaged);
        }
        if !texts.views().iter().any(is_empty) {
            return Ok(column);
        }
        let empty: BooleanArray = texts.views().iter().map(|view| Some(is_empty(view))).collect();
        return nullif(&column, &empty).map_err(Fault::damaged);
    }
    let Some(words) = column.as_dictionary_opt::<Int32Type>() else { return Ok(column) };
    let Some(texts) = words.values().as_string_opt::<i32>() else { return Ok(column) };
    if texts.iter().flatten().any(|text| text.len() > LONGEST_RECORD) {
        return Err(Fault::Damaged);
    }
    let is_empty: Vec<bool> = texts.iter().map(|text| text == Some("")).collect();
    if !is_empty.contains(&true) {
        return Ok(column);
    }
    // The empty word stays in the list of words, and no row has it.
    let key_of_empty = |key: Option<i32>| {
        key.and_then(|key| usize::try_from(key).ok()).and_then(|key| is_empty.get(key)).copied().unwrap_or(false)
    };
    let empty: BooleanArray = words.keys().iter().map(|key| Some(key_of_empty(key))).collect();
    let keys = nullif(words.keys(), &empty).map_err(Fault::damaged)?;
    let keys = keys.as_primitive::<Int32Type>().clone();
    Ok(Arc::new(DictionaryArray::try_new(keys, words.values().clone()).map_err(Fault::damaged)?))
}
