//! The values of rows, computed by DataFusion's expressions batch by batch.
//!
//! What is computed is the contract's tree (`engine::RowPlan`), with all its types; here each form becomes the
//! expression that computes it. It must never let a step fail on some row, or grow without bound, nor leave a cast to
//! the engine. It is separate because all ways to count start from it. Read `compute/functions.rs` for the functions,
//! `compute/total.rs` for null-on-error, `compute/bound.rs` for the bound on texts, `compute/stored.rs` for the types
//! of columns.

#[cfg(test)]
mod asked;
pub(crate) mod bound;
#[cfg(test)]
mod columns;
mod functions;
#[cfg(test)]
mod growth;
pub(crate) mod stored;
#[cfg(test)]
mod tests;
mod total;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_expr::Operator;
use datafusion_physical_expr::PhysicalExpr;
use datafusion_physical_expr::expressions::{
    BinaryExpr, CaseExpr, Column, IsNullExpr, LikeExpr, Literal, NotExpr, in_list,
};
use incrowd_engine::{ComparisonOperator, Constant, Pattern, Query, RowForm, RowPlan, RowType, RowValue};
use std::sync::Arc;
use stored::is_text;
use total::{Step, total};

type Computing = Arc<dyn PhysicalExpr>;

/// The values of each row of one query, ready to be computed of the columns that a source delivers.
pub(crate) struct RowComputation {
    columns: Vec<Computing>,
    typed: SchemaRef,
    condition: Option<Computing>,
    dimensions: Vec<Computing>,
    unit: Option<Computing>,
    values: SchemaRef,
}

/// The name of a dimension's column.
pub(crate) fn dimension_name(index: usize) -> String {
    format!("dimension{index}")
}

/// The name of the column that says whose row it is, or for how many people it stands.
pub(crate) const UNIT: &str = "unit";

impl RowComputation {
    /// Returns what computes the plan of a query of these columns.
    pub(crate) fn of(plan: &RowPlan, query: &Query, delivered: &SchemaRef) -> Result<RowComputation> {
        let mut columns = Vec::new();
        let mut fields = Vec::new();
        for (name, column) in &plan.columns {
            let column = computing(column, delivered)?;
            fields.push(Field::new(name, column.data_type(delivered)?, true));
            columns.push(column);
        }
        let typed: SchemaRef = Arc::new(Schema::new(fields));
        let condition = plan.condition.as_ref().map(|condition| computing(condition, &typed)).transpose()?;
        let mut fields = Vec::new();
        let mut dimensions = Vec::new();
        for (index, (value, dimension)) in plan.dimensions.iter().zip(&query.dimensions).enumerate() {
            let value = computing(value, &typed)?;
            // Listed texts are looked up as they are stored; found ones are sorted.
            let value = if dimension.cut.listed().is_some() { value } else { as_view(value, &typed)? };
            fields.push(Field::new(dimension_name(index), value.data_type(&typed)?, true));
            dimensions.push(value);
        }
        let mut unit = None;
        if let Some(whose) = &plan.unit {
            let value = as_view(computing(whose, &typed)?, &typed)?;
            fields.push(Field::new(UNIT, value.data_type(&typed)?, true));
            unit = Some(value);
        }
        Ok(RowComputation { columns, typed, condition, dimensions, unit, values: Arc::new(Schema::new(fields)) })
    }

