//! Which tables can be compared, and which cells of them with each other.
//!
//! Two tables are the same if their definitions are, whatever the state of the data, the condition and the account; one
//! is coarser if its cells are provably made up of the other's. Everything else is refused with what differs; it must
//! never compare cells that count different things under one name. It is separate from the cells because it looks at
//! definitions alone. Read `incrowd_definition`'s `binning/coarser.rs` for the proofs.

use super::ComparedPeriods;
use super::diff_error::{DiffError, WhichFolder};
use super::one_folder::{CellKey, PeriodsRead};
use crate::certificate::Randomness;
use crate::plan::Plan;
use crate::request::{Cut, Data, KeyColumn, Kind, Request};
use crate::table::{KeyType, listing};
use crate::verify::VerifiedFolder;
use arrow_schema::DataType;
use incrowd_definition::{Coarsening, Dimension, Labels, Unit};
use incrowd_published::Listing;
use std::collections::HashSet;

/// How two tables relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableRelation {
    /// The cells are the same.
    Same,
    /// Cells of the old one make up those of the new one.
    NewIsCoarser,
    /// Cells of the new one make up those of the old one.
    OldIsCoarser,
    /// Both are of one release: the same draw.
    SameRelease,
}

/// Two tables, cell by cell.
pub(super) struct Aligned {
    pub(super) relation: TableRelation,
    pub(super) headings: Vec<String>,
    /// How the columns of the comparison are put in order.
    pub(super) columns: Vec<ColumnOrder>,
    pub(super) old: KeyPath,
    pub(super) new: KeyPath,
    pub(super) old_periods: PeriodsRead,
    pub(super) new_periods: PeriodsRead,
    pub(super) cautions: Vec<String>,
}

/// How the labels of a column are put in order.
pub(super) enum ColumnOrder {
    /// As they are declared.
    Declared(Labels),
    /// Found ones, by value.
    Numbers,
    /// Found ones, by their characters.
    Texts,
}

/// How the key of a table's row becomes that of a cell of the comparison.
pub(super) struct KeyPath {
    period: PeriodColumn,
    coarsening: Option<Coarsening>,
}

/// What happens to the first column, which has the periods of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PeriodColumn {
    None,
    Kept,
    /// One period is compared with another.
    LeftOut,
}

impl KeyPath {
    /// Returns the cell that a row belongs to; nothing where the other table does not count it.
    pub(super) fn key(&self, mut labels: CellKey) -> Option<CellKey> {
        let mut key = Vec::new();
        let bins = match self.period {
            PeriodColumn::None => labels,
            PeriodColumn::Kept => {
                let bins = labels.split_off(1);
                key = labels;
                bins
            }
            PeriodColumn::LeftOut => labels.split_off(1),
        };
        match &self.coarsening {
            None => key.extend(bins),
            Some(coarsening) => key.extend(coarsening.cell(&bins)?),
        }
        Some(key)
    }
}

/// A table as a comparison sees it.
struct Compared<'f> {
    plan: &'f Plan,
    data: Data,
    which: WhichFolder,
    period: Option<&'f Dimension>,
    bins: Vec<Dimension>,
}

/// Returns which cells of two folders are compared, or why none are.
pub(super) fn align(
    before: &VerifiedFolder,
    after: &VerifiedFolder,
    periods: Option<&ComparedPeriods>,
) -> Result<Aligned, DiffError> {
    let old = Compared::of(&before.plan, WhichFolder::Old)?;
    let new = Compared::of(&after.plan, WhichFolder::New)?;
    let differing = old.differences(&new);
    if !differing.is_empty() {
        return Err(DiffError::Different { what: differing });
    }
    let (relation, coarsenings) = relation(&old, &new)?;
    let column = match (old.period, periods) {
        (None, None) => PeriodColumn::None,
        (None, Some(_)) => return Err(DiffError::NoPeriods),
        (Some(_), None) => PeriodColumn::Kept,
        (Some(_), Some(_)) => PeriodColumn::LeftOut,
    };
    let (old_periods, new_periods) = read_periods(&old, &new, periods)?;
    let (coarser, coarser_folder) = match relation {
        TableRelation::OldIsCoarser => (&old, before),
        TableRelation::Same | TableRelation::NewIsCoarser | TableRelation::SameRelease => (&new, after),
    };
    let period = coarser.period.filter(|_| column == PeriodColumn::Kept);
    let dimensions: Vec<&Dimension> = period.into_iter().chain(&coarser.bins).collect();
    let one_draw = before.inputs.charge.head == after.inputs.charge.head
        && periods.is_none_or(|periods| periods.old == periods.new);
    if !one_draw
        && (before.inputs.randomness, after.inputs.randomness) == (Randomness::KnownSeed, Randomness::KnownSeed)
    {
        return Err(DiffError::KnownSeeds);
    }
    let [one, other] = coarsenings;
    Ok(Aligned {
        relation: if one_draw { TableRelation::SameRelease } else { relation },
        headings: dimensions.iter().map(|dimension| dimension.name.clone()).collect(),
        columns: dimensions.iter().map(|dimension| order(dimension, coarser_folder)).collect(),
        old: KeyPath { period: column, coarsening: one },
        new: KeyPath { period: column, coarsening: other },
        old_periods,
        new_periods,
        cautions: cautions(before, after, relation),
    })
}

