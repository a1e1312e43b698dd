//! The secret of version 0.1 without which an account's terms cannot be loosened.
//!
//! The book holds only the secret's hash, so whoever reads the book cannot raise a budget; it must never be printed.
//! Whoever can write the file with another tool needs no secret: it keeps honest people to their roles, and no account
//! gets one any more. It is separate because the accounts that have one go on. Read `signature.rs` for the keys that
//! every reader checks.

use incrowd_definition::sha256;

/// A secret of version 0.1 that allows an account's terms to be loosened: 64 hexadecimal digits, from a random source.
pub struct RaiseKey(String);

impl RaiseKey {
    /// Returns the key that is written so, or nothing: 64 hexadecimal digits, white space around them aside.
    pub fn read(text: &str) -> Option<RaiseKey> {
        let text = text.trim();
        RaiseKey::is_identity(text).then(|| RaiseKey(text.to_string()))
    }

    /// Returns what the book remembers of the key, from which it cannot be found.
    pub fn identity(&self) -> String {
        sha256(format!("incrowd raise key {}", self.0).as_bytes())
    }

    pub(crate) fn is_identity(text: &str) -> bool {
        text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    }
}

impl std::fmt::Debug for RaiseKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RaiseKey(..)")
    }
}
