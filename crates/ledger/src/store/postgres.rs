//! A book in a team's own PostgreSQL database: the same lines and the same chain as in a file.
//!
//! It must never print a password, trust a server that does not sync, or take another program's tables for a ledger. It
//! is separate because it alone speaks to a server. Read `sqlite.rs` for the other kind of store.
//!
//! A change locks the row that counts the entries against every other change, reads and verifies them, and commits with
//! `synchronous_commit` on. The lock of a process that died is released by the server: at once when its connection
//! closes, and after a minute when its machine went silent. Whoever owns the tables can rewrite them, as with a file; a
//! role that may only `SELECT` and `INSERT` entries cannot.

use super::wire::{ANSWER, Address, Wire, trouble};
use super::{AccountLine, Change, Pages, Show, Store};
use crate::attendant::{Attendant, Nobody};
use crate::damage::{DamagedPart, Fault};
use crate::error::{LedgerError, Trouble};
use crate::line::{COLUMNS, Line};
use crate::receipt::Durability;
use futures::StreamExt;
use incrowd_definition::Moment;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::types::ToSql;

/// Stands in the table that says what this is.
const APPLICATION: &str = "incrowd ledger";
/// The version of the tables. Version 2 had no hashes of certificates, version 3 no signatures and details.
const VERSION: i32 = 4;
/// The first version that is known.
const FIRST: i32 = 2;
/// How long to wait for a commit: others may have to have it, too.
const COMMIT: Duration = Duration::from_secs(30);
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
);
CREATE FUNCTION incrowd_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'an entry is never changed or removed'; END $$;
CREATE TRIGGER incrowd_entry_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON incrowd_entry
  FOR EACH STATEMENT EXECUTE FUNCTION incrowd_is_never_changed();
CREATE TRIGGER incrowd_definition_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON incrowd_definition
  FOR EACH STATEMENT EXECUTE FUNCTION incrowd_is_never_changed();
CREATE TABLE incrowd_ledger (application TEXT NOT NULL, version INTEGER NOT NULL, highest BIGINT NOT NULL);
";

/// What tables of earlier versions get, which changes none of their rows.
const BRING_UP: &str = "
ALTER TABLE incrowd_entry ADD COLUMN IF NOT EXISTS certificate_hash TEXT,
  ADD COLUMN IF NOT EXISTS signature TEXT,
  ADD COLUMN IF NOT EXISTS details TEXT,
  DROP CONSTRAINT IF EXISTS incrowd_entry_outcome_check,
  DROP CONSTRAINT IF EXISTS incrowd_entry_kind_check,
  ADD CONSTRAINT incrowd_entry_kind_check CHECK (kind IN ('open', 'charge', 'outcome', 'policy', 'refused'));
UPDATE incrowd_ledger SET version = 4;
";

/// A book in a database.
pub(crate) struct PostgresStore {
    address: Address,
    /// The connection; nothing after one that broke.
    wire: RefCell<Option<Wire>>,
    /// The address, without user and password.
    place: PathBuf,
    patience: Duration,
    attendant: Arc<dyn Attendant>,
}

impl PostgresStore {
    /// Returns the book at an address; makes its tables if there are none.
    pub fn open(address: &str) -> Result<PostgresStore, LedgerError> {
        let store = PostgresStore::reach(address)?;
        store.make_if_missing().map_err(|error| error.at(Some(&store.place)))?;
        Ok(store)
    }

    /// Returns the book at an address; refuses if there is none.
    pub fn open_existing(address: &str) -> Result<PostgresStore, LedgerError> {
        let store = PostgresStore::reach(address)?;
        match store.alone(Purpose::Look, &mut |wire| version(wire)).map_err(|error| error.at(Some(&store.place)))? {
            Some(_) => Ok(store),
            None => Err(LedgerError::NoLedger { path: store.place }),
        }
    }

    fn reach(address: &str) -> Result<PostgresStore, LedgerError> {
        let address = Address::read(address)?;
        let (place, attendant) = (address.place(), Arc::new(Nobody) as Arc<dyn Attendant>);
        let wire = Wire::connect(&address, &attendant).map_err(|error| error.at(Some(&place)))?;
        let patience = super::sqlite::PATIENCE;
        Ok(PostgresStore { address, wire: RefCell::new(Some(wire)), place, patience, attendant })
    }

