//! Formulas of workbooks of which the file holds no result: what a release reads there is nothing.
//!
//! Programs that write workbooks without computing them leave results out. It must never compute a formula. It is
//! separate because only workbooks have formulas, and because it reads a sheet once more. Read `file/workbook.rs` next.

use crate::file::workbook::Sheet;
use crate::source::{Files, Format, OneFile};
use incrowd_engine::Unwatched;
use std::io;
use std::sync::Arc;

/// Returns how many cells have a formula without a result.
pub(super) fn uncomputed(files: &Files) -> u64 {
    let is_workbook = matches!(files.format, Format::Xlsx | Format::Ods);
    if !is_workbook {
        return 0;
    }
    // What was read a moment ago and cannot be read again has nothing to tell.
    files.files.iter().filter_map(|file| in_file(files, file).ok()).fold(0, u64::saturating_add)
}

fn in_file(files: &Files, file: &OneFile) -> io::Result<u64> {
    let mut sheet = Sheet::open(file, files.format, &files.dialect, Arc::new(Unwatched))?;
    while sheet.next()?.is_some() {}
    Ok(sheet.uncomputed())
}
