//! The verbs of the account book: open, show, charge, record.
//!
//! A charge is on disk before its receipt exists; nothing is ever refunded, and nothing is granted from a book that
//! does not add up. It is separate from `book.rs` because a verb is a transaction around a book. Read `account.rs` for
//! who pays.

use crate::account::Account;
use crate::account_name::AccountName;
use crate::aside::{self, SetAside};
use crate::attendant::Attendant;
use crate::book::{Book, Ending, EntriesOf};
use crate::charge::Charge;
use crate::claim::{Claim, Hearing, Mismatch, PaidClaim};
use crate::entry::{Charged, Entry, Event, ReleaseOutcome};
use crate::error::LedgerError;
use crate::provenance::Provenance;
use crate::receipt::{Durability, Receipt, Slip, SpentReceipt};
use crate::refusal::ChargeRefusal;
use crate::repeat::{EarlierCharge, Repeat, Repetition};
use crate::signature::Authority;
use crate::similar;
use crate::store::postgres::PostgresStore;
use crate::store::postgres::setup::{self, SetUp, TeamRoles};
use crate::store::sqlite::SqliteStore;
use crate::store::{Pages, Store};
use crate::terms::{Guard, People, Terms};
use incrowd_definition::{CertificateHash, ChargeId, Moment};
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// An open account book. Many processes may have the same one open: each charge is alone while it is made.
pub struct Ledger {
    store: Box<dyn Store>,
    /// Said of every entry that is written from here.
    provenance: Provenance,
}

/// How many refused attempts the book keeps for one account: an officer sees them, and nobody fills a disk by them.
const MOST_REFUSED: u64 = 1000;

/// What a whole book was found to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// How many entries it has.
    pub entries: u64,
    /// The hash at the end of its chain.
    pub head: String,
    /// How many accounts it has.
    pub accounts: usize,
    /// The entries that loosened terms while their account had no key that signs, with their accounts.
    pub unsigned: Vec<(u64, AccountName)>,
    /// The entries that say that others were set aside.
    pub set_aside: Vec<u64>,
    /// The entries that are dated before an entry ahead of them: a clock ran backwards.
    pub backwards: Vec<u64>,
    /// The accounts that have no key that signs: whoever can write the book could have written any terms for them.
    pub unguarded: Vec<AccountName>,
    /// How many charges have bins of which the book has no definition, as those of its first version.
    pub undefined: u64,
    /// The accounts that have promised more than their terms allow now: those became stricter since, or somebody else
    /// than incrowd wrote charges.
    pub overdrawn: Vec<AccountName>,
    /// The charges of periods that had not begun when they are dated, or that are none, with their accounts.
    pub early: Vec<(u64, AccountName)>,
    /// The accounts whose names could be taken for those of others, each with the other.
    pub look_alikes: Vec<(String, String)>,
    /// The newest entry that is remembered elsewhere: what came after it is not vouched for.
    pub newest_remembered: Option<u64>,
}

/// A place in a chain that somebody outside the book remembers, such as a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// The number of the entry, if it is remembered.
    pub seq: Option<u64>,
    /// Its hash.
    pub hash: String,
}

/// An outcome that could not be written down, or not confirmed, and the spent receipt to try again with.
#[derive(Debug)]
pub struct Unrecorded {
    /// What entitles to record it.
    pub spent: SpentReceipt,
    /// Why it is not, or may not be, in the book.
    pub error: LedgerError,
}

impl From<Box<Unrecorded>> for LedgerError {
    fn from(unrecorded: Box<Unrecorded>) -> Self {
        unrecorded.error
    }
}

impl Ledger {
    fn of(store: Box<dyn Store>) -> Ledger {
        Ledger { store, provenance: Provenance::default() }
    }

    /// Returns the ledger at a path; makes it, with its directories, if there is none.
    pub fn open(path: &Path) -> Result<Ledger, LedgerError> {
        Ok(Ledger::of(Box::new(SqliteStore::open(path)?)))
    }

    /// Returns the ledger at a path, for reading only; refuses if there is none.
    pub fn open_existing(path: &Path) -> Result<Ledger, LedgerError> {
        Ok(Ledger::of(Box::new(SqliteStore::open_existing(path)?)))
    }

