//! What a folder holds: the tables, the certificate, the report.
//!
//! Everything is written from published counts, the plan and the ledger's entry; it must never see a true count. It is
//! separate from `folder.rs`, which knows how a folder appears but not what is in it. Read `write.rs` and `certificate.rs`
//! next.

use crate::certificate::{ChargeFacts, Randomness, certificate, certificate_text};
use crate::folder::{Aside, Sealed};
use crate::page::page;
use crate::plan::Plan;
use crate::release::Cause;
use crate::table::Table;
use crate::write::{Glances, TableFileError, WriteError, write_tables};
use incrowd_counts::{CountError, PublishedCounts};
use incrowd_ledger::Moment;

/// Writes everything that is delivered and makes it durable; all that is missing then is the name.
pub fn write_folder(
    aside: Aside,
    table: &mut Table<'_>,
    plan: &Plan,
    published: PublishedCounts,
    (facts, moment): (&ChargeFacts, Moment),
    randomness: Randomness,
) -> Result<(Sealed, Glances), Cause> {
    let written = write_tables(table, plan, published, &aside).map_err(|error| match error {
        TableFileError::Count(error) => Cause::Counting(error),
        TableFileError::Table(_) => Cause::Counting(CountError::Contract),
        TableFileError::Write(error) => Cause::Folder(error.into()),
    })?;
    let failed = |error: WriteError| Cause::Folder(error.into());
    let certificate = certificate(plan, facts, &written.tables, randomness);
    aside.write("certificate.json", certificate_text(&certificate).as_bytes()).map_err(failed)?;
    aside.write("report.html", page(plan, &certificate, &written.glances).as_bytes()).map_err(failed)?;
    Ok((aside.seal(moment.unix_seconds()).map_err(failed)?, written.glances))
}
