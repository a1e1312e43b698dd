//! How the columns that a query uses are stored, in the words of the contract.
//!
//! From formats and schemas alone; it must never look at a row, nor at how rows happen to be packed. It is separate
//! because it is told before the charge. Read `engine.rs` for which columns are used.

use crate::source::Format;
use arrow_schema::{DataType, Schema, TimeUnit};
use incrowd_engine::{Dialect, Precision, Reading, RowType, Stored};
use std::collections::BTreeMap;

/// In place of a column, where none is used.
const ROWS: &str = "";

/// Returns the reading of the columns that are used, and of the values that name persons.
pub(crate) fn reading(format: Format, dialect: &Dialect, used: &Schema, person: Option<&RowType>) -> Reading {
    // What files say by their names anyway is the same reading, said aloud or not.
    let dialect = &dialect.without_defaults_of(Some(format.name()));
    let mut columns: BTreeMap<String, Stored> = BTreeMap::new();
    columns.extend(used.fields().iter().map(|field| {
        let stored = match format {
            Format::Json => Stored::Json,
            Format::Csv | Format::Tsv | Format::Parquet | Format::Arrow => stored(field.data_type()),
            // Their numbers, days and truth values are spelled by us: the same texts in a CSV file may be others.
            Format::Xlsx | Format::Ods | Format::Sqlite => {
                Stored::Written(Dialect { format: Some(format.name()), ..dialect.clone() }.text())
            }
        };
        (field.name().clone(), written(stored, dialect))
    }));
    // Which records are rows is the dialect's, too, where rows are counted and no column is asked for.
    let is_text = matches!(format, Format::Csv | Format::Tsv | Format::Json);
    if columns.is_empty() && is_text && !dialect.is_default() {
        columns.insert(ROWS.to_owned(), Stored::Written(dialect.text()));
    }
    Reading { columns, person: person.map(RowType::stored) }
}

/// Texts that are read by a dialect of their own are read otherwise than those of any other.
fn written(stored: Stored, dialect: &Dialect) -> Stored {
    match stored {
        Stored::Text | Stored::Json if !dialect.is_default() => Stored::Written(dialect.text()),
        stored => stored,
    }
}

/// Returns what a type is: widths of integers and ways to store texts lose nothing, and make no difference.
fn stored(kind: &DataType) -> Stored {
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
