//! From the tree of an expression to steps on one row.
//!
//! Which forms there are is the contract's (`engine::expression`); here each of them gets its types. It must never evaluate
//! anything. It is separate from the functions and the operators, which are lists of their own. Read `operators.rs` and
//! `functions.rs` next.

use super::nearest;
use super::total::can_cast;
use super::typed::{Typed, is_text, meet, name_of};
use datafusion::arrow::datatypes::{DECIMAL128_MAX_PRECISION, DataType, TimeUnit};
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::logical_expr::expr::{Case, InList};
use datafusion::logical_expr::{Between, Expr, Like, Operator};
use datafusion::prelude::SessionContext;
use incrowd_engine::{Branch, Comparison, Expression, Pattern, PrepareError, RequestField, Type, Written};

/// How long a pattern may be, in bytes: longer ones may be refused by the engine only when it meets them.
pub(super) const LONGEST_PATTERN: usize = 1_000;

/// Translates one expression over the columns of a schema.
pub(super) struct Translator<'a> {
    pub(super) context: &'a SessionContext,
    pub(super) schema: &'a DFSchema,
    pub(super) place: &'a RequestField,
}

impl Translator<'_> {
    pub(super) fn translate(&self, form: &Expression) -> Result<Typed, PrepareError> {
        match form {
            Expression::Column(name) => self.column(name),
            Expression::Constant(constant) => self.constant(constant),
            Expression::OfType(kind, value) => self.translate(value)?.bring(&data_type(*kind), self.place),
            Expression::Not(value) => Ok(boolean(Expr::Not(self.truth(value)?))),
            Expression::Negative(value) => self.negative(value),
            Expression::Positive(value) => self.numeric(value),
            Expression::And(left, right) => self.both(left, Operator::And, right),
            Expression::Or(left, right) => self.both(left, Operator::Or, right),
            Expression::Compare(comparison, left, right) => self.compared(left, operator(*comparison), right),
            Expression::Arithmetic(operation, left, right) => {
                self.arithmetic(*operation, self.numeric(left)?, self.numeric(right)?)
            }
            Expression::Join(left, right) => self.join(left, right),
            Expression::IsNull(value) => Ok(boolean(Expr::IsNull(Box::new(self.translate(value)?.expr)))),
            Expression::Is(true, value) => Ok(boolean(Expr::IsTrue(self.truth(value)?))),
            Expression::Is(false, value) => Ok(boolean(Expr::IsFalse(self.truth(value)?))),
            Expression::IsUnknown(value) => Ok(boolean(Expr::IsUnknown(self.truth(value)?))),
            Expression::In(value, list) => self.in_list(value, list),
            Expression::Between(value, low, high) => self.between(value, low, high),
            Expression::Like(case, value, pattern) => self.like(*case, value, pattern),
            Expression::Cast(value, to) => self.cast(value, data_type(*to)),
            Expression::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref())
            }
            Expression::Call { name, function, values } => self.call(name, *function, values),
        }
    }

    fn column(&self, name: &str) -> Result<Typed, PrepareError> {
        let Some(field) = self.schema.fields().iter().find(|field| field.name() == name) else {
            let nearest = nearest(name, self.schema.fields().iter().map(|field| field.name().as_str()));
            return Err(PrepareError::NoColumn { place: self.place.clone(), column: name.to_owned(), nearest });
        };
        let column = Typed::column(name, field.data_type());
        column.ok_or_else(|| self.wrong("text, a number, a date, a timestamp, true or false", field.data_type()))
    }

    fn constant(&self, value: &Written) -> Result<Typed, PrepareError> {
        match value {
            Written::Number(digits) => self.number(digits),
            Written::Text(text) => Ok(Typed::literal(ScalarValue::Utf8View(Some(text.clone())))),
            Written::Boolean(truth) => Ok(Typed::literal(ScalarValue::Boolean(Some(*truth)))),
            Written::Null => Ok(Typed::literal(ScalarValue::Null)),
        }
    }

    /// A number as it is written: an integer, an exact decimal, or a Float64 if it has an exponent.
    fn number(&self, digits: &str) -> Result<Typed, PrepareError> {
        let wrong = || self.unreadable(format!("{digits} is not a number that can be kept"));
        if let Ok(integer) = digits.parse::<i64>() {
            return Ok(Typed::literal(ScalarValue::Int64(Some(integer))));
        }
        if digits.contains(['e', 'E']) {
            let number = digits.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong)?;
            return Ok(Typed::literal(ScalarValue::Float64(Some(number))));
        }
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let units: i128 = format!("{whole}{fraction}").parse().map_err(|_| wrong())?;
        let scale = i8::try_from(fraction.len()).map_err(|_| wrong())?;
        let precision = units.unsigned_abs().to_string().len().max(fraction.len());
        let precision = u8::try_from(precision).ok().filter(|precision| *precision <= DECIMAL128_MAX_PRECISION);
        Ok(Typed::literal(ScalarValue::Decimal128(Some(units), precision.ok_or_else(wrong)?, scale)))
    }

    fn in_list(&self, value: &Expression, list: &[Expression]) -> Result<Typed, PrepareError> {
        let mut values = vec![self.translate(value)?];
        for item in list {
            values.push(self.translate(item)?);
        }
        let mut values = meet(values, self.place)?.into_iter().map(|value| value.expr);
        let value = values.next().ok_or_else(|| self.unreadable("a list of nothing".into()))?;
        Ok(boolean(Expr::InList(InList::new(Box::new(value), values.collect(), false))))
    }

    fn between(&self, value: &Expression, low: &Expression, high: &Expression) -> Result<Typed, PrepareError> {
        let values = vec![self.translate(value)?, self.translate(low)?, self.translate(high)?];
        let mut values = meet(values, self.place)?.into_iter().map(|value| Box::new(value.expr));
        match (values.next(), values.next(), values.next()) {
            (Some(value), Some(low), Some(high)) => Ok(boolean(Expr::Between(Between::new(value, false, low, high)))),
            (_, _, _) => Err(self.unreadable("`between` needs two bounds".into())),
        }
    }

    fn like(&self, case: Pattern, value: &Expression, pattern: &Expression) -> Result<Typed, PrepareError> {
        let value = self.text(value)?;
        let pattern = self.constant_text(pattern, "the pattern of `like`")?;
        let pattern = Box::new(Typed::literal(ScalarValue::Utf8View(Some(pattern))).expr);
        let any_case = case == Pattern::AnyCase;
        Ok(boolean(Expr::Like(Like::new(false, Box::new(value.expr), pattern, None, any_case))))
    }

    fn cast(&self, value: &Expression, to: DataType) -> Result<Typed, PrepareError> {
        let value = self.translate(value)?;
        if !can_cast(&value.kind, &to) {
            return Err(self.wrong("readable as the type of its cast", &value.kind));
        }
        let kept = value.kind == to || (is_text(&to) && is_text(&value.kind));
        Ok(if kept { value } else { value.cast(to) })
    }

    fn case(
        &self,
        operand: Option<&Expression>,
        branches: &[Branch],
        otherwise: Option<&Expression>,
    ) -> Result<Typed, PrepareError> {
        let operand = operand.map(|operand| self.translate(operand)).transpose()?;
        let (mut tests, mut results) = (Vec::new(), Vec::new());
        for branch in branches {
            tests.push(match &operand {
                None => *self.truth(&branch.test)?,
                Some(operand) => {
                    let sides = meet(vec![operand.clone(), self.translate(&branch.test)?], self.place)?;
                    self.equal(sides)?.expr
                }
            });
            results.push(self.translate(&branch.result)?);
        }
        if let Some(otherwise) = otherwise {
            results.push(self.translate(otherwise)?);
        }
        self.choose(tests, results)
    }

    /// Returns the first result whose test is true, else the last one, if there is one more than tests, else null.
    pub(super) fn choose(&self, tests: Vec<Expr>, results: Vec<Typed>) -> Result<Typed, PrepareError> {
        let mut results = meet(results, self.place)?;
        let kind = results.first().map_or(DataType::Null, |result| result.kind.clone());
        let otherwise = if results.len() > tests.len() { results.pop() } else { None };
        let otherwise = otherwise.map(|result| Box::new(result.expr));
        let results = results.into_iter().map(|result| Box::new(result.expr));
        let branches = tests.into_iter().map(Box::new).zip(results).collect();
        Ok(Typed { expr: Expr::Case(Case::new(None, branches, otherwise)), kind })
    }

    /// A value that must be true, false or null.
    pub(super) fn truth(&self, form: &Expression) -> Result<Box<Expr>, PrepareError> {
        let value = self.translate(form)?;
        match &value.kind {
            DataType::Boolean => Ok(Box::new(value.expr)),
            DataType::Null => Ok(Box::new(value.bring(&DataType::Boolean, self.place)?.expr)),
            other => Err(self.wrong("true or false", other)),
        }
    }

    pub(super) fn unreadable(&self, message: String) -> PrepareError {
        PrepareError::NotAnExpression { place: self.place.clone(), message }
    }

    pub(super) fn wrong(&self, wanted: &'static str, has: &DataType) -> PrepareError {
        PrepareError::WrongType { place: self.place.clone(), wanted, has: name_of(has).to_owned() }
    }
}

pub(super) fn boolean(expr: Expr) -> Typed {
    Typed { expr, kind: DataType::Boolean }
}

/// Returns the type that carries what values are read as.
fn data_type(kind: Type) -> DataType {
    match kind {
        Type::Text => DataType::Utf8View,
        Type::Integer => DataType::Int64,
        Type::Number => DataType::Float64,
        Type::Decimal { precision, scale } => DataType::Decimal128(precision, scale),
        Type::Boolean => DataType::Boolean,
        Type::Date => DataType::Date32,
        Type::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, None),
    }
}

fn operator(comparison: Comparison) -> Operator {
    match comparison {
        Comparison::Equal => Operator::Eq,
        Comparison::NotEqual => Operator::NotEq,
        Comparison::Less => Operator::Lt,
        Comparison::LessOrEqual => Operator::LtEq,
        Comparison::Greater => Operator::Gt,
        Comparison::GreaterOrEqual => Operator::GtEq,
        Comparison::Distinct => Operator::IsDistinctFrom,
    }
}
