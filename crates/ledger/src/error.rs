//! Why the ledger has no answer.
//!
//! Every error says what is wrong, in fields, and what to do about it; it must never pass on a sentence of the database
//! or a text found in the file. It is separate because all verbs of the ledger fail in the same ways. Read `refusal.rs`
//! for the answers that are a plain no.

use crate::account_name::AccountName;
use crate::charge::ChargeError;
use crate::damage::{DamagedPart, Fault};
use crate::refusal::ChargeRefusal;
use crate::similar::NameFault;
use crate::terms::TermsError;
use incrowd_definition::ChargeId;
use rusqlite::ErrorCode;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a verb of the ledger did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerError {
    /// The account does not pay.
    Refused(Box<ChargeRefusal>),
    /// An account of this name is open already.
    AccountExists {
        /// Its name.
        account: AccountName,
    },
    /// No new account, or state of the data, gets such a name.
    Name {
        /// The name.
        name: String,
        /// What is wrong with it.
        fault: NameFault,
    },
    /// The name of a new account could be taken for that of another one.
    SimilarAccount {
        /// The new name.
        account: AccountName,
        /// The account that there is.
        existing: String,
    },
    /// There is no account of this name.
    NoSuchAccount {
        /// The name.
        account: AccountName,
    },
    /// No account can have such terms.
    Terms(TermsError),
    /// The charge cannot be written down.
    Charge(ChargeError),
    /// The charge is not in this ledger.
    NoSuchCharge {
        /// Its name.
        charge_id: ChargeId,
    },
    /// How the release ended has been written down before.
    AlreadyEnded {
        /// The charge that had paid for it.
        charge_id: ChargeId,
    },
    /// Whether people are the same from snapshot to snapshot was declared before the first charge.
    PeopleDeclared {
        /// The account.
        account: AccountName,
    },
    /// Looser terms need the key of the account.
    NeedsKey {
        /// The account.
        account: AccountName,
        /// Whether another key was given.
        given: bool,
    },
    /// Looser terms need a signature by the key of the account.
    NeedsSignature {
        /// The account.
        account: AccountName,
        /// The beginning of its public key.
        key: String,
        /// Whether a signature or a key was given.
        given: bool,
    },
    /// A place that was remembered elsewhere is not in the chain.
    NotInChain {
        /// The hash.
        hash: String,
        /// How many entries there are.
        entries: u64,
    },
    /// The last step of a change failed: it may have been made.
    Unconfirmed {
        /// Where, unless in memory.
        path: Option<PathBuf>,
        /// The charge that stands, or may stand, if it was one.
        charge_id: Option<ChargeId>,
        /// What is the matter.
        trouble: Trouble,
    },
    /// Not the address of a database.
    Address,
    /// There is no file there.
    NoLedger {
        /// Where.
        path: PathBuf,
    },
    /// Something else is there: a directory, a device.
    NotAFile {
        /// Where.
        path: PathBuf,
    },
    /// An empty file is there, which no ledger ever is.
    Empty {
        /// Where.
        path: PathBuf,
    },
    /// The file is no ledger of incrowd's.
    NotALedger {
        /// Where, unless in memory.
        path: Option<PathBuf>,
    },
    /// The ledger was made by another version.
    OtherVersion {
        /// Where, unless in memory.
        path: Option<PathBuf>,
        /// The version of its tables.
        found: i64,
        /// The version that is known here.
        known: i64,
    },
    /// The book does not add up: nothing is granted from it.
    Damaged {
        /// Where, unless in memory.
        path: Option<PathBuf>,
        /// What part of it.
        part: DamagedPart,
        /// What is wrong.
        fault: Fault,
    },
    /// The schema of a book in a database has parts that are not the book's.
    ForeignParts {
        /// Where.
        path: Option<PathBuf>,
        /// What they are called.
        parts: Vec<String>,
    },
    /// The system does not let the ledger read or write.
    Trouble {
        /// Where, unless in memory.
        path: Option<PathBuf>,
        /// What is the matter.
        trouble: Trouble,
    },
}

