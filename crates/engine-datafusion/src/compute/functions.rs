//! The functions of the contract, by DataFusion's.
//!
//! The list, the values that each takes and the type that it gives are the contract's (`engine::RowForm::Call`). It
//! must never call a function that is not listed: DataFusion has more, and some look at a clock, at chance or at other
//! rows. It is separate because the list is what a reader asks for first. Read `total.rs` next.

use super::bound::Replacing;
use super::total::{Step, total};
use super::{Computing, as_view};
use arrow_schema::{Field, FieldRef, Schema};
use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_expr::type_coercion::functions::fields_with_udf;
use datafusion_expr::{ReturnFieldArgs, ScalarUDF};
use datafusion_functions::{core, datetime, math, regex, string, unicode};
use datafusion_physical_expr::expressions::Literal;
use incrowd_engine::{Function, RowType};
use std::sync::Arc;

/// Returns what calls a function, its result in the type of the contract.
pub(super) fn call(function: Function, values: Vec<Computing>, kind: &RowType, schema: &Schema) -> Result<Computing> {
    let called = match function {
        // Patterns have a bounded size, and so has what they are replaced with.
        Function::RegexpReplace => return replaced(values),
        // Written out as a choice by the contract.
        Function::Coalesce | Function::NullIf => return exec_err!("a choice is no function"),
        Function::Abs => math::abs(),
        Function::Ascii => string::ascii(),
        Function::Ceil => math::ceil(),
        Function::Concat => string::concat(),
        Function::ConcatSeparated => string::concat_ws(),
        Function::Contains => string::contains(),
        Function::DatePart => datetime::date_part(),
        Function::DateTrunc => datetime::date_trunc(),
        Function::EndsWith => string::ends_with(),
        Function::Exp => math::exp(),
        Function::Floor => math::floor(),
        Function::Greatest => core::greatest(),
        Function::InitCap => unicode::initcap(),
        Function::Least => core::least(),
        Function::Left => unicode::left(),
        Function::Length => unicode::character_length(),
        Function::Ln => math::ln(),
        Function::Log10 => math::log10(),
        Function::Lower => string::lower(),
        Function::OctetLength => string::octet_length(),
        Function::PadEnd => unicode::rpad(),
        Function::PadStart => unicode::lpad(),
        Function::Position => unicode::strpos(),
        Function::Power => math::power(),
        Function::RegexpLike => regex::regexp_like(),
        Function::Replace => string::replace(),
        Function::Reverse => unicode::reverse(),
        Function::Right => unicode::right(),
        Function::Round => math::round(),
        Function::Sign => math::signum(),
        Function::SplitPart => string::split_part(),
        Function::Sqrt => math::sqrt(),
        Function::StartsWith => string::starts_with(),
        Function::Substring => unicode::substr(),
        Function::Trim => string::btrim(),
        Function::TrimEnd => string::rtrim(),
        Function::TrimStart => string::ltrim(),
        Function::Trunc => math::trunc(),
        Function::Upper => string::upper(),
    };
    let (called, result) = with_types(called, values, schema)?;
    if kind == &RowType::Text {
        return as_view(called, schema);
    }
    let carrier = kind.carrier();
    Ok(if result.data_type() == &carrier { called } else { total(Step::Read(carrier), vec![called]) })
}

/// Calls a function with values of the types that it wants, and tells the type that it gives.
fn with_types(function: Arc<ScalarUDF>, values: Vec<Computing>, schema: &Schema) -> Result<(Computing, FieldRef)> {
    let mut fields: Vec<FieldRef> = Vec::new();
    for value in &values {
        fields.push(Arc::new(Field::new("value", value.data_type(schema)?, true)));
    }
    let wanted = fields_with_udf(&fields, function.as_ref())?;
    let mut brought = Vec::new();
    for ((value, has), wanted) in values.into_iter().zip(&fields).zip(&wanted) {
        let to = wanted.data_type();
        brought.push(match value.downcast_ref::<Literal>() {
            _ if has.data_type() == to => value,
            Some(constant) => Arc::new(Literal::new(constant.value().cast_to(to)?)),
            None => total(Step::Read(to.clone()), vec![value]),
        });
    }
    let constants: Vec<Option<&ScalarValue>> =
        brought.iter().map(|value| value.downcast_ref::<Literal>().map(Literal::value)).collect();
    let result =
        function.return_field_from_args(ReturnFieldArgs { arg_fields: &wanted, scalar_arguments: &constants })?;
    Ok((total(Step::Function(function, result.data_type().clone()), brought), result))
}

fn replaced(values: Vec<Computing>) -> Result<Computing> {
    let mut values = values.into_iter();
    let Some(value) = values.next() else { return exec_err!("nothing to replace") };
    let mut texts = Vec::new();
    for constant in values {
        match constant.downcast_ref::<Literal>().map(Literal::value) {
            Some(ScalarValue::Utf8View(Some(text))) => texts.push(text.clone()),
            Some(_) | None => return exec_err!("a pattern that is no constant"),
        }
    }
    let (pattern, with, flags) = match texts.as_slice() {
        [pattern, with] => (pattern, with, ""),
        [pattern, with, flags] => (pattern, with, flags.as_str()),
        _ => return exec_err!("a pattern and what replaces it"),
    };
    match Replacing::new(pattern, with, flags) {
        Some(replacing) => Ok(total(Step::Replaced(replacing), vec![value])),
        None => exec_err!("a pattern that cannot be read"),
    }
}
