//! The files of a table: CSV, Parquet, Arrow and workbooks, written as rows arrive and hashed on the way.
//!
//! Rows are gathered into chunks of one fixed size before anything is written, so that pages, groups and bytes depend
//! on the published rows alone; a file must never show how many bins were found but not published. It is separate from
//! `write.rs` because a verifier writes the same rows again. Read `files/chunks.rs` next, then `csv/text.rs` and
//! `files/workbook.rs`.

mod chunks;
mod digest;
mod plain_workbook;
mod workbook;

pub use digest::hex;
pub use plain_workbook::{PlainCell, PlainColumn, PlainSheet, plain_workbook};

pub(crate) use workbook::{SheetColumns, Sheets};

use crate::csv::{CellOf, CsvText, KeyPlaces, Spelling};
use crate::glance::Glance;
use crate::request::Format;
use crate::table::Beside;
use crate::write_error::WriteError;
use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use arrow_schema::SchemaRef;
use chunks::Chunks;
use digest::Hashed;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::io::Write;

/// How many rows are written at a time.
const ROWS_AT_A_TIME: usize = 8192;
/// How many rows a Parquet row group holds.
const ROWS_PER_GROUP: usize = 1 << 20;

/// A folder that files are made in.
pub trait NewFiles {
    /// Opens a new file.
    fn file(&self, name: &str) -> Result<File, WriteError>;
}

/// Files without names, which vanish when they are closed: to see what would be written.
pub(crate) struct Nameless;

impl NewFiles for Nameless {
    fn file(&self, _name: &str) -> Result<File, WriteError> {
        tempfile::tempfile().map_err(|error| WriteError::of(&error))
    }
}

/// A table's file, complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenTable {
    /// Its name in the folder.
    pub name: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// All files of a table, complete but for the workbook, which holds other tables, too.
pub(crate) struct WrittenTables {
    /// In the order in which the formats were asked for.
    pub(crate) tables: Vec<WrittenTable>,
    /// What the report shows of it.
    pub(crate) glance: Glance,
    /// The workbook, if one was asked for.
    pub(crate) workbook: Option<Sheets>,
}

/// How the columns of a table are written.
#[derive(Debug, Clone)]
pub(crate) struct FileLayout {
    /// How texts and missing values are spelt, where there are no types.
    pub(crate) spelling: Spelling,
    /// Where the keys stand.
    pub(crate) places: KeyPlaces,
    /// What stands beside keys, where there are types.
    pub(crate) beside: Beside,
    /// Where counts begin, if uncertain ones look otherwise: the count, then both ends of its interval.
    pub(crate) uncertain_from: Option<usize>,
}

impl FileLayout {
    /// What the columns of a file with types hold, of so many.
    fn columns(&self, columns: usize) -> SheetColumns {
        let mut keys = vec![CellOf::Rest; columns];
        let places = self.beside.places(columns);
        for (own, place) in places.iter().enumerate() {
            keys[*place] = self.places.cell(own, true);
        }
        SheetColumns { keys, uncertain_from: self.uncertain_from.and_then(|own| places.get(own).copied()) }
    }
}

/// The files of one table, being written.
pub(crate) struct TableFiles {
    chunks: Chunks,
    layout: FileLayout,
    files: Vec<(String, TableFile)>,
    workbook: Option<Sheets>,
    glance: Glance,
    /// Whether anything was written: a table without rows has its columns all the same.
    written: bool,
}

/// One file, being written.
#[expect(clippy::large_enum_variant, reason = "there are as many as formats, and none is moved often")]
enum TableFile {
    Csv(CsvText, Hashed),
    Parquet(Box<ArrowWriter<Hashed>>),
    Arrow(Box<FileWriter<Hashed>>),
}

impl TableFiles {
    /// Opens a file for each format but a workbook, `stem.csv` and so on.
    pub(crate) fn create(
        stem: &str,
        formats: &[Format],
        (schema, layout): (&SchemaRef, FileLayout),
        folder: &dyn NewFiles,
    ) -> Result<Self, WriteError> {
        let (mut files, mut workbook) = (Vec::new(), None);
        for format in formats {
            match *format {
                Format::Xlsx => {
                    let typed = layout.beside.schema(schema);
                    workbook = Some(Sheets::new(stem, &typed, layout.columns(typed.fields().len()), &layout.spelling)?);
                }
                Format::Csv | Format::Parquet | Format::Arrow => {
                    let name = format!("{stem}.{}", format.as_str());
                    let file = folder.file(&name)?;
                    files.push((name, TableFile::create(*format, file, schema, &layout)?));
                }
            }
        }
        Ok(TableFiles {
            chunks: Chunks::new(schema, ROWS_AT_A_TIME)?,
            layout,
            files,
            workbook,
            glance: Glance::new(schema.fields().iter().map(|field| field.name().clone()).collect()),
            written: false,
        })
    }

