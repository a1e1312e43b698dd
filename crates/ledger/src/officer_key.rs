//! The keys of whoever answers for an account: Ed25519.
//!
//! A private key must never be printed but into a file that nobody else may read; it may lie on a machine that never
//! sees a book. It is separate from `key.rs`, whose secrets prove nothing to a reader, and from what is signed, which
//! says in its first line what it is for. Read `signature.rs` for terms.

use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use std::fmt;

/// What a public key begins with where it is written down.
const PUBLIC: &str = "incrowd public key ed25519";
/// What a private key begins with.
const PRIVATE: &str = "incrowd private key ed25519";

/// A private key.
pub struct OfficerKey {
    seed: [u8; 32],
    pair: Ed25519KeyPair,
}

impl OfficerKey {
    /// Returns the key of 32 random bytes.
    pub fn of_random(seed: [u8; 32]) -> Option<OfficerKey> {
        Ed25519KeyPair::from_seed_unchecked(&seed).ok().map(|pair| OfficerKey { seed, pair })
    }

    /// Returns the key that a file holds.
    pub fn read(text: &str) -> Option<OfficerKey> {
        bytes(text.trim().strip_prefix(PRIVATE)?.trim()).and_then(OfficerKey::of_random)
    }

    /// Returns the text for a file that nobody else may read.
    pub fn secret_text(&self) -> String {
        format!("{PRIVATE} {}\n", hexadecimal(&self.seed))
    }

    /// Returns what everybody may know of it.
    pub fn public(&self) -> PublicKey {
        let mut bytes = [0; 32];
        bytes.iter_mut().zip(self.pair.public_key().as_ref()).for_each(|(byte, own)| *byte = *own);
        PublicKey(bytes)
    }

    /// Returns the signature under a text, which says in its first line what it is for.
    pub fn signature_under(&self, text: &str) -> [u8; 64] {
        let mut bytes = [0; 64];
        let signature = self.pair.sign(text.as_bytes());
        bytes.iter_mut().zip(signature.as_ref()).for_each(|(byte, own)| *byte = *own);
        bytes
    }
}

impl fmt::Debug for OfficerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OfficerKey(..)")
    }
}

/// A public key: what an account is opened with, and what its looser terms are held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

impl PublicKey {
    /// Returns the key that a file holds.
    pub fn read(text: &str) -> Option<PublicKey> {
        PublicKey::of_digits(text.trim().strip_prefix(PUBLIC)?.trim())
    }

    /// Returns the text for a file.
    pub fn text(&self) -> String {
        format!("{PUBLIC} {}\n", self.digits())
    }

    /// The key as the book writes it: 64 hexadecimal digits.
    pub fn digits(&self) -> String {
        hexadecimal(&self.0)
    }

    /// Returns whether this is the key's signature under a text.
    pub fn has_signed(&self, text: &str, signature: &[u8; 64]) -> bool {
        UnparsedPublicKey::new(&ED25519, self.0).verify(text.as_bytes(), signature).is_ok()
    }

    /// Whether it is a point of small order, or none: signatures for it can be made without any private key.
    pub fn is_weak(&self) -> bool {
        let [start @ .., end] = &self.0;
        let unsigned = hexadecimal(start) + &hexadecimal(&[end & 0x7f]);
        SMALL_ORDER.contains(&unsigned.as_str())
    }

    /// The beginning of it, for people who compare two.
    pub fn short(&self) -> String {
        format!("ed25519 {}", hexadecimal(&self.0[..8]))
    }

    /// Returns the key of 64 hexadecimal digits.
    pub fn of_digits(digits: &str) -> Option<PublicKey> {
        bytes(digits).map(PublicKey)
    }
}

/// The points of small order on the curve of Ed25519, without their signs, in every way to write them.
const SMALL_ORDER: [&str; 7] = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
];

/// Returns bytes in hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the bytes of digits in their only spelling.
pub(crate) fn bytes<const LENGTH: usize>(digits: &str) -> Option<[u8; LENGTH]> {
    let plain = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digits.len() != 2 * LENGTH || !digits.bytes().all(plain) {
        return None;
    }
    let mut bytes = [0; LENGTH];
    for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
        let digit = |digit: u8| char::from(digit).to_digit(16);
        *byte = match pair {
            [high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?,
            _ => return None,
        };
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> OfficerKey {
        OfficerKey::of_random([byte; 32]).expect("a key")
    }

    #[test]
    fn keys_are_read_back_and_the_secret_one_is_mute() {
        let key = key(7);
        let read = OfficerKey::read(&key.secret_text()).expect("a key");
        assert_eq!(read.public(), key.public());
        assert_eq!(PublicKey::read(&key.public().text()), Some(key.public()));
        assert_eq!(format!("{key:?}"), "OfficerKey(..)");
        for wrong in ["", "07", &key.public().text(), &key.secret_text().to_uppercase(), &"07".repeat(32)] {
            assert!(OfficerKey::read(wrong).is_none(), "{wrong}");
        }
        assert!(PublicKey::read(&key.secret_text()).is_none(), "a private key is not taken for a public one");
    }

    #[test]
    fn keys_and_signatures_are_those_of_the_standard() {
        // RFC 8032, section 7.1, test 1: the public key of this secret.
        let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
        let key = OfficerKey::of_random(bytes(seed).expect("digits")).expect("a key");
        assert_eq!(key.public().digits(), "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    }

    #[test]
    fn keys_for_which_anybody_can_sign_are_known() {
        let forged_under = |key: &PublicKey| {
            // A point of small order as the first half, and nothing as the second.
            let signatures = SMALL_ORDER.iter().flat_map(|point| [0, 0x80].map(|sign| (*point, sign)));
            let signatures: Vec<[u8; 64]> = signatures
                .map(|(point, sign)| {
                    let mut signature = [0; 64];
                    signature[..32].copy_from_slice(&bytes::<32>(point).expect("digits"));
                    signature[31] |= sign;
                    signature
                })
                .collect();
            let texts = (0..100).map(|number| format!("raise, {number}"));
            texts.filter(|text| signatures.iter().any(|signature| key.has_signed(text, signature))).count()
        };
        let mut forged = 0;
        for point in SMALL_ORDER {
            for sign in [0, 0x80] {
                let mut key = bytes::<32>(point).expect("digits");
                key[31] |= sign;
                assert!(PublicKey(key).is_weak(), "{point}");
                forged += forged_under(&PublicKey(key));
            }
        }
        assert!(forged > 100, "only {forged} signatures without a private key were taken: is this still needed?");
        for number in 0..50 {
            let key = key(number).public();
            assert!(!key.is_weak());
            assert_eq!(forged_under(&key), 0);
        }
    }

    #[test]
    fn a_signature_is_of_one_key_and_one_text() {
        let signature = key(1).signature_under("a text");
        assert!(key(1).public().has_signed("a text", &signature));
        assert!(!key(1).public().has_signed("a text ", &signature));
        assert!(!key(2).public().has_signed("a text", &signature));
    }
}
