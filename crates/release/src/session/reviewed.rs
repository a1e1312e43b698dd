//! A request's plan is saved for review, and held against what was reviewed.
//!
//! It must never release anything but that. It is separate from `opened.rs`, which has the order of a release, and from
//! `four_eyes.rs`, which compares. Read `four_eyes.rs` for what is compared.

use super::Target;
use super::error::ReleaseError;
use super::four_eyes::{Pins, ReviewError, SaveError, must_match, save_plan, sign_saved};
use super::ledger_location::LedgerLocation;
use super::opened::OpenedRequest;
use crate::plan::{Plan, RequestedPlan};
use incrowd_ledger::{OfficerKey, PublicKey};
use std::io;
use std::path::Path;

impl OpenedRequest<'_> {
    /// Writes a plan of this request to a file that is not there yet, pinned to its source, its ledger and the folder
    /// that a release to `target` makes, and signed if there is a key; returns the pins.
    pub fn save_plan(
        &self,
        plan: &Plan,
        target: &Target,
        key: Option<&OfficerKey>,
        path: &Path,
    ) -> Result<Pins, SaveError> {
        let ledger = self.ledger().map_err(SaveError::Location)?;
        let pins = self.pins(plan, &ledger, &self.target(target)).map_err(SaveError::Write)?;
        save_plan(plan, &pins, key, path)?;
        Ok(pins)
    }

    /// Signs a plan that somebody else has saved: only if it is the plan of this request, whatever places it is pinned
    /// to, which are returned to be looked at. The signed plan is a new file; earlier signatures stay.
    pub fn sign_plan(&self, plan: &Plan, saved: &Path, key: &OfficerKey, to: &Path) -> Result<Pins, SaveError> {
        sign_saved(plan, saved, key, to)
    }

    fn pins(&self, plan: &Plan, ledger: &LedgerLocation, output: &Path) -> io::Result<Pins> {
        Pins::of(plan, self.folder(), ledger, output)
    }

    /// Refuses anything but what was reviewed, if something was; returns who signed that.
    pub(super) fn must_be_reviewed(
        &self,
        plan: &RequestedPlan,
        ledger: &LedgerLocation,
        output: &Path,
    ) -> Result<Vec<PublicKey>, ReleaseError> {
        let Some(saved) = &self.reviewed else { return Ok(Vec::new()) };
        let unplaced = |error| ReleaseError::Review(ReviewError::Unreadable(error));
        let pins = self.pins(plan.plan(), ledger, output).map_err(unplaced)?;
        must_match(plan.plan(), &pins, saved).map_err(ReleaseError::Review)
    }
}
