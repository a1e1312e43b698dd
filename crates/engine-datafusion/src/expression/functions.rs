//! The functions that an expression may call.
//!
//! Each one is a function of its row alone; what it fails on is missing, and so is what it makes of, or into, a text of more
//! than 65,536 bytes (`bound.rs`). A function that is added here must be added to `growth.rs`, which nests each of them. It
//! must never call a function that is not listed: those of the engine are more, and some look at a clock, at chance or at
//! other rows. It is separate because the list is what a reader asks for first. Read `total.rs` next.

use super::bound::{Replacing, sized};
use super::nearest::nearest;
use super::total::Step;
use super::translate::Translator;
use super::typed::{Typed, is_text, meet};
use crate::value::day::Unit;
use datafusion::arrow::array::{ArrayRef, StringViewArray};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::common::config::ConfigOptions;
use datafusion::logical_expr::type_coercion::functions::fields_with_udf;
use datafusion::logical_expr::{ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};
use datafusion::sql::sqlparser::ast::{self, CeilFloorKind, FunctionArg, FunctionArgExpr, FunctionArguments};
use incrowd_engine::Problem;
use std::sync::Arc;

/// Every function that is listed, for hints.
#[rustfmt::skip]
pub(super) const NAMES: [&str; 51] = [
    "abs", "ascii", "btrim", "ceil", "ceiling", "char_length", "character_length", "coalesce", "concat", "concat_ws",
    "contains", "date_part", "date_trunc", "ends_with", "exp", "extract", "floor", "greatest", "initcap", "least",
    "left", "length", "ln", "log10", "lower", "lpad", "ltrim", "nullif", "octet_length", "position", "pow", "power",
    "regexp_like", "regexp_replace", "replace", "reverse", "right", "round", "rpad", "rtrim", "sign", "signum",
    "split_part", "sqrt", "starts_with", "strpos", "substr", "substring", "trim", "trunc", "upper",
];

/// The parts of a date or a moment.
const PARTS: [&str; 12] =
    ["year", "quarter", "month", "week", "day", "doy", "dow", "isodow", "isoyear", "hour", "minute", "second"];

/// What a padded text may be long.
const LONGEST_PADDED: i64 = 1_000;

