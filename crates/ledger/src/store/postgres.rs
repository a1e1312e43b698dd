//! A book in a team's own PostgreSQL database: the same lines and the same chain as in a file.
//!
//! It must never print a password, trust a server that does not sync, or take another program's tables for a ledger. It is
//! separate because it alone speaks to a server. Read `sqlite.rs` for the other kind of store.
//!
//! A change locks the row that counts the entries against every other change, reads and verifies them, and commits with
//! `synchronous_commit` on. The lock of a process that died is released by the server: at once when its connection closes, and
//! after a minute when its machine went silent. Whoever owns the tables can rewrite them, as with a file; a role that may only
//! `SELECT` and `INSERT` entries cannot.

use super::{AccountLine, Change, Pages, Show, Store};
use crate::damage::{Fault, Part};
use crate::error::{LedgerError, Trouble};
use crate::line::{COLUMNS, Line};
use crate::receipt::Keeping;
use postgres::config::Host;
use postgres::error::SqlState;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::ToSql;
use postgres::{Client, Config, IsolationLevel, Transaction};
use rustls::{ClientConfig, RootCertStore};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres_rustls::MakeRustlsConnect;

/// Stands in the table that says what this is.
const APPLICATION: &str = "incrowd ledger";
/// The version of the tables. Version 2 had no hashes of certificates.
const VERSION: i32 = 3;
/// The first version that is known.
const FIRST: i32 = 2;
/// The first version with hashes of certificates.
const CERTIFICATES: i32 = 3;
/// How long to wait for a server to answer.
const ANSWER: Duration = Duration::from_secs(10);
/// Keeps two processes from making the tables at once: "incr" in ASCII.
const MAKING: i64 = 0x696e_6372;

