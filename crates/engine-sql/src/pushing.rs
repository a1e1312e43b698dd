//! Whether a server may count at all.
//!
//! Tests ask for rows where a server could count; it must never be asked for by what is in a table. It is separate
//! because it is no part of a statement. Read `statement.rs` for what a server counts.

/// Whether a server may count at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pushing {
    /// Wherever it provably counts what this machine would.
    WhereItIsTheSame,
    /// Never: every row is delivered.
    Never,
}
