//! Where the account book is.
//!
//! What the user names, else INCROWD_LEDGER, else the request's own path, else a file in the user's data folder; it
//! must never be a book in memory unless the data is declared as made up. It is separate because everything that
//! touches the book must find the same one. Read `environment.rs` for what the user names.

use super::environment::Environment;
use incrowd_request::Request;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// What stands for a book in memory.
const IN_MEMORY: &str = ":memory:";

/// Where an account book is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerLocation {
    /// In a file.
    File(PathBuf),
    /// In a PostgreSQL database, by its address.
    Database(String),
    /// In memory, for made-up data.
    Memory,
}

impl fmt::Display for LedgerLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LedgerLocation::File(path) => path.display().fmt(f),
            // An address may hold a password.
            LedgerLocation::Database(address) => match (address.split_once("://"), address.rsplit_once('@')) {
                (Some((scheme, _)), Some((_, rest))) => write!(f, "{scheme}://{}", without_options(rest)),
                (Some(_), None) => f.write_str(without_options(address)),
                (None, _) => f.write_str("a database"),
            },
            LedgerLocation::Memory => f.write_str("memory"),
        }
    }
}

fn without_options(address: &str) -> &str {
    address.split_once('?').map_or(address, |(before, _)| before)
}

/// Why there is no account book to use. Nothing of what may be an address is said back: it may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LocationError {
    /// A book in memory for people who are not made up.
    ForgottenBook,
    /// A book in memory where there is nothing but the book.
    NothingToRemember,
    /// An address with more than one `@`.
    AmbiguousAddress,
    /// Something like an address that is none of PostgreSQL: a slip would make a file of that name, with the password
    /// in it, and a fresh budget.
    NoAddress,
    /// The folder of a file that was named is not there.
    NoFolder,
    /// Nothing names a book, and the user has no folder for data.
    NoDataFolder,
}

impl fmt::Display for LocationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LocationError::ForgottenBook => "an account book in memory forgets every charge",
            LocationError::NothingToRemember => "an account book in memory is forgotten at once",
            LocationError::AmbiguousAddress => "this address of an account book has more than one @",
            LocationError::NoAddress => {
                "this account book looks like an address, and is none of a PostgreSQL database (it is not shown: it may \
                 hold a password)"
            }
            LocationError::NoFolder => "the folder of this account book is not there",
            LocationError::NoDataFolder => "there is no folder for this user's data",
        })
    }
}

impl LocationError {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            LocationError::ForgottenBook => "name a file, or say synthetic = true in [data] if the data is made up",
            LocationError::NothingToRemember => "name a file",
            LocationError::AmbiguousAddress => "write postgres://user@host:port/database, with @ as %40 inside names",
            LocationError::NoAddress => {
                "write postgres://user@host:port/database, with @ as %40 inside names; a file whose name has a colon is \
                 written ./name"
            }
            LocationError::NoFolder => {
                "is its name misspelt? A book in another place knows no earlier charge; if a new one is meant, make the \
                 folder first"
            }
            LocationError::NoDataFolder => "name the account book with --ledger FILE",
        }
    }
}

impl Environment {
    /// Returns where the book is that is meant without a request.
    pub fn ledger(&self) -> Result<LedgerLocation, LocationError> {
        match self.named() {
            Some(path) if path == Path::new(IN_MEMORY) => Err(LocationError::NothingToRemember),
            Some(path) => self.location(path),
            None => Ok(LedgerLocation::File(self.users_own()?)),
        }
    }

    /// Returns where the book is that a request that lies in `folder` is charged to.
    pub fn ledger_of(&self, request: &Request, folder: &Path) -> Result<LedgerLocation, LocationError> {
        let path = match (self.named(), &request.ledger.path) {
            (Some(path), _) => path,
            (None, Some(path)) if path == IN_MEMORY || is_address(path) => PathBuf::from(path),
            // What it says is judged, not the path that it becomes behind the request's folder.
            (None, Some(path)) => match named_location(PathBuf::from(path))? {
                LedgerLocation::File(path) => return self.in_a_folder(folder.join(path)),
                LedgerLocation::Database(_) | LedgerLocation::Memory => PathBuf::from(path),
            },
            (None, None) => return Ok(LedgerLocation::File(self.users_own()?)),
        };
        if path != Path::new(IN_MEMORY) {
            return self.location(path);
        }
        let synthetic = request.data.as_ref().is_some_and(|data| data.synthetic);
        if synthetic { Ok(LedgerLocation::Memory) } else { Err(LocationError::ForgottenBook) }
    }

    fn named(&self) -> Option<PathBuf> {
        let variable = || self.ledger_variable.as_ref().filter(|path| *path != OsStr::new("")).map(PathBuf::from);
        self.ledger.clone().or_else(variable)
    }

