//! People with many rows: who is counted, in how many bins, how many of these the limits leave, and who is lost.
//!
//! Everybody's rows come together as in a release, also those that are not counted, whose causes stand among her bins
//! under numbers of their own; the bins that count are chosen by the same hashes. It must never choose otherwise than
//! a release. It is separate because a person is lost only if none of her rows is counted. Read `crate::persons` for
//! the release's own way.

use super::examine::{Examined, Examiner};
use super::findings::BoundedPeople;
use super::nothing::NothingFound;
use super::rows::Seen;
use super::sizes::Sizes;
use super::tally::{NO_UNIT, Tallies, Tally, is_counted_as_missing};
use crate::compute::UNIT;
use crate::counting::Opened;
use crate::grouped::{CELL, cells_of_a_period, key_fields, keys, repeated};
use crate::interner::Interner;
use crate::parts::Batches;
use crate::persons::{Bins, chooser, each_person, of_somebody, sets, whose_bins};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, UInt32Array, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use arrow_select::take::take;
use datafusion_common::{DataFusionError, Result, exec_err};
use datafusion_execution::TaskContext;
use datafusion_physical_plan::execute_stream_partitioned;
use futures::StreamExt;
use incrowd_counts::write_cell;
use incrowd_engine::{Chooser, Dimension, Items, MOST_ITEMS, Participants, Query, QueryCells, Time};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError};

/// How many bins there are of each size, and how many people are in no group.
type CountedSizes = (BTreeMap<u64, u64>, u64);

/// Marks a number that is no cell but the cause of a loss: no cell is so high.
const LOST: u64 = 1 << 63;
/// So many rows are made at a time where one becomes many.
const ROWS_AT_A_TIME: u64 = 1 << 16;

/// What persons have shown.
pub(super) struct SeenPersons {
    pub(super) seen: Seen,
    pub(super) people: u64,
    pub(super) bounded: BoundedPeople,
}

/// Looks at all persons.
pub(super) fn of_persons(opened: Opened, examiner: Examiner, context: Arc<TaskContext>) -> Result<SeenPersons> {
    let Opened { runtime, table, delivered: _ } = opened;
    let query = examiner.query.clone();
    let threads = context.session_config().target_partitions();
    let mut sum = examiner.tally(0);
    let tallies = Tallies::default();
    let sizes = Sizes::of(examiner.groups.as_ref());
    let numbering = Arc::new(Numbering::of(&examiner)?);
    let person = examiner.rows.schema().field_with_name(UNIT)?.clone();
    let given = whose_bins(person, false);
    let (kept, numbers, made) = (tallies.clone(), Arc::clone(&numbering), Arc::clone(&given));
    let rows = table.worked(given, move || {
        let (mut examiner, tally) = (examiner.clone(), kept.one_more(examiner.tally(0)));
        let (numbers, made) = (Arc::clone(&numbers), Arc::clone(&made));
        Box::new(move |batch| -> Batches {
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            match examiner.examine(&batch, &mut tally) {
                Ok(examined) => numbers.numbered(&mut examiner, &examined, &mut tally, &made),
                Err(error) => Box::new(std::iter::once(Err(error))),
            }
        })
    });
    // A person's bins of all periods come together: their numbers tell the period.
    let mut timeless = query.clone();
    timeless.time = None;
    let plan = sets(rows, &timeless, threads)?;
    let batches = runtime.block_on(async {
        let mut batches = Vec::new();
        for stream in &mut execute_stream_partitioned(plan, context)? {
            while let Some(batch) = stream.next().await {
                batches.push(batch?);
            }
        }
        Ok::<_, DataFusionError>(batches)
    })?;
    let mut people = People::of(&query, numbering.taken()?)?;
    for batch in &batches {
        each_person(batch, &Participants::Everybody, |person, cells| people.see(person, cells, &mut sum))?;
    }
    let tally = tallies.sum(sum);
    // Nobody knows whose rows they are: each is one person.
    let unknown = tally.lost.get(usize::from(NO_UNIT)).copied().unwrap_or(0);
    let ((bins_by_size, in_no_group), nothing) = people.sizes(sizes)?;
    let People { bounded, people, .. } = people;
    let seen = Seen { tally, bins_by_size, nothing, in_no_group };
    Ok(SeenPersons { seen, people: people.saturating_add(unknown), bounded })
}

