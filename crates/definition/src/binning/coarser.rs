//! How the cells of one table make up those of a coarser one.
//!
//! A finer cell goes to the coarser cell that provably counts the same rows, or to none where these are not counted; it
//! must never place a cell where the definitions do not prove it. It is separate from `../binning.rs` because the book
//! asks whether one table is a function of another, and a comparison asks which function. Read `judged.rs` for the
//! proofs.

use super::judged::Judged;
use crate::column_type::ColumnType;
use crate::cut::Cut;
use crate::dimension::Dimension;
use crate::labels::Labels;
use std::collections::{BTreeMap, HashMap};

/// The most bins of one dimension that are written out.
const MOST_BINS: u64 = 1 << 20;

/// The label of a bin; nothing where a value is missing.
type BinLabel = Option<String>;

/// Which cell of a coarser table each cell of a finer one is counted in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coarsening {
    /// For each dimension of the coarser table, which one of the finer it is made of, and how.
    columns: Vec<CoarseColumn>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct CoarseColumn {
    /// The place of the finer dimension.
    from: usize,
    /// The coarser label of each finer one; nothing where its rows are not counted.
    labels: HashMap<BinLabel, Option<BinLabel>>,
}

impl Coarsening {
    /// Returns how the declared bins of a finer table make up those of a coarser one; nothing where that is not proved.
    ///
    /// Both read columns of the same types. Each coarser dimension is a function of one finer dimension. What a finer
    /// dimension does not count, the coarser table does not count either: rows are neither lost nor found.
    pub fn of(finer: &[Dimension], coarser: &[Dimension], types: &BTreeMap<String, ColumnType>) -> Option<Coarsening> {
        let judged = |dimensions: &[Dimension]| {
            dimensions.iter().map(|one| Judged::of(one.clone(), types)).collect::<Option<Vec<_>>>()
        };
        let (fine, coarse) = (judged(finer)?, judged(coarser)?);
        let kept = |one: &Judged| one.drops_nothing() || coarse.iter().any(|later| one.drops_within(later));
        if !fine.iter().all(kept) {
            return None;
        }
        let column = |(wide, later): (&Dimension, &Judged)| {
            let mut candidates = finer.iter().zip(&fine).enumerate();
            candidates.find_map(|(from, (narrow, one))| {
                let labels = one.determines(later).then(|| labels(narrow, wide)).flatten()?;
                Some(CoarseColumn { from, labels })
            })
        };
        Some(Coarsening { columns: coarser.iter().zip(&coarse).map(column).collect::<Option<_>>()? })
    }

    /// Returns the coarser cell that a finer one is counted in; nothing where it is not counted, or not known.
    pub fn cell(&self, finer: &[BinLabel]) -> Option<Vec<BinLabel>> {
        self.columns.iter().map(|column| column.labels.get(finer.get(column.from)?)?.clone()).collect()
    }
}

/// Returns the coarser label of each finer one, where one dimension determines the other.
fn labels(finer: &Dimension, coarser: &Dimension) -> Option<HashMap<BinLabel, Option<BinLabel>>> {
    let (fine, coarse) = (Labels::of(finer).ok()??, Labels::of(coarser).ok()??);
    if fine.size() > MOST_BINS || coarse.size() > MOST_BINS {
        return None;
    }
    let text = |labels: &Labels, code: u64| labels.label(code).map(|label| label.text().map(|text| text.into_owned()));
    let listed = finer.cut.listed()?;
    let codes: HashMap<BinLabel, u64> =
        (0..coarser.cut.listed()?).filter_map(|code| Some((text(&coarse, code)?, code))).collect();
    let place = |code: u64| -> Option<Option<u64>> {
        let inside = match (&finer.cut, &coarser.cut) {
            (one, other) if one == other => Some(code),
            (Cut::Values(_), Cut::Values(_)) => codes.get(&text(&fine, code)?).copied(),
            (Cut::Edges(narrow), Cut::Edges(wide)) => wide.interval_at(&narrow.place(code)?),
            // Other cuts may determine each other; how is not written out here.
            (Cut::Found | Cut::Values(_) | Cut::Named(_) | Cut::Edges(_) | Cut::Truncated(_) | Cut::Periods(_), _) => {
                return None;
            }
        };
        Some(inside.or(coarser.other_code()))
    };
    let coarse_code = |code: u64| match code {
        listed_code if listed_code < listed => place(listed_code),
        other if finer.other_code() == Some(other) => Some(coarser.other_code()),
        _ => Some(coarser.null_code()),
    };
    let label = |code: u64| {
        let to = match coarse_code(code)? {
            None => None,
            Some(to) => Some(text(&coarse, to)?),
        };
        Some((text(&fine, code)?, to))
    };
    (0..fine.size()).map(label).collect()
}
