//! The names of policies, and below which size each of them protects groups.
//!
//! It must never say more than that: the files do, and a test holds these names against them. It is separate from
//! `policy.rs` because errors and the published schema list the names, and reading a file can end in an error. Read
//! that next.

/// The names in a request, each with the size below which groups are small.
pub(super) const NAMES: [(&str, u64); 6] = [
    ("fewer-than-5", 5),
    ("fewer-than-6", 6),
    ("fewer-than-11", 11),
    ("rounded-to-5", 8),
    ("k-10", 10),
    ("k-20", 20),
];

/// Returns the name of the policy under which groups of fewer people than this are small.
pub(super) fn protecting_below(small: u64) -> Option<&'static str> {
    NAMES.iter().find(|(_, size)| *size == small).map(|(name, _)| *name)
}