/// What keeps a ledger from reading or writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// Another process is writing, and did not end in time.
    Locked,
    /// The file or its directory may not be written to.
    ReadOnly,
    /// There is no room left.
    Full,
    /// The file was moved, replaced or removed while it was open.
    Moved,
    /// The file cannot be opened.
    CannotOpen,
    /// Reading or writing failed; SQLite's number of the failure.
    Io(i32),
    /// The system said something else.
    System(io::ErrorKind),
    /// SQLite said something that should not happen; its number.
    Unexpected(i32),
    /// No server answers there.
    NoServer,
    /// The server does not let this user in, or has no such database.
    NoAccess,
    /// The way to the server cannot be encrypted, or its certificate is not trusted.
    NotEncrypted,
    /// The way to the server broke; a change that was under way may have been made.
    Lost,
    /// The server did not answer in time; a change that was under way may have been made.
    Unanswered,
    /// Somebody asked to stop while the server did not answer.
    Stopped,
    /// The server does not let this user change the ledger.
    NotAllowed,
    /// The server does not let this user open accounts or change their terms.
    NotAnOfficer,
    /// The tables are of an older version, or are to be set up, and this user does not own them.
    NotTheOwner,
    /// The tables are of an older version, which is only read.
    NotSetUp,
    /// There are tables of an older version in several schemas of the database.
    SeveralBooks,
    /// There is a schema of the book's name already, and no book in it.
    SchemaTaken,
    /// The database does not keep texts in UTF-8.
    NotUnicode,
    /// The server does not let this user make roles.
    NoRoles,
    /// No two roles have such names.
    RoleNames,
    /// Only the owner of a book in a database sets entries aside.
    OnlyInADatabase,
    /// Nothing in the book is to be set aside.
    NothingDamaged,
    /// No account was open before the damage.
    NothingBefore,
    /// The functions of the book refused what was to be written.
    AgainstTheRules(BookRule),
    /// The server does not sync what it commits.
    NotDurable,
    /// The server said something else; its code.
    Server([u8; 5]),
    /// A store did nothing and said nothing.
    Silent,
}

/// What the functions of a book in a database refuse, whoever asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookRule {
    /// An entry follows the last one.
    Place,
    /// Its hash is of what it says.
    Hash,
    /// It is written as readers read it.
    Form,
    /// Its account is open, unless it opens it.
    Account,
    /// The account pays no more than it may, and nothing is refunded.
    Budget,
    /// Looser terms have a signature.
    Signature,
    /// A release ends once, by the word of whoever paid for it or of an officer.
    Ending,
    /// It is dated by the clock.
    Clock,
    /// Only so many refused attempts are kept.
    Attempts,
    /// A charge says what its bins are.
    Definition,
    /// A period has begun before it pays.
    Period,
}

impl BookRule {
    const ALL: [(BookRule, [u8; 5], &str); 11] = [
        (BookRule::Place, *b"IC001", "an entry must follow the last one"),
        (BookRule::Hash, *b"IC002", "the hash of an entry must be of what it says"),
        (BookRule::Form, *b"IC003", "an entry must be written as its readers read it"),
        (BookRule::Account, *b"IC004", "an account is opened once, and before it pays"),
        (BookRule::Budget, *b"IC005", "the account does not pay so much, and nothing is refunded"),
        (BookRule::Signature, *b"IC006", "looser terms need the signature of the account's key"),
        (BookRule::Ending, *b"IC007", "a release ends once, by the word of whoever paid for it or of an officer"),
        (BookRule::Clock, *b"IC008", "the clock of this machine is more than a day off"),
        (BookRule::Attempts, *b"IC009", "no more refused attempts are kept for this account"),
        (BookRule::Definition, *b"IC010", "a charge says what its bins are"),
        (BookRule::Period, *b"IC011", "a period has begun before it pays"),
    ];

    /// Returns the rule whose code a function of the book gives.
    pub(crate) fn of_code(code: &[u8; 5]) -> Option<BookRule> {
        BookRule::ALL.into_iter().find(|(_, known, _)| known == code).map(|(rule, ..)| rule)
    }

    /// What it says.
    fn words(self) -> &'static str {
        BookRule::ALL.into_iter().find(|(rule, ..)| *rule == self).map_or("", |(.., words)| words)
    }
}

impl LedgerError {
    /// Whether the book is well, the question was understood, and the answer is no: also to a name that could be taken
    /// for another one.
    pub fn is_refusal(&self) -> bool {
        matches!(self, LedgerError::Refused(_) | LedgerError::SimilarAccount { .. } | LedgerError::Name { .. })
    }

