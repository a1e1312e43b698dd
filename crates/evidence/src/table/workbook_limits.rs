//! What is known to be too much for a spreadsheet program, before anything is charged.
//!
//! Only what is declared is known: of found bins nothing is, and their rows go on in further sheets. It must never look
//! at a bin that was found. It is separate because no other file has such limits. Read `../files/workbook.rs` for what
//! is written.

use super::{Table, listing};
use crate::plan::Plan;
use crate::request::CellCount;
use incrowd_plan::{TableRefusal, WorkbookLimit};
use incrowd_published::Listing;

/// Refuses a table that no workbook holds.
pub(super) fn check(plan: &Plan, table: &Table<'_>) -> Result<(), TableRefusal> {
    let refused = |what: WorkbookLimit| Err(TableRefusal::WorkbookTooSmall { what });
    if let (Listing::EveryCell, CellCount::Declared(cells)) = (listing(plan), plan.request().cells())
        && cells > u128::from(WorkbookLimit::Rows.most())
    {
        return refused(WorkbookLimit::Rows);
    }
    // Words beside uncertain values have a column of their own.
    let words = usize::from(table.uncertain_from().is_some());
    let columns = table.beside.schema(&table.file_schema(plan)).fields().len() + words;
    if columns as u64 > WorkbookLimit::Columns.most() {
        return refused(WorkbookLimit::Columns);
    }
    let is_long = |text: &str| text.encode_utf16().count() as u64 > WorkbookLimit::Characters.most();
    let mut texts = table.dimensions.iter().flat_map(|dimension| dimension.texts().chain([dimension.name()]));
    if texts.any(is_long) { refused(WorkbookLimit::Characters) } else { Ok(()) }
}
