//! Two delivered folders of one table, or of a table and a coarser one: what changed, and what may be noise.
//!
//! Both folders are verified first, and nothing but their published values is read; it must never open data or a
//! ledger, or call a difference a change with a larger chance of being wrong than it says. It is separate from
//! `verify.rs`, which knows one folder. Read `diff/tables.rs` for which tables can be compared, `diff/cells.rs` for
//! what is said of a cell, and `incrowd_privacy`'s `change.rs` for why it is true.

mod cells;
mod diff_error;
mod diff_json;
mod diff_page;
mod one_folder;
mod tables;
#[cfg(test)]
mod tests;

pub use cells::{CellDiff, CellValue, Verdict as ChangeVerdict};
pub use diff_error::{DiffError, WhichFolder};
pub use tables::TableRelation;

use crate::verify::VerifiedFolder;
use cells::Comparison;
use incrowd_exact::Rational;
use incrowd_privacy::work::{Work, within};
use one_folder::{open, read_cells};
use std::path::Path;
use tables::{Aligned, align};

/// Which periods of two series are compared, where it is not each with itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedPeriods {
    /// Of the old one, as its table writes it.
    pub old: String,
    /// Of the new one.
    pub new: String,
}

/// What two folders say together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// The old one.
    pub old: DiffSide,
    /// The new one.
    pub new: DiffSide,
    /// How their tables relate.
    pub relation: TableRelation,
    /// The headings of keys.
    pub headings: Vec<String>,
    /// The cells, in the order of the table.
    pub cells: Vec<CellDiff>,
    /// How many cells show something in both, and were compared.
    pub comparisons: usize,
    /// How many cells were left out because only those with a change are asked for.
    pub left_out: usize,
    /// How many cells are of periods that only one of the two has.
    pub other_periods: usize,
    /// What must be said beside the numbers.
    pub cautions: Vec<String>,
}

/// One of the two folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffSide {
    /// Its name.
    pub folder: String,
    /// The hash of its certificate.
    pub certificate: String,
    /// The charge that paid for it.
    pub charge_id: String,
    /// Whose data it is.
    pub dataset: Option<String>,
    /// The state of the data, if somebody gave it a name.
    pub snapshot: Option<String>,
    /// The condition on rows, if there is one.
    pub condition: Option<String>,
    /// The declared part of the people, if not all are counted.
    pub part: Option<String>,
    /// The period that is compared, if it is one.
    pub period: Option<String>,
    /// From which size on its cells show; nothing where all do.
    pub shows: Option<String>,
}

/// The chance that an interval may miss, and that any cell without a change may be called more than noise.
pub(crate) fn error() -> Rational {
    Rational::ONE / Rational::from(20u8)
}

/// Compares two folders, summing at most so many cells of laws for each.
pub fn diff(old: &Path, new: &Path, periods: Option<&ComparedPeriods>, most_work: u64) -> Result<Diff, DiffError> {
    let before = open(old, WhichFolder::Old, most_work)?;
    let after = open(new, WhichFolder::New, most_work)?;
    let (diff, work) = within(most_work, || compared(&before, &after, periods));
    match work {
        Work::Exceeded => Err(DiffError::TooMuchWork { most_work }),
        Work::Within => {
            let mut diff = diff?;
            diff.old.folder = old.display().to_string();
            diff.new.folder = new.display().to_string();
            Ok(diff)
        }
    }
}

fn compared(
    before: &VerifiedFolder,
    after: &VerifiedFolder,
    periods: Option<&ComparedPeriods>,
) -> Result<Diff, DiffError> {
    let aligned = align(before, after, periods)?;
    let side =
        |folder: &VerifiedFolder, period: Option<&String>| DiffSide { period: period.cloned(), ..DiffSide::of(folder) };
    let mut diff = Diff {
        old: side(before, periods.map(|periods| &periods.old)),
        new: side(after, periods.map(|periods| &periods.new)),
        relation: aligned.relation,
        headings: aligned.headings.clone(),
        cells: Vec::new(),
        comparisons: 0,
        left_out: 0,
        other_periods: 0,
        cautions: Vec::new(),
    };
    if aligned.relation == TableRelation::SameRelease {
        return Ok(diff);
    }
    diff.cautions = aligned.cautions.clone();
    let Aligned { old_periods, new_periods, .. } = &aligned;
    let (old, one) = read_cells(before, WhichFolder::Old, &aligned.old, old_periods)?;
    let (new, other) = read_cells(after, WhichFolder::New, &aligned.new, new_periods)?;
    diff.other_periods = one + other;
    let comparison = Comparison::of(before.plan.shown_by(), after.plan.shown_by())?;
    diff.cells = comparison.cells(old, new, &aligned)?;
    diff.comparisons = diff.cells.iter().filter(|cell| cell.chance.is_some()).count();
    Ok(diff)
}

impl DiffSide {
    fn of(folder: &VerifiedFolder) -> DiffSide {
        let request = folder.plan.request();
        let data = request.data.as_ref();
        DiffSide {
            folder: String::new(),
            certificate: folder.hash.as_str().to_string(),
            charge_id: folder.inputs.charge.charge_id.clone(),
            dataset: request.ledger.dataset.clone(),
            snapshot: request.ledger.snapshot.clone(),
            condition: data.and_then(|data| data.condition.clone()),
            part: data.and_then(|data| data.split.as_ref()).map(|split| split.canonical().to_string()),
            period: None,
            shows: folder.plan.shows_words(),
        }
    }
}

impl Diff {
    /// Keeps the cells whose change is more than noise.
    pub fn only_changed(mut self) -> Diff {
        let all = self.cells.len();
        self.cells.retain(|cell| match cell.verdict {
            ChangeVerdict::Up | ChangeVerdict::Down => true,
            ChangeVerdict::MayBeNoise | ChangeVerdict::NotCompared => false,
        });
        self.left_out = all - self.cells.len();
        self
    }

    /// Returns how many cells have a change that is more than noise.
    pub fn changed(&self) -> usize {
        let changed = |cell: &&CellDiff| match cell.verdict {
            ChangeVerdict::Up | ChangeVerdict::Down => true,
            ChangeVerdict::MayBeNoise | ChangeVerdict::NotCompared => false,
        };
        self.cells.iter().filter(changed).count()
    }
}
