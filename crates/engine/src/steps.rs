//! What the steps of a row give, on Arrow's columns: the definition that every engine is held against.
//!
//! Reading a value as another type, arithmetic, days in time zones. A row on which a step fails is missing; it must
//! never end a count, because that would tell that such a row exists. It is separate from any engine, so that two of
//! them cannot mean two things by one request; one that computes elsewhere is held against the same cases
//! (`docs/decisions/0014-row-expressions.md`). Read `steps/number.rs` for numbers, `steps/day.rs` for days.

mod day;
mod number;

pub use day::{days, first_days, is_timezone};

use crate::expression::Arithmetic;
use arrow_arith::numeric;
use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal128Type, Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType};
use std::sync::Arc;

/// Reads each value as another type. An error means that some rows cannot be read: then each is to be read by itself.
pub fn read(array: &ArrayRef, to: &DataType) -> Result<ArrayRef, ArrowError> {
    if array.data_type() == to {
        return Ok(Arc::clone(array));
    }
    match number::read(array, to)? {
        Some(read) => Ok(read),
        None => cast_with_options(array, to, &CastOptions { safe: true, ..CastOptions::default() }),
    }
}

/// Makes NaN missing, and -0.0 zero: Arrow compares floats by a total order, in which both are values of their own.
pub fn tidy(array: ArrayRef) -> ArrayRef {
    match array.as_primitive_opt::<Float64Type>() {
        None => array,
        Some(floats) => {
            // Adding zero turns -0.0 into 0.0 and leaves every other number alone.
            let tidied: Float64Array = floats.unary_opt(|value| (!value.is_nan()).then_some(value + 0.0));
            Arc::new(tidied)
        }
    }
}

/// Calculates with two columns of one type. What is divided by zero is missing; an error means that some row overflows.
pub fn calculate(operation: Arithmetic, left: &ArrayRef, right: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match operation {
        Arithmetic::Add => numeric::add(left, right),
        Arithmetic::Subtract => numeric::sub(left, right),
        Arithmetic::Multiply => numeric::mul(left, right),
        Arithmetic::Divide => numeric::div(left, &without_zeros(right)),
        Arithmetic::Remainder => numeric::rem(left, &without_zeros(right)),
    }
}

fn without_zeros(divisors: &ArrayRef) -> ArrayRef {
    match divisors.data_type() {
        DataType::Int64 => {
            let some = |value: i64| (value != 0).then_some(value);
            Arc::new(divisors.as_primitive::<Int64Type>().unary_opt::<_, Int64Type>(some))
        }
        DataType::Float64 => {
            let some = |value: f64| (value != 0.0).then_some(value);
            Arc::new(divisors.as_primitive::<Float64Type>().unary_opt::<_, Float64Type>(some))
        }
        DataType::Decimal128(_, _) => {
            let some = |value: i128| (value != 0).then_some(value);
            let kept = divisors.as_primitive::<Decimal128Type>().unary_opt::<_, Decimal128Type>(some);
            Arc::new(kept.with_data_type(divisors.data_type().clone()))
        }
        // Other types do not come here; were there a zero, the row would fail and be missing.
        _ => Arc::clone(divisors),
    }
}
