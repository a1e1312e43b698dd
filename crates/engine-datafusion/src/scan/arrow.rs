//! Batches of Arrow files and streams.
//!
//! It must never take a part for the whole. It is separate because dictionaries may change from batch to batch; read
//! `delivered.rs` for what becomes of them, `../file/arrow_stream.rs` for the stream of a file.

use super::delivered::conform;
use super::{Batches, Fault, Reading};
use crate::file::OneFile;
use crate::file::arrow_stream::{Form, Remembering, begin};
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_schema::SchemaRef;
use std::io::Read;

/// Returns the rows of a file or stream.
pub(super) fn batches(content: Box<dyn Read + Send>, file: &OneFile, reading: &Reading) -> Result<Batches, Fault> {
    let (form, source) = begin(content, file).map_err(Fault::damaged)?;
    let reader = StreamReader::try_new(source, Some(reading.projection()?)).map_err(Fault::damaged)?;
    let (delivered, batch_rows) = (reading.delivered.clone(), reading.batch_rows);
    Ok(Box::new(Slices { form, reader, delivered, batch_rows, rest: None }))
}

/// Batches as they are stored, in slices of at most so many rows.
struct Slices {
    form: Form,
    reader: StreamReader<Remembering>,
    delivered: SchemaRef,
    batch_rows: usize,
    rest: Option<RecordBatch>,
}

impl Slices {
    fn step(&mut self) -> Result<Option<RecordBatch>, Fault> {
        let batch = match self.rest.take() {
            Some(rest) => rest,
            None => match self.reader.next() {
                Some(batch) => conform(batch.map_err(Fault::damaged)?, &self.delivered)?,
                None => return self.check_end().map(|()| None),
            },
        };
        if batch.num_rows() <= self.batch_rows {
            return Ok(Some(batch));
        }
        self.rest = Some(batch.slice(self.batch_rows, batch.num_rows() - self.batch_rows));
        Ok(Some(batch.slice(0, self.batch_rows)))
    }

    /// Checks that nothing is missing: the library takes the end of the bytes for the end of the data.
    fn check_end(&mut self) -> Result<(), Fault> {
        let is_whole = self.reader.get_mut().is_whole(self.form).map_err(Fault::damaged)?;
        if is_whole { Ok(()) } else { Err(Fault::Damaged) }
    }
}

impl Iterator for Slices {
    type Item = Result<RecordBatch, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}
