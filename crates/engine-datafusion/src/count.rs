//! From files to counts: which way to count, and the stream that comes of it.
//!
//! Four ways with one meaning: a dense array for few declared cells, grouping for many or found ones, and two passes for
//! persons. It must never say why it failed but by `CountError`. It is separate from the ways themselves because it decides
//! by the request alone. Read `compute.rs` for the rows, then `dense.rs`, `grouped.rs` and `persons.rs`.

use crate::compute::RowComputation;
use crate::compute::stored::source_columns;
use crate::cut::{Cutter, cutters};
use crate::dense::count_dense;
use crate::engine::Ready;
use crate::grouped::{count_declared, count_found};
use crate::parts::{Parts, one};
use crate::persons::count_persons;
use crate::sampled::sampled;
use crate::scan::partitions;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use datafusion_common::DataFusionError;
use datafusion_execution::{SendableRecordBatchStream, TaskContext};
use futures::StreamExt;
use incrowd_engine::{Cells, CountError, Participants, Query, RowPlan, Shape, Time, TrueCounts, Unit, Watch};
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

/// Most cells that are counted in an array per thread.
const DENSE_CELLS: u64 = 10_000_000;

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

/// Counts a prepared query.
pub(crate) fn count(ready: Ready, who: Participants, watch: Arc<dyn Watch>) -> Result<TrueCounts, CountError> {
    let stopped = Arc::clone(&watch);
    let counted = start(ready, who, watch).and_then(|counting| match (counting.query.cells(), &counting.query.unit) {
        (Cells::TooMany, _) => Err(DataFusionError::External("too many cells".into())),
        (_, Unit::Person { .. }) => count_persons(counting),
        (Cells::Declared(cells), Unit::Row | Unit::People { .. })
            if cells <= DENSE_CELLS && counting.query.time != Some(Time::Running) =>
        {
            count_dense(counting, cells)
        }
        (Cells::Declared(cells), Unit::Row | Unit::People { .. }) => count_declared(counting, cells),
        (Cells::Found, Unit::Row | Unit::People { .. }) => count_found(counting),
    });
    counted.map_err(|_| failure(&*stopped))
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

/// Returns the wanted columns of a source as its files deliver them, without rows that are persons left out of a sample.
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
    let refused = |problem| DataFusionError::External(Box::new(problem));
    let mut query = query.clone();
    query.source.types.retain(|name, _| delivered.field_with_name(name).is_ok());
    let plan = RowPlan::of(&query, &source_columns(delivered)).map_err(refused)?;
    Ok((cutters(&query, &plan).map_err(refused)?, RowComputation::of(&plan, &query, delivered)?))
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
