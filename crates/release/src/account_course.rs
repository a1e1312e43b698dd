//! What an account has spent when: one row for each stretch of time, with what was spent in all by its end.
//!
//! Every row adds up as the account itself does, from the entries until then; it must never show less than was spent,
//! and what is drawn decides nothing. It is separate from the page of an account, which says how it stands now. Read
//! `account_summary.rs` for what it promises.

use crate::account_page::charges_words;
use crate::request::printable;
use incrowd_definition::Moment;
use incrowd_exact::{
    Rational, rare_rounding_down, rare_rounding_up, significant_rounding_down, significant_rounding_up,
};
use incrowd_ledger::{Account, ChargeId, Entry, Event, People, ReleaseOutcome, Standing, Terms};
use incrowd_report::{Align, Block, Meter, MeterRow, MeterTable};
use std::collections::{BTreeMap, BTreeSet};
use stretches::{Stretch, stretches};

mod stretches;

/// What is above these bars, wherever they stand.
pub const HEADING: &str = "What was spent when";

/// Returns what an account has spent when; nothing where it was never asked to pay. The entries may be of all accounts.
pub fn course(account: &Account, entries: &[Entry]) -> Vec<Block> {
    let own = OwnEntries::of(account, entries);
    let asked = own.all.iter().any(|entry| matches!(entry.event, Event::Charged(_) | Event::Refused(_)));
    if !asked {
        return Vec::new();
    }
    let table = match account.terms.people {
        People::Overlapping => by_time(account, &own),
        People::DisjointPerPeriod(period) => by_period(account, &own, period.as_str()),
    };
    vec![Block::Meters(table)]
}

/// Returns how all accounts stand, a row for each.
pub fn overview(accounts: &[Account], entries: &[Entry]) -> Block {
    let columns =
        [("account", Align::Left), ("epsilon", Align::Right), ("left", Align::Right), ("what happened", Align::Left)];
    let mut table = MeterTable::new(&columns);
    for account in accounts {
        let row = row_of_all(account, &OwnEntries::of(account, entries));
        let most = row.spent.iter().chain(&row.budget).max().cloned().unwrap_or_default();
        let of = row.budget.as_ref().map(|budget| format!(" of {}", significant_rounding_down(budget, DIGITS)));
        let of = of.unwrap_or_default();
        let left = row.left_words() + if row.is_overdrawn() { "" } else { &of };
        let meter = row.meter(&most);
        let cells = vec![Some(row.label.clone()), Some(row.spent_words()), Some(left), row.all_words()];
        table.rows.push(MeterRow { cells, meter });
    }
    Block::Meters(table)
}

/// How an account stands now; where its people are others in each period, those who have the least left.
fn row_of_all(account: &Account, own: &OwnEntries<'_>) -> Row {
    let mut row = Row::of(&account.terms, own.words(&own.all));
    row.label = printable(account.name.as_str());
    row.spent = Some(Rational::ZERO);
    let Some(standing) = fullest(account) else { return row };
    row.spent = spent(&standing);
    row.words.splice(0..0, standing.period.map(|period| format!("in {}, the fullest period", printable(&period))));
    let budget = account.terms.delta_budget().filter(|budget| budget > &Rational::ZERO);
    let rest = standing.left.delta.zip(budget).filter(|(left, budget)| left < budget);
    row.words.extend(
        rest.map(|(left, budget)| {
            format!("delta {} of {} left", rare_rounding_down(&left), rare_rounding_down(&budget))
        }),
    );
    row
}

/// How the people stand who have the least left.
fn fullest(account: &Account) -> Option<Standing> {
    let spent_of = |standing: &Standing| spent(standing).map_or((true, Rational::ZERO), |spent| (false, spent));
    account.standings().into_iter().max_by(|one, other| spent_of(one).cmp(&spent_of(other)))
}

/// The epsilon of all releases together, if one bounds them.
fn spent(standing: &Standing) -> Option<Rational> {
    standing.total.as_ref().ok().and_then(|total| total.epsilon().cloned())
}

/// What a row says.
struct Row {
    label: String,
    /// What was spent in all before.
    before: Rational,
    /// What is spent in all; nothing where no epsilon bounds it.
    spent: Option<Rational>,
    budget: Option<Rational>,
    words: Vec<String>,
}

