//! `incrowd diff`: what changed between two delivered folders, and what may be noise; free.
//!
//! It reads two delivered folders and nothing else: it must never open a ledger or the data. It is separate from the
//! comparison, which knows no terminal. Read `incrowd_release::diff` for what is compared.

use crate::args::{DiffCommand, PrintFormat};
use crate::chart::write_new;
use crate::failure::Failure;
use crate::terminal::{Printed, of_this_command, print_json, style};
use incrowd_release::diff::{ComparedPeriods, Diff, DiffError, diff};
use incrowd_report::{Emphasis, TextStyle, html, text};

/// Runs the command.
pub fn run(command: &DiffCommand, format: PrintFormat) -> Result<(), Failure> {
    let periods = command.periods.as_deref().map(|text| {
        let hint = "say --periods OLD,NEW, as the first column of the tables writes them";
        ComparedPeriods::from_text(text).ok_or_else(|| Failure::usage("--periods is not understood", hint))
    });
    let periods = periods.transpose()?;
    let mut found =
        diff(&command.old, &command.new, periods.as_ref(), command.most_work).map_err(|error| failed(&error))?;
    if command.only_changed {
        found = found.only_changed();
    }
    match &command.to {
        Some(path) => {
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            write_new(path, &file(&found, ending)?)?;
            if format == PrintFormat::Json {
                let written = path.display().to_string();
                return print_json(&serde_json::json!({ "written": written, "more_than_noise": found.changed() }));
            }
            Ok(())
        }
        None if format == PrintFormat::Json => print_json(&found.to_json()),
        None => Printed::only("What changed", vec![found.page()]).print(format),
    }
}

/// Returns the comparison as a file with this ending has it.
fn file(found: &Diff, ending: &str) -> Result<String, Failure> {
    Ok(match ending {
        "html" => html(&found.page()),
        "json" => format!("{:#}\n", of_this_command(found.to_json())),
        "csv" => found.to_csv().map_err(|_| Failure::usage("the table could not be written", "leave --to out"))?,
        _ => text(&found.page(), &TextStyle { emphasis: Emphasis::Plain, ..style() }),
    })
}

/// What cannot be compared is refused; what cannot be read, and what is asked for wrongly, is wrong.
fn failed(error: &DiffError) -> Failure {
    let (message, hint) = (error.to_string(), error.hint());
    match error {
        DiffError::NotVerified { .. }
        | DiffError::OtherKind { .. }
        | DiffError::Sampled { .. }
        | DiffError::KnownSeeds
        | DiffError::Different { .. }
        | DiffError::HiddenCells { .. }
        | DiffError::SeveralBins { .. }
        | DiffError::TooManyParts
        | DiffError::TooLong
        | DiffError::NoLaw { .. }
        | DiffError::NoCommonPeriod { .. } => Failure::Differs { message, hint },
        DiffError::Unreadable { .. }
        | DiffError::TooMuchWork { .. }
        | DiffError::NoPeriods
        | DiffError::NoSuchPeriod { .. } => Failure::usage(message, hint),
    }
}
