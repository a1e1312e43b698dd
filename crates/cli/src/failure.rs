//! How a command fails: a message, a hint, an exit code.
//!
//! Messages go to standard error, and no message may carry a value of the data. It is separate so that all commands
//! fail in the same way. Read `main.rs` for where failures end up.

use crate::args::PrintFormat;
use crate::{label, talk};
use incrowd_engine::CountError;
use incrowd_ledger::LedgerError;
use incrowd_memory::Ending;
use incrowd_release::like_counts::LikeError;
use incrowd_release::plan_json::failure_json;
use incrowd_release::refusal::Refusal;
use incrowd_release::release::{self, Cause};
use incrowd_release::request::{Colour, RequestError};
use incrowd_release::session::{
    FailureClass, LocationError, OpenError, RecoverError, ReleaseError, SaveError, WrongClock,
};
use incrowd_release::site_policy::PolicyError;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Why a command did not do what was asked.
pub enum Failure {
    /// The promise is not met, or not proved: exit code 1.
    Refused(Refusal),
    /// The request is wrong: exit code 2.
    Request {
        /// Where it was read from.
        name: String,
        /// What it said.
        text: String,
        /// What is wrong.
        error: RequestError,
    },
    /// The arguments or the environment are wrong: exit code 2.
    Usage {
        /// What is wrong.
        message: String,
        /// What to change.
        hint: String,
    },
    /// Something is not what it should be, and was found out: exit code 1.
    Differs {
        /// What.
        message: String,
        /// What to do.
        hint: String,
    },
    /// The account book refuses (exit code 1) or cannot be used (exit code 2).
    Ledger(LedgerError),
    /// What the library tells, and of which class it is.
    Told {
        /// The class.
        class: FailureClass,
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
    /// There is no release: the exit code tells of which class that is.
    Release(release::ReleaseFailure),
    /// Charged, and lost on the way: exit code 3.
    LostAfterTheCharge,
    /// There is no memory left, before anything was charged: exit code 2.
    NoMemory,
    /// Writing the result failed.
    Output(io::Error),
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        Failure::Ledger(error)
    }
}

impl From<release::ReleaseFailure> for Failure {
    fn from(failure: release::ReleaseFailure) -> Self {
        Failure::Release(failure)
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Request { name, text, error } => Failure::Request { name, text, error },
            error => Failure::usage(error.to_string(), error.hint()),
        }
    }
}

impl From<LikeError> for Failure {
    fn from(error: LikeError) -> Self {
        Failure::usage(error.to_string(), error.hint())
    }
}

impl From<LocationError> for Failure {
    fn from(error: LocationError) -> Self {
        Failure::Told { class: error.class(), message: error.to_string(), hint: error.hint().into() }
    }
}

impl From<WrongClock> for Failure {
    fn from(error: WrongClock) -> Self {
        Failure::usage(error.to_string(), error.hint())
    }
}

impl From<PolicyError> for Failure {
    fn from(error: PolicyError) -> Self {
        Failure::usage(error.to_string(), error.hint())
    }
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Self {
        Failure::Told { class: error.class(), message: error.to_string(), hint: error.hint() }
    }
}

impl From<RecoverError> for Failure {
    fn from(error: RecoverError) -> Self {
        Failure::Told { class: error.class(), message: error.to_string(), hint: error.hint() }
    }
}

impl From<ReleaseError> for Failure {
    fn from(error: ReleaseError) -> Self {
        match error {
            ReleaseError::Release(failure) => Failure::Release(failure),
            // What was asked for by its name is refused by it.
            ReleaseError::KnownSeed => Failure::usage(
                "--test-seed makes every draw known, so nothing released with it is private",
                error.hint(),
            ),
            error => Failure::Told { class: error.class(), message: error.to_string(), hint: error.hint() },
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Refused(refusal)
    }
}

impl Failure {
    /// Returns wrong arguments, or an environment that does not allow what was asked.
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Failure::Usage { message: message.into(), hint: hint.into() }
    }

    /// Returns how the process ends if this happens where no memory is left to say it: as it is always said, without
    /// colours.
    pub fn ending(self, format: PrintFormat) -> Ending {
        let Some((code, text, message, hint)) = self.told() else { return Ending { text: String::new(), code: 0 } };
        let text = match (format, text) {
            (PrintFormat::Json, _) => format!("{}\n", failure_json(talk::command(), &message, &hint, code)),
            (PrintFormat::Text | PrintFormat::Html, Some(rendered)) => rendered,
            (PrintFormat::Text | PrintFormat::Html, None) if hint.is_empty() => format!("error: {message}\n"),
            (PrintFormat::Text | PrintFormat::Html, None) => format!("error: {message}\nhint: {hint}\n"),
        };
        Ending { text, code }
    }

    /// Says what is wrong and returns the exit code.
    pub fn report(self, format: PrintFormat) -> ExitCode {
        let Some((code, text, message, hint)) = self.told() else { return ExitCode::SUCCESS };
        let mut stderr = anstream::stderr();
        let written = match (format, text) {
            (PrintFormat::Json, _) => writeln!(stderr, "{}", failure_json(talk::command(), &message, &hint, code)),
            (PrintFormat::Text | PrintFormat::Html, Some(rendered)) => write!(stderr, "{rendered}"),
            (PrintFormat::Text | PrintFormat::Html, None) => {
                let hint = if hint.is_empty() { String::new() } else { format!("\n{} {hint}", label::label("hint:")) };
                writeln!(stderr, "{} {message}{hint}", label::error_label())
            }
        };
        // With nowhere left to complain, the exit code still tells.
        let _ = written;
        ExitCode::from(code)
    }

    /// Returns the exit code, the rendered text if there is one, the message and the hint; nothing if nothing is wrong.
    fn told(self) -> Option<(u8, Option<String>, String, String)> {
        Some(match self {
            Failure::Refused(refusal) => (1, None, refusal.to_string(), refusal.hint()),
            Failure::Request { name, text, error } => {
                let colour = if io::stderr().is_terminal() { Colour::Ansi } else { Colour::Plain };
                let rendered = error.render(&name, &text, colour);
                (2, Some(rendered), error.message().to_string(), error.hint_text().unwrap_or_default().to_string())
            }
            Failure::Usage { message, hint } => (2, None, message, hint),
            Failure::Differs { message, hint } => (1, None, message, hint),
            Failure::Ledger(error) => {
                let code = if error.is_refusal() { 1 } else { 2 };
                (code, None, error.to_string(), error.hint())
            }
            Failure::Told { class, message, hint } => (exit_code(class), None, message, hint),
            Failure::Release(failure) => (exit_code(failure.class()), None, failure.to_string(), failure.hint()),
            Failure::LostAfterTheCharge => {
                let cause = Cause::Counting(CountError::Failed);
                (3, None, format!("charged but not delivered: {cause}"), cause.hint())
            }
            Failure::NoMemory => {
                let hint = "give incrowd more memory, or less to do at a time (--memory, --threads)".to_string();
                (2, None, "out of memory; nothing was charged".to_string(), hint)
            }
            // Whoever reads the output has stopped reading: nothing is wrong.
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return None,
            Failure::Output(error) => {
                (2, None, format!("the result could not be written: {error}"), "is the disk full?".to_string())
            }
        })
    }
}

/// Returns how the process ends.
fn exit_code(class: FailureClass) -> u8 {
    match class {
        FailureClass::Refused => 1,
        FailureClass::Unusable => 2,
        FailureClass::Undelivered => 3,
        FailureClass::Stopped => 130,
    }
}
