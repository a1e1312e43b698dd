//! The files of a table: CSV, Parquet and Arrow, written as rows arrive and hashed on the way.
//!
//! Rows are gathered into chunks of one fixed size before anything is written, so that pages, groups and bytes depend on
//! the published rows alone; a file must never show how many bins were found but not published. It is separate from
//! `table.rs` because the same rows go to every format. Read `write/chunks.rs` next, then `write/csv.rs`.

mod chunks;
mod csv;
mod day;
mod digest;
mod error;

pub use error::WriteError;

pub(crate) use csv::CsvText;
pub(crate) use day::day_text;
pub(crate) use digest::hex;

use crate::density::Density;
use crate::folder::Aside;
use crate::glance::Glance;
use crate::margins::Margins;
use crate::plan::Plan;
use crate::request::Format;
use crate::table::{Table, TableError};
use crate::timeline::{Line, Timeline};
use crate::verify::csv::Lines;
use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::SchemaRef;
use chunks::Chunks;
use digest::Hashed;
use incrowd_counts::{CountError, PublishedBatch};
use incrowd_privacy::Outcome;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::fmt;
use std::fs::File;
use std::io::Write;

/// How many rows are written at a time.
const ROWS_AT_A_TIME: usize = 8192;
/// How many rows a Parquet row group holds.
const ROWS_PER_GROUP: usize = 1 << 20;

/// A table's file, complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenTable {
    /// Its name in the folder.
    pub name: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// All files of a table, complete.
#[derive(Debug, Clone)]
pub struct Written {
    /// In the order in which the formats were asked for.
    pub tables: Vec<WrittenTable>,
    /// What the report shows of it.
    pub glance: Glance,
}

/// All tables of a release, complete.
#[derive(Debug, Clone)]
pub struct WrittenRelease {
    /// All files: counts, then margins.
    pub tables: Vec<WrittenTable>,
    /// What the report shows of them.
    pub glances: Glances,
}

/// What the report shows of the tables of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glances {
    /// The published bins.
    pub counts: Glance,
    /// Their totals, if asked for.
    pub margins: Option<Glance>,
    /// Where published points lie, and how many lie in no cell.
    pub density: Option<(Option<Glance>, u64)>,
    /// The largest keys of a series over time.
    pub lines: Vec<Line>,
}

/// Why a table was not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFileError {
    /// Counting did not come to its end.
    Count(CountError),
    /// The bins do not fit the plan.
    Table(TableError),
    /// A file could not be written.
    Write(WriteError),
}

impl fmt::Display for TableFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFileError::Count(error) => error.fmt(f),
            TableFileError::Table(error) => error.fmt(f),
            TableFileError::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TableFileError {}

impl From<CountError> for TableFileError {
    fn from(error: CountError) -> Self {
        TableFileError::Count(error)
    }
}

impl From<TableError> for TableFileError {
    fn from(error: TableError) -> Self {
        TableFileError::Table(error)
    }
}

impl From<WriteError> for TableFileError {
    fn from(error: WriteError) -> Self {
        TableFileError::Write(error)
    }
}

/// Writes all published bins to `counts.csv`, `counts.parquet` and `counts.arrow`, whichever are asked for, and their totals
/// to `margins.csv` and so on.
pub fn write_tables(
    table: &mut Table<'_>,
    plan: &Plan,
    published: impl Iterator<Item = Result<PublishedBatch, CountError>>,
    aside: &Aside,
) -> Result<WrittenRelease, TableFileError> {
    if plan.publishes_rows() {
        return write_rows(table, plan, published, aside);
    }
    let formats = &plan.request.output.formats;
    let mut margins = Margins::of(plan);
    let mut timeline = Timeline::of(plan);
    // Found keys have the types of the first rows; without rows they are text.
    let mut files = None;
    for batch in published {
        let rows = table.rows(&batch?)?;
        let files = match &mut files {
            Some(files) => files,
            None => files.insert(TableFiles::create("counts", formats, &table.schema(), aside)?),
        };
        files.write(&rows)?;
        if margins.is_some() || timeline.is_some() {
            let mut text = CsvText::new();
            let mut lines = Lines::new(text.rows(&rows)?);
            while let Some(row) = lines.next().map_err(|_| WriteError::Other)? {
                if let Some(margins) = &mut margins {
                    margins.add(&row, table.reading());
                }
                if let Some(timeline) = &mut timeline {
                    timeline.see(&row);
                }
            }
        }
    }
    let files = match files {
        Some(files) => files,
        None => TableFiles::create("counts", formats, &table.schema(), aside)?,
    };
    let Written { mut tables, glance: counts } = files.finish()?;
    let lines = timeline.map(Timeline::largest).unwrap_or_default();
    let margins = match margins {
        None => None,
        Some(margins) => {
            let rows = margins.rows(&plan.request.bins).ok_or(WriteError::Other)?;
            let mut files = TableFiles::create("margins", formats, &margins.schema(), aside)?;
            files.write(&rows)?;
            let written = files.finish()?;
            tables.extend(written.tables);
            Some(written.glance)
        }
    };
    Ok(WrittenRelease { tables, glances: Glances { counts, margins, density: None, lines } })
}

