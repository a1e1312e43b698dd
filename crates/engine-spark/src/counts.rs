//! Counts that a cluster made: one query, whose answers are bins in the order of their keys.
//!
//! It must never take an answer of another form than was announced before the charge. It is separate from `rows.rs`
//! because nothing here is counted on this machine. Read `incrowd_engine_sql::statement` for the query.

use crate::address::Address;
use crate::batches::{Batches, after_the_charge};
use crate::settings::SETTINGS;
use crate::wire::{Running, Session};
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Decimal128Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, PrimitiveArray, RecordBatch, StringViewArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use incrowd_engine::{CountError, RowType, Shape, TrueCounts, Watch};
use incrowd_engine_sql::{KeyKind, ServerStatement, WeightKind};
use std::sync::Arc;
use std::time::Duration;

/// Returns the columns of a statement's answer, as Spark sends them.
pub(crate) fn announced(made: &ServerStatement) -> Schema {
    let key = |(place, kind): (usize, &KeyKind)| Field::new(format!("key{place}"), sent_as(kind), true);
    let people = match made.people {
        WeightKind::Counted => DataType::Int64,
        WeightKind::Added => DataType::Decimal128(20, 0),
    };
    let keys = made.keys.iter().enumerate().map(key);
    Schema::new(keys.chain([Field::new("people", people, true)]).collect::<Vec<_>>())
}

fn sent_as(kind: &KeyKind) -> DataType {
    match kind {
        KeyKind::Cell | KeyKind::Code => DataType::Int64,
        KeyKind::Value(RowType::Text) => DataType::Utf8,
        KeyKind::Value(RowType::Date) => DataType::Int32,
        KeyKind::Value(kind) => kind.carrier(),
    }
}

/// Has a statement counted, and returns the counts on their way.
pub(crate) fn counted(
    address: &Address,
    made: ServerStatement,
    patience: Duration,
    watch: Arc<dyn Watch>,
) -> Result<TrueCounts, CountError> {
    let failed = |error| after_the_charge(error, &*watch);
    let sent: SchemaRef = Arc::new(announced(&made));
    let session = Session::open(address, SETTINGS, &*watch).map_err(failed)?;
    let running = Running::start(session, made.sql.clone(), patience, Arc::clone(&watch)).map_err(failed)?;
    let batches = Batches::of(running, sent, watch);
    let shape = made.shape;
    Ok(TrueCounts::new(shape, batches.map(move |batch| carried(&batch?, &made))))
}

/// Returns bins and counts in the types of the contract.
fn carried(batch: &RecordBatch, made: &ServerStatement) -> Result<RecordBatch, CountError> {
    let Some((people, keys)) = batch.columns().split_last() else { return Err(CountError::Contract) };
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    for (place, (column, kind)) in keys.iter().zip(&made.keys).enumerate() {
        let name = match made.shape {
            Shape::Declared { .. } => "cell".to_owned(),
            Shape::Found { .. } => format!("dimension{place}"),
        };
        columns.push((name, key(column, kind)?));
    }
    columns.push(("count".to_owned(), Arc::new(naturals(people)?)));
    RecordBatch::try_from_iter(columns).map_err(|_| CountError::Contract)
}

fn key(column: &ArrayRef, kind: &KeyKind) -> Result<ArrayRef, CountError> {
    Ok(match kind {
        KeyKind::Cell | KeyKind::Code => Arc::new(naturals(column)?),
        KeyKind::Value(RowType::Text) => {
            let texts = column.as_string_opt::<i32>().ok_or(CountError::Contract)?;
            Arc::new(texts.iter().collect::<StringViewArray>())
        }
        KeyKind::Value(RowType::Date) => {
            let days = column.as_primitive_opt::<Int32Type>().ok_or(CountError::Contract)?;
            Arc::new(days.iter().collect::<PrimitiveArray<Date32Type>>())
        }
        KeyKind::Value(_) => Arc::clone(column),
    })
}

/// Whole numbers that are not negative and not missing.
fn naturals(column: &ArrayRef) -> Result<UInt64Array, CountError> {
    if column.null_count() > 0 {
        return Err(CountError::Contract);
    }
    let natural = |value: Option<i128>| value.and_then(|value| u64::try_from(value).ok()).ok_or(CountError::Contract);
    let found: Result<Vec<u64>, CountError> = match column.data_type() {
        DataType::Int64 => {
            column.as_primitive::<Int64Type>().iter().map(|value| natural(value.map(i128::from))).collect()
        }
        DataType::Decimal128(_, 0) => column.as_primitive::<Decimal128Type>().iter().map(natural).collect(),
        _ => return Err(CountError::Contract),
    };
    found.map(UInt64Array::from)
}
