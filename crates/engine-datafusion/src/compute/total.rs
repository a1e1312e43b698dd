//! One step of an expression in null-on-error form: a cast, an arithmetic operation or a function.
//!
//! A row on which the step fails is missing; it must never end a count, because that would tell that such a row exists.
//! Arrow's "safe" casts alone do not do: a timestamp far away still fails as a date. It is separate because every step
//! passes through here, so that floats are tidied in one place: NaN is missing, and there is one zero. Read `bound.rs`
//! next.

use super::Computing;
use super::bound::{self, Growth, Replacing};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use arrow_select::concat::concat;
use datafusion_common::config::ConfigOptions;
use datafusion_common::{DataFusionError, Result, ScalarValue};
use datafusion_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion_physical_expr::ScalarFunctionExpr;
use incrowd_engine::steps::{calculate, days, first_days, read, tidy};
use incrowd_engine::{Arithmetic, PeriodUnit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What is done in a step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Step {
    /// Reads a value as another type.
    Read(DataType),
    /// Calculates with two numbers of the same type; the result has this one.
    Arithmetic(Arithmetic, DataType),
    /// Calls a function of the engine; arguments have the types that it wants, and the result has this one.
    Function(Arc<ScalarUDF>, DataType),
    /// Joins two texts; missing if one is.
    Joined,
    /// Replaces what a pattern matches.
    Replaced(Replacing),
    /// Takes the day of a moment in a time zone.
    DayIn(String),
    /// Takes the first day of the week, month, quarter or year of a day.
    FirstDay(PeriodUnit),
}

/// Returns the step as an expression.
pub(super) fn total(step: Step, arguments: Vec<Computing>) -> Computing {
    let name = match &step {
        Step::Read(_) => "read",
        Step::Arithmetic(_, _) => "calculated",
        Step::Function(function, _) => function.name(),
        Step::Joined => "joined",
        Step::Replaced(_) => "replaced",
        Step::DayIn(_) => "day",
        Step::FirstDay(_) => "first_day",
    };
    let name = name.to_owned();
    let result: FieldRef = Arc::new(Field::new(&name, step.result(), true));
    let total = Total { step, signature: Signature::variadic_any(Volatility::Immutable) };
    let function = Arc::new(ScalarUDF::from(total));
    Arc::new(ScalarFunctionExpr::new(&name, function, arguments, result, Arc::new(ConfigOptions::default())))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Total {
    step: Step,
    signature: Signature,
}

impl ScalarUDFImpl for Total {
    fn name(&self) -> &str {
        "total"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _types: &[DataType]) -> Result<DataType> {
        Ok(self.step.result())
    }

    fn return_field_from_args(&self, _args: ReturnFieldArgs) -> Result<FieldRef> {
        Ok(Arc::new(Field::new("total", self.step.result(), true)))
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Some(growth) = self.step.growth() else { return self.invoke_unbounded(&args) };
        let long = bound::too_long(growth, &args.args, args.number_rows)?;
        if let Some(long) = &long {
            let constant = args.args.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_)));
            if constant {
                return Ok(ColumnarValue::Scalar(ScalarValue::try_from(args.return_field.data_type())?));
            }
            bound::without(&mut args.args, long)?;
        }
        bound::bounded(self.invoke_unbounded(&args)?, long.as_ref(), args.number_rows)
    }
}

impl Total {
    fn invoke_unbounded(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
        match self.step.run_unharmed(args) {
            Ok(result) => tidied(result),
            Err(_) => tidied(self.row_by_row(args)?),
        }
    }

    /// Runs the step on each row by itself; rows on which it fails are missing.
    fn row_by_row(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
        let missing = ScalarValue::try_from(args.return_field.data_type())?;
        if args.args.iter().all(|argument| matches!(argument, ColumnarValue::Scalar(_))) {
            return Ok(ColumnarValue::Scalar(missing));
        }
        let missing = missing.to_array()?;
        let mut rows: Vec<ArrayRef> = Vec::with_capacity(args.number_rows);
        for row in 0..args.number_rows {
            let mut alone = args.clone();
            alone.number_rows = 1;
            for argument in &mut alone.args {
                if let ColumnarValue::Array(array) = argument {
                    *array = array.slice(row, 1);
                }
            }
            let result = self.step.run_unharmed(&alone).and_then(|result| result.into_array(1));
            rows.push(result.unwrap_or_else(|_| Arc::clone(&missing)));
        }
        let rows: Vec<&dyn Array> = rows.iter().map(AsRef::as_ref).collect();
        Ok(ColumnarValue::Array(concat(&rows)?))
    }
}