    pub(crate) fn damaged(part: DamagedPart, fault: Fault) -> LedgerError {
        LedgerError::Damaged { path: None, part, fault }
    }

    pub(crate) fn nothing_done() -> LedgerError {
        LedgerError::Trouble { path: None, trouble: Trouble::Silent }
    }

    pub(crate) fn system(path: &Path, error: &io::Error) -> LedgerError {
        let trouble = match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Trouble::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Trouble::Full,
            // The system's kinds of error are not ours to list.
            kind => Trouble::System(kind),
        };
        LedgerError::Trouble { path: Some(path.to_path_buf()), trouble }
    }

    /// Returns the error of a last step, after which a change may stand.
    pub(crate) fn at_the_end(self) -> LedgerError {
        match self {
            LedgerError::Trouble { path, trouble } if trouble != Trouble::Locked => {
                LedgerError::Unconfirmed { path, charge_id: None, trouble }
            }
            // Somebody else was writing, or something is known to be wrong: nothing was changed.
            certain => certain,
        }
    }

    /// Returns the error with the place where it happened.
    pub(crate) fn at(mut self, place: Option<&Path>) -> LedgerError {
        if let LedgerError::NotALedger { path }
        | LedgerError::OtherVersion { path, .. }
        | LedgerError::Damaged { path, .. }
        | LedgerError::Unconfirmed { path, .. }
        | LedgerError::ForeignParts { path, .. }
        | LedgerError::Trouble { path, .. } = &mut self
        {
            *path = place.map(Path::to_path_buf);
        }
        self
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            LedgerError::Refused(refusal) => refusal.hint(),
            LedgerError::AccountExists { account } => {
                format!("see incrowd ledger show {account}; its terms change by incrowd ledger policy")
            }
            LedgerError::Name { .. } => "write it with letters of one script, digits, single blanks and signs such as - and _".to_string(),
            LedgerError::SimilarAccount { existing, .. } => format!(
                "did you mean {existing}? If these are other people, give them a name that nobody takes for it"
            ),
            LedgerError::NoSuchAccount { account } => format!("open it first: incrowd ledger open {account}"),
            LedgerError::Terms(error) => error.hint().to_string(),
            LedgerError::Charge(error) => error.hint().to_string(),
            LedgerError::NoSuchCharge { .. } => "record an outcome in the ledger that was charged".to_string(),
            LedgerError::AlreadyEnded { .. } => "see incrowd ledger history".to_string(),
            LedgerError::PeopleDeclared { .. } => {
                "open another account for people who are in one period or part only".to_string()
            }
            LedgerError::NeedsKey { .. } => "ask whoever keeps the key, and name its file with --key FILE".to_string(),
            LedgerError::NeedsSignature { account, given: false, .. } => format!(
                "on the machine with the private key: --key FILE; else incrowd ledger policy {account} ... --print-request FILE, \
                 incrowd ledger sign FILE there, and --signature FILE here"
            ),
            LedgerError::NeedsSignature { account, given: true, .. } => format!(
                "if the terms of {account} changed since the request was printed, print and sign a new one; if this is another key, \
                 ask whoever keeps the one that is named"
            ),
            LedgerError::NotInChain { .. } => {
                "the book was cut, put back from an older copy, or is another one: find the one that holds every delivered charge"
                    .to_string()
            }
            LedgerError::Unconfirmed { .. } => {
                "see incrowd ledger history; what stands there counts, and trying again is charged again".to_string()
            }
            LedgerError::Address => "write postgres://user@host:port/database".to_string(),
            LedgerError::NoLedger { .. } => {
                "name another with --ledger or INCROWD_LEDGER, or make one: incrowd ledger open NAME".to_string()
            }
            LedgerError::NotAFile { .. } | LedgerError::NotALedger { .. } => {
                "name another file with --ledger or INCROWD_LEDGER".to_string()
            }
            LedgerError::Empty { .. } => {
                "if it was a ledger, restore it from a backup; if it never was, remove the empty file".to_string()
            }
            LedgerError::OtherVersion { found, known, .. } if found > known => "use a newer incrowd".to_string(),
            LedgerError::OtherVersion { .. } => "use the incrowd that made it".to_string(),
            LedgerError::Damaged { fault: Fault::Unsigned, .. } => {
                "somebody who can write the ledger wrote it there with another tool: keep the file as evidence, find out who, and \
                 restore the ledger from a backup that holds every delivered charge"
                    .to_string()
            }
            LedgerError::Damaged { path, .. } if path.as_ref().is_some_and(|path| path.starts_with("postgres:")) => {
                "find out who wrote it (SELECT seq, written_by FROM incrowd.entries); the owner of the book sets it aside with \
                 incrowd ledger set-aside"
                    .to_string()
            }
            LedgerError::Damaged { .. } => {
                "keep the file as evidence, and restore the ledger from a backup that holds every delivered charge"
                    .to_string()
            }
            LedgerError::ForeignParts { .. } => {
                "they could write into the book in its owner's name: look what they are, drop them, and set up again".to_string()
            }
            LedgerError::Trouble { trouble, .. } => trouble.hint().to_string(),
        }
    }
}

