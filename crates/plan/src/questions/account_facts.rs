//! What is known of the account that would pay, and what a release takes of its budget.
//!
//! The facts come in as values: it must never open a book. It is separate because a plan is a function of the request,
//! and only this answer depends on what was charged before. Read `incrowd_release`'s `session/account_facts.rs` for who
//! looks them up.

use crate::plan::Plan;
use crate::refusal::{readable, readable_below};
use crate::request::printable;
use incrowd_definition::Left;
use incrowd_exact::{Rational, rare_rounding_down, rare_rounding_up, rational_text, significant};
use incrowd_privacy::Epsilon;
use serde_json::{Value, json};

/// What is known of the account that would pay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountFacts {
    /// Nobody looked, or the request names no account.
    Unknown,
    /// There is a book, and it could not be read.
    Unreadable {
        /// The account.
        account: String,
    },
    /// No such account was opened.
    NotOpen {
        /// The account.
        account: String,
        /// The accounts that its book has.
        others: Vec<String>,
    },
    /// It is there.
    Known(Box<KnownAccount>),
}

/// An account that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownAccount {
    /// Its name.
    pub account: String,
    /// Its budgets, where it has some.
    pub budget: Left,
    /// What is left of them for the people of this release.
    pub left: Left,
    /// The delta that it would be charged, rounded up as the book writes it.
    pub charged_delta: Rational,
    /// What it has paid for before, and what it says of this release.
    pub state: AccountState,
    /// A period of which it declares that nobody is in two.
    pub own_people_of_each: Option<&'static str>,
    /// Whether it declares that parts of the people are different ones, so that a release may take less than it costs.
    pub declares_parts: bool,
    /// What it has promised before to the people of this release, where that adds up with it.
    pub before: Option<ChargedBefore>,
    /// That this very request was delivered or is under way, in words.
    pub repeated: Option<String>,
}

/// What an account has promised by earlier charges, all together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargedBefore {
    /// How many charges.
    pub charges: u64,
    /// To everybody.
    pub epsilon: Rational,
    /// To everybody.
    pub delta: Rational,
    /// To a person whose groups are in every table no larger than what this release calls small; nothing without a
    /// bound, or where nothing is called so.
    pub epsilon_of_small: Option<Rational>,
}

/// How an account would take a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountState {
    /// What it has paid for promises a finite epsilon to everybody, so that costs add up.
    Adds,
    /// It has paid for exact counts, beside which a finite epsilon counts twice.
    AddsTwice,
    /// Its terms do not allow this release: why, and what to do.
    Refuses(String),
    /// What it takes is decided when it is charged.
    Undecided,
}

impl AccountFacts {
    pub(super) fn own_people_of_each(&self) -> Option<&'static str> {
        match self {
            AccountFacts::Known(known) => known.own_people_of_each,
            AccountFacts::Unknown | AccountFacts::Unreadable { .. } | AccountFacts::NotOpen { .. } => None,
        }
    }

    /// Returns what is added up with a release, its account and what the release is charged of delta.
    pub(super) fn before(&self) -> Option<(&ChargedBefore, &KnownAccount)> {
        match self {
            AccountFacts::Known(known) => known.before.as_ref().map(|before| (before, &**known)),
            AccountFacts::Unknown | AccountFacts::Unreadable { .. } | AccountFacts::NotOpen { .. } => None,
        }
    }

    /// Returns what a release takes of the budget, in sentences.
    pub(super) fn words(&self, plan: &Plan) -> Vec<String> {
        let costs = match &plan.cost().epsilon {
            Epsilon::Finite(epsilon) => {
                format!("it costs epsilon {}, delta {}", readable(epsilon), rare_rounding_up(&plan.cost().delta))
            }
            Epsilon::Infinite => "it has no finite cost".to_string(),
        };
        match self {
            AccountFacts::Unknown => vec![format!(
                "{costs}; name the account in [ledger] with `dataset`, and give it a budget by `incrowd ledger open`"
            )],
            AccountFacts::Unreadable { .. } => {
                vec![format!("{costs}; what is left is not known: the ledger could not be read")]
            }
            AccountFacts::NotOpen { account, others } => {
                let account = printable(account);
                // An account with a budget for epsilon pays for an infinite one only where its terms name the kind.
                let allow = match &plan.cost().epsilon {
                    Epsilon::Finite(_) => String::new(),
                    Epsilon::Infinite => format!(" and `--allow {}`", plan.request().promise.promise.kind()),
                };
                let without = match &others[..] {
                    [] => "without it the first release opens the account without a limit".to_string(),
                    [first, ..] => format!(
                        "without it a release is refused, unless it says --open: the book has other accounts, such as {:?}",
                        printable(first)
                    ),
                };
                vec![format!(
                    "{costs}, and there is no budget yet: `incrowd ledger open {account}` with `--epsilon`, `--delta`{allow} sets \
                     one; {without}"
                )]
            }
            AccountFacts::Known(known) => known.words(plan, &costs),
        }
    }

    /// Returns the same in fields; null where nothing is known.
    pub fn to_json(&self, plan: &Plan) -> Value {
        let state = |name: &str, account: &str| json!({ "account": account, "state": name });
        match self {
            AccountFacts::Unknown => Value::Null,
            AccountFacts::Unreadable { account } => state("unreadable", account),
            AccountFacts::NotOpen { account, .. } => state("not open", account),
            AccountFacts::Known(known) => {
                let numbers = |left: &Left| {
                    json!({
                        "epsilon": left.epsilon.as_ref().map(rational_text), "delta": left.delta.as_ref().map(rational_text),
                    })
                };
                let after = known.after(plan);
                json!({
                    "account": known.account,
                    "state": match &known.state {
                        AccountState::Adds | AccountState::AddsTwice => "open",
                        AccountState::Refuses(_) => "refuses",
                        AccountState::Undecided => "undecided",
                    },
                    "budget": numbers(&known.budget),
                    "left": numbers(&known.left),
                    "left_after": after.as_ref().map(numbers),
                    "at_least": known.is_at_least(plan),
                    "charged_before": known.before.as_ref().map(|before| json!({
                        "charges": before.charges,
                        "epsilon": rational_text(&before.epsilon),
                        "delta": rational_text(&before.delta),
                    })),
                    "repeated": known.repeated,
                })
            }
        }
    }
}

