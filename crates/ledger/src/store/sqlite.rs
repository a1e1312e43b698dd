//! A book in a file: made with care, opened so that a commit survives a power cut.
//!
//! It must never make a second ledger over a first, nor take an empty file for a fresh one: that would forget what was
//! spent. It is separate because it alone deals with paths, permissions and the settings of SQLite. Read `schema.rs`
//! next.
//!
//! The settings, chosen for durability over speed:
//!
//! - `journal_mode = DELETE`, not a write-ahead log: the book is one file at rest, so that copying or moving it cannot
//!   leave the last charges behind in a second file, and it works where processes share no memory (network drives).
//! - `synchronous = EXTRA`: a commit syncs the journal, the file, and the directory from which the journal is removed;
//!   `fullfsync` asks macOS to really do it.
//! - Tables and triggers of a hostile file run nothing: `trusted_schema` is off and the file is opened defensively.

use super::schema::{self, Content};
use super::{AccountLine, Change, Pages, Show, Store};
use crate::damage::{DamagedPart, Fault};
use crate::error::{LedgerError, Trouble};
use crate::line::{COLUMNS, Line};
use crate::receipt::Durability;
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, ToSql, TransactionBehavior, params_from_iter};
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How long to wait for another process before giving up.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// How long a file may stay empty that another process has just made.
const BIRTH: Duration = Duration::from_secs(2);

/// A book in a file, or in memory.
pub(crate) struct SqliteStore {
    connection: Connection,
    /// Where it is; none in memory.
    path: Option<PathBuf>,
}

impl SqliteStore {
    /// Returns the book at a path; makes it, with its directories, if there is none.
    pub fn open(path: &Path) -> Result<SqliteStore, LedgerError> {
        let path = absolute(path)?;
        let connection = open_or_make(&path).map_err(|error| error.at(Some(&path)))?;
        Ok(SqliteStore { connection, path: Some(path) })
    }

    /// Returns the book at a path, for reading only; refuses if there is none.
    ///
    /// The file is opened for writing if that is allowed, so that SQLite can take back what a killed process left half
    /// done.
    pub fn open_existing(path: &Path) -> Result<SqliteStore, LedgerError> {
        let path = absolute(path)?;
        let (connection, _) = open_found(&path).map_err(|error| error.at(Some(&path)))?;
        let only = connection.pragma_update(None, "query_only", true);
        only.map_err(|error| LedgerError::from(error).at(Some(&path)))?;
        Ok(SqliteStore { connection, path: Some(path) })
    }

    /// Returns a book that is forgotten when it is closed.
    pub fn in_memory() -> Result<SqliteStore, LedgerError> {
        let mut connection = Connection::open_in_memory()?;
        schema::make(&mut connection)?;
        Ok(SqliteStore { connection, path: None })
    }
}

impl Store for SqliteStore {
    fn write(&mut self, change: Change<'_>) -> Result<(), LedgerError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        change(&mut SqlitePages { connection: &transaction })?;
        transaction.commit().map_err(|error| LedgerError::from(error).at_the_end())
    }

    fn read(&self, look: Change<'_>) -> Result<(), LedgerError> {
        let transaction = self.connection.unchecked_transaction()?;
        look(&mut SqlitePages { connection: &transaction })
    }

    fn wait_at_most(&mut self, patience: Duration) -> Result<(), LedgerError> {
        Ok(self.connection.busy_timeout(patience)?)
    }

    fn place(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn durability(&self) -> Durability {
        if self.path.is_some() { Durability::Durable } else { Durability::Forgotten }
    }
}

/// The tables during one transaction.
struct SqlitePages<'a> {
    connection: &'a Connection,
}

impl SqlitePages<'_> {
    /// The version of the tables: those of an older one that are only read stay what they are.
    fn version(&self) -> Result<i64, LedgerError> {
        Ok(self.connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
    }
}

