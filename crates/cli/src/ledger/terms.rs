//! `incrowd ledger open` and `incrowd ledger policy`: what an account may spend.
//!
//! It must never let a budget refill for people who are still the same. It is separate because terms are decisions, and
//! everything else here only shows. Read `incrowd_ledger::Terms` for what they mean.

use super::key::{self, KeyFile};
use super::sign::TermsFile;
use super::{account_name, no_account, sign};
use crate::args::{LedgerOpen, LedgerPolicy, PeopleKind, PrintFormat, RefreshPeriod, Term};
use crate::chart::write_new;
use crate::failure::Failure;
use crate::session::{environment, opens, says};
use crate::terminal::{print_json, print_page};
use incrowd_exact::{Rational, parse_number};
use incrowd_ledger::{
    Account, AccountName, Authority, Guard, Ledger, People, Period, Terms, TermsRequest, TermsSignature,
};
use incrowd_release::account_json::account_json;
use incrowd_release::account_page::{left_words, policy_words};
use incrowd_release::request::{printable, promise_kinds};
use incrowd_release::session::LedgerLocation;
use incrowd_report::{Facts, Page};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;

/// Opens an account.
pub fn open(command: &LedgerOpen, format: PrintFormat) -> Result<(), Failure> {
    let (name, terms) = (account_name(&command.name)?, terms(command)?);
    let nonce: String = key::random::<16>()?.iter().map(|byte| format!("{byte:02x}")).collect();
    opens(command.by.as_deref(), command.note.as_deref(), nonce);
    let environment = environment(command.ledger.as_deref());
    let location = environment.ledger()?;
    let mut book = environment.open(&location)?;
    book.open_account(&name, &terms, environment.now()?)?;
    tell(&book, &name, &location, format)
}

/// Changes terms of an account; what is not named stays as it is.
pub fn change(command: &LedgerPolicy, format: PrintFormat) -> Result<(), Failure> {
    let name = account_name(&command.name)?;
    let signed = command.signature.as_deref().map(sign::read).transpose()?;
    let kept = signed.as_ref().and_then(|signed| signed.note.as_deref());
    says(command.by.as_deref(), command.note.as_deref().or(kept));
    let key = command.key.as_deref().map(key::read).transpose()?;
    check_kinds(&command.allow)?;
    let environment = environment(command.ledger.as_deref());
    let location = environment.ledger()?;
    let mut book = environment.open(&location)?;
    let Some(account) = book.account(&name)? else { return Err(no_account(name.as_str())) };
    if let (Some(file), Some(TermsFile { request, signature, .. })) = (&command.signature, signed) {
        let signature = signature.ok_or_else(|| {
            Failure::usage(
                format!("{} is not signed", file.display()),
                "sign it first: incrowd ledger sign FILE --key FILE",
            )
        })?;
        must_be_for(&request, &account)?;
        book.change_terms(&name, &request.terms, Authority::Signature(&signature), environment.now()?)?;
        return tell(&book, &name, &location, format);
    }
    let mut terms = account.terms.clone();
    for term in &command.clear {
        match term {
            Term::Epsilon => terms.epsilon = None,
            Term::Delta => terms.delta = None,
            Term::Allow => terms.allow = None,
            Term::MinGroup => terms.min_group = None,
            Term::MaxEpsilonPerRelease => terms.max_epsilon_per_release = None,
            Term::RaiseKey => terms.guard = None,
        }
    }
    terms.epsilon = asked("--epsilon", &command.epsilon)?.or(terms.epsilon);
    terms.delta = asked("--delta", &command.delta)?.or(terms.delta);
    terms.max_epsilon_per_release =
        asked("--max-epsilon-per-release", &command.max_epsilon_per_release)?.or(terms.max_epsilon_per_release);
    terms.min_group = command.min_group.or(terms.min_group);
    if !command.allow.is_empty() {
        terms.allow = Some(command.allow.iter().cloned().collect());
    }
    if let Some(key) = command.raise_key.as_deref().map(key::public).transpose()? {
        terms.guard = Some(Guard::Signature(key));
    }
    if terms == account.terms {
        return Err(Failure::usage("nothing would change", "name a term, such as --epsilon 5 or --clear min-group"));
    }
    let request = account.request(&terms);
    if let Some(file) = &command.print_request {
        return print_request(&request, command.note.as_deref(), file, format);
    }
    let signature = match &key {
        Some(KeyFile::Private(key)) => Some(TermsSignature::by(key, &request)),
        Some(KeyFile::Secret(_) | KeyFile::Public(_)) | None => None,
    };
    let authority = match (&key, &signature) {
        // An account without a key has nobody who signs, and stricter terms need nobody.
        (_, Some(_)) if !account.is_guarded() || !terms.is_looser_than(&account.terms) => Authority::Nobody,
        (_, Some(signature)) => Authority::Signature(signature),
        (Some(KeyFile::Secret(secret)), None) => Authority::Secret(secret),
        (Some(KeyFile::Public(_)), None) => {
            return Err(Failure::usage("--key names a public key, which signs nothing", "name the private one"));
        }
        (Some(KeyFile::Private(_)) | None, None) => Authority::Nobody,
    };
    book.change_terms(&name, &terms, authority, environment.now()?)?;
    tell(&book, &name, &location, format)
}

