//! The questions that people who publish ask first, and their answers for the plan at hand.
//!
//! Each answer is computed from the law that runs and from the rules by which the account book adds up; it must never
//! say more than holds for this mechanism and this kind of release. It is separate from `plan_page.rs` because a page,
//! a screen and an object give the same answers. Read `questions/adding_up.rs` for subtraction,
//! `questions/account_facts.rs` for the budget.

mod account_facts;
mod adding_up;
#[cfg(test)]
mod tests;

pub use account_facts::{AccountFacts, AccountState, ChargedBefore, KnownAccount};

use crate::chance::{percent, rounded};
use crate::plan::Plan;
use crate::refusal::readable;
use crate::shows::Chances;
use incrowd_privacy::{Epsilon, Level, Promise, Universe, Utility};
use serde_json::{Value, json};

/// The size that stands for a small group where a promise knows none.
const SMALL: u64 = 5;

/// A question and what is answered to it, each answer a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainAnswer {
    /// What is asked.
    pub question: String,
    /// In order.
    pub answers: Vec<String>,
}

impl PlainAnswer {
    fn new(question: impl Into<String>, answers: impl IntoIterator<Item = String>) -> PlainAnswer {
        let question = question.into();
        PlainAnswer { question, answers: answers.into_iter().map(|answer| sentence(&answer)).collect() }
    }

    /// Returns the same in fields.
    pub fn to_json(&self) -> Value {
        json!({ "question": self.question, "answers": self.answers })
    }
}

impl Plan {
    /// Returns what people ask first, with what is known of the account that pays.
    pub fn plain_answers(&self, account: &AccountFacts) -> Vec<PlainAnswer> {
        let [noun, nouns] = self.nouns();
        let mut odds = self.odds_words().into_iter();
        let small = odds.next().into_iter();
        let find = match self.small() {
            Some(1) => format!("Can anybody find a {noun} of 1?"),
            Some(to) => format!("Can anybody find a {noun} of 1 to {to}?"),
            None => format!("Can anybody find a small {noun}?"),
        };
        let promised = self.curve.supremum() != Epsilon::Infinite;
        let alike = (promised && self.curve.runs().len() == 1)
            .then(|| format!("All are protected alike, whatever the size of their {noun}"));
        let mut answers = vec![PlainAnswer::new(find, alike.into_iter().chain(small).chain(self.small_words()))];
        if odds.len() > 0 {
            answers.push(PlainAnswer::new(format!("And somebody in a larger {noun}?"), odds));
        }
        answers.extend(self.adding_up(account));
        let lose = match self.small() {
            Some(_) => format!("What do larger {nouns} lose?"),
            None => format!("What do {nouns} lose?"),
        };
        answers.push(PlainAnswer::new(lose, self.loss_words()));
        answers.push(PlainAnswer::new("What share of the budget goes?", account.words(self)));
        answers
    }

    /// Returns the largest size that is called small: the end of the strictest step; nothing where there is no step.
    pub fn small(&self) -> Option<u64> {
        let first = &self.curve.runs()[0];
        match first.level {
            Level::Constant(_) => first.to,
            Level::Proportional(_) => None,
        }
    }

    /// Returns "fewer than 6" in the spellings of requests, which differ by one.
    pub fn small_spellings(&self) -> Option<String> {
        let to = self.small()?;
        let below = to.saturating_add(1);
        match &self.request.promise.promise {
            Promise::SimpleOutlier { .. } | Promise::SimpleOutlierDp { .. } | Promise::CrowdBlending { .. } => {
                Some(format!(
                    "fewer than {below} people: `group = {to}` means up to {to}, `crowd = {below}` means below {below}"
                ))
            }
            Promise::DifferentialPrivacy { .. }
            | Promise::Group { .. }
            | Promise::Staircase { .. }
            | Promise::Linear { .. }
            | Promise::Fading { .. }
            | Promise::Table { .. } => None,
        }
    }

    /// What a group is called that is asked about, and what several are.
    pub(crate) fn nouns(&self) -> [&'static str; 2] {
        self.kind.planned().shown_thing().asked_as
    }