impl KnownAccount {
    fn words(&self, plan: &Plan, costs: &str) -> Vec<String> {
        let name = printable(&self.account);
        let mut lines: Vec<String> = self.repeated.iter().cloned().collect();
        if let AccountState::Refuses(why) = &self.state {
            lines.push(format!("account {name} would not pay: {why}"));
            return lines;
        }
        if self.budget == (Left { epsilon: None, delta: None }) {
            lines.push(format!(
                "{costs}; account {name} has no limit, so that there is no share: `incrowd ledger policy {name}` with `--epsilon` \
                 and `--delta` sets one"
            ));
            return lines;
        }
        let Some((taken, after)) = self.taken(plan).zip(self.after(plan)) else {
            lines.push(format!(
                "{costs}; how much of its budget account {name} takes for it is decided when it is charged"
            ));
            return lines;
        };
        let least = if self.is_at_least(plan) { "at least " } else { "" };
        let mut overdrawn = false;
        let mut share = |what: &str, parts: BudgetPart<'_>, words: [fn(&Rational) -> String; 2]| {
            let BudgetPart { taken, budget, left, after } = parts;
            let [up, down] = words;
            let (Some(budget), Some(left), Some(after)) = (budget, left, after) else { return };
            if taken > left {
                overdrawn = true;
                lines.push(format!(
                    "more than is left: it needs {what} {}, and {} of {} is left in account {name}",
                    up(taken),
                    down(left),
                    down(budget)
                ));
                return;
            }
            let percent = match budget == &Rational::ZERO {
                true => String::new(),
                false => format!(" ({} %)", significant(&(taken * Rational::from(100u8) / budget), 2)),
            };
            lines.push(format!(
                "this spends {what} {} of {}{percent} of account {name}; {least}{} is left after it",
                up(taken),
                down(budget),
                down(after)
            ));
        };
        let epsilon = BudgetPart {
            taken: &taken.0,
            budget: self.budget.epsilon.as_ref(),
            left: self.left.epsilon.as_ref(),
            after: after.epsilon.as_ref(),
        };
        share("epsilon", epsilon, [readable, readable_below]);
        // A budget of 0 that nothing is taken of is not worth a line.
        if taken.1 > Rational::ZERO {
            let delta = BudgetPart {
                taken: &taken.1,
                budget: self.budget.delta.as_ref(),
                left: self.left.delta.as_ref(),
                after: after.delta.as_ref(),
            };
            share("delta", delta, [rare_rounding_up, rare_rounding_down]);
        }
        if overdrawn {
            lines.push("it would be refused before anything is read".into());
        }
        lines
    }

    /// Returns what a release takes, where costs add up.
    fn taken(&self, plan: &Plan) -> Option<(Rational, Rational)> {
        let delta = &self.charged_delta;
        match (&self.state, plan.cost().epsilon) {
            (AccountState::Adds, Epsilon::Finite(epsilon)) => Some((epsilon, delta.clone())),
            // The delta of a finite release beside exact counts is more than its own, and not told.
            (AccountState::AddsTwice, Epsilon::Finite(epsilon)) if delta == &Rational::ZERO => {
                Some((epsilon * Rational::from(2u8), Rational::ZERO))
            }
            (AccountState::Adds | AccountState::AddsTwice | AccountState::Refuses(_) | AccountState::Undecided, _) => {
                None
            }
        }
    }

    /// Returns what is left after it.
    fn after(&self, plan: &Plan) -> Option<Left> {
        let taken = self.taken(plan)?;
        let rest =
            |left: &Option<Rational>, taken: &Rational| left.as_ref().map(|left| (left - taken).max(Rational::ZERO));
        Some(Left { epsilon: rest(&self.left.epsilon, &taken.0), delta: rest(&self.left.delta, &taken.1) })
    }

    /// Whether a release may take less than it costs: parts of the people, or periods that were charged before.
    fn is_at_least(&self, plan: &Plan) -> bool {
        self.declares_parts || plan.request().kind.series().is_some()
    }
}

/// One of the two budgets, and what becomes of it.
struct BudgetPart<'a> {
    taken: &'a Rational,
    budget: Option<&'a Rational>,
    left: Option<&'a Rational>,
    after: Option<&'a Rational>,
}
