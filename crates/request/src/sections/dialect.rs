//! The keys of `[data]` that say how a file writes its rows and values down.
//!
//! Holds words only; it must never decide anything. It is separate because most requests need none of them. Read
//! `../dialect.rs` for how they are read.

use crate::keys::{Key, Shape};
use crate::number::Whole;
use incrowd_definition::{BadRows, DataFormat, Encoding};

/// How a file writes its rows and values down; `incrowd init` writes what it guesses.
pub(crate) const DIALECT: [Key; 13] = [
    Key::optional(
        "format",
        Shape::Choice(|| DataFormat::ALL.iter().map(|each| each.as_str()).collect()),
        "What the files are, where their names do not say it: standard input, names without an ending.",
    ),
    Key::optional("sheet", Shape::Text, "The sheet of a workbook (.xlsx, .ods); the first one unless said otherwise."),
    Key::optional(
        "table",
        Shape::Text,
        "The table of a database: \"visits\", or \"schema.visits\" in PostgreSQL and Spark.",
    ),
    Key::optional(
        "delimiter",
        Shape::Text,
        "The sign between the fields of a CSV file: \";\", \"|\", \"tab\". A comma unless said otherwise, a tab in .tsv.",
    ),
    Key::with_default(
        "quote",
        Shape::Text,
        r#""\"""#,
        "The sign around fields of a CSV file that hold signs, such as \"'\"; or \"none\".",
    ),
    Key::with_default(
        "encoding",
        Shape::Choice(|| Encoding::ALL.iter().map(|each| each.as_str()).collect()),
        "\"utf-8\"",
        "How letters are written in CSV and JSON files: \"windows-1252\" for most files of Excel in Western Europe, \
            \"utf-16\".",
    ),
    Key::with_default(
        "skip-lines",
        Shape::Whole(Whole::LINES),
        "0",
        "How many lines of a CSV file, or rows of a sheet, stand before the one with the names: titles, dates, blank lines. \
            They are not read, and have fewer fields than there are names.",
    ),
    Key::with_default(
        "header",
        Shape::Flag,
        "true",
        "Whether the first line of a CSV file, or the first row of a sheet, has the names of the columns. Without, they \
            are column1, column2, and so on.",
    ),
    Key::with_default(
        "on-bad-row",
        Shape::Choice(|| BadRows::ALL.iter().map(|each| each.as_str()).collect()),
        "\"stop\"",
        "What becomes of rows of a CSV file with too few or too many fields: stop (the release fails, and stays paid \
            for), or skip (they are not counted).",
    ),
    Key::with_default(
        "decimal",
        Shape::Text,
        "\".\"",
        "The sign before the fraction of numbers that are written as text: \",\" for 94606,00.",
    ),
    Key::optional(
        "thousands",
        Shape::Text,
        "The sign between groups of three digits of numbers that are written as text: \".\" for 94.606,00. A blank \
            stands for narrow and unbreakable ones, too.",
    ),
    Key::optional(
        "missing",
        Shape::List(&Shape::AnyText),
        "Texts that stand for nothing, compared exactly: [\"NA\", \"-\"]. The empty text always does.",
    ),
    Key::optional(
        "dates",
        Shape::List(&Shape::Text),
        "How days and moments are written in texts: [\"%d.%m.%Y\", \"%m/%d/%y\"]. No two ways may read one text as two \
            days. Days such as 2026-11-18 are read, too, unless a way takes them for others (%Y-%d-%m).",
    ),
];
