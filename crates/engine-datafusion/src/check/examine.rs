//! Each batch of rows on its way to the counts: what cannot be read, what is in no bin, and who is lost by it.
//!
//! Values, conditions and cuts are those of a release; what is missing is counted by whole columns, and only rows
//! with something wrong are looked at one by one. It must never change which rows are counted. It is separate from
//! the counting of bins because it looks at rows that are not counted, too. Read `read_steps.rs` for what is
//! unreadable, `tally.rs` for the sums.

use super::read_steps::{ReadStep, Stages, read_steps};
use super::sizes::GroupOfCell;
use super::tally::{Causes, NO_UNIT, Tally, UNDECIDED, Wrong};
use crate::compute::RowComputation;
use crate::counting::{computed, planned};
use crate::cut::{Cutter, NOT_COUNTED, cells as cells_of};
use crate::grouped::keys;
use crate::scan::written::{as_said, columns};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch};
use arrow_buffer::BooleanBuffer;
use arrow_cast::display::array_value_to_string;
use arrow_schema::SchemaRef;
use arrow_select::filter::filter;
use datafusion_common::{DataFusionError, Result};
use incrowd_engine::written::TextReading;
use incrowd_engine::{Nulls, Query, QueryCells, Unit};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Looks at batches of a query's rows.
#[derive(Clone)]
pub(super) struct Examiner {
    pub(super) query: Query,
    pub(super) rows: Arc<RowComputation>,
    pub(super) cutters: Vec<Option<Cutter>>,
    pub(super) steps: Arc<Vec<ReadStep>>,
    pub(super) causes: Causes,
    /// Where several cells make a group.
    pub(super) groups: Option<GroupOfCell>,
    /// The steps that each dimension needs, by their places.
    dimension_steps: Vec<Vec<usize>>,
    condition_steps: Vec<usize>,
    /// How the texts of each delivered column are read.
    pub(super) readings: Arc<[Option<TextReading>]>,
}

/// A batch that was looked at.
pub(super) struct Examined {
    /// The values of all its rows, and their units.
    pub(super) values: RecordBatch,
    /// Which rows are counted; nothing if all are.
    pub(super) counted: Option<BooleanBuffer>,
    /// The number of each row's cell, where all bins are declared; of rows that are not counted it is none.
    pub(super) cells: Vec<u64>,
    /// Rows that are lost, or counted as missing by mistake, with the number of the cause.
    pub(super) wrong: Vec<(usize, u16)>,
}

impl Examiner {
    /// Returns what looks at the columns that a source delivers, whose texts are still to be read.
    pub(super) fn of(
        query: &Query,
        delivered: &SchemaRef,
        texts: &BTreeMap<String, TextReading>,
    ) -> Result<Examiner, DataFusionError> {
        let (cutters, rows) = computed(query, delivered)?;
        let steps = read_steps(query, &planned(query, delivered)?);
        let places = |needed: &dyn Fn(&ReadStep) -> bool| {
            steps.iter().enumerate().filter(|(_, step)| needed(step)).map(|(place, _)| place).collect::<Vec<_>>()
        };
        let dimensions = query.dimensions.iter().enumerate();
        let dimension_steps =
            dimensions.map(|(index, dimension)| places(&|step| step.is_for(index, &dimension.source))).collect();
        let condition_steps = places(&|step| step.is_for_condition(query));
        Ok(Examiner {
            query: query.clone(),
            rows: Arc::new(rows),
            cutters,
            causes: Causes::of(query),
            groups: None,
            dimension_steps,
            condition_steps,
            steps: Arc::new(steps),
            readings: columns(texts, delivered),
        })
    }

    /// Returns an empty tally, with room for so many declared cells.
    pub(super) fn tally(&self, cells: usize) -> Tally {
        Tally::of(&self.causes, self.steps.len(), cells)
    }

    /// Returns the used columns of a batch in their declared types.
    pub(super) fn typed(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        self.rows.typed(&as_said(batch.clone(), &self.readings)?)
    }

