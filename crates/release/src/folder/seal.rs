//! The seal of a folder that is whole: written into its lock file once everything else is on disk.
//!
//! A sealed folder is complete and paid for, and only its name is missing; it must never be thrown away because a
//! process died or a ledger did not answer. It is separate because whoever finds one later reads what the one who made
//! it wrote. Read `../recover.rs` for who gives it its name.

use super::Existing;
use super::contents::{Contents, REPORT, file_hash};
use incrowd_ledger::CertificateHash;
use std::path::Path;

/// The first line of a seal.
const FORM: &str = "incrowd seal 1";

/// What makes a folder whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal {
    /// The hash of its certificate, which names the hashes of its tables.
    pub certificate: CertificateHash,
    /// The hash of its report.
    pub report: CertificateHash,
}

/// A seal as it lies in a lock file: with it, what the folder is to become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sealing {
    pub seal: Seal,
    /// What happens to a folder that has the name already.
    pub existing: Existing,
    /// Who may read the folder once it has its name.
    pub mode: u32,
}

impl Sealing {
    pub fn text(&self) -> String {
        let existing = match self.existing {
            Existing::Refuse => "refuse",
            Existing::Replace => "replace",
        };
        format!("{FORM}\n{}\n{}\n{existing}\n{:o}\n", self.seal.certificate, self.seal.report, self.mode)
    }

    /// Returns the seal that is written exactly so, or nothing.
    pub fn read(text: &str) -> Option<Sealing> {
        let mut lines = text.lines();
        let (form, certificate, report) = (lines.next()?, lines.next()?, lines.next()?);
        let existing = match lines.next()? {
            "refuse" => Existing::Refuse,
            "replace" => Existing::Replace,
            _ => return None,
        };
        let mode = u32::from_str_radix(lines.next()?, 8).ok()?;
        let seal = Seal { certificate: CertificateHash::read(certificate)?, report: CertificateHash::read(report)? };
        let sealing = Sealing { seal, existing, mode };
        (form == FORM && sealing.text() == text).then_some(sealing)
    }

    /// Returns what lies in a folder if it is the one that was sealed, to the last byte.
    pub fn opened(&self, folder: &Path) -> Option<Contents> {
        let contents = Contents::of(folder)?;
        let same = contents.certificate_hash() == self.seal.certificate
            && file_hash(&folder.join(REPORT)).is_ok_and(|hash| hash == self.seal.report.as_str())
            && contents.wrong_table(folder).is_none();
        same.then_some(contents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_read_back_and_half_of_one_is_not() {
        let seal = Seal { certificate: CertificateHash::of(b"a"), report: CertificateHash::of(b"b") };
        let sealing = Sealing { seal, existing: Existing::Replace, mode: 0o755 };
        let text = sealing.text();
        assert_eq!(Sealing::read(&text), Some(sealing));
        for length in 0..text.len() {
            assert_eq!(Sealing::read(&text[..length]), None, "{length}");
        }
        assert_eq!(Sealing::read(&format!("{text}\n")), None);
    }
}
