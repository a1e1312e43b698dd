//! In how large groups each person is, over several queries: the one place where true group sizes leave the engine.
//!
//! They are for the steward's screen (`incrowd ledger exposure`), where a person's losses are added up (OP Definition
//! 2); it must never serve a release, and no count here passes through `TrueCounts`, whose only exit is a mechanism. It
//! is separate from the trait that all engines have, so that nothing that knows only an engine can ask. People are
//! linked by their identifier, or, where a row is a person, by reading all queries' bins off the same row. Read
//! `compute.rs` and `persons.rs` next.

use crate::compute::RowComputation;
use crate::counting::{Opened, computed, failure, open, start};
use crate::cut::Cutter;
use crate::engine::DataFusionEngine;
use crate::grouped::{how_many, key_fields, keys, unit, unit_field};
use crate::grouping::grouped;
use crate::interner::Interner;
use crate::parts::one;
use crate::persons::{Tally, tallied};
use crate::ready::Ready;
use crate::source::Format;
use arrow_arith::boolean::and;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use datafusion_common::{DataFusionError, exec_err};
use datafusion_physical_plan::collect;
use incrowd_engine::{CountError, InputSize, Participants, PrepareError, Query, RowType, Unit, Watch};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

impl DataFusionEngine {
    /// Checks several queries, and that the people of the first can be followed through the others, without reading a
    /// row.
    pub fn exposure(&self, queries: &[Query]) -> Result<Exposure, Unlinked> {
        let mut all: Vec<Ready> = Vec::new();
        for (query, asked) in queries.iter().enumerate() {
            let refused = |problem| Unlinked::Refused { query, problem };
            let ready = self.ready(asked).map_err(refused)?;
            if let Some(first) = all.first()
                && let Some(why) = apart(first, &ready)
            {
                return Err(Unlinked::Apart { query, why });
            }
            all.push(ready);
        }
        Ok(Exposure { ready: all })
    }
}

/// Why people cannot be followed through several queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unlinked {
    /// One of them cannot be asked.
    Refused {
        /// Which.
        query: usize,
        /// Why.
        problem: PrepareError,
    },
    /// One of them is about people who cannot be found again among those of the first.
    Apart {
        /// Which.
        query: usize,
        /// Why.
        why: WhyUnlinked,
    },
}

/// What keeps the people of two queries apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyUnlinked {
    /// Who is one person differs.
    Unit,
    /// The columns that name a person differ.
    PersonColumn,
    /// The columns that name a person have different types, whose values are never equal.
    PersonType,
    /// Rows, which have no names, of different files.
    Source,
    /// Rows whose columns are read as other types, in another time zone or in another dialect.
    Reading,
}

impl fmt::Display for WhyUnlinked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WhyUnlinked::Unit => "who is one person differs",
            WhyUnlinked::PersonColumn => "`person` is another column",
            WhyUnlinked::PersonType => "`person` has another type, whose values are never equal",
            WhyUnlinked::Source => "rows without a `person` are found again only in the same files",
            WhyUnlinked::Reading => {
                "rows without a `person` are found again only with the same [data.types], timezone and dialect"
            }
        })
    }
}

impl WhyUnlinked {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            WhyUnlinked::Unit => "name requests with the same `person` or `people`, or with neither",
            WhyUnlinked::PersonColumn | WhyUnlinked::Source | WhyUnlinked::Reading => {
                "ask for their exposures one by one"
            }
            WhyUnlinked::PersonType => {
                "ask for their exposures one by one; in later requests, declare one type in [data.types]"
            }
        }
    }
}

/// Several queries about the same people, ready to be read.
pub struct Exposure {
    ready: Vec<Ready>,
}

impl Exposure {
    /// Returns how much there is to read: rows are read once for all queries, persons once for each.
    pub fn input(&self) -> InputSize {
        let reads = if self.is_of_persons() { self.ready.len() } else { 1 };
        let mut bytes = self.ready.iter().take(reads).map(|ready| ready.files.bytes());
        InputSize { bytes: bytes.try_fold(0, |sum: u64, bytes| Some(sum.saturating_add(bytes?))) }
    }

