//! Public values: texts, integers, truth values or days.
//!
//! Compared exactly; it must never trim, fold or round one into another. It is separate because bins, splits, series
//! and top items all name values. Read `listed_values.rs` next for lists of them.

use crate::canonical::fields;
use crate::date::Date;
use serde_json::{Value, json};
use std::fmt;

/// One public value. The text "1" is not the integer 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum BinValue {
    /// A text, possibly empty.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// `true` or `false`.
    Boolean(bool),
    /// A day.
    Date(Date),
}

/// What a public value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// A text.
    Text,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// A day.
    Day,
}

impl BinValue {
    /// Returns what it is.
    pub fn kind(&self) -> ValueKind {
        match self {
            BinValue::Text(_) => ValueKind::Text,
            BinValue::Integer(_) => ValueKind::Integer,
            BinValue::Boolean(_) => ValueKind::Boolean,
            BinValue::Date(_) => ValueKind::Day,
        }
    }

    /// Returns an integer, or a day by its number.
    pub(crate) fn whole(&self) -> Option<i64> {
        match self {
            BinValue::Integer(whole) => Some(*whole),
            BinValue::Date(date) => Some(date.day_number()),
            BinValue::Text(_) | BinValue::Boolean(_) => None,
        }
    }

    /// Returns the canonical form.
    pub fn canonical(&self) -> Value {
        match self {
            BinValue::Text(text) => json!(text),
            BinValue::Integer(integer) => json!(integer),
            BinValue::Boolean(flag) => json!(flag),
            // Not a text: the text "2026-01-01" is another bin.
            BinValue::Date(date) => json!({ "date": date.to_string() }),
        }
    }

    /// Returns the value behind a canonical form; nothing for any other text.
    pub fn from_canonical(value: &Value) -> Option<BinValue> {
        match value {
            Value::String(text) => Some(BinValue::Text(text.clone())),
            Value::Number(number) => number.as_i64().map(BinValue::Integer),
            Value::Bool(flag) => Some(BinValue::Boolean(*flag)),
            Value::Object(_) => {
                let [date] = fields(value, ["date"])?;
                Date::from_text(date.as_str()?).map(BinValue::Date)
            }
            Value::Null | Value::Array(_) => None,
        }
    }
}

impl fmt::Display for BinValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BinValue::Text(text) => f.write_str(text),
            BinValue::Integer(integer) => integer.fmt(f),
            BinValue::Boolean(flag) => flag.fmt(f),
            BinValue::Date(date) => date.fmt(f),
        }
    }
}
