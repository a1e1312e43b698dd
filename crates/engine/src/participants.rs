//! Who is counted: everybody, or a random part of the people.
//!
//! The coins are secret and belong to one release; an engine asks them and must never toss its own, nor let anything
//! but the person herself, or the place of a row, decide who is left out. It is separate from the query because coins
//! exist only once a release is charged. Read `query.rs` for what is counted of those who stay.

use std::sync::Arc;

/// Who is counted.
#[derive(Clone)]
pub enum Participants {
    /// Everybody.
    Everybody,
    /// Those whose coin says so, independently of each other, before anything else is decided about them.
    Sample(Arc<dyn Coins>),
}

impl Participants {
    /// Whether the person with these canonical bytes is counted.
    pub fn counts(&self, person: &[u8]) -> bool {
        match self {
            Participants::Everybody => true,
            Participants::Sample(coins) => coins.person(person),
        }
    }
}

/// The coins of one sample.
pub trait Coins: Send + Sync {
    /// Whether the person with these canonical bytes is counted: one answer for all her rows, however often it is
    /// asked.
    fn person(&self, person: &[u8]) -> bool;

    /// Whether each row of a batch is counted, where a row is a person: one coin for each, whatever the row says.
    fn rows(&self, batch: &RowBatch) -> Vec<bool>;
}

/// Rows by the place where they were read. No two batches of a count have the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RowBatch {
    /// Which of the parts that are read side by side.
    pub part: u64,
    /// Which batch of that part.
    pub number: u64,
    /// How many rows it has.
    pub rows: usize,
}
