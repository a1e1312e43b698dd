//! Where the account book is.
//!
//! `--ledger`, else INCROWD_LEDGER, else the request's own path, else a file in the user's data folder; it must never be a
//! book in memory unless the data is declared as made up. It is separate because every command that touches the book must
//! find the same one. Read `ledger.rs` next.

use crate::failure::Failure;
use incrowd_ledger::{Ledger, LedgerError};
use incrowd_release::request::Request;
use std::ffi::OsStr;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where an account book is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File(PathBuf),
    /// In a PostgreSQL database, by its address.
    Database(String),
    /// In memory, for made-up data.
    Memory,
}

impl Place {
    /// Opens the book, and makes it if there is none.
    pub fn open(&self) -> Result<Ledger, LedgerError> {
        match self {
            Place::File(path) => Ledger::open(path),
            Place::Database(address) => Ledger::connect(address).inspect(|book| self.warn(book)),
            Place::Memory => Ledger::in_memory(),
        }
    }

    /// Says out loud that somebody on the way could read along.
    fn warn(&self, book: &Ledger) {
        if book.is_in_the_clear() {
            let _ = writeln!(
                anstream::stderr(),
                "warning: sslmode=disable: charges and passwords go to {self} in the clear"
            );
        }
    }

    /// Opens a book that must be there, for reading.
    pub fn open_existing(&self) -> Result<Ledger, LedgerError> {
        match self {
            Place::File(path) => Ledger::open_existing(path),
            Place::Database(address) => Ledger::connect_existing(address).inspect(|book| self.warn(book)),
            Place::Memory => Ledger::in_memory(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => path.display().fmt(f),
            // An address may hold a password.
            Place::Database(address) => match (address.split_once("://"), address.rsplit_once('@')) {
                (Some((scheme, _)), Some((_, rest))) => write!(f, "{scheme}://{}", without_options(rest)),
                (Some(_), None) => f.write_str(without_options(address)),
                (None, _) => f.write_str("a database"),
            },
            Place::Memory => f.write_str("memory"),
        }
    }
}

fn without_options(address: &str) -> &str {
    address.split_once('?').map_or(address, |(before, _)| before)
}

/// Returns the place of the book for a request that lies in `base`.
pub fn of_request(option: Option<&Path>, request: &Request, base: &Path) -> Result<Place, Failure> {
    let synthetic = request.data.as_ref().is_some_and(|data| data.synthetic);
    let named = option.map(Path::to_path_buf).or_else(environment);
    let path = match (named, &request.ledger.path) {
        (Some(path), _) => path,
        (None, Some(path)) if path == ":memory:" || is_address(path) => PathBuf::from(path),
        (None, Some(path)) => base.join(path),
        (None, None) => users_own()?,
    };
    if path == Path::new(":memory:") {
        if synthetic {
            return Ok(Place::Memory);
        }
        return Err(Failure::usage(
            "an account book in memory forgets every charge",
            "name a file, or say synthetic = true in [data] if the data is made up",
        ));
    }
    place(path)
}

/// Returns the place of the book where there is no request.
pub fn alone(option: Option<&Path>) -> Result<Place, Failure> {
    match option.map(Path::to_path_buf).or_else(environment) {
        Some(path) if path == Path::new(":memory:") => {
            Err(Failure::usage("an account book in memory is forgotten at once", "name a file"))
        }
        Some(path) => place(path),
        None => Ok(Place::File(users_own()?)),
    }
}

fn place(path: PathBuf) -> Result<Place, Failure> {
    // Nothing of what may be an address is said back: it may hold a password.
    let wrong = |message: &str| {
        Err(Failure::usage(message, "write postgres://user@host:port/database, with @ as %40 inside names"))
    };
    match path.to_str() {
        Some(text) if is_address(text) && text.matches('@').count() <= 1 => Ok(Place::Database(text.to_string())),
        Some(text) if is_address(text) => wrong("this address of an account book has more than one @"),
        Some(text) if text.contains("://") || text.contains("password=") || is_address(&text.to_ascii_lowercase()) => {
            wrong("this is neither a file nor the address of a PostgreSQL database")
        }
        Some(_) | None => Ok(Place::File(path)),
    }
}

fn is_address(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

fn environment() -> Option<PathBuf> {
    std::env::var_os("INCROWD_LEDGER").filter(|path| path != OsStr::new("")).map(PathBuf::from)
}

fn users_own() -> Result<PathBuf, Failure> {
    let folder = dirs::data_dir().ok_or_else(|| {
        Failure::usage("there is no folder for this user's data", "name the account book with --ledger FILE")
    })?;
    Ok(folder.join("incrowd").join("ledger.sqlite"))
}
