//! The whole book, read from its first entry to its last and verified on the way.
//!
//! It must never hand out a sum of entries that it has not verified: the chain, each entry's form, the order of events, and
//! the table of accounts, which only repeats what the entries say. It is separate from the verbs because each of them starts
//! with it. Read `ledger.rs` next.

use crate::account::{Account, AccountName, Spent};
use crate::damage::{Fault, Part};
use crate::entry::{Entry, Event, Outcome};
use crate::error::LedgerError;
use crate::moment::Moment;
use crate::receipt::ChargeId;
use crate::row::{Head, Row, SELECT};
use crate::terms::Terms;
use incrowd_exact::rational_text;
use incrowd_privacy::Epsilon;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, named_params};
use std::collections::BTreeMap;

/// What the entries add up to.
pub(crate) struct Book {
    accounts: BTreeMap<AccountName, Folio>,
    head: Head,
}

/// The pages of one account.
struct Folio {
    account: Account,
    /// How each charge ended, if it did.
    endings: BTreeMap<ChargeId, Option<Outcome>>,
}

/// What the book knows of a charge.
pub(crate) enum Ending {
    /// There is no such charge.
    Unknown,
    /// The release has not ended.
    Pending,
    /// The release has ended.
    Known,
}

impl Book {
    /// Returns the verified book. Runs inside a transaction, so that it is one state of the file.
    pub fn read(connection: &Connection) -> Result<Book, LedgerError> {
        Book::read_with(connection, |_| {})
    }

