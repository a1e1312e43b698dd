//! Values of a table, and how they are written.
//!
//! Numbers are written as texts in the data, so that no reader of JSON rounds them; days and moments beyond the
//! calendar as days and units since 1970. It must never read a value in the way that an engine does. It is separate
//! because tables and expected values are written alike. Read `table.rs` next.

use incrowd_engine::{Date, Precision, RowType};
use serde_json::Value as Json;

/// A value; its type stands beside it.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseValue {
    /// Nothing.
    Missing,
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A whole number that is not negative.
    Unsigned(u64),
    /// A binary fraction; it may be NaN, infinite, or a negative zero.
    Number(f64),
    /// A decimal, in units of its last digit.
    Decimal(i128),
    /// True or false.
    Boolean(bool),
    /// A day, in days since 1970.
    Date(i32),
    /// A moment, in units of its type since 1970.
    Timestamp(i64),
}

const SECONDS_OF_A_DAY: i64 = 86_400;

impl CaseValue {
    /// Reads a value of a type; nothing if it is none.
    pub(crate) fn read(json: &Json, kind: &RowType) -> Option<CaseValue> {
        if json.is_null() {
            return Some(CaseValue::Missing);
        }
        Some(match kind {
            RowType::Text => CaseValue::Text(json.as_str()?.to_owned()),
            RowType::Integer => CaseValue::Integer(json.as_i64()?),
            RowType::Unsigned => CaseValue::Unsigned(json.as_u64()?),
            RowType::Number => CaseValue::Number(json.as_str()?.parse().ok()?),
            RowType::Decimal { scale, .. } => CaseValue::Decimal(units(json.as_str()?, *scale)?),
            RowType::Boolean => CaseValue::Boolean(json.as_bool()?),
            RowType::Date => match json.as_str() {
                Some(text) => CaseValue::Date(Date::from_text(text)?.days()),
                None => CaseValue::Date(i32::try_from(json.as_i64()?).ok()?),
            },
            RowType::Timestamp { precision, .. } => CaseValue::Timestamp(match json.as_str() {
                Some(text) => moment(text)?.checked_mul(per_second(*precision))?,
                None => json.as_i64()?,
            }),
            RowType::Null | RowType::Foreign(_) => return None,
        })
    }

    /// Returns the value as a text, as a file without types has it; nothing for a day that no calendar has. A missing
    /// value is the empty text, which is missing everywhere.
    pub fn text(&self, kind: &RowType) -> Option<String> {
        Some(match self {
            CaseValue::Missing => String::new(),
            CaseValue::Text(text) => text.clone(),
            CaseValue::Integer(integer) => integer.to_string(),
            CaseValue::Unsigned(integer) => integer.to_string(),
            // The shortest digits that lead back to it.
            CaseValue::Number(number) => format!("{number:?}"),
            CaseValue::Decimal(units) => {
                let RowType::Decimal { scale, .. } = kind else { return None };
                let scale = usize::try_from(*scale).ok()?;
                let digits = format!("{:0width$}", units.unsigned_abs(), width = scale.checked_add(1)?);
                let (whole, fraction) = digits.split_at(digits.len().checked_sub(scale)?);
                let sign = if *units < 0 { "-" } else { "" };
                if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
            }
            CaseValue::Boolean(truth) => truth.to_string(),
            CaseValue::Date(days) => Date::from_day_number(i64::from(*days))?.to_string(),
            CaseValue::Timestamp(moment) => {
                let RowType::Timestamp { precision, zone } = kind else { return None };
                let seconds = moment.div_euclid(per_second(*precision));
                // Billionths: a precision has at most so many units in a second.
                let fraction = moment.rem_euclid(per_second(*precision)) * (1_000_000_000 / per_second(*precision));
                let day = Date::from_day_number(seconds.div_euclid(SECONDS_OF_A_DAY))?;
                let second = seconds.rem_euclid(SECONDS_OF_A_DAY);
                let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
                let fraction = if fraction == 0 { String::new() } else { format!(".{fraction:09}") };
                let utc = if zone.is_some() { "Z" } else { "" };
                format!("{day}T{hour:02}:{minute:02}:{second:02}{fraction}{utc}")
            }
        })
    }

