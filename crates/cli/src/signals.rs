//! Signals: Ctrl-C asks to stop, and a full disk is an error rather than the end.
//!
//! A first request to stop is polite, a second one is not; it must never leave a charge without an exit code that says
//! so. It is separate because signals belong to the process, not to a release. Read `progress.rs` next.

use crate::talk;
use incrowd_release::plan_json::failure_json;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody is being asked something: then a first request to stop is the answer.
static ASKING: AtomicBool = AtomicBool::new(false);

/// Whether this process has begun to charge.
static CHARGED: AtomicBool = AtomicBool::new(false);

/// Whether the folder of this process is in its place.
static DELIVERED: AtomicBool = AtomicBool::new(false);

/// Whether an end without a folder is a charge without a folder.
pub fn has_charged() -> bool {
    CHARGED.load(Ordering::Relaxed)
}

/// A request to stop, made by a signal.
#[derive(Debug, Default)]
pub struct StopRequest {
    stop: AtomicBool,
    /// Whether a word about waiting was said.
    said: AtomicBool,
}

impl StopRequest {
    /// Whether somebody asked to stop.
    pub fn is_made(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Says once that a ledger keeps everybody waiting.
    pub fn waits(&self) {
        if !self.said.swap(true, Ordering::Relaxed) {
            talk::note("waiting:", "the server of the ledger does not answer yet");
        }
    }

    /// Asks somebody, who may answer by stopping everything.
    pub fn while_asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        ASKING.store(true, Ordering::Relaxed);
        let answer = ask();
        ASKING.store(false, Ordering::Relaxed);
        answer
    }

    /// From here on an end without a folder is a charge without a folder.
    pub fn charge_begins(&self) {
        CHARGED.store(true, Ordering::Relaxed);
    }

    /// From here on the release is there, however the process ends.
    pub fn delivered(&self) {
        DELIVERED.store(true, Ordering::Relaxed);
    }
}

/// Ends the process at once: what was spilled is removed, and what stands is told.
fn end() -> ! {
    incrowd_engine_datafusion::remove_spilled();
    let (code, message, hint) = match (DELIVERED.load(Ordering::Relaxed), has_charged()) {
        (true, _) => std::process::exit(0),
        (false, true) => (
            3,
            "stopped at once, and not delivered: a charge may stand",
            "see incrowd ledger history; what was complete is delivered by incrowd recover FOLDER",
        ),
        (false, false) => (130, "stopped; nothing was charged", ""),
    };
    let words = match (talk::is_for_machines(), hint) {
        (true, hint) => format!("{}\n", failure_json(talk::command(), message, hint, code)),
        (false, "") => format!("error: {message}\n"),
        (false, hint) => format!("error: {message}\nhint: {hint}\n"),
    };
    let _ = std::io::stderr().write_all(words.as_bytes());
    std::process::exit(code.into())
}

/// Keeps true data out of core dumps: whatever kills this process, no memory of it is written down.
///
/// Where the system has no such setting, `ulimit -c 0` has to do.
pub fn leave_no_memory_behind() {
    if cfg!(target_os = "linux") {
        // Which kinds of memory a dump holds: none, also for a program that dumps are handed to.
        let _ = std::fs::write("/proc/self/coredump_filter", "0");
    }
}

/// Makes writing beyond a file size limit fail with an error that can be told, instead of killing the process.
pub fn full_disks_are_errors() {
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Returns the request to stop that signals make from now on.
pub fn listen() -> Arc<StopRequest> {
    let asked = Arc::new(StopRequest::default());
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        let heard = Arc::clone(&asked);
        std::thread::spawn(move || {
            for _ in signals.forever() {
                if heard.stop.swap(true, Ordering::Relaxed) || ASKING.load(Ordering::Relaxed) {
                    end();
                }
            }
        });
    }
    asked
}