impl Pages for SqlitePages<'_> {
    fn lines(&mut self, show: Show<'_>) -> Result<(), LedgerError> {
        let version = self.version()?;
        let columns = COLUMNS.map(|name| if schema::has(name, version) { name } else { "NULL" });
        let sql = format!("SELECT seq, {} FROM entry ORDER BY seq", columns.join(", "));
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let mut expected = 1;
        while let Some(row) = rows.next()? {
            show(&line(row, expected)?)?;
            expected += 1;
        }
        Ok(())
    }

    fn highest(&mut self) -> Result<Option<u64>, LedgerError> {
        let mut statement = self.connection.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'entry'")?;
        let mut rows = statement.query([])?;
        match rows.next()? {
            None => Ok(Some(0)),
            Some(row) => match row.get_ref(0)? {
                ValueRef::Integer(seq) => Ok(u64::try_from(seq).ok()),
                ValueRef::Null | ValueRef::Text(_) | ValueRef::Real(_) | ValueRef::Blob(_) => Ok(None),
            },
        }
    }

    fn accounts(&mut self) -> Result<Vec<AccountLine>, LedgerError> {
        let unreadable = || LedgerError::damaged(DamagedPart::Accounts, Fault::Unreadable);
        let mut statement = self.connection.prepare("SELECT name, created, epsilon, delta, policy FROM account")?;
        let mut rows = statement.query([])?;
        let mut accounts = Vec::new();
        while let Some(row) = rows.next()? {
            let own = |index| Ok::<_, LedgerError>(text(row, index, &unreadable)?.map(str::to_string));
            accounts.push(AccountLine {
                name: own(0)?.ok_or_else(unreadable)?,
                created: own(1)?.ok_or_else(unreadable)?,
                epsilon: own(2)?,
                delta: own(3)?,
                policy: own(4)?.ok_or_else(unreadable)?,
            });
        }
        Ok(accounts)
    }

    fn definition(&mut self, hash: &str) -> Result<Option<String>, LedgerError> {
        if self.version()? < schema::DEFINITIONS {
            return Ok(None);
        }
        let mut statement = self.connection.prepare("SELECT text FROM definition WHERE hash = ?1")?;
        Ok(statement.query_row([hash], |row| row.get(0)).optional()?)
    }

    fn append(&mut self, line: &Line<'_>) -> Result<(), LedgerError> {
        let unreadable = |_| LedgerError::damaged(DamagedPart::Entry(line.seq), Fault::Unreadable);
        let seq = i64::try_from(line.seq).map_err(unreadable)?;
        let (names, holes) = (COLUMNS.join(", "), ", ?".repeat(COLUMNS.len()));
        let mut statement = self.connection.prepare(&format!("INSERT INTO entry (seq, {names}) VALUES (?{holes})"))?;
        let texts = line.texts();
        let values = [&seq as &dyn ToSql].into_iter().chain(texts.iter().map(|text| text as &dyn ToSql));
        statement.execute(params_from_iter(values))?;
        Ok(())
    }

    fn put_account(&mut self, account: &AccountLine) -> Result<(), LedgerError> {
        self.connection.execute(
            "INSERT INTO account (name, created, epsilon, delta, policy) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (name) DO UPDATE SET epsilon = ?3, delta = ?4, policy = ?5",
            (&account.name, &account.created, &account.epsilon, &account.delta, &account.policy),
        )?;
        Ok(())
    }

    fn put_definition(&mut self, hash: &str, text: &str) -> Result<(), LedgerError> {
        let sql = "INSERT INTO definition (hash, text) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING";
        self.connection.execute(sql, (hash, text))?;
        Ok(())
    }
}

/// Returns a row as a line; `expected` is the number that it should have.
fn line<'a>(row: &'a Row<'_>, expected: u64) -> Result<Line<'a>, LedgerError> {
    let unreadable = || LedgerError::damaged(DamagedPart::Entry(expected), Fault::Unreadable);
    let seq = match row.get_ref(0)? {
        ValueRef::Integer(seq) => u64::try_from(seq).map_err(|_| unreadable())?,
        ValueRef::Null | ValueRef::Text(_) | ValueRef::Real(_) | ValueRef::Blob(_) => return Err(unreadable()),
    };
    let mut texts = [None; COLUMNS.len()];
    for (index, place) in texts.iter_mut().enumerate() {
        *place = text(row, index + 1, &unreadable)?;
    }
    Line::of(seq, texts).ok_or_else(unreadable)
}

fn text<'a>(
    row: &'a Row<'_>,
    index: usize,
    unreadable: &dyn Fn() -> LedgerError,
) -> Result<Option<&'a str>, LedgerError> {
    match row.get_ref(index)? {
        ValueRef::Null => Ok(None),
        ValueRef::Text(bytes) => std::str::from_utf8(bytes).map(Some).map_err(|_| unreadable()),
        ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_) => Err(unreadable()),
    }
}

/// Returns a connection to the ledger at a path, made with its directories if there is none.
fn open_or_make(path: &Path) -> Result<Connection, LedgerError> {
    if path.is_dir() {
        return Err(LedgerError::NotAFile { path: path.to_path_buf() });
    }
    if let Some(directory) = path.parent() {
        make_directories(directory).map_err(|error| LedgerError::system(path, &error))?;
    }
    if path.exists() {
        remove_litter(path);
    } else {
        make_ledger(path)?;
    }
    let (mut connection, version) = open_found(path)?;
    durable(&connection)?;
    if version < schema::VERSION {
        schema::bring_up(&mut connection)?;
    }
    Ok(connection)
}

