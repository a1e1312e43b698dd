//! How a command fails: a message, a hint, an exit code.
//!
//! Messages go to standard error, and no message may carry a value of the data. It is separate so that all commands fail in
//! the same way. Read `main.rs` for where failures end up.

use crate::args::Format;
use crate::page;
use incrowd_release::refusal::Refusal;
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
    /// Writing the result failed.
    Output(io::Error),
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

    /// Says what is wrong and returns the exit code.
    pub fn report(self, format: Format) -> ExitCode {
        let (code, text, message, hint) = match self {
            Failure::Refused(refusal) => (1, None, refusal.to_string(), refusal.hint()),
            Failure::Request { name, text, error } => {
                let colour = if io::stderr().is_terminal() { Colour::Ansi } else { Colour::Plain };
                let rendered = error.render(&name, &text, colour);
                (2, Some(rendered), error.message().to_string(), error.hint_text().unwrap_or_default().to_string())
            }
            Failure::Usage { message, hint } => (2, None, message, hint),
            // Whoever reads the output has stopped reading: nothing is wrong.
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Output(error) => {
                (2, None, format!("the result could not be written: {error}"), "is the disk full?".to_string())
            }
        };
        let mut stderr = anstream::stderr();
        let written = match (format, text) {
            (Format::Json, _) => {
                let object = serde_json::json!({
                    "version": incrowd_release::plan_json::JSON_VERSION, "error": message, "hint": hint, "exit_code": code,
                });
                writeln!(stderr, "{object}")
            }
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
}
