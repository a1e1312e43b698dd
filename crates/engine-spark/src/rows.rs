//! Rows that Spark delivers, to be counted on this machine.
//!
//! It must never ask for a row before the charge: names and types are all that it knows till then. It is separate from
//! counting in the cluster because another engine counts these. Read `batches.rs` for how they arrive.

use crate::address::Address;
use crate::batches::{Batches, after_the_charge};
use crate::query::rows;
use crate::settings::SETTINGS;
use crate::table::Table;
use crate::wire::{Running, Session};
use arrow_schema::{Schema, SchemaRef};
use incrowd_engine::{CountError, DeliveredRows, RowBatches, Watch};
use std::sync::Arc;
use std::time::Duration;

/// The rows of a table.
pub(crate) struct SparkRows {
    pub(crate) address: Address,
    pub(crate) table: Table,
    pub(crate) columns: SchemaRef,
    /// How long to look for a server that went away.
    pub(crate) patience: Duration,
}

impl DeliveredRows for SparkRows {
    fn columns(&self) -> SchemaRef {
        Arc::clone(&self.columns)
    }

    fn deliver(self: Box<Self>, columns: &[&str], watch: Arc<dyn Watch>) -> Result<RowBatches, CountError> {
        let query = rows(&self.table, columns);
        let announced: Result<Vec<_>, CountError> = columns
            .iter()
            .map(|name| self.columns.field_with_name(name).cloned().map_err(|_| CountError::Contract))
            .collect();
        let failed = |error| after_the_charge(error, &*watch);
        // A session of its own: one that was opened long ago may be gone.
        let session = Session::open(&self.address, SETTINGS, &*watch).map_err(failed)?;
        let running = Running::start(session, query, self.patience, Arc::clone(&watch)).map_err(failed)?;
        Ok(Box::new(Batches::of(running, Arc::new(Schema::new(announced?)), watch)))
    }
}
