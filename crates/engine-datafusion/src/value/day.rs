//! Days of columns: of a moment in a time zone, and the first ones of weeks, months, quarters and years.
//!
//! It must never fail on a day or a moment, however far away: what has no day is missing. It is separate from the engine's
//! own date functions because those fail far from today. Read `value.rs` for what is brought to a day.

use datafusion::arrow::array::timezone::Tz;
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, Date32Array, PrimitiveArray, StringArrayType, TimestampMicrosecondArray,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::compute::kernels::cast_utils::{Parser, string_to_datetime};
use datafusion::arrow::datatypes::{
    ArrowTimestampType, DataType, Date32Type, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use datafusion::arrow::error::ArrowError;
use incrowd_engine::PeriodUnit;
use std::sync::Arc;

/// Whether there is a time zone of this name.
pub(crate) fn is_timezone(name: &str) -> bool {
    name.parse::<Tz>().is_ok()
}

/// Returns the day of each moment or text in a time zone.
///
/// A moment without a zone is one in UTC. A text is a day (`2026-01-31`), or a moment if it is longer than that
/// (`2026-01-31T23:00:00Z`); anything else is missing.
pub(crate) fn days(values: &ArrayRef, zone: &str) -> Result<ArrayRef, ArrowError> {
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
pub(crate) fn first_days(values: &ArrayRef, unit: PeriodUnit) -> Result<ArrayRef, ArrowError> {
    let days = values.as_primitive_opt::<Date32Type>();
    let days = days.ok_or_else(|| ArrowError::CastError("not days".into()))?;
    Ok(Arc::new(days.unary_opt::<_, Date32Type>(|day| first_day(day, unit))))
}

/// Returns the first day of the period that a day is in, if it is one at all.
pub(crate) fn first_day(day: i32, unit: PeriodUnit) -> Option<i32> {
    i32::try_from(unit.first_day(i64::from(day))).ok()
}

/// Returns the first day after the period that begins on a day, if it is one at all.
pub(crate) fn next_first_day(first: i32, unit: PeriodUnit) -> Option<i32> {
    i32::try_from(unit.next(i64::from(first))).ok()
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
