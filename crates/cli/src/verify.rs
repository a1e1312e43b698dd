//! `incrowd verify`: recomputes a certificate and checks the tables against it.
//!
//! It reads a delivered folder and nothing else; its exit code must never say that a folder passed where a check was not
//! made. It is separate from the checks, which know no terminal. Read `incrowd_release::verify` for the checks,
//! `incrowd_release::verdict_page` for what is said of them.

use crate::args::{Format, VerifyCommand};
use crate::failure::Failure;
use crate::terminal::{Printed, print_json};
use incrowd_release::verdict_page;
use incrowd_release::verify::{CheckResult, verify};

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
    if verdict.is_passed() {
        return Ok(());
    }
    if verdict.count(CheckResult::Failed) == 0 {
        return Err(Failure::usage(
            format!("{folder} was not verified: computing it again takes more work than was allowed"),
            format!(
                "nothing wrong was found so far; --most-work {} allows ten times as much",
                command.most_work.saturating_mul(10)
            ),
        ));
    }
    Err(Failure::Differs {
        message: format!("{folder} is not what its certificate says"),
        hint: "do not rely on it; ask whoever published it for the folder as it was delivered".into(),
    })
}
