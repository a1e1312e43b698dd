//! The entries of a book and its accounts as rows, for programs that know tables.
//!
//! It must never leave an entry out, nor change a number: each stands exactly as a text, and beside it as a decimal
//! that is rounded so that nothing looks cheaper than it was. It is separate from its files because a text and a
//! workbook hold the same rows. Read `ledger_workbook.rs` for the workbook.

use crate::account_page::{event_word, overdrawn_words, policy_words, trust_words};
use crate::account_summary::AccountSummary;
use incrowd_definition::Moment;
use incrowd_exact::{Rational, rational_text, significant_rounding_down, significant_rounding_up};
use incrowd_ledger::{Account, Entry, Event, Left, People, Provenance, Standing, Terms};
use incrowd_privacy::Epsilon;
use std::collections::BTreeMap;

/// How many digits a decimal has.
const DIGITS: usize = 12;

/// The names of the columns of entries. Decimals stand beside exact numbers.
pub const ENTRY_COLUMNS: [&str; 33] = [
    "seq",
    "time",
    "account",
    "event",
    "charge_id",
    "snapshot",
    "promise",
    "epsilon",
    "epsilon_decimal",
    "delta",
    "delta_decimal",
    "budget_epsilon",
    "budget_epsilon_decimal",
    "budget_delta",
    "budget_delta_decimal",
    "allow",
    "min_group",
    "max_epsilon_per_release",
    "max_epsilon_per_release_decimal",
    "people",
    "refresh",
    "splits",
    "by",
    "user",
    "host",
    "table",
    "folder",
    "note",
    "reason",
    "plan_hash",
    "binning_hash",
    "certificate_hash",
    "hash",
];

/// The names of the columns of accounts. An account whose people are others in each period has a row for each.
pub const ACCOUNT_COLUMNS: [&str; 21] = [
    "account",
    "period",
    "opened",
    "charges",
    "refused",
    "promised",
    "epsilon",
    "epsilon_decimal",
    "delta",
    "delta_decimal",
    "budget_epsilon",
    "budget_epsilon_decimal",
    "budget_delta",
    "budget_delta_decimal",
    "left_epsilon",
    "left_epsilon_decimal",
    "left_delta",
    "left_delta_decimal",
    "overdrawn",
    "policy",
    "mind",
];

/// What a cell holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerCell {
    /// Words, names and hashes.
    Text(String),
    /// An exact number, written out: `1/2`.
    Exact(String),
    /// A number that spreadsheets add up.
    Decimal(String),
    /// When it was.
    Moment(Moment),
}

/// The cells of a row by the names of their columns; what is not known has none.
pub type LedgerRow = BTreeMap<&'static str, LedgerCell>;

impl LedgerCell {
    fn text(text: impl Into<String>) -> LedgerCell {
        LedgerCell::Text(text.into())
    }

    fn count(count: u64) -> LedgerCell {
        LedgerCell::Decimal(count.to_string())
    }

