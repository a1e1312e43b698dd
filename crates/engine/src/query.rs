//! The one question that an engine answers: how many persons are in each bin.
//!
//! In order: `where`, bins, nulls and other, drop what is not counted, distinct (person, bin), at most so many bins per
//! person, count (`docs/theory.md` 7). It must never hold anything that was learnt from data. It is separate from the
//! request because an engine knows no promises; what is counted is defined in `definition`, for both. Read
//! `prepare_error.rs` next.

use crate::expression::Expression;
use incrowd_definition::{CellCount, ColumnType, Dialect, Dimension, Items, Split, Unit};
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
    pub split: Option<Split>,
    /// Who is one person.
    pub unit: Unit,
    /// The public text that begins what is hashed to choose the bins of a person.
    pub bounding_key: String,
    /// The dimensions of the table, in order; at least one.
    pub dimensions: Vec<Dimension<Expression>>,
    /// What the first dimension does to rows and persons if it is time; it is declared then.
    pub time: Option<Time>,
}

/// What time does to rows and persons. A person has her bins in each period, so many in every one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// A row counts in its own period.
    Apart,
    /// A row counts in its own period and in all later ones.
    Running,
}

/// Where the data is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// A file, a folder, a glob, or the address of a server.
    pub location: String,
    /// The environment variable that holds the password or token of a server, by name.
    pub secret_variable: Option<String>,
    /// How its files write rows and values down.
    pub dialect: Dialect,
    /// Types of CSV and JSON columns; text unless said otherwise. For other formats a cast that gives null on failure.
    pub types: BTreeMap<String, ColumnType>,
    /// The time zone in which days begin, an IANA name.
    pub timezone: String,
}

/// The bins of a query, as far as they can be numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryCells {
    /// So many, all declared.
    Declared(u64),
    /// Some dimension is found in the data.
    Found,
    /// More than 2^63, all declared: too many to number.
    TooMany,
}

impl Query {
    /// Returns how many bins there are, to be numbered as `CellCount` says.
    pub fn cells(&self) -> QueryCells {
        match CellCount::of(self.dimensions.iter().map(Dimension::size)) {
            CellCount::Found => QueryCells::Found,
            // The one cell of everybody.
            CellCount::Unstated => QueryCells::Declared(1),
            CellCount::Declared(cells) => match u64::try_from(cells) {
                Ok(cells) if cells <= 1 << 63 => QueryCells::Declared(cells),
                Ok(_) | Err(_) => QueryCells::TooMany,
            },
        }
    }

    /// Returns what of a person's items is counted: pairs, if a dimension says so.
    pub fn items(&self) -> Items {
        let pairs = self.dimensions.iter().any(|dimension| dimension.items == Items::Pairs);
        if pairs { Items::Pairs } else { Items::Each }
    }
}
