//! Tables of the conformance kit as tables of a server.

use crate::{Tool, server};
use incrowd_conformance::{CaseColumn, CaseTable, CaseValue};
use incrowd_engine::{Precision, Query, RowType};

/// Puts a table into the schema `cases`, and returns its name; nothing if the server has no such values.
pub fn put(tool: &Tool, table: &CaseTable, name: &str) -> Option<String> {
    let kinds = table.columns.iter().map(|column| Some(format!("{} {}", quoted(&column.name), kind(column)?)));
    let kinds = kinds.collect::<Option<Vec<_>>>()?.join(", ");
    let mut rows = Vec::new();
    for row in 0..table.rows() {
        let values = table.columns.iter().map(|column| value(&column.values[row], &column.kind));
        rows.push(format!("({})", values.collect::<Option<Vec<_>>>()?.join(", ")));
    }
    let table = format!("cases.{}", quoted(name));
    let rows = if rows.is_empty() { String::new() } else { format!("INSERT INTO {table} VALUES {}", rows.join(", ")) };
    tool.run(&format!(
        "SELECT pg_advisory_xact_lock(17); SET TimeZone = 'UTC'; CREATE SCHEMA IF NOT EXISTS cases; DROP TABLE IF EXISTS {table}; \
         CREATE TABLE {table} ({kinds}); {rows}"
    ));
    Some(table)
}

/// Returns the question about a table of the server.
pub fn asked(query: &Query, table: String) -> Query {
    let mut query = query.clone();
    query.source.location = server();
    query.source.dialect.table = Some(table);
    query
}

pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn kind(column: &CaseColumn) -> Option<String> {
    Some(match &column.kind {
        RowType::Text => "text".into(),
        RowType::Integer => "int8".into(),
        RowType::Number => "float8".into(),
        RowType::Decimal { precision, scale } if (0..=i16::from(*precision)).contains(&i16::from(*scale)) => {
            format!("numeric({precision},{scale})")
        }
        RowType::Boolean => "boolean".into(),
        RowType::Date => "date".into(),
        RowType::Timestamp { precision: Precision::Microsecond, zone: None } => "timestamp".into(),
        RowType::Timestamp { precision: Precision::Microsecond, zone: Some(zone) } if zone == "UTC" => {
            "timestamptz".into()
        }
        RowType::Unsigned
        | RowType::Decimal { .. }
        | RowType::Timestamp { .. }
        | RowType::Null
        | RowType::Foreign(_) => return None,
    })
}

fn value(value: &CaseValue, kind: &RowType) -> Option<String> {
    Some(match value {
        CaseValue::Missing => "NULL".into(),
        CaseValue::Text(text) if text.contains('\0') => return None,
        CaseValue::Text(text) => format!("'{}'", text.replace('\'', "''")),
        CaseValue::Integer(integer) => format!("'{integer}'"),
        CaseValue::Unsigned(_) => return None,
        CaseValue::Number(number) => format!("'{number:?}'::float8"),
        CaseValue::Decimal(units) => {
            let RowType::Decimal { scale, .. } = kind else { return None };
            format!("'{units}e-{scale}'::numeric")
        }
        CaseValue::Boolean(truth) => truth.to_string(),
        // From the first day to the last that the server has.
        CaseValue::Date(day) if (-2_440_588..=2_145_031_948 + 10_957).contains(day) => {
            format!("'1970-01-01'::date + ({day})")
        }
        CaseValue::Date(_) => return None,
        CaseValue::Timestamp(moment) if (-200_000_000_000_000_000..=9_000_000_000_000_000_000).contains(moment) => {
            let (days, rest) = (moment.div_euclid(86_400_000_000), moment.rem_euclid(86_400_000_000));
            format!("'1970-01-01'::timestamp + interval '{days} days' + interval '{rest} microseconds'")
        }
        CaseValue::Timestamp(_) => return None,
    })
}
