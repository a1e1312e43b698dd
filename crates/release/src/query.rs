//! The engine's question, taken from the request.
//!
//! It must never add anything that the request does not say: what is counted is what was hashed. It is separate because the
//! request speaks of promises and files, and an engine of neither. Read `kinds.rs` next
//! for what each kind counts.

use crate::failure::Failure;
use crate::kinds::asks;
use crate::refusal::Refusal;
use crate::request::{self, BinValue, Data, Request};
use incrowd_engine::{ColumnType, Expression, Items, Part, PartValue, PrepareError, Query, RequestField, Source, Unit};
use std::path::Path;

/// Returns the question that a request asks; its source is looked for in `base`, the folder of the request.
pub fn query(request: &Request, base: &Path) -> Result<Query, Failure> {
    let data = request.data.clone().unwrap_or_default();
    let Some(location) = &data.source else { return Err(Refusal::NoSource.into()) };
    if request.kind.published().is_empty() {
        return Err(Refusal::NoBins.into());
    }
    if data.sample.is_some() {
        crate::sampled::can_be_sampled(request)?;
    }
    Ok(Query {
        plan_hash: request.request_hash(),
        source: Source {
            location: base.join(location).to_string_lossy().into_owned(),
            types: data.types.iter().map(|(name, kind)| (name.clone(), column_type(*kind))).collect(),
            timezone: data.timezone.clone(),
        },
        condition: data.condition.as_deref().map(condition).transpose()?,
        part: data.split.as_ref().map(part),
        unit: unit(request, &data),
        dimensions: asks(&request.kind).dimensions()?,
        time: asks(&request.kind).time(),
        items: if request.kind.counts_pairs() { Items::Pairs } else { Items::Each },
    })
}

fn condition(text: &str) -> Result<Expression, PrepareError> {
    Expression::parse(text, RequestField::Condition)
}

fn part(split: &request::Split) -> Part {
    let value = match &split.part {
        BinValue::Integer(value) => PartValue::Integer(*value),
        value @ (BinValue::Text(_) | BinValue::Boolean(_) | BinValue::Date(_)) => PartValue::Text(value.to_string()),
    };
    Part { column: split.column.clone(), value }
}

fn column_type(kind: request::ColumnType) -> ColumnType {
    match kind {
        request::ColumnType::Text => ColumnType::Text,
        request::ColumnType::Integer => ColumnType::Integer,
        request::ColumnType::Number => ColumnType::Number,
        request::ColumnType::Boolean => ColumnType::Boolean,
        request::ColumnType::Date => ColumnType::Date,
        request::ColumnType::Timestamp => ColumnType::Timestamp,
    }
}

fn unit(request: &Request, data: &Data) -> Unit {
    match &data.unit {
        request::Unit::Row => Unit::Row,
        request::Unit::People { column } => Unit::People { column: column.clone() },
        request::Unit::Person { column, bins_per_person } => Unit::Person {
            column: column.clone(),
            bins_per_person: *bins_per_person,
            bounding_key: request.bounding_key(),
        },
    }
}
