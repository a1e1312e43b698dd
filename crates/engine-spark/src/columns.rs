//! The columns of a table: their names, and the types of Arrow in which Spark sends them.
//!
//! It must never give a type to a column that is sent in another one. It is separate because it is a list that the
//! tests hold against a server, type by type. Read `rows.rs` for the batches that are held against it.

use crate::wire::{SparkType, StructField, TypeKind};
use arrow_schema::{DataType, Field, Fields, IntervalUnit, Schema, SchemaRef, TimeUnit};
use std::sync::Arc;

/// The time zone of every session, as moments carry it.
const ZONE: &str = "UTC";

/// Returns the columns as Arrow has them.
pub(crate) fn columns(found: &[StructField]) -> SchemaRef {
    let field = |field: &StructField| Field::new(&field.name, sent_as(field.kind.as_ref()), true);
    Arc::new(Schema::new(found.iter().map(field).collect::<Vec<_>>()))
}

/// Returns two names of columns that Spark does not tell apart, if there are such.
pub(crate) fn twins(columns: &Schema) -> Option<String> {
    let mut seen = std::collections::HashSet::new();
    let twin = columns.fields().iter().find(|field| !seen.insert(field.name().to_lowercase()));
    twin.map(|field| field.name().clone())
}

/// Returns the name of a column in which Spark puts something else before it looks for it in files, where it then finds
/// nothing but null.
pub(crate) fn substituted(columns: &Schema) -> Option<&str> {
    columns.fields().iter().map(|field| field.name().as_str()).find(|name| name.contains("${"))
}

fn sent_as(kind: Option<&SparkType>) -> DataType {
    // A type of many values is never sent: it has no values that a count knows.
    let nested = DataType::Struct(Fields::empty());
    let Some(kind) = kind.and_then(|kind| kind.kind.as_ref()) else { return nested };
    match kind {
        TypeKind::Null(_) => DataType::Null,
        TypeKind::Binary(_) => DataType::Binary,
        TypeKind::Boolean(_) => DataType::Boolean,
        TypeKind::Byte(_) => DataType::Int8,
        TypeKind::Short(_) => DataType::Int16,
        TypeKind::Integer(_) => DataType::Int32,
        TypeKind::Long(_) => DataType::Int64,
        TypeKind::Float(_) => DataType::Float32,
        TypeKind::Double(_) => DataType::Float64,
        TypeKind::Decimal(decimal) => {
            let precision = decimal.precision.and_then(|digits| u8::try_from(digits).ok());
            let scale = decimal.scale.map_or(Some(0), |digits| i8::try_from(digits).ok());
            match (precision, scale) {
                (Some(precision), Some(scale)) => DataType::Decimal128(precision, scale),
                (_, _) => nested,
            }
        }
        TypeKind::Text(_) | TypeKind::Char(_) | TypeKind::VarChar(_) => DataType::Utf8,
        TypeKind::Date(_) => DataType::Date32,
        TypeKind::Timestamp(_) => DataType::Timestamp(TimeUnit::Microsecond, Some(ZONE.into())),
        TypeKind::TimestampWithoutZone(_) => DataType::Timestamp(TimeUnit::Microsecond, None),
        TypeKind::CalendarInterval(_) => DataType::Interval(IntervalUnit::MonthDayNano),
        TypeKind::YearMonthInterval(_) => DataType::Interval(IntervalUnit::YearMonth),
        TypeKind::DayTimeInterval(_) => DataType::Duration(TimeUnit::Microsecond),
        TypeKind::Time(_) => DataType::Time64(TimeUnit::Nanosecond),
        TypeKind::Struct(_) => nested,
    }
}
