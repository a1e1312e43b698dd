//! What a server sends of one column, value by value, as a column of Arrow.
//!
//! Bytes of another length than the type has are damage, and end the count; it must never make a value of them. It is
//! separate because it knows a type's bytes and nothing else. Read `copied.rs` for where values begin and end.

use crate::stored_types::Sent;
use arrow_array::builder::{
    BooleanBuilder, Date32Builder, Decimal128Builder, Float32Builder, Float64Builder, Int64Builder, StringViewBuilder,
    TimestampMicrosecondBuilder, UInt64Builder,
};
use arrow_array::{ArrayRef, new_null_array};
use arrow_schema::{DataType, Fields};
use std::sync::Arc;

/// Days from 1970 to 2000.
const DAYS_TO_2000: i32 = 10_957;

/// Microseconds from 1970 to 2000.
const MICROSECONDS_TO_2000: i64 = 946_684_800_000_000;

/// That what was sent is not what the type says.
pub(crate) struct Damaged;

/// A column that is being received.
pub(crate) enum ColumnBuilder {
    Text(StringViewBuilder),
    Integer(Int64Builder),
    Natural(UInt64Builder),
    Sum(UInt64Builder),
    Single(Float32Builder),
    Double(Float64Builder),
    Decimal(Decimal128Builder, i8),
    Boolean(BooleanBuilder),
    Day(Date32Builder),
    DayNumber(Date32Builder),
    Moment(TimestampMicrosecondBuilder),
    Nothing(usize),
}

impl ColumnBuilder {
    /// Returns an empty column.
    pub(crate) fn of(sent: Sent) -> ColumnBuilder {
        match sent {
            Sent::Text => ColumnBuilder::Text(StringViewBuilder::new()),
            Sent::Integer => ColumnBuilder::Integer(Int64Builder::new()),
            Sent::Natural => ColumnBuilder::Natural(UInt64Builder::new()),
            Sent::Sum => ColumnBuilder::Sum(UInt64Builder::new()),
            Sent::Single => ColumnBuilder::Single(Float32Builder::new()),
            Sent::Double => ColumnBuilder::Double(Float64Builder::new()),
            Sent::Decimal(precision, scale) => {
                let kind = DataType::Decimal128(precision, scale);
                ColumnBuilder::Decimal(Decimal128Builder::new().with_data_type(kind), scale)
            }
            Sent::Boolean => ColumnBuilder::Boolean(BooleanBuilder::new()),
            Sent::Day => ColumnBuilder::Day(Date32Builder::new()),
            Sent::DayNumber => ColumnBuilder::DayNumber(Date32Builder::new()),
            Sent::Moment { zoned } => {
                let zone: Option<Arc<str>> = zoned.then(|| Arc::from("UTC"));
                ColumnBuilder::Moment(TimestampMicrosecondBuilder::new().with_timezone_opt(zone))
            }
            Sent::Nothing => ColumnBuilder::Nothing(0),
        }
    }

