//! The engine: what is asked of a cluster before the charge, and where a query will be counted.
//!
//! Preparing looks at names and types; counting reads. It must never have a job run over rows while preparing. It is
//! separate from `rows.rs` because everything here can still be refused with a reason. Read `rows.rs` next.

use crate::address::Address;
use crate::batches::is_the_same;
use crate::columns::{columns, substituted, twins};
use crate::counts::{announced, counted};
use crate::problem::before_the_charge;
use crate::query::everything;
use crate::rows::SparkRows;
use crate::settings::SETTINGS;
use crate::statement_columns::statement_table;
use crate::table::Table;
use crate::wire::Session;
use arrow_schema::{FieldRef, SchemaRef};
use incrowd_engine::{
    ColumnType, CountError, CountedWhere, CountsDelivered, Engine, InputSize, Paid, Participants, PrepareError,
    Prepared, Query, Reading, RowPlan, RowType, SourceError, TrueCounts, Unwatched, Watch, row_type, source_columns,
};
use incrowd_engine_sql::{NotPushed, Pushing, ServerStatement, SparkSql, statement};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Counts tables of Spark clusters.
#[derive(Clone)]
pub struct SparkEngine {
    local: Arc<dyn CountsDelivered>,
    environment: Variables,
    patience: Duration,
    pushing: Pushing,
}

/// How long to look for a server that went away in the middle of a count.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a variable of the environment holds.
pub type Variables = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

impl SparkEngine {
    /// Returns an engine that has rows counted by this one where Spark cannot count them itself, and looks for tokens
    /// in this environment.
    pub fn new(local: Arc<dyn CountsDelivered>, environment: Variables, pushing: Pushing) -> SparkEngine {
        SparkEngine { local, environment, patience: PATIENCE, pushing }
    }

    /// Returns the engine that looks for a server that went away so long, in place of two minutes.
    pub fn patient_for(self, patience: Duration) -> SparkEngine {
        SparkEngine { patience, ..self }
    }
}

/// What a server says of a table before the charge.
struct Looked {
    /// It ends with this: nobody knows when it will be counted, then in another one.
    session: Session,
    table: Table,
    columns: SchemaRef,
}

fn looked(address: &Address, name: Option<&str>) -> Result<Looked, PrepareError> {
    let refused = |message: String, hint: &str| PrepareError::Source(SourceError { message, hint: hint.into() });
    let name = name.ok_or_else(|| {
        let message = "a Spark server has many tables, and none is named";
        refused(message.into(), "table = \"catalog.schema.table\" in [data]")
    })?;
    let table = Table::read(name).map_err(PrepareError::Source)?;
    let problem = |error| before_the_charge(error, address, name);
    let session = Session::open(address, SETTINGS, &Unwatched).map_err(problem)?;
    let columns = columns(&session.columns_of(&everything(&table), &Unwatched).map_err(problem)?);
    if let Some(column) = twins(&columns) {
        return Err(PrepareError::TwinColumns { column });
    }
    if let Some(column) = substituted(&columns) {
        return Err(refused(
            format!("column {column:?} has ${{ in its name, and Spark does not find such columns in files"),
            "make a view that gives it another name, and name the view in `table`",
        ));
    }
    Ok(Looked { session, table, columns })
}

impl Engine for SparkEngine {
    fn files(&self, _location: &str) -> Vec<PathBuf> {
        Vec::new()
    }

    fn prepare(&self, query: &Query) -> Result<Box<dyn Prepared>, PrepareError> {
        let source = &query.source;
        let address = Address::read(&source.location, source.secret_variable.as_deref(), &*self.environment)
            .map_err(PrepareError::Source)?;
        let Looked { session, table, columns } = looked(&address, source.dialect.table.as_deref())?;
        let rows = SparkRows {
            address: address.clone(),
            table: table.clone(),
            columns: Arc::clone(&columns),
            patience: self.patience,
        };
        // What cannot be asked at all is refused here, for both ways to count.
        let counted_here = self.local.prepare_delivered(query, Box::new(rows))?;
        let pushed = self.pushed(&session, &table, &columns, query)?;
        Ok(Box::new(Ready { address, pushed, counted_here, patience: self.patience }))
    }
}

