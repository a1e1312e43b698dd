//! Workbooks of Excel and LibreOffice: sheets, the names in the first row of one, and its rows.
//!
//! Before the charge a sheet is read up to the end of its first row, and its shared texts up to the last that this row
//! uses; what comes before is passed over and forgotten. It must never hold a sheet in memory, nor let a cell's look
//! decide what it is beyond being a day. It is separate because a workbook is an archive of documents, and not a file
//! of rows ([decision 24](../../../../docs/decisions/0024-sources.md)). Read `workbook/xlsx.rs` and `workbook/ods.rs`.

mod ods;
mod strings;
mod styles;
mod xlsx;
mod xml;

use super::zipped::{Zipped, files};
use super::{Format, OneFile, Seekable};
use incrowd_engine::{Dialect, Header, Sign, Watch};
use std::io;
use std::sync::Arc;
use xml::{Xml, damaged};

/// Most columns that a sheet may have: as many as Excel and LibreOffice give it.
const MOST_COLUMNS: usize = 16_384;

/// Most rows, likewise.
const MOST_ROWS: u64 = 1_048_576;

/// How long the texts of one row may be together.
const LONGEST_ROW: usize = 16 << 20;

/// The cells of a row that hold something, by their columns.
pub(crate) type SheetRow = Vec<(usize, String)>;

/// Why the columns of a sheet cannot be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoColumns {
    /// The file is damaged, or is no workbook.
    Damaged,
    /// There is no sheet of this name, but these.
    NoSheet(Vec<String>),
    /// Its texts are longer than may be held in memory.
    TooLong,
}

impl From<io::Error> for NoColumns {
    fn from(_: io::Error) -> NoColumns {
        NoColumns::Damaged
    }
}

/// Returns the columns of a sheet that have names, and their names.
pub(crate) fn columns(file: &OneFile, format: Format, dialect: &Dialect) -> Result<Vec<(usize, String)>, NoColumns> {
    let archive = Archive::of(file)?;
    let first = match format {
        Format::Ods => ods::first_row(&archive, dialect)?,
        _ => xlsx::first_row(&archive, dialect)?,
    };
    let columns = named(first, dialect.header);
    if columns.is_empty() { Err(NoColumns::Damaged) } else { Ok(columns) }
}

/// Names columns by the first row, or by their places where that is a row like any other. A column without a name is
/// not read: nothing can ask for it.
fn named(first: SheetRow, header: Header) -> Vec<(usize, String)> {
    match header {
        Header::Names => first.into_iter().filter(|(_, name)| !name.is_empty()).collect(),
        Header::Row => {
            let width = first.last().map_or(0, |(column, _)| column + 1);
            (0..width).map(|column| (column, format!("column{}", column + 1))).collect()
        }
    }
}

/// A sheet, read row by row.
pub(crate) struct Sheet {
    rows: Rows,
    /// The first row, where it holds no names.
    first: Option<SheetRow>,
    /// Where the named columns are.
    columns: Vec<(usize, String)>,
}

enum Rows {
    Xlsx(Box<xlsx::Rows>),
    Ods(Box<ods::Rows>),
}

impl Sheet {
    /// Opens a sheet and reads its first row.
    pub(crate) fn open(file: &OneFile, format: Format, dialect: &Dialect, watch: Arc<dyn Watch>) -> io::Result<Sheet> {
        let archive = Archive { watch, ..Archive::of(file)? };
        let mut rows = Rows::open(&archive, format, dialect)?;
        let first = rows.next()?.ok_or_else(damaged)?;
        let columns = named(first.clone(), dialect.header);
        let first = match dialect.header {
            Header::Names => None,
            Header::Row => Some(first),
        };
        Ok(Sheet { rows, first, columns })
    }

    /// Returns the columns that have names, and their names.
    pub(crate) fn columns(&self) -> &[(usize, String)] {
        &self.columns
    }

    /// Returns how many of the cells so far have a formula of which the file holds no result.
    pub(crate) fn uncomputed(&self) -> u64 {
        match &self.rows {
            Rows::Xlsx(rows) => rows.uncomputed(),
            Rows::Ods(rows) => rows.uncomputed(),
        }
    }

