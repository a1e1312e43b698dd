//! The name of a charge, as the book, the certificate and the folder write it.
//!
//! Made of the hash of the book's entry; it must never be made of anything else. It is separate from the receipt
//! because a certificate names its charge where no book is at hand. Read `after.rs` next.

use std::fmt;

/// The name of a charge: the first 32 hexadecimal digits of its entry's hash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChargeId(String);

impl ChargeId {
    /// How many digits it has.
    pub const DIGITS: usize = 32;

    /// Returns the name of the charge whose entry has this hash.
    pub fn of_hash(hash: &str) -> ChargeId {
        ChargeId(hash.chars().take(ChargeId::DIGITS).collect())
    }

    /// Returns the name that is written exactly so, or nothing.
    pub fn read(text: &str) -> Option<ChargeId> {
        ChargeId::number_of(text).map(|_| ChargeId(text.to_string()))
    }

    /// The number that the name is in hexadecimal digits.
    pub fn number(&self) -> u128 {
        ChargeId::number_of(&self.0).unwrap_or_default()
    }

    /// Returns the number of the name that is written exactly so, or nothing.
    pub fn number_of(text: &str) -> Option<u128> {
        let plain = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == ChargeId::DIGITS && text.bytes().all(plain) {
            u128::from_str_radix(text, 16).ok()
        } else {
            None
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ChargeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
