//! What a release counted, read back from its canonical text, and how two of them relate.
//!
//! It must never say that a second binning is a function of a first, or about other people, where the definitions do
//! not prove it: everything that is not provably so is different. It is separate from the request because the book
//! outlives the reader of requests, and judges texts that an earlier version wrote. Read `binning/judged.rs` next for
//! the proofs, `binning/pair.rs` for the examples.

mod cell;
mod coarser;
mod judged;
mod pair;
#[cfg(test)]
mod properties;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use coarser::Coarsening;
pub use write::{CountedState, Definition};

use crate::column_type::ColumnType;
use crate::split::Split;
use crate::unit::Unit;
use incrowd_exact::Rational;
use incrowd_privacy::{Apart, Part, Relation};
use judged::Judged;
use std::collections::BTreeMap;

/// Why exact counts of large groups in two different tables promise nothing together (CB Prop 7), for any reader.
pub const EXACT_TABLES_SUBTRACT: &str = "one table counts the values 1 and 2 together, another counts 1 alone; both groups \
    are large, so both counts are exact, and their difference is exactly the number of people with value 2, however few";

/// What a release counted, read back from its canonical text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binning {
    text: String,
    frame: Frame,
    reading: Option<RecordedReading>,
    /// The state of the data, if somebody gave it a name.
    snapshot: Option<String>,
    condition: Option<String>,
    split: Option<Split>,
    sample: Option<Rational>,
    kind: Kind,
    dimensions: Vec<Judged>,
}

/// What must be equal before cells can be compared at all.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Frame {
    dataset: String,
    unit: Unit,
    types: BTreeMap<String, ColumnType>,
    timezone: String,
}

/// How the columns that were used are read, in the words of the version that counted: two readings of one column may
/// put one row into two bins, and words that only a later version knows are still equal or not.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RecordedReading {
    /// What each column is stored as.
    columns: BTreeMap<String, String>,
    /// What the values are that name persons, where persons have many rows.
    person: Option<String>,
}

impl RecordedReading {
    /// Whether every column that both use is read in the same way.
    fn agrees_with(&self, other: &RecordedReading) -> bool {
        let same = |(column, kind): (&String, &String)| other.columns.get(column).is_none_or(|other| other == kind);
        self.person == other.person && self.columns.iter().all(same)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// One count for each cell, nothing else.
    Histogram,
    /// Counts of each cell in each of some periods.
    Series(SeriesRun),
    /// Rows, points, top items or pairs: what they tell is not a function of the bins alone.
    Other,
}

/// Some periods of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesRun {
    /// What was counted, whatever the snapshot and the periods: equal texts are one series.
    pub identity: String,
    /// The column of the periods.
    pub column: String,
    /// The number of the first period of the run.
    pub first: i64,
    /// The number of the last one.
    pub last: i64,
    /// How many there are.
    pub periods: u64,
    /// Whether nobody is in two of them, as the request assumes.
    pub once: bool,
}

impl SeriesRun {
    /// Whether nobody can be in both: other periods of one series whose people are in one period only.
    fn is_apart_from(&self, second: &SeriesRun) -> bool {
        let apart = self.last < second.first || second.last < self.first;
        self.once && second.once && self.identity == second.identity && apart
    }
}

/// Two counts whose difference is a third one that nobody published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The cell to subtract from.
    pub larger: String,
    /// Whose cell that is.
    pub larger_of: Side,
    /// The cell, or the cells, to subtract.
    pub smaller: String,
    /// Whose cells these are.
    pub smaller_of: Side,
    /// Who is left, named by public keys alone.
    pub left: String,
}

/// One of two binnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The one that was asked.
    First,
    /// The one it was compared with.
    Second,
}

impl Binning {
    /// Returns what a canonical text says; nothing for a text that is not exactly understood.
    pub fn read(text: &str) -> Option<Binning> {
        read::binning(text)
    }

    /// Returns how a second binning relates to this one.
    ///
    /// Equal texts are the same also where people were sampled: a promise by group sizes holds for a sample of the
    /// group, and fresh coins are one more part of the mechanism. Nothing else is claimed about two samples, or a
    /// sample and everybody.
    ///
    /// Of a state of the data that nobody named nothing is the same the next time, not even an equal text.
    pub fn relation(&self, second: &Binning) -> Relation {
        self.relation_where(second, &|_| true)
    }

