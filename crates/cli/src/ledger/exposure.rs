//! `incrowd ledger exposure`: how much the people in the data have been exposed, for the steward's eyes.

use crate::args::{Format, LedgerExposure};
use crate::failure::Failure;

/// Runs the command.
pub fn run(_command: &LedgerExposure, _format: Format) -> Result<(), Failure> {
    Err(Failure::usage("this version has no exposure", "leave it"))
}
