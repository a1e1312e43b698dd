//! `incrowd verify`: recomputes a certificate and checks the tables against it.
//!
//! It reads a delivered folder and nothing else; a check that was not made is never shown as passed. It is separate from the
//! checks themselves because this is layout. Read `incrowd_release::verify` for the checks.

use crate::args::{Format, VerifyCommand};
use crate::failure::Failure;
use crate::page;
use incrowd_release::verify::{CheckResult, verify};

/// Runs the command.
pub fn run(command: &VerifyCommand, format: Format) -> Result<(), Failure> {
    let verdict =
        verify(&command.folder, command.most_work).map_err(|error| Failure::usage(error.to_string(), error.hint()))?;
    let folder = command.folder.display();
    match format {
        Format::Json => page::print_json(&verdict.to_json())?,
        Format::Text => {
            let mut text = page::heading(&format!("Certificate of {folder}"));
            for check in &verdict.checks {
                let sign = match check.result {
                    CheckResult::Passed => "verified",
                    CheckResult::Failed => "WRONG",
                    CheckResult::Trusted => "trusted",
                    CheckResult::Unchecked => "UNCHECKED",
                    CheckResult::Noted => "note",
                };
                text.push_str(&page::entry(sign, &format!("{}: {}", check.name, check.detail)));
            }
            if verdict.is_passed() {
                let (verified, trusted) = (verdict.count(CheckResult::Passed), verdict.count(CheckResult::Trusted));
                text.push_str(&format!("\nAll {verified} checks passed; {trusted} things were taken on trust.\n"));
            }
            page::print(&text)?;
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
