//! Rows in parts that run side by side, and what becomes of them batch by batch.
//!
//! Each part has workers of its own, so that nothing is shared between threads; a part must never see a row of another.
//! It is separate because every step before the grouping goes this way. Read `count.rs` for the steps.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use datafusion_common::Result;
use datafusion_execution::{SendableRecordBatchStream, TaskContext};
use datafusion_physical_plan::repartition::RepartitionExec;
use datafusion_physical_plan::stream::RecordBatchStreamAdapter;
use datafusion_physical_plan::streaming::{PartitionStream, StreamingTableExec};
use datafusion_physical_plan::{ExecutionPlan, Partitioning};
use futures::{StreamExt, stream};
use std::fmt;
use std::sync::Arc;

/// Rows in parts that run side by side.
pub(crate) struct Parts {
    schema: SchemaRef,
    parts: Vec<Arc<dyn PartitionStream>>,
}

/// What becomes of a batch, in one part: batches, one after the other.
pub(crate) type Worker = Box<dyn FnMut(RecordBatch) -> Batches + Send>;

/// Batches, one after the other.
pub(crate) type Batches = Box<dyn Iterator<Item = Result<RecordBatch>> + Send>;

impl Parts {
    pub(crate) fn new(schema: SchemaRef, parts: Vec<Arc<dyn PartitionStream>>) -> Parts {
        Parts { schema, parts }
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Returns the same rows in as many parts as there are threads, where files alone give fewer.
    pub(crate) fn spread(self, threads: usize) -> Result<Parts> {
        if self.parts.len() >= threads {
            return Ok(self);
        }
        let schema = Arc::clone(&self.schema);
        let spread = RepartitionExec::try_new(self.plan()?, Partitioning::RoundRobinBatch(threads))?;
        let plan: Arc<dyn ExecutionPlan> = Arc::new(spread);
        let part = |index| {
            let one = OfPlan { schema: Arc::clone(&schema), plan: Arc::clone(&plan), index };
            Arc::new(one) as Arc<dyn PartitionStream>
        };
        Ok(Parts { parts: (0..threads).map(part).collect(), schema })
    }

    /// Returns what workers make of the rows, one worker for each part.
    pub(crate) fn worked(self, schema: SchemaRef, worker: impl Fn() -> Worker + Send + Sync + 'static) -> Parts {
        let worker: Arc<dyn Fn() -> Worker + Send + Sync> = Arc::new(worker);
        let one = |rows| {
            let worked = Worked { schema: Arc::clone(&schema), rows, worker: Arc::clone(&worker) };
            Arc::new(worked) as Arc<dyn PartitionStream>
        };
        Parts { parts: self.parts.into_iter().map(one).collect(), schema }
    }

    /// Returns the streams of all parts, to be run side by side.
    pub(crate) fn streams(&self, context: &Arc<TaskContext>) -> Vec<SendableRecordBatchStream> {
        self.parts.iter().map(|part| part.execute(Arc::clone(context))).collect()
    }

    /// Returns the rows as what the engine groups and sorts.
    pub(crate) fn plan(self) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(Arc::new(StreamingTableExec::try_new(self.schema, self.parts, None, None, false, None)?))
    }
}

/// A part of a plan of the engine.
struct OfPlan {
    schema: SchemaRef,
    plan: Arc<dyn ExecutionPlan>,
    index: usize,
}

impl fmt::Debug for OfPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OfPlan")
    }
}

impl PartitionStream for OfPlan {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        match self.plan.execute(self.index, context) {
            Ok(rows) => rows,
            Err(error) => {
                let failed = stream::once(async move { Err(error) });
                Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), failed))
            }
        }
    }
}

struct Worked {
    schema: SchemaRef,
    rows: Arc<dyn PartitionStream>,
    worker: Arc<dyn Fn() -> Worker + Send + Sync>,
}

impl fmt::Debug for Worked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Worked")
    }
}

impl PartitionStream for Worked {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut worker = (self.worker)();
        let batches = self.rows.execute(context).flat_map(move |batch| {
            let worked: Batches = match batch {
                Ok(batch) => worker(batch),
                Err(error) => Box::new(std::iter::once(Err(error))),
            };
            // A batch of nobody is not worth a step.
            stream::iter(worked.filter(|batch| batch.as_ref().map_or(true, |batch| batch.num_rows() > 0)))
        });
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(&self.schema), batches))
    }
}

/// Returns one batch as batches.
pub(crate) fn one(batch: Result<RecordBatch>) -> Batches {
    Box::new(std::iter::once(batch))
}