    /// Returns the ledger in a PostgreSQL database, by its address `postgres://user@host/database`; makes it if there
    /// is none.
    pub fn connect(address: &str) -> Result<Ledger, LedgerError> {
        Ok(Ledger::of(Box::new(PostgresStore::open(address)?)))
    }

    /// Returns the ledger in a PostgreSQL database, for reading only; refuses if there is none.
    pub fn connect_existing(address: &str) -> Result<Ledger, LedgerError> {
        Ok(Ledger::of(Box::new(PostgresStore::open_existing(address)?)))
    }

    /// Sets a ledger in a PostgreSQL database up for a team, and returns what was done; makes it if there is none. Only
    /// looks how it is set up where nothing shall be changed.
    pub fn set_up(address: &str, roles: &TeamRoles, change: bool) -> Result<SetUp, LedgerError> {
        setup::set_up(address, roles, change)
    }

    /// Returns the statements by which a database's administrator sets a new ledger up.
    pub fn set_up_script(roles: &TeamRoles) -> Result<String, LedgerError> {
        setup::script(roles)
    }

    /// Returns a ledger that is forgotten when it is dropped: for synthetic data and for tests.
    pub fn in_memory() -> Result<Ledger, LedgerError> {
        Ok(Ledger::of(Box::new(SqliteStore::in_memory()?)))
    }

    /// Waits this long for another process that is writing, instead of 30 seconds.
    pub fn wait_at_most(&mut self, patience: Duration) -> Result<(), LedgerError> {
        let waited = self.store.wait_at_most(patience);
        waited.map_err(|error| error.at(self.store.place()))
    }

    /// Has somebody wait with us for a server: who is told that it takes a while, and may ask to stop.
    pub fn attended_by(&mut self, attendant: Arc<dyn Attendant>) {
        self.store.attended_by(attendant);
    }

    /// Whether somebody on the way to the book could read along, because its address asks for it.
    pub fn is_in_the_clear(&self) -> bool {
        self.store.is_in_the_clear()
    }

    /// From here on entries say that this is who writes them.
    pub fn written_by(&mut self, provenance: Provenance) {
        self.provenance = provenance;
    }

    /// From here on charges say that they are for this table, and for this folder.
    pub fn charged_for(&mut self, table: &str, folder: &Path) {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        self.provenance.table = Some(table.to_string());
        self.provenance.folder = Some(folder.display().to_string());
    }

    /// Whether charges outlive the process.
    pub fn durability(&self) -> Durability {
        self.store.durability()
    }

    /// Opens an account on terms; refuses if there is one of that name.
    pub fn open_account(&mut self, name: &AccountName, terms: &Terms, now: Moment) -> Result<(), LedgerError> {
        terms.check()?;
        terms.check_key()?;
        let provenance = self.provenance.clone();
        self.write(EntriesOf::One(name), |pages, book| match book.account(name) {
            Some(_) => Err(LedgerError::AccountExists { account: name.clone() }),
            None => {
                may_be_new(name, book)?;
                book.append(pages, name, Event::Opened(terms.clone()), &provenance, now).map(drop)
            }
        })
    }

