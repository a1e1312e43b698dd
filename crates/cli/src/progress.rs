//! What a release shows while it runs: a bar of the input's size, and how long each stage took.
//!
//! It must never show how many rows match, how many bins there are, or anything else that was found in the data. It is
//! separate because it is the only output while true data is in memory. Read `release.rs` next.

use crate::args::PrintFormat;
use crate::failure::Failure;
use crate::signals::StopRequest;
use crate::talk;
use incrowd_engine::{CountError, CountedWhere, Watch};
use incrowd_ledger::{ChargeId, LedgerError};
use incrowd_memory::{Ending, Reached, ends_with};
use incrowd_release::counted_where::counted_words;
use incrowd_release::release::{self, Audience, Cause, Stage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verbosity {
    /// Nothing but errors.
    Quiet,
    /// A bar on a terminal.
    Bar,
    /// A bar on a terminal, and how long each stage took.
    Timings,
}

/// Somebody in front of a terminal.
pub struct Progress {
    verbosity: Verbosity,
    stop: Arc<StopRequest>,
    format: PrintFormat,
    bar: ProgressBar,
    begun: Mutex<Option<(Stage, Instant)>>,
}

impl Progress {
    /// Returns a screen that says so much.
    pub fn new(verbosity: Verbosity, stop: Arc<StopRequest>, format: PrintFormat) -> Self {
        // A bar is no object.
        let silent = verbosity == Verbosity::Quiet || format == PrintFormat::Json;
        let visible = !silent && std::io::stderr().is_terminal();
        let target = if visible { ProgressDrawTarget::stderr_with_hz(8) } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {bytes} of {total_bytes}");
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("=> "));
        }
        Progress { verbosity, stop, format, bar, begun: Mutex::new(None) }
    }

    /// Takes the bar away and says how long the last stage took.
    pub fn end(&self) {
        self.bar.finish_and_clear();
        self.tell(None);
    }

    fn tell(&self, next: Option<Stage>) {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = std::mem::replace(&mut *begun, next.map(|stage| (stage, Instant::now())));
        if let (Verbosity::Timings, Some((stage, since))) = (self.verbosity, ended) {
            let seconds = since.elapsed().as_secs_f64();
            talk::note(name(stage), &format!("{seconds:.2} s"));
        }
    }
}

fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Preparing => "preparing",
        Stage::Charging => "charging",
        Stage::Counting(_) => "counting",
        Stage::Writing => "writing",
        Stage::Delivering => "delivering",
    }
}

impl Watch for Progress {
    fn read(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    fn is_cancelled(&self) -> bool {
        self.stop.is_made()
    }
}

impl Audience for Progress {
    fn waits(&self, error: &LedgerError) {
        if self.verbosity != Verbosity::Quiet {
            talk::note("waiting:", &format!("{error}; trying again"));
        }
    }

    fn begins(&self, stage: Stage) {
        self.tell(Some(stage));
        match stage {
            Stage::Preparing => {}
            Stage::Charging => {
                self.stop.charge_begins();
                ends_with(Reached::Charging, Failure::LostAfterTheCharge.ending(self.format));
            }
            Stage::Counting(input) => {
                if let Some(bytes) = input.bytes {
                    self.bar.set_length(bytes);
                }
                self.bar.set_message("reading");
            }
            Stage::Writing => self.bar.set_message("counting and writing"),
            Stage::Delivering => self.bar.finish_and_clear(),
        }
    }

    fn counts_where(&self, place: &CountedWhere) {
        // Files are counted where they lie, and always were.
        if self.verbosity != Verbosity::Quiet && *place != CountedWhere::OnThisMachine {
            talk::note("counted:", &counted_words(place));
        }
    }

    fn charged(&self, charge: &ChargeId) {
        let cause = Cause::Counting(CountError::Failed);
        let lost = release::ReleaseFailure::Undelivered { charge_id: charge.clone(), cause };
        ends_with(Reached::Charged, Failure::Release(lost).ending(self.format));
    }

    fn ledger_is_silent(&self) {
        self.stop.waits();
    }

    fn delivered(&self, target: &Path) {
        self.end();
        self.stop.delivered();
        ends_with(Reached::Delivered, Ending { text: talk::line("", &unprinted(target)), code: 0 });
    }
}

/// What is said of a release that is there and cannot be shown.
pub fn unprinted(target: &Path) -> String {
    format!("delivered to {}; its summary could not be printed", target.display())
}
