//! One stream of random words for each bin of a release, keyed by a secret that lives for one charge.
//!
//! It must never let the secret out, nor let two different bins share a stream. It is separate from `bits.rs` because a
//! bin's words depend on the bin alone, not on order, batch or thread. Read `coin.rs` next, for what the words decide.
//!
//! The stream of a bin is the extended output of BLAKE3, keyed with a subkey, over the canonical bytes of the bin's
//! key. The subkey is BLAKE3, keyed with the secret, over release, table and purpose, each behind its length in eight
//! bytes. Both steps are injective in what they hash: the first by its lengths, the second because the key is the whole
//! message.

use crate::bits::{Bits, EntropyError, fresh_seed};
use incrowd_privacy::Origin;

/// The secret of one release: 256 fresh bits of the operating system, mute and never stored.
///
/// It can be used, but neither copied nor shown, so a draw cannot be repeated after the release:
///
/// ```
/// use incrowd_noise::{BinAddress, Bits, ReleaseSecret};
/// let secret = ReleaseSecret::fresh().unwrap();
/// let address = BinAddress { release: "7", table: "counts", purpose: "noise" };
/// let word = secret.streams(&address).bin(b"Sales").next_u64();
/// ```
/// ```compile_fail
/// let secret = incrowd_noise::ReleaseSecret::fresh().unwrap();
/// let copy = secret.clone();
/// ```
/// ```compile_fail
/// let secret = incrowd_noise::ReleaseSecret::fresh().unwrap();
/// println!("{secret:?}");
/// ```
pub struct ReleaseSecret {
    bytes: [u8; 32],
    origin: Origin,
}

impl ReleaseSecret {
    /// Returns a fresh secret, or refuses when the operating system has no random bytes to give.
    pub fn fresh() -> Result<Self, EntropyError> {
        Ok(ReleaseSecret { bytes: fresh_seed()?, origin: Origin::OperatingSystem })
    }

    /// Returns the secret made of known bytes. Nothing drawn from it is private.
    pub(crate) fn known(bytes: [u8; 32]) -> Self {
        ReleaseSecret { bytes, origin: Origin::KnownSeed }
    }

    /// Where its bits come from: a secret that somebody knows cannot pass for a private one.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns the streams of all bins at an address; the subkey is derived once, here.
    pub fn streams(&self, address: &BinAddress<'_>) -> BinStreams {
        let mut hasher = blake3::Hasher::new_keyed(&self.bytes);
        for part in [address.release, address.table, address.purpose] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        BinStreams { subkey: *hasher.finalize().as_bytes() }
    }

    /// Returns the stream of a single bin. For many bins at one address, [`streams`](Self::streams) is twice as fast.
    pub fn bin_bits<'key>(&self, address: &BinAddress<'_>, key: &'key [u8]) -> BinBits<'key> {
        self.streams(address).bin(key)
    }
}

/// What a family of bins is drawn for; a different word anywhere gives unrelated streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BinAddress<'a> {
    /// The release, as its ledger entry names it.
    pub release: &'a str,
    /// The table within the release.
    pub table: &'a str,
    /// What the words are for, such as `noise` or `places`.
    pub purpose: &'a str,
}

/// The streams of all bins at one address. Shared between threads freely; mute, like the secret.
pub struct BinStreams {
    subkey: [u8; 32],
}

impl BinStreams {
    /// Returns the stream of the bin with these canonical key bytes, from its first word.
    ///
    /// The caller's key bytes must be injective in the bin (typed and length-prefixed parts).
    #[inline]
    pub fn bin<'key>(&self, key: &'key [u8]) -> BinBits<'key> {
        // The hash is the first 32 bytes of the extended output, and costs less than opening a reader.
        let opening = blake3::keyed_hash(&self.subkey, key);
        let mut words = [0; BUFFERED_WORDS];
        read_words(opening.as_bytes(), &mut words[BUFFERED_WORDS - OPENING_WORDS..]);
        BinBits { words, used: BUFFERED_WORDS - OPENING_WORDS, read: 32, subkey: self.subkey, key }
    }
}

/// How many words are made at once: 64 bytes.
const BUFFERED_WORDS: usize = 8;
/// How many words the plain hash gives.
const OPENING_WORDS: usize = 4;

/// The random words of one bin, consumed in order through all steps of its mechanism.
pub struct BinBits<'key> {
    words: [u64; BUFFERED_WORDS],
    used: usize,
    read: u64,
    subkey: [u8; 32],
    key: &'key [u8],
}

impl BinBits<'_> {
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> u64 {
        let mut bytes = [0; 8 * BUFFERED_WORDS];
        let mut reader = blake3::Hasher::new_keyed(&self.subkey).update(self.key).finalize_xof();
        reader.set_position(self.read);
        reader.fill(&mut bytes);
        read_words(&bytes, &mut self.words);
        self.read += bytes.len() as u64;
        self.used = 1;
        self.words[0]
    }
}

impl Bits for BinBits<'_> {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        match self.words.get(self.used) {
            Some(word) => {
                self.used += 1;
                *word
            }
            None => self.refill(),
        }
    }
}

#[inline]
fn read_words(bytes: &[u8], words: &mut [u64]) {
    let (chunks, _) = bytes.as_chunks::<8>();
    for (word, chunk) in words.iter_mut().zip(chunks) {
        *word = u64::from_le_bytes(*chunk);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_bin_are_one_extended_output_without_gaps() {
        let streams = BinStreams { subkey: [5; 32] };
        for key in [&b""[..], b"a", b"sixteen bytes!!!", &[7; 3000]] {
            let mut expected = [0; 8 * 37];
            blake3::Hasher::new_keyed(&[5; 32]).update(key).finalize_xof().fill(&mut expected);
            let mut bits = streams.bin(key);
            for chunk in expected.as_chunks::<8>().0 {
                assert_eq!(bits.next_u64(), u64::from_le_bytes(*chunk));
            }
        }
    }
}
