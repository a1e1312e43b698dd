//! What is binned, and who is counted: columns in their declared types, and each value in the type that its bins need.
//!
//! Every change of type is null-on-error: a row that cannot be read is missing, it must never end the count. It is
//! separate from the expressions because columns go this way too. Texts are read as truth values from `true`, `t`,
//! `yes`, `y`, `on`, `1` and their opposites in any case; as dates from `2026-01-31`. Read `plan.rs` for who asks.

use super::columns::{Columns, SourceColumn};
use super::constant::Constant;
use super::translate::{Translator, text_constant, wrong};
use super::types::{ANY, RowType};
use super::{RowForm, RowValue};
use crate::expression::{ComparisonOperator, Expression};
use crate::prepare_error::{PrepareError, RequestField};
use crate::steps::is_timezone;
use incrowd_definition::{BinSource, BinValue, ColumnType, Cut, Dimension, Edges, ListedValues, PeriodUnit, Split};

/// Returns the type that a declared one stands for.
fn declared_type(kind: ColumnType) -> RowType {
    match kind {
        ColumnType::Text => RowType::Text,
        ColumnType::Integer => RowType::Integer,
        ColumnType::Number => RowType::Number,
        ColumnType::Boolean => RowType::Boolean,
        ColumnType::Date => RowType::Date,
        ColumnType::Timestamp => RowType::moment(),
    }
}

/// Returns a column of a source read as its declared type, if there is one.
///
/// The day of a moment is the one in the time zone of the request, whether a bin or a declared type asks for it.
pub(super) fn typed(
    column: &SourceColumn,
    declared: Option<ColumnType>,
    timezone: &str,
) -> Result<RowValue, PrepareError> {
    let stored = RowValue::column(&column.name, &column.kind);
    let Some(kind) = declared else { return Ok(stored) };
    let (has, to) = (&column.kind, declared_type(kind));
    if has == &to {
        return Ok(stored);
    }
    // Numbers of days or seconds since some day are not dates unless the source says so.
    let of_one_sort = has == &RowType::Text || to == RowType::Text || has.is_time() == to.is_time();
    let readable = match has {
        RowType::Foreign(_) => column.readable_as.contains(&kind),
        has => has.can_be_read_as(&to) && of_one_sort,
    };
    if !readable {
        return Err(PrepareError::NoSuchCast { column: column.name.clone(), kind });
    }
    let is_moment = matches!(has, RowType::Text | RowType::Timestamp { .. });
    Ok(if to == RowType::Date && is_moment { day_in(timezone, stored) } else { stored.read_as(to) })
}

/// Returns whether a condition holds.
pub(super) fn condition(columns: &Columns<'_>, condition: &Expression) -> Result<RowValue, PrepareError> {
    let place = RequestField::Condition;
    let value = Translator::new(columns, &place).translate(condition)?;
    match &value.kind {
        RowType::Boolean => Ok(value),
        has => Err(wrong(place, "true or false", has)),
    }
}

/// Returns the value of a dimension in the type that its cut needs; what cannot be read is missing.
pub(super) fn dimension(
    columns: &Columns<'_>,
    dimension: &Dimension<Expression>,
    timezone: &str,
) -> Result<RowValue, PrepareError> {
    let place = RequestField::Bin(dimension.name.clone());
    let value = match &dimension.source {
        BinSource::Column(name) => columns.value(name, &place)?,
        BinSource::Expression(expression) => Translator::new(columns, &place).translate(expression)?,
    };
    match &dimension.cut {
        Cut::Found => found(value, place),
        Cut::Truncated(period) => {
            let day = day_of(value, timezone, place)?;
            Ok(match *period {
                PeriodUnit::Day => day,
                unit => RowValue { form: RowForm::FirstDay(unit, Box::new(day)), kind: RowType::Date },
            })
        }
        Cut::Values(ListedValues::Texts(_)) | Cut::Named(_) => match &value.kind {
            RowType::Text => Ok(value),
            has => Err(wrong(place, "text, to be compared with listed texts", has)),
        },
        Cut::Values(ListedValues::Integers(_)) => whole(value, place),
        Cut::Values(ListedValues::Booleans(_)) => match &value.kind {
            RowType::Boolean => Ok(value),
            RowType::Text => Ok(value.read_as(RowType::Boolean)),
            has => Err(wrong(place, "true or false", has)),
        },
        Cut::Values(ListedValues::Days(_)) | Cut::Edges(Edges::Dates(_)) | Cut::Periods(_) => {
            day_of(value, timezone, place)
        }
        Cut::Edges(Edges::Numbers(_) | Edges::Regular { .. }) => number(value, place),
    }
}

