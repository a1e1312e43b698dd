//! A dimension of the request as a dimension of the engine's question: its expression is read.
//!
//! It must never add anything that the request does not say. It is separate because every kind of release that counts
//! bins asks for them in the same way. Read `kinds.rs` next.

use crate::request::{BinSource, Dimension};
use incrowd_engine::{Expression, PrepareError, RequestField};

/// Returns a dimension with the tree of its expression in place of the text.
pub(crate) fn with_expression(dimension: &Dimension) -> Result<Dimension<Expression>, PrepareError> {
    Ok(dimension.with_source(match &dimension.source {
        BinSource::Column(column) => BinSource::Column(column.clone()),
        BinSource::Expression(text) => {
            BinSource::Expression(Expression::parse(text, RequestField::Bin(dimension.name.clone()))?)
        }
    }))
}
