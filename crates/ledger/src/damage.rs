//! What can be wrong with a book.
//!
//! Names the place and the fault, never the text that was found there: the file may be hostile. It is separate from
//! `error.rs` because damage is found deep down, where nobody knows a path. Read `book.rs` for who looks.

use std::fmt;

/// Where a book is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DamagedPart {
    /// The entry with this number, or the place where it should be.
    Entry(u64),
    /// The table of accounts.
    Accounts,
    /// The definition of the bins that an entry was charged for; one of the entries with it.
    Definitions,
    /// The file itself.
    File,
}

/// What is wrong there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The content is not what its hash says.
    Changed,
    /// It does not follow from the entry before it.
    Unlinked,
    /// Entries are missing before it, or at the end.
    Missing,
    /// A field does not hold what the ledger writes there.
    Unreadable,
    /// It cannot have happened: a charge to an account that is not open, a second ending, and the like.
    Impossible,
    /// It loosens the terms of an account, and has no signature of the account's key for that.
    Unsigned,
    /// An account is not what its entries say.
    Contradiction,
    /// SQLite finds its own structure broken, or not the tables that the ledger makes.
    Structure,
}

impl Fault {
    /// Returns the fault in a word, as the book keeps it.
    pub fn word(self) -> &'static str {
        match self {
            Fault::Changed => "changed",
            Fault::Unlinked => "unlinked",
            Fault::Missing => "missing",
            Fault::Unreadable => "unreadable",
            Fault::Impossible => "impossible",
            Fault::Unsigned => "unsigned",
            Fault::Contradiction => "contradiction",
            Fault::Structure => "structure",
        }
    }
}

impl fmt::Display for DamagedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DamagedPart::Entry(seq) => write!(f, "entry {seq}"),
            DamagedPart::Accounts => f.write_str("the table of accounts"),
            DamagedPart::Definitions => f.write_str("the table of definitions"),
            DamagedPart::File => f.write_str("the file"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Changed => "was changed after it was written",
            Fault::Unlinked => "does not follow from the entry before it",
            Fault::Missing => "is missing",
            Fault::Unreadable => "holds something that the ledger does not write",
            Fault::Impossible => "says something that cannot have happened",
            Fault::Unsigned => "loosens the terms of an account without the signature of its key",
            Fault::Contradiction => "does not agree with the entries",
            Fault::Structure => "does not have the structure of a ledger",
        })
    }
}
