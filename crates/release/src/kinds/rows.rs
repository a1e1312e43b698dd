//! Generalised rows, drawn: equal rows are counted together, and shown by how many people share them.
//!
//! It must never show a row that was not counted. It is separate because rows are published as they are. Read
//! `../bin_by_bin.rs` for how a bin is drawn, then `points.rs`.

use super::{Asks, Draws};
use crate::bin_by_bin::Bins;
use crate::dimension::with_expression;
use crate::failure::ReleaseFailure;
use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::request::Rows;
use incrowd_engine::{Dimension, Expression, Time};

impl Asks for Rows {
    fn dimensions(&self) -> Result<Vec<Dimension<Expression>>, ReleaseFailure> {
        Ok(self.counted().iter().map(with_expression).collect::<Result<_, _>>()?)
    }

    fn time(&self) -> Option<Time> {
        None
    }

    fn groups_are_bins(&self) -> bool {
        true
    }
}

/// Each kind of row is a bin of its own.
pub(super) fn draws(plan: &Plan) -> Result<Box<dyn Draws>, Refusal> {
    Ok(Box::new(Bins::of(plan)?))
}