    /// Returns in how large groups people are: true sizes, which only the steward may see.
    pub fn reveal_group_sizes(self, watch: Arc<dyn Watch>) -> Result<Exposed, CountError> {
        let stopped = Arc::clone(&watch);
        let found = if self.is_of_persons() { of_persons(self.ready, watch) } else { of_rows(self.ready, watch) };
        found.map_err(|_| failure(&*stopped))
    }

    fn is_of_persons(&self) -> bool {
        self.ready.iter().any(|ready| matches!(ready.query.unit, Unit::Person { .. }))
    }
}

/// Everybody who is counted in at least one query, by the sizes of the groups that they are in.
///
/// Mute: what is in it can be taken out once, and not be printed by mistake.
#[derive(Default)]
pub struct Exposed {
    groups: HashMap<Vec<InBin>, u64>,
}

impl fmt::Debug for Exposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Exposed")
    }
}

/// People whose groups have the same sizes in every query.
pub struct Group {
    /// The groups that each of them is in; at least one.
    pub bins: Vec<InBin>,
    /// How many they are; at least one.
    pub people: u64,
}

/// Being counted in one bin of one query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InBin {
    /// Which query, by its place among those that were asked.
    pub query: usize,
    /// How many people are in the bin; at least one.
    pub size: u64,
}

impl Exposed {
    /// Returns the people, in no order.
    pub fn groups(self) -> impl Iterator<Item = Group> {
        self.groups.into_iter().map(|(bins, people)| Group { bins, people })
    }

    fn add(&mut self, bins: &[InBin], people: u64) {
        if bins.is_empty() || people == 0 {
            return;
        }
        match self.groups.get_mut(bins) {
            Some(sum) => *sum = sum.saturating_add(people),
            None => {
                self.groups.insert(bins.to_vec(), people);
            }
        }
    }
}

fn apart(first: &Ready, other: &Ready) -> Option<WhyUnlinked> {
    match (&first.query.unit, &other.query.unit) {
        (Unit::Person { column, .. }, Unit::Person { column: another, .. }) if column != another => {
            Some(WhyUnlinked::PersonColumn)
        }
        (Unit::Person { .. }, Unit::Person { .. }) => {
            (!can_be_equal(first.person.as_ref(), other.person.as_ref())).then_some(WhyUnlinked::PersonType)
        }
        (one @ (Unit::Row | Unit::People { .. }), another @ (Unit::Row | Unit::People { .. })) if one == another => {
            let (source, other_source) = (&first.query.source, &other.query.source);
            if paths(first) != paths(other) {
                Some(WhyUnlinked::Source)
            } else if source.types != other_source.types
                || source.timezone != other_source.timezone
                || source.dialect != other_source.dialect
            {
                Some(WhyUnlinked::Reading)
            } else {
                None
            }
        }
        (Unit::Row | Unit::People { .. } | Unit::Person { .. }, _) => Some(WhyUnlinked::Unit),
    }
}

/// The files behind a source, whatever the way to them.
fn paths(ready: &Ready) -> Vec<PathBuf> {
    let paths = ready.files.files.iter().map(|file| &file.path);
    paths.map(|path| path.canonicalize().unwrap_or_else(|_| path.clone())).collect()
}

/// Whether persons of these types can have the same canonical bytes.
fn can_be_equal(one: Option<&RowType>, other: Option<&RowType>) -> bool {
    use RowType::{Decimal, Integer, Timestamp, Unsigned};
    match (one, other) {
        (Some(Integer | Unsigned), Some(Integer | Unsigned)) => true,
        (Some(Timestamp { zone, .. }), Some(Timestamp { zone: another, .. })) => zone == another,
        (Some(Decimal { scale, .. }), Some(Decimal { scale: another, .. })) => scale == another,
        (one, other) => one == other,
    }
}

