//! The last word to the ledger: that a release was delivered, said again until it is heard.
//!
//! The folder is whole by then and the budget is spent, so it is worth waiting for a server that restarts or for
//! somebody who holds the file; saying it twice does no harm. It must never wait for what waiting cannot mend. It is
//! separate because nothing else in a release is tried twice. Read `recover.rs` for what happens if nobody listens.

use crate::audience::Audience;
use incrowd_ledger::{CertificateHash, Ledger, LedgerError, Moment, SpentReceipt, Trouble, Unrecorded};
use std::time::{Duration, Instant};

/// How long others are waited for: a server that restarts, a process that writes.
const FOR_OTHERS: Duration = Duration::from_secs(60);
/// How long a disk is waited for.
const FOR_A_DISK: Duration = Duration::from_secs(3);
/// The first pause; each is twice the one before, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);
/// How often somebody who wants to stop is heard.
const TICK: Duration = Duration::from_millis(100);

/// Records a delivery; tries again for a while if the ledger does not answer, unless somebody asks to stop.
pub(crate) fn record_delivery(
    ledger: &mut Ledger,
    mut spent: SpentReceipt,
    certificate: &CertificateHash,
    moment: Moment,
    audience: &dyn Audience,
) -> Result<(), LedgerError> {
    let (begun, mut pause) = (Instant::now(), FIRST_PAUSE);
    loop {
        let Unrecorded { spent: again, error } = match ledger.record_delivery(spent, certificate, moment) {
            Ok(()) => return Ok(()),
            Err(unrecorded) => *unrecorded,
        };
        if begun.elapsed() + pause > patience(&error) || !rest(pause, audience, &error) {
            return Err(error);
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
        spent = again;
    }
}

/// Waits; says whether nobody asked to stop.
fn rest(pause: Duration, audience: &dyn Audience, error: &LedgerError) -> bool {
    audience.waits(error);
    let until = Instant::now() + pause;
    while Instant::now() < until {
        if audience.is_cancelled() {
            return false;
        }
        std::thread::sleep(TICK.min(until.saturating_duration_since(Instant::now())));
    }
    !audience.is_cancelled()
}

/// How long it is worth waiting for an error to pass.
fn patience(error: &LedgerError) -> Duration {
    let (LedgerError::Trouble { trouble, .. } | LedgerError::Unconfirmed { trouble, .. }) = error else {
        return Duration::ZERO;
    };
    match trouble {
        Trouble::Locked | Trouble::Lost | Trouble::NoServer | Trouble::Unanswered | Trouble::Server(_) => FOR_OTHERS,
        Trouble::Full | Trouble::Io(_) | Trouble::System(_) | Trouble::CannotOpen | Trouble::Moved => FOR_A_DISK,
        Trouble::ReadOnly
        | Trouble::Unexpected(_)
        | Trouble::NoAccess
        | Trouble::NotEncrypted
        | Trouble::NotAllowed
        | Trouble::NotAnOfficer
        | Trouble::NotTheOwner
        | Trouble::NotSetUp
        | Trouble::SeveralBooks
        | Trouble::SchemaTaken
        | Trouble::NotUnicode
        | Trouble::NoRoles
        | Trouble::RoleNames
        | Trouble::OnlyInADatabase
        | Trouble::NothingDamaged
        | Trouble::NothingBefore
        | Trouble::AgainstTheRules(_)
        | Trouble::NotDurable
        | Trouble::Stopped
        | Trouble::Silent => Duration::ZERO,
    }
}
