//! In how large groups each person is, over several queries: the one place where true group sizes leave the engine.
//!
//! They are for the steward's screen (`incrowd ledger exposure`), where a person's losses are added up (OP Definition 2); it
//! must never serve a release, and no count here passes through `TrueCounts`, whose only exit is a mechanism. It is separate
//! from the trait that all engines have, so that nothing that knows only an engine can ask. People are linked by their
//! identifier, or, where a row is a person, by reading all queries' bins off the same row. Read `rows.rs` and `persons.rs` next.

use crate::count::{Opened, failure, open, planned, start};
use crate::engine::{DataFusionEngine, Ready};
use crate::grouped::{keys, people, unit, whole};
use crate::persons::{Tally, interned, tallied};
use crate::rows::{RowPlan, UNIT, condition_name, dimension_name, named};
use crate::source::Format;
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Schema};
use datafusion::common::{DataFusionError, exec_err};
use datafusion::logical_expr::{Expr, when};
use incrowd_engine::{CountError, InputSize, Participants, PrepareError, Query, Unit, Watch};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

impl DataFusionEngine {
    /// Checks several queries, and that the people of the first can be followed through the others, without reading a row.
    pub fn exposure(&self, queries: &[Query]) -> Result<Exposure, Unlinked> {
        let mut all: Vec<Ready> = Vec::new();
        for (query, asked) in queries.iter().enumerate() {
            let refused = |problem| Unlinked::Refused { query, problem };
            let ready = self.ready(asked).map_err(refused)?;
            if let Some(first) = all.first()
                && let Some(why) = apart(first, &ready).map_err(refused)?
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
        why: Apart,
    },
}

/// What keeps the people of two queries apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apart {
    /// Who is one person differs.
    Unit,
    /// The columns that name a person differ.
    PersonColumn,
    /// The columns that name a person have different types, whose values are never equal.
    PersonType,
    /// Rows, which have no names, of different files.
    Source,
    /// Rows whose columns are read as other types, or in another time zone.
    Reading,
}

impl fmt::Display for Apart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Apart::Unit => "who is one person differs",
            Apart::PersonColumn => "`person` is another column",
            Apart::PersonType => "`person` has another type, whose values are never equal",
            Apart::Source => "rows without a `person` are found again only in the same files",
            Apart::Reading => "rows without a `person` are found again only with the same [data.types] and timezone",
        })
    }
}

impl Apart {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Apart::Unit => "name requests with the same `person` or `people`, or with neither",
            Apart::PersonColumn | Apart::Source | Apart::Reading => "ask for their exposures one by one",
            Apart::PersonType => {
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
        let bytes = self.ready.iter().take(reads).map(|ready| ready.files.bytes());
        InputSize { bytes: Some(bytes.fold(0, u64::saturating_add)) }
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

fn apart(first: &Ready, other: &Ready) -> Result<Option<Apart>, PrepareError> {
    Ok(match (&first.query.unit, &other.query.unit) {
        (Unit::Person { column, .. }, Unit::Person { column: another, .. }) if column != another => {
            Some(Apart::PersonColumn)
        }
        (Unit::Person { .. }, Unit::Person { .. }) => {
            (!can_be_equal(&person_type(first)?, &person_type(other)?)).then_some(Apart::PersonType)
        }
        (one @ (Unit::Row | Unit::People { .. }), another @ (Unit::Row | Unit::People { .. })) if one == another => {
            let (source, other_source) = (&first.query.source, &other.query.source);
            if paths(first) != paths(other) {
                Some(Apart::Source)
            } else if source.types != other_source.types || source.timezone != other_source.timezone {
                Some(Apart::Reading)
            } else {
                None
            }
        }
        (Unit::Row | Unit::People { .. } | Unit::Person { .. }, _) => Some(Apart::Unit),
    })
}

/// The files behind a source, whatever the way to them.
fn paths(ready: &Ready) -> Vec<PathBuf> {
    let paths = ready.files.files.iter().map(|file| &file.path);
    paths.map(|path| path.canonicalize().unwrap_or_else(|_| path.clone())).collect()
}

fn person_type(ready: &Ready) -> Result<DataType, PrepareError> {
    let plan = RowPlan::on_delivered(&ready.context, &ready.wanted, &ready.query)?;
    let nobody = ready.context.read_batch(RecordBatch::new_empty(Arc::clone(&ready.wanted)));
    let kind = nobody.and_then(|nobody| plan.values_of(nobody)).and_then(|values| {
        let field = values.schema().field_with_unqualified_name(UNIT)?;
        Ok(field.data_type().clone())
    });
    kind.map_err(|_| PrepareError::NoEngine { reason: "the columns cannot be planned".into() })
}

/// Whether persons of these types can have the same canonical bytes.
fn can_be_equal(one: &DataType, other: &DataType) -> bool {
    match (one, other) {
        (DataType::Int64 | DataType::UInt64, DataType::Int64 | DataType::UInt64) => true,
        (DataType::Timestamp(_, zone), DataType::Timestamp(_, another)) => zone == another,
        (DataType::Decimal128(_, scale), DataType::Decimal128(_, another)) => scale == another,
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
    let plans = queries.iter().map(|query| planned(&ready, &delivered, query)).collect::<Result<Vec<_>, _>>()?;
    let rows = RowPlan::side_by_side(&plans, table)?;

    let mut selected: Vec<Expr> = unit(&ready.query).into_iter().collect();
    let mut counted = Vec::new();
    let mut names: Vec<Vec<String>> = Vec::new();
    let mut first = 0;
    for (index, (plan, query)) in plans.into_iter().zip(&queries).enumerate() {
        let (key, is_counted) = keys(&rows, plan.cutters, query, first)?;
        selected.extend(key);
        selected.push(named(&condition_name(index)));
        let holds = named(&condition_name(index));
        counted.push(is_counted.map_or(holds.clone(), |is_counted| holds.and(is_counted)));
        names.push((first..first + query.dimensions.len()).map(dimension_name).collect());
        first += query.dimensions.len();
    }
    let rows = rows.select(selected)?;

    let bin = |index: usize| format!("bin{index}");
    let mut selected: Vec<Expr> = unit(&ready.query).into_iter().collect();
    for (index, (names, counted)) in names.iter().zip(counted).enumerate() {
        let (_, number) = interned(&rows, names, &bin(index))?;
        selected.push(when(counted, number).end()?.alias(bin(index)));
    }
    let bins = (0..queries.len()).map(|index| named(&bin(index))).collect();
    let grouped = rows.select(selected)?.aggregate(bins, vec![people(&ready.query)?])?;
    exposed(&runtime.block_on(grouped.collect())?, queries.len())
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
        let people = whole(people)?;
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

/// Who was seen in which bin. A person is half a SHA-256 of her canonical bytes: two people with the same have never been
/// seen, and nobody's name is kept.
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
