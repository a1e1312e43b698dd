//! Many declared cells, and bins that are found in the data: grouped and sorted within a limit of memory.
//!
//! Groups come in the order of their keys. It must never let the order tell how rows were spread over threads. It is
//! separate from the dense array because it may spill to disk. Read `grouping.rs` for how, `persons.rs` for people with
//! many rows.

use crate::compute::{UNIT, dimension_name};
use crate::counting::{Counting, streamed};
use crate::cut::{Cutter, NOT_COUNTED, cells as cells_of};
use crate::dense::declared_schema;
use crate::grouping::{Aggregate, column, grouped, sorted};
use crate::parts::{Batches, Parts, one};
use crate::people::people;
use arrow_array::builder::{UInt32Builder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use arrow_select::take::take;
use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_physical_expr::PhysicalExpr;
use datafusion_physical_expr::expressions::Literal;
use datafusion_physical_plan::execute_stream;
use incrowd_engine::{Dimension, Nulls, Query, QueryCells, Shape, Time, TrueCounts, Unit};
use std::sync::Arc;

/// The name of the column that holds the number of a cell.
pub(crate) const CELL: &str = "cell";
const COUNT: &str = "count";

/// Counts declared cells that are too many for an array.
pub(crate) fn count_declared(counting: Counting, cells: u64) -> Result<TrueCounts> {
    let threads = counting.threads();
    let Counting { runtime, context, query, cutters, rows, watch, .. } = counting;
    let rows = with_cells(rows, cutters, &query)?.plan()?;
    let keys = [CELL.to_owned()];
    let counts = how_many(&query, &rows.schema())?;
    let sorted = sorted(grouped(rows, &keys, counts, threads)?, &keys)?;
    let stream = runtime.block_on(async { execute_stream(sorted, context) })?;
    let schema = declared_schema();
    Ok(streamed(Shape::Declared { cells }, runtime, stream, watch, move |batch| {
        Ok(RecordBatch::try_new(Arc::clone(&schema), batch.columns().to_vec())?)
    }))
}

/// Counts bins that are found in the data.
pub(crate) fn count_found(counting: Counting) -> Result<TrueCounts> {
    let threads = counting.threads();
    let Counting { runtime, context, query, cutters, rows, watch, .. } = counting;
    let rows = with_keys(rows, cutters, &query)?.plan()?;
    let keys: Vec<String> = (0..query.dimensions.len()).map(dimension_name).collect();
    let counts = how_many(&query, &rows.schema())?;
    let sorted = sorted(grouped(rows, &keys, counts, threads)?, &keys)?;
    let stream = runtime.block_on(async { execute_stream(sorted, context) })?;
    let shape = Shape::Found { dimensions: query.dimensions.len() };
    Ok(streamed(shape, runtime, stream, watch, |batch| named_batch(batch.columns().to_vec())))
}

/// Columns of keys and counts as a batch, under running names.
pub(crate) fn named_batch(columns: Vec<ArrayRef>) -> Result<RecordBatch> {
    let fields = columns.iter().enumerate();
    let fields = fields.map(|(index, column)| Field::new(dimension_name(index), column.data_type().clone(), true));
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields.collect::<Vec<_>>())), columns)?)
}

/// How many people a group has: its rows, or what they stand for.
pub(crate) fn how_many(query: &Query, rows: &Schema) -> Result<Aggregate> {
    let of: Arc<dyn PhysicalExpr> = match query.unit {
        Unit::Row | Unit::Person { .. } => Arc::new(Literal::new(ScalarValue::UInt64(Some(1)))),
        Unit::People { .. } => column(UNIT, rows)?,
    };
    Ok(Aggregate { function: people(), of, name: COUNT })
}

