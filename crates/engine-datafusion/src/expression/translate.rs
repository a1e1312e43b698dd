//! From the syntax of an expression to steps on one row.
//!
//! An allow-list: each form that is listed here is translated, every other one is refused by name. It must never evaluate
//! anything. It is separate from the functions and the operators, which are lists of their own. Read `operators.rs` and
//! `functions.rs` next.

use super::nearest::nearest;
use super::total::can_cast;
use super::typed::{Typed, is_text, meet, name_of};
use datafusion::arrow::datatypes::{DECIMAL128_MAX_PRECISION, DataType, TimeUnit};
use datafusion::common::{DFSchema, ScalarValue};
use datafusion::logical_expr::expr::{Case, InList};
use datafusion::logical_expr::{Between, Expr, Like};
use datafusion::prelude::SessionContext;
use datafusion::sql::sqlparser::ast::{self, CastKind, Value};
use incrowd_engine::{Place, Problem};

/// How long a pattern may be, in bytes: longer ones may be refused by the engine only when it meets them.
pub(super) const LONGEST_PATTERN: usize = 1_000;

/// Translates one expression over the columns of a schema.
pub(super) struct Translator<'a> {
    pub(super) context: &'a SessionContext,
    pub(super) schema: &'a DFSchema,
    pub(super) place: &'a Place,
}

