//! SHA-256 in hexadecimal digits: the identity of a text.
//!
//! It must never shorten or salt what it is given. It is separate because definitions, certificates and the book's
//! entries are named in the same way. Read `certificate_hash.rs` next.

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of bytes, as 64 hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = |byte: u8| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
    Sha256::digest(bytes).iter().flat_map(|byte| digits(*byte)).map(char::from).collect()
}
