//! Which states of the data somebody named: an entry has a name for the others, too, that means nothing.
//!
//! What is not known is shown as the entry has it; it must never hide a name that somebody gave. It is separate because
//! a book's entries say it through the definitions beside them. Read `account_page.rs` for where it is said.

use crate::request::{UNNAMED_SNAPSHOT, printable};
use incrowd_ledger::{Binning, Charged, Entry, Event, Ledger, LedgerError, RefusedAttempt};
use std::collections::BTreeSet;

/// The states of the data that entries of a book are about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SnapshotNames {
    /// The hashes of binnings that were counted in a state that nobody named.
    unnamed: BTreeSet<String>,
}

impl SnapshotNames {
    /// Returns what a book's definitions say of these entries.
    pub fn of(book: &Ledger, entries: &[Entry]) -> Result<SnapshotNames, LedgerError> {
        let doubtful = entries.iter().filter_map(|entry| match &entry.event {
            Event::Charged(charged) if charged.snapshot == UNNAMED_SNAPSHOT => Some(charged.binning_hash.as_str()),
            Event::Charged(_)
            | Event::Opened(_)
            | Event::Ended { .. }
            | Event::TermsChanged { .. }
            | Event::Refused(_)
            | Event::SetAside(_) => None,
        });
        let hashes: Vec<&str> = doubtful.collect::<BTreeSet<_>>().into_iter().collect();
        let texts = book.definitions(&hashes)?;
        let is_unnamed = |text: &Option<String>| {
            text.as_deref().and_then(Binning::read).is_some_and(|binning| !binning.names_its_snapshot())
        };
        let unnamed = hashes.iter().zip(&texts).filter(|(_, text)| is_unnamed(text));
        Ok(SnapshotNames { unnamed: unnamed.map(|(hash, _)| (*hash).to_string()).collect() })
    }

    /// Returns the state that a charge was for, in words, if it has a name.
    pub fn of_charge(&self, charged: &Charged) -> Option<String> {
        let is_unnamed = charged.snapshot == UNNAMED_SNAPSHOT && self.unnamed.contains(&charged.binning_hash);
        (!is_unnamed).then(|| format!("snapshot {}", printable(&charged.snapshot)))
    }

    /// Returns the state that an attempt was for, in words: of one that was refused the book has no definition.
    pub fn of_attempt(&self, refused: &RefusedAttempt) -> String {
        let or_none = if refused.snapshot == UNNAMED_SNAPSHOT { ", or none with a name" } else { "" };
        format!("snapshot {}{or_none}", printable(&refused.snapshot))
    }
}
