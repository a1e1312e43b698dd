//! The engine: what is decided before the charge, and what is asked after it.
//!
//! Preparing looks at the catalogue and decides where it is counted: on the server as far as that is provably the same,
//! on this machine otherwise, by another engine. It must never read a row while preparing, nor count on the server what
//! a fresh sample leaves to secret coins. It is separate because it holds all other parts together. Read
//! `incrowd_engine_sql` for what a server can count.

use crate::catalogue::{Found, READ_FROM, Table, TableColumn};
use crate::receiving::{Asked, received};
use crate::stored_types::Sent;
use crate::table_name::TableName;
use crate::transaction::begun;
use crate::unprepared::Unprepared;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use incrowd_engine::{
    BinSource, ColumnType, CountError, CountedWhere, CountsDelivered, DeliveredRows, Engine, Expression, InputSize,
    Paid, Participants, PrepareError, Prepared, Query, Reading, RowBatches, RowPlan, RowType, Shape, TrueCounts, Unit,
    Watch, row_type, source_columns,
};
use incrowd_engine_sql::{KeyKind, NotPushed, PostgreSql, Pushing, ServerStatement, SqlDialect, WeightKind, statement};
use incrowd_postgres::{ANSWER, Address, Attendant, Unattended, Wire, WireError};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Counts tables of PostgreSQL servers.
pub struct PostgreSqlEngine {
    local: Arc<dyn CountsDelivered>,
    pushing: Pushing,
}

impl PostgreSqlEngine {
    /// Returns the engine, with who counts delivered rows on this machine.
    pub fn new(local: Arc<dyn CountsDelivered>, pushing: Pushing) -> PostgreSqlEngine {
        PostgreSqlEngine { local, pushing }
    }
}

/// Returns the address of a query's source, with its password.
fn address(query: &Query) -> Result<Address, PrepareError> {
    let address = Address::read(&query.source.location).ok_or(Unprepared::NoAddress)?;
    match &query.source.secret_variable {
        None => Ok(address),
        Some(name) => match std::env::var(name) {
            Ok(password) => Ok(address.with_password(&password)),
            Err(_) => Err(Unprepared::NoVariable(name).into()),
        },
    }
}

/// Returns a connection to a server, within a transaction.
fn connected(address: &Address) -> Result<Wire, PrepareError> {
    let nobody: Arc<dyn Attendant> = Arc::new(Unattended);
    begun(address, &nobody).map_err(|error| Unprepared::Way(address, error).into())
}

/// Returns the columns of a table and what each may be declared as, nothing for those that are not read: by the
/// catalogue alone.
pub fn columns(location: &str, table: Option<&str>) -> Result<Vec<(String, Option<ColumnType>)>, PrepareError> {
    let address = Address::read(location).ok_or(Unprepared::NoAddress)?;
    let wire = connected(&address)?;
    let table = table_of(&address, &wire, table)?;
    let kind = |column: &TableColumn| match row_type(&column.stored.arrow) {
        RowType::Text => Some(ColumnType::Text),
        RowType::Integer | RowType::Unsigned => Some(ColumnType::Integer),
        RowType::Number | RowType::Decimal { .. } => Some(ColumnType::Number),
        RowType::Boolean => Some(ColumnType::Boolean),
        RowType::Date => Some(ColumnType::Date),
        RowType::Timestamp { .. } => Some(ColumnType::Timestamp),
        RowType::Null | RowType::Foreign(_) => None,
    };
    Ok(table.columns.iter().map(|column| (column.name.clone(), kind(column))).collect())
}

/// Returns what the catalogue says of a table.
fn table_of(address: &Address, wire: &Wire, text: Option<&str>) -> Result<Table, PrepareError> {
    let text = text.ok_or(Unprepared::NoTable)?;
    let name = TableName::read(text).ok_or(Unprepared::NotATableName(text))?;
    let found = Table::of(wire, &name).map_err(|error| Unprepared::Way(address, error))?;
    let table = match found {
        Found::NoSchema(nearest) => return Err(Unprepared::NoSchema(&name, nearest.as_deref()).into()),
        Found::NoTable(nearest) => return Err(Unprepared::NotThere(&name, nearest.as_deref()).into()),
        Found::Table(table) => table,
    };
    if table.version < READ_FROM {
        return Err(Unprepared::OldServer(address).into());
    }
    if table.encoding == "SQL_ASCII" {
        return Err(Unprepared::OddLetters(&table.encoding).into());
    }
    if !table.has_rows() {
        return Err(Unprepared::NotReadable(&name).into());
    }
    if !table.is_allowed {
        return Err(Unprepared::ForbiddenTable(&name).into());
    }
    Ok(table)
}

