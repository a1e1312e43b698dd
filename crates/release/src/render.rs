//! Gives a delivered folder another form: written aside, synced, and renamed when it is whole, like a release.
//!
//! Nothing is charged, and no ledger is opened; it must never replace a folder, least of all the one that it is made
//! from. It is separate from a release because nothing is counted. Read `evidence/render.rs` for what is written.

use crate::folder::contents::{CERTIFICATE, REPORT};
use crate::folder::{DeliveredFolder, Existing, FolderError, StagedFolder};
use crate::request::{Margins, OutputRefusal, OutputRequest};
use incrowd_evidence::WriteError;
use incrowd_evidence::write::TableFileError;
use incrowd_ledger::CertificateHash;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use incrowd_evidence::render::{Original, RenderError, verify_with_parent};

/// A folder that was made from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedFolder {
    /// Where it is.
    pub delivered: DeliveredFolder,
    /// The files in it.
    pub files: Vec<String>,
    /// The certificate of the folder that it was made from.
    pub parent: CertificateHash,
    /// Its own certificate.
    pub certificate: CertificateHash,
}

/// Why no folder was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderFailure {
    /// The folder cannot be presented so.
    Render(RenderError),
    /// The new folder cannot be there.
    Folder(FolderError),
    /// The new folder could not be written.
    Write(WriteError),
}

impl fmt::Display for RenderFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RenderFailure::Render(error) => error.fmt(f),
            RenderFailure::Folder(error) => error.fmt(f),
            RenderFailure::Write(error) => error.fmt(f),
        }
    }
}

impl RenderFailure {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            RenderFailure::Render(error) => error.hint(),
            RenderFailure::Folder(FolderError::Exists) => "choose another name with --to".into(),
            RenderFailure::Folder(FolderError::Busy) => {
                "wait until it has ended, or choose another name with --to".into()
            }
            RenderFailure::Folder(error) => error.hint().into(),
            RenderFailure::Write(error) => error.hint().into(),
        }
    }
}

impl std::error::Error for RenderFailure {}

impl From<RenderError> for RenderFailure {
    fn from(error: RenderError) -> Self {
        RenderFailure::Render(error)
    }
}

impl From<FolderError> for RenderFailure {
    fn from(error: FolderError) -> Self {
        RenderFailure::Folder(error)
    }
}

impl From<WriteError> for RenderFailure {
    fn from(error: WriteError) -> Self {
        RenderFailure::Write(error)
    }
}

/// Makes a folder once more, presented otherwise, under a name that nothing has.
pub fn render(
    folder: &Path,
    most_work: u64,
    change: impl FnOnce(&mut OutputRequest) -> Result<(), OutputRefusal>,
    target: &Path,
) -> Result<RenderedFolder, RenderFailure> {
    let original = Original::open(folder, most_work)?;
    let mut output = original.output().clone();
    change(&mut output).map_err(RenderError::Output)?;
    let bins = original.bins();
    if let Margins::Of(sets) = &output.margins
        && let Some(bin) = sets.iter().flatten().find(|name| !bins.contains(name))
    {
        return Err(RenderError::NoSuchBin { bin: bin.clone(), bins }.into());
    }
    if let Some(statistics) = &output.statistics {
        if !bins.contains(&statistics.of) {
            return Err(RenderError::NoSuchBin { bin: statistics.of.clone(), bins }.into());
        }
        output.margins = output.margins.for_statistics(statistics, &bins);
    }
    if let Some(bin) = output.report.stranger(&bins) {
        return Err(RenderError::NoSuchBin { bin: bin.into(), bins }.into());
    }
    let plan = original.presented(output)?;
    let aside = StagedFolder::create(target, Existing::Refuse)?;
    let rendered = original.write(&plan, &aside).map_err(|error| match error {
        TableFileError::Write(error) => error,
        // The rows were verified: a folder that has others by now was changed under our hands.
        TableFileError::Count(_) | TableFileError::Table(_) => WriteError::Other,
    })?;
    aside.write(CERTIFICATE, rendered.certificate.as_bytes())?;
    aside.write(REPORT, rendered.report.as_bytes())?;
    // Without a seal: nobody paid for it, and whoever is interrupted makes it again.
    let delivered = aside.seal(dated(folder), None)?.publish()?;
    let names = rendered.tables.iter().map(|table| table.name.clone());
    Ok(RenderedFolder {
        delivered,
        files: names.chain([CERTIFICATE.to_string(), REPORT.to_string()]).collect(),
        parent: original.certificate().clone(),
        certificate: CertificateHash::of(rendered.certificate.as_bytes()),
    })
}

/// The moment to which the files of a folder are dated, in seconds since 1970: what is made from it tells no other.
fn dated(folder: &Path) -> u64 {
    let certificate: PathBuf = folder.join(CERTIFICATE);
    let modified = fs::metadata(certificate).and_then(|found| found.modified()).ok();
    modified.and_then(|moment| moment.duration_since(SystemTime::UNIX_EPOCH).ok()).map_or(0, |since| since.as_secs())
}
