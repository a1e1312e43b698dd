//! Few declared cells: one array of counts for each thread, added up at the end.
//!
//! It must never wrap: counts saturate. It is separate because nothing is grouped, sorted or spilled here. Read
//! `cut.rs` for how rows become cells.

use crate::counting::Counting;
use crate::cut::{Cutter, NOT_COUNTED, cells as cells_of};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use datafusion_common::{DataFusionError, exec_err};
use datafusion_execution::SendableRecordBatchStream;
use futures::StreamExt;
use incrowd_engine::{CountError, Shape, TrueCounts, Unit};
use std::sync::Arc;

/// How many cells a batch has.
const CELLS_AT_A_TIME: usize = 8192;

/// Counts declared cells in arrays.
pub(crate) fn count_dense(counting: Counting, cells: u64) -> Result<TrueCounts, DataFusionError> {
    let Counting { runtime, context, query, cutters, rows, .. } = counting;
    let cutters: Vec<Cutter> = cutters.into_iter().flatten().collect();
    let weighs = matches!(query.unit, Unit::People { .. });
    let size = usize::try_from(cells).map_err(|_| DataFusionError::External("too many cells".into()))?;
    let counts = runtime.block_on(async move {
        let tasks = rows
            .streams(&context)
            .into_iter()
            .map(|stream| tokio::spawn(count_stream(stream, cutters.clone(), weighs, size)));
        let mut sum: Vec<u64> = Vec::new();
        for task in tasks.collect::<Vec<_>>() {
            let part = task.await.map_err(|_| DataFusionError::External("a thread stopped".into()))??;
            if sum.is_empty() {
                sum = part;
            } else {
                sum.iter_mut().zip(part).for_each(|(sum, part)| *sum = sum.saturating_add(part));
            }
        }
        Ok::<_, DataFusionError>(sum)
    })?;
    Ok(TrueCounts::new(Shape::Declared { cells }, declared_batches(counts)))
}

async fn count_stream(
    mut stream: SendableRecordBatchStream,
    mut cutters: Vec<Cutter>,
    weighs: bool,
    size: usize,
) -> Result<Vec<u64>, DataFusionError> {
    let mut counts = vec![0u64; size];
    let mut cells = Vec::new();
    while let Some(batch) = stream.next().await {
        let batch = batch?;
        let (values, unit) = batch.columns().split_at(cutters.len());
        cells_of(&mut cutters, values, &mut cells);
        if cells.len() != batch.num_rows() {
            return exec_err!("cells are missing");
        }
        if weighs {
            let Some(people) = unit.first().and_then(|array| array.as_primitive_opt::<Int64Type>()) else {
                return exec_err!("no number of people");
            };
            for (row, cell) in cells.iter().enumerate() {
                if *cell != NOT_COUNTED && people.is_valid(row) {
                    let count = &mut counts[*cell as usize];
                    *count = count.saturating_add(u64::try_from(people.value(row)).unwrap_or(0));
                }
            }
        } else {
            for cell in cells.iter().filter(|cell| **cell != NOT_COUNTED) {
                // One by one a count cannot reach the end of 64 bits.
                counts[*cell as usize] += 1;
            }
        }
    }
    Ok(counts)
}

/// The schema of declared cells.
pub(crate) fn declared_schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("cell", DataType::UInt64, false),
        Field::new("count", DataType::UInt64, false),
    ]))
}

/// Returns the cells that somebody is in, in order.
pub(crate) fn declared_batches(counts: Vec<u64>) -> impl Iterator<Item = Result<RecordBatch, CountError>> + Send {
    let schema = declared_schema();
    let mut counted = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
    std::iter::from_fn(move || {
        let (cells, counts): (Vec<u64>, Vec<u64>) =
            counted.by_ref().take(CELLS_AT_A_TIME).map(|(cell, count)| (cell as u64, count)).unzip();
        if cells.is_empty() {
            return None;
        }
        let columns: Vec<Arc<dyn Array>> =
            vec![Arc::new(UInt64Array::from(cells)), Arc::new(UInt64Array::from(counts))];
        Some(RecordBatch::try_new(Arc::clone(&schema), columns).map_err(|_| CountError::Failed))
    })
}