impl Translator<'_> {
    pub(super) fn function(&self, form: &ast::Expr) -> Result<Typed, Problem> {
        use ast::Expr as Form;
        match form {
            Form::Function(function) => self.call(function),
            Form::Extract { field, expr, .. } => self.part(&field.to_string(), self.translate(expr)?),
            Form::Ceil { expr, field: CeilFloorKind::DateTimeField(ast::DateTimeField::NoDateTime) } => {
                self.named("ceil", &[expr])
            }
            Form::Floor { expr, field: CeilFloorKind::DateTimeField(ast::DateTimeField::NoDateTime) } => {
                self.named("floor", &[expr])
            }
            Form::Position { expr, r#in } => self.named("strpos", &[r#in, expr]),
            Form::Substring { expr, substring_from: Some(from), substring_for, .. } => match substring_for {
                Some(length) => self.named("substr", &[expr, from, length]),
                None => self.named("substr", &[expr, from]),
            },
            Form::Trim { trim_where, trim_what, expr, trim_characters: None } => {
                let name = match trim_where {
                    None | Some(ast::TrimWhereField::Both) => "btrim",
                    Some(ast::TrimWhereField::Leading) => "ltrim",
                    Some(ast::TrimWhereField::Trailing) => "rtrim",
                };
                match trim_what {
                    Some(what) => self.named(name, &[expr, what]),
                    None => self.named(name, &[expr]),
                }
            }
            other => Err(self.unreadable(format!("{other} has a form that is not supported"))),
        }
    }

    fn call(&self, function: &ast::Function) -> Result<Typed, Problem> {
        let name = function.name.to_string().to_lowercase();
        if function.over.is_some() {
            return Err(self.refused(format!("the window function {name}")));
        }
        let plain = function.filter.is_none()
            && function.null_treatment.is_none()
            && function.within_group.is_empty()
            && !function.uses_odbc_syntax
            && matches!(function.parameters, FunctionArguments::None);
        let forms = match &function.args {
            FunctionArguments::List(list) if plain && list.clauses.is_empty() && list.duplicate_treatment.is_none() => {
                let forms = list.args.iter().map(|argument| match argument {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(form)) => Some(form),
                    _ => None,
                });
                forms.collect::<Option<Vec<_>>>()
            }
            _ => None,
        };
        match forms {
            Some(forms) if NAMES.contains(&name.as_str()) => self.named(&name, &forms),
            None if NAMES.contains(&name.as_str()) => Err(self.refused(format!("this way to call {name}"))),
            Some(_) | None => Err(self.no_function(&name)),
        }
    }

    fn no_function(&self, name: &str) -> Problem {
        let state = self.context.state();
        let known = state.scalar_functions().contains_key(name)
            || state.aggregate_functions().contains_key(name)
            || state.window_functions().contains_key(name)
            || state.table_functions().contains_key(name);
        let always = ["current_date", "current_time", "current_timestamp", "localtime", "localtimestamp", "unnest"];
        if known || always.contains(&name) {
            return self.refused(format!("the function {name}"));
        }
        let hint = nearest(name, NAMES).map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
        self.unreadable(format!("there is no function {name}{hint}"))
    }

    fn named(&self, name: &str, forms: &[&ast::Expr]) -> Result<Typed, Problem> {
        let text = |form: &&ast::Expr| self.text(form);
        match (name, forms) {
            ("upper" | "lower" | "reverse" | "initcap" | "ascii" | "octet_length", [value]) => {
                self.engine(name, vec![text(value)?])
            }
            ("length" | "char_length" | "character_length", [value]) => {
                self.engine("character_length", vec![text(value)?])
            }
            ("trim" | "btrim" | "ltrim" | "rtrim", [_] | [_, _]) => {
                let name = if name == "trim" { "btrim" } else { name };
                self.engine(name, forms.iter().map(text).collect::<Result<_, _>>()?)
            }
            ("starts_with" | "ends_with" | "contains" | "strpos", [value, sought]) => {
                self.engine(name, vec![text(value)?, text(sought)?])
            }
            ("position", _) => Err(self.unreadable("write position(part in text)".into())),
            ("replace", [value, from, to]) => {
                let from = self.constant_text(from, "what is replaced")?;
                let to = self.constant_text(to, "what replaces it")?;
                self.engine(name, vec![text(value)?, constant(from), constant(to)])
            }
            ("substr" | "substring", [value, from]) => self.engine("substr", vec![text(value)?, self.integer(from)?]),
            ("substr" | "substring", [value, from, length]) => {
                self.engine("substr", vec![text(value)?, self.integer(from)?, self.integer(length)?])
            }
            ("left" | "right", [value, length]) => self.engine(name, vec![text(value)?, self.integer(length)?]),
            ("split_part", [value, separator, field]) => {
                self.engine(name, vec![text(value)?, text(separator)?, self.integer(field)?])
            }
            ("lpad" | "rpad", [value, length, with @ ..]) if with.len() <= 1 => {
                let length = self.constant_integer(length, "the length", 0, LONGEST_PADDED)?;
                let mut arguments = vec![text(value)?, Typed::literal(ScalarValue::Int64(Some(length)))];
                arguments.extend(with.iter().map(text).collect::<Result<Vec<_>, _>>()?);
                self.engine(name, arguments)
            }
            ("concat", [_, ..]) | ("concat_ws", [_, _, ..]) => {
                self.engine(name, forms.iter().map(text).collect::<Result<_, _>>()?)
            }
            ("regexp_like" | "regexp_replace", [value, constants @ ..]) => self.regexp(name, value, constants),
            ("coalesce" | "nullif" | "greatest" | "least", _) => self.choice(name, forms),
            ("abs" | "sign" | "signum", [value]) => {
                let name = if name == "sign" { "signum" } else { name };
                self.engine(name, vec![self.numeric(value)?])
            }
            ("ceil" | "ceiling" | "floor" | "trunc" | "round", [value]) => {
                let value = self.numeric(value)?;
                let name = if name == "ceiling" { "ceil" } else { name };
                // An integer is whole as it is.
                if value.kind == DataType::Int64 { Ok(value) } else { self.engine(name, vec![value]) }
            }
            ("trunc" | "round", [value, digits]) => {
                let digits = self.constant_integer(digits, "the number of digits", -30, 30)?;
                self.engine(name, vec![self.numeric(value)?, Typed::literal(ScalarValue::Int64(Some(digits)))])
            }
            ("sqrt" | "ln" | "log10" | "exp" | "pow" | "power", [_] | [_, _]) => {
                let name = if name == "pow" { "power" } else { name };
                let floats = forms.iter().map(|form| self.numeric(form)?.bring(&DataType::Float64, self.place));
                self.engine(name, floats.collect::<Result<_, _>>()?)
            }
            ("date_part" | "extract", [part, value]) => {
                self.part(&self.constant_text(part, "the part of the date")?, self.translate(value)?)
            }
            ("date_trunc", [unit, value]) => {
                self.truncated(&self.constant_text(unit, "what is cut to")?, self.translate(value)?)
            }
            (_, _) => Err(self.unreadable(format!("{name} is called with too few or too many values"))),
        }
    }

    fn choice(&self, name: &str, forms: &[&ast::Expr]) -> Result<Typed, Problem> {
        let values = forms.iter().map(|form| self.translate(form)).collect::<Result<Vec<_>, _>>()?;
        let mut values = meet(values, self.place)?;
        match (name, values.as_slice()) {
            ("greatest" | "least", [_, ..]) => self.engine(name, values),
            ("coalesce", [_, ..]) => {
                let present = |value: &Typed| Expr::IsNotNull(Box::new(value.expr.clone()));
                let tests = values.iter().map(present).collect();
                self.choose(tests, values)
            }
            ("nullif", [_, _]) => {
                let equal = self.equal(values.clone())?.expr;
                let null =
                    ScalarValue::try_from(&values[0].kind).map_err(|_| self.wrong("a value", &values[0].kind))?;
                values.truncate(1);
                values.insert(0, Typed::literal(null));
                self.choose(vec![equal], values)
            }
            (_, _) => Err(self.unreadable(format!("{name} is called with too few or too many values"))),
        }
    }

    /// Patterns are the request's own, and are read before anything is counted.
    fn regexp(&self, name: &str, value: &ast::Expr, constants: &[&ast::Expr]) -> Result<Typed, Problem> {
        let (least, most) = if name == "regexp_like" { (1, 2) } else { (2, 3) };
        if !(least..=most).contains(&constants.len()) {
            return Err(self.unreadable(format!("{name} is called with too few or too many values")));
        }
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

    fn part(&self, part: &str, value: Typed) -> Result<Typed, Problem> {
        let part = part.to_lowercase();
        if !PARTS.contains(&part.as_str()) {
            let hint = nearest(&part, PARTS).map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
            return Err(self.unreadable(format!("a date has no part {part}{hint}")));
        }
        let value = self.moment(value)?;
        self.engine("date_part", vec![constant(part), value])
    }

    /// Days and longer units give days, which belong to no time zone; shorter ones give moments.
    fn truncated(&self, unit: &str, value: Typed) -> Result<Typed, Problem> {
        let unit = unit.to_lowercase();
        let value = self.moment(value)?;
        let days = match unit.as_str() {
            "day" => Unit::Day,
            "week" => Unit::Week,
            "month" => Unit::Month,
            "quarter" => Unit::Quarter,
            "year" => Unit::Year,
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
    fn moment(&self, value: Typed) -> Result<Typed, Problem> {
        match &value.kind {
            DataType::Date32 | DataType::Timestamp(_, _) => Ok(value),
            kind if is_text(kind) || kind == &DataType::Null => {
                value.bring(&DataType::Timestamp(TimeUnit::Microsecond, None), self.place)
            }
            kind => Err(self.wrong("a date or a timestamp", kind)),
        }
    }

    /// Calls a function of the engine, with arguments brought to the types that it wants.
    fn engine(&self, name: &str, arguments: Vec<Typed>) -> Result<Typed, Problem> {
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

    fn registered(&self, name: &str) -> Result<Arc<ScalarUDF>, Problem> {
        let state = self.context.state();
        state.scalar_functions().get(name).cloned().ok_or_else(|| self.no_function(name))
    }
}

fn constant(text: String) -> Typed {
    Typed::literal(ScalarValue::Utf8View(Some(text)))
}

fn field(typed: &Typed) -> FieldRef {
    Arc::new(Field::new("argument", typed.kind.clone(), true))
}
