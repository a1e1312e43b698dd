//! `incrowd ledger`: opens accounts, shows what they have promised, and verifies the book.
//!
//! It reads the book and its own arguments, never data, but for `exposure`; it must never show less than was spent. It is
//! separate from the book itself because this is layout. Read `incrowd_ledger` for the content.

mod export;
mod exposure;
mod key;
mod report;
mod terms;
mod verify;

use crate::args::{Format, LedgerCommand, LedgerLook};
use crate::failure::Failure;
use crate::page::{self, Names, Table};
use crate::place;
use incrowd_exact::{Rational, rational_text};
use incrowd_ledger::{Account, AccountName, CertificateHash, Entry, Event, Ledger, Left, People, Terms};
use incrowd_privacy::Epsilon;
use incrowd_release::ledger_page::promise_words;
use incrowd_release::plan_json::JSON_VERSION;
use incrowd_release::refusal::readable;
use incrowd_release::request::printable;
use incrowd_release::standing::InAll;
use serde_json::{Value, json};

/// Runs the command.
pub fn run(command: &LedgerCommand, format: Format) -> Result<(), Failure> {
    match command {
        LedgerCommand::Open(command) => terms::open(command, format),
        LedgerCommand::Policy(command) => terms::change(command, format),
        LedgerCommand::Show(command) => show(command, format),
        LedgerCommand::History(command) => history(command, format),
        LedgerCommand::Verify(command) => verify::run(command, format),
        LedgerCommand::Export(command) => export::run(command, format),
        LedgerCommand::Report(command) => report::run(command, format),
        LedgerCommand::Exposure(command) => exposure::run(command, format),
        LedgerCommand::Key(command) => key::run(command, format),
    }
}

fn show(command: &LedgerLook, format: Format) -> Result<(), Failure> {
    let place = place::alone(command.ledger.as_deref())?;
    let book = place.open_existing()?;
    let accounts = accounts(&book, command.name.as_deref())?;
    if format == Format::Json {
        let accounts: Vec<Value> = accounts.iter().map(account_json).collect();
        return page::print_json(&json!({ "version": JSON_VERSION, "accounts": accounts }));
    }
    let mut text = String::new();
    if accounts.is_empty() {
        text.push_str("There are no accounts in this book.\n");
    }
    for account in &accounts {
        text.push_str(&account_page(account));
        text.push('\n');
    }
    text.push_str(&format!("From the ledger {place}\n"));
    page::print(&text)
}

/// One account as text.
fn account_page(account: &Account) -> String {
    let mut text = page::heading(&format!("Account {}", printable(account.name.as_str())));
    text.push_str(&page::entry("opened", &account.created.to_string()));
    text.push_str(&page::entry(
        "charged",
        &format!("{} for {}, delivered or not", spent_words(account), charges_words(account.charges())),
    ));
    let all = InAll::of(account);
    for part in &all {
        if let Some(period) = &part.standing.period {
            let charges = charges_words(part.standing.charges);
            text.push_str(&page::entry("period", &format!("{} ({charges})", printable(period))));
        }
        if part.standing.charges > 0 {
            text.push_str(&page::entry("promised", &part.total_words()));
            if let Some(words) = part.tighter_words() {
                text.push_str(&page::entry("or tighter", &words));
            }
            text.push_str(&page::entries("in words", &part.odds_words()));
        }
        text.push_str(&page::entry("left", &rest_words(&account.terms, &part.standing.left)));
    }
    if all.is_empty() {
        text.push_str(&page::entry("left", &left_words(account, "")));
    }
    text.push_str(&page::entry("policy", &policy_words(&account.terms)));
    text
}

fn history(command: &LedgerLook, format: Format) -> Result<(), Failure> {
    let book = place::alone(command.ledger.as_deref())?.open_existing()?;
    let entries = entries(&book, command.name.as_deref())?;
    if format == Format::Json {
        let entries: Vec<Value> = entries.iter().map(entry_json).collect();
        return page::print_json(&json!({ "version": JSON_VERSION, "entries": entries }));
    }
    let mut table =
        Table::new(&["entry", "time", "account", "event", "charge", "epsilon", "delta", "what"], Names::Right);
    for entry in &entries {
        let charge = entry.charge_id().map(|id| id.as_str().chars().take(12).collect()).unwrap_or_default();
        let (epsilon, delta, what) = match &entry.event {
            Event::Charged(charged) => {
                let what = format!("{}, snapshot {}", promise_words(&charged.promise), printable(&charged.snapshot));
                (epsilon_words(&charged.epsilon), readable(&charged.delta), what)
            }
            Event::Opened(terms) | Event::TermsChanged(terms) => {
                let budget = |value: Option<Rational>| value.map_or("no limit".into(), |value| readable(&value));
                let delta = budget(terms.delta_budget());
                let what = format!("budget {}, {delta}; {}", budget(terms.epsilon.clone()), policy_words(terms));
                (String::new(), String::new(), what)
            }
            Event::Ended { .. } => (String::new(), String::new(), String::new()),
        };
        table.row(vec![
            entry.seq.to_string(),
            entry.time.to_string(),
            printable(entry.account.as_str()),
            event_word(&entry.event).into(),
            charge,
            epsilon,
            delta,
            what,
        ]);
    }
    page::print(&table.text())
}

