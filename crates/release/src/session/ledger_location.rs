//! Where the account book is.
//!
//! The policy's alone, where the machine has one that names a book; else what the user names, else INCROWD_LEDGER, else
//! the request's own path, else a file in the user's data folder; it
//! must never be a book in memory unless the data is declared as made up. It is separate because everything that
//! touches the book must find the same one. Read `environment.rs` for what the user names.

use super::environment::Environment;
use crate::failure::FailureClass;
use crate::real_place::real_place;
use crate::site_policy::{PolicyError, PolicyRefusal};
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
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// The policy of this machine cannot be followed.
    Policy(PolicyError),
    /// The policy of this machine charges another book.
    Refused(PolicyRefusal),
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
            LocationError::Policy(error) => return error.fmt(f),
            LocationError::Refused(refusal) => return refusal.fmt(f),
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
                "write postgres://user@host:port/database, with @ as %40 inside names; a file whose name has a colon or \
                 an @ is written ./name"
            }
            LocationError::NoFolder => {
                "is its name misspelt? A book in another place knows no earlier charge; if a new one is meant, make the \
                 folder first"
            }
            LocationError::NoDataFolder => "name the account book with --ledger FILE",
            LocationError::Policy(error) => error.hint(),
            LocationError::Refused(refusal) => refusal.hint(),
        }
    }

    /// Returns of which class it is.
    pub fn class(&self) -> FailureClass {
        match self {
            LocationError::Refused(_) => FailureClass::Refused,
            LocationError::ForgottenBook
            | LocationError::NothingToRemember
            | LocationError::AmbiguousAddress
            | LocationError::NoAddress
            | LocationError::NoFolder
            | LocationError::NoDataFolder
            | LocationError::Policy(_) => FailureClass::Unusable,
        }
    }
}

/// What a user names a book by.
const OPTION: &str = "--ledger";
const VARIABLE: &str = "INCROWD_LEDGER";
const REQUEST: &str = "[ledger] path of the request";

impl Environment {
    /// Returns where the book is that is meant without a request.
    pub fn ledger(&self) -> Result<LedgerLocation, LocationError> {
        let named = match self.named() {
            Some((path, _)) if path == Path::new(IN_MEMORY) => return Err(LocationError::NothingToRemember),
            Some((path, named_by)) => Some((location(path)?, named_by)),
            None => None,
        };
        match self.governed(named)? {
            Some(ledger) => self.somewhere(ledger),
            None => Ok(LedgerLocation::File(self.users_own()?)),
        }
    }

    /// Returns where the book is that is only looked at: whoever names one by an option may look at any.
    pub fn ledger_to_look_at(&self) -> Result<LedgerLocation, LocationError> {
        match &self.ledger {
            Some(path) if path == Path::new(IN_MEMORY) => Err(LocationError::NothingToRemember),
            Some(path) => self.somewhere(location(path.clone())?),
            None => self.ledger(),
        }
    }

    /// Returns where the book is that a request that lies in `folder` is charged to.
    pub fn ledger_of(&self, request: &Request, folder: &Path) -> Result<LedgerLocation, LocationError> {
        let named = match (self.named(), &request.ledger.path) {
            (Some((path, named_by)), _) => Some((book_at(path)?, named_by)),
            // What it says is judged, not the path that it becomes behind the request's folder.
            (None, Some(path)) => match book_at(PathBuf::from(path))? {
                LedgerLocation::File(path) => Some((LedgerLocation::File(folder.join(path)), REQUEST)),
                other @ (LedgerLocation::Database(_) | LedgerLocation::Memory) => Some((other, REQUEST)),
            },
            (None, None) => None,
        };
        let synthetic = request.data.as_ref().is_some_and(|data| data.synthetic);
        match self.governed(named)? {
            Some(LedgerLocation::Memory) if !synthetic => Err(LocationError::ForgottenBook),
            Some(ledger) => self.somewhere(ledger),
            None => Ok(LedgerLocation::File(self.users_own()?)),
        }
    }

    fn named(&self) -> Option<(PathBuf, &'static str)> {
        let variable = || self.ledger_variable.as_ref().filter(|path| *path != OsStr::new("")).map(PathBuf::from);
        let option = self.ledger.clone().map(|path| (path, OPTION));
        option.or_else(|| variable().map(|path| (path, VARIABLE)))
    }

