//! The session of a command: its engines (`engines.rs`), what the environment is, and how warnings are printed.
//!
//! It is the only place that reads the environment; it must never decide which book is used or
//! what is allowed, which `incrowd_release::session` does. It is separate because every command starts with it. Read
//! `plan.rs` and `release.rs` next.

use crate::engines::Engines;
use crate::failure::Failure;
use crate::talk;
use incrowd_engine_datafusion::Settings;
use incrowd_ledger::{Ledger, Provenance};
use incrowd_release::request::Request;
use incrowd_release::session::{Environment, LedgerLocation, OpenedRequest, Session};
use incrowd_release::site_policy::PolicyPlace;
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

/// Where the policy of this machine is: in this program alone, so that nobody who runs it can name another one.
const POLICY: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/incrowd/policy.toml"
} else if cfg!(windows) {
    r"C:\Program Files\incrowd\policy.toml"
} else {
    "/etc/incrowd/policy.toml"
};

/// What the command that runs says of itself.
static SAID: OnceLock<Said> = OnceLock::new();

/// Who runs a command and why, as she says.
#[derive(Debug, Clone, Default)]
struct Said {
    by: Option<String>,
    note: Option<String>,
    nonce: Option<String>,
}

/// From here on entries are said to be written by this person, and for this reason.
pub fn says(by: Option<&str>, note: Option<&str>) {
    remember(by, note, None);
}

/// As [`says`], with a number that no other opening has.
pub fn opens(by: Option<&str>, note: Option<&str>, nonce: String) {
    remember(by, note, Some(nonce));
}

fn remember(by: Option<&str>, note: Option<&str>, nonce: Option<String>) {
    let own = |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_string);
    // One process runs one command: a second word changes nothing.
    let _ = SAID.set(Said { by: own(by), note: own(note), nonce });
}

/// Who writes entries, as far as it is known: the system's user and machine, and what she says.
fn writer() -> Provenance {
    let Said { by, note, nonce } = SAID.get().cloned().unwrap_or_default();
    let variable = || std::env::var("INCROWD_BY").ok().filter(|by| !by.trim().is_empty());
    let (user, host) = (whoami::username().ok(), whoami::hostname().ok());
    Provenance { by: by.or_else(variable), note, nonce, user, host, ..Provenance::default() }
}

/// Returns this machine, with the book that `--ledger` names.
pub fn environment(ledger: Option<&Path>) -> Environment {
    Environment {
        ledger: ledger.map(Path::to_path_buf),
        ledger_variable: std::env::var_os("INCROWD_LEDGER"),
        data_folder: dirs::data_dir(),
        policy: PolicyPlace { path: POLICY.into(), owner: 0 },
        clock: Box::new(SystemTime::now),
        writer: writer(),
        warn: Box::new(|warning| talk::warn(&warning.to_string())),
    }
}

/// Returns a session on this machine, with an engine that may use so much of it.
pub fn session(ledger: Option<&Path>, settings: Settings) -> Session {
    Session::new(Box::new(Engines::new(settings)), environment(ledger))
}

/// Opens the request in a file, or on standard input where the path is `-`.
pub fn open<'a>(session: &'a Session, path: &Path) -> Result<OpenedRequest<'a>, Failure> {
    if path == Path::new("-") {
        let opened = session.open_stream("standard input", io::stdin().lock(), None)?;
        let source = opened.request().data.as_ref().and_then(|data| data.source.as_deref());
        if source == Some("-") {
            let message = "the request and its data cannot both come from standard input";
            return Err(Failure::usage(message, "give the path of the request, and the data on standard input"));
        }
        return Ok(opened);
    }
    Ok(session.open(path)?)
}

/// Returns the request in a file or on standard input, of which nothing is counted.
pub fn request(path: &Path) -> Result<Request, Failure> {
    Ok(open(&session(None, Settings::default()), path)?.into_request())
}

/// Opens the book that is meant without a request, which must be there.
pub fn existing_book(ledger: Option<&Path>) -> Result<(Ledger, LedgerLocation), Failure> {
    let environment = environment(ledger);
    let location = environment.ledger_to_look_at()?;
    Ok((environment.open_existing(&location)?, location))
}