/// Returns the accounts that were asked for.
fn accounts(book: &Ledger, name: Option<&str>) -> Result<Vec<Account>, Failure> {
    match name {
        None => Ok(book.accounts()?),
        Some(text) => Ok(vec![book.account(&account_name(text)?)?.ok_or_else(|| no_account(text))?]),
    }
}

/// Returns the entries that were asked for.
fn entries(book: &Ledger, name: Option<&str>) -> Result<Vec<Entry>, Failure> {
    let name = name.map(account_name).transpose()?;
    let entries = book.history(name.as_ref())?;
    match name {
        Some(name) if entries.is_empty() => Err(no_account(name.as_str())),
        Some(_) | None => Ok(entries),
    }
}

fn no_account(text: &str) -> Failure {
    let message = format!("there is no account {:?}", printable(text));
    Failure::usage(message, "`incrowd ledger show` lists the accounts of this book")
}

fn account_name(text: &str) -> Result<AccountName, Failure> {
    AccountName::new(text).map_err(|error| Failure::usage(error.to_string(), error.hint()))
}

fn event_word(event: &Event) -> &'static str {
    match event {
        Event::Opened(_) => "opened",
        Event::Charged(_) => "charged",
        Event::Ended { outcome, .. } => outcome.as_str(),
        Event::TermsChanged(_) => "policy",
    }
}

fn charges_words(charges: u64) -> String {
    if charges == 1 { "1 charge".into() } else { format!("{charges} charges") }
}

fn epsilon_words(epsilon: &Epsilon) -> String {
    match epsilon {
        Epsilon::Finite(value) => readable(value),
        Epsilon::Infinite => "infinite".into(),
    }
}

fn spent_words(account: &Account) -> String {
    let spent = account.spent();
    format!("epsilon {}, delta {}", epsilon_words(&spent.epsilon), readable(&spent.delta))
}

/// Returns what an account has left for a snapshot, in words.
pub fn left_words(account: &Account, snapshot: &str) -> String {
    rest_words(&account.terms, &account.left(snapshot))
}

fn rest_words(terms: &Terms, left: &Left) -> String {
    let of = |name: &str, left: &Option<Rational>, budget: Option<Rational>| match (left, budget) {
        (Some(left), Some(budget)) => format!("{name} {} of {}", readable(left), readable(&budget)),
        (_, None) | (None, _) => format!("{name} without a limit"),
    };
    let epsilon = of("epsilon", &left.epsilon, terms.epsilon.clone());
    format!("{epsilon}, {}", of("delta", &left.delta, terms.delta_budget()))
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
    if let People::DisjointPerPeriod(period) = terms.people {
        words.push(format!("nobody is in two {}s (declared): each has the whole budget", period.as_str()));
    }
    if !terms.splits.is_empty() {
        let columns: Vec<String> = terms.splits.iter().map(|column| printable(column)).collect();
        words.push(format!(
            "nobody has two values of {} in a snapshot (declared): parts cost the largest",
            columns.join(" or of ")
        ));
    }
    if terms.raised_with.is_some() {
        words.push("looser terms need the key".into());
    }
    let any = match (&terms.allow, &terms.epsilon) {
        (Some(_), _) => None,
        (None, None) => Some("any promise"),
        (None, Some(_)) => Some("any promise with a finite epsilon for everybody"),
    };
    any.map(String::from).into_iter().chain(words).collect::<Vec<_>>().join("; ")
}

fn account_json(account: &Account) -> Value {
    let spent = account.spent();
    let (number, all) = (|value: &Rational| rational_text(value), InAll::of(account));
    // With one set of people, what is left is left of the account; with periods, of each.
    let left = match account.terms.people {
        People::Overlapping => account.left(""),
        People::DisjointPerPeriod(_) => Left { epsilon: None, delta: None },
    };
    json!({
        "name": account.name.as_str(),
        "created": account.created.to_string(),
        "charges": account.charges(),
        "spent": { "epsilon": spent.epsilon.to_string(), "delta": number(&spent.delta) },
        "left": { "epsilon": left.epsilon.as_ref().map(number), "delta": left.delta.as_ref().map(number) },
        "in_all": all.iter().map(InAll::json).collect::<Vec<_>>(),
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
        "people": match terms.people {
            People::Overlapping => "overlapping",
            People::DisjointPerPeriod(_) => "disjoint-per-period",
        },
        "refresh": match terms.people {
            People::Overlapping => None,
            People::DisjointPerPeriod(period) => Some(period.as_str()),
        },
        "splits": terms.splits,
        "raised_with": terms.raised_with,
    })
}

fn entry_json(entry: &Entry) -> Value {
    let event = match &entry.event {
        Event::Opened(terms) => json!({ "kind": "open", "terms": terms_json(terms) }),
        Event::TermsChanged(terms) => json!({ "kind": "policy", "terms": terms_json(terms) }),
        Event::Ended { outcome, certificate, .. } => json!({
            "kind": "outcome",
            "outcome": outcome.as_str(),
            "certificate_hash": certificate.as_ref().map(CertificateHash::as_str),
        }),
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
