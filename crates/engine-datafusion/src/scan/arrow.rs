//! Batches of Arrow files and streams.
//!
//! It must never take a part for the whole. It is separate because dictionaries may change from batch to batch; read
//! `delivered.rs` for what becomes of them, `../file/arrow_file.rs` and `../file/arrow_stream.rs` for what a file
//! holds.

use super::delivered::conform;
use super::{Batches, Fault, Reading};
use crate::file::arrow_file::{ArrowFooter, has_footer};
use crate::file::arrow_stream::begin;
use crate::file::bytes::open;
use crate::file::{Content, Delivery, OneFile};
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_schema::SchemaRef;

/// Returns the rows of a file or stream.
pub(super) fn batches(file: &OneFile, reading: &Reading) -> Result<Batches, Fault> {
    let stored = if let Content::Delivered(delivery) = &file.content {
        of_delivery(delivery, reading)?
    } else if has_footer(file) {
        of_file(file, reading)?
    } else {
        of_stream(file, reading)?
    };
    let (delivered, batch_rows) = (reading.delivered.clone(), reading.batch_rows);
    Ok(Box::new(Slices { stored, delivered, batch_rows, rest: None }))
}

/// Batches as they are stored, one after the other.
type Stored = Box<dyn FnMut() -> Result<Option<RecordBatch>, Fault> + Send>;

fn of_file(file: &OneFile, reading: &Reading) -> Result<Stored, Fault> {
    let footer = ArrowFooter::of(file).ok_or(Fault::Damaged)?;
    let mut batches = footer.read(reading.projection()?, reading.watch.clone()).map_err(Fault::damaged)?;
    Ok(Box::new(move || batches.next().map_err(Fault::damaged)))
}

fn of_stream(file: &OneFile, reading: &Reading) -> Result<Stored, Fault> {
    let content = open(file, reading.watch.clone()).map_err(Fault::damaged)?;
    let (form, source) = begin(content, file).map_err(Fault::damaged)?;
    let mut reader = StreamReader::try_new(source, Some(reading.projection()?)).map_err(Fault::damaged)?;
    Ok(Box::new(move || match reader.next() {
        Some(batch) => batch.map(Some).map_err(Fault::damaged),
        // The library takes the end of the bytes for the end of the data.
        None => match reader.get_mut().is_whole(form) {
            Ok(true) => Ok(None),
            Ok(false) | Err(_) => Err(Fault::Damaged),
        },
    }))
}

fn of_delivery(delivery: &Delivery, reading: &Reading) -> Result<Stored, Fault> {
    let rows = delivery.take().ok_or(Fault::Damaged)?;
    let columns: Vec<&str> = reading.delivered.fields().iter().map(|field| field.name().as_str()).collect();
    let mut batches = rows.deliver(&columns, reading.watch.clone()).map_err(Fault::damaged)?;
    Ok(Box::new(move || batches.next().transpose().map_err(Fault::damaged)))
}

/// Batches in slices of at most so many rows.
struct Slices {
    stored: Stored,
    delivered: SchemaRef,
    batch_rows: usize,
    rest: Option<RecordBatch>,
}

impl Slices {
    fn step(&mut self) -> Result<Option<RecordBatch>, Fault> {
        let batch = match self.rest.take() {
            Some(rest) => rest,
            None => match (self.stored)()? {
                Some(batch) => conform(batch, &self.delivered)?,
                None => return Ok(None),
            },
        };
        if batch.num_rows() <= self.batch_rows {
            return Ok(Some(batch));
        }
        self.rest = Some(batch.slice(self.batch_rows, batch.num_rows() - self.batch_rows));
        Ok(Some(batch.slice(0, self.batch_rows)))
    }
}

impl Iterator for Slices {
    type Item = Result<RecordBatch, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}
