//! Rows that are persons, sampled where they are read.
//!
//! Each row that a part of the input delivers gets the next coin of that part, before any condition looks at it: the
//! coin must never depend on what the row says, nor be tossed twice. It is separate from `persons.rs`, where a person
//! has many rows and one coin. Read `scan.rs` for the parts.

use arrow_array::BooleanArray;
use arrow_schema::SchemaRef;
use arrow_select::filter::filter_record_batch;
use datafusion_common::{DataFusionError, exec_err};
use datafusion_execution::{SendableRecordBatchStream, TaskContext};
use datafusion_physical_plan::stream::RecordBatchStreamAdapter;
use datafusion_physical_plan::streaming::PartitionStream;
use futures::StreamExt;
use incrowd_engine::{Coins, Participants, RowBatch, Unit};
use std::fmt;
use std::sync::Arc;

type Partitions = Vec<Arc<dyn PartitionStream>>;

/// Returns the same partitions without the rows of those who are left out, where a row is a person.
pub(crate) fn sampled(partitions: Partitions, who: &Participants, unit: &Unit) -> Result<Partitions, DataFusionError> {
    match (who, unit) {
        // A person's coin is asked for once all her rows were seen.
        (Participants::Everybody, _) | (Participants::Sample(_), Unit::Person { .. }) => Ok(partitions),
        (Participants::Sample(_), Unit::People { .. }) => exec_err!("a row of many persons has no coin"),
        (Participants::Sample(coins), Unit::Row) => {
            let one = |(part, rows)| Arc::new(Sampled { rows, coins: Arc::clone(coins), part }) as Arc<_>;
            Ok((0..).zip(partitions).map(one).collect())
        }
    }
}

struct Sampled {
    rows: Arc<dyn PartitionStream>,
    coins: Arc<dyn Coins>,
    part: u64,
}

impl fmt::Debug for Sampled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a sample of {:?}", self.rows)
    }
}

impl PartitionStream for Sampled {
    fn schema(&self) -> &SchemaRef {
        self.rows.schema()
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (coins, part) = (Arc::clone(&self.coins), self.part);
        let batches = self.rows.execute(context).enumerate().map(move |(number, batch)| {
            let batch = batch?;
            let kept = coins.rows(&RowBatch { part, number: number as u64, rows: batch.num_rows() });
            if kept.len() != batch.num_rows() {
                return exec_err!("coins are missing");
            }
            Ok(filter_record_batch(&batch, &BooleanArray::from(kept))?)
        });
        Box::pin(RecordBatchStreamAdapter::new(Arc::clone(self.schema()), batches))
    }
}
