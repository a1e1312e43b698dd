//! Changes of a request that make more of the data readable, each tried on the very values before it is given.
//!
//! It must never advise what was not tried, nor choose where two readings are possible: then both are given, and
//! people choose. It is separate because unreadable values, damaged files and files that do not fit their request are
//! advised on alike. Read `trial.rs` for how a change is tried, `proposals.rs` for which are.

mod dates;
mod numbers;
mod texts;

pub(super) use dates::{ContradictedWay, OtherWays, contradicted_way, exchanged, other_ways};
pub(super) use numbers::{OtherSigns, UnreadTexts, contradict, other_signs, sign_changes};
pub(super) use texts::{cleaned, name_of, renamed};

use incrowd_engine::ColumnType;
use std::fmt;

/// A change of the request that was tried.
pub struct Advice {
    /// What it is about: "`94606,00`: a decimal comma?".
    pub because: String,
    /// Changes to be made together. More than one way: the data does not tell which is right, and somebody who knows it
    /// must choose.
    pub ways: Vec<Vec<Change>>,
    /// What was seen when it was tried.
    pub helped: Option<Helped>,
}

/// What was seen when a change was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Helped {
    /// So many of so many unreadable values can then be read.
    Readable {
        /// So many.
        rows: u64,
        /// Of so many that it was tried on.
        of: u64,
        /// So many more it was not tried on: they have too many different texts.
        untried: u64,
    },
    /// So many values are then missing, as they should be.
    Missing {
        /// So many.
        rows: u64,
        /// So many more were not looked at.
        untried: u64,
    },
    /// So many of so many values in no bin then have one.
    Binned {
        /// So many.
        rows: u64,
        /// Of so many that it was tried on.
        of: u64,
        /// So many more it was not tried on.
        untried: u64,
    },
}

/// A change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A key of `[data]`.
    Data {
        /// The key.
        key: &'static str,
        /// Its value, as TOML writes it.
        value: String,
    },
    /// The declared type of a column.
    Type {
        /// The column.
        column: String,
        /// The type.
        kind: ColumnType,
    },
    /// A column that needs no declared type any more.
    NoType {
        /// The column.
        column: String,
    },
    /// An expression that a bin is made of, in place of a column.
    Expression {
        /// The heading of the bin.
        bin: String,
        /// The expression.
        expression: String,
    },
    /// Something that no key can say.
    ByHand(String),
}

impl Change {
    /// Returns the change of a key of `[data]` whose value is a text.
    pub(super) fn text(key: &'static str, value: &str) -> Change {
        Change::Data { key, value: quoted(value) }
    }

    /// Returns the change of a key of `[data]` whose value is a list of texts.
    pub(super) fn texts<'t>(key: &'static str, values: impl IntoIterator<Item = &'t str>) -> Change {
        let values: Vec<String> = values.into_iter().map(quoted).collect();
        Change::Data { key, value: format!("[{}]", values.join(", ")) }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Data { key, value } => write!(f, "[data] {key} = {value}"),
            Change::Type { column, kind } => write!(f, "[data.types] {} = \"{}\"", key_text(column), kind.as_str()),
            Change::NoType { column } => write!(f, "[data.types] without {}", key_text(column)),
            Change::Expression { bin, expression } => {
                write!(f, "bin {bin:?}: expression = {} in place of column", quoted(expression))
            }
            Change::ByHand(what) => f.write_str(what),
        }
    }
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\t' => quoted.push_str("\\t"),
            control if control.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(control))),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

/// A name as a key of TOML.
fn key_text(name: &str) -> String {
    let is_bare = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if is_bare { name.to_owned() } else { quoted(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_written_as_a_request_has_them() {
        assert_eq!(Change::text("decimal", ",").to_string(), "[data] decimal = \",\"");
        assert_eq!(Change::texts("missing", ["N/A", "\"\\"]).to_string(), "[data] missing = [\"N/A\", \"\\\"\\\\\"]");
        let kind = ColumnType::Number;
        assert_eq!(Change::Type { column: "a b".into(), kind }.to_string(), "[data.types] \"a b\" = \"number\"");
        assert_eq!(Change::text("quote", "\u{1}").to_string(), "[data] quote = \"\\u0001\"");
    }
}
