//! What a policy refuses, and why: an account that nobody opened, data about people called made up, a source that
//! another account pays for.
//!
//! Places are compared as they lead, never as they are spelt; where a table is not said, the stricter answer holds. It
//! must never open a file of the data. It is separate from the file, so that each rule can be read and tested alone.
//! Read `../session/governed.rs` for when they are asked.

use super::{BoundSource, Review, SitePolicy, UnknownAccounts};
use crate::request::printable;
use incrowd_ledger::{Account, AccountName, PublicKey};
use std::fmt;
use std::path::{Path, PathBuf};

/// The data of a release, as far as a policy asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceFiles {
    /// What comes in on standard input has no place.
    Stream,
    /// Nobody can tell where it lies.
    Untold,
    /// In files.
    Places {
        /// Every file, and what was named, as they lead.
        places: Vec<PathBuf>,
        /// The table of a database, if one is named.
        table: Option<String>,
    },
}

/// Whether data is declared to be made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclaredAs {
    /// It is about people.
    People,
    /// It is not.
    MadeUp,
}

/// What a policy refuses. Nothing was charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyRefusal {
    /// Another book than the one that is charged on this machine.
    OtherLedger {
        /// Who names the other one.
        named_by: &'static str,
        /// The book of the policy, without names and passwords.
        ledger: String,
    },
    /// An account that nobody opened.
    UnknownAccount {
        /// Its name.
        account: String,
    },
    /// Data in a folder with people is declared to be made up.
    NotMadeUp {
        /// The folder.
        folder: PathBuf,
    },
    /// Nobody can tell whose data comes in on standard input.
    Stream,
    /// Nobody can tell where the data lies.
    Untold,
    /// A source that another account pays for.
    SourceOfAnother {
        /// That account.
        account: String,
    },
    /// A source that is none of the account's.
    NotItsSource {
        /// The account.
        account: String,
    },
    /// A release without a plan that was reviewed and signed.
    NotReviewed,
}

impl SitePolicy {
    /// Refuses what may not be counted for an account.
    pub fn judge_source(&self, source: &SourceFiles, account: &str, declared: DeclaredAs) -> Result<(), PolicyRefusal> {
        let binds = !self.real_data.is_empty() || self.accounts.iter().any(|account| !account.sources.is_empty());
        let (places, table) = match source {
            SourceFiles::Stream if binds => return Err(PolicyRefusal::Stream),
            SourceFiles::Untold if binds => return Err(PolicyRefusal::Untold),
            SourceFiles::Stream | SourceFiles::Untold => return Ok(()),
            SourceFiles::Places { places, table } => (places, table.as_deref()),
        };
        let in_folder = |folder: &&PathBuf| places.iter().any(|place| place.starts_with(folder));
        if let (DeclaredAs::MadeUp, Some(folder)) = (declared, self.real_data.iter().find(in_folder)) {
            return Err(PolicyRefusal::NotMadeUp { folder: folder.clone() });
        }
        let bound = |other: &&super::BoundAccount| {
            other.name != account
                && other.sources.iter().any(|bound| places.iter().any(|place| bound.may_be(place, table)))
        };
        if let Some(other) = self.accounts.iter().find(bound) {
            return Err(PolicyRefusal::SourceOfAnother { account: other.name.clone() });
        }
        let own = self.account(account).map_or(&[][..], |account| &account.sources);
        let is_own = |place: &PathBuf| own.iter().any(|bound| bound.is(place, table));
        if !own.is_empty() && (places.is_empty() || !places.iter().all(is_own)) {
            return Err(PolicyRefusal::NotItsSource { account: account.to_string() });
        }
        Ok(())
    }

    /// Refuses an account that nobody opened, if that is denied.
    pub fn judge_unknown(&self, account: &str) -> Result<(), PolicyRefusal> {
        match self.unknown_accounts {
            UnknownAccounts::Allowed => Ok(()),
            UnknownAccounts::Denied => Err(PolicyRefusal::UnknownAccount { account: account.to_string() }),
        }
    }

    /// Refuses a charge to an account that is not open, or of a plan that these did not sign, where that is asked for.
    pub fn judge_payment(
        &self,
        account: &AccountName,
        known: Option<&Account>,
        signed_by: &[PublicKey],
    ) -> Result<(), PolicyRefusal> {
        if known.is_none() {
            self.judge_unknown(account.as_str())?;
        }
        match self.review_of(account.as_str()) {
            Review::Required if !self.is_reviewed(signed_by) => Err(PolicyRefusal::NotReviewed),
            Review::Required | Review::Free => Ok(()),
        }
    }
}

impl BoundSource {
    /// Whether a place is surely this source.
    fn is(&self, place: &Path, table: Option<&str>) -> bool {
        self.covers(place) && (self.table.is_none() || self.table.as_deref() == table)
    }

    /// Whether a place may be this source: who names no table may mean any.
    fn may_be(&self, place: &Path, table: Option<&str>) -> bool {
        let same_table = match (&self.table, table) {
            (None, _) | (Some(_), None) => true,
            (Some(bound), Some(named)) => bound.eq_ignore_ascii_case(named),
        };
        self.covers(place) && same_table
    }

    /// Whether a place is the file, or lies below the folder, or fits the pattern up to a folder above it.
    fn covers(&self, place: &Path) -> bool {
        let mut parts = place.components();
        self.path.components().all(|expected| match (expected.as_os_str().to_str(), parts.next()) {
            (Some(pattern), Some(part)) if pattern.contains('*') => {
                part.as_os_str().to_str().is_some_and(|part| fits(pattern, part))
            }
            (_, Some(part)) => expected == part,
            (_, None) => false,
        })
    }
}

