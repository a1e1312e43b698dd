//! The engine's question, taken from the request.
//!
//! It must never add anything that the request does not say: what is counted is what was hashed. It is separate because the
//! request speaks of promises and files, and an engine of neither. Read `kinds.rs` next
//! for what each kind counts.

use crate::failure::Failure;
use crate::kinds::asks;
use crate::refusal::Refusal;
use crate::request::Request;
use incrowd_engine::{Expression, PrepareError, Query, RequestField, Source};
use std::path::Path;

/// Returns the question that a request asks; its source is looked for in `base`, the folder of the request.
pub fn query(request: &Request, base: &Path) -> Result<Query, Failure> {
    let data = request.data.clone().unwrap_or_default();
    let Some(location) = &data.source else { return Err(Refusal::NoSource.into()) };
    if request.kind.published().is_empty() {
        return Err(Refusal::NoBins.into());
    }
    if data.sample.is_some() {
        crate::sampled::can_be_sampled(request)?;
    }
    Ok(Query {
        plan_hash: request.request_hash(),
        source: Source {
            location: base.join(location).to_string_lossy().into_owned(),
            types: data.types,
            timezone: data.timezone,
        },
        condition: data.condition.as_deref().map(condition).transpose()?,
        split: data.split,
        unit: data.unit,
        bounding_key: request.bounding_key(),
        dimensions: asks(&request.kind).dimensions()?,
        time: asks(&request.kind).time(),
    })
}

fn condition(text: &str) -> Result<Expression, PrepareError> {
    Expression::parse(text, RequestField::Condition)
}
