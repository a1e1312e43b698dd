//! People with many rows: first the distinct bins of each person, then the bins that count.
//!
//! It must never let a person count in more bins than the request allows, nor let the choice depend on anything but
//! that person's rows. It is separate because it needs two passes: a person's bins are known only when all rows were
//! seen. Read `distinct.rs` and `engine::bounding` next.

use crate::compute::UNIT;
use crate::counting::Counting;
use crate::cut::NOT_COUNTED;
use crate::dense::{declared_batches, declared_schema};
use crate::distinct::distinct_cells;
use crate::grouped::{CELL, cells_of_a_period, named_batch, with_cells, with_keys};
use crate::grouping::{Aggregate, column, grouped_apart};
use crate::interner::{Interner, Sorted};
use crate::parts::{Parts, one};
use crate::ready::BATCH_ROWS;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{ArrayRef, RecordBatch, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use datafusion_common::{DataFusionError, exec_err};
use datafusion_execution::TaskContext;
use datafusion_physical_plan::{ExecutionPlan, execute_stream_partitioned};
use futures::StreamExt;
use incrowd_counts::{KeyBytes, write_cell};
use incrowd_engine::{
    Chooser, CountError, Items, MOST_ITEMS, Participants, Query, QueryCells, Shape, TrueCounts, Unit,
};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::runtime::Runtime;

const BINS: &str = "bins";
const PERIOD: &str = "period";

/// Most cells that are counted in one array.
const DENSE_CELLS: u64 = 1 << 22;

/// Counts persons.
pub(crate) fn count_persons(counting: Counting) -> Result<TrueCounts, DataFusionError> {
    match (counting.query.cells(), counting.query.items()) {
        (QueryCells::Declared(_), Items::Pairs) => exec_err!("pairs of declared items"),
        (QueryCells::Declared(cells), Items::Each) => count_declared(counting, cells),
        (QueryCells::Found, Items::Each) => count_found(counting),
        (QueryCells::Found, Items::Pairs) => count_pairs(counting),
        (QueryCells::TooMany, _) => exec_err!("too many cells"),
    }
}

fn count_declared(counting: Counting, cells: u64) -> Result<TrueCounts, DataFusionError> {
    let shape = Shape::Declared { cells };
    let persons = Persons::in_cells(counting)?;
    if cells <= DENSE_CELLS {
        let counts = persons.chosen(Array64(vec![0; cells as usize]))?;
        return Ok(TrueCounts::new(shape, declared_batches(counts.0)));
    }
    let counts = persons.chosen(HashMap::new())?;
    let mut sorted: Vec<(u64, u64)> = counts.into_iter().collect();
    sorted.sort_unstable();
    let (cells, counts): (Vec<u64>, Vec<u64>) = sorted.into_iter().unzip();
    let columns: Vec<ArrayRef> = vec![Arc::new(UInt64Array::from(cells)), Arc::new(UInt64Array::from(counts))];
    let batch = RecordBatch::try_new(declared_schema(), columns)?;
    Ok(TrueCounts::new(shape, std::iter::once(Ok(batch))))
}

fn count_found(counting: Counting) -> Result<TrueCounts, DataFusionError> {
    let dimensions = counting.query.dimensions.len();
    let found = Found::of(counting)?;
    let mut counts = vec![0u64; found.bins.sorted.len()];
    found.each_chosen(|_, cell| counts[found.bins.place(cell)] += 1)?;
    let bins = found.bins;
    let places: Vec<usize> = (0..counts.len()).filter(|place| counts[*place] > 0).collect();
    let mut begin = 0;
    Ok(TrueCounts::new(
        Shape::Found { dimensions },
        std::iter::from_fn(move || {
            let end = (begin + BATCH_ROWS).min(places.len());
            if begin == end {
                return None;
            }
            let some = &places[begin..end];
            begin = end;
            let batch =
                bins.sorted.columns(some.iter().copied()).map_err(DataFusionError::from).and_then(|mut columns| {
                    columns.push(Arc::new(UInt64Array::from_iter_values(some.iter().map(|place| counts[*place]))));
                    named_batch(columns)
                });
            Some(batch.map_err(|_| CountError::Failed))
        }),
    ))
}

/// Counts every two items that a person has.
fn count_pairs(counting: Counting) -> Result<TrueCounts, DataFusionError> {
    let found = Found::of(counting)?;
    let (mut basket, mut chooser) = (Chooser::new(&found.query.bounding_key, MOST_ITEMS), chooser(&found.query)?);
    let (mut items, mut pairs): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
    let mut counts: HashMap<u64, u64> = HashMap::new();
    // A pair is one number: the places of its items in the order of keys, the lower above.
    let places = |pair: u64| ((pair >> 32) as usize, (pair & u64::from(u32::MAX)) as usize);
    for batch in &found.persons {
        each_person(batch, &found.who, |person, cells| {
            items.clear();
            let key = |cell, key: &mut Vec<u8>| key.extend_from_slice(found.bins.key(cell));
            basket.choose(person, cells, key, |cell| items.push(found.bins.place(cell) as u64));
            items.sort_unstable();
            pairs.clear();
            for (at, first) in items.iter().enumerate() {
                pairs.extend(items[at + 1..].iter().map(|second| first << 32 | second));
            }
            let key = |pair, key: &mut Vec<u8>| {
                let (first, second) = places(pair);
                key.extend_from_slice(found.bins.key_at(first));
                key.extend_from_slice(found.bins.key_at(second));
            };
            chooser.choose(person, &pairs, key, |pair| *counts.entry(pair).or_default() += 1);
        })?;
    }
    let bins = found.bins;
    let mut sorted: Vec<(u64, u64)> = counts.into_iter().collect();
    sorted.sort_unstable();
    let mut begin = 0;
    Ok(TrueCounts::new(
        Shape::Found { dimensions: 2 },
        std::iter::from_fn(move || {
            let end = (begin + BATCH_ROWS).min(sorted.len());
            if begin == end {
                return None;
            }
            let some = &sorted[begin..end];
            begin = end;
            let mut columns = Vec::new();
            for side in [|pair: (usize, usize)| pair.0, |pair: (usize, usize)| pair.1] {
                match bins.sorted.columns(some.iter().map(|(pair, _)| side(places(*pair)))) {
                    Ok(own) => columns.extend(own),
                    Err(_) => return Some(Err(CountError::Failed)),
                }
            }
            columns.push(Arc::new(UInt64Array::from_iter_values(some.iter().map(|(_, count)| *count))));
            Some(named_batch(columns).map_err(|_| CountError::Failed))
        }),
    ))
}

/// Tallies the chosen bins of all persons by number, each person with her canonical bytes.
pub(crate) fn tallied<T: Tally>(counting: Counting, mut tally: T) -> Result<T, DataFusionError> {
    match counting.query.cells() {
        QueryCells::Declared(_) => Persons::in_cells(counting)?.chosen(tally),
        QueryCells::Found => {
            Found::of(counting)?.each_chosen(|person, cell| tally.add(person, cell))?;
            Ok(tally)
        }
        QueryCells::TooMany => exec_err!("too many cells"),
    }
}

/// Persons with the numbers of their bins, where bins are found in the data.
struct Found {
    query: Query,
    who: Participants,
    bins: Bins,
    persons: Vec<RecordBatch>,
}

impl Found {
    fn of(counting: Counting) -> Result<Self, DataFusionError> {
        let threads = counting.threads();
        let Counting { runtime, context, query, cutters, rows, who, .. } = counting;
        let rows = with_keys(rows, cutters, &query)?;
        let dimensions = match query.items() {
            Items::Each => query.dimensions.len(),
            // Both sides of a pair are the same items.
            Items::Pairs => 1,
        };
        let (interner, rows) = interned(rows, dimensions, &query)?;
        // Everything must have been read before the first choice: then the bins are complete and can be sorted.
        let plan = sets(rows, &query, threads)?;
        let persons = runtime.block_on(async {
            let mut batches = Vec::new();
            for stream in &mut execute_stream_partitioned(plan, context)? {
                while let Some(batch) = stream.next().await {
                    batches.push(batch?);
                }
            }
            Ok::<_, DataFusionError>(batches)
        })?;
        Ok(Found { query, who, bins: Bins::of(interner.take_sorted())?, persons })
    }

    /// Calls back with the canonical bytes of every person who is counted and the number of each of her bins that
    /// counts.
    fn each_chosen(&self, mut chosen: impl FnMut(&[u8], u64)) -> Result<(), DataFusionError> {
        let mut chooser = chooser(&self.query)?;
        for batch in &self.persons {
            each_person(batch, &self.who, |person, cells| {
                let key = |cell, key: &mut Vec<u8>| key.extend_from_slice(self.bins.key(cell));
                chooser.choose(person, cells, key, |cell| chosen(person, cell));
            })?;
        }
        Ok(())
    }
}

/// Returns the number of each row's bin, its person, and its period where there is time; and what numbers the bins.
fn interned(rows: Parts, dimensions: usize, query: &Query) -> Result<(Arc<Interner>, Parts), DataFusionError> {
    let schema = rows.schema();
    let kinds: Vec<DataType> = schema.fields().iter().take(dimensions).map(|field| field.data_type().clone()).collect();
    let interner = Arc::new(Interner::new(&kinds)?);
    let whose = schema.index_of(UNIT)?;
    let has_time = query.time.is_some();
    let given = whose_bins(schema.field(whose).clone(), has_time);
    let (numbers, made) = (Arc::clone(&interner), Arc::clone(&given));
    let rows = rows.worked(given, move || {
        let (numbers, made) = (Arc::clone(&numbers), Arc::clone(&made));
        Box::new(move |batch| {
            let bins = numbers.numbers(&batch.columns()[..dimensions]).map_err(DataFusionError::from);
            one(bins.and_then(|bins| {
                let period = has_time.then(|| Arc::clone(batch.column(0)));
                of_somebody(Arc::new(bins), Arc::clone(batch.column(whose)), period, &made)
            }))
        })
    });
    Ok((interner, rows))
}

/// The columns of a row whose bin has a number.
pub(crate) fn whose_bins(person: Field, has_time: bool) -> SchemaRef {
    let period = has_time.then(|| Field::new(PERIOD, DataType::UInt64, true));
    let fields = [Field::new(CELL, DataType::UInt64, false), person].into_iter().chain(period);
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Returns the rows that are somebody's.
pub(crate) fn of_somebody(
    bins: ArrayRef,
    persons: ArrayRef,
    period: Option<ArrayRef>,
    schema: &SchemaRef,
) -> Result<RecordBatch, DataFusionError> {
    let known = arrow_arith::boolean::is_not_null(&persons)?;
    let columns = [bins, persons].into_iter().chain(period).collect();
    let batch = RecordBatch::try_new(Arc::clone(schema), columns)?;
    Ok(if known.false_count() == 0 { batch } else { filter_record_batch(&batch, &known)? })
}

/// Returns each person with her distinct bins. Rows go to the thread of their person first, so that sets are made once.
///
/// Where there is time, her bins of each period are a set of their own.
pub(crate) fn sets(rows: Parts, query: &Query, threads: usize) -> Result<Arc<dyn ExecutionPlan>, DataFusionError> {
    let rows = rows.plan()?;
    let cells = Aggregate { function: distinct_cells(), of: column(CELL, &rows.schema())?, name: BINS };
    let whose: Vec<String> = [UNIT].into_iter().chain(query.time.map(|_| PERIOD)).map(str::to_owned).collect();
    grouped_apart(rows, &whose, cells, threads)
}

/// Persons with the numbers of their cells, where all bins are declared: still to be read.
struct Persons {
    runtime: Runtime,
    context: Arc<TaskContext>,
    query: Query,
    who: Participants,
    plan: Arc<dyn ExecutionPlan>,
}

impl Persons {
    fn in_cells(counting: Counting) -> Result<Persons, DataFusionError> {
        let threads = counting.threads();
        let Counting { runtime, context, query, cutters, rows, who, .. } = counting;
        let rows = with_cells(rows, cutters, &query)?;
        let (has_time, cells) = (query.time.is_some(), cells_of_a_period(&query));
        let given = whose_bins(rows.schema().field_with_name(UNIT)?.clone(), has_time);
        let made = Arc::clone(&given);
        let rows = rows.worked(given, move || {
            let made = Arc::clone(&made);
            Box::new(move |batch| {
                let [numbers, persons] = batch.columns() else { return one(exec_err!("no persons")) };
                let Some(of) = numbers.as_primitive_opt::<UInt64Type>() else { return one(exec_err!("no cells")) };
                // Time is the first dimension of all.
                let period = || Arc::new(of.unary::<_, UInt64Type>(|cell| cell / cells)) as ArrayRef;
                let period = has_time.then(period);
                one(of_somebody(Arc::clone(numbers), Arc::clone(persons), period, &made))
            })
        });
        let plan = sets(rows, &query, threads)?;
        Ok(Persons { runtime, context, query, who, plan })
    }

    /// Counts the chosen bins of all persons, each part in a task of its own.
    fn chosen<T: Tally>(self, mut sum: T) -> Result<T, DataFusionError> {
        let Persons { runtime, context, query, who, plan } = self;
        runtime.block_on(async move {
            let mut tasks = Vec::new();
            for mut stream in execute_stream_partitioned(plan, context)? {
                let (mut chooser, mut tally, who) = (chooser(&query)?, sum.fresh(), who.clone());
                tasks.push(tokio::spawn(async move {
                    while let Some(batch) = stream.next().await {
                        each_person(&batch?, &who, |person, cells| {
                            chooser.choose(person, cells, write_cell, |cell| tally.add(person, cell));
                        })?;
                    }
                    Ok::<_, DataFusionError>(tally)
                }));
            }
            for task in tasks {
                sum.merge(task.await.map_err(|_| DataFusionError::External("a thread stopped".into()))??);
            }
            Ok(sum)
        })
    }
}

pub(crate) fn chooser(query: &Query) -> Result<Chooser, DataFusionError> {
    match &query.unit {
        Unit::Person { bins_per_person, .. } => Ok(Chooser::new(&query.bounding_key, *bins_per_person)),
        Unit::Row | Unit::People { .. } => exec_err!("rows have no bins to choose"),
    }
}

/// Where chosen bins are counted.
pub(crate) trait Tally: Send + Sized + 'static {
    fn fresh(&self) -> Self;
    fn add(&mut self, person: &[u8], cell: u64);
    fn merge(&mut self, other: Self);
}

struct Array64(Vec<u64>);

impl Tally for Array64 {
    fn fresh(&self) -> Self {
        Array64(vec![0; self.0.len()])
    }

    fn add(&mut self, _person: &[u8], cell: u64) {
        self.0[cell as usize] += 1;
    }

    fn merge(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, part)| *sum = sum.saturating_add(part));
    }
}

