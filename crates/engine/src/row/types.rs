//! The types of values of a row, and how two of them meet.
//!
//! A few types carry all values. "A text beside a number is read as a number" stands here and in no other place; an engine
//! must never decide it. It is separate from the forms because columns, constants and results all have types. Read
//! `constant.rs` for constants that meet.

use super::constant::Constant;
use super::{RowForm, RowValue};
use crate::expression::Type;
use crate::prepare_error::{PrepareError, RequestField};
use arrow_schema::DECIMAL128_MAX_PRECISION;
use arrow_schema::{DataType, TimeUnit};
use incrowd_definition::{Precision, Stored};

/// The type of a value of a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RowType {
    /// Nothing but null.
    Null,
    /// Texts, however they are stored.
    Text,
    /// Whole numbers of 64 bits.
    Integer,
    /// Whole numbers of 64 bits without a sign: a column, or a bin that is found. In expressions they are decimals.
    Unsigned,
    /// Binary fractions of 64 bits, read by their shortest decimals.
    Number,
    /// Decimals of at most 38 digits.
    Decimal {
        /// How many digits there are.
        precision: u8,
        /// How many of them are after the point.
        scale: i8,
    },
    /// True or false.
    Boolean,
    /// Days.
    Date,
    /// Moments.
    Timestamp {
        /// How fine they are.
        precision: Precision,
        /// The time zone that labels them, if one does.
        zone: Option<String>,
    },
    /// Anything else that a source may store; it is used only if it is read as a declared type.
    Foreign(&'static str),
}

/// What is asked for where any value will do.
pub(super) const ANY: &str = "text, a number, a date, a timestamp, true or false";

impl RowType {
    /// Returns what it is called in messages.
    pub fn name(&self) -> &'static str {
        match self {
            RowType::Null => "nothing but null",
            RowType::Text => "text",
            RowType::Integer | RowType::Unsigned => "an integer",
            RowType::Number => "a number with a fraction",
            RowType::Decimal { .. } => "a decimal number",
            RowType::Boolean => "true or false",
            RowType::Date => "a date",
            RowType::Timestamp { .. } => "a timestamp",
            RowType::Foreign(name) => name,
        }
    }

    /// Returns the type of Arrow that carries its values; texts may be stored in other ways, too.
    pub fn carrier(&self) -> DataType {
        match self {
            RowType::Null | RowType::Foreign(_) => DataType::Null,
            RowType::Text => DataType::Utf8View,
            RowType::Integer => DataType::Int64,
            RowType::Unsigned => DataType::UInt64,
            RowType::Number => DataType::Float64,
            RowType::Decimal { precision, scale } => DataType::Decimal128(*precision, *scale),
            RowType::Boolean => DataType::Boolean,
            RowType::Date => DataType::Date32,
            RowType::Timestamp { precision, zone } => {
                let unit = match precision {
                    Precision::Second => TimeUnit::Second,
                    Precision::Millisecond => TimeUnit::Millisecond,
                    Precision::Microsecond => TimeUnit::Microsecond,
                    Precision::Nanosecond => TimeUnit::Nanosecond,
                };
                DataType::Timestamp(unit, zone.as_deref().map(Into::into))
            }
        }
    }

    /// Returns how such values are stored, in the words of a reading.
    pub fn stored(&self) -> Stored {
        match self {
            RowType::Text => Stored::Text,
            RowType::Integer | RowType::Unsigned => Stored::Integer,
            RowType::Number => Stored::Float(64),
            RowType::Decimal { scale, .. } => Stored::Decimal(*scale),
            RowType::Boolean => Stored::Boolean,
            RowType::Date => Stored::Date,
            RowType::Timestamp { precision, zone } => Stored::Timestamp { precision: *precision, zone: zone.clone() },
            RowType::Null | RowType::Foreign(_) => Stored::Other(self.name().to_owned()),
        }
    }

    /// Returns moments to the microsecond without a zone: what texts are read as.
    pub(super) fn moment() -> RowType {
        RowType::Timestamp { precision: Precision::Microsecond, zone: None }
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self, RowType::Integer | RowType::Number | RowType::Decimal { .. })
    }

    pub(super) fn is_time(&self) -> bool {
        matches!(self, RowType::Date | RowType::Timestamp { .. })
    }

    /// Whether some values of one type can be read as the other.
    pub(super) fn can_be_read_as(&self, to: &RowType) -> bool {
        !matches!(self, RowType::Foreign(_)) && arrow_cast::can_cast_types(&self.carrier(), &to.carrier())
    }

    /// Returns the type in which expressions calculate with values of this one; nothing if they cannot.
    fn in_expressions(&self) -> Option<RowType> {
        match self {
            RowType::Unsigned => Some(RowType::Decimal { precision: 20, scale: 0 }),
            RowType::Decimal { precision, scale } => decimal(i32::from(*precision) - i32::from(*scale), *scale),
            RowType::Foreign(_) => None,
            RowType::Null
            | RowType::Text
            | RowType::Integer
            | RowType::Number
            | RowType::Boolean
            | RowType::Date
            | RowType::Timestamp { .. } => Some(self.clone()),
        }
    }
}

impl From<Type> for RowType {
    fn from(kind: Type) -> RowType {
        match kind {
            Type::Text => RowType::Text,
            Type::Integer => RowType::Integer,
            Type::Number => RowType::Number,
            Type::Decimal { precision, scale } => RowType::Decimal { precision, scale },
            Type::Boolean => RowType::Boolean,
            Type::Date => RowType::Date,
            Type::Timestamp => RowType::moment(),
        }
    }
}

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
/// A text beside anything else is read as that: beside a number of any type as a number with a fraction, so that "18.5" is
/// not missing beside the integer 18.
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

/// Returns the decimal type with so many digits before and after the point, if they fit.
fn decimal(digits: i32, scale: i8) -> Option<RowType> {
    let scale = scale.max(0);
    let precision = digits.max(0) + i32::from(scale);
    let precision = u8::try_from(precision.max(1)).ok().filter(|precision| *precision <= DECIMAL128_MAX_PRECISION)?;
    Some(RowType::Decimal { precision, scale })
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
