//! Rows of CSV files, every column a text.
//!
//! It must never let damage pass as data: ragged rows, invalid text and a quote that is never closed end the scan. An
//! empty field is missing, quoted or not, and a blank line is no row. It is separate because the library does not
//! notice an open quote at the end of a file. Read `text.rs` for the check of the letters.

use super::text::Text;
use super::{Batches, Fault, Reading};
use arrow_csv::ReaderBuilder;
use arrow_schema::{DataType, Field, Schema};
use std::io::Read;
use std::sync::Arc;

/// A byte that no text has, so that no row can begin with it.
const NO_TEXT: u8 = 0xff;

/// Returns the rows behind the header, which must be the one that was seen before.
pub(super) fn batches(file: Box<dyn Read + Send>, reading: &Reading) -> Result<Batches, Fault> {
    let columns = reading.columns.fields();
    let texts: Vec<_> = columns.iter().map(|column| Field::new(column.name(), DataType::Utf8View, true)).collect();
    let reader = ReaderBuilder::new(Arc::new(Schema::new(texts)))
        .with_header(true)
        .with_header_validation(true)
        .with_comment(NO_TEXT)
        .with_projection(reading.projection()?)
        .with_batch_size(reading.batch_rows)
        .build_buffered(Text::new(file, ending(columns.len())))
        .map_err(Fault::damaged)?;
    let delivered = reading.delivered.clone();
    let conform = move |batch| super::delivered::conform(batch, &delivered);
    Ok(Box::new(reader.map(move |batch| batch.map_err(Fault::damaged).and_then(&conform))))
}

/// Returns a last line that is a comment behind a whole record, and a ragged record behind an open quote.
///
/// Outside of quotes the newline ends the last row if need be, and the line begins with the sign of a comment. Between
/// quotes newline and sign belong to the field, the quote closes it, and the commas make more fields than there are
/// columns.
fn ending(columns: usize) -> Vec<u8> {
    let mut line = vec![b'\n', NO_TEXT, b'"'];
    line.resize(line.len() + columns + 1, b',');
    line.push(b'\n');
    line
}
