//! What is computed of each row: its values in every dimension, and whose row it is.
//!
//! Planned twice from the same request: on declared types before the charge, and on the types that files deliver after it.
//! It must never contain anything that looks at another row. It is separate because all ways to count start from it. Read
//! `count.rs` next.

use crate::cut::Cutter;
use crate::expression::row_wise;
use crate::value::{dimension_value, part_value, people_value, person_value, typed_columns, typed_schema};
use arrow_schema::{DataType, Schema, SchemaRef};
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, DataFusionError, exec_err};
use datafusion::logical_expr::{Expr, ExprSchemable, cast, lit};
use datafusion::prelude::{DataFrame, SessionContext, ident};
use incrowd_engine::{PrepareError, Query, RequestField, Unit};
use std::collections::{BTreeMap, HashSet};

/// What is computed of each row.
pub(crate) struct RowPlan {
    typed: Vec<Expr>,
    condition: Option<Expr>,
    values: Vec<Expr>,
    unit: Option<Expr>,
    /// The type of what names a person, where persons have many rows.
    pub(crate) person: Option<DataType>,
    /// How many steps make a text of a row.
    pub(crate) texts_made: usize,
    /// How each dimension is cut; nothing where its values are found.
    pub(crate) cutters: Vec<Option<Cutter>>,
}

/// The name of a dimension's column.
pub(crate) fn dimension_name(index: usize) -> String {
    format!("dimension{index}")
}

/// The name of the column that says whether the condition of one plan among several holds.
pub(crate) fn condition_name(index: usize) -> String {
    format!("condition{index}")
}

/// The name of the column that says whose row it is, or for how many people it stands.
pub(crate) const UNIT: &str = "unit";

impl RowPlan {
    /// Plans a query on columns of these types.
    pub(crate) fn of(context: &SessionContext, schema: &SchemaRef, query: &Query) -> Result<Self, PrepareError> {
        refuse_twins(schema)?;
        let typed = typed_columns(schema, &query.source.types, &query.source.timezone)?;
        let typed_schema = typed_schema(schema, &query.source.types)?;
        let condition = query.condition.as_ref();
        let condition = condition
            .map(|condition| row_wise(context, &typed_schema, condition, RequestField::Condition))
            .transpose()?;
        if let Some(condition) = &condition {
            match condition.get_type(&typed_schema) {
                Ok(DataType::Boolean | DataType::Null) => {}
                Ok(_) | Err(_) => {
                    let (wanted, has) = ("a condition that is true or false", "something else".to_string());
                    return Err(PrepareError::WrongType { place: RequestField::Condition, wanted, has });
                }
            }
        }
        let part = query.split.as_ref().map(|split| part_value(&typed_schema, split)).transpose()?;
        let condition = match (condition, part) {
            (Some(condition), Some(part)) => Some(condition.and(part)),
            (one, other) => one.or(other),
        };
        let mut values = Vec::new();
        let mut cutters = Vec::new();
        for (index, dimension) in query.dimensions.iter().enumerate() {
            let value = dimension_value(context, &typed_schema, dimension, &query.source.timezone)?;
            let kind = value.get_type(&typed_schema).map_err(|_| PrepareError::WrongType {
                place: RequestField::Bin(dimension.name.clone()),
                wanted: "a value that can be binned",
                has: "something else".into(),
            })?;
            let (value, cutter) = match dimension.cut.listed() {
                Some(_) => (value, Some(Cutter::new(dimension, &kind)?)),
                None if is_text(&kind) => (cast(value, DataType::Utf8View), None),
                None => (value, None),
            };
            values.push(value.alias(dimension_name(index)));
            cutters.push(cutter);
        }
        let mut person_type = None;
        let unit = match &query.unit {
            Unit::Row => None,
            Unit::People { column } => Some(people_value(&typed_schema, column)?),
            Unit::Person { column, .. } => {
                let person = person_value(&typed_schema, column)?;
                let kind = person.get_type(&typed_schema).map_err(|_| PrepareError::WrongType {
                    place: RequestField::Person,
                    wanted: "a value that can name a person",
                    has: "something else".into(),
                })?;
                let text = is_text(&kind);
                person_type = Some(if text { DataType::Utf8View } else { kind });
                Some(if text { cast(person, DataType::Utf8View) } else { person })
            }
        };
        let texts_made = values.iter().chain(&condition).map(|value| texts_made(value, &typed_schema)).sum();
        Ok(RowPlan {
            typed,
            condition,
            values,
            texts_made,
            unit: unit.map(|unit| unit.alias(UNIT)),
            person: person_type,
            cutters,
        })
    }

