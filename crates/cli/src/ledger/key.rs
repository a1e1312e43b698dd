//! `incrowd ledger key`: the keys of whoever answers for an account.
//!
//! A private key must never be printed, nor be readable by others. It is separate because it is the only secret that a
//! user keeps. Read `incrowd_ledger::OfficerKey` for what it does, and `sign.rs` for what it is used for.

use super::terms;
use crate::args::{LedgerKey, LedgerKeyChange, LedgerKeyCommand, LedgerPolicy, PrintFormat};
use crate::chart::write_new;
use crate::failure::Failure;
use crate::terminal::{print, print_json, print_page};
use getrandom::{SysRng, rand_core::TryRng};
use incrowd_ledger::{OfficerKey, PublicKey, RaiseKey};
use incrowd_report::{Facts, Page};
use serde_json::json;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file with a key.
pub enum KeyFile {
    /// A private key, and what is public of it.
    Private(OfficerKey),
    /// A public key.
    Public(PublicKey),
    /// A secret of version 0.1, which signs nothing.
    Secret(RaiseKey),
}

/// Runs the command.
pub fn run(command: &LedgerKey, format: PrintFormat) -> Result<(), Failure> {
    match (&command.command, &command.file) {
        (Some(LedgerKeyCommand::New { name }), _) => {
            let file = if name.extension().is_some_and(|ending| ending == "key") {
                name.clone()
            } else {
                with_ending(name, "key")
            };
            make(&file, format)
        }
        (Some(LedgerKeyCommand::Show { file }), _) => show(file, format),
        (Some(LedgerKeyCommand::Change(command)), _) => change(command, format),
        (None, Some(file)) => make(file, format),
        (None, None) => Err(Failure::usage("a key needs a name", "such as incrowd ledger key new officer")),
    }
}

/// Makes a key: the private one in the file, the public one beside it.
fn make(file: &Path, format: PrintFormat) -> Result<(), Failure> {
    let public = match file.extension() {
        Some(ending) if ending != "pub" => file.with_extension("pub"),
        Some(_) | None => with_ending(file, "pub"),
    };
    if public.exists() {
        return Err(Failure::usage(format!("{} exists already", public.display()), "name another file"));
    }
    let key = OfficerKey::of_random(random()?).ok_or_else(no_random)?;
    write_private(file, &key.secret_text())?;
    write_new(&public, key.public().text())?;
    may_be_read(&public)?;
    let (shown, public_shown) = (file.display(), public.display());
    if format == PrintFormat::Json {
        let (private, public) = (shown.to_string(), public_shown.to_string());
        return print_json(&json!({ "key": private, "public": public, "public_key": key.public().digits() }));
    }
    print(&format!(
        "The private key is in {shown}: keep it away from whoever runs releases, on another machine if you can.\n\
         The public key is in {public_shown}: {}\n\
         Next: incrowd ledger open DATASET --epsilon E --key {public_shown}\n",
        key.public().short()
    ))
}

/// Lets everybody read a public key: others compare it, and open accounts with it.
fn may_be_read(public: &Path) -> Result<(), Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let changed = std::fs::set_permissions(public, std::fs::Permissions::from_mode(0o644));
        let refused = |error: io::Error| format!("{} cannot be made readable: {}", public.display(), error.kind());
        changed.map_err(|error| Failure::usage(refused(error), "does the folder allow it?"))?;
    }
    #[cfg(not(unix))]
    let _ = public;
    Ok(())
}

/// Returns random bytes of the system.
pub fn random<const LENGTH: usize>() -> Result<[u8; LENGTH], Failure> {
    let mut bytes = [0; LENGTH];
    SysRng.try_fill_bytes(&mut bytes).map_err(|_| no_random())?;
    Ok(bytes)
}

fn no_random() -> Failure {
    Failure::usage("the system gives no random bits", "look at the system's random device")
}

fn write_private(file: &Path, text: &str) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(file).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let shown = file.display();
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::usage(format!("{shown} exists already"), "name another file"),
        kind => Failure::usage(format!("{shown} cannot be written: {kind}"), "is the folder there and writable?"),
    })
}

/// Shows what a file with a key holds, but for what is secret.
fn show(file: &Path, format: PrintFormat) -> Result<(), Failure> {
    let (kind, public) = match read(file)? {
        KeyFile::Private(key) => ("private", Some(key.public())),
        KeyFile::Public(key) => ("public", Some(key)),
        KeyFile::Secret(_) => ("secret of version 0.1", None),
    };
    let digits = public.as_ref().map(PublicKey::digits);
    if format == PrintFormat::Json {
        return print_json(&json!({ "key": file.display().to_string(), "kind": kind, "public_key": digits }));
    }
    let mut facts = Facts::default();
    facts.add("kind", kind.to_string());
    match digits {
        Some(digits) => facts.add("public key", format!("ed25519 {digits}")),
        None => facts.add("mind", "it signs nothing: whoever can write the ledger needs no such secret".to_string()),
    }
    let mut page = Page::titled(format!("Key in {}", file.display()));
    page.add("", vec![facts.block()]);
    print_page(&page, "")
}

/// Gives an account another key.
fn change(command: &LedgerKeyChange, format: PrintFormat) -> Result<(), Failure> {
    terms::change(
        &LedgerPolicy {
            name: command.name.clone(),
            epsilon: None,
            delta: None,
            allow: Vec::new(),
            min_group: None,
            max_epsilon_per_release: None,
            raise_key: Some(command.to.clone()),
            clear: Vec::new(),
            key: command.key.clone(),
            print_request: command.print_request.clone(),
            signature: None,
            by: command.by.clone(),
            note: command.note.clone(),
            ledger: command.ledger.clone(),
        },
        format,
    )
}

/// Reads a file with a key.
pub fn read(path: &Path) -> Result<KeyFile, Failure> {
    let shown = path.display();
    let hint = "name a file that incrowd ledger key new made";
    let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::usage(format!("there is no file {shown}"), hint),
        _ => Failure::usage(format!("{shown} cannot be read as a key"), hint),
    })?;
    let private = OfficerKey::read(&text).map(KeyFile::Private);
    let public = || PublicKey::read(&text).map(KeyFile::Public);
    let secret = || RaiseKey::read(&text).map(KeyFile::Secret);
    private
        .or_else(public)
        .or_else(secret)
        .ok_or_else(|| Failure::usage(format!("{shown} is not a key of incrowd"), hint))
}

/// Returns the public key in a file, which may hold the private one.
pub fn public(path: &Path) -> Result<PublicKey, Failure> {
    match read(path)? {
        KeyFile::Private(key) => Ok(key.public()),
        KeyFile::Public(key) => Ok(key),
        KeyFile::Secret(_) => Err(Failure::usage(
            format!("{} is a secret of version 0.1, which signs nothing", path.display()),
            "make a key with incrowd ledger key new NAME",
        )),
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}
