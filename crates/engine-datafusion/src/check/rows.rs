//! Rows that are persons, or stand for several: how many are in each bin, and who is lost.
//!
//! Counted in an array, or grouped as a release groups. It must never keep more than sizes of what is found, beside
//! words for nothing. It is separate from people with many rows, whose bins are known only at the end. Read
//! `persons.rs` for those.

use super::examine::{Examined, Examiner};
use super::nothing::NothingFound;
use super::sizes::Sizes;
use super::tally::{Tallies, Tally};
use crate::compute::dimension_name;
use crate::counting::Opened;
use crate::cut::NOT_COUNTED;
use crate::grouped::{CELL, how_many, with_cells, with_keys};
use crate::grouping::grouped;
use crate::parts::{Batches, Parts, one};
use arrow_array::BooleanArray;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_select::filter::filter_record_batch;
use datafusion_common::{DataFusionError, Result, exec_err};
use datafusion_execution::TaskContext;
use datafusion_physical_plan::execute_stream_partitioned;
use futures::StreamExt;
use incrowd_engine::{QueryCells, Time, Unit};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Most cells that are counted in an array per thread.
const DENSE_CELLS: u64 = 1 << 20;

/// What rows have shown, with the sizes of bins.
pub(super) struct Seen {
    pub(super) tally: Tally,
    pub(super) bins_by_size: BTreeMap<u64, u64>,
    pub(super) nothing: NothingFound,
    /// People who are counted in a cell that belongs to no group.
    pub(super) in_no_group: u64,
}

/// Looks at all rows.
pub(super) fn of_rows(opened: Opened, examiner: Examiner, context: Arc<TaskContext>) -> Result<Seen, DataFusionError> {
    match examiner.query.cells() {
        QueryCells::Declared(cells) if cells <= DENSE_CELLS && examiner.query.time != Some(Time::Running) => {
            in_an_array(opened, examiner, context, cells as usize)
        }
        QueryCells::Declared(_) | QueryCells::Found => in_groups(opened, examiner, context),
        QueryCells::TooMany => exec_err!("too many cells"),
    }
}

fn in_an_array(opened: Opened, examiner: Examiner, context: Arc<TaskContext>, cells: usize) -> Result<Seen> {
    let Opened { runtime, table, .. } = opened;
    let (sum, mut sizes) = (examiner.tally(cells), Sizes::of(examiner.groups.as_ref()));
    let tallies = Tallies::default();
    let kept = tallies.clone();
    let rows = table.worked(Arc::clone(examiner.rows.schema()), move || {
        let (mut examiner, tally) = (examiner.clone(), kept.one_more(examiner.tally(cells)));
        Box::new(move |batch| -> Batches {
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            match examiner.examine(&batch, &mut tally) {
                Ok(examined) => {
                    count(&examiner, &examined, &mut tally);
                    Box::new(std::iter::empty())
                }
                Err(error) => one(Err(error)),
            }
        })
    });
    runtime.block_on(async {
        let tasks = rows.streams(&context).into_iter().map(|mut stream| {
            tokio::spawn(async move {
                while let Some(batch) = stream.next().await {
                    batch?;
                }
                Ok::<_, DataFusionError>(())
            })
        });
        for task in tasks.collect::<Vec<_>>() {
            task.await.map_err(|_| DataFusionError::External("a thread stopped".into()))??;
        }
        Ok::<_, DataFusionError>(())
    })?;
    let tally = tallies.sum(sum);
    (0..).zip(&tally.cells).for_each(|(cell, people)| sizes.see(cell, *people));
    let (bins_by_size, in_no_group) = sizes.by_size();
    Ok(Seen { tally, bins_by_size, nothing: NothingFound::default(), in_no_group })
}