    fn make_if_missing(&self) -> Result<(), LedgerError> {
        if self.alone(Purpose::Look, &mut |wire| version(wire))? == Some(VERSION) {
            return Ok(());
        }
        let limit = self.patience + ANSWER;
        self.alone(Purpose::Change, &mut |wire| {
            let settings = format!("SET LOCAL lock_timeout = {}", self.patience.as_millis().max(1));
            wire.wait(ANSWER, wire.client.batch_execute(&settings))?;
            wire.wait(limit, wire.client.execute("SELECT pg_advisory_xact_lock($1)", &[&MAKING]))?;
            // Another process may have been faster.
            match version(wire)? {
                None => {
                    wire.wait(ANSWER, wire.client.batch_execute(MAKE))?;
                    let sql = "INSERT INTO incrowd_ledger (application, version, highest) VALUES ($1, $2, 0)";
                    wire.wait(ANSWER, wire.client.execute(sql, &[&APPLICATION, &VERSION])).map(drop)
                }
                Some(VERSION) => Ok(()),
                // Behind whoever is writing, and all or nothing.
                Some(_) => {
                    wire.wait(limit, wire.client.batch_execute("SELECT highest FROM incrowd_ledger FOR UPDATE"))?;
                    wire.wait(limit, wire.client.batch_execute(BRING_UP)).map_err(|error| match error {
                        LedgerError::Trouble { trouble: Trouble::NotAllowed, .. } => trouble(Trouble::NotTheOwner),
                        other => other,
                    })
                }
            }
        })
    }

    /// Runs something in a transaction of its own, and commits it; whatever fails leaves nothing behind.
    fn alone<T>(
        &self,
        purpose: Purpose,
        change: &mut dyn FnMut(&Wire) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        let mut place = self.wire.borrow_mut();
        // A release may count for hours; a connection that was idle that long may be gone.
        if !place.as_ref().is_some_and(Wire::is_alive) {
            *place = None;
            *place = Some(Wire::connect(&self.address, &self.attendant)?);
        }
        let Some(wire) = place.as_ref() else { return Err(trouble(Trouble::Lost)) };
        let done = wire.wait(ANSWER, wire.client.batch_execute(purpose.begin())).and_then(|()| change(wire));
        match done {
            Ok(done) => match wire.wait(COMMIT, wire.client.batch_execute("COMMIT")) {
                Ok(()) => Ok(done),
                Err(error) => {
                    // What became of it is asked over another connection.
                    *place = None;
                    Err(match purpose {
                        Purpose::Change => error.at_the_end(),
                        Purpose::Look => error,
                    })
                }
            },
            Err(error) => {
                let answers = !matches!(
                    error,
                    LedgerError::Trouble { trouble: Trouble::Unanswered | Trouble::Lost | Trouble::Stopped, .. }
                );
                // A server that does not answer takes it back when the connection is gone.
                if !answers || wire.wait(ANSWER, wire.client.batch_execute("ROLLBACK")).is_err() {
                    *place = None;
                }
                Err(error)
            }
        }
    }
}

/// What a transaction is for.
#[derive(Clone, Copy)]
enum Purpose {
    Look,
    Change,
}

impl Purpose {
    fn begin(self) -> &'static str {
        match self {
            Purpose::Look => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Purpose::Change => "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
        }
    }
}

/// Returns the version of the tables, if they are there; refuses tables of a version that is not known.
fn version(wire: &Wire) -> Result<Option<i32>, LedgerError> {
    // Asked of the catalogue's rows: names that were looked up before stay known as missing until the transaction ends.
    let sql = "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'incrowd_ledger' AND pg_table_is_visible(oid))";
    let there = wire.wait(ANSWER, wire.client.query_one(sql, &[]))?;
    if !there.get::<_, bool>(0) {
        return Ok(None);
    }
    let rows = wire.wait(ANSWER, wire.client.query("SELECT application, version FROM incrowd_ledger", &[]))?;
    let [row] = rows.as_slice() else { return Err(LedgerError::damaged(DamagedPart::File, Fault::Structure)) };
    let lost = "SELECT EXISTS (SELECT FROM pg_class WHERE relname LIKE 'incrowd\\_%' AND relkind = 'r'
        AND pg_table_is_visible(oid) AND relpersistence <> 'p')";
    match (row.get::<_, &str>(0), row.get::<_, i32>(1)) {
        // A table that the server does not log is empty after a crash.
        (APPLICATION, FIRST..=VERSION) if wire.wait(ANSWER, wire.client.query_one(lost, &[]))?.get(0) => {
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
        let patience = self.patience;
        let settings = format!(
            "SET LOCAL lock_timeout = {};
             SET LOCAL idle_in_transaction_session_timeout = 60000;
             SELECT set_config('synchronous_commit', 'on', true)
               WHERE current_setting('synchronous_commit') IN ('off', 'local');
             SELECT highest FROM incrowd_ledger FOR UPDATE",
            patience.as_millis().max(1)
        );
        self.alone(Purpose::Change, &mut |wire| {
            wire.wait(patience + ANSWER, wire.client.batch_execute(&settings))?;
            change(&mut PostgresPages { wire })
        })
    }

    fn read(&self, look: Change<'_>) -> Result<(), LedgerError> {
        self.alone(Purpose::Look, &mut |wire| look(&mut PostgresPages { wire }))
    }

    fn wait_at_most(&mut self, patience: Duration) -> Result<(), LedgerError> {
        self.patience = patience;
        Ok(())
    }

    fn attended_by(&mut self, attendant: Arc<dyn Attendant>) {
        self.attendant = Arc::clone(&attendant);
        if let Some(wire) = self.wire.get_mut() {
            wire.attended_by(attendant);
        }
    }

    fn is_in_the_clear(&self) -> bool {
        self.address.is_in_the_clear()
    }

    fn place(&self) -> Option<&Path> {
        Some(&self.place)
    }

    fn durability(&self) -> Durability {
        Durability::Durable
    }
}

