//! The declared types of columns.
//!
//! A type is what a request says of a column, whatever a file stores; it must never be guessed. It is separate because
//! requests declare types, engines read by them and proofs depend on them. Read `reading.rs` for how values are stored.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A column's declared type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// As it is written.
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers with a fraction.
    Number,
    /// `true` and `false`.
    Boolean,
    /// Days.
    Date,
    /// Moments.
    Timestamp,
}

impl ColumnType {
    /// All of them.
    pub const ALL: [ColumnType; 6] = [
        ColumnType::Text,
        ColumnType::Integer,
        ColumnType::Number,
        ColumnType::Boolean,
        ColumnType::Date,
        ColumnType::Timestamp,
    ];

    /// Returns the name in a request, and in canonical texts.
    pub fn as_str(self) -> &'static str {
        match self {
            ColumnType::Text => "text",
            ColumnType::Integer => "integer",
            ColumnType::Number => "number",
            ColumnType::Boolean => "boolean",
            ColumnType::Date => "date",
            ColumnType::Timestamp => "timestamp",
        }
    }

    /// Returns the canonical form of the types of some columns.
    pub fn canonical_of(types: &BTreeMap<String, ColumnType>) -> Value {
        types.iter().map(|(column, kind)| (column.clone(), json!(kind.as_str()))).collect()
    }

    /// Returns the types of columns behind a canonical form; nothing if a name is unknown.
    pub(crate) fn from_canonical_of(types: &Value) -> Option<BTreeMap<String, ColumnType>> {
        let known = |name: &Value| ColumnType::ALL.into_iter().find(|kind| name == kind.as_str());
        types.as_object()?.iter().map(|(column, name)| Some((column.clone(), known(name)?))).collect()
    }
}
