//! The file of a ledger: made with care, opened so that a commit survives a power cut.
//!
//! It must never make a second ledger over a first, nor take an empty file for a fresh one: that would forget what was spent.
//! It is separate because it alone deals with paths, permissions and the settings of SQLite. Read `schema.rs` next.
//!
//! The settings, chosen for durability over speed:
//!
//! - `journal_mode = DELETE`, not a write-ahead log: the book is one file at rest, so that copying or moving it cannot leave
//!   the last charges behind in a second file, and it works where processes share no memory (network drives).
//! - `synchronous = EXTRA`: a commit syncs the journal, the file, and the directory from which the journal is removed;
//!   `fullfsync` asks macOS to really do it.
//! - Tables and triggers of a hostile file run nothing: `trusted_schema` is off and the file is opened defensively.

use crate::error::{LedgerError, Trouble};
use crate::schema::{self, Content};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for another process before giving up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// How long a file may stay empty that another process has just made.
const BIRTH: Duration = Duration::from_secs(2);

/// Returns a connection to the ledger at a path, made with its directories if there is none.
pub(crate) fn open_or_make(path: &Path) -> Result<Connection, LedgerError> {
    if path.is_dir() {
        return Err(LedgerError::NotAFile { path: path.to_path_buf() });
    }
    if let Some(directory) = path.parent() {
        make_directories(directory).map_err(|error| LedgerError::system(path, &error))?;
    }
    // Whoever makes the file makes the tables; everybody else waits for them.
    match make_file(path) {
        Ok(()) => {
            let mut connection = connect(path)?;
            durable(&connection)?;
            schema::make(&mut connection)?;
            Ok(connection)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let connection = open_found(path)?;
            durable(&connection)?;
            Ok(connection)
        }
        Err(error) => Err(LedgerError::system(path, &error)),
    }
}

/// Returns a connection that reads the ledger at a path and never writes.
///
/// The file is opened for writing if that is allowed, so that SQLite can take back what a killed process left half done.
pub(crate) fn open_to_read(path: &Path) -> Result<Connection, LedgerError> {
    let connection = open_found(path)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// Returns a connection to a ledger that is forgotten when it is closed.
pub(crate) fn in_memory() -> Result<Connection, LedgerError> {
    let mut connection = Connection::open_in_memory()?;
    schema::make(&mut connection)?;
    Ok(connection)
}

/// Returns the path from the root on. SQLite then cannot read it as `:memory:`, as an address or as "no file".
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, LedgerError> {
    std::path::absolute(path).map_err(|error| LedgerError::system(path, &error))
}

fn open_found(path: &Path) -> Result<Connection, LedgerError> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return Err(LedgerError::NotAFile { path: path.to_path_buf() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(LedgerError::NoLedger { path: path.to_path_buf() });
        }
        Err(error) => return Err(LedgerError::system(path, &error)),
    }
    let connection = connect(path)?;
    let begun = Instant::now();
    loop {
        match schema::recognise(&connection)? {
            Content::Ledger => return Ok(connection),
            Content::Nothing if begun.elapsed() < BIRTH => std::thread::sleep(Duration::from_millis(20)),
            Content::Nothing => return Err(LedgerError::Empty { path: path.to_path_buf() }),
        }
    }
}

fn connect(path: &Path) -> Result<Connection, LedgerError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// Makes every later commit of the connection durable, or refuses.
fn durable(connection: &Connection) -> Result<(), LedgerError> {
    let trouble = |trouble| LedgerError::Trouble { path: None, trouble };
    if connection.is_readonly("main")? {
        return Err(trouble(Trouble::ReadOnly));
    }
    let journal: String = connection.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0))?;
    // Somebody turned the file to a write-ahead log and still has it open.
    if journal != "delete" {
        return Err(trouble(Trouble::Locked));
    }
    connection.pragma_update(None, "synchronous", "EXTRA")?;
    connection.pragma_update(None, "fullfsync", true)?;
    Ok(())
}

/// Makes a new, empty file that only its owner may read, and syncs the directory that it stands in.
fn make_file(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.sync_all()?;
    path.parent().map_or(Ok(()), sync)
}

/// Makes a directory and those above it, and syncs each into the one that it stands in.
fn make_directories(directory: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = directory.ancestors().take_while(|ancestor| !ancestor.exists()).collect();
    fs::create_dir_all(directory)?;
    missing.iter().filter_map(|made| made.parent()).try_for_each(sync)
}

/// Syncs a directory, where the system has such a thing.
fn sync(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { fs::File::open(directory)?.sync_all() } else { Ok(()) }
}
