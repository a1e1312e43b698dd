//! The way to a PostgreSQL server: its address, encryption unless it is on this machine, and a limit on every wait.
//!
//! A server that stops answering must never hold a release for ever, nobody on the way may read along unasked, and no
//! sentence of a server or of a library is ever passed on: it may quote a row. It is separate because a team's book and
//! data in a database are reached in the same way, and know nothing of each other. Read `address.rs` for where a server
//! is, `password.rs` for what opens it, `wire.rs` for the connection, `wire_error.rs` for all that may be said of one.

mod address;
mod attendant;
mod password;
mod wire;
mod wire_error;

pub use address::{ANSWER, Address};
pub use attendant::{Attendant, Unattended};
pub use wire::Wire;
pub use wire_error::WireError;