impl Tally for HashMap<u64, u64> {
    fn fresh(&self) -> Self {
        HashMap::new()
    }

    fn add(&mut self, _person: &[u8], cell: u64) {
        *self.entry(cell).or_default() += 1;
    }

    fn merge(&mut self, other: Self) {
        for (cell, part) in other {
            let sum = self.entry(cell).or_default();
            *sum = sum.saturating_add(part);
        }
    }
}

/// Calls back with the canonical bytes and the cells of every person in a batch who is counted: all her rows, or none.
pub(crate) fn each_person(
    batch: &RecordBatch,
    who: &Participants,
    mut person: impl FnMut(&[u8], &[u64]),
) -> Result<(), DataFusionError> {
    let (Some(persons), Some(bins)) = (batch.columns().first(), batch.columns().last()) else {
        return exec_err!("no persons");
    };
    let Ok(persons) = KeyBytes::new(persons.as_ref()) else { return exec_err!("persons of an unknown type") };
    let Some(lists) = bins.as_list_opt::<i32>() else { return exec_err!("no bins") };
    let Some(cells) = lists.values().as_primitive_opt::<UInt64Type>() else { return exec_err!("no cells") };
    let mut bytes = Vec::new();
    for row in 0..batch.num_rows() {
        let (from, to) = (lists.value_offsets()[row] as usize, lists.value_offsets()[row + 1] as usize);
        bytes.clear();
        persons.write(row, &mut bytes);
        if who.counts(&bytes) {
            person(&bytes, &cells.values()[from..to]);
        }
    }
    Ok(())
}

