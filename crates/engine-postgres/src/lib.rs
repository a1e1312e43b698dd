//! Counts tables of a PostgreSQL server: on the server, or here, of the rows that it sends.
//!
//! Before the charge the server is asked for names and types alone; after it, in one read-only transaction, for counts
//! of bins or for the columns that are used. It must never pass on a sentence of the server, which may quote a row. It
//! is separate from the way to the server (`incrowd_postgres`), which a team's book uses, too, and from the statement
//! (`incrowd_engine_sql`), which other servers share. Read `engine.rs` for the two steps, `catalogue.rs` for what is
//! asked before the charge, `transaction.rs` for how it is read after it.

mod catalogue;
mod columns;
mod copied;
mod engine;
mod receiving;
mod stored_types;
mod table_name;
mod transaction;
mod unprepared;

pub use engine::{PostgreSqlEngine, columns};
pub use incrowd_engine_sql::Pushing;
