//! The public values of a bin: texts, integers, booleans or days.
//!
//! Compared exactly; it must never trim, fold or round one into another. It is separate because bins, columns, series
//! and top items all list values. Read `bins.rs` next.

use super::date::read_date;
use super::error::RequestError;
use super::fields::Item;
use super::node::Node;
use incrowd_definition::Date;
use std::collections::HashSet;
use std::fmt;

/// One public value.
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

impl BinValue {
    /// Reads one value.
    pub(super) fn read(item: &Item<'_>) -> Result<Self, RequestError> {
        match item.value() {
            Node::Text(text) => Ok(BinValue::Text(text.to_string())),
            Node::Flag(flag) => Ok(BinValue::Boolean(*flag)),
            Node::Day(_) => Ok(BinValue::Date(read_date(item)?)),
            Node::Integer { digits, radix } => match digits.parse() {
                Ok(integer) if *radix == 10 => Ok(BinValue::Integer(integer)),
                Ok(_) | Err(_) => Err(item.refuse("this integer is not in decimal digits, or too large")),
            },
            Node::Float(_) => Err(item
                .refuse("a value must be a text, an integer, true, false or a date")
                .hint("use `edges` for numbers with a fraction")),
            Node::List(_) | Node::Section(_) => {
                Err(item.refuse("a value must be a text, an integer, true, false or a date"))
            }
        }
    }

    /// Reads a list of different values of one kind.
    pub(super) fn read_all(items: &[Item<'_>]) -> Result<Vec<Self>, RequestError> {
        let mut values = Vec::with_capacity(items.len());
        let mut seen = HashSet::with_capacity(items.len());
        for item in items {
            let value = BinValue::read(item)?;
            if values.first().is_some_and(|first| std::mem::discriminant(first) != std::mem::discriminant(&value)) {
                return Err(item.refuse("all values of a list must be of one kind").hint("quote all of them, or none"));
            }
            if !seen.insert(value.clone()) {
                return Err(item.refuse("this value is listed twice"));
            }
            values.push(value);
        }
        Ok(values)
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
