//! Why an account does not pay.
//!
//! A refusal is about the plan and the terms; it must never depend on the data, which has not been read. It is separate
//! from `error.rs` because a refusal is an answer, and an error is the lack of one. Read `account.rs` for who refuses.

use crate::account_name::AccountName;
use crate::charge::Charge;
use crate::entry::RefusedAttempt;
use crate::number::{shown, shown_below};
use crate::repeat::Repeat;
use crate::terms::Period;
use incrowd_definition::{Difference, EXACT_TABLES_SUBTRACT, Moment};
use incrowd_exact::{Rational, rare_rounding_down, rare_rounding_up};
use incrowd_privacy::Epsilon;
use std::collections::BTreeSet;
use std::fmt;

/// Why an account does not pay for a release. Nothing was charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChargeRefusal {
    /// More epsilon than is left.
    Overdrawn {
        /// Who should have paid.
        account: AccountName,
        /// What the release needs.
        asked: Rational,
        /// What is left.
        left: Rational,
        /// What was spent and the budget, where terms became stricter than what was spent before.
        overdrawn: Option<(Rational, Rational)>,
        /// The largest epsilon with which the same release would fit; nothing for exact counts.
        fits: Option<Rational>,
    },
    /// More delta than is left.
    DeltaOverdrawn {
        /// Who should have paid.
        account: AccountName,
        /// What the release needs.
        asked: Rational,
        /// What is left.
        left: Rational,
    },
    /// Any delta, and a budget for epsilon alone: that counts as a delta budget of 0.
    NoDeltaBudget {
        /// Who should have paid.
        account: AccountName,
        /// What the release needs.
        asked: Rational,
    },
    /// An infinite epsilon, and a budget for epsilon.
    Unbounded {
        /// Who should have paid.
        account: AccountName,
        /// The kind of promise.
        kind: String,
    },
    /// An infinite epsilon for another binning of people about whom exact counts may be out already.
    OtherBinning {
        /// Who should have paid.
        account: AccountName,
        /// The kind of promise.
        kind: String,
        /// Two cells that could be subtracted from each other, if the definitions show such a pair.
        subtraction: Option<Subtraction>,
    },
    /// An infinite epsilon for the bins of an earlier release, and a state of the data that nobody named.
    SnapshotNotNamed {
        /// Who should have paid.
        account: AccountName,
        /// The kind of promise.
        kind: String,
    },
    /// An infinite epsilon for the bins of an earlier release, whose values are read in another way.
    OtherReading {
        /// Who should have paid.
        account: AccountName,
        /// The kind of promise.
        kind: String,
    },
    /// A curve without an end beside other bins.
    Endless {
        /// Who should have paid.
        account: AccountName,
        /// The kind of promise.
        kind: String,
    },
    /// Another meaning of one person than in earlier releases.
    OtherPeople {
        /// Who should have paid.
        account: AccountName,
        /// Who was one person before.
        before: String,
        /// Who would be one now.
        now: String,
    },
    /// A snapshot that names no period, and a budget for each.
    NotAPeriod {
        /// Who should have paid.
        account: AccountName,
        /// What a snapshot must name.
        period: Period,
        /// What it is instead.
        snapshot: String,
    },
    /// A period that has not begun: its budget is for people who are in no data yet.
    PeriodNotBegun {
        /// Who should have paid.
        account: AccountName,
        /// What a snapshot names.
        period: Period,
        /// Which it named.
        snapshot: String,
        /// What time it is, by the clock of the book's server, or of this machine.
        now: Moment,
    },
    /// A kind of promise that the policy does not list.
    KindNotAllowed {
        /// Who should have paid.
        account: AccountName,
        /// The kind of promise.
        kind: String,
        /// What the policy lists.
        allowed: BTreeSet<String>,
    },
    /// A group below the policy's least.
    GroupTooSmall {
        /// Who should have paid.
        account: AccountName,
        /// What the promise names, if it names one.
        named: Option<u64>,
        /// The policy's least.
        least: u64,
    },
    /// More epsilon than one release may charge.
    TooMuchAtOnce {
        /// Who should have paid.
        account: AccountName,
        /// What the release needs.
        asked: Epsilon,
        /// The policy's most.
        most: Rational,
    },
    /// The same request was paid for before, and nobody says that it is meant again.
    Repeated(Repeat),
}

/// Two cells of two releases whose exact counts isolate people when they are subtracted, named by their public keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subtraction {
    /// The cell with more people.
    pub larger: String,
    /// The cell that is subtracted.
    pub smaller: String,
    /// Who is left.
    pub left: String,
}

impl Subtraction {
    pub(crate) fn of(difference: Difference) -> Subtraction {
        Subtraction { larger: difference.larger, smaller: difference.smaller, left: difference.left }
    }
}

