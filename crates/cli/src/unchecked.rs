//! The note before a release of data that nobody looked at.
//!
//! At a terminal alone, and before the charge; it must never keep a release from running, or look at more than sizes
//! and times of files. It is separate because `release` only passes it on. Read `check/mark.rs` for what is remembered.

use crate::args::ReleaseCommand;
use crate::check::mark::{CheckOutcome, State, recall};
use crate::talk;
use incrowd_engine::Engine;
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_release::query::query;
use incrowd_release::request::printable;
use incrowd_release::session::{OpenedRequest, Session};
use std::io::IsTerminal;

/// Says when nobody looked at this state of the data, or when what was seen was not good.
pub fn note_unchecked(session: &Session, opened: &OpenedRequest<'_>, command: &ReleaseCommand) {
    // Machines and whoever rehearses were not asked to look.
    if command.rehearse || command.quiet || talk::is_for_machines() || !std::io::stderr().is_terminal() {
        return;
    }
    let source = opened.request().data.as_ref().and_then(|data| data.source.as_deref());
    let (Some(source), Ok(asked)) = (source, query(opened.request(), opened.folder())) else { return };
    let files = DataFusionEngine::new(Settings::default()).files(&asked.source.location);
    let Some(state) = State::of(opened.request(), &files) else { return };
    let was = match recall(&state, session.environment().data_folder.as_deref()) {
        Some(CheckOutcome::Passed) => return,
        Some(CheckOutcome::NotPassed) => "was checked and did not pass",
        None => "was not checked",
    };
    let (source, request) = (printable(source), printable(&command.request.display().to_string()));
    talk::note("note:", &format!("this state of {source} {was}; `incrowd check {request}` charges nothing"));
}