    /// Appends a value, or that it is missing.
    pub(crate) fn append(&mut self, value: Option<&[u8]>) -> Result<(), Damaged> {
        match (self, value) {
            (ColumnBuilder::Text(texts), Some(bytes)) => {
                texts.append_value(std::str::from_utf8(bytes).map_err(|_| Damaged)?);
            }
            (ColumnBuilder::Text(texts), None) => texts.append_null(),
            (ColumnBuilder::Integer(integers), value) => integers.append_option(value.map(integer).transpose()?),
            (ColumnBuilder::Natural(naturals), value) => {
                naturals.append_value(u64::try_from(integer(value.ok_or(Damaged)?)?).map_err(|_| Damaged)?);
            }
            (ColumnBuilder::Sum(sums), value) => {
                let sum = Numeric::read(value.ok_or(Damaged)?)?.units(0)?.ok_or(Damaged)?;
                sums.append_value(u64::try_from(sum).map_err(|_| Damaged)?);
            }
            (ColumnBuilder::Single(numbers), value) => {
                numbers.append_option(value.map(exactly).transpose()?.map(f32::from_be_bytes));
            }
            (ColumnBuilder::Double(numbers), value) => {
                numbers.append_option(value.map(exactly).transpose()?.map(f64::from_be_bytes));
            }
            (ColumnBuilder::Decimal(units, _), None) => units.append_null(),
            (ColumnBuilder::Decimal(units, scale), Some(bytes)) => {
                units.append_option(Numeric::read(bytes)?.units(*scale)?);
            }
            (ColumnBuilder::Boolean(truths), None) => truths.append_null(),
            (ColumnBuilder::Boolean(truths), Some([truth])) => truths.append_value(*truth != 0),
            (ColumnBuilder::Boolean(_), Some(_)) => return Err(Damaged),
            (ColumnBuilder::Day(days), value) => {
                let day = value.map(exactly).transpose()?.map(i32::from_be_bytes);
                // The last days are infinite ones.
                let finite = day.filter(|day| *day != i32::MIN && *day != i32::MAX);
                days.append_option(finite.and_then(|day| day.checked_add(DAYS_TO_2000)));
            }
            (ColumnBuilder::DayNumber(days), None) => days.append_null(),
            (ColumnBuilder::DayNumber(days), Some(bytes)) => {
                days.append_value(i32::try_from(integer(bytes)?).map_err(|_| Damaged)?);
            }
            (ColumnBuilder::Moment(moments), value) => {
                let moment = value.map(exactly).transpose()?.map(i64::from_be_bytes);
                let finite = moment.filter(|moment| *moment != i64::MIN && *moment != i64::MAX);
                moments.append_option(finite.and_then(|moment| moment.checked_add(MICROSECONDS_TO_2000)));
            }
            (ColumnBuilder::Nothing(rows), _) => *rows += 1,
        }
        Ok(())
    }

    /// Returns what was received since the last time.
    pub(crate) fn finish(&mut self) -> ArrayRef {
        match self {
            ColumnBuilder::Text(texts) => Arc::new(texts.finish()),
            ColumnBuilder::Integer(integers) => Arc::new(integers.finish()),
            ColumnBuilder::Natural(naturals) | ColumnBuilder::Sum(naturals) => Arc::new(naturals.finish()),
            ColumnBuilder::Single(numbers) => Arc::new(numbers.finish()),
            ColumnBuilder::Double(numbers) => Arc::new(numbers.finish()),
            ColumnBuilder::Decimal(units, _) => Arc::new(units.finish()),
            ColumnBuilder::Boolean(truths) => Arc::new(truths.finish()),
            ColumnBuilder::Day(days) | ColumnBuilder::DayNumber(days) => Arc::new(days.finish()),
            ColumnBuilder::Moment(moments) => Arc::new(moments.finish()),
            ColumnBuilder::Nothing(rows) => new_null_array(&DataType::Struct(Fields::empty()), std::mem::take(rows)),
        }
    }
}

fn exactly<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Damaged> {
    bytes.try_into().map_err(|_| Damaged)
}

fn integer(bytes: &[u8]) -> Result<i64, Damaged> {
    match bytes.len() {
        8 => Ok(i64::from_be_bytes(exactly(bytes)?)),
        4 => Ok(i32::from_be_bytes(exactly(bytes)?).into()),
        _ => Err(Damaged),
    }
}

/// A `numeric` as it is sent: digits in base 10,000, and how many of them are before the point.
struct Numeric<'a> {
    digits: &'a [u8],
    weight: i16,
    is_negative: bool,
    is_number: bool,
}

