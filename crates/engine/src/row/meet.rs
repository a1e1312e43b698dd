//! How values of two types meet.
//!
//! "A text beside a number is read as a number" stands here and in no other place; an engine must never decide it. It
//! is separate from the forms because comparing, listing and choosing all ask. Read `constant.rs` for constants that
//! meet.

use super::constant::Constant;
use super::types::{RowType, decimal};
use super::{RowForm, RowValue};
use crate::prepare_error::{PrepareError, RequestField};
use arrow_schema::DECIMAL128_MAX_PRECISION;
use incrowd_definition::Precision;

impl RowValue {
    /// Returns a column in the type that carries it in expressions; nothing for a type that no expression may use.
    pub(super) fn in_expressions(name: &str, kind: &RowType) -> Option<RowValue> {
        let column = RowValue::column(name, kind);
        let carrier = kind.in_expressions()?;
        // A number may be NaN or -0.0: reading tidies it.
        if &carrier == kind && carrier != RowType::Number { Some(column) } else { Some(column.read_as(carrier)) }
    }

    /// Returns the result of a step, widened to a type that expressions calculate in.
    pub(super) fn step(form: RowForm, kind: RowType) -> Option<RowValue> {
        let carrier = kind.in_expressions()?;
        let value = RowValue { form, kind };
        if value.kind == carrier { Some(value) } else { Some(value.read_as(carrier)) }
    }

    /// Brings a value to the type that it meets. A constant of the request must be readable; a row need not be.
    pub(super) fn bring(self, to: &RowType, place: &RequestField) -> Result<RowValue, PrepareError> {
        if &self.kind == to {
            return Ok(self);
        }
        let Some(constant) = self.as_constant() else { return Ok(self.read_as(to.clone())) };
        match constant.read_as(&self.kind, to) {
            Some(read) => Ok(RowValue::constant(read, to.clone())),
            None => {
                let message = format!("{constant} is not {}", to.name());
                Err(PrepareError::NotAnExpression { place: place.clone(), message })
            }
        }
    }
}

/// Brings values that meet to one type: compared, listed, or results of the same `case`.
pub(super) fn meet(values: Vec<RowValue>, place: &RequestField) -> Result<Vec<RowValue>, PrepareError> {
    let mut kind = RowType::Null;
    // Constants come last: a text constant takes the type of the column that it meets.
    let (constants, others): (Vec<&RowValue>, Vec<&RowValue>) =
        values.iter().partition(|value| value.as_constant().is_some());
    for value in others.into_iter().chain(constants) {
        kind = common(&kind, &value.kind, place)?;
    }
    values.into_iter().map(|value| value.bring(&kind, place)).collect()
}

/// Returns the type in which values of two types meet.
///
/// A text beside anything else is read as that: beside a number of any type as a number with a fraction, so that "18.5"
/// is not missing beside the integer 18.
fn common(one: &RowType, other: &RowType, place: &RequestField) -> Result<RowType, PrepareError> {
    use RowType::{Boolean, Date, Decimal, Integer, Null, Number, Text, Timestamp};
    Ok(match (one, other) {
        (one, other) if one == other => one.clone(),
        (Null, kind) | (kind, Null) => kind.clone(),
        (Text, Integer | Number | Decimal { .. }) | (Integer | Number | Decimal { .. }, Text) => Number,
        (Text, kind @ (Boolean | Date | Timestamp { .. })) | (kind @ (Boolean | Date | Timestamp { .. }), Text) => {
            kind.clone()
        }
        (Number, Integer | Decimal { .. }) | (Integer | Decimal { .. }, Number) => Number,
        (Integer, Decimal { precision, scale }) | (Decimal { precision, scale }, Integer) => {
            let digits = (i32::from(*precision) - i32::from(*scale)).max(19);
            decimal(digits, *scale).unwrap_or(Number)
        }
        (
            Decimal { precision: one_precision, scale: one_scale },
            Decimal { precision: other_precision, scale: other_scale },
        ) => {
            let one_digits = i32::from(*one_precision) - i32::from(*one_scale);
            let other_digits = i32::from(*other_precision) - i32::from(*other_scale);
            decimal(one_digits.max(other_digits), *one_scale.max(other_scale)).unwrap_or(Number)
        }
        // Moments meet as moments, a day at its beginning; one without a zone is in UTC.
        (Timestamp { zone, .. }, Date) | (Date, Timestamp { zone, .. }) => met_moment(zone.is_some()),
        (Timestamp { zone: one, .. }, Timestamp { zone: other, .. }) => met_moment(one.is_some() || other.is_some()),
        (one, other) => {
            let (wanted, has) = (one.name(), other.name().to_owned());
            return Err(PrepareError::WrongType { place: place.clone(), wanted, has });
        }
    })
}

fn met_moment(zoned: bool) -> RowType {
    RowType::Timestamp { precision: Precision::Microsecond, zone: zoned.then(|| "UTC".to_owned()) }
}

/// Returns a number by its digits: an integer, an exact decimal, or a number with a fraction if it has an exponent.
pub(super) fn written_number(digits: &str) -> Option<RowValue> {
    if let Ok(integer) = digits.parse::<i64>() {
        return Some(RowValue::constant(Constant::Integer(integer), RowType::Integer));
    }
    if digits.contains(['e', 'E']) {
        let number = digits.parse::<f64>().ok().filter(|number| number.is_finite())?;
        return Some(RowValue::constant(Constant::Number(number), RowType::Number));
    }
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let units: i128 = format!("{whole}{fraction}").parse().ok()?;
    let scale = i8::try_from(fraction.len()).ok()?;
    let precision = units.unsigned_abs().to_string().len().max(fraction.len());
    let precision = u8::try_from(precision).ok().filter(|precision| *precision <= DECIMAL128_MAX_PRECISION)?;
    Some(RowValue::constant(Constant::Decimal(units), RowType::Decimal { precision, scale }))
}
