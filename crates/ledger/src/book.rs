//! The book, read from its first entry to its last and verified on the way.
//!
//! It must never hand out a sum of entries that it has not verified: the whole chain always, and of the accounts that
//! are asked for each entry's form, the order of events, and the table of accounts, which only repeats what the entries
//! say. It is separate from the verbs because each of them starts with it. Read `ledger.rs` next.

use crate::account::{Account, TermsOrigin};
use crate::account_name::AccountName;
use crate::damage::{DamagedPart, Fault};
use crate::entry::{Entry, Event, ReleaseOutcome};
use crate::error::LedgerError;
use crate::line::{Draft, Head, Line};
use crate::provenance::Provenance;
use crate::repeat::{EarlierCharge, EarlierState, Search};
use crate::signature::TermsSignature;
use crate::similar::{are_similar, look_alikes};
use crate::store::{AccountLine, Pages};
use crate::tally::Tally;
use crate::terms::{Guard, People, Terms};
use incrowd_definition::{Binning, ChargeId, Moment, sha256};
use incrowd_exact::rational_text;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// What the entries add up to.
pub(crate) struct Book {
    accounts: BTreeMap<AccountName, Folio>,
    /// The names of all accounts, added up or not.
    opened: BTreeSet<String>,
    head: Head,
    last_time: String,
    last_account: Option<AccountName>,
    /// The latest time of any entry before, and the entries that are dated before it.
    latest: String,
    backwards: Vec<u64>,
    /// The entries that say that others were set aside.
    set_aside: Vec<u64>,
    /// The charges of periods that had not begun, or that are none.
    early: Vec<(u64, AccountName)>,
    /// Texts of who wrote entries that were read before: most entries repeat one.
    read_details: HashSet<String>,
}

/// Most of these texts that are kept.
const MOST_DETAILS: usize = 10_000;

/// The pages of one account.
struct Folio {
    account: Account,
    /// How each charge ended, if it did, by the number that its name is.
    endings: HashMap<u128, Option<ReleaseOutcome>>,
}

/// Whose entries are added up. The chain is verified through all of them.
#[derive(Clone, Copy)]
pub(crate) enum EntriesOf<'a> {
    /// Everybody's.
    All,
    /// Those of one account.
    One(&'a AccountName),
}

/// What the book knows of a charge.
pub(crate) enum Ending {
    /// There is no such charge.
    Unknown,
    /// The release has not ended.
    Pending,
    /// The release has ended so.
    Known(ReleaseOutcome),
}

impl Book {
    /// Returns the verified book. Runs inside a transaction, so that it is one state of the store.
    pub fn read(pages: &mut dyn Pages, whose: EntriesOf<'_>) -> Result<Book, LedgerError> {
        Book::read_lines(pages, whose, &mut |book, line| book.note_line(line))
    }

    /// Returns the verified book and shows every entry that is added up.
    pub fn read_with(
        pages: &mut dyn Pages,
        whose: EntriesOf<'_>,
        show: &mut dyn FnMut(&Entry),
    ) -> Result<Book, LedgerError> {
        Book::read_lines(pages, whose, &mut |book, line| {
            let entry = line.entry()?;
            book.note(&entry)?;
            show(&entry);
            Ok(())
        })
    }

    /// Returns the verified book of which every text of every entry was read, and shows every line.
    pub fn read_thoroughly(pages: &mut dyn Pages, show: &mut dyn FnMut(&Line<'_>)) -> Result<Book, LedgerError> {
        Book::read_lines(pages, EntriesOf::All, &mut |book, line| {
            book.note_line(line)?;
            book.read_details(line)?;
            show(line);
            Ok(())
        })
    }

    /// Returns the verified book of one account, and the charges in it for one request.
    pub fn read_searching<'a>(
        pages: &mut dyn Pages,
        account: &AccountName,
        plan_hash: &'a str,
    ) -> Result<(Book, Search<'a>), LedgerError> {
        let mut search = Search::of(plan_hash);
        let book = Book::read_lines(pages, EntriesOf::One(account), &mut |book, line| {
            book.note_line(line)?;
            search.show(line)
        })?;
        Ok((book, search))
    }

    /// Returns what the entries alone add up to, whatever stands beside them: for their owner, who mends the rest.
    pub fn read_entries_alone(pages: &mut dyn Pages) -> Result<Book, LedgerError> {
        let mut book = Book::empty();
        book.read_entries(pages, EntriesOf::All, &mut |book, line| book.note_line(line))?;
        Ok(book)
    }

