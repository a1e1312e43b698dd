//! Where random words come from: one trait, and the stream of the operating system.
//!
//! It must never fall back to a weaker source, and a source never shows its state. It is separate so that samplers take
//! randomness as an argument and cannot reach for their own. Read `bins.rs` next, for the streams of single bins.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use std::fmt;

/// A source of independent, uniform 64-bit words.
pub trait Bits {
    /// Returns the next word.
    fn next_u64(&mut self) -> u64;
}

impl<B: Bits + ?Sized> Bits for &mut B {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        (**self).next_u64()
    }
}

/// Returns the next word cut to its `width` highest bits, so that tests can enumerate narrow words.
#[inline]
pub(crate) fn narrow_word(width: u32, bits: &mut (impl Bits + ?Sized)) -> u64 {
    bits.next_u64() >> (u64::BITS - width)
}

/// Why there are no random bits. Nothing is drawn without them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntropyError {
    /// The operating system gave no random bytes.
    Unavailable,
}

impl fmt::Display for EntropyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntropyError::Unavailable => f.write_str("the operating system gave no random bytes"),
        }
    }
}

impl std::error::Error for EntropyError {}

/// Returns 256 fresh bits of the operating system, or refuses.
pub(crate) fn fresh_seed() -> Result<[u8; 32], EntropyError> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|_| EntropyError::Unavailable)?;
    Ok(seed)
}

/// How many words are made at once.
const BUFFERED_WORDS: usize = 256;

/// A private stream: ChaCha20 with all 20 rounds, its 256-bit key fresh from the operating system.
///
/// It has no `Clone` and no `Debug`: two copies would draw the same noise twice.
pub struct SystemBits {
    generator: Buffered,
}

impl SystemBits {
    /// Returns a stream with a fresh key, or refuses when the operating system has no random bytes to give.
    pub fn new() -> Result<Self, EntropyError> {
        Ok(SystemBits { generator: Buffered::from_key(fresh_seed()?) })
    }
}

impl Bits for SystemBits {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.generator.next_u64()
    }
}

/// ChaCha20 behind a buffer, so that the common path is one load.
pub(crate) struct Buffered {
    words: Box<[[u8; 8]; BUFFERED_WORDS]>,
    used: usize,
    generator: ChaCha20Rng,
}

impl Buffered {
    pub(crate) fn from_key(key: [u8; 32]) -> Self {
        let words = Box::new([[0; 8]; BUFFERED_WORDS]);
        Buffered { words, used: BUFFERED_WORDS, generator: ChaCha20Rng::from_seed(key) }
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> u64 {
        self.generator.fill_bytes(self.words.as_flattened_mut());
        self.used = 1;
        u64::from_le_bytes(self.words[0])
    }
}

impl Bits for Buffered {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        match self.words.get(self.used) {
            Some(word) => {
                self.used += 1;
                u64::from_le_bytes(*word)
            }
            None => self.refill(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_chacha20_as_published() {
        // RFC 7539 A.1, test vectors 1 and 2: key and nonce zero, blocks 0 and 1.
        let mut stream = Buffered::from_key([0; 32]);
        assert_eq!(stream.next_u64().to_le_bytes(), [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]);
        for _ in 0..7 {
            stream.next_u64();
        }
        assert_eq!(stream.next_u64().to_le_bytes(), [0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a]);
    }

    #[test]
    fn the_buffer_neither_repeats_nor_skips_a_word() {
        let mut plain = ChaCha20Rng::from_seed([9; 32]);
        let mut buffered = Buffered::from_key([9; 32]);
        for _ in 0..5 * BUFFERED_WORDS + 3 {
            assert_eq!(buffered.next_u64(), plain.next_u64());
        }
    }

    #[test]
    fn two_private_streams_differ() {
        let mut one = SystemBits::new().expect("entropy");
        let mut other = SystemBits::new().expect("entropy");
        let words = |stream: &mut SystemBits| [stream.next_u64(), stream.next_u64(), stream.next_u64()];
        assert_ne!(words(&mut one), words(&mut other));
    }
}
