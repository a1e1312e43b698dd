//! Many declared cells, or bins that are found: grouped and sorted by DataFusion, which spills when memory is short.
//!
//! It must never return a bin twice or out of order. It is separate from `dense.rs` because its memory grows with the bins
//! that somebody is in, not with those that are declared. Read `persons.rs` next.

use crate::count::{Counting, streamed};
use crate::cut::{Cutter, NOT_COUNTED, cells as cells_of};
use crate::dense::declared_schema;
use crate::rows::{UNIT, dimension_name, named};
use arrow_array::builder::{ListBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use datafusion::common::{DataFusionError, exec_err};
use datafusion::functions_aggregate::expr_fn::{count, sum};
use datafusion::logical_expr::{ColumnarValue, Expr, ScalarUDF, Volatility, cast, create_udf, lit, when};
use datafusion::prelude::DataFrame;
use incrowd_engine::{Cells, Dimension, Nulls, Query, Shape, Time, TrueCounts, Unit};
use std::sync::{Arc, Mutex, PoisonError};

const CELL: &str = "cell";
const COUNT: &str = "count";

/// Counts declared cells that are too many for an array.
pub(crate) fn count_declared(counting: Counting, cells: u64) -> Result<TrueCounts, DataFusionError> {
    let Counting { runtime, query, plan, rows, watch, .. } = counting;
    let cutters: Vec<Cutter> = plan.cutters.into_iter().flatten().collect();
    let rows = with_cells(rows, cutters, &query)?;
    let grouped = rows.aggregate(vec![named(CELL)], vec![people(&query)?])?;
    let sorted = grouped.sort(vec![named(CELL).sort(true, false)])?;
    let stream = runtime.block_on(sorted.execute_stream())?;
    let schema = declared_schema();
    Ok(streamed(Shape::Declared { cells }, runtime, stream, watch, move |batch| {
        let [cells, counts] = batch.columns() else { return exec_err!("no counts") };
        Ok(RecordBatch::try_new(Arc::clone(&schema), vec![Arc::clone(cells), whole(counts)?])?)
    }))
}

/// Counts bins that are found in the data.
pub(crate) fn count_found(counting: Counting) -> Result<TrueCounts, DataFusionError> {
    let Counting { runtime, query, plan, rows, watch, .. } = counting;
    let rows = with_keys(rows, plan.cutters, &query)?;
    let keys: Vec<Expr> = (0..query.dimensions.len()).map(|index| named(&dimension_name(index))).collect();
    let grouped = rows.aggregate(keys.clone(), vec![people(&query)?])?;
    let sorted = grouped.sort(keys.into_iter().map(|key| key.sort(true, false)).collect())?;
    let stream = runtime.block_on(sorted.execute_stream())?;
    let shape = Shape::Found { dimensions: query.dimensions.len() };
    Ok(streamed(shape, runtime, stream, watch, move |batch| {
        let Some((counts, keys)) = batch.columns().split_last() else { return exec_err!("no counts") };
        let columns: Vec<ArrayRef> = keys.iter().cloned().chain([whole(counts)?]).collect();
        let fields = columns.iter().enumerate();
        let fields: Vec<Field> =
            fields.map(|(index, column)| Field::new(dimension_name(index), column.data_type().clone(), true)).collect();
        Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)?)
    }))
}

/// Returns the cell of each row that is counted, and its unit if there is one.
pub(crate) fn with_cells(rows: DataFrame, cutters: Vec<Cutter>, query: &Query) -> Result<DataFrame, DataFusionError> {
    let names: Vec<String> = (0..cutters.len()).map(dimension_name).collect();
    let kinds = kinds(&rows, &names)?;
    let cell = numbering(CELL, kinds, cutting(cutters));
    let arguments = names.iter().map(|name| named(name)).collect();
    let selected = [cell.call(arguments).alias(CELL)].into_iter().chain(unit(query));
    let rows = rows.select(selected.collect::<Vec<_>>())?.filter(named(CELL).is_not_null())?;
    match (query.time, query.cells()) {
        (Some(Time::Running), Cells::Declared(cells)) => onwards(rows, CELL, cells, cells_of_a_period(query)),
        (Some(Time::Apart) | None, _) | (Some(Time::Running), Cells::Found | Cells::TooMany) => Ok(rows),
    }
}

/// Returns how many cells each period has, time being the first dimension; at least one.
pub(crate) fn cells_of_a_period(query: &Query) -> u64 {
    let sizes = query.dimensions.iter().skip(1).map(|dimension| dimension.size().unwrap_or(1));
    sizes.fold(1, u64::saturating_mul).max(1)
}

/// Repeats each row for its own number in a column and for every later one below `end`, so many apart.
fn onwards(rows: DataFrame, column: &str, end: u64, apart: u64) -> Result<DataFrame, DataFusionError> {
    let item = Arc::new(Field::new_list_field(DataType::UInt64, true));
    let later = move |arguments: &[ColumnarValue]| {
        let columns = ColumnarValue::values_to_arrays(arguments)?;
        let Some(numbers) = columns.first().and_then(|array| array.as_primitive_opt::<UInt64Type>()) else {
            return exec_err!("no periods");
        };
        let mut lists = ListBuilder::new(UInt64Builder::new());
        for row in 0..numbers.len() {
            if numbers.is_valid(row) {
                let all = std::iter::successors(Some(numbers.value(row)), |number| number.checked_add(apart));
                all.take_while(|number| *number < end).for_each(|number| lists.values().append_value(number));
            }
            lists.append(true);
        }
        Ok(ColumnarValue::Array(Arc::new(lists.finish())))
    };
    let later =
        create_udf("later", vec![DataType::UInt64], DataType::List(item), Volatility::Immutable, Arc::new(later));
    rows.with_column(column, later.call(vec![named(column)]))?.unnest_columns(&[column])
}

