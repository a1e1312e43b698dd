//! Public values as a request writes them: texts, integers, booleans or days.
//!
//! It must never trim, fold or round one into another. It is separate because bins, columns, series and top items all
//! list values. Read `bins.rs` next.

use super::date::read_date;
use super::error::RequestError;
use super::fields::Item;
use super::node::Node;
use incrowd_definition::{BinValue, ListedValues};
use std::collections::HashSet;

/// Reads one value.
pub(super) fn read_value(item: &Item<'_>) -> Result<BinValue, RequestError> {
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

/// Reads a list of different values of one kind, at least one.
pub(super) fn read_values(items: &[Item<'_>]) -> Result<ListedValues, RequestError> {
    let mut values: Vec<BinValue> = Vec::with_capacity(items.len());
    let mut seen = HashSet::with_capacity(items.len());
    for item in items {
        let value = read_value(item)?;
        if values.first().is_some_and(|first| first.kind() != value.kind()) {
            return Err(item.refuse("all values of a list must be of one kind").hint("quote all of them, or none"));
        }
        if !seen.insert(value.clone()) {
            return Err(item.refuse("this value is listed twice"));
        }
        values.push(value);
    }
    ListedValues::of(&values).ok_or_else(|| RequestError::new("`values` is an empty list"))
}