    /// Looks at a batch, and adds what it shows to a tally.
    pub(super) fn examine(&mut self, batch: &RecordBatch, tally: &mut Tally) -> Result<Examined> {
        let typed = self.typed(batch)?;
        let truth = self.rows.truth(&typed)?;
        let values = self.rows.values(&typed)?;
        let stages = Stages { delivered: batch, readings: &self.readings, typed: &typed, values: &values };
        let held = truth.as_ref().map(held);
        let unread: Vec<Option<BooleanBuffer>> = self.steps.iter().map(|step| step.unread(&stages)).collect();
        self.see_unread(&stages, &unread, held.as_ref(), tally)?;
        let undecided = truth.as_ref().and_then(|truth| self.undecided(truth, &unread));
        let rows = batch.num_rows() as u64;
        let wanted = held.as_ref().map_or(rows, |held| held.count_set_bits() as u64);
        let open = undecided.as_ref().map_or(0, |open| open.count_set_bits() as u64);
        tally.rows = tally.rows.saturating_add(rows);
        tally.filtered = tally.filtered.saturating_add(rows - wanted - open);

        let (cells, binned) = self.binned(&values);
        let unit = self.without_unit(&values);
        let missed: Vec<Option<BooleanBuffer>> = self
            .dimension_steps
            .iter()
            .enumerate()
            .map(|(index, steps)| missed(steps, &unread, &values, index))
            .collect();
        let outside = binned.as_ref().map(|binned| !binned);
        let suspects = any(outside.iter().chain(&unit).chain(missed.iter().flatten()));
        let suspects = match (suspects, &held) {
            (Some(suspects), Some(held)) => Some(&suspects & held),
            (suspects, _) => suspects,
        };
        let suspects = any(suspects.iter().chain(&undecided));
        let mut wrong = Vec::new();
        if let Some(suspects) = suspects.filter(|suspects| suspects.count_set_bits() > 0) {
            let suspicion =
                Suspicion { values: &values, suspects, unit: &unit, undecided: &undecided, missed: &missed };
            wrong = self.judged(&suspicion, tally)?;
        }
        let counted = all(binned.iter().chain(&held).chain(unit.as_ref().map(|unit| !unit).iter()));
        Ok(Examined { values, counted, cells, wrong })
    }

    fn see_unread(
        &self,
        stages: &Stages<'_>,
        unread: &[Option<BooleanBuffer>],
        held: Option<&BooleanBuffer>,
        tally: &mut Tally,
    ) -> Result<()> {
        for ((step, unread), words) in self.steps.iter().zip(unread).zip(&mut tally.unread) {
            let (Some(unread), Some(before)) = (unread, step.before(stages)) else { continue };
            for row in unread.set_indices() {
                // A bin reads what the condition left.
                if step.is_declared() || held.is_none_or(|held| held.value(row)) {
                    words.see(&text_of(before, row)?, 1);
                }
            }
        }
        Ok(())
    }

    /// Which rows might be wanted, for all that is known: the condition needs what cannot be read.
    fn undecided(&self, truth: &BooleanArray, unread: &[Option<BooleanBuffer>]) -> Option<BooleanBuffer> {
        let unread = any(self.condition_steps.iter().filter_map(|place| unread[*place].as_ref()))?;
        Some(&unread & &!truth.nulls()?.inner())
    }

    /// Returns the cells of rows, where all bins are declared, and which rows have bins; nothing if all have.
    fn binned(&mut self, values: &RecordBatch) -> (Vec<u64>, Option<BooleanBuffer>) {
        let columns = &values.columns()[..self.cutters.len()];
        if self.query.cells() == QueryCells::Found {
            let (_, binned) = keys(columns, &mut self.cutters, &self.query);
            return (Vec::new(), binned.map(|binned| binned.values().clone()));
        }
        let mut cutters: Vec<Cutter> = self.cutters.iter_mut().filter_map(Option::take).collect();
        let mut cells = Vec::new();
        cells_of(&mut cutters, columns, &mut cells);
        self.cutters = cutters.into_iter().map(Some).collect();
        let all = cells.iter().all(|cell| *cell != NOT_COUNTED);
        let binned = (!all).then(|| cells.iter().map(|cell| *cell != NOT_COUNTED).collect());
        (cells, binned)
    }

    /// Returns which rows do not say whose they are, or how many people they stand for; nothing if all do.
    fn without_unit(&self, values: &RecordBatch) -> Option<BooleanBuffer> {
        let unit = values.columns().get(self.query.dimensions.len());
        match (&self.query.unit, unit) {
            (Unit::Row, _) | (_, None) => None,
            (Unit::Person { .. }, Some(person)) => {
                person.logical_nulls().filter(|known| known.null_count() > 0).map(|known| !known.inner())
            }
            (Unit::People { .. }, Some(people)) => {
                let people = people.as_primitive_opt::<Int64Type>()?;
                let none: BooleanBuffer = people.iter().map(|people| people.is_none_or(|people| people < 0)).collect();
                (none.count_set_bits() > 0).then_some(none)
            }
        }
    }

