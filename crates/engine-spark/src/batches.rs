//! The rows of a query's answers, batch by batch.
//!
//! It must never hand on a batch that is not what was announced, nor say why one cannot be read. It is separate because
//! rows and counts arrive in the same way. Read `wire/running.rs` for where answers come from.

use crate::wire::{Running, WireError};
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use incrowd_engine::{CountError, Watch};
use std::io::Cursor;
use std::sync::Arc;

/// The batches of a query that runs.
pub(crate) struct Batches {
    running: Running,
    columns: SchemaRef,
    reader: Option<StreamReader<Cursor<Vec<u8>>>>,
    watch: Arc<dyn Watch>,
}

impl Batches {
    /// Returns the batches of a query whose columns are known.
    pub(crate) fn of(running: Running, columns: SchemaRef, watch: Arc<dyn Watch>) -> Batches {
        Batches { running, columns, reader: None, watch }
    }

    fn step(&mut self) -> Result<Option<RecordBatch>, CountError> {
        loop {
            if let Some(reader) = &mut self.reader {
                match reader.next() {
                    Some(batch) => return batch.map(Some).map_err(|_: ArrowError| CountError::Failed),
                    None => self.reader = None,
                }
            }
            let watch = Arc::clone(&self.watch);
            let Some(bytes) = self.running.next_batch().map_err(|error| after_the_charge(error, &*watch))? else {
                return Ok(None);
            };
            let reader = StreamReader::try_new(Cursor::new(bytes), None).map_err(|_: ArrowError| CountError::Failed)?;
            if !is_the_same(&reader.schema(), &self.columns) {
                return Err(CountError::Failed);
            }
            self.reader = Some(reader);
        }
    }
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, CountError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

/// Whether names and types are those that were announced.
pub(crate) fn is_the_same(found: &Schema, announced: &Schema) -> bool {
    found.fields().len() == announced.fields().len()
        && found
            .fields()
            .iter()
            .zip(announced.fields())
            .all(|(found, announced)| found.name() == announced.name() && found.data_type() == announced.data_type())
}

/// Returns all that may be said of a failure after the charge.
pub(crate) fn after_the_charge(error: WireError, watch: &dyn Watch) -> CountError {
    match error {
        // Somebody else may have stopped the query: then it has failed.
        _ if watch.is_cancelled() => CountError::Cancelled,
        WireError::Contract => CountError::Contract,
        _ => CountError::Failed,
    }
}
