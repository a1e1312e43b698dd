//! The types of key columns: their names in a certificate, and columns made from texts.
//!
//! A CSV file does not say whether `10` is a number; the certificate does. It must never give a column a value whose
//! text is another one. It is separate because only verifiers and renderings go from texts to columns. Read
//! `published_again.rs` for who does.

use arrow_array::builder::{BooleanBuilder, PrimitiveBuilder, StringBuilder};
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, Float64Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt64Type,
};
use arrow_array::{ArrayRef, BooleanArray};
use arrow_schema::{DataType, TimeUnit};
use incrowd_definition::calendar::CivilDay;
use std::sync::Arc;

/// The most digits of a decimal number.
const MOST_DIGITS: u8 = 38;

/// The type of a column of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyType(DataType);

impl KeyType {
    /// Returns the type of a column; nothing if no key has it.
    pub(crate) fn of(data_type: &DataType) -> Option<KeyType> {
        name(data_type).map(|_| KeyType(data_type.clone()))
    }

    /// Returns the type of this name; nothing if there is none.
    pub(crate) fn named(name: &str) -> Option<KeyType> {
        let (word, inside) = match name.split_once('(') {
            Some((word, inside)) => (word, Some(inside.strip_suffix(')')?)),
            None => (name, None),
        };
        let data_type = match (word, inside) {
            ("text", None) => DataType::Utf8,
            ("integer", None) => DataType::Int64,
            ("unsigned", None) => DataType::UInt64,
            ("number", None) => DataType::Float64,
            ("boolean", None) => DataType::Boolean,
            ("date", None) => DataType::Date32,
            ("decimal", Some(inside)) => {
                let (digits, scale) = inside.split_once(", ")?;
                let digits = digits.parse().ok().filter(|digits| (1..=MOST_DIGITS).contains(digits))?;
                DataType::Decimal128(digits, scale.parse().ok().filter(|scale: &i8| scale.unsigned_abs() <= digits)?)
            }
            ("timestamp", Some(inside)) => {
                let (unit, zone) = inside.split_once(", ").map_or((inside, None), |(unit, zone)| (unit, Some(zone)));
                let unit = UNITS.into_iter().find(|(_, name)| *name == unit)?.0;
                DataType::Timestamp(unit, zone.map(Into::into))
            }
            _ => return None,
        };
        // One spelling: what is read is written so.
        (self::name(&data_type).as_deref() == Some(name)).then_some(KeyType(data_type))
    }

    /// Returns the name in a certificate.
    pub(crate) fn name(&self) -> String {
        name(&self.0).unwrap_or_default()
    }

    pub(crate) fn data_type(&self) -> &DataType {
        &self.0
    }

    /// Whether a text is a value of this type.
    pub(crate) fn reads(&self, text: &str) -> bool {
        match &self.0 {
            DataType::Utf8 => true,
            DataType::Int64 => text.parse::<i64>().is_ok_and(|number| number.to_string() == text),
            DataType::UInt64 => text.parse::<u64>().is_ok_and(|number| number.to_string() == text),
            _ => self.column([Some(text)].into_iter()).is_some(),
        }
    }

    /// Returns a column of these texts; nothing if one of them is no value of this type.
    pub(crate) fn column<'t>(&self, texts: impl Iterator<Item = Option<&'t str>>) -> Option<ArrayRef> {
        Some(match &self.0 {
            DataType::Utf8 => {
                let mut column = StringBuilder::new();
                texts.for_each(|text| column.append_option(text));
                Arc::new(column.finish())
            }
            DataType::Boolean => {
                let mut column = BooleanBuilder::new();
                for text in texts {
                    column.append_option(match text {
                        None => None,
                        Some("true") => Some(true),
                        Some("false") => Some(false),
                        Some(_) => return None,
                    });
                }
                let column: BooleanArray = column.finish();
                Arc::new(column)
            }
            DataType::Int64 => self.numbers::<Int64Type>(texts, |text| text.parse().ok())?,
            DataType::UInt64 => self.numbers::<UInt64Type>(texts, |text| text.parse().ok())?,
            DataType::Float64 => self.numbers::<Float64Type>(texts, |text| text.parse().ok())?,
            DataType::Decimal128(_, scale) => self.numbers::<Decimal128Type>(texts, |text| decimal(text, *scale))?,
            DataType::Date32 => self.numbers::<Date32Type>(texts, |text| i32::try_from(days(text)?).ok())?,
            DataType::Timestamp(TimeUnit::Second, _) => {
                self.numbers::<TimestampSecondType>(texts, |text| moment(text, 1))?
            }
            DataType::Timestamp(TimeUnit::Millisecond, _) => {
                self.numbers::<TimestampMillisecondType>(texts, |text| moment(text, 1_000))?
            }
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                self.numbers::<TimestampMicrosecondType>(texts, |text| moment(text, 1_000_000))?
            }
            DataType::Timestamp(TimeUnit::Nanosecond, _) => {
                self.numbers::<TimestampNanosecondType>(texts, |text| moment(text, 1_000_000_000))?
            }
            _ => return None,
        })
    }

    fn numbers<'t, T: ArrowPrimitiveType>(
        &self,
        texts: impl Iterator<Item = Option<&'t str>>,
        read: impl Fn(&str) -> Option<T::Native>,
    ) -> Option<ArrayRef> {
        let mut column = PrimitiveBuilder::<T>::new().with_data_type(self.0.clone());
        for text in texts {
            match text {
                None => column.append_null(),
                Some(text) => column.append_value(read(text)?),
            }
        }
        Some(Arc::new(column.finish()))
    }
}