    /// Returns the canonical text of the value as a part of a key (`docs/decisions/0007-canonical-keys.md`).
    pub(crate) fn key(&self, kind: &RowType) -> String {
        let (letter, text) = match self {
            CaseValue::Missing => ('n', String::new()),
            CaseValue::Text(text) => ('t', text.clone()),
            CaseValue::Integer(integer) => ('i', integer.to_string()),
            CaseValue::Unsigned(integer) => ('i', integer.to_string()),
            CaseValue::Number(number) => ('f', format!("{:016x}", if *number == 0.0 { 0 } else { number.to_bits() })),
            CaseValue::Decimal(units) => {
                let scale = if let RowType::Decimal { scale, .. } = kind { *scale } else { 0 };
                ('d', format!("{units}e-{scale}"))
            }
            CaseValue::Boolean(truth) => ('b', u8::from(*truth).to_string()),
            CaseValue::Date(days) => ('y', days.to_string()),
            CaseValue::Timestamp(moment) => {
                let unit = match kind {
                    RowType::Timestamp { precision, .. } => 1_000_000_000 / per_second(*precision),
                    _ => 1,
                };
                ('m', (i128::from(*moment) * i128::from(unit)).to_string())
            }
        };
        format!("{letter}{}:{text}", text.len())
    }
}

/// Reads the name of a type: `text`, `decimal(38,2)`, `timestamp(s)`, `timestamp(us,Asia/Tokyo)`.
pub(crate) fn read_type(name: &str) -> Option<RowType> {
    let (name, inner) = match name.split_once('(') {
        None => (name, Vec::new()),
        Some((name, inner)) => (name, inner.strip_suffix(')')?.split(',').map(str::trim).collect()),
    };
    Some(match (name, inner.as_slice()) {
        ("text", []) => RowType::Text,
        ("integer", []) => RowType::Integer,
        ("unsigned", []) => RowType::Unsigned,
        ("number", []) => RowType::Number,
        ("boolean", []) => RowType::Boolean,
        ("date", []) => RowType::Date,
        ("decimal", [precision, scale]) => {
            RowType::Decimal { precision: precision.parse().ok()?, scale: scale.parse().ok()? }
        }
        ("timestamp", [precision, zone @ ..]) if zone.len() <= 1 => RowType::Timestamp {
            precision: match *precision {
                "s" => Precision::Second,
                "ms" => Precision::Millisecond,
                "us" => Precision::Microsecond,
                "ns" => Precision::Nanosecond,
                _ => return None,
            },
            zone: zone.first().map(|zone| (*zone).to_owned()),
        },
        _ => return None,
    })
}

/// Returns how many units of a precision a second has.
fn per_second(precision: Precision) -> i64 {
    match precision {
        Precision::Second => 1,
        Precision::Millisecond => 1_000,
        Precision::Microsecond => 1_000_000,
        Precision::Nanosecond => 1_000_000_000,
    }
}

/// Reads a decimal with at most so many digits behind the point.
fn units(text: &str, scale: i8) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let zeros = usize::try_from(scale).ok()?.checked_sub(fraction.len())?;
    format!("{whole}{fraction}{}", "0".repeat(zeros)).parse().ok()
}

/// Reads a moment in UTC, in seconds since 1970.
fn moment(text: &str) -> Option<i64> {
    let (day, time) = text.split_once('T')?;
    let parts: Vec<i64> = time.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [hour, minute, second] = parts.as_slice() else { return None };
    Some(Date::from_text(day)?.day_number() * SECONDS_OF_A_DAY + hour * 3600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(json: Json, kind: &str) -> (CaseValue, RowType) {
        let kind = read_type(kind).expect("a type");
        (CaseValue::read(&json, &kind).expect("a value"), kind)
    }

    #[test]
    fn values_are_written_as_they_are_read() {
        for (json, kind, text, key) in [
            (json!("a,b"), "text", "a,b", "t3:a,b"),
            (json!(null), "text", "", "n0:"),
            (json!(-7), "integer", "-7", "i2:-7"),
            (json!(u64::MAX), "unsigned", "18446744073709551615", "i20:18446744073709551615"),
            (json!("-0.0"), "number", "-0.0", "f16:0000000000000000"),
            (json!("0.1"), "number", "0.1", "f16:3fb999999999999a"),
            (json!("NaN"), "number", "NaN", "f16:7ff8000000000000"),
            (json!("-0.5"), "decimal(9,2)", "-0.50", "d6:-50e-2"),
            (json!("12"), "decimal(20,0)", "12", "d5:12e-0"),
            (json!(true), "boolean", "true", "b1:1"),
            (json!("1969-12-31"), "date", "1969-12-31", "y2:-1"),
            (json!("1969-12-31T23:59:59"), "timestamp(ms)", "1969-12-31T23:59:59", "m11:-1000000000"),
            (json!(-1), "timestamp(us, Asia/Tokyo)", "1969-12-31T23:59:59.999999000Z", "m5:-1000"),
        ] {
            let (value, kind) = read(json, kind);
            assert_eq!((value.text(&kind).as_deref(), value.key(&kind).as_str()), (Some(text), key));
        }
    }

    #[test]
    fn what_no_calendar_has_has_no_text() {
        for (json, kind) in [(json!(i32::MAX), "date"), (json!(i64::MIN), "timestamp(s)")] {
            let (value, kind) = read(json, kind);
            assert_eq!(value.text(&kind), None);
        }
    }
}