/// Returns the key of each row that is counted, declared dimensions as codes, and its unit if there is one.
pub(crate) fn with_keys(
    rows: DataFrame,
    cutters: Vec<Option<Cutter>>,
    query: &Query,
) -> Result<DataFrame, DataFusionError> {
    let (keys, counted) = keys(&rows, cutters, query, 0)?;
    let mut rows = rows.select(keys.into_iter().chain(unit(query)).collect::<Vec<_>>())?;
    if let Some(counted) = counted {
        rows = rows.filter(counted)?;
    }
    match (query.time, query.dimensions.first().and_then(Dimension::size)) {
        (Some(Time::Running), Some(periods)) => onwards(rows, &dimension_name(0), periods, 1),
        (Some(Time::Running), None) => exec_err!("time is not declared"),
        (Some(Time::Apart) | None, _) => Ok(rows),
    }
}

/// Returns the key of each row, whose dimensions are numbered from `first` on, and when it is counted: a condition on the key.
pub(crate) fn keys(
    rows: &DataFrame,
    cutters: Vec<Option<Cutter>>,
    query: &Query,
    first: usize,
) -> Result<(Vec<Expr>, Option<Expr>), DataFusionError> {
    let mut selected = Vec::new();
    let mut counted: Option<Expr> = None;
    for (index, (cutter, dimension)) in cutters.into_iter().zip(&query.dimensions).enumerate() {
        let name = dimension_name(first + index);
        let must_be_there = cutter.is_some() || dimension.nulls == Nulls::Drop;
        let value = match cutter {
            None => named(&name),
            Some(cutter) => {
                let kinds = kinds(rows, std::slice::from_ref(&name))?;
                let code = numbering(&name, kinds, cutting(vec![cutter]));
                code.call(vec![named(&name)]).alias(&name)
            }
        };
        selected.push(value);
        if must_be_there {
            let there = named(&name).is_not_null();
            counted = Some(counted.map_or(there.clone(), |so_far| so_far.and(there)));
        }
    }
    Ok((selected, counted))
}

/// Returns the unit of a row if there is one.
pub(crate) fn unit(query: &Query) -> Option<Expr> {
    match query.unit {
        Unit::Row => None,
        Unit::People { .. } | Unit::Person { .. } => Some(named(UNIT)),
    }
}

pub(crate) fn kinds(rows: &DataFrame, names: &[String]) -> Result<Vec<DataType>, DataFusionError> {
    let schema = rows.schema();
    names.iter().map(|name| Ok(schema.field_with_unqualified_name(name)?.data_type().clone())).collect()
}

/// Returns the cutting of rows into cells, for many threads: each takes cutters of its own and gives them back.
fn cutting(cutters: Vec<Cutter>) -> impl Fn(&[ArrayRef], &mut Vec<u64>) + Send + Sync + 'static {
    let idle: Mutex<Vec<Vec<Cutter>>> = Mutex::new(Vec::new());
    move |columns, numbers| {
        let taken = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut own = taken.unwrap_or_else(|| cutters.clone());
        cells_of(&mut own, columns, numbers);
        idle.lock().unwrap_or_else(PoisonError::into_inner).push(own);
    }
}

/// Returns a function of columns to numbers; what is not counted is missing.
pub(crate) fn numbering(
    name: &str,
    kinds: Vec<DataType>,
    number: impl Fn(&[ArrayRef], &mut Vec<u64>) + Send + Sync + 'static,
) -> ScalarUDF {
    let compute = move |arguments: &[ColumnarValue]| {
        let columns = ColumnarValue::values_to_arrays(arguments)?;
        let mut numbers = Vec::new();
        number(&columns, &mut numbers);
        let numbers: UInt64Array =
            numbers.into_iter().map(|number| (number != NOT_COUNTED).then_some(number)).collect();
        Ok(ColumnarValue::Array(Arc::new(numbers)))
    };
    create_udf(&format!("number_of_{name}"), kinds, DataType::UInt64, Volatility::Immutable, Arc::new(compute))
}

/// How many people a group has: its rows, or what they stand for. Decimals of 38 digits cannot overflow.
pub(crate) fn people(query: &Query) -> Result<Expr, DataFusionError> {
    Ok(match query.unit {
        Unit::Row | Unit::Person { .. } => count(lit(1)).alias(COUNT),
        Unit::People { .. } => {
            let positive = when(named(UNIT).gt(lit(0i64)), named(UNIT)).otherwise(lit(0i64))?;
            sum(cast(positive, DataType::Decimal128(20, 0))).alias(COUNT)
        }
    })
}

/// Turns counts into whole numbers that saturate.
pub(crate) fn whole(counts: &ArrayRef) -> Result<ArrayRef, DataFusionError> {
    if let Some(counts) = counts.as_primitive_opt::<Int64Type>() {
        let whole = counts.values().iter().map(|count| u64::try_from(*count).unwrap_or(0));
        return Ok(Arc::new(UInt64Array::from_iter_values(whole)));
    }
    match counts.as_primitive_opt::<Decimal128Type>() {
        Some(counts) => {
            let whole = (0..counts.len()).map(|row| match counts.is_valid(row) {
                true => u64::try_from(counts.value(row).max(0)).unwrap_or(u64::MAX),
                false => 0,
            });
            Ok(Arc::new(UInt64Array::from_iter_values(whole)))
        }
        None => exec_err!("counts of an unknown type"),
    }
}
