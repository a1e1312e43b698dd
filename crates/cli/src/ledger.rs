//! `incrowd ledger`: opens accounts, and shows what they have spent.
//!
//! It reads the book and its own arguments, never data; it must never show less than was spent. It is separate from the book
//! itself because this is layout. Read `incrowd_ledger` for the content.

use crate::args::{Format, LedgerCommand, LedgerLook, LedgerOpen};
use crate::failure::Failure;
use crate::page::{self, Names, Table};
use crate::place;
use crate::release::now;
use incrowd_exact::{Rational, parse_number, rational_text};
use incrowd_ledger::{Account, AccountName, Entry, Event, Ledger, Terms};
use incrowd_privacy::Epsilon;
use incrowd_release::plan_json::JSON_VERSION;
use incrowd_release::refusal::readable;
use incrowd_release::request::{printable, promise_kinds};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Runs the command.
pub fn run(command: &LedgerCommand, format: Format) -> Result<(), Failure> {
    match command {
        LedgerCommand::Open(command) => set(command, Setting::Opened, format),
        LedgerCommand::Policy(command) => set(command, Setting::Changed, format),
        LedgerCommand::Show(command) => show(command, format),
        LedgerCommand::History(command) => history(command, format),
    }
}

/// Whether an account gets its first terms or others.
#[derive(Clone, Copy)]
enum Setting {
    Opened,
    Changed,
}

fn set(command: &LedgerOpen, setting: Setting, format: Format) -> Result<(), Failure> {
    let name = name(&command.name)?;
    let terms = Terms {
        epsilon: command.epsilon.as_deref().map(|text| number("--epsilon", text)).transpose()?,
        delta: command.delta.as_deref().map(|text| number("--delta", text)).transpose()?,
        allow: (!command.allow.is_empty()).then(|| command.allow.iter().cloned().collect::<BTreeSet<_>>()),
        min_group: command.min_group,
        max_epsilon_per_release: command
            .max_epsilon_per_release
            .as_deref()
            .map(|text| number("--max-epsilon-per-release", text))
            .transpose()?,
    };
    let kinds: BTreeSet<&str> = promise_kinds().collect();
    if let Some(unknown) = command.allow.iter().find(|kind| !kinds.contains(kind.as_str())) {
        let known = kinds.into_iter().collect::<Vec<_>>().join(", ");
        let message = format!("--allow: there is no promise of kind {:?}", printable(unknown));
        return Err(Failure::usage(message, format!("kinds are {known}")));
    }
    let path = place::alone(command.ledger.as_deref())?;
    let mut book = Ledger::open(&path)?;
    match setting {
        Setting::Opened => book.open_account(&name, &terms, now())?,
        Setting::Changed => book.change_terms(&name, &terms, now())?,
    }
    let account = book.account(&name)?;
    match (format, account) {
        (Format::Json, Some(account)) => page::print_json(&account_json(&account)),
        (Format::Text, Some(account)) => {
            let mut text = page::heading(&format!("Account {}", printable(name.as_str())));
            text.push_str(&page::entry("left", &left_words(&account)));
            text.push_str(&page::entry("policy", &policy_words(&account.terms)));
            text.push_str(&page::entry("ledger", &path.display().to_string()));
            page::print(&text)
        }
        (_, None) => Ok(()),
    }
}

fn show(command: &LedgerLook, format: Format) -> Result<(), Failure> {
    let path = place::alone(command.ledger.as_deref())?;
    let book = Ledger::open_existing(&path)?;
    let accounts = match &command.name {
        None => book.accounts()?,
        Some(text) => {
            let name = name(text)?;
            let account = book.account(&name)?.ok_or_else(|| no_account(text))?;
            vec![account]
        }
    };
    if format == Format::Json {
        let accounts: Vec<Value> = accounts.iter().map(account_json).collect();
        return page::print_json(&json!({ "version": JSON_VERSION, "accounts": accounts }));
    }
    let mut text = String::new();
    if accounts.is_empty() {
        text.push_str("There are no accounts in this book.\n");
    }
    for account in &accounts {
        text.push_str(&page::heading(&format!("Account {}", printable(account.name.as_str()))));
        text.push_str(&page::entry("opened", &account.created.to_string()));
        let charges = if account.charges == 1 { "1 charge".into() } else { format!("{} charges", account.charges) };
        text.push_str(&page::entry("spent", &format!("{} for {charges}, delivered or not", spent_words(account))));
        text.push_str(&page::entry("left", &left_words(account)));
        text.push_str(&page::entry("policy", &policy_words(&account.terms)));
    }
    page::print(&text)
}

