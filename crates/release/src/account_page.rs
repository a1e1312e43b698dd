//! The page of an account: what it has promised and what is left; and the list of what happened in a book.
//!
//! It reads accounts and entries, never data, and must never show less than was spent. It is separate from the book
//! because it is sentences in an order. Read `account_summary.rs` for what was promised, `account_json.rs` for the same
//! in fields.

use crate::account_summary::AccountSummary;
use crate::refusal::{readable, readable_below, short};
use crate::request::printable;
use crate::snapshot_names::SnapshotNames;
use incrowd_exact::{Rational, rare_rounding_down, rare_rounding_up};
use incrowd_ledger::{
    Account, Charged, Entry, Event, Guard, Left, People, RefusedAttempt, SetAsideRows, Standing, Terms,
};
use incrowd_privacy::Epsilon;
use incrowd_report::{Align, Block, Facts, Page, PageTable, columns};

/// Returns the page of an account.
pub fn page(account: &Account) -> Page {
    let mut facts = Facts::default();
    facts.add("opened", account.created.to_string());
    let charges = charges_words(account.charges());
    facts.add("charged", format!("{} for {charges}, delivered or not", spent_words(account)));
    let all = AccountSummary::of(account);
    for part in &all {
        if let Some(period) = &part.standing.period {
            facts.add("period", format!("{period} ({})", charges_words(part.standing.charges)));
        }
        if part.standing.charges > 0 {
            facts.add("promised", part.total_words());
            facts.add_all("or tighter", part.tighter_words());
            facts.add_all("in words", part.odds_words());
            facts.add_all("mind", part.weakness());
        }
        facts.add("left", rest_words(&account.terms, &part.standing.left));
        facts.add_all("overdrawn", overdrawn_words(&account.terms, &part.standing));
    }
    if all.is_empty() {
        facts.add("left", left_words(account, ""));
    }
    if account.refused > 0 {
        let attempts = if account.refused == 1 { "1 attempt".into() } else { format!("{} attempts", account.refused) };
        facts.add("refused", format!("{attempts}, which cost nothing: see incrowd ledger history"));
    }
    facts.add("policy", policy_words(&account.terms));
    trust_words(account).into_iter().for_each(|words| facts.add("mind", words));
    let mut page = Page::titled(format!("Account {}", account.name.as_str()));
    page.add("", vec![facts.block()]);
    page
}

/// Returns what nobody can find out about where the terms of an account come from.
pub fn trust_words(account: &Account) -> Vec<String> {
    let unsigned = account.unsigned().iter().map(|seq| unsigned_words(*seq));
    let limited = account.terms != Terms::unlimited() && !account.is_guarded();
    let unguarded = limited.then(|| {
        "no key signs these terms: whoever can write the ledger could have written any, and nobody finds out".into()
    });
    unsigned.chain(unguarded).collect()
}

/// Returns what is known of an entry that loosened terms without a signature.
pub fn unsigned_words(seq: u64) -> String {
    format!("terms entry {seq} was loosened without a signature: whoever could write the ledger could write it")
}

/// The columns of names in a history: with numbers, moments and the longest prices beside them they fill 100.
const ACCOUNT: usize = 14;
const BY: usize = 10;

/// Returns entries of a book: a table that fits a screen, and below it what each entry says in words.
pub fn history(entries: &[Entry], snapshots: &SnapshotNames) -> Vec<Block> {
    let right = ["entry", "epsilon", "delta"];
    let head = ["entry", "time", "account", "event", "epsilon", "delta", "by"];
    let align = |heading: &str| if right.contains(&heading) { Align::Right } else { Align::Left };
    let mut table = PageTable::new(&head.map(|heading| (heading, align(heading))));
    let mut words = Facts::default();
    for entry in entries {
        let (epsilon, delta) = match &entry.event {
            Event::Charged(Charged { epsilon, delta, .. }) | Event::Refused(RefusedAttempt { epsilon, delta, .. }) => {
                (Some(shorter_words(epsilon)), Some(rare_rounding_up(delta)))
            }
            Event::Opened(_) | Event::TermsChanged { .. } | Event::Ended { .. } | Event::SetAside(_) => (None, None),
        };
        let by = entry.provenance.as_ref().and_then(|said| said.by.clone().or_else(|| said.user.clone()));
        table.rows.push(vec![
            Some(entry.seq.to_string()),
            Some(entry.time.to_string()),
            Some(clipped(entry.account.as_str(), ACCOUNT)),
            Some(event_word(&entry.event).into()),
            epsilon,
            delta,
            by.map(|by| clipped(&by, BY)),
        ]);
        words.add_all(&format!("entry {}", entry.seq), entry_words(entry, snapshots));
    }
    vec![Block::Table(table), words.block()]
}

