//! `incrowd ledger open` and `incrowd ledger policy`: what an account may spend.
//!
//! It must never let a budget refill for people who are still the same. It is separate because terms are decisions, and
//! everything else here only shows. Read `incrowd_ledger::Terms` for what they mean.

use super::{account_json, account_name, left_words, policy_words};
use crate::args::{Format, LedgerOpen, LedgerPolicy, PeopleKind, RefreshPeriod};
use crate::failure::Failure;
use crate::page;
use crate::place;
use crate::release::now;
use incrowd_exact::{Rational, parse_number};
use incrowd_ledger::{AccountName, Ledger, People, Period, RaiseKey, Terms};
use incrowd_release::request::{printable, promise_kinds};
use std::collections::BTreeSet;
use std::path::Path;

/// Opens an account.
pub fn open(command: &LedgerOpen, format: Format) -> Result<(), Failure> {
    let (name, terms) = (account_name(&command.name)?, terms(command)?);
    let place = place::alone(command.ledger.as_deref())?;
    let mut book = place.open()?;
    book.open_account(&name, &terms, now())?;
    tell(&book, &name, &place.to_string(), format)
}

/// Gives an account other terms.
pub fn change(command: &LedgerPolicy, format: Format) -> Result<(), Failure> {
    let (name, mut terms) = (account_name(&command.terms.name)?, terms(&command.terms)?);
    let key = command.key.as_deref().map(read_key).transpose()?;
    let place = place::alone(command.terms.ledger.as_deref())?;
    let mut book = place.open()?;
    // A key stays unless another is named: leaving it out by accident must not take the lock away.
    if terms.raised_with.is_none()
        && let Some(account) = book.account(&name)?
    {
        terms.raised_with = account.terms.raised_with;
    }
    book.change_terms(&name, &terms, key.as_ref(), now())?;
    tell(&book, &name, &place.to_string(), format)
}

fn tell(book: &Ledger, name: &AccountName, place: &str, format: Format) -> Result<(), Failure> {
    match (format, book.account(name)?) {
        (Format::Json, Some(account)) => page::print_json(&account_json(&account)),
        (Format::Text, Some(account)) => {
            let mut text = page::heading(&format!("Account {}", printable(name.as_str())));
            text.push_str(&page::entry("left", &left_words(&account, "")));
            text.push_str(&page::entry("policy", &policy_words(&account.terms)));
            text.push_str(&page::entry("ledger", place));
            page::print(&text)
        }
        (_, None) => Ok(()),
    }
}

fn terms(command: &LedgerOpen) -> Result<Terms, Failure> {
    let number = |option: &str, text: &Option<String>| text.as_deref().map(|text| number(option, text)).transpose();
    let kinds: BTreeSet<&str> = promise_kinds().collect();
    if let Some(unknown) = command.allow.iter().find(|kind| !kinds.contains(kind.as_str())) {
        let known = kinds.into_iter().collect::<Vec<_>>().join(", ");
        let message = format!("--allow: there is no promise of kind {:?}", printable(unknown));
        return Err(Failure::usage(message, format!("kinds are {known}")));
    }
    Ok(Terms {
        epsilon: number("--epsilon", &command.epsilon)?,
        delta: number("--delta", &command.delta)?,
        allow: (!command.allow.is_empty()).then(|| command.allow.iter().cloned().collect::<BTreeSet<_>>()),
        min_group: command.min_group,
        max_epsilon_per_release: number("--max-epsilon-per-release", &command.max_epsilon_per_release)?,
        people: people(command)?,
        splits: command.splits.iter().filter(|column| !column.is_empty()).cloned().collect(),
        raised_with: command.raise_key.as_deref().map(read_key).transpose()?.map(|key| key.identity()),
    })
}

fn people(command: &LedgerOpen) -> Result<People, Failure> {
    let period = command.refresh.map(|period| match period {
        RefreshPeriod::Day => Period::Day,
        RefreshPeriod::Week => Period::Week,
        RefreshPeriod::Month => Period::Month,
        RefreshPeriod::Year => Period::Year,
    });
    match (command.people, period) {
        (PeopleKind::Overlapping, None) => Ok(People::Overlapping),
        (PeopleKind::DisjointPerPeriod, Some(period)) => Ok(People::DisjointPerPeriod(period)),
        (PeopleKind::Overlapping, Some(_)) => Err(Failure::usage(
            "a budget that refills promises nothing to people who are there in every period: what is learnt about them adds up",
            "leave --refresh out; only if nobody is ever in two periods, say --people disjoint-per-period",
        )),
        (PeopleKind::DisjointPerPeriod, None) => {
            Err(Failure::usage("--people disjoint-per-period needs the period", "such as --refresh month"))
        }
    }
}

fn read_key(path: &Path) -> Result<RaiseKey, Failure> {
    let wrong = |message: String| Failure::usage(message, "make one with: incrowd ledger key FILE");
    let text = std::fs::read_to_string(path)
        .map_err(|error| wrong(format!("the key {} cannot be read: {}", path.display(), error.kind())))?;
    RaiseKey::read(&text).ok_or_else(|| wrong(format!("{} is not a key", path.display())))
}

fn number(option: &str, text: &str) -> Result<Rational, Failure> {
    parse_number(text)
        .map_err(|error| Failure::usage(format!("{option}: {error}"), "give a number such as 3, 0.5, 1/3 or 1e-6"))
}
