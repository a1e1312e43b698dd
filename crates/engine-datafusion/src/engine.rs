//! The engine itself: how much memory and how many threads it may use, and the two steps of a count.
//!
//! Preparing looks at names and types; counting reads. It must never read a row while preparing. It is separate from
//! `count.rs` because everything here can still be refused with a reason. Read `count.rs` next.

use crate::compute::bound::rows_at_a_time;
use crate::count::count;
use crate::cut::cutters;
use crate::engine_settings::Settings;
use crate::file::{IN_MEMORY, StandardInput};
use crate::reading::reading;
use crate::ready::{BATCH_ROWS, Ready};
use crate::source::{Files, Format, Machine, Passes, STANDARD_INPUT, files_of};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use incrowd_engine::{
    BinSource, CopiedInput, CountError, CountsDelivered, DeliveredRows, Engine, Expression, InputSize, Paid,
    Participants, PrepareError, Prepared, Query, QueryCells, Reading, RequestField, RowPlan, Source, TrueCounts, Unit,
    Watch, source_columns,
};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// The least memory that a thread is given to group and sort in.
const MEMORY_PER_THREAD: u64 = 48 << 20;

/// Counts files on this machine.
#[derive(Debug, Clone)]
pub struct DataFusionEngine {
    settings: Settings,
    input: StandardInput,
    passes: Passes,
}

impl DataFusionEngine {
    /// Returns an engine with these limits. Little memory is not divided among many threads: each needs some that it
    /// cannot spill.
    pub fn new(mut settings: Settings) -> Self {
        if let Some(memory) = settings.memory {
            let most = usize::try_from(memory / MEMORY_PER_THREAD).unwrap_or(usize::MAX);
            settings.threads = settings.threads.min(most).max(1);
        }
        DataFusionEngine { settings, input: StandardInput::default(), passes: Passes::One }
    }

    /// Returns the engine with this stream in place of the standard input of the process.
    pub fn with_standard_input(mut self, stream: impl Read + Send + 'static) -> Self {
        self.input = StandardInput::given(Box::new(stream));
        self
    }

    /// Returns the engine that copies standard input in every format, for whoever reads more than once.
    pub fn reading_twice(mut self) -> Self {
        self.passes = Passes::Many;
        self
    }

    fn machine(&self) -> Machine {
        Machine { input: self.input.clone(), place: self.settings.spill.clone(), passes: self.passes }
    }

    /// Returns a query that was checked against names and types.
    pub(crate) fn ready(&self, query: &Query) -> Result<Ready, PrepareError> {
        self.ready_for(query, Files::resolve_on(&self.machine(), &query.source.location, &query.source.dialect)?)
    }

    /// Returns a query that was checked against the names and types of these files.
    pub(crate) fn ready_for(&self, query: &Query, files: Files) -> Result<Ready, PrepareError> {
        let runtime = self.settings.runtime()?;
        let schema = schema(&files, query);
        let plan = RowPlan::of(query, &source_columns(&schema)).map_err(|problem| files.explained(problem))?;
        // Bins that cannot be numbered are refused before the charge.
        cutters(query, &plan)?;
        if query.cells() == QueryCells::TooMany {
            let last = query.dimensions.last().map(|dimension| dimension.name.clone()).unwrap_or_default();
            return Err(PrepareError::TooManyBins { place: RequestField::Bin(last) });
        }
        let used: BTreeSet<&str> = plan.columns.iter().map(|(name, _)| name.as_str()).collect();
        let kept: Vec<_> =
            schema.fields().iter().filter(|field| used.contains(field.name().as_str())).cloned().collect();
        let wanted = Arc::new(Schema::new(kept));
        let person = match query.unit {
            Unit::Person { .. } => plan.unit.as_ref().map(|person| person.kind.clone()),
            Unit::Row | Unit::People { .. } => None,
        };
        let reading = reading(files.format, &files.dialect, &wanted, person.as_ref());
        // Rows that are computed at a time are fewer where a request makes texts of them: by the request alone.
        let batch_rows = rows_at_a_time(plan.texts_made(), BATCH_ROWS);
        let context = self.settings.context(runtime, batch_rows);
        let settings = self.settings.clone();
        let files = files.read_as(&wanted, &query.source.types);
        Ok(Ready { settings, context, files, wanted, person, reading, batch_rows, query: query.clone() })
    }
}

impl Engine for DataFusionEngine {
    fn files(&self, location: &str) -> Vec<PathBuf> {
        files_of(location)
    }

    fn copied(&self, source: &Source) -> Option<CopiedInput> {
        let is_copied = source.location == STANDARD_INPUT && self.machine().may_copy(&source.dialect);
        is_copied.then(|| CopiedInput { in_memory: IN_MEMORY, place: self.machine().place() })
    }

    fn prepare(&self, query: &Query) -> Result<Box<dyn Prepared>, PrepareError> {
        Ok(Box::new(self.ready(query)?))
    }
}

impl CountsDelivered for DataFusionEngine {
    fn prepare_delivered(
        &self,
        query: &Query,
        rows: Box<dyn DeliveredRows>,
    ) -> Result<Box<dyn Prepared>, PrepareError> {
        Ok(Box::new(self.ready_for(query, Files::delivered(rows, &query.source.dialect)?)?))
    }
}

impl Prepared for Ready {
    fn input(&self) -> InputSize {
        InputSize { bytes: self.files.bytes() }
    }

    fn reading(&self) -> Reading {
        self.reading.clone()
    }

    fn plan_hash(&self) -> &str {
        &self.query.plan_hash
    }

    fn count_paid(
        self: Box<Self>,
        paid: Paid,
        who: Participants,
        watch: Arc<dyn Watch>,
    ) -> Result<TrueCounts, CountError> {
        paid.must_be_for(&self.query.plan_hash)?;
        count(*self, who, watch)
    }
}

/// The columns that expressions may name. JSON has none of its own: every name that the request uses is a text column
/// there.
fn schema(files: &Files, query: &Query) -> SchemaRef {
    match files.format {
        Format::Json => {
            let names = names(query);
            Arc::new(Schema::new(names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect::<Vec<_>>()))
        }
        Format::Csv | Format::Tsv | Format::Parquet | Format::Arrow | Format::Xlsx | Format::Ods | Format::Sqlite => {
            Arc::clone(&files.schema)
        }
    }
}

fn names(query: &Query) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = query.source.types.keys().cloned().collect();
    match &query.unit {
        Unit::Row => {}
        Unit::People { column } | Unit::Person { column, .. } => {
            names.insert(column.clone());
        }
    }
    names.extend(query.split.iter().map(|split| split.column.clone()));
    for dimension in &query.dimensions {
        match &dimension.source {
            BinSource::Column(column) => {
                names.insert(column.clone());
            }
            BinSource::Expression(expression) => names.extend(expression.columns()),
        }
    }
    names.extend(query.condition.iter().flat_map(Expression::columns));
    names
}