impl SparkEngine {
    /// Returns the columns of a table and what each may be declared as, nothing for those that are not read: by names
    /// and types alone.
    pub fn columns(
        &self,
        location: &str,
        table: Option<&str>,
    ) -> Result<Vec<(String, Option<ColumnType>)>, PrepareError> {
        let address = Address::read(location, None, &*self.environment).map_err(PrepareError::Source)?;
        let found = looked(&address, table)?.columns;
        let named = |field: &FieldRef| (field.name().clone(), declared(&row_type(field.data_type())));
        Ok(found.fields().iter().map(named).collect())
    }

    /// Returns what the cluster counts, or why it does not.
    fn pushed(
        &self,
        session: &Session,
        table: &Table,
        columns: &SchemaRef,
        query: &Query,
    ) -> Result<Result<ServerStatement, NotPushed>, PrepareError> {
        if self.pushing == Pushing::Never {
            return Ok(Err(NotPushed::because("this engine counts nothing in a cluster")));
        }
        let plan = RowPlan::of(query, &source_columns(columns))?;
        let made = match statement(&SparkSql, &statement_table(table, columns), query, &plan) {
            Ok(made) => made,
            Err(not) => return Ok(Err(not)),
        };
        // Read and typed by the server, without a row: what it does not take is not asked behind the charge.
        let taken = session.columns_of(&made.sql, &Unwatched);
        let is_taken = taken.is_ok_and(|found| is_the_same(&crate::columns::columns(&found), &announced(&made)));
        Ok(if is_taken { Ok(made) } else { Err(NotPushed::because("the server does not take the statement")) })
    }
}

/// Returns what a column of a type may be declared as.
fn declared(kind: &RowType) -> Option<ColumnType> {
    match kind {
        RowType::Text => Some(ColumnType::Text),
        RowType::Integer | RowType::Unsigned => Some(ColumnType::Integer),
        RowType::Number | RowType::Decimal { .. } => Some(ColumnType::Number),
        RowType::Boolean => Some(ColumnType::Boolean),
        RowType::Date => Some(ColumnType::Date),
        RowType::Timestamp { .. } => Some(ColumnType::Timestamp),
        RowType::Null | RowType::Foreign(_) => None,
    }
}

/// A query that was checked.
struct Ready {
    address: Address,
    pushed: Result<ServerStatement, NotPushed>,
    /// On this machine, of rows that Spark delivers.
    counted_here: Box<dyn Prepared>,
    patience: Duration,
}

impl Prepared for Ready {
    fn input(&self) -> InputSize {
        InputSize { bytes: None }
    }

    fn reading(&self) -> Reading {
        self.counted_here.reading()
    }

    fn counted_where(&self) -> CountedWhere {
        match &self.pushed {
            Ok(_) => CountedWhere::AtTheSource,
            Err(not) => CountedWhere::OfDeliveredRows { reason: not.reason.clone() },
        }
    }

    fn plan_hash(&self) -> &str {
        self.counted_here.plan_hash()
    }

    fn count_paid(
        self: Box<Self>,
        paid: Paid,
        who: Participants,
        watch: Arc<dyn Watch>,
    ) -> Result<TrueCounts, CountError> {
        paid.must_be_for(self.plan_hash())?;
        match (self.pushed, who) {
            // Coins are secret, and stay here with who tosses them.
            (Err(_), who) | (Ok(_), who @ Participants::Sample(_)) => self.counted_here.count_paid(paid, who, watch),
            (Ok(made), Participants::Everybody) => counted(&self.address, made, self.patience, watch),
        }
    }
}
