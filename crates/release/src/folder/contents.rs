//! What lies in a delivered folder, by its own certificate.
//!
//! A folder is taken for a delivery only if its certificate lists everything in it; it must never be taken for one
//! because a file has the right name. It is separate because `--replace` removes such folders, and nothing else. Read
//! `../folder.rs` for who asks.

use crate::request::Format;
use incrowd_evidence::files::hex;
use incrowd_ledger::CertificateHash;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

pub(crate) const CERTIFICATE: &str = "certificate.json";
pub(crate) const REPORT: &str = "report.html";
/// The largest certificate that is read.
const MOST_BYTES: u64 = 64 << 20;

/// A folder whose certificate lists everything in it.
#[derive(Debug)]
pub struct Contents {
    /// The bytes of the certificate.
    certificate: Vec<u8>,
    json: Value,
    /// The stated hash of each table, by its name.
    tables: BTreeMap<String, String>,
}

impl Contents {
    /// Returns what lies in a folder, if incrowd delivered it and nothing was added: plain files only, each of them
    /// listed.
    pub fn of(folder: &Path) -> Option<Contents> {
        if !fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir()) {
            return None;
        }
        let certificate = plain_file(&folder.join(CERTIFICATE), MOST_BYTES)?;
        let json: Value = serde_json::from_slice(&certificate).ok()?;
        json.get("software")?.as_str()?.strip_prefix("incrowd ")?;
        let mut tables = BTreeMap::new();
        for table in json.get("tables")?.as_array()? {
            let (name, sha256) = (table.get("name")?.as_str()?, table.get("sha256")?.as_str()?);
            tables.insert(name.to_string(), sha256.to_string());
        }
        for entry in fs::read_dir(folder).ok()? {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            let listed = name == CERTIFICATE || name == REPORT || tables.contains_key(&name);
            if !listed || !entry.file_type().ok()?.is_file() {
                return None;
            }
        }
        Some(Contents { certificate, json, tables })
    }

    /// The certificate.
    pub fn certificate(&self) -> &Value {
        &self.json
    }

    /// The hash of the certificate, as the account book knows it.
    pub fn certificate_hash(&self) -> CertificateHash {
        CertificateHash::of(&self.certificate)
    }

    /// Returns the first table that is missing or is not what the certificate says; nothing if all are there.
    pub fn wrong_table(&self, folder: &Path) -> Option<&str> {
        let wrong =
            self.tables.iter().find(|(name, sha256)| file_hash(&folder.join(name)).ok().as_ref() != Some(sha256));
        wrong.map(|(name, _)| name.as_str())
    }
}

/// A file of a delivered folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveredFile {
    /// Its name in the folder.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

/// Returns the files of a delivered folder, by name.
pub fn delivered_files(folder: &Path) -> io::Result<Vec<DeliveredFile>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (name, sha256) = (entry.file_name().to_string_lossy().into_owned(), file_hash(&entry.path())?);
        files.push(DeliveredFile { name, bytes: entry.metadata()?.len(), sha256 });
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

/// Returns the SHA-256 of a plain file, in hexadecimal digits.
pub(crate) fn file_hash(path: &Path) -> io::Result<String> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut hash = Sha256::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(hash)),
            read => hash.update(&buffer[..read]),
        }
    }
}

/// Returns the bytes of a plain file that is not too large.
fn plain_file(path: &Path, most: u64) -> Option<Vec<u8>> {
    if !fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let read = File::open(path).ok()?.take(most + 1).read_to_end(&mut bytes).ok()?;
    (read as u64 <= most).then_some(bytes)
}

/// Whether a release writes files of this name.
fn is_made(name: &str) -> bool {
    let table = |stem: &str| Format::ALL.iter().any(|format| name == format!("{stem}.{}", format.as_str()));
    name == CERTIFICATE
        || name == REPORT
        || ["counts", "margins", "consistent", "statistics", "rows", "points"].into_iter().any(table)
}

/// Removes a folder that a release has made, whole or not; says whether it is gone. One that holds anything else stays.
pub(super) fn remove_made(folder: &Path) -> bool {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return error.kind() == io::ErrorKind::NotFound,
    };
    let mut files = Vec::new();
    for entry in entries {
        let Ok(entry) = entry else { return false };
        let made =
            entry.file_name().to_str().is_some_and(is_made) && entry.file_type().is_ok_and(|kind| kind.is_file());
        if !made {
            return false;
        }
        files.push(entry.path());
    }
    files.iter().all(|file| fs::remove_file(file).is_ok()) && fs::remove_dir(folder).is_ok()
}
