//! Why there is no release: what is said, what to do, and of which class the end is.
//!
//! After the charge there is one text for everything that can go wrong with data: which of it went wrong would tell
//! about the data. It must never carry a value of a row. It is separate from the story so that every front end says the
//! same. Read `release.rs` for where each of them arises.

use crate::folder::FolderError;
use crate::refusal::Refusal;
use incrowd_engine::{CountError, PrepareError};
use incrowd_ledger::{ChargeId, LedgerError};
use std::fmt;

/// What an end without a result means, for exit codes, exceptions and colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureClass {
    /// What was asked is refused: a promise that is not met, an account that does not pay, a folder that is there.
    Refused,
    /// The request, the arguments or the environment do not allow it.
    Unusable,
    /// It was charged, or may have been, and there is nothing to show for it.
    Undelivered,
    /// Somebody asked to stop before anything was charged.
    Stopped,
}

/// Why there is no release.
#[derive(Debug)]
pub enum ReleaseFailure {
    /// The promise is not met, or not proved. Nothing was charged.
    Refused(Refusal),
    /// The data is not there, or not what the request says. Nothing was charged.
    Data(PrepareError),
    /// The account does not pay. Nothing was charged.
    Ledger(LedgerError),
    /// The folder cannot be made. Nothing was charged.
    Folder(FolderError),
    /// Somebody asked to stop. Nothing was charged.
    Cancelled,
    /// The release was charged, and cannot be delivered.
    Undelivered {
        /// What it was charged as.
        charge_id: ChargeId,
        /// Why.
        cause: Cause,
    },
}

/// Why a release that was charged is not there.
#[derive(Debug)]
pub enum Cause {
    /// The data could not be counted.
    Counting(CountError),
    /// The folder could not be written.
    Folder(FolderError),
    /// The ledger could not confirm the charge.
    Ledger(LedgerError),
    /// The ledger could not take the outcome; the folder is whole, and kept.
    Unrecorded(LedgerError),
    /// The folder could not be given its name; it is whole, and kept.
    Unnamed(FolderError),
}

/// What to do with a folder that is whole and has no name.
const KEPT: &str =
    "the whole folder is kept beside its place: `incrowd recover FOLDER` delivers it, and charges nothing";
const NOT_COUNTED_HINT: &str = "`incrowd check REQUEST` looks for the cause and charges nothing: files that are cut off, rows with \
too few fields, letters that are not UTF-8. Is there enough memory (--memory) and disk space? Was a server \
stopped, or a right taken back? The cause is not shown here, because it could betray a row. Trying again is charged again";

impl fmt::Display for ReleaseFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReleaseFailure::Refused(refusal) => refusal.fmt(f),
            ReleaseFailure::Data(problem) => problem.fmt(f),
            ReleaseFailure::Ledger(error) => error.fmt(f),
            ReleaseFailure::Folder(error) => error.fmt(f),
            ReleaseFailure::Cancelled => f.write_str("stopped; nothing was charged"),
            ReleaseFailure::Undelivered {
                charge_id,
                cause: Cause::Ledger(error @ LedgerError::Unconfirmed { .. }),
            } => {
                write!(f, "not delivered, and charge {} may stand: {error}", charge_id.as_str())
            }
            ReleaseFailure::Undelivered { charge_id, cause } => {
                write!(f, "charged but not delivered (charge {}): {cause}", charge_id.as_str())
            }
        }
    }
}

impl ReleaseFailure {
    /// Returns what to do about it; nothing where nothing has to be done.
    pub fn hint(&self) -> String {
        match self {
            ReleaseFailure::Refused(refusal) => refusal.hint(),
            ReleaseFailure::Data(problem) => problem.hint().to_string(),
            ReleaseFailure::Ledger(error) => error.hint(),
            ReleaseFailure::Folder(error) => error.hint().to_string(),
            ReleaseFailure::Cancelled => String::new(),
            ReleaseFailure::Undelivered { cause, .. } => cause.hint(),
        }
    }

    /// Returns of which class it is.
    pub fn class(&self) -> FailureClass {
        match self {
            ReleaseFailure::Ledger(error) if error.is_refusal() => FailureClass::Refused,
            ReleaseFailure::Refused(_)
            | ReleaseFailure::Folder(FolderError::Exists | FolderError::NotADelivery | FolderError::Busy) => {
                FailureClass::Refused
            }
            ReleaseFailure::Data(_) | ReleaseFailure::Ledger(_) | ReleaseFailure::Folder(_) => FailureClass::Unusable,
            ReleaseFailure::Cancelled => FailureClass::Stopped,
            ReleaseFailure::Undelivered { .. } => FailureClass::Undelivered,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Counting(CountError::Failed | CountError::Contract) => {
                f.write_str("the data could not be counted to its end")
            }
            Cause::Counting(CountError::Cancelled) => f.write_str("stopped on request"),
            Cause::Folder(error) => error.fmt(f),
            Cause::Ledger(error) => error.fmt(f),
            Cause::Unrecorded(error) => write!(f, "complete, but {error}"),
            Cause::Unnamed(error) => write!(f, "complete, but {error}"),
        }
    }
}

impl Cause {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            Cause::Counting(CountError::Failed | CountError::Contract) => NOT_COUNTED_HINT.to_string(),
            Cause::Counting(CountError::Cancelled) => {
                "trying again is charged again; `incrowd ledger history` shows every charge".to_string()
            }
            Cause::Folder(error) => error.hint().to_string(),
            Cause::Ledger(error) => error.hint(),
            Cause::Unrecorded(_) | Cause::Unnamed(_) => KEPT.to_string(),
        }
    }
}

impl From<Refusal> for ReleaseFailure {
    fn from(refusal: Refusal) -> Self {
        ReleaseFailure::Refused(refusal)
    }
}

impl From<PrepareError> for ReleaseFailure {
    fn from(problem: PrepareError) -> Self {
        ReleaseFailure::Data(problem)
    }
}

impl From<LedgerError> for ReleaseFailure {
    fn from(error: LedgerError) -> Self {
        ReleaseFailure::Ledger(error)
    }
}

impl From<FolderError> for ReleaseFailure {
    fn from(error: FolderError) -> Self {
        ReleaseFailure::Folder(error)
    }
}
