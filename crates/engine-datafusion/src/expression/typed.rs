//! Expressions with their types, and how two types meet.
//!
//! A few types carry all values: text, Int64, Float64, Decimal128, Boolean, Date32 and timestamps. Every change of type is
//! written out as a null-on-error step, so that the engine finds nothing left to coerce; it must never leave that to the
//! engine, whose own casts fail on a row. It is separate from the grammar so that "a text beside a number is read as a
//! number" stands in one place. Read `translate.rs` next.

use super::total::{Step, cast, total};
use datafusion::arrow::datatypes::{DECIMAL128_MAX_PRECISION, DataType, TimeUnit};
use datafusion::common::{Column, ScalarValue};
use datafusion::logical_expr::Expr;
use incrowd_engine::{PrepareError, RequestField};

/// An expression and its type.
#[derive(Debug, Clone)]
pub(crate) struct Typed {
    pub(crate) expr: Expr,
    pub(crate) kind: DataType,
}

impl Typed {
    /// Returns a column, widened to a type that carries it; nothing for a type that no expression may use.
    pub(crate) fn column(name: &str, kind: &DataType) -> Option<Typed> {
        let column = Typed { expr: Expr::Column(Column::new_unqualified(name)), kind: kind.clone() };
        let carrier = carrier(kind)?;
        // A float may be NaN or -0.0: the step tidies it.
        if &carrier == kind && carrier != DataType::Float64 { Some(column) } else { Some(column.cast(carrier)) }
    }

    /// Returns a constant.
    pub(crate) fn literal(value: ScalarValue) -> Typed {
        Typed { kind: value.data_type(), expr: Expr::Literal(value, None) }
    }

    /// Returns the result of a step, widened to a type that carries it.
    pub(crate) fn step(step: Step, arguments: Vec<Typed>, result: &DataType) -> Option<Typed> {
        let arguments = arguments.into_iter().map(|argument| argument.expr).collect();
        let typed = Typed { expr: total(step, arguments), kind: result.clone() };
        let carrier = carrier(result)?;
        if &carrier == result { Some(typed) } else { Some(typed.cast(carrier)) }
    }

    /// Returns the constant that this is.
    pub(crate) fn as_literal(&self) -> Option<&ScalarValue> {
        match &self.expr {
            Expr::Literal(value, _) => Some(value),
            _ => None,
        }
    }

    /// Reads every value as another type; those that cannot be are missing.
    pub(crate) fn cast(self, to: DataType) -> Typed {
        Typed { expr: cast(self.expr, to.clone()), kind: to }
    }

    /// Brings a value to the type that it meets. A constant of the request must be readable; a row need not be.
    pub(crate) fn bring(self, to: &DataType, place: &RequestField) -> Result<Typed, PrepareError> {
        if &self.kind == to {
            return Ok(self);
        }
        let Some(literal) = self.as_literal() else { return Ok(self.cast(to.clone())) };
        let read = match (literal, to) {
            // By its digits: rounded once.
            (ScalarValue::Decimal128(Some(_), _, _), DataType::Float64) => {
                let digits = decimal_text(literal);
                digits.parse().ok().map(|number: f64| ScalarValue::Float64(Some(number)))
            }
            (_, DataType::Dictionary(keys, values)) => {
                let word = literal.cast_to(values).ok();
                word.map(|word| ScalarValue::Dictionary(keys.clone(), Box::new(word)))
            }
            (literal, to) => literal.cast_to(to).ok().filter(|read| literal.is_null() || !read.is_null()),
        };
        match read {
            Some(ScalarValue::Float64(Some(number))) if !number.is_finite() => Err(not_a(literal, to, place)),
            Some(value) => Ok(Typed::literal(value)),
            None => Err(not_a(literal, to, place)),
        }
    }
}

/// Returns the type that carries values of a type in expressions, if there is one.
pub(crate) fn carrier(kind: &DataType) -> Option<DataType> {
    Some(match kind {
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => DataType::Int64,
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 => DataType::Int64,
        DataType::UInt64 => DataType::Decimal128(20, 0),
        DataType::Float16 | DataType::Float32 | DataType::Float64 => DataType::Float64,
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale) => decimal(i32::from(*precision) - i32::from(*scale), *scale)?,
        DataType::Date32 | DataType::Date64 => DataType::Date32,
        DataType::Boolean
        | DataType::Null
        | DataType::Timestamp(_, _)
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View => kind.clone(),
        DataType::Dictionary(_, values) if is_text(values) => kind.clone(),
        DataType::Dictionary(_, values) => carrier(values)?,
        _ => return None,
    })
}

/// Whether values of the type are texts.
pub(crate) fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// Whether a carrier holds numbers.
pub(crate) fn is_number(kind: &DataType) -> bool {
    matches!(kind, DataType::Int64 | DataType::Float64 | DataType::Decimal128(_, _))
}