    /// Gives an account other terms; what it has spent stays spent.
    ///
    /// Terms that are looser in any respect need the signature of the key of the terms before them, if those have one,
    /// and the entry keeps it for every reader; accounts of version 0.1 need their secret. Whether people are the same
    /// from snapshot to snapshot is declared once: a budget that began to refill would refund what was spent.
    pub fn change_terms(
        &mut self,
        name: &AccountName,
        terms: &Terms,
        authority: Authority<'_>,
        now: Moment,
    ) -> Result<(), LedgerError> {
        terms.check()?;
        let provenance = Provenance { nonce: None, ..self.provenance.clone() };
        self.write(EntriesOf::One(name), |pages, book| {
            let Some(account) = book.account(name) else {
                return Err(LedgerError::NoSuchAccount { account: name.clone() });
            };
            if terms.guard != account.terms.guard {
                terms.check_key()?;
            }
            let refunds = terms.people != account.terms.people || !terms.splits.is_subset(&account.terms.splits);
            if refunds && account.charges() > 0 {
                return Err(LedgerError::PeopleDeclared { account: name.clone() });
            }
            let looser = terms.is_looser_than(&account.terms);
            let given = !matches!(authority, Authority::Nobody);
            let signature = match (&account.terms.guard, authority) {
                (Some(Guard::Signature(key)), Authority::Signature(signature)) => {
                    if !account.request(terms).is_signed(key, signature) {
                        return Err(LedgerError::NeedsSignature { account: name.clone(), key: key.short(), given });
                    }
                    Some(*signature)
                }
                (Some(Guard::Signature(key)), Authority::Nobody | Authority::Secret(_)) if looser => {
                    return Err(LedgerError::NeedsSignature { account: name.clone(), key: key.short(), given });
                }
                (Some(Guard::Secret(identity)), Authority::Secret(key)) if looser && key.identity() == *identity => {
                    None
                }
                (Some(Guard::Secret(_)), _) if looser => {
                    return Err(LedgerError::NeedsKey { account: name.clone(), given });
                }
                (Some(Guard::Signature(_) | Guard::Secret(_)) | None, _) => None,
            };
            book.append(pages, name, Event::TermsChanged { terms: terms.clone(), signature }, &provenance, now)
                .map(drop)
        })
    }

    /// Returns all accounts, by name.
    pub fn accounts(&self) -> Result<Vec<Account>, LedgerError> {
        self.read(|pages| Ok(Book::read(pages, EntriesOf::All)?.accounts().cloned().collect()))
    }

    /// Returns one account, if there is one of that name.
    pub fn account(&self, name: &AccountName) -> Result<Option<Account>, LedgerError> {
        self.read(|pages| Ok(Book::read(pages, EntriesOf::One(name))?.account(name).cloned()))
    }

    /// Returns the entries of one account, or of all of them, oldest first.
    pub fn history(&self, name: Option<&AccountName>) -> Result<Vec<Entry>, LedgerError> {
        let whose = name.map_or(EntriesOf::All, EntriesOf::One);
        self.read(|pages| {
            let mut entries = Vec::new();
            Book::read_with(pages, whose, &mut |entry| entries.push(entry.clone()))?;
            Ok(entries)
        })
    }

    /// Returns all accounts, by name, and all entries, oldest first, of one state of the book.
    pub fn everything(&self) -> Result<(Vec<Account>, Vec<Entry>), LedgerError> {
        self.read(|pages| {
            let mut entries = Vec::new();
            let book = Book::read_with(pages, EntriesOf::All, &mut |entry| entries.push(entry.clone()))?;
            Ok((book.accounts().cloned().collect(), entries))
        })
    }

    /// Returns the definitions of binnings that entries were charged for, by their hashes; those that the book has.
    pub fn definitions(&self, hashes: &[&str]) -> Result<Vec<Option<String>>, LedgerError> {
        self.read(|pages| hashes.iter().map(|hash| pages.definition(hash)).collect())
    }

    /// Verifies everything: the chain, every entry, every account and every definition.
    ///
    /// Refuses also a book in which a remembered place is not to be found: it was cut, put back from an older copy, or
    /// is another one.
    pub fn verify(&self, remembered: &[Remembered]) -> Result<Verified, LedgerError> {
        self.read(|pages| {
            let mut missing: Vec<&Remembered> = remembered.iter().collect();
            let mut newest_remembered = None;
            let book = Book::read_thoroughly(pages, &mut |line| {
                let before = missing.len();
                missing.retain(|place| place.hash != line.hash || place.seq.is_some_and(|seq| seq != line.seq));
                if missing.len() < before {
                    newest_remembered = Some(line.seq);
                }
            })?;
            if let Some(place) = missing.first() {
                return Err(LedgerError::NotInChain { hash: place.hash.clone(), entries: book.head().seq });
            }
            let head = book.head().clone();
            let undefined = book.accounts().map(Account::undefined).sum();
            let accounts = book.accounts().count();
            let mut unsigned: Vec<(u64, AccountName)> = book
                .accounts()
                .flat_map(|account| account.unsigned().iter().map(|seq| (*seq, account.name.clone())))
                .collect();
            unsigned.sort();
            let unguarded = book.accounts().filter(|account| !account.is_guarded());
            let unguarded = unguarded.map(|account| account.name.clone()).collect();
            let (entries, head, backwards) = (head.seq, head.hash, book.backwards().to_vec());
            let (set_aside, early) = (book.set_aside().to_vec(), book.early().to_vec());
            let overdrawn = book.accounts().filter(|account| account.is_overdrawn());
            let overdrawn = overdrawn.map(|account| account.name.clone()).collect();
            let look_alikes = book.look_alikes().into_iter();
            let look_alikes = look_alikes.map(|(one, other)| (one.to_string(), other.to_string())).collect();
            Ok(Verified {
                overdrawn,
                early,
                look_alikes,
                set_aside,
                entries,
                head,
                accounts,
                unsigned,
                unguarded,
                backwards,
                undefined,
                newest_remembered,
            })
        })
    }

