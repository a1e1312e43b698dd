//! How the values that a query uses are stored: public, from formats and schemas, never from a row.
//!
//! One table may lie in several files of several formats. Engines read all of them alike as far as they can, but a text
//! is not the number that somebody's program made of it: whoever calls two counts counts of the same bins must know
//! that the values were stored alike too. It must never hold anything that was learnt from a row. It is separate from
//! the query, which says what is asked and not where it is asked. Read `engine/query.rs` for that.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// How the values that a query uses are stored. Two queries with the same text and equal readings put equal tables into
/// equal bins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// How each column that the query uses is stored, by its name.
    pub columns: BTreeMap<String, Stored>,
    /// What names a person once `[data.types]` were applied, where persons have many rows: an integer 7 is one person,
    /// who may be the several texts 7, 07 and 007.
    pub person: Option<Stored>,
}

/// How a column is stored. Widths that lose nothing are one; so are all ways to store a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stored {
    /// Texts, as in CSV. The empty text is missing, in every format.
    Text,
    /// Texts that are read by a dialect of their own, by its canonical text.
    Written(String),
    /// Values of JSON, which are texts, numbers or truth values from object to object, and are read as they are
    /// written.
    Json,
    /// Whole numbers of any width.
    Integer,
    /// Binary floating point, read by its shortest decimal, of so many bits.
    Float(u8),
    /// Decimal fractions with so many digits behind the point.
    Decimal(i8),
    /// Truth values.
    Boolean,
    /// Days.
    Date,
    /// Moments.
    Timestamp {
        /// How fine they are.
        precision: Precision,
        /// The time zone that labels them, if one does.
        zone: Option<String>,
    },
    /// Any other type, by the name that the engine gives it.
    Other(String),
}

/// How fine moments are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// Seconds.
    Second,
    /// Thousandths.
    Millisecond,
    /// Millionths.
    Microsecond,
    /// Billionths.
    Nanosecond,
}

impl Reading {
    /// Returns the canonical form: by name, what each column is stored as, and what names a person.
    pub fn canonical(&self) -> Value {
        let columns = self.columns.iter().map(|(column, stored)| (column.clone(), json!(stored.to_string())));
        json!({
            "columns": columns.collect::<Map<String, Value>>(),
            "person": self.person.as_ref().map(ToString::to_string),
        })
    }
}

impl fmt::Display for Stored {
    /// Writes the public name, which is part of the identity of what was counted: it must never change for a variant.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stored::Text => f.write_str("text"),
            Stored::Written(dialect) => write!(f, "text({dialect})"),
            Stored::Json => f.write_str("json"),
            Stored::Integer => f.write_str("integer"),
            Stored::Float(bits) => write!(f, "float{bits}"),
            Stored::Decimal(scale) => write!(f, "decimal({scale})"),
            Stored::Boolean => f.write_str("boolean"),
            Stored::Date => f.write_str("date"),
            Stored::Timestamp { precision, zone } => {
                let precision = match precision {
                    Precision::Second => "s",
                    Precision::Millisecond => "ms",
                    Precision::Microsecond => "us",
                    Precision::Nanosecond => "ns",
                };
                match zone {
                    None => write!(f, "timestamp({precision})"),
                    Some(zone) => write!(f, "timestamp({precision}, {zone})"),
                }
            }
            Stored::Other(name) => write!(f, "other({name})"),
        }
    }
}
