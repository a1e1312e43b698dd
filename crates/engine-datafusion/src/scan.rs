//! Reads the rows of files, spread over partitions that DataFusion runs side by side.
//!
//! It must never pass on what a library says about a row: a scan ends well, damaged or stopped, and nothing else. It is
//! separate from `source.rs` because it runs after the charge, when rows and sizes may be looked at. Read
//! `scan/delivered.rs` for the types that come out, then the file of a format.

mod arrow;
mod csv;
mod database;
mod deal;
mod delivered;
mod folders;
mod json;
mod object;
mod parquet;
mod sheet;
#[cfg(test)]
pub(crate) mod tests;
mod text;
pub(crate) mod written;

pub(crate) use crate::file::LONGEST_RECORD;
use crate::file::bytes::open;
use crate::file::letters::in_utf8;
use crate::file::lines::behind_lines;
use crate::source::{Files, Format, OneFile};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use datafusion_common::DataFusionError;
use datafusion_execution::{SendableRecordBatchStream, TaskContext};
use datafusion_physical_plan::stream::RecordBatchStreamAdapter;
use datafusion_physical_plan::streaming::PartitionStream;
use incrowd_engine::written::TextReading;
use incrowd_engine::{Dialect, Watch};
use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A batch of a text format ends early when it is longer than this.
pub(crate) const BATCH_BYTES: usize = 16 << 20;

/// All that may be said about a scan that did not end well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The data cannot be read, or is not what its name says.
    Damaged,
    /// Somebody asked to stop.
    Stopped,
}

impl Fault {
    /// Returns the fault behind an error of the engine, if it came from a scan.
    #[cfg(test)]
    pub(crate) fn behind(error: &DataFusionError) -> Option<Fault> {
        match error.find_root() {
            DataFusionError::External(inner) => inner.downcast_ref::<Fault>().copied(),
            _ => None,
        }
    }

    /// Forgets what a library says.
    fn damaged<E>(_: E) -> Fault {
        Fault::Damaged
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Damaged => "the data is damaged",
            Fault::Stopped => "stopped",
        })
    }
}

impl std::error::Error for Fault {}

impl From<Fault> for DataFusionError {
    fn from(fault: Fault) -> DataFusionError {
        DataFusionError::External(Box::new(fault))
    }
}

/// Returns at least one and at most so many partitions that together give each row once, and the schema of their
/// batches.
///
/// `wanted` names the columns; their types follow from the files and are told by the schema that is returned: texts are
/// `Utf8View`, or `Dictionary(Int32, Utf8)` where they are stored as few words or say the name of a folder. Words of a
/// dictionary may repeat.
pub(crate) fn partitions(
    files: &Files,
    wanted: SchemaRef,
    at_most: usize,
    batch_rows: usize,
    watch: Arc<dyn Watch>,
) -> Result<(SchemaRef, Vec<Arc<dyn PartitionStream>>), DataFusionError> {
    let own = folders::without_keys(&wanted, files);
    let (delivered, pieces) = match files.format {
        Format::Parquet => parquet::pieces(files, &own)?,
        Format::Csv | Format::Tsv | Format::Json | Format::Arrow | Format::Xlsx | Format::Ods | Format::Sqlite => {
            (delivered::schema(files, &own)?, whole_files(files))
        }
    };
    let columns = Arc::new(folders::without_keys(&files.schema, files));
    let schema = folders::with_keys(&wanted, &delivered, files);
    let dialect = Arc::new(files.dialect.clone());
    let batch_rows = batch_rows.max(1);
    let (format, all) = (files.format, schema.clone());
    let texts = written::columns(&files.texts, &delivered);
    let said = match files.format {
        // Objects of JSON were read one by one: they tell numbers from texts. Names of folders were not.
        Format::Json => written::columns(&files.texts_of_keys(), &schema),
        Format::Csv | Format::Tsv | Format::Parquet | Format::Arrow | Format::Xlsx | Format::Ods | Format::Sqlite => {
            written::columns(&files.texts, &schema)
        }
    };
    let reading = Reading { format, dialect, columns, delivered, all, texts, said, batch_rows, watch };
    let partitions = deal::deal(pieces, at_most).into_iter().map(|pieces| {
        let partition = Partition { pieces: pieces.into(), reading: Arc::new(reading.clone()) };
        Arc::new(partition) as Arc<dyn PartitionStream>
    });
    Ok((schema, partitions.collect()))
}

fn whole_files(files: &Files) -> Vec<Piece> {
    files.files.iter().map(|file| Piece { file: file.clone(), bytes: file.bytes, part: Part::Whole }).collect()
}

