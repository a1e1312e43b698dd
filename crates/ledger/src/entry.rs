//! What the book says, entry by entry.
//!
//! An entry is a fact that was written once; it must never be changed or taken back, only followed by another. It is
//! separate from `line.rs`, which is the same in text, because readers of a history want facts. Read `line.rs` next.

use crate::account_name::AccountName;
use crate::charge::Charge;
use crate::provenance::Provenance;
use crate::signature::TermsSignature;
use crate::terms::Terms;
use incrowd_definition::{CertificateHash, ChargeId, Moment};
use incrowd_exact::Rational;
use incrowd_privacy::Epsilon;

/// One entry of the book, read back and verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number: 1, 2, 3 and so on through all accounts.
    pub seq: u64,
    /// Whose it is.
    pub account: AccountName,
    /// When it was written, by the clock of whoever wrote it.
    pub time: Moment,
    /// What happened.
    pub event: Event,
    /// Who wrote it, where and why; entries before version 4 of the tables do not say.
    pub provenance: Option<Provenance>,
    /// The hash of the entry before it; 64 zeros for the first.
    pub previous_hash: String,
    /// The hash of this entry: 64 hexadecimal digits.
    pub hash: String,
}

impl Entry {
    /// Returns the charge that the entry is, or is about.
    pub fn charge_id(&self) -> Option<ChargeId> {
        match &self.event {
            Event::Charged(_) => Some(ChargeId::of_hash(&self.hash)),
            Event::Ended { charge_id, .. } => Some(charge_id.clone()),
            Event::Opened(_) | Event::TermsChanged { .. } | Event::Refused(_) | Event::SetAside(_) => None,
        }
    }
}

/// What can happen to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// It was opened on these terms.
    Opened(Terms),
    /// It paid for a release.
    Charged(Charged),
    /// A release that it paid for ended.
    Ended {
        /// Which charge had paid.
        charge_id: ChargeId,
        /// How it ended.
        outcome: ReleaseOutcome,
        /// The certificate that was delivered; entries before version 3 of the tables do not say.
        certificate: Option<CertificateHash>,
    },
    /// It was asked to pay for a release, and did not.
    Refused(RefusedAttempt),
    /// The owner of the book set entries aside that no reader could read.
    SetAside(SetAsideRows),
    /// It got other terms.
    TermsChanged {
        /// Which.
        terms: Terms,
        /// The signature of the account's key: none where it has none, and none where nothing became looser.
        signature: Option<TermsSignature>,
    },
}

/// A release that an account did not pay for. It cost nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedAttempt {
    /// The state of the data.
    pub snapshot: String,
    /// The identity of the plan.
    pub plan_hash: String,
    /// The epsilon that it would have been charged.
    pub epsilon: Epsilon,
    /// The delta that it would have been charged.
    pub delta: Rational,
    /// Why, in a word: see [`ChargeRefusal::word`](crate::ChargeRefusal::word).
    pub reason: String,
}

/// Entries that stood where this one stands, and behind it, until the owner of the book set them aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAsideRows {
    /// How many there were.
    pub rows: u64,
    /// What was wrong with the first, in a word: see [`Fault::word`](crate::Fault::word).
    pub fault: String,
    /// The SHA-256 of their texts, as JSON, by which they can be told where the owner keeps them.
    pub digest: String,
}

/// What was charged, and for what.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Charged {
    /// The state of the data.
    pub snapshot: String,
    /// The identity of the plan.
    pub plan_hash: String,
    /// The identity of the binning.
    pub binning_hash: String,
    /// The promise, written out.
    pub promise: String,
    /// The weakest protection that anybody gets.
    pub epsilon: Epsilon,
    /// By how much chances may differ beyond epsilon.
    pub delta: Rational,
}

impl Charged {
    pub(crate) fn of(charge: &Charge) -> Charged {
        Charged {
            snapshot: charge.snapshot.clone(),
            plan_hash: charge.plan_hash.clone(),
            binning_hash: charge.binning_hash(),
            promise: charge.promise.clone(),
            epsilon: charge.epsilon.clone(),
            delta: charge.delta.clone(),
        }
    }
}

/// How a release ended. Both cost the same: nothing is ever refunded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReleaseOutcome {
    /// The folder is in its place.
    Delivered,
    /// Nothing was delivered.
    Failed,
}

impl ReleaseOutcome {
    /// Returns `delivered` or `failed`, as the book writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            ReleaseOutcome::Delivered => "delivered",
            ReleaseOutcome::Failed => "failed",
        }
    }

    pub(crate) fn read(text: &str) -> Option<ReleaseOutcome> {
        [ReleaseOutcome::Delivered, ReleaseOutcome::Failed].into_iter().find(|outcome| outcome.as_str() == text)
    }
}
