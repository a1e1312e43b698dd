//! What a plan says about the odds, in sentences.
//!
//! Each sentence prints a percentage and the chance that somebody becomes surer, never the one without the other. It is
//! separate from the numbers because they are also fields. Read `../words.rs` for what else a plan says.

use super::{Because, Odds, epsilon_of, told_runs};
use crate::plan::Plan;
use crate::refusal::readable;
use incrowd_exact::Rational;
use incrowd_privacy::{Curve, Epsilon, Level, Run};

/// A step of the curve for people: who is meant, her epsilon, and how sure anybody becomes, where there is a bound.
pub struct CurveRow {
    /// Which groups.
    pub who: String,
    /// What they are promised.
    pub epsilon: String,
    /// How sure anybody can become, where that is bounded.
    pub odds: Option<Odds>,
}

impl Plan {
    /// Returns a row for each step of the curve, of long curves for some; then what a charged sample gives to
    /// everybody.
    pub fn curve_rows(&self) -> Vec<CurveRow> {
        let curve = self.whole_curve();
        let odds_of = |run: &Run| {
            let same = |odds: &&Odds| odds.by == Because::Promise && odds.group == (run.from, run.to);
            self.odds().iter().find(same).cloned()
        };
        let row = |run: &&Run| {
            let who = match (run.from, run.to) {
                (1, None) => "any group".to_string(),
                (1, Some(to)) => format!("a group of up to {to}"),
                (from, None) => format!("a group of {from} or more"),
                (from, Some(to)) if from == to => format!("a group of {from}"),
                (from, Some(to)) => format!("a group of {from} to {to}"),
            };
            let epsilon = match (&run.level, epsilon_of(&curve, run)) {
                (Level::Constant(_), Some(epsilon)) => readable(&epsilon),
                (Level::Constant(_), None) => "nothing is promised".into(),
                (Level::Proportional(_), Some(most)) => format!("up to {}", readable(&most)),
                (Level::Proportional(slope), None) => format!("{} for each person in it", readable(slope)),
            };
            CurveRow { who, epsilon, odds: odds_of(run) }
        };
        let sampled = self.sampled_odds().map(|odds| CurveRow {
            who: "everybody, because of the sample".into(),
            epsilon: readable(&odds.epsilon),
            odds: Some(odds),
        });
        told_runs(&curve).iter().map(row).chain(sampled).collect()
    }

    /// Returns what the promise means to one person in a small group, and to one in a large group.
    pub fn odds_words(&self) -> Vec<String> {
        let curve = self.whole_curve();
        // Who does not know how large a group is may find any size likely: the largest epsilon bounds what she learns.
        let sentence = |who: &str, group: (u64, Option<u64>), epsilon: &Epsilon| match epsilon {
            Epsilon::Infinite => format!("for {who} nothing is promised: their count may be published as it is"),
            Epsilon::Finite(epsilon) => {
                let odds = self.odds_at(group, epsilon);
                side_value(who, Reader::of(&curve, &odds), &odds)
            }
        };
        let first = &curve.runs()[0];
        let several = self.request.bins_per_person() > 1 || self.request.periods_per_person() > 1;
        let growing = |run: &Run| match &run.level {
            Level::Proportional(slope) => {
                let (here, there) = (run.from.max(10), run.from.max(10).saturating_mul(10));
                let at = |count: u64| {
                    sentence(&format!("in a group of {count}"), (count, Some(count)), &curve.epsilon(count))
                };
                Some(format!(
                    "for larger groups epsilon grows by {} with every person: {}; but for a group of ten times that size, {}",
                    readable(slope),
                    at(here),
                    at(there)
                ))
            }
            Level::Constant(_) => None,
        };
        let sampled = self.sampled_odds().map(|odds| sampled_words(&odds));
        let Some(to) = first.to else {
            let whole = match growing(first) {
                Some(words) => words.replacen("for larger groups epsilon", "epsilon", 1),
                None => sentence("", (1, None), &curve.epsilon(1)),
            };
            return std::iter::once(whole).chain(sampled).collect();
        };
        let small =
            if several { format!("whose groups are all of up to {to}") } else { format!("in a group of up to {to}") };
        let mut lines = vec![sentence(&small, (1, Some(to)), &curve.epsilon(to))];
        let last = &curve.runs()[curve.runs().len() - 1];
        lines.push(match (curve.last_finite(), growing(last), several) {
            (Some(limit), _, false) if sampled.is_some() => {
                format!("of groups of more than {limit} the count of those in the sample may be published as it is")
            }
            (Some(limit), _, false) => {
                sentence(&format!("groups of more than {limit}"), (limit.saturating_add(1), None), &Epsilon::Infinite)
            }
            (Some(limit), _, true) => {
                format!("nothing is promised to a person who is in any group of more than {limit}: that count may be published as it is")
            }
            (None, Some(words), _) => words,
            (None, None, false) => sentence("in a group of any size", (1, None), &curve.supremum()),
            (None, None, true) => sentence("in groups of any size", (1, None), &curve.supremum()),
        });
        lines.extend(sampled);
        lines
    }
}

