//! What an account has promised in all, in words and in fields.
//!
//! Everything is a function of the ledger's entries; percentages are rounded so that they never promise more than
//! holds. It is separate because a terminal, an export and a page tell the same. Read `incrowd_ledger::Account` for the
//! sums.

use crate::odds::Odds;
use crate::refusal::{readable, short};
use incrowd_exact::{Rational, parse_number, rare_rounding_up, rational_text, significant_rounding_up};
use incrowd_ledger::{Account, Standing};
use incrowd_plan::delta_text::delta_text;
use incrowd_privacy::{ClashKind, Epsilon, Losses, Total};
use serde_json::{Value, json};

/// Why a plan may name another percentage for one release than a book that has it alone.
const BY_THE_BOOK: &str =
    "a book keeps epsilon and delta alone: of one release its plan, which knows the law, may name a lower percentage";
/// How many group sizes are told apart at most.
const MOST_SIZES: usize = 8;

/// What the people of an account, or of one of its periods, have been promised in all.
pub struct AccountSummary {
    /// The totals.
    pub standing: Standing,
    /// The composition that is tighter than the sum, if there is one.
    pub tighter: Option<Tighter>,
    /// What a person is promised by the size of her groups, the smallest first.
    pub by_group: Vec<ByGroup>,
}

/// A total that is tighter than the sum.
///
/// It holds for releases that were decided on beforehand; sums hold also where each release was chosen in view of those
/// before it (Rogers, Roth, Ullman & Vadhan 2016).
pub struct Tighter {
    /// Rounded up.
    pub epsilon: Rational,
    /// At this delta.
    pub delta: Rational,
}

/// What a person is promised in groups of up to some size.
pub struct ByGroup {
    /// The size; nothing for any size.
    pub up_to: Option<u64>,
    /// In which tables her groups are that small.
    pub tables: Tables,
    /// What all releases together may tell.
    pub epsilon: Epsilon,
}

/// In which tables the groups of a person have some size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tables {
    /// In the finest of which all others are functions; or nobody asks.
    Finest,
    /// In every one.
    Every,
}

impl AccountSummary {
    /// Returns what each period of an account has been promised; an account without periods has one.
    pub fn of(account: &Account) -> Vec<AccountSummary> {
        let standings = account.standings().into_iter();
        standings
            .map(|standing| AccountSummary {
                tighter: tighter(account, &standing),
                by_group: match standing.total {
                    Ok(_) => by_group(account, standing.period.as_deref()),
                    Err(_) => Vec::new(),
                },
                standing,
            })
            .collect()
    }

    /// Returns the total in a sentence.
    pub fn total_words(&self) -> String {
        match &self.standing.total {
            Ok(Total::Everybody { epsilon, delta }) if epsilon == &Rational::ZERO && delta == &Rational::ZERO => {
                "nothing may be learnt about anybody".into()
            }
            Ok(Total::Everybody { epsilon, delta }) => {
                format!(
                    "differential privacy for everybody: epsilon {}, delta {}",
                    readable(epsilon),
                    rare_rounding_up(delta)
                )
            }
            Ok(Total::Crowd { crowd, epsilon, delta }) => format!(
                "crowd-blending: everybody blends into a crowd of {crowd}, or is protected, with epsilon {} and delta {}",
                readable(epsilon),
                rare_rounding_up(delta)
            ),
            Ok(Total::Growing { delta, .. }) => format!(
                "no total for everybody, but protection by the size of a person's groups, delta {}",
                rare_rounding_up(delta)
            ),
            Err(ClashKind::ExactCounts | ClashKind::Endless | ClashKind::OtherPeople) => {
                "nothing: releases were charged that promise nothing together".into()
            }
        }
    }

    /// Returns the tighter total in a sentence.
    pub fn tighter_words(&self) -> Option<String> {
        self.tighter.as_ref().map(|tighter| {
            format!(
                "epsilon {} at delta {}, if all these releases were decided on beforehand",
                short(&tighter.epsilon),
                rare_rounding_up(&tighter.delta)
            )
        })
    }

    /// Returns what the odds by group size are odds of.
    pub fn odds_heading(&self) -> String {
        let Ok(total) = &self.standing.total else { return "nothing is promised about the odds".to_string() };
        let rightly = if total.delta() == &Rational::ZERO { "" } else { "rightly " };
        format!(
            "from even odds, nobody who knows how many others are in her groups {rightly}becomes surer than this whether a given person is in the data at all"
        )
    }

    /// Returns how sure anybody can become by all releases about a person; nothing where there is no bound.
    ///
    /// Of a sum only its epsilon and delta are known, so the chance is the bound that follows from them.
    pub fn odds(&self, row: &ByGroup) -> Option<Odds> {
        let total = self.standing.total.as_ref().ok()?;
        Some(Odds::bounded((1, row.up_to), row.epsilon.finite()?, total.delta()))
    }

    /// Returns the odds by the size of a group: what they are, then a line each.
    pub fn odds_words(&self) -> Vec<String> {
        let line = |row: &ByGroup| match (self.odds(row), &row.epsilon) {
            (Some(odds), Epsilon::Finite(epsilon)) => {
                format!("{}: {} % (epsilon {}){}", row.who(), odds.surer_than, short(epsilon), odds.except_words())
            }
            (_, _) => format!("{}: no bound; counts of large groups may have been published as they are", row.who()),
        };
        let end = if self.by_group.is_empty() { "" } else { ":" };
        let may_fail = |row: &ByGroup| self.odds(row).is_some_and(|odds| odds.may_fail());
        let why = self.by_group.iter().any(may_fail).then(|| BY_THE_BOOK.to_string());
        std::iter::once(self.odds_heading() + end).chain(self.by_group.iter().map(line)).chain(why).collect()
    }

