//! A book in a team's own PostgreSQL database: the same lines and the same chain as in a file.
//!
//! It must never print a password, trust a server that does not sync, or take another program's tables for a ledger. It
//! is separate because it alone speaks to a server. Read `postgres/setup.rs` for how a book gets there, and who may do
//! what with it; `sqlite.rs` is the other kind of store.
//!
//! A change locks the row that counts the entries against every other change, reads and verifies them, and commits with
//! `synchronous_commit` on. The lock of a process that died is released by the server: at once when its connection
//! closes, and after a minute when its machine went silent. Nobody but its owner touches the tables: whoever else
//! writes does so through functions that check what SQL can check, and every reader checks the rest.

mod layout;
mod parts;
pub(crate) mod setup;

use super::wire::{ANSWER, Address, Wire, trouble};
use super::{AccountLine, Change, Pages, Show, Store};
use crate::attendant::{Attendant, Nobody};
use crate::damage::{DamagedPart, Fault};
use crate::error::{BookRule, LedgerError, Trouble};
use crate::line::{COLUMNS, Line};
use crate::receipt::Durability;
use futures::StreamExt;
use incrowd_definition::Moment;
use layout::Layout;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio_postgres::types::ToSql;

/// How long the owner of a book waits for all of its rows.
const LONG: Duration = Duration::from_secs(600);
/// How long to wait for a commit: others may have to have it, too.
const COMMIT: Duration = Duration::from_secs(30);

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
        match store.alone(Purpose::Look, &mut Layout::of).map_err(|error| error.at(Some(&store.place)))? {
            Some(_) => Ok(store),
            None => Err(LedgerError::NoLedger { path: store.place }),
        }
    }

    fn reach(address: &str) -> Result<PostgresStore, LedgerError> {
        let address = Address::read(address)?;
        if !address.names_one_database() {
            return Err(LedgerError::Address);
        }
        let (place, attendant) = (address.place(), Arc::new(Nobody) as Arc<dyn Attendant>);
        let wire = Wire::connect(&address, &attendant).map_err(|error| error.at(Some(&place)))?;
        let patience = super::sqlite::PATIENCE;
        Ok(PostgresStore { address, wire: RefCell::new(Some(wire)), place, patience, attendant })
    }

    fn make_if_missing(&self) -> Result<(), LedgerError> {
        match self.alone(Purpose::Look, &mut Layout::of)? {
            Some(layout) => layout.must_be_current(),
            None => self.alone(Purpose::Change, &mut |wire| {
                setup::alone(wire, self.patience)?;
                // Another process may have been faster.
                match Layout::of(wire)? {
                    Some(layout) => layout.must_be_current(),
                    None => setup::make(wire),
                }
            }),
        }
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
    /// Names mean the server's own: no setting of a user or of an address puts others before them.
    fn begin(self) -> &'static str {
        match self {
            Purpose::Look => {
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL search_path TO pg_catalog, pg_temp"
            }
            Purpose::Change => {
                "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL search_path TO pg_catalog, pg_temp"
            }
        }
    }
}

impl Store for PostgresStore {
    fn write(&mut self, change: Change<'_>) -> Result<(), LedgerError> {
        let patience = self.patience;
        let settings = format!(
            "SET LOCAL lock_timeout = {};
             SET LOCAL idle_in_transaction_session_timeout = 60000;
             SELECT set_config('synchronous_commit', 'on', true)
               WHERE current_setting('synchronous_commit') IN ('off', 'local')",
            patience.as_millis().max(1)
        );
        self.alone(Purpose::Change, &mut |wire| {
            wire.wait(ANSWER, wire.client.batch_execute(&settings))?;
            let layout = Layout::of(wire)?.ok_or_else(|| LedgerError::damaged(DamagedPart::File, Fault::Structure))?;
            layout.must_be_current()?;
            wire.wait(patience + ANSWER, wire.client.batch_execute("SELECT incrowd.begin_writing()"))?;
            change(&mut PostgresPages { wire, layout, by_hand: false, defined: None })
        })
    }

    fn read(&self, look: Change<'_>) -> Result<(), LedgerError> {
        self.alone(Purpose::Look, &mut |wire| {
            let layout = Layout::of(wire)?.ok_or_else(|| LedgerError::damaged(DamagedPart::File, Fault::Structure))?;
            look(&mut PostgresPages { wire, layout, by_hand: false, defined: None })
        })
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
    layout: Layout,
    /// Whether the owner writes to the tables by hand.
    by_hand: bool,
    /// What the bins are of the charge that is written next, with their hash.
    defined: Option<(String, String)>,
}

impl Pages for PostgresPages<'_> {
    fn lines(&mut self, show: Show<'_>) -> Result<(), LedgerError> {
        let wire = self.wire;
        // Tables of an older version that are only read stay what they are.
        let version = self.layout.version();
        let columns = COLUMNS.map(|name| if super::schema::has(name, version.into()) { name } else { "NULL::TEXT" });
        let sql = format!("SELECT seq, {} FROM {} ORDER BY seq", columns.join(", "), self.layout.entries());
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
        let sql = format!("SELECT highest FROM {}", self.layout.state());
        let row = self.wire.wait(ANSWER, self.wire.client.query_opt(&sql, &[]))?;
        Ok(row.and_then(|row| u64::try_from(row.try_get::<_, i64>(0).ok()?).ok()))
    }

