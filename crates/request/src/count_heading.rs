//! What a column of counts is called: whether people may have been cut to some of their bins.
//!
//! Follows from the request alone; it must never depend on whether anybody was cut, which would tell something about
//! the data. It is separate because tables, reports, screens and verifiers ask for the same name. Read `output.rs`
//! next.

use super::Request;
use super::key_column::{self, KeyColumn};
use super::kinds::Kind;
use super::output::TableManner;
use incrowd_definition::{CellCount, Unit};

/// The headings that a column of counts may have; the second where people may have been cut to some of their bins.
pub const COUNT: &str = "count";
/// The other one.
pub const COUNTED: &str = "counted";

impl Request {
    /// Whether a person may have more bins than she is counted in: then a count is of those who were counted in a bin,
    /// and more people may have it.
    ///
    /// Follows from the request alone: where `person` says whose rows belong together, and there are more bins, or bins
    /// that are found, than `bins-per-person`. A row that is a person is in one bin, and is never cut.
    pub fn may_cut_people(&self) -> bool {
        let Some(Unit::Person { bins_per_person, .. }) = self.data.as_ref().map(|data| &data.unit) else {
            return false;
        };
        let counted = match &self.kind {
            Kind::Counts(counts) => match &counts.time {
                // She is cut in each period by itself.
                Some(series) if series.repeats_people() => counts.counted().get(1..).unwrap_or_default(),
                Some(_) | None => counts.counted(),
            },
            Kind::Chosen(chosen) => chosen.counted(),
            // One row, or one point, of each person is what is asked for; nothing is called a count.
            Kind::Rows(_) | Kind::Points(_) => return false,
        };
        let columns: Vec<KeyColumn<'_>> = counted.iter().map(KeyColumn::Counted).collect();
        match key_column::cells(&columns) {
            CellCount::Found => true,
            CellCount::Declared(cells) => cells > u128::from(*bins_per_person),
            CellCount::Unstated => false,
        }
    }

    /// Returns the heading of the column of counts: `count`, or `counted` where people may have been cut to some of
    /// their bins.
    pub fn count_heading(&self) -> &'static str {
        match (self.output.manner, self.may_cut_people()) {
            (TableManner::Careful, true) => COUNTED,
            (TableManner::Careful, false) | (TableManner::Plain, _) => COUNT,
        }
    }
}
