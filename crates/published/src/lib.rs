//! What may leave: bins that are published, and what each of them shows.
//!
//! It must never hold a key that is not shown, nor anything that was computed from a true count but what the mechanism
//! drew. It is separate from `counts` so that tables, certificates and verifiers are built without true counts in
//! sight. Read the crate `counts` for how it is made.

use arrow_array::ArrayRef;
use arrow_schema::DataType;
use incrowd_privacy::{Outcome, SideValue};
use std::fmt;

/// So many lines has a table with a line for each person at most: a row may say that it stands for 2^63 people, and no
/// disk holds a line for each of them. What is longer fails like any other data that cannot be counted.
pub const MOST_LINES: u64 = 1_000_000_000;

/// So many points are moved at most: all of them are in memory.
pub const MOST_POINTS: u64 = 100_000_000;

/// What one bin shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The count, an interval, or nothing.
    pub outcome: Outcome,
    /// What is shown beside it.
    pub side_value: SideValue,
}

/// Which bins.
#[derive(Debug, Clone)]
pub enum Keys {
    /// Declared cells, by their numbers.
    Cells(Vec<u64>),
    /// One column for each dimension: codes of declared ones, values of found ones.
    Columns(Vec<ArrayRef>),
    /// One column for each dimension, as a published table shows it: what was published is written once more.
    Labels(Vec<ArrayRef>),
}

/// Some bins and what they show, in the order in which they are published.
#[derive(Debug, Clone)]
pub struct PublishedBatch {
    /// Which bins.
    pub keys: Keys,
    /// What each of them shows; as many as there are keys.
    pub shown: Vec<Shown>,
}

/// Which declared bins are published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Every declared one, suppressed ones too.
    EveryCell,
    /// Those that show something.
    OnlyShown,
}

/// The grid of one axis: a point's coordinate is its index times a decimal number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// The decimal number without its point.
    pub digits: i64,
    /// How many of its digits are behind the point.
    pub scale: i8,
}

/// Whether a key may have this type.
pub fn is_key_type(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Int64
            | DataType::UInt64
            | DataType::Float64
            | DataType::Decimal128(_, _)
            | DataType::Boolean
            | DataType::Date32
            | DataType::Timestamp(_, _)
    )
}

/// Why counting did not come to its end. Says nothing about the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountError {
    /// The data could not be counted: damaged, not what it was declared to be, or too large for the memory.
    Failed,
    /// Somebody asked to stop.
    Cancelled,
    /// The engine broke its contract: an unknown type or cell, a bin twice, or bins out of order.
    Contract,
}

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CountError::Failed => "the data could not be counted",
            CountError::Cancelled => "stopped on request",
            CountError::Contract => "the engine returned something else than sorted, distinct bins",
        })
    }
}

impl std::error::Error for CountError {}
