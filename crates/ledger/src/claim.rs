//! What a certificate claims about the charge that paid for it, held against the book.
//!
//! A claim is granted only if the entry that it names is a charge, and of the same data, state, plan, bins and price;
//! it must never be granted for another entry of the chain. It is separate from `ledger.rs` because whoever verifies
//! folders, and whoever finds one that was never given its name, asks the same question. Read `book.rs` for the
//! entries.

use crate::entry::{Charged, Entry, Event, ReleaseOutcome};
use crate::receipt::SpentReceipt;
use incrowd_definition::{CertificateHash, ChargeId};
use incrowd_exact::Rational;
use incrowd_privacy::Epsilon;
use std::collections::HashMap;
use std::fmt;

/// What a certificate says about its charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The number of the charge's entry.
    pub seq: u64,
    /// The hash of the charge's entry.
    pub hash: String,
    /// The account that paid.
    pub account: String,
    /// The state of the data.
    pub snapshot: String,
    /// The identity of the plan.
    pub plan_hash: String,
    /// The identity of the binning.
    pub binning_hash: String,
    /// The weakest protection that anybody gets.
    pub epsilon: Epsilon,
    /// The least and the most that may have been charged as delta; nothing where the certificate states none, as where
    /// no epsilon bounds it. The plan's identity holds it then.
    pub delta: Option<(Rational, Rational)>,
}

/// What the book says about a charge that was claimed rightly.
#[derive(Debug)]
pub enum PaidClaim {
    /// The release has not ended. The spent receipt records how it does.
    Pending(SpentReceipt),
    /// It was delivered, with this certificate; books before version 3 do not say with which.
    Delivered(Option<CertificateHash>),
    /// Nothing was delivered.
    Failed,
}

/// Why a claim is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mismatch {
    /// No entry has this number and hash.
    NotInChain,
    /// The entry is there, and is not a charge.
    NotACharge,
    /// Another account paid.
    Account,
    /// It was charged for another state of the data.
    Snapshot,
    /// It was charged for another plan.
    Plan,
    /// It was charged for other bins.
    Binning,
    /// Another epsilon was charged.
    Epsilon,
    /// Another delta was charged.
    Delta,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mismatch::NotInChain => "no entry of this book has the number and the hash that it names",
            Mismatch::NotACharge => "the entry that it names is not a charge",
            Mismatch::Account => "the charge that it names was paid by another account",
            Mismatch::Snapshot => "the charge that it names is for another snapshot",
            Mismatch::Plan => "the charge that it names is for another plan",
            Mismatch::Binning => "the charge that it names is for other bins",
            Mismatch::Epsilon => "the charge that it names is of another epsilon",
            Mismatch::Delta => "the charge that it names is of another delta",
        })
    }
}

/// Claims while a book is read: each entry is shown once, and then each claim is judged.
pub(crate) struct Hearing<'a> {
    claims: &'a [Claim],
    /// The entry that each claim names, if it was seen.
    named: Vec<Option<Entry>>,
    /// How the charges that are named ended.
    endings: HashMap<ChargeId, (ReleaseOutcome, Option<CertificateHash>)>,
}

impl<'a> Hearing<'a> {
    pub fn of(claims: &'a [Claim]) -> Hearing<'a> {
        Hearing { claims, named: vec![None; claims.len()], endings: HashMap::new() }
    }

    /// Takes an entry of the book.
    pub fn show(&mut self, entry: &Entry) {
        for (claim, place) in self.claims.iter().zip(&mut self.named) {
            if (claim.seq, claim.hash.as_str()) == (entry.seq, entry.hash.as_str()) {
                *place = Some(entry.clone());
            }
        }
        if let Event::Ended { charge_id, outcome, certificate } = &entry.event
            && self.named.iter().flatten().any(|named| named.charge_id().as_ref() == Some(charge_id))
        {
            self.endings.insert(charge_id.clone(), (*outcome, certificate.clone()));
        }
    }

    /// Returns what the book says about each claim, in their order.
    pub fn judged(self) -> Vec<Result<PaidClaim, Mismatch>> {
        let judge = |(claim, named): (&Claim, &Option<Entry>)| {
            let entry = named.as_ref().ok_or(Mismatch::NotInChain)?;
            claim.must_be(entry)?;
            let charge_id = ChargeId::of_hash(&entry.hash);
            Ok(match self.endings.get(&charge_id) {
                None => PaidClaim::Pending(SpentReceipt::of_pending(entry.account.clone(), charge_id)),
                Some((ReleaseOutcome::Delivered, certificate)) => PaidClaim::Delivered(certificate.clone()),
                Some((ReleaseOutcome::Failed, _)) => PaidClaim::Failed,
            })
        };
        self.claims.iter().zip(&self.named).map(judge).collect()
    }
}

impl Claim {
    /// Refuses an entry that is not the charge that is claimed.
    fn must_be(&self, entry: &Entry) -> Result<(), Mismatch> {
        let charged: &Charged = match &entry.event {
            Event::Charged(charged) => charged,
            Event::Opened(_)
            | Event::Ended { .. }
            | Event::TermsChanged { .. }
            | Event::Refused(_)
            | Event::SetAside(_) => {
                return Err(Mismatch::NotACharge);
            }
        };
        let delta = self.delta.as_ref().is_none_or(|(least, most)| *least <= charged.delta && charged.delta <= *most);
        for (holds, mismatch) in [
            (self.account == entry.account.as_str(), Mismatch::Account),
            (self.snapshot == charged.snapshot, Mismatch::Snapshot),
            (self.plan_hash == charged.plan_hash, Mismatch::Plan),
            (self.binning_hash == charged.binning_hash, Mismatch::Binning),
            (self.epsilon == charged.epsilon, Mismatch::Epsilon),
            (delta, Mismatch::Delta),
        ] {
            if !holds {
                return Err(mismatch);
            }
        }
        Ok(())
    }
}
