//! The operators that an expression may use.
//!
//! It must never leave a type to an engine: whoever computes finds nothing left to coerce. It is separate from the
//! other forms because operators are a list of their own, and texts, numbers and constants are asked for in many
//! places. Read `functions.rs` next.

use super::constant::Constant;
use super::meet::meet;
use super::translate::{LONGEST_PATTERN, Translator};
use super::types::RowType;
use super::{RowForm, RowValue};
use crate::expression::{Arithmetic, ComparisonOperator, Expression};
use crate::prepare_error::PrepareError;
use crate::steps::calculate;
use arrow_array::new_empty_array;
use arrow_schema::DataType;

impl Translator<'_> {
    pub(super) fn negative(&self, value: &Expression) -> Result<RowValue, PrepareError> {
        let zero = RowValue::constant(Constant::Integer(0), RowType::Integer);
        let value = self.numeric(value)?;
        self.arithmetic(Arithmetic::Subtract, zero, value)
    }

    pub(super) fn join(&self, left: &Expression, right: &Expression) -> Result<RowValue, PrepareError> {
        let form = RowForm::Join(Box::new(self.text(left)?), Box::new(self.text(right)?));
        Ok(RowValue { form, kind: RowType::Text })
    }

    pub(super) fn compare(
        &self,
        sides: Vec<RowValue>,
        comparison: ComparisonOperator,
    ) -> Result<RowValue, PrepareError> {
        let mut sides = meet(sides, self.place)?.into_iter();
        match (sides.next(), sides.next()) {
            (Some(left), Some(right)) if left.kind != RowType::Null => {
                Ok(RowValue::truth(RowForm::Compare(comparison, Box::new(left), Box::new(right))))
            }
            (_, _) => Err(self.unreadable("null is compared with null".into())),
        }
    }

    pub(super) fn arithmetic(
        &self,
        operation: Arithmetic,
        left: RowValue,
        right: RowValue,
    ) -> Result<RowValue, PrepareError> {
        // Decimals keep their own digits; an integer beside one has nineteen.
        let sides = [left, right];
        let fraction = sides.iter().any(|side| side.kind == RowType::Number);
        let decimal = sides.iter().any(|side| matches!(side.kind, RowType::Decimal { .. }));
        let brought = sides.map(|side| match &side.kind {
            _ if fraction => side.bring(&RowType::Number, self.place),
            RowType::Integer if decimal => side.bring(&RowType::Decimal { precision: 19, scale: 0 }, self.place),
            _ => Ok(side),
        });
        let [left, right] = brought;
        let (left, right) = (left?, right?);
        let too_long = || self.unreadable("the result of the calculation has too many digits".into());
        let kind = calculated_type(operation, &left.kind, &right.kind).ok_or_else(too_long)?;
        let wrong = self.wrong("a number", &kind);
        let form = RowForm::Arithmetic(operation, Box::new(left), Box::new(right));
        RowValue::step(form, kind).ok_or(wrong)
    }

    /// A value that must be a number; texts are read as numbers.
    pub(super) fn numeric(&self, form: &Expression) -> Result<RowValue, PrepareError> {
        let value = self.translate(form)?;
        match &value.kind {
            kind if kind.is_number() => Ok(value),
            RowType::Text | RowType::Null => value.bring(&RowType::Number, self.place),
            kind => Err(self.wrong("a number", kind)),
        }
    }

    /// A value that must be an integer.
    pub(super) fn integer(&self, form: &Expression) -> Result<RowValue, PrepareError> {
        let value = self.translate(form)?;
        match &value.kind {
            RowType::Integer => Ok(value),
            kind => Err(self.wrong("an integer", kind)),
        }
    }

    /// A value that must be a text.
    pub(super) fn text(&self, form: &Expression) -> Result<RowValue, PrepareError> {
        let value = self.translate(form)?;
        match &value.kind {
            RowType::Text | RowType::Null => value.bring(&RowType::Text, self.place),
            kind => Err(self.wrong("text", kind)),
        }
    }

    /// A text that the request itself gives.
    pub(super) fn constant_text(&self, form: &Expression, what: &str) -> Result<String, PrepareError> {
        match self.translate(form)?.as_constant() {
            Some(Constant::Text(text)) if text.len() <= LONGEST_PATTERN => Ok(text.clone()),
            Some(Constant::Text(_)) => Err(self.unreadable(format!("{what} has more than {LONGEST_PATTERN} bytes"))),
            _ => Err(self.unreadable(format!("{what} must be a text in single quotes"))),
        }
    }

    /// An integer that the request itself gives, within bounds.
    pub(super) fn constant_integer(
        &self,
        form: &Expression,
        what: &str,
        least: i64,
        most: i64,
    ) -> Result<i64, PrepareError> {
        match self.translate(form)?.as_constant() {
            Some(Constant::Integer(number)) if (least..=most).contains(number) => Ok(*number),
            _ => Err(self.unreadable(format!("{what} must be an integer from {least} to {most}"))),
        }
    }
}

/// Returns the type of a calculation; nothing if no number can carry it.
fn calculated_type(operation: Arithmetic, left: &RowType, right: &RowType) -> Option<RowType> {
    let (left, right) = (new_empty_array(&left.carrier()), new_empty_array(&right.carrier()));
    match calculate(operation, &left, &right).ok()?.data_type() {
        DataType::Int64 => Some(RowType::Integer),
        DataType::Float64 => Some(RowType::Number),
        DataType::Decimal128(precision, scale) => Some(RowType::Decimal { precision: *precision, scale: *scale }),
        _ => None,
    }
}
