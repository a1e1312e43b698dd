//! The queries that rows are asked for with.
//!
//! It must never hold a name that is not in its quotes. It is separate because it is all the SQL that this crate writes
//! by itself. Read `table.rs` for how a name gets its quotes.

use crate::table::{Table, quoted};

/// Returns the query for all columns of a table: asked for names and types, and never run.
pub(crate) fn everything(table: &Table) -> String {
    format!("select * from {}", table.quoted())
}

/// Returns the query for some columns of all rows. Texts lose the collation that compares them: their bytes count.
pub(crate) fn rows(table: &Table, columns: &[&str]) -> String {
    let columns: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
    // Without a column there are still rows.
    let columns = if columns.is_empty() { "1 as `1`".to_owned() } else { columns.join(", ") };
    format!("select {columns} from {}", table.quoted())
}
