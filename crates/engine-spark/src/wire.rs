//! The way to a Spark server: a connection, a session with settings of ours, and queries that survive a broken
//! connection.
//!
//! It must never pass on a sentence of a server or of a library, wait for ever, or hold more of an answer than one
//! message. It is separate because it knows neither counts nor columns. Read `wire/link.rs` for the connection,
//! `wire/session.rs` for what is asked before the charge, `wire/execution.rs` and `wire/running.rs` for what is asked
//! behind it, `wire/failure.rs` for all that may be said of a failure.

mod execution;
mod failure;
mod link;
mod messages;
mod running;
mod session;

pub(crate) use failure::WireError;
pub(crate) use messages::{SparkType, StructField, TypeKind};
pub(crate) use running::Running;
pub(crate) use session::Session;