/// Whether a name is one of a pattern, in which `*` stands for any letters.
fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, behind)) => name.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| fits(behind, &rest[at..]))
        }),
    }
}

impl fmt::Display for PolicyRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyRefusal::OtherLedger { named_by, ledger } => {
                let ledger = printable(ledger);
                write!(f, "the policy of this machine charges {ledger} alone, and {named_by} names another account book")
            }
            PolicyRefusal::UnknownAccount { account } => {
                let account = printable(account);
                write!(f, "there is no account {account:?}, and by the policy of this machine no release opens one")
            }
            PolicyRefusal::NotMadeUp { folder } => {
                let folder = printable(&folder.display().to_string());
                write!(
                    f,
                    "this source is declared to be made up, and by the policy of this machine {folder} is about people"
                )
            }
            PolicyRefusal::Stream => f.write_str(
                "by the policy of this machine data has its account, and nobody can tell whose data comes in on standard input",
            ),
            PolicyRefusal::Untold => f.write_str(
                "by the policy of this machine data has its account, and it cannot be told where this source lies",
            ),
            PolicyRefusal::SourceOfAnother { account } => {
                let account = printable(account);
                write!(f, "by the policy of this machine account {account:?} alone pays for this source")
            }
            PolicyRefusal::NotItsSource { account } => {
                let account = printable(account);
                write!(f, "by the policy of this machine account {account:?} does not pay for this source")
            }
            PolicyRefusal::NotReviewed => {
                f.write_str("the policy of this machine asks for a plan that was reviewed and signed")
            }
        }
    }
}

impl PolicyRefusal {
    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            PolicyRefusal::OtherLedger { .. } => {
                "leave --ledger, INCROWD_LEDGER and `path` in [ledger] out; `incrowd policy check` says which book is meant"
            }
            PolicyRefusal::UnknownAccount { .. } => {
                "is its name right? `incrowd ledger show` lists the accounts, and `incrowd ledger open` opens one on terms"
            }
            PolicyRefusal::NotMadeUp { .. } => {
                "leave `synthetic` out of [data]; to try a request out, --rehearse makes up counts and reads no data"
            }
            PolicyRefusal::Stream => "name the file, so that it is known which account pays",
            PolicyRefusal::Untold => "name the file by its whole path, from a folder that is there",
            PolicyRefusal::SourceOfAnother { .. } => "write that account as `dataset` in [ledger]",
            PolicyRefusal::NotItsSource { .. } => {
                "`incrowd policy check REQUEST` says which sources it has; other people have an account of their own"
            }
            PolicyRefusal::NotReviewed => {
                "incrowd plan REQUEST --save plan.json, have it signed, then incrowd release REQUEST --plan plan.json"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_cannot_be_followed_is_refused_where_anything_is_bound_or_about_people() {
        let policy = |real_data: Vec<PathBuf>| SitePolicy {
            path: "/etc/incrowd/policy.toml".into(),
            ledger: None,
            unknown_accounts: UnknownAccounts::Allowed,
            real_data,
            accounts: Vec::new(),
            review: Review::Free,
            reviewers: Vec::new(),
        };
        for declared in [DeclaredAs::People, DeclaredAs::MadeUp] {
            let judged = |policy: SitePolicy| policy.judge_source(&SourceFiles::Untold, "free", declared);
            assert_eq!(judged(policy(vec!["/data/hr".into()])), Err(PolicyRefusal::Untold));
            assert_eq!(judged(policy(Vec::new())), Ok(()));
        }
    }

    #[test]
    fn a_pattern_is_a_whole_name_and_a_folder_is_all_below_it() {
        let covers = |path: &str, place: &str| BoundSource { path: path.into(), table: None }.covers(Path::new(place));
        for (path, place) in [
            ("/data/hr", "/data/hr/p.csv"),
            ("/data/hr", "/data/hr/2026/p.csv"),
            ("/data/hr/p.csv", "/data/hr/p.csv"),
            ("/data/hr/*.csv", "/data/hr/p.csv"),
            ("/data/*/p*.csv", "/data/hr/people.csv"),
            ("/data/h*", "/data/hr/people.csv"),
            ("/data/*", "/data/hr/é.csv"),
        ] {
            assert!(covers(path, place), "{path} {place}");
        }
        for (path, place) in [
            ("/data/hr", "/data/hr2/p.csv"),
            ("/data/hr", "/data"),
            ("/data/hr/p.csv", "/data/hr/p.csv2"),
            ("/data/hr/*.csv", "/data/hr/p.parquet"),
            ("/data/hr/*.csv", "/data/hr/2026/p.csv2"),
            ("/data/*/p.csv", "/data/p.csv"),
        ] {
            assert!(!covers(path, place), "{path} {place}");
        }
    }

    #[test]
    fn who_names_no_table_may_mean_any() {
        let bound = BoundSource { path: "/d/hr.sqlite".into(), table: Some("pay".into()) };
        let place = Path::new("/d/hr.sqlite");
        assert!(bound.is(place, Some("pay")) && bound.may_be(place, Some("pay")));
        assert!(bound.may_be(place, Some("PAY")) && !bound.is(place, Some("PAY")), "other letters may mean it");
        assert!(bound.may_be(place, None) && !bound.is(place, None));
        assert!(!bound.may_be(place, Some("sick")) && !bound.is(place, Some("sick")));
    }
}
