//! How sources store columns as Arrow has them, in the types of the contract and in the words of a reading.
//!
//! From schemas alone. It must never call two types one that hold different values. It is separate from the types
//! because a source has many more ways to store a value than there are values. Read `columns.rs` next.

use super::columns::SourceColumn;
use super::types::RowType;
use arrow_cast::can_cast_types;
use arrow_schema::{DataType, Schema, TimeUnit};
use incrowd_definition::{ColumnType, Precision, Stored};

/// Returns the columns of a source for the contract.
pub fn source_columns(schema: &Schema) -> Vec<SourceColumn> {
    let column = |field: &arrow_schema::FieldRef| {
        let kind = row_type(field.data_type());
        let readable_as = match kind {
            RowType::Foreign(_) => readable_as(field.data_type()),
            _ => Vec::new(),
        };
        SourceColumn { name: field.name().clone(), kind, readable_as }
    };
    schema.fields().iter().map(column).collect()
}

/// Returns the type of values that are stored in this one. Widths, and ways to store texts, make no difference.
pub fn row_type(stored: &DataType) -> RowType {
    match stored {
        DataType::Null => RowType::Null,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => RowType::Text,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => RowType::Integer,
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 => RowType::Integer,
        DataType::UInt64 => RowType::Unsigned,
        DataType::Float16 | DataType::Float32 | DataType::Float64 => RowType::Number,
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale) => RowType::Decimal { precision: *precision, scale: *scale },
        DataType::Boolean => RowType::Boolean,
        DataType::Date32 | DataType::Date64 => RowType::Date,
        DataType::Timestamp(unit, zone) => {
            let precision = match unit {
                TimeUnit::Second => Precision::Second,
                TimeUnit::Millisecond => Precision::Millisecond,
                TimeUnit::Microsecond => Precision::Microsecond,
                TimeUnit::Nanosecond => Precision::Nanosecond,
            };
            RowType::Timestamp { precision, zone: zone.as_ref().map(|zone| zone.to_string()) }
        }
        DataType::Dictionary(_, values) => row_type(values),
        DataType::Decimal256(_, _) => RowType::Foreign("a decimal number"),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => {
            RowType::Foreign("binary")
        }
        DataType::Time32(_) | DataType::Time64(_) => RowType::Foreign("a time of day"),
        DataType::Duration(_) | DataType::Interval(_) => RowType::Foreign("a length of time"),
        _ => RowType::Foreign("a nested type"),
    }
}

fn readable_as(stored: &DataType) -> Vec<ColumnType> {
    let carried = [
        (ColumnType::Text, DataType::Utf8View),
        (ColumnType::Integer, DataType::Int64),
        (ColumnType::Number, DataType::Float64),
        (ColumnType::Boolean, DataType::Boolean),
        (ColumnType::Date, DataType::Date32),
        (ColumnType::Timestamp, DataType::Timestamp(TimeUnit::Microsecond, None)),
    ];
    // Numbers of days or seconds since some day are not dates unless the file says so.
    let of_one_sort = |to: &DataType| is_text(to) || stored.is_temporal() == to.is_temporal();
    let readable = carried.into_iter().filter(|(_, to)| can_cast_types(stored, to) && of_one_sort(to));
    readable.map(|(kind, _)| kind).collect()
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Returns what a type is: widths of integers and ways to store texts lose nothing, and make no difference.
pub fn stored(kind: &DataType) -> Stored {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Stored::Text,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => Stored::Integer,
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => Stored::Integer,
        DataType::Float16 => Stored::Float(16),
        DataType::Float32 => Stored::Float(32),
        DataType::Float64 => Stored::Float(64),
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale)
        | DataType::Decimal256(_, scale) => Stored::Decimal(*scale),
        DataType::Boolean => Stored::Boolean,
        DataType::Date32 | DataType::Date64 => Stored::Date,
        DataType::Timestamp(unit, zone) => {
            let precision = match unit {
                TimeUnit::Second => Precision::Second,
                TimeUnit::Millisecond => Precision::Millisecond,
                TimeUnit::Microsecond => Precision::Microsecond,
                TimeUnit::Nanosecond => Precision::Nanosecond,
            };
            Stored::Timestamp { precision, zone: zone.as_ref().map(|zone| zone.to_string()) }
        }
        DataType::Dictionary(_, values) => stored(values),
        other => Stored::Other(other.to_string()),
    }
}
