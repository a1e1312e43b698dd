//! Rows that come from elsewhere, and who counts them here.
//!
//! A server may not be able to count what is asked: then it delivers the rows, and an engine on this machine counts
//! them. Nothing is asked of the server before the charge but names and types. It is separate because neither side
//! knows the other. Read `query.rs` for what is counted of them.

use crate::prepare_error::PrepareError;
use crate::query::Query;
use crate::{Prepared, Watch};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use incrowd_counts::CountError;
use std::sync::Arc;

/// Rows that somebody else has, and has not read yet.
pub trait DeliveredRows: Send {
    /// Returns the names of all columns, and the types in which they are delivered.
    fn columns(&self) -> SchemaRef;

    /// Has these columns delivered, all rows of them: after the charge. Batches name their columns.
    fn deliver(self: Box<Self>, columns: &[&str], watch: Arc<dyn Watch>) -> Result<RowBatches, CountError>;
}

/// Rows on their way, batch by batch.
pub type RowBatches = Box<dyn Iterator<Item = Result<RecordBatch, CountError>> + Send>;

/// An engine that counts rows which somebody else delivers.
pub trait CountsDelivered: Send + Sync {
    /// Checks a query against the names and types of rows, without having one delivered. Where the query says the data
    /// is plays no part.
    fn prepare_delivered(&self, query: &Query, rows: Box<dyn DeliveredRows>)
    -> Result<Box<dyn Prepared>, PrepareError>;
}