    /// Makes an account pay for a release, durably; returns the proof, or why it does not pay.
    ///
    /// One transaction that excludes all others: the whole chain is verified, the account is added up, its terms are
    /// asked, and the charge is written and synced. A name without an account is opened first, without limits; the
    /// receipt says so.
    pub fn charge(&mut self, charge: &Charge, now: Moment) -> Result<Receipt, LedgerError> {
        self.pay(charge, Repetition::Meant, now)
    }

    /// Charges as [`charge`](Ledger::charge) does, but refuses a request that was delivered or is under way.
    ///
    /// It is asked in the transaction of the charge: of any number of processes that race for the same request, one
    /// pays.
    pub fn charge_once(&mut self, charge: &Charge, now: Moment) -> Result<Receipt, LedgerError> {
        self.pay(charge, Repetition::Refused, now)
    }

    /// Charges an account, unless the request was paid for before in a way that refuses another charge.
    pub fn pay(&mut self, charge: &Charge, repetition: Repetition, now: Moment) -> Result<Receipt, LedgerError> {
        charge.check()?;
        let (attempted, refused) = (RefCell::new(None), RefCell::new(None));
        let provenance = self.provenance.clone();
        let read = |pages: &mut dyn Pages| {
            let (book, search) = Book::read_searching(pages, &charge.account, &charge.plan_hash)?;
            match book.earlier(&charge.account, search).filter(|earlier| repetition.refuses(earlier.state)) {
                None => Ok(book),
                Some(earlier) => {
                    let (account, epsilon) = (charge.account.clone(), charge.epsilon.clone());
                    Err(Box::new(ChargeRefusal::Repeated(Repeat { account, earlier, epsilon })).into())
                }
            }
        };
        let written = self.write_after(read, |pages, book| {
            let opened = book.account(&charge.account).is_none();
            if opened {
                may_be_new(&charge.account, book)?;
                book.append(pages, &charge.account, Event::Opened(Terms::unlimited()), &provenance, now)?;
            }
            let Some(account) = book.account(&charge.account) else {
                return Err(LedgerError::NoSuchAccount { account: charge.account.clone() });
            };
            if !account.has_paid_for(&charge.snapshot) {
                let fault = |fault| LedgerError::Name { name: charge.snapshot.clone(), fault };
                similar::check(&charge.snapshot).map_err(fault)?;
            }
            let begun = |pages: &mut dyn Pages| has_begun(account, charge, pages.clock()?.unwrap_or(now));
            let after = match begun(pages).and_then(|()| Ok(account.would_pay(charge)?)) {
                Ok(after) => after,
                Err(LedgerError::Refused(refusal)) if !opened && account.refused < MOST_REFUSED => {
                    let event = Event::Refused(refusal.attempt(charge));
                    *refused.borrow_mut() = Some(refusal);
                    book.append(pages, &charge.account, event, &provenance, now)?;
                    return Ok(None);
                }
                Err(other) => return Err(other),
            };
            pages.put_definition(&charge.binning_hash(), &charge.binning)?;
            let head = book.append(pages, &charge.account, Event::Charged(Charged::of(charge)), &provenance, now)?;
            *attempted.borrow_mut() = Some(head.hash.clone());
            Ok(Some((head, opened, after)))
        });
        // A refusal is one also where it could not be written down.
        if let Some(refusal) = refused.into_inner() {
            return Err(LedgerError::Refused(refusal));
        }
        let written = written.map_err(|error| self.judged(error, attempted.into_inner()))?;
        let (head, opened_account, after) = written.ok_or_else(LedgerError::nothing_done)?;
        Ok(Receipt::new(Slip {
            account: charge.account.clone(),
            seq: head.seq,
            head: head.hash,
            plan_hash: charge.plan_hash.clone(),
            opened_account,
            after,
            durability: self.store.durability(),
        }))
    }