const MAKE: &str = "
CREATE TABLE incrowd_account (
  name TEXT NOT NULL PRIMARY KEY, created TEXT NOT NULL, epsilon TEXT, delta TEXT, policy TEXT NOT NULL
);
CREATE TABLE incrowd_definition (hash TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE incrowd_entry (
  seq BIGINT NOT NULL PRIMARY KEY,
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
  hash TEXT NOT NULL,
  certificate_hash TEXT
);
CREATE FUNCTION incrowd_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'an entry is never changed or removed'; END $$;
CREATE TRIGGER incrowd_entry_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON incrowd_entry
  FOR EACH STATEMENT EXECUTE FUNCTION incrowd_is_never_changed();
CREATE TRIGGER incrowd_definition_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON incrowd_definition
  FOR EACH STATEMENT EXECUTE FUNCTION incrowd_is_never_changed();
CREATE TABLE incrowd_ledger (application TEXT NOT NULL, version INTEGER NOT NULL, highest BIGINT NOT NULL);
";

/// What tables of version 2 get, which changes none of their rows.
const BRING_UP: &str = "
ALTER TABLE incrowd_entry ADD COLUMN IF NOT EXISTS certificate_hash TEXT;
UPDATE incrowd_ledger SET version = 3;
";

/// A book in a database.
pub(crate) struct PostgresStore {
    config: Config,
    client: RefCell<Client>,
    /// The address, without user and password.
    place: PathBuf,
    patience: Duration,
}

impl PostgresStore {
    /// Returns the book at an address; makes its tables if there are none.
    pub fn open(address: &str) -> Result<PostgresStore, LedgerError> {
        let mut store = PostgresStore::reach(address)?;
        store.make_if_missing().map_err(|error| error.at(Some(&store.place)))?;
        Ok(store)
    }

    /// Returns the book at an address; refuses if there is none.
    pub fn open_existing(address: &str) -> Result<PostgresStore, LedgerError> {
        let store = PostgresStore::reach(address)?;
        let mut client = store.client.borrow_mut();
        let known = client.transaction().map_err(failed).and_then(|mut state| version(&mut state));
        drop(client);
        match known.map_err(|error| error.at(Some(&store.place)))? {
            Some(_) => Ok(store),
            None => Err(LedgerError::NoLedger { path: store.place }),
        }
    }

    fn reach(address: &str) -> Result<PostgresStore, LedgerError> {
        let mut config = Config::from_str(address).map_err(|_| LedgerError::Address)?;
        if config.get_password().is_none()
            && let Ok(password) = std::env::var("PGPASSWORD")
        {
            config.password(password);
        }
        config.connect_timeout(ANSWER).application_name("incrowd");
        let place = place(&config);
        let client = connect(&config).map_err(|error| error.at(Some(&place)))?;
        Ok(PostgresStore { config, client: RefCell::new(client), place, patience: super::sqlite::PATIENCE })
    }

    fn make_if_missing(&mut self) -> Result<(), LedgerError> {
        let client = self.client.get_mut();
        let mut change = client.transaction().map_err(failed)?;
        if version(&mut change)? == Some(VERSION) {
            return Ok(());
        }
        change.execute("SELECT pg_advisory_xact_lock($1)", &[&MAKING]).map_err(failed)?;
        // Another process may have been faster.
        match version(&mut change)? {
            None => {
                change.batch_execute(MAKE).map_err(failed)?;
                let sql = "INSERT INTO incrowd_ledger (application, version, highest) VALUES ($1, $2, 0)";
                change.execute(sql, &[&APPLICATION, &VERSION]).map_err(failed)?;
            }
            Some(VERSION) => return Ok(()),
            // Behind whoever is writing, and all or nothing.
            Some(_) => {
                let patience = self.patience.as_millis().max(1);
                let alone =
                    format!("SET LOCAL lock_timeout = {patience}; SELECT highest FROM incrowd_ledger FOR UPDATE");
                change.batch_execute(&alone).map_err(failed)?;
                change.batch_execute(BRING_UP).map_err(|error| match failed(error) {
                    LedgerError::Trouble { trouble: Trouble::NotAllowed, .. } => trouble(Trouble::NotTheOwner),
                    other => other,
                })?;
            }
        }
        change.commit().map_err(failed)
    }
}

/// Returns the version of the tables, if they are there; refuses tables of a version that is not known.
fn version(state: &mut Transaction<'_>) -> Result<Option<i32>, LedgerError> {
    // Asked of the catalogue's rows: names that were looked up before stay known as missing until the transaction ends.
    let sql = "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'incrowd_ledger' AND pg_table_is_visible(oid))";
    let there = state.query_one(sql, &[]).map_err(failed)?;
    if !there.get::<_, bool>(0) {
        return Ok(None);
    }
    let rows = state.query("SELECT application, version FROM incrowd_ledger", &[]).map_err(failed)?;
    let [row] = rows.as_slice() else { return Err(LedgerError::damaged(Part::File, Fault::Structure)) };
    let lost = "SELECT EXISTS (SELECT FROM pg_class WHERE relname LIKE 'incrowd\\_%' AND relkind = 'r'
        AND pg_table_is_visible(oid) AND relpersistence <> 'p')";
    match (row.get::<_, &str>(0), row.get::<_, i32>(1)) {
        // A table that the server does not log is empty after a crash.
        (APPLICATION, FIRST..=VERSION) if state.query_one(lost, &[]).map_err(failed)?.get(0) => {
            Err(trouble(Trouble::NotDurable))
        }
        (APPLICATION, known @ FIRST..=VERSION) => Ok(Some(known)),
        (APPLICATION, found) => {
            Err(LedgerError::OtherVersion { path: None, found: found.into(), known: VERSION.into() })
        }
        _ => Err(LedgerError::NotALedger { path: None }),
    }
}

impl Store for PostgresStore {
    fn write(&mut self, change: Change<'_>) -> Result<(), LedgerError> {
        let client = self.client.get_mut();
        // A release may count for hours; a connection that was idle that long may be gone.
        if client.is_valid(ANSWER).is_err() {
            *client = connect(&self.config)?;
        }
        let transaction = client.build_transaction().isolation_level(IsolationLevel::ReadCommitted).start();
        let mut transaction = transaction.map_err(failed)?;
        let patience = self.patience.as_millis().max(1);
        let settings = format!(
            "SET LOCAL lock_timeout = {patience};
             SET LOCAL idle_in_transaction_session_timeout = 60000;
             SELECT set_config('synchronous_commit', 'on', true)
               WHERE current_setting('synchronous_commit') IN ('off', 'local');
             SELECT highest FROM incrowd_ledger FOR UPDATE"
        );
        transaction.batch_execute(&settings).map_err(failed)?;
        change(&mut PostgresPages { transaction: &mut transaction })?;
        transaction.commit().map_err(|error| failed(error).at_the_end())
    }

