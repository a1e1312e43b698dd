//! Constants of a request, with the types that they take.
//!
//! A constant is read as another type by the same steps as a row, but must be readable: what would be missing on every
//! row is a mistake of the request. It must never be rounded twice. It is separate because a constant is known before
//! anything is read. Read `../steps.rs` for the reading.

use super::types::RowType;
use crate::steps::read;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float64Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array, StringViewArray,
    TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray, UInt64Array,
    new_null_array,
};
use incrowd_definition::Precision;
use std::fmt;
use std::sync::Arc;

/// A constant; its type stands beside it.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// Nothing, of any type.
    Null,
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A finite number.
    Number(f64),
    /// A decimal, in units of its last digit.
    Decimal(i128),
    /// A text.
    Text(String),
    /// A day, in days since 1970.
    Date(i32),
    /// A moment, in units of its type since 1970.
    Timestamp(i64),
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Null => f.write_str("null"),
            Constant::Boolean(truth) => write!(f, "{truth}"),
            Constant::Integer(integer) => write!(f, "{integer}"),
            Constant::Number(number) => write!(f, "{number}"),
            Constant::Decimal(_) => f.write_str("the decimal"),
            Constant::Text(text) => write!(f, "'{text}'"),
            Constant::Date(_) => f.write_str("the date"),
            Constant::Timestamp(_) => f.write_str("the timestamp"),
        }
    }
}

impl Constant {
    /// Returns the constant read as another type; nothing where that fails or is infinite.
    pub(super) fn read_as(&self, from: &RowType, to: &RowType) -> Option<Constant> {
        if self == &Constant::Null {
            return Some(Constant::Null);
        }
        let read = read(&self.array(from)?, &to.carrier()).ok()?;
        let constant = Constant::first(&read, to)?;
        match constant {
            Constant::Number(number) if !number.is_finite() => None,
            constant => Some(constant),
        }
    }

    /// Returns a column of one row that holds it; nothing if it is not of that type.
    pub fn array(&self, kind: &RowType) -> Option<ArrayRef> {
        Some(match (self, kind) {
            (Constant::Null, kind) => new_null_array(&kind.carrier(), 1),
            (Constant::Boolean(truth), RowType::Boolean) => Arc::new(BooleanArray::from(vec![*truth])),
            (Constant::Integer(integer), RowType::Integer) => Arc::new(Int64Array::from(vec![*integer])),
            (Constant::Integer(integer), RowType::Unsigned) => {
                Arc::new(UInt64Array::from(vec![u64::try_from(*integer).ok()?]))
            }
            (Constant::Number(number), RowType::Number) => Arc::new(Float64Array::from(vec![*number])),
            (Constant::Decimal(units), RowType::Decimal { precision, scale }) => {
                let units = Decimal128Array::from(vec![*units]).with_precision_and_scale(*precision, *scale);
                Arc::new(units.ok()?)
            }
            (Constant::Text(text), RowType::Text) => Arc::new(StringViewArray::from(vec![text.as_str()])),
            (Constant::Date(day), RowType::Date) => Arc::new(Date32Array::from(vec![*day])),
            (Constant::Timestamp(moment), RowType::Timestamp { precision, zone }) => {
                let zone = zone.as_deref().map(Into::into);
                let moment = vec![*moment];
                match precision {
                    Precision::Second => {
                        Arc::new(TimestampSecondArray::from(moment).with_timezone_opt::<Arc<str>>(zone))
                    }
                    Precision::Millisecond => {
                        Arc::new(TimestampMillisecondArray::from(moment).with_timezone_opt::<Arc<str>>(zone))
                    }
                    Precision::Microsecond => {
                        Arc::new(TimestampMicrosecondArray::from(moment).with_timezone_opt::<Arc<str>>(zone))
                    }
                    Precision::Nanosecond => {
                        Arc::new(TimestampNanosecondArray::from(moment).with_timezone_opt::<Arc<str>>(zone))
                    }
                }
            }
            (
                Constant::Boolean(_)
                | Constant::Integer(_)
                | Constant::Number(_)
                | Constant::Decimal(_)
                | Constant::Text(_)
                | Constant::Date(_)
                | Constant::Timestamp(_),
                _,
            ) => return None,
        })
    }

    /// Returns the first value of a column of a type; nothing if it is missing.
    fn first(array: &ArrayRef, kind: &RowType) -> Option<Constant> {
        if array.is_null(0) {
            return None;
        }
        Some(match kind {
            RowType::Text => Constant::Text(array.as_string_view_opt()?.value(0).to_owned()),
            RowType::Integer => Constant::Integer(array.as_primitive_opt::<Int64Type>()?.value(0)),
            RowType::Number => Constant::Number(array.as_primitive_opt::<Float64Type>()?.value(0)),
            RowType::Decimal { .. } => Constant::Decimal(array.as_primitive_opt::<Decimal128Type>()?.value(0)),
            RowType::Boolean => Constant::Boolean(array.as_boolean_opt()?.value(0)),
            RowType::Date => Constant::Date(array.as_primitive_opt::<Date32Type>()?.value(0)),
            RowType::Timestamp { precision, .. } => Constant::Timestamp(match precision {
                Precision::Second => array.as_primitive_opt::<TimestampSecondType>()?.value(0),
                Precision::Millisecond => array.as_primitive_opt::<TimestampMillisecondType>()?.value(0),
                Precision::Microsecond => array.as_primitive_opt::<TimestampMicrosecondType>()?.value(0),
                Precision::Nanosecond => array.as_primitive_opt::<TimestampNanosecondType>()?.value(0),
            }),
            RowType::Null | RowType::Unsigned | RowType::Foreign(_) => return None,
        })
    }
}
