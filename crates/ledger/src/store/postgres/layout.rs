//! Where the tables of a book are in a database, and of which version.
//!
//! There is one book in a database: in the schema `incrowd`, or, as versions before it made them, in whatever schema
//! has its tables. It must never let a search path, or somebody's own schema, say which. It is separate from
//! `postgres.rs`, which reads and writes them. Read `setup.rs` for who makes them.

use super::super::wire::{ANSWER, Wire, trouble};
use crate::damage::{DamagedPart, Fault};
use crate::error::{LedgerError, Trouble};

/// Stands in the table that says what this is.
pub(super) const APPLICATION: &str = "incrowd ledger";
/// The version of the tables. Version 2 had no hashes of certificates, version 3 no signatures and details, version 4
/// no functions, and no schema of its own.
pub(super) const VERSION: i32 = 5;
/// The first version that is known, and the last that had no schema of its own.
const FIRST: i32 = 2;
const LAST_OLDER: i32 = 4;

/// Where the tables are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Layout {
    /// In the schema `incrowd`, behind views and functions.
    Own,
    /// In this schema, quoted, as a version before made them: they are read, and not written to.
    Older { schema: String, version: i32 },
}

impl Layout {
    /// Returns where the tables are, if they are there; refuses tables of a version that is not known.
    pub fn of(wire: &Wire) -> Result<Option<Layout>, LedgerError> {
        // Asked of the catalogue's rows: names that were looked up before stay known as missing until the transaction
        // ends.
        let own = "SELECT EXISTS (SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = 'incrowd' AND relname = 'state' AND relkind = 'v')";
        if wire.wait(ANSWER, wire.client.query_one(own, &[]))?.get(0) {
            let layout = Layout::Own;
            return match layout.described(wire)? {
                VERSION => layout.must_be_logged(wire).map(|()| Some(layout)),
                other => Err(LedgerError::OtherVersion { path: None, found: other.into(), known: VERSION.into() }),
            };
        }
        let older = "SELECT quote_ident(nspname) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE relname = 'incrowd_ledger' AND relkind = 'r' AND nspname NOT LIKE 'pg\\_%' ORDER BY 1";
        let rows = wire.wait(ANSWER, wire.client.query(older, &[]))?;
        let [row] = rows.as_slice() else {
            return if rows.is_empty() { Ok(None) } else { Err(trouble(Trouble::SeveralBooks)) };
        };
        let schema: String = row.try_get(0).map_err(|_| LedgerError::NotALedger { path: None })?;
        let unread = Layout::Older { schema: schema.clone(), version: FIRST };
        match unread.described(wire)? {
            version @ FIRST..=LAST_OLDER => {
                let layout = Layout::Older { schema, version };
                layout.must_be_logged(wire).map(|()| Some(layout))
            }
            other => Err(LedgerError::OtherVersion { path: None, found: other.into(), known: VERSION.into() }),
        }
    }

    /// Refuses tables that nobody can write to before they are set up.
    pub fn must_be_current(&self) -> Result<(), LedgerError> {
        match self {
            Layout::Own => Ok(()),
            Layout::Older { .. } => Err(trouble(Trouble::NotSetUp)),
        }
    }

    /// Returns the version that the book says it has.
    fn described(&self, wire: &Wire) -> Result<i32, LedgerError> {
        let sql = format!("SELECT application, version FROM {}", self.state());
        let rows = wire.wait(ANSWER, wire.client.query(&sql, &[]))?;
        let [row] = rows.as_slice() else { return Err(LedgerError::damaged(DamagedPart::File, Fault::Structure)) };
        match (row.try_get::<_, &str>(0), row.try_get::<_, i32>(1)) {
            (Ok(APPLICATION), Ok(version)) => Ok(version),
            _ => Err(LedgerError::NotALedger { path: None }),
        }
    }

    /// Refuses tables that the server does not log: they are empty after a crash.
    fn must_be_logged(&self, wire: &Wire) -> Result<(), LedgerError> {
        let (schema, names) = match self {
            Layout::Own => ("incrowd", "%"),
            Layout::Older { schema, .. } => (schema.as_str(), "incrowd\\_%"),
        };
        let sql = "SELECT EXISTS (SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE quote_ident(nspname) = $1 AND relname LIKE $2 AND relkind = 'r' AND relpersistence <> 'p')";
        match wire.wait(ANSWER, wire.client.query_one(sql, &[&schema, &names]))?.get(0) {
            true => Err(trouble(Trouble::NotDurable)),
            false => Ok(()),
        }
    }

    /// The version of the tables.
    pub fn version(&self) -> i32 {
        match self {
            Layout::Own => VERSION,
            Layout::Older { version, .. } => *version,
        }
    }

    /// What to read the entries from.
    pub fn entries(&self) -> String {
        self.named("entries", "incrowd_entry")
    }

    /// What to read the accounts from.
    pub fn accounts(&self) -> String {
        self.named("accounts", "incrowd_account")
    }

    /// What to read the definitions from.
    pub fn definitions(&self) -> String {
        self.named("definitions", "incrowd_definition")
    }

    /// What to read the number of entries from.
    pub fn state(&self) -> String {
        self.named("state", "incrowd_ledger")
    }

    fn named(&self, view: &str, table: &str) -> String {
        match self {
            Layout::Own => format!("incrowd.{view}"),
            Layout::Older { schema, .. } => format!("{schema}.{table}"),
        }
    }
}
