//! A delta as it is written.
//!
//! It must never be below the truth. It is separate because plans, odds, samples and certificates all write one. Read
//! `plan.rs` for where deltas come from.

use incrowd_exact::{Rational, significant_rounding_up};

/// Digits of a reported delta.
const DELTA_DIGITS: usize = 15;

/// Returns a delta that is not below the truth.
pub fn delta_text(delta: &Rational) -> String {
    significant_rounding_up(delta, DELTA_DIGITS)
}
