//! The name of a table, as a request writes it: `visits`, `clinic.visits`, `"Odd.Schema"."Odd table"`.
//!
//! Names are taken letter for letter: small and large letters differ, and nothing is looked for in other schemas than
//! the one that is written. It must never find another table than the one that is meant. It is separate because it is a
//! little grammar of its own. Read `catalogue.rs` for who looks the table up.

use incrowd_engine_sql::{PostgreSql, SqlDialect};
use std::fmt;

/// Where a table is looked for whose name says no schema.
const USUAL_SCHEMA: &str = "public";

/// The name of a table, with its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableName {
    pub(crate) schema: String,
    pub(crate) table: String,
    /// Whether the request says the schema.
    pub(crate) has_schema: bool,
}

impl TableName {
    /// Reads a name; nothing for what is none.
    pub(crate) fn read(text: &str) -> Option<TableName> {
        let (first, rest) = part(text)?;
        if rest.is_empty() {
            return Some(TableName { schema: USUAL_SCHEMA.into(), table: first, has_schema: false });
        }
        let (second, rest) = part(rest.strip_prefix('.')?)?;
        rest.is_empty().then_some(TableName { schema: first, table: second, has_schema: true })
    }

    /// Returns the name as a statement writes it.
    pub(crate) fn quoted(&self) -> Option<String> {
        Some(format!("{}.{}", PostgreSql.name(&self.schema)?, PostgreSql.name(&self.table)?))
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} in schema {:?}", self.table, self.schema)
    }
}

/// Returns the first part of a name, and what follows it.
fn part(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find('.').unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        return (!name.is_empty() && !name.contains(['"', '\0'])).then(|| (name.to_owned(), rest));
    };
    let mut name = String::new();
    let mut signs = quoted.char_indices();
    while let Some((place, sign)) = signs.next() {
        match sign {
            '"' if quoted[place + 1..].starts_with('"') => {
                name.push('"');
                signs.next();
            }
            '"' => return (!name.is_empty()).then(|| (name, &quoted[place + 1..])),
            '\0' => return None,
            other => name.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_letter_for_letter() {
        for (text, quoted) in [
            ("visits", Some("\"public\".\"visits\"")),
            ("Visits", Some("\"public\".\"Visits\"")),
            ("clinic.visits", Some("\"clinic\".\"visits\"")),
            ("clinic.\"the visits\"", Some("\"clinic\".\"the visits\"")),
            ("\"a.b\".\"c\"\"d\"", Some("\"a.b\".\"c\"\"d\"")),
            ("x; DROP TABLE y", Some("\"public\".\"x; DROP TABLE y\"")),
            ("a.b.c", None),
            ("a.", None),
            (".b", None),
            ("\"a", None),
            ("\"a\"b", None),
            ("a\"b", None),
            ("", None),
            ("\"\"", None),
        ] {
            assert_eq!(TableName::read(text).and_then(|name| name.quoted()).as_deref(), quoted, "{text}");
        }
    }
}