/// Adds the people of a batch: to their cells, where there is an array of them, and to those who are counted or lost.
fn count(examiner: &Examiner, examined: &Examined, tally: &mut Tally) {
    let rows = examined.values.num_rows();
    let weights = weights(examiner, examined);
    let weight = |row: usize| weights.as_ref().map_or(1, |weights| weights[row]);
    if let (None, None, false) = (&examined.counted, &weights, tally.cells.is_empty()) {
        examined.cells.iter().for_each(|cell| tally.cells[*cell as usize] += 1);
        tally.counted = tally.counted.saturating_add(rows as u64);
    } else {
        for row in 0..rows {
            if examined.counted.as_ref().is_some_and(|counted| !counted.value(row)) {
                continue;
            }
            tally.counted = tally.counted.saturating_add(weight(row));
            let cell = examined.cells.get(row).copied().filter(|cell| *cell != NOT_COUNTED);
            if let Some(count) = cell.and_then(|cell| tally.cells.get_mut(cell as usize)) {
                *count = count.saturating_add(weight(row));
            }
        }
    }
    for (row, cause) in &examined.wrong {
        let is_counted = examined.counted.as_ref().is_none_or(|counted| counted.value(*row));
        // A row that does not say for how many it stands is somebody.
        let people = weights.as_ref().map_or(1, |weights| weights[*row].max(u64::from(!is_counted)));
        tally.lose(*cause, people);
        if is_counted {
            tally.counted = tally.counted.saturating_sub(people);
        }
    }
}

/// Returns for how many people each row stands, where rows say so.
fn weights(examiner: &Examiner, examined: &Examined) -> Option<Vec<u64>> {
    match examiner.query.unit {
        Unit::Row | Unit::Person { .. } => None,
        Unit::People { .. } => {
            let people = examined.values.columns().last()?.as_primitive_opt::<Int64Type>()?;
            Some(
                people.iter().map(|people| people.and_then(|people| u64::try_from(people).ok()).unwrap_or(0)).collect(),
            )
        }
    }
}

fn in_groups(opened: Opened, examiner: Examiner, context: Arc<TaskContext>) -> Result<Seen> {
    let Opened { runtime, table, .. } = opened;
    let (query, cutters, sum) = (examiner.query.clone(), examiner.cutters.clone(), examiner.tally(0));
    let sizes = Sizes::of(examiner.groups.as_ref());
    let tallies = Tallies::default();
    let rows = wanted(table, examiner, tallies.clone());
    let (rows, keys) = match query.cells() {
        QueryCells::Declared(_) => (with_cells(rows, cutters, &query)?, vec![CELL.to_owned()]),
        QueryCells::Found | QueryCells::TooMany => {
            (with_keys(rows, cutters, &query)?, (0..query.dimensions.len()).map(dimension_name).collect())
        }
    };
    let rows = rows.plan()?;
    let counts = how_many(&query, &rows.schema())?;
    let plan = grouped(rows, &keys, counts, context.session_config().target_partitions())?;
    let found = Arc::new(Mutex::new((sizes, NothingFound::default())));
    runtime.block_on(async {
        let mut tasks = Vec::new();
        for mut stream in execute_stream_partitioned(plan, context)? {
            let found = Arc::clone(&found);
            tasks.push(tokio::spawn(async move {
                while let Some(batch) = stream.next().await {
                    let batch = batch?;
                    let Some((counts, keys)) = batch.columns().split_last() else { return exec_err!("no counts") };
                    let Some(counts) = counts.as_primitive_opt::<UInt64Type>() else { return exec_err!("no counts") };
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    let (sizes, nothing): &mut (Sizes, NothingFound) = &mut found;
                    // Found keys have no numbers, and are in no groups.
                    let cells = keys.first().and_then(|cells| cells.as_primitive_opt::<UInt64Type>());
                    for (row, people) in counts.values().iter().enumerate() {
                        sizes.see(cells.map_or(0, |cells| cells.value(row)), *people);
                    }
                    nothing.look(keys, counts.values());
                }
                Ok::<_, DataFusionError>(())
            }));
        }
        for task in tasks {
            task.await.map_err(|_| DataFusionError::External("a thread stopped".into()))??;
        }
        Ok::<_, DataFusionError>(())
    })?;
    let (sizes, nothing) = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
    let (bins_by_size, in_no_group) = sizes.by_size();
    Ok(Seen { tally: tallies.sum(sum), bins_by_size, nothing, in_no_group })
}

/// Returns the values of rows that are counted, to be grouped as a release does it.
fn wanted(table: Parts, examiner: Examiner, tallies: Tallies) -> Parts {
    table.worked(Arc::clone(examiner.rows.schema()), move || {
        let (mut examiner, tally) = (examiner.clone(), tallies.one_more(examiner.tally(0)));
        Box::new(move |batch| {
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            one(examiner.examine(&batch, &mut tally).and_then(|examined| {
                count(&examiner, &examined, &mut tally);
                Ok(match examined.counted {
                    None => examined.values,
                    Some(counted) => filter_record_batch(&examined.values, &BooleanArray::new(counted, None))?,
                })
            }))
        })
    })
}
