//! What an account may spend, and on what.
//!
//! Terms only say; `account.rs` judges. They must never be read from the book in a second spelling. They are separate
//! because the terms of an account are entries of the book like any other, and change only by a new entry. Read
//! `account.rs` next.

use crate::key::RaiseKey;
use crate::number::{fits, read_rational};
use crate::officer_key::PublicKey;
use incrowd_definition::Moment;
use incrowd_exact::{Rational, rational_text};
use std::collections::BTreeSet;
use std::fmt;

/// The limits of an account; each is independent of the others and absent unless the steward sets it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Terms {
    /// The most that all epsilons may sum up to.
    pub epsilon: Option<Rational>,
    /// The most that all deltas may sum up to. Beside an epsilon budget, none means 0: see [`Terms::delta_budget`].
    pub delta: Option<Rational>,
    /// The only kinds of promise that may be charged. A kind listed here may be charged with an infinite epsilon.
    pub allow: Option<BTreeSet<String>>,
    /// The smallest group that a promise may name.
    pub min_group: Option<u64>,
    /// The most that one release may charge.
    pub max_epsilon_per_release: Option<Rational>,
    /// Whether the people of one snapshot are people of another.
    pub people: People,
    /// Columns of which the steward declares that nobody has two values in one snapshot: parts by them cost the
    /// largest.
    pub splits: BTreeSet<String>,
    /// What it takes to loosen these terms.
    pub guard: Option<Guard>,
}

/// What it takes to loosen the terms of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// A signature by this key, which every reader of the book checks.
    Signature(PublicKey),
    /// The secret of this identity, which accounts of version 0.1 have; see [`RaiseKey`](crate::RaiseKey). It is asked
    /// for when terms change, and nothing in the book proves that it was given.
    Secret(String),
}

/// Whether the people of one snapshot are people of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum People {
    /// They may be: everything that was ever charged adds up.
    #[default]
    Overlapping,
    /// Nobody is in two periods, as the steward declares: each period, named by its snapshot, has the whole budget.
    DisjointPerPeriod(Period),
}

/// A period whose people are in no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    /// Such as 2026-11-16.
    Day,
    /// Such as 2026-W47.
    Week,
    /// Such as 2026-11.
    Month,
    /// Such as 2026.
    Year,
}

impl Period {
    /// All of them.
    pub const ALL: [Period; 4] = [Period::Day, Period::Week, Period::Month, Period::Year];

    /// Returns the name, as a policy writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Period::Day => "day",
            Period::Week => "week",
            Period::Month => "month",
            Period::Year => "year",
        }
    }

    /// Returns how a snapshot names such a period.
    pub fn example(self) -> &'static str {
        match self {
            Period::Day => "2026-11-16",
            Period::Week => "2026-W47",
            Period::Month => "2026-11",
            Period::Year => "2026",
        }
    }

    /// Returns when the period that a snapshot names has begun everywhere but in the lands that are still behind: the
    /// first moment at which its first day is the date anywhere.
    pub fn begins(self, snapshot: &str) -> Option<Moment> {
        let day = |text: &str| Moment::read(&format!("{text}T00:00:00Z")).map(Moment::unix_seconds);
        let first = match self {
            Period::Day => day(snapshot),
            Period::Month => day(&format!("{snapshot}-01")),
            Period::Year => day(&format!("{snapshot}-01-01")),
            Period::Week => {
                let (year, week) = snapshot.split_once("-W")?;
                // The first week is the one with the fourth of January; 1970 began on a Thursday.
                let fourth = day(&format!("{year}-01-04"))? / DAY;
                let monday = fourth.checked_sub((fourth + 3) % 7)?;
                Some((monday + 7 * week.parse::<u64>().ok()?.checked_sub(1)?) * DAY)
            }
        };
        // A date begins fourteen hours before it does in Greenwich.
        first.map(|first| Moment::from_unix_seconds(first.saturating_sub(14 * 3600)))
    }

    /// Whether a snapshot names one period of this kind, in the only way to write it.
    pub fn is_named_by(self, snapshot: &str) -> bool {
        let day = |text: &str| Moment::read(&format!("{text}T00:00:00Z")).is_some();
        match self {
            Period::Day => day(snapshot),
            Period::Month => day(&format!("{snapshot}-01")),
            Period::Year => day(&format!("{snapshot}-01-01")),
            Period::Week => match snapshot.split_once("-W") {
                Some((year, week)) => {
                    let there = week.parse().is_ok_and(|week| (1..=weeks(year)).contains(&week));
                    day(&format!("{year}-01-01")) && week.len() == 2 && there
                }
                None => false,
            },
        }
    }
}

