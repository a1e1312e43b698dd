//! `incrowd ledger verify`: whether the book is what was written.
//!
//! It must never call a book whole that misses a delivered charge that it was shown. It is separate because it alone compares
//! the book with what lies outside it. Read `incrowd_ledger::Ledger::verify` for what is checked.

use crate::args::{Format, LedgerVerify};
use crate::failure::Failure;
use crate::page;
use crate::place;
use incrowd_ledger::{LedgerError, Remembered};
use incrowd_release::plan_json::JSON_VERSION;
use incrowd_release::request::printable;
use serde_json::{Value, json};
use std::path::Path;

/// Runs the command.
pub fn run(command: &LedgerVerify, format: Format) -> Result<(), Failure> {
    let place = place::alone(command.ledger.as_deref())?;
    let mut remembered = Vec::new();
    for folder in &command.against {
        remembered.push((format!("the certificate in {}", folder.display()), certificate(folder)?));
    }
    for head in &command.head {
        remembered.push((format!("the hash {}", printable(head)), noted(head)?));
    }
    let book = place.open_existing().map_err(|error| match &error {
        LedgerError::Damaged { .. } => Failure::Differs { message: error.to_string(), hint: error.hint() },
        // Whatever else went wrong, nothing was verified.
        _ => Failure::Ledger(error),
    })?;
    let places: Vec<Remembered> = remembered.iter().map(|(_, place)| place.clone()).collect();
    let verified = book.verify(&places).map_err(|error| match &error {
        LedgerError::NotInChain { hash, .. } => {
            let whose = remembered.iter().find(|(_, place)| place.hash == *hash).map(|(name, _)| name.as_str());
            Failure::Differs {
                message: format!("{}: {error}", whose.unwrap_or("what is remembered")),
                hint: error.hint(),
            }
        }
        LedgerError::Damaged { .. } => Failure::Differs { message: error.to_string(), hint: error.hint() },
        // Whatever else went wrong, nothing was verified.
        _ => Failure::Ledger(error),
    })?;
    if format == Format::Json {
        return page::print_json(&json!({
            "version": JSON_VERSION,
            "verified": true,
            "entries": verified.entries,
            "accounts": verified.accounts,
            "head": verified.head,
            "compared_with": remembered.len(),
            "newest_remembered": verified.newest_remembered,
            "undefined": verified.undefined,
        }));
    }
    let mut text = page::heading("This book is whole");
    text.push_str(&page::entry("ledger", &place.to_string()));
    text.push_str(&page::entry(
        "verified",
        &format!(
            "{}, {}, each link of the chain",
            many(verified.entries, "entry", "entries"),
            many(verified.accounts as u64, "account", "accounts")
        ),
    ));
    text.push_str(&page::entry("head", &verified.head));
    if !remembered.is_empty() {
        text.push_str(&page::entry(
            "compared",
            &format!("{} in the chain", many(remembered.len() as u64, "remembered place is", "remembered places are")),
        ));
    }
    if verified.undefined > 0 {
        let undefined = format!(
            "{} not say what was counted (written by the first version, or removed); such bins count as different from all others",
            many(verified.undefined, "charge does", "charges do")
        );
        text.push_str(&page::entry("without bins", &undefined));
    }
    let newest = match verified.newest_remembered {
        Some(seq) if seq == verified.entries => None,
        Some(seq) => Some(format!("that nothing was cut off after entry {seq}, the newest that is remembered")),
        None => Some("that nothing was cut off its end: keep the head elsewhere and give it back with --head, or name delivered folders with --against".to_string()),
    };
    if let Some(newest) = newest {
        text.push_str(&page::entry("on trust", &newest));
    }
    text.push_str(&page::entry("on trust", "that nobody rewrote the whole book and everything that remembers it"));
    page::print(&text)
}

fn many(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

fn certificate(folder: &Path) -> Result<Remembered, Failure> {
    let path = folder.join("certificate.json");
    let wrong = |what: &str| {
        Failure::usage(format!("{} {what}", path.display()), "name folders that incrowd release delivered")
    };
    let text = std::fs::read_to_string(&path).map_err(|_| wrong("cannot be read"))?;
    let value: Value = serde_json::from_str(&text).map_err(|_| wrong("is not a certificate"))?;
    let ledger = &value["ledger"];
    match (ledger["head"].as_str(), ledger["seq"].as_u64()) {
        (Some(hash), Some(seq)) => Ok(Remembered { seq: Some(seq), hash: hash.to_string() }),
        (Some(_) | None, Some(_) | None) => Err(wrong("names no entry of a ledger")),
    }
}

fn noted(head: &str) -> Result<Remembered, Failure> {
    let head = head.trim().to_ascii_lowercase();
    if head.len() == 64 && head.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(Remembered { seq: None, hash: head });
    }
    Err(Failure::usage("--head takes a hash of 64 hexadecimal digits", "as incrowd ledger verify prints it"))
}
