//! Changes of a request that make more of the data readable, each tried on the very values before it is given.
//!
//! It must never advise what was not tried, nor choose where two readings are possible: then both are given, and people
//! choose. It is separate because unreadable values, damaged files and files that do not fit their request are advised
//! on alike. Read `trial.rs` for how a change is tried, `advice/numbers.rs` and `advice/dates.rs` for which are.

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

/// How much of what could not be read can be read after a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Helped {
    /// So many rows.
    pub rows: u64,
    /// Of so many.
    pub of: u64,
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
