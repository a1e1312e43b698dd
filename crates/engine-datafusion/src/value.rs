//! What is binned: columns in their declared types, and each dimension's value in the type that its bins need.
//!
//! Every change of type is null-on-error: a row that cannot be read is missing, it must never end the count. It is separate
//! from the expressions because columns go this way too, and from the cutting because here the engine still works on
//! expressions. Texts are read as booleans from `true`, `t`, `yes`, `y`, `on`, `1` and their opposites in any case; as dates
//! from `2026-01-31`. Read `value/day.rs` for days, `value/number.rs` for numbers, `cut.rs` for what follows.

pub(crate) mod day;
pub(crate) mod number;
#[cfg(test)]
mod tests;

use crate::expression::total::{Step, can_cast, cast, total};
use crate::expression::typed::{is_text, name_of};
use crate::expression::{nearest, row_wise};
use datafusion::arrow::datatypes::{DataType, Field, Schema, TimeUnit};
use datafusion::common::{Column, DFSchema};
use datafusion::logical_expr::{Expr, ExprSchemable, lit};
use datafusion::prelude::SessionContext;
use day::is_timezone;
use incrowd_engine::{
    BinSource, BinValue, ColumnType, Cut, Dimension, Edges, Expression, ListedValues, PeriodUnit, PrepareError,
    RequestField, Split,
};
use std::collections::{BTreeMap, HashSet};

/// Returns each column of a source under its own name, read as the declared type if there is one.
///
/// The day of a moment is the one in the time zone of the request, whether a bin or a declared type asks for it.
pub(crate) fn typed_columns(
    schema: &Schema,
    types: &BTreeMap<String, ColumnType>,
    timezone: &str,
) -> Result<Vec<Expr>, PrepareError> {
    let names: HashSet<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    for name in types.keys() {
        if !names.contains(name.as_str()) {
            let nearest = nearest(name, schema.fields().iter().map(|field| field.name().as_str()));
            return Err(PrepareError::NoColumn { place: RequestField::Types, column: name.clone(), nearest });
        }
    }
    if types.values().any(|kind| *kind == ColumnType::Date) && !is_timezone(timezone) {
        return Err(PrepareError::UnknownTimezone { name: timezone.to_owned() });
    }
    let columns = schema.fields().iter().map(|field| {
        let column = Expr::Column(Column::new_unqualified(field.name()));
        let typed = match types.get(field.name()) {
            None => column,
            Some(kind) => declared(column, field.data_type(), *kind, timezone)
                .ok_or_else(|| PrepareError::NoSuchCast { column: field.name().clone(), kind: *kind })?,
        };
        Ok(typed.alias(field.name()))
    });
    columns.collect()
}

/// Returns the columns that `typed_columns` gives. Tables may have a hundred thousand: nothing is looked up by name.
pub(crate) fn typed_schema(schema: &Schema, types: &BTreeMap<String, ColumnType>) -> Result<DFSchema, PrepareError> {
    let fields = schema.fields().iter().map(|field| {
        let has = field.data_type();
        let kind = types.get(field.name()).map_or_else(|| has.clone(), |kind| declared_type(has, *kind));
        Field::new(field.name(), kind, true)
    });
    let typed = DFSchema::try_from(Schema::new(fields.collect::<Vec<_>>()));
    typed.map_err(|_| PrepareError::NoEngine { reason: "the columns cannot be planned".into() })
}

fn declared_type(has: &DataType, kind: ColumnType) -> DataType {
    match kind {
        ColumnType::Text if is_text(has) => has.clone(),
        ColumnType::Text => DataType::Utf8View,
        ColumnType::Integer => DataType::Int64,
        ColumnType::Number => DataType::Float64,
        ColumnType::Boolean => DataType::Boolean,
        ColumnType::Date => DataType::Date32,
        ColumnType::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, None),
    }
}

