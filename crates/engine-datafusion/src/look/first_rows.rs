//! The first rows of a source, as far as they can be read.
//!
//! It must never keep more than a few. It is separate because rows before damage are read one by one. Read
//! `values_guess.rs` for what is guessed of them.

use super::ROWS;
use crate::scan::partitions;
use crate::source::Files;
use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use datafusion_execution::TaskContext;
use datafusion_physical_plan::streaming::PartitionStream;
use futures::StreamExt;
use incrowd_engine::Unwatched;
use std::sync::Arc;

/// The first rows, and whether damage follows them.
pub(super) struct FirstRows {
    pub(super) batch: Option<RecordBatch>,
    pub(super) end: LookEnd,
}

/// Where a look at rows ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookEnd {
    /// Behind the last row, or where enough was seen.
    Enough,
    /// Before a row that cannot be read.
    Damage,
}

pub(super) fn first_rows(files: &Files) -> FirstRows {
    let opened = |rows: usize| partitions(files, Arc::clone(&files.schema), 1, rows, Arc::new(Unwatched));
    let mut stream = match opened(ROWS).map(|(_, streams)| streams) {
        Ok(streams) => match streams.first() {
            Some(stream) => stream.execute(Arc::new(TaskContext::default())),
            None => return FirstRows { batch: None, end: LookEnd::Enough },
        },
        Err(_) => return FirstRows { batch: None, end: LookEnd::Damage },
    };
    match futures::executor::block_on(stream.next()) {
        None => FirstRows { batch: None, end: LookEnd::Enough },
        Some(Ok(batch)) => FirstRows { batch: Some(batch), end: LookEnd::Enough },
        // Damage among the first rows: one by one, those before it can be read.
        Some(Err(_)) => {
            FirstRows { batch: opened(1).ok().and_then(|(_, streams)| one_by_one(&streams)), end: LookEnd::Damage }
        }
    }
}

fn one_by_one(streams: &[Arc<dyn PartitionStream>]) -> Option<RecordBatch> {
    let mut stream = streams.first()?.execute(Arc::new(TaskContext::default()));
    let mut rows = Vec::new();
    while let Some(Ok(row)) = futures::executor::block_on(stream.next()) {
        rows.push(row);
        if rows.len() == ROWS {
            break;
        }
    }
    concat_batches(&rows.first()?.schema(), &rows).ok()
}