    /// Sets entries aside that no reader can read, with an entry that says so; only the owner of a book in a database
    /// can. Whatever among them can be read as paid is paid again.
    pub fn set_aside(&mut self, now: Moment) -> Result<SetAside, LedgerError> {
        let provenance = Provenance { nonce: None, ..self.provenance.clone() };
        let done = self.write_pages(|pages| aside::set_aside(pages, &provenance, now));
        done.map_err(|error| error.at(self.store.place()))
    }

    /// Returns the charge for a request that an account has paid: the last that was delivered, or else the last whose
    /// end the book does not know, or else the last that failed.
    pub fn earlier(&self, account: &AccountName, plan_hash: &str) -> Result<Option<EarlierCharge>, LedgerError> {
        self.read(|pages| {
            let (book, search) = Book::read_searching(pages, account, plan_hash)?;
            Ok(book.earlier(account, search))
        })
    }

    /// Writes down that a release was delivered, with this certificate. Nothing is refunded, however a release ended.
    ///
    /// What the book says already is not written again: whoever could not confirm it tries once more with the spent
    /// receipt that the error gives back.
    pub fn record_delivery(
        &mut self,
        spent: SpentReceipt,
        certificate: &CertificateHash,
        now: Moment,
    ) -> Result<(), Box<Unrecorded>> {
        self.record(spent, ReleaseOutcome::Delivered, Some(certificate), now)
    }

    /// Writes down that nothing came of a release. Nothing is refunded.
    pub fn record_failure(&mut self, spent: SpentReceipt, now: Moment) -> Result<(), Box<Unrecorded>> {
        self.record(spent, ReleaseOutcome::Failed, None, now)
    }

    fn record(
        &mut self,
        spent: SpentReceipt,
        outcome: ReleaseOutcome,
        certificate: Option<&CertificateHash>,
        now: Moment,
    ) -> Result<(), Box<Unrecorded>> {
        let charge_id = spent.charge_id().clone();
        let provenance = self.provenance.clone();
        let written =
            self.write(EntriesOf::One(spent.account()), |pages, book| match book.ending(spent.account(), &charge_id) {
                Ending::Unknown => Err(LedgerError::NoSuchCharge { charge_id: charge_id.clone() }),
                Ending::Known(known) => {
                    let same = known == outcome && recorded(pages, &charge_id)?.as_ref() == certificate;
                    if same { Ok(()) } else { Err(LedgerError::AlreadyEnded { charge_id: charge_id.clone() }) }
                }
                Ending::Pending => {
                    let certificate = certificate.cloned();
                    let ended = Event::Ended { charge_id: charge_id.clone(), outcome, certificate };
                    book.append(pages, spent.account(), ended, &provenance, now).map(drop)
                }
            });
        written.map_err(|error| Box::new(Unrecorded { spent, error }))
    }

    /// Returns what the verified book says about what certificates claim, in their order.
    pub fn claims(&self, claims: &[Claim]) -> Result<Vec<Result<PaidClaim, Mismatch>>, LedgerError> {
        if claims.is_empty() {
            return Ok(Vec::new());
        }
        self.read(|pages| {
            let mut hearing = Hearing::of(claims);
            Book::read_with(pages, EntriesOf::All, &mut |entry| hearing.show(entry))?;
            Ok(hearing.judged())
        })
    }

