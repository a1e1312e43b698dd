//! `incrowd recover`: gives a release its name that was paid for, written to the end, and then interrupted.
//!
//! It must never charge, read data, or deliver what the ledger does not know. It is separate from `release.rs` because
//! nothing is released here that was not released before. Read `incrowd_release::recover` for the judgement.

use crate::args::{PrintFormat, RecoverCommand};
use crate::failure::Failure;
use crate::session::environment;
use crate::terminal::{print, print_json, print_page};
use incrowd_release::session::{FoundBeside, Leftover};
use incrowd_report::{Facts, Page};
use serde_json::json;
use std::path::Path;

/// Runs the command.
pub fn run(command: &RecoverCommand, format: PrintFormat) -> Result<(), Failure> {
    let found = environment(command.ledger.as_deref()).recover(&command.folder, command.to.as_deref())?;
    tell(&command.folder, &found, format)?;
    let kept = found.into_iter().find_map(|FoundBeside { target, found }| {
        let obstacle = found.end.err()?;
        Some(Leftover::Kept { target, obstacle })
    });
    kept.map_or(Ok(()), |kept| Err(Failure::Differs { message: kept.to_string(), hint: kept.hint() }))
}

fn tell(folder: &Path, found: &[FoundBeside], format: PrintFormat) -> Result<(), Failure> {
    if format == PrintFormat::Json {
        let object = |FoundBeside { target, found }: &FoundBeside| {
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
        return print_json(&json!({ "found": found }));
    }
    if found.is_empty() {
        return print(&format!("There is nothing to recover at {}.\n", folder.display()));
    }
    let mut facts = Facts::default();
    for FoundBeside { target, found } in found {
        let charge = &found.charge_id;
        match &found.end {
            Ok(published) => facts.add("delivered", format!("{} (charge {charge})", published.folder.display())),
            Err(_) => facts.add("kept", format!("beside {} (charge {charge})", target.display())),
        }
    }
    let mut page = Page::titled("Releases that were paid for and interrupted");
    page.add("", vec![facts.block()]);
    print_page(&page, "")
}
