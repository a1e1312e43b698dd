//! The functions of an expression: which values each takes, and which type it gives.
//!
//! The list is in `../expression/functions.rs`. It must never call a function with a type that it is not defined for,
//! nor leave its result's type to an engine. It is separate because the list is what a reader asks for first. Read
//! `types.rs` for how types meet.

use super::constant::Constant;
use super::meet::meet;
use super::translate::{Translator, text_constant};
use super::types::RowType;
use super::{RowForm, RowValue};
use crate::expression::{ComparisonOperator, Expression, Function, nearest};
use crate::pattern::pattern;
use crate::prepare_error::PrepareError;
use arrow_schema::DECIMAL128_MAX_PRECISION;
use incrowd_definition::PeriodUnit;

/// The parts of a date or a moment.
const PARTS: [&str; 12] =
    ["year", "quarter", "month", "week", "day", "doy", "dow", "isodow", "isoyear", "hour", "minute", "second"];

/// What a padded text may be long.
const LONGEST_PADDED: i64 = 1_000;

impl Translator<'_> {
    pub(super) fn call(&self, name: &str, function: Function, forms: &[Expression]) -> Result<RowValue, PrepareError> {
        let text = |form: &Expression| self.text(form);
        let texts = || forms.iter().map(text).collect::<Result<Vec<_>, _>>();
        let to_text = |values| Ok(called(function, values, RowType::Text));
        let to_integer = |values| Ok(called(function, values, RowType::Integer));
        let to_truth = |values| Ok(called(function, values, RowType::Boolean));
        let to_number = |values| Ok(called(function, values, RowType::Number));
        match (function, forms) {
            (Function::Upper | Function::Lower | Function::Reverse | Function::InitCap, [_]) => to_text(texts()?),
            (Function::Ascii | Function::OctetLength | Function::Length, [_]) => to_integer(texts()?),
            (Function::Trim | Function::TrimStart | Function::TrimEnd, [_] | [_, _]) => to_text(texts()?),
            (Function::StartsWith | Function::EndsWith | Function::Contains, [_, _]) => to_truth(texts()?),
            (Function::Position, [_, _]) => to_integer(texts()?),
            (Function::Replace, [value, from, to]) => {
                let from = self.constant_text(from, "what is replaced")?;
                let to = self.constant_text(to, "what replaces it")?;
                to_text(vec![text(value)?, text_constant(from), text_constant(to)])
            }
            (Function::Substring, [value, places @ ..]) if (1..=2).contains(&places.len()) => {
                let mut values = vec![text(value)?];
                for place in places {
                    values.push(self.integer(place)?);
                }
                to_text(values)
            }
            (Function::Left | Function::Right, [value, length]) => to_text(vec![text(value)?, self.integer(length)?]),
            (Function::SplitPart, [value, separator, field]) => {
                to_text(vec![text(value)?, text(separator)?, self.integer(field)?])
            }
            (Function::PadStart | Function::PadEnd, [value, length, with @ ..]) if with.len() <= 1 => {
                let length = self.constant_integer(length, "the length", 0, LONGEST_PADDED)?;
                let mut values = vec![text(value)?, integer_constant(length)];
                values.extend(with.iter().map(text).collect::<Result<Vec<_>, _>>()?);
                to_text(values)
            }
            (Function::Concat, [_, ..]) | (Function::ConcatSeparated, [_, _, ..]) => to_text(texts()?),
            (Function::RegexpLike, [value, constants @ ..]) if (1..=2).contains(&constants.len()) => {
                let (value, constants) = self.matched(name, value, constants, |texts| texts.get(1).cloned())?;
                to_truth([value].into_iter().chain(constants).collect())
            }
            (Function::RegexpReplace, [value, constants @ ..]) if (2..=3).contains(&constants.len()) => {
                // Every place is a flag of replacing alone.
                let flags = |texts: &[String]| texts.get(2).map(|flags| flags.replace('g', ""));
                let (value, constants) = self.matched(name, value, constants, flags)?;
                to_text([value].into_iter().chain(constants).collect())
            }
            (Function::Greatest | Function::Least, [_, ..]) => {
                let values = self.met(forms)?;
                match values.first().map(|value| value.kind.clone()) {
                    None | Some(RowType::Null) => Ok(RowValue::constant(Constant::Null, RowType::Null)),
                    Some(kind) => Ok(called(function, values, kind)),
                }
            }
            (Function::Coalesce, [_, ..]) => {
                let values = self.met(forms)?;
                let present = |value: &RowValue| {
                    let absent = RowValue::truth(RowForm::IsNull(Box::new(self.copy(value)?)));
                    Ok(RowValue::truth(RowForm::Not(Box::new(absent))))
                };
                let tests = values.iter().map(present).collect::<Result<Vec<_>, PrepareError>>()?;
                self.choose(tests, values)
            }
            (Function::NullIf, [_, _]) => self.null_if(self.met(forms)?),
            (Function::Abs, [value]) => self.same(function, vec![self.numeric(value)?]),
            (Function::Sign, [_]) => to_number(self.fractions(forms)?),
            (Function::Ceil | Function::Floor | Function::Trunc, [value]) => self.whole(function, value),
            (Function::Round, [value]) => self.rounded(value, None),
            (Function::Trunc, [value, digits]) => {
                let digits = self.digits(digits)?;
                let value = match self.numeric(value)? {
                    integer if integer.kind == RowType::Integer => integer.bring(&RowType::Number, self.place)?,
                    value => value,
                };
                self.same(function, vec![value, integer_constant(digits)])
            }
            (Function::Round, [value, digits]) => self.rounded(value, Some(self.digits(digits)?)),
            (Function::Sqrt | Function::Ln | Function::Log10 | Function::Exp, [_]) | (Function::Power, [_, _]) => {
                to_number(self.fractions(forms)?)
            }
            (Function::DatePart, [part, value]) => {
                self.part(&self.constant_text(part, "the part of the date")?, self.translate(value)?)
            }
            (Function::DateTrunc, [unit, value]) => {
                self.truncated(&self.constant_text(unit, "what is cut to")?, self.translate(value)?)
            }
            // A function that has no form above is refused, whatever it is.
            (_, _) => Err(self.unreadable(format!("{name} is called with too few or too many values"))),
        }
    }

    /// Values of one type.
    fn met(&self, forms: &[Expression]) -> Result<Vec<RowValue>, PrepareError> {
        meet(forms.iter().map(|form| self.translate(form)).collect::<Result<_, _>>()?, self.place)
    }

    fn fractions(&self, forms: &[Expression]) -> Result<Vec<RowValue>, PrepareError> {
        forms.iter().map(|form| self.numeric(form)?.bring(&RowType::Number, self.place)).collect()
    }

    fn digits(&self, form: &Expression) -> Result<i64, PrepareError> {
        self.constant_integer(form, "the number of digits", -30, 30)
    }

    /// A function whose result has the type of its first value.
    fn same(&self, function: Function, values: Vec<RowValue>) -> Result<RowValue, PrepareError> {
        let kind = values.first().map_or(RowType::Null, |value| value.kind.clone());
        Ok(called(function, values, kind))
    }

    /// An integer is whole as it is.
    fn whole(&self, function: Function, value: &Expression) -> Result<RowValue, PrepareError> {
        let value = self.numeric(value)?;
        if value.kind == RowType::Integer { Ok(value) } else { self.same(function, vec![value]) }
    }

    /// A decimal keeps as many digits behind the point as it is rounded to; one in front may be carried.
    fn rounded(&self, value: &Expression, digits: Option<i64>) -> Result<RowValue, PrepareError> {
        let value = self.numeric(value)?;
        let places = digits.unwrap_or(0);
        let kind = match (&value.kind, digits) {
            (RowType::Integer, None) => return Ok(value),
            (RowType::Decimal { precision, scale }, _) => {
                let carries = *scale == 0 && places < 0 && places.unsigned_abs() <= u64::from(*precision);
                let precision = (precision + u8::from(carries)).min(DECIMAL128_MAX_PRECISION);
                RowType::Decimal { precision, scale: i8::try_from(places.max(0)).unwrap_or(*scale).min(*scale) }
            }
            (kind, _) => kind.clone(),
        };
        let values = [value].into_iter().chain(digits.map(integer_constant)).collect();
        let wrong = self.wrong("a number", &kind);
        RowValue::step(RowForm::Call(Function::Round, values), kind).ok_or(wrong)
    }

    /// The first of two values that have met, missing where they are equal.
    fn null_if(&self, mut values: Vec<RowValue>) -> Result<RowValue, PrepareError> {
        let sides = values.iter().map(|value| self.copy(value)).collect::<Result<Vec<_>, _>>()?;
        let equal = self.compare(sides, ComparisonOperator::Equal)?;
        let null = RowValue::constant(Constant::Null, values[0].kind.clone());
        values.truncate(1);
        values.insert(0, null);
        self.choose(vec![equal], values)
    }

    /// A text and what it is matched with. Patterns are the request's own, and are read before anything is counted.
    fn matched(
        &self,
        name: &str,
        value: &Expression,
        constants: &[Expression],
        flags: impl Fn(&[String]) -> Option<String>,
    ) -> Result<(RowValue, Vec<RowValue>), PrepareError> {
        let value = self.text(value)?;
        let texts = constants.iter().map(|form| self.constant_text(form, "a pattern"));
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        let flags = flags(&texts).unwrap_or_default();
        if texts.first().and_then(|text| pattern(text, &flags)).is_none() {
            return Err(self.unreadable(format!("{name} does not understand its pattern or its flags")));
        }
        Ok((value, texts.into_iter().map(text_constant).collect()))
    }

    fn part(&self, part: &str, value: RowValue) -> Result<RowValue, PrepareError> {
        let part = part.to_lowercase();
        if !PARTS.contains(&part.as_str()) {
            let hint = nearest(&part, PARTS).map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
            return Err(self.unreadable(format!("a date has no part {part}{hint}")));
        }
        let value = self.moment(value)?;
        Ok(called(Function::DatePart, vec![text_constant(part), value], RowType::Integer))
    }

    /// Days and longer units give days, which belong to no time zone; shorter ones give moments.
    fn truncated(&self, unit: &str, value: RowValue) -> Result<RowValue, PrepareError> {
        let unit = unit.to_lowercase();
        let value = self.moment(value)?;
        let days = match unit.as_str() {
            "day" => PeriodUnit::Day,
            "week" => PeriodUnit::Week,
            "month" => PeriodUnit::Month,
            "quarter" => PeriodUnit::Quarter,
            "year" => PeriodUnit::Year,
            "second" | "minute" | "hour" if value.kind != RowType::Date => {
                let kind = value.kind.clone();
                return Ok(called(Function::DateTrunc, vec![text_constant(unit), value], kind));
            }
            _ => return Err(self.unreadable(format!("a date cannot be cut to {unit}"))),
        };
        let day = value.bring(&RowType::Date, self.place)?;
        Ok(RowValue { form: RowForm::FirstDay(days, Box::new(day)), kind: RowType::Date })
    }

    /// A value that must be a date or a moment; texts are read as moments.
    fn moment(&self, value: RowValue) -> Result<RowValue, PrepareError> {
        match &value.kind {
            kind if kind.is_time() => Ok(value),
            RowType::Text | RowType::Null => value.bring(&RowType::moment(), self.place),
            kind => Err(self.wrong("a date or a timestamp", kind)),
        }
    }
}

fn called(function: Function, values: Vec<RowValue>, kind: RowType) -> RowValue {
    RowValue { form: RowForm::Call(function, values), kind }
}

fn integer_constant(integer: i64) -> RowValue {
    RowValue::constant(Constant::Integer(integer), RowType::Integer)
}