/// What one partition reads at a time.
#[derive(Clone)]
struct Piece {
    file: OneFile,
    bytes: u64,
    part: Part,
}

#[derive(Clone)]
enum Part {
    Whole,
    RowGroup(parquet::RowGroup),
}

/// What all partitions have in common.
#[derive(Clone)]
struct Reading {
    format: Format,
    dialect: Arc<Dialect>,
    /// The columns of the files.
    columns: SchemaRef,
    /// The columns of the batches that a file gives.
    delivered: SchemaRef,
    /// How the texts of each of them are read.
    texts: Arc<[Option<TextReading>]>,
    /// The same columns with those that the names of folders say.
    all: SchemaRef,
    /// How the texts of each of all these are read.
    said: Arc<[Option<TextReading>]>,
    batch_rows: usize,
    watch: Arc<dyn Watch>,
}

type Batches = Box<dyn Iterator<Item = Result<RecordBatch, Fault>> + Send>;

impl Reading {
    fn batches(&self, piece: &Piece) -> Result<Batches, Fault> {
        let file = || open(&piece.file, self.watch.clone()).map_err(Fault::damaged);
        let text = || Ok(in_utf8(file()?, self.dialect.encoding));
        let batches = match (self.format, &piece.part) {
            (Format::Parquet, Part::RowGroup(group)) => parquet::batches(group, piece, self),
            (Format::Parquet, Part::Whole) | (_, Part::RowGroup(_)) => Err(Fault::Damaged),
            (Format::Csv | Format::Tsv, Part::Whole) => {
                csv::batches(behind_lines(text()?, self.dialect.skip_lines), self)
            }
            (Format::Json, Part::Whole) => Ok(json::batches(text()?, self)),
            (Format::Arrow, Part::Whole) => arrow::batches(&piece.file, self),
            (Format::Xlsx | Format::Ods, Part::Whole) => sheet::batches(&piece.file, self),
            (Format::Sqlite, Part::Whole) => database::batches(&piece.file, self),
        };
        Ok(folders::add_keys(batches?, &piece.file.keys, &self.all))
    }

    /// Returns what the texts of a batch say.
    fn as_said(&self, batch: RecordBatch) -> Result<RecordBatch, Fault> {
        written::as_said(batch, &self.said)
    }

    /// Returns the places of the delivered columns among the columns of the files.
    fn projection(&self) -> Result<Vec<usize>, Fault> {
        let places: HashMap<&String, usize> =
            self.columns.fields().iter().enumerate().map(|(place, field)| (field.name(), place)).collect();
        let names = self.delivered.fields().iter().map(|field| field.name());
        names.map(|name| places.get(name).copied().ok_or(Fault::Damaged)).collect()
    }
}

struct Partition {
    pieces: Arc<[Piece]>,
    reading: Arc<Reading>,
}

impl fmt::Debug for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Partition of {} pieces", self.pieces.len())
    }
}

impl PartitionStream for Partition {
    fn schema(&self) -> &SchemaRef {
        &self.reading.all
    }

    /// Reads inside the poll: there are as many partitions as threads, so a read that waits keeps nobody else waiting.
    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (pieces, reading) = (self.pieces.clone(), self.reading.clone());
        let rows = Rows { pieces, next: 0, current: None, reading, has_ended: false };
        let rows = futures::stream::iter(rows.map(|batch| batch.map_err(DataFusionError::from)));
        Box::pin(RecordBatchStreamAdapter::new(self.reading.all.clone(), rows))
    }
}

/// The batches of a partition, up to the first fault.
struct Rows {
    pieces: Arc<[Piece]>,
    next: usize,
    current: Option<Batches>,
    reading: Arc<Reading>,
    has_ended: bool,
}

impl Rows {
    fn step(&mut self) -> Result<Option<RecordBatch>, Fault> {
        loop {
            if self.reading.watch.is_cancelled() {
                return Err(Fault::Stopped);
            }
            let Some(current) = &mut self.current else {
                let Some(piece) = self.pieces.get(self.next) else { return Ok(None) };
                self.current = Some(self.reading.batches(piece)?);
                self.next += 1;
                continue;
            };
            match current.next().transpose()? {
                Some(batch) if batch.num_rows() > 0 => return self.reading.as_said(batch).map(Some),
                Some(_) => {}
                None => self.current = None,
            }
        }
    }
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        // Some libraries panic on damaged files.
        let step = catch_unwind(AssertUnwindSafe(|| self.step())).unwrap_or(Err(Fault::Damaged));
        let step = step.map_err(|fault| if self.reading.watch.is_cancelled() { Fault::Stopped } else { fault });
        self.has_ended = !matches!(step, Ok(Some(_)));
        step.transpose()
    }
}
