//! What interrupted releases left whole gets its name, as a verb of its own and before the next release to the same
//! place.
//!
//! It must never charge, read data, or deliver what the ledger does not know. It is separate from `recover.rs`, which
//! judges one target with a book at hand; here the targets and the book are found. Read `recover.rs` for the judgement.

use super::environment::{Environment, WrongClock};
use super::ledger_location::LocationError;
use crate::failure::FailureClass;
use crate::folder::{FolderError, targets};
use crate::recover::{Found, Obstacle, is_anything_left, recover};
use incrowd_ledger::{Ledger, LedgerError, Moment};
use incrowd_request::printable;
use std::fmt;
use std::path::{Path, PathBuf};

/// What was found beside a target.
#[derive(Debug)]
pub struct FoundBeside {
    /// The target.
    pub target: PathBuf,
    /// What was found, and what became of it.
    pub found: Found,
}

/// Why nothing could be recovered.
#[derive(Debug)]
pub enum RecoverError {
    /// The clock is wrong.
    Clock(WrongClock),
    /// There is no book to look into.
    Location(LocationError),
    /// The book cannot be used.
    Ledger(LedgerError),
    /// One new name for several folders.
    OneNameForSeveral,
    /// A folder could not be looked at.
    Folder(FolderError),
}

impl fmt::Display for RecoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecoverError::Clock(error) => error.fmt(f),
            RecoverError::Location(error) => error.fmt(f),
            RecoverError::Ledger(error) => error.fmt(f),
            RecoverError::OneNameForSeveral => f.write_str("--to is one name, and several folders were found"),
            RecoverError::Folder(error) => error.fmt(f),
        }
    }
}

impl RecoverError {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            RecoverError::Clock(error) => error.hint().into(),
            RecoverError::Location(error) => error.hint().into(),
            RecoverError::Ledger(error) => error.hint(),
            RecoverError::OneNameForSeveral => "name one of them: incrowd recover FOLDER --to OTHER".into(),
            RecoverError::Folder(error) => error.hint().into(),
        }
    }

    /// Returns of which class it is.
    pub fn class(&self) -> FailureClass {
        match self {
            RecoverError::Ledger(LedgerError::Refused(_)) => FailureClass::Refused,
            RecoverError::Location(error) => error.class(),
            RecoverError::Clock(_)
            | RecoverError::Ledger(_)
            | RecoverError::OneNameForSeveral
            | RecoverError::Folder(_) => FailureClass::Unusable,
        }
    }
}

/// What an earlier release left beside a target, and why the next one does not begin.
#[derive(Debug)]
pub enum Leftover {
    /// It was paid for and whole, and has its name now: whoever asks for a release looks at it first.
    Recovered {
        /// Where it is.
        folder: PathBuf,
        /// What it was charged as.
        charge_id: String,
    },
    /// It is whole, and cannot have its name.
    Kept {
        /// The target that it was made for.
        target: PathBuf,
        /// Why.
        obstacle: Obstacle,
    },
}

impl fmt::Display for Leftover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Leftover::Recovered { folder, charge_id } => write!(
                f,
                "an earlier release to {} was paid for and interrupted; it is there now (charge {}), and nothing more was charged",
                folder.display(),
                printable(charge_id)
            ),
            Leftover::Kept { target, obstacle } => {
                write!(f, "a whole release beside {} has no name yet: {obstacle}", target.display())
            }
        }
    }
}

impl Leftover {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            Leftover::Recovered { .. } => {
                "look at it first; to release anew, choose another `folder` in [output], or run again with --replace"
                    .into()
            }
            Leftover::Kept { obstacle, .. } => obstacle.hint(),
        }
    }
}

impl Environment {
    /// Gives releases their names that were paid for, written to the end, and then interrupted: those to `folder`, or
    /// to folders in it. `to` is another name for the only one.
    pub fn recover(&self, folder: &Path, to: Option<&Path>) -> Result<Vec<FoundBeside>, RecoverError> {
        let moment = self.now().map_err(RecoverError::Clock)?;
        let ledger = self.ledger().map_err(RecoverError::Location)?;
        let mut targets = targets(folder);
        if is_anything_left(folder) {
            targets.insert(0, folder.to_path_buf());
        }
        let left: Vec<PathBuf> = targets.into_iter().filter(|target| is_anything_left(target)).collect();
        if to.is_some() && left.len() > 1 {
            return Err(RecoverError::OneNameForSeveral);
        }
        if left.is_empty() {
            return Ok(Vec::new());
        }
        let mut book = self.open(&ledger).map_err(RecoverError::Ledger)?;
        let mut all = Vec::new();
        for target in left {
            let found = recover(&target, to, &mut book, moment).map_err(RecoverError::Folder)?;
            all.extend(found.into_iter().map(|found| FoundBeside { target: target.clone(), found }));
        }
        Ok(all)
    }
}

/// Delivers what an earlier release left whole beside a target; returns it if there was something, because then the
/// target is not free and the release that was asked for must be asked for again.
pub(super) fn before_release(target: &Path, book: &mut Ledger, now: Moment) -> Result<Option<Leftover>, FolderError> {
    let Some(first) = recover(target, None, book, now)?.into_iter().next() else { return Ok(None) };
    Ok(match first.end {
        Ok(delivered) => Some(Leftover::Recovered { folder: delivered.folder, charge_id: first.charge_id }),
        // Another book may know it; it stays where it is, and is in nobody's way.
        Err(Obstacle::Claim(_) | Obstacle::NoClaim | Obstacle::OtherEnd) => None,
        Err(obstacle @ (Obstacle::Ledger(_) | Obstacle::Folder(_))) => {
            Some(Leftover::Kept { target: target.to_path_buf(), obstacle })
        }
    })
}
