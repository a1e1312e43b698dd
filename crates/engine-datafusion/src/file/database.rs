//! Databases of SQLite: tables, the names of their columns, and rows as texts.
//!
//! A file is opened for reading alone, and nothing is ever written beside it: one that somebody is about to change is
//! refused before the charge. It must never let a name out of its quotes, nor open the book of incrowd as data. It is
//! separate because rows are asked for, and not found in a file. Read `scan/database.rs` for how they are handed on.

use super::OneFile;
use super::spelling;
use incrowd_engine::{Dialect, Sign};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How every database begins.
const MARK: &[u8] = b"SQLite format 3\0";

/// Where a database says how it is written: by a log of changes, if this is 2.
const VERSION: std::ops::Range<u64> = 18..20;

/// Where a database says whose it is.
const APPLICATION: std::ops::Range<u64> = 68..72;

/// Why there are no columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoTable {
    /// It is no database, or a damaged one.
    Damaged,
    /// It is an account book.
    Ledger,
    /// Changes of it lie beside it.
    Unfinished,
    /// There is no table of this name, or no only one; these are there.
    Tables {
        /// The tables. Views are none: what they compute may hang on other people's rows, and has no end that is known.
        tables: Vec<String>,
    },
}

/// A table that is open for reading.
pub(crate) struct Database {
    connection: Connection,
    table: String,
}

impl Database {
    /// Opens the table that a request names, or the only one; reads names alone.
    pub(crate) fn open(file: &OneFile, dialect: &Dialect) -> Result<Database, NoTable> {
        let bytes = file.seekable().map_err(|_| NoTable::Damaged)?;
        let at = |place: std::ops::Range<u64>| bytes.range(place.start, place.end - place.start).unwrap_or_default();
        if at(0..MARK.len() as u64) != MARK {
            return Err(NoTable::Damaged);
        }
        if at(APPLICATION) == incrowd_ledger::FILE_MARK.to_be_bytes() {
            return Err(NoTable::Ledger);
        }
        if has_changes_beside(&file.path) {
            return Err(NoTable::Unfinished);
        }
        let is_logged = at(VERSION).contains(&2);
        let connection = connect(&file.path, is_logged).map_err(|_| NoTable::Damaged)?;
        let table = choose(&connection, dialect.table.as_deref())?;
        Ok(Database { connection, table })
    }

    /// Returns the names of the columns.
    pub(crate) fn columns(&self) -> rusqlite::Result<Vec<String>> {
        // A function, and not a pragma: its argument is bound, whatever it holds.
        let mut asked = self.connection.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY cid")?;
        asked.query_map([&self.table], |row| row.get(0))?.collect()
    }

    /// Hands on the values of these columns, row by row, all from one state of the database, until somebody has enough.
    pub(crate) fn read(
        &self,
        columns: &[String],
        decimal: Option<Sign>,
        mut take: impl FnMut(&mut dyn FnMut(usize) -> rusqlite::Result<Option<String>>) -> Option<()>,
    ) -> rusqlite::Result<()> {
        let names: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
        // Where only rows count, each is a number.
        let names = if names.is_empty() { "1".into() } else { names.join(", ") };
        let mut asked = self.connection.prepare(&format!("SELECT {names} FROM {}", quoted(&self.table)))?;
        let mut rows = asked.query([])?;
        while let Some(row) = rows.next()? {
            let mut value = |column: usize| spelled(row.get_ref(column)?, decimal);
            if take(&mut value).is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Returns what stops a read from elsewhere.
    pub(crate) fn stop(&self) -> rusqlite::InterruptHandle {
        self.connection.get_interrupt_handle()
    }
}

/// Whether a log of changes, or what undoes half of one, lies beside a database.
fn has_changes_beside(path: &Path) -> bool {
    let beside = |ending: &str| {
        let mut name = OsString::from(path);
        name.push(ending);
        File::open(name)
    };
    // A journal that was kept though it is no longer needed begins with zeros.
    let begins = |mut file: File| {
        let mut first = [0];
        file.read_exact(&mut first).is_ok() && first != [0]
    };
    let log = beside("-wal").is_ok_and(|log| log.metadata().map_or(true, |log| log.len() > 0));
    log || beside("-journal").is_ok_and(begins)
}

/// Opens a database for reading. One with a log of changes would need a file beside it; without any, as is known by
/// now, it is whole in itself and is read as something that nobody changes.
fn connect(path: &Path, is_logged: bool) -> rusqlite::Result<Connection> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = if is_logged {
        flags |= OpenFlags::SQLITE_OPEN_URI;
        Connection::open_with_flags(address(path), flags)?
    } else {
        Connection::open_with_flags(path, flags)?
    };
    // What a database says of itself is not trusted: no function with effects runs in a view of it.
    connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON;")?;
    Ok(connection)
}

fn address(path: &Path) -> String {
    let mut address = String::from("file:");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => address.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => address.push(char::from(byte)),
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address.push_str("?immutable=1");
    address
}

fn choose(connection: &Connection, wanted: Option<&str>) -> Result<String, NoTable> {
    let listed = || -> rusqlite::Result<Vec<(String, String)>> {
        let mut asked = connection.prepare(
            "SELECT name, type FROM sqlite_schema WHERE type = 'table' \
             AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND coalesce(sql, '') NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
        )?;
        asked.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    };
    let listed = listed().map_err(|_| NoTable::Damaged)?;
    let all = || NoTable::Tables { tables: listed.iter().map(|(name, _)| name.clone()).collect() };
    match wanted {
        Some(wanted) => listed.iter().find(|(name, _)| name == wanted).map(|(name, _)| name.clone()).ok_or_else(all),
        None => {
            let mut tables = listed.iter().filter(|(_, kind)| kind == "table");
            match (tables.next(), tables.next()) {
                (Some((only, _)), None) => Ok(only.clone()),
                (None, _) | (Some(_), Some(_)) => Err(all()),
            }
        }
    }
}

/// Returns a name in quotes that it cannot leave.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Returns a value as a text. Bytes are no text, and missing: what one row holds must not fail the others.
fn spelled(value: ValueRef<'_>, decimal: Option<Sign>) -> rusqlite::Result<Option<String>> {
    Ok(match value {
        ValueRef::Null | ValueRef::Blob(_) => None,
        ValueRef::Integer(integer) => Some(integer.to_string()),
        ValueRef::Real(number) => spelling::number(number, decimal),
        ValueRef::Text(bytes) => {
            Some(std::str::from_utf8(bytes).map_err(|error| rusqlite::Error::Utf8Error(0, error))?.to_owned())
        }
    })
}
