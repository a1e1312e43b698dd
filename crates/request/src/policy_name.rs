//! The names of policies, and below which size each of them protects groups.
//!
//! It must never say more than that: the files do, and a test holds these names against them. It is separate from
//! `policy.rs` because errors and the published schema list the names, and reading a file can end in an error. Read
//! that next.

/// Policies that ask for nothing but a size: their names in a request, and the size below which groups are small.
pub(super) const BY_SIZE: [(&str, u64); 5] =
    [("fewer-than-5", 5), ("fewer-than-6", 6), ("fewer-than-11", 11), ("k-10", 10), ("k-20", 20)];

/// Those that ask for more.
const OTHERS: [&str; 1] = ["rounded-to-5"];

/// Returns all names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    BY_SIZE.iter().map(|(name, _)| *name).chain(OTHERS)
}

/// Returns the name of the policy under which groups of fewer people than this are small, and nothing else is asked.
pub(super) fn protecting_below(small: u64) -> Option<&'static str> {
    BY_SIZE.iter().find(|(_, size)| *size == small).map(|(name, _)| *name)
}
