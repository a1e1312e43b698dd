//! Days as a request writes them.
//!
//! It must never take a moment for a day. It is separate because bins, series and values all have days. Read `bins.rs`
//! next.

use super::error::RequestError;
use super::fields::Item;
use super::node::Node;
use incrowd_definition::Date;

/// Reads a day.
pub(super) fn read_date(item: &Item<'_>) -> Result<Date, RequestError> {
    let found = match item.value() {
        Node::Day(day) => *day,
        Node::Text(text) => Date::from_text(text),
        Node::Integer { .. } | Node::Float(_) | Node::Flag(_) | Node::List(_) | Node::Section(_) => None,
    };
    found.ok_or_else(|| item.refuse("this is not a day from year 1 to 9999").hint("write 2026-01-31, without a time"))
}