    /// Returns the verified book and shows every entry on the way.
    pub fn read_with(connection: &Connection, mut show: impl FnMut(Entry)) -> Result<Book, LedgerError> {
        let mut book = Book { accounts: BTreeMap::new(), head: Head::genesis() };
        let mut statement = connection.prepare(SELECT)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let seq = book.head.seq + 1;
            let damaged = |fault| LedgerError::damaged(Part::Entry(seq), fault);
            let entry = Row::read(row, seq)?.verify(&book.head).map_err(damaged)?;
            book.head = Head { seq, hash: entry.hash.clone() };
            book.note(&entry).map_err(damaged)?;
            show(entry);
        }
        book.check_end(connection)?;
        book.check_accounts(connection)?;
        Ok(book)
    }

    /// All accounts, by name.
    pub fn accounts(&self) -> impl Iterator<Item = &Account> {
        self.accounts.values().map(|folio| &folio.account)
    }

    /// The account of this name.
    pub fn account(&self, name: &AccountName) -> Option<&Account> {
        self.accounts.get(name).map(|folio| &folio.account)
    }

    /// What is known of a charge to an account.
    pub fn ending(&self, account: &AccountName, charge_id: &ChargeId) -> Ending {
        match self.accounts.get(account).and_then(|folio| folio.endings.get(charge_id)) {
            None => Ending::Unknown,
            Some(None) => Ending::Pending,
            Some(Some(Outcome::Delivered | Outcome::Failed)) => Ending::Known,
        }
    }

    /// Writes that something happened: the entry, the account's row if its terms are new, and the sums. Returns the new head.
    pub fn append(
        &mut self,
        connection: &Connection,
        account: &AccountName,
        event: Event,
        now: Moment,
    ) -> Result<Head, LedgerError> {
        let row = Row::after(&self.head, account, &event, now);
        row.insert(connection)?;
        // What is written is judged as what is read: an impossible event never gets as far as a commit.
        let damaged = |fault| LedgerError::damaged(Part::Entry(self.head.seq + 1), fault);
        let entry = row.verify(&self.head).map_err(damaged)?;
        self.note(&entry).map_err(|fault| LedgerError::damaged(Part::Entry(entry.seq), fault))?;
        match &entry.event {
            Event::Opened(terms) => write_account(connection, INSERT_ACCOUNT, account, terms, now)?,
            Event::TermsChanged(terms) => {
                let created = self.account(account).map_or(now, |account| account.created);
                write_account(connection, UPDATE_ACCOUNT, account, terms, created)?;
            }
            Event::Charged(_) | Event::Ended { .. } => {}
        }
        self.head = Head { seq: entry.seq, hash: entry.hash };
        Ok(self.head.clone())
    }

    /// Adds an entry up, or says why it cannot have happened.
    fn note(&mut self, entry: &Entry) -> Result<(), Fault> {
        match (&entry.event, self.accounts.get_mut(&entry.account)) {
            (Event::Opened(terms), None) => {
                let account = Account {
                    name: entry.account.clone(),
                    created: entry.time,
                    terms: terms.clone(),
                    spent: Spent::NOTHING,
                    charges: 0,
                    unbounded_binning: None,
                };
                self.accounts.insert(entry.account.clone(), Folio { account, endings: BTreeMap::new() });
            }
            (Event::TermsChanged(terms), Some(folio)) => folio.account.terms = terms.clone(),
            (Event::Charged(charged), Some(folio)) => {
                folio.account.spent.add(&charged.epsilon, &charged.delta);
                folio.account.charges += 1;
                if charged.epsilon == Epsilon::Infinite {
                    folio.account.unbounded_binning.get_or_insert_with(|| charged.binning_hash.clone());
                }
                folio.endings.insert(ChargeId::of_hash(&entry.hash), None);
            }
            (Event::Ended { charge_id, outcome }, Some(folio)) => match folio.endings.get_mut(charge_id) {
                Some(ending @ None) => *ending = Some(*outcome),
                Some(Some(_)) | None => return Err(Fault::Impossible),
            },
            (Event::Opened(_), Some(_)) | (Event::TermsChanged(_) | Event::Charged(_) | Event::Ended { .. }, None) => {
                return Err(Fault::Impossible);
            }
        }
        Ok(())
    }

    /// Refuses a book whose last entries were taken away: SQLite remembers the highest number that was ever given.
    fn check_end(&self, connection: &Connection) -> Result<(), LedgerError> {
        let missing = LedgerError::damaged(Part::Entry(self.head.seq + 1), Fault::Missing);
        let mut statement = connection.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'entry'")?;
        let mut rows = statement.query([])?;
        let highest = match rows.next()? {
            None => 0,
            Some(row) => match row.get_ref(0)? {
                ValueRef::Integer(seq) => u64::try_from(seq).map_err(|_| missing.clone())?,
                ValueRef::Null | ValueRef::Text(_) | ValueRef::Real(_) | ValueRef::Blob(_) => return Err(missing),
            },
        };
        if highest == self.head.seq { Ok(()) } else { Err(missing) }
    }

    /// Refuses a table of accounts that does not repeat what the entries say.
    fn check_accounts(&self, connection: &Connection) -> Result<(), LedgerError> {
        let contradiction = || LedgerError::damaged(Part::Accounts, Fault::Contradiction);
        let rows: i64 = connection.query_row("SELECT count(*) FROM account", [], |row| row.get(0))?;
        if usize::try_from(rows) != Ok(self.accounts.len()) {
            return Err(contradiction());
        }
        let mut statement = connection.prepare(MATCH_ACCOUNT)?;
        for account in self.accounts() {
            let agrees = statement
                .query_row(
                    named_params! {
                        ":name": account.name.as_str(),
                        ":created": account.created.to_string(),
                        ":epsilon": account.terms.epsilon.as_ref().map(rational_text),
                        ":delta": account.terms.delta.as_ref().map(rational_text),
                        ":policy": account.terms.policy_text(),
                    },
                    |_| Ok(()),
                )
                .optional()?;
            agrees.ok_or_else(contradiction)?;
        }
        Ok(())
    }
}

const MATCH_ACCOUNT: &str = "SELECT 1 FROM account WHERE name = :name AND created = :created AND epsilon IS :epsilon \
    AND delta IS :delta AND policy = :policy";

const INSERT_ACCOUNT: &str = "INSERT INTO account (name, created, epsilon, delta, policy) \
    VALUES (:name, :created, :epsilon, :delta, :policy)";

const UPDATE_ACCOUNT: &str = "UPDATE account SET epsilon = :epsilon, delta = :delta, policy = :policy \
    WHERE name = :name AND created = :created";

fn write_account(
    connection: &Connection,
    sql: &str,
    name: &AccountName,
    terms: &Terms,
    created: Moment,
) -> Result<(), LedgerError> {
    connection.execute(
        sql,
        named_params! {
            ":name": name.as_str(),
            ":created": created.to_string(),
            ":epsilon": terms.epsilon.as_ref().map(rational_text),
            ":delta": terms.delta.as_ref().map(rational_text),
            ":policy": terms.policy_text(),
        },
    )?;
    Ok(())
}