impl Row {
    fn of(terms: &Terms, words: Vec<String>) -> Row {
        Row { label: String::new(), before: Rational::ZERO, spent: None, budget: terms.epsilon.clone(), words }
    }

    fn is_overdrawn(&self) -> bool {
        self.spent.iter().zip(&self.budget).any(|(spent, budget)| spent > budget)
    }

    fn spent_words(&self) -> String {
        self.spent.as_ref().map_or("no bound".into(), up)
    }

    fn more_words(&self) -> String {
        match &self.spent {
            Some(spent) if spent > &self.before => up(&(spent - &self.before)),
            Some(_) => "0".into(),
            None => "no bound".into(),
        }
    }

    fn left_words(&self) -> String {
        match (&self.spent, &self.budget) {
            (_, None) => "no limit".into(),
            (None, Some(_)) => "0".into(),
            (Some(spent), Some(budget)) if spent > budget => format!("overdrawn by\u{a0}{}", up(&(spent - budget))),
            (Some(spent), Some(budget)) => significant_rounding_down(&(budget - spent), DIGITS),
        }
    }

    fn all_words(&self) -> Option<String> {
        (!self.words.is_empty()).then(|| self.words.join("; "))
    }

    /// What is drawn, where the whole width is `most`.
    fn meter(&self, most: &Rational) -> Option<Meter> {
        let spent = self.spent.as_ref().filter(|_| most > &Rational::ZERO)?;
        let share = |value: &Rational| {
            let parts = (value * Rational::from(Meter::WHOLE) / most).floor();
            u16::try_from(parts).unwrap_or(Meter::WHOLE).min(Meter::WHOLE)
        };
        let (before, end) = (share(&self.before).min(share(spent)), share(spent));
        let limit = self.budget.as_ref().map(share);
        // What is overdrawn is seen to be, by however little.
        let end = match limit {
            Some(limit) if self.is_overdrawn() => end.max(limit.saturating_add(LEAST_SEEN)),
            Some(_) | None => end,
        };
        Some(Meter { before, more: end - before, limit })
    }
}

/// How many digits a number in a row has: decimals, which are compared at a glance.
const DIGITS: usize = 4;

/// What was spent, not below it.
fn up(value: &Rational) -> String {
    significant_rounding_up(value, DIGITS)
}

/// The least that is seen of a bar.
const LEAST_SEEN: u16 = 60;

/// Rows one after the other, on one scale.
fn table(columns: &[(&str, Align)], rows: &[Row], cells: impl Fn(&Row) -> Vec<Option<String>>) -> MeterTable {
    let most = rows.iter().flat_map(|row| row.spent.iter().chain(&row.budget)).max().cloned().unwrap_or_default();
    let mut table = MeterTable::new(columns);
    table.rows = rows.iter().map(|row| MeterRow { cells: cells(row), meter: row.meter(&most) }).collect();
    table
}

/// Days, months or years, in each of which something happened or nothing did.
fn by_time(account: &Account, own: &OwnEntries<'_>) -> MeterTable {
    let times: Vec<Moment> = own.all.iter().map(|entry| entry.time).collect();
    let mut rows: Vec<Row> = Vec::new();
    let (mut before, mut delta) = (Rational::ZERO, Rational::ZERO);
    let (unit, all) = stretches(&times);
    for Stretch { label, entries } in all {
        let then = account.as_of(own.all[..entries.end].iter().copied());
        let standing = then.standings().into_iter().next();
        let happened = &own.all[entries];
        let mut row = Row { label, before: before.clone(), ..Row::of(&then.terms, own.words(happened)) };
        row.spent = standing.as_ref().map_or(Some(Rational::ZERO), spent);
        if let Some(total) = standing.as_ref().and_then(|standing| standing.total.as_ref().ok())
            && total.delta() > &delta
        {
            delta = total.delta().clone();
            row.words.push(format!("delta {} in all", rare_rounding_up(&delta)));
        }
        if happened.is_empty() {
            row.words.push("nothing".into());
        }
        before = row.spent.clone().unwrap_or(before);
        rows.push(row);
    }
    let columns = [
        (unit, Align::Left),
        ("epsilon", Align::Right),
        ("in all", Align::Right),
        ("left", Align::Right),
        ("what happened", Align::Left),
    ];
    table(&columns, &rows, |row| {
        let quiet = row.words == ["nothing"];
        let number = |words: String| Some(words).filter(|_| !quiet);
        let (label, words) = (Some(row.label.clone()), row.all_words());
        vec![label, number(row.more_words()), number(row.spent_words()), number(row.left_words()), words]
    })
}

