//! Groups and sorts rows within a limit of memory, by DataFusion's own operators.
//!
//! Which operators run, and in which order, is written here and not chosen by a planner. It must never drop a row. It
//! is separate because these few lines are all that is asked of DataFusion beside expressions. Read `grouped.rs` and
//! `persons.rs` for who asks.

use arrow_schema::{Schema, SortOptions};
use datafusion_common::{Result, exec_err};
use datafusion_expr::AggregateUDF;
use datafusion_physical_expr::aggregate::{AggregateExprBuilder, AggregateFunctionExpr};
use datafusion_physical_expr::expressions::Column;
use datafusion_physical_expr::{LexOrdering, PhysicalExpr, PhysicalSortExpr};
use datafusion_physical_plan::aggregates::{AggregateExec, AggregateMode, PhysicalGroupBy};
use datafusion_physical_plan::repartition::RepartitionExec;
use datafusion_physical_plan::sorts::sort::SortExec;
use datafusion_physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use datafusion_physical_plan::{ExecutionPlan, Partitioning};
use std::sync::Arc;

type Plan = Arc<dyn ExecutionPlan>;

/// An aggregate of a group: its function, what it is of, and the name of the column that it makes.
pub(crate) struct Aggregate {
    pub(crate) function: AggregateUDF,
    pub(crate) of: Arc<dyn PhysicalExpr>,
    pub(crate) name: &'static str,
}

impl Aggregate {
    fn over(self, rows: &Plan) -> Result<Arc<AggregateFunctionExpr>> {
        let built = AggregateExprBuilder::new(Arc::new(self.function), vec![self.of]);
        Ok(Arc::new(built.schema(rows.schema()).alias(self.name).build()?))
    }
}

/// Returns a column by its name.
pub(crate) fn column(name: &str, schema: &Schema) -> Result<Arc<dyn PhysicalExpr>> {
    Ok(Arc::new(Column::new(name, schema.index_of(name)?)))
}

/// Groups rows by some of their columns: in each part first, then what the parts have of a group together.
pub(crate) fn grouped(rows: Plan, keys: &[String], aggregate: Aggregate, threads: usize) -> Result<Plan> {
    let (schema, by, aggregate) = (rows.schema(), keyed(&rows, keys)?, aggregate.over(&rows)?);
    if threads == 1 {
        return single(AggregateMode::Single, rows, by, aggregate);
    }
    let each = AggregateExec::try_new(
        AggregateMode::Partial,
        by.clone(),
        vec![Arc::clone(&aggregate)],
        vec![None],
        rows,
        schema,
    )?;
    let each: Plan = Arc::new(each);
    let (by, schema) = (by.as_final(), each.schema());
    let together = keys.iter().map(|key| column(key, &schema)).collect::<Result<Vec<_>>>()?;
    let dealt: Plan = Arc::new(RepartitionExec::try_new(each, Partitioning::Hash(together, threads))?);
    single(AggregateMode::FinalPartitioned, dealt, by, aggregate)
}

/// Groups rows by some of their columns, those with the same first one in the same part from the beginning on.
pub(crate) fn grouped_apart(rows: Plan, keys: &[String], aggregate: Aggregate, threads: usize) -> Result<Plan> {
    let Some(first) = keys.first() else { return exec_err!("no keys") };
    let (by, aggregate) = (keyed(&rows, keys)?, aggregate.over(&rows)?);
    if threads == 1 {
        return single(AggregateMode::Single, rows, by, aggregate);
    }
    let first = column(first, &rows.schema())?;
    let dealt: Plan = Arc::new(RepartitionExec::try_new(rows, Partitioning::Hash(vec![first], threads))?);
    single(AggregateMode::SinglePartitioned, dealt, by, aggregate)
}

fn single(mode: AggregateMode, rows: Plan, by: PhysicalGroupBy, aggregate: Arc<AggregateFunctionExpr>) -> Result<Plan> {
    let schema = rows.schema();
    Ok(Arc::new(AggregateExec::try_new(mode, by, vec![aggregate], vec![None], rows, schema)?))
}

fn keyed(rows: &Plan, keys: &[String]) -> Result<PhysicalGroupBy> {
    let schema = rows.schema();
    let keys = keys.iter().map(|key| Ok((column(key, &schema)?, key.clone())));
    Ok(PhysicalGroupBy::new_single(keys.collect::<Result<Vec<_>>>()?))
}

/// Sorts rows by some of their columns, in one stream; missing values come last.
pub(crate) fn sorted(rows: Plan, keys: &[String]) -> Result<Plan> {
    let schema = rows.schema();
    let options = SortOptions { descending: false, nulls_first: false };
    let keys = keys.iter().map(|key| Ok(PhysicalSortExpr::new(column(key, &schema)?, options)));
    let Some(order) = LexOrdering::new(keys.collect::<Result<Vec<_>>>()?) else { return exec_err!("no order") };
    let sorted = SortExec::new(order.clone(), rows).with_preserve_partitioning(true);
    Ok(Arc::new(SortPreservingMergeExec::new(order, Arc::new(sorted))))
}