impl fmt::Display for Subtraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "all of {} minus {} = {}", self.larger, self.smaller, self.left)
    }
}

impl ChargeRefusal {
    /// Returns why, in a word, as the book keeps it.
    pub fn word(&self) -> &'static str {
        match self {
            ChargeRefusal::Overdrawn { .. } => "over-epsilon",
            ChargeRefusal::DeltaOverdrawn { .. } => "over-delta",
            ChargeRefusal::NoDeltaBudget { .. } => "no-delta-budget",
            ChargeRefusal::Unbounded { .. } => "infinite-epsilon",
            ChargeRefusal::OtherBinning { .. } => "other-bins",
            ChargeRefusal::SnapshotNotNamed { .. } => "snapshot-not-named",
            ChargeRefusal::OtherReading { .. } => "other-reading",
            ChargeRefusal::Endless { .. } => "endless-curve",
            ChargeRefusal::OtherPeople { .. } => "other-people",
            ChargeRefusal::NotAPeriod { .. } => "no-period",
            ChargeRefusal::PeriodNotBegun { .. } => "period-not-begun",
            ChargeRefusal::KindNotAllowed { .. } => "kind-not-allowed",
            ChargeRefusal::GroupTooSmall { .. } => "group-too-small",
            ChargeRefusal::TooMuchAtOnce { .. } => "too-much-at-once",
            ChargeRefusal::Repeated(_) => "repeated",
        }
    }

    /// Returns what the book keeps of it.
    pub(crate) fn attempt(&self, charge: &Charge) -> RefusedAttempt {
        RefusedAttempt {
            snapshot: charge.snapshot.clone(),
            plan_hash: charge.plan_hash.clone(),
            epsilon: charge.epsilon.clone(),
            delta: charge.delta.clone(),
            reason: self.word().to_string(),
        }
    }

    /// Returns what to do instead.
    pub fn hint(&self) -> String {
        match self {
            ChargeRefusal::Overdrawn { account, fits: Some(fits), .. } if fits > &Rational::ZERO => {
                format!(
                    "a release that is charged epsilon {} would fit; see incrowd ledger history {account}",
                    shown_below(fits)
                )
            }
            ChargeRefusal::Overdrawn { account, .. } => {
                format!("nothing of this kind fits; see incrowd ledger history {account}")
            }
            ChargeRefusal::NoDeltaBudget { account, .. } => format!(
                "choose a mechanism with delta 0, or give the account a delta budget: incrowd ledger policy {account} --delta D"
            ),
            ChargeRefusal::DeltaOverdrawn { account, left, .. } => {
                format!("delta {} would fit; see incrowd ledger history {account}", rare_rounding_down(left))
            }
            ChargeRefusal::Unbounded { kind, .. } if kind == "linear" => {
                "promise a finite epsilon to everybody: give the linear promise a cap".to_string()
            }
            ChargeRefusal::Unbounded { kind, account } => format!(
                "promise a finite epsilon to everybody, or let the account allow it: incrowd ledger policy {account} --allow {kind} \
                 (with the other kinds that it shall pay for)"
            ),
            ChargeRefusal::OtherBinning { .. } => {
                "what works: a promise that is finite for everybody, such as simple-outlier-dp, which adds up with other tables; \
                 or one table with all bins, and sums of its cells by `margins` in [output], also afterwards and for free: incrowd \
                 render FOLDER --to NEW --margins all; or the same bins of the same snapshot again"
                    .to_string()
            }
            ChargeRefusal::SnapshotNotNamed { .. } => {
                "name the state of the data from its first release on, such as snapshot = \"2026-01\" in [ledger], and give data that \
                 changed another name; or promise a finite epsilon to everybody, which adds up"
                    .to_string()
            }
            ChargeRefusal::OtherReading { .. } => {
                "release from files of the same format and types as before, or promise a finite epsilon to everybody".to_string()
            }
            ChargeRefusal::Endless { .. } => {
                "promise a finite epsilon to everybody (give a linear promise a cap), or keep to the same bins"
                    .to_string()
            }
            ChargeRefusal::OtherPeople { .. } => {
                "use the same `person` in [data], or charge an account of its own with another `dataset`".to_string()
            }
            ChargeRefusal::NotAPeriod { period, .. } => {
                format!("name the period whose people these are: [ledger] snapshot = \"{}\"", period.example())
            }
            ChargeRefusal::PeriodNotBegun { period, .. } => {
                format!("release when the {} has begun; if it has, a clock is wrong", period.as_str())
            }
            ChargeRefusal::KindNotAllowed { allowed, .. } if allowed.is_empty() => {
                "this account pays for nothing; charge another one".to_string()
            }
            ChargeRefusal::KindNotAllowed { allowed, .. } => {
                let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
                format!("choose one of: {}", allowed.join(", "))
            }
            ChargeRefusal::GroupTooSmall { named: Some(_), least, .. } => format!("promise to groups of {least} or more"),
            ChargeRefusal::GroupTooSmall { named: None, .. } => {
                "promise a finite epsilon to everybody, or name a group".to_string()
            }
            ChargeRefusal::TooMuchAtOnce { most, .. } => format!("lower epsilon to {} or less", shown(most)),
            ChargeRefusal::Repeated(repeat) => repeat.hint(),
        }
    }
}

