//! `incrowd recover`: gives a release its name that was paid for, written to the end, and then interrupted.
//!
//! It must never charge, read data, or deliver what the ledger does not know. It is separate from `release.rs` because nothing
//! is released here that was not released before. Read `incrowd_release::recover` for the judgement.

use crate::args::{Format, RecoverCommand};
use crate::failure::Failure;
use crate::page;
use crate::place;
use crate::release::now;
use incrowd_ledger::Ledger;
use incrowd_release::folder::targets;
use incrowd_release::plan_json::JSON_VERSION;
use incrowd_release::recover::{Found, Obstacle, is_anything_left, recover};
use incrowd_release::request::printable;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn run(command: &RecoverCommand, format: Format) -> Result<(), Failure> {
    let moment = now()?;
    let place = place::alone(command.ledger.as_deref())?;
    let mut targets = targets(&command.folder);
    if is_anything_left(&command.folder) {
        targets.insert(0, command.folder.clone());
    }
    let left: Vec<PathBuf> = targets.into_iter().filter(|target| is_anything_left(target)).collect();
    if command.to.is_some() && left.len() > 1 {
        return Err(Failure::usage(
            "--to is one name, and several folders were found",
            "name one of them: incrowd recover FOLDER --to OTHER",
        ));
    }
    let mut found = Vec::new();
    if !left.is_empty() {
        let mut book = place.open()?;
        for target in &left {
            let of_it = recover(target, command.to.as_deref(), &mut book, moment);
            let of_it = of_it.map_err(|error| Failure::usage(error.to_string(), error.hint()))?;
            found.extend(of_it.into_iter().map(|found| (target.clone(), found)));
        }
    }
    tell(&command.folder, &found, format)?;
    match found.iter().find_map(|(target, found)| found.end.as_ref().err().map(|obstacle| (target, obstacle))) {
        None => Ok(()),
        Some((target, obstacle)) => Err(kept(target, obstacle)),
    }
}

/// Delivers what an earlier release left whole beside a target; says so if there was something, because then the target is not
/// free and the release that was asked for must be asked for again.
pub fn before_release(target: &Path, book: &mut Ledger) -> Result<(), Failure> {
    let found = recover(target, None, book, now()?);
    let found = found.map_err(|error| Failure::usage(error.to_string(), error.hint()))?;
    let Some(first) = found.into_iter().next() else { return Ok(()) };
    match first.end {
        Ok(published) => Err(Failure::Differs {
            message: format!(
                "an earlier release to {} was paid for and interrupted; it is there now (charge {}), and nothing more was charged",
                published.folder.display(),
                printable(&first.charge_id)
            ),
            hint: "look at it first; to release anew, choose another `folder` in [output], or run again with --replace"
                .into(),
        }),
        // Another book may know it; it stays where it is, and is in nobody's way.
        Err(Obstacle::Claim(_) | Obstacle::NoClaim | Obstacle::OtherEnd) => Ok(()),
        Err(obstacle) => Err(kept(target, &obstacle)),
    }
}

fn kept(target: &Path, obstacle: &Obstacle) -> Failure {
    let message = format!("a whole release beside {} has no name yet: {obstacle}", target.display());
    Failure::Differs { message, hint: obstacle.hint() }
}

fn tell(folder: &Path, found: &[(PathBuf, Found)], format: Format) -> Result<(), Failure> {
    if format == Format::Json {
        let object = |(target, found): &(PathBuf, Found)| {
            let (folder, reason) = match &found.end {
                Ok(published) => (Some(published.folder.display().to_string()), None),
                Err(obstacle) => (None, Some(obstacle.to_string())),
            };
            json!({
                "target": target.display().to_string(),
                "charge_id": found.charge_id,
                "folder": folder,
                "reason": reason,
            })
        };
        let found: Vec<_> = found.iter().map(object).collect();
        return page::print_json(&json!({ "version": JSON_VERSION, "found": found }));
    }
    if found.is_empty() {
        return page::print(&format!("There is nothing to recover at {}.\n", folder.display()));
    }
    let mut text = page::heading("Releases that were paid for and interrupted");
    for (target, found) in found {
        let charge: String = printable(&found.charge_id);
        match &found.end {
            Ok(published) => {
                text.push_str(&page::entry("delivered", &format!("{} (charge {charge})", published.folder.display())));
            }
            Err(_) => text.push_str(&page::entry("kept", &format!("beside {} (charge {charge})", target.display()))),
        }
    }
    page::print(&text)
}
