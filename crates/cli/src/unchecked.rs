//! What is remembered of a look at this state of the data, and the note before a release where there is nothing.
//!
//! The note is for a terminal alone, and before the charge; it must never keep a release from running, or look at more
//! than sizes and times of files. It is separate because `release` only passes it on. Read `check/mark.rs` for what is
//! remembered.

use crate::args::ReleaseCommand;
use crate::check::mark::{CheckOutcome, State, recall};
use crate::engines::Engines;
use crate::talk;
use incrowd_engine::Engine;
use incrowd_engine_datafusion::Settings;
use incrowd_release::forecast::CheckedOutlook;
use incrowd_release::query::query;
use incrowd_release::request::printable;
use incrowd_release::session::{OpenedRequest, Session};
use std::io::IsTerminal;

/// What is remembered of this state of the data, and a note at a terminal where nobody looked at it or where what was
/// seen was not good.
pub fn checked_before(session: &Session, opened: &OpenedRequest<'_>, command: &ReleaseCommand) -> CheckedOutlook {
    if command.rehearse {
        return CheckedOutlook::Unknown;
    }
    let source = opened.request().data.as_ref().and_then(|data| data.source.as_deref());
    let (Some(source), Ok(asked)) = (source, query(opened.request(), opened.folder())) else {
        return CheckedOutlook::Unknown;
    };
    // Of a server there are none, and nobody looked.
    let files = Engines::new(Settings::default()).files(&asked.source.location);
    let Some(state) = State::of(opened.request(), &files) else { return CheckedOutlook::Unknown };
    let (was, outlook) = match recall(&state, session.environment().data_folder.as_deref()) {
        Some(CheckOutcome::Passed) => return CheckedOutlook::Something,
        // It is asked about, or noted.
        Some(CheckOutcome::ShowsNothing) => return CheckedOutlook::HardlyAnything,
        Some(CheckOutcome::PassedWithMore) => (
            "was checked with a larger --most-lost or --most-cut than usual, which it needs to pass",
            CheckedOutlook::Something,
        ),
        Some(CheckOutcome::NotPassed) => ("was checked and did not pass", CheckedOutlook::Unknown),
        Some(CheckOutcome::Loses) => (
            "was checked and did not pass: more people would be lost than its --most-lost allows",
            CheckedOutlook::Unknown,
        ),
        Some(CheckOutcome::Cuts) => (
            "was checked and did not pass: more of people's bins would be left out than its --most-cut allows",
            CheckedOutlook::Unknown,
        ),
        None => ("was not checked", CheckedOutlook::Unknown),
    };
    // Machines were not asked to look.
    if !command.quiet && !talk::is_for_machines() && std::io::stderr().is_terminal() {
        let (source, request) = (printable(source), printable(&command.request.display().to_string()));
        talk::note("note:", &format!("this state of {source} {was}; `incrowd check {request}` charges nothing"));
    }
    outlook
}
