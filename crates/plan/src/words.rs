//! A plan in plain words: who is protected, how well, and what is not claimed.
//!
//! What is said must never be more than holds. It is separate from `plan.rs` because a privacy officer reads words.
//! Read `odds/words.rs` for how sure anybody can become, and `plan_json.rs` for the same in fields.

use crate::plan::Plan;
use crate::refusal::readable;
use crate::request::{Unit, printable};
use incrowd_exact::{Rational, rare_rounding_down, rare_rounding_up};
use incrowd_privacy::{Curve, Epsilon, Level, Promise};

impl Plan {
    /// Returns what is counted: "People by department and salary, from employees.csv".
    pub fn title(&self) -> String {
        let by = self.by_words();
        // Names and paths are the steward's own words, but they must not speak to her terminal.
        match self.request.data.as_ref().and_then(|data| data.shown_source()) {
            Some(source) => printable(&format!("{by}, from {source}")),
            None => printable(&by),
        }
    }

    /// Returns what is counted by what: "People by department and salary".
    pub fn by_words(&self) -> String {
        let (people, names) = self.kind.title();
        match names.as_slice() {
            [] => "A histogram of people".to_string(),
            [one] => format!("{people} {one}"),
            [first @ .., last] => format!("{people} {} and {last}", first.join(", ")),
        }
    }

    /// Returns what a person is promised over all periods that she may be in.
    pub fn whole_curve(&self) -> Curve {
        self.curve.times(self.request.periods_per_person())
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

    /// Returns the one statement about delta, the same wherever there is one: what is certified for a person, and what
    /// was allowed where that is more.
    pub fn delta_words(&self) -> String {
        let has = self.certified_delta();
        let words = rare_rounding_up(&has);
        match &self.request.promise.delta {
            Some(asked) if asked > &has && rare_rounding_down(asked) != words => {
                format!("{words} ({} was allowed)", rare_rounding_down(asked))
            }
            Some(_) | None => words,
        }
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
                "with up to {parts} bins per person her bins' epsilons add up (tailored differential privacy); statements that name crowd-blending, outlier privacy or groups need 1 bin per person"
            ));
        }
        lines.extend(self.kind.caveat().map(String::from));
        if self.tightness() == incrowd_privacy::Tightness::UpperBound {
            lines.push("delta is an upper bound: the exact law is too large to sum, or a mechanism that reveals more was accounted for".into());
        }
        lines.extend(self.made_up_words().map(String::from));
        lines
    }

    /// Returns what is said where the data is declared to be made up: whoever reads it must not take it for people, and
    /// whoever is in the data must find it out.
    pub fn made_up_words(&self) -> Option<&'static str> {
        let synthetic = self.request.data.as_ref().is_some_and(|data| data.synthetic);
        synthetic.then_some(
            "the data is declared to be made up (synthetic = true), with no person in it: asserted, not checked",
        )
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
                        format!(", delta {}", rare_rounding_up(&delta))
                    };
                    vec![format!("differential privacy with epsilon {}{delta} for everybody", readable(&epsilon))]
                }
                Epsilon::Infinite => Vec::new(),
            };
        }
        let mut lines = self.request.promise.promise.implications(&self.certified_delta());
        if let Some(point) = self.charged_sample() {
            let (epsilon, delta) = (readable(&point.epsilon), rare_rounding_up(&point.delta));
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