fn declared(column: Expr, has: &DataType, kind: ColumnType, timezone: &str) -> Option<Expr> {
    let to = declared_type(has, kind);
    if has == &to {
        return Some(column);
    }
    // Numbers of days or seconds since some day are not dates unless the file says so.
    let is_time = |kind: &DataType| kind.is_temporal();
    let readable = can_cast(has, &to) && (is_text(has) || is_text(&to) || is_time(has) == is_time(&to));
    let is_moment = is_text(has) || matches!(has, DataType::Timestamp(_, _));
    match kind {
        _ if !readable => None,
        ColumnType::Date if is_moment => Some(total(Step::DayIn(timezone.to_owned()), vec![column])),
        ColumnType::Text
        | ColumnType::Integer
        | ColumnType::Number
        | ColumnType::Boolean
        | ColumnType::Date
        | ColumnType::Timestamp => Some(cast(column, to)),
    }
}

/// Returns the value of a dimension in the type that its cut needs; what cannot be read is missing.
pub(crate) fn dimension_value(
    context: &SessionContext,
    schema: &DFSchema,
    dimension: &Dimension<Expression>,
    timezone: &str,
) -> Result<Expr, PrepareError> {
    let place = RequestField::Bin(dimension.name.clone());
    let value = match &dimension.source {
        BinSource::Column(name) => column(schema, name, &place)?,
        BinSource::Expression(expression) => row_wise(context, schema, expression, place.clone())?,
    };
    let has = type_of(&value, schema, &place)?;
    match &dimension.cut {
        Cut::Found => found(value, &has, place),
        Cut::Truncated(period) => {
            let day = day_of(value, &has, timezone, place)?;
            Ok(match *period {
                PeriodUnit::Day => day,
                unit => total(Step::FirstDay(unit), vec![day]),
            })
        }
        Cut::Values(ListedValues::Texts(_)) | Cut::Named(_) if is_text(&has) => Ok(value),
        Cut::Values(ListedValues::Texts(_)) | Cut::Named(_) => {
            Err(wrong(place, "text, to be compared with listed texts", &has))
        }
        Cut::Values(ListedValues::Integers(_)) => whole(value, &has, place),
        Cut::Values(ListedValues::Booleans(_)) => match &has {
            DataType::Boolean => Ok(value),
            has if is_text(has) => Ok(cast(value, DataType::Boolean)),
            has => Err(wrong(place, "true or false", has)),
        },
        Cut::Values(ListedValues::Days(_)) | Cut::Edges(Edges::Dates(_)) | Cut::Periods(_) => {
            day_of(value, &has, timezone, place)
        }
        Cut::Edges(Edges::Numbers(_) | Edges::Regular { .. }) => number(value, &has, place),
    }
}

/// Returns who the person of a row is: any value that can be a key.
pub(crate) fn person_value(schema: &DFSchema, name: &str) -> Result<Expr, PrepareError> {
    let person = column(schema, name, &RequestField::Person)?;
    let has = type_of(&person, schema, &RequestField::Person)?;
    found(person, &has, RequestField::Person)
}

/// Returns for how many persons a row stands, as an Int64.
pub(crate) fn people_value(schema: &DFSchema, name: &str) -> Result<Expr, PrepareError> {
    let people = column(schema, name, &RequestField::People)?;
    let has = type_of(&people, schema, &RequestField::People)?;
    whole(people, &has, RequestField::People)
}

/// Returns whether a row is of a part. Types must be those of the part's name, so that no row is of two parts.
pub(crate) fn part_value(schema: &DFSchema, split: &Split) -> Result<Expr, PrepareError> {
    let value = column(schema, &split.column, &RequestField::Split)?;
    let has = type_of(&value, schema, &RequestField::Split)?;
    match &split.part {
        BinValue::Text(text) if is_text(&has) => Ok(value.eq(lit(text.clone()))),
        BinValue::Text(_) => Err(wrong(RequestField::Split, "text, to be compared with a text", &has)),
        BinValue::Integer(_) if is_text(&has) => Err(wrong(RequestField::Split, "an integer", &has)),
        BinValue::Integer(integer) => Ok(whole(value, &has, RequestField::Split)?.eq(lit(*integer))),
        // No request names a part so.
        BinValue::Boolean(_) | BinValue::Date(_) => Err(wrong(RequestField::Split, "a text or an integer", &has)),
    }
}

fn column(schema: &DFSchema, name: &str, place: &RequestField) -> Result<Expr, PrepareError> {
    let names = || schema.fields().iter().map(|field| field.name().as_str());
    if names().any(|column| column == name) {
        return Ok(Expr::Column(Column::new_unqualified(name)));
    }
    Err(PrepareError::NoColumn { place: place.clone(), column: name.to_owned(), nearest: nearest(name, names()) })
}

