//! CSV: UTF-8, commas, one header, lines that end with LF.
//!
//! A missing value is an empty field and an empty text is `""`. Fields with commas, quotes, line breaks or a space at
//! either end are quoted, quotes doubled (RFC 4180). In files missing keys have a name, and texts that would act are
//! harmless; no cell must ever be spelt like another one's. It is separate because Arrow's own writer cannot tell a
//! missing value from an empty text. Read `spelling.rs` for that, and `../verify` for the way back.

use super::lines::Fields;
use super::moment::{Clock, write_moment};
use super::spelling::{CellOf, KeyPlaces, Spelling};
use crate::write_error::WriteError;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float64Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt64Type,
};
use arrow_array::{Array, BooleanArray, PrimitiveArray, RecordBatch, StringArray};
use arrow_schema::{DataType, Schema, TimeUnit};
use incrowd_definition::calendar::write_day;
use std::io::Write;

/// CSV text of rows; one buffer is used again and again.
pub(crate) struct CsvText {
    text: Vec<u8>,
    spelling: Spelling,
    places: KeyPlaces,
}

impl CsvText {
    /// Bare rows, as they are known within this program.
    pub(crate) fn bare() -> Self {
        CsvText::spelt(Spelling::BARE, KeyPlaces::First(0))
    }

    /// Rows as a file has them.
    pub(crate) fn spelt(spelling: Spelling, places: KeyPlaces) -> Self {
        CsvText { text: Vec::new(), spelling, places }
    }

    /// Returns the line with the names of the columns.
    pub(crate) fn header(&mut self, schema: &Schema) -> &[u8] {
        self.text.clear();
        self.text.extend_from_slice(self.spelling.start().as_bytes());
        for (index, field) in schema.fields().iter().enumerate() {
            if index > 0 {
                self.text.push(b',');
            }
            write_text(&self.spelling.spelt(field.name(), CellOf::Rest), &mut self.text);
        }
        self.text.push(b'\n');
        &self.text
    }

    /// Returns the lines of some rows.
    pub(crate) fn rows(&mut self, rows: &RecordBatch) -> Result<&[u8], WriteError> {
        let columns = rows.columns().iter().map(|array| Cells::of(array.as_ref()));
        let columns = columns.collect::<Option<Vec<_>>>().ok_or(WriteError::Other)?;
        self.text.clear();
        for row in 0..rows.num_rows() {
            let first_is_there = rows.columns().first().is_some_and(|first| first.is_valid(row));
            for (index, (cells, array)) in columns.iter().zip(rows.columns()).enumerate() {
                if index > 0 {
                    self.text.push(b',');
                }
                let cell = self.places.cell(index, first_is_there);
                match (array.is_valid(row), cell, self.spelling.missing()) {
                    (true, _, _) => cells.write(row, (&self.spelling, cell), &mut self.text),
                    (false, CellOf::Key, Some(missing)) => write_text(missing, &mut self.text),
                    (false, CellOf::Key, None) | (false, CellOf::Rest, _) => {}
                }
            }
            self.text.push(b'\n');
        }
        Ok(&self.text)
    }
}

