//! The tables of a ledger in a file, and how a file is recognised as one.
//!
//! It must never take another program's database, another version or a table that looks almost right for a ledger. It
//! is separate because these texts are the format of the file: another text is another version. Read `sqlite.rs` next.

use crate::damage::{DamagedPart, Fault};
use crate::error::LedgerError;
use crate::line::COLUMNS;
use rusqlite::Connection;

/// Stands in the header of a ledger's file as its application, so that other tools can tell: "incr" in ASCII.
pub const FILE_MARK: u32 = 0x696e_6372;
const APPLICATION: i64 = FILE_MARK as i64;
/// The version of the tables that are made. Version 1 had no definitions, version 2 no hashes of certificates, version
/// 3 no signatures and details.
pub(crate) const VERSION: i64 = 4;
/// The first version with definitions.
pub(crate) const DEFINITIONS: i64 = 2;
/// The first version with hashes of certificates.
const CERTIFICATES: i64 = 3;

/// The first version with signatures and details, and with entries of refused attempts.
const SIGNATURES: i64 = 4;

/// The table of entries before [`SIGNATURES`]; from [`CERTIFICATES`] on it ended otherwise, as SQLite writes it.
const EARLIER_ENTRY: &str = "CREATE TABLE entry (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  snapshot TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('open', 'charge', 'outcome', 'policy')),
  charge_id TEXT,
  plan_hash TEXT,
  binning_hash TEXT,
  promise TEXT,
  epsilon TEXT,
  delta TEXT,
  policy TEXT,
  outcome TEXT CHECK (outcome IN ('delivered', 'failed')),
  time TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL";
const EARLIER_ENDS: [&str; 2] = ["\n) STRICT", "\n, certificate_hash TEXT) STRICT"];

/// What a table of entries is, until its rows are in a new one.
const SET_ASIDE: &str = "
DROP TRIGGER entry_is_never_changed;
DROP TRIGGER entry_is_never_removed;
ALTER TABLE entry RENAME TO entry_before;
";
/// Forgets the table before, but not the highest number that it ever gave.
const FORGET: &str = "
DELETE FROM sqlite_sequence WHERE name = 'entry';
INSERT INTO sqlite_sequence (name, seq) SELECT 'entry', seq FROM sqlite_sequence WHERE name = 'entry_before';
DROP TABLE entry_before;
";

/// What is made, in this order, and since which version. `AUTOINCREMENT` keeps the highest number, so that a missing
/// last entry is noticed; the triggers keep a slip of the hand in another tool from changing history.
const OBJECTS: [(i64, &str, &str); 7] = [
    (
        1,
        "account",
        "CREATE TABLE account (
  name TEXT NOT NULL PRIMARY KEY,
  created TEXT NOT NULL,
  epsilon TEXT,
  delta TEXT,
  policy TEXT NOT NULL
) STRICT",
    ),
    (
        2,
        "definition",
        "CREATE TABLE definition (
  hash TEXT NOT NULL PRIMARY KEY,
  text TEXT NOT NULL
) STRICT",
    ),
    (
        2,
        "definition_is_never_changed",
        "CREATE TRIGGER definition_is_never_changed BEFORE UPDATE ON definition
BEGIN SELECT RAISE(ABORT, 'a definition is never changed'); END",
    ),
    (
        2,
        "definition_is_never_removed",
        "CREATE TRIGGER definition_is_never_removed BEFORE DELETE ON definition
BEGIN SELECT RAISE(ABORT, 'a definition is never removed'); END",
    ),
    (
        1,
        "entry",
        "CREATE TABLE entry (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  snapshot TEXT,
  kind TEXT NOT NULL CHECK (kind IN ('open', 'charge', 'outcome', 'policy', 'refused')),
  charge_id TEXT,
  plan_hash TEXT,
  binning_hash TEXT,
  promise TEXT,
  epsilon TEXT,
  delta TEXT,
  policy TEXT,
  outcome TEXT,
  time TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  certificate_hash TEXT,
  signature TEXT,
  details TEXT
) STRICT",
    ),
    (
        1,
        "entry_is_never_changed",
        "CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'an entry is never changed'); END",
    ),
    (
        1,
        "entry_is_never_removed",
        "CREATE TRIGGER entry_is_never_removed BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'an entry is never removed'); END",
    ),
];

