//! Row groups of Parquet files.
//!
//! It must never use a statistic, nor trust a text that the library did not check. Row groups are read one by one, so
//! that the words of a column stay the same within a batch. It is separate because Parquet alone is read from its end
//! and in parts. Read `delivered.rs` for the types that do not depend on the rows.

mod pages;

use super::delivered::{self, conform, is_text, words};
use super::{Batches, Fault, Part, Piece, Reading};
use crate::source::{Files, OneFile, parquet_options, parquet_schema};
use arrow_array::cast::AsArray;
use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pages::Pages;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReaderBuilder};
use parquet::basic::{ConvertedType, Encoding};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::schema::types::ColumnDescriptor;
use std::sync::Arc;

/// How long the page of words may be for a column to be delivered as words.
///
/// The engine works on all words of a batch, used or not: with more words than rows it would lose what it gains.
const MOST_WORDS: i64 = 1 << 15;

/// A part of a file that can be read on its own.
#[derive(Clone)]
pub(super) struct RowGroup {
    footer: ArrowReaderMetadata,
    group: usize,
}

/// Returns the row groups of all files and the schema in which they are delivered.
///
/// A text column is delivered as words if it is stored as few words in every row group of every file.
pub(super) fn pieces(files: &Files, wanted: &Schema) -> Result<(SchemaRef, Vec<Piece>), Fault> {
    let footers: Vec<_> = files.files.iter().map(footer).collect::<Result<_, Fault>>()?;
    let groups = || footers.iter().flat_map(|footer| footer.metadata().row_groups());
    let declared = delivered::schema(files, wanted)?;
    let fields = declared.fields().iter().map(|field| {
        let mut groups = groups().filter(|group| group.num_rows() > 0).peekable();
        let is_words = *field.data_type() == DataType::Utf8View
            && groups.peek().is_some()
            && groups.all(|group| is_few_words(group, field.name()));
        if is_words { Arc::new(field.as_ref().clone().with_data_type(words())) } else { field.clone() }
    });
    let delivered = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let mut pieces = Vec::new();
    for (file, footer) in files.files.iter().zip(footers) {
        pieces.extend(of_file(file, &read_as(footer, &delivered)?));
    }
    Ok((delivered, pieces))
}

fn footer(file: &OneFile) -> Result<ArrowReaderMetadata, Fault> {
    let file = file.seekable().map_err(Fault::damaged)?;
    ArrowReaderMetadata::load(&file, parquet_options()).map_err(Fault::damaged)
}

/// Returns the row groups of a file; the bytes outside of all of them are counted with the last.
fn of_file(file: &OneFile, footer: &ArrowReaderMetadata) -> Vec<Piece> {
    let groups = footer.metadata().row_groups();
    let mut left = file.bytes;
    let pieces = groups.iter().enumerate().map(|(group, metadata)| {
        let is_last = group + 1 == groups.len();
        let bytes = u64::try_from(metadata.compressed_size()).unwrap_or(0).min(left);
        let bytes = if is_last { left } else { bytes };
        left -= bytes;
        Piece { file: file.clone(), bytes, part: Part::RowGroup(RowGroup { footer: footer.clone(), group }) }
    });
    pieces.collect()
}

/// Returns whether all values of a column in a row group are words of a short list, by how its pages are written.
fn is_few_words(group: &RowGroupMetaData, name: &str) -> bool {
    let Some(chunk) = group.columns().iter().find(|chunk| chunk.column_path().parts() == [name]) else { return false };
    let Some(page_of_words) = chunk.dictionary_page_offset() else { return false };
    let length = chunk.data_page_offset().saturating_sub(page_of_words);
    (1..=MOST_WORDS).contains(&length) && is_checked(chunk.column_descr()) && has_pages_of_words_only(chunk)
}

fn has_pages_of_words_only(chunk: &ColumnChunkMetaData) -> bool {
    match chunk.page_encoding_stats_mask() {
        Some(pages) => pages.is_only(Encoding::RLE_DICTIONARY) || pages.is_only(Encoding::PLAIN_DICTIONARY),
        // Without a tally of pages, PLAIN may mean the page of words or pages that overflowed; old writers name the
        // former PLAIN_DICTIONARY, and then PLAIN can mean only the latter.
        None => {
            let known = [Encoding::PLAIN_DICTIONARY, Encoding::RLE];
            chunk.encodings_mask().is_set(Encoding::PLAIN_DICTIONARY)
                && chunk.encodings().all(|encoding| known.contains(&encoding) || is_bit_packed(encoding))
        }
    }
}

