//! The verbs of the account book: open, show, charge, record.
//!
//! A charge is on disk before its receipt exists; nothing is ever refunded, and nothing is granted from a book that does not
//! add up. It is separate from `book.rs` because a verb is a transaction around a book. Read `account.rs` for who pays.

use crate::account::{Account, AccountName};
use crate::book::{Book, Ending};
use crate::charge::Charge;
use crate::entry::{Charged, Entry, Event, Outcome};
use crate::error::LedgerError;
use crate::moment::Moment;
use crate::place;
use crate::receipt::{Keeping, Receipt, Slip, Stub};
use crate::terms::Terms;
use rusqlite::{Connection, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An open account book. Many processes may have the same one open: each charge is alone while it is made.
pub struct Ledger {
    connection: Connection,
    /// Where it is; none in memory.
    path: Option<PathBuf>,
}

impl Ledger {
    /// Returns the ledger at a path; makes it, with its directories, if there is none.
    pub fn open(path: &Path) -> Result<Ledger, LedgerError> {
        let path = place::absolute(path)?;
        let connection = place::open_or_make(&path).map_err(|error| error.at(Some(&path)))?;
        Ok(Ledger { connection, path: Some(path) })
    }

    /// Returns the ledger at a path, for reading only; refuses if there is none.
    pub fn open_existing(path: &Path) -> Result<Ledger, LedgerError> {
        let path = place::absolute(path)?;
        let connection = place::open_to_read(&path).map_err(|error| error.at(Some(&path)))?;
        Ok(Ledger { connection, path: Some(path) })
    }

    /// Returns a ledger that is forgotten when it is dropped: for synthetic data and for tests.
    pub fn in_memory() -> Result<Ledger, LedgerError> {
        Ok(Ledger { connection: place::in_memory()?, path: None })
    }

    /// Waits this long for another process that is writing, instead of 30 seconds.
    pub fn wait_at_most(&mut self, patience: Duration) -> Result<(), LedgerError> {
        self.connection.busy_timeout(patience).map_err(|error| LedgerError::from(error).at(self.path.as_deref()))
    }

    /// Opens an account on terms; refuses if there is one of that name.
    pub fn open_account(&mut self, name: &AccountName, terms: &Terms, now: Moment) -> Result<(), LedgerError> {
        terms.check()?;
        self.write(|connection, book| match book.account(name) {
            Some(_) => Err(LedgerError::AccountExists { account: name.clone() }),
            None => book.append(connection, name, Event::Opened(terms.clone()), now).map(drop),
        })
    }

    /// Gives an account other terms; what it has spent stays spent.
    pub fn change_terms(&mut self, name: &AccountName, terms: &Terms, now: Moment) -> Result<(), LedgerError> {
        terms.check()?;
        self.write(|connection, book| match book.account(name) {
            None => Err(LedgerError::NoSuchAccount { account: name.clone() }),
            Some(_) => book.append(connection, name, Event::TermsChanged(terms.clone()), now).map(drop),
        })
    }

    /// Returns all accounts, by name.
    pub fn accounts(&self) -> Result<Vec<Account>, LedgerError> {
        self.read(|connection| Ok(Book::read(connection)?.accounts().cloned().collect()))
    }

    /// Returns one account, if there is one of that name.
    pub fn account(&self, name: &AccountName) -> Result<Option<Account>, LedgerError> {
        self.read(|connection| Ok(Book::read(connection)?.account(name).cloned()))
    }

    /// Returns the entries of one account, or of all of them, oldest first.
    pub fn history(&self, name: Option<&AccountName>) -> Result<Vec<Entry>, LedgerError> {
        self.read(|connection| {
            let mut entries = Vec::new();
            Book::read_with(connection, |entry| {
                if name.is_none_or(|name| name == &entry.account) {
                    entries.push(entry);
                }
            })?;
            Ok(entries)
        })
    }

    /// Makes an account pay for a release, durably; returns the proof, or why it does not pay.
    ///
    /// One transaction that excludes all others: the whole book is verified and added up, the account's terms are asked, and
    /// the charge is written and synced. A name without an account is opened first, without limits; the receipt says so.
    pub fn charge(&mut self, charge: &Charge, now: Moment) -> Result<Receipt, LedgerError> {
        charge.check()?;
        let (head, opened_account) = self.write(|connection, book| {
            let opened = book.account(&charge.account).is_none();
            if opened {
                book.append(connection, &charge.account, Event::Opened(Terms::unlimited()), now)?;
            }
            let Some(account) = book.account(&charge.account) else {
                return Err(LedgerError::NoSuchAccount { account: charge.account.clone() });
            };
            account.would_pay(charge)?;
            let head = book.append(connection, &charge.account, Event::Charged(Charged::of(charge)), now)?;
            Ok((head, opened))
        })?;
        Ok(Receipt::new(Slip {
            account: charge.account.clone(),
            seq: head.seq,
            head: head.hash,
            plan_hash: charge.plan_hash.clone(),
            opened_account,
            keeping: if self.path.is_some() { Keeping::Durable } else { Keeping::Forgotten },
        }))
    }

    /// Writes down how a release ended. Nothing is refunded, however it did.
    pub fn record(&mut self, stub: Stub, outcome: Outcome, now: Moment) -> Result<(), LedgerError> {
        let charge_id = stub.charge_id().clone();
        self.write(|connection, book| match book.ending(stub.account(), &charge_id) {
            Ending::Unknown => Err(LedgerError::NoSuchCharge { charge_id }),
            Ending::Known => Err(LedgerError::AlreadyEnded { charge_id }),
            Ending::Pending => {
                book.append(connection, stub.account(), Event::Ended { charge_id, outcome }, now).map(drop)
            }
        })
    }

    /// Runs a change on the verified book, alone, and returns once it is on disk; an error leaves nothing behind.
    fn write<T>(
        &mut self,
        change: impl FnOnce(&Connection, &mut Book) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        let connection = &mut self.connection;
        let attempt = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut book = Book::read(&transaction)?;
            let done = change(&transaction, &mut book)?;
            transaction.commit()?;
            Ok(done)
        };
        attempt().map_err(|error: LedgerError| error.at(self.path.as_deref()))
    }

    /// Runs a look at one state of the book.
    fn read<T>(&self, look: impl FnOnce(&Connection) -> Result<T, LedgerError>) -> Result<T, LedgerError> {
        let attempt = || look(&*self.connection.unchecked_transaction()?);
        attempt().map_err(|error| error.at(self.path.as_deref()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Trouble;
    use incrowd_exact::Rational;
    use incrowd_privacy::Epsilon;

    #[test]
    fn a_full_disk_is_named_and_charges_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ledger.sqlite");
        let mut ledger = Ledger::open(&path).expect("a ledger");
        let charge = Charge {
            account: AccountName::new("a").expect("a name"),
            snapshot: "1".into(),
            plan_hash: "5eed".into(),
            binning_hash: "b145".into(),
            promise: "x".repeat(10_000),
            kind: "group".into(),
            epsilon: Epsilon::ZERO,
            delta: Rational::ZERO,
            smallest_group: None,
        };
        let now = Moment::from_unix_seconds(0);
        drop(ledger.charge(&charge, now).expect("paid"));
        let pages: i64 = ledger.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).expect("pages");
        ledger.connection.query_row("PRAGMA max_page_count = 1", [], |_| Ok(())).expect("no more room");
        let before = ledger.history(None).expect("a book");
        let full = LedgerError::Trouble { path: Some(path.clone()), trouble: Trouble::Full };
        assert_eq!(ledger.charge(&charge, now).err(), Some(full.clone()), "{pages} pages");
        assert_eq!(full.hint(), "make room on the disk, then try again");
        assert_eq!(ledger.history(None).expect("a book"), before);
        drop(Ledger::open(&path).expect("a ledger").charge(&charge, now).expect("paid where there is room"));
    }

    #[test]
    fn a_ledger_on_disk_syncs_every_commit() {
        let folder = tempfile::tempdir().expect("a folder");
        let ledger = Ledger::open(&folder.path().join("ledger.sqlite")).expect("a ledger");
        for (setting, value) in [("synchronous", 3), ("fullfsync", 1), ("trusted_schema", 0)] {
            let set: i64 =
                ledger.connection.query_row(&format!("PRAGMA {setting}"), [], |row| row.get(0)).expect("a setting");
            assert_eq!(set, value, "{setting}");
        }
    }
}
