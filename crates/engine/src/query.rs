//! The one question that an engine answers: how many persons are in each bin.
//!
//! In order: `where`, bins, nulls and other, drop what is not counted, distinct (person, bin), at most so many bins per
//! person, count (`docs/theory.md` 7). It must never hold anything that was learnt from data. It is separate from the
//! request because an engine knows no promises. Read `prepare_error.rs` next.

use crate::expression::Expression;
use incrowd_definition::{Items, PeriodUnit};
use incrowd_exact::Rational;
use std::collections::BTreeMap;

/// What is counted, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The identity of the plan that asks.
    pub plan_hash: String,
    /// Where the data is, and how its columns are to be read.
    pub source: Source,
    /// A condition on one row.
    pub condition: Option<Expression>,
    /// The only people who are counted, if not all.
    pub part: Option<Part>,
    /// Who is one person.
    pub unit: Unit,
    /// The dimensions of the table, in order; at least one.
    pub dimensions: Vec<Dimension>,
    /// What the first dimension does to rows and persons if it is time; it is declared then.
    pub time: Option<Time>,
    /// What of a person's items is counted.
    pub items: Items,
}

/// What time does to rows and persons. A person has her bins in each period, so many in every one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// A row counts in its own period.
    Apart,
    /// A row counts in its own period and in all later ones.
    Running,
}

/// A part of the people: those whose rows have exactly this value in this column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The column.
    pub column: String,
    /// The value.
    pub value: PartValue,
}

/// What names a part. A text names one only in a column of texts, an integer only in one of integers: no value is in two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartValue {
    /// A text, compared exactly.
    Text(String),
    /// An integer.
    Integer(i64),
}

/// Where the data is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// A file, a folder or a glob.
    pub location: String,
    /// Types of CSV and JSON columns; text unless said otherwise. For other formats a cast that gives null on failure.
    pub types: BTreeMap<String, ColumnType>,
    /// The time zone in which days begin, an IANA name.
    pub timezone: String,
}

/// A column's declared type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// As it is written.
    Text,
    /// Whole numbers.
    Integer,
    /// Numbers with a fraction.
    Number,
    /// `true` and `false`.
    Boolean,
    /// Days.
    Date,
    /// Moments.
    Timestamp,
}

/// A column as the source has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its exact name.
    pub name: String,
    /// Its type; nothing for types that cannot be binned.
    pub kind: Option<ColumnType>,
}

/// Who is one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    /// Each row.
    Row,
    /// Each row stands for as many persons as this column says; missing or negative is none.
    People {
        /// The column.
        column: String,
    },
    /// All rows with the same value in this column; rows without one are dropped.
    Person {
        /// The column.
        column: String,
        /// In at most how many bins a person is counted.
        bins_per_person: u64,
        /// The public text that begins what is hashed to choose them.
        bounding_key: String,
    },
}

/// One dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dimension {
    /// Its heading, for messages.
    pub name: String,
    /// What is binned.
    pub value: Value,
    /// Into which bins.
    pub cut: Cut,
    /// What happens to values in none of them.
    pub other: Other,
    /// What happens to missing values.
    pub nulls: Nulls,
}

/// What is binned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A column, by its exact name.
    Column(String),
    /// An expression on one row.
    Expression(Expression),
}

/// Into which bins.
///
/// A declared cut numbers its bins: the listed ones from 0, then "other" if there is one, then "missing" if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cut {
    /// Whatever values the data has: found.
    Found,
    /// Whatever periods the data has, by their first day: found.
    FoundPeriods(PeriodUnit),
    /// Listed texts, compared exactly.
    Texts(Vec<String>),
    /// Listed texts, each with the number of its bin, which several may share; and how many bins there are.
    Named(Vec<(String, u64)>, u64),
    /// Listed integers.
    Integers(Vec<i64>),
    /// Listed truth values.
    Booleans(Vec<bool>),
    /// Listed days, in days since 1970.
    Days(Vec<i32>),
    /// Half-open intervals between ascending numbers.
    Numbers(Vec<Rational>),
    /// Half-open intervals of equal width.
    Regular {
        /// The first edge.
        from: Rational,
        /// Above zero.
        width: Rational,
        /// At least one.
        intervals: u64,
    },
    /// Half-open intervals between ascending days since 1970.
    Dates(Vec<i32>),
    /// Listed periods, by their first days since 1970, ascending and without gaps.
    Periods(PeriodUnit, Vec<i32>),
}

/// What happens to values in no listed bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// Not counted.
    NotCounted,
    /// Counted in a bin of their own.
    Counted,
}

/// What happens to missing values; NaN is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// Not counted.
    Drop,
    /// Counted in a bin of their own.
    Bin,
}

/// How many bins a query has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// So many, all declared.
    Declared(u64),
    /// Some dimension is found in the data.
    Found,
    /// More than 2^63, all declared: too many to number.
    TooMany,
}

impl Cut {
    /// Returns how many bins are listed, or nothing if they are found.
    pub fn listed(&self) -> Option<u64> {
        match self {
            Cut::Found | Cut::FoundPeriods(_) => None,
            Cut::Texts(values) => Some(values.len() as u64),
            Cut::Named(_, bins) => Some(*bins),
            Cut::Integers(values) => Some(values.len() as u64),
            Cut::Booleans(values) => Some(values.len() as u64),
            Cut::Days(values) => Some(values.len() as u64),
            Cut::Numbers(edges) => Some((edges.len() as u64).saturating_sub(1)),
            Cut::Regular { intervals, .. } => Some(*intervals),
            Cut::Dates(edges) => Some((edges.len() as u64).saturating_sub(1)),
            Cut::Periods(_, starts) => Some(starts.len() as u64),
        }
    }
}

impl Dimension {
    /// Returns how many bins this dimension has with its symbols, or nothing if they are found.
    pub fn size(&self) -> Option<u64> {
        let symbols = u64::from(self.other == Other::Counted) + u64::from(self.nulls == Nulls::Bin);
        self.cut.listed().map(|listed| listed.saturating_add(symbols))
    }

    /// Returns the number of the bin "other".
    pub fn other_code(&self) -> Option<u64> {
        if self.other == Other::Counted { self.cut.listed() } else { None }
    }

    /// Returns the number of the bin "missing", in declared dimensions.
    pub fn null_code(&self) -> Option<u64> {
        let last = self.size()?.checked_sub(1)?;
        (self.nulls == Nulls::Bin).then_some(last)
    }
}

impl Query {
    /// Returns how many bins there are.
    ///
    /// The cell of codes `c_1, ..., c_n` in dimensions of sizes `s_1, ..., s_n` has the number
    /// `((c_1 * s_2 + c_2) * s_3 + ...) + c_n`: the last dimension runs fastest.
    pub fn cells(&self) -> Cells {
        let mut cells = 1u64;
        let mut fits = true;
        for dimension in &self.dimensions {
            let Some(size) = dimension.size() else { return Cells::Found };
            match cells.checked_mul(size).filter(|cells| *cells <= 1 << 63) {
                Some(product) => cells = product,
                None => fits = false,
            }
        }
        if fits { Cells::Declared(cells) } else { Cells::TooMany }
    }
}