    fn location(&self, path: PathBuf) -> Result<LedgerLocation, LocationError> {
        match named_location(path)? {
            LedgerLocation::File(path) => self.in_a_folder(path),
            found @ (LedgerLocation::Database(_) | LedgerLocation::Memory) => Ok(found),
        }
    }

    /// A file whose folder is there: another would be made for a misspelt name, with a book that knows nothing. The
    /// user's own folder is made with the book in it, by whatever way it is named.
    fn in_a_folder(&self, path: PathBuf) -> Result<LedgerLocation, LocationError> {
        let is_own = self.users_own().is_ok_and(|own| own == path);
        let is_nowhere = path.parent().is_some_and(|folder| folder != Path::new("") && !folder.exists());
        if is_nowhere && !is_own { Err(LocationError::NoFolder) } else { Ok(LedgerLocation::File(path)) }
    }

    fn users_own(&self) -> Result<PathBuf, LocationError> {
        let folder = self.data_folder.as_ref().ok_or(LocationError::NoDataFolder)?;
        Ok(folder.join("incrowd").join("ledger.sqlite"))
    }
}

/// Returns what a path or an address names.
fn named_location(path: PathBuf) -> Result<LedgerLocation, LocationError> {
    match path.to_str() {
        Some(text) if is_address(text) && text.matches('@').count() <= 1 => {
            Ok(LedgerLocation::Database(text.to_string()))
        }
        Some(text) if is_address(text) => Err(LocationError::AmbiguousAddress),
        Some(text) if resembles_an_address(text) => Err(LocationError::NoAddress),
        Some(_) | None => Ok(LedgerLocation::File(path)),
    }
}

fn is_address(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

/// Whether a path looks like an address, or a part of one, with a slip in it: another scheme, a wrong number of
/// slashes, a host with a user before it, or settings of a connection.
fn resembles_an_address(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let text = without_drive(&text);
    let mut parts = text.split(['/', '\\']);
    let first = parts.next().unwrap_or_default();
    let is_scheme_of_ours = |part: &str| ["postgres", "postgresql", "postgre", "psql", "pgsql"].contains(&part);
    let has_user_and_port = |part: &str| part.contains('@') && part.contains(':');
    text.contains("://")
        || ["password=", "dbname=", "host="].iter().any(|setting| text.contains(setting))
        || text.split(['/', '\\']).any(has_user_and_port)
        // Only the first part of an address has a colon; paths that begin with a slash or a dot have none there.
        || first.contains([':', ';'])
        || (first.contains('@') && parts.next().is_some())
        || (is_scheme_of_ours(first) && text[first.len()..].starts_with("//"))
        || (text.starts_with("//") && text.contains('@'))
}

/// A path of Windows without the letter of its drive, which is no scheme.
fn without_drive(text: &str) -> &str {
    match text.as_bytes() {
        [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic() => &text[2..],
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_in_an_address_is_no_file_and_its_password_is_never_said() {
        for slip in [
            "postgres:/steward:SECRET@host/db",
            "postgres;//steward:SECRET@host/db",
            "postgresql:steward:SECRET@host/db",
            "postgresql:steward@host",
            "postgres//steward:SECRET@host/db",
            "postgres//host/db",
            "postgresl://host/db",
            "Postgres://steward:SECRET@host/db",
            "postgre://host/db",
            "http://host/db",
            "https:/host/db",
            "mysql:host",
            "steward:SECRET@host/db",
            "steward@host/db",
            "steward:SE/CRET@host/db",
            "//steward:SECRET@host/db",
            "/steward:SECRET@host/db",
            "./steward:SECRET@host/db",
            "host=db.example user=steward password=SECRET",
            "dbname=incrowd",
            "host:5432/db",
            "postgres:\\\\steward:SECRET@host",
        ] {
            let refused = location(PathBuf::from(slip)).expect_err(slip);
            assert_eq!(refused, LocationError::NoAddress, "{slip}");
            let said = format!("{refused} {} {refused:?}", refused.hint());
            assert!(!said.contains("SECRET") && !said.contains("steward"), "{said}");
        }
    }

    #[test]
    fn files_stay_files() {
        for file in [
            "ledger.sqlite",
            "/var/lib/incrowd/ledger.sqlite",
            "./2026:ledger.sqlite",
            "../a@b/ledger.sqlite",
            "/home/ann@corp.example/ledger.sqlite",
            "C:\\Users\\ann@corp.example\\ledger.sqlite",
            "c:/data/ledger.sqlite",
            "ledger@home.sqlite",
            "postgres/ledger.sqlite",
            "/mnt/2026-11-18T10:00/ledger.sqlite",
        ] {
            assert_eq!(location(PathBuf::from(file)), Ok(LedgerLocation::File(file.into())), "{file}");
        }
        let address = "postgres://steward@host:5432/incrowd";
        assert_eq!(location(PathBuf::from(address)), Ok(LedgerLocation::Database(address.into())));
    }
}
