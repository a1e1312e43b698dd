//! The chain: every entry carries the hash of the one before it.
//!
//! One chain runs through all accounts, so that not even a whole account can vanish unseen; a charge therefore verifies
//! the whole chain, and opening a book verifies nothing. It must never hash two different entries from the same bytes:
//! each field stands behind a mark of presence and its length. It is separate so that an outsider can recompute it from
//! this page. Read `book.rs` for who verifies.
//!
//! The chain is not keyed: it shows accidents and edits, not a forger who recomputes all that follows. Against that
//! one, and against a book that was cut at its end or put back from an old copy, stand the heads in delivered
//! certificates.

use sha2::{Digest, Sha256};

/// What stands before the first entry.
pub(crate) const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The first bytes of every hashed entry: nothing else that is hashed anywhere begins so.
const PURPOSE: &str = "incrowd ledger entry, version 1";

/// Returns the hash of an entry's fields, in order: SHA-256, as 64 hexadecimal digits.
///
/// A field that is there is a byte 1, its length in eight bytes (least first) and its bytes; one that is not is a byte
/// 0.
pub(crate) fn hash(fields: &[Option<&str>]) -> String {
    digits(&digest(fields, &mut Vec::new()))
}

/// Whether this is the hash of an entry's fields; `scratch` is any buffer, kept from entry to entry.
pub(crate) fn is_hash(fields: &[Option<&str>], text: &str, scratch: &mut Vec<u8>) -> bool {
    let pairs = text.as_bytes().chunks_exact(2);
    text.len() == 64 && pairs.zip(digest(fields, scratch)).all(|(pair, byte)| pair == two_digits(byte))
}

fn digest(fields: &[Option<&str>], bytes: &mut Vec<u8>) -> [u8; 32] {
    bytes.clear();
    for field in [Some(PURPOSE)].iter().chain(fields) {
        match field {
            None => bytes.push(0),
            Some(text) => {
                bytes.push(1);
                bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
                bytes.extend_from_slice(text.as_bytes());
            }
        }
    }
    Sha256::digest(&*bytes).into()
}

fn digits(bytes: &[u8; 32]) -> String {
    bytes.iter().flat_map(|byte| two_digits(*byte)).map(char::from).collect()
}

fn two_digits(byte: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moving_a_letter_between_fields_changes_the_hash() {
        let all = [
            hash(&[Some("ab"), Some("c")]),
            hash(&[Some("a"), Some("bc")]),
            hash(&[Some("abc")]),
            hash(&[Some("abc"), None]),
            hash(&[Some("abc"), Some("")]),
            hash(&[None, Some("abc")]),
        ];
        for (index, one) in all.iter().enumerate() {
            assert_eq!(one.len(), 64);
            assert!(all.iter().skip(index + 1).all(|other| other != one));
        }
    }

    #[test]
    fn the_hash_is_the_one_on_this_page() {
        // python3: hashlib.sha256(b'\x01' + (31).to_bytes(8, 'little') + purpose + b'\x00' + b'\x01' + (1).to_bytes(8,
        // 'little') + b'x')
        assert_eq!(PURPOSE.len(), 31);
        assert_eq!(hash(&[None, Some("x")]), "c420cd11ed020160bb819c1730766977e25ee7df50f7e4f05d5f4695b6aa132a");
    }
}