    /// Returns the names of the source's columns that are needed.
    pub(crate) fn columns(&self) -> HashSet<String> {
        let used = self.values.iter().chain(&self.condition).chain(&self.unit);
        used.flat_map(|expression| expression.column_refs().into_iter().map(|column| column.name.clone())).collect()
    }

    /// Returns the rows of a table as values in every dimension, followed by the unit if there is one.
    pub(crate) fn values_of(&self, table: DataFrame) -> Result<DataFrame, DataFusionError> {
        let mut rows = table.select(self.typed.clone())?;
        if let Some(condition) = &self.condition {
            rows = rows.filter(condition.clone())?;
        }
        let constant = self.values.is_empty().then(|| lit(true).alias("row"));
        rows.select(self.values.iter().chain(&self.unit).cloned().chain(constant).collect::<Vec<_>>())
    }

    /// Returns every row of a table as several plans of one source see it: the values of all their dimensions under running
    /// numbers, whether each plan's condition holds, and the unit if there is one.
    pub(crate) fn side_by_side(plans: &[RowPlan], table: DataFrame) -> Result<DataFrame, DataFusionError> {
        let Some(first) = plans.first() else { return exec_err!("no plans") };
        let values = plans.iter().flat_map(|plan| &plan.values).enumerate();
        let values = values.map(|(index, value)| value.clone().unalias().alias(dimension_name(index)));
        let holds = plans
            .iter()
            .enumerate()
            .map(|(index, plan)| plan.condition.clone().map_or(lit(true), Expr::is_true).alias(condition_name(index)));
        let selected: Vec<Expr> = values.chain(holds).chain(first.unit.clone()).collect();
        table.select(first.typed.clone())?.select(selected)
    }

    /// Returns the same plan for a source that delivers only some columns, possibly stored otherwise.
    pub(crate) fn on_delivered(
        context: &SessionContext,
        delivered: &SchemaRef,
        query: &Query,
    ) -> Result<Self, PrepareError> {
        let mut query = query.clone();
        let types: BTreeMap<_, _> = std::mem::take(&mut query.source.types);
        query.source.types = types.into_iter().filter(|(name, _)| delivered.field_with_name(name).is_ok()).collect();
        RowPlan::of(context, delivered, &query)
    }
}

/// Counts the functions and choices in an expression that give a text.
fn texts_made(value: &Expr, schema: &DFSchema) -> usize {
    let mut made = 0;
    let _ = value.apply(|node| {
        if matches!(node, Expr::ScalarFunction(_) | Expr::Case(_))
            && node.get_type(schema).map_or(true, |kind| is_text(&kind))
        {
            made += 1;
        }
        Ok(TreeNodeRecursion::Continue)
    });
    made
}

fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

fn refuse_twins(schema: &Schema) -> Result<(), PrepareError> {
    let mut seen = HashSet::new();
    match schema.fields().iter().find(|field| !seen.insert(field.name())) {
        None => Ok(()),
        Some(twin) => Err(PrepareError::TwinColumns { column: twin.name().clone() }),
    }
}

/// Returns a column by its exact name.
pub(crate) fn named(name: &str) -> Expr {
    ident(name)
}