/// How the bins of persons get their numbers.
enum Numbering {
    /// Declared cells have theirs.
    Declared,
    /// Found ones are numbered as they come.
    Found { interner: Interner, dimensions: usize, fields: Vec<Field> },
}

impl Numbering {
    fn of(examiner: &Examiner) -> Result<Numbering> {
        match examiner.query.cells() {
            QueryCells::Declared(_) => Ok(Numbering::Declared),
            QueryCells::Found => {
                let dimensions = match examiner.query.items() {
                    Items::Each => examiner.query.dimensions.len(),
                    // Both sides of a pair are the same items.
                    Items::Pairs => 1,
                };
                let fields = key_fields(&examiner.cutters, examiner.rows.schema())?;
                let kinds: Vec<DataType> =
                    fields.iter().take(dimensions).map(|field| field.data_type().clone()).collect();
                Ok(Numbering::Found { interner: Interner::new(&kinds)?, dimensions, fields })
            }
            QueryCells::TooMany => exec_err!("too many cells"),
        }
    }

    /// Returns the numbers of bins, and causes of losses, with their persons.
    fn numbered(
        self: &Arc<Self>,
        examiner: &mut Examiner,
        examined: &Examined,
        tally: &mut Tally,
        schema: &SchemaRef,
    ) -> Batches {
        let counted = self.counted(examiner, examined, schema);
        let lost = lost(examined, tally, schema);
        match (counted, lost) {
            (Ok(counted), Ok(lost)) => Box::new(counted.chain(lost.into_iter().map(Ok))),
            (Err(error), _) | (_, Err(error)) => Box::new(std::iter::once(Err(error))),
        }
    }

    fn counted(self: &Arc<Self>, examiner: &mut Examiner, examined: &Examined, schema: &SchemaRef) -> Result<Batches> {
        let query = &examiner.query;
        let values = examined.values.columns();
        let persons = values.last().ok_or_else(|| DataFusionError::External("no persons".into()))?;
        let person = Field::new(UNIT, persons.data_type().clone(), true);
        let (columns, fields, later): (Vec<ArrayRef>, Vec<Field>, _) = match &**self {
            Numbering::Declared => {
                let cells: ArrayRef = Arc::new(UInt64Array::from(examined.cells.clone()));
                let later = match query.cells() {
                    QueryCells::Declared(cells) => Some((cells, cells_of_a_period(query))),
                    QueryCells::Found | QueryCells::TooMany => None,
                };
                (vec![cells], vec![Field::new(CELL, DataType::UInt64, true)], later)
            }
            Numbering::Found { fields, .. } => {
                let (dimensions, later) =
                    (examiner.cutters.len(), query.dimensions.first().and_then(Dimension::size).map(|end| (end, 1)));
                let (keys, _) = keys(&values[..dimensions], &mut examiner.cutters, query);
                (keys, fields.clone(), later)
            }
        };
        let columns = columns.into_iter().chain([Arc::clone(persons)]).collect();
        let fields: Vec<Field> = fields.into_iter().chain([person]).collect();
        let mut rows = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?;
        if let Some(counted) = &examined.counted {
            rows = filter_record_batch(&rows, &BooleanArray::new(counted.clone(), None))?;
        }
        let rows: Batches = match (query.time, later) {
            (Some(Time::Running), Some(later)) => onwards(rows, later),
            (Some(Time::Running), None) => return exec_err!("time is not declared"),
            (Some(Time::Apart) | None, _) => Box::new(std::iter::once(Ok(rows))),
        };
        let (numbering, schema) = (Arc::clone(self), Arc::clone(schema));
        Ok(Box::new(rows.map(move |rows| numbering.of_rows(&rows?, &schema))))
    }

