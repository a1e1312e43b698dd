//! One step of an expression in null-on-error form: a cast, an arithmetic operation or a function.
//!
//! A row on which the step fails is missing; it must never end a count, because that would tell that such a row exists.
//! Arrow's "safe" casts alone do not do: a timestamp far away still fails as a date. It is separate because every step
//! passes through here, so that floats are tidied in one place: NaN is missing, and there is one zero. Read `typed.rs`
//! next.

use super::bound::{self, Growth, Replacing};
use crate::value::day::{days, first_days};
use crate::value::number;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use datafusion::arrow::compute::kernels::numeric;
use datafusion::arrow::compute::{CastOptions, can_cast_types, cast_with_options, concat};
use datafusion::arrow::datatypes::{DataType, Decimal128Type, Field, FieldRef, Float64Type, Int64Type};
use datafusion::arrow::error::ArrowError;
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use incrowd_engine::{Arithmetic, PeriodUnit};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What is done in a step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// Reads a value as another type.
    Cast(DataType),
    /// Calculates with two numbers of the same type; the result has this one.
    Arithmetic(Arithmetic, DataType),
    /// Calls a function of the engine; arguments have the types that it wants.
    Function(Arc<ScalarUDF>),
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
pub(crate) fn total(step: Step, arguments: Vec<Expr>) -> Expr {
    let name = match &step {
        Step::Cast(to) => format!("read_as_{to}"),
        Step::Arithmetic(operation, _) => format!("{operation:?}").to_lowercase(),
        Step::Function(function) => function.name().to_owned(),
        Step::Joined => "joined".to_owned(),
        Step::Replaced(_) => "replaced".to_owned(),
        Step::DayIn(zone) => format!("day_in_{zone}"),
        Step::FirstDay(unit) => format!("first_day_{unit:?}").to_lowercase(),
    };
    let mut hasher = DefaultHasher::new();
    arguments.hash(&mut hasher);
    let name = format!("{name}_{:016x}", hasher.finish());
    let function = Total { step, name, signature: Signature::variadic_any(Volatility::Immutable) };
    ScalarUDF::from(function).call(arguments)
}

/// Returns a value read as another type, missing where that fails.
pub(crate) fn cast(value: Expr, to: DataType) -> Expr {
    total(Step::Cast(to), vec![value])
}

/// Whether some values of one type can be read as the other.
pub(crate) fn can_cast(from: &DataType, to: &DataType) -> bool {
    can_cast_types(from, to)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Total {
    step: Step,
    /// The step and a hash of its arguments: short, however deep they are, and different for different ones.
    name: String,
    signature: Signature,
}

impl ScalarUDFImpl for Total {
    fn name(&self) -> &str {
        &self.name
    }

    fn schema_name(&self, _arguments: &[Expr]) -> Result<String> {
        // The engine's own names hold all arguments, and are built again for every type that is asked for.
        Ok(self.name.clone())
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match &self.step {
            Step::Cast(to) => Ok(to.clone()),
            Step::Arithmetic(_, result) => Ok(result.clone()),
            Step::Function(function) => function.return_type(types),
            Step::Joined | Step::Replaced(_) => Ok(DataType::Utf8View),
            Step::DayIn(_) | Step::FirstDay(_) => Ok(DataType::Date32),
        }
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let result = match &self.step {
            Step::Function(function) => function.return_field_from_args(args)?.data_type().clone(),
            Step::Cast(_)
            | Step::Arithmetic(_, _)
            | Step::Joined
            | Step::Replaced(_)
            | Step::DayIn(_)
            | Step::FirstDay(_) => {
                let types: Vec<DataType> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
                self.return_type(&types)?
            }
        };
        Ok(Arc::new(Field::new(&self.name, result, true)))
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
            Ok(result) => tidy(result),
            Err(_) => tidy(self.row_by_row(args)?),
        }
    }

    /// Runs the step on each row alone; rows on which it fails are missing.
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
    /// How texts grow; nothing for a step that neither takes nor makes texts by way of a function.
    fn growth(&self) -> Option<Growth> {
        match self {
            Step::Function(function) => Some(match function.name() {
                "concat" => Growth::Joined { separated: false },
                "concat_ws" => Growth::Joined { separated: true },
                "replace" => Growth::Replaced,
                _ => Growth::Little,
            }),
            Step::Joined => Some(Growth::Joined { separated: false }),
            Step::Replaced(_) => Some(Growth::Little),
            // A number or a day is short as a text, and a text stays as long as it is.
            Step::Cast(_) | Step::Arithmetic(_, _) | Step::DayIn(_) | Step::FirstDay(_) => None,
        }
    }

    /// Runs the step; a library that panics on a far-off value fails on it like any other.
    fn run_unharmed(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
        catch_unwind(AssertUnwindSafe(|| self.run(args)))
            .unwrap_or_else(|_| Err(DataFusionError::External("a panic".into())))
    }

    fn run(&self, args: &ScalarFunctionArgs) -> Result<ColumnarValue> {
        match (self, args.args.as_slice()) {
            (Step::Function(function), _) => function.invoke_with_args(args.clone()),
            (Step::Cast(to), [value]) => each(value, |array| read_as(array, to)),
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
                Step::Cast(_)
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

pub(super) fn calculate(operation: Arithmetic, left: &ArrayRef, right: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match operation {
        Arithmetic::Add => numeric::add(left, right),
        Arithmetic::Subtract => numeric::sub(left, right),
        Arithmetic::Multiply => numeric::mul(left, right),
        Arithmetic::Divide => numeric::div(left, &without_zeros(right)),
        Arithmetic::Remainder => numeric::rem(left, &without_zeros(right)),
    }
}

fn without_zeros(divisors: &ArrayRef) -> ArrayRef {
    match divisors.data_type() {
        DataType::Int64 => {
            let some = |value: i64| (value != 0).then_some(value);
            Arc::new(divisors.as_primitive::<Int64Type>().unary_opt::<_, Int64Type>(some))
        }
        DataType::Float64 => {
            let some = |value: f64| (value != 0.0).then_some(value);
            Arc::new(divisors.as_primitive::<Float64Type>().unary_opt::<_, Float64Type>(some))
        }
        DataType::Decimal128(_, _) => {
            let some = |value: i128| (value != 0).then_some(value);
            let kept = divisors.as_primitive::<Decimal128Type>().unary_opt::<_, Decimal128Type>(some);
            Arc::new(kept.with_data_type(divisors.data_type().clone()))
        }
        // Other types do not come here; were there a zero, the row would fail and be missing.
        _ => Arc::clone(divisors),
    }
}

fn read_as(array: &ArrayRef, to: &DataType) -> Result<ArrayRef, ArrowError> {
    if array.data_type() == to {
        return Ok(Arc::clone(array));
    }
    match number::read(array, to)? {
        Some(read) => Ok(read),
        None => cast_with_options(array, to, &CastOptions { safe: true, ..CastOptions::default() }),
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

/// NaN becomes missing, and -0.0 becomes 0.0: Arrow compares floats by a total order, in which both are values of their own.
fn tidy(result: ColumnarValue) -> Result<ColumnarValue> {
    if result.data_type() != DataType::Float64 {
        return Ok(result);
    }
    each(&result, |array| {
        let floats: Float64Array = array.as_primitive::<Float64Type>().unary_opt(|value| {
            // Adding zero turns -0.0 into 0.0 and leaves every other number alone.
            (!value.is_nan()).then_some(value + 0.0)
        });
        Ok(Arc::new(floats))
    })
}

fn wrong_call<T>() -> Result<T> {
    Err(DataFusionError::Internal("a step with too few or too many arguments".into()))
}