/// What a file turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// Nothing at all.
    Nothing,
    /// A ledger of a known version.
    Ledger {
        /// Which.
        version: i64,
    },
}

/// Returns what a database holds, or refuses what is neither empty nor a ledger of a known version.
///
/// Looks at the header and the table definitions only: opening a ledger takes as long with a million entries as with
/// none.
pub(crate) fn recognise(connection: &Connection) -> Result<Content, LedgerError> {
    // One state of the file: another process may be making the tables right now.
    let state = connection.unchecked_transaction()?;
    let number = |sql: &str| state.query_row(sql, [], |row| row.get::<_, i64>(0));
    let (application, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    let mut statement =
        state.prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")?;
    let objects = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut objects = objects.collect::<Result<Vec<(String, String)>, _>>()?;
    if (application, version, objects.len()) == (0, 0, 0) {
        return Ok(Content::Nothing);
    }
    if application != APPLICATION {
        return Err(LedgerError::NotALedger { path: None });
    }
    if !(1..=VERSION).contains(&version) {
        return Err(LedgerError::OtherVersion { path: None, found: version, known: VERSION });
    }
    objects.sort();
    let known = OBJECTS.iter().filter(|(since, ..)| *since <= version);
    let known = known.map(|(_, name, sql)| (name.to_string(), text(name, sql, version)));
    if objects.into_iter().eq(known) {
        Ok(Content::Ledger { version })
    } else {
        Err(LedgerError::damaged(DamagedPart::File, Fault::Structure))
    }
}

/// Makes the tables, all or nothing.
pub(crate) fn make(connection: &mut Connection) -> Result<(), LedgerError> {
    let change = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    for (_, name, sql) in OBJECTS {
        change.execute_batch(&text(name, sql, VERSION))?;
    }
    change.pragma_update(None, "application_id", APPLICATION)?;
    change.pragma_update(None, "user_version", VERSION)?;
    change.commit()?;
    Ok(())
}

/// Returns the text of an object in a version of the tables.
fn text(name: &str, sql: &str, version: i64) -> String {
    let [before, after] = EARLIER_ENDS;
    match name {
        "entry" if version < CERTIFICATES => format!("{EARLIER_ENTRY}{before}"),
        "entry" if version < SIGNATURES => format!("{EARLIER_ENTRY}{after}"),
        _ => sql.to_string(),
    }
}

/// Whether entries have this column in a version of the tables.
pub(crate) fn has(column: &str, version: i64) -> bool {
    match column {
        "certificate_hash" => version >= CERTIFICATES,
        "signature" | "details" => version >= SIGNATURES,
        _ => true,
    }
}

/// Adds what a ledger of an older version does not have, all or nothing. Its entries stay what they are.
pub(crate) fn bring_up(connection: &mut Connection) -> Result<(), LedgerError> {
    let change = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let version: i64 = change.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    for (_, _, sql) in OBJECTS.iter().filter(|(since, ..)| *since > version) {
        change.execute_batch(sql)?;
    }
    if version < SIGNATURES {
        // What a column may hold cannot be changed: the rows move to a table that takes the new kinds, as they are.
        change.execute_batch(SET_ASIDE)?;
        let entries = OBJECTS.iter().filter(|(since, name, _)| *since <= version && name.starts_with("entry"));
        let (tables, triggers): (Vec<_>, Vec<_>) = entries.partition(|(_, name, _)| *name == "entry");
        tables.into_iter().try_for_each(|(_, _, sql)| change.execute_batch(sql))?;
        let columns: Vec<&str> = COLUMNS.into_iter().filter(|name| has(name, version)).collect();
        let columns = columns.join(", ");
        let moved = format!("INSERT INTO entry (seq, {columns}) SELECT seq, {columns} FROM entry_before ORDER BY seq");
        change.execute_batch(&moved)?;
        change.execute_batch(FORGET)?;
        triggers.into_iter().try_for_each(|(_, _, sql)| change.execute_batch(sql))?;
    }
    change.pragma_update(None, "user_version", VERSION)?;
    change.commit()?;
    Ok(())
}
