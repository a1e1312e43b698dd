//! What a statement gives: which columns, in which forms, in which order.
//!
//! It must never leave open how a column is to be read. It is separate because whoever reads an answer needs no more
//! than this of a statement. Read `statement.rs` for how statements are made.

use incrowd_engine::{RowType, Shape};

/// What counts a query on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerStatement {
    /// The statement. Its columns are `key0`, `key1` ... and `people`, sorted by keys, missing values last.
    pub sql: String,
    /// What a row of its answer is about.
    pub shape: Shape,
    /// What each key is.
    pub keys: Vec<KeyKind>,
    /// Whether `people` is a sum of weights, a decimal of 20 digits, or an integer of 64 bits.
    pub people: WeightKind,
}

/// What `people` is in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeightKind {
    /// An integer of 64 bits.
    Counted,
    /// A decimal of 20 digits.
    Added,
}

/// What a key of an answer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyKind {
    /// The number of a cell, where all bins are declared: an integer of 64 bits.
    Cell,
    /// The number of a declared bin beside found ones: an integer of 64 bits.
    Code,
    /// A value that was found, in the form of its type; a day is the integer of days since 1970.
    Value(RowType),
}
