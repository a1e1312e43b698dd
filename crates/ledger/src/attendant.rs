//! Somebody who waits with a release for a server: whoever waits for any server.
//!
//! It must never be another one: a front end waits for a book and for data alike. It is separate because books in files
//! know nothing of servers. Read `store/wire.rs` for who waits.

pub use incrowd_postgres::Attendant;
pub(crate) use incrowd_postgres::Unattended as Nobody;