impl Translator<'_> {
    pub(super) fn translate(&self, form: &ast::Expr) -> Result<Typed, Problem> {
        use ast::Expr as Form;
        match form {
            Form::Nested(inner) => self.translate(inner),
            Form::Identifier(name) => self.column(name),
            Form::Value(value) => self.constant(&value.value, ""),
            Form::TypedString(constant) => self.typed_constant(constant),
            Form::UnaryOp { op, expr } => self.unary(*op, expr),
            Form::BinaryOp { left, op, right } => self.binary(left, op, right),
            Form::IsNull(value) => Ok(boolean(Expr::IsNull(Box::new(self.translate(value)?.expr)))),
            Form::IsNotNull(value) => Ok(boolean(Expr::IsNotNull(Box::new(self.translate(value)?.expr)))),
            Form::IsTrue(value) => Ok(boolean(Expr::IsTrue(self.truth(value)?))),
            Form::IsNotTrue(value) => Ok(boolean(Expr::IsNotTrue(self.truth(value)?))),
            Form::IsFalse(value) => Ok(boolean(Expr::IsFalse(self.truth(value)?))),
            Form::IsNotFalse(value) => Ok(boolean(Expr::IsNotFalse(self.truth(value)?))),
            Form::IsUnknown(value) => Ok(boolean(Expr::IsUnknown(self.truth(value)?))),
            Form::IsNotUnknown(value) => Ok(boolean(Expr::IsNotUnknown(self.truth(value)?))),
            Form::IsDistinctFrom(left, right) => self.distinct(left, right),
            Form::IsNotDistinctFrom(left, right) => Ok(boolean(Expr::Not(Box::new(self.distinct(left, right)?.expr)))),
            Form::InList { expr, list, negated } => self.in_list(expr, list, *negated),
            Form::Between { expr, negated, low, high } => self.between(expr, *negated, low, high),
            Form::Like { negated, any: false, expr, pattern, escape_char: None } => {
                self.like(*negated, expr, pattern, false)
            }
            Form::ILike { negated, any: false, expr, pattern, escape_char: None } => {
                self.like(*negated, expr, pattern, true)
            }
            Form::Cast { kind, expr, data_type, array: false, format: None } => self.cast(kind, expr, data_type),
            Form::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref())
            }
            Form::Function(_)
            | Form::Extract { .. }
            | Form::Ceil { .. }
            | Form::Floor { .. }
            | Form::Position { .. }
            | Form::Substring { .. }
            | Form::Trim { .. } => self.function(form),
            other => Err(self.refused(name_of_form(other))),
        }
    }

    fn column(&self, name: &ast::Ident) -> Result<Typed, Problem> {
        let name = name.value.as_str();
        let Some(field) = self.schema.fields().iter().find(|field| field.name() == name) else {
            let nearest = nearest(name, self.schema.fields().iter().map(|field| field.name().as_str()));
            return Err(Problem::NoColumn { place: self.place.clone(), column: name.to_owned(), nearest });
        };
        let column = Typed::column(name, field.data_type());
        column.ok_or_else(|| self.wrong("text, a number, a date, a timestamp, true or false", field.data_type()))
    }

    pub(super) fn constant(&self, value: &Value, sign: &str) -> Result<Typed, Problem> {
        match value {
            Value::Number(digits, _) => self.number(&format!("{sign}{digits}")),
            Value::SingleQuotedString(text) => Ok(Typed::literal(ScalarValue::Utf8View(Some(text.clone())))),
            Value::Boolean(truth) => Ok(Typed::literal(ScalarValue::Boolean(Some(*truth)))),
            Value::Null => Ok(Typed::literal(ScalarValue::Null)),
            Value::Placeholder(name) => Err(self.refused(format!("the placeholder {name}"))),
            other => Err(self.refused(format!("the constant {other}"))),
        }
    }

    /// A number as it is written: an integer, an exact decimal, or a Float64 if it has an exponent.
    fn number(&self, digits: &str) -> Result<Typed, Problem> {
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

    /// `date '2026-01-31'` and the like.
    fn typed_constant(&self, constant: &ast::TypedString) -> Result<Typed, Problem> {
        let to = self.sql_type(&constant.data_type)?;
        let Value::SingleQuotedString(text) = &constant.value.value else {
            return Err(self.refused(format!("the constant {constant}")));
        };
        Typed::literal(ScalarValue::Utf8View(Some(text.clone()))).bring(&to, self.place)
    }

    fn in_list(&self, value: &ast::Expr, list: &[ast::Expr], negated: bool) -> Result<Typed, Problem> {
        let mut values = vec![self.translate(value)?];
        for item in list {
            values.push(self.translate(item)?);
        }
        let mut values = meet(values, self.place)?.into_iter().map(|value| value.expr);
        let value = values.next().ok_or_else(|| self.unreadable("a list of nothing".into()))?;
        Ok(boolean(Expr::InList(InList::new(Box::new(value), values.collect(), negated))))
    }

    fn between(&self, value: &ast::Expr, negated: bool, low: &ast::Expr, high: &ast::Expr) -> Result<Typed, Problem> {
        let values = vec![self.translate(value)?, self.translate(low)?, self.translate(high)?];
        let mut values = meet(values, self.place)?.into_iter().map(|value| Box::new(value.expr));
        match (values.next(), values.next(), values.next()) {
            (Some(value), Some(low), Some(high)) => Ok(boolean(Expr::Between(Between::new(value, negated, low, high)))),
            (_, _, _) => Err(self.unreadable("`between` needs two bounds".into())),
        }
    }

    fn like(
        &self,
        negated: bool,
        value: &ast::Expr,
        pattern: &ast::Expr,
        case_insensitive: bool,
    ) -> Result<Typed, Problem> {
        let value = self.text(value)?;
        let pattern = self.constant_text(pattern, "the pattern of `like`")?;
        let pattern = Box::new(Typed::literal(ScalarValue::Utf8View(Some(pattern))).expr);
        Ok(boolean(Expr::Like(Like::new(negated, Box::new(value.expr), pattern, None, case_insensitive))))
    }

    fn cast(&self, kind: &CastKind, value: &ast::Expr, to: &ast::DataType) -> Result<Typed, Problem> {
        match kind {
            // All four are one here: what cannot be read is missing.
            CastKind::Cast | CastKind::TryCast | CastKind::SafeCast | CastKind::DoubleColon => {}
        }
        let value = self.translate(value)?;
        let to = self.sql_type(to)?;
        if !can_cast(&value.kind, &to) {
            return Err(self.wrong("readable as the type of its cast", &value.kind));
        }
        let kept = value.kind == to || (is_text(&to) && is_text(&value.kind));
        Ok(if kept { value } else { value.cast(to) })
    }

    fn case(
        &self,
        operand: Option<&ast::Expr>,
        conditions: &[ast::CaseWhen],
        otherwise: Option<&ast::Expr>,
    ) -> Result<Typed, Problem> {
        let operand = operand.map(|operand| self.translate(operand)).transpose()?;
        let (mut tests, mut results) = (Vec::new(), Vec::new());
        for branch in conditions {
            tests.push(match &operand {
                None => *self.truth(&branch.condition)?,
                Some(operand) => {
                    let sides = meet(vec![operand.clone(), self.translate(&branch.condition)?], self.place)?;
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
    pub(super) fn choose(&self, tests: Vec<Expr>, results: Vec<Typed>) -> Result<Typed, Problem> {
        let mut results = meet(results, self.place)?;
        let kind = results.first().map_or(DataType::Null, |result| result.kind.clone());
        let otherwise = if results.len() > tests.len() { results.pop() } else { None };
        let otherwise = otherwise.map(|result| Box::new(result.expr));
        let results = results.into_iter().map(|result| Box::new(result.expr));
        let branches = tests.into_iter().map(Box::new).zip(results).collect();
        Ok(Typed { expr: Expr::Case(Case::new(None, branches, otherwise)), kind })
    }

    fn sql_type(&self, name: &ast::DataType) -> Result<DataType, Problem> {
        use ast::DataType as Sql;
        use ast::{ExactNumberInfo, TimezoneInfo};
        Ok(match name {
            Sql::Text | Sql::String(None) | Sql::Varchar(None) | Sql::Char(None) | Sql::CharacterVarying(None) => {
                DataType::Utf8View
            }
            Sql::TinyInt(None) | Sql::SmallInt(None) | Sql::Int(None) | Sql::Integer(None) | Sql::BigInt(None) => {
                DataType::Int64
            }
            Sql::Int2(None) | Sql::Int4(None) | Sql::Int8(None) | Sql::Int64 => DataType::Int64,
            Sql::Real | Sql::Float(_) | Sql::Float4 | Sql::Float8 | Sql::Float64 => DataType::Float64,
            Sql::Double(_) | Sql::DoublePrecision => DataType::Float64,
            Sql::Decimal(ExactNumberInfo::PrecisionAndScale(precision, scale))
            | Sql::Numeric(ExactNumberInfo::PrecisionAndScale(precision, scale)) => {
                let precision = u8::try_from(*precision).ok().filter(|precision| (1..=38).contains(precision));
                let scale = i8::try_from(*scale).ok().filter(|scale| *scale >= 0);
                match (precision, scale) {
                    (Some(precision), Some(scale)) if u8::try_from(scale).is_ok_and(|scale| scale <= precision) => {
                        DataType::Decimal128(precision, scale)
                    }
                    (_, _) => return Err(self.refused(format!("the type {name}"))),
                }
            }
            Sql::Boolean | Sql::Bool => DataType::Boolean,
            Sql::Date => DataType::Date32,
            Sql::Timestamp(None, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) => {
                DataType::Timestamp(TimeUnit::Microsecond, None)
            }
            other => return Err(self.refused(format!("the type {other}"))),
        })
    }

    /// A value that must be true, false or null.
    pub(super) fn truth(&self, form: &ast::Expr) -> Result<Box<Expr>, Problem> {
        let value = self.translate(form)?;
        match &value.kind {
            DataType::Boolean => Ok(Box::new(value.expr)),
            DataType::Null => Ok(Box::new(value.bring(&DataType::Boolean, self.place)?.expr)),
            other => Err(self.wrong("true or false", other)),
        }
    }

    pub(super) fn refused(&self, what: impl Into<String>) -> Problem {
        Problem::NotRowWise { place: self.place.clone(), what: what.into() }
    }

    pub(super) fn unreadable(&self, message: String) -> Problem {
        Problem::NotAnExpression { place: self.place.clone(), message }
    }

    pub(super) fn wrong(&self, wanted: &'static str, has: &DataType) -> Problem {
        Problem::WrongType { place: self.place.clone(), wanted, has: name_of(has).to_owned() }
    }
}

pub(super) fn boolean(expr: Expr) -> Typed {
    Typed { expr, kind: DataType::Boolean }
}

/// Returns what a refused form is called.
fn name_of_form(form: &ast::Expr) -> String {
    use ast::Expr as Form;
    match form {
        Form::Subquery(_) | Form::Exists { .. } | Form::InSubquery { .. } => "a subquery".into(),
        Form::InUnnest { .. } => "`unnest`".into(),
        Form::CompoundIdentifier(_) => format!("the qualified name {form}"),
        Form::Wildcard(_) | Form::QualifiedWildcard(_, _) => "the wildcard *".into(),
        Form::Like { escape_char: Some(_), .. } | Form::ILike { escape_char: Some(_), .. } => "`escape`".into(),
        Form::SimilarTo { .. } => "`similar to`".into(),
        Form::RLike { .. } => "`rlike`".into(),
        Form::Interval(_) => "an interval".into(),
        Form::AtTimeZone { .. } => "`at time zone`".into(),
        Form::Array(_) => "an array".into(),
        Form::Tuple(_) => "a list of expressions".into(),
        Form::Struct { .. } | Form::Dictionary(_) | Form::Map(_) => "a nested value".into(),
        Form::Lambda(_) => "a lambda".into(),
        Form::AnyOp { .. } | Form::AllOp { .. } => "`any` or `all`".into(),
        _ => "this form of expression".into(),
    }
}