/// The seconds of a day.
const DAY: u64 = 86_400;

/// How many weeks a year has (ISO 8601): 53 if it begins or ends on a Thursday.
fn weeks(year: &str) -> u64 {
    // 1970 began on a Thursday.
    let is_thursday = |day: &str| {
        Moment::read(&format!("{year}-{day}T00:00:00Z")).is_some_and(|moment| moment.unix_seconds() / 86_400 % 7 == 0)
    };
    if is_thursday("01-01") || is_thursday("12-31") { 53 } else { 52 }
}

impl Terms {
    /// Returns the terms of an account that nobody has limited.
    pub fn unlimited() -> Terms {
        Terms::default()
    }

    /// Returns the most that all deltas may sum up to: as given, else 0 beside an epsilon budget, else no limit.
    ///
    /// An epsilon budget alone promises pure epsilons; a delta would break that promise unseen.
    pub fn delta_budget(&self) -> Option<Rational> {
        match (&self.delta, &self.epsilon) {
            (Some(delta), Some(_) | None) => Some(delta.clone()),
            (None, Some(_)) => Some(Rational::ZERO),
            (None, None) => None,
        }
    }

    /// Whether the steward named this kind of promise.
    pub(crate) fn names(&self, kind: &str) -> bool {
        self.allow.as_ref().is_some_and(|allowed| allowed.contains(kind))
    }

    /// Refuses limits that no account can have.
    pub(crate) fn check(&self) -> Result<(), TermsError> {
        if !self.epsilon.iter().chain(&self.max_epsilon_per_release).all(fits) {
            return Err(TermsError::Epsilon);
        }
        if !self.delta.iter().all(|delta| fits(delta) && delta <= &Rational::ONE) {
            return Err(TermsError::Delta);
        }
        if self.allow.iter().flatten().any(|kind| !is_kind(kind)) {
            return Err(TermsError::Kind);
        }
        match &self.guard {
            Some(Guard::Secret(key)) if !RaiseKey::is_identity(key) => Err(TermsError::Key),
            Some(Guard::Secret(_) | Guard::Signature(_)) | None => Ok(()),
        }
    }

    /// Refuses a key under which everybody could sign. Books that have one already read on.
    pub(crate) fn check_key(&self) -> Result<(), TermsError> {
        match &self.guard {
            Some(Guard::Signature(key)) if key.is_weak() => Err(TermsError::WeakKey),
            Some(Guard::Signature(_) | Guard::Secret(_)) | None => Ok(()),
        }
    }

    /// Whether an account could do anything on these terms that it could not do on the others.
    pub fn is_looser_than(&self, other: &Terms) -> bool {
        let more = |mine: Option<Rational>, theirs: Option<Rational>| match (mine, theirs) {
            (None, Some(_)) => true,
            (Some(mine), Some(theirs)) => mine > theirs,
            (Some(_) | None, None) => false,
        };
        let kinds = match (&self.allow, &other.allow) {
            (None, Some(_)) => true,
            (Some(mine), Some(theirs)) => !mine.is_subset(theirs),
            // A kind that is named may be charged with an infinite epsilon, even against a budget.
            (Some(mine), None) => !mine.is_empty() && other.epsilon.is_some(),
            (None, None) => false,
        };
        more(self.epsilon.clone(), other.epsilon.clone())
            || more(self.delta_budget(), other.delta_budget())
            || more(self.max_epsilon_per_release.clone(), other.max_epsilon_per_release.clone())
            || kinds
            || self.min_group < other.min_group
            || self.people != other.people
            || !self.splits.is_subset(&other.splits)
            || (other.guard.is_some() && self.guard != other.guard)
    }

