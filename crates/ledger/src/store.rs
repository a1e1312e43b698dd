//! Where a book is kept: a file, or a team's server.
//!
//! A store holds lines and runs a change alone, durably, all or nothing; it must never judge what it holds, and never
//! show half a change. It is separate from the book because a book is the same wherever it lies. Read `store/sqlite.rs`
//! and `store/postgres.rs` for the two kinds.

pub(crate) mod postgres;
mod schema;
pub(crate) mod sqlite;
mod wire;

pub use schema::FILE_MARK;

use crate::attendant::Attendant;
use crate::error::{LedgerError, Trouble};
use crate::line::Line;
use crate::receipt::Durability;
use incrowd_definition::Moment;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A place that keeps a book.
pub(crate) trait Store: Send {
    /// Runs a change while nobody else changes anything, and returns once it is durable; an error leaves nothing
    /// behind.
    fn write(&mut self, change: Change<'_>) -> Result<(), LedgerError>;

    /// Runs a look at one state of the book.
    fn read(&self, look: Change<'_>) -> Result<(), LedgerError>;

    /// Waits this long for somebody else who is writing.
    fn wait_at_most(&mut self, patience: Duration) -> Result<(), LedgerError>;

    /// Has somebody wait with us for a server; nobody waits for a file.
    fn attended_by(&mut self, _attendant: Arc<dyn Attendant>) {}

    /// Whether somebody on the way to it could read along.
    fn is_in_the_clear(&self) -> bool {
        false
    }

    /// Where it is, as messages name it; nothing in memory.
    fn place(&self) -> Option<&Path>;

    /// Whether what is written outlives this process.
    fn durability(&self) -> Durability;
}

/// Something that is done with the pages of a book.
pub(crate) type Change<'a> = &'a mut dyn FnMut(&mut dyn Pages) -> Result<(), LedgerError>;

/// Something that is shown every line.
pub(crate) type Show<'a> = &'a mut dyn FnMut(&Line<'_>) -> Result<(), LedgerError>;

/// The pages of a book, during one change or one look.
pub(crate) trait Pages {
    /// Shows every line, in the order of their numbers.
    fn lines(&mut self, show: Show<'_>) -> Result<(), LedgerError>;

    /// Returns the highest number that was ever given to a line, if the store can tell.
    fn highest(&mut self) -> Result<Option<u64>, LedgerError>;

    /// Returns the rows of the table of accounts, in no order.
    fn accounts(&mut self) -> Result<Vec<AccountLine>, LedgerError>;

    /// Returns the definition with this hash.
    fn definition(&mut self, hash: &str) -> Result<Option<String>, LedgerError>;

    /// Appends a line.
    fn append(&mut self, line: &Line<'_>) -> Result<(), LedgerError>;

    /// Writes the row of an account, new or not.
    fn put_account(&mut self, account: &AccountLine) -> Result<(), LedgerError>;

    /// What time it is where the book is; nothing where that is here.
    fn clock(&mut self) -> Result<Option<Moment>, LedgerError> {
        Ok(None)
    }

    /// Returns the texts of all rows from this number on, in their order, whatever they say: only for the owner of a
    /// book in a database.
    fn rows_from(&mut self, _seq: u64) -> Result<Vec<Vec<Option<String>>>, LedgerError> {
        Err(LedgerError::Trouble { path: None, trouble: Trouble::OnlyInADatabase })
    }

    /// Moves these rows to where no reader looks, with all definitions that are not what their hashes say; empties the
    /// table of accounts, which the caller writes anew. From here on entries are appended by the owner's own hand.
    fn move_aside(&mut self, _from: u64) -> Result<(), LedgerError> {
        Err(LedgerError::Trouble { path: None, trouble: Trouble::OnlyInADatabase })
    }

    /// Keeps a definition for the charge that is appended next; one that is there already stays.
    fn put_definition(&mut self, hash: &str, text: &str) -> Result<(), LedgerError>;
}

/// A row of the table of accounts, which repeats what the entries say, for readers with other tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AccountLine {
    pub name: String,
    pub created: String,
    pub epsilon: Option<String>,
    pub delta: Option<String>,
    pub policy: String,
}