/// One column, ready to be written.
enum Cells<'a> {
    Text(&'a StringArray),
    Boolean(&'a BooleanArray),
    Integer(&'a PrimitiveArray<Int64Type>),
    Natural(&'a PrimitiveArray<UInt64Type>),
    Number(&'a PrimitiveArray<Float64Type>),
    Decimal(&'a PrimitiveArray<Decimal128Type>, i8),
    Day(&'a PrimitiveArray<Date32Type>),
    Second(&'a PrimitiveArray<TimestampSecondType>, Clock),
    Millisecond(&'a PrimitiveArray<TimestampMillisecondType>, Clock),
    Microsecond(&'a PrimitiveArray<TimestampMicrosecondType>, Clock),
    Nanosecond(&'a PrimitiveArray<TimestampNanosecondType>, Clock),
}

impl<'a> Cells<'a> {
    fn of(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Utf8 => Cells::Text(array.as_string_opt()?),
            DataType::Boolean => Cells::Boolean(array.as_boolean_opt()?),
            DataType::Int64 => Cells::Integer(array.as_primitive_opt()?),
            DataType::UInt64 => Cells::Natural(array.as_primitive_opt()?),
            DataType::Float64 => Cells::Number(array.as_primitive_opt()?),
            DataType::Decimal128(_, scale) => Cells::Decimal(array.as_primitive_opt()?, *scale),
            DataType::Date32 => Cells::Day(array.as_primitive_opt()?),
            DataType::Timestamp(unit, zone) => {
                let clock = if zone.is_some() { Clock::Universal } else { Clock::Local };
                match unit {
                    TimeUnit::Second => Cells::Second(array.as_primitive_opt()?, clock),
                    TimeUnit::Millisecond => Cells::Millisecond(array.as_primitive_opt()?, clock),
                    TimeUnit::Microsecond => Cells::Microsecond(array.as_primitive_opt()?, clock),
                    TimeUnit::Nanosecond => Cells::Nanosecond(array.as_primitive_opt()?, clock),
                }
            }
            _ => return None,
        })
    }

    fn write(&self, row: usize, (spelling, cell): (&Spelling, CellOf), text: &mut Vec<u8>) {
        match self {
            Cells::Text(array) => write_text(&spelling.spelt(array.value(row), cell), text),
            Cells::Boolean(array) => text.extend_from_slice(if array.value(row) { b"true" } else { b"false" }),
            Cells::Integer(array) => write_integer(array.value(row), text),
            Cells::Natural(array) => write_natural(array.value(row), text),
            Cells::Number(array) => write_number(array.value(row), text),
            Cells::Decimal(array, scale) => write_decimal(array.value(row), *scale, text),
            Cells::Day(array) => write_day(i64::from(array.value(row)), text),
            Cells::Second(array, clock) => write_moment(array.value(row), 1, *clock, text),
            Cells::Millisecond(array, clock) => write_moment(array.value(row), 1_000, *clock, text),
            Cells::Microsecond(array, clock) => write_moment(array.value(row), 1_000_000, *clock, text),
            Cells::Nanosecond(array, clock) => write_moment(array.value(row), 1_000_000_000, *clock, text),
        }
    }
}

/// Returns a line of bare fields.
pub(crate) fn bare_line(fields: &Fields) -> Vec<u8> {
    let mut text = Vec::new();
    write_fields(fields, &mut text);
    text
}

/// Appends a line of bare fields.
pub(super) fn write_fields(fields: &Fields, text: &mut Vec<u8>) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            text.push(b',');
        }
        if let Some(field) = field {
            write_text(field, text);
        }
    }
    text.push(b'\n');
}

/// Appends a text, quoted where that is needed.
fn write_text(value: &str, text: &mut Vec<u8>) {
    let bytes = value.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else {
        return text.extend_from_slice(b"\"\"");
    };
    let special = |byte: &u8| matches!(byte, b',' | b'"' | b'\r' | b'\n');
    if *first != b' ' && *last != b' ' && !bytes.iter().any(special) {
        return text.extend_from_slice(bytes);
    }
    text.push(b'"');
    for byte in bytes {
        if *byte == b'"' {
            text.push(b'"');
        }
        text.push(*byte);
    }
    text.push(b'"');
}

fn write_integer(value: i64, text: &mut Vec<u8>) {
    if value < 0 {
        text.push(b'-');
    }
    write_natural(value.unsigned_abs(), text);
}

fn write_natural(value: u64, text: &mut Vec<u8>) {
    let mut digits = [0u8; 20];
    let (mut at, mut left) = (20, value);
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[at..]);
}

/// The shortest digits that read back as the same number; with an exponent where there would be many zeros.
fn write_number(value: f64, text: &mut Vec<u8>) {
    // A vector takes every write; one zero, and `nan` for what no key can be.
    let value = if value == 0.0 { 0.0 } else { value };
    let size = value.abs();
    let _ =
        if size == 0.0 || (1e-5..1e16).contains(&size) { write!(text, "{value}") } else { write!(text, "{value:e}") };
}

fn write_decimal(value: i128, scale: i8, text: &mut Vec<u8>) {
    if value < 0 {
        text.push(b'-');
    }
    let digits = value.unsigned_abs().to_string();
    match usize::try_from(scale) {
        Ok(0) => text.extend_from_slice(digits.as_bytes()),
        Ok(scale) => {
            let padded = format!("{digits:0>width$}", width = scale + 1);
            let (whole, fraction) = padded.split_at(padded.len() - scale);
            text.extend_from_slice(whole.as_bytes());
            text.push(b'.');
            text.extend_from_slice(fraction.as_bytes());
        }
        Err(_) => {
            text.extend_from_slice(digits.as_bytes());
            if value != 0 {
                text.resize(text.len() + usize::from(scale.unsigned_abs()), b'0');
            }
        }
    }
}