    fn of_rows(&self, rows: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
        let Some((persons, keys)) = rows.columns().split_last() else { return exec_err!("no persons") };
        let numbers: ArrayRef = match (self, keys) {
            (Numbering::Declared, [cells]) => Arc::clone(cells),
            (Numbering::Declared, _) => return exec_err!("no cells"),
            (Numbering::Found { interner, dimensions, .. }, keys) => Arc::new(interner.numbers(&keys[..*dimensions])?),
        };
        let Some(numbers) = numbers.as_primitive_opt::<UInt64Type>() else { return exec_err!("no numbers") };
        let numbers = UInt64Array::new(numbers.values().clone(), None);
        of_somebody(Arc::new(numbers), Arc::clone(persons), None, schema)
    }

    fn taken(&self) -> Result<Option<Bins>> {
        match self {
            Numbering::Declared => Ok(None),
            Numbering::Found { interner, .. } => Ok(Some(Bins::of(interner.take_sorted())?)),
        }
    }
}

/// Repeats rows for later periods, some at a time.
fn onwards(rows: RecordBatch, (end, apart): (u64, u64)) -> Batches {
    let at_a_time = ROWS_AT_A_TIME.checked_div(end / apart.max(1)).unwrap_or(ROWS_AT_A_TIME).max(1) as usize;
    let schema = rows.schema();
    let slices = (0..rows.num_rows()).step_by(at_a_time);
    Box::new(slices.map(move |from| {
        let slice = rows.slice(from, at_a_time.min(rows.num_rows() - from));
        repeated(&slice, 0, (end, apart), &schema)
    }))
}

/// Returns the causes of losses with their persons; rows that are nobody's are lost here and now.
fn lost(examined: &Examined, tally: &mut Tally, schema: &SchemaRef) -> Result<Option<RecordBatch>> {
    if examined.wrong.is_empty() {
        return Ok(None);
    }
    let Some(persons) = examined.values.columns().last() else { return exec_err!("no persons") };
    let known = persons.logical_nulls();
    let (mut rows, mut causes) = (Vec::new(), Vec::new());
    for (row, cause) in &examined.wrong {
        if known.as_ref().is_some_and(|known| known.is_null(*row)) {
            tally.lose(NO_UNIT, 1);
        } else {
            rows.push(u32::try_from(*row).unwrap_or(u32::MAX));
            causes.push(LOST | u64::from(*cause));
        }
    }
    let persons = take(persons, &UInt32Array::from(rows), None)?;
    Ok(Some(RecordBatch::try_new(Arc::clone(schema), vec![Arc::new(UInt64Array::from(causes)), persons])?))
}

/// Everybody, one by one.
struct People {
    chooser: Chooser,
    basket: Chooser,
    items: Items,
    /// Where bins are found.
    bins: Option<Bins>,
    /// The period of each bin, where there is time.
    periods: Option<Periods>,
    people: u64,
    bounded: BoundedPeople,
    counts: HashMap<u64, u64>,
    /// How many persons have each item, where pairs are counted.
    persons_by_item: HashMap<u64, u64>,
    own: Vec<u64>,
    pairs: Vec<u64>,
}

/// The periods of bins.
enum Periods {
    /// So many declared cells each.
    Cells(u64),
    /// By the places of found bins.
    Places(Vec<u64>),
}

impl People {
    fn of(query: &Query, bins: Option<Bins>) -> Result<People> {
        let periods = match (&query.time, &bins) {
            (None, _) => None,
            (Some(_), None) => Some(Periods::Cells(cells_of_a_period(query))),
            (Some(_), Some(bins)) => {
                let columns = bins.sorted.columns(0..bins.sorted.len())?;
                let periods = columns.first().and_then(|periods| periods.as_primitive_opt::<UInt64Type>());
                let Some(periods) = periods else { return exec_err!("no periods") };
                Some(Periods::Places(periods.values().to_vec()))
            }
        };
        Ok(People {
            chooser: chooser(query)?,
            basket: Chooser::new(&query.bounding_key, MOST_ITEMS),
            items: query.items(),
            bins,
            periods,
            people: 0,
            bounded: BoundedPeople::default(),
            counts: HashMap::new(),
            persons_by_item: HashMap::new(),
            own: Vec::new(),
            pairs: Vec::new(),
        })
    }

