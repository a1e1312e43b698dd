//! A plan in plain words: who is protected, how well, and what is not claimed.
//!
//! Percentages are rounded so that they never promise more than holds; a sentence must never leave out the delta. It is
//! separate from `plan.rs` because a privacy officer reads words. Read `plan_json.rs` for the same in fields.

use crate::plan::Plan;
use crate::refusal::readable;
use crate::request::{Cut, Mode, ReleaseKind, Unit, Universe as Cells, printable};
use crate::sampled::Point;
use incrowd_exact::{Enclosure, Rational, exp_neg, significant_rounding_up};
use incrowd_privacy::{Curve, Epsilon, Level, Promise, Run, Universe};

impl Plan {
    /// Returns what is counted: "People by department and salary, from employees.csv".
    pub fn title(&self) -> String {
        let by = self.by_words();
        // Names and paths are the steward's own words, but they must not speak to her terminal.
        match self.request.data.as_ref().and_then(|data| data.source.as_ref()) {
            Some(source) => printable(&format!("{by}, from {source}")),
            None => printable(&by),
        }
    }

    /// Returns what is counted by what: "People by department and salary".
    pub fn by_words(&self) -> String {
        let bins: Vec<&str> = match &self.top {
            None => self.request.bins.iter().map(|bin| bin.name.as_str()).collect(),
            Some(_) => self.request.written.iter().map(|bin| bin.name.as_str()).collect(),
        };
        let people = match &self.request.release {
            ReleaseKind::Rows(_) => "Rows of people:".to_string(),
            ReleaseKind::Points(_) => "Points of people:".to_string(),
            ReleaseKind::Top(top) => format!("The {} most frequent:", top.items),
            ReleaseKind::Histogram | ReleaseKind::Series(_) => "People by".to_string(),
        };
        match bins.as_slice() {
            [] => "A histogram of people".to_string(),
            [one] => format!("{people} {one}"),
            [first @ .., last] => format!("{people} {} and {last}", first.join(", ")),
        }
    }

    /// Returns which periods a series is about, and what they cost together.
    pub fn period_words(&self) -> Option<String> {
        let series = self.request.series()?;
        let bins = self.request.bins.first()?;
        let (first, last) = match &bins.cut {
            Cut::Periods(periods) => (periods.first().to_string(), periods.last().to_string()),
            Cut::Values(values) => (values.first()?.to_string(), values.last()?.to_string()),
            Cut::Found | Cut::Named(_) | Cut::Edges(_) | Cut::Truncated(_) => return None,
        };
        let periods = series.span.periods();
        let which = if periods == 1 { first } else { format!("{first} to {last}, {periods} of them") };
        let counted = match series.mode {
            Mode::PerPeriod => "each counted for itself",
            Mode::Cumulative => "each with all before it",
        };
        let cost = match (series.repeats_people(), periods) {
            (true, 1) => "the next ones will be charged on top",
            (true, _) => {
                "the promise is for each; a person may be in all, so their costs add up; those that the ledger has already are not charged again"
            }
            (false, _) => {
                "nobody is in two, it is assumed, so that all together cost what one does; later runs too, if rows are people or the account declares this column (--splits)"
            }
        };
        Some(printable(&format!("{which}; {counted}; {cost}")))
    }

    /// Returns what a person is promised over all periods that she may be in.
    pub fn whole_curve(&self) -> Curve {
        self.curve.times(self.request.periods_per_person())
    }

    /// Whether rows or points are published, one for each person, and not counts of bins.
    pub fn publishes_rows(&self) -> bool {
        matches!(self.request.release, ReleaseKind::Rows(_) | ReleaseKind::Points(_))
    }

