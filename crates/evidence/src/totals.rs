//! The tables of totals: which there are, what they are called, and how they are written.
//!
//! It must never make a table that the plan does not ask for, or call one by another name. It is separate from
//! `write.rs` because verifiers, certificates and workbooks ask the same. Read `margins.rs` for unbiased totals,
//! `consistent.rs` for numbers that add up, `statistics.rs` for medians and means.

use crate::csv::KeyPlaces;
use crate::files::{FileLayout, NewFiles, TableFiles, WrittenTable};
use crate::glance::Glance;
use crate::grouping::label_places;
use crate::margins::Margins;
use crate::plan::Plan;
use crate::request::{Format, Margins as Asked};
use crate::table::{Beside, Table};
use crate::write_error::WriteError;
use arrow_array::RecordBatch;
use incrowd_plan::totals::TotalsAddUp;

/// How the columns of totals are written.
pub(crate) fn totals_layout(kind: TotalsTable, plan: &Plan, table: &Table<'_>) -> FileLayout {
    FileLayout {
        spelling: table.spelling().clone(),
        places: kind.label_places(plan),
        beside: Beside::NOTHING,
        uncertain_from: None,
    }
}

/// A table that is made of the rows of the table of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TotalsTable {
    /// Unbiased totals, or sums of what is shown.
    Margins,
    /// Whole numbers that add up.
    Consistent,
    /// Medians, quantiles and means of a number that is cut into bands.
    Statistics,
}

impl TotalsTable {
    pub(crate) const ALL: [TotalsTable; 3] = [TotalsTable::Margins, TotalsTable::Consistent, TotalsTable::Statistics];

    /// Returns the name of its files.
    pub(crate) fn stem(self) -> &'static str {
        match self {
            TotalsTable::Margins => "margins",
            TotalsTable::Consistent => "consistent",
            TotalsTable::Statistics => "statistics",
        }
    }

    /// Returns where its labels stand.
    pub(crate) fn label_places(self, plan: &Plan) -> KeyPlaces {
        match (self, label_places(plan)) {
            (TotalsTable::Margins | TotalsTable::Consistent, places) => places,
            // The bin with the bands has no column.
            (TotalsTable::Statistics, KeyPlaces::First(bins)) => KeyPlaces::First(bins - 1),
            (TotalsTable::Statistics, places @ KeyPlaces::Second) => places,
        }
    }

    /// Returns its rows; nothing where it is not made.
    pub(crate) fn rows(self, margins: &Margins<'_>, plan: &Plan) -> Option<RecordBatch> {
        let columns = plan.request().kind.published();
        match self {
            TotalsTable::Margins => margins.rows(&columns),
            TotalsTable::Consistent => margins.consistent_rows(&columns),
            TotalsTable::Statistics => margins.statistics_rows(&columns),
        }
    }

    /// Returns the name of its sheet in a workbook.
    pub(crate) fn sheet(self) -> &'static str {
        match self {
            TotalsTable::Margins => "totals",
            TotalsTable::Consistent => "consistent",
            TotalsTable::Statistics => "statistics",
        }
    }

    /// Whether a plan makes it.
    pub(crate) fn is_made(self, plan: &Plan) -> bool {
        match self {
            TotalsTable::Margins => plan.request().output.margins != Asked::None,
            TotalsTable::Consistent => plan.totals_add_up() == TotalsAddUp::Yes,
            TotalsTable::Statistics => matches!(plan.statistics(), Some(Ok(_))),
        }
    }
}

/// All tables of totals, complete but for their sheets.
#[derive(Default)]
pub(crate) struct WrittenTotals {
    pub(crate) tables: Vec<WrittenTable>,
    /// The rows, for a workbook.
    pub(crate) sheets: Vec<(TotalsTable, RecordBatch)>,
    /// What the report shows of each of `TotalsTable::ALL`.
    pub(crate) glances: [Option<Glance>; 3],
}

/// Writes the tables of totals that a plan makes.
pub(crate) fn write_totals(
    (plan, table): (&Plan, &Table<'_>),
    margins: Option<&Margins<'_>>,
    folder: &dyn NewFiles,
) -> Result<WrittenTotals, WriteError> {
    let mut all = WrittenTotals::default();
    // A workbook has them in sheets of their own.
    let formats = plan.request().output.formats.iter().copied();
    let formats: Vec<Format> = formats.filter(|format| *format != Format::Xlsx).collect();
    for (kind, glance) in TotalsTable::ALL.into_iter().zip(&mut all.glances) {
        let Some(margins) = margins.filter(|_| kind.is_made(plan)) else { continue };
        let rows = kind.rows(margins, plan).ok_or(WriteError::Other)?;
        let layout = totals_layout(kind, plan, table);
        let mut files = TableFiles::create(kind.stem(), &formats, (&rows.schema(), layout), folder)?;
        files.write(&rows)?;
        let written = files.finish()?;
        all.tables.extend(written.tables);
        *glance = Some(written.glance);
        all.sheets.push((kind, rows));
    }
    Ok(all)
}
