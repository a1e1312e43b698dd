//! What tests ask of a small table, and the values that come out.
//!
//! It must never compute in another way than a count does. It is separate because all tests of values begin here. Read
//! `tests.rs` next.

use super::RowComputation;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::display::array_value_to_string;
use incrowd_engine::{
    BinSource, ColumnType, Cut, Dialect, Dimension, Expression, Items, Nulls, Other, PrepareError, Query, RequestField,
    RowPlan, Source, Unit, source_columns,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns a query of one dimension.
pub(super) fn query(source: BinSource<Expression>, cut: Cut) -> Query {
    let (other, nulls, items) = (Other::NotCounted, Nulls::Drop, Items::Each);
    let dimension = Dimension { name: "b".into(), source, cut, other, nulls, items };
    Query {
        plan_hash: String::new(),
        source: Source {
            location: String::new(),
            secret_variable: None,
            dialect: Dialect::default(),
            types: BTreeMap::new(),
            timezone: "UTC".into(),
        },
        condition: None,
        split: None,
        unit: Unit::Row,
        bounding_key: String::new(),
        dimensions: vec![dimension],
        time: None,
    }
}

/// Returns a query of one column.
pub(super) fn of_column(column: &str, cut: Cut) -> Query {
    query(BinSource::Column(column.into()), cut)
}

/// Returns a query of an expression whose values are found.
pub(super) fn of_expression(text: &str) -> Result<Query, PrepareError> {
    Ok(query(BinSource::Expression(Expression::parse(text, RequestField::Bin("b".into()))?), Cut::Found))
}

/// Returns what computes a query of a table.
pub(super) fn computation(query: &Query, table: &RecordBatch) -> Result<RowComputation, PrepareError> {
    let plan = RowPlan::of(query, &source_columns(&table.schema()))?;
    Ok(RowComputation::of(&plan, query, &table.schema()).unwrap_or_else(|error| panic!("{query:?}: {error}")))
}

/// Returns the values of every row, and of the unit if there is one.
pub(super) fn columns(query: &Query, table: &RecordBatch) -> Result<Vec<ArrayRef>, PrepareError> {
    let values = computation(query, table)?.counted(table);
    Ok(values.unwrap_or_else(|error| panic!("{query:?} fails: {error}")).columns().to_vec())
}

/// Returns the columns of a table in declared types.
pub(super) fn typed(column: &str, kind: ColumnType, table: &RecordBatch) -> Result<ArrayRef, PrepareError> {
    let mut query = of_column(column, Cut::Found);
    query.source.types = BTreeMap::from([(column.to_owned(), kind)]);
    let typed = computation(&query, table)?.typed(table).expect("columns");
    Ok(Arc::clone(typed.column(0)))
}

/// Returns values as texts, `.` for missing ones.
pub(super) fn shown(values: &ArrayRef) -> String {
    let shown = (0..values.len()).map(|row| match values.is_null(row) {
        true => ".".to_owned(),
        false => array_value_to_string(values, row).expect("a text"),
    });
    shown.collect::<Vec<_>>().join(" ")
}