/// What an entry says: what was charged or agreed on, of which table, for which folder, and why.
fn entry_words(entry: &Entry, snapshots: &SnapshotNames) -> Vec<String> {
    let said = entry.provenance.clone().unwrap_or_default();
    let mut words = match &entry.event {
        Event::Charged(charged) => {
            let state = snapshots.of_charge(charged).map(|state| format!(", {state}")).unwrap_or_default();
            vec![broken(&format!("charge {}: {}{state}", charge_word(entry), promise_words(&charged.promise)))]
        }
        Event::Refused(refused) => {
            vec![broken(&format!("nothing was charged ({}), {}", refused.reason, snapshots.of_attempt(refused)))]
        }
        Event::Opened(terms) => vec![broken(&terms_words(terms))],
        Event::TermsChanged { terms, signature } => {
            let signed = signature.map(|_| "; signed").unwrap_or_default();
            vec![format!("{}{signed}", broken(&terms_words(terms)))]
        }
        Event::Ended { .. } => vec![format!("charge {}", charge_word(entry))],
        Event::SetAside(aside) => vec![set_aside_words(aside)],
    };
    let name = entry.account.as_str();
    words.extend((columns(name) > ACCOUNT).then(|| format!("account {}", broken(name))));
    words.extend(said.table.map(|table| broken(&table)));
    words.extend(said.folder.map(|folder| format!("to {}", printable(&folder))));
    // What she says does not hide whom the system knows.
    if let Some(by) = &said.by {
        words.extend((columns(by) > BY).then(|| format!("by {}", broken(by))));
        let known = [said.user, said.host].map(|known| broken(&known.unwrap_or_else(|| "unknown".into())));
        words.push(format!("the system's user is {} on {}", known[0], known[1]));
    }
    words.extend(said.note.map(|note| format!("note: {}", broken(&note))));
    words
}

/// What the owner of the book did, and how the rows can be told.
pub(crate) fn set_aside_words(aside: &SetAsideRows) -> String {
    let SetAsideRows { rows, fault, digest } = aside;
    let rows = if *rows == 1 { "1 row".to_string() } else { format!("{rows} rows") };
    let digest: String = digest.chars().take(12).collect();
    format!(
        "{rows} from here on could not be read ({}), and were set aside by the book's owner: {digest}",
        printable(fault)
    )
}

/// The beginning of a charge's name.
pub(crate) fn charge_word(entry: &Entry) -> String {
    entry.charge_id().map(|id| id.as_str().chars().take(12).collect()).unwrap_or_default()
}

/// A text that is not wider than a column.
fn clipped(text: &str, width: usize) -> String {
    let text = printable(text);
    if columns(&text) <= width {
        return text;
    }
    let mut kept = String::new();
    for sign in text.chars() {
        if columns(&kept) + columns(&sign.to_string()) > width - 1 {
            break;
        }
        kept.push(sign);
    }
    kept + "…"
}

/// A text whose words all have room on a line: blanks are put into those that have none.
fn broken(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for sign in printable(text).chars() {
        let wide = columns(&sign.to_string());
        width = if sign == ' ' { 0 } else { width + wide };
        if width > LONGEST_WORD {
            out.push(' ');
            width = wide;
        }
        out.push(sign);
    }
    out
}

/// The longest word in a history, in columns.
const LONGEST_WORD: usize = 60;

/// Returns what happened, in a word.
pub fn event_word(event: &Event) -> &'static str {
    match event {
        Event::Opened(_) => "opened",
        Event::Charged(_) => "charged",
        Event::Ended { outcome, .. } => outcome.as_str(),
        Event::TermsChanged { .. } => "policy",
        Event::Refused(_) => "refused",
        Event::SetAside(_) => "set aside",
    }
}

