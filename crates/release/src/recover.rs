//! Gives sealed folders their names: releases that were paid for and written to the end, and whose process died or
//! whose ledger did not answer.
//!
//! Only what the ledger knows as delivered with this very certificate gets a name, or what it knows as charged and not
//! ended, which is recorded first; it must never deliver what was not paid for, nor remove what was. It is separate
//! because both a command and the next release to the same folder do it. Read `folder/left.rs` for what is found.

use crate::claim::claim;
use crate::folder::{DeliveredFolder, FolderError, stale_of};
use incrowd_ledger::{CertificateHash, Ledger, LedgerError, Mismatch, Moment, PaidClaim};
use std::fmt;
use std::path::Path;

/// A sealed folder that was found.
#[derive(Debug)]
pub struct Found {
    /// The charge that it names.
    pub charge_id: String,
    /// What became of it.
    pub end: Result<DeliveredFolder, Obstacle>,
}

/// Why a sealed folder has no name yet.
#[derive(Debug)]
pub enum Obstacle {
    /// The ledger does not know its charge as it is claimed.
    Claim(Mismatch),
    /// Its certificate names no charge.
    NoClaim,
    /// The ledger says that nothing was delivered, or something else.
    OtherEnd,
    /// The ledger could not take the outcome.
    Ledger(LedgerError),
    /// The name cannot be given.
    Folder(FolderError),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Claim(mismatch) => mismatch.fmt(f),
            Obstacle::NoClaim => f.write_str("its certificate names no charge"),
            Obstacle::OtherEnd => f.write_str("the ledger says that its release ended otherwise"),
            Obstacle::Ledger(error) => error.fmt(f),
            Obstacle::Folder(error) => error.fmt(f),
        }
    }
}

impl Obstacle {
    /// Returns what to do about it.
    pub fn hint(&self) -> String {
        match self {
            Obstacle::Claim(_) | Obstacle::NoClaim => "name the ledger that it was charged to with --ledger".into(),
            Obstacle::OtherEnd => "see incrowd ledger history".into(),
            Obstacle::Ledger(error) => error.hint(),
            Obstacle::Folder(FolderError::Exists | FolderError::NotADelivery) => {
                "give it another name with --to FOLDER".into()
            }
            Obstacle::Folder(error) => error.hint().into(),
        }
    }
}

/// Whether something sealed may be lying beside a target: a look without the ledger.
pub fn is_anything_left(target: &Path) -> bool {
    stale_of(target).is_ok_and(|(left, _taken)| left.iter().any(|left| left.whole().is_some()))
}

/// Gives every sealed folder beside a target its name, or the name `to`; returns what was found.
pub fn recover(target: &Path, to: Option<&Path>, ledger: &mut Ledger, now: Moment) -> Result<Vec<Found>, FolderError> {
    let (left, _taken) = stale_of(target)?;
    let mut found = Vec::new();
    for left in left {
        let Some(contents) = left.whole() else { continue };
        let charge_id = contents.certificate()["ledger"]["charge_id"].as_str().unwrap_or_default().to_string();
        let paid = is_paid(ledger, contents.certificate(), &contents.certificate_hash(), now);
        let end = paid.and_then(|()| left.publish(to).map_err(Obstacle::Folder));
        found.push(Found { charge_id, end });
    }
    Ok(found)
}

/// Makes sure that the ledger says that a certificate was delivered.
fn is_paid(
    ledger: &mut Ledger,
    certificate: &serde_json::Value,
    hash: &CertificateHash,
    now: Moment,
) -> Result<(), Obstacle> {
    let claim = claim(certificate).ok_or(Obstacle::NoClaim)?;
    let judged = ledger.claims(std::slice::from_ref(&claim)).map_err(Obstacle::Ledger)?;
    match judged.into_iter().next() {
        Some(Ok(PaidClaim::Pending(spent))) => {
            ledger.record_delivery(spent, hash, now).map_err(|unrecorded| Obstacle::Ledger(unrecorded.error))
        }
        Some(Ok(PaidClaim::Delivered(Some(known)))) if known == *hash => Ok(()),
        Some(Ok(PaidClaim::Delivered(_) | PaidClaim::Failed)) => Err(Obstacle::OtherEnd),
        Some(Err(mismatch)) => Err(Obstacle::Claim(mismatch)),
        None => Err(Obstacle::NoClaim),
    }
}
