//! `incrowd verify`: recomputes a certificate and checks the tables against it.
//!
//! It reads a delivered folder and nothing else; its exit code must never say that a folder passed where a check was
//! not made. It is separate from the checks, which know no terminal. Read `incrowd_release::verify` for the checks,
//! `incrowd_release::verdict_page` for what is said of them; the binary `incrowd-verify` says the same.

use crate::args::{PrintFormat, VerifyCommand};
use crate::failure::Failure;
use crate::terminal::{print, style};
use incrowd_release::verdict_page::{Form, VerdictEnding, told};

/// Runs the command.
pub fn run(command: &VerifyCommand, format: PrintFormat) -> Result<(), Failure> {
    let form = match format {
        PrintFormat::Text => Form::Text,
        PrintFormat::Json => Form::Json,
        PrintFormat::Html => Form::Html,
    };
    let told = told(&command.folder, command.parent.as_deref(), command.most_work, form, &style())
        .map_err(|error| Failure::usage(error.to_string(), error.hint()))?;
    print(&told.text)?;
    match told.ending {
        VerdictEnding::Passed => Ok(()),
        VerdictEnding::NotVerified { message, hint } => Err(Failure::usage(message, hint)),
        VerdictEnding::Differs { message, hint } => Err(Failure::Differs { message, hint }),
    }
}