#[allow(deprecated, reason = "old files still name it, for levels")]
fn is_bit_packed(encoding: Encoding) -> bool {
    encoding == Encoding::BIT_PACKED
}

/// Returns the footer with the types in which the library shall read the delivered columns.
fn read_as(footer: ArrowReaderMetadata, delivered: &Schema) -> Result<ArrowReaderMetadata, Fault> {
    let unchecked = unchecked_columns(&footer);
    let read_as = |stored: &Field, delivered: &Field| match stored.data_type() {
        text if is_text(text) && unchecked.contains(stored.name()) => DataType::Utf8View,
        text if is_text(text) => delivered.data_type().clone(),
        other => delivered::data_type(other),
    };
    let stored = parquet_schema(&footer);
    let fields = stored.fields().iter().map(|field| match delivered.field_with_name(field.name()) {
        Ok(delivered) => Arc::new(field.as_ref().clone().with_data_type(read_as(field, delivered))),
        Err(_) => field.clone(),
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    ArrowReaderMetadata::try_new(footer.metadata().clone(), parquet_options().with_schema(schema))
        .map_err(Fault::damaged)
}

/// Returns whether the library checks that the bytes of a column are text: it looks at an old annotation only.
fn is_checked(column: &ColumnDescriptor) -> bool {
    column.converted_type() == ConvertedType::UTF8
}

fn unchecked_columns(footer: &ArrowReaderMetadata) -> Vec<String> {
    let columns = footer.parquet_schema().columns().iter();
    let unchecked = columns.filter(|column| !is_checked(column) && column.path().parts().len() == 1);
    unchecked.map(|column| column.name().to_string()).collect()
}

/// Returns the rows of a row group, as many as its footer says.
pub(super) fn batches(group: &RowGroup, piece: &Piece, reading: &Reading) -> Result<Batches, Fault> {
    let file = piece.file.seekable().and_then(Pages::of).map_err(Fault::damaged)?;
    let rows = group.footer.metadata().row_group(group.group).num_rows();
    let stored = group.footer.schema();
    let names = reading.delivered.fields().iter().map(|field| field.name());
    let places: Vec<_> = names.map(|name| stored.index_of(name).map_err(Fault::damaged)).collect::<Result<_, _>>()?;
    let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, group.footer.clone())
        .with_projection(ProjectionMask::roots(group.footer.parquet_schema(), places))
        .with_row_groups(vec![group.group])
        .with_batch_size(reading.batch_rows)
        .build()
        .map_err(Fault::damaged)?;
    let rows = u64::try_from(rows).map_err(Fault::damaged)?;
    let progress = Progress { rows, read: 0, bytes: piece.bytes, told: 0 };
    let unchecked = unchecked_columns(&group.footer);
    let reading = reading.clone();
    let mut reader = Some((reader, progress));
    Ok(Box::new(std::iter::from_fn(move || {
        let (batches, progress) = reader.as_mut()?;
        let Some(batch) = batches.next() else {
            let is_whole = progress.read == progress.rows;
            reader = None;
            return if is_whole { None } else { Some(Err(Fault::Damaged)) };
        };
        let batch = batch.map_err(Fault::damaged).and_then(|batch| checked(batch, &unchecked));
        let batch = batch.and_then(|batch| conform(batch, &reading.delivered));
        if let Ok(batch) = &batch {
            reading.watch.read(progress.advance(batch.num_rows() as u64));
        }
        Some(batch)
    })))
}

/// How much of a row group was read: bytes in proportion to rows, whichever columns are wanted.
struct Progress {
    rows: u64,
    read: u64,
    bytes: u64,
    told: u64,
}

impl Progress {
    /// Returns how many more bytes were read.
    fn advance(&mut self, rows: u64) -> u64 {
        self.read = self.read.saturating_add(rows);
        let share = u128::from(self.bytes) * u128::from(self.read.min(self.rows)) / u128::from(self.rows.max(1));
        let told = u64::try_from(share).unwrap_or(self.bytes);
        let more = told.saturating_sub(self.told);
        self.told = told;
        more
    }
}

/// Checks the texts that the library did not check.
fn checked(batch: RecordBatch, unchecked: &[String]) -> Result<RecordBatch, Fault> {
    let schema = batch.schema();
    let (_, mut columns, rows) = batch.into_parts();
    for (field, column) in schema.fields().iter().zip(&mut columns) {
        if let (Some(texts), true) = (column.as_string_view_opt(), unchecked.contains(field.name())) {
            *column = Arc::new(texts.clone().to_binary_view().to_string_view().map_err(Fault::damaged)?);
        }
    }
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(schema, columns, &options).map_err(Fault::damaged)
}