fn refuse_foreign(table: &Table, query: &Query) -> Result<(), PrepareError> {
    let names = names(query);
    let is_foreign = |column: &&TableColumn| column.stored.is_foreign() && names.contains(&column.name);
    match table.columns.iter().find(is_foreign) {
        None => Ok(()),
        Some(column) => Err(Unprepared::ForeignColumn(&column.name, &column.kind.name).into()),
    }
}

/// Refuses to tell people apart by texts of which the database calls several one: it would take one person for many.
fn refuse_loose_person(table: &Table, query: &Query) -> Result<(), PrepareError> {
    let Unit::Person { column: whose, .. } = &query.unit else { return Ok(()) };
    let is_loose = |column: &&TableColumn| column.name == *whose && column.stored.is_loose(&column.kind.name);
    match table.columns.iter().find(is_loose) {
        None => Ok(()),
        Some(column) => Err(Unprepared::LoosePerson(&column.name, &column.kind.name).into()),
    }
}

impl Engine for PostgreSqlEngine {
    fn files(&self, _location: &str) -> Vec<PathBuf> {
        Vec::new()
    }

    fn prepare(&self, query: &Query) -> Result<Box<dyn Prepared>, PrepareError> {
        let address = address(query)?;
        let wire = connected(&address)?;
        let table = table_of(&address, &wire, query.source.dialect.table.as_deref())?;
        refuse_foreign(&table, query)?;
        refuse_loose_person(&table, query)?;
        let schema = schema(&table.columns);
        let plan = RowPlan::of(query, &source_columns(&schema))?;
        let used: BTreeSet<String> = plan.columns.iter().map(|(name, _)| name.clone()).collect();
        let table = Arc::new(table);
        let rows = DeliveredTable { address: address.clone(), table: Arc::clone(&table), schema };
        let local = self.local.prepare_delivered(query, Box::new(rows))?;
        let used = table.with(&used);
        if let Some(column) = used.columns.iter().find(|column| !column.may_be_read) {
            return Err(Unprepared::ForbiddenColumn(&column.name).into());
        }
        let pushed = self.pushed(&wire, &used, query, &plan).map_err(|error| Unprepared::Way(&address, error))?;
        Ok(Box::new(Ready { address, table: used, query: query.clone(), pushed, local }))
    }
}

