//! A bin of the request as a dimension of the engine's question.
//!
//! It must never add anything that the request does not say. It is separate because every kind of release that counts
//! bins asks for them in the same way. Read `kinds.rs` next.

use crate::failure::Failure;
use crate::refusal::Refusal;
use crate::request::{self, BinSource, BinValue, Date, Edges, names_of};
use incrowd_engine::{Cut, Dimension, Expression, Nulls, Other, RequestField, Value};
use std::collections::HashMap;

/// Returns the dimension of a bin.
pub(crate) fn dimension(bin: &request::Bin) -> Result<Dimension, Failure> {
    Ok(Dimension {
        name: bin.name.clone(),
        value: match &bin.source {
            BinSource::Column(column) => Value::Column(column.clone()),
            BinSource::Expression(text) => {
                Value::Expression(Expression::parse(text, RequestField::Bin(bin.name.clone()))?)
            }
        },
        cut: cut(bin)?,
        other: match bin.other {
            request::Other::NotCounted => Other::NotCounted,
            request::Other::Counted => Other::Counted,
        },
        nulls: match bin.nulls {
            request::Nulls::Drop => Nulls::Drop,
            request::Nulls::Bin => Nulls::Bin,
        },
    })
}

fn cut(bin: &request::Bin) -> Result<Cut, Refusal> {
    Ok(match &bin.cut {
        request::Cut::Found => Cut::Found,
        request::Cut::Truncated(unit) => Cut::FoundPeriods(*unit),
        request::Cut::Values(values) => listed(bin, values)?,
        request::Cut::Named(pairs) => {
            let names = names_of(pairs);
            let places: HashMap<&str, u64> = names.iter().copied().zip(0..).collect();
            let code = |name: &str| places.get(name).copied().unwrap_or_default();
            Cut::Named(pairs.iter().map(|(text, name)| (text.clone(), code(name))).collect(), names.len() as u64)
        }
        request::Cut::Edges(Edges::Regular { from, width, intervals }) => {
            Cut::Regular { from: from.clone(), width: width.clone(), intervals: *intervals }
        }
        request::Cut::Edges(Edges::Numbers(edges)) => Cut::Numbers(edges.clone()),
        request::Cut::Edges(Edges::Dates(edges)) => Cut::Dates(edges.iter().map(|date| date.days()).collect()),
        request::Cut::Periods(periods) => Cut::Periods(periods.unit(), periods.starts().map(Date::days).collect()),
    })
}

fn listed(bin: &request::Bin, values: &[BinValue]) -> Result<Cut, Refusal> {
    let mixed = || Refusal::MixedValues { bin: bin.name.clone() };
    match values.first() {
        Some(BinValue::Integer(_)) => {
            let all = values.iter().map(|value| if let BinValue::Integer(value) = value { Some(*value) } else { None });
            Ok(Cut::Integers(all.collect::<Option<_>>().ok_or_else(mixed)?))
        }
        Some(BinValue::Boolean(_)) => {
            let all = values.iter().map(|value| if let BinValue::Boolean(value) = value { Some(*value) } else { None });
            Ok(Cut::Booleans(all.collect::<Option<_>>().ok_or_else(mixed)?))
        }
        Some(BinValue::Date(_)) => {
            let all =
                values.iter().map(|value| if let BinValue::Date(value) = value { Some(value.days()) } else { None });
            Ok(Cut::Days(all.collect::<Option<_>>().ok_or_else(mixed)?))
        }
        Some(BinValue::Text(_)) | None => {
            let all =
                values.iter().map(|value| if let BinValue::Text(value) = value { Some(value.clone()) } else { None });
            Ok(Cut::Texts(all.collect::<Option<_>>().ok_or_else(mixed)?))
        }
    }
}
