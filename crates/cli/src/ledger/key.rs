//! `incrowd ledger key`: a secret without which terms cannot be loosened.
//!
//! It must never be printed, nor readable by others. It is separate because it is the only secret that a user keeps.
//! Read `incrowd_ledger::RaiseKey` for what it does.

use crate::args::{LedgerKey, PrintFormat};
use crate::failure::Failure;
use crate::terminal;
use getrandom::{SysRng, rand_core::TryRng};
use serde_json::json;
use std::fs::OpenOptions;
use std::io::{self, Write};

/// Makes a key.
pub fn run(command: &LedgerKey, format: PrintFormat) -> Result<(), Failure> {
    let mut bytes = [0; 32];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|_| Failure::usage("the system gives no random bits", "look at the system's random device"))?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&command.file).and_then(|mut file| {
        writeln!(file, "{digits}")?;
        file.sync_all()
    });
    let shown = command.file.display().to_string();
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::usage(format!("{shown} exists already"), "name another file"),
        kind => Failure::usage(format!("{shown} cannot be written: {kind}"), "is the folder there and writable?"),
    })?;
    if format == PrintFormat::Json {
        return terminal::print_json(&json!({ "key": shown }));
    }
    terminal::print(&format!(
        "A key is in {shown}. Keep it away from whoever runs releases.\nNext: incrowd ledger open DATASET --epsilon E --raise-key {shown}\n"
    ))
}