    /// Returns the cell for a file that says of no text that it is one: no spreadsheet runs it or takes it for a day.
    fn bare(&self) -> String {
        match self {
            LedgerCell::Text(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => format!("'{text}"),
            // A spreadsheet takes 1/2 for a day in January.
            LedgerCell::Exact(text) if text.contains('/') => format!("'{text}"),
            LedgerCell::Text(text) | LedgerCell::Exact(text) | LedgerCell::Decimal(text) => text.clone(),
            LedgerCell::Moment(moment) => moment.to_string(),
        }
    }
}

/// Returns all entries as CSV (RFC 4180).
pub fn csv(entries: &[Entry]) -> String {
    let quoted = |cell: String| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    };
    let mut text = ENTRY_COLUMNS.join(",") + "\n";
    for entry in entries {
        let row = entry_row(entry);
        let cells = ENTRY_COLUMNS.map(|name| row.get(name).map(|cell| quoted(cell.bare())).unwrap_or_default());
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// Returns the cells of an entry.
pub fn entry_row(entry: &Entry) -> LedgerRow {
    let text = |text: &str| LedgerCell::text(text);
    let mut row = BTreeMap::from([
        ("seq", LedgerCell::count(entry.seq)),
        ("time", LedgerCell::Moment(entry.time)),
        ("account", text(entry.account.as_str())),
        ("event", text(event_word(&entry.event))),
        ("hash", text(&entry.hash)),
    ]);
    row.extend(entry.charge_id().map(|id| ("charge_id", text(id.as_str()))));
    if let Some(Provenance { by, folder, host, nonce: _, note, table, user }) = &entry.provenance {
        let said = [("by", by), ("user", user), ("host", host), ("table", table), ("folder", folder), ("note", note)];
        row.extend(said.into_iter().filter_map(|(name, said)| Some((name, text(said.as_ref()?)))));
    }
    match &entry.event {
        Event::Opened(terms) | Event::TermsChanged { terms, .. } => row.extend(terms_cells(terms)),
        Event::Charged(charged) => {
            row.insert("snapshot", text(&charged.snapshot));
            row.insert("promise", text(&charged.promise));
            row.extend(price(&charged.epsilon, &charged.delta));
            row.insert("plan_hash", text(&charged.plan_hash));
            row.insert("binning_hash", text(&charged.binning_hash));
        }
        Event::Refused(refused) => {
            row.insert("snapshot", text(&refused.snapshot));
            row.insert("reason", text(&refused.reason));
            row.insert("plan_hash", text(&refused.plan_hash));
            row.extend(price(&refused.epsilon, &refused.delta));
        }
        Event::SetAside(aside) => {
            row.insert("reason", text(&aside.fault));
            row.insert("plan_hash", text(&aside.digest));
        }
        Event::Ended { certificate, .. } => {
            row.extend(certificate.as_ref().map(|hash| ("certificate_hash", text(hash.as_str()))));
        }
    }
    row
}

fn terms_cells(terms: &Terms) -> LedgerRow {
    let joined = |texts: &mut dyn Iterator<Item = &String>| texts.cloned().collect::<Vec<_>>().join(" ");
    let mut row = budgets(terms);
    row.extend(terms.allow.as_ref().map(|kinds| ("allow", LedgerCell::Text(joined(&mut kinds.iter())))));
    row.extend(terms.min_group.map(|group| ("min_group", LedgerCell::count(group))));
    let names = ["max_epsilon_per_release", "max_epsilon_per_release_decimal"];
    row.extend(terms.max_epsilon_per_release.iter().flat_map(|most| rounded_up(names, most)));
    let (people, refresh) = match terms.people {
        People::Overlapping => ("overlapping", None),
        People::DisjointPerPeriod(period) => ("disjoint-per-period", Some(period.as_str())),
    };
    row.insert("people", LedgerCell::text(people));
    row.extend(refresh.map(|period| ("refresh", LedgerCell::text(period))));
    row.insert("splits", LedgerCell::Text(joined(&mut terms.splits.iter())));
    row
}

fn budgets(terms: &Terms) -> LedgerRow {
    let epsilon = terms.epsilon.iter().flat_map(|most| rounded_up(["budget_epsilon", "budget_epsilon_decimal"], most));
    let delta = terms.delta_budget();
    epsilon.chain(delta.iter().flat_map(|most| rounded_up(["budget_delta", "budget_delta_decimal"], most))).collect()
}

/// What was, or would have been, charged.
fn price(epsilon: &Epsilon, delta: &Rational) -> LedgerRow {
    let mut row: LedgerRow = rounded_up(["delta", "delta_decimal"], delta).into();
    let names = ["epsilon", "epsilon_decimal"];
    match epsilon {
        Epsilon::Finite(epsilon) => row.extend(rounded_up(names, epsilon)),
        Epsilon::Infinite => row.extend(names.map(|name| (name, LedgerCell::text("infinite")))),
    }
    row
}

/// A number exactly, and as a decimal that is not below it.
fn rounded_up(names: [&'static str; 2], value: &Rational) -> [(&'static str, LedgerCell); 2] {
    let decimal = LedgerCell::Decimal(significant_rounding_up(value, DIGITS));
    [(names[0], LedgerCell::Exact(rational_text(value))), (names[1], decimal)]
}

/// A number exactly, and as a decimal that is not above it.
fn rounded_down(names: [&'static str; 2], value: &Rational) -> [(&'static str, LedgerCell); 2] {
    let decimal = LedgerCell::Decimal(significant_rounding_down(value, DIGITS));
    [(names[0], LedgerCell::Exact(rational_text(value))), (names[1], decimal)]
}

/// Returns the rows of an account: one, or where its people are others in each period one for each that was charged.
pub fn account_rows(account: &Account) -> Vec<LedgerRow> {
    let all = AccountSummary::of(account);
    if all.is_empty() {
        // No period was charged: each has the whole budget.
        let mut row = account_cells(account);
        row.insert("charges", LedgerCell::count(0));
        row.extend(left_cells(&account.left("")));
        return vec![row];
    }
    all.iter().map(|part| standing_row(account, part)).collect()
}

fn standing_row(account: &Account, part: &AccountSummary) -> LedgerRow {
    let Standing { period, charges, total, left } = &part.standing;
    let mut row = account_cells(account);
    row.extend(period.as_ref().map(|period| ("period", LedgerCell::text(period))));
    row.insert("charges", LedgerCell::count(*charges));
    row.insert("promised", LedgerCell::Text(part.total_words()));
    match total {
        Ok(total) => {
            let epsilon = total.epsilon().cloned().map_or(Epsilon::Infinite, Epsilon::Finite);
            row.extend(price(&epsilon, total.delta()));
        }
        Err(_) => row.extend(["epsilon", "delta"].map(|name| (name, LedgerCell::text("no total")))),
    }
    row.extend(left_cells(left));
    row.extend(overdrawn_words(&account.terms, &part.standing).map(|words| ("overdrawn", LedgerCell::Text(words))));
    row
}

fn account_cells(account: &Account) -> LedgerRow {
    let mut row = budgets(&account.terms);
    row.insert("account", LedgerCell::text(account.name.as_str()));
    row.insert("opened", LedgerCell::Moment(account.created));
    row.insert("refused", LedgerCell::count(account.refused));
    row.insert("policy", LedgerCell::Text(policy_words(&account.terms)));
    let mind = trust_words(account).join("; ");
    row.extend((!mind.is_empty()).then_some(("mind", LedgerCell::Text(mind))));
    row
}

fn left_cells(left: &Left) -> LedgerRow {
    let epsilon = left.epsilon.iter().flat_map(|left| rounded_down(["left_epsilon", "left_epsilon_decimal"], left));
    epsilon.chain(left.delta.iter().flat_map(|left| rounded_down(["left_delta", "left_delta_decimal"], left))).collect()
}