impl<'f> Compared<'f> {
    fn of(plan: &'f Plan, which: WhichFolder) -> Result<Compared<'f>, DiffError> {
        let request: &Request = plan.request();
        match &request.kind {
            Kind::Counts(_) => {}
            Kind::Chosen(_) | Kind::Rows(_) | Kind::Points(_) => {
                return Err(DiffError::OtherKind { which, kind: request.kind.name() });
            }
        }
        let data = request.data.clone().unwrap_or_default();
        if data.sample.is_some() || data.sampled.is_some() {
            return Err(DiffError::Sampled { which });
        }
        let counted = |column: &KeyColumn<'f>| match column {
            KeyColumn::Counted(dimension) => Some(*dimension),
            KeyColumn::Numbered { .. } | KeyColumn::Drawn { .. } => None,
        };
        // The bins themselves: of a pair one dimension stands in two columns, which are the same in both tables.
        let dimensions: Vec<&Dimension> = request.kind.published().iter().filter_map(counted).collect();
        let period = request.kind.series().and(dimensions.first().copied());
        let bins = dimensions.into_iter().skip(usize::from(period.is_some())).cloned().collect();
        Ok(Compared { plan, data, which, period, bins })
    }

    /// Returns what makes labels of two tables mean different things, whatever their bins.
    fn differences(&self, other: &Compared<'_>) -> Vec<String> {
        let (one, two) = (&self.data, &other.data);
        let series = |side: &Compared<'_>| {
            side.plan.request().kind.series().map(|series| {
                let unit = match side.period.map(|period| &period.cut) {
                    Some(Cut::Periods(periods)) => Some(periods.unit()),
                    Some(Cut::Found | Cut::Values(_) | Cut::Named(_) | Cut::Edges(_) | Cut::Truncated(_)) | None => {
                        None
                    }
                };
                (series.column.clone(), series.mode, unit)
            })
        };
        let mut what = Vec::new();
        let mut differs = |is_same: bool, words: &str| {
            if !is_same {
                what.push(words.to_string());
            }
        };
        differs(one.unit == two.unit, "who is one person, or in how many bins she is counted");
        differs(one.types == two.types, "the types of columns");
        differs(one.timezone == two.timezone, "the time zone in which days begin");
        differs(series(self) == series(other), "the periods that are counted");
        what
    }
}

/// Returns how two tables relate, and how the rows of each are added up.
fn relation(old: &Compared<'_>, new: &Compared<'_>) -> Result<(TableRelation, [Option<Coarsening>; 2]), DiffError> {
    let canonical = |side: &Compared<'_>| side.bins.iter().map(Dimension::canonical).collect::<Vec<_>>();
    if canonical(old) == canonical(new) {
        return Ok((TableRelation::Same, [None, None]));
    }
    let pairs = old.plan.request().kind.counts_pairs() || new.plan.request().kind.counts_pairs();
    let coarsening = |finer: &Compared<'_>, coarser: &Compared<'_>| {
        if pairs { None } else { Coarsening::of(&finer.bins, &coarser.bins, &finer.data.types) }
    };
    if let Some(found) = coarsening(old, new) {
        may_be_added_up(old)?;
        return Ok((TableRelation::NewIsCoarser, [Some(found), None]));
    }
    if let Some(found) = coarsening(new, old) {
        may_be_added_up(new)?;
        return Ok((TableRelation::OldIsCoarser, [None, Some(found)]));
    }
    Err(DiffError::Different { what: differing_bins(old, new) })
}

/// Cells are added up where each shows a count whose mean is the truth, and a person is in one of them.
fn may_be_added_up(finer: &Compared<'_>) -> Result<(), DiffError> {
    let bins = finer.data.unit.bins_per_person();
    if bins > 1 {
        return Err(DiffError::SeveralBins { bins });
    }
    match (listing(finer.plan), finer.plan.shown_by().spreads()) {
        (Listing::EveryCell, Some(_)) => Ok(()),
        (Listing::EveryCell, None) | (Listing::OnlyShown, _) => Err(DiffError::HiddenCells { which: finer.which }),
    }
}

