//! From an expression as it is written to a tree with types.
//!
//! Which forms there are is said in `../expression.rs`; here each of them gets its types. It must never evaluate
//! anything but constants. It is separate from the functions and the operators, which are lists of their own. Read
//! `operators.rs` and `functions.rs` next.

use super::columns::Columns;
use super::constant::Constant;
use super::meet::{meet, written_number};
use super::types::{ANY, RowType};
use super::{RowForm, RowValue};
use crate::expression::{Branch, ComparisonOperator, Expression, Pattern, WrittenConstant};
use crate::prepare_error::{PrepareError, RequestField};
use std::cell::Cell;

/// How long a pattern may be, in bytes: longer ones may be refused by an engine only when it meets them.
pub(super) const LONGEST_PATTERN: usize = 1_000;

/// How many nodes of a tree may be copies: some forms ask for a value twice, and nested in each other they would make
/// trees that nothing can hold.
const MOST_COPIED: usize = 1 << 16;

/// Translates one expression over the columns of a source.
pub(super) struct Translator<'a> {
    pub(super) columns: &'a Columns<'a>,
    pub(super) place: &'a RequestField,
    copied: Cell<usize>,
}

impl<'a> Translator<'a> {
    pub(super) fn new(columns: &'a Columns<'a>, place: &'a RequestField) -> Translator<'a> {
        Translator { columns, place, copied: Cell::new(0) }
    }

    /// Returns the same value for a second place in the tree, or refuses trees that grow too large.
    pub(super) fn copy(&self, value: &RowValue) -> Result<RowValue, PrepareError> {
        let mut copied = self.copied.get();
        value.each(&mut |_| copied += 1);
        self.copied.set(copied);
        if copied > MOST_COPIED {
            return Err(
                self.unreadable("nullif, coalesce, between and case are nested too deeply in each other".into())
            );
        }
        Ok(value.clone())
    }

    pub(super) fn translate(&self, form: &Expression) -> Result<RowValue, PrepareError> {
        match form {
            Expression::Column(name) => self.column(name),
            Expression::Constant(constant) => self.constant(constant),
            Expression::OfType(kind, value) => self.translate(value)?.bring(&RowType::from(*kind), self.place),
            Expression::Not(value) => Ok(RowValue::truth(RowForm::Not(self.truth(value)?))),
            Expression::Negative(value) => self.negative(value),
            Expression::Positive(value) => self.numeric(value),
            Expression::And(left, right) => Ok(RowValue::truth(RowForm::And(self.truth(left)?, self.truth(right)?))),
            Expression::Or(left, right) => Ok(RowValue::truth(RowForm::Or(self.truth(left)?, self.truth(right)?))),
            Expression::Compare(comparison, left, right) => {
                self.compare(vec![self.translate(left)?, self.translate(right)?], *comparison)
            }
            Expression::Arithmetic(operation, left, right) => {
                self.arithmetic(*operation, self.numeric(left)?, self.numeric(right)?)
            }
            Expression::Join(left, right) => self.join(left, right),
            Expression::IsNull(value) => Ok(is_null(self.translate(value)?)),
            Expression::Is(truth, value) => Ok(RowValue::truth(RowForm::Is(*truth, self.truth(value)?))),
            Expression::IsUnknown(value) => Ok(RowValue::truth(RowForm::IsNull(self.truth(value)?))),
            Expression::In(value, list) => self.in_list(value, list),
            Expression::Between(value, low, high) => self.between(value, low, high),
            Expression::Like(case, value, pattern) => self.like(*case, value, pattern),
            Expression::Cast(value, to) => self.cast(value, RowType::from(*to)),
            Expression::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref())
            }
            Expression::Call { name, function, values } => self.call(name, *function, values),
        }
    }

    fn column(&self, name: &str) -> Result<RowValue, PrepareError> {
        let kind = self.columns.kind(name, self.place)?;
        RowValue::in_expressions(name, kind).ok_or_else(|| self.wrong(ANY, kind))
    }

    fn constant(&self, value: &WrittenConstant) -> Result<RowValue, PrepareError> {
        match value {
            WrittenConstant::Number(digits) => written_number(digits)
                .ok_or_else(|| self.unreadable(format!("{digits} is not a number that can be kept"))),
            WrittenConstant::Text(text) => Ok(text_constant(text.clone())),
            WrittenConstant::Boolean(truth) => Ok(RowValue::constant(Constant::Boolean(*truth), RowType::Boolean)),
            WrittenConstant::Null => Ok(RowValue::constant(Constant::Null, RowType::Null)),
        }
    }

    fn in_list(&self, value: &Expression, list: &[Expression]) -> Result<RowValue, PrepareError> {
        let mut values = vec![self.translate(value)?];
        for item in list {
            values.push(self.translate(item)?);
        }
        let mut values = meet(values, self.place)?.into_iter();
        let value = values.next().ok_or_else(|| self.unreadable("a list of nothing".into()))?;
        Ok(RowValue::truth(RowForm::In(Box::new(value), values.collect())))
    }

    fn between(&self, value: &Expression, low: &Expression, high: &Expression) -> Result<RowValue, PrepareError> {
        let values = vec![self.translate(value)?, self.translate(low)?, self.translate(high)?];
        let mut values = meet(values, self.place)?.into_iter();
        match (values.next(), values.next(), values.next()) {
            (Some(value), Some(low), Some(high)) => {
                let above = self.compare(vec![self.copy(&value)?, low], ComparisonOperator::GreaterOrEqual)?;
                let below = self.compare(vec![value, high], ComparisonOperator::LessOrEqual)?;
                Ok(RowValue::truth(RowForm::And(Box::new(above), Box::new(below))))
            }
            (_, _, _) => Err(self.unreadable("`between` needs two bounds".into())),
        }
    }

    fn like(&self, case: Pattern, value: &Expression, pattern: &Expression) -> Result<RowValue, PrepareError> {
        let value = self.text(value)?;
        let pattern = self.constant_text(pattern, "the pattern of `like`")?;
        Ok(RowValue::truth(RowForm::Like(case, Box::new(value), pattern)))
    }

    fn cast(&self, value: &Expression, to: RowType) -> Result<RowValue, PrepareError> {
        let value = self.translate(value)?;
        if !value.kind.can_be_read_as(&to) {
            return Err(self.wrong("readable as the type of its cast", &value.kind));
        }
        Ok(if value.kind == to { value } else { value.read_as(to) })
    }

    fn case(
        &self,
        operand: Option<&Expression>,
        branches: &[Branch],
        otherwise: Option<&Expression>,
    ) -> Result<RowValue, PrepareError> {
        let operand = operand.map(|operand| self.translate(operand)).transpose()?;
        let (mut tests, mut results) = (Vec::new(), Vec::new());
        for branch in branches {
            tests.push(match &operand {
                None => *self.truth(&branch.test)?,
                Some(operand) => {
                    self.compare(vec![self.copy(operand)?, self.translate(&branch.test)?], ComparisonOperator::Equal)?
                }
            });
            results.push(self.translate(&branch.result)?);
        }
        if let Some(otherwise) = otherwise {
            results.push(self.translate(otherwise)?);
        }
        self.choose(tests, results)
    }

    /// The result of the first test that is true; the last result is for no test, if there is one more than tests.
    pub(super) fn choose(&self, tests: Vec<RowValue>, results: Vec<RowValue>) -> Result<RowValue, PrepareError> {
        let mut results = meet(results, self.place)?;
        let kind = results.first().map_or(RowType::Null, |result| result.kind.clone());
        let otherwise = if results.len() > tests.len() { results.pop() } else { None };
        let branches = tests.into_iter().zip(results).collect();
        Ok(RowValue { form: RowForm::Case { branches, otherwise: otherwise.map(Box::new) }, kind })
    }

    /// A value that must be true, false or null.
    pub(super) fn truth(&self, form: &Expression) -> Result<Box<RowValue>, PrepareError> {
        let value = self.translate(form)?;
        match &value.kind {
            RowType::Boolean => Ok(Box::new(value)),
            RowType::Null => Ok(Box::new(value.bring(&RowType::Boolean, self.place)?)),
            other => Err(self.wrong("true or false", other)),
        }
    }

    pub(super) fn unreadable(&self, message: String) -> PrepareError {
        PrepareError::NotAnExpression { place: self.place.clone(), message }
    }

    pub(super) fn wrong(&self, wanted: &'static str, has: &RowType) -> PrepareError {
        wrong(self.place.clone(), wanted, has)
    }
}

pub(super) fn wrong(place: RequestField, wanted: &'static str, has: &RowType) -> PrepareError {
    PrepareError::WrongType { place, wanted, has: has.name().to_owned() }
}

pub(super) fn text_constant(text: String) -> RowValue {
    RowValue::constant(Constant::Text(text), RowType::Text)
}

fn is_null(value: RowValue) -> RowValue {
    RowValue::truth(RowForm::IsNull(Box::new(value)))
}
