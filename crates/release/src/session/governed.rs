//! What the policy of the machine decides of a release: its book, its source, its account, its review.
//!
//! It is asked by the session, before anything else, so that no front end can leave it out; it must never go on where
//! the policy cannot be followed. It is separate from `site_policy.rs`, which knows a file and no request. Read
//! `opened.rs` for when it is asked.

use super::environment::Environment;
use super::error::ReleaseError;
use super::ledger_location::{LedgerLocation, LocationError, is_same_book, location};
use super::opened::OpenedRequest;
use crate::query::{STANDARD_INPUT, location_from};
use crate::real_place::real_place;
use crate::site_policy::{DeclaredAs, PolicyError, PolicyRefusal, SitePolicy, SourceFiles};
use incrowd_ledger::AccountName;
use std::path::PathBuf;

/// What the policy says of one thing about a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyFinding {
    /// What was looked at.
    pub what: &'static str,
    /// What it is, in words.
    pub found: String,
    /// Why it would be refused, if it would.
    pub refusal: Option<PolicyRefusal>,
}

impl Environment {
    /// Returns the policy of this machine, nothing where it has none, or why it cannot be followed.
    pub fn policy(&self) -> Result<Option<SitePolicy>, PolicyError> {
        self.policy.policy()
    }

    /// Returns the book that is charged, of one that somebody names: the policy's alone, if it has one.
    pub(super) fn governed(
        &self,
        named: Option<(LedgerLocation, &'static str)>,
    ) -> Result<Option<LedgerLocation>, LocationError> {
        let policy = self.policy().map_err(LocationError::Policy)?;
        let Some((policy, address)) = policy.and_then(|policy| Some((policy.path, policy.ledger?))) else {
            return Ok(named.map(|(named, _)| named));
        };
        let wrong = |message: &str| {
            LocationError::Policy(PolicyError::Malformed { path: policy.clone(), line: None, message: message.into() })
        };
        let only = location(PathBuf::from(&address)).map_err(|error| wrong(&format!("ledger: {error}")))?;
        match (&only, named) {
            (LedgerLocation::Memory, _) => Err(wrong("ledger: an account book in memory forgets every charge")),
            (LedgerLocation::File(path), _) if !path.is_absolute() => {
                Err(wrong("ledger: a file is written from the root on"))
            }
            (LedgerLocation::File(_) | LedgerLocation::Database(_), None) => Ok(Some(only)),
            // The same database under a name and a password of somebody's own.
            (_, Some((named, _))) if is_same_book(&named, &only) => Ok(Some(match named {
                LedgerLocation::Database(_) => named,
                // By the policy's own name, so that no link can lead elsewhere in between.
                LedgerLocation::File(_) | LedgerLocation::Memory => only,
            })),
            (_, Some((_, named_by))) => {
                Err(LocationError::Refused(PolicyRefusal::OtherLedger { named_by, ledger: only.to_string() }))
            }
        }
    }
}

impl OpenedRequest<'_> {
    /// Refuses what the policy does not allow of the data and its account.
    pub(super) fn must_be_allowed(&self, policy: Option<&SitePolicy>) -> Result<(), ReleaseError> {
        let Some(policy) = policy else { return Ok(()) };
        policy.judge_source(&self.source_files(), &self.account_name(), self.declared()).map_err(ReleaseError::Policy)
    }

    /// Returns what the policy of this machine says of this request, each thing for itself; nothing where it has none.
    pub fn policy_findings(&self) -> Result<Vec<PolicyFinding>, PolicyError> {
        let Some(policy) = self.session().environment().policy()? else { return Ok(Vec::new()) };
        let account = &*self.account_name();
        let ledger = match self.ledger() {
            Ok(ledger) => PolicyFinding { what: "ledger", found: ledger.to_string(), refusal: None },
            Err(LocationError::Policy(error)) => return Err(error),
            Err(LocationError::Refused(refusal)) => {
                PolicyFinding { what: "ledger", found: "another one is named".into(), refusal: Some(refusal) }
            }
            Err(error) => PolicyFinding { what: "ledger", found: error.to_string(), refusal: None },
        };
        let source = self.source_files();
        let found = match &source {
            SourceFiles::Stream => "standard input".to_string(),
            SourceFiles::Untold => "it cannot be told where it lies".to_string(),
            SourceFiles::Places { places, .. } => {
                places.iter().map(|place| place.display().to_string()).collect::<Vec<_>>().join(", ")
            }
            SourceFiles::Server { place, table } => {
                let table = table.as_ref().map(|table| format!(", table {table}")).unwrap_or_default();
                format!("{place}{table}")
            }
        };
        let refusal = policy.judge_source(&source, account, self.declared()).err();
        let source = PolicyFinding { what: "source", found, refusal };
        let name = AccountName::new(account).ok();
        let is_open = |ledger: &LedgerLocation| {
            let book = self.session().environment().open_existing(ledger).ok();
            book.zip(name.as_ref()).is_some_and(|(book, name)| matches!(book.account(name), Ok(Some(_))))
        };
        let (state, refusal) = match self.ledger() {
            Ok(ledger) if is_open(&ledger) => ("open", None),
            Ok(_) => ("not open", policy.judge_unknown(account).err()),
            Err(_) => ("not looked up", None),
        };
        let found = format!("{account} ({state})");
        Ok(vec![ledger, source, PolicyFinding { what: "account", found, refusal }])
    }

    /// The account that would pay, by the name that a book has it under; as it is written if no account can be named
    /// so.
    fn account_name(&self) -> String {
        let written = self.request.ledger.dataset.as_deref().unwrap_or_default();
        AccountName::new(written).map_or_else(|_| written.to_string(), |name| name.as_str().to_string())
    }

    fn declared(&self) -> DeclaredAs {
        match self.request.data.as_ref().is_some_and(|data| data.synthetic) {
            true => DeclaredAs::MadeUp,
            false => DeclaredAs::People,
        }
    }

    /// The files of the data, as they lead: those that the engine would read, or else the place that is named.
    fn source_files(&self) -> SourceFiles {
        let data = self.request.data.as_ref();
        let table = data.and_then(|data| data.dialect.table.clone());
        let Some(source) = data.and_then(|data| data.source.as_deref()) else {
            return SourceFiles::Places { places: Vec::new(), table };
        };
        if source == STANDARD_INPUT {
            return SourceFiles::Stream;
        }
        if let Some(place) = data.and_then(|data| data.server()) {
            return SourceFiles::Server { place, table };
        }
        let location = location_from(self.folder(), source);
        let mut files = self.session().engine().files(&location);
        if files.is_empty() {
            files.push(PathBuf::from(&location));
        }
        // A place that cannot be followed here may be one that the engine reads all the same.
        match files.iter().map(|file| real_place(file)).collect::<Result<Vec<PathBuf>, _>>() {
            Ok(places) => SourceFiles::Places { places, table },
            Err(_) => SourceFiles::Untold,
        }
    }
}