/// Says of each bin that the other table does not have how it differs.
fn differing_bins(old: &Compared<'_>, new: &Compared<'_>) -> Vec<String> {
    let only = |one: &Compared<'_>, other: &Compared<'_>| {
        let is_there = |bin: &Dimension| other.bins.iter().any(|known| known.canonical() == bin.canonical());
        let bins = one.bins.iter().filter(|bin| !is_there(bin));
        bins.map(|bin| {
            let cut_otherwise = other.bins.iter().any(|known| known.source == bin.source);
            let how = if cut_otherwise { "is cut otherwise in" } else { "is not in" };
            format!("bin {:?} of {} {how} {}", bin.name, one.which, other.which)
        })
        .collect::<Vec<_>>()
    };
    let mut what = only(old, new);
    what.extend(only(new, old));
    if what.is_empty() {
        what.push("the order of the bins".into());
    }
    what
}

/// Returns the periods that are read of each table.
fn read_periods(
    old: &Compared<'_>,
    new: &Compared<'_>,
    periods: Option<&ComparedPeriods>,
) -> Result<(PeriodsRead, PeriodsRead), DiffError> {
    let (Some(before), Some(after)) = (old.period, new.period) else { return Ok((None, None)) };
    let (before, after) = (labels_of(before), labels_of(after));
    let Some(periods) = periods else {
        let common: HashSet<String> = before.iter().filter(|label| after.contains(label)).cloned().collect();
        return match (before.last(), after.last()) {
            (Some(old), Some(new)) if common.is_empty() => {
                Err(DiffError::NoCommonPeriod { old: old.clone(), new: new.clone() })
            }
            (_, _) => Ok((Some(common.clone()), Some(common))),
        };
    };
    let one = |labels: &[String], period: &String, which: WhichFolder| match labels.contains(period) {
        true => Ok(Some(HashSet::from([period.clone()]))),
        false => Err(DiffError::NoSuchPeriod { which, period: period.clone() }),
    };
    Ok((one(&before, &periods.old, old.which)?, one(&after, &periods.new, new.which)?))
}

/// How the labels of a dimension are put in order: found ones by the type that the certificate states.
fn order(dimension: &Dimension, folder: &VerifiedFolder) -> ColumnOrder {
    if let Ok(Some(labels)) = Labels::of(dimension) {
        return ColumnOrder::Declared(labels);
    }
    let columns = folder.plan.request().kind.published();
    let place = columns.iter().position(|column| column.name() == dimension.name);
    match place.and_then(|place| folder.inputs.folder.key_types.get(place)).map(KeyType::data_type) {
        Some(DataType::Int64 | DataType::UInt64 | DataType::Float64 | DataType::Decimal128(_, _)) => {
            ColumnOrder::Numbers
        }
        Some(_) | None => ColumnOrder::Texts,
    }
}

/// The labels of the periods of a run, in order.
fn labels_of(period: &Dimension) -> Vec<String> {
    let Ok(Some(labels)) = Labels::of(period) else { return Vec::new() };
    let text = |code: u64| Some(labels.label(code)?.text()?.into_owned());
    (0..labels.size()).filter_map(text).collect()
}

/// What must be said beside the numbers.
fn cautions(before: &VerifiedFolder, after: &VerifiedFolder, relation: TableRelation) -> Vec<String> {
    let mut cautions = vec![
        "The same people may be in both tables: a count that stays the same does not say that nobody came or went, \
            and a change does not say who."
            .to_string(),
        "A change is one of the counts, whatever its cause: people, a correction, or another way of counting.".into(),
    ];
    let [one, two] = [before, after].map(|folder| folder.plan.request().data.clone().unwrap_or_default());
    if one.condition != two.condition || one.split != two.split {
        cautions.push("The two count different rows: their conditions or parts are not the same.".into());
    }
    if before.inputs.charge.reading != after.inputs.charge.reading {
        cautions.push("The data of the two is stored in different ways, which may put a row into another cell.".into());
    }
    match &one.unit {
        Unit::Row | Unit::People { .. } => {}
        Unit::Person { bins_per_person, .. } => {
            cautions.push(format!(
                "A person who is in more than {bins_per_person} of a table's bins is counted in {bins_per_person} of \
                    them alone: counts, and changes, are of people as they were counted."
            ));
            match relation {
                TableRelation::NewIsCoarser | TableRelation::OldIsCoarser => cautions.push(
                    "Such a person may be counted in another cell of the coarser table than in the finer one.".into(),
                ),
                TableRelation::Same | TableRelation::SameRelease => {}
            }
        }
    }
    cautions.extend(left_out_words(before, after));
    cautions
}

/// Returns what the folders hold beside their tables, which is not compared, in words.
fn left_out_words(before: &VerifiedFolder, after: &VerifiedFolder) -> Option<String> {
    let any = |holds: fn(&VerifiedFolder) -> bool| holds(before) || holds(after);
    let totals = any(|folder| folder.plan.margin_sets().is_some());
    let statistics = any(|folder| folder.plan.request().output.statistics.is_some());
    // Statistics come with the total over all.
    let what = match (totals, statistics) {
        (false, false) => return None,
        (true, false) => "Totals",
        (_, true) => "Totals, and medians, quantiles and means of bands,",
    };
    Some(format!("{what} are left out: only the cells of the tables are compared."))
}