    /// Returns the name of the main table, without its ending.
    pub fn main_table(&self) -> &'static str {
        match self.request.release {
            ReleaseKind::Rows(_) => "rows",
            ReleaseKind::Points(_) => "points",
            ReleaseKind::Histogram | ReleaseKind::Top(_) | ReleaseKind::Series(_) => "counts",
        }
    }

    /// Returns who is one person.
    pub fn unit_words(&self) -> String {
        printable(&self.unit())
    }

    fn unit(&self) -> String {
        match self.request.data.as_ref().map(|data| &data.unit) {
            None | Some(Unit::Row) => "one person each (one row is one person)".into(),
            Some(Unit::People { column }) => format!("one person each (a row stands for as many as its {column} says)"),
            Some(Unit::Person { column, bins_per_person: 1 }) => {
                format!("one person each (column {column}, at most 1 bin)")
            }
            Some(Unit::Person { column, bins_per_person }) => {
                format!(
                    "one person each (column {column}, at most {bins_per_person} bins; epsilon and delta are for all of them)"
                )
            }
        }
    }

    /// Returns which rows alone are counted, if not all.
    pub fn only_words(&self) -> Option<String> {
        let data = self.request.data.as_ref()?;
        let split = data.split.as_ref().map(|split| format!("{} is {}", split.column, split.part));
        let parts: Vec<String> = split.into_iter().chain(data.condition.clone()).collect();
        (!parts.is_empty()).then(|| printable(&format!("only rows where {}", parts.join(" and "))))
    }

    /// Returns which bins there are.
    pub fn universe_words(&self) -> String {
        let deployed = &self.settled.deployed;
        let bins =
            |cells: u128| if cells == 1 { "1 declared bin".to_string() } else { format!("{cells} declared bins") };
        if self.points.is_some() {
            return "cells of the axes; the points of a cell are published, moved by noise as wide as the cell, only if enough people share it".into();
        }
        if self.top.is_some() {
            return "items found in the data; one is chosen only if the mechanism lets it".into();
        }
        if self.publishes_rows() {
            return "rows as the columns' rules make them; one is published, once for each person who has it, only if enough people share it".into();
        }
        match self.request.universe() {
            Cells::Closed { cells } => match (deployed.universe, deployed.publish_from, deployed.may_be_silent()) {
                (Universe::Open, _, _) => {
                    format!("{}; one shows only if the mechanism lets it, an empty one never", bins(cells))
                }
                (Universe::Closed, Some(from), _) => {
                    format!("{}; those whose drawn value is at least {from} are shown", bins(cells))
                }
                (Universe::Closed, None, true) => format!("{}, each listed, some of them as suppressed", bins(cells)),
                (Universe::Closed, None, false) => format!("{}, each shown, empty ones too", bins(cells)),
            },
            Cells::Open => "bins found in the data; a bin shows only if the mechanism lets it".into(),
            Cells::Unstated => match deployed.universe {
                Universe::Closed => "no bins given: counted as declared ones".into(),
                Universe::Open => "no bins given: counted as found in the data".into(),
            },
        }
    }

    /// Returns the curve in a line: "groups of up to 100: epsilon 1/100".
    pub fn curve_words(&self) -> Vec<String> {
        let runs = self.curve.runs();
        let shown = 6;
        let mut lines: Vec<String> = runs
            .iter()
            .take(shown)
            .map(|run| {
                let who = match (run.from, run.to) {
                    (1, None) => "everybody".to_string(),
                    (1, Some(1)) => "groups of 1".to_string(),
                    (1, Some(to)) => format!("groups of up to {to}"),
                    (from, None) => format!("groups of {from} and more"),
                    (from, Some(to)) if from == to => format!("groups of {from}"),
                    (from, Some(to)) => format!("groups of {from} to {to}"),
                };
                match &run.level {
                    Level::Constant(Epsilon::Finite(epsilon)) => format!("{who}: epsilon {}", readable(epsilon)),
                    Level::Constant(Epsilon::Infinite) => format!("{who}: nothing promised"),
                    Level::Proportional(slope) => {
                        format!("{who}: epsilon {} for each person in the group", readable(slope))
                    }
                }
            })
            .collect();
        if runs.len() > shown {
            lines.push(format!("and {} more steps", runs.len() - shown));
        }
        lines
    }

    /// Returns for each step of the curve who is meant, her epsilon, and how sure anybody becomes; of long curves some steps.
    pub fn curve_rows(&self) -> Vec<(String, String, Option<String>)> {
        let curve = self.whole_curve();
        let runs = curve.runs();
        let shown = 12;
        let chosen = (0..runs.len().min(shown)).map(|place| {
            let index = if runs.len() <= shown { place } else { place * (runs.len() - 1) / (shown - 1) };
            &runs[index]
        });
        chosen
            .map(|run| {
                let who = match (run.from, run.to) {
                    (1, None) => "any group".to_string(),
                    (1, Some(to)) => format!("a group of up to {to}"),
                    (from, None) => format!("a group of {from} or more"),
                    (from, Some(to)) if from == to => format!("a group of {from}"),
                    (from, Some(to)) => format!("a group of {from} to {to}"),
                };
                match (&run.level, run.to) {
                    (Level::Constant(Epsilon::Finite(epsilon)), _) => {
                        (who, readable(epsilon), Some(format!("{} %", sureness(epsilon))))
                    }
                    (Level::Constant(Epsilon::Infinite), _) => (who, "nothing is promised".into(), None),
                    (Level::Proportional(slope), Some(to)) => {
                        let most = slope * Rational::from(to);
                        (who, format!("up to {}", readable(&most)), Some(format!("{} %", sureness(&most))))
                    }
                    (Level::Proportional(slope), None) => {
                        (who, format!("{} for each person in it", readable(slope)), None)
                    }
                }
            })
            .collect()
    }

    /// Returns what the promise means to one person in a small group, and to one in a large group.
    pub fn odds_words(&self) -> Vec<String> {
        let curve = self.whole_curve();
        let delta = self.certified_delta() * Rational::from(self.request.periods_per_person());
        let except = if delta == Rational::ZERO {
            String::new()
        } else {
            format!(", but for a chance of {}", significant_rounding_up(&delta, 2))
        };
        let sentence = |who: &str, epsilon: &Epsilon| match epsilon {
            Epsilon::Infinite => format!("for {who} nothing is promised: their count may be published as it is"),
            Epsilon::Finite(epsilon) if epsilon == &Rational::ZERO => {
                format!("nobody can learn anything about whether a given person {who} is in the data at all{except}")
            }
            Epsilon::Finite(epsilon) => format!(
                "starting from even odds, nobody can become surer than {} % whether a given person {who} is in the data at all{except}",
                sureness(epsilon)
            ),
        };
        let first = &curve.runs()[0];
        let several = self.request.bins_per_person() > 1 || self.request.periods_per_person() > 1;
        let growing = |run: &Run| match &run.level {
            Level::Proportional(slope) => Some(format!(
                "for larger groups epsilon grows by {} with every person: {}, but for a group of ten times that size {}",
                readable(slope),
                sentence(&format!("in a group of {}", run.from.max(10)), &curve.epsilon(run.from.max(10))),
                sureness_words(&curve.epsilon(run.from.max(10).saturating_mul(10))),
            )),
            Level::Constant(_) => None,
        };
        let Some(to) = first.to else {
            let whole = match growing(first) {
                Some(words) => words.replacen("for larger groups epsilon", "epsilon", 1),
                None => sentence("", &curve.epsilon(1)).replace("person  is", "person is"),
            };
            return std::iter::once(whole).chain(self.charged_sample().map(sampled_odds)).collect();
        };
        let small =
            if several { format!("whose groups are all of up to {to}") } else { format!("in a group of up to {to}") };
        let mut lines = vec![sentence(&small, &curve.epsilon(to))];
        let last = &curve.runs()[curve.runs().len() - 1];
        lines.push(match (curve.last_finite(), growing(last), several) {
            (Some(limit), _, false) if self.charged_sample().is_some() => {
                format!("of groups of more than {limit} the count of those in the sample may be published as it is")
            }
            (Some(limit), _, false) => sentence(&format!("groups of more than {limit}"), &Epsilon::Infinite),
            (Some(limit), _, true) => {
                format!("nothing is promised to a person who is in any group of more than {limit}: that count may be published as it is")
            }
            (None, Some(words), _) => words,
            (None, None, false) => sentence("in a group of any size", &curve.supremum()),
            (None, None, true) => sentence("in groups of any size", &curve.supremum()),
        });
        lines.extend(self.charged_sample().map(sampled_odds));
        lines
    }

    /// Returns what a reader might believe and must not.
    pub fn caveats(&self) -> Vec<String> {
        let mut lines = vec![
            "which of two bins a person is in is protected less well than whether she is in the data at all: telling it apart costs the epsilons of both groups together".to_string(),
        ];
        let sampled = self.request.data.as_ref().is_some_and(|data| data.sample.is_some());
        if self.curve.last_finite().is_some() && !sampled {
            lines.push(
                "large groups are published exactly, so a known total can reveal a small one by subtraction; and this release adds up with few others"
                    .into(),
            );
        }
        if sampled {
            if self.curve.last_finite().is_some() && self.charged_sample().is_none() {
                lines.push("large groups of the sample are published exactly, and charged so this release adds up with few others".into());
            }
            lines.push(
                "counts and their intervals are of the people in the sample, and are not scaled up to everybody".into(),
            );
        }
        let parts = self.request.bins_per_person();
        if parts > 1 {
            lines.push(format!(
                "with up to {parts} bins per person this is tailored differential privacy (OP Definition 2): her bins' epsilons add up; statements that name crowd-blending, outlier privacy or groups need 1 bin per person"
            ));
        }
        if self.top.is_some() {
            lines.push(
                "the rank of an item is the place at which it was chosen: with its noise, not by its true count".into(),
            );
        }
        if self.points.is_some() {
            lines.push("how many points a published cell has is exact: who is one of many blends into them, but the cell's number is as it is".into());
        }
        if self.tightness() == incrowd_privacy::Tightness::UpperBound {
            lines.push("delta is an upper bound: the exact law is too large to sum, or a mechanism that reveals more was accounted for".into());
        }
        lines
    }

    /// Returns what else holds, where that may be said.
    pub fn implications(&self) -> Vec<String> {
        if self.request.bins_per_person() > 1 || self.request.periods_per_person() > 1 {
            return match self.whole_curve().supremum() {
                Epsilon::Finite(epsilon) => {
                    let delta = self.certified_delta() * Rational::from(self.request.periods_per_person());
                    let delta = if delta == Rational::ZERO {
                        String::new()
                    } else {
                        format!(", delta {}", significant_rounding_up(&delta, 4))
                    };
                    vec![format!("differential privacy with epsilon {}{delta} for everybody", readable(&epsilon))]
                }
                Epsilon::Infinite => Vec::new(),
            };
        }
        let mut lines = self.request.promise.promise.implications(&self.certified_delta());
        if let Some(point) = self.charged_sample() {
            let (epsilon, delta) = (readable(&point.epsilon), significant_rounding_up(&point.delta, 4));
            lines.push(format!(
                "differential privacy with epsilon {epsilon}, delta {delta} for everybody, because people are sampled first"
            ));
        }
        lines
    }

    /// Returns the name of the notion that is promised.
    pub fn notion(&self) -> &'static str {
        if self.request.bins_per_person() > 1
            && !matches!(self.request.promise.promise, Promise::DifferentialPrivacy { .. })
        {
            "tailored differential privacy, OP Definition 2"
        } else {
            self.request.promise.promise.source()
        }
    }
}

