//! Columns of keys, rebuilt value by value.
//!
//! What leaves must hold the kept rows and nothing else: a filtered dictionary still has all its words, and a view
//! still has all its buffers, so it must never hand on a slice of what came in. It is separate because this is where a
//! key that was not published could stay in a file unseen. Read `published_counts.rs` next.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, Float64Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt64Type,
};
use arrow_array::{Array, ArrayRef, BooleanArray, PrimitiveArray, StringArray};
use arrow_schema::{DataType, TimeUnit};
use std::sync::Arc;

/// A type that no key may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownType;

/// Returns a new array of the given rows, built from nothing.
pub(crate) fn rebuilt(array: &dyn Array, rows: &[usize]) -> Result<ArrayRef, UnknownType> {
    Ok(match array.data_type() {
        DataType::Utf8 => texts(rows, array, array.as_string::<i32>(), StringArray::value),
        DataType::LargeUtf8 => texts(rows, array, array.as_string::<i64>(), arrow_array::LargeStringArray::value),
        DataType::Utf8View => texts(rows, array, array.as_string_view(), |views, row| views.value(row)),
        DataType::Int64 => numbers::<Int64Type>(array, rows),
        DataType::UInt64 => numbers::<UInt64Type>(array, rows),
        DataType::Float64 => numbers::<Float64Type>(array, rows),
        DataType::Decimal128(_, _) => numbers::<Decimal128Type>(array, rows),
        DataType::Boolean => {
            let flags = array.as_boolean();
            let kept = rows.iter().map(|row| flags.is_valid(*row).then(|| flags.value(*row)));
            Arc::new(kept.collect::<BooleanArray>())
        }
        DataType::Date32 => numbers::<Date32Type>(array, rows),
        DataType::Timestamp(TimeUnit::Second, _) => numbers::<TimestampSecondType>(array, rows),
        DataType::Timestamp(TimeUnit::Millisecond, _) => numbers::<TimestampMillisecondType>(array, rows),
        DataType::Timestamp(TimeUnit::Microsecond, _) => numbers::<TimestampMicrosecondType>(array, rows),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => numbers::<TimestampNanosecondType>(array, rows),
        _ => return Err(UnknownType),
    })
}

fn texts<'a, A>(rows: &[usize], array: &dyn Array, typed: &'a A, value: impl Fn(&'a A, usize) -> &'a str) -> ArrayRef {
    let kept = rows.iter().map(|row| array.is_valid(*row).then(|| value(typed, *row)));
    Arc::new(kept.collect::<StringArray>())
}

fn numbers<T: ArrowPrimitiveType>(array: &dyn Array, rows: &[usize]) -> ArrayRef {
    let typed = array.as_primitive::<T>();
    let kept = rows.iter().map(|row| typed.is_valid(*row).then(|| typed.value(*row)));
    Arc::new(kept.collect::<PrimitiveArray<T>>().with_data_type(array.data_type().clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::StringViewArray;

    #[test]
    fn a_rebuilt_column_holds_no_byte_of_a_dropped_row() {
        let canary = "a long text that would stay in a shared buffer: CANARY";
        let views = StringViewArray::from(vec!["a long text that is kept by everybody", canary]);
        let kept = rebuilt(&views, &[0]).expect("texts");
        for buffer in kept.to_data().buffers() {
            assert!(!buffer.as_slice().windows(6).any(|window| window == b"CANARY"));
        }
        assert_eq!(kept.as_string::<i32>().value(0), "a long text that is kept by everybody");
    }

    #[test]
    fn missing_values_stay_missing() {
        let numbers = arrow_array::Int64Array::from(vec![Some(1), None, Some(3)]);
        let kept = rebuilt(&numbers, &[1, 2]).expect("numbers");
        assert!(kept.is_null(0));
        assert_eq!(kept.as_primitive::<Int64Type>().value(1), 3);
    }
}
