//! The engine's question, taken from the request.
//!
//! It must never add anything that the request does not say: what is counted is what was hashed. It is separate because the
//! request speaks of promises and files, and an engine of neither. Read `release.rs` next.

use crate::points::Points;
use crate::refusal::Refusal;
use crate::request::{self, Axis, BinSource, BinValue, Data, Edges, Mode, People, Request, Series, names_of};
use incrowd_engine::{
    ColumnType, Cut, Dimension, Items, Nulls, Other, Part, PartValue, Period, Query, Source, Time, Unit, Value,
};
use incrowd_exact::Rational;
use incrowd_privacy::points::Lattice;
use std::collections::HashMap;
use std::path::Path;

/// Returns the question that a request asks; its source is looked for in `base`, the folder of the request.
pub fn query(request: &Request, base: &Path) -> Result<Query, Refusal> {
    let data = request.data.clone().unwrap_or_default();
    let Some(location) = &data.source else { return Err(Refusal::NoSource) };
    if request.bins.is_empty() {
        return Err(Refusal::NoBins);
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
        condition: data.condition.clone(),
        part: data.split.as_ref().map(part),
        unit: unit(request, &data),
        dimensions: dimensions(request)?,
        time: request.series().and_then(time),
        items: if request.counts_pairs() { Items::Pairs } else { Items::Each },
    })
}

/// Each dimension; where counts run on, the first period of a run holds all that was before it.
fn dimensions(request: &Request) -> Result<Vec<Dimension>, Refusal> {
    if let Some(axes) = request.axes() {
        let lattices = Points::of(request)?.map(|points| points.lattices).unwrap_or_default();
        return Ok(axes.iter().zip(&lattices).map(|(axis, lattice)| grid(axis, lattice)).collect());
    }
    if let Some(top) = request.top() {
        // Ranks are not in the data.
        let mut items = request.bins[1..].iter().map(dimension).collect::<Result<Vec<_>, _>>()?;
        if !top.always.is_empty() {
            items.iter_mut().for_each(|item| item.value = as_text(&item.value));
        }
        return Ok(items);
    }
    let mut all = request.bins.iter().map(dimension).collect::<Result<Vec<_>, _>>()?;
    if let (Some(series), Some(first)) =
        (request.series().filter(|series| series.mode == Mode::Cumulative), all.first_mut())
    {
        first.cut = running(series);
    }
    Ok(all)
}

/// The places of an axis: each value falls to the nearest index of its cell.
fn grid(axis: &Axis, lattice: &Lattice) -> Dimension {
    Dimension {
        name: axis.name.clone(),
        value: Value::Column(axis.column.clone()),
        cut: Cut::Numbers(lattice.fine_edges()),
        other: Other::NotCounted,
        nulls: Nulls::Drop,
    }
}

/// Items that the request names are texts, and so are all others beside them.
fn as_text(value: &Value) -> Value {
    let expression = match value {
        Value::Column(column) => format!("\"{}\"", column.replace('"', "\"\"")),
        Value::Expression(text) => format!("({text})"),
    };
    Value::Expression(format!("CAST({expression} AS VARCHAR)"))
}

fn running(series: &Series) -> Cut {
    let span = &series.span;
    match span.dates() {
        Some(periods) => {
            let ends = periods.starts().filter_map(|start| start.next(periods.unit()));
            let from = i32::try_from(span.from()).unwrap_or(i32::MIN);
            Cut::Dates([from].into_iter().chain(ends.map(day)).collect())
        }
        None => {
            let ends = (span.first()..=span.last()).map(|period| period.saturating_add(1));
            Cut::Numbers([span.from()].into_iter().chain(ends).map(Rational::from).collect())
        }
    }
}

/// People who are in one period only are cut to their bins over all of them: no harm if one is in two.
fn time(series: &Series) -> Option<Time> {
    match (series.mode, series.people) {
        (Mode::Cumulative, _) => Some(Time::Running),
        (Mode::PerPeriod, People::Many) => Some(Time::Apart),
        (Mode::PerPeriod, People::Once) => None,
    }
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

fn dimension(bin: &request::Bin) -> Result<Dimension, Refusal> {
    Ok(Dimension {
        name: bin.name.clone(),
        value: match &bin.source {
            BinSource::Column(column) => Value::Column(column.clone()),
            BinSource::Expression(text) => Value::Expression(text.clone()),
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
        request::Cut::Truncated(unit) => Cut::FoundPeriods(period(*unit)),
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
        request::Cut::Edges(Edges::Dates(edges)) => Cut::Dates(edges.iter().map(|date| day(*date)).collect()),
        request::Cut::Periods(periods) => Cut::Periods(period(periods.unit()), periods.starts().map(day).collect()),
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
                values.iter().map(|value| if let BinValue::Date(value) = value { Some(day(*value)) } else { None });
            Ok(Cut::Days(all.collect::<Option<_>>().ok_or_else(mixed)?))
        }
        Some(BinValue::Text(_)) | None => {
            let all =
                values.iter().map(|value| if let BinValue::Text(value) = value { Some(value.clone()) } else { None });
            Ok(Cut::Texts(all.collect::<Option<_>>().ok_or_else(mixed)?))
        }
    }
}

fn period(unit: request::Truncate) -> Period {
    match unit {
        request::Truncate::Day => Period::Day,
        request::Truncate::Week => Period::Week,
        request::Truncate::Month => Period::Month,
        request::Truncate::Year => Period::Year,
    }
}

/// Days since 1970; years of four digits fit.
fn day(date: request::Date) -> i32 {
    i32::try_from(date.day_number()).unwrap_or(i32::MAX)
}
