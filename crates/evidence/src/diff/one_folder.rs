//! One of the two folders: verified, and its cells by key.
//!
//! A folder that does not verify must never be read further. It is separate because both folders are read alike. Read
//! `../verify.rs` for the checks, `../table/rules.rs` for how a row is read.

use super::diff_error::{DiffError, WhichFolder};
use super::tables::KeyPath;
use crate::csv::Lines;
use crate::table::{Rules, Table};
use crate::verify::{VerifiedFolder, verified};
use incrowd_privacy::Outcome;
use std::collections::{HashMap, HashSet};
use std::io::{BufReader, Seek, SeekFrom};
use std::path::Path;

/// The longest table that is compared.
pub(super) const MOST_ROWS: usize = 1_000_000;

/// The labels of a cell; nothing where a value is missing.
pub(super) type CellKey = Vec<Option<String>>;

/// What the cells of a table show, by the cell of the comparison that they belong to.
pub(super) type Cells = HashMap<CellKey, Vec<Outcome>>;

/// Which periods of a series are read; nothing where there are none.
pub(super) type PeriodsRead = Option<HashSet<String>>;

/// Verifies a folder, summing at most so many cells of laws.
pub(super) fn open(folder: &Path, which: WhichFolder, most_work: u64) -> Result<VerifiedFolder, DiffError> {
    let (verdict, verified) = verified(folder, most_work).map_err(|error| DiffError::Unreadable { which, error })?;
    verified.filter(|_| verdict.is_passed()).ok_or(DiffError::NotVerified { which })
}

/// Returns what the cells of a verified folder show, and how many are of other periods.
pub(super) fn read_cells(
    folder: &VerifiedFolder,
    which: WhichFolder,
    path: &KeyPath,
    periods: &PeriodsRead,
) -> Result<(Cells, usize), DiffError> {
    // A folder that was verified has nothing of this; it may have changed since, and then it is not compared.
    let changed = || DiffError::NotVerified { which };
    let mut table = Table::of(&folder.plan).map_err(|_| changed())?;
    let rules = Rules::of(&folder.plan, table.side_column());
    let keys = folder.plan.request().kind.published().len();
    let mut file = &folder.rows;
    file.seek(SeekFrom::Start(0)).map_err(|_| changed())?;
    let mut lines = Lines::new(BufReader::with_capacity(1 << 18, file));
    lines.next().map_err(|_| changed())?.ok_or_else(changed)?;
    let (mut cells, mut elsewhere, mut rows) = (Cells::new(), 0, 0);
    while let Some(mut fields) = lines.next().map_err(|_| changed())? {
        rows += 1;
        if rows > MOST_ROWS {
            return Err(DiffError::TooLong);
        }
        if fields.len() < keys {
            return Err(changed());
        }
        let numbers = fields.split_off(keys);
        let shown = rules.read(&numbers, table.reading()).map_err(|_| changed())?;
        let is_read = |periods: &HashSet<String>| fields[0].as_ref().is_some_and(|period| periods.contains(period));
        if !periods.as_ref().is_none_or(is_read) {
            elsewhere += 1;
            continue;
        }
        // What the other table does not count is not compared.
        if let Some(key) = path.key(fields) {
            cells.entry(key).or_default().push(shown.outcome);
        }
    }
    Ok((cells, elsewhere))
}
