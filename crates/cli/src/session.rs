//! The session of a command: which engine counts, what the environment is, and how warnings are printed.
//!
//! It is the only place that chooses an engine and reads the environment; it must never decide which book is used or
//! what is allowed, which `incrowd_release::session` does. It is separate because every command starts with it. Read
//! `plan.rs` and `release.rs` next.

use crate::failure::Failure;
use crate::talk;
use incrowd_engine_datafusion::{DataFusionEngine, Settings};
use incrowd_ledger::Ledger;
use incrowd_release::request::Request;
use incrowd_release::session::{Environment, LedgerLocation, OpenedRequest, Session};
use incrowd_release::site_policy::PolicyPlace;
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// Where the policy of this machine is: in this program alone, so that nobody who runs it can name another one.
const POLICY: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/incrowd/policy.toml"
} else if cfg!(windows) {
    r"C:\Program Files\incrowd\policy.toml"
} else {
    "/etc/incrowd/policy.toml"
};

/// Returns this machine, with the book that `--ledger` names.
pub fn environment(ledger: Option<&Path>) -> Environment {
    Environment {
        ledger: ledger.map(Path::to_path_buf),
        ledger_variable: std::env::var_os("INCROWD_LEDGER"),
        data_folder: dirs::data_dir(),
        policy: PolicyPlace { path: POLICY.into(), owner: 0 },
        clock: Box::new(SystemTime::now),
        warn: Box::new(|warning| talk::warn(&warning.to_string())),
    }
}

/// Returns a session on this machine, with an engine that may use so much of it.
pub fn session(ledger: Option<&Path>, settings: Settings) -> Session {
    Session::new(Box::new(DataFusionEngine::new(settings)), environment(ledger))
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