    /// Returns the error of a charge whose last step failed: whether it stands is looked up, and in doubt it does.
    fn judged(&mut self, error: LedgerError, attempted: Option<String>) -> LedgerError {
        match (error, attempted) {
            (LedgerError::Unconfirmed { path, trouble, .. }, Some(hash)) => {
                // Alone, so that a change that is still being made is waited for.
                let standing = self.write_pages(|pages| {
                    let mut found = false;
                    pages.lines(&mut |line| {
                        found |= line.hash == hash;
                        Ok(())
                    })?;
                    Ok(found)
                });
                match standing {
                    Ok(false) => LedgerError::Trouble { path, trouble },
                    Ok(true) | Err(_) => {
                        LedgerError::Unconfirmed { path, trouble, charge_id: Some(ChargeId::of_hash(&hash)) }
                    }
                }
            }
            (error, _) => error,
        }
    }

    /// Runs a change on the verified book, alone, and returns once it is durable; an error leaves nothing behind.
    fn write<T>(
        &mut self,
        whose: EntriesOf<'_>,
        change: impl Fn(&mut dyn Pages, &mut Book) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        self.write_after(|pages| Book::read(pages, whose), change)
    }

    /// Runs a change on a book that was read in the same transaction.
    fn write_after<T>(
        &mut self,
        read: impl Fn(&mut dyn Pages) -> Result<Book, LedgerError>,
        change: impl Fn(&mut dyn Pages, &mut Book) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        let mut done = None;
        let written = self.store.write(&mut |pages| {
            let mut book = read(pages)?;
            done = Some(change(pages, &mut book)?);
            Ok(())
        });
        written.map_err(|error| error.at(self.store.place()))?;
        done.ok_or_else(LedgerError::nothing_done)
    }

    /// Runs something on the pages while nobody else changes anything.
    fn write_pages<T>(&mut self, look: impl Fn(&mut dyn Pages) -> Result<T, LedgerError>) -> Result<T, LedgerError> {
        let mut seen = None;
        self.store.write(&mut |pages| {
            seen = Some(look(pages)?);
            Ok(())
        })?;
        seen.ok_or_else(LedgerError::nothing_done)
    }

    /// Runs a look at one state of the book.
    fn read<T>(&self, look: impl Fn(&mut dyn Pages) -> Result<T, LedgerError>) -> Result<T, LedgerError> {
        let mut seen = None;
        let read = self.store.read(&mut |pages| {
            seen = Some(look(pages)?);
            Ok(())
        });
        read.map_err(|error| error.at(self.store.place()))?;
        seen.ok_or_else(LedgerError::nothing_done)
    }
}

/// Refuses a new account whose name is not seen as it is, or could be taken for that of another one.
fn may_be_new(name: &AccountName, book: &Book) -> Result<(), LedgerError> {
    if let Some(existing) = book.similar(name) {
        return Err(LedgerError::SimilarAccount { account: name.clone(), existing: existing.to_string() });
    }
    similar::check(name.as_str()).map_err(|fault| LedgerError::Name { name: name.as_str().to_string(), fault })
}

/// Refuses a charge for a period that has not begun anywhere.
fn has_begun(account: &Account, charge: &Charge, now: Moment) -> Result<(), LedgerError> {
    let People::DisjointPerPeriod(period) = account.terms.people else { return Ok(()) };
    match period.begins(&charge.snapshot).filter(|begins| *begins > now && period.is_named_by(&charge.snapshot)) {
        None => Ok(()),
        Some(_) => {
            let (account, snapshot) = (account.name.clone(), charge.snapshot.clone());
            Err(Box::new(ChargeRefusal::PeriodNotBegun { account, period, snapshot, now }).into())
        }
    }
}

/// Returns the certificate that the book has for a charge that ended.
fn recorded(pages: &mut dyn Pages, charge_id: &ChargeId) -> Result<Option<CertificateHash>, LedgerError> {
    let mut found = None;
    pages.lines(&mut |line| {
        if line.kind == "outcome" && line.charge_id == Some(charge_id.as_str()) {
            found = line.certificate_hash.and_then(CertificateHash::read);
        }
        Ok(())
    })?;
    Ok(found)
}
