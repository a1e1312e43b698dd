//! A query that was checked, and what it takes to count it.
//!
//! It must never hold anything of a row. It is separate from the engine that makes it because counting begins from it.
//! Read `counting.rs` next.

use crate::engine_settings::Settings;
use crate::source::Files;
use arrow_schema::SchemaRef;
use datafusion_execution::TaskContext;
use incrowd_engine::{Query, Reading, RowType};
use std::sync::Arc;

/// How many rows a batch has at most.
pub(crate) const BATCH_ROWS: usize = 8192;

/// A query that was checked.
pub(crate) struct Ready {
    pub(crate) settings: Settings,
    pub(crate) context: Arc<TaskContext>,
    pub(crate) files: Files,
    pub(crate) wanted: SchemaRef,
    /// What names a person, where persons have many rows.
    pub(crate) person: Option<RowType>,
    pub(crate) reading: Reading,
    pub(crate) batch_rows: usize,
    pub(crate) query: Query,
}