/// What a sample promises to a person, whatever her group.
pub(crate) fn sampled_odds(point: &Point) -> String {
    let except = match point.delta == Rational::ZERO {
        true => String::new(),
        false => format!(", but for a chance of {}", significant_rounding_up(&point.delta, 2)),
    };
    format!(
        "because people are sampled first, starting from even odds nobody can become surer than {} % whether a given person in a group of any size is in the data at all{except}",
        sureness(&point.epsilon)
    )
}

/// "73.2 %".
fn sureness_words(epsilon: &Epsilon) -> String {
    match epsilon {
        Epsilon::Finite(epsilon) => format!("{} %", sureness(epsilon)),
        Epsilon::Infinite => "nothing is promised".into(),
    }
}

/// Returns `100 e^eps/(1 + e^eps)` with one decimal or as many as it takes to stay below 100, rounded up.
pub fn sureness(epsilon: &Rational) -> String {
    let bits = 128 + 3 * usize::try_from(&epsilon.clone().ceil()).unwrap_or(1 << 12);
    let one = Enclosure::one(bits);
    let chance = one.over(&one.plus(&exp_neg(epsilon, bits))).upper() * Rational::from(100u8);
    let mut digits = 3;
    loop {
        let text = significant_rounding_up(&chance, digits);
        if text != "100" || digits > 40 {
            return text;
        }
        digits += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::parse_number;

    #[test]
    fn odds_are_rounded_up_and_never_reach_certainty() {
        let sure = |text: &str| sureness(&parse_number(text).expect("a number"));
        assert_eq!(sure("1/100"), "50.3");
        assert_eq!(sure("1"), "73.2");
        assert_eq!(sure("10"), "99.996");
    }
}