    /// Returns the columns that come out: the value in every dimension, followed by the unit if there is one.
    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.values
    }

    /// Returns the values of the rows that meet the condition.
    pub(crate) fn counted(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let mut typed = self.typed(batch)?;
        if let Some(holds) = self.holds(&typed)? {
            typed = filter_record_batch(&typed, &holds)?;
        }
        self.values(&typed)
    }

    /// Returns the values of all rows, and which of them meet the condition if there is one.
    pub(crate) fn all(&self, batch: &RecordBatch) -> Result<(RecordBatch, Option<BooleanArray>)> {
        let typed = self.typed(batch)?;
        Ok((self.values(&typed)?, self.holds(&typed)?))
    }

    /// Returns the columns that are used, in their declared types.
    pub(crate) fn typed(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        table(&self.typed, self.columns.iter(), batch)
    }

    /// Returns the values of rows whose columns have their declared types.
    pub(crate) fn values(&self, typed: &RecordBatch) -> Result<RecordBatch> {
        table(&self.values, self.dimensions.iter().chain(&self.unit), typed)
    }

    /// Returns whether each row meets the condition, missing where that cannot be told; nothing without a condition.
    pub(crate) fn truth(&self, typed: &RecordBatch) -> Result<Option<BooleanArray>> {
        let Some(condition) = &self.condition else { return Ok(None) };
        let truth = condition.evaluate(typed)?.into_array(typed.num_rows())?;
        match truth.as_boolean_opt() {
            Some(truth) => Ok(Some(truth.clone())),
            None => exec_err!("a condition that is no truth"),
        }
    }

    /// Missing is not met.
    fn holds(&self, typed: &RecordBatch) -> Result<Option<BooleanArray>> {
        let known = |truth: BooleanArray| match truth.nulls() {
            None => truth,
            Some(known) => BooleanArray::new(truth.values() & known.inner(), None),
        };
        Ok(self.truth(typed)?.map(known))
    }
}

fn table<'c>(
    schema: &SchemaRef,
    columns: impl Iterator<Item = &'c Computing>,
    batch: &RecordBatch,
) -> Result<RecordBatch> {
    let rows = batch.num_rows();
    let columns = columns.map(|column| column.evaluate(batch)?.into_array(rows)).collect::<Result<Vec<ArrayRef>>>()?;
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}

/// Returns what computes a value of the columns of a schema. Texts keep the way in which they are stored where they
/// can.
fn computing(value: &RowValue, schema: &Schema) -> Result<Computing> {
    let inner = |value: &RowValue| computing(value, schema);
    let carrier = || value.kind.carrier();
    Ok(match &value.form {
        RowForm::Column(name) => {
            let place = schema.index_of(name)?;
            let column: Computing = Arc::new(Column::new(name, place));
            let stored = schema.field(place).data_type();
            match &value.kind {
                RowType::Text | RowType::Foreign(_) => column,
                _ if stored == &carrier() => column,
                _ => total(Step::Read(carrier()), vec![column]),
            }
        }
        RowForm::Constant(constant) => literal(constant, &value.kind)?,
        RowForm::Read(read) => total(Step::Read(carrier()), vec![inner(read)?]),
        RowForm::DayIn(zone, moment) => total(Step::DayIn(zone.clone()), vec![inner(moment)?]),
        RowForm::FirstDay(unit, day) => total(Step::FirstDay(*unit), vec![inner(day)?]),
        RowForm::Arithmetic(operation, left, right) => {
            total(Step::Arithmetic(*operation, carrier()), vec![inner(left)?, inner(right)?])
        }
        RowForm::Join(left, right) => {
            total(Step::Joined, vec![as_view(inner(left)?, schema)?, as_view(inner(right)?, schema)?])
        }
        RowForm::Compare(comparison, left, right) => {
            let [left, right] = alike([left.as_ref(), right.as_ref()], schema)?;
            Arc::new(BinaryExpr::new(left, operator(*comparison), right))
        }
        RowForm::And(left, right) => Arc::new(BinaryExpr::new(inner(left)?, Operator::And, inner(right)?)),
        RowForm::Or(left, right) => Arc::new(BinaryExpr::new(inner(left)?, Operator::Or, inner(right)?)),
        RowForm::Not(truth) => Arc::new(NotExpr::new(inner(truth)?)),
        RowForm::IsNull(value) => Arc::new(IsNullExpr::new(inner(value)?)),
        RowForm::Is(truth, value) => {
            let truth: Computing = Arc::new(Literal::new(ScalarValue::Boolean(Some(*truth))));
            Arc::new(BinaryExpr::new(inner(value)?, Operator::IsNotDistinctFrom, truth))
        }
        RowForm::In(value, list) => {
            let all: Vec<&RowValue> = std::iter::once(value.as_ref()).chain(list).collect();
            let mut all = all_alike(&all, schema)?.into_iter();
            let Some(value) = all.next() else { return exec_err!("a list of nothing") };
            in_list(value, all.collect(), &false, schema)?
        }
        RowForm::Like(case, text, pattern) => {
            let pattern: Computing = Arc::new(Literal::new(ScalarValue::Utf8View(Some(pattern.clone()))));
            let any_case = *case == Pattern::AnyCase;
            Arc::new(LikeExpr::new(false, any_case, as_view(inner(text)?, schema)?, pattern))
        }
        RowForm::Case { branches, otherwise } => {
            let results = branches.iter().map(|(_, result)| result).chain(otherwise.as_deref());
            let mut results = all_alike(&results.collect::<Vec<_>>(), schema)?.into_iter();
            let mut tested = Vec::new();
            for ((test, _), result) in branches.iter().zip(results.by_ref()) {
                tested.push((inner(test)?, result));
            }
            Arc::new(CaseExpr::try_new(None, tested, results.next())?)
        }
        RowForm::Call(function, values) => {
            let values = values.iter().map(|value| as_view(inner(value)?, schema)).collect::<Result<Vec<_>>>()?;
            functions::call(*function, values, &value.kind, schema)?
        }
    })
}

