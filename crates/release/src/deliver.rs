//! What a folder holds: the tables, the certificate, the report.
//!
//! Everything is written from published counts, the plan and the ledger's entry; it must never see a true count. It is
//! separate from `folder.rs`, which knows how a folder appears but not what is in it. Read `write.rs` and `certificate.rs`
//! next.

use crate::certificate::{ChargeFacts, Randomness, certificate, certificate_text};
use crate::folder::{Aside, Sealed};
use crate::page::{FirstRows, page};
use crate::plan::Plan;
use crate::release::Cause;
use crate::table::Table;
use crate::write::{TableFileError, WriteError, write_counts};
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
) -> Result<(Sealed, FirstRows), Cause> {
    let written =
        write_counts(table, published, &plan.request.output.formats, &aside).map_err(|error| match error {
            TableFileError::Count(error) => Cause::Counting(error),
            TableFileError::Table(_) => Cause::Counting(CountError::Contract),
            TableFileError::Write(error) => Cause::Folder(error.into()),
        })?;
    let failed = |error: WriteError| Cause::Folder(error.into());
    let certificate = certificate(plan, facts, &written.tables, randomness);
    let first_rows = FirstRows::of(&written);
    aside.write("certificate.json", certificate_text(&certificate).as_bytes()).map_err(failed)?;
    aside.write("report.html", page(plan, &certificate, &first_rows).as_bytes()).map_err(failed)?;
    Ok((aside.seal(moment.unix_seconds()).map_err(failed)?, first_rows))
}
