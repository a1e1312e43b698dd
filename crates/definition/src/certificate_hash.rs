//! The hash of a certificate, by which the book knows what was delivered for a charge.
//!
//! Made from the bytes of `certificate.json`, which name the hashes of every table; it must never be made of anything
//! else. It is separate because both the book and whoever holds a folder compute it. Read `hash.rs` next.

use crate::hash::sha256;
use std::fmt;

/// The SHA-256 of the bytes of a certificate, as 64 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CertificateHash(String);

impl CertificateHash {
    /// Returns the hash of a certificate's bytes.
    pub fn of(certificate: &[u8]) -> CertificateHash {
        CertificateHash(sha256(certificate))
    }

    /// Returns the hash that is written exactly so, or nothing.
    pub fn read(text: &str) -> Option<CertificateHash> {
        let plain = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 64 && text.bytes().all(plain)).then(|| CertificateHash(text.to_string()))
    }

    /// The hash as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CertificateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_known_by_the_sha_256_of_its_bytes() {
        // printf abc | sha256sum
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(CertificateHash::of(b"abc").as_str(), abc);
        assert_eq!(CertificateHash::read(abc), Some(CertificateHash::of(b"abc")));
        for wrong in ["", "ab", &abc.to_uppercase(), &abc[1..], &format!("{abc}0"), &abc.replace('b', "g")] {
            assert_eq!(CertificateHash::read(wrong), None, "{wrong}");
        }
    }
}
