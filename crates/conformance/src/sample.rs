//! Coins that leave out the people that a case names.
//!
//! It must never toss anything. It is separate because only cases of samples have coins. Read `case.rs` next.

use incrowd_engine::{Coins, RowBatch};
use std::collections::BTreeSet;

/// Leaves out persons, by their canonical bytes.
pub(crate) struct LeftOut(pub(crate) BTreeSet<Vec<u8>>);

impl Coins for LeftOut {
    fn person(&self, person: &[u8]) -> bool {
        !self.0.contains(person)
    }

    /// Where a row is a person, cases cannot say which is left out: its place is an engine's own.
    fn rows(&self, batch: &RowBatch) -> Vec<bool> {
        vec![true; batch.rows]
    }
}
