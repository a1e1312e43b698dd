//! A second pass, only where something cannot be read: the lines or rows of the first such values.
//!
//! Files are read one after the other, up to the last value that is wanted; it must never be run where nothing is
//! wrong. It is separate from the first pass, whose threads do not know how many rows came before theirs. Read
//! `records.rs` for lines.

use super::examine::{Examiner, held, text_of};
use super::findings::{Spot, SpotInFile};
use super::opened_text::opened_text;
use super::read_steps::Stages;
use super::records::{RecordSeen, each_record};
use super::words::shortened;
use crate::file::Signs;
use crate::ready::Ready;
use crate::scan::partitions;
use crate::source::{Files, Format, OneFile};
use arrow_array::RecordBatch;
use datafusion_common::Result;
use datafusion_execution::TaskContext;
use futures::StreamExt;
use incrowd_engine::written::TextReading;
use incrowd_engine::{BadRows, Header, Unwatched};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// So many values are shown of each column.
const SHOWN: usize = 5;

/// A value that cannot be read, and where it stands.
#[derive(Clone)]
pub(super) struct Located {
    file: usize,
    place: SpotInFile,
    pub(super) value: String,
}

impl Located {
    /// Returns where it stands.
    pub(super) fn spot(&self, files: &Files) -> Spot {
        Spot { file: file_name(files, self.file), place: self.place }
    }
}

/// Returns the name of a file, where there are several.
pub(super) fn file_name(files: &Files, place: usize) -> Option<String> {
    let file = files.files.get(place).filter(|_| files.files.len() > 1)?;
    file.path.file_name().map(|name| name.to_string_lossy().into_owned())
}

/// Returns the first values that cannot be read at each step, of which there are so many.
pub(super) fn first_unread(ready: &Ready, texts: &BTreeMap<String, TextReading>, unread: &[u64]) -> Vec<Vec<Located>> {
    let wanted: Vec<u64> = unread.iter().map(|rows| (*rows).min(SHOWN as u64)).collect();
    let mut found: Vec<Vec<Located>> = vec![Vec::new(); wanted.len()];
    if wanted.iter().any(|wanted| *wanted > 0) {
        // What was read a moment ago and cannot be read again is shown without its place.
        let _ = locate(ready, texts, &wanted, &mut found);
    }
    found
}

fn locate(
    ready: &Ready,
    texts: &BTreeMap<String, TextReading>,
    wanted: &[u64],
    found: &mut [Vec<Located>],
) -> Result<()> {
    for (place, file) in ready.files.files.iter().enumerate() {
        let files = ready.files.only(file);
        let rows = in_file(ready, &files, texts, place, wanted, found)?;
        let lines = match ready.files.format {
            Format::Csv | Format::Tsv => lines(&ready.files, file, &rows)?,
            _ => BTreeMap::new(),
        };
        for located in found.iter_mut().flatten().filter(|located| located.file == place) {
            located.place = match (located.place, ready.files.format) {
                (SpotInFile::Row(row), Format::Json) => SpotInFile::Object(row),
                (SpotInFile::Row(row), _) => lines.get(&row).map_or(located.place, |line| SpotInFile::Line(*line)),
                (place @ (SpotInFile::Line(_) | SpotInFile::Object(_) | SpotInFile::End), _) => place,
            };
        }
        if is_enough(wanted, found) {
            break;
        }
    }
    Ok(())
}

fn is_enough(wanted: &[u64], found: &[Vec<Located>]) -> bool {
    wanted.iter().zip(found).all(|(wanted, found)| found.len() as u64 >= *wanted)
}