/// Refuses a signed request for another account, or for terms that are not those of the account any more.
fn must_be_for(request: &TermsRequest, account: &Account) -> Result<(), Failure> {
    if request.account != account.name {
        let other = printable(request.account.as_str());
        return Err(Failure::usage(format!("this is signed for account {other}"), "name that account"));
    }
    if account.request(&request.terms) != *request {
        return Err(Failure::usage(
            format!("account {} has other terms than when this was signed, or is of another ledger", account.name),
            "print a new request with --print-request, and have it signed",
        ));
    }
    Ok(())
}

/// Writes down what has to be signed.
fn print_request(request: &TermsRequest, note: Option<&str>, file: &Path, format: PrintFormat) -> Result<(), Failure> {
    write_new(file, sign::text(request, None, note))?;
    let shown = file.display().to_string();
    if format == PrintFormat::Json {
        return print_json(&json!({ "account": request.account.as_str(), "written": shown }));
    }
    let next = format!("Next, on the machine with the private key: incrowd ledger sign {shown} --key FILE");
    print_page(&sign::page("Nothing is changed yet", request, None, note), &next)
}

fn tell(book: &Ledger, name: &AccountName, location: &LedgerLocation, format: PrintFormat) -> Result<(), Failure> {
    match (format, book.account(name)?) {
        (PrintFormat::Json, Some(account)) => print_json(&account_json(&account)),
        (PrintFormat::Text | PrintFormat::Html, Some(account)) => {
            let mut facts = Facts::default();
            facts.add("left", left_words(&account, ""));
            facts.add("policy", policy_words(&account.terms));
            facts.add("ledger", location.to_string());
            let mut page = Page::titled(format!("Account {}", name.as_str()));
            page.add("", vec![facts.block()]);
            print_page(&page, "")
        }
        (_, None) => Ok(()),
    }
}

fn terms(command: &LedgerOpen) -> Result<Terms, Failure> {
    check_kinds(&command.allow)?;
    let splits: BTreeSet<String> = command.splits.iter().map(|column| column.trim().to_string()).collect();
    if splits.contains("") {
        return Err(Failure::usage("--splits: a column has no name", "such as --splits region,sex"));
    }
    Ok(Terms {
        epsilon: asked("--epsilon", &command.epsilon)?,
        delta: asked("--delta", &command.delta)?,
        allow: (!command.allow.is_empty()).then(|| command.allow.iter().cloned().collect::<BTreeSet<_>>()),
        min_group: command.min_group,
        max_epsilon_per_release: asked("--max-epsilon-per-release", &command.max_epsilon_per_release)?,
        people: people(command)?,
        splits,
        guard: command.raise_key.as_deref().map(key::public).transpose()?.map(Guard::Signature),
    })
}

fn check_kinds(allow: &[String]) -> Result<(), Failure> {
    let kinds: BTreeSet<&str> = promise_kinds().collect();
    match allow.iter().find(|kind| !kinds.contains(kind.as_str())) {
        None => Ok(()),
        Some(unknown) => {
            let known = kinds.into_iter().collect::<Vec<_>>().join(", ");
            let message = format!("--allow: there is no promise of kind {:?}", printable(unknown));
            Err(Failure::usage(message, format!("kinds are {known}")))
        }
    }
}

fn asked(option: &str, text: &Option<String>) -> Result<Option<Rational>, Failure> {
    text.as_deref().map(|text| number(option, text)).transpose()
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

fn number(option: &str, text: &str) -> Result<Rational, Failure> {
    parse_number(text)
        .map_err(|error| Failure::usage(format!("{option}: {error}"), "give a number such as 3, 0.5, 1/3 or 1e-6"))
}
