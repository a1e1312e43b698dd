//! What a policy refuses, and why: an account that nobody opened, data about people called made up, a source that
//! another account pays for.
//!
//! Places are compared as they lead, never as they are spelt; where a table is not said, the stricter answer holds. It
//! must never open a file of the data. It is separate from the file, so that each rule can be read and tested alone.
//! Read `../session/governed.rs` for when they are asked.

use super::{BoundSource, Review, SitePolicy, SourcePlace, UnknownAccounts};
use crate::request::printable;
use incrowd_ledger::{Account, AccountName, PublicKey};
use incrowd_request::ServerPlace;
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
    /// On a server.
    Server {
        /// Which one.
        place: ServerPlace,
        /// The table, if one is named.
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
    /// Data in a folder or database with people is declared to be made up.
    NotMadeUp {
        /// The folder or the database.
        place: SourcePlace,
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
        match source {
            SourceFiles::Stream if binds => return Err(PolicyRefusal::Stream),
            SourceFiles::Untold if binds => return Err(PolicyRefusal::Untold),
            SourceFiles::Stream | SourceFiles::Untold => return Ok(()),
            SourceFiles::Places { .. } | SourceFiles::Server { .. } => {}
        }
        let about_people = |place: &&SourcePlace| source.may_be_in(place);
        if let (DeclaredAs::MadeUp, Some(place)) = (declared, self.real_data.iter().find(about_people)) {
            return Err(PolicyRefusal::NotMadeUp { place: place.clone() });
        }
        let bound = |other: &&super::BoundAccount| {
            other.name != account && other.sources.iter().any(|bound| source.may_be(bound))
        };
        if let Some(other) = self.accounts.iter().find(bound) {
            return Err(PolicyRefusal::SourceOfAnother { account: other.name.clone() });
        }
        let own = self.account(account).map_or(&[][..], |account| &account.sources);
        // What an account is bound to is about the people of that account.
        let is_bound = |bound: &&BoundSource| source.may_be(bound);
        if let (DeclaredAs::MadeUp, Some(bound)) = (declared, own.iter().find(is_bound)) {
            return Err(PolicyRefusal::NotMadeUp { place: bound.place.clone() });
        }
        if !own.is_empty() && !source.is_among(own) {
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

impl SourceFiles {
    /// Whether some of it may lie in a place with data about people.
    fn may_be_in(&self, people: &SourcePlace) -> bool {
        match (self, people) {
            (SourceFiles::Places { places, .. }, SourcePlace::Path(folder)) => {
                places.iter().any(|place| place.starts_with(folder))
            }
            (SourceFiles::Server { place, .. }, SourcePlace::Server(server)) => place.may_be(server),
            (SourceFiles::Places { .. }, SourcePlace::Server(_))
            | (SourceFiles::Server { .. }, SourcePlace::Path(_)) => false,
            (SourceFiles::Stream | SourceFiles::Untold, _) => true,
        }
    }

    /// Whether some of it may be this source: who names no table may mean any.
    fn may_be(&self, bound: &BoundSource) -> bool {
        match (self, &bound.place) {
            (SourceFiles::Places { places, table }, SourcePlace::Path(path)) => {
                let same_table = match (&bound.table, table) {
                    (None, _) | (Some(_), None) => true,
                    (Some(bound), Some(named)) => bound.eq_ignore_ascii_case(named),
                };
                same_table && places.iter().any(|place| covers(path, place))
            }
            (SourceFiles::Server { place, table }, SourcePlace::Server(server)) => {
                place.may_be(server) && may_be_table(bound.table.as_deref(), table.as_deref())
            }
            (SourceFiles::Places { .. }, SourcePlace::Server(_))
            | (SourceFiles::Server { .. }, SourcePlace::Path(_)) => false,
            (SourceFiles::Stream | SourceFiles::Untold, _) => true,
        }
    }

    /// Whether all of it is surely among these sources.
    fn is_among(&self, bound: &[BoundSource]) -> bool {
        match self {
            SourceFiles::Stream | SourceFiles::Untold => false,
            SourceFiles::Places { places, table } => {
                let is_bound = |place: &PathBuf| {
                    bound.iter().any(|bound| match &bound.place {
                        SourcePlace::Path(path) => {
                            covers(path, place) && (bound.table.is_none() || bound.table == *table)
                        }
                        SourcePlace::Server(_) => false,
                    })
                };
                !places.is_empty() && places.iter().all(is_bound)
            }
            SourceFiles::Server { place, table } => bound.iter().any(|bound| match &bound.place {
                SourcePlace::Server(server) => server == place && (bound.table.is_none() || bound.table == *table),
                SourcePlace::Path(_) => false,
            }),
        }
    }
}

/// Whether two names of tables on one server may mean one table: `visits` may be found in any schema, a path may be
/// any table's, and capitals make no difference to some servers.
fn may_be_table(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return true };
    let last = |name: &str| {
        let name = name.rsplit('.').next().unwrap_or_default();
        name.trim_matches(['`', '"', ' ']).to_lowercase()
    };
    let is_path = |name: &str| name.contains('/') || name.contains('\\');
    is_path(one) || is_path(other) || last(one) == last(other)
}

/// Whether a place is the file, or lies below the folder, or fits the pattern up to a folder above it.
fn covers(bound: &Path, place: &Path) -> bool {
    let mut parts = place.components();
    bound.components().all(|expected| match (expected.as_os_str().to_str(), parts.next()) {
        (Some(pattern), Some(part)) if pattern.contains('*') => {
            part.as_os_str().to_str().is_some_and(|part| fits(pattern, part))
        }
        (_, Some(part)) => expected == part,
        (_, None) => false,
    })
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
            PolicyRefusal::NotMadeUp { place } => {
                let place = printable(&place.to_string());
                write!(
                    f,
                    "this source is declared to be made up, and by the policy of this machine {place} is about people"
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
        let policy = |real_data: Vec<SourcePlace>| SitePolicy {
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
            assert_eq!(judged(policy(vec![SourcePlace::Path("/data/hr".into())])), Err(PolicyRefusal::Untold));
            assert_eq!(judged(policy(Vec::new())), Ok(()));
        }
    }

    #[test]
    fn a_pattern_is_a_whole_name_and_a_folder_is_all_below_it() {
        let covers = |path: &str, place: &str| covers(Path::new(path), Path::new(place));
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
        let bound = BoundSource { place: SourcePlace::Path("/d/hr.sqlite".into()), table: Some("pay".into()) };
        let source = |table: Option<&str>| SourceFiles::Places {
            places: vec!["/d/hr.sqlite".into()],
            table: table.map(str::to_string),
        };
        let may_be = |table| source(table).may_be(&bound);
        let is = |table| source(table).is_among(std::slice::from_ref(&bound));
        assert!(is(Some("pay")) && may_be(Some("pay")));
        assert!(may_be(Some("PAY")) && !is(Some("PAY")), "other letters may mean it");
        assert!(may_be(None) && !is(None));
        assert!(!may_be(Some("sick")) && !is(Some("sick")));
    }

    #[test]
    fn what_an_account_is_bound_to_is_about_people() {
        let policy = |address: &str| SitePolicy {
            path: "/etc/incrowd/policy.toml".into(),
            ledger: None,
            unknown_accounts: UnknownAccounts::Allowed,
            real_data: Vec::new(),
            accounts: vec![super::super::BoundAccount {
                name: "patients".into(),
                sources: vec![BoundSource {
                    place: SourcePlace::Server(ServerPlace::of(address).expect("a server")),
                    table: Some("clinic.people".into()),
                }],
                review: Review::Free,
            }],
            review: Review::Free,
            reviewers: Vec::new(),
        };
        let source = SourceFiles::Server {
            place: ServerPlace::of("postgres://ann@db.example/hospital").expect("a server"),
            table: Some("clinic.people".into()),
        };
        let judged = |declared| policy("postgres://db.example/hospital").judge_source(&source, "patients", declared);
        assert_eq!(judged(DeclaredAs::People), Ok(()));
        assert!(matches!(judged(DeclaredAs::MadeUp), Err(PolicyRefusal::NotMadeUp { .. })));
        let elsewhere = policy("postgres://db.example/shop");
        let other = elsewhere.judge_source(&source, "others", DeclaredAs::MadeUp);
        assert_eq!(other, Ok(()), "what no account is bound to may be made up");
    }

    #[test]
    fn a_table_of_a_server_is_bound_whatever_the_server_is_called() {
        let bound = |address: &str, table: Option<&str>| BoundSource {
            place: SourcePlace::Server(ServerPlace::of(address).expect("a server")),
            table: table.map(str::to_string),
        };
        let source = |address: &str, table: &str| SourceFiles::Server {
            place: ServerPlace::of(address).expect("a server"),
            table: Some(table.to_string()),
        };
        let visits = bound("postgres://db.example/hr", Some("clinic.visits"));
        for (address, table, is, may_be) in [
            ("postgres://ann@db.example/hr", "clinic.visits", true, true),
            ("postgres://ann@DB.example/hr?sslmode=require", "clinic.visits", true, true),
            ("postgresql://10.0.0.7/hr", "clinic.visits", false, true),
            ("postgres://db.example/h%72", "clinic.visits", true, true),
            ("postgres://db.example/hr", "visits", false, true),
            ("postgres://db.example/hr", "Clinic.\"Visits\"", false, true),
            ("postgres://db.example/hr", "clinic.beds", false, false),
            ("postgres://db.example/shop", "clinic.visits", false, false),
            ("sc://db.example:15002", "clinic.visits", false, false),
        ] {
            let source = source(address, table);
            assert_eq!(
                (source.is_among(std::slice::from_ref(&visits)), source.may_be(&visits)),
                (is, may_be),
                "{address}"
            );
        }
        let lake = bound("sc://spark.example:15002", Some("main.clinic.visits"));
        for (table, may_be) in [("parquet.`/lake/visits`", true), ("clinic.visits", true), ("main.clinic.beds", false)]
        {
            assert_eq!(source("sc://other:15002", table).may_be(&lake), may_be, "{table}");
        }
        let people = SourcePlace::Server(ServerPlace::of("postgres://db.example/hr").expect("a server"));
        assert!(source("postgres://localhost/hr", "t").may_be_in(&people));
        assert!(!source("postgres://localhost/shop", "t").may_be_in(&people));
        assert!(!source("sc://localhost:1", "t").may_be_in(&people));
    }
}
