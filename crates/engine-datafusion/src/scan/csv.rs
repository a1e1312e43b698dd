//! Rows of CSV files, every column a text.
//!
//! It must never let damage pass as data: ragged rows, invalid text and a quote that is never closed end the scan; of
//! these, ragged rows alone may be left out, by a request that says so. An empty field is missing, quoted or not, and a
//! blank line is no row. It is separate because the library does not notice an open quote at the end of a file. Read
//! `text.rs` for the check of the letters, `csv/records.rs` for where records end, `csv/even.rs` for rows left out.

mod even;
mod records;

use super::text::Text;
use super::{Batches, Fault, Reading};
use crate::file::Signs;
use arrow_array::RecordBatch;
use arrow_csv::ReaderBuilder;
use arrow_csv::reader::Decoder;
use arrow_schema::{DataType, Field, Schema};
use even::{EvenRecords, First};
use incrowd_engine::{BadRows, Header};
use records::{Cut, Records};
use std::io::{BufRead, Read};
use std::sync::Arc;

/// A byte that no text has, so that no row can begin with it.
const NO_TEXT: u8 = 0xff;

/// How many fields a batch has at most, wanted or not: the library makes room for all of them beforehand.
const FIELDS: usize = 1 << 20;

/// Returns the rows of a text in UTF-8. A header must be the one that was seen before.
pub(super) fn batches(file: Box<dyn Read + Send>, reading: &Reading) -> Result<Batches, Fault> {
    let columns = reading.columns.fields();
    let texts: Vec<_> = columns.iter().map(|column| Field::new(column.name(), DataType::Utf8View, true)).collect();
    let batch_rows = reading.batch_rows.min(FIELDS / columns.len().max(1)).max(1);
    let signs = Signs::of(reading.format, &reading.dialect);
    let has_names = reading.dialect.header == Header::Names;
    let decoder = ReaderBuilder::new(Arc::new(Schema::new(texts)))
        .with_header(has_names)
        .with_header_validation(has_names)
        .with_delimiter(signs.delimiter)
        .with_quote(signs.quote)
        .with_comment(NO_TEXT)
        .with_projection(reading.projection()?)
        .with_batch_size(batch_rows)
        .build_decoder();
    let text: Box<dyn BufRead + Send> = match reading.dialect.bad_rows {
        BadRows::Stop => Box::new(Text::new(file, ending(columns.len(), signs))),
        BadRows::Skip => {
            let first = if has_names { First::Names } else { First::Row };
            Box::new(EvenRecords::new(Text::new(file, Vec::new()), signs, columns.len(), first))
        }
    };
    let headers = u64::from(has_names);
    let rows =
        Rows { text, decoder, batch_rows, headers, records: Records::new(signs), cut: None, left: 0, flushed: 0 };
    let delivered = reading.delivered.clone();
    let conform = move |batch| super::delivered::conform(batch, &delivered);
    Ok(Box::new(rows.map(move |batch| batch.and_then(&conform))))
}

/// Batches of rows: so many rows or so many bytes, whichever comes first.
struct Rows {
    text: Box<dyn BufRead + Send>,
    decoder: Decoder,
    batch_rows: usize,
    /// How many records are no rows.
    headers: u64,
    records: Records,
    /// Why the piece that is being read ends where it does.
    cut: Option<Cut>,
    /// How much of that piece the decoder has not taken yet.
    left: usize,
    /// How many rows were handed on.
    flushed: u64,
}

impl Rows {
    fn batch(&mut self) -> Result<Option<RecordBatch>, Fault> {
        loop {
            if self.left == 0 {
                if self.cut.take() == Some(Cut::Batch) {
                    // The library would lose half a record without a word: it must have as many as were counted.
                    let held = (self.batch_rows - self.decoder.capacity()) as u64;
                    if self.flushed + held + self.headers != self.records.ended() {
                        return Err(Fault::Damaged);
                    }
                    if held > 0 {
                        return self.flush();
                    }
                }
                let chunk = self.text.fill_buf().map_err(Fault::damaged)?;
                if chunk.is_empty() {
                    self.decoder.decode(&[]).map_err(Fault::damaged)?;
                    return self.flush();
                }
                let (piece, cut) = self.records.piece(chunk)?;
                (self.left, self.cut) = (piece, Some(cut));
            }
            let chunk = self.text.fill_buf().map_err(Fault::damaged)?;
            let piece = chunk.get(..self.left).ok_or(Fault::Damaged)?;
            let taken = self.decoder.decode(piece).map_err(Fault::damaged)?;
            self.text.consume(taken);
            self.left -= taken;
            if taken == 0 || self.decoder.capacity() == 0 {
                return self.flush();
            }
        }
    }

    fn flush(&mut self) -> Result<Option<RecordBatch>, Fault> {
        let batch = self.decoder.flush().map_err(Fault::damaged)?;
        self.flushed += batch.as_ref().map_or(0, |batch| batch.num_rows() as u64);
        Ok(batch)
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().transpose()
    }
}

/// Returns a last line that is a comment behind a whole record, and a ragged record behind an open quote.
///
/// Outside of quotes the newline ends the last row if need be, and the line begins with the sign of a comment. Between
/// quotes newline and sign belong to the field, the quote closes it, and the delimiters make more fields than there are
/// columns.
fn ending(columns: usize, signs: Signs) -> Vec<u8> {
    let mut line = vec![b'\n', NO_TEXT, signs.quote];
    line.resize(line.len() + columns + 1, signs.delimiter);
    line.push(b'\n');
    line
}
