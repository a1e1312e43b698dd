//! Where the account book is.
//!
//! `--ledger`, else INCROWD_LEDGER, else the request's own path, else a file in the user's data folder; it must never be a
//! book in memory unless the data is declared as made up. It is separate because every command that touches the book must
//! find the same one. Read `ledger.rs` next.

use crate::failure::Failure;
use incrowd_release::request::Request;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Where an account book is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File(PathBuf),
    /// In memory, for made-up data.
    Memory,
}

/// Returns the place of the book for a request that lies in `base`.
pub fn of_request(option: Option<&Path>, request: &Request, base: &Path) -> Result<Place, Failure> {
    let synthetic = request.data.as_ref().is_some_and(|data| data.synthetic);
    let named = option.map(Path::to_path_buf).or_else(environment);
    let path = match (named, &request.ledger.path) {
        (Some(path), _) => path,
        (None, Some(path)) if path == ":memory:" => PathBuf::from(path),
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
    Ok(Place::File(path))
}

/// Returns the place of the book where there is no request.
pub fn alone(option: Option<&Path>) -> Result<PathBuf, Failure> {
    match option.map(Path::to_path_buf).or_else(environment) {
        Some(path) if path == Path::new(":memory:") => {
            Err(Failure::usage("an account book in memory is forgotten at once", "name a file"))
        }
        Some(path) => Ok(path),
        None => users_own(),
    }
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
