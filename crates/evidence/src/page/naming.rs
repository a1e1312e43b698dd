//! What columns and values are called in a report: as the table has them, or as the publisher names them.
//!
//! The publisher's names stand beside codes and never in place of them in a list of rows; it must never make two values
//! one. It is separate because pictures, lists and titles call a thing the same. Read `../page.rs` next.

use crate::plan::Plan;
use crate::request::{KeyCells, ReportRequest, printable};

/// The names of a report.
#[derive(Clone, Copy)]
pub(super) struct Naming<'p> {
    report: &'p ReportRequest,
    missing: &'p str,
}

impl<'p> Naming<'p> {
    pub(super) fn of(plan: &'p Plan) -> Self {
        let output = &plan.request().output;
        let missing = match &output.keys {
            KeyCells::Named { missing } => missing.as_str(),
            KeyCells::Bare => "missing",
        };
        Naming { report: &output.report, missing }
    }

    /// Whether the publisher named anything.
    pub(super) fn is_used(&self) -> bool {
        !self.report.names.is_empty() || !self.report.labels.is_empty()
    }

    /// Returns what a column is called.
    pub(super) fn column(&self, name: &str) -> String {
        printable(self.report.names.get(name).map_or(name, String::as_str))
    }

    /// Returns what a value of a column is called, in pictures and lists: its label with the value in brackets, or the
    /// value alone, as a label by itself could read like another value.
    pub(super) fn value(&self, column: &str, value: Option<&str>) -> String {
        let value = value.unwrap_or(self.missing);
        match self.label(column, value) {
            Some(label) => printable(&format!("{label} ({value})")),
            None => printable(value),
        }
    }

    fn label(&self, column: &str, value: &str) -> Option<&'p str> {
        self.report.labels.get(column)?.get(value).map(String::as_str)
    }
}
