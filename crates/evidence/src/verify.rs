//! Checks a delivered folder against its own certificate, without the data and without the ledger.
//!
//! The plan is made again from the request and the parameters in the certificate, the certificate is written again from
//! that plan, and every table is read against it; it must never trust a number that it can compute. It is separate from
//! everything that delivers, because strangers run it. Read `verify/certificate.rs` next, then `verify/contents.rs`.
//!
//! What cannot be checked from the folder is listed as taken on trust: assumptions, the program that ran, and that the
//! charge is in the ledger.

mod certificate;
mod contents;
mod files;
mod json;
mod markup;
mod order;
mod report;
mod row_key;
mod tables;
mod words;
mod workbook;

use crate::certificate::{SOFTWARE, Version, unknown_software};
use crate::plan::Plan;
use certificate::Inputs;
use incrowd_definition::CertificateHash;
use incrowd_privacy::work::{Work, within};
use serde_json::{Value, json};
use std::fmt;
use std::fs::File;
use std::path::Path;

/// The largest certificate that is read.
const MAX_CERTIFICATE_BYTES: u64 = 64 << 20;

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was checked, in a few words.
    pub name: &'static str,
    /// How it came out.
    pub result: CheckResult,
    /// What was found, in a sentence.
    pub detail: String,
}

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckResult {
    /// As it should be.
    Passed,
    /// Not as it should be.
    Failed,
    /// Stated, and not to be computed from the folder.
    Trusted,
    /// Neither found right nor wrong: looking takes more work than was allowed, or another version of incrowd.
    Unchecked,
    /// Neither right nor wrong of this folder, but to be known by its readers.
    Noted,
}

/// All that was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// In order; later checks are left out where an earlier one takes away their ground.
    pub checks: Vec<Check>,
}

impl Verdict {
    /// Whether every check was made, and none failed.
    pub fn is_passed(&self) -> bool {
        self.count(CheckResult::Failed) == 0 && self.is_complete()
    }

    /// Whether every check was made.
    pub fn is_complete(&self) -> bool {
        self.count(CheckResult::Unchecked) == 0
    }

    /// Returns how many things came out in a way.
    pub fn count(&self, result: CheckResult) -> usize {
        self.checks.iter().filter(|check| check.result == result).count()
    }

    /// Returns the verdict as an object.
    pub fn to_json(&self) -> Value {
        let check = |check: &Check| json!({ "name": check.name, "passed": check.result == CheckResult::Passed, "detail": check.detail });
        let named = |result: CheckResult| {
            let chosen = self.checks.iter().filter(|check| check.result == result);
            chosen.map(|check| json!({ "name": check.name, "detail": check.detail })).collect::<Vec<_>>()
        };
        let judged = |check: &&Check| match check.result {
            CheckResult::Passed | CheckResult::Failed => true,
            CheckResult::Trusted | CheckResult::Unchecked | CheckResult::Noted => false,
        };
        json!({
            "version": crate::plan_json::JSON_VERSION,
            "command": "verify",
            "passed": self.is_passed(),
            "checks": self.checks.iter().filter(judged).map(check).collect::<Vec<_>>(),
            "trusted": named(CheckResult::Trusted),
            "unchecked": named(CheckResult::Unchecked),
            "notes": named(CheckResult::Noted),
        })
    }

    pub(crate) fn passed(&mut self, name: &'static str, detail: impl Into<String>) {
        self.checks.push(Check { name, result: CheckResult::Passed, detail: detail.into() });
    }

    pub(crate) fn failed(&mut self, name: &'static str, detail: impl Into<String>) {
        self.checks.push(Check { name, result: CheckResult::Failed, detail: detail.into() });
    }

    fn trusted(&mut self, name: &'static str, detail: impl Into<String>) {
        self.checks.push(Check { name, result: CheckResult::Trusted, detail: detail.into() });
    }

    fn unchecked(&mut self, name: &'static str, detail: impl Into<String>) {
        self.checks.push(Check { name, result: CheckResult::Unchecked, detail: detail.into() });
    }

    /// Checks something within a limit of work; beyond it nothing that was found counts.
    fn bounded<T>(
        &mut self,
        name: &'static str,
        most_work: u64,
        check: impl FnOnce(&mut Verdict) -> Result<T, VerifyError>,
    ) -> Result<Option<T>, VerifyError> {
        let mut found = Verdict { checks: Vec::new() };
        match within(most_work, || check(&mut found)) {
            (_, Work::Exceeded) => {
                self.unchecked(
                    name,
                    format!(
                        "not recomputed: summing these laws takes more than {most_work} cells; `--most-work` raises that limit"
                    ),
                );
                Ok(None)
            }
            (result, Work::Within) => {
                self.checks.extend(found.checks);
                result.map(Some)
            }
        }
    }

    fn noted(&mut self, name: &'static str, detail: impl Into<String>) {
        self.checks.push(Check { name, result: CheckResult::Noted, detail: detail.into() });
    }

    fn judged(&mut self, name: &'static str, result: Result<String, String>) -> Option<()> {
        match result {
            Ok(detail) => {
                self.passed(name, detail);
                Some(())
            }
            Err(detail) => {
                self.failed(name, detail);
                None
            }
        }
    }
}

/// The name of the note on what was drawn from a known seed, and what it says.
pub(crate) const NOT_PRIVATE: &str = "NOT PRIVATE";
pub(crate) const NO_RELEASE: &str =
    "drawn from a known seed, on data that is made up: a rehearsal or a test, and no release";