/// Finds values in one file, and returns their rows, from 1.
fn in_file(
    ready: &Ready,
    files: &Files,
    texts: &BTreeMap<String, TextReading>,
    place: usize,
    wanted: &[u64],
    found: &mut [Vec<Located>],
) -> Result<Vec<u64>> {
    let (delivered, streams) = partitions(files, Arc::clone(&ready.wanted), 1, ready.batch_rows, Arc::new(Unwatched))?;
    let examiner = Examiner::of(&ready.query, &delivered, texts)?;
    let Some(stream) = streams.first() else { return Ok(Vec::new()) };
    let mut stream = stream.execute(Arc::new(TaskContext::default()));
    let (mut before, mut rows) = (0u64, Vec::new());
    while let Some(batch) = futures::executor::block_on(stream.next()) {
        let batch = batch?;
        for (step, row, value) in unread(&examiner, &batch)? {
            let room = found.get_mut(step).filter(|found| (found.len() as u64) < wanted[step]);
            if let Some(found) = room {
                let row = before + row as u64 + 1;
                rows.push(row);
                found.push(Located { file: place, place: SpotInFile::Row(row), value });
            }
        }
        if is_enough(wanted, found) {
            break;
        }
        before += batch.num_rows() as u64;
    }
    Ok(rows)
}

/// Returns the first values of a batch that cannot be read, with their steps and rows.
fn unread(examiner: &Examiner, batch: &RecordBatch) -> Result<Vec<(usize, usize, String)>> {
    let typed = examiner.typed(batch)?;
    let truth = examiner.rows.truth(&typed)?;
    let values = examiner.rows.values(&typed)?;
    let stages = Stages { delivered: batch, readings: &examiner.readings, typed: &typed, values: &values };
    let held = truth.as_ref().map(held);
    let mut found = Vec::new();
    for (place, step) in examiner.steps.iter().enumerate() {
        let (Some(unread), Some(before)) = (step.unread(&stages), step.before(&stages)) else { continue };
        let counts = |row: &usize| step.is_declared() || held.as_ref().is_none_or(|held| held.value(*row));
        for row in unread.set_indices().filter(counts).take(SHOWN) {
            found.push((place, row, shortened(&text_of(before, row)?).to_owned()));
        }
    }
    Ok(found)
}

/// Returns the lines on which rows begin.
fn lines(files: &Files, file: &OneFile, rows: &[u64]) -> Result<BTreeMap<u64, u64>> {
    let Some(last) = rows.iter().max().copied() else { return Ok(BTreeMap::new()) };
    let mut rows_seen = RowsSeen::of(files);
    let mut lines = BTreeMap::new();
    let signs = Signs::of(files.format, &files.dialect);
    each_record(opened_text(file, files)?, files.dialect.skip_lines, signs, |record| {
        if let Some(row) = rows_seen.row(record).filter(|row| rows.contains(row)) {
            lines.insert(row, record.line);
        }
        if rows_seen.rows < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(lines)
}

/// Returns how many fields a row of a text file has: names of folders are no fields.
pub(super) fn fields_of(files: &Files) -> usize {
    files.schema.fields().len() - files.keys().len()
}

/// Which records of a text file are rows.
pub(super) struct RowsSeen {
    names: bool,
    columns: usize,
    bad_rows: BadRows,
    rows: u64,
    /// Records with too few or too many fields.
    pub(super) uneven: u64,
}

impl RowsSeen {
    /// Returns an empty tally of a file's records.
    pub(super) fn of(files: &Files) -> RowsSeen {
        let names = files.dialect.header == Header::Names;
        let columns = fields_of(files);
        RowsSeen { names, columns, bad_rows: files.dialect.bad_rows, rows: 0, uneven: 0 }
    }

    /// Returns the number of a record's row, from 1; nothing for names, and for what is left out.
    pub(super) fn row(&mut self, record: RecordSeen) -> Option<u64> {
        if std::mem::take(&mut self.names) {
            return None;
        }
        let is_uneven = record.fields != self.columns;
        self.uneven += u64::from(is_uneven);
        if is_uneven && self.bad_rows == BadRows::Skip {
            return None;
        }
        self.rows += 1;
        Some(self.rows)
    }
}