    fn read(&self, look: Change<'_>) -> Result<(), LedgerError> {
        let mut client = self.client.borrow_mut();
        if client.is_valid(ANSWER).is_err() {
            *client = connect(&self.config)?;
        }
        let state = client.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true).start();
        look(&mut PostgresPages { transaction: &mut state.map_err(failed)? })
    }

    fn wait_at_most(&mut self, patience: Duration) -> Result<(), LedgerError> {
        self.patience = patience;
        Ok(())
    }

    fn place(&self) -> Option<&Path> {
        Some(&self.place)
    }

    fn keeping(&self) -> Keeping {
        Keeping::Durable
    }
}

/// The tables during one transaction.
struct PostgresPages<'a, 'b> {
    transaction: &'a mut Transaction<'b>,
}

impl Pages for PostgresPages<'_, '_> {
    fn lines(&mut self, show: Show<'_>) -> Result<(), LedgerError> {
        let version = self.transaction.query_one("SELECT version FROM incrowd_ledger", &[]).map_err(failed)?;
        let version: i32 = version.try_get(0).map_err(|_| LedgerError::damaged(Part::File, Fault::Structure))?;
        // Tables of an older version that are only read stay what they are.
        let columns = COLUMNS.map(|name| match name {
            "certificate_hash" if version < CERTIFICATES => "NULL::TEXT",
            name => name,
        });
        let sql = format!("SELECT seq, {} FROM incrowd_entry ORDER BY seq", columns.join(", "));
        let mut rows = self.transaction.query_raw(&sql, std::iter::empty::<&str>()).map_err(failed)?;
        let mut expected = 1;
        while let Some(row) = rows.next().map_err(failed)? {
            let unreadable = || LedgerError::damaged(Part::Entry(expected), Fault::Unreadable);
            let seq = row.try_get::<_, i64>(0).ok().and_then(|seq| u64::try_from(seq).ok()).ok_or_else(unreadable)?;
            let mut texts = [None; COLUMNS.len()];
            for (index, place) in texts.iter_mut().enumerate() {
                *place = row.try_get::<_, Option<&str>>(index + 1).map_err(|_| unreadable())?;
            }
            show(&Line::of(seq, texts).ok_or_else(unreadable)?)?;
            expected += 1;
        }
        Ok(())
    }

    fn highest(&mut self) -> Result<Option<u64>, LedgerError> {
        let row = self.transaction.query_opt("SELECT highest FROM incrowd_ledger", &[]).map_err(failed)?;
        Ok(row.and_then(|row| u64::try_from(row.try_get::<_, i64>(0).ok()?).ok()))
    }

    fn accounts(&mut self) -> Result<Vec<AccountLine>, LedgerError> {
        let sql = "SELECT name, created, epsilon, delta, policy FROM incrowd_account";
        let rows = self.transaction.query(sql, &[]).map_err(failed)?;
        let read = |row: &postgres::Row| -> Result<AccountLine, postgres::Error> {
            Ok(AccountLine {
                name: row.try_get(0)?,
                created: row.try_get(1)?,
                epsilon: row.try_get(2)?,
                delta: row.try_get(3)?,
                policy: row.try_get(4)?,
            })
        };
        rows.iter().map(|row| read(row).map_err(|_| LedgerError::damaged(Part::Accounts, Fault::Unreadable))).collect()
    }

    fn definition(&mut self, hash: &str) -> Result<Option<String>, LedgerError> {
        let sql = "SELECT text FROM incrowd_definition WHERE hash = $1";
        let row = self.transaction.query_opt(sql, &[&hash]).map_err(failed)?;
        let unreadable = |_| LedgerError::damaged(Part::Definitions, Fault::Unreadable);
        row.map(|row| row.try_get(0).map_err(unreadable)).transpose()
    }

