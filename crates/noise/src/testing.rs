//! Random words that are **not private**: from a known seed, or read off a tape.
//!
//! They are for tests, enumeration and `--test-seed`; nothing published may ever come from here. They are separate so
//! that the name `testing` stands in every line that uses them. Read `enumeration.rs` next, for how tapes prove a law.

use crate::bins::ReleaseSecret;
use crate::bits::{Bits, Buffered};

/// A repeatable stream: ChaCha20 with a known key. Not private.
pub struct SeededBits {
    generator: Buffered,
}

impl SeededBits {
    /// Returns the stream of a seed, the same on every machine.
    pub fn from_seed(seed: u64) -> Self {
        SeededBits { generator: Buffered::from_key(key(seed)) }
    }
}

impl Bits for SeededBits {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.generator.next_u64()
    }
}

/// Returns a release secret that everybody can compute. Not private.
pub fn known_secret(seed: u64) -> ReleaseSecret {
    ReleaseSecret::known(key(seed))
}

fn key(seed: u64) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key
}

/// Words written down beforehand; behind the end there are zeros, and the tape says so. Not private.
pub struct TapeBits<'tape> {
    words: &'tape [u64],
    asked: usize,
}

impl<'tape> TapeBits<'tape> {
    /// Returns a tape at its first word.
    pub fn new(words: &'tape [u64]) -> Self {
        TapeBits { words, asked: 0 }
    }

    /// How many words were asked for, those behind the end included.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// Whether more words were asked for than the tape has, so that what was drawn means nothing.
    pub fn is_exhausted(&self) -> bool {
        self.asked > self.words.len()
    }
}

impl Bits for TapeBits<'_> {
    fn next_u64(&mut self) -> u64 {
        let word = self.words.get(self.asked).copied().unwrap_or(0);
        self.asked += 1;
        word
    }
}