    fn accounts(&mut self) -> Result<Vec<AccountLine>, LedgerError> {
        let sql = format!("SELECT name, created, epsilon, delta, policy FROM {}", self.layout.accounts());
        let rows = self.wire.wait(ANSWER, self.wire.client.query(&sql, &[]))?;
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
        let sql = format!("SELECT text FROM {} WHERE hash = $1", self.layout.definitions());
        let row = self.wire.wait(ANSWER, self.wire.client.query_opt(&sql, &[&hash]))?;
        let unreadable = |_| LedgerError::damaged(DamagedPart::Definitions, Fault::Unreadable);
        row.map(|row| row.try_get(0).map_err(unreadable)).transpose()
    }

    fn append(&mut self, line: &Line<'_>) -> Result<(), LedgerError> {
        let unreadable = |_| LedgerError::damaged(DamagedPart::Entry(line.seq), Fault::Unreadable);
        let seq = i64::try_from(line.seq).map_err(unreadable)?;
        if self.by_hand {
            return self.append_by_hand(seq, line);
        }
        let is_of_terms = matches!(line.kind, "open" | "policy");
        let texts = line.texts().to_vec();
        let client = &self.wire.client;
        let written = if is_of_terms {
            self.wire.wait(ANSWER, client.execute("SELECT incrowd.append_terms($1, $2)", &[&seq, &texts]))
        } else {
            let defined = self.defined.take().filter(|(hash, _)| line.binning_hash == Some(hash.as_str()));
            let text = defined.map(|(_, text)| text);
            self.wire.wait(ANSWER, client.execute("SELECT incrowd.append_release($1, $2, $3)", &[&seq, &texts, &text]))
        };
        written.map(drop).map_err(|error| match refused_by(error) {
            LedgerError::Trouble { trouble: Trouble::NotAllowed, .. } if is_of_terms => trouble(Trouble::NotAnOfficer),
            other => other,
        })
    }

    fn put_account(&mut self, account: &AccountLine) -> Result<(), LedgerError> {
        // The function that appends terms writes this row, too.
        if !self.by_hand {
            return Ok(());
        }
        let sql = "INSERT INTO incrowd.account (name, created, epsilon, delta, policy) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (name) DO UPDATE SET epsilon = $3, delta = $4, policy = $5";
        let AccountLine { name, created, epsilon, delta, policy } = account;
        self.wire.wait(ANSWER, self.wire.client.execute(sql, &[name, created, epsilon, delta, policy])).map(drop)
    }

    fn rows_from(&mut self, seq: u64) -> Result<Vec<Vec<Option<String>>>, LedgerError> {
        let sql = format!("SELECT seq::TEXT, {} FROM incrowd.entry WHERE seq >= $1 ORDER BY seq", COLUMNS.join(", "));
        let from = i64::try_from(seq).map_err(|_| LedgerError::nothing_done())?;
        let rows = self.wire.wait(LONG, self.wire.client.query(&sql, &[&from])).map_err(setup::not_the_owner)?;
        let unreadable = |_| LedgerError::damaged(DamagedPart::File, Fault::Structure);
        rows.iter()
            .map(|row| (0..row.len()).map(|column| row.try_get(column)).collect::<Result<_, _>>().map_err(unreadable))
            .collect()
    }

    fn move_aside(&mut self, from: u64) -> Result<(), LedgerError> {
        setup::move_aside(self.wire, from)?;
        self.by_hand = true;
        Ok(())
    }

    fn clock(&mut self) -> Result<Option<Moment>, LedgerError> {
        let sql = "SELECT floor(extract(epoch FROM now()))::BIGINT";
        let row = self.wire.wait(ANSWER, self.wire.client.query_one(sql, &[]))?;
        let seconds = row.try_get::<_, i64>(0).ok().and_then(|seconds| u64::try_from(seconds).ok());
        Ok(seconds.map(Moment::from_unix_seconds))
    }

    fn put_definition(&mut self, hash: &str, text: &str) -> Result<(), LedgerError> {
        // The function that appends a charge takes both.
        self.defined = Some((hash.to_string(), text.to_string()));
        Ok(())
    }
}

impl PostgresPages<'_> {
    fn append_by_hand(&self, seq: i64, line: &Line<'_>) -> Result<(), LedgerError> {
        let holes: Vec<String> = (1..=COLUMNS.len() + 1).map(|hole| format!("${hole}")).collect();
        let sql = format!(
            "INSERT INTO incrowd.entry (seq, {}, written_by) VALUES ({}, session_user)",
            COLUMNS.join(", "),
            holes.join(", ")
        );
        let texts = line.texts();
        let mut values: Vec<&(dyn ToSql + Sync)> = vec![&seq];
        values.extend(texts.iter().map(|text| text as &(dyn ToSql + Sync)));
        self.wire.wait(ANSWER, self.wire.client.execute(&sql, &values))?;
        self.wire.wait(ANSWER, self.wire.client.execute("UPDATE incrowd.book SET highest = $1", &[&seq])).map(drop)
    }
}

/// Names the rule by which the functions of the book refused.
fn refused_by(error: LedgerError) -> LedgerError {
    match error {
        LedgerError::Trouble { trouble: Trouble::Server(code), path } => {
            let trouble = BookRule::of_code(&code).map_or(Trouble::Server(code), Trouble::AgainstTheRules);
            LedgerError::Trouble { path, trouble }
        }
        other => other,
    }
}
