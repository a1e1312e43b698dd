//! Signals: Ctrl-C asks to stop, and a full disk is an error rather than the end.
//!
//! A first request to stop is polite, a second one is not; it must never leave a charge without an exit code that says so.
//! It is separate because signals belong to the process, not to a release. Read `watch.rs` next.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process has begun to charge.
static CHARGED: AtomicBool = AtomicBool::new(false);

/// Whether the folder of this process is in its place.
static DELIVERED: AtomicBool = AtomicBool::new(false);

/// Whether an end without a folder is a charge without a folder.
pub fn has_charged() -> bool {
    CHARGED.load(Ordering::Relaxed)
}

/// What the process was asked.
#[derive(Debug, Default)]
pub struct Asked {
    stop: AtomicBool,
}

impl Asked {
    /// Whether somebody asked to stop.
    pub fn to_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
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

/// Returns what the process is asked from now on.
pub fn listen() -> Arc<Asked> {
    let asked = Arc::new(Asked::default());
    // Writing beyond a file size limit then fails with an error that can be told, instead of killing the process.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        let heard = Arc::clone(&asked);
        std::thread::spawn(move || {
            for _ in signals.forever() {
                if heard.stop.swap(true, Ordering::Relaxed) {
                    std::process::exit(match (DELIVERED.load(Ordering::Relaxed), has_charged()) {
                        (true, _) => 0,
                        (false, true) => 3,
                        (false, false) => 130,
                    });
                }
            }
        });
    }
    asked
}