    /// Returns that all releases together hardly promise anything to somebody, where that is so.
    pub fn weakness(&self) -> Option<String> {
        let mut from = 1;
        for row in &self.by_group {
            let weak = self.odds(row).and_then(|odds| Odds { group: (from, row.up_to), ..odds }.weakness());
            if weak.is_some() {
                return weak;
            }
            // Whoever is in smaller groups alone has a better bound, which was told in its own row.
            from = row.up_to.map_or(from, |up_to| up_to.saturating_add(1));
        }
        None
    }

    /// Returns the same in fields.
    pub fn json(&self) -> Value {
        let standing = &self.standing;
        let left = &standing.left;
        let promised = match &standing.total {
            Ok(Total::Everybody { epsilon, delta }) => {
                json!({ "kind": "differential-privacy", "epsilon": rational_text(epsilon), "delta": rational_text(delta) })
            }
            Ok(Total::Crowd { crowd, epsilon, delta }) => json!({
                "kind": "crowd-blending", "crowd": crowd, "epsilon": rational_text(epsilon),
                "delta": significant_rounding_up(delta, 12),
            }),
            Ok(Total::Growing { delta, .. }) => json!({ "kind": "growing", "delta": rational_text(delta) }),
            Err(ClashKind::ExactCounts | ClashKind::Endless | ClashKind::OtherPeople) => json!({ "kind": "nothing" }),
        };
        let by_group = self.by_group.iter().map(|row| {
            let odds = self.odds(row);
            json!({
                "up_to": row.up_to,
                "in_every_table": row.tables == Tables::Every,
                "epsilon": row.epsilon.to_string(),
                "at_most_sure_percent": odds.as_ref().map(|odds| odds.surer_than.to_string()),
                "but_for_a_chance_of": odds.as_ref().map(|odds| delta_text(&odds.chance)),
                "is": odds.as_ref().map(Odds::is_words),
            })
        });
        json!({
            "period": standing.period,
            "charges": standing.charges,
            "promised": promised,
            "tighter": self.tighter.as_ref().map(|tighter| json!({
                "epsilon": rational_text(&tighter.epsilon),
                "delta": rational_text(&tighter.delta),
                "assumes": "the releases were decided on beforehand",
            })),
            "by_group": by_group.collect::<Vec<_>>(),
            "weakness": self.weakness(),
            "left": {
                "epsilon": left.epsilon.as_ref().map(rational_text),
                "delta": left.delta.as_ref().map(rational_text),
            },
        })
    }
}

impl ByGroup {
    /// Returns who is meant.
    pub fn who(&self) -> String {
        match (self.up_to, self.tables) {
            (Some(1), Tables::Finest) => "alone in a group".into(),
            (Some(1), Tables::Every) => "alone in every table".into(),
            (Some(count), Tables::Finest) => format!("in groups of up to {count}"),
            (Some(count), Tables::Every) => format!("in groups of up to {count} in every table"),
            (None, _) => "in groups of any size".into(),
        }
    }
}

fn by_group(account: &Account, period: Option<&str>) -> Vec<ByGroup> {
    let bends = account.bends(period);
    let beyond = bends.last().map_or(1, |last| last.saturating_add(1));
    let chosen: Vec<u64> = match bends.len() {
        0..=MOST_SIZES => bends,
        many => (0..MOST_SIZES).map(|index| bends[index * (many - 1) / (MOST_SIZES - 1)]).collect(),
    };
    let endless = account.standings().iter().any(|standing| matches!(standing.total, Ok(Total::Growing { .. })));
    let last = if endless { Epsilon::Infinite } else { account.by_group(period, beyond) };
    let rows = |tables: Tables, of: &dyn Fn(u64) -> Epsilon| {
        let mut rows: Vec<ByGroup> = Vec::new();
        for up_to in &chosen {
            let (up_to, epsilon) = (Some(*up_to), of(*up_to));
            match rows.last_mut() {
                Some(last) if last.epsilon == epsilon => last.up_to = up_to,
                Some(_) | None => rows.push(ByGroup { up_to, tables, epsilon }),
            }
        }
        rows.retain(|row| row.epsilon != last);
        rows
    };
    // Where the tables have nothing to do with each other, sizes are told for those whose groups are small in all of
    // them.
    let mut told = rows(Tables::Finest, &|count| account.by_group(period, count));
    if told.is_empty() {
        told = rows(Tables::Every, &|count| account.in_every_table(period, count));
    }
    told.push(ByGroup { up_to: None, tables: Tables::Finest, epsilon: last });
    told
}

/// Returns a total that is tighter than the sum, where there is one: at the delta of the budget, else at one in a
/// million.
fn tighter(account: &Account, standing: &Standing) -> Option<Tighter> {
    let Ok(Total::Everybody { epsilon: sum, delta: least }) = &standing.total else { return None };
    if standing.charges < 2 {
        return None;
    }
    let usual = parse_number("1e-6").ok()?;
    let delta = account.terms.delta.clone().filter(|delta| delta > &Rational::ZERO).unwrap_or(usual);
    // Below the sum of the deltas there is nothing to gain.
    let delta = if &delta > least { delta } else { least * Rational::from(2u8) };
    let losses = Losses::of(&account.losses(standing.period.as_deref())?).ok()?;
    let epsilon = losses.epsilon(&delta)?;
    // A hundredth less is not worth a condition.
    (&epsilon * Rational::from(100u8) < sum * Rational::from(99u8)).then_some(Tighter { epsilon, delta })
}
