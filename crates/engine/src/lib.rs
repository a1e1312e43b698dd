//! The contract between a release and the engine that counts: one trait, one query, one error for each step.
//!
//! It must never know an engine, nor pass on a sentence that an engine wrote about data. It is separate so that every
//! engine answers the same question with the same counts: what those are is data, which the crate `conformance` holds
//! an engine against. Read `query.rs` for the question, `expression.rs` for what may be asked of a row, `row.rs` for
//! what is computed of it, `written.rs` for what a text says in a dialect, `bounding.rs` for which bins of a person
//! count, `participants.rs` for who is counted, `prepare_error.rs` for what can go wrong.

mod bounding;
mod delivered_rows;
mod expression;
mod participants;
mod pattern;
mod prepare_error;
mod query;
mod row;
pub mod steps;
pub mod thresholds;
pub mod written;

pub use bounding::Chooser;
pub use delivered_rows::{CountsDelivered, DeliveredRows, RowBatches};
pub use expression::{
    Arithmetic, Branch, ComparisonOperator, Expression, Function, LONGEST_TEXT, Pattern, Type, WrittenConstant, nearest,
};
pub use incrowd_counts::{CountError, Shape, TrueCounts};
pub use incrowd_definition::{
    BadRows, BinSource, BinValue, ColumnType, Cut, DataFormat, Date, Dialect, Dimension, Edges, Encoding, Header,
    Items, ListedValues, MOST_ITEMS, Nulls, Other, PeriodUnit, Periods, Precision, Quote, Reading, Sign, Split, Stored,
    Unit, coded_names,
};
pub use participants::{Coins, Participants, RowBatch};
pub use pattern::pattern;
pub use prepare_error::{PrepareError, RequestField, SourceError};
pub use query::{Query, QueryCells, Source, Time};
pub use row::{Constant, RowForm, RowPlan, RowType, RowValue, SourceColumn, row_type, source_columns, stored};

use incrowd_ledger::Receipt;
use std::path::PathBuf;
use std::sync::Arc;

/// A place where data lies and can be counted.
pub trait Engine {
    /// Returns the files of this machine that a location of data names; none where it names none. What they hold is
    /// about people: a public file that a request names may be none of them, under whatever name.
    fn files(&self, location: &str) -> Vec<PathBuf>;

    /// Returns whether preparing a query on this source may copy it, and where to: for people to know beforehand. Data
    /// that passes once and is read from its end must be copied, and is not looked at by that.
    fn copied(&self, _source: &Source) -> Option<CopiedInput> {
        None
    }

    /// Checks a query against names and types, without reading a row.
    fn prepare(&self, query: &Query) -> Result<Box<dyn Prepared>, PrepareError>;
}

/// A query that was checked and can be counted once.
pub trait Prepared: Send {
    /// Returns how much there is to read.
    fn input(&self) -> InputSize;

    /// Returns how the values that the query uses are stored, by formats and types alone: known before the charge, and
    /// part of what is counted. Two readings are two definitions, whatever else is the same.
    fn reading(&self) -> Reading;

    /// Returns where the query will be counted: known before the charge, for people to know.
    fn counted_where(&self) -> CountedWhere {
        CountedWhere::OnThisMachine
    }

    /// Returns the plan that the query belongs to: a receipt for another one does not pay for it.
    fn plan_hash(&self) -> &str;

    /// Counts what was paid for. Whoever wants a count asks `count`, which alone can say so; an engine that stands
    /// before another one hands `paid` on, and who reads asks it with [`Paid::must_be_for`] first.
    fn count_paid(
        self: Box<Self>,
        paid: Paid,
        who: Participants,
        watch: Arc<dyn Watch>,
    ) -> Result<TrueCounts, CountError>;
}

impl dyn Prepared {
    /// Counts. The receipt shows that this very plan was charged before the first row is read, and what is counted can
    /// be published for that plan alone.
    pub fn count(
        self: Box<Self>,
        charged: &Receipt,
        who: Participants,
        watch: Arc<dyn Watch>,
    ) -> Result<TrueCounts, CountError> {
        let paid = Paid { plan_hash: charged.plan_hash().to_string() };
        paid.must_be_for(self.plan_hash())?;
        self.count_paid(paid, who, watch)?.counted_for(charged)
    }
}

/// That a query was paid for: only `count` makes it, of a receipt for the query's own plan.
///
/// ```compile_fail,E0451
/// let paid = incrowd_engine::Paid { plan_hash: String::new() };
/// ```
pub struct Paid {
    plan_hash: String,
}

impl Paid {
    /// Refuses to pay for another plan than the one that was charged.
    pub fn must_be_for(&self, plan_hash: &str) -> Result<(), CountError> {
        if self.plan_hash == plan_hash { Ok(()) } else { Err(CountError::Contract) }
    }
}

/// Where a query is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CountedWhere {
    /// On this machine, of data that lies here.
    OnThisMachine,
    /// Where the data is: counts of bins come here, no rows.
    AtTheSource,
    /// On this machine, of the rows that a server delivers, because it cannot count what is asked.
    OfDeliveredRows {
        /// What the server cannot count as this machine does, in words of the request.
        reason: String,
    },
}

/// Where an input is copied to that passes once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopiedInput {
    /// Up to so many bytes of it stay in memory.
    pub in_memory: u64,
    /// Where a longer one lies while it is needed, under no name.
    pub place: PathBuf,
}

/// How large the input is, whatever matches in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputSize {
    /// How many bytes there are to read; nothing where an engine cannot tell.
    pub bytes: Option<u64>,
}

/// Somebody who waits: told how much of the input was read, and asked whether to go on.
pub trait Watch: Send + Sync {
    /// So many more bytes of input were read.
    fn read(&self, bytes: u64);

    /// Whether to stop.
    fn is_cancelled(&self) -> bool;
}

/// Nobody waits.
pub struct Unwatched;

impl Watch for Unwatched {
    fn read(&self, _bytes: u64) {}

    fn is_cancelled(&self) -> bool {
        false
    }
}
