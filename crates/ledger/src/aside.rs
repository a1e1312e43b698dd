//! Entries that no reader can read are set aside by the owner of the book, with an entry that says so.
//!
//! It must never give budget back: whatever among the rows can be read as paid is paid again, at the end of the chain.
//! It is separate because it is the one change that begins with a book that is not whole. Read `book.rs` for what a
//! whole one is.

use crate::account_name::AccountName;
use crate::book::{Book, EntriesOf, account_line};
use crate::damage::DamagedPart;
use crate::entry::{Entry, Event, SetAsideRows};
use crate::error::{LedgerError, Trouble};
use crate::line::{COLUMNS, Line};
use crate::provenance::Provenance;
use crate::store::Pages;
use incrowd_definition::{ChargeId, Moment, sha256};
use serde_json::Value;
use std::collections::HashMap;

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// What was damaged.
    pub part: DamagedPart,
    /// The entry that says so; nothing where only the table of accounts or a definition was not what it should be.
    pub entry: Option<u64>,
    /// How many rows were set aside.
    pub rows: u64,
    /// How many charges among them were paid again, however readable they were.
    pub paid_again: u64,
    /// How many other entries were written again: openings, endings, stricter terms, refused attempts.
    pub written_again: u64,
    /// How many changes of terms have to be signed and made again.
    pub terms_lost: u64,
    /// How many rows say nothing that can be read.
    pub unread: u64,
}

/// Sets the first damage and everything behind it aside, and writes again what can be.
pub(crate) fn set_aside(pages: &mut dyn Pages, by: &Provenance, now: Moment) -> Result<SetAside, LedgerError> {
    let (part, fault) = match Book::read(pages, EntriesOf::All) {
        Ok(_) => return Err(trouble(Trouble::NothingDamaged)),
        Err(LedgerError::Damaged { part, fault, .. }) => (part, fault),
        Err(other) => return Err(other),
    };
    let from = match part {
        // Entries that the book does not count stand behind its end.
        DamagedPart::Entry(seq) => seq.min(pages.highest()?.unwrap_or(0) + 1),
        DamagedPart::Accounts | DamagedPart::Definitions => pages.highest()?.unwrap_or(0) + 1,
        DamagedPart::File => return Err(LedgerError::damaged(part, fault)),
    };
    let rows = pages.rows_from(from)?;
    if rows.is_empty() && matches!(part, DamagedPart::Entry(_)) {
        // Entries were taken away: there is nothing to set aside.
        return Err(LedgerError::damaged(part, fault));
    }
    pages.move_aside(from)?;
    let mut book = Book::read_entries_alone(pages)?;
    for account in book.accounts() {
        pages.put_account(&account_line(account))?;
    }
    let mut done = SetAside { part, entry: None, rows: 0, paid_again: 0, written_again: 0, terms_lost: 0, unread: 0 };
    if !rows.is_empty() {
        let named = rows.iter().filter_map(|row| AccountName::new(row.get(1)?.as_deref()?).ok());
        let account = { named }.find(|name| book.account(name).is_some());
        let account = account.or_else(|| book.accounts().next().map(|account| account.name.clone()));
        let account = account.ok_or_else(|| trouble(Trouble::NothingBefore))?;
        done.rows = rows.len() as u64;
        let texts: Vec<Value> = rows.iter().map(|row| row.clone().into()).collect();
        let digest = sha256(Value::from(texts).to_string().as_bytes());
        let event = Event::SetAside(SetAsideRows { rows: done.rows, fault: fault.word().into(), digest });
        done.entry = Some(book.append(pages, &account, event, by, now)?.seq);
        write_again(&rows, &mut book, pages, now, &mut done)?;
    }
    Book::read(pages, EntriesOf::All)?;
    Ok(done)
}

/// Writes what the rows say behind the end of the book, as far as it can have happened.
fn write_again(
    rows: &[Vec<Option<String>>],
    book: &mut Book,
    pages: &mut dyn Pages,
    now: Moment,
    done: &mut SetAside,
) -> Result<(), LedgerError> {
    let mut names: HashMap<ChargeId, ChargeId> = HashMap::new();
    for row in rows {
        let Some(entry) = entry_of(row) else {
            done.unread += 1;
            continue;
        };
        let account = book.account(&entry.account);
        let event = match (entry.event.clone(), account) {
            (Event::Opened(terms), None) => Event::Opened(terms),
            (Event::Charged(charged), Some(_)) => Event::Charged(charged),
            (Event::Ended { charge_id, outcome, certificate }, Some(_)) => {
                let charge_id = names.get(&charge_id).cloned().unwrap_or(charge_id);
                if !book.is_pending(&entry.account, &charge_id) {
                    done.unread += 1;
                    continue;
                }
                Event::Ended { charge_id, outcome, certificate }
            }
            (Event::TermsChanged { terms, .. }, Some(account)) => {
                if terms.is_looser_than(&account.terms) {
                    done.terms_lost += 1;
                    continue;
                }
                Event::TermsChanged { terms, signature: None }
            }
            (event @ (Event::Refused(_) | Event::SetAside(_)), Some(_)) => event,
            (Event::Opened(_), Some(_))
            | (
                Event::Charged(_)
                | Event::Ended { .. }
                | Event::TermsChanged { .. }
                | Event::Refused(_)
                | Event::SetAside(_),
                None,
            ) => {
                done.unread += 1;
                continue;
            }
        };
        let charged = matches!(event, Event::Charged(_));
        let said = entry.provenance.clone().unwrap_or_default();
        let head = book.append(pages, &entry.account, event, &said, now)?;
        if charged {
            done.paid_again += 1;
            names.insert(ChargeId::of_hash(&entry.hash), ChargeId::of_hash(&head.hash));
        } else {
            done.written_again += 1;
        }
    }
    Ok(())
}

/// Returns what a row says, whatever its place and its hash.
fn entry_of(row: &[Option<String>]) -> Option<Entry> {
    let (seq, texts) = row.split_first()?;
    let mut columns = [None; COLUMNS.len()];
    columns.iter_mut().zip(texts).for_each(|(column, text)| *column = text.as_deref());
    let line = Line::of(seq.as_deref()?.parse().ok()?, columns)?;
    line.entry().ok()
}

fn trouble(trouble: Trouble) -> LedgerError {
    LedgerError::Trouble { path: None, trouble }
}