/// The tables during one transaction.
struct PostgresPages<'a> {
    wire: &'a Wire,
}

impl Pages for PostgresPages<'_> {
    fn lines(&mut self, show: Show<'_>) -> Result<(), LedgerError> {
        let wire = self.wire;
        let version = wire.wait(ANSWER, wire.client.query_one("SELECT version FROM incrowd_ledger", &[]))?;
        let version: i32 = version.try_get(0).map_err(|_| LedgerError::damaged(DamagedPart::File, Fault::Structure))?;
        // Tables of an older version that are only read stay what they are.
        let columns = COLUMNS.map(|name| if super::schema::has(name, version.into()) { name } else { "NULL::TEXT" });
        let sql = format!("SELECT seq, {} FROM incrowd_entry ORDER BY seq", columns.join(", "));
        let mut rows = pin!(wire.wait(ANSWER, wire.client.query_raw(&sql, std::iter::empty::<&str>()))?);
        let mut expected = 1;
        while let Some(row) = wire.wait(ANSWER, async { rows.next().await.transpose() })? {
            let unreadable = || LedgerError::damaged(DamagedPart::Entry(expected), Fault::Unreadable);
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
        let row = self.wire.wait(ANSWER, self.wire.client.query_opt("SELECT highest FROM incrowd_ledger", &[]))?;
        Ok(row.and_then(|row| u64::try_from(row.try_get::<_, i64>(0).ok()?).ok()))
    }

    fn accounts(&mut self) -> Result<Vec<AccountLine>, LedgerError> {
        let sql = "SELECT name, created, epsilon, delta, policy FROM incrowd_account";
        let rows = self.wire.wait(ANSWER, self.wire.client.query(sql, &[]))?;
        let read = |row: &tokio_postgres::Row| -> Result<AccountLine, tokio_postgres::Error> {
            Ok(AccountLine {
                name: row.try_get(0)?,
                created: row.try_get(1)?,
                epsilon: row.try_get(2)?,
                delta: row.try_get(3)?,
                policy: row.try_get(4)?,
            })
        };
        rows.iter()
            .map(|row| read(row).map_err(|_| LedgerError::damaged(DamagedPart::Accounts, Fault::Unreadable)))
            .collect()
    }

    fn definition(&mut self, hash: &str) -> Result<Option<String>, LedgerError> {
        let sql = "SELECT text FROM incrowd_definition WHERE hash = $1";
        let row = self.wire.wait(ANSWER, self.wire.client.query_opt(sql, &[&hash]))?;
        let unreadable = |_| LedgerError::damaged(DamagedPart::Definitions, Fault::Unreadable);
        row.map(|row| row.try_get(0).map_err(unreadable)).transpose()
    }

    fn append(&mut self, line: &Line<'_>) -> Result<(), LedgerError> {
        let unreadable = |_| LedgerError::damaged(DamagedPart::Entry(line.seq), Fault::Unreadable);
        let seq = i64::try_from(line.seq).map_err(unreadable)?;
        let holes: Vec<String> = (1..=COLUMNS.len() + 1).map(|hole| format!("${hole}")).collect();
        let sql = format!("INSERT INTO incrowd_entry (seq, {}) VALUES ({})", COLUMNS.join(", "), holes.join(", "));
        let texts = line.texts();
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&seq];
        values.extend(texts.iter().map(|text| text as &(dyn ToSql + Sync)));
        self.wire.wait(ANSWER, self.wire.client.execute(&sql, &values))?;
        self.wire.wait(ANSWER, self.wire.client.execute("UPDATE incrowd_ledger SET highest = $1", &[&seq]))?;
        Ok(())
    }

    fn put_account(&mut self, account: &AccountLine) -> Result<(), LedgerError> {
        let sql = "INSERT INTO incrowd_account (name, created, epsilon, delta, policy) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (name) DO UPDATE SET epsilon = $3, delta = $4, policy = $5";
        let AccountLine { name, created, epsilon, delta, policy } = account;
        self.wire.wait(ANSWER, self.wire.client.execute(sql, &[name, created, epsilon, delta, policy]))?;
        Ok(())
    }

    fn clock(&mut self) -> Result<Option<Moment>, LedgerError> {
        let sql = "SELECT floor(extract(epoch FROM now()))::BIGINT";
        let row = self.wire.wait(ANSWER, self.wire.client.query_one(sql, &[]))?;
        let seconds = row.try_get::<_, i64>(0).ok().and_then(|seconds| u64::try_from(seconds).ok());
        Ok(seconds.map(Moment::from_unix_seconds))
    }

    fn put_definition(&mut self, hash: &str, text: &str) -> Result<(), LedgerError> {
        let sql = "INSERT INTO incrowd_definition (hash, text) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING";
        self.wire.wait(ANSWER, self.wire.client.execute(sql, &[&hash, &text]))?;
        Ok(())
    }
}
