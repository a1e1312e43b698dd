//! The story of one release: request, plan, charge, count, protect, deliver.
//!
//! It must never name a concrete engine. It is separate so that the command line, a page and a wheel tell the same story.
//! Read `request/mod.rs` first, then `settle.rs` and `plan.rs`, then `release.rs`.

pub mod batch;
pub mod by_size;
pub mod certificate;
pub mod chance;
pub mod charge;
pub mod claim;
mod coins;
pub mod compare;
pub mod continuing;
mod deliver;
mod density;
pub mod empty;
#[cfg(test)]
mod example;
pub mod exposure;
pub mod folder;
pub mod glance;
pub mod hierarchy;
pub mod ledger_page;
mod margins;
pub mod odds;
mod outcome;
pub mod page;
pub mod plan;
pub mod plan_json;
pub mod points;
pub mod protect;
pub mod query;
pub mod recover;
pub mod refusal;
pub mod registry;
pub mod rehearsal;
pub mod release;
pub mod request;
pub mod sampled;
pub mod settle;
pub mod standing;
pub mod table;
pub mod timeline;
pub mod top;
pub mod truncation;
pub mod verify;
pub mod want;
mod words;
pub mod write;
