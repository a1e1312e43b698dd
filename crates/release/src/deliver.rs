//! What a folder holds: the tables, the certificate, the report.
//!
//! Everything is written from published counts, the plan and the ledger's entry; it must never see a true count. It is
//! separate from `folder.rs`, which knows how a folder appears but not what is in it. Read `evidence/write.rs`
//! and `evidence/certificate.rs` next.

use crate::certificate::{ChargeFacts, FolderFacts, Randomness, certificate, certificate_text};
use crate::failure::Cause;
use crate::folder::contents::{CERTIFICATE, REPORT};
use crate::folder::{Seal, StagedFolder, SyncedFolder};
use crate::page::page;
use crate::plan::Plan;
use crate::table::Table;
use crate::write::{Glances, TableFileError, write_tables};
use incrowd_counts::{CountError, PublishedCounts};
use incrowd_evidence::WriteError;
use incrowd_ledger::{CertificateHash, Durability, Moment};

/// Writes everything that is delivered and makes it durable; all that is missing then is the name.
pub fn write_folder(
    aside: StagedFolder,
    table: &mut Table<'_>,
    plan: &Plan,
    published: PublishedCounts,
    (facts, moment): (&ChargeFacts, Moment),
    randomness: Randomness,
    durability: Durability,
) -> Result<(SyncedFolder, Glances, CertificateHash), Cause> {
    let written = write_tables(table, plan, published, randomness, &aside).map_err(|error| match error {
        TableFileError::Count(error) => Cause::Counting(error),
        TableFileError::Table(_) => Cause::Counting(CountError::Contract),
        TableFileError::Write(error) => Cause::Folder(error.into()),
    })?;
    let failed = |error: WriteError| Cause::Folder(error.into());
    let folder = FolderFacts { tables: written.tables, key_types: written.key_types, derived_from: Vec::new() };
    let certificate = certificate(plan, facts, &folder, randomness);
    let text = certificate_text(&certificate);
    let report = page(plan, &certificate, &written.glances);
    aside.write(CERTIFICATE, text.as_bytes()).map_err(failed)?;
    aside.write(REPORT, report.as_bytes()).map_err(failed)?;
    let hash = CertificateHash::of(text.as_bytes());
    let seal = Seal { certificate: hash.clone(), report: CertificateHash::of(report.as_bytes()) };
    // What is forgotten with its ledger cannot be claimed later.
    let seal = match durability {
        Durability::Durable => Some(&seal),
        Durability::Forgotten => None,
    };
    Ok((aside.seal(moment.unix_seconds(), seal).map_err(failed)?, written.glances, hash))
}
