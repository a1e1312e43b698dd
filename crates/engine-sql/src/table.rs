//! A table on a server, as a statement names it.
//!
//! From the server's catalogue alone. It must never hold a value of a row. It is separate because whoever asks a
//! catalogue knows its types, and whoever writes a statement needs only these few words of them. Read `dialect.rs` for
//! the forms that values have in a statement.

use incrowd_engine::RowType;

/// A table on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerTable {
    /// Its name, as a statement writes it behind `FROM`.
    pub from: String,
    /// Its columns, at least those that a query uses.
    pub columns: Vec<ServerColumn>,
}

/// A column of a table on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerColumn {
    /// Its exact name.
    pub name: String,
    /// What it holds, as the contract has it where its rows are delivered.
    pub kind: RowType,
    /// How a statement writes its value in the form of its type (`SqlDialect`), missing wherever the delivered value
    /// is missing; or why no statement can, in words such as `is stored as 32-bit fractions`.
    pub value: Result<String, String>,
}
