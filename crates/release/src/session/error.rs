//! Why a session did not release: the environment, four eyes, what an earlier release left, or the release itself.
//!
//! Each says what is wrong, what to do, and of which class the end is; it must never carry a value of a row. It is
//! separate from `failure.rs`, which knows one release and no machine around it. Read `opened.rs` for where each of
//! them arises.

use super::environment::WrongClock;
use super::four_eyes::ReviewError;
use super::ledger_location::LocationError;
use super::recovery::Leftover;
use super::unknown_account::UnknownAccount;
use crate::failure::{FailureClass, ReleaseFailure};
use crate::folder::{Contents, FolderError};
use crate::refusal::Refusal;
use crate::site_policy::{PolicyError, PolicyRefusal};
use incrowd_ledger::{ChargeRefusal, EarlierState, LedgerError, Repeat};
use incrowd_noise::EntropyError;
use std::fmt;
use std::path::PathBuf;

/// Why there is no release.
#[derive(Debug)]
pub enum ReleaseError {
    /// There is no book that could be charged. Nothing was charged.
    Location(LocationError),
    /// The clock is wrong. Nothing was charged.
    Clock(WrongClock),
    /// An earlier release to the same place comes first. Nothing was charged.
    Leftover(Leftover),
    /// The place could not be looked at. Nothing was charged.
    Place(FolderError),
    /// It is not the plan that was reviewed. Nothing was charged.
    Review(ReviewError),
    /// The policy of this machine cannot be followed. Nothing was charged.
    NoPolicy(PolicyError),
    /// The policy of this machine does not allow it. Nothing was charged.
    Policy(PolicyRefusal),
    /// The account is not open, and the book has others. Nothing was charged.
    UnknownAccount(UnknownAccount),
    /// Somebody was asked whether to go on, and said no. Nothing was charged.
    NotAgreed,
    /// Draws from a known seed were asked for, about people who are not made up. Nothing was charged.
    KnownSeed,
    /// There are no random bytes to draw from. Nothing was charged.
    NoEntropy(EntropyError),
    /// The same request was delivered before, or is under way, and it is not said that it is meant again. Nothing was
    /// charged.
    Repeated {
        /// The charge that stands, and what another one would cost.
        repeat: Box<Repeat>,
        /// The folder that it was delivered to, where that is the folder that was asked for now, or the request's own.
        folder: Option<PathBuf>,
    },
    /// The release itself has failed.
    Release(ReleaseFailure),
}

impl fmt::Display for ReleaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReleaseError::Location(error) => error.fmt(f),
            ReleaseError::Clock(error) => error.fmt(f),
            ReleaseError::Leftover(leftover) => leftover.fmt(f),
            ReleaseError::Place(error) => error.fmt(f),
            ReleaseError::Review(error) => error.fmt(f),
            ReleaseError::NoPolicy(error) => error.fmt(f),
            ReleaseError::Policy(refusal) => refusal.fmt(f),
            ReleaseError::UnknownAccount(unknown) => unknown.fmt(f),
            ReleaseError::NotAgreed => f.write_str("stopped before anything was read; nothing was charged"),
            ReleaseError::KnownSeed => Refusal::KnownSeed.fmt(f),
            ReleaseError::NoEntropy(error) => error.fmt(f),
            ReleaseError::Repeated { repeat, folder: None } => repeat.fmt(f),
            ReleaseError::Repeated { repeat, folder: Some(folder) } => write!(f, "{repeat}, in {}", folder.display()),
            ReleaseError::Release(failure) => failure.fmt(f),
        }
    }
}

impl ReleaseError {
    /// Returns the failure of a release, of which an earlier one may be in one of these folders.
    pub(super) fn of(failure: ReleaseFailure, places: &[PathBuf]) -> ReleaseError {
        match failure {
            ReleaseFailure::Ledger(LedgerError::Refused(refusal)) => match *refusal {
                ChargeRefusal::Repeated(repeat) => ReleaseError::repeated(repeat, places),
                // The other reasons of an account are told as they are.
                other => ReleaseError::Release(LedgerError::Refused(Box::new(other)).into()),
            },
            failure => ReleaseError::Release(failure),
        }
    }

    /// Returns the refusal of what was paid for before, with its folder if it is one of these.
    pub(super) fn repeated(repeat: Repeat, places: &[PathBuf]) -> ReleaseError {
        let holds = |folder: &&PathBuf| {
            let contents = Contents::of(folder);
            let charge_id = contents.as_ref().and_then(|contents| contents.certificate().pointer("/ledger/charge_id"));
            charge_id.and_then(serde_json::Value::as_str) == Some(repeat.earlier.charge_id.as_str())
        };
        let folder = places.iter().find(holds).cloned();
        ReleaseError::Repeated { repeat: Box::new(repeat), folder }
    }

    /// Returns what to do about it; nothing where nothing has to be done.
    pub fn hint(&self) -> String {
        match self {
            ReleaseError::Location(error) => error.hint().into(),
            ReleaseError::Clock(error) => error.hint().into(),
            ReleaseError::Leftover(leftover) => leftover.hint(),
            ReleaseError::Place(error) => error.hint().into(),
            ReleaseError::Review(error) => error.hint(),
            ReleaseError::NoPolicy(error) => error.hint().into(),
            ReleaseError::Policy(refusal) => refusal.hint().into(),
            ReleaseError::UnknownAccount(unknown) => unknown.hint(),
            ReleaseError::NotAgreed => {
                "coarser bins, a larger epsilon or delta, or fewer bins per person show more: see `incrowd plan`".into()
            }
            ReleaseError::KnownSeed => Refusal::KnownSeed.hint(),
            ReleaseError::NoEntropy(_) => "nothing is drawn without them; look at the system's random device".into(),
            // A folder that was interrupted before it got its name lies beside the place that it was meant for.
            ReleaseError::Repeated { repeat, folder: None } if repeat.earlier.state == EarlierState::Delivered => {
                format!("{}; if its folder is missing, see incrowd recover FOLDER", repeat.hint())
            }
            ReleaseError::Repeated { repeat, .. } => repeat.hint(),
            ReleaseError::Release(failure) => failure.hint(),
        }
    }

    /// Returns of which class it is.
    pub fn class(&self) -> FailureClass {
        match self {
            ReleaseError::Leftover(_)
            | ReleaseError::Review(ReviewError::Differs { .. } | ReviewError::WrongSignature)
            | ReleaseError::Policy(_)
            | ReleaseError::UnknownAccount(_)
            | ReleaseError::NotAgreed
            | ReleaseError::Repeated { .. } => FailureClass::Refused,
            ReleaseError::Location(error) => error.class(),
            ReleaseError::NoPolicy(_)
            | ReleaseError::Clock(_)
            | ReleaseError::Place(_)
            | ReleaseError::Review(ReviewError::Unreadable(_) | ReviewError::TooLarge | ReviewError::NoPlan)
            | ReleaseError::KnownSeed
            | ReleaseError::NoEntropy(_) => FailureClass::Unusable,
            ReleaseError::Release(failure) => failure.class(),
        }
    }
}

impl From<ReleaseFailure> for ReleaseError {
    fn from(failure: ReleaseFailure) -> Self {
        ReleaseError::Release(failure)
    }
}

impl From<Refusal> for ReleaseError {
    fn from(refusal: Refusal) -> Self {
        ReleaseError::Release(refusal.into())
    }
}

impl From<LedgerError> for ReleaseError {
    fn from(error: LedgerError) -> Self {
        ReleaseError::Release(error.into())
    }
}