impl Step {
    fn result(&self) -> DataType {
        match self {
            Step::Read(to) => to.clone(),
            Step::Arithmetic(_, result) | Step::Function(_, result) => result.clone(),
            Step::Joined | Step::Replaced(_) => DataType::Utf8View,
            Step::DayIn(_) | Step::FirstDay(_) => DataType::Date32,
        }
    }

    /// How texts grow; nothing for a step that neither takes nor makes texts by way of a function.
    fn growth(&self) -> Option<Growth> {
        match self {
            Step::Function(function, _) => Some(match function.name() {
                "concat" => Growth::Joined { separated: false },
                "concat_ws" => Growth::Joined { separated: true },
                "replace" => Growth::Replaced,
                _ => Growth::Little,
            }),
            Step::Joined => Some(Growth::Joined { separated: false }),
            Step::Replaced(_) => Some(Growth::Little),
            // A number or a day is short as a text, and a text stays as long as it is.
            Step::Read(_) | Step::Arithmetic(_, _) | Step::DayIn(_) | Step::FirstDay(_) => None,
        }
    }

    /// Runs the step; a library that panics on a far-off value fails on it like any other.
    fn run_unharmed(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
        catch_unwind(AssertUnwindSafe(|| self.run(args)))
            .unwrap_or_else(|_| Err(DataFusionError::External("a panic".into())))
    }

    fn run(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
        match (self, args.args.as_slice()) {
            (Step::Function(function, _), _) => function.invoke_with_args(args.clone()),
            (Step::Read(to), [value]) => each(value, |array| read(array, to)),
            (Step::DayIn(zone), [value]) => each(value, |array| days(array, zone)),
            (Step::FirstDay(unit), [value]) => each(value, |array| first_days(array, *unit)),
            (Step::Arithmetic(operation, _), [left, right]) => {
                let arrays = ColumnarValue::values_to_arrays(&[left.clone(), right.clone()])?;
                let result = calculate(*operation, &arrays[0], &arrays[1])?;
                match (left, right) {
                    (ColumnarValue::Scalar(_), ColumnarValue::Scalar(_)) => {
                        Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?))
                    }
                    (ColumnarValue::Array(_), _) | (_, ColumnarValue::Array(_)) => Ok(ColumnarValue::Array(result)),
                }
            }
            (Step::Joined, [left, right]) => Ok(bound::joined(left, right)?),
            (Step::Replaced(replacing), [value]) => each(value, |array| replacing.replaced(array)),
            (
                Step::Read(_)
                | Step::DayIn(_)
                | Step::FirstDay(_)
                | Step::Joined
                | Step::Replaced(_)
                | Step::Arithmetic(_, _),
                _,
            ) => wrong_call(),
        }
    }
}

fn each(value: &ColumnarValue, run: impl Fn(&ArrayRef) -> Result<ArrayRef, ArrowError>) -> Result<ColumnarValue> {
    match value {
        ColumnarValue::Array(array) => Ok(ColumnarValue::Array(run(array)?)),
        ColumnarValue::Scalar(scalar) => {
            let result = run(&scalar.to_array()?)?;
            Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?))
        }
    }
}

/// NaN becomes missing, and there is one zero.
fn tidied(result: ColumnarValue) -> Result<ColumnarValue> {
    if result.data_type() != DataType::Float64 {
        return Ok(result);
    }
    each(&result, |array| Ok(tidy(Arc::clone(array))))
}

fn wrong_call<T>() -> Result<T> {
    Err(DataFusionError::Internal("a step with too few or too many arguments".into()))
}
