//! The policy file as it is written: TOML, in which every key is known.
//!
//! A key that is not known is refused, and so is a place that is not written from the root on: what an administrator
//! meant must not be lost by a slip. It must never fill in what is not said. It is separate from what follows from it.
//! Read `rules.rs` next.

use super::{BoundAccount, BoundSource, Review, Reviewer, SitePolicy, SourcePlace, UnknownAccounts};
use crate::real_place::real_place;
use incrowd_engine::nearest;
use incrowd_ledger::{AccountName, PublicKey};
use incrowd_request::ServerPlace;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with a text that should be a policy.
#[derive(Debug)]
pub(super) struct WrongPolicy {
    pub(super) line: Option<usize>,
    pub(super) message: String,
}

type Value<'a> = Spanned<DeValue<'a>>;

/// Returns the policy that a text is.
pub(super) fn read(text: &str, path: &Path) -> Result<SitePolicy, WrongPolicy> {
    let reader = Reader { text };
    let document = DeTable::parse(text).map_err(|error| {
        reader.wrong(error.span().map(|span| span.start), format!("this is not TOML: {}", error.message()))
    })?;
    let root = reader.section(
        document.get_ref(),
        &["ledger", "unknown-accounts", "reviewed-plan", "real-data", "account", "reviewer"],
    )?;
    let mut policy = SitePolicy {
        path: path.to_path_buf(),
        ledger: root.text("ledger")?,
        unknown_accounts: UnknownAccounts::Allowed,
        real_data: Vec::new(),
        accounts: Vec::new(),
        review: root.review()?,
        reviewers: Vec::new(),
    };
    if let Some((value, word)) = root.word("unknown-accounts")? {
        policy.unknown_accounts = match word.as_str() {
            "deny" => UnknownAccounts::Denied,
            "allow" => UnknownAccounts::Allowed,
            _ => return Err(reader.at(value, "unknown-accounts is \"deny\" or \"allow\"")),
        };
    }
    for section in root.sections("real-data", &["folder"])? {
        let (value, folder) = section.required("folder")?;
        policy.real_data.push(reader.source(value, &folder)?);
    }
    for section in root.sections("account", &["name", "sources", "reviewed-plan"])? {
        let (value, name) = section.required("name")?;
        // By the name that a book has it under.
        let name = AccountName::new(&name).map_err(|error| reader.at(value, error.to_string()))?;
        let name = name.as_str().to_string();
        if policy.account(&name).is_some() {
            return Err(reader.at(value, format!("there are two accounts {name:?}")));
        }
        policy.accounts.push(BoundAccount { name, sources: section.sources()?, review: section.review()? });
    }
    for section in root.sections("reviewer", &["name", "key"])? {
        let ((_, name), (value, key)) = (section.required("name")?, section.required("key")?);
        let key = PublicKey::read(&key).or_else(|| PublicKey::of_digits(&key));
        let wrong = "key is a public key: 64 hexadecimal digits, or the line of its file";
        let key = key.filter(|key| !key.is_weak()).ok_or_else(|| reader.at(value, wrong))?;
        policy.reviewers.push(Reviewer { name, key });
    }
    let asks = policy.accounts.iter().map(|account| account.review).chain([policy.review]);
    if policy.reviewers.is_empty() && asks.into_iter().any(|review| review == Review::Required) {
        return Err(
            reader.wrong(None, "reviewed-plan is required, and there is no [[reviewer]] whose signature counts")
        );
    }
    Ok(policy)
}

/// The text, to say in which line something stands.
#[derive(Clone, Copy)]
struct Reader<'a> {
    text: &'a str,
}

/// A section whose keys are known.
struct PolicySection<'a> {
    reader: Reader<'a>,
    table: &'a DeTable<'a>,
}

impl<'a> Reader<'a> {
    fn wrong(&self, start: Option<usize>, message: impl Into<String>) -> WrongPolicy {
        let line = start.and_then(|start| self.text.get(..start)).map(|before| before.matches('\n').count() + 1);
        WrongPolicy { line, message: message.into() }
    }

    fn at(&self, value: &Value<'_>, message: impl Into<String>) -> WrongPolicy {
        self.wrong(Some(value.span().start), message)
    }

