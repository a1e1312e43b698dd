//! The plan of a request: the mechanism with every parameter decided, what it costs, what to expect, and why not.
//!
//! A function of the request alone; it must never open data, a ledger or a file. It is separate so that a plan can be
//! made, told and made again by somebody who has nothing but a certificate. Read `settle.rs` first, then `plan.rs`,
//! `kinds.rs` and `words.rs`.

pub use incrowd_request as request;

pub mod by_size;
pub mod chance;
pub mod compare;
pub mod comparison_page;
pub mod delta_text;
pub mod empty;
pub mod forecast;
pub mod kinds;
pub mod law_page;
mod names;
pub mod plan;
pub mod plan_page;
pub mod policy_page;
pub mod questions;
pub mod refusal;
pub mod sampled;
pub mod settle;
pub mod shows;
pub mod statistics;
mod table_refusal;
pub mod testing;
pub mod totals;
pub mod truncation;
pub mod want;
mod words;

pub use plan::{odds, plan_json};
pub use table_refusal::{NoStatistics, TableRefusal, WorkbookLimit};
