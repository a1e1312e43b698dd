//! The name of a table, as a request writes it and as Spark reads it.
//!
//! `catalog.schema.table`, or a format and a path: parquet.`/data/visits`. Parts with other signs than letters, digits
//! and `_` stand in backticks, with a backtick written twice. It must never let a part out of its quotes, nor name
//! files whose types Spark finds by reading rows. It is separate because a request's word is trusted with nothing. Read
//! `query.rs` for where it stands.

use incrowd_engine::SourceError;

/// Formats of files that carry the names and types of their columns.
const TYPED: [&str; 5] = ["parquet", "orc", "avro", "delta", "iceberg"];
/// Formats of files in which Spark reads rows to find types.
const UNTYPED: [&str; 5] = ["csv", "json", "text", "xml", "binaryfile"];

/// A table, or files with a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    parts: Vec<String>,
}

impl Table {
    /// Reads a name.
    pub(crate) fn read(text: &str) -> Result<Table, SourceError> {
        let parts = parts(text).ok_or_else(|| SourceError {
            message: format!("`table` is no name of a table in Spark: {text:?}"),
            hint: "table = \"catalog.schema.table\", or table = \"parquet.`/data/visits`\"; other signs than letters, \
                   digits and _ stand in backticks"
                .into(),
        })?;
        if let [format, path] = parts.as_slice() {
            let format = format.to_lowercase();
            if UNTYPED.contains(&format.as_str()) {
                return Err(SourceError {
                    message: format!("Spark would read rows of {format} files to find their types, before any charge"),
                    hint: format!(
                        "make a table of them that states its types, or write them as Parquet; a schema of that name \
                         is spark_catalog.{format}"
                    ),
                });
            }
            if path.contains('/') && !TYPED.contains(&format.as_str()) {
                return Err(SourceError {
                    message: format!("files of the format {format:?} are not read by their path"),
                    hint: format!("formats that carry their types are {}", TYPED.join(", ")),
                });
            }
        }
        Ok(Table { parts })
    }

    /// Returns the name in the quotes of Spark's SQL.
    pub(crate) fn quoted(&self) -> String {
        let parts: Vec<String> = self.parts.iter().map(|part| quoted(part)).collect();
        parts.join(".")
    }
}

/// Returns a name in backticks, from which it cannot get out.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// Returns the parts of a name, without their quotes; nothing if it is none.
fn parts(text: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut rest = text;
    loop {
        let (part, behind) = match rest.strip_prefix('`') {
            Some(inside) => in_backticks(inside)?,
            None => {
                let end = rest.find('.').unwrap_or(rest.len());
                let part = &rest[..end];
                let is_plain = part.chars().all(|sign| sign.is_alphanumeric() || sign == '_' || sign == '-');
                is_plain.then(|| (part.to_owned(), &rest[end..]))?
            }
        };
        // Spark puts something else for ${...} in some places, and not in others.
        if part.is_empty() || part.contains('\0') || part.contains("${") {
            return None;
        }
        parts.push(part);
        match behind.strip_prefix('.') {
            Some(behind) => rest = behind,
            None => return behind.is_empty().then_some(parts),
        }
    }
}

/// Returns what stands in backticks, and what behind them.
fn in_backticks(inside: &str) -> Option<(String, &str)> {
    let mut part = String::new();
    let mut rest = inside;
    loop {
        let end = rest.find('`')?;
        part.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('`') {
            Some(behind) => {
                part.push('`');
                rest = behind;
            }
            None => return Some((part, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_part_by_part() {
        for (text, expected) in [
            ("visits", "`visits`"),
            ("main.clinic.visits", "`main`.`clinic`.`visits`"),
            ("parquet.`/data/visits`", "`parquet`.`/data/visits`"),
            ("delta.`s3://bucket/a.b`", "`delta`.`s3://bucket/a.b`"),
            ("`odd``name`.t", "`odd``name`.`t`"),
            ("`x; drop table y`", "`x; drop table y`"),
            ("Zürich.besuche-2024", "`Zürich`.`besuche-2024`"),
        ] {
            assert_eq!(Table::read(text).expect(text).quoted(), expected);
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        let none = [
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "`a",
            "a`",
            "a b",
            "a;b",
            "``",
            "`a`b",
            "a.`b`.",
            "range(10)",
            "a\0",
            "`${a}`",
        ];
        for text in none {
            assert!(Table::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn files_without_types_are_refused() {
        for text in ["csv.`/data/a.csv`", "JSON.`/a`", "text.`/a`", "`xml`.`/a`", "binaryFile.`/a`", "jdbc.`/a`"] {
            assert!(Table::read(text).is_err(), "{text}");
        }
        // A schema may have that name; three parts are never a path.
        assert!(Table::read("csv.visits").is_err());
        assert!(Table::read("spark_catalog.csv.visits").is_ok());
    }
}
