//! What a release asks an account to pay.
//!
//! Every field is a function of the plan alone: nothing here may depend on the data. It is separate from `account.rs`,
//! which judges it, because a charge is made before it is known who pays. Read `account.rs` next.

use crate::account_name::{AccountName, is_line};
use crate::number::fits;
use crate::terms::is_kind;
use incrowd_definition::{Binning, sha256};
use incrowd_exact::Rational;
use incrowd_privacy::Epsilon;
use std::fmt;

/// Most characters of a snapshot's name or a hash.
pub(crate) const MOST_IN_A_NAME: usize = 200;
/// Most characters of a promise: the longest list of values that a request may hold fits.
pub(crate) const MOST_IN_A_PROMISE: usize = 8_000_000;

/// Most bytes of a binning.
const MOST_IN_A_BINNING: usize = 64_000_000;

/// The price of one release and what it is paid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    /// Who pays.
    pub account: AccountName,
    /// One immutable state of the data, as the request names it.
    pub snapshot: String,
    /// The identity of the plan.
    pub plan_hash: String,
    /// What is counted, as canonical JSON: equal texts are the same binning.
    pub binning: String,
    /// The promise, written out.
    pub promise: String,
    /// The kind of promise, as the request names it: what a policy allows.
    pub kind: String,
    /// The weakest protection that anybody gets.
    pub epsilon: Epsilon,
    /// By how much chances may differ beyond epsilon, as certified.
    pub delta: Rational,
    /// The group that the promise names, if it names one: what a policy's least group is compared with.
    pub smallest_group: Option<u64>,
}

impl Charge {
    /// Refuses what no plan costs, and what could not be read back from the book.
    pub(crate) fn check(&self) -> Result<(), ChargeError> {
        if !self.epsilon.finite().is_none_or(fits) {
            return Err(ChargeError::Epsilon);
        }
        if !(fits(&self.delta) && self.delta < Rational::ONE) {
            return Err(ChargeError::Delta);
        }
        if !is_kind(&self.kind) {
            return Err(ChargeError::Kind);
        }
        if !is_line(&self.snapshot, MOST_IN_A_NAME) {
            return Err(ChargeError::Snapshot);
        }
        if !is_line(&self.plan_hash, MOST_IN_A_NAME) {
            return Err(ChargeError::Hash);
        }
        // A value that somebody lists may hold any character; JSON quotes it.
        if self.binning.is_empty() || self.binning.len() > MOST_IN_A_BINNING {
            return Err(ChargeError::Binning);
        }
        if !is_line(&self.promise, MOST_IN_A_PROMISE) {
            return Err(ChargeError::Promise);
        }
        Ok(())
    }
}

impl Charge {
    /// Returns the identity of the binning: the SHA-256 of its text.
    pub fn binning_hash(&self) -> String {
        sha256(self.binning.as_bytes())
    }

    /// Returns the binning, as far as it is understood.
    pub(crate) fn read_binning(&self) -> Option<Binning> {
        Binning::read(&self.binning)
    }
}

/// Why a charge cannot be written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChargeError {
    /// Epsilon is below zero, or has thousands of digits.
    Epsilon,
    /// Delta is not at least 0 and below 1, or has thousands of digits.
    Delta,
    /// The kind of promise is not a name.
    Kind,
    /// The snapshot is not a name.
    Snapshot,
    /// A hash is empty, too long, or not one line.
    Hash,
    /// The promise is empty, too long, or not one line.
    Promise,
    /// The binning is empty or too long.
    Binning,
}

impl ChargeError {
    /// Returns what to do instead.
    pub fn hint(&self) -> &'static str {
        match self {
            ChargeError::Epsilon | ChargeError::Delta => "round the number up to fewer digits",
            ChargeError::Snapshot => "name the snapshot in [ledger] with 1 to 200 characters on one line",
            ChargeError::Binning => "list fewer or shorter values",
            ChargeError::Kind | ChargeError::Hash | ChargeError::Promise => {
                "this is a mistake of incrowd; please report it"
            }
        }
    }
}

impl fmt::Display for ChargeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChargeError::Epsilon => "a charged epsilon must be 0 or more, with at most 4096 digits",
            ChargeError::Delta => "a charged delta must be at least 0 and below 1, with at most 4096 digits",
            ChargeError::Kind => "a kind of promise is written in lower case letters, digits and hyphens",
            ChargeError::Snapshot => "a snapshot is named with 1 to 200 characters, none of them a control character",
            ChargeError::Hash => "a hash is one line of 1 to 200 characters",
            ChargeError::Promise => "a promise is one line, neither empty nor longer than 8000000 characters",
            ChargeError::Binning => "the bins of a release fill more than 64 MB",
        })
    }
}

impl std::error::Error for ChargeError {}
