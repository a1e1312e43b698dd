//! What happened to an account, one thing after the other: who did what, of which table, where and why.
//!
//! Every word is one that an entry has; it must never leave out an attempt, or how a release ended. It is separate
//! from `account_page.rs`, which lists entries of a whole book on a screen. Read `account_course.rs` for what they
//! cost in all.

use crate::account_course::OwnEntries;
use crate::account_page::{charge_word, epsilon_words, promise_words, set_aside_words, terms_words};
use crate::request::printable;
use crate::snapshot_names::SnapshotNames;
use incrowd_exact::{Rational, rare_rounding_up};
use incrowd_ledger::{Account, Entry, Event, ReleaseOutcome};
use incrowd_privacy::Epsilon;
use incrowd_report::{Block, Facts, LogEntry, LogWeight};

/// How much of what happened is told; the export has it all.
const MOST: usize = 200;
/// How much of it is seen at once.
const SEEN: usize = 10;

/// Returns what happened to an account, the newest first. The entries may be of all accounts.
pub fn log(account: &Account, entries: &[Entry], snapshots: &SnapshotNames) -> Vec<Block> {
    let own = OwnEntries::of(account, entries);
    let told: Vec<LogEntry> = own.all.iter().rev().filter_map(|entry| happening(entry, &own, snapshots)).collect();
    let (all, mut told) = (told.len(), told);
    told.truncate(MOST);
    let earlier = told.split_off(SEEN.min(told.len()));
    let mut blocks = vec![Block::Log(told)];
    if !earlier.is_empty() {
        let summary = match earlier.len() {
            1 => "What happened before".to_string(),
            many => format!("The {many} things that happened before"),
        };
        blocks.push(Block::Fold { summary, blocks: vec![Block::Log(earlier)] });
    }
    if all > MOST {
        blocks.push(Block::Note(format!("The newest {MOST} of {all}; `incrowd ledger export` has them all.")));
    }
    blocks
}

/// Returns one thing that happened; how a release ended is told with its charge.
fn happening(entry: &Entry, own: &OwnEntries<'_>, snapshots: &SnapshotNames) -> Option<LogEntry> {
    let cost = |epsilon: &Epsilon, delta: &Rational| {
        let delta =
            if delta == &Rational::ZERO { String::new() } else { format!(", delta {}", rare_rounding_up(delta)) };
        format!("epsilon {}{delta}", epsilon_words(epsilon))
    };
    let mut facts = Facts::default();
    let (heading, weight) = match &entry.event {
        Event::Ended { .. } => return None,
        Event::Charged(charged) => {
            facts.add("promise", promise_words(&charged.promise));
            facts.add_all("state", snapshots.of_charge(charged));
            let cost = cost(&charged.epsilon, &charged.delta);
            match own.outcome(entry) {
                Some(ReleaseOutcome::Delivered) => (format!("released for {cost}"), LogWeight::Usual),
                Some(ReleaseOutcome::Failed) => {
                    (format!("paid {cost}, and nothing was delivered"), LogWeight::Striking)
                }
                None => (format!("paid {cost}, and nobody knows how it ended"), LogWeight::Striking),
            }
        }
        Event::Refused(refused) => {
            facts.add("why not", reason_words(&refused.reason));
            facts.add("state", snapshots.of_attempt(refused));
            let cost = cost(&refused.epsilon, &refused.delta);
            (format!("refused: {cost} was asked for, nothing was paid"), LogWeight::Striking)
        }
        Event::Opened(terms) => {
            facts.add("terms", terms_words(terms));
            ("opened".into(), LogWeight::Usual)
        }
        Event::TermsChanged { terms, signature } => {
            facts.add("terms", terms_words(terms));
            (format!("terms changed{}", signature.map(|_| ", signed").unwrap_or_default()), LogWeight::Usual)
        }
        Event::SetAside(aside) => (set_aside_words(aside), LogWeight::Striking),
    };
    let mut named = Facts::default();
    said(entry, &mut named);
    let charge = entry.charge_id().map(|_| format!(", charge {}", charge_word(entry))).unwrap_or_default();
    facts.add("entry", format!("{}{charge}", entry.seq));
    let facts = named.into_iter().chain(facts).collect();
    Some(LogEntry { heading: format!("{}: {heading}", minute(entry)), weight, facts })
}

/// Who, what, where and why.
fn said(entry: &Entry, facts: &mut Facts) {
    let said = entry.provenance.clone().unwrap_or_default();
    facts.add_all("what", said.table.map(|table| printable(&table)));
    let known = [said.user, said.host].map(|known| known.map(|known| printable(&known)));
    let system = match known {
        [Some(user), Some(host)] => Some(format!("{user} on {host}")),
        [Some(known), None] | [None, Some(known)] => Some(known),
        [None, None] => None,
    };
    let who = match (said.by.map(|by| printable(&by)), system) {
        (Some(by), Some(system)) => Some(format!("{by} (the system's user is {system})")),
        (by, system) => by.or(system),
    };
    facts.add_all("who", who);
    facts.add_all("where", said.folder.map(|folder| printable(&folder)));
    facts.add_all("why", said.note.map(|note| printable(&note)));
}

/// Why an account did not pay, in words, from the word that the book keeps.
fn reason_words(word: &str) -> String {
    let words = match word {
        "over-epsilon" => "more epsilon than is left",
        "over-delta" => "more delta than is left",
        "no-delta-budget" => "a delta, for which there is no budget",
        "infinite-epsilon" => "no epsilon bounds it",
        "other-bins" => "exact counts of other bins than before",
        "snapshot-not-named" => "nobody named the state of the data",
        "other-reading" => "exact counts of the same columns, read otherwise",
        "endless-curve" => "its curve has no end",
        "other-people" => "another meaning of one person than before",
        "no-period" => "its snapshot is no period of the account",
        "period-not-begun" => "its period has not begun",
        "kind-not-allowed" => "a kind of promise that is not allowed",
        "group-too-small" => "it protects no group that is large enough",
        "too-much-at-once" => "more epsilon at once than is allowed",
        "repeated" => "it was paid for before",
        other => return printable(other),
    };
    format!("{words} ({word})")
}

/// When it was, to the minute.
fn minute(entry: &Entry) -> String {
    let time = entry.time.to_string();
    let (day, hour) = (time.get(..10).unwrap_or_default(), time.get(11..16).unwrap_or_default());
    format!("{day} {hour} UTC")
}
