//! A query on its way from files to counts: its rows, and what every way to count needs.
//!
//! It must never say why it failed but by `CountError`. It is separate from the choice of a way (`count.rs`) because
//! all of them begin and end here. Read `compute.rs` for the rows.

use crate::compute::RowComputation;
use crate::cut::{Cutter, cutters};
use crate::parts::{Parts, one};
use crate::ready::Ready;
use crate::sampled::sampled;
use crate::scan::partitions;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use datafusion_common::DataFusionError;
use datafusion_execution::{SendableRecordBatchStream, TaskContext};
use futures::StreamExt;
use incrowd_engine::{CountError, Participants, Query, RowPlan, Shape, TrueCounts, Watch, source_columns};
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

/// Everything that a way to count needs.
pub(crate) struct Counting {
    pub(crate) runtime: Runtime,
    pub(crate) context: Arc<TaskContext>,
    pub(crate) query: Query,
    /// How each dimension is cut; nothing where its values are found.
    pub(crate) cutters: Vec<Option<Cutter>>,
    /// The values of rows in every dimension, and their unit if there is one.
    pub(crate) rows: Parts,
    /// Rows that are persons have been sampled already; persons with many rows have not.
    pub(crate) who: Participants,
    pub(crate) watch: Arc<dyn Watch>,
}

impl Counting {
    pub(crate) fn threads(&self) -> usize {
        self.context.session_config().target_partitions()
    }
}

/// Returns everything that a way to count needs.
pub(crate) fn start(ready: Ready, who: Participants, watch: Arc<dyn Watch>) -> Result<Counting, DataFusionError> {
    let Opened { runtime, delivered, table } = open(&ready, &who, &watch)?;
    let (cutters, computation) = computed(&ready.query, &delivered)?;
    let computation = Arc::new(computation);
    let rows = table.worked(Arc::clone(computation.schema()), move || {
        let computation = Arc::clone(&computation);
        Box::new(move |batch| one(computation.counted(&batch)))
    });
    Ok(Counting { runtime, context: ready.context, query: ready.query, cutters, rows, who, watch })
}

/// A source about to be read.
pub(crate) struct Opened {
    pub(crate) runtime: Runtime,
    pub(crate) delivered: SchemaRef,
    pub(crate) table: Parts,
}

/// Returns the wanted columns of a source as its files deliver them, without rows that are persons left out of a
/// sample.
pub(crate) fn open(ready: &Ready, who: &Participants, watch: &Arc<dyn Watch>) -> Result<Opened, DataFusionError> {
    let threads = ready.settings.threads.max(1);
    let runtime = Builder::new_multi_thread().worker_threads(threads).build()?;
    let (delivered, partitions) =
        partitions(&ready.files, Arc::clone(&ready.wanted), threads, ready.batch_rows, Arc::clone(watch))?;
    let partitions = sampled(partitions, who, &ready.query.unit)?;
    let table = Parts::new(Arc::clone(&delivered), partitions).spread(threads)?;
    Ok(Opened { runtime, delivered, table })
}

/// Returns how a query's rows are computed of the columns that were delivered, possibly stored otherwise than declared.
pub(crate) fn computed(
    query: &Query,
    delivered: &SchemaRef,
) -> Result<(Vec<Option<Cutter>>, RowComputation), DataFusionError> {
    let plan = planned(query, delivered)?;
    let cutters = cutters(query, &plan).map_err(|problem| DataFusionError::External(Box::new(problem)))?;
    Ok((cutters, RowComputation::of(&plan, query, delivered)?))
}

/// Returns what a query asks of the columns that were delivered.
pub(crate) fn planned(query: &Query, delivered: &SchemaRef) -> Result<RowPlan, DataFusionError> {
    let mut query = query.clone();
    query.source.types.retain(|name, _| delivered.field_with_name(name).is_ok());
    RowPlan::of(&query, &source_columns(delivered)).map_err(|problem| DataFusionError::External(Box::new(problem)))
}

/// All that may be said about a failure.
pub(crate) fn failure(watch: &dyn Watch) -> CountError {
    if watch.is_cancelled() { CountError::Cancelled } else { CountError::Failed }
}

/// Returns true counts that are pulled from a stream, which keeps its runtime alive.
pub(crate) fn streamed(
    shape: Shape,
    runtime: Runtime,
    mut stream: SendableRecordBatchStream,
    watch: Arc<dyn Watch>,
    turned: impl Fn(RecordBatch) -> Result<RecordBatch, DataFusionError> + Send + 'static,
) -> TrueCounts {
    let mut ended = false;
    TrueCounts::new(
        shape,
        std::iter::from_fn(move || {
            if ended {
                return None;
            }
            let next = runtime.block_on(stream.next())?;
            let batch = next.and_then(&turned).map_err(|_| failure(&*watch));
            ended = batch.is_err();
            Some(batch)
        }),
    )
}
