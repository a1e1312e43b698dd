//! The operators that an expression may use.
//!
//! It must never let the engine calculate by itself: its integers wrap around and its divisions fail. It is separate from
//! the other forms because operators are a list of their own, and texts, numbers and constants are asked for in many
//! places. Read `functions.rs` next.

use super::total::{Step, calculate};
use super::translate::{LONGEST_PATTERN, Translator, boolean};
use super::typed::{Typed, is_number, is_text, meet};
use datafusion::arrow::array::new_empty_array;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};
use incrowd_engine::{Arithmetic, Expression, PrepareError};

impl Translator<'_> {
    pub(super) fn negative(&self, value: &Expression) -> Result<Typed, PrepareError> {
        let zero = Typed::literal(ScalarValue::Int64(Some(0)));
        let value = self.numeric(value)?;
        self.arithmetic(Arithmetic::Subtract, zero, value)
    }

    /// `and` and `or`.
    pub(super) fn both(
        &self,
        left: &Expression,
        operator: Operator,
        right: &Expression,
    ) -> Result<Typed, PrepareError> {
        Ok(joined(self.truth(left)?, operator, self.truth(right)?))
    }

    pub(super) fn join(&self, left: &Expression, right: &Expression) -> Result<Typed, PrepareError> {
        let texts = vec![self.text(left)?, self.text(right)?];
        let wrong = || self.wrong("text", &DataType::Utf8View);
        Typed::step(Step::Joined, texts, &DataType::Utf8View).ok_or_else(wrong)
    }

    pub(super) fn compared(
        &self,
        left: &Expression,
        operator: Operator,
        right: &Expression,
    ) -> Result<Typed, PrepareError> {
        self.compare(vec![self.translate(left)?, self.translate(right)?], operator)
    }

    /// Returns whether two values that have met are equal.
    pub(super) fn equal(&self, sides: Vec<Typed>) -> Result<Typed, PrepareError> {
        self.compare(sides, Operator::Eq)
    }

    fn compare(&self, sides: Vec<Typed>, operator: Operator) -> Result<Typed, PrepareError> {
        let mut sides = meet(sides, self.place)?.into_iter();
        match (sides.next(), sides.next()) {
            (Some(left), Some(right)) if left.kind != DataType::Null => {
                Ok(joined(Box::new(left.expr), operator, Box::new(right.expr)))
            }
            (_, _) => Err(self.unreadable("null is compared with null".into())),
        }
    }

    pub(super) fn arithmetic(&self, operation: Arithmetic, left: Typed, right: Typed) -> Result<Typed, PrepareError> {
        // Decimals keep their own digits; an integer beside one has nineteen.
        let sides = [left, right];
        let float = sides.iter().any(|side| side.kind == DataType::Float64);
        let decimal = sides.iter().any(|side| matches!(side.kind, DataType::Decimal128(_, _)));
        let sides = sides.into_iter().map(|side| match &side.kind {
            _ if float => side.bring(&DataType::Float64, self.place),
            DataType::Int64 if decimal => side.bring(&DataType::Decimal128(19, 0), self.place),
            _ => Ok(side),
        });
        let sides = sides.collect::<Result<Vec<_>, _>>()?;
        let empty: Vec<_> = sides.iter().map(|side| new_empty_array(&side.kind)).collect();
        let result = calculate(operation, &empty[0], &empty[1]).map(|result| result.data_type().clone());
        let result = result.map_err(|_| self.unreadable("the result of the calculation has too many digits".into()))?;
        let wrong = || self.wrong("a number", &result);
        Typed::step(Step::Arithmetic(operation, result.clone()), sides, &result).ok_or_else(wrong)
    }

    /// A value that must be a number; texts are read as numbers.
    pub(super) fn numeric(&self, form: &Expression) -> Result<Typed, PrepareError> {
        let value = self.translate(form)?;
        match &value.kind {
            kind if is_number(kind) => Ok(value),
            kind if is_text(kind) || kind == &DataType::Null => value.bring(&DataType::Float64, self.place),
            kind => Err(self.wrong("a number", kind)),
        }
    }

    /// A value that must be an integer.
    pub(super) fn integer(&self, form: &Expression) -> Result<Typed, PrepareError> {
        let value = self.translate(form)?;
        match &value.kind {
            DataType::Int64 => Ok(value),
            kind => Err(self.wrong("an integer", kind)),
        }
    }

    /// A value that must be a text, as a view: the one way of storing texts that every function takes.
    pub(super) fn text(&self, form: &Expression) -> Result<Typed, PrepareError> {
        let value = self.translate(form)?;
        match &value.kind {
            kind if is_text(kind) || kind == &DataType::Null => value.bring(&DataType::Utf8View, self.place),
            kind => Err(self.wrong("text", kind)),
        }
    }

    /// A text that the request itself gives.
    pub(super) fn constant_text(&self, form: &Expression, what: &str) -> Result<String, PrepareError> {
        match self.translate(form)?.as_literal() {
            Some(ScalarValue::Utf8View(Some(text))) if text.len() <= LONGEST_PATTERN => Ok(text.clone()),
            Some(ScalarValue::Utf8View(Some(_))) => {
                Err(self.unreadable(format!("{what} has more than {LONGEST_PATTERN} bytes")))
            }
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
        match self.translate(form)?.as_literal() {
            Some(ScalarValue::Int64(Some(number))) if (least..=most).contains(number) => Ok(*number),
            _ => Err(self.unreadable(format!("{what} must be an integer from {least} to {most}"))),
        }
    }
}

fn joined(left: Box<Expr>, operator: Operator, right: Box<Expr>) -> Typed {
    boolean(Expr::BinaryExpr(BinaryExpr::new(left, operator, right)))
}