/// Found bins with their canonical bytes, by their numbers.
pub(crate) struct Bins {
    pub(crate) sorted: Sorted,
    places: Vec<u32>,
    offsets: Vec<usize>,
    keys: Vec<u8>,
}

impl Bins {
    pub(crate) fn of(sorted: Sorted) -> Result<Self, DataFusionError> {
        let Ok(count) = u32::try_from(sorted.len()) else { return exec_err!("too many bins") };
        let most = sorted.numbers().max().map_or(0, |number| number as usize + 1);
        let mut places = vec![0; most];
        (0..count).zip(sorted.numbers()).for_each(|(place, number)| places[number as usize] = place);
        let (mut offsets, mut keys) = (vec![0], Vec::new());
        for begin in (0..sorted.len()).step_by(BATCH_ROWS) {
            let end = (begin + BATCH_ROWS).min(sorted.len());
            let columns = sorted.columns(begin..end)?;
            let Ok(columns) =
                columns.iter().map(|column| KeyBytes::new(column.as_ref())).collect::<Result<Vec<_>, _>>()
            else {
                return exec_err!("bins of an unknown type");
            };
            for row in 0..end - begin {
                columns.iter().for_each(|column| column.write(row, &mut keys));
                offsets.push(keys.len());
            }
        }
        Ok(Bins { sorted, places, offsets, keys })
    }

    pub(crate) fn place(&self, number: u64) -> usize {
        self.places[number as usize] as usize
    }

    pub(crate) fn key(&self, number: u64) -> &[u8] {
        self.key_at(self.place(number))
    }

    pub(crate) fn key_at(&self, place: usize) -> &[u8] {
        &self.keys[self.offsets[place]..self.offsets[place + 1]]
    }
}

const _: () = assert!(NOT_COUNTED == u64::MAX);