impl PostgreSqlEngine {
    /// Returns what the server counts, or why it does not. A server that does not answer is an error: rows are
    /// delivered for what a statement says, not for how the way to the server is at the moment.
    fn pushed(
        &self,
        wire: &Wire,
        table: &Table,
        query: &Query,
        plan: &RowPlan,
    ) -> Result<Result<ServerStatement, NotPushed>, WireError> {
        let made = match self.made(table, query, plan) {
            Ok(made) => made,
            Err(not) => return Ok(Err(not)),
        };
        // Read and typed by the server, without a row: what it does not take is not asked after the charge.
        match wire.wait(2 * ANSWER, wire.client.prepare(&made.sql)) {
            Ok(_) => Ok(Ok(made)),
            Err(error) if is_about_the_statement(error) => {
                Ok(Err(NotPushed::because("the server does not take the statement")))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the statement that counts.
    fn made(&self, table: &Table, query: &Query, plan: &RowPlan) -> Result<ServerStatement, NotPushed> {
        if self.pushing == Pushing::Never {
            return Err(NotPushed::because("this engine counts nothing on a server"));
        }
        if let Some(why) = table.counts_otherwise() {
            return Err(NotPushed::because(why));
        }
        let named = table.for_statements().ok_or_else(|| NotPushed::because("it has a name with a NUL sign"))?;
        statement(&PostgreSql, &named, query, plan)
    }
}

/// Whether a server read a statement and did not take it; otherwise it had no room, was stopped or did not answer.
fn is_about_the_statement(error: WireError) -> bool {
    match error {
        WireError::Server(code) => {
            !["08", "25", "40", "53", "57", "58"].iter().any(|of| code.starts_with(of.as_bytes()))
        }
        WireError::NotAllowed | WireError::NotThere => true,
        WireError::NoServer
        | WireError::NotEncrypted
        | WireError::NoAccess
        | WireError::Locked
        | WireError::Full
        | WireError::Lost
        | WireError::Unanswered
        | WireError::Stopped => false,
    }
}

/// A query that was checked.
struct Ready {
    address: Address,
    /// With the columns that are used.
    table: Table,
    query: Query,
    pushed: Result<ServerStatement, NotPushed>,
    local: Box<dyn Prepared>,
}

impl Prepared for Ready {
    fn input(&self) -> InputSize {
        InputSize { bytes: None }
    }

    fn reading(&self) -> Reading {
        self.local.reading()
    }

    fn counted_where(&self) -> CountedWhere {
        match &self.pushed {
            Ok(_) => CountedWhere::AtTheSource,
            Err(not) => CountedWhere::OfDeliveredRows { reason: not.reason.clone() },
        }
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
        match (self.pushed, who) {
            // Coins are secret, and stay here with who tosses them.
            (Err(_), who) | (Ok(_), who @ Participants::Sample(_)) => self.local.count_paid(paid, who, watch),
            (Ok(made), Participants::Everybody) => {
                let (sent, schema) = answer(&made);
                let asked = Asked {
                    held: held(&self.table).ok_or(CountError::Failed)?,
                    address: self.address,
                    table: self.table,
                    sql: made.sql,
                    sent,
                    schema,
                };
                Ok(TrueCounts::new(made.shape, received(asked, watch)?))
            }
        }
    }
}

/// Returns how a statement's answer is sent, and its columns here.
fn answer(made: &ServerStatement) -> (Vec<Sent>, SchemaRef) {
    let mut sent = Vec::new();
    let mut fields = Vec::new();
    for (place, key) in made.keys.iter().enumerate() {
        let kind = match key {
            KeyKind::Cell | KeyKind::Code => DataType::UInt64,
            KeyKind::Value(kind) => kind.carrier(),
        };
        sent.push(match key {
            KeyKind::Cell | KeyKind::Code => Sent::Natural,
            KeyKind::Value(_) => sent_as(&kind),
        });
        let (name, nullable) = match made.shape {
            Shape::Declared { .. } => ("cell".to_owned(), false),
            Shape::Found { .. } => (format!("dimension{place}"), true),
        };
        fields.push(Field::new(name, kind, nullable));
    }
    sent.push(match made.people {
        WeightKind::Counted => Sent::Natural,
        WeightKind::Added => Sent::Sum,
    });
    fields.push(Field::new("count", DataType::UInt64, false));
    (sent, Arc::new(Schema::new(fields)))
}

/// How values of a type of the contract are sent as keys.
fn sent_as(kind: &DataType) -> Sent {
    match kind {
        DataType::Utf8View => Sent::Text,
        DataType::Int64 => Sent::Integer,
        DataType::Float64 => Sent::Double,
        DataType::Decimal128(precision, scale) => Sent::Decimal(*precision, *scale),
        DataType::Boolean => Sent::Boolean,
        DataType::Date32 => Sent::DayNumber,
        DataType::Timestamp(_, zone) => Sent::Moment { zoned: zone.is_some() },
        _ => Sent::Nothing,
    }
}

/// Returns a statement that reads no row, and holds a table and the right to read these columns until the end.
fn held(table: &Table) -> Option<String> {
    let names = table.columns.iter().map(|column| PostgreSql.name(&column.name)).collect::<Option<Vec<_>>>()?;
    Some(format!("SELECT {} FROM {} LIMIT 0", names.join(", "), table.name.quoted()?))
}

/// The columns as they are delivered.
fn schema(columns: &[TableColumn]) -> SchemaRef {
    let field = |column: &TableColumn| Field::new(&column.name, column.stored.arrow.clone(), true);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// The rows of a table, for who counts them here.
struct DeliveredTable {
    address: Address,
    table: Arc<Table>,
    schema: SchemaRef,
}

impl DeliveredRows for DeliveredTable {
    fn columns(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn deliver(self: Box<Self>, columns: &[&str], watch: Arc<dyn Watch>) -> Result<RowBatches, CountError> {
        let used = columns.iter().map(|name| (*name).to_owned()).collect();
        let table = self.table.with(&used);
        if table.columns.len() != columns.len() {
            return Err(CountError::Contract);
        }
        let given = table.columns.iter().map(|column| {
            let name = PostgreSql.name(&column.name)?;
            Some(format!("{} AS {name}", column.stored.delivered.replace('$', &name)))
        });
        let given = given.collect::<Option<Vec<_>>>().ok_or(CountError::Failed)?;
        let from = table.name.quoted().ok_or(CountError::Failed)?;
        let asked = Asked {
            held: held(&table).ok_or(CountError::Failed)?,
            sql: format!("SELECT {} FROM {from}", given.join(", ")),
            sent: table.columns.iter().map(|column| column.stored.sent).collect(),
            schema: schema(&table.columns),
            address: self.address,
            table,
        };
        received(asked, watch)
    }
}

/// Returns the names of all columns that a query speaks of.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_delivered_for_what_a_statement_says_and_not_for_a_server_that_is_gone() {
        let server = |code: &[u8; 5]| is_about_the_statement(WireError::Server(*code));
        // Syntax, a type that does not fit, a statement too long, a constant that is none.
        assert!(server(b"42601") && server(b"42804") && server(b"54001") && server(b"22P02"));
        // Cancelled, out of memory, an error of the disk, a failed transaction, a lost way.
        assert!(!server(b"57014") && !server(b"53200") && !server(b"58030") && !server(b"25P02") && !server(b"08006"));
        let others = [WireError::Lost, WireError::Unanswered, WireError::Locked, WireError::Full, WireError::Stopped];
        assert!(!others.into_iter().any(is_about_the_statement));
    }
}