    /// Returns what is wrong with each row that something may be wrong with.
    fn judged(&mut self, suspicion: &Suspicion<'_>, tally: &mut Tally) -> Result<Vec<(usize, u16)>> {
        let chosen = BooleanArray::new(suspicion.suspects.clone(), None);
        let mut first: Vec<Option<u16>> = suspicion.suspects.set_indices().map(|row| suspicion.before(row)).collect();
        let mut later: Vec<Option<u16>> = vec![None; first.len()];
        let mut codes = Vec::new();
        for (index, dimension) in self.query.dimensions.iter().enumerate() {
            let values = filter(suspicion.values.column(index), &chosen)?;
            let there = values.logical_nulls();
            if let Some(cutter) = &mut self.cutters[index] {
                cells_of(std::slice::from_mut(cutter), std::slice::from_ref(&values), &mut codes);
            }
            for (at, row) in suspicion.suspects.set_indices().enumerate() {
                let is_missing = there.as_ref().is_some_and(|there| there.is_null(at));
                let is_unread = suspicion.missed[index].as_ref().is_some_and(|missed| missed.value(row));
                let wrong = match (is_missing, is_unread, dimension.nulls) {
                    (true, true, Nulls::Drop) => Some(Wrong::Unread),
                    (true, true, Nulls::Bin) => Some(Wrong::CountedAsMissing),
                    (true, false, Nulls::Drop) => Some(Wrong::Missing),
                    (true, false, Nulls::Bin) => None,
                    (false, _, _) => {
                        let is_outside = self.cutters[index].is_some() && codes[at] == NOT_COUNTED;
                        is_outside.then_some(Wrong::Outside)
                    }
                };
                let Some(wrong) = wrong else { continue };
                let number = Causes::number(index, wrong);
                match wrong {
                    Wrong::CountedAsMissing => later[at] = later[at].or(Some(number)),
                    Wrong::Outside if first[at] != Some(UNDECIDED) => {
                        tally.outside[index].see(&text_of(&values, at)?, 1);
                        first[at] = first[at].or(Some(number));
                    }
                    Wrong::Unread | Wrong::Missing | Wrong::Outside => first[at] = first[at].or(Some(number)),
                }
            }
        }
        let rows = suspicion.suspects.set_indices();
        let found = rows.zip(first).zip(later).filter_map(|((row, first), later)| Some((row, first.or(later)?)));
        Ok(found.collect())
    }
}

/// Rows that something may be wrong with.
struct Suspicion<'a> {
    values: &'a RecordBatch,
    suspects: BooleanBuffer,
    unit: &'a Option<BooleanBuffer>,
    undecided: &'a Option<BooleanBuffer>,
    /// By dimension: which values are missing because they cannot be read.
    missed: &'a [Option<BooleanBuffer>],
}

impl Suspicion<'_> {
    /// What is wrong with a row before its bins are looked at.
    fn before(&self, row: usize) -> Option<u16> {
        let is = |mask: &Option<BooleanBuffer>| mask.as_ref().is_some_and(|mask| mask.value(row));
        if is(self.undecided) {
            Some(UNDECIDED)
        } else if is(self.unit) {
            Some(NO_UNIT)
        } else {
            None
        }
    }
}

/// Returns a value as a text.
pub(super) fn text_of(values: &ArrayRef, row: usize) -> Result<String> {
    Ok(array_value_to_string(values, row)?)
}

/// Missing is not met.
pub(super) fn held(truth: &BooleanArray) -> BooleanBuffer {
    match truth.nulls() {
        None => truth.values().clone(),
        Some(known) => truth.values() & known.inner(),
    }
}

/// Which values of a dimension are missing because a column cannot be read.
fn missed(
    steps: &[usize],
    unread: &[Option<BooleanBuffer>],
    values: &RecordBatch,
    index: usize,
) -> Option<BooleanBuffer> {
    let unread = any(steps.iter().filter_map(|place| unread[*place].as_ref()))?;
    let known = values.column(index).logical_nulls()?;
    Some(&unread & &!known.inner())
}

fn any<'m>(masks: impl Iterator<Item = &'m BooleanBuffer>) -> Option<BooleanBuffer> {
    masks.fold(None, |any, mask| Some(any.map_or_else(|| mask.clone(), |any: BooleanBuffer| &any | mask)))
}

fn all<'m>(masks: impl Iterator<Item = &'m BooleanBuffer>) -> Option<BooleanBuffer> {
    masks.fold(None, |all, mask| Some(all.map_or_else(|| mask.clone(), |all: BooleanBuffer| &all & mask)))
}
