//! Rows gathered into chunks of one fixed size, rebuilt value by value.
//!
//! What a chunk holds follows from the sequence of rows alone, not from the batches in which they came; it must never
//! hand on a slice of what came in, whose buffers may hold more than its rows. It is separate because every format
//! writes the same chunks. Read `csv.rs` next.

use crate::write_error::WriteError;
use arrow_array::builder::{BooleanBuilder, PrimitiveBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, Float64Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt64Type,
};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, SchemaRef, TimeUnit};
use std::sync::Arc;

/// The most bytes of text in a column of a chunk: offsets have 31 bits.
const MOST_TEXT: usize = 1 << 30;

/// Rows on their way into a chunk.
pub(super) struct Chunks {
    schema: SchemaRef,
    columns: Vec<Column>,
    rows: usize,
    size: usize,
}

enum Column {
    Text(StringBuilder),
    Boolean(BooleanBuilder),
    Integer(PrimitiveBuilder<Int64Type>),
    Natural(PrimitiveBuilder<UInt64Type>),
    Number(PrimitiveBuilder<Float64Type>),
    Decimal(PrimitiveBuilder<Decimal128Type>),
    Day(PrimitiveBuilder<Date32Type>),
    Second(PrimitiveBuilder<TimestampSecondType>),
    Millisecond(PrimitiveBuilder<TimestampMillisecondType>),
    Microsecond(PrimitiveBuilder<TimestampMicrosecondType>),
    Nanosecond(PrimitiveBuilder<TimestampNanosecondType>),
}

impl Chunks {
    /// Makes ready for rows of these columns.
    pub(super) fn new(schema: &SchemaRef, size: usize) -> Result<Self, WriteError> {
        let columns = schema.fields().iter().map(|field| Column::new(field.data_type()));
        let columns = columns.collect::<Option<Vec<_>>>().ok_or(WriteError::Other)?;
        Ok(Chunks { schema: schema.clone(), columns, rows: 0, size })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub(super) fn is_full(&self) -> bool {
        self.rows == self.size
    }

    /// Appends rows from `from` on, as many as there is room for, and returns how many.
    pub(super) fn append(&mut self, batch: &RecordBatch, from: usize) -> Result<usize, WriteError> {
        if batch.num_columns() != self.columns.len() || from >= batch.num_rows() {
            return Err(WriteError::Other);
        }
        // A builder would panic on another scale or time zone.
        let same = |(field, array): (&Arc<Field>, &ArrayRef)| field.data_type() == array.data_type();
        if !self.schema.fields().iter().zip(batch.columns()).all(same) {
            return Err(WriteError::Other);
        }
        let taken = (batch.num_rows() - from).min(self.size - self.rows);
        for (column, array) in self.columns.iter_mut().zip(batch.columns()) {
            column.append(array.slice(from, taken).as_ref()).ok_or(WriteError::Other)?;
        }
        self.rows += taken;
        Ok(taken)
    }

    /// Returns the chunk and starts the next one.
    pub(super) fn take(&mut self) -> Result<RecordBatch, WriteError> {
        let columns = self.columns.iter_mut().map(Column::take).collect();
        self.rows = 0;
        RecordBatch::try_new(self.schema.clone(), columns).map_err(|_| WriteError::Other)
    }
}

impl Column {
    fn new(data_type: &DataType) -> Option<Column> {
        Some(match data_type {
            DataType::Utf8 => Column::Text(StringBuilder::new()),
            DataType::Boolean => Column::Boolean(BooleanBuilder::new()),
            DataType::Int64 => Column::Integer(builder(data_type)),
            DataType::UInt64 => Column::Natural(builder(data_type)),
            DataType::Float64 => Column::Number(builder(data_type)),
            DataType::Decimal128(_, _) => Column::Decimal(builder(data_type)),
            DataType::Date32 => Column::Day(builder(data_type)),
            DataType::Timestamp(TimeUnit::Second, _) => Column::Second(builder(data_type)),
            DataType::Timestamp(TimeUnit::Millisecond, _) => Column::Millisecond(builder(data_type)),
            DataType::Timestamp(TimeUnit::Microsecond, _) => Column::Microsecond(builder(data_type)),
            DataType::Timestamp(TimeUnit::Nanosecond, _) => Column::Nanosecond(builder(data_type)),
            _ => return None,
        })
    }

    fn append(&mut self, array: &dyn Array) -> Option<()> {
        match self {
            Column::Text(column) => {
                let texts = array.as_string_opt::<i32>()?;
                let more = texts.offsets().last()? - texts.offsets().first()?;
                if column.values_slice().len() + usize::try_from(more).ok()? > MOST_TEXT {
                    return None;
                }
                column.append_array(texts).ok()?;
            }
            Column::Boolean(column) => column.append_array(array.as_boolean_opt()?),
            Column::Integer(column) => append(column, array)?,
            Column::Natural(column) => append(column, array)?,
            Column::Number(column) => append(column, array)?,
            Column::Decimal(column) => append(column, array)?,
            Column::Day(column) => append(column, array)?,
            Column::Second(column) => append(column, array)?,
            Column::Millisecond(column) => append(column, array)?,
            Column::Microsecond(column) => append(column, array)?,
            Column::Nanosecond(column) => append(column, array)?,
        }
        Some(())
    }

    fn take(&mut self) -> ArrayRef {
        match self {
            Column::Text(column) => Arc::new(column.finish()),
            Column::Boolean(column) => Arc::new(column.finish()),
            Column::Integer(column) => Arc::new(column.finish()),
            Column::Natural(column) => Arc::new(column.finish()),
            Column::Number(column) => Arc::new(column.finish()),
            Column::Decimal(column) => Arc::new(column.finish()),
            Column::Day(column) => Arc::new(column.finish()),
            Column::Second(column) => Arc::new(column.finish()),
            Column::Millisecond(column) => Arc::new(column.finish()),
            Column::Microsecond(column) => Arc::new(column.finish()),
            Column::Nanosecond(column) => Arc::new(column.finish()),
        }
    }
}

fn builder<T: ArrowPrimitiveType>(data_type: &DataType) -> PrimitiveBuilder<T> {
    PrimitiveBuilder::new().with_data_type(data_type.clone())
}

/// Appends an array of the builder's type.
fn append<T: ArrowPrimitiveType>(column: &mut PrimitiveBuilder<T>, array: &dyn Array) -> Option<()> {
    let typed = array.as_primitive_opt::<T>()?;
    column.append_array(typed);
    Some(())
}
