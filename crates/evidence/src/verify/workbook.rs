//! The workbook of a folder: written again from the rows of another file, and compared byte for byte.
//!
//! It must never be opened as what it claims to be: an archive of a stranger may hold anything. It is separate because
//! no other file holds several tables. Read `../files/workbook.rs` for how it is written.

use super::certificate::Inputs;
use super::tables::table_of;
use super::{Verdict, VerifyError};
use crate::files::Nameless;
use crate::plan::Plan;
use crate::request::{Format, OutputRequest};
use crate::table::published_again;
use crate::write::write_tables;
use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};

/// Checks the workbook, if there is one; `rows` are those of the main table, as bare CSV.
pub(super) fn check(
    sound: &[&str],
    (plan, inputs): (&Plan, &Inputs),
    rows: &File,
    verdict: &mut Verdict,
) -> Result<(), VerifyError> {
    let name = format!("{}.{}", plan.kind().table(), Format::Xlsx.as_str());
    let stated = inputs.folder.tables.iter().find(|table| table.name == name);
    let Some(stated) = stated.filter(|_| sound.contains(&name.as_str())) else { return Ok(()) };
    let again = written_again((plan, inputs), rows);
    verdict.judged(
        "same rows",
        match again.as_ref() == Some(&stated.sha256) {
            true => Ok(format!("{name} is byte for byte what incrowd writes for these rows")),
            false => Err(format!("{name} is not byte for byte what incrowd writes for these rows")),
        },
    );
    Ok(())
}

/// Returns the hash of the workbook that these rows make; nothing if they make none.
fn written_again((plan, inputs): (&Plan, &Inputs), mut rows: &File) -> Option<String> {
    rows.seek(SeekFrom::Start(0)).ok()?;
    let alone = plan.with_output(OutputRequest { formats: vec![Format::Xlsx], ..plan.request().output.clone() });
    let table = table_of(plan, inputs)?;
    let mut again = table_of(&alone, inputs)?;
    let rows = BufReader::with_capacity(1 << 18, rows);
    let published = published_again(rows, plan, table, inputs.folder.key_types.clone());
    let written = write_tables(&mut again, &alone, published, inputs.randomness, &Nameless).ok()?;
    written.tables.into_iter().next().map(|table| table.sha256)
}