/// Returns the cell of each row that is counted, and its unit if there is one.
pub(crate) fn with_cells(rows: Parts, cutters: Vec<Option<Cutter>>, query: &Query) -> Result<Parts> {
    let cutters: Vec<Cutter> = cutters.into_iter().flatten().collect();
    let fields = [Field::new(CELL, DataType::UInt64, false)].into_iter().chain(unit_field(query, rows.schema()));
    let schema: SchemaRef = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let (given, asked) = (Arc::clone(&schema), query.clone());
    let rows = rows.worked(schema, move || {
        let (mut cutters, given, asked) = (cutters.clone(), Arc::clone(&given), asked.clone());
        let mut cells = Vec::new();
        Box::new(move |batch| {
            let (values, units) = batch.columns().split_at(cutters.len().min(batch.num_columns()));
            cells_of(&mut cutters, values, &mut cells);
            one(numbered(&cells, units, &asked, &given))
        })
    });
    match (query.time, query.cells()) {
        (Some(Time::Running), QueryCells::Declared(cells)) => onwards(rows, CELL, cells, cells_of_a_period(query)),
        (Some(Time::Apart) | None, _) | (Some(Time::Running), QueryCells::Found | QueryCells::TooMany) => Ok(rows),
    }
}

fn numbered(cells: &[u64], units: &[ArrayRef], query: &Query, schema: &SchemaRef) -> Result<RecordBatch> {
    let counted: BooleanArray = cells.iter().map(|cell| Some(*cell != NOT_COUNTED)).collect();
    let cells: ArrayRef = Arc::new(UInt64Array::from(cells.to_vec()));
    let columns = [cells].into_iter().chain(unit(query, units)?).collect();
    Ok(filter_record_batch(&RecordBatch::try_new(Arc::clone(schema), columns)?, &counted)?)
}

/// Returns how many cells each period has, time being the first dimension; at least one.
pub(crate) fn cells_of_a_period(query: &Query) -> u64 {
    let sizes = query.dimensions.iter().skip(1).map(|dimension| dimension.size().unwrap_or(1));
    sizes.fold(1, u64::saturating_mul).max(1)
}

/// So many rows are made at a time where one becomes many.
const ROWS_AT_A_TIME: u64 = 1 << 16;

/// Repeats each row for its own number in a column and for every later one below `end`, so many apart.
fn onwards(rows: Parts, name: &str, end: u64, apart: u64) -> Result<Parts> {
    let schema = Arc::clone(rows.schema());
    let (place, given) = (schema.index_of(name)?, Arc::clone(&schema));
    let taken_at_a_time = ROWS_AT_A_TIME.checked_div(end / apart.max(1)).unwrap_or(ROWS_AT_A_TIME).max(1) as usize;
    Ok(rows.worked(schema, move || {
        let given = Arc::clone(&given);
        Box::new(move |batch| -> Batches {
            let given = Arc::clone(&given);
            let slices = (0..batch.num_rows()).step_by(taken_at_a_time);
            Box::new(slices.map(move |from| {
                let slice = batch.slice(from, taken_at_a_time.min(batch.num_rows() - from));
                repeated(&slice, place, (end, apart), &given)
            }))
        })
    }))
}

/// Repeats each row for its own number in a column and for every later one below an end, so many apart.
pub(crate) fn repeated(
    batch: &RecordBatch,
    place: usize,
    (end, apart): (u64, u64),
    schema: &SchemaRef,
) -> Result<RecordBatch> {
    let Some(numbers) = batch.column(place).as_primitive_opt::<UInt64Type>() else { return exec_err!("no periods") };
    let (mut rows, mut later) = (UInt32Builder::new(), UInt64Builder::new());
    for (row, number) in (0u32..).zip(numbers.values()) {
        let all = std::iter::successors(Some(*number), |number| number.checked_add(apart));
        for number in all.take_while(|number| *number < end) {
            rows.append_value(row);
            later.append_value(number);
        }
    }
    let (rows, later): (_, ArrayRef) = (rows.finish(), Arc::new(later.finish()));
    let columns = batch.columns().iter().enumerate().map(|(column, array)| match column == place {
        true => Ok(Arc::clone(&later)),
        false => Ok(take(array, &rows, None)?),
    });
    Ok(RecordBatch::try_new(Arc::clone(schema), columns.collect::<Result<Vec<_>>>()?)?)
}