    /// Sees a person with her bins and the causes of her losses.
    fn see(&mut self, person: &[u8], numbers: &[u64], tally: &mut Tally) {
        self.people += 1;
        self.own.clear();
        self.own.extend(numbers.iter().filter(|number| **number & LOST == 0));
        let causes = || numbers.iter().filter(|number| **number & LOST != 0).map(|number| (number & !LOST) as u16);
        // Who is counted at all may still be counted in a wrong bin.
        let first = match self.own.is_empty() {
            true => causes().min(),
            false => causes().filter(|cause| is_counted_as_missing(*cause)).min(),
        };
        if let Some(cause) = first {
            tally.lose(cause, 1);
        }
        if self.own.is_empty() {
            return;
        }
        self.bounded.people += 1;
        let mut own = std::mem::take(&mut self.own);
        own.sort_unstable_by_key(|number| self.period(*number));
        let mut left = own.as_slice();
        let mut is_cut = false;
        while let Some(first) = left.first() {
            let now = self.period(*first);
            let length = left.iter().take_while(|number| self.period(**number) == now).count();
            let (of_period, later) = left.split_at(length);
            is_cut |= self.choose(person, of_period);
            left = later;
        }
        self.own = own;
        self.bounded.cut_people += u64::from(is_cut);
    }

    /// The period of a bin; all have the same where there is no time.
    fn period(&self, number: u64) -> u64 {
        match (&self.periods, &self.bins) {
            (Some(Periods::Cells(cells)), _) => number / cells,
            (Some(Periods::Places(periods)), Some(bins)) => periods[bins.place(number)],
            (Some(Periods::Places(_)), None) | (None, _) => 0,
        }
    }

    /// Counts the bins of a person in one period, and returns whether some were left out.
    fn choose(&mut self, person: &[u8], own: &[u64]) -> bool {
        let (counts, mut counted) = (&mut self.counts, 0);
        let mut count = |number: u64| {
            counted += 1;
            *counts.entry(number).or_default() += 1;
        };
        let (all, choice) = match (&self.bins, self.items) {
            (None, _) => {
                self.chooser.choose(person, own, write_cell, count);
                (own.len(), own.len())
            }
            (Some(bins), Items::Each) => {
                let key = |number, key: &mut Vec<u8>| key.extend_from_slice(bins.key(number));
                self.chooser.choose(person, own, key, |number| count(bins.place(number) as u64));
                (own.len(), own.len())
            }
            (Some(bins), Items::Pairs) => {
                self.bounded.cut_baskets += u64::from(own.len() as u64 > MOST_ITEMS);
                let mut items = Vec::new();
                let key = |number, key: &mut Vec<u8>| key.extend_from_slice(bins.key(number));
                self.basket.choose(person, own, key, |number| items.push(bins.place(number) as u64));
                items.sort_unstable();
                items.iter().for_each(|item| *self.persons_by_item.entry(*item).or_default() += 1);
                self.pairs.clear();
                for (at, first) in items.iter().enumerate() {
                    self.pairs.extend(items[at + 1..].iter().map(|second| first << 32 | second));
                }
                let key = |pair: u64, key: &mut Vec<u8>| {
                    key.extend_from_slice(bins.key_at((pair >> 32) as usize));
                    key.extend_from_slice(bins.key_at((pair & u64::from(u32::MAX)) as usize));
                };
                self.chooser.choose(person, &self.pairs, key, count);
                (own.len() * (own.len() - 1) / 2, self.pairs.len())
            }
        };
        self.bounded.person_bins += all as u64;
        *self.bounded.persons_by_bins.entry(choice as u64).or_default() += 1;
        self.bounded.counted += counted;
        (all as u64) > counted
    }

    /// Returns how many bins have so many people and how many people are in no group, and words for nothing among them.
    fn sizes(&self, mut sizes: Sizes) -> Result<(CountedSizes, NothingFound)> {
        self.counts.iter().for_each(|(bin, people)| sizes.see(*bin, *people));
        let mut nothing = NothingFound::default();
        if let Some(bins) = &self.bins {
            let persons = match self.items {
                Items::Each => &self.counts,
                Items::Pairs => &self.persons_by_item,
            };
            let people: Vec<u64> =
                (0..bins.sorted.len() as u64).map(|place| persons.get(&place).copied().unwrap_or(0)).collect();
            nothing.look(&bins.sorted.columns(0..people.len())?, &people);
        }
        Ok((sizes.by_size(), nothing))
    }
}
