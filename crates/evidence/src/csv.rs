//! The text of tables: how rows are written as CSV, and how a strict reader takes that text apart again.
//!
//! It must never read what incrowd does not write. It is separate because writers, totals, reports and verifiers all
//! see rows as this text. Read `csv/text.rs` for the writer, `csv/lines.rs` for the reader, `csv/spelling.rs` for what
//! differs between rows within this program and files.

mod lines;
mod moment;
mod spelling;
mod text;
mod unspelt;

pub(crate) use lines::{Fields, Lines, NotCsv};
pub(crate) use spelling::{CellOf, KeyPlaces, Spelling, acts};
pub(crate) use text::{CsvText, bare_line};
pub(crate) use unspelt::{NotUnspelt, unspelt};