    fn section(self, table: &'a DeTable<'a>, known: &[&str]) -> Result<PolicySection<'a>, WrongPolicy> {
        match table.iter().find(|(key, _)| !known.contains(&key.get_ref().as_ref())) {
            None => Ok(PolicySection { reader: self, table }),
            Some((key, _)) => {
                let name = key.get_ref();
                let near = nearest(name, known.iter().copied());
                let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
                Err(self.wrong(Some(key.span().start), format!("there is no key {name:?} here{near}")))
            }
        }
    }

    fn string(&self, key: &str, value: &Value<'_>) -> Result<String, WrongPolicy> {
        match value.get_ref() {
            DeValue::String(text) if !text.is_empty() => Ok(text.to_string()),
            _ => Err(self.at(value, format!("{key} is a text in quotes"))),
        }
    }

    /// A place, or the address of a server as it is shown: without user and settings.
    fn source(&self, value: &Value<'_>, text: &str) -> Result<SourcePlace, WrongPolicy> {
        match ServerPlace::of(text) {
            None => Ok(SourcePlace::Path(self.place(value, text)?)),
            Some(server) if server.is_plain(text) && server.has_a_name() => Ok(SourcePlace::Server(server)),
            Some(_) => {
                let words = "a server is written with its database, and without user, password and settings: \
                             postgres://host/database, sc://host:15002";
                Err(self.at(value, words))
            }
        }
    }

    /// A place from the root on, as it leads.
    fn place(&self, value: &Value<'_>, text: &str) -> Result<PathBuf, WrongPolicy> {
        if !Path::new(text).is_absolute() {
            return Err(self.at(value, "a place is written from the root on, such as /data/hr"));
        }
        real_place(Path::new(text)).map_err(|_| self.at(value, "this place cannot be found"))
    }
}

impl<'a> PolicySection<'a> {
    fn value(&self, key: &str) -> Option<&'a Value<'a>> {
        self.table.iter().find(|(name, _)| name.get_ref().as_ref() == key).map(|(_, value)| value)
    }

    fn word(&self, key: &str) -> Result<Option<(&'a Value<'a>, String)>, WrongPolicy> {
        self.value(key).map(|value| Ok((value, self.reader.string(key, value)?))).transpose()
    }

    fn text(&self, key: &str) -> Result<Option<String>, WrongPolicy> {
        Ok(self.word(key)?.map(|(_, text)| text))
    }

    fn required(&self, key: &str) -> Result<(&'a Value<'a>, String), WrongPolicy> {
        let start = self.table.iter().map(|(name, _)| name.span().start).min();
        self.word(key)?.ok_or_else(|| self.reader.wrong(start, format!("{key} is missing here")))
    }

    fn review(&self) -> Result<Review, WrongPolicy> {
        match self.word("reviewed-plan")? {
            None => Ok(Review::Free),
            Some((_, word)) if word == "required" => Ok(Review::Required),
            Some((value, _)) => Err(self.reader.at(value, "reviewed-plan is \"required\", or left out")),
        }
    }

    fn sections(&self, key: &str, known: &[&str]) -> Result<Vec<PolicySection<'a>>, WrongPolicy> {
        let Some(value) = self.value(key) else { return Ok(Vec::new()) };
        let wrong = || self.reader.at(value, format!("{key} is written as a section [[{key}]]"));
        let DeValue::Array(list) = value.get_ref() else { return Err(wrong()) };
        let section = |entry: &'a Value<'a>| match entry.get_ref() {
            DeValue::Table(table) => self.reader.section(table, known),
            _ => Err(wrong()),
        };
        list.iter().map(section).collect()
    }

    /// The sources of an account: texts, or a path with a table.
    fn sources(&self) -> Result<Vec<BoundSource>, WrongPolicy> {
        let Some(value) = self.value("sources") else { return Ok(Vec::new()) };
        let words = "sources is a list of paths, or of { path = \"...\", table = \"...\" }";
        let DeValue::Array(list) = value.get_ref() else { return Err(self.reader.at(value, words)) };
        if list.is_empty() {
            return Err(self.reader.at(value, "an account that takes no source is not bound: leave sources out"));
        }
        let source = |entry: &'a Value<'a>| match entry.get_ref() {
            DeValue::String(path) => Ok(BoundSource { place: self.reader.source(entry, path)?, table: None }),
            DeValue::Table(table) => {
                let section = self.reader.section(table, &["path", "table"])?;
                let (value, path) = section.required("path")?;
                Ok(BoundSource { place: self.reader.source(value, &path)?, table: section.text("table")? })
            }
            _ => Err(self.reader.at(entry, words)),
        };
        list.iter().map(source).collect()
    }
}