impl Odds {
    /// Returns that a promise hardly promises, where somebody may become nearly sure: from 95 % on.
    pub fn weakness(&self) -> Option<String> {
        let who = match (self.by, self.group) {
            (Because::Sample, _) | (Because::Promise, (1, _)) => "a person".to_string(),
            (Because::Promise, (from, _)) => format!("a person in a group of {from} or more"),
        };
        let sure = match self.surer_than.odds() {
            Some(_) => format!("{} % sure", self.surer_than),
            None => "as good as certain".to_string(),
        };
        self.surer_than.is_nearly_sure().then(|| {
            format!(
                "hardly a promise: with epsilon {}, whoever finds it as likely as not that {who} is in the data may become \
                 {sure} of it",
                readable(&self.epsilon)
            )
        })
    }
}

impl Plan {
    /// Returns that this hardly promises anything, and to whom, where that is so: of the smallest groups that it is so
    /// of. What has no bound at all is not meant: that is said anyway.
    pub fn weakness(&self) -> Option<String> {
        match self.sampled_odds() {
            Some(odds) => odds.weakness(),
            None => self.odds().iter().find_map(Odds::weakness),
        }
    }
}

/// About whom a bound on what is learnt holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reader {
    /// Whoever reads, whatever she knows.
    Anybody,
    /// Who knows how many others are in a person's groups. Who does not is bounded by the largest epsilon of the sizes
    /// that she finds possible: she averages over them, and a value that speaks for a large group speaks for its
    /// epsilon.
    KnowsTheOthers,
}

impl Reader {
    /// Returns the reader that a bound holds for, under a curve. Where it may fail, the chance of that is for those who
    /// know the others: who thinks that a bin holds her or nobody takes a value that many made for her rare luck.
    pub fn of(curve: &Curve, odds: &Odds) -> Reader {
        let for_all_sizes = curve.supremum() == Epsilon::Finite(odds.epsilon.clone());
        if for_all_sizes && !odds.may_fail() { Reader::Anybody } else { Reader::KnowsTheOthers }
    }

    /// Returns "nobody", or whom it is about.
    pub fn nobody(self) -> &'static str {
        match self {
            Reader::Anybody => "nobody",
            Reader::KnowsTheOthers => "nobody who knows how many others are there",
        }
    }
}

/// The sentence about a given person, who is "in a group of up to 10".
fn side_value(who: &str, reader: Reader, odds: &Odds) -> String {
    let person = if who.is_empty() { "a given person".to_string() } else { format!("a given person {who}") };
    if odds.epsilon == Rational::ZERO && !odds.may_fail() {
        return format!("{} can learn anything about whether {person} is in the data at all", reader.nobody());
    }
    if odds.surer_than.odds().is_none() {
        return format!(
            "nothing keeps anybody from becoming as good as certain whether {person} is in the data at all"
        );
    }
    format!(
        "starting from even odds, {} can {}become surer than {} % whether {person} is in the data at all{}",
        reader.nobody(),
        odds.rightly(),
        odds.surer_than,
        odds.except_words()
    )
}

/// What a sample promises to a person, whatever her group.
pub fn sampled_words(odds: &Odds) -> String {
    format!(
        "because people are sampled first, starting from even odds {} can {}become surer than {} % whether a given person in a group of any size is in the data at all{}",
        if odds.may_fail() { Reader::KnowsTheOthers } else { Reader::Anybody }.nobody(),
        odds.rightly(),
        odds.surer_than,
        odds.except_words()
    )
}