    fn append(&mut self, line: &Line<'_>) -> Result<(), LedgerError> {
        let unreadable = |_| LedgerError::damaged(Part::Entry(line.seq), Fault::Unreadable);
        let seq = i64::try_from(line.seq).map_err(unreadable)?;
        let holes: Vec<String> = (1..=COLUMNS.len() + 1).map(|hole| format!("${hole}")).collect();
        let sql = format!("INSERT INTO incrowd_entry (seq, {}) VALUES ({})", COLUMNS.join(", "), holes.join(", "));
        let texts = line.texts();
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&seq];
        values.extend(texts.iter().map(|text| text as &(dyn ToSql + Sync)));
        self.transaction.execute(&sql, &values).map_err(failed)?;
        self.transaction.execute("UPDATE incrowd_ledger SET highest = $1", &[&seq]).map_err(failed)?;
        Ok(())
    }

    fn put_account(&mut self, account: &AccountLine) -> Result<(), LedgerError> {
        let sql = "INSERT INTO incrowd_account (name, created, epsilon, delta, policy) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (name) DO UPDATE SET epsilon = $3, delta = $4, policy = $5";
        let AccountLine { name, created, epsilon, delta, policy } = account;
        self.transaction.execute(sql, &[name, created, epsilon, delta, policy]).map_err(failed)?;
        Ok(())
    }

    fn put_definition(&mut self, hash: &str, text: &str) -> Result<(), LedgerError> {
        let sql = "INSERT INTO incrowd_definition (hash, text) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING";
        self.transaction.execute(sql, &[&hash, &text]).map_err(failed)?;
        Ok(())
    }
}

/// Returns a connection, encrypted where the server can.
fn connect(config: &Config) -> Result<Client, LedgerError> {
    let mut trusted = RootCertStore::empty();
    trusted.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let tls = tls.map_err(|_| trouble(Trouble::NotEncrypted))?;
    let tls = tls.with_root_certificates(trusted).with_no_client_auth();
    let connected = config.connect(MakeRustlsConnect::new(tls)).map_err(|error| {
        if error.as_db_error().is_some() {
            return failed(error);
        }
        // The binding tells its kinds of failure in words only.
        let encrypting = error.to_string().contains("TLS");
        trouble(if encrypting { Trouble::NotEncrypted } else { Trouble::NoServer })
    });
    let mut client = connected?;
    let fsync: String = client.query_one("SHOW fsync", &[]).map_err(failed)?.get(0);
    if fsync == "on" { Ok(client) } else { Err(trouble(Trouble::NotDurable)) }
}

/// The address as messages name it.
fn place(config: &Config) -> PathBuf {
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(folder)) => folder.display().to_string(),
        None => "localhost".to_string(),
    };
    let port = config.get_ports().first().map(|port| format!(":{port}")).unwrap_or_default();
    PathBuf::from(format!("postgres://{host}{port}/{}", config.get_dbname().unwrap_or_default()))
}

fn trouble(trouble: Trouble) -> LedgerError {
    LedgerError::Trouble { path: None, trouble }
}

/// What the server or the way to it says, without its sentence.
fn failed(error: postgres::Error) -> LedgerError {
    let Some(code) = error.code() else { return trouble(Trouble::Lost) };
    let denied =
        [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION, SqlState::INVALID_CATALOG_NAME];
    if denied.contains(code) {
        trouble(Trouble::NoAccess)
    } else if [SqlState::INSUFFICIENT_PRIVILEGE, SqlState::READ_ONLY_SQL_TRANSACTION].contains(code) {
        trouble(Trouble::NotAllowed)
    } else if [SqlState::UNDEFINED_TABLE, SqlState::UNDEFINED_COLUMN].contains(code) {
        LedgerError::damaged(Part::File, Fault::Structure)
    } else if *code == SqlState::LOCK_NOT_AVAILABLE {
        trouble(Trouble::Locked)
    } else if *code == SqlState::DISK_FULL {
        trouble(Trouble::Full)
    } else if [SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN].contains(code) {
        trouble(Trouble::Lost)
    } else if *code == SqlState::CANNOT_CONNECT_NOW {
        trouble(Trouble::NoServer)
    } else {
        let mut digits = [b'0'; 5];
        digits.iter_mut().zip(code.code().bytes()).for_each(|(digit, byte)| *digit = byte);
        trouble(Trouble::Server(digits))
    }
}
