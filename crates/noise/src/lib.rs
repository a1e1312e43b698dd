//! Exact random draws: bits of the operating system, coins, geometric and discrete Laplace variates.
//!
//! It must never see a file or a column, use a float to decide, or print. It is separate so that everything that is
//! secret and random sits in one small crate that can be enumerated bit by bit. Read `bits.rs` next, then `laplace.rs`.
//!
//! **What is claimed.** Given ideal random words every draw has *exactly* the law in its documentation: tables decide
//! most words by integers, and the rare word they cannot decide is refined with enclosures of `exp` until it is
//! decided. With [`SystemBits`] the claim is computational in ChaCha20, with [`BinStreams`] in keyed BLAKE3.
//!
//! **What is not claimed.** Time: table look-ups are indexed by secret bits, undecided words and restarts take longer,
//! and untabled draws take a time that depends on the value.

mod alias;
mod bins;
mod bits;
mod coin;
mod digit;
mod empty_bins;
#[cfg(test)]
mod enumeration;
mod geometric;
mod laplace;
mod points;
mod rate;
mod sampler;
pub mod testing;
mod top;
mod walk;

pub use bins::{BinAddress, BinBits, BinStreams, ReleaseSecret};
pub use bits::{Bits, EntropyError, SystemBits};
pub use coin::{Coin, bernoulli, bernoulli_exp_neg, choose, uniform_below, uniform_below_natural};
pub use empty_bins::EmptyBins;
pub use geometric::{Geometric, geometric_untabled};
pub use laplace::{DiscreteLaplace, laplace_untabled};
pub use points::PointNoise;
pub use rate::RateError;
pub use sampler::{Drawn, Sampler};
pub use top::TopChooser;