    /// Returns the next row that holds something in a named column.
    pub(crate) fn next(&mut self) -> io::Result<Option<SheetRow>> {
        loop {
            let row = match self.first.take() {
                Some(first) => Some(first),
                None => self.rows.next()?,
            };
            let Some(row) = row else { return Ok(None) };
            let is_named = |column: usize| self.columns.binary_search_by_key(&column, |(column, _)| *column).is_ok();
            if row.iter().any(|(column, text)| !text.is_empty() && is_named(*column)) {
                return Ok(Some(row));
            }
        }
    }
}

/// How many cells of one of the first rows of a sheet hold something.
pub(crate) struct CellsInRow {
    /// The number of the row, from 1.
    pub(crate) number: u64,
    pub(crate) cells: usize,
}

/// Returns how many cells hold something in each of the first rows that hold anything.
pub(crate) fn first_widths(
    file: &OneFile,
    format: Format,
    dialect: &Dialect,
    most: usize,
) -> io::Result<Vec<CellsInRow>> {
    let mut rows = Rows::open(&Archive::of(file)?, format, dialect)?;
    let mut widths = Vec::new();
    while widths.len() < most {
        let Some(row) = rows.next()? else { break };
        widths.push(CellsInRow { number: rows.number(), cells: row.len() });
    }
    Ok(widths)
}

impl Rows {
    fn open(archive: &Archive, format: Format, dialect: &Dialect) -> io::Result<Rows> {
        Ok(match format {
            Format::Ods => Rows::Ods(Box::new(ods::Rows::open(archive, dialect)?)),
            _ => Rows::Xlsx(Box::new(xlsx::Rows::open(archive, dialect)?)),
        })
    }

    fn number(&self) -> u64 {
        match self {
            Rows::Xlsx(rows) => rows.number(),
            Rows::Ods(rows) => rows.number(),
        }
    }

    fn next(&mut self) -> io::Result<Option<SheetRow>> {
        match self {
            Rows::Xlsx(rows) => rows.next(),
            Rows::Ods(rows) => rows.next(),
        }
    }
}

/// A workbook as an archive of documents.
struct Archive {
    bytes: Seekable,
    files: Vec<Zipped>,
    watch: Arc<dyn Watch>,
}

impl Archive {
    fn of(file: &OneFile) -> io::Result<Archive> {
        let bytes = file.seekable()?;
        let files = files(&bytes).ok_or_else(damaged)?;
        Ok(Archive { bytes, files, watch: Arc::new(incrowd_engine::Unwatched) })
    }

    fn find(&self, name: &str) -> Option<&Zipped> {
        let is_meant = |file: &&Zipped| file.name.trim_start_matches('/').eq_ignore_ascii_case(name);
        self.files.iter().find(is_meant)
    }

    /// Returns a document, if there is one of this name.
    fn document(&self, name: &str) -> io::Result<Option<Xml>> {
        let Some(file) = self.find(name) else { return Ok(None) };
        Ok(Some(Xml::new(file.open(&self.bytes, Arc::clone(&self.watch))?)))
    }

    fn needed(&self, name: &str) -> io::Result<Xml> {
        self.document(name)?.ok_or_else(damaged)
    }
}

/// The cells of a row as they are put together, within bounds.
struct RowCells<C> {
    cells: Vec<(usize, C)>,
    bytes: usize,
}

impl<C> RowCells<C> {
    fn new() -> RowCells<C> {
        RowCells { cells: Vec::new(), bytes: 0 }
    }

    fn push(&mut self, column: usize, cell: C, bytes: usize) -> io::Result<()> {
        self.bytes = self.bytes.saturating_add(bytes);
        if column >= MOST_COLUMNS || self.bytes > LONGEST_ROW {
            return Err(damaged());
        }
        // Cells come in order, each once.
        if self.cells.last().is_some_and(|(last, _)| *last >= column) {
            return Err(damaged());
        }
        self.cells.push((column, cell));
        Ok(())
    }
}

/// How numbers are spelled in a request's dialect.
fn decimal(dialect: &Dialect) -> Option<Sign> {
    dialect.decimal
}
