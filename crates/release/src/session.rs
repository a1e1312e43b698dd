//! What every front end does alike: opens a request, plans it, has it reviewed, rehearses it, releases it.
//!
//! The engine, the clock, where books are and whom to warn come in as values; it must never print, end the process,
//! read a variable of the environment or name an engine. It is separate so that a command line, a wheel and a page
//! differ in arguments and printing alone, and so that the guards that protect people stand behind all of them. Read
//! `opened.rs` for the order of a release, `environment.rs` for what comes in.

mod account_facts;
mod consent;
mod counted;
mod environment;
mod error;
mod four_eyes;
mod governed;
mod ledger_location;
mod opened;
mod opening;
mod recovery;
mod reviewed;
mod unknown_account;

pub use crate::failure::FailureClass;
pub use consent::{Consent, Offer};
pub use environment::{Environment, Warning, WrongClock};
pub use error::ReleaseError;
pub use four_eyes::{Pins, ReviewError, SaveError};
pub use governed::PolicyFinding;
pub use ledger_location::{LedgerLocation, LocationError};
pub use opened::OpenedRequest;
pub use opening::OpenError;
pub use recovery::{FoundBeside, Leftover, RecoverError};
pub use unknown_account::UnknownAccount;

use crate::folder::Existing;
use crate::plan::Plan;
use crate::release::Delivered;
use incrowd_engine::Engine;
use incrowd_ledger::{Account, Repetition};
use std::io::Read;
use std::path::{Path, PathBuf};
use unknown_account::Opening;

/// An engine, and the machine around it.
pub struct Session {
    engine: Box<dyn Engine>,
    environment: Environment,
}

/// Where a release goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The folder that is made, instead of the request's own.
    pub folder: Option<PathBuf>,
    /// What happens to a folder of that name.
    pub existing: Existing,
}

/// What draws are made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draws {
    /// A fresh secret that nobody knows.
    Private,
    /// A seed that somebody knows, for tests: nothing is private, so only of data that is declared as made up.
    Known {
        /// The seed.
        seed: u64,
    },
}

/// What a release is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReleasedAs {
    /// Charged to a book that lasts, drawn from a secret.
    Charged,
    /// Drawn from a secret, charged to a book in memory: the data is declared as made up.
    Forgotten,
    /// Drawn from a known seed: not private.
    KnownSeed,
    /// Made of made-up counts: no data was read, and nothing was charged.
    Rehearsal,
}

/// A release that is there, and what it cost.
#[derive(Debug)]
pub struct Released {
    /// What was promised, and how it is kept.
    pub plan: Plan,
    /// The folder, its charge, and what was published.
    pub delivered: Delivered,
    /// What it is.
    pub way: ReleasedAs,
    /// The folder as it was asked for.
    pub target: PathBuf,
    /// The book that was charged.
    pub ledger: LedgerLocation,
    /// What the account that paid is now, if the book could say so.
    pub after: Option<Account>,
}

impl Session {
    /// Returns a session with an engine in an environment.
    pub fn new(engine: Box<dyn Engine>, environment: Environment) -> Self {
        Session { engine, environment }
    }

    /// Returns the machine around it.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    pub(super) fn engine(&self) -> &dyn Engine {
        &*self.engine
    }

    /// Opens the request in a file. Its paths are relative to the file's folder.
    pub fn open(&self, path: &Path) -> Result<OpenedRequest<'_>, OpenError> {
        let name = path.display().to_string();
        let text = opening::text_of_file(path, &name)?;
        self.opened(name, text, Some(path.parent().unwrap_or(Path::new(""))))
    }

    /// Opens the request in a stream of this name. Its paths are relative to `folder`; without one they are relative to
    /// where the process runs, and no hierarchy is read.
    pub fn open_stream(
        &self,
        name: &str,
        stream: impl Read,
        folder: Option<&Path>,
    ) -> Result<OpenedRequest<'_>, OpenError> {
        let text = opening::text_of(stream, name)?;
        self.opened(name.to_string(), text, folder)
    }

    fn opened(&self, name: String, text: String, folder: Option<&Path>) -> Result<OpenedRequest<'_>, OpenError> {
        let request = opening::request_of(text, &name, folder, &*self.engine)?;
        let folder = folder.unwrap_or(Path::new("")).to_path_buf();
        let (repetition, opening) = (Repetition::Refused, Opening::OnlyTheFirst);
        Ok(OpenedRequest { session: self, name, folder, request, reviewed: None, asked: None, repetition, opening })
    }
}
