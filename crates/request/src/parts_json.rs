//! Parts of the canonical form: numbers, values and edges, as they are written into it.
//!
//! One spelling for each; it must never write two different parts alike. It is separate because the request and every
//! kind of release are made of these parts. Read `parts_node.rs` for the way back.

use crate::edges::Edges;
use crate::values::BinValue;
use incrowd_exact::{Rational, rational_text};
use serde_json::{Value, json};

pub(crate) fn named(name: &str, mut definition: Value) -> Value {
    definition["name"] = json!(name);
    definition
}

pub(crate) fn number(value: &Rational) -> Value {
    json!(rational_text(value))
}

pub(crate) fn bin_value(value: &BinValue) -> Value {
    match value {
        BinValue::Text(text) => json!(text),
        BinValue::Integer(integer) => json!(integer),
        BinValue::Boolean(flag) => json!(flag),
        // Not a text: the text "2026-01-01" is another bin.
        BinValue::Date(date) => json!({ "date": date.to_string() }),
    }
}

pub(crate) fn edges_json(edges: &Edges) -> Value {
    match edges {
        Edges::Regular { from, width, intervals } => {
            json!({ "from": number(from), "width": number(width), "intervals": intervals })
        }
        Edges::Numbers(edges) => json!({ "edges": edges.iter().map(number).collect::<Vec<_>>() }),
        Edges::Dates(edges) => json!({ "days": edges.iter().map(ToString::to_string).collect::<Vec<_>>() }),
    }
}
