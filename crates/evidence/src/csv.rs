//! The text of tables: how rows are written as CSV, and how a strict reader takes that text apart again.
//!
//! It must never read what incrowd does not write. It is separate because writers, totals, reports and verifiers all
//! see rows as this text. Read `csv/text.rs` for the writer, `csv/lines.rs` for the reader.

mod lines;
mod moment;
mod text;

pub(crate) use lines::{Fields, Lines, NotCsv};
pub(crate) use text::CsvText;