    /// A file whose folder is there: another would be made for a misspelt name, with a book that knows nothing. The
    /// user's own folder is made with the book in it, by whatever way it is named.
    fn somewhere(&self, found: LedgerLocation) -> Result<LedgerLocation, LocationError> {
        let LedgerLocation::File(path) = &found else { return Ok(found) };
        let is_own = self.users_own().is_ok_and(|own| &own == path);
        let is_nowhere = path.parent().is_some_and(|folder| folder != Path::new("") && !folder.exists());
        if is_nowhere && !is_own { Err(LocationError::NoFolder) } else { Ok(found) }
    }

    fn users_own(&self) -> Result<PathBuf, LocationError> {
        let folder = self.data_folder.as_ref().ok_or(LocationError::NoDataFolder)?;
        Ok(folder.join("incrowd").join("ledger.sqlite"))
    }
}

/// Whether two locations are one book: a file however it is spelt, a database whoever asks for it.
pub(super) fn is_same_book(one: &LedgerLocation, other: &LedgerLocation) -> bool {
    match (one, other) {
        (LedgerLocation::File(one), LedgerLocation::File(other)) => {
            matches!((real_place(one), real_place(other)), (Ok(one), Ok(other)) if one == other)
        }
        (LedgerLocation::Database(one), LedgerLocation::Database(other)) => {
            let server = |address: &str| {
                let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
                rest.rsplit_once('@').map_or(rest, |(_, server)| server).to_string()
            };
            server(one) == server(other)
        }
        (LedgerLocation::Memory, LedgerLocation::Memory) => true,
        (LedgerLocation::File(_) | LedgerLocation::Database(_) | LedgerLocation::Memory, _) => false,
    }
}

/// The book that a path or an address names; one in memory, too.
fn book_at(path: PathBuf) -> Result<LedgerLocation, LocationError> {
    if path == Path::new(IN_MEMORY) { Ok(LedgerLocation::Memory) } else { location(path) }
}

/// The book that a path or an address names.
pub(super) fn location(path: PathBuf) -> Result<LedgerLocation, LocationError> {
    match path.to_str() {
        Some(text) if is_address(text) && !has_a_port(text) => Err(LocationError::NoAddress),
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

/// Whether what stands for a port in an address is a number: else it may be a password before a host that is missing.
fn has_a_port(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let server = rest.split(['/', '?']).next().unwrap_or_default();
    let hosts = server.rsplit_once('@').map_or(server, |(_, hosts)| hosts);
    hosts.split(',').all(|host| {
        // A number of IPv6 has colons of its own, in brackets.
        let behind = host.rsplit_once(']').map_or(host, |(_, behind)| behind);
        behind.split_once(':').is_none_or(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// Whether a path looks like an address, or a part of one, with a slip in it: another scheme, a wrong number of
/// slashes, a host with a user before it, or settings of a connection.
fn resembles_an_address(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    // Settings with blanks around their signs, signs written as numbers, and wide ones are the same slips.
    let text = text.replace([' ', '\t'], "").replace("%3a", ":").replace("%2f", "/").replace("%40", "@");
    let text = text.replace('\u{ff20}', "@").replace('\u{ff1a}', ":");
    let text = without_drive(&text);
    let mut parts = text.split(['/', '\\']);
    let first = parts.next().unwrap_or_default();
    let is_scheme_of_ours = |part: &str| ["postgres", "postgresql", "postgre", "psql", "pgsql"].contains(&part);
    let has_user_and_port = |part: &str| part.contains('@') && part.contains(':');
    text.contains("://")
        || ["password=", "passwd=", "pass=", "pwd=", "dbname=", "host=", "user="].iter().any(|setting| text.contains(setting))
        || text.split(['/', '\\']).any(has_user_and_port)
        // Only the first part of an address has a colon; paths that begin with a slash or a dot have none there.
        || first.contains([':', ';'])
        || first.matches('@').count() > 1
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
            "password = SECRET host = h",
            "user=ann pass=SECRET",
            "pwd=SECRET",
            "postgres%3A%2F%2Fann%3ASECRET%40h%2Fdb",
            "ann\u{ff20}SECRET@h",
            "postgres://ann:SECRET",
            "postgres://ann:SECRET/db",
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