    /// Returns what the book writes beside the two budgets:
    /// `allow=group,table;min-group=20;max-epsilon-per-release=1/2`.
    pub(crate) fn policy_text(&self) -> String {
        let allow = self
            .allow
            .iter()
            .map(|kinds| format!("allow={}", kinds.iter().map(String::as_str).collect::<Vec<_>>().join(",")));
        let group = self.min_group.iter().map(|group| format!("min-group={group}"));
        let most = &self.max_epsilon_per_release;
        let most = most.iter().map(|most| format!("max-epsilon-per-release={}", rational_text(most)));
        let people = match self.people {
            People::Overlapping => None,
            People::DisjointPerPeriod(period) => Some(format!("people=disjoint-per-{}", period.as_str())),
        };
        let splits = (!self.splits.is_empty()).then(|| {
            format!("splits={}", self.splits.iter().map(|column| quoted(column)).collect::<Vec<_>>().join(","))
        });
        let people = people.into_iter().chain(splits);
        let key = self.guard.iter().map(|guard| match guard {
            Guard::Secret(key) => format!("raised-with={key}"),
            Guard::Signature(key) => format!("signed-by={}", key.digits()),
        });
        allow.chain(group).chain(most).chain(people).chain(key).collect::<Vec<_>>().join(";")
    }

    /// Returns the terms that the book writes exactly so.
    pub(crate) fn read(epsilon: Option<&str>, delta: Option<&str>, policy: &str) -> Option<Terms> {
        let mut terms = Terms::unlimited();
        if let Some(text) = epsilon {
            terms.epsilon = Some(read_rational(text)?);
        }
        if let Some(text) = delta {
            terms.delta = Some(read_rational(text)?);
        }
        for part in policy.split(';').filter(|part| !part.is_empty()) {
            match part.split_once('=')? {
                ("allow", kinds) => {
                    let kinds = kinds.split(',').filter(|kind| !kind.is_empty());
                    terms.allow = Some(kinds.map(str::to_string).collect());
                }
                ("min-group", group) => terms.min_group = Some(group.parse().ok()?),
                ("max-epsilon-per-release", most) => terms.max_epsilon_per_release = Some(read_rational(most)?),
                ("people", people) => {
                    let period = people.strip_prefix("disjoint-per-")?;
                    let period = Period::ALL.into_iter().find(|known| known.as_str() == period)?;
                    terms.people = People::DisjointPerPeriod(period);
                }
                ("splits", columns) => terms.splits = columns.split(',').map(unquoted).collect::<Option<_>>()?,
                ("raised-with", key) => terms.guard = Some(Guard::Secret(key.to_string())),
                ("signed-by", key) => terms.guard = Some(Guard::Signature(PublicKey::of_digits(key)?)),
                _ => return None,
            }
        }
        // Order, doubles and leading zeros all fail here: only one text is right.
        (terms.check().is_ok() && terms.policy_text() == policy).then_some(terms)
    }
}

/// A name without the signs of a policy: every byte but letters, digits, `_` and `-` as `%` and two digits.
fn quoted(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    name.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02x}") }).collect()
}

/// The name that is quoted so; a second spelling is found out by quoting it again.
fn unquoted(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        rest = match (first, more) {
            (b'%', [high, low, more @ ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                bytes.push(u8::try_from(digit(high)? * 16 + digit(low)?).ok()?);
                more
            }
            (b'%', _) => return None,
            (plain, more) => {
                bytes.push(*plain);
                more
            }
        };
    }
    String::from_utf8(bytes).ok().filter(|name| !name.is_empty())
}

/// Whether a text can name a kind of promise: lower case letters, digits and hyphens.
pub(crate) fn is_kind(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=64).contains(&text.len()) && text.bytes().all(plain)
}

/// Why no account can have such terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermsError {
    /// An epsilon is below zero, or has thousands of digits.
    Epsilon,
    /// A delta is not between 0 and 1, or has thousands of digits.
    Delta,
    /// A kind of promise is not a name.
    Kind,
    /// The key without which terms cannot be loosened has no such identity.
    Key,
    /// Anybody could sign in the name of the key.
    WeakKey,
}

impl TermsError {
    /// Returns what to do instead.
    pub fn hint(&self) -> &'static str {
        match self {
            TermsError::Epsilon => "give a finite number such as 3 or 1/2, or leave it out for no limit",
            TermsError::Delta => "give a number such as 1e-6, or leave it out",
            TermsError::Kind => "name kinds as a request does: differential-privacy, crowd-blending, group",
            TermsError::Key | TermsError::WeakKey => "make a key with incrowd ledger key new NAME",
        }
    }
}

