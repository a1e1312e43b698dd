//! Small tables of typed columns, read from JSON.
//!
//! It must never know how an engine stores them: whoever runs the cases writes them where they are looked for. It is
//! separate from the cases because many share a table. Read `value.rs` for how values are written.

use crate::value::{CaseValue, read_type};
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array, RecordBatch, StringArray,
    UInt64Array,
};
use arrow_cast::cast;
use incrowd_engine::{RowType, SourceColumn};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseTable {
    /// Its name: letters and dashes.
    pub name: String,
    /// Its columns, all of one length. The first has a value in every row that is about somebody.
    pub columns: Vec<CaseColumn>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseColumn {
    /// Its exact name.
    pub name: String,
    /// What it holds; never a null or a foreign type.
    pub kind: RowType,
    /// Its values, one for each row.
    pub values: Vec<CaseValue>,
}

impl CaseColumn {
    /// Values of one sort, nothing where they are missing.
    fn of<'c, T>(&'c self, sort: impl Fn(&'c CaseValue) -> Option<T> + 'c) -> impl Iterator<Item = Option<T>> + 'c {
        self.values.iter().map(move |value| match value {
            CaseValue::Missing => None,
            value => Some(sort(value).unwrap_or_else(|| panic!("{}: {value:?}", self.name))),
        })
    }

    fn array(&self) -> ArrayRef {
        let name = &self.name;
        match &self.kind {
            RowType::Text => Arc::new(
                self.of(|value| if let CaseValue::Text(value) = value { Some(value.as_str()) } else { None })
                    .collect::<StringArray>(),
            ),
            RowType::Integer => Arc::new(
                self.of(|value| if let CaseValue::Integer(value) = value { Some(*value) } else { None })
                    .collect::<Int64Array>(),
            ),
            RowType::Unsigned => Arc::new(
                self.of(|value| if let CaseValue::Unsigned(value) = value { Some(*value) } else { None })
                    .collect::<UInt64Array>(),
            ),
            RowType::Number => Arc::new(
                self.of(|value| if let CaseValue::Number(value) = value { Some(*value) } else { None })
                    .collect::<Float64Array>(),
            ),
            RowType::Decimal { precision, scale } => {
                let units = self
                    .of(|value| if let CaseValue::Decimal(value) = value { Some(*value) } else { None })
                    .collect::<Decimal128Array>();
                Arc::new(units.with_precision_and_scale(*precision, *scale).expect("a decimal type"))
            }
            RowType::Boolean => Arc::new(
                self.of(|value| if let CaseValue::Boolean(value) = value { Some(*value) } else { None })
                    .collect::<BooleanArray>(),
            ),
            RowType::Date => Arc::new(
                self.of(|value| if let CaseValue::Date(value) = value { Some(*value) } else { None })
                    .collect::<Date32Array>(),
            ),
            RowType::Timestamp { .. } => {
                let moments = self
                    .of(|value| if let CaseValue::Timestamp(value) = value { Some(*value) } else { None })
                    .collect::<Int64Array>();
                cast(&moments, &self.kind.carrier()).expect("moments")
            }
            RowType::Null | RowType::Foreign(_) => panic!("{name} has no values"),
        }
    }
}

impl CaseTable {
    /// Reads `{"columns": [[name, type], ...], "rows": [[value, ...], ...]}`.
    pub(crate) fn read(path: &Path) -> CaseTable {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let json: Json = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let rows = json["rows"].as_array().expect("rows");
        let columns = json["columns"].as_array().expect("columns").iter().enumerate();
        let columns = columns.map(|(place, column)| {
            let (title, kind) = (column[0].as_str().expect("a name"), column[1].as_str().expect("a type"));
            let kind = read_type(kind).unwrap_or_else(|| panic!("{name}: there is no type {kind}"));
            let value = |row: &Json| {
                CaseValue::read(&row[place], &kind)
                    .unwrap_or_else(|| panic!("{name}, {title}: {} is no value", row[place]))
            };
            CaseColumn { name: title.to_owned(), values: rows.iter().map(value).collect(), kind: kind.clone() }
        });
        let columns: Vec<CaseColumn> = columns.collect();
        for row in rows {
            assert_eq!(row.as_array().map(Vec::len), Some(columns.len()), "{name}: {row}");
        }
        CaseTable { name, columns }
    }

    /// Returns how many rows it has.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Returns its columns for the contract.
    pub fn source_columns(&self) -> Vec<SourceColumn> {
        let column = |column: &CaseColumn| SourceColumn {
            name: column.name.clone(),
            kind: column.kind.clone(),
            readable_as: Vec::new(),
        };
        self.columns.iter().map(column).collect()
    }

    /// Returns the table as Arrow has it, in the types of the contract.
    pub fn batch(&self) -> RecordBatch {
        let columns = self.columns.iter().map(|column| (column.name.clone(), column.array(), true));
        RecordBatch::try_from_iter_with_nullable(columns).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// Returns the table with the first column and those that are named: what cannot be stored somewhere keeps no other
    /// column from being read there.
    pub(crate) fn with(&self, names: &BTreeSet<&str>) -> CaseTable {
        let first = self.columns.iter().take(1);
        let others = self.columns.iter().skip(1).filter(|column| names.contains(column.name.as_str()));
        CaseTable { name: self.name.clone(), columns: first.chain(others).cloned().collect() }
    }
}
