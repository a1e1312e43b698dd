//! Regular expressions of a request: which are read, and how large they may be.
//!
//! Matching takes time in proportion to the pattern's size and the text's, so both have bounds; it must never accept a
//! pattern that an engine would refuse only when it meets a row. It is separate because the request's patterns are read
//! before anything is counted. Read `row/functions.rs` for who asks.

use regex::{Regex, RegexBuilder};

/// How many bytes a pattern may have once it is read.
const LARGEST_PATTERN: usize = 1 << 20;

/// Returns a pattern with its flags, if it can be read and is not too large.
pub fn pattern(pattern: &str, flags: &str) -> Option<Regex> {
    let flagged = if flags.is_empty() { pattern.to_owned() } else { format!("(?{flags}){pattern}") };
    RegexBuilder::new(&flagged).size_limit(LARGEST_PATTERN).build().ok()
}