impl Trouble {
    fn hint(self) -> &'static str {
        match self {
            Trouble::Locked => "wait until the other command has ended, then try again",
            Trouble::ReadOnly => "the file and its directory must both be writable: check their permissions",
            Trouble::Full => "make room on the disk, then try again",
            Trouble::Moved => "put the ledger back in its place, then try again",
            Trouble::CannotOpen => "check that the file and its directory exist and are readable and writable",
            Trouble::Io(_) | Trouble::System(_) => {
                "check the disk and the path, then see incrowd ledger history before trying again"
            }
            Trouble::NoServer => "is the server running, and is the address right? postgres://user@host:port/database",
            Trouble::NoAccess => "check the user, the database and the password (PGPASSWORD)",
            Trouble::NotEncrypted => {
                "the way to another machine must be encrypted: turn ssl on in the server, and name the authority that signed its \
                 certificate in SSL_CERT_FILE; ?sslmode=disable sends charges in the clear, on a network that you trust"
            }
            Trouble::Unanswered => "is the server at work, or somebody in its way? Try again later",
            Trouble::Stopped => "try again when the server answers",
            Trouble::Lost => "see incrowd ledger history before trying again: the last change may have been made",
            Trouble::NotAllowed => {
                "ask the owner of the book for a role: GRANT incrowd_analyst TO you; incrowd ledger setup ADDRESS makes it"
            }
            Trouble::NotAnOfficer => {
                "accounts and their terms are the officers': ask one of them, or the owner of the book for GRANT incrowd_officer TO you"
            }
            Trouble::NotTheOwner => {
                "let their owner run incrowd ledger setup ADDRESS: it moves the tables to a schema of their own, and changes no entry"
            }
            Trouble::NotSetUp => {
                "it can be read; to write to it, let the owner of its tables run incrowd ledger setup ADDRESS, which changes no entry"
            }
            Trouble::SeveralBooks => {
                "let the owner of the right one run incrowd ledger setup ADDRESS?options=-c%20search_path%3DSCHEMA, or remove the others"
            }
            Trouble::SchemaTaken => "rename the schema incrowd, or take a database of its own for the book",
            Trouble::NotUnicode => "make a database for the book with ENCODING 'UTF8'",
            Trouble::NoRoles => {
                "let a user who may (CREATEROLE) make them, NOLOGIN, then run this again; or incrowd ledger setup --print for an administrator"
            }
            Trouble::RoleNames => "give --officer and --analyst two names of at most 63 letters, digits and _",
            Trouble::OnlyInADatabase => {
                "keep the file as evidence, and restore the ledger from a backup that holds every delivered charge"
            }
            Trouble::NothingDamaged => "see incrowd ledger verify",
            Trouble::NothingBefore => "make a new book in another database: nothing was charged to this one",
            Trouble::AgainstTheRules(BookRule::Clock) => "set the clock of this machine",
            Trouble::AgainstTheRules(BookRule::Attempts) => {
                "ask an officer for a larger budget, or for less of the data"
            }
            Trouble::AgainstTheRules(_) => {
                "see incrowd ledger history and incrowd ledger show for what the book says now"
            }
            Trouble::NotDurable => "turn fsync on in the server's settings, and keep the tables LOGGED",
            Trouble::Server(_) => "look the code up in PostgreSQL's manual, and in the server's log",
            Trouble::Silent | Trouble::Unexpected(_) => {
                "this is a mistake of incrowd; please report it with the number"
            }
        }
    }
}

