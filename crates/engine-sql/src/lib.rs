//! What a server of tables is asked, as one statement: bins and how many people are in each, in the order of their
//! keys.
//!
//! A query becomes SQL only as far as the server provably counts what this machine would; for anything else a reason is
//! given in words of the request, and the rows are to be delivered. It must never speak to a server, nor write a name
//! or a value that could leave its quotes. It is separate so that every server of tables is asked the same, each in its
//! own dialect. Read `statement.rs` for the question, `value.rs` for what of a row is said in SQL, `bins.rs` for bins,
//! `key_text.rs` for how the bins of a person are chosen, `dialect.rs` for what servers write differently.

mod answer;
mod bins;
mod dialect;
mod key_text;
mod postgresql;
mod pushing;
mod spark;
mod statement;
mod table;
#[cfg(test)]
mod tests;
mod value;

pub use answer::{KeyKind, ServerStatement, WeightKind};
pub use dialect::{SqlDialect, WithZone};
pub use postgresql::PostgreSql;
pub use pushing::Pushing;
pub use spark::SparkSql;
pub use statement::statement;
pub use table::{ServerColumn, ServerTable};
pub use value::NotPushed;
