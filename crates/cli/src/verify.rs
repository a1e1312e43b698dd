//! `incrowd verify`: recomputes a certificate and checks the tables against it.
//!
//! It reads a delivered folder and nothing else; its exit code must never say that a folder passed where a check was not
//! made. It is separate from the checks, which know no terminal. Read `incrowd_release::verify` for the checks,
//! `incrowd_release::verdict_page` for what is said of them.

use crate::args::{Format, VerifyCommand};
use crate::failure::Failure;
use crate::terminal::{Printed, print_json};
use incrowd_release::verdict_page::{self, Ending};
use incrowd_release::verify::verify;

/// Runs the command.
pub fn run(command: &VerifyCommand, format: Format) -> Result<(), Failure> {
    let verdict =
        verify(&command.folder, command.most_work).map_err(|error| Failure::usage(error.to_string(), error.hint()))?;
    let folder = command.folder.display().to_string();
    match format {
        Format::Json => print_json(&verdict.to_json())?,
        Format::Text | Format::Html => {
            Printed::only("Certificate", vec![verdict_page::page(&folder, &verdict)]).print(format)?;
        }
    }
    match Ending::of(&folder, &verdict, command.most_work) {
        Ending::Passed => Ok(()),
        Ending::NotVerified { message, hint } => Err(Failure::usage(message, hint)),
        Ending::Differs { message, hint } => Err(Failure::Differs { message, hint }),
    }
}
