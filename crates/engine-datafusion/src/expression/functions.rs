//! The functions of an expression, as steps on one row.
//!
//! The list is the contract's (`engine::expression`); what a function fails on is missing, and so is what it makes of, or
//! into, a text of more than 65,536 bytes (`bound.rs`), for which `growth.rs` nests each of them. It must never call a
//! function that is not listed: those of the engine are more, and some look at a clock, at chance or at other rows. It is
//! separate because the list is what a reader asks for first. Read `total.rs` next.

use super::bound::{Replacing, sized};
use super::nearest;
use super::total::Step;
use super::translate::Translator;
use super::typed::{Typed, is_text, meet};
use datafusion::arrow::array::{ArrayRef, StringViewArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::common::config::ConfigOptions;
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};
use incrowd_engine::{Expression, Function, PeriodUnit, PrepareError};
use std::sync::Arc;

/// The parts of a date or a moment.
const PARTS: [&str; 12] =
    ["year", "quarter", "month", "week", "day", "doy", "dow", "isodow", "isoyear", "hour", "minute", "second"];

/// What a padded text may be long.
const LONGEST_PADDED: i64 = 1_000;

impl Translator<'_> {
    pub(super) fn call(&self, name: &str, function: Function, forms: &[Expression]) -> Result<Typed, PrepareError> {
        let text = |form: &Expression| self.text(form);
        let texts = || forms.iter().map(text).collect::<Result<Vec<_>, _>>();
        match (function, forms) {
            (Function::Upper, [_]) => self.engine("upper", texts()?),
            (Function::Lower, [_]) => self.engine("lower", texts()?),
            (Function::Reverse, [_]) => self.engine("reverse", texts()?),
            (Function::InitCap, [_]) => self.engine("initcap", texts()?),
            (Function::Ascii, [_]) => self.engine("ascii", texts()?),
            (Function::OctetLength, [_]) => self.engine("octet_length", texts()?),
            (Function::Length, [_]) => self.engine("character_length", texts()?),
            (Function::Trim, [_] | [_, _]) => self.engine("btrim", texts()?),
            (Function::TrimStart, [_] | [_, _]) => self.engine("ltrim", texts()?),
            (Function::TrimEnd, [_] | [_, _]) => self.engine("rtrim", texts()?),
            (Function::StartsWith, [_, _]) => self.engine("starts_with", texts()?),
            (Function::EndsWith, [_, _]) => self.engine("ends_with", texts()?),
            (Function::Contains, [_, _]) => self.engine("contains", texts()?),
            (Function::Position, [_, _]) => self.engine("strpos", texts()?),
            (Function::Replace, [value, from, to]) => {
                let from = self.constant_text(from, "what is replaced")?;
                let to = self.constant_text(to, "what replaces it")?;
                self.engine("replace", vec![text(value)?, constant(from), constant(to)])
            }
            (Function::Substring, [value, places @ ..]) if (1..=2).contains(&places.len()) => {
                let mut values = vec![text(value)?];
                for place in places {
                    values.push(self.integer(place)?);
                }
                self.engine("substr", values)
            }
            (Function::Left, [value, length]) => self.engine("left", vec![text(value)?, self.integer(length)?]),
            (Function::Right, [value, length]) => self.engine("right", vec![text(value)?, self.integer(length)?]),
            (Function::SplitPart, [value, separator, field]) => {
                self.engine("split_part", vec![text(value)?, text(separator)?, self.integer(field)?])
            }
            (Function::PadStart, [value, length, with @ ..]) if with.len() <= 1 => {
                self.padded("lpad", value, length, with)
            }
            (Function::PadEnd, [value, length, with @ ..]) if with.len() <= 1 => {
                self.padded("rpad", value, length, with)
            }
            (Function::Concat, [_, ..]) => self.engine("concat", texts()?),
            (Function::ConcatSeparated, [_, _, ..]) => self.engine("concat_ws", texts()?),
            (Function::RegexpLike, [value, constants @ ..]) if (1..=2).contains(&constants.len()) => {
                self.regexp("regexp_like", value, constants)
            }
            (Function::RegexpReplace, [value, constants @ ..]) if (2..=3).contains(&constants.len()) => {
                self.regexp("regexp_replace", value, constants)
            }
            (Function::Greatest, [_, ..]) => self.engine("greatest", self.met(forms)?),
            (Function::Least, [_, ..]) => self.engine("least", self.met(forms)?),
            (Function::Coalesce, [_, ..]) => {
                let values = self.met(forms)?;
                let present = |value: &Typed| Expr::IsNotNull(Box::new(value.expr.clone()));
                let tests = values.iter().map(present).collect();
                self.choose(tests, values)
            }
            (Function::NullIf, [_, _]) => self.null_if(self.met(forms)?),
            (Function::Abs, [value]) => self.engine("abs", vec![self.numeric(value)?]),
            (Function::Sign, [value]) => self.engine("signum", vec![self.numeric(value)?]),
            (Function::Ceil, [value]) => self.whole("ceil", value),
            (Function::Floor, [value]) => self.whole("floor", value),
            (Function::Trunc, [value]) => self.whole("trunc", value),
            (Function::Round, [value]) => self.whole("round", value),
            (Function::Trunc, [value, digits]) => self.rounded("trunc", value, digits),
            (Function::Round, [value, digits]) => self.rounded("round", value, digits),
            (Function::Sqrt, [_]) => self.engine("sqrt", self.floats(forms)?),
            (Function::Ln, [_]) => self.engine("ln", self.floats(forms)?),
            (Function::Log10, [_]) => self.engine("log10", self.floats(forms)?),
            (Function::Exp, [_]) => self.engine("exp", self.floats(forms)?),
            (Function::Power, [_, _]) => self.engine("power", self.floats(forms)?),
            (Function::DatePart, [part, value]) => {
                self.part(&self.constant_text(part, "the part of the date")?, self.translate(value)?)
            }
            (Function::DateTrunc, [unit, value]) => {
                self.truncated(&self.constant_text(unit, "what is cut to")?, self.translate(value)?)
            }
            (
                Function::Abs
                | Function::Ascii
                | Function::Ceil
                | Function::Coalesce
                | Function::Concat
                | Function::ConcatSeparated
                | Function::Contains
                | Function::DatePart
                | Function::DateTrunc
                | Function::EndsWith
                | Function::Exp
                | Function::Floor
                | Function::Greatest
                | Function::InitCap
                | Function::Least
                | Function::Left
                | Function::Length
                | Function::Ln
                | Function::Log10
                | Function::Lower
                | Function::NullIf
                | Function::OctetLength
                | Function::PadEnd
                | Function::PadStart
                | Function::Position
                | Function::Power
                | Function::RegexpLike
                | Function::RegexpReplace
                | Function::Replace
                | Function::Reverse
                | Function::Right
                | Function::Round
                | Function::Sign
                | Function::SplitPart
                | Function::Sqrt
                | Function::StartsWith
                | Function::Substring
                | Function::Trim
                | Function::TrimEnd
                | Function::TrimStart
                | Function::Trunc
                | Function::Upper,
                _,
            ) => Err(self.unreadable(format!("{name} is called with too few or too many values"))),
        }
    }

    /// Values of one type.
    fn met(&self, forms: &[Expression]) -> Result<Vec<Typed>, PrepareError> {
        meet(forms.iter().map(|form| self.translate(form)).collect::<Result<_, _>>()?, self.place)
    }

    fn floats(&self, forms: &[Expression]) -> Result<Vec<Typed>, PrepareError> {
        forms.iter().map(|form| self.numeric(form)?.bring(&DataType::Float64, self.place)).collect()
    }

    fn padded(
        &self,
        name: &str,
        value: &Expression,
        length: &Expression,
        with: &[Expression],
    ) -> Result<Typed, PrepareError> {
        let length = self.constant_integer(length, "the length", 0, LONGEST_PADDED)?;
        let mut arguments = vec![self.text(value)?, Typed::literal(ScalarValue::Int64(Some(length)))];
        arguments.extend(with.iter().map(|form| self.text(form)).collect::<Result<Vec<_>, _>>()?);
        self.engine(name, arguments)
    }

    /// An integer is whole as it is.
    fn whole(&self, name: &str, value: &Expression) -> Result<Typed, PrepareError> {
        let value = self.numeric(value)?;
        if value.kind == DataType::Int64 { Ok(value) } else { self.engine(name, vec![value]) }
    }

    fn rounded(&self, name: &str, value: &Expression, digits: &Expression) -> Result<Typed, PrepareError> {
        let digits = self.constant_integer(digits, "the number of digits", -30, 30)?;
        self.engine(name, vec![self.numeric(value)?, Typed::literal(ScalarValue::Int64(Some(digits)))])
    }

    /// The first of two values that have met, missing where they are equal.
    fn null_if(&self, mut values: Vec<Typed>) -> Result<Typed, PrepareError> {
        let equal = self.equal(values.clone())?.expr;
        let null = ScalarValue::try_from(&values[0].kind).map_err(|_| self.wrong("a value", &values[0].kind))?;
        values.truncate(1);
        values.insert(0, Typed::literal(null));
        self.choose(vec![equal], values)
    }

    /// Patterns are the request's own, and are read before anything is counted.
    fn regexp(&self, name: &str, value: &Expression, constants: &[Expression]) -> Result<Typed, PrepareError> {
        let value = self.text(value)?;
        let texts = constants.iter().map(|form| self.constant_text(form, "a pattern"));
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        let not_understood = || self.unreadable(format!("{name} does not understand its pattern or its flags"));
        if let ("regexp_replace", [pattern, with, flags @ ..]) = (name, texts.as_slice()) {
            let flags = flags.first().map_or("", String::as_str);
            let replacing = Replacing::new(pattern, with, flags).ok_or_else(not_understood)?;
            let replaced = Typed::step(Step::Replaced(replacing), vec![value], &DataType::Utf8View);
            return replaced.ok_or_else(not_understood);
        }
        // Not larger than is allowed, if it can be read at all.
        let (pattern, flags) = (texts.first().map_or("", String::as_str), texts.get(1).map_or("", String::as_str));
        sized(pattern, flags).ok_or_else(not_understood)?;
        let arguments: Vec<Typed> = [value].into_iter().chain(texts.into_iter().map(constant)).collect();
        let typed = self.engine(name, arguments.clone())?;
        let sample: ArrayRef = Arc::new(StringViewArray::from(vec!["a"]));
        let values = arguments.iter().map(|argument| match argument.as_literal() {
            Some(literal) => ColumnarValue::Scalar(literal.clone()),
            None => ColumnarValue::Array(Arc::clone(&sample)),
        });
        let function = self.registered(name)?;
        let runs = function.invoke_with_args(ScalarFunctionArgs {
            args: values.collect(),
            arg_fields: arguments.iter().map(field).collect(),
            number_rows: 1,
            return_field: Arc::new(Field::new(name, typed.kind.clone(), true)),
            config_options: Arc::new(ConfigOptions::default()),
        });
        runs.map(|_| typed).map_err(|_| not_understood())
    }

    fn part(&self, part: &str, value: Typed) -> Result<Typed, PrepareError> {
        let part = part.to_lowercase();
        if !PARTS.contains(&part.as_str()) {
            let hint = nearest(&part, PARTS).map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
            return Err(self.unreadable(format!("a date has no part {part}{hint}")));
        }
        let value = self.moment(value)?;
        self.engine("date_part", vec![constant(part), value])
    }

    /// Days and longer units give days, which belong to no time zone; shorter ones give moments.
    fn truncated(&self, unit: &str, value: Typed) -> Result<Typed, PrepareError> {
        let unit = unit.to_lowercase();
        let value = self.moment(value)?;
        let days = match unit.as_str() {
            "day" => PeriodUnit::Day,
            "week" => PeriodUnit::Week,
            "month" => PeriodUnit::Month,
            "quarter" => PeriodUnit::Quarter,
            "year" => PeriodUnit::Year,
            "second" | "minute" | "hour" if value.kind != DataType::Date32 => {
                return self.engine("date_trunc", vec![constant(unit), value]);
            }
            _ => return Err(self.unreadable(format!("a date cannot be cut to {unit}"))),
        };
        let day = value.bring(&DataType::Date32, self.place)?;
        let wrong = self.wrong("a date", &day.kind);
        Typed::step(Step::FirstDay(days), vec![day], &DataType::Date32).ok_or(wrong)
    }

    /// A value that must be a date or a moment; texts are read as moments.
    fn moment(&self, value: Typed) -> Result<Typed, PrepareError> {
        match &value.kind {
            DataType::Date32 | DataType::Timestamp(_, _) => Ok(value),
            kind if is_text(kind) || kind == &DataType::Null => {
                value.bring(&DataType::Timestamp(TimeUnit::Microsecond, None), self.place)
            }
            kind => Err(self.wrong("a date or a timestamp", kind)),
        }
    }

    /// Calls a function of the engine, with arguments brought to the types that it wants.
    fn engine(&self, name: &str, arguments: Vec<Typed>) -> Result<Typed, PrepareError> {
        let function = self.registered(name)?;
        let wrong = |_| self.unreadable(format!("{name} cannot be called with these types"));
        let fields: Vec<FieldRef> = arguments.iter().map(field).collect();
        let wanted = fields_with_udf(&fields, function.as_ref()).map_err(wrong)?;
        let arguments = arguments.into_iter().zip(&wanted);
        let arguments = arguments.map(|(argument, wanted)| argument.bring(wanted.data_type(), self.place));
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        let scalars: Vec<Option<&ScalarValue>> = arguments.iter().map(Typed::as_literal).collect();
        let result =
            function.return_field_from_args(ReturnFieldArgs { arg_fields: &wanted, scalar_arguments: &scalars });
        let result = result.map_err(wrong)?.data_type().clone();
        let unusable = || self.wrong("text, a number, a date, a timestamp, true or false", &result);
        Typed::step(Step::Function(function), arguments, &result).ok_or_else(unusable)
    }

    fn registered(&self, name: &str) -> Result<Arc<ScalarUDF>, PrepareError> {
        let state = self.context.state();
        let missing = || self.unreadable(format!("there is no function {name}"));
        state.scalar_functions().get(name).cloned().ok_or_else(missing)
    }
}

fn constant(text: String) -> Typed {
    Typed::literal(ScalarValue::Utf8View(Some(text)))
}

fn field(typed: &Typed) -> FieldRef {
    Arc::new(Field::new("argument", typed.kind.clone(), true))
}