impl<'a> Numeric<'a> {
    fn read(bytes: &'a [u8]) -> Result<Numeric<'a>, Damaged> {
        let (head, digits) = bytes.split_at_checked(8).ok_or(Damaged)?;
        let word = |place: usize| u16::from_be_bytes([head[2 * place], head[2 * place + 1]]);
        let (count, weight, sign) = (word(0), word(1) as i16, word(2));
        if digits.len() != usize::from(count) * 2 || !matches!(sign, 0 | 0x4000 | 0xC000 | 0xD000 | 0xF000) {
            return Err(Damaged);
        }
        Ok(Numeric { digits, weight, is_negative: sign == 0x4000, is_number: matches!(sign, 0 | 0x4000) })
    }

    /// Returns the number in units of 10^-scale; nothing for what is no number.
    fn units(&self, scale: i8) -> Result<Option<i128>, Damaged> {
        if !self.is_number {
            return Ok(None);
        }
        let mut units: i128 = 0;
        for (place, digit) in self.digits.chunks_exact(2).enumerate() {
            let digit = i128::from(u16::from_be_bytes([digit[0], digit[1]]));
            let place = i32::try_from(place).map_err(|_| Damaged)?;
            let power = (i32::from(self.weight) - place) * 4 + i32::from(scale);
            let part = if power >= 0 {
                10i128.checked_pow(power.unsigned_abs()).and_then(|power| digit.checked_mul(power))
            } else {
                let power = 10i128.checked_pow(power.unsigned_abs());
                // The column has no more digits than its scale.
                power.filter(|power| digit % power == 0).map(|power| digit / power)
            };
            // Digits that are zero may stand anywhere.
            let part = if digit == 0 { 0 } else { part.ok_or(Damaged)? };
            units = units.checked_add(part).ok_or(Damaged)?;
        }
        Ok(Some(if self.is_negative { -units } else { units }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(count: u16, weight: i16, sign: u16, digits: &[u16]) -> Vec<u8> {
        let head = [count.to_be_bytes(), weight.to_be_bytes(), sign.to_be_bytes(), [0, 2]];
        head.into_iter().chain(digits.iter().map(|digit| digit.to_be_bytes())).flatten().collect()
    }

    #[test]
    fn a_numeric_is_read_digit_by_digit() {
        let units = |bytes: &[u8], scale| Numeric::read(bytes).ok().and_then(|read| read.units(scale).ok());
        assert_eq!(units(&sent(2, 0, 0, &[12, 3400]), 2), Some(Some(1234)));
        assert_eq!(units(&sent(2, 0, 0x4000, &[12, 3400]), 2), Some(Some(-1234)));
        assert_eq!(units(&sent(1, -1, 0, &[500]), 2), Some(Some(5)));
        assert_eq!(units(&sent(1, 1, 0, &[7]), 0), Some(Some(70_000)));
        assert_eq!(units(&sent(0, 0, 0, &[]), 3), Some(Some(0)));
        assert_eq!(units(&sent(0, 0, 0xC000, &[]), 3), Some(None), "NaN is missing");
        assert_eq!(units(&sent(1, -1, 0, &[500]), 1), None, "more digits than the column has");
        assert_eq!(units(&sent(2, 0, 0, &[12]), 2), None, "cut off");
        assert_eq!(units(&sent(1, 30, 0, &[1]), 0), None, "too long");
    }

    #[test]
    fn infinite_days_and_moments_are_missing() {
        let mut days = ColumnBuilder::of(Sent::Day);
        for day in [0, i32::MAX, i32::MIN, -10_957] {
            assert!(days.append(Some(&i32::to_be_bytes(day))).is_ok());
        }
        let expected = arrow_array::Date32Array::from(vec![Some(10_957), None, None, Some(0)]);
        assert_eq!(&days.finish(), &(Arc::new(expected) as ArrayRef));
        let mut moments = ColumnBuilder::of(Sent::Moment { zoned: false });
        for moment in [i64::MAX, i64::MAX - 1, -MICROSECONDS_TO_2000] {
            assert!(moments.append(Some(&moment.to_be_bytes())).is_ok());
        }
        let expected = arrow_array::TimestampMicrosecondArray::from(vec![None, None, Some(0)]);
        assert_eq!(&moments.finish(), &(Arc::new(expected) as ArrayRef));
        assert!(moments.append(Some(&[1, 2])).is_err(), "half a moment is damage");
    }
}
