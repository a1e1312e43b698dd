//! What an account has promised with a charge, and what is left of it.
//!
//! Numbers of the book, as a certificate repeats them; it must never add anything up. It is separate from the book
//! because whoever checks a certificate has none. Read `charge_id.rs` for which charge.

use incrowd_exact::Rational;

/// What an account has left to spend; nothing where there is no limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Of the epsilon budget.
    pub epsilon: Option<Rational>,
    /// Of the delta budget, which is 0 where only epsilon has one.
    pub delta: Option<Rational>,
}

/// What an account's people have been promised once a release is charged, and what is left then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct After {
    /// How many releases there are then about the same people, this one included.
    pub charges: u64,
    /// The epsilon of all of them together, as differential privacy for everybody; nothing where there is none.
    pub epsilon: Option<Rational>,
    /// The delta of all of them together.
    pub delta: Rational,
    /// What is left of the budgets.
    pub left: Left,
}
