//! The evidence of a release: its tables, its certificate, its report, and the verifier that makes them again.
//!
//! Everything here is a function of a plan and of what was published; it must never see a true count, a ledger, an
//! engine or a secret. It is separate so that a stranger can verify a folder with nothing else. Read `table.rs` first,
//! then `write.rs`, `certificate.rs` and `verify.rs`.

pub use incrowd_plan::{by_size, chance, kinds, odds, plan, plan_json, refusal, sampled};
pub use incrowd_request as request;

mod about;
pub mod certificate;
mod consistent;
mod csv;
mod density;
pub mod diff;
#[cfg(test)]
mod example;
pub mod files;
pub mod glance;
mod grouping;
mod margins;
pub mod page;
pub mod quality;
pub mod registry;
pub mod render;
mod statistics;
pub mod table;
pub mod timeline;
mod totals;
pub mod verdict_page;
pub mod verify;
pub mod write;
mod write_error;

pub use write_error::WriteError;
