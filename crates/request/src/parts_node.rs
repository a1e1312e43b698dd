//! Parts of the canonical form, put back to where a steward writes them.
//!
//! It must never accept a spelling that a request could not have. It is separate because the request and every kind of
//! release are made of these parts. Read `canonical.rs` next.

use crate::node::{Entry, Node, Placed};
use incrowd_definition::{BinValue, Edges, ListedValues};
use incrowd_exact::{Rational, number_of, number_text};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The most edges that are written one by one.
const MOST_LISTED: u64 = 1 << 17;

/// A section that is being put together.
#[derive(Default)]
pub(crate) struct Written<'a>(Vec<Entry<'a>>);

impl<'a> Written<'a> {
    pub(crate) fn put(&mut self, key: &'a str, node: Node<'a>) {
        self.0.push(Entry { key: Cow::Borrowed(key), span: None, value: Placed::nowhere(node) });
    }

    /// Puts what is not null.
    pub(crate) fn put_given(&mut self, key: &'a str, value: &'a Value, texts: Texts) -> Option<()> {
        if !value.is_null() {
            self.put(key, scalar(value, texts)?);
        }
        Some(())
    }

    pub(crate) fn put_all(&mut self, entries: &'a Map<String, Value>, texts: Texts) -> Option<()> {
        entries.iter().try_for_each(|(key, value)| self.put_given(key, value, texts))
    }

    pub(crate) fn put_text(&mut self, key: &'a str, value: &'a Value) -> Option<()> {
        self.put(key, text(value)?);
        Some(())
    }

    /// Puts `true`; what is `false` is left out.
    pub(crate) fn put_flag(&mut self, key: &'a str, value: &Value) -> Option<()> {
        if value.as_bool()? {
            self.put(key, Node::Flag(true));
        }
        Some(())
    }

    pub(crate) fn done(self) -> Node<'a> {
        Node::Section(self.0)
    }
}

/// Whether texts may stand for numbers, which must be short enough for a request.
#[derive(Clone, Copy)]
pub(crate) enum Texts {
    Plain,
    Numbers,
}

/// All edges, one by one: as they are listed, or those of a rule.
pub(crate) fn edges<'a>(edges: &Edges) -> Option<Node<'a>> {
    let nodes: Option<Vec<Placed<'a>>> = match edges {
        Edges::Regular { intervals, .. } if *intervals > MOST_LISTED => None,
        Edges::Regular { .. } | Edges::Numbers(_) => {
            (0..=edges.intervals()).map(|index| number(&edges.number(index)?).map(Placed::nowhere)).collect()
        }
        Edges::Dates(days) => Some(days.iter().map(|day| Placed::nowhere(Node::Day(Some(*day)))).collect()),
    };
    nodes.map(Node::List)
}

pub(crate) fn list<'a>(values: &'a Value, node: impl Fn(&'a Value) -> Option<Node<'a>>) -> Option<Node<'a>> {
    let entries = values.as_array()?.iter().map(|value| node(value).map(Placed::nowhere));
    entries.collect::<Option<_>>().map(Node::List)
}

pub(crate) fn text(value: &Value) -> Option<Node<'_>> {
    value.as_str().map(|text| Node::Text(Cow::Borrowed(text)))
}

pub(crate) fn owned<'a>(text: String) -> Node<'a> {
    Node::Text(Cow::Owned(text))
}

pub(crate) fn bin_value<'a>(value: &BinValue) -> Node<'a> {
    match value {
        BinValue::Text(text) => owned(text.clone()),
        BinValue::Integer(integer) => Node::integer(*integer),
        BinValue::Boolean(flag) => Node::Flag(*flag),
        BinValue::Date(day) => Node::Day(Some(*day)),
    }
}

pub(crate) fn values<'a>(listed: &ListedValues) -> Node<'a> {
    Node::List(listed.iter().map(|value| Placed::nowhere(bin_value(&value))).collect())
}

pub(crate) fn scalar(value: &Value, texts: Texts) -> Option<Node<'_>> {
    match (value, texts) {
        (Value::String(written), Texts::Numbers) => match number_of(written) {
            Some(exact) => number(&exact),
            None => text(value),
        },
        (Value::String(_), Texts::Plain) => text(value),
        (Value::Number(number), _) => number.as_i64().map(Node::integer),
        (Value::Bool(flag), _) => Some(Node::Flag(*flag)),
        (Value::Array(_), _) => list(value, |entry| scalar(entry, texts)),
        (Value::Null | Value::Object(_), _) => None,
    }
}

/// The digits of a number; nothing if a request could not write it.
pub(crate) fn number<'a>(value: &Rational) -> Option<Node<'a>> {
    number_text(value).map(|digits| Node::Text(Cow::Owned(digits)))
}
