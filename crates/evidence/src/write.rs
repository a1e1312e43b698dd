//! All tables of a release: its counts, rows or points, and the totals of what is counted.
//!
//! It must never write anything that does not follow from the plan and the published bins. It is separate from
//! `files.rs` because the same rows go to every format, to totals and to the report. Read `files.rs` next.

use crate::about::about;
use crate::certificate::Randomness;
use crate::csv::{CsvText, Lines};
use crate::density::Density;
use crate::files::{FileLayout, NewFiles, Sheets, TableFiles, WrittenTable, WrittenTables};
use crate::glance::Glance;
use crate::kinds::{PeopleTable, TableRows};
use crate::margins::Margins;
use crate::plan::Plan;
use crate::request::{Format, Unit};
use crate::table::{KeyType, Table, TableError};
use crate::timeline::{Timeline, TimelineLine};
use crate::totals::{TotalsTable, WrittenTotals, write_totals};
use crate::write_error::WriteError;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use incrowd_privacy::Outcome;
use incrowd_published::{CountError, MOST_LINES, PublishedBatch};
use std::fmt;

/// All tables of a release, complete.
#[derive(Debug, Clone)]
pub struct WrittenRelease {
    /// All files: counts, then what is made of their rows, then the workbook that holds all.
    pub tables: Vec<WrittenTable>,
    /// The types of the keys.
    pub key_types: Vec<KeyType>,
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
    /// The table in which totals are the sums of their cells, where one is made.
    pub consistent: Option<Glance>,
    /// Medians, quantiles and means of a number that is cut into bands, where they are made.
    pub statistics: Option<Glance>,
    /// Where published points lie, and how many lie in no cell.
    pub density: Option<(Option<Glance>, u64)>,
    /// The largest keys of a series over time.
    pub lines: Vec<TimelineLine>,
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

/// Writes all published bins to `counts.csv`, `counts.parquet` and `counts.arrow`, whichever are asked for, and their
/// totals to `margins.csv` and so on, to `consistent.csv` where they are made to add up, and statistics to
/// `statistics.csv`; `counts.xlsx` holds all.
pub fn write_tables(
    table: &mut Table<'_>,
    plan: &Plan,
    published: impl Iterator<Item = Result<PublishedBatch, CountError>>,
    randomness: Randomness,
    folder: &dyn NewFiles,
) -> Result<WrittenRelease, TableFileError> {
    match plan.kind().rows() {
        TableRows::Bins | TableRows::Items(_) => {}
        TableRows::People(people) => return write_rows(table, (plan, people), published, randomness, folder),
    }
    let mut margins = Margins::of(plan);
    let mut timeline = Timeline::of(plan);
    // Found keys have the types of the first rows; without rows they are text.
    let mut files = None;
    for batch in published {
        let rows = table.rows(&batch?)?;
        let files = match &mut files {
            Some(files) => files,
            None => files.insert(create(plan, table, &table.schema(), folder)?),
        };
        files.write(&rows)?;
        if margins.is_some() || timeline.is_some() {
            let mut text = CsvText::bare();
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
        None => create(plan, table, &table.schema(), folder)?,
    };
    let WrittenTables { mut tables, glance: counts, workbook } = files.finish()?;
    let lines = timeline.map(Timeline::largest).unwrap_or_default();
    let WrittenTotals { tables: others, sheets: totals, glances: [margins, consistent, statistics] } =
        write_totals((plan, table), margins.as_ref(), folder)?;
    tables.extend(others);
    tables.extend(finish_workbook((plan, table), workbook, &totals, randomness, folder)?);
    let glances = Glances { counts, margins, consistent, statistics, density: None, lines };
    Ok(WrittenRelease { tables, key_types: table.key_types(), glances })
}

/// Opens the files of the main table.
fn create(plan: &Plan, table: &Table<'_>, schema: &SchemaRef, folder: &dyn NewFiles) -> Result<TableFiles, WriteError> {
    TableFiles::create(plan.kind().table(), &plan.request().output.formats, (schema, main_layout(table)), folder)
}

/// How the columns of the main table are written.
pub(crate) fn main_layout(table: &Table<'_>) -> FileLayout {
    FileLayout {
        spelling: table.spelling().clone(),
        places: table.places(),
        beside: table.beside().clone(),
        uncertain_from: table.uncertain_from(),
    }
}

/// Closes the workbook, where there is one.
fn finish_workbook(
    (plan, table): (&Plan, &Table<'_>),
    workbook: Option<Sheets>,
    totals: &[(TotalsTable, RecordBatch)],
    randomness: Randomness,
    folder: &dyn NewFiles,
) -> Result<Option<WrittenTable>, WriteError> {
    let Some(workbook) = workbook else { return Ok(None) };
    let name = format!("{}.{}", plan.kind().table(), Format::Xlsx.as_str());
    let words = about(plan, table, totals, randomness);
    let sheets = totals.iter().map(|(table, rows)| (table.sheet(), table.label_places(plan), rows));
    let sha256 = workbook.finish(sheets, &words, folder.file(&name)?)?;
    Ok(Some(WrittenTable { name, sha256 }))
}

/// Writes each kind of row, or each point, as often as people have it, to `rows.csv` or `points.csv` and so on.
fn write_rows(
    table: &mut Table<'_>,
    (plan, people): (&Plan, &dyn PeopleTable),
    published: impl Iterator<Item = Result<PublishedBatch, CountError>>,
    randomness: Randomness,
    folder: &dyn NewFiles,
) -> Result<WrittenRelease, TableFileError> {
    let is_weighted = matches!(plan.request().data.as_ref().map(|data| &data.unit), Some(Unit::People { .. }));
    let most_lines = if is_weighted { MOST_LINES } else { u64::MAX };
    let (mut files, mut written) = (None, 0u64);
    let mut glance = Glance::of_kinds(plan);
    let mut density = Density::of(people);
    for batch in published {
        let batch = batch?;
        let kinds = table.key_rows(&batch)?;
        let files = match &mut files {
            Some(files) => files,
            None => files.insert(create(plan, table, &table.key_schema(), folder)?),
        };
        let mut text = CsvText::bare();
        let mut lines = Lines::new(text.rows(&kinds)?);
        for (place, shown) in batch.shown.iter().enumerate() {
            let kind = lines.next().map_err(|_| WriteError::Other)?.ok_or(WriteError::Other)?;
            let Outcome::Value(people) = shown.outcome else { continue };
            let people = u64::try_from(people).unwrap_or(0);
            written = written.saturating_add(people);
            // By what is published alone: that it is too much says nothing else.
            if written > most_lines {
                return Err(CountError::Failed.into());
            }
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
        None => create(plan, table, &table.key_schema(), folder)?,
    };
    let WrittenTables { mut tables, workbook, .. } = files.finish()?;
    tables.extend(finish_workbook((plan, table), workbook, &[], randomness, folder)?);
    Ok(WrittenRelease {
        tables,
        key_types: table.key_types(),
        glances: Glances {
            counts: glance,
            margins: None,
            consistent: None,
            statistics: None,
            density: density.map(|density| (density.glance(), density.outside())),
            lines: Vec::new(),
        },
    })
}
