//! A delivered folder, made once more from its published values: other totals, estimates, roundings and files.
//!
//! The folder is verified first, and nothing but its certificate and its rows is read; it must never change a published
//! value, or say that anything was paid for twice. It is separate because a release counts and this does not. Read
//! `verify.rs` for what is checked before, `table/published_again.rs` for how rows are read.

use crate::certificate::{FolderFacts, SOFTWARE, certificate, certificate_text};
use crate::files::{Nameless, NewFiles, WrittenTable};
use crate::page::page;
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::request::{OutputRefusal, OutputRequest};
use crate::table::{Table, published_again};
use crate::verify::{Verdict, VerifiedFolder, VerifyError, verified};
use crate::write::{TableFileError, write_tables};
use crate::write_error::WriteError;
use incrowd_definition::CertificateHash;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::Path;

/// A folder that was verified, and can be made once more.
pub struct Original {
    verified: VerifiedFolder,
}

/// Why a folder is not made once more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// It could not be read.
    Unreadable(VerifyError),
    /// It is not what its certificate says, or not everything could be checked.
    NotVerified,
    /// Another version of incrowd delivered it, whose form this one does not write.
    AnotherVersion {
        /// Which.
        software: String,
    },
    /// The files that are asked for could not be checked.
    Output(OutputRefusal),
    /// A bin whose totals are asked for is not in the table.
    NoSuchBin {
        /// Its name.
        bin: String,
        /// The bins that there are.
        bins: Vec<String>,
    },
    /// The table cannot be presented so.
    Refused(Refusal),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderError::Unreadable(error) => error.fmt(f),
            RenderError::NotVerified => f.write_str("the folder does not verify, so nothing is made from it"),
            RenderError::AnotherVersion { software } => {
                write!(f, "the folder was delivered by {software}, and this is {SOFTWARE}: nothing is made from it")
            }
            RenderError::Output(refusal) => f.write_str(refusal.message()),
            RenderError::NoSuchBin { bin, .. } => write!(f, "the table has no bin {bin:?}"),
            RenderError::Refused(refusal) => refusal.fmt(f),
        }
    }
}

impl RenderError {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            RenderError::Unreadable(error) => error.hint().into(),
            RenderError::NotVerified => "`incrowd verify FOLDER` says what is wrong with it".into(),
            RenderError::AnotherVersion { .. } => "use the version of incrowd that delivered it".into(),
            RenderError::Output(refusal) => refusal.hint().into(),
            RenderError::NoSuchBin { bins, .. } => {
                let bins: Vec<String> = bins.iter().map(|bin| format!("{bin:?}")).collect();
                format!("its bins are {}", bins.join(", "))
            }
            RenderError::Refused(refusal) => refusal.hint(),
        }
    }
}

impl std::error::Error for RenderError {}

/// What was made, but for the tables, which are files already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The text of `certificate.json`.
    pub certificate: String,
    /// The text of `report.html`.
    pub report: String,
    /// The tables.
    pub tables: Vec<WrittenTable>,
}

impl Original {
    /// Verifies a folder, summing at most so many cells of laws, and makes ready.
    pub fn open(folder: &Path, most_work: u64) -> Result<Original, RenderError> {
        let (verdict, verified) = verified(folder, most_work).map_err(RenderError::Unreadable)?;
        match verified.filter(|_| verdict.is_passed()) {
            None => Err(RenderError::NotVerified),
            Some(verified) => match verified.certificate["software"].as_str() {
                Some(SOFTWARE) => Ok(Original { verified }),
                other => Err(RenderError::AnotherVersion { software: other.unwrap_or_default().into() }),
            },
        }
    }

    /// Returns how the folder presents its values.
    pub fn output(&self) -> &OutputRequest {
        &self.verified.plan.request().output
    }

    /// Returns the names of its bins.
    pub fn bins(&self) -> Vec<String> {
        self.verified.plan.request().kind.published().iter().map(|column| column.name().to_string()).collect()
    }

