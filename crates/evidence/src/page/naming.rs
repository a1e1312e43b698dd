//! What columns and values are called in a report: as the table has them, or as the publisher names them.
//!
//! The publisher's names stand beside codes and never in place of them in a list of rows, where values are as the files
//! have them; pictures say bands and periods in words. It must never make two values one. It is separate because
//! pictures, lists and titles call a thing the same. Read `../page.rs` next.

use crate::plan::Plan;
use crate::request::{Cut, KeyColumn, PeriodUnit, TableManner, printable};

/// Longer names are cut in pictures; lists and files have all of them.
const LONGEST_NAME: usize = 90;

/// The names of a report.
#[derive(Clone, Copy)]
pub(super) struct Naming<'p> {
    plan: &'p Plan,
}

impl<'p> Naming<'p> {
    pub(super) fn of(plan: &'p Plan) -> Self {
        Naming { plan }
    }

    /// Whether the publisher named anything.
    pub(super) fn is_used(&self) -> bool {
        let report = &self.plan.request().output.report;
        !report.names.is_empty() || !report.labels.is_empty()
    }

    /// Returns what a column is called.
    pub(super) fn column(&self, name: &str) -> String {
        printable(self.plan.request().output.report.names.get(name).map_or(name, String::as_str))
    }

    /// Returns what a value of a column is called in lists: its label with the value in brackets, or the value alone,
    /// as a label by itself could read like another value.
    pub(super) fn value(&self, column: &str, value: Option<&str>) -> String {
        let value = value.unwrap_or(self.plan.request().output.keys.missing());
        match self.label(column, value) {
            Some(label) => printable(&format!("{label} ({value})")),
            None => printable(value),
        }
    }

    /// Returns what a value of a column is called in pictures: the same, with bands and periods in words.
    pub(super) fn in_words(&self, column: &str, value: Option<&str>) -> String {
        let name = self.value(column, value);
        match self.plan.request().output.manner {
            TableManner::Plain => name,
            TableManner::Careful => {
                let said = value.filter(|value| self.label(column, value).is_none());
                shortened(said.and_then(|value| self.said(column, value)).unwrap_or(name))
            }
        }
    }

    /// A band as "20 to under 40", a month as "2026-01", a year as "2026"; nothing for all else.
    fn said(&self, column: &str, value: &str) -> Option<String> {
        let columns = self.plan.request().kind.published();
        let KeyColumn::Counted(dimension) = columns.into_iter().find(|known| known.name() == column)? else {
            return None;
        };
        match &dimension.cut {
            Cut::Edges(_) => {
                let (from, to) = value.strip_prefix('[')?.strip_suffix(')')?.split_once(", ")?;
                Some(format!("{from} to under {to}"))
            }
            Cut::Truncated(unit) => first_day_of(*unit, value),
            Cut::Periods(periods) => first_day_of(periods.unit(), value),
            Cut::Found | Cut::Values(_) | Cut::Named(_) => None,
        }
    }

    fn label(&self, column: &str, value: &str) -> Option<&'p str> {
        self.plan.request().output.report.labels.get(column)?.get(value).map(String::as_str)
    }
}

/// A month or a year by its first day; nothing for other periods, which their first day names.
fn first_day_of(unit: PeriodUnit, day: &str) -> Option<String> {
    match unit {
        PeriodUnit::Month => day.strip_suffix("-01").map(String::from),
        PeriodUnit::Year => day.strip_suffix("-01-01").map(String::from),
        PeriodUnit::Day | PeriodUnit::Week | PeriodUnit::Quarter => None,
    }
}

fn shortened(name: String) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}\u{2026}", &name[..end]),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::plan_of;

    #[test]
    fn bands_and_periods_are_said_in_words_and_found_texts_are_not() {
        let plan = plan_of(
            "release = \"histogram\"\n[[bins]]\nname = \"pay\"\ncolumn = \"p\"\nfrom = 0\nto = 40\nwidth = 20\n[[bins]]\nname = \"month\"\ncolumn = \"d\"\ntruncate = \"month\"\n[[bins]]\nname = \"word\"\ncolumn = \"w\"\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n",
        );
        let naming = Naming::of(&plan);
        let said = |column: &str, value: &str| naming.in_words(column, Some(value));
        assert_eq!(said("pay", "[0, 20)"), "0 to under 20");
        assert_eq!(said("pay", "other"), "other");
        assert_eq!(said("month", "2026-01-01"), "2026-01");
        assert_eq!(said("word", "[0, 20)"), "[0, 20)");
        assert_eq!(naming.value("pay", Some("[0, 20)")), "[0, 20)", "lists have what the files have");
        assert_eq!(naming.in_words("word", None), "(missing)");
        assert_eq!(said("word", &"x".repeat(300)).chars().count(), LONGEST_NAME + 1);
    }
}