/// Periods, each of which has the whole budget.
fn by_period(account: &Account, own: &OwnEntries<'_>, unit: &str) -> MeterTable {
    let standings: BTreeMap<Option<String>, Standing> =
        account.standings().into_iter().map(|standing| (standing.period.clone(), standing)).collect();
    let periods: BTreeSet<&str> = own.all.iter().filter_map(|entry| snapshot(entry)).collect();
    let row = |period: &str| {
        let happened: Vec<&Entry> = own.all.iter().copied().filter(|entry| snapshot(entry) == Some(period)).collect();
        let standing = standings.get(&Some(period.to_string()));
        let spent = standing.map_or(Some(Rational::ZERO), spent);
        Row { label: printable(period), spent, ..Row::of(&account.terms, own.words(&happened)) }
    };
    let rows: Vec<Row> = periods.into_iter().map(row).collect();
    let columns =
        [(unit, Align::Left), ("epsilon", Align::Right), ("left", Align::Right), ("what happened", Align::Left)];
    table(&columns, &rows, |row| {
        vec![Some(row.label.clone()), Some(row.spent_words()), Some(row.left_words()), row.all_words()]
    })
}

fn snapshot(entry: &Entry) -> Option<&str> {
    match &entry.event {
        Event::Charged(charged) => Some(&charged.snapshot),
        Event::Refused(refused) => Some(&refused.snapshot),
        Event::Opened(_) | Event::Ended { .. } | Event::TermsChanged { .. } | Event::SetAside(_) => None,
    }
}

/// The entries of one account, and how its charges ended.
pub(crate) struct OwnEntries<'e> {
    /// Oldest first.
    pub all: Vec<&'e Entry>,
    endings: BTreeMap<ChargeId, ReleaseOutcome>,
}

impl<'e> OwnEntries<'e> {
    /// Returns those of an account among all of a book.
    pub fn of(account: &Account, entries: &'e [Entry]) -> OwnEntries<'e> {
        let all: Vec<&Entry> = entries.iter().filter(|entry| entry.account == account.name).collect();
        let ending = |entry: &&Entry| match &entry.event {
            Event::Ended { charge_id, outcome, .. } => Some((charge_id.clone(), *outcome)),
            Event::Opened(_)
            | Event::Charged(_)
            | Event::TermsChanged { .. }
            | Event::Refused(_)
            | Event::SetAside(_) => None,
        };
        OwnEntries { endings: all.iter().filter_map(ending).collect(), all }
    }

    /// Returns how a charge ended, if the book says so.
    pub fn outcome(&self, charge: &Entry) -> Option<ReleaseOutcome> {
        self.endings.get(&charge.charge_id()?).copied()
    }

    /// Returns what happened in some of them, in words: releases and how they ended, attempts, and changes of terms.
    fn words(&self, happened: &[&Entry]) -> Vec<String> {
        let charges: Vec<&&Entry> = happened.iter().filter(|entry| matches!(entry.event, Event::Charged(_))).collect();
        let ended = |wanted| charges.iter().filter(|entry| self.outcome(entry) == wanted).count();
        let (failed, open) = (ended(Some(ReleaseOutcome::Failed)), ended(None));
        let refused = happened.iter().filter(|entry| matches!(entry.event, Event::Refused(_))).count();
        let changed = happened.iter().filter(|entry| matches!(entry.event, Event::TermsChanged { .. })).count();
        let told = [
            (charges.len(), charges_words(charges.len() as u64)),
            (failed, format!("{failed} of them failed, and paid for all the same")),
            (open, format!("{open} of them without a known end, and paid for all the same")),
            (refused, if refused == 1 { "1 attempt refused".into() } else { format!("{refused} attempts refused") }),
            (changed, if changed == 1 { "terms changed".into() } else { format!("terms changed {changed} times") }),
        ];
        let words: Vec<String> = told.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
        let opened = happened.iter().any(|entry| matches!(entry.event, Event::Opened(_)));
        if words.is_empty() && opened { vec!["opened".into()] } else { words }
    }
}

#[cfg(test)]
mod tests;
