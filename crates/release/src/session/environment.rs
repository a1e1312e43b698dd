//! What a session knows of the machine that it runs on: where books are by default, what time it is, whom to warn.
//!
//! Everything comes in as a value or as a function; it must never read a variable, a clock or a user's folder itself.
//! It is separate so that a test, a page and a command line differ in these values alone. Read `ledger_location.rs`
//! next.

use super::ledger_location::LedgerLocation;
use crate::site_policy::PolicyPlace;
use incrowd_engine::{CopiedInput, Engine, Query};
use incrowd_ledger::{AccountName, Ledger, LedgerError, Moment, Provenance};
use incrowd_request::printable;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// The beginning of 2020 and the end of 9999, in seconds since 1970: no release is older, and no year has more digits.
const RIGHT: std::ops::Range<u64> = 1_577_836_800..253_402_300_800;

/// The machine around a session, as far as it matters.
pub struct Environment {
    /// The account book that the user names: a path, an address, or `:memory:`. It comes before all others.
    pub ledger: Option<PathBuf>,
    /// The value of INCROWD_LEDGER, which comes next; a request's own book comes after it.
    pub ledger_variable: Option<OsString>,
    /// The folder for this user's data, which holds the book that is meant where nothing else names one.
    pub data_folder: Option<PathBuf>,
    /// Where the policy of this machine is: a place that no option and no variable moves.
    pub policy: PolicyPlace,
    /// What time it is.
    pub clock: Box<dyn Fn() -> SystemTime>,
    /// Who writes to books, for their entries.
    pub writer: Provenance,
    /// Tells a warning; nothing ends by one.
    pub warn: Box<dyn Fn(&Warning)>,
}

/// What people should know, though nothing ends by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// Somebody on the way to the server of this book could read along.
    InTheClear {
        /// The book.
        ledger: LedgerLocation,
    },
    /// Nobody had opened the account that paid: a misspelt name, or another book, would have no limit unseen.
    NewAccount {
        /// The account.
        account: AccountName,
        /// The book.
        ledger: LedgerLocation,
        /// The accounts that the book has otherwise.
        others: Vec<AccountName>,
    },
    /// Standard input is copied before it is read.
    Copied(CopiedInput),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::InTheClear { ledger } => {
                write!(f, "sslmode=disable: charges and passwords go to {ledger} in the clear")
            }
            Warning::NewAccount { account, ledger, others } => {
                let others: Vec<String> = others.iter().map(|other| printable(other.as_str())).collect();
                let known = if others.is_empty() { String::new() } else { format!("; it has {}", others.join(", ")) };
                let name = printable(account.as_str());
                write!(f, "account {name} was not open in {ledger}, and has no limit now{known}")
            }
            Warning::Copied(CopiedInput { in_memory, place }) => {
                let (most, place) = (in_memory >> 20, place.display());
                write!(
                    f,
                    "standard input may have to be copied before it is read: in memory up to {most} MiB, a longer one \
                     into a file without a name in {place}"
                )
            }
        }
    }
}

/// A clock that cannot be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrongClock;

impl fmt::Display for WrongClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the clock of this machine is wrong: it shows a time before 2020 or after 9999")
    }
}

impl WrongClock {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        "set the clock, then try again; nothing was charged"
    }
}

impl Environment {
    /// Returns the present, or refuses a clock that cannot be right: what is charged is dated by it.
    pub fn now(&self) -> Result<Moment, WrongClock> {
        let seconds = (self.clock)().duration_since(UNIX_EPOCH).map(|since| since.as_secs());
        match seconds {
            Ok(seconds) if RIGHT.contains(&seconds) => Ok(Moment::from_unix_seconds(seconds)),
            Ok(_) | Err(_) => Err(WrongClock),
        }
    }

    /// The present, for a charge; a clock that was set wrong since it was looked at does no harm, because no rule
    /// compares times.
    pub(super) fn moment_of_charge(&self) -> Moment {
        let since = (self.clock)().duration_since(UNIX_EPOCH);
        Moment::from_unix_seconds(since.map_or(RIGHT.start, |since| since.as_secs()))
    }

    /// Opens a book, and makes it if there is none.
    pub fn open(&self, ledger: &LedgerLocation) -> Result<Ledger, LedgerError> {
        let opened = match ledger {
            LedgerLocation::File(path) => Ledger::open(path),
            LedgerLocation::Database(address) => Ledger::connect(address),
            LedgerLocation::Memory => Ledger::in_memory(),
        };
        let mut opened = opened.inspect(|book| self.warn_of_listeners(ledger, book))?;
        opened.written_by(self.writer.clone());
        Ok(opened)
    }

    /// Opens a book that must be there, for reading.
    pub fn open_existing(&self, ledger: &LedgerLocation) -> Result<Ledger, LedgerError> {
        let opened = match ledger {
            LedgerLocation::File(path) => Ledger::open_existing(path),
            LedgerLocation::Database(address) => Ledger::connect_existing(address),
            LedgerLocation::Memory => Ledger::in_memory(),
        };
        opened.inspect(|book| self.warn_of_listeners(ledger, book))
    }

    /// Tells of a source that the engine copies before it is charged, as `prepare` will do.
    pub fn warn_of_copy(&self, engine: &dyn Engine, query: &Query) {
        if let Some(copied) = engine.copied(&query.source) {
            (self.warn)(&Warning::Copied(copied));
        }
    }

    fn warn_of_listeners(&self, ledger: &LedgerLocation, book: &Ledger) {
        if book.is_in_the_clear() {
            (self.warn)(&Warning::InTheClear { ledger: ledger.clone() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn at(clock: SystemTime) -> Environment {
        Environment {
            ledger: None,
            ledger_variable: None,
            data_folder: None,
            policy: PolicyPlace { path: "/nowhere/policy.toml".into(), owner: 0 },
            clock: Box::new(move || clock),
            writer: Provenance::default(),
            warn: Box::new(|_| {}),
        }
    }

    #[test]
    fn a_clock_that_cannot_be_right_is_refused_before_the_charge() {
        let after = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        for wrong in [UNIX_EPOCH - Duration::from_secs(1), UNIX_EPOCH, after(1_577_836_799), after(253_402_300_800)] {
            assert_eq!(at(wrong).now(), Err(WrongClock), "{wrong:?}");
        }
        for right in [1_577_836_800, 1_767_225_600, 253_402_300_799] {
            assert!(at(after(right)).now().is_ok_and(|moment| moment.unix_seconds() == right), "{right}");
        }
    }
}
