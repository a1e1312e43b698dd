//! The story of one release: request, plan, charge, count, protect, deliver.
//!
//! It must never name a concrete engine. It is separate so that the command line, a page and a wheel tell the same story.
//! Read `request/mod.rs` first, then `settle.rs` and `plan.rs`.

pub mod compare;
pub mod plan;
pub mod plan_json;
pub mod refusal;
pub mod request;
pub mod settle;
pub mod want;
mod words;
