//! How a command fails: a message, a hint, an exit code.
//!
//! Messages go to standard error, and no message may carry a value of the data. It is separate so that all commands fail in
//! the same way. Read `main.rs` for where failures end up.

use crate::args::Format;
use crate::page;
use incrowd_engine::CountError;
use incrowd_ledger::LedgerError;
use incrowd_memory::Ending;
use incrowd_release::folder::FolderError;
use incrowd_release::refusal::Refusal;
use incrowd_release::release::{self, Cause};
use incrowd_release::request::{Colour, RequestError};
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
    /// Charged, and not delivered: exit code 3.
    Undelivered {
        /// The charge.
        charge_id: String,
        /// Why.
        cause: Cause,
    },
    /// Charged, and lost on the way: exit code 3.
    LostAfterTheCharge,
    /// There is no memory left, before anything was charged: exit code 2.
    NoMemory,
    /// Somebody asked to stop before anything was charged: exit code 130.
    Stopped,
    /// Writing the result failed.
    Output(io::Error),
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        Failure::Ledger(error)
    }
}

impl From<release::Failure> for Failure {
    fn from(failure: release::Failure) -> Self {
        match failure {
            release::Failure::Refused(refusal) => Failure::Refused(refusal),
            release::Failure::Data(problem) => Failure::usage(problem.to_string(), problem.hint()),
            release::Failure::Ledger(error) => Failure::Ledger(error),
            release::Failure::Folder(error @ (FolderError::Exists | FolderError::NotADelivery | FolderError::Busy)) => {
                Failure::Differs { message: error.to_string(), hint: error.hint().to_string() }
            }
            release::Failure::Folder(error) => Failure::usage(error.to_string(), error.hint()),
            release::Failure::Cancelled => Failure::Stopped,
            release::Failure::Undelivered { charge_id, cause } => {
                Failure::Undelivered { charge_id: charge_id.as_str().to_string(), cause }
            }
        }
    }
}

/// One text for everything that can go wrong with data: which of it went wrong would tell about the data.
const NOT_COUNTED: &str = "the data could not be counted to its end";
/// What to do with a folder that is whole and has no name.
const KEPT: &str =
    "the whole folder is kept beside its place: `incrowd recover FOLDER` delivers it, and charges nothing";
const NOT_COUNTED_HINT: &str = "are the files whole, with as many fields in each row as in the first, in UTF-8? Is there \
enough memory (--memory) and disk space? The cause is not shown, because it could betray a row. Trying again is charged again";

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

    /// Returns how the process ends if this happens where no memory is left to say it: as it is always said, without colours.
    pub fn ending(self, format: Format) -> Ending {
        let Some((code, text, message, hint)) = self.told() else { return Ending { text: String::new(), code: 0 } };
        let text = match (format, text) {
            (Format::Json, _) => format!("{}\n", object(&message, &hint, code)),
            (Format::Text, Some(rendered)) => rendered,
            (Format::Text, None) if hint.is_empty() => format!("error: {message}\n"),
            (Format::Text, None) => format!("error: {message}\nhint: {hint}\n"),
        };
        Ending { text, code }
    }

    /// Says what is wrong and returns the exit code.
    pub fn report(self, format: Format) -> ExitCode {
        let Some((code, text, message, hint)) = self.told() else { return ExitCode::SUCCESS };
        let mut stderr = anstream::stderr();
        let written = match (format, text) {
            (Format::Json, _) => writeln!(stderr, "{}", object(&message, &hint, code)),
            (Format::Text, Some(rendered)) => write!(stderr, "{rendered}"),
            (Format::Text, None) => {
                let hint = if hint.is_empty() { String::new() } else { format!("\n{} {hint}", page::label("hint:")) };
                writeln!(stderr, "{} {message}{hint}", page::error_label())
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
                let code = if let LedgerError::Refused(_) = error { 1 } else { 2 };
                (code, None, error.to_string(), error.hint())
            }
            Failure::LostAfterTheCharge => {
                (3, None, format!("charged but not delivered: {NOT_COUNTED}"), NOT_COUNTED_HINT.to_string())
            }
            Failure::NoMemory => {
                let hint = "give incrowd more memory, or less to do at a time (--memory, --threads)".to_string();
                (2, None, "out of memory; nothing was charged".to_string(), hint)
            }
            Failure::Stopped => (130, None, "stopped; nothing was charged".to_string(), String::new()),
            Failure::Undelivered { charge_id, cause: Cause::Ledger(error @ LedgerError::Unconfirmed { .. }) } => {
                (3, None, format!("not delivered, and charge {charge_id} may stand: {error}"), error.hint())
            }
            Failure::Undelivered { charge_id, cause } => {
                let (cause, hint) = match cause {
                    Cause::Counting(CountError::Failed | CountError::Contract) => {
                        (NOT_COUNTED.to_string(), NOT_COUNTED_HINT.to_string())
                    }
                    Cause::Counting(CountError::Cancelled) => (
                        "stopped on request".to_string(),
                        "trying again is charged again; `incrowd ledger history` shows every charge".to_string(),
                    ),
                    Cause::Folder(error) => (error.to_string(), error.hint().to_string()),
                    Cause::Ledger(error) => (error.to_string(), error.hint()),
                    Cause::Unrecorded(error) => (format!("complete, but {error}"), KEPT.to_string()),
                    Cause::Unnamed(error) => (format!("complete, but {error}"), KEPT.to_string()),
                };
                (3, None, format!("charged but not delivered (charge {charge_id}): {cause}"), hint)
            }
            // Whoever reads the output has stopped reading: nothing is wrong.
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return None,
            Failure::Output(error) => {
                (2, None, format!("the result could not be written: {error}"), "is the disk full?".to_string())
            }
        })
    }
}

fn object(message: &str, hint: &str, code: u8) -> serde_json::Value {
    serde_json::json!({
        "version": incrowd_release::plan_json::JSON_VERSION, "error": message, "hint": hint, "exit_code": code,
    })
}