    fn read_lines(
        pages: &mut dyn Pages,
        whose: EntriesOf<'_>,
        note: &mut dyn FnMut(&mut Book, &Line<'_>) -> Result<(), Fault>,
    ) -> Result<Book, LedgerError> {
        let mut book = Book::empty();
        book.read_entries(pages, whose, note)?;
        book.check_end(pages)?;
        book.check_accounts(pages, whose)?;
        book.read_definitions(pages)?;
        Ok(book)
    }

    fn empty() -> Book {
        Book {
            accounts: BTreeMap::new(),
            opened: BTreeSet::new(),
            head: Head::genesis(),
            last_time: String::new(),
            last_account: None,
            latest: String::new(),
            backwards: Vec::new(),
            set_aside: Vec::new(),
            early: Vec::new(),
            read_details: HashSet::new(),
        }
    }

    fn read_entries(
        &mut self,
        pages: &mut dyn Pages,
        whose: EntriesOf<'_>,
        note: &mut dyn FnMut(&mut Book, &Line<'_>) -> Result<(), Fault>,
    ) -> Result<(), LedgerError> {
        let mut scratch = Vec::new();
        pages.lines(&mut |line| {
            let seq = self.head.seq + 1;
            let damaged = |fault| LedgerError::damaged(DamagedPart::Entry(seq), fault);
            line.check(&self.head, &mut scratch).map_err(damaged)?;
            self.head.seq = seq;
            self.head.hash.clear();
            self.head.hash.push_str(line.hash);
            // Every moment is written with as many digits.
            match line.time.cmp(self.latest.as_str()) {
                Ordering::Greater => line.time.clone_into(&mut self.latest),
                Ordering::Less => self.backwards.push(seq),
                Ordering::Equal => {}
            }
            self.open(line.account, line.kind).map_err(damaged)?;
            if let EntriesOf::One(name) = whose
                && name.as_str() != line.account
            {
                return Ok(());
            }
            note(self, line).map_err(damaged)
        })
    }

    /// The accounts that were asked for, by name.
    pub fn accounts(&self) -> impl Iterator<Item = &Account> {
        self.accounts.values().map(|folio| &folio.account)
    }

    /// The account of this name.
    pub fn account(&self, name: &AccountName) -> Option<&Account> {
        self.accounts.get(name).map(|folio| &folio.account)
    }

    /// The entries that are dated before an entry ahead of them.
    pub fn backwards(&self) -> &[u64] {
        &self.backwards
    }

    /// The entries that say that others were set aside.
    pub fn set_aside(&self) -> &[u64] {
        &self.set_aside
    }

    /// The charges of periods that had not begun when they are dated, or that are none.
    pub fn early(&self) -> &[(u64, AccountName)] {
        &self.early
    }

    /// The accounts whose names could be taken for those of others, each with the other.
    pub fn look_alikes(&self) -> Vec<(&str, &str)> {
        look_alikes(self.opened.iter().map(String::as_str))
    }

    /// The account that this name could be taken for, if it is not open itself.
    pub fn similar(&self, name: &AccountName) -> Option<&str> {
        let other = self.opened.iter().find(|other| are_similar(other, name.as_str()));
        other.map(String::as_str).filter(|_| !self.opened.contains(name.as_str()))
    }

    /// The end of the chain.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// What is known of a charge to an account.
    pub fn ending(&self, account: &AccountName, charge_id: &ChargeId) -> Ending {
        match self.accounts.get(account).and_then(|folio| folio.endings.get(&charge_id.number())) {
            None => Ending::Unknown,
            Some(None) => Ending::Pending,
            Some(Some(outcome)) => Ending::Known(*outcome),
        }
    }

    /// Whether the account has paid for this, and nobody knows how it ended.
    pub fn is_pending(&self, account: &AccountName, charge_id: &ChargeId) -> bool {
        matches!(self.ending(account, charge_id), Ending::Pending)
    }

    /// The charge of an account that stands for the request that was searched for.
    pub fn earlier(&self, account: &AccountName, search: Search<'_>) -> Option<EarlierCharge> {
        search.judged(|charge_id| match self.ending(account, charge_id) {
            Ending::Known(ReleaseOutcome::Delivered) => Some(EarlierState::Delivered),
            Ending::Pending => Some(EarlierState::UnderWay),
            Ending::Known(ReleaseOutcome::Failed) => Some(EarlierState::Failed),
            Ending::Unknown => None,
        })
    }

    /// Writes that something happened: the entry, the account's row if its terms are new, and the sums. Returns the new
    /// head.
    pub fn append(
        &mut self,
        pages: &mut dyn Pages,
        account: &AccountName,
        event: Event,
        provenance: &Provenance,
        now: Moment,
    ) -> Result<Head, LedgerError> {
        let draft = Draft::after(&self.head, account, &event, provenance, now);
        let line = draft.line();
        pages.append(&line)?;
        // What is written is judged as what is read: an impossible event never gets as far as a commit.
        let damaged = |fault| LedgerError::damaged(DamagedPart::Entry(line.seq), fault);
        line.check(&self.head, &mut Vec::new()).map_err(damaged)?;
        self.open(line.account, line.kind).map_err(damaged)?;
        let entry = line.entry().map_err(damaged)?;
        self.note(&entry).map_err(damaged)?;
        match &entry.event {
            Event::Opened(_) | Event::TermsChanged { .. } => {
                if let Some(account) = self.account(account) {
                    pages.put_account(&account_line(account))?;
                }
            }
            Event::Charged(_) | Event::Ended { .. } | Event::Refused(_) | Event::SetAside(_) => {}
        }
        self.head = Head { seq: entry.seq, hash: entry.hash };
        Ok(self.head.clone())
    }

    /// Notes that an account was opened, or says why an entry of it cannot have been made.
    fn open(&mut self, account: &str, kind: &str) -> Result<(), Fault> {
        match (kind, self.opened.contains(account)) {
            ("open", false) => {
                AccountName::new(account).map_err(|_| Fault::Unreadable)?;
                self.opened.insert(account.to_string());
                Ok(())
            }
            ("charge" | "outcome" | "policy" | "refused" | "aside", true) => Ok(()),
            ("open" | "charge" | "outcome" | "policy" | "refused" | "aside", _) => match AccountName::new(account) {
                Ok(_) => Err(Fault::Impossible),
                Err(_) => Err(Fault::Unreadable),
            },
            _ => Err(Fault::Unreadable),
        }
    }

    /// Refuses a line whose word on who wrote it is not as the ledger writes it.
    fn read_details(&mut self, line: &Line<'_>) -> Result<(), Fault> {
        let Some(text) = line.details.filter(|text| !self.read_details.contains(*text)) else { return Ok(()) };
        Provenance::read(text).ok_or(Fault::Unreadable)?;
        if self.read_details.len() < MOST_DETAILS {
            self.read_details.insert(text.to_string());
        }
        Ok(())
    }

    /// Adds a line up as [`note`](Book::note) would its entry, without making one where that is the same.
    fn note_line(&mut self, line: &Line<'_>) -> Result<(), Fault> {
        if line.kind != "charge" && line.kind != "outcome" {
            return self.note(&line.entry()?);
        }
        if self.last_time != line.time {
            Moment::read(line.time).ok_or(Fault::Unreadable)?;
            self.last_time = line.time.to_string();
        }
        // Lines of one account come one after the other more often than not.
        let same = self.last_account.as_ref().is_some_and(|name| name.as_str() == line.account);
        if !same {
            self.last_account = Some(AccountName::new(line.account).map_err(|_| Fault::Unreadable)?);
        }
        let folio = self.last_account.as_ref().and_then(|name| self.accounts.get_mut(name)).ok_or(Fault::Impossible)?;
        let number = line.charge_id.and_then(ChargeId::number_of).ok_or(Fault::Unreadable)?;
        if line.kind == "charge" {
            folio.account.tally.add_line(line)?;
            folio.endings.insert(number, None);
            if let (People::DisjointPerPeriod(_), Some(snapshot)) = (folio.account.terms.people, line.snapshot) {
                let time = Moment::read(line.time).ok_or(Fault::Unreadable)?;
                if folio.account.is_early(snapshot, time) {
                    self.early.push((line.seq, folio.account.name.clone()));
                }
            }
            return Ok(());
        }
        let (outcome, _) = line.ending().filter(|_| !line.has_surplus()).ok_or(Fault::Unreadable)?;
        match folio.endings.get_mut(&number) {
            Some(ending @ None) => *ending = Some(outcome),
            Some(Some(_)) | None => return Err(Fault::Impossible),
        }
        Ok(())
    }

    /// Adds an entry up, or says why it cannot have happened.
    fn note(&mut self, entry: &Entry) -> Result<(), Fault> {
        match (&entry.event, self.accounts.get_mut(&entry.account)) {
            (Event::Opened(terms), None) => {
                let account = Account {
                    name: entry.account.clone(),
                    created: entry.time,
                    terms: terms.clone(),
                    tally: Tally::default(),
                    refused: 0,
                    origin: TermsOrigin { opened: entry.hash.clone(), last: entry.hash.clone(), unsigned: Vec::new() },
                };
                self.accounts.insert(entry.account.clone(), Folio { account, endings: HashMap::new() });
            }
            (Event::TermsChanged { terms, signature }, Some(folio)) => {
                folio.change(entry, terms, signature.as_ref())?
            }
            (Event::Charged(charged), Some(folio)) => {
                folio.account.tally.add(charged);
                if folio.account.is_early(&charged.snapshot, entry.time) {
                    self.early.push((entry.seq, entry.account.clone()));
                }
                folio.endings.insert(ChargeId::of_hash(&entry.hash).number(), None);
            }
            (Event::Ended { charge_id, outcome, .. }, Some(folio)) => {
                match folio.endings.get_mut(&charge_id.number()) {
                    Some(ending @ None) => *ending = Some(*outcome),
                    Some(Some(_)) | None => return Err(Fault::Impossible),
                }
            }
            (Event::Refused(_), Some(folio)) => folio.account.refused += 1,
            (Event::SetAside(_), Some(_)) => self.set_aside.push(entry.seq),
            (Event::Opened(_), Some(_))
            | (
                Event::TermsChanged { .. }
                | Event::Charged(_)
                | Event::Ended { .. }
                | Event::Refused(_)
                | Event::SetAside(_),
                None,
            ) => {
                return Err(Fault::Impossible);
            }
        }
        Ok(())
    }

    /// Reads what the binnings of the accounts are; a text that is not what its hash says is damage.
    fn read_definitions(&mut self, pages: &mut dyn Pages) -> Result<(), LedgerError> {
        let mut known: HashMap<String, Option<Arc<Binning>>> = HashMap::new();
        for folio in self.accounts.values_mut() {
            let tally = &mut folio.account.tally;
            let hashes: Vec<String> = tally.binning_hashes().into_iter().map(str::to_string).collect();
            for hash in hashes {
                if !known.contains_key(&hash) {
                    let text = pages.definition(&hash)?;
                    if text.as_ref().is_some_and(|text| sha256(text.as_bytes()) != hash) {
                        return Err(LedgerError::damaged(DamagedPart::Definitions, Fault::Changed));
                    }
                    known.insert(hash.clone(), text.and_then(|text| Binning::read(&text)).map(Arc::new));
                }
                if let Some(Some(binning)) = known.get(&hash) {
                    tally.define(&hash, Arc::clone(binning));
                }
            }
        }
        Ok(())
    }

    /// Refuses a book whose last entries were taken away: stores remember the highest number that was ever given.
    fn check_end(&self, pages: &mut dyn Pages) -> Result<(), LedgerError> {
        if pages.highest()? == Some(self.head.seq) {
            return Ok(());
        }
        Err(LedgerError::damaged(DamagedPart::Entry(self.head.seq + 1), Fault::Missing))
    }

    /// Refuses a table of accounts that does not repeat what the entries say.
    fn check_accounts(&self, pages: &mut dyn Pages, whose: EntriesOf<'_>) -> Result<(), LedgerError> {
        let asked = |line: &AccountLine| match whose {
            EntriesOf::All => true,
            EntriesOf::One(name) => name.as_str() == line.name,
        };
        let mut rows = pages.accounts()?;
        rows.sort_by(|one, other| one.name.cmp(&other.name));
        let all = rows.iter().map(|row| &row.name).eq(&self.opened);
        rows.retain(asked);
        if all && rows.iter().eq(self.accounts().map(account_line).collect::<Vec<_>>().iter()) {
            return Ok(());
        }
        Err(LedgerError::damaged(DamagedPart::Accounts, Fault::Contradiction))
    }
}

impl Folio {
    /// Gives the account the terms of an entry, if nothing became looser or the key of the account has signed it.
    fn change(&mut self, entry: &Entry, terms: &Terms, signature: Option<&TermsSignature>) -> Result<(), Fault> {
        let account = &mut self.account;
        match (&account.terms.guard, signature) {
            (Some(Guard::Signature(key)), Some(signature)) => {
                if !account.request(terms).is_signed(key, signature) {
                    return Err(Fault::Unsigned);
                }
            }
            (Some(Guard::Signature(_)), None) if terms.is_looser_than(&account.terms) => return Err(Fault::Unsigned),
            (Some(Guard::Signature(_)), None) => {}
            // Nobody could say whose it is.
            (Some(Guard::Secret(_)) | None, Some(_)) => return Err(Fault::Unreadable),
            (Some(Guard::Secret(_)) | None, None) => {
                if terms.is_looser_than(&account.terms) {
                    account.origin.unsigned.push(entry.seq);
                }
            }
        }
        account.terms = terms.clone();
        account.origin.last = entry.hash.clone();
        Ok(())
    }
}

/// The row of the table of accounts.
pub(crate) fn account_line(account: &Account) -> AccountLine {
    AccountLine {
        name: account.name.as_str().to_string(),
        created: account.created.to_string(),
        epsilon: account.terms.epsilon.as_ref().map(rational_text),
        delta: account.terms.delta.as_ref().map(rational_text),
        policy: account.terms.policy_text(),
    }
}