fn literal(constant: &Constant, kind: &RowType) -> Result<Computing> {
    let Some(one) = constant.array(kind) else { return exec_err!("a constant of another type") };
    Ok(Arc::new(Literal::new(ScalarValue::try_from_array(&one, 0)?)))
}

/// Returns a text as a view: the one way of storing texts that every function takes.
fn as_view(value: Computing, schema: &Schema) -> Result<Computing> {
    let kind = value.data_type(schema)?;
    Ok(if is_text(&kind) && kind != DataType::Utf8View {
        total(Step::Read(DataType::Utf8View), vec![value])
    } else {
        value
    })
}

fn alike<const N: usize>(values: [&RowValue; N], schema: &Schema) -> Result<[Computing; N]> {
    match <[Computing; N]>::try_from(all_alike(&values, schema)?) {
        Ok(all) => Ok(all),
        Err(_) => exec_err!("values are missing"),
    }
}

/// Returns what computes values of one type, texts stored in one way. A constant takes the way in which the others are
/// stored: a column of few words is compared word by word.
fn all_alike(values: &[&RowValue], schema: &Schema) -> Result<Vec<Computing>> {
    let computed = values.iter().map(|value| computing(value, schema)).collect::<Result<Vec<_>>>()?;
    if values.first().is_none_or(|value| value.kind != RowType::Text) {
        return Ok(computed);
    }
    let mut ways = Vec::new();
    for (value, computing) in values.iter().zip(&computed) {
        if value.as_constant().is_none() {
            ways.push(computing.data_type(schema)?);
        }
    }
    let way = match ways.first() {
        Some(first) if ways.iter().all(|way| way == first) => first.clone(),
        Some(_) | None => DataType::Utf8View,
    };
    let stored = values.iter().zip(computed).map(|(value, computing)| match value.as_constant() {
        Some(Constant::Text(text)) => Ok(Arc::new(Literal::new(text_stored(text, &way)?)) as Computing),
        Some(_) => Ok(Arc::new(Literal::new(ScalarValue::try_from(&way)?)) as Computing),
        None if way == DataType::Utf8View => as_view(computing, schema),
        None => Ok(computing),
    });
    stored.collect()
}

fn text_stored(text: &str, way: &DataType) -> Result<ScalarValue> {
    Ok(match way {
        DataType::Dictionary(keys, words) => {
            let word = ScalarValue::Utf8View(Some(text.to_owned())).cast_to(words)?;
            ScalarValue::Dictionary(keys.clone(), Box::new(word))
        }
        way => ScalarValue::Utf8View(Some(text.to_owned())).cast_to(way)?,
    })
}

fn operator(comparison: ComparisonOperator) -> Operator {
    match comparison {
        ComparisonOperator::Equal => Operator::Eq,
        ComparisonOperator::NotEqual => Operator::NotEq,
        ComparisonOperator::Less => Operator::Lt,
        ComparisonOperator::LessOrEqual => Operator::LtEq,
        ComparisonOperator::Greater => Operator::Gt,
        ComparisonOperator::GreaterOrEqual => Operator::GtEq,
        ComparisonOperator::Distinct => Operator::IsDistinctFrom,
    }
}
