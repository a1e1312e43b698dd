//! The types of values of a row.
//!
//! A few types carry all values; a source must never be taken for one that holds other values. It is separate from the
//! forms because columns, constants and results all have types. Read `meet.rs` for how two of them meet.

use crate::expression::Type;
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
    pub(super) fn in_expressions(&self) -> Option<RowType> {
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

/// Returns the decimal type with so many digits before and after the point, if they fit.
pub(super) fn decimal(digits: i32, scale: i8) -> Option<RowType> {
    let scale = scale.max(0);
    let precision = digits.max(0) + i32::from(scale);
    let precision = u8::try_from(precision.max(1)).ok().filter(|precision| *precision <= DECIMAL128_MAX_PRECISION)?;
    Some(RowType::Decimal { precision, scale })
}
