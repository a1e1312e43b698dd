//! What was found when data was looked at as a release would read it: true sizes and values, for the steward alone.
//!
//! Nothing here has a `Debug` that shows it, and nothing may be handed to anything that publishes: `check` is its
//! only reader. It is separate from the looking so that a page can be made of it without an engine. Read `examine.rs`
//! for where the numbers come from, `advice.rs` for the fixes.

use super::advice::Advice;
use super::damage::Damage;
use super::day_orders::DayOrders;
use std::collections::BTreeMap;
use std::fmt;

/// What a release would read, count and lose.
pub struct Findings {
    /// How many rows there are, those left out of a damaged file not among them.
    pub rows: u64,
    /// How many of them `where` and `[data.split]` leave out.
    pub filtered: u64,
    /// How many rows have too few or too many fields and are left out, as `on-bad-row` asks.
    pub bad_rows: u64,
    /// Who is in the data and not left out by `where`. Rows without an identifier are one person each.
    pub people: u64,
    /// Those of them who are lost, by cause, in a fixed order; nobody twice.
    pub losses: Vec<PeopleLost>,
    /// Columns with values that cannot be read as what they should be.
    pub unread: Vec<UnreadColumn>,
    /// Dimensions with values that are in none of their bins.
    pub outside: Vec<Outside>,
    /// Bins that are found and read like words for nothing.
    pub words_for_nothing: Vec<WordForNothing>,
    /// Days that could be other days, where the data does not tell which, or tells two things.
    pub day_orders: Option<DayOrders>,
    /// Fields between quotes that may be rows.
    pub rows_in_quotes: RowsInQuotes,
    /// Cells of workbooks with a formula of which the file holds no result.
    pub uncomputed: u64,
    /// What the limits on a person's bins leave, where persons have many rows.
    pub bounded: Option<BoundedPeople>,
    /// How many bins have so many people, those of nobody left out.
    pub bins_by_size: BTreeMap<u64, u64>,
    /// Changes of the request that were tried on these very values.
    pub advice: Vec<Advice>,
}

impl fmt::Debug for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Findings")
    }
}

impl Findings {
    /// Returns how many rows are not left out by `where`.
    pub fn wanted(&self) -> u64 {
        self.rows.saturating_sub(self.filtered)
    }

    /// Returns how many people are in bins.
    pub fn in_bins(&self) -> u64 {
        let people = self.bins_by_size.iter().map(|(size, bins)| size.saturating_mul(*bins));
        people.fold(0, u64::saturating_add)
    }

    /// Returns how many people are lost.
    pub fn lost(&self) -> u64 {
        self.losses.iter().fold(0, |sum, loss| sum.saturating_add(loss.people))
    }
}

/// People who are lost for one reason.
pub struct PeopleLost {
    /// The reason: of several the first in order.
    pub cause: LossCause,
    /// How many.
    pub people: u64,
}

/// Why somebody is counted in no bin, or in the wrong one.
#[derive(Clone, PartialEq, Eq)]
pub enum LossCause {
    /// Her row has too few or too many fields, and `on-bad-row` leaves it out.
    BadRow,
    /// Her rows have no identifier, or do not say for how many people they stand.
    NoUnit,
    /// Whether her rows are wanted cannot be told, because a value that `where` needs cannot be read.
    Undecided,
    /// A value cannot be read as what its bin needs.
    Unread {
        /// The heading of the bin.
        bin: String,
    },
    /// A value is missing.
    Missing {
        /// The heading of the bin.
        bin: String,
    },
    /// A value is in none of the listed bins.
    NoBin {
        /// The heading of the bin.
        bin: String,
    },
    /// A day is in none of the listed periods.
    NoPeriod {
        /// The heading of the bin.
        bin: String,
    },
    /// What she is counted in belongs to no group that may be shown.
    NoGroup,
    /// A value cannot be read, and is counted as missing.
    CountedAsMissing {
        /// The heading of the bin.
        bin: String,
    },
}

/// A column with values that cannot be read.
pub struct UnreadColumn {
    /// Its name.
    pub column: String,
    /// What its values should be: "a number".
    pub wanted: &'static str,
    /// How many cannot be read.
    pub rows: u64,
    /// The first of them.
    pub first: Vec<UnreadValue>,
}

