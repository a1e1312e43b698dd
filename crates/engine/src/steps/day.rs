//! Days of columns: of a moment in a time zone, and the first ones of weeks, months, quarters and years.
//!
//! It must never fail on a day or a moment, however far away: what has no day is missing. It is separate from the
//! engine's own date functions because those fail far from today. Read `../row/dimension.rs` for what is brought to a
//! day.

use arrow_array::cast::AsArray;
use arrow_array::timezone::Tz;
use arrow_array::types::{
    ArrowTimestampType, Date32Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, Date32Array, PrimitiveArray, StringArrayType, TimestampMicrosecondArray};
use arrow_cast::cast;
use arrow_cast::parse::{Parser, string_to_datetime};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use incrowd_definition::PeriodUnit;
use std::sync::Arc;

/// Whether there is a time zone of this name.
pub fn is_timezone(name: &str) -> bool {
    name.parse::<Tz>().is_ok()
}

/// Returns the day of each moment or text in a time zone.
///
/// A moment without a zone is one in UTC. A text is a day (`2026-01-31`), or a moment if it is longer than that
/// (`2026-01-31T23:00:00Z`); anything else is missing.
pub fn days(values: &ArrayRef, zone: &str) -> Result<ArrayRef, ArrowError> {
    match values.data_type() {
        DataType::Date32 => Ok(Arc::clone(values)),
        DataType::Timestamp(TimeUnit::Second, _) => of_moments::<TimestampSecondType>(values, zone, 1),
        DataType::Timestamp(TimeUnit::Millisecond, _) => of_moments::<TimestampMillisecondType>(values, zone, 1_000),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            of_moments::<TimestampMicrosecondType>(values, zone, 1_000_000)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            of_moments::<TimestampNanosecondType>(values, zone, 1_000_000_000)
        }
        DataType::Utf8 => of_texts(values.as_string::<i32>(), zone),
        DataType::LargeUtf8 => of_texts(values.as_string::<i64>(), zone),
        DataType::Utf8View => of_texts(values.as_string_view(), zone),
        DataType::Dictionary(_, _) => {
            // Each word once, then the rows.
            let dictionary = values.as_any_dictionary();
            let words = days(dictionary.values(), zone)?;
            cast(&dictionary.with_values(words), &DataType::Date32)
        }
        other => Err(ArrowError::CastError(format!("{other} has no days"))),
    }
}

/// Returns the first day of the period that each day is in.
pub fn first_days(values: &ArrayRef, unit: PeriodUnit) -> Result<ArrayRef, ArrowError> {
    let days = values.as_primitive_opt::<Date32Type>();
    let days = days.ok_or_else(|| ArrowError::CastError("not days".into()))?;
    Ok(Arc::new(days.unary_opt::<_, Date32Type>(|day| first_day(day, unit))))
}

/// Returns the first day of the period that a day is in, if it is one at all.
fn first_day(day: i32, unit: PeriodUnit) -> Option<i32> {
    i32::try_from(unit.first_day(i64::from(day))).ok()
}

fn of_moments<T: ArrowTimestampType>(values: &ArrayRef, zone: &str, per_second: i64) -> Result<ArrayRef, ArrowError> {
    let moments = values.as_primitive::<T>();
    if zone == "UTC" {
        let day = |moment: i64| i32::try_from(moment.div_euclid(per_second * 86_400)).ok();
        return Ok(Arc::new(moments.unary_opt::<_, Date32Type>(day)));
    }
    // A moment is the same whatever its label: only the label changes, so no clock change can be in the way.
    let moments: PrimitiveArray<T> = moments.clone().with_timezone(zone);
    cast(&moments, &DataType::Date32)
}

fn of_texts<'a>(texts: impl StringArrayType<'a>, zone: &str) -> Result<ArrayRef, ArrowError> {
    let utc: Tz = "UTC".parse()?;
    let mut days = Vec::with_capacity(texts.len());
    let mut moments = Vec::new();
    for (row, text) in texts.iter().enumerate() {
        let day = text.filter(|text| text.len() <= 10).and_then(Date32Type::parse);
        // No moment is longer than 64 bytes, and a failure would copy a text of any length.
        if let (None, Some(text)) = (day, text.filter(|text| text.len() <= 64))
            && let Ok(moment) = string_to_datetime(&utc, text)
        {
            moments.push((row, moment.timestamp_micros()));
        }
        days.push(day);
    }
    if !moments.is_empty() {
        let array: TimestampMicrosecondArray = moments.iter().map(|(_, moment)| Some(*moment)).collect();
        let array: ArrayRef = Arc::new(array);
        // Texts have at most four digits of a year: every one of these moments has a day.
        let found = of_moments::<TimestampMicrosecondType>(&array, zone, 1_000_000)?;
        for ((row, _), day) in moments.iter().zip(found.as_primitive::<Date32Type>()) {
            days[*row] = day;
        }
    }
    Ok(Arc::new(Date32Array::from(days)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_days_agree_with_a_walk_through_the_calendar() {
        // From 1600 to 2400, day by day.
        let (mut year, mut month, mut day) = (1600, 1, 1);
        for number in -135_140..157_054 {
            if day == 1 {
                assert_eq!(first_day(number, PeriodUnit::Month), Some(number));
            }
            assert_eq!(first_day(number, PeriodUnit::Month), Some(number - (day - 1)), "{year}-{month}-{day}");
            if (month, day) == (1, 1) {
                assert_eq!(first_day(number, PeriodUnit::Year), Some(number));
            }
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
            day += 1;
            if day > length {
                (day, month) = (1, month + 1);
            }
            if month > 12 {
                (month, year) = (1, year + 1);
            }
        }
        assert_eq!(first_day(20_484, PeriodUnit::Quarter), Some(20_454));
        assert_eq!(first_day(i32::MIN, PeriodUnit::Year), None);
    }
}