/// Returns who the person of a row is: any value that can be a key.
pub(super) fn person(columns: &Columns<'_>, name: &str) -> Result<RowValue, PrepareError> {
    found(columns.value(name, &RequestField::Person)?, RequestField::Person)
}

/// Returns for how many persons a row stands, as an integer.
pub(super) fn people(columns: &Columns<'_>, name: &str) -> Result<RowValue, PrepareError> {
    whole(columns.value(name, &RequestField::People)?, RequestField::People)
}

/// Returns whether a row is of a part. Types must be those of the part's name, so that no row is of two parts.
pub(super) fn part(columns: &Columns<'_>, split: &Split) -> Result<RowValue, PrepareError> {
    let place = RequestField::Split;
    let value = columns.value(&split.column, &place)?;
    let (value, named) = match (&split.part, &value.kind) {
        (BinValue::Text(text), RowType::Text) => (value, text_constant(text.clone())),
        (BinValue::Text(_), has) => return Err(wrong(place, "text, to be compared with a text", has)),
        (BinValue::Integer(_), RowType::Text) => return Err(wrong(place, "an integer", &RowType::Text)),
        // No request names a part so.
        (BinValue::Boolean(_) | BinValue::Date(_), has) => return Err(wrong(place, "a text or an integer", has)),
        (BinValue::Integer(integer), _) => {
            (whole(value, place)?, RowValue::constant(Constant::Integer(*integer), RowType::Integer))
        }
    };
    Ok(RowValue::truth(RowForm::Compare(ComparisonOperator::Equal, Box::new(value), Box::new(named))))
}

/// A value as a key.
fn found(value: RowValue, place: RequestField) -> Result<RowValue, PrepareError> {
    match &value.kind {
        // One zero and no NaN: a number is read as itself.
        RowType::Number => Ok(value.read_as(RowType::Number)),
        RowType::Text
        | RowType::Integer
        | RowType::Unsigned
        | RowType::Decimal { .. }
        | RowType::Boolean
        | RowType::Date
        | RowType::Timestamp { .. } => Ok(value),
        has @ (RowType::Null | RowType::Foreign(_)) => Err(wrong(place, ANY, has)),
    }
}

/// A value as an integer. A number with a fraction is refused: which way would it be rounded?
fn whole(value: RowValue, place: RequestField) -> Result<RowValue, PrepareError> {
    match &value.kind {
        RowType::Integer => Ok(value),
        RowType::Unsigned | RowType::Decimal { scale: 0, .. } | RowType::Text => Ok(value.read_as(RowType::Integer)),
        has => Err(wrong(place, "an integer", has)),
    }
}

/// A value as a day: a moment's day is the one in the time zone of the request.
fn day_of(value: RowValue, timezone: &str, place: RequestField) -> Result<RowValue, PrepareError> {
    if !is_timezone(timezone) {
        return Err(PrepareError::UnknownTimezone { name: timezone.to_owned() });
    }
    match &value.kind {
        RowType::Date => Ok(value),
        RowType::Timestamp { .. } | RowType::Text => Ok(day_in(timezone, value)),
        has => Err(wrong(place, "a date or a timestamp", has)),
    }
}

fn day_in(timezone: &str, value: RowValue) -> RowValue {
    RowValue { form: RowForm::DayIn(timezone.to_owned(), Box::new(value)), kind: RowType::Date }
}

/// A value as a number that can be compared exactly with any fraction.
fn number(value: RowValue, place: RequestField) -> Result<RowValue, PrepareError> {
    match &value.kind {
        RowType::Integer | RowType::Unsigned | RowType::Number | RowType::Decimal { .. } => Ok(value),
        RowType::Text => Ok(value.read_as(RowType::Number)),
        has => Err(wrong(place, "a number", has)),
    }
}
