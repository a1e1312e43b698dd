//! `incrowd export`: a delivered folder in the form of others.
//!
//! A folder that does not verify is not exported: nobody should register a promise that is not kept. It is separate
//! from the form itself because this is files and options. Read `incrowd_release::registry` for the form.

use crate::args::{ExportCommand, FolderForm, PrintFormat};
use crate::failure::Failure;
use crate::talk;
use crate::terminal::{print, print_blocks, print_json};
use incrowd_release::registry::{Publisher, RegistryEntry, TO_FILL_IN, registry_entry};
use incrowd_release::verify::{MOST_WORK, read_certificate, verify};
use incrowd_report::Block;
use serde_json::json;
use std::io::Write as _;

/// Runs the command.
pub fn run(command: &ExportCommand, format: PrintFormat) -> Result<(), Failure> {
    let FolderForm::Registry = command.form;
    let unreadable = |error: incrowd_release::verify::VerifyError| Failure::usage(error.to_string(), error.hint());
    let verdict = verify(&command.folder, MOST_WORK).map_err(unreadable)?;
    if !verdict.is_passed() {
        return Err(Failure::Differs {
            message: format!("{} is not what its certificate says, so it is not exported", command.folder.display()),
            hint: "`incrowd verify` says what is wrong with it".into(),
        });
    }
    if let Some(date) = &command.date
        && !is_day(date)
    {
        return Err(Failure::usage(format!("{date:?} is not a day"), "write it as 2026-01-31"));
    }
    let certificate = read_certificate(&command.folder).map_err(unreadable)?;
    let entry = registry_entry(
        &certificate,
        &Publisher {
            name: command.name.clone(),
            curators: command.curator.clone(),
            intended_use: command.intended_use.clone(),
            region: command.region.clone(),
            date: command.date.clone(),
            sector: command.sector.map(|sector| sector.as_str().to_string()),
            authors: command.author.clone(),
        },
    );
    write(command, &entry)?;
    if format == PrintFormat::Json {
        return print_json(&json!({
            "file_name": entry.file_name,
            "to_fill_in": entry.missing,
            "yaml": entry.yaml,
        }));
    }
    match &command.output {
        None => print(&entry.yaml)?,
        Some(path) => print_blocks(vec![Block::Facts(vec![("written".into(), path.display().to_string())])])?,
    }
    if !entry.missing.is_empty() {
        talk::warn(&format!(
            "{} fields are marked {TO_FILL_IN:?}, as no certificate knows them: {}. Options of `incrowd export` fill them in.",
            entry.missing.len(),
            entry.missing.join(", ")
        ));
    }
    Ok(())
}

fn write(command: &ExportCommand, entry: &RegistryEntry) -> Result<(), Failure> {
    let Some(path) = &command.output else { return Ok(()) };
    let failed = |error: std::io::Error| {
        Failure::usage(format!("the entry could not be written: {error}"), "choose a new name in a folder that exists")
    };
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    file.write_all(entry.yaml.as_bytes()).map_err(failed)
}

/// Whether a text is a day of the calendar, as `2026-01-31`.
fn is_day(text: &str) -> bool {
    incrowd_release::request::Date::from_text(text).is_some()
}
