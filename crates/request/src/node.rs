//! A value as it is written: in TOML, with its place in the text, or in canonical JSON.
//!
//! Digits stay texts; it must never hold a float. It is separate so that one reader, with all its limits, reads what a
//! steward writes and what a certificate keeps. Read `fields.rs` next, and `canonical.rs` for the way from JSON.

use incrowd_definition::Date;
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value.
pub(super) enum Node<'a> {
    /// A text.
    Text(Cow<'a, str>),
    /// A whole number, by its digits and their base.
    Integer { digits: Cow<'a, str>, radix: u32 },
    /// A number with a fraction or an exponent, by its digits.
    Float(Cow<'a, str>),
    /// `true` or `false`.
    Flag(bool),
    /// A day; nothing for moments, and for days before year 1.
    Day(Option<Date>),
    /// A list.
    List(Vec<Placed<'a>>),
    /// A section, in the order of its keys.
    Section(Vec<Entry<'a>>),
}

/// A value, and where it is; a canonical form has no places.
pub(super) struct Placed<'a> {
    pub(super) node: Node<'a>,
    pub(super) span: Option<Range<usize>>,
}

/// A key of a section, and its value.
pub(super) struct Entry<'a> {
    pub(super) key: Cow<'a, str>,
    pub(super) span: Option<Range<usize>>,
    pub(super) value: Placed<'a>,
}

impl<'a> Node<'a> {
    /// A section as TOML has it.
    pub(super) fn of_table(table: &'a DeTable<'a>) -> Self {
        let entry = |(key, value): (&'a Spanned<Cow<'a, str>>, &'a Spanned<DeValue<'a>>)| Entry {
            key: Cow::Borrowed(key.get_ref()),
            span: Some(key.span()),
            value: Placed::of_toml(value),
        };
        Node::Section(table.iter().map(entry).collect())
    }

    /// The digits of a whole number.
    pub(super) fn integer(value: i64) -> Self {
        Node::Integer { digits: Cow::Owned(value.to_string()), radix: 10 }
    }

    /// Returns how many bytes it has at least, however it is written: those of its texts and digits.
    pub(super) fn weight(&self) -> usize {
        match self {
            Node::Text(text) | Node::Float(text) => text.len(),
            Node::Integer { digits, .. } => digits.len(),
            Node::Flag(_) | Node::Day(_) => 1,
            Node::List(entries) => entries.iter().map(|entry| 1 + entry.node.weight()).sum(),
            Node::Section(entries) => entries.iter().map(|entry| entry.key.len() + entry.value.node.weight()).sum(),
        }
    }

    /// What it is, in words.
    pub(super) fn words(&self) -> &'static str {
        match self {
            Node::Text(_) => "a text",
            Node::Integer { .. } | Node::Float(_) => "a number",
            Node::Flag(_) => "true or false",
            Node::Day(_) => "a date",
            Node::List(_) => "a list",
            Node::Section(_) => "a section",
        }
    }
}

impl<'a> Placed<'a> {
    /// A value of a canonical form.
    pub(super) fn nowhere(node: Node<'a>) -> Self {
        Placed { node, span: None }
    }

    fn of_toml(value: &'a Spanned<DeValue<'a>>) -> Self {
        let node = match value.get_ref() {
            DeValue::String(text) => Node::Text(Cow::Borrowed(text)),
            DeValue::Integer(digits) => Node::Integer { digits: Cow::Borrowed(digits.as_str()), radix: digits.radix() },
            DeValue::Float(digits) => Node::Float(Cow::Borrowed(digits.as_str())),
            DeValue::Boolean(flag) => Node::Flag(*flag),
            DeValue::Datetime(when) if when.time.is_none() && when.offset.is_none() => {
                Node::Day(when.date.and_then(|date| Date::new(date.year, date.month, date.day)))
            }
            DeValue::Datetime(_) => Node::Day(None),
            DeValue::Array(entries) => Node::List(entries.iter().map(Placed::of_toml).collect()),
            DeValue::Table(table) => Node::of_table(table),
        };
        Placed { node, span: Some(value.span()) }
    }
}
