//! The canonical bytes of a bin's key or a person's identifier.
//!
//! Each part is a letter for its type, its length in decimal digits, a colon, and its text: `t5:Sales`, `i2:42`, `n0:`.
//! So parts cannot run into each other, a text "42" is not the number 42, and any database can build the same bytes. It
//! must never depend on how an engine stores a value: dictionary, view and plain columns of equal values give equal
//! bytes. It is separate because noise, the choice of a person's bins and every engine must agree on it. Read
//! `true_counts.rs` next.

use crate::column::UnknownType;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float64Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt64Type,
};
use arrow_array::{
    Array, BooleanArray, LargeStringArray, PrimitiveArray, StringArray, StringViewArray, temporal_conversions,
};
use arrow_schema::{DataType, TimeUnit};
use std::io::Write;

/// Appends the key of a declared cell, by its number.
pub fn write_cell(cell: u64, key: &mut Vec<u8>) {
    write_number('c', cell, key);
}

/// One column of keys, ready to be written row by row.
pub enum KeyBytes<'a> {
    /// Texts.
    Text(&'a StringArray),
    /// Texts with long offsets.
    LargeText(&'a LargeStringArray),
    /// Texts as views.
    TextView(&'a StringViewArray),
    /// Whole numbers.
    Integer(&'a PrimitiveArray<Int64Type>),
    /// Whole numbers that are not negative; the codes of a declared dimension.
    Natural(&'a PrimitiveArray<UInt64Type>),
    /// Binary floating point, compared by value.
    Number(&'a PrimitiveArray<Float64Type>),
    /// Decimal fractions, with their scale.
    Decimal(&'a PrimitiveArray<Decimal128Type>, i8),
    /// Truth values.
    Boolean(&'a BooleanArray),
    /// Days.
    Day(&'a PrimitiveArray<Date32Type>),
    /// Moments, in nanoseconds since 1970.
    Moment(Moments<'a>),
}

/// Moments in one of four units.
pub enum Moments<'a> {
    /// Seconds.
    Second(&'a PrimitiveArray<TimestampSecondType>),
    /// Milliseconds.
    Millisecond(&'a PrimitiveArray<TimestampMillisecondType>),
    /// Microseconds.
    Microsecond(&'a PrimitiveArray<TimestampMicrosecondType>),
    /// Nanoseconds.
    Nanosecond(&'a PrimitiveArray<TimestampNanosecondType>),
}

impl Moments<'_> {
    fn array(&self) -> &dyn Array {
        match self {
            Moments::Second(array) => array,
            Moments::Millisecond(array) => array,
            Moments::Microsecond(array) => array,
            Moments::Nanosecond(array) => array,
        }
    }

    fn nanoseconds(&self, row: usize) -> i128 {
        let thousand = i128::from(temporal_conversions::MILLISECONDS);
        match self {
            Moments::Second(array) => i128::from(array.value(row)) * thousand * thousand * thousand,
            Moments::Millisecond(array) => i128::from(array.value(row)) * thousand * thousand,
            Moments::Microsecond(array) => i128::from(array.value(row)) * thousand,
            Moments::Nanosecond(array) => i128::from(array.value(row)),
        }
    }
}

impl<'a> KeyBytes<'a> {
    /// Returns the column behind an array, or refuses a type that no key may have.
    pub fn new(array: &'a dyn Array) -> Result<Self, UnknownType> {
        Ok(match array.data_type() {
            DataType::Utf8 => KeyBytes::Text(array.as_string()),
            DataType::LargeUtf8 => KeyBytes::LargeText(array.as_string()),
            DataType::Utf8View => KeyBytes::TextView(array.as_string_view()),
            DataType::Int64 => KeyBytes::Integer(array.as_primitive()),
            DataType::UInt64 => KeyBytes::Natural(array.as_primitive()),
            DataType::Float64 => KeyBytes::Number(array.as_primitive()),
            DataType::Decimal128(_, scale) => KeyBytes::Decimal(array.as_primitive(), *scale),
            DataType::Boolean => KeyBytes::Boolean(array.as_boolean()),
            DataType::Date32 => KeyBytes::Day(array.as_primitive()),
            DataType::Timestamp(TimeUnit::Second, _) => KeyBytes::Moment(Moments::Second(array.as_primitive())),
            DataType::Timestamp(TimeUnit::Millisecond, _) => {
                KeyBytes::Moment(Moments::Millisecond(array.as_primitive()))
            }
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                KeyBytes::Moment(Moments::Microsecond(array.as_primitive()))
            }
            DataType::Timestamp(TimeUnit::Nanosecond, _) => KeyBytes::Moment(Moments::Nanosecond(array.as_primitive())),
            _ => return Err(UnknownType),
        })
    }

    fn array(&self) -> &dyn Array {
        match self {
            KeyBytes::Text(array) => array,
            KeyBytes::LargeText(array) => array,
            KeyBytes::TextView(array) => array,
            KeyBytes::Integer(array) => array,
            KeyBytes::Natural(array) => array,
            KeyBytes::Number(array) => array,
            KeyBytes::Decimal(array, _) => array,
            KeyBytes::Boolean(array) => array,
            KeyBytes::Day(array) => array,
            KeyBytes::Moment(moments) => moments.array(),
        }
    }

    /// Whether the row has no value.
    pub fn is_null(&self, row: usize) -> bool {
        self.array().is_null(row)
    }

    /// Appends the part of one row.
    pub fn write(&self, row: usize, key: &mut Vec<u8>) {
        if self.is_null(row) {
            return write_text('n', "", key);
        }
        match self {
            KeyBytes::Text(array) => write_text('t', array.value(row), key),
            KeyBytes::LargeText(array) => write_text('t', array.value(row), key),
            KeyBytes::TextView(array) => write_text('t', array.value(row), key),
            KeyBytes::Integer(array) => write_number('i', array.value(row), key),
            KeyBytes::Natural(array) => write_number('i', array.value(row), key),
            KeyBytes::Number(array) => {
                let value = array.value(row);
                // One zero: -0.0 and 0.0 are the same bin.
                let bits = if value == 0.0 { 0 } else { value.to_bits() };
                write_text('f', &format!("{bits:016x}"), key);
            }
            KeyBytes::Decimal(array, scale) => write_text('d', &format!("{}e-{scale}", array.value(row)), key),
            KeyBytes::Boolean(array) => write_text('b', if array.value(row) { "1" } else { "0" }, key),
            KeyBytes::Day(array) => write_number('y', array.value(row), key),
            KeyBytes::Moment(moments) => write_number('m', moments.nanoseconds(row), key),
        }
    }
}

fn write_text(kind: char, text: &str, key: &mut Vec<u8>) {
    write_head(kind, text.len(), key);
    key.extend_from_slice(text.as_bytes());
}

/// The length is written before the digits are known: they are counted first.
fn write_number(kind: char, number: impl std::fmt::Display, key: &mut Vec<u8>) {
    let mut digits = [0u8; 48];
    let mut left = &mut digits[..];
    let written = match write!(left, "{number}") {
        Ok(()) => 48 - left.len(),
        Err(_) => 0,
    };
    write_head(kind, written, key);
    key.extend_from_slice(&digits[..written]);
}

fn write_head(kind: char, length: usize, key: &mut Vec<u8>) {
    key.push(kind as u8);
    // A vector takes every write.
    let _ = write!(key, "{length}:");
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Date32Array, Float64Array, Int64Array, UInt64Array};

    fn key_of(array: &dyn Array, row: usize) -> String {
        let mut key = Vec::new();
        KeyBytes::new(array).expect("a key").write(row, &mut key);
        String::from_utf8(key).expect("text")
    }

    #[test]
    fn a_text_is_never_a_number() {
        assert_eq!(key_of(&StringArray::from(vec!["42"]), 0), "t2:42");
        assert_eq!(key_of(&Int64Array::from(vec![42]), 0), "i2:42");
        assert_eq!(key_of(&Int64Array::from(vec![i64::MIN]), 0), "i20:-9223372036854775808");
        assert_eq!(key_of(&Date32Array::from(vec![42]), 0), "y2:42");
    }

    #[test]
    fn a_missing_value_is_never_an_empty_text() {
        let texts = StringArray::from(vec![Some(""), None]);
        assert_eq!(key_of(&texts, 0), "t0:");
        assert_eq!(key_of(&texts, 1), "n0:");
    }

    #[test]
    fn every_way_to_store_a_text_gives_the_same_bytes() {
        let plain = StringArray::from(vec!["Zürich, \"ZH\"\n"]);
        let views = StringViewArray::from(vec!["Zürich, \"ZH\"\n"]);
        let large = LargeStringArray::from(vec!["Zürich, \"ZH\"\n"]);
        assert_eq!(key_of(&plain, 0), key_of(&views, 0));
        assert_eq!(key_of(&plain, 0), key_of(&large, 0));
    }

    #[test]
    fn signed_and_unsigned_integers_of_the_same_value_are_one_key() {
        assert_eq!(key_of(&Int64Array::from(vec![7]), 0), key_of(&UInt64Array::from(vec![7]), 0));
    }

    #[test]
    fn both_zeros_are_one_key() {
        let zeros = Float64Array::from(vec![0.0, -0.0]);
        assert_eq!(key_of(&zeros, 0), key_of(&zeros, 1));
    }

    #[test]
    fn lengths_keep_neighbouring_parts_apart() {
        let mut one = Vec::new();
        let mut other = Vec::new();
        let first = StringArray::from(vec!["a", "at1:b"]);
        let second = StringArray::from(vec!["bt1:c", "c"]);
        let (first, second) = (KeyBytes::new(&first).expect("a key"), KeyBytes::new(&second).expect("a key"));
        first.write(0, &mut one);
        second.write(0, &mut one);
        first.write(1, &mut other);
        second.write(1, &mut other);
        assert_ne!(one, other);
    }
}