/// Reads each row once and notes its bins in all queries, so that no row needs a name.
fn of_rows(mut all: Vec<Ready>, watch: Arc<dyn Watch>) -> Result<Exposed, DataFusionError> {
    let queries: Vec<Query> = all.iter().map(|ready| ready.query.clone()).collect();
    let wanted = Arc::new(wanted_by_any(&all));
    // All queries make their texts of the same rows.
    let batch_rows = all.iter().map(|ready| ready.batch_rows).min().unwrap_or(1) / all.len().max(1);
    let Some(mut ready) = all.drain(..).next() else { return Ok(Exposed::default()) };
    ready.wanted = wanted;
    ready.batch_rows = batch_rows.max(1);
    let Opened { runtime, delivered, table } = open(&ready, &Participants::Everybody, &watch)?;
    let views = queries.iter().map(|query| View::of(query, &delivered)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = views.first() else { return Ok(Exposed::default()) };
    let names: Vec<String> = (0..queries.len()).map(|index| format!("bin{index}")).collect();
    let bins = names.iter().map(|name| Field::new(name, DataType::UInt64, true));
    let fields = bins.chain(unit_field(&ready.query, first.rows.schema()));
    let schema: SchemaRef = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let given = Arc::clone(&schema);
    let rows = table.worked(schema, move || {
        let (mut views, given) = (views.clone(), Arc::clone(&given));
        Box::new(move |batch| one(side_by_side(&mut views, &batch, &given)))
    });
    let rows = rows.plan()?;
    let counts = how_many(&ready.query, &rows.schema())?;
    let grouped = grouped(rows, &names, counts, ready.settings.threads.max(1))?;
    exposed(&runtime.block_on(collect(grouped, ready.context))?, queries.len())
}

/// One query's view of a row.
#[derive(Clone)]
struct View {
    query: Query,
    rows: Arc<RowComputation>,
    cutters: Vec<Option<Cutter>>,
    bins: Arc<Interner>,
}

impl View {
    fn of(query: &Query, delivered: &SchemaRef) -> Result<View, DataFusionError> {
        let (cutters, rows) = computed(query, delivered)?;
        let kinds = key_fields(&cutters, rows.schema())?;
        let kinds: Vec<DataType> = kinds.into_iter().map(|field| field.data_type().clone()).collect();
        let bins = Arc::new(Interner::new(&kinds)?);
        Ok(View { query: query.clone(), rows: Arc::new(rows), cutters, bins })
    }

    /// Returns the number of each row's bin, missing where the query does not count the row; and the rows' units.
    fn bins(&mut self, batch: &RecordBatch) -> Result<(ArrayRef, Option<ArrayRef>), DataFusionError> {
        let (values, holds) = self.rows.all(batch)?;
        let (values, units) = values.columns().split_at(self.cutters.len().min(values.num_columns()));
        let (keys, counted) = keys(values, &mut self.cutters, &self.query);
        let numbers = self.bins.numbers(&keys)?;
        let counted: Option<BooleanArray> = match (holds, counted) {
            (Some(holds), Some(counted)) => Some(and(&holds, &counted)?),
            (one, other) => one.or(other),
        };
        let bins: UInt64Array = match counted {
            None => numbers,
            Some(counted) => {
                let numbers = numbers.values().iter().zip(counted.values());
                numbers.map(|(number, counted)| counted.then_some(*number)).collect()
            }
        };
        Ok((Arc::new(bins), unit(&self.query, units)?))
    }
}

/// Returns every row as all queries see it: its bin in each, and its unit if there is one.
fn side_by_side(views: &mut [View], batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, DataFusionError> {
    let mut columns = Vec::new();
    let mut units = None;
    for view in views {
        let (bins, unit) = view.bins(batch)?;
        columns.push(bins);
        units = units.or(unit);
    }
    columns.extend(units);
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}

/// The columns that any of the queries needs, in the order of the files.
fn wanted_by_any(all: &[Ready]) -> Schema {
    let needed = || all.iter().flat_map(|ready| ready.wanted.fields().iter());
    let of_files = all.first().filter(|ready| ready.files.format != Format::Json);
    match of_files {
        Some(ready) => {
            let fields = ready.files.schema.fields().iter();
            Schema::new(fields.filter(|field| needed().any(|other| other == *field)).cloned().collect::<Vec<_>>())
        }
        // Objects have no order.
        None => {
            let by_name: BTreeMap<&String, _> = needed().map(|field| (field.name(), field)).collect();
            Schema::new(by_name.into_values().cloned().collect::<Vec<_>>())
        }
    }
}

/// From how many people have the same bins to how many have bins of the same sizes.
fn exposed(batches: &[RecordBatch], queries: usize) -> Result<Exposed, DataFusionError> {
    let mut sizes: Vec<HashMap<u64, u64>> = vec![HashMap::new(); queries];
    each_combination(batches, |bins, people| {
        for (query, bin) in bins {
            let size = sizes[*query].entry(*bin).or_default();
            *size = size.saturating_add(people);
        }
    })?;
    let mut exposed = Exposed::default();
    let mut of_sizes = Vec::new();
    each_combination(batches, |bins, people| {
        of_sizes.clear();
        of_sizes.extend(bins.iter().map(|(query, bin)| InBin { query: *query, size: sizes[*query][bin] }));
        exposed.add(&of_sizes, people);
    })?;
    Ok(exposed)
}

/// Calls back with the queries that count some rows, the number of their bin in each, and how many people they are.
fn each_combination(
    batches: &[RecordBatch],
    mut combination: impl FnMut(&[(usize, u64)], u64),
) -> Result<(), DataFusionError> {
    let mut bins = Vec::new();
    for batch in batches {
        let Some((people, columns)) = batch.columns().split_last() else { return exec_err!("no people") };
        let Some(people) = people.as_primitive_opt::<UInt64Type>() else { return exec_err!("no people") };
        let numbers = |column: &ArrayRef| column.as_primitive_opt::<UInt64Type>().cloned();
        let Some(columns) = columns.iter().map(numbers).collect::<Option<Vec<_>>>() else {
            return exec_err!("no bins");
        };
        for (row, people) in people.values().iter().enumerate() {
            bins.clear();
            let counting = columns.iter().enumerate().filter(|(_, column)| column.is_valid(row));
            bins.extend(counting.map(|(query, column)| (query, column.value(row))));
            combination(&bins, *people);
        }
    }
    Ok(())
}

/// Reads each query's persons, and finds everybody again by her identifier.
fn of_persons(all: Vec<Ready>, watch: Arc<dyn Watch>) -> Result<Exposed, DataFusionError> {
    let mut everybody: Vec<(u128, InBin)> = Vec::new();
    for (query, ready) in all.into_iter().enumerate() {
        if watch.is_cancelled() {
            return exec_err!("stopped");
        }
        let Seen(seen) = tallied(start(ready, Participants::Everybody, Arc::clone(&watch))?, Seen::default())?;
        let mut sizes: HashMap<u64, u64> = HashMap::new();
        seen.iter().for_each(|(_, bin)| *sizes.entry(*bin).or_default() += 1);
        everybody.extend(seen.iter().map(|(person, bin)| (*person, InBin { query, size: sizes[bin] })));
    }
    everybody.sort_unstable();
    let mut exposed = Exposed::default();
    let mut bins = Vec::new();
    for one in everybody.chunk_by(|(person, _), (next, _)| person == next) {
        bins.clear();
        bins.extend(one.iter().map(|(_, bin)| *bin));
        exposed.add(&bins, 1);
    }
    Ok(exposed)
}

/// Who was seen in which bin. A person is half a SHA-256 of her canonical bytes: two people with the same have never
/// been seen, and nobody's name is kept.
#[derive(Default)]
struct Seen(Vec<(u128, u64)>);

impl Tally for Seen {
    fn fresh(&self) -> Self {
        Seen::default()
    }

    fn add(&mut self, person: &[u8], cell: u64) {
        let hash = Sha256::digest(person);
        let half = hash.iter().take(16).fold(0, |half, byte| (half << 8) | u128::from(*byte));
        self.0.push((half, cell));
    }

    fn merge(&mut self, other: Self) {
        self.0.extend(other.0);
    }
}
