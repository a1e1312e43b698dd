//! The columns of a table as a statement writes them, in the forms that `incrowd_engine_sql` wants.
//!
//! It must never give a form to a column whose delivered values would be others: an empty text is missing, a short
//! integer is a long one, a day is a number. It is separate because it is the only place where a type of Spark meets
//! SQL. Read `columns.rs` for the types.

use crate::table::{Table, quoted};
use arrow_schema::{DataType, Schema, TimeUnit};
use incrowd_engine::row_type;
use incrowd_engine_sql::{ServerColumn, ServerTable};

/// Returns the table as statements name it.
pub(crate) fn statement_table(table: &Table, columns: &Schema) -> ServerTable {
    let column = |field: &arrow_schema::FieldRef| ServerColumn {
        name: field.name().clone(),
        kind: row_type(field.data_type()),
        value: value(&quoted(field.name()), field.data_type()),
    };
    ServerTable { from: table.quoted(), columns: columns.fields().iter().map(column).collect() }
}

fn value(name: &str, stored: &DataType) -> Result<String, String> {
    match stored {
        // An empty text is missing, as it is in files; whatever collation compares it elsewhere, here its bytes do.
        DataType::Utf8 => Ok(format!("NULLIF({name} COLLATE UTF8_BINARY, '')")),
        DataType::Int8 | DataType::Int16 | DataType::Int32 => Ok(format!("CAST({name} AS BIGINT)")),
        DataType::Int64 | DataType::Float64 | DataType::Decimal128(_, _) | DataType::Boolean => Ok(name.to_owned()),
        DataType::Date32 => Ok(format!("unix_date({name})")),
        DataType::Timestamp(TimeUnit::Microsecond, _) => Ok(name.to_owned()),
        DataType::Float32 => Err("is stored as 32-bit fractions, which stand for their shortest decimals".into()),
        _ => Err("is of a type that is read here".into()),
    }
}