    /// Returns the same where nobody is in both for such a reason only if `confirmed` says so, each reason for itself.
    pub fn relation_where(&self, second: &Binning, confirmed: &dyn Fn(Apart) -> bool) -> Relation {
        let apart = || {
            let parts = self.is_another_part_than(second).then_some(Apart::Parts);
            let periods = self.is_later_or_earlier(second).then_some(Apart::Periods);
            parts.into_iter().chain(periods).find(|reason| confirmed(*reason))
        };
        if self.text == second.text && self.snapshot.is_some() {
            Relation::Same
        } else if self.sample.is_some() || second.sample.is_some() {
            Relation::Different
        } else if let Some(reason) = apart() {
            Relation::Disjoint(reason)
        } else if self.determines(second) {
            Relation::Coarser
        } else if second.determines(self) {
            Relation::Finer
        } else {
            Relation::Different
        }
    }

    /// Returns two cells, one of each, whose exact counts can be subtracted to isolate people, if the definitions show
    /// such a pair. With a person column it holds for people whose rows are all in one bin.
    ///
    /// The smaller cell lies within the larger, except between two snapshots and between two conditions: there the
    /// difference is of those who are only in one and those who are only in the other, and the first is called the
    /// larger.
    pub fn difference(&self, second: &Binning) -> Option<Difference> {
        if self.sample.is_some() || second.sample.is_some() {
            // Counts of different samples do not subtract to anybody.
            return None;
        }
        pair::contained(self, second)
            .map(|pair| pair.difference(Side::First))
            .or_else(|| pair::contained(second, self).map(|pair| pair.difference(Side::Second)))
            .or_else(|| pair::overlapping(self, second).map(|pair| pair.difference(Side::First)))
    }

    /// Returns how exact totals of this one table would isolate a cell: a total, less all other cells that add up to
    /// it.
    pub fn margin(&self) -> Option<Difference> {
        // Nobody knows the totals of a secret sample.
        if self.sample.is_some() { None } else { pair::margin(self) }
    }

    /// In at most how many bins a person is counted: those of all periods, if she may be in all.
    pub fn bins_per_person(&self) -> u64 {
        let bins = self.frame.unit.bins_per_person().max(1);
        match self.series() {
            Some(series) if !series.once => bins.saturating_mul(series.periods),
            Some(_) | None => bins,
        }
    }

    /// Returns the periods that were counted, if it was a series.
    pub fn series(&self) -> Option<&SeriesRun> {
        match &self.kind {
            Kind::Series(series) => Some(series),
            Kind::Histogram | Kind::Other => None,
        }
    }

    /// Whether these are other periods of one series in one state of the data, in which nobody is twice by its own
    /// word.
    ///
    /// In another snapshot a person may have moved from one period to another.
    pub fn is_later_or_earlier(&self, second: &Binning) -> bool {
        let apart = |(first, second): (&SeriesRun, &SeriesRun)| first.is_apart_from(second);
        self.is_read_like(second) && self.series().zip(second.series()).is_some_and(apart)
    }

    /// Whether somebody gave the state of the data that was counted a name.
    pub fn names_its_snapshot(&self) -> bool {
        self.snapshot.is_some()
    }

    /// Whether both would be the same if the states of their data had one name.
    pub fn is_same_but_for_the_snapshot(&self, second: &Binning) -> bool {
        self.is_same_without("snapshot", second)
    }

    /// Whether both would be the same if values were read in the same way.
    pub fn is_same_but_for_the_reading(&self, second: &Binning) -> bool {
        self.is_same_without("reading", second)
    }

    fn is_same_without(&self, key: &str, second: &Binning) -> bool {
        let without = |binning: &Binning| {
            let mut value: serde_json::Value = serde_json::from_str(&binning.text).ok()?;
            value.as_object_mut()?.remove(key);
            Some(value)
        };
        without(self).zip(without(second)).is_some_and(|(one, other)| one == other)
    }

