//! A second pass, only where something cannot be read: the lines or rows of the first such values.
//!
//! Files are read one after the other, up to the last value that is wanted; it must never be run where nothing is
//! wrong. It is separate from the first pass, whose threads do not know how many rows came before theirs. Read
//! `records.rs` for lines.

use super::examine::{Examiner, text_of};
use super::findings::{Spot, SpotInFile, UnreadColumn, UnreadValue};
use super::read_steps::Stages;
use super::records::{Signs, each_record};
use super::tally::Tally;
use super::words::shortened;
use crate::file::bytes::{buffered, open};
use crate::ready::Ready;
use crate::scan::partitions;
use crate::source::{Files, Format, OneFile};
use arrow_array::RecordBatch;
use datafusion_common::{DataFusionError, Result};
use datafusion_execution::TaskContext;
use futures::StreamExt;
use incrowd_engine::Unwatched;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// So many values are shown of each column.
const SHOWN: usize = 5;

/// Returns the columns with values that cannot be read, and where the first of them stand.
pub(super) fn unread_columns(ready: &Ready, examiner: &Examiner, tally: &Tally) -> Vec<UnreadColumn> {
    let steps = examiner.steps.iter().zip(&tally.unread);
    let wanted: Vec<u64> = steps.clone().map(|(_, words)| words.rows().min(SHOWN as u64)).collect();
    let mut found: Vec<Vec<Located>> = vec![Vec::new(); wanted.len()];
    if wanted.iter().any(|wanted| *wanted > 0) {
        // What was read a moment ago and cannot be read again is shown without its place.
        let _ = locate(ready, &wanted, &mut found);
    }
    let found = steps.zip(found).filter(|((_, words), _)| words.rows() > 0);
    let columns = found.map(|((step, words), found)| UnreadColumn {
        column: step.column.clone(),
        wanted: step.wanted.name(),
        rows: words.rows(),
        first: found.into_iter().map(|located| shown(located, ready)).collect(),
    });
    columns.collect()
}

/// A value and where it stands.
#[derive(Clone)]
struct Located {
    file: usize,
    place: SpotInFile,
    value: String,
}

fn shown(located: Located, ready: &Ready) -> UnreadValue {
    let names = ready.files.files.get(located.file).and_then(|file| file.path.file_name());
    let file = names.filter(|_| ready.files.files.len() > 1).map(|name| name.to_string_lossy().into_owned());
    UnreadValue { spot: Spot { file, place: located.place }, value: located.value, reason: String::new() }
}

fn locate(ready: &Ready, wanted: &[u64], found: &mut [Vec<Located>]) -> Result<()> {
    for (place, file) in ready.files.files.iter().enumerate() {
        let of_file = in_file(ready, place, file, wanted, found)?;
        let lines = if ready.files.format == Format::Csv { lines(ready, file, &of_file)? } else { BTreeMap::new() };
        for located in found.iter_mut().flatten().filter(|located| located.file == place) {
            located.place = match (located.place, ready.files.format) {
                (SpotInFile::Row(row), Format::Csv) => lines.get(&row).map_or(located.place, |line| SpotInFile::Line(*line)),
                (SpotInFile::Row(row), Format::Json) => SpotInFile::Object(row),
                (place, _) => place,
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
    place: usize,
    file: &OneFile,
    wanted: &[u64],
    found: &mut [Vec<Located>],
) -> Result<Vec<u64>> {
    let files = Files { files: vec![file.clone()], ..ready.files.clone() };
    let (delivered, streams) =
        partitions(&files, Arc::clone(&ready.wanted), 1, ready.batch_rows, Arc::new(Unwatched))?;
    let examiner = Examiner::of(&ready.query, &delivered)?;
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
    let typed = examiner.rows.typed(batch)?;
    let truth = examiner.rows.truth(&typed)?;
    let values = examiner.rows.values(&typed)?;
    let stages = Stages { delivered: batch, typed: &typed, values: &values };
    let held = truth.as_ref().map(super::examine::held);
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
fn lines(ready: &Ready, file: &OneFile, rows: &[u64]) -> Result<BTreeMap<u64, u64>> {
    let Some(last) = rows.iter().max().copied() else { return Ok(BTreeMap::new()) };
    let text = buffered(open(file, Arc::new(Unwatched)).map_err(DataFusionError::from)?);
    let signs = Signs { delimiter: b',', quote: Some(b'"') };
    let _ = ready;
    let (mut lines, mut row) = (BTreeMap::new(), 0u64);
    let mut header = 1u64;
    each_record(text, signs, |record| {
        if header > 0 {
            header -= 1;
            return ControlFlow::Continue(());
        }
        row += 1;
        if rows.contains(&row) {
            lines.insert(row, record.line);
        }
        if row < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(lines)
}