/// Returns the key of each row that is counted, declared dimensions as codes, and its unit if there is one.
pub(crate) fn with_keys(rows: Parts, cutters: Vec<Option<Cutter>>, query: &Query) -> Result<Parts> {
    let fields = key_fields(&cutters, rows.schema())?.into_iter().chain(unit_field(query, rows.schema()));
    let schema: SchemaRef = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let (given, asked) = (Arc::clone(&schema), query.clone());
    let rows = rows.worked(schema, move || {
        let (mut cutters, given, asked) = (cutters.clone(), Arc::clone(&given), asked.clone());
        Box::new(move |batch| one(keyed(&batch, &mut cutters, &asked, &given)))
    });
    match (query.time, query.dimensions.first().and_then(Dimension::size)) {
        (Some(Time::Running), Some(periods)) => onwards(rows, &dimension_name(0), periods, 1),
        (Some(Time::Running), None) => exec_err!("time is not declared"),
        (Some(Time::Apart) | None, _) => Ok(rows),
    }
}

fn keyed(
    batch: &RecordBatch,
    cutters: &mut [Option<Cutter>],
    query: &Query,
    schema: &SchemaRef,
) -> Result<RecordBatch> {
    let (values, units) = batch.columns().split_at(cutters.len().min(batch.num_columns()));
    let (keys, counted) = keys(values, cutters, query);
    let columns = keys.into_iter().chain(unit(query, units)?).collect();
    let batch = RecordBatch::try_new(Arc::clone(schema), columns)?;
    Ok(match counted {
        Some(counted) => filter_record_batch(&batch, &counted)?,
        None => batch,
    })
}

/// Returns the columns of a key: codes of declared dimensions, values of found ones.
pub(crate) fn key_fields(cutters: &[Option<Cutter>], rows: &Schema) -> Result<Vec<Field>> {
    let field = |(index, cutter): (usize, &Option<Cutter>)| {
        let name = dimension_name(index);
        let kind = match cutter {
            Some(_) => DataType::UInt64,
            None => rows.field_with_name(&name)?.data_type().clone(),
        };
        Ok(Field::new(name, kind, true))
    };
    cutters.iter().enumerate().map(field).collect()
}

/// Returns the key of each row, and which rows are counted by their keys; nothing if all are.
pub(crate) fn keys(
    values: &[ArrayRef],
    cutters: &mut [Option<Cutter>],
    query: &Query,
) -> (Vec<ArrayRef>, Option<BooleanArray>) {
    let mut keys = Vec::new();
    let mut counted: Option<Vec<bool>> = None;
    let mut codes = Vec::new();
    for ((cutter, dimension), values) in cutters.iter_mut().zip(&query.dimensions).zip(values) {
        let must_be_there = cutter.is_some() || dimension.nulls == Nulls::Drop;
        let key: ArrayRef = match cutter {
            None => Arc::clone(values),
            Some(cutter) => {
                cells_of(std::slice::from_mut(cutter), std::slice::from_ref(values), &mut codes);
                Arc::new(codes.iter().map(|code| (*code != NOT_COUNTED).then_some(*code)).collect::<UInt64Array>())
            }
        };
        if must_be_there && let Some(there) = key.logical_nulls() {
            let counted = counted.get_or_insert_with(|| vec![true; key.len()]);
            counted.iter_mut().zip(there.iter()).for_each(|(counted, there)| *counted &= there);
        }
        keys.push(key);
    }
    (keys, counted.map(BooleanArray::from))
}

/// Returns the column of a row's unit, if there is one: who it is, or how many.
pub(crate) fn unit_field(query: &Query, rows: &Schema) -> Option<Field> {
    match query.unit {
        Unit::Row => None,
        Unit::People { .. } => Some(Field::new(UNIT, DataType::UInt64, false)),
        Unit::Person { .. } => rows.field_with_name(UNIT).ok().cloned(),
    }
}

/// Returns the units of rows, if they have any; a weight that is missing or negative is none.
pub(crate) fn unit(query: &Query, units: &[ArrayRef]) -> Result<Option<ArrayRef>> {
    Ok(match (&query.unit, units.first()) {
        (Unit::Row, _) => None,
        (Unit::Person { .. }, Some(person)) => Some(Arc::clone(person)),
        (Unit::People { .. }, Some(people)) => {
            let Some(people) = people.as_primitive_opt::<Int64Type>() else { return exec_err!("no number of people") };
            let weights = people.iter().map(|people| people.and_then(|people| u64::try_from(people).ok()).unwrap_or(0));
            Some(Arc::new(UInt64Array::from_iter_values(weights)))
        }
        (Unit::People { .. } | Unit::Person { .. }, None) => return exec_err!("no units"),
    })
}
