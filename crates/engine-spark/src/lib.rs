//! Counts tables of a Spark cluster, over Spark Connect.
//!
//! It must never know about privacy, have a row read before the charge, or pass on what a server says about data. It is
//! separate so that another engine can take its place. Read `engine.rs` first, then `counts.rs` for counts that the
//! cluster makes, `rows.rs` for rows that are counted here, `settings.rs` for what every session is told, `wire.rs` for
//! the way to a server.

mod address;
mod batches;
mod columns;
mod counts;
mod engine;
mod problem;
mod query;
mod rows;
mod settings;
mod statement_columns;
mod table;
mod wire;

pub use engine::{SparkEngine, Variables};
pub use incrowd_engine_sql::Pushing;