/// Brings values that meet to one type: compared, listed, or results of the same `case`.
pub(crate) fn meet(values: Vec<Typed>, place: &RequestField) -> Result<Vec<Typed>, PrepareError> {
    let mut kind = DataType::Null;
    // Constants come last: a text constant takes the type of the column that it meets, whatever stores it.
    let (constants, others): (Vec<&Typed>, Vec<&Typed>) = values.iter().partition(|value| value.as_literal().is_some());
    for value in others {
        kind = common(&kind, &value.kind, place)?;
    }
    for constant in constants {
        let kept = is_text(&kind) && is_text(&constant.kind);
        kind = if kept { kind } else { common(&kind, &constant.kind, place)? };
    }
    values.into_iter().map(|value| value.bring(&kind, place)).collect()
}

/// Returns the type in which values of two types meet.
///
/// A text beside anything else is read as that: beside a number of any type as a Float64, so that "18.5" is not missing
/// beside the integer 18.
fn common(one: &DataType, other: &DataType, place: &RequestField) -> Result<DataType, PrepareError> {
    use DataType::{Boolean, Date32, Decimal128, Float64, Int64, Null, Timestamp, Utf8View};
    Ok(match (one, other) {
        (one, other) if one == other => one.clone(),
        (Null, kind) | (kind, Null) => kind.clone(),
        (one, other) if is_text(one) && is_text(other) => Utf8View,
        (text, number) | (number, text) if is_text(text) && is_number(number) => Float64,
        (text, kind @ (Boolean | Date32 | Timestamp(_, _))) | (kind @ (Boolean | Date32 | Timestamp(_, _)), text)
            if is_text(text) =>
        {
            kind.clone()
        }
        (Float64, Int64 | Decimal128(_, _)) | (Int64 | Decimal128(_, _), Float64) => Float64,
        (Int64, Decimal128(precision, scale)) | (Decimal128(precision, scale), Int64) => {
            let digits = (i32::from(*precision) - i32::from(*scale)).max(19);
            decimal(digits, *scale).unwrap_or(Float64)
        }
        (Decimal128(one_precision, one_scale), Decimal128(other_precision, other_scale)) => {
            let one_digits = i32::from(*one_precision) - i32::from(*one_scale);
            let other_digits = i32::from(*other_precision) - i32::from(*other_scale);
            decimal(one_digits.max(other_digits), *one_scale.max(other_scale)).unwrap_or(Float64)
        }
        // Moments meet as moments, a day at its beginning; one without a zone is in UTC.
        (Timestamp(_, zone), Date32) | (Date32, Timestamp(_, zone)) => moment(zone.is_some()),
        (Timestamp(_, one), Timestamp(_, other)) => moment(one.is_some() || other.is_some()),
        (one, other) => {
            let (wanted, has) = (name_of(one), name_of(other).to_owned());
            return Err(PrepareError::WrongType { place: place.clone(), wanted, has });
        }
    })
}

fn moment(zoned: bool) -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, zoned.then(|| "UTC".into()))
}

/// Returns the decimal type with so many digits before and after the point, if they fit.
fn decimal(digits: i32, scale: i8) -> Option<DataType> {
    let scale = scale.max(0);
    let precision = digits.max(0) + i32::from(scale);
    let precision = u8::try_from(precision.max(1)).ok().filter(|precision| *precision <= DECIMAL128_MAX_PRECISION)?;
    Some(DataType::Decimal128(precision, scale))
}

/// Returns what a type is called in messages.
pub(crate) fn name_of(kind: &DataType) -> &'static str {
    match kind {
        kind if is_text(kind) => "text",
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => "an integer",
        DataType::UInt8 | DataType::UInt16 | DataType::UInt32 | DataType::UInt64 => "an integer",
        DataType::Float16 | DataType::Float32 | DataType::Float64 => "a number with a fraction",
        DataType::Decimal32(_, _)
        | DataType::Decimal64(_, _)
        | DataType::Decimal128(_, _)
        | DataType::Decimal256(_, _) => "a decimal number",
        DataType::Boolean => "true or false",
        DataType::Date32 | DataType::Date64 => "a date",
        DataType::Timestamp(_, _) => "a timestamp",
        DataType::Null => "nothing but null",
        DataType::Dictionary(_, values) => name_of(values),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_) => "binary",
        DataType::Time32(_) | DataType::Time64(_) => "a time of day",
        DataType::Duration(_) | DataType::Interval(_) => "a length of time",
        _ => "a nested type",
    }
}

fn not_a(literal: &ScalarValue, to: &DataType, place: &RequestField) -> PrepareError {
    // The constant is the request's own text.
    PrepareError::NotAnExpression { place: place.clone(), message: format!("{literal:?} is not {}", name_of(to)) }
}

fn decimal_text(literal: &ScalarValue) -> String {
    match literal {
        ScalarValue::Decimal128(Some(units), _, scale) => format!("{units}e{}", -i32::from(*scale)),
        _ => String::new(),
    }
}
