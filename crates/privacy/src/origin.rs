//! Where the random bits of a release come from: what a certificate says of them, and all that a verifier knows.
//!
//! It must never hold a bit. It is separate from the crate `noise`, which has the bits, so that evidence needs none of
//! it. Read `noise/bins.rs` for the secret that has an origin.

/// Where a secret's bits come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// From the operating system: private.
    OperatingSystem,
    /// From a seed that somebody knows: nothing is private.
    KnownSeed,
}