impl fmt::Display for ChargeRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChargeRefusal::Overdrawn { account, asked, overdrawn: Some((spent, budget)), .. } => write!(
                f,
                "this release needs epsilon {}, and account {account} is overdrawn: epsilon {} of {} is spent",
                shown(asked),
                shown(spent),
                shown(budget)
            ),
            ChargeRefusal::Overdrawn { account, asked, left, overdrawn: None, .. } => {
                write!(
                    f,
                    "this release needs epsilon {}; {} is left in account {account}",
                    shown(asked),
                    shown_below(left)
                )
            }
            ChargeRefusal::DeltaOverdrawn { account, asked, left } => {
                write!(
                    f,
                    "this release needs delta {}; {} is left in account {account}",
                    rare_rounding_up(asked),
                    rare_rounding_down(left)
                )
            }
            ChargeRefusal::NoDeltaBudget { account, asked } => write!(
                f,
                "this release needs delta {}; account {account} has an epsilon budget alone, which allows no delta",
                rare_rounding_up(asked)
            ),
            ChargeRefusal::Unbounded { account, kind } => write!(
                f,
                "this {kind} promise has an infinite epsilon for large groups, and account {account} has a budget for epsilon"
            ),
            ChargeRefusal::OtherBinning { account, kind, subtraction: Some(subtraction) } => write!(
                f,
                "account {account} has paid for a table with exact counts of large groups, and beside it this {kind} table would \
                 give small groups away by subtraction: {subtraction}, however few"
            ),
            ChargeRefusal::OtherBinning { account, kind, subtraction: None } => write!(
                f,
                "account {account} has paid for exact counts of large groups in other bins, and a {kind} release of these bins \
                 as well would promise nothing: {EXACT_TABLES_SUBTRACT}"
            ),
            ChargeRefusal::SnapshotNotNamed { account, kind } => write!(
                f,
                "account {account} has paid for exact counts of large groups in these bins, and nobody said which state of the \
                 data was counted then and is counted now: if one person came in between, this {kind} release minus the other is \
                 that person"
            ),
            ChargeRefusal::OtherReading { account, kind } => write!(
                f,
                "account {account} has paid for exact counts of large groups in these bins, from files whose values are read in \
                 another way, or by a version that did not record how: if one person falls into another bin, this {kind} release \
                 minus the other is that person"
            ),
            ChargeRefusal::Endless { account, kind } => write!(
                f,
                "a promise without a bound, for people in several bins or growing without end, adds up only with releases of the \
                 same bins; account {account} has paid for others, and this is a {kind} release"
            ),
            ChargeRefusal::OtherPeople { account, before, now } => write!(
                f,
                "in account {account} one person is {before}, here she is {now}: what is promised to one does not add up with what \
                 is promised to the other"
            ),
            ChargeRefusal::NotAPeriod { account, period, snapshot } => {
                let unit = period.as_str();
                write!(f, "account {account} has a budget for each {unit}, and the snapshot {snapshot:?} is no {unit}")
            }
            ChargeRefusal::PeriodNotBegun { account, period, snapshot, now } => write!(
                f,
                "account {account} has a budget for each {}, and {snapshot} has not begun: it is {now}",
                period.as_str()
            ),
            ChargeRefusal::KindNotAllowed { account, kind, .. } => {
                write!(f, "account {account} does not pay for promises of kind {kind}")
            }
            ChargeRefusal::GroupTooSmall { account, named: Some(named), least } => {
                write!(f, "this promise is to groups of {named}; account {account} asks for groups of at least {least}")
            }
            ChargeRefusal::GroupTooSmall { account, named: None, least } => write!(
                f,
                "this promise names no group and has an infinite epsilon; account {account} asks for groups of at least {least}"
            ),
            ChargeRefusal::TooMuchAtOnce { account, asked, most } => {
                let asked = asked.finite().map_or_else(|| asked.to_string(), shown);
                write!(
                    f,
                    "this release needs epsilon {asked}; account {account} pays at most {} for one release",
                    shown(most)
                )
            }
            ChargeRefusal::Repeated(repeat) => repeat.fmt(f),
        }
    }
}

impl std::error::Error for ChargeRefusal {}