/// Returns how many charges there are, in words.
pub fn charges_words(charges: u64) -> String {
    if charges == 1 { "1 charge".into() } else { format!("{charges} charges") }
}

pub(crate) fn epsilon_words(epsilon: &Epsilon) -> String {
    match epsilon {
        Epsilon::Finite(value) => readable(value),
        Epsilon::Infinite => "infinite".into(),
    }
}

/// An epsilon where there is little room.
fn shorter_words(epsilon: &Epsilon) -> String {
    match epsilon {
        Epsilon::Finite(value) => short(value),
        Epsilon::Infinite => "infinite".into(),
    }
}

fn spent_words(account: &Account) -> String {
    let spent = account.spent();
    format!("epsilon {}, delta {}", epsilon_words(&spent.epsilon), rare_rounding_up(&spent.delta))
}

/// Returns what an account has left for a snapshot, in words.
pub fn left_words(account: &Account, snapshot: &str) -> String {
    rest_words(&account.terms, &account.left(snapshot))
}

fn rest_words(terms: &Terms, left: &Left) -> String {
    let of = |left: &Option<Rational>, budget: Option<Rational>, words: fn(&Rational) -> String| match (left, budget) {
        (Some(left), Some(budget)) => format!("{} of {}", words(left), words(&budget)),
        (_, None) | (None, _) => "without a limit".into(),
    };
    let epsilon = of(&left.epsilon, terms.epsilon.clone(), readable_below);
    format!("epsilon {epsilon}, delta {}", of(&left.delta, terms.delta_budget(), rare_rounding_down))
}

/// Returns the terms of an account with its budgets, in words.
pub fn terms_words(terms: &Terms) -> String {
    let budget = |value: Option<Rational>, words: fn(&Rational) -> String| {
        value.map_or("no limit".into(), |value| words(&value))
    };
    let epsilon = budget(terms.epsilon.clone(), readable);
    let delta = budget(terms.delta_budget(), rare_rounding_down);
    format!("budget epsilon {epsilon}, delta {delta}; {}", policy_words(terms))
}

/// Returns by how much an account has spent more than its terms allow since they were made stricter, in words.
pub fn overdrawn_words(terms: &Terms, standing: &Standing) -> Option<String> {
    let total = standing.total.as_ref().ok()?;
    let epsilon = terms.epsilon.as_ref().zip(total.epsilon()).filter(|(budget, spent)| spent > budget);
    let epsilon = epsilon.map(|(budget, spent)| format!("epsilon {} of {}", readable(spent), readable(budget)));
    let delta = terms.delta_budget().filter(|budget| total.delta() > budget);
    let delta =
        delta.map(|budget| format!("delta {} of {}", rare_rounding_up(total.delta()), rare_rounding_down(&budget)));
    let over: Vec<String> = epsilon.into_iter().chain(delta).collect();
    (!over.is_empty()).then(|| format!("{} is spent; nothing more is paid until the budget is larger", over.join(", ")))
}

/// Returns what an account may spend on, in words.
pub fn policy_words(terms: &Terms) -> String {
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
        let columns: Vec<&str> = terms.splits.iter().map(String::as_str).collect();
        words.push(format!(
            "nobody has two values of {} in a snapshot (declared): parts cost the largest",
            columns.join(" or of ")
        ));
    }
    match &terms.guard {
        Some(Guard::Signature(key)) => words.push(format!("looser terms need a signature by the key {}", key.short())),
        Some(Guard::Secret(_)) => words.push("looser terms need the key, by agreement".into()),
        None => {}
    }
    let any = match (&terms.allow, &terms.epsilon) {
        (Some(_), _) => None,
        (None, None) => Some("any promise"),
        (None, Some(_)) => Some("any promise with a finite epsilon for everybody"),
    };
    any.map(String::from).into_iter().chain(words).collect::<Vec<_>>().join("; ")
}

/// Returns the kind of a promise and its group, from the text that a charge carries.
pub fn promise_words(promise: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(promise).unwrap_or_default();
    let Some(kind) = value["kind"].as_str() else { return printable(promise) };
    let group = ["group", "crowd"].iter().find_map(|key| Some((*key, value[*key].as_u64()?)));
    printable(&group.map_or_else(|| kind.to_string(), |(key, size)| format!("{kind}, {key} of {size}")))
}
