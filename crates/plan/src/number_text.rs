//! Numbers as people and machines read them.
//!
//! What is shortened must never fall below the truth. It is separate because refusals, sentences and fields write the same
//! numbers. Read `words.rs` for the sentences around them.

use incrowd_exact::{Rational, rational_text, significant_rounding_up};

/// Digits of a delta in fields.
const DELTA_DIGITS: usize = 15;

/// Returns an epsilon as people read it: `1/100`, `3`, or a short decimal, rounded up, where the fraction would be unwieldy.
pub fn readable(value: &Rational) -> String {
    let exact = rational_text(value);
    if exact.len() <= 12 { exact } else { significant_rounding_up(value, 6) }
}

/// A number for people: exact where that is short, else a little above.
pub fn short(value: &Rational) -> String {
    let exact = readable(value);
    if exact.len() <= 6 { exact } else { significant_rounding_up(value, 4) }
}

/// Returns a delta that is not below the truth.
pub fn delta_text(delta: &Rational) -> String {
    significant_rounding_up(delta, DELTA_DIGITS)
}