    /// Whether both are of one named state of the data, and read it in the same way, as far as both look at it.
    fn is_read_like(&self, second: &Binning) -> bool {
        let agree = match (&self.reading, &second.reading) {
            (Some(one), Some(other)) => one.agrees_with(other),
            // Both by a version that did not say: believed as it was then.
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        agree && self.snapshot.is_some() && self.snapshot == second.snapshot
    }

    /// Whether each row is persons of its own, so that nobody is in two rows.
    pub fn rows_are_people(&self) -> bool {
        match &self.frame.unit {
            Unit::Row | Unit::People { .. } => true,
            Unit::Person { .. } => false,
        }
    }

    /// Whether every bin drew for itself, so that a person's bins are releases of their own.
    pub fn draws_bin_by_bin(&self) -> bool {
        match &self.kind {
            Kind::Histogram | Kind::Series(_) => true,
            Kind::Other => false,
        }
    }

    /// Returns who is one person, in words that are equal where the meaning is: two texts may be one number.
    pub fn unit(&self) -> String {
        match &self.frame.unit {
            Unit::Row => "each row".to_string(),
            Unit::People { column } => format!("as many as column {column} says"),
            Unit::Person { column, .. } => match self.person_type(column) {
                Some(kind) => format!("each value of column {column}, read as {kind}"),
                None => format!("each value of column {column}"),
            },
        }
    }

    /// What the values are that name persons; of a version that did not record it, only what the request itself says.
    fn person_type(&self, column: &str) -> Option<&str> {
        match &self.reading {
            Some(reading) => reading.person.as_deref(),
            None => self.frame.types.get(column).map(|kind| kind.as_str()),
        }
    }

    /// Returns the column of the split, if only a part of the people was counted.
    pub fn split_column(&self) -> Option<&str> {
        self.split.as_ref().map(|split| split.column.as_str())
    }

    /// Returns the declared part of the people that was counted: parts of one split are surely of other people.
    pub fn part(&self) -> Option<Part> {
        let split = self.split.as_ref().filter(|_| self.sample.is_none())?;
        let snapshot = self.snapshot.as_ref()?;
        let read_as = (self.reading.as_ref().map(|reading| reading.columns.get(&split.column)), self.unit());
        Some(Part {
            split: format!("{:?} {snapshot:?} {:?} {:?} {read_as:?}", self.frame, split.column, split.part.kind()),
            name: format!("{:?}", split.part),
        })
    }

    /// Returns the periods of a run as a part of the people: runs of one series in one named state of the data.
    pub fn periods_part(&self) -> Option<Part> {
        let series = self.series().filter(|series| series.once)?;
        let snapshot = self.snapshot.as_ref()?;
        Some(Part {
            split: format!("{snapshot:?} {:?} {}", self.reading, series.identity),
            name: format!("{} to {}", series.first, series.last),
        })
    }

    /// The same people may be in both parts at different times, so the snapshot must be the same.
    fn is_another_part_than(&self, second: &Binning) -> bool {
        let (Some(one), Some(other)) = (&self.split, &second.split) else { return false };
        // A text and a number may be two readings of one value.
        let apart = one.column == other.column && one.part.kind() == other.part.kind() && one.part != other.part;
        apart && self.frame == second.frame && self.is_read_like(second)
    }

    /// Whether each row's outcome in the second, "not counted" included, is provably a function of its outcome in the
    /// first.
    ///
    /// A row that the first counts has a bin in each of its dimensions, and each dimension of the second is a function
    /// of one of these. A row that the first does not count is dropped by one of its dimensions: that one drops
    /// nothing, or some dimension of the second drops at least the same. Which bins of a person are kept depends on a
    /// key of the whole binning, so that with a person column nothing of the kind holds (`docs/theory.md` 6 and 7).
    fn determines(&self, second: &Binning) -> bool {
        let alone = match &self.frame.unit {
            Unit::Row | Unit::People { .. } => true,
            Unit::Person { .. } => false,
        };
        let same_rows = self.frame == second.frame
            && self.is_read_like(second)
            && self.condition == second.condition
            && self.split == second.split;
        let known = |later: &Judged| self.dimensions.iter().any(|first| first.determines(later));
        let dropped =
            |first: &Judged| first.drops_nothing() || second.dimensions.iter().any(|later| first.drops_within(later));
        alone
            && same_rows
            && (&self.kind, &second.kind) == (&Kind::Histogram, &Kind::Histogram)
            && second.dimensions.iter().all(known)
            && self.dimensions.iter().all(dropped)
    }
}