fn type_of(value: &Expr, schema: &DFSchema, place: &RequestField) -> Result<DataType, PrepareError> {
    let unknown = |_| PrepareError::NotAnExpression { place: place.clone(), message: "its type is not known".into() };
    value.get_type(schema).map_err(unknown)
}

fn wrong(place: RequestField, wanted: &'static str, has: &DataType) -> PrepareError {
    PrepareError::WrongType { place, wanted, has: name_of(has).to_owned() }
}

/// A value as a key. Texts keep the way in which they are stored.
fn found(value: Expr, has: &DataType, place: RequestField) -> Result<Expr, PrepareError> {
    let to = match has {
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => DataType::Int64,
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 => DataType::Int64,
        // One zero and no NaN: a float is read as itself.
        DataType::Float16 | DataType::Float32 | DataType::Float64 => return Ok(cast(value, DataType::Float64)),
        DataType::Decimal32(precision, scale) | DataType::Decimal64(precision, scale) => {
            DataType::Decimal128(*precision, *scale)
        }
        DataType::Date32 | DataType::Date64 => DataType::Date32,
        DataType::UInt64 | DataType::Decimal128(_, _) | DataType::Boolean | DataType::Timestamp(_, _) => has.clone(),
        has if is_text(has) => return Ok(value),
        DataType::Dictionary(_, values) => {
            return found(cast(value, values.as_ref().clone()), values, place);
        }
        has => return Err(wrong(place, "text, a number, a date, a timestamp, true or false", has)),
    };
    Ok(if has == &to { value } else { cast(value, to) })
}

/// A value as an Int64. A number with a fraction is refused: which way would it be rounded?
fn whole(value: Expr, has: &DataType, place: RequestField) -> Result<Expr, PrepareError> {
    match has {
        DataType::Int64 => Ok(value),
        DataType::Int8 | DataType::Int16 | DataType::Int32 => Ok(cast(value, DataType::Int64)),
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => Ok(cast(value, DataType::Int64)),
        DataType::Decimal32(_, 0) | DataType::Decimal64(_, 0) | DataType::Decimal128(_, 0) => {
            Ok(cast(value, DataType::Int64))
        }
        DataType::Dictionary(_, values) if !is_text(values) => {
            whole(cast(value, values.as_ref().clone()), values, place)
        }
        has if is_text(has) => Ok(cast(value, DataType::Int64)),
        has => Err(wrong(place, "an integer", has)),
    }
}

/// A value as a Date32: a moment's day is the one in the time zone of the request.
fn day_of(value: Expr, has: &DataType, timezone: &str, place: RequestField) -> Result<Expr, PrepareError> {
    if !is_timezone(timezone) {
        return Err(PrepareError::UnknownTimezone { name: timezone.to_owned() });
    }
    match has {
        DataType::Date32 => Ok(value),
        DataType::Date64 => Ok(cast(value, DataType::Date32)),
        DataType::Timestamp(_, _) => Ok(total(Step::DayIn(timezone.to_owned()), vec![value])),
        has if is_text(has) => Ok(total(Step::DayIn(timezone.to_owned()), vec![value])),
        has => Err(wrong(place, "a date or a timestamp", has)),
    }
}

/// A value as a number that can be compared exactly with any fraction.
fn number(value: Expr, has: &DataType, place: RequestField) -> Result<Expr, PrepareError> {
    let to = match has {
        DataType::Int64 | DataType::UInt64 | DataType::Float64 | DataType::Decimal128(_, _) => return Ok(value),
        DataType::Int8 | DataType::Int16 | DataType::Int32 => DataType::Int64,
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 => DataType::Int64,
        DataType::Float16 | DataType::Float32 => DataType::Float64,
        DataType::Decimal32(precision, scale) | DataType::Decimal64(precision, scale) => {
            DataType::Decimal128(*precision, *scale)
        }
        DataType::Dictionary(_, values) if !is_text(values) => {
            return number(cast(value, values.as_ref().clone()), values, place);
        }
        has if is_text(has) => DataType::Float64,
        has => return Err(wrong(place, "a number", has)),
    };
    Ok(cast(value, to))
}