/// Words for a place that may be only in memory.
fn named(path: &Option<PathBuf>) -> String {
    path.as_ref().map_or_else(|| "the ledger in memory".to_string(), |path| format!("the ledger {}", path.display()))
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LedgerError::Refused(refusal) => refusal.fmt(f),
            LedgerError::AccountExists { account } => write!(f, "account {account} is open already"),
            LedgerError::Name { name, fault } => {
                let shown: String = name.chars().flat_map(char::escape_default).collect();
                write!(f, "\"{shown}\" is no name for something new: it {fault}")
            }
            LedgerError::SimilarAccount { account, existing } => {
                let shown: String = account.as_str().chars().flat_map(char::escape_default).collect();
                write!(f, "there is no account \"{shown}\", and it looks like {existing}, which there is")
            }
            LedgerError::NoSuchAccount { account } => write!(f, "there is no account {account}"),
            LedgerError::Terms(error) => error.fmt(f),
            LedgerError::Charge(error) => error.fmt(f),
            LedgerError::NoSuchCharge { charge_id } => write!(f, "charge {charge_id} is not in this ledger"),
            LedgerError::AlreadyEnded { charge_id } => {
                write!(f, "how the release of charge {charge_id} ended is recorded already")
            }
            LedgerError::PeopleDeclared { account } => write!(
                f,
                "account {account} has charges: that people are others in each period or part cannot be declared any more, because \
                 it would refund them"
            ),
            LedgerError::NeedsKey { account, given: false } => {
                write!(f, "looser terms for account {account} need its key")
            }
            LedgerError::NeedsKey { account, given: true } => write!(f, "this is not the key of account {account}"),
            LedgerError::NeedsSignature { account, key, given: false } => {
                write!(f, "looser terms for account {account} need a signature by its key, {key}")
            }
            LedgerError::NeedsSignature { account, key, given: true } => write!(
                f,
                "this is not a signature under this change of account {account} in this ledger by its key, {key}"
            ),
            LedgerError::NotInChain { hash, entries } => {
                let hash: String = hash.chars().take(64).filter(char::is_ascii_alphanumeric).collect();
                write!(f, "none of the {entries} entries has the remembered hash {hash}")
            }
            LedgerError::Unconfirmed { path, .. } => {
                write!(f, "{} could not confirm that the last change is durable; it may stand", named(path))
            }
            LedgerError::Address => f.write_str("this is not the address of a PostgreSQL database"),
            LedgerError::NoLedger { path } => write!(f, "there is no ledger at {}", path.display()),
            LedgerError::NotAFile { path } => write!(f, "{} is not a file, so it cannot be a ledger", path.display()),
            LedgerError::Empty { path } => write!(f, "{} is empty, which a ledger never is", path.display()),
            LedgerError::NotALedger { path } => write!(f, "{} is not a ledger of incrowd", named(path)),
            LedgerError::OtherVersion { path, found, known } => {
                write!(f, "{} has version {found} of the tables; this incrowd knows version {known}", named(path))
            }
            LedgerError::Damaged { path, part, fault } => {
                write!(f, "{} is damaged: {part} {fault}", named(path))
            }
            LedgerError::ForeignParts { path, parts } => {
                let parts: Vec<String> = parts.iter().map(|part| part.escape_debug().to_string()).collect();
                write!(
                    f,
                    "the schema incrowd of {} has parts that are not the book's: {}",
                    named(path),
                    parts.join(", ")
                )
            }
            LedgerError::Trouble { path, trouble } => match trouble {
                Trouble::Locked => write!(f, "{} is in use by another process", named(path)),
                Trouble::ReadOnly => write!(f, "{} cannot be written to", named(path)),
                Trouble::Full => write!(f, "there is no room to write to {}", named(path)),
                Trouble::Moved => write!(f, "{} was moved or removed while it was open", named(path)),
                Trouble::CannotOpen => write!(f, "{} cannot be opened", named(path)),
                Trouble::Io(number) => {
                    write!(f, "{} could not be read or written (SQLite error {number})", named(path))
                }
                Trouble::System(kind) => write!(f, "{} cannot be used: {kind}", named(path)),
                Trouble::NoServer => write!(f, "no server answers for {}", named(path)),
                Trouble::NoAccess => write!(f, "the server does not let this user use {}", named(path)),
                Trouble::NotEncrypted => write!(f, "there is no trusted, encrypted way to {}", named(path)),
                Trouble::Unanswered => write!(f, "the server of {} does not answer", named(path)),
                Trouble::Stopped => write!(f, "stopped while the server of {} did not answer", named(path)),
                Trouble::Lost => write!(f, "the way to {} broke", named(path)),
                Trouble::NotAllowed => write!(f, "this user may not change {}", named(path)),
                Trouble::NotAnOfficer => {
                    write!(f, "this user may not open accounts in {}, nor change their terms", named(path))
                }
                Trouble::NotTheOwner => write!(f, "this user does not own the tables of {}", named(path)),
                Trouble::NotSetUp => write!(f, "the tables of {} are of an older version", named(path)),
                Trouble::SeveralBooks => write!(f, "{} has tables of several account books", named(path)),
                Trouble::SchemaTaken => write!(f, "{} has a schema incrowd that is not a ledger's", named(path)),
                Trouble::NotUnicode => write!(f, "{} does not keep texts in UTF-8", named(path)),
                Trouble::NoRoles => write!(f, "the server of {} does not let this user make roles", named(path)),
                Trouble::RoleNames => f.write_str("these are not the names of two roles"),
                Trouble::OnlyInADatabase => write!(f, "{} is not a database: nothing is set aside there", named(path)),
                Trouble::NothingDamaged => write!(f, "nothing in {} is damaged", named(path)),
                Trouble::NothingBefore => write!(f, "no account was open in {} before the damage", named(path)),
                Trouble::AgainstTheRules(rule) => write!(f, "{} refused the entry: {}", named(path), rule.words()),
                Trouble::NotDurable => write!(f, "the server of {} does not sync what it commits", named(path)),
                Trouble::Server(code) => {
                    write!(f, "{} failed (PostgreSQL error {})", named(path), String::from_utf8_lossy(code))
                }
                Trouble::Silent => write!(f, "{} did not answer", named(path)),
                Trouble::Unexpected(number) => write!(f, "{} failed unexpectedly (SQLite error {number})", named(path)),
            },
        }
    }
}