impl fmt::Display for TermsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TermsError::Epsilon => "the epsilon of an account must be 0 or more, with at most 4096 digits",
            TermsError::Delta => "the delta of an account must be between 0 and 1, with at most 4096 digits",
            TermsError::Kind => "a kind of promise is written in lower case letters, digits and hyphens",
            TermsError::Key => "the identity of a key has 64 hexadecimal digits",
            TermsError::WeakKey => {
                "this is not a public key that somebody has the private one of: anybody could sign for it"
            }
        })
    }
}

impl std::error::Error for TermsError {}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::parse_number;

    fn number(text: &str) -> Option<Rational> {
        Some(parse_number(text).expect("a number"))
    }

    fn kinds(names: &[&str]) -> Option<BTreeSet<String>> {
        Some(names.iter().map(|name| name.to_string()).collect())
    }

    fn read_back(terms: &Terms) -> Option<Terms> {
        let text = |value: &Option<Rational>| value.as_ref().map(rational_text);
        Terms::read(text(&terms.epsilon).as_deref(), text(&terms.delta).as_deref(), &terms.policy_text())
    }

    #[test]
    fn terms_are_read_back_as_they_were_written() {
        let full = Terms {
            epsilon: number("3"),
            delta: number("1e-6"),
            allow: kinds(&["table", "group"]),
            min_group: Some(20),
            max_epsilon_per_release: number("0.5"),
            people: People::DisjointPerPeriod(Period::Month),
            splits: BTreeSet::from(["region".to_string(), "a;b=%é".to_string()]),
            guard: Some(Guard::Secret("ab".repeat(32))),
        };
        let text = "allow=group,table;min-group=20;max-epsilon-per-release=1/2;people=disjoint-per-month;\
            splits=a%3bb%3d%25%c3%a9,region;raised-with=";
        assert_eq!(full.policy_text(), format!("{text}{}", "ab".repeat(32)));
        let nothing_allowed = Terms { allow: kinds(&[]), ..Terms::unlimited() };
        let guard = PublicKey::of_digits(&"ab".repeat(32)).map(Guard::Signature);
        let signed = Terms { guard, ..full.clone() };
        assert_eq!(
            signed.policy_text(),
            format!("{}signed-by={}", text.trim_end_matches("raised-with="), "ab".repeat(32))
        );
        for terms in [full, signed, nothing_allowed, Terms::unlimited()] {
            assert_eq!(read_back(&terms), Some(terms));
        }
    }

    #[test]
    fn forged_policies_are_not_read() {
        for policy in [
            "allow",
            "allow=b,a",
            "allow=a,a",
            "allow=A",
            "allow=a,",
            "min-group=07",
            "min-group=-1",
            "min-group=1;min-group=2",
            "min-group=1;allow=a",
            ";",
            "max-epsilon-per-release=nan",
            "max-epsilon-per-release=infinite",
            "other=1",
            "people=overlapping",
            "people=disjoint-per-second",
            "splits=",
            "splits=b,a",
            "splits=a;splits=b",
            "splits=%61",
            "splits=%3",
            "splits=%ff",
            "raised-with=AB",
            "raised-with=ab",
            "signed-by=ab",
            "signed-by=",
            "signed-by=ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB",
            "min-group=99999999999999999999",
        ] {
            assert_eq!(Terms::read(None, None, policy), None, "{policy}");
        }
        assert_eq!(Terms::read(Some("infinite"), None, ""), None);
        assert_eq!(Terms::read(None, Some("2"), ""), None);
    }

    #[test]
    fn an_epsilon_budget_alone_allows_no_delta() {
        let terms = Terms { epsilon: number("1"), ..Terms::unlimited() };
        assert_eq!(terms.delta_budget(), Some(Rational::ZERO));
        assert_eq!(Terms::unlimited().delta_budget(), None);
    }

    #[test]
    fn impossible_terms_are_refused() {
        let negative = Terms { epsilon: number("-1"), ..Terms::unlimited() };
        assert_eq!(negative.check(), Err(TermsError::Epsilon));
        let certain = Terms { delta: number("1.5"), ..Terms::unlimited() };
        assert_eq!(certain.check(), Err(TermsError::Delta));
        let shouted = Terms { allow: kinds(&["GROUP"]), ..Terms::unlimited() };
        assert_eq!(shouted.check(), Err(TermsError::Kind));
    }

    #[test]
    fn periods_begin_when_their_first_day_does_anywhere() {
        for (period, snapshot, begins) in [
            (Period::Day, "2026-11-16", "2026-11-15T10:00:00Z"),
            (Period::Month, "2026-11", "2026-10-31T10:00:00Z"),
            (Period::Year, "2026", "2025-12-31T10:00:00Z"),
            (Period::Week, "2026-W01", "2025-12-28T10:00:00Z"),
            (Period::Week, "2026-W47", "2026-11-15T10:00:00Z"),
            (Period::Week, "2027-W01", "2027-01-03T10:00:00Z"),
        ] {
            assert_eq!(period.begins(snapshot).map(|moment| moment.to_string()).as_deref(), Some(begins), "{snapshot}");
        }
        assert_eq!(Period::Week.begins("2026-11"), None);
    }

    #[test]
    fn periods_have_one_name_each() {
        for period in Period::ALL {
            for other in Period::ALL {
                assert_eq!(period.is_named_by(other.example()), period == other);
            }
        }
        assert!(Period::Week.is_named_by("2026-W53") && Period::Week.is_named_by("2020-W53"));
        for wrong in [
            "2026-13",
            "2026-1",
            "2026-W54",
            "2025-W53",
            "2024-W53",
            "2026-W00",
            "2026-W1",
            "26",
            "2026-02-30",
            "",
            " 2026",
            "2026-11 ",
        ] {
            assert!(!Period::ALL.iter().any(|period| period.is_named_by(wrong)), "{wrong}");
        }
    }

    #[test]
    fn every_freedom_more_is_looser_and_none_less_is() {
        let base = Terms {
            epsilon: number("1"),
            delta: number("1e-6"),
            allow: kinds(&["group"]),
            min_group: Some(20),
            max_epsilon_per_release: number("0.5"),
            people: People::Overlapping,
            splits: BTreeSet::new(),
            guard: Some(Guard::Secret("ab".repeat(32))),
        };
        assert!(!base.is_looser_than(&base));
        let looser = [
            Terms { epsilon: number("2"), ..base.clone() },
            Terms { epsilon: None, ..base.clone() },
            Terms { delta: number("1e-5"), ..base.clone() },
            Terms { delta: None, epsilon: None, ..base.clone() },
            Terms { allow: kinds(&["group", "table"]), ..base.clone() },
            Terms { allow: None, ..base.clone() },
            Terms { min_group: Some(19), ..base.clone() },
            Terms { min_group: None, ..base.clone() },
            Terms { max_epsilon_per_release: None, ..base.clone() },
            Terms { people: People::DisjointPerPeriod(Period::Day), ..base.clone() },
            Terms { splits: BTreeSet::from(["region".to_string()]), ..base.clone() },
            Terms { guard: None, ..base.clone() },
            Terms { guard: Some(Guard::Secret("cd".repeat(32))), ..base.clone() },
            Terms { guard: PublicKey::of_digits(&"ab".repeat(32)).map(Guard::Signature), ..base.clone() },
        ];
        for terms in looser {
            assert!(terms.is_looser_than(&base), "{}", terms.policy_text());
        }
        let stricter = [
            Terms { epsilon: number("0.5"), ..base.clone() },
            Terms { delta: None, ..base.clone() },
            Terms { allow: kinds(&[]), ..base.clone() },
            Terms { min_group: Some(21), ..base.clone() },
            Terms { max_epsilon_per_release: number("0.1"), ..base.clone() },
        ];
        for terms in stricter {
            assert!(!terms.is_looser_than(&base), "{}", terms.policy_text());
        }
        // Naming a kind lets it be charged against a budget without an epsilon of its own.
        let budget = Terms { allow: None, ..base.clone() };
        assert!(Terms { allow: kinds(&["crowd-blending"]), ..base.clone() }.is_looser_than(&budget));
    }
}