/// Writes each kind of row, or each point, as often as people have it, to `rows.csv` or `points.csv` and so on.
fn write_rows(
    table: &mut Table<'_>,
    plan: &Plan,
    published: impl Iterator<Item = Result<PublishedBatch, CountError>>,
    aside: &Aside,
) -> Result<WrittenRelease, TableFileError> {
    let formats = &plan.request.output.formats;
    let mut files = None;
    let mut glance = Glance::of_kinds(plan);
    let mut density = Density::of(plan);
    for batch in published {
        let batch = batch?;
        let kinds = table.key_rows(&batch)?;
        let files = match &mut files {
            Some(files) => files,
            None => files.insert(TableFiles::create(plan.main_table(), formats, &table.key_schema(), aside)?),
        };
        let mut text = CsvText::new();
        let mut lines = Lines::new(text.rows(&kinds)?);
        for (place, shown) in batch.shown.iter().enumerate() {
            let kind = lines.next().map_err(|_| WriteError::Other)?.ok_or(WriteError::Other)?;
            let Outcome::Value(people) = shown.outcome else { continue };
            let people = u64::try_from(people).unwrap_or(0);
            let row = kinds.slice(place, 1);
            for _ in 0..people {
                files.write(&row)?;
            }
            if let Some(density) = &mut density {
                density.see(&kind, people);
            }
            glance.see_alike(kind, people);
        }
    }
    let files = match files {
        Some(files) => files,
        None => TableFiles::create(plan.main_table(), formats, &table.key_schema(), aside)?,
    };
    let Written { tables, .. } = files.finish()?;
    Ok(WrittenRelease {
        tables,
        glances: Glances {
            counts: glance,
            margins: None,
            density: density.map(|density| (density.glance(), density.outside())),
            lines: Vec::new(),
        },
    })
}

/// The files of one table, being written.
pub struct TableFiles {
    chunks: Chunks,
    files: Vec<(String, TableFile)>,
    glance: Glance,
    /// Whether anything was written: a table without rows has its columns all the same.
    written: bool,
}

/// One file, being written.
enum TableFile {
    Csv(CsvText, Hashed),
    Parquet(Box<ArrowWriter<Hashed>>),
    Arrow(Box<FileWriter<Hashed>>),
}

impl TableFiles {
    /// Opens a file for each format, `stem.csv` and so on.
    pub fn create(stem: &str, formats: &[Format], schema: &SchemaRef, aside: &Aside) -> Result<Self, WriteError> {
        let open = |format: &Format| {
            let name = format!("{stem}.{}", format.as_str());
            let file = aside.file(&name)?;
            Ok((name, TableFile::create(*format, file, schema)?))
        };
        Ok(TableFiles {
            chunks: Chunks::new(schema, ROWS_AT_A_TIME)?,
            files: formats.iter().map(open).collect::<Result<_, WriteError>>()?,
            glance: Glance::new(schema.fields().iter().map(|field| field.name().clone()).collect()),
            written: false,
        })
    }

    /// Appends rows.
    pub fn write(&mut self, rows: &RecordBatch) -> Result<(), WriteError> {
        let mut from = 0;
        while from < rows.num_rows() {
            from += self.chunks.append(rows, from)?;
            if self.chunks.is_full() {
                self.write_chunk()?;
            }
        }
        Ok(())
    }

