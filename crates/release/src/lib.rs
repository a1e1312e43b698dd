//! The story of one release: request, plan, charge, count, protect, deliver.
//!
//! It must never name a concrete engine. It is separate so that the command line, a page and a wheel tell the same
//! story. Read the crate `request` first, then `plan/settle.rs` and `plan/plan.rs`, then `release.rs`; `session.rs` is
//! what a front end uses.

pub use incrowd_evidence::{
    certificate, diff, glance, page, quality, registry, table, timeline, verdict_page, verify, write,
};
pub use incrowd_plan::kinds::settled;
pub use incrowd_plan::{
    by_size, chance, compare, comparison_page, empty, forecast, law_page, odds, plan, plan_json, plan_page,
    policy_page, questions, refusal, sampled, settle, shows, truncation, want,
};
pub use incrowd_request as request;

pub mod account_course;
pub mod account_json;
pub mod account_log;
pub mod account_page;
pub mod account_summary;
pub mod audience;
pub mod batch;
mod bin_by_bin;
pub mod charge;
pub mod claim;
mod coins;
pub mod counted_where;
mod deliver;
mod dimension;
pub mod exposure;
pub mod expressions;
pub mod failure;
pub mod folder;
pub mod hierarchy;
mod kinds;
pub mod ledger_report;
pub mod ledger_table;
pub mod ledger_workbook;
pub mod like_counts;
mod outcome;
pub mod protect;
pub mod query;
mod real_place;
pub mod recover;
pub mod rehearsal;
pub mod release;
pub mod render;
pub mod resume_series;
pub mod session;
pub mod site_policy;
pub mod snapshot_names;