const UNITS: [(TimeUnit, &str); 4] = [
    (TimeUnit::Second, "s"),
    (TimeUnit::Millisecond, "ms"),
    (TimeUnit::Microsecond, "us"),
    (TimeUnit::Nanosecond, "ns"),
];

fn name(data_type: &DataType) -> Option<String> {
    Some(match data_type {
        DataType::Utf8 => "text".into(),
        DataType::Int64 => "integer".into(),
        DataType::UInt64 => "unsigned".into(),
        DataType::Float64 => "number".into(),
        DataType::Boolean => "boolean".into(),
        DataType::Date32 => "date".into(),
        DataType::Decimal128(digits, scale) => format!("decimal({digits}, {scale})"),
        DataType::Timestamp(unit, zone) => {
            let unit = UNITS.into_iter().find(|(known, _)| known == unit)?.1;
            match zone {
                None => format!("timestamp({unit})"),
                Some(zone) => format!("timestamp({unit}, {zone})"),
            }
        }
        _ => return None,
    })
}

/// Returns a decimal number without its point.
fn decimal(text: &str, scale: i8) -> Option<i128> {
    match usize::try_from(scale) {
        Ok(0) => text.parse().ok(),
        Ok(scale) => {
            let (whole, fraction) = text.split_once('.')?;
            (fraction.len() == scale).then(|| format!("{whole}{fraction}").parse().ok()).flatten()
        }
        Err(_) => {
            let zeros = u32::from(scale.unsigned_abs());
            text.parse::<i128>().ok().map(|number| number / 10i128.pow(zeros))
        }
    }
}

/// Returns a day, in days since 1970; years may have a sign and any number of digits.
fn days(text: &str) -> Option<i64> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut parts = rest.splitn(3, '-');
    let year = parts.next()?.parse::<i64>().ok().filter(|year| *year < 1_000_000_000)?;
    let (month, day) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    Some(CivilDay { year: sign * year, month, day }).filter(|day| (1..=12).contains(&day.month)).map(CivilDay::days)
}

/// Returns a moment, in units of which a second has `per_second`.
fn moment(text: &str, per_second: i64) -> Option<i64> {
    let (day, time) = text.split_once('T')?;
    let time = time.strip_suffix('Z').unwrap_or(time);
    let (time, fraction) = match time.split_once('.') {
        Some((time, fraction)) => (time, fraction.parse::<i64>().ok()?),
        None => (time, 0),
    };
    let mut parts = time.splitn(3, ':').map(|part| part.parse::<i64>().ok());
    let seconds = (parts.next()?? * 60 + parts.next()??) * 60 + parts.next()??;
    // Near the ends of what a column can hold the seconds of a day may not fit, though the moment does.
    let whole = (i128::from(days(day)?) * 86_400 + i128::from(seconds)) * i128::from(per_second);
    i64::try_from(whole + i128::from(fraction)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv::CsvText;
    use arrow_array::RecordBatch;

    #[test]
    fn types_have_one_name_each_and_columns_are_read_back_from_their_texts() {
        for (name, texts) in [
            ("text", vec!["", "a,\"b\"", "10"]),
            ("integer", vec!["-9223372036854775808", "0", "9223372036854775807"]),
            ("unsigned", vec!["18446744073709551615"]),
            ("number", vec!["-inf", "-0.1", "0", "1e-7", "123456789.5", "1e16", "inf"]),
            ("boolean", vec!["true", "false"]),
            ("date", vec!["-0044-03-15", "0000-02-29", "2026-01-31", "+10000-01-01"]),
            ("decimal(38, 2)", vec!["-0.05", "0.00", "12.30"]),
            ("decimal(20, 0)", vec!["-5", "12"]),
            ("decimal(20, -2)", vec!["-500", "0", "1200"]),
            ("timestamp(s)", vec!["1969-12-31T23:59:59"]),
            ("timestamp(ms, UTC)", vec!["2026-01-31T12:00:00.007Z"]),
            ("timestamp(us, Europe/Zurich)", vec!["-0044-03-15T00:00:00.000001Z"]),
            ("timestamp(ns)", vec!["1677-09-21T00:12:43.145224192", "2262-04-11T23:47:16.854775807"]),
        ] {
            let known = KeyType::named(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(known.name(), name);
            assert_eq!(KeyType::of(known.data_type()), Some(known.clone()));
            let column = known.column(texts.iter().map(|text| Some(*text))).unwrap_or_else(|| panic!("{name}"));
            let rows = RecordBatch::try_from_iter([("key", column)]).expect("rows");
            let mut lines =
                crate::csv::Lines::new(std::io::Cursor::new(CsvText::bare().rows(&rows).expect("text").to_vec()));
            for text in texts {
                assert!(known.reads(text), "{name}: {text}");
                assert_eq!(lines.next(), Ok(Some(vec![Some(text.to_string())])), "{name}");
            }
        }
        for wrong in ["", "Text", "decimal", "decimal(39, 2)", "decimal(2,1)", "timestamp", "timestamp(m)", "date()"] {
            assert_eq!(KeyType::named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_no_value_of_a_type_makes_no_column() {
        for (name, text) in [
            ("integer", "a"),
            ("unsigned", "-1"),
            ("boolean", "yes"),
            ("date", "2026"),
            ("date", "2026-13-01"),
            ("decimal(9, 2)", "1.2"),
            ("timestamp(s)", "2026-01-31"),
        ] {
            let known = KeyType::named(name).expect("a type");
            assert!(known.column([Some(text)].into_iter()).is_none() && !known.reads(text), "{name}: {text}");
        }
    }
}