    /// Returns what a small group shows, beside an empty one; nothing where a value is no count, or the law too large.
    fn small_words(&self) -> Option<String> {
        let size = self.small().map_or(SMALL, |to| to.div_ceil(2));
        let (who, periods) = (self.group_of(size), self.in_each_period());
        let deployed = &self.settled.deployed;
        if !self.kind.is_one_law() {
            // Who is not found is not chosen; who is found may be.
            let found = Chances::of(deployed, self.sampling_chance()).at(size).ok()?;
            let listed = if self.kind.has_public_list() { ", unless the public list names it" } else { "" };
            return Some(format!("{periods}{who} is published with a chance of {}{listed}", at_most(found)));
        }
        if deployed.publishes_ranges() {
            return None;
        }
        let [small, empty] = [size, 0].map(|size| self.expected(deployed, size).ok());
        let (small, [noun, _]) = (small?, self.nouns());
        let beside = match (deployed.universe, empty) {
            // What is found in the data is never empty.
            (Universe::Open, _) | (Universe::Closed, None) => String::new(),
            (Universe::Closed, Some(empty)) => beside(&small, &empty, noun),
        };
        Some(match (small.usual, small.suppressed) {
            (_, hidden) if hidden >= 1.0 => format!("{periods}{who} is never shown{beside}"),
            (None, _) => format!("{periods}{who} is hardly ever shown"),
            (Some((low, high)), 0.0) => {
                format!("{periods}{who} shows {low} to {high}, 19 times of 20{beside}")
            }
            (Some((low, high)), hidden) => format!(
                "{periods}{who} is not shown with a chance of {}; if it is shown, then as {low} to {high}, 19 times of 20",
                plainly(hidden)
            ),
        })
    }

    /// Returns what larger groups lose, and from which size on they show.
    fn loss_words(&self) -> Vec<String> {
        let shows = self.shows_words();
        if !self.kind.is_judged_by_bins() {
            let below =
                format!("see `{}` below for what that means for those that are shown", self.request.kind.name());
            return shows.into_iter().chain([below]).collect();
        }
        let from = self.small().map_or(10, |to| to.saturating_add(1));
        let sizes = [1u64, 10, 100].map(|factor| from.saturating_mul(factor));
        let expected = |size: &u64| self.expected(&self.settled.deployed, *size).ok();
        let known: Vec<Utility> = sizes.iter().filter_map(expected).collect();
        let nothing = |utility: &Utility| utility.mean_absolute_error == 0.0 && utility.suppressed == 0.0;
        let exact_from = self.settled.deployed.shown_as_it_is_from();
        if self.sampling_chance().is_none()
            && exact_from.is_some_and(|exact| exact <= from)
            && !known.is_empty()
            && known.iter().all(nothing)
        {
            let published = format!("nothing: {} or more is published as it is", self.group_of_number(from));
            return std::iter::once(published).chain(shows).collect();
        }
        let mut parts = Vec::new();
        for utility in &known {
            let error = utility.scaled_up_error.unwrap_or(utility.mean_absolute_error);
            let hidden = match utility.suppressed > 0.0 {
                true => format!(" ({} of those are not shown, which counts as 0)", plainly(utility.suppressed)),
                false => String::new(),
            };
            parts.push(format!("of {} by {}{hidden}", utility.count, rounded(error)));
        }
        let scaled = if self.sampling_chance().is_some() { ", once values are scaled up" } else { "" };
        let error = match parts.is_empty() {
            true => "how far off they are is not known: the law is too large to sum".to_string(),
            false => format!("{} are off, on average{scaled}: those {}", self.nouns()[1], parts.join(", ")),
        };
        std::iter::once(error).chain(shows).collect()
    }

    /// "a cell of 3", in words that say who is counted.
    fn group_of(&self, size: u64) -> String {
        let counted = match self.sampling_chance() {
            Some(chance) => format!(", of whom each is counted with chance {},", readable(chance)),
            None => String::new(),
        };
        format!("{}{counted}", self.group_of_number(size))
    }

    fn group_of_number(&self, size: u64) -> String {
        let [noun, _] = self.nouns();
        let article = if noun.starts_with('i') { "an" } else { "a" };
        match self.truncation_words() {
            None => format!("{article} {noun} of {size}"),
            Some(_) => format!("{article} {noun} of {size} counted people"),
        }
    }

    fn in_each_period(&self) -> &'static str {
        if self.request.kind.series().is_some() { "in each period, " } else { "" }
    }
}

/// Says whether an empty group looks the same.
fn beside(small: &Utility, empty: &Utility, noun: &str) -> String {
    let same = small.usual == empty.usual && (small.suppressed >= 1.0) == (empty.suppressed >= 1.0);
    match (same, small.suppressed >= 1.0, empty.usual) {
        (true, true, _) => format!(", nor is an empty {noun}"),
        (true, false, _) => format!(", as an empty {noun} does"),
        (false, _, Some((low, high))) => format!("; an empty {noun} shows {low} to {high}"),
        (false, _, None) => String::new(),
    }
}

/// Returns "at most 12 %".
fn at_most(chance: f64) -> String {
    let words = plainly(chance);
    if words.starts_with("less than") { words } else { format!("at most {words}") }
}

/// Returns a chance without signs: "less than 0.0001 %".
fn plainly(chance: f64) -> String {
    percent(chance).replace("< ", "less than ").replace("> ", "more than ")
}

/// Begins with a capital and ends with a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let stop = if text.ends_with('.') { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}