/// The name of the note on what came of data that is declared to be made up, and what it says.
pub(crate) const MADE_UP: &str = "MADE UP";
pub(crate) const DECLARED_MADE_UP: &str = "the data is declared to be made up (synthetic = true): asserted, not checked; a release about people does not say so";

/// The name of the check that nothing was made of, as another version of incrowd has to make it.
pub(crate) const WRITTEN_BY: &str = "software";

/// Why a folder could not be checked at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerifyError {
    /// There is no such folder, or it may not be read.
    NoFolder,
    /// There is no certificate in it, or it may not be read.
    NoCertificate,
    /// The certificate is larger than any that incrowd writes.
    CertificateTooLarge,
    /// The certificate is not JSON, or says a key twice.
    NotJson,
    /// The certificate is of a form that this version does not know.
    UnknownVersion,
    /// A listed table may not be read.
    NotReadable,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            VerifyError::NoFolder => "there is no such folder, or it may not be read",
            VerifyError::NoCertificate => "the folder has no certificate.json that can be read",
            VerifyError::CertificateTooLarge => "certificate.json is larger than 64 MB",
            VerifyError::NotJson => "certificate.json is not JSON, or says a key twice",
            VerifyError::UnknownVersion => "certificate.json is of a version that this incrowd does not know",
            VerifyError::NotReadable => "a table of the folder cannot be read",
        })
    }
}

impl VerifyError {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            VerifyError::NoFolder | VerifyError::NoCertificate => "name the folder that `incrowd release` delivered",
            VerifyError::CertificateTooLarge | VerifyError::NotJson => "ask for the folder again: this file is damaged",
            VerifyError::UnknownVersion => "use the version of incrowd that the certificate names under `software`",
            VerifyError::NotReadable => "look at the permissions of the files, or ask for the folder again",
        }
    }
}

impl std::error::Error for VerifyError {}

/// Returns the certificate of a delivered folder as it stands there.
pub fn read_certificate(folder: &Path) -> Result<Value, VerifyError> {
    if !folder.is_dir() {
        return Err(VerifyError::NoFolder);
    }
    let text = certificate::read(&folder.join("certificate.json"))?;
    json::strict(&text).ok_or(VerifyError::NotJson)
}

/// How many cells of laws are summed at most, unless more are allowed: about a minute.
pub const MOST_WORK: u64 = 1_000_000_000;

/// Checks a delivered folder, summing at most so many cells of laws: a stranger's certificate may ask for any number.
pub fn verify(folder: &Path, most_work: u64) -> Result<Verdict, VerifyError> {
    let (mut verdict, verified) = verified(folder, most_work)?;
    if let Some(last) = verified.and_then(|verified| verified.inputs.folder.derived_from.last().cloned()) {
        verdict.trusted(
            "parent",
            format!("that its counts are those of the folder with the certificate {last}: `incrowd verify FOLDER --parent THAT` compares them"),
        );
    }
    Ok(verdict)
}

/// A folder that was looked at to the end: all that it takes to make it once more.
pub(crate) struct VerifiedFolder {
    /// The certificate as it stands there.
    pub(crate) certificate: Value,
    /// The hash of its bytes.
    pub(crate) hash: CertificateHash,
    /// The plan behind it, with its output.
    pub(crate) plan: Plan,
    /// What no plan can tell.
    pub(crate) inputs: Inputs,
    /// The rows of the main table, as bare CSV.
    pub(crate) rows: File,
}

/// Checks a delivered folder, and returns what was read of it where its tables could be.
pub(crate) fn verified(folder: &Path, most_work: u64) -> Result<(Verdict, Option<VerifiedFolder>), VerifyError> {
    if !folder.is_dir() {
        return Err(VerifyError::NoFolder);
    }
    let text = certificate::read(&folder.join("certificate.json"))?;
    let json = json::strict(&text).ok_or(VerifyError::NotJson)?;
    let version = Version::of(&json).ok_or(VerifyError::UnknownVersion)?;
    let mut verdict = Verdict { checks: Vec::new() };
    // What a version that is not known means by its fields is not known, either: neither that it is right nor that it
    // is wrong.
    if let Some(software) = unknown_software(&json) {
        verdict.unchecked(
            WRITTEN_BY,
            format!("written by {software}, which this {SOFTWARE} does not know: verify it with that version"),
        );
        return Ok((verdict, None));
    }
    // What costs next to nothing comes first: form, files and hashes.
    let inputs = certificate::check_form(&text, &json, version, &mut verdict);
    let listed = tables::check_hashes(folder, &json, &mut verdict)?;
    let stated = inputs.and_then(|inputs| certificate::check_request(&json, inputs, &mut verdict));
    let mut found = None;
    if let Some(stated) = stated {
        let check = |found: &mut Verdict| Ok(certificate::check(&json, version, &stated, found));
        if let Some(plan) = verdict.bounded("accounting", most_work, check)?.flatten() {
            let check = |found: &mut Verdict| tables::check(folder, &json, (&plan, &stated.inputs), listed, found);
            let rows = verdict.bounded("table contents", most_work, check)?.flatten();
            found = rows.map(|rows| (plan, stated.inputs, rows));
        }
    }
    certificate::trusted(&json, &mut verdict);
    let hash = CertificateHash::of(&text);
    let verified = found.map(|(plan, inputs, rows)| VerifiedFolder { certificate: json, hash, plan, inputs, rows });
    Ok((verdict, verified))
}

#[cfg(test)]
mod golden;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod judged;
#[cfg(test)]
mod presented;
#[cfg(test)]
mod publisher;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod told_bands;