impl std::error::Error for LedgerError {}

impl From<Box<ChargeRefusal>> for LedgerError {
    fn from(refusal: Box<ChargeRefusal>) -> Self {
        LedgerError::Refused(refusal)
    }
}

impl From<TermsError> for LedgerError {
    fn from(error: TermsError) -> Self {
        LedgerError::Terms(error)
    }
}

impl From<ChargeError> for LedgerError {
    fn from(error: ChargeError) -> Self {
        LedgerError::Charge(error)
    }
}

/// SQLite's number for a file that is no longer where it was opened.
const MOVED: i32 = rusqlite::ffi::SQLITE_READONLY_DBMOVED;

impl From<rusqlite::Error> for LedgerError {
    fn from(error: rusqlite::Error) -> Self {
        let trouble = |trouble| LedgerError::Trouble { path: None, trouble };
        let rusqlite::Error::SqliteFailure(failure, _) = error else {
            // The binding could not make sense of what it read.
            return LedgerError::damaged(DamagedPart::File, Fault::Unreadable);
        };
        match failure.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => trouble(Trouble::Locked),
            ErrorCode::ReadOnly if failure.extended_code == MOVED => trouble(Trouble::Moved),
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => trouble(Trouble::ReadOnly),
            ErrorCode::DiskFull => trouble(Trouble::Full),
            ErrorCode::CannotOpen => trouble(Trouble::CannotOpen),
            ErrorCode::SystemIoFailure => trouble(Trouble::Io(failure.extended_code)),
            ErrorCode::NotADatabase => LedgerError::NotALedger { path: None },
            ErrorCode::DatabaseCorrupt | ErrorCode::TooBig | ErrorCode::TypeMismatch => {
                LedgerError::damaged(DamagedPart::File, Fault::Structure)
            }
            // The binding's list is not ours and may grow.
            _ => trouble(Trouble::Unexpected(failure.extended_code)),
        }
    }
}