/// Makes a ledger aside and gives it its name once it is whole: a process that is killed here leaves no half ledger
/// behind.
fn make_ledger(path: &Path) -> Result<(), LedgerError> {
    let system = |error: io::Error| LedgerError::system(path, &error);
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default();
    let mut aside = std::ffi::OsString::from(".");
    aside.push(name);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    aside.push(format!(".incrowd-{}-{since}", std::process::id()));
    let aside = folder.join(aside);
    make_file(&aside).map_err(system)?;
    let made = (|| {
        let mut connection = connect(&aside)?;
        durable(&connection)?;
        schema::make(&mut connection)?;
        connection.close().map_err(|(_, error)| error)?;
        // A name is linked, not moved: that never replaces a ledger that another process has made meanwhile.
        match fs::hard_link(&aside, path) {
            Ok(()) => sync(folder).map_err(system),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            // Where files have one name only, it is moved; another process that makes one now finds it there.
            Err(_) if !path.exists() => fs::rename(&aside, path).and_then(|()| sync(folder)).map_err(system),
            Err(error) => Err(system(error)),
        }
    })();
    let _ = fs::remove_file(&aside);
    made
}

/// How long a ledger may take to be made.
const MAKING: Duration = Duration::from_secs(60);

/// Removes what processes left that were killed while they made this ledger: second names of it, under which nobody
/// must ever open it, and files that never became one.
fn remove_litter(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else { return };
    let (Ok(entries), Ok(ledger)) = (fs::read_dir(folder), fs::metadata(path)) else { return };
    let prefix = format!(".{name}.incrowd-");
    for entry in entries.flatten() {
        let file_name = entry.file_name();
        let Some(rest) = file_name.to_str().and_then(|name| name.strip_prefix(&prefix)) else { continue };
        let rest = rest.strip_suffix("-journal").unwrap_or(rest);
        let ours = rest.split_once('-').is_some_and(|(process, moment)| {
            [process, moment].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        });
        let Ok(found) = fs::symlink_metadata(entry.path()) else { continue };
        let old = found.modified().ok().and_then(|since| since.elapsed().ok()).is_some_and(|age| age > MAKING);
        if ours && found.is_file() && (old || is_same(&found, &ledger)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether two names are of one file.
#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Whether two names are of one file: nobody knows here.
#[cfg(not(unix))]
fn is_same(_one: &fs::Metadata, _other: &fs::Metadata) -> bool {
    false
}

/// Returns the path from the root on. SQLite then cannot read it as `:memory:`, as an address or as "no file".
fn absolute(path: &Path) -> Result<PathBuf, LedgerError> {
    std::path::absolute(path).map_err(|error| LedgerError::system(path, &error))
}

fn open_found(path: &Path) -> Result<(Connection, i64), LedgerError> {
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
            Content::Ledger { version } => return Ok((connection, version)),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_named_and_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ledger.sqlite");
        let mut store = SqliteStore::open(&path).expect("a store");
        store.connection.query_row("PRAGMA max_page_count = 1", [], |_| Ok(())).expect("no more room");
        let large = "x".repeat(100_000);
        let written = store.write(&mut |pages| pages.put_definition("a", &large));
        let full = LedgerError::Trouble { path: None, trouble: Trouble::Full };
        assert_eq!(written, Err(full.clone()));
        assert_eq!(full.hint(), "make room on the disk, then try again");
        let mut there = Some(String::new());
        let looked = store.read(&mut |pages| {
            there = pages.definition("a")?;
            Ok(())
        });
        assert_eq!((looked, there), (Ok(()), None));
        let mut store = SqliteStore::open(&path).expect("a store");
        assert_eq!(store.write(&mut |pages| pages.put_definition("a", &large)), Ok(()), "there is room again");
    }

    #[test]
    fn second_names_of_a_ledger_and_half_ones_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let path = at("l.sqlite");
        drop(SqliteStore::open(&path).expect("a store"));
        fs::hard_link(&path, at(".l.sqlite.incrowd-12-34")).expect("linked");
        let old = SystemTime::now() - 2 * MAKING;
        for name in [".l.sqlite.incrowd-12-35", ".l.sqlite.incrowd-12-35-journal", ".l.sqlite.incrowd-mine", "mine"] {
            fs::write(at(name), "x").expect("written");
            fs::File::options().append(true).open(at(name)).expect("a file").set_modified(old).expect("dated");
        }
        fs::write(at(".l.sqlite.incrowd-12-36"), "x").expect("written");
        drop(SqliteStore::open(&path).expect("a store"));
        let mut names: Vec<_> =
            fs::read_dir(folder.path()).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
        names.sort();
        assert_eq!(
            names,
            [".l.sqlite.incrowd-12-36", ".l.sqlite.incrowd-mine", "l.sqlite", "mine"],
            "the young and the others stay"
        );
    }

    #[test]
    fn a_book_on_disk_syncs_every_commit() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("ledger.sqlite")).expect("a store");
        for (setting, value) in [("synchronous", 3), ("fullfsync", 1), ("trusted_schema", 0)] {
            let set: i64 =
                store.connection.query_row(&format!("PRAGMA {setting}"), [], |row| row.get(0)).expect("a setting");
            assert_eq!(set, value, "{setting}");
        }
    }
}
