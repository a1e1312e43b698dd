//! The policy of a machine: what whoever releases on it cannot choose, from a file that only its administrator writes.
//!
//! It says which book is charged, whether accounts open themselves, which folders hold people, which account pays for
//! which source, and whether a plan must be reviewed. It must never be ignored: a file that cannot be read, understood
//! or trusted stops everything that would charge. Where the file is comes in as a value, which the binary has as a
//! constant and a test as a folder of its own; no option and no variable moves it. It is separate from the session,
//! which asks it. Read `site_policy/reading.rs` for the file, `site_policy/rules.rs` for what follows from it.

mod reading;
mod rules;
mod safety;

pub use rules::{DeclaredAs, PolicyRefusal, SourceFiles};

use crate::request::printable;
use incrowd_ledger::PublicKey;
use incrowd_request::ServerPlace;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The largest policy file.
const MOST_BYTES: u64 = 1 << 20;

/// Where the policy of a machine is, and who may have written it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyPlace {
    /// The file. No file is no policy.
    pub path: PathBuf,
    /// The user, by number, who must own the file, its folders or both; beside user 0. Without effect where users have
    /// no numbers.
    pub owner: u32,
}

/// A policy that was found, read, and is safe from whoever it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitePolicy {
    /// Where it was found.
    pub path: PathBuf,
    /// The address of the account book, if only one may be charged.
    pub ledger: Option<String>,
    /// What happens to an account that nobody opened.
    pub unknown_accounts: UnknownAccounts,
    /// Folders and databases with data about people.
    pub real_data: Vec<SourcePlace>,
    /// Accounts that are bound to sources.
    pub accounts: Vec<BoundAccount>,
    /// Whether every release needs a plan that was reviewed and signed.
    pub review: Review,
    /// Whose signature is a review.
    pub reviewers: Vec<Reviewer>,
}

/// What happens to a release of an account that nobody opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownAccounts {
    /// As without a policy: the first of a book opens itself, others where it is said that it is meant.
    Allowed,
    /// It is refused: somebody opens it first, with terms.
    Denied,
}

/// Whether a release needs a plan that was reviewed and signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Review {
    /// It does not.
    Free,
    /// It does.
    Required,
}

/// An account that takes some sources alone, of which no other account takes any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundAccount {
    /// Its name.
    pub name: String,
    /// The sources; none binds nothing.
    pub sources: Vec<BoundSource>,
    /// Whether its releases need a plan that was reviewed and signed.
    pub review: Review,
}

/// A source that is bound to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundSource {
    /// Where it is.
    pub place: SourcePlace,
    /// The table of a database; without it, all.
    pub table: Option<String>,
}

/// Where data is that a policy names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourcePlace {
    /// A file, a folder with everything below it, or a pattern, as it leads.
    Path(PathBuf),
    /// A database or a cluster.
    Server(ServerPlace),
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourcePlace::Path(path) => path.display().fmt(f),
            SourcePlace::Server(server) => server.fmt(f),
        }
    }
}

/// Somebody whose signature under a plan is a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewer {
    /// Who.
    pub name: String,
    /// The public key.
    pub key: PublicKey,
}

/// Why the policy of a machine cannot be followed, so that nothing is charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyError {
    /// There is something, and it cannot be read.
    Unreadable {
        /// Where.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Somebody else than the administrator could have written it.
    Unsafe {
        /// What is not safe: the file, or a folder above it.
        path: PathBuf,
        /// Why.
        why: &'static str,
    },
    /// It says something else than a policy.
    Malformed {
        /// Where.
        path: PathBuf,
        /// In which line, if it is known.
        line: Option<usize>,
        /// What is wrong.
        message: String,
    },
}

impl PolicyPlace {
    /// Returns the policy, nothing where there is no file, or why it cannot be followed.
    pub fn policy(&self) -> Result<Option<SitePolicy>, PolicyError> {
        let Some(real) = safety::real_file(self)? else { return Ok(None) };
        let unreadable = |error: io::Error| PolicyError::Unreadable { path: self.path.clone(), why: error.to_string() };
        let malformed = |message: &str| PolicyError::Malformed {
            path: self.path.clone(),
            line: None,
            message: message.to_string(),
        };
        if real.metadata().map_err(unreadable)?.len() > MOST_BYTES {
            return Err(malformed("it is larger than a policy"));
        }
        let bytes = safety::read(real).map_err(unreadable)?;
        let text = String::from_utf8(bytes).map_err(|_| malformed("it is not UTF-8 text"))?;
        reading::read(&text, &self.path).map(Some).map_err(|wrong| PolicyError::Malformed {
            path: self.path.clone(),
            line: wrong.line,
            message: wrong.message,
        })
    }
}

impl SitePolicy {
    /// Returns the entry of an account, if it has one.
    pub fn account(&self, name: &str) -> Option<&BoundAccount> {
        self.accounts.iter().find(|account| account.name == name)
    }

    /// Returns whether one of the reviewers is among those who signed.
    pub fn is_reviewed(&self, signed_by: &[PublicKey]) -> bool {
        self.reviewers.iter().any(|reviewer| signed_by.contains(&reviewer.key))
    }

    /// Returns whether a release that this account pays for needs a review.
    pub fn review_of(&self, name: &str) -> Review {
        match (self.review, self.account(name).map(|account| account.review)) {
            (Review::Required, _) | (_, Some(Review::Required)) => Review::Required,
            (Review::Free, None | Some(Review::Free)) => Review::Free,
        }
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &Path| printable(&path.display().to_string());
        match self {
            PolicyError::Unreadable { path, why } => {
                write!(f, "the policy of this machine, {}, cannot be read: {why}", shown(path))
            }
            PolicyError::Unsafe { path, why } => {
                write!(f, "the policy of this machine is not safe: {} {why}", shown(path))
            }
            PolicyError::Malformed { path, line, message } => {
                let line = line.map(|line| format!(", line {line}")).unwrap_or_default();
                let message = printable(message);
                write!(f, "the policy of this machine, {}{line}, cannot be followed: {message}", shown(path))
            }
        }
    }
}

impl PolicyError {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            PolicyError::Unreadable { .. } => {
                "nothing is charged without it; everybody must be able to read it: ask the administrator"
            }
            PolicyError::Unsafe { .. } => {
                "nothing is charged by it: the administrator must own it and the folders above it, and nobody else may write there"
            }
            PolicyError::Malformed { .. } => {
                "nothing is charged until it is right; `incrowd policy check` reads it, and docs/teams.md has an example"
            }
        }
    }
}