    /// Appends rows.
    pub(crate) fn write(&mut self, rows: &RecordBatch) -> Result<(), WriteError> {
        let mut from = 0;
        while from < rows.num_rows() {
            from += self.chunks.append(rows, from)?;
            if self.chunks.is_full() {
                self.write_chunk()?;
            }
        }
        Ok(())
    }

    /// Writes what is left and closes all files but the workbook.
    pub(crate) fn finish(mut self) -> Result<WrittenTables, WriteError> {
        if !self.chunks.is_empty() || !self.written {
            self.write_chunk()?;
        }
        let close = |(name, file): (String, TableFile)| Ok(WrittenTable { name, sha256: file.finish()? });
        let tables = self.files.into_iter().map(close).collect::<Result<_, WriteError>>()?;
        Ok(WrittenTables { tables, glance: self.glance, workbook: self.workbook })
    }

    fn write_chunk(&mut self) -> Result<(), WriteError> {
        let chunk = self.chunks.take()?;
        let typed = self.layout.beside.rows(&chunk).ok_or(WriteError::Other)?;
        for (_, file) in &mut self.files {
            file.write(&chunk, &typed)?;
        }
        if let Some(workbook) = &mut self.workbook {
            workbook.write(&typed)?;
        }
        self.written = true;
        self.glance.see_batch(&chunk)
    }
}

impl TableFile {
    fn create(format: Format, file: File, schema: &SchemaRef, layout: &FileLayout) -> Result<Self, WriteError> {
        let mut hashed = Hashed::new(file);
        let failure = hashed.failure();
        let typed = layout.beside.schema(schema);
        Ok(match format {
            Format::Csv => {
                let mut text = CsvText::spelt(layout.spelling.clone(), layout.places);
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
                let writer = ArrowWriter::try_new_with_options(hashed, typed, options);
                TableFile::Parquet(Box::new(writer.map_err(|_| failure.error())?))
            }
            Format::Arrow => {
                let writer = FileWriter::try_new(hashed, &typed);
                TableFile::Arrow(Box::new(writer.map_err(|_| failure.error())?))
            }
            // All tables of a release share one workbook.
            Format::Xlsx => return Err(WriteError::Other),
        })
    }

    /// Appends rows, given without types and with them.
    fn write(&mut self, chunk: &RecordBatch, typed: &RecordBatch) -> Result<(), WriteError> {
        match self {
            TableFile::Csv(text, hashed) => {
                let failure = hashed.failure();
                hashed.write_all(text.rows(chunk)?).map_err(|_| failure.error())
            }
            TableFile::Parquet(writer) => {
                let failure = writer.inner().failure();
                writer.write(typed).map_err(|_| failure.error())
            }
            TableFile::Arrow(writer) => {
                let failure = writer.get_ref().failure();
                writer.write(typed).map_err(|_| failure.error())
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
    layout: FileLayout,
    file: TableFile,
    written: bool,
}

impl Again {
    /// Makes ready for rows of these columns.
    pub(crate) fn new(format: Format, schema: &SchemaRef, layout: FileLayout) -> Result<Self, WriteError> {
        let file = tempfile::tempfile().map_err(|_| WriteError::Other)?;
        let file = TableFile::create(format, file, schema, &layout)?;
        Ok(Again { chunks: Chunks::new(schema, ROWS_AT_A_TIME)?, layout, file, written: false })
    }

    /// Appends rows.
    pub(crate) fn write(&mut self, rows: &RecordBatch) -> Result<(), WriteError> {
        let mut from = 0;
        while from < rows.num_rows() {
            from += self.chunks.append(rows, from)?;
            if self.chunks.is_full() {
                self.write_chunk()?;
            }
        }
        Ok(())
    }

    /// Returns the hash of the whole file.
    pub(crate) fn finish(mut self) -> Result<String, WriteError> {
        if !self.chunks.is_empty() || !self.written {
            self.write_chunk()?;
        }
        self.file.finish()
    }

    fn write_chunk(&mut self) -> Result<(), WriteError> {
        let chunk = self.chunks.take()?;
        let typed = self.layout.beside.rows(&chunk).ok_or(WriteError::Other)?;
        self.written = true;
        self.file.write(&chunk, &typed)
    }
}

#[cfg(test)]
mod tests;