fn history(command: &LedgerLook, format: Format) -> Result<(), Failure> {
    let path = place::alone(command.ledger.as_deref())?;
    let book = Ledger::open_existing(&path)?;
    let name = command.name.as_deref().map(name).transpose()?;
    if let Some(name) = &name
        && book.account(name)?.is_none()
    {
        return Err(no_account(name.as_str()));
    }
    let entries = book.history(name.as_ref())?;
    if format == Format::Json {
        let entries: Vec<Value> = entries.iter().map(entry_json).collect();
        return page::print_json(&json!({ "version": JSON_VERSION, "entries": entries }));
    }
    let mut table = Table::new(&["entry", "time", "account", "event", "charge", "epsilon", "delta"], Names::Right);
    for entry in &entries {
        let charge = entry.charge_id().map(|id| id.as_str().chars().take(12).collect()).unwrap_or_default();
        let (event, epsilon, delta) = match &entry.event {
            Event::Opened(_) => ("opened", String::new(), String::new()),
            Event::Charged(charged) => ("charged", epsilon_words(&charged.epsilon), readable(&charged.delta)),
            Event::Ended { outcome, .. } => (outcome.as_str(), String::new(), String::new()),
            Event::TermsChanged(_) => ("policy", String::new(), String::new()),
        };
        table.row(vec![
            entry.seq.to_string(),
            entry.time.to_string(),
            printable(entry.account.as_str()),
            event.into(),
            charge,
            epsilon,
            delta,
        ]);
    }
    page::print(&table.text())
}

fn no_account(text: &str) -> Failure {
    let message = format!("there is no account {:?}", printable(text));
    Failure::usage(message, "`incrowd ledger show` lists the accounts of this book")
}

fn name(text: &str) -> Result<AccountName, Failure> {
    AccountName::new(text).map_err(|error| Failure::usage(error.to_string(), error.hint()))
}

fn number(option: &str, text: &str) -> Result<Rational, Failure> {
    parse_number(text)
        .map_err(|error| Failure::usage(format!("{option}: {error}"), "give a number such as 3, 0.5, 1/3 or 1e-6"))
}

fn epsilon_words(epsilon: &Epsilon) -> String {
    match epsilon {
        Epsilon::Finite(value) => readable(value),
        Epsilon::Infinite => "infinite".into(),
    }
}

fn spent_words(account: &Account) -> String {
    format!("epsilon {}, delta {}", epsilon_words(&account.spent.epsilon), readable(&account.spent.delta))
}

/// Returns what an account has left, in words.
pub fn left_words(account: &Account) -> String {
    let left = account.left();
    let of = |name: &str, left: Option<Rational>, budget: Option<Rational>| match (left, budget) {
        (Some(left), Some(budget)) => format!("{name} {} of {}", readable(&left), readable(&budget)),
        (_, None) | (None, _) => format!("{name} without a limit"),
    };
    let epsilon = of("epsilon", left.epsilon, account.terms.epsilon.clone());
    format!("{epsilon}, {}", of("delta", left.delta, account.terms.delta_budget()))
}

fn policy_words(terms: &Terms) -> String {
    let mut words = Vec::new();
    if let Some(allow) = &terms.allow {
        words.push(format!("only {}", allow.iter().cloned().collect::<Vec<_>>().join(", ")));
    }
    if let Some(group) = terms.min_group {
        words.push(format!("promises name groups of at least {group}"));
    }
    if let Some(most) = &terms.max_epsilon_per_release {
        words.push(format!("at most epsilon {} in one release", readable(most)));
    }
    if words.is_empty() { "any promise".into() } else { words.join("; ") }
}

fn account_json(account: &Account) -> Value {
    let left = account.left();
    let number = |value: &Rational| rational_text(value);
    json!({
        "name": account.name.as_str(),
        "created": account.created.to_string(),
        "charges": account.charges,
        "spent": { "epsilon": account.spent.epsilon.to_string(), "delta": number(&account.spent.delta) },
        "left": { "epsilon": left.epsilon.as_ref().map(number), "delta": left.delta.as_ref().map(number) },
        "terms": terms_json(&account.terms),
    })
}

fn terms_json(terms: &Terms) -> Value {
    json!({
        "epsilon": terms.epsilon.as_ref().map(rational_text),
        "delta": terms.delta.as_ref().map(rational_text),
        "allow": terms.allow,
        "min_group": terms.min_group,
        "max_epsilon_per_release": terms.max_epsilon_per_release.as_ref().map(rational_text),
    })
}

fn entry_json(entry: &Entry) -> Value {
    let event = match &entry.event {
        Event::Opened(terms) => json!({ "kind": "open", "terms": terms_json(terms) }),
        Event::TermsChanged(terms) => json!({ "kind": "policy", "terms": terms_json(terms) }),
        Event::Ended { outcome, .. } => json!({ "kind": "outcome", "outcome": outcome.as_str() }),
        Event::Charged(charged) => json!({
            "kind": "charge",
            "snapshot": charged.snapshot,
            "plan_hash": charged.plan_hash,
            "binning_hash": charged.binning_hash,
            "promise": charged.promise,
            "epsilon": charged.epsilon.to_string(),
            "delta": rational_text(&charged.delta),
        }),
    };
    json!({
        "seq": entry.seq,
        "account": entry.account.as_str(),
        "time": entry.time.to_string(),
        "charge_id": entry.charge_id().map(|id| id.as_str().to_string()),
        "event": event,
        "previous_hash": entry.previous_hash,
        "hash": entry.hash,
    })
}