    /// Returns the hash of its certificate.
    pub fn certificate(&self) -> &CertificateHash {
        &self.verified.hash
    }

    /// Returns the plan of the same release presented otherwise, or why it cannot be.
    pub fn presented(&self, output: OutputRequest) -> Result<Plan, RenderError> {
        OutputRequest::refuse_formats(&output.formats).map_err(RenderError::Output)?;
        OutputRequest::refuse_small(output.small, output.rounding).map_err(RenderError::Output)?;
        let plan = self.verified.plan.with_output(output);
        Table::of(&plan).map_err(RenderError::Refused)?;
        Ok(plan)
    }

    /// Writes the tables of a plan that was presented by this folder, and returns what goes with them.
    pub fn write(&self, plan: &Plan, folder: &dyn NewFiles) -> Result<Rendered, TableFileError> {
        let VerifiedFolder { plan: own, inputs, rows, hash, .. } = &self.verified;
        let no_table = |_: Refusal| TableFileError::Write(WriteError::Other);
        let (table, mut presented) = (Table::of(own).map_err(no_table)?, Table::of(plan).map_err(no_table)?);
        let mut rows: &File = rows;
        rows.seek(SeekFrom::Start(0)).map_err(|error| WriteError::of(&error))?;
        let rows = BufReader::with_capacity(1 << 18, rows);
        let published = published_again(rows, own, table, inputs.folder.key_types.clone());
        let written = write_tables(&mut presented, plan, published, inputs.randomness, folder)?;
        let derived_from = inputs.folder.derived_from.iter().chain([hash]).cloned().collect();
        // Without rows nothing says again what keys are.
        let facts =
            FolderFacts { tables: written.tables.clone(), key_types: inputs.folder.key_types.clone(), derived_from };
        let certificate = certificate(plan, &inputs.charge, &facts, inputs.randomness);
        Ok(Rendered {
            report: page(plan, &certificate, &written.glances),
            certificate: certificate_text(&certificate),
            tables: written.tables,
        })
    }
}

/// The check that two folders hold the same published values.
pub(crate) const PARENT: &str = "parent";

/// Verifies a folder, and compares it with the one that it was made from, which is verified and made once more.
pub fn verify_with_parent(folder: &Path, parent: &Path, most_work: u64) -> Result<Verdict, VerifyError> {
    let (mut verdict, verified) = verified(folder, most_work)?;
    let Some(verified) = verified.filter(|_| verdict.is_passed()) else { return Ok(verdict) };
    match compared(&verified, parent, most_work) {
        Ok(()) => verdict.passed(
            PARENT,
            "made once more from the folder that it was made from, which verifies, this folder is the same byte for byte",
        ),
        Err(problem) => verdict.failed(PARENT, problem),
    }
    Ok(verdict)
}

/// Makes a folder once more from its parent, and says what differs.
fn compared(child: &VerifiedFolder, parent: &Path, most_work: u64) -> Result<(), String> {
    let Some(last) = child.inputs.folder.derived_from.last() else {
        return Err("this folder is a release of its own, and was made from no other".into());
    };
    let original = Original::open(parent, most_work).map_err(|error| format!("the other folder: {error}"))?;
    if original.certificate() != last {
        return Err(
            "this folder was made from another one: the hash of that certificate is not the one it names".into()
        );
    }
    let output = child.plan.request().output.clone();
    let plan = original.presented(output).map_err(|error| error.to_string())?;
    let again = original.write(&plan, &Nameless).map_err(|error| error.to_string())?;
    match CertificateHash::of(again.certificate.as_bytes()) == child.hash {
        // The certificate has the hashes of all tables, and the report was compared with it.
        true => Ok(()),
        false => {
            Err("made once more from the other folder, this one would have another certificate or other tables".into())
        }
    }
}

#[cfg(test)]
mod tests;