    /// Writes what is left and closes all files.
    pub fn finish(mut self) -> Result<Written, WriteError> {
        if !self.chunks.is_empty() || !self.written {
            self.write_chunk()?;
        }
        let close = |(name, file): (String, TableFile)| Ok(WrittenTable { name, sha256: file.finish()? });
        let tables = self.files.into_iter().map(close).collect::<Result<_, WriteError>>()?;
        Ok(Written { tables, glance: self.glance })
    }

    fn write_chunk(&mut self) -> Result<(), WriteError> {
        let chunk = self.chunks.take()?;
        for (_, file) in &mut self.files {
            file.write(&chunk)?;
        }
        self.written = true;
        self.glance.see_batch(&chunk)
    }
}

impl TableFile {
    fn create(format: Format, file: File, schema: &SchemaRef) -> Result<Self, WriteError> {
        let mut hashed = Hashed::new(file);
        let failure = hashed.failure();
        Ok(match format {
            Format::Csv => {
                let mut text = CsvText::new();
                let head = text.header(schema);
                hashed.write_all(head).map_err(|_| failure.error())?;
                TableFile::Csv(text, hashed)
            }
            Format::Parquet => {
                let level = ZstdLevel::try_new(1).map_err(|_| WriteError::Other)?;
                let properties = WriterProperties::builder()
                    .set_created_by(concat!("incrowd ", env!("CARGO_PKG_VERSION")).into())
                    .set_compression(Compression::ZSTD(level))
                    .set_max_row_group_row_count(Some(ROWS_PER_GROUP))
                    .build();
                let options = ArrowWriterOptions::new().with_properties(properties);
                let writer = ArrowWriter::try_new_with_options(hashed, schema.clone(), options);
                TableFile::Parquet(Box::new(writer.map_err(|_| failure.error())?))
            }
            Format::Arrow => {
                let writer = FileWriter::try_new(hashed, schema);
                TableFile::Arrow(Box::new(writer.map_err(|_| failure.error())?))
            }
        })
    }

    fn write(&mut self, chunk: &RecordBatch) -> Result<(), WriteError> {
        match self {
            TableFile::Csv(text, hashed) => {
                let failure = hashed.failure();
                hashed.write_all(text.rows(chunk)?).map_err(|_| failure.error())
            }
            TableFile::Parquet(writer) => {
                let failure = writer.inner().failure();
                writer.write(chunk).map_err(|_| failure.error())
            }
            TableFile::Arrow(writer) => {
                let failure = writer.get_ref().failure();
                writer.write(chunk).map_err(|_| failure.error())
            }
        }
    }

    /// Closes the file and returns its hash.
    fn finish(self) -> Result<String, WriteError> {
        match self {
            TableFile::Csv(_, hashed) => hashed.finish(),
            TableFile::Parquet(writer) => {
                let failure = writer.inner().failure();
                writer.into_inner().map_err(|_| failure.error())?.finish()
            }
            TableFile::Arrow(writer) => {
                let failure = writer.get_ref().failure();
                writer.into_inner().map_err(|_| failure.error())?.finish()
            }
        }
    }
}

/// A table that is written again, to see whether a file holds its rows and nothing else.
pub(crate) struct Again {
    chunks: Chunks,
    file: TableFile,
    written: bool,
}

impl Again {
    /// Makes ready for rows of these columns.
    pub(crate) fn new(format: Format, schema: &SchemaRef) -> Result<Self, WriteError> {
        let file = tempfile::tempfile().map_err(|_| WriteError::Other)?;
        let file = TableFile::create(format, file, schema)?;
        Ok(Again { chunks: Chunks::new(schema, ROWS_AT_A_TIME)?, file, written: false })
    }

    /// Appends rows.
    pub(crate) fn write(&mut self, rows: &RecordBatch) -> Result<(), WriteError> {
        let mut from = 0;
        while from < rows.num_rows() {
            from += self.chunks.append(rows, from)?;
            if self.chunks.is_full() {
                self.file.write(&self.chunks.take()?)?;
                self.written = true;
            }
        }
        Ok(())
    }

    /// Returns the hash of the whole file.
    pub(crate) fn finish(mut self) -> Result<String, WriteError> {
        if !self.chunks.is_empty() || !self.written {
            self.file.write(&self.chunks.take()?)?;
        }
        self.file.finish()
    }
}

#[cfg(test)]
mod tests;
