//! The expressions of a request, read as far as that goes without its data.
//!
//! Forms and functions of all of them, and types where every column that one uses is declared in `[data.types]`. It
//! must never refuse what a release would take: what depends on how columns are stored is left to the engine. It is
//! separate from the question to an engine so that a plan finds the same mistakes before there is any data. Read
//! `query.rs` next.

use crate::failure::ReleaseFailure;
use crate::kinds::asks;
use crate::request::{Request, Unit};
use incrowd_engine::{
    BinSource, Dimension, Expression, PrepareError, Query, RequestField, RowPlan, RowType, Source, SourceColumn,
};
use std::collections::BTreeSet;

/// Reads the condition of a request and what its bins are made of.
pub fn read_expressions(request: &Request) -> Result<(), ReleaseFailure> {
    let data = request.data.clone().unwrap_or_default();
    let condition = data.condition.as_deref().map(condition).transpose()?;
    let dimensions = asks(&request.kind).dimensions()?;
    // What is declared is read as its type, however it is stored.
    let column = |name: &String| SourceColumn { name: name.clone(), kind: RowType::Text, readable_as: Vec::new() };
    let declared: Vec<SourceColumn> = data.types.keys().map(column).collect();
    let is_declared = |columns: &BTreeSet<String>| columns.iter().all(|column| data.types.contains_key(column));
    let typed = |condition: Option<Expression>, dimensions: Vec<Dimension<Expression>>| {
        let source = Source {
            location: String::new(),
            secret_variable: None,
            dialect: data.dialect.clone(),
            types: data.types.clone(),
            timezone: data.timezone.clone(),
        };
        let query = Query {
            plan_hash: String::new(),
            source,
            condition,
            split: None,
            unit: Unit::Row,
            bounding_key: String::new(),
            dimensions,
            time: None,
        };
        RowPlan::of(&query, &declared).map(|_| ())
    };
    if let Some(condition) = condition.filter(|condition| is_declared(&condition.columns())) {
        typed(Some(condition), Vec::new())?;
    }
    for dimension in dimensions {
        let columns = match &dimension.source {
            BinSource::Column(column) => BTreeSet::from([column.clone()]),
            BinSource::Expression(expression) => expression.columns(),
        };
        if is_declared(&columns) {
            typed(None, vec![dimension])?;
        }
    }
    Ok(())
}

/// Reads a condition.
pub(crate) fn condition(text: &str) -> Result<Expression, PrepareError> {
    Expression::parse(text, RequestField::Condition)
}