/// A value that cannot be read.
pub struct UnreadValue {
    /// Where it stands.
    pub spot: Spot,
    /// The value, cut where it is long.
    pub value: String,
    /// Why it cannot be read.
    pub reason: String,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The name of the file, where there are several.
    pub file: Option<String>,
    /// The place in it.
    pub place: SpotInFile,
}

/// A place in one file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpotInFile {
    /// A line of a text file.
    Line(u64),
    /// A row of a file without lines.
    Row(u64),
    /// An object of a JSON file.
    Object(u64),
    /// Where the file ends.
    End,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            SpotInFile::Line(line) => write!(f, "line {line}")?,
            SpotInFile::Row(row) => write!(f, "row {row}")?,
            SpotInFile::Object(object) => write!(f, "object {object}")?,
            SpotInFile::End => f.write_str("end")?,
        }
        match &self.file {
            Some(file) => write!(f, " of {file}"),
            None => Ok(()),
        }
    }
}

/// Values of a dimension that are in none of its bins.
pub struct Outside {
    /// The heading of the bin.
    pub bin: String,
    /// How many rows have one.
    pub rows: u64,
    /// The most frequent of them.
    pub values: Vec<OutsideValue>,
}

/// A value that is in no bin.
pub struct OutsideValue {
    /// The value, cut where it is long.
    pub value: String,
    /// How many rows have it.
    pub rows: u64,
    /// What is near: a listed bin, or an end of what is listed.
    pub near: Option<String>,
}

/// A bin that is found and reads like a word for nothing.
pub struct WordForNothing {
    /// The heading of the bin.
    pub bin: String,
    /// The word.
    pub word: String,
    /// How many people are counted in bins with it.
    pub people: u64,
}

/// Fields between quotes that go over several lines, each of which has as many fields as a row.
#[derive(Default)]
pub struct RowsInQuotes {
    /// How many fields.
    pub fields: u64,
    /// How many rows would be more if these lines were rows.
    pub rows: u64,
    /// The first of them, and the lines on which they end.
    pub first: Vec<(Spot, u64)>,
}

/// What the limits on a person's bins leave.
#[derive(Default)]
pub struct BoundedPeople {
    /// Persons who are counted in at least one bin.
    pub people: u64,
    /// Pairs of a person and one of her bins before any limit; in a series in each period.
    pub person_bins: u64,
    /// Those of them that are counted.
    pub counted: u64,
    /// Persons with more bins than `bins-per-person` allows, in some period.
    pub cut_people: u64,
    /// Persons with more items than make pairs.
    pub cut_baskets: u64,
    /// How many persons have so many bins to be chosen from; in a series in each period.
    pub persons_by_bins: BTreeMap<u64, u64>,
}

impl BoundedPeople {
    /// Returns how many pairs of a person and one of her bins are left out.
    pub fn cut(&self) -> u64 {
        self.person_bins.saturating_sub(self.counted)
    }

    /// Returns how many pairs of a person and one of her bins would be counted, if so many bins of each counted.
    pub fn counted_with(&self, bins_per_person: u64) -> u64 {
        let counted =
            self.persons_by_bins.iter().map(|(bins, persons)| bins.min(&bins_per_person).saturating_mul(*persons));
        counted.fold(0, u64::saturating_add)
    }

    /// Returns the smallest limit whose loss is small enough; nothing if no limit helps.
    pub fn smallest_limit(&self, is_too_much: impl Fn(u64) -> bool) -> Option<u64> {
        let is_enough = |limit: u64| !is_too_much(self.person_bins.saturating_sub(self.counted_with(limit)));
        let (mut low, mut high) = (0, self.persons_by_bins.keys().next_back().copied()?);
        if !is_enough(high) {
            return None;
        }
        // Above `low` and up to `high`: more bins of each are never fewer in all.
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if is_enough(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }
}

/// Why there are no findings.
pub enum NoFindings {
    /// Somebody asked to stop.
    Stopped,
    /// The data cannot be read to its end: a release would be charged and not delivered.
    Damaged(Vec<Damage>),
}

impl fmt::Debug for NoFindings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NoFindings")
    }
}
