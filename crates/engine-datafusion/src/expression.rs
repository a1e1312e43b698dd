//! Expressions on one row, as steps of this engine.
//!
//! What may be asked of a row is the contract's (`engine::expression`). It must never let a step fail on some row, or grow
//! without bound: each is in null-on-error form, and a text that a function takes or makes has at most 65,536 bytes. The
//! engine's own planner is not asked for types, so that none of its casts is left. It is separate from the contract because
//! another engine has other steps. Read `expression/translate.rs` for the forms, `functions.rs` for the functions, `total.rs`
//! for null-on-error, `bound.rs` for the bound on texts.

pub(crate) mod bound;
mod functions;
#[cfg(test)]
mod growth;

mod operators;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod tests;
pub(crate) mod total;
mod translate;
pub(crate) mod typed;

pub(crate) use incrowd_engine::nearest;

use datafusion::arrow::datatypes::DataType;
use datafusion::common::DFSchema;
use datafusion::logical_expr::Expr;
use datafusion::prelude::SessionContext;
use incrowd_engine::{Expression, PrepareError, RequestField};
use translate::Translator;

/// Returns the steps that an expression of the request stands for; a condition is true or false.
///
/// Rows for which a condition is null do not meet it.
pub(crate) fn row_wise(
    context: &SessionContext,
    schema: &DFSchema,
    expression: &Expression,
    place: RequestField,
) -> Result<Expr, PrepareError> {
    let translated = Translator { context, schema, place: &place }.translate(expression)?;
    if place == RequestField::Condition && translated.kind != DataType::Boolean {
        let has = typed::name_of(&translated.kind).to_owned();
        return Err(PrepareError::WrongType { place, wanted: "true or false", has });
    }
    Ok(translated.expr)
}
