//! Numbers that a test writes down.
//!
//! It ends the process where a text is no number, so nothing that reads what somebody else wrote may call it. It is
//! separate so that the name `testing` stands in every file that uses it. Read `number.rs` for how texts are read.

use crate::number::parse_number;
use dashu_ratio::RBig;

/// Returns the number that a text says, such as `"1/3"` or `"1e-6"`.
///
/// # Panics
/// If it says none.
pub fn number(text: &str) -> RBig {
    parse_number(text).expect("a number")
}
