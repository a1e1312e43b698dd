//! `incrowd law`: what a bin of a given size may publish, and how likely.
//!
//! It works for mechanisms that do not meet the promise too, and says so. It is separate because it is layout. Read
//! `incrowd_privacy`'s `law.rs` for the content.

use crate::args::{Format, LawCommand};
use crate::failure::Failure;
use crate::input;
use crate::page::{self, Names, Table};
use incrowd_exact::{Rational, significant_rounding_up};
use incrowd_privacy::{AccountError, Law, Line, Outcome, Told};
use incrowd_release::chance::percent;
use incrowd_release::plan_json::law_json;
use incrowd_release::refusal::Refusal;
use incrowd_release::settle::Settled;

/// Text leaves out outcomes beyond this many.
const SHOWN: usize = 40;

/// Runs the command.
pub fn run(command: &LawCommand, format: Format) -> Result<(), Failure> {
    let request = input::request(&command.request)?;
    let settled = Settled::of(&request, None)?;
    let law = settled.deployed.law(command.count).map_err(AccountError::from).map_err(Refusal::from)?;
    match format {
        Format::Json => page::print_json(&law_json(&settled, command.count, &law)),
        Format::Text => {
            let sampled = request.data.as_ref().is_some_and(|data| data.sample.is_some());
            let who = if sampled { "people in the sample" } else { "people" };
            page::print(&page_of(&settled, &law, command, who))
        }
    }
}

fn page_of(settled: &Settled, law: &Law, command: &LawCommand, who: &str) -> String {
    let name = settled.deployed.mechanism.name().replace('-', " ");
    let mut text = page::heading(&format!("What a bin of {} {who} may show, by the {name} mechanism", command.count));
    text.push_str(&page::entry("promise", meets_words(settled)));
    text.push('\n');
    let mut shown: Vec<&Line> = law.lines.iter().filter(|line| line.probability.to_f64() > 0.0).collect();
    let all = shown.len();
    if !command.all && all > SHOWN {
        let mut chances: Vec<f64> = shown.iter().map(|line| line.probability.to_f64()).collect();
        chances.sort_by(|a, b| b.total_cmp(a));
        let least = chances[SHOWN - 1];
        shown.retain(|line| line.probability.to_f64() >= least);
    }
    let largest = shown.iter().map(|line| line.probability.to_f64()).fold(0.0, f64::max);
    let mut table = Table::new(&["shows", "probability", ""], Names::Right);
    for line in &shown {
        let chance = line.probability.to_f64();
        let bar = "█".repeat((chance / largest * 40.0).round() as usize);
        table.row(vec![outcome_words(line), page::short(chance), bar]);
    }
    // Bars are aligned to the left: a right-aligned last column would turn them around.
    text.push_str(&left_bars(&table.text()));
    if shown.len() < all {
        let least = shown.iter().map(|line| line.probability.to_f64()).fold(f64::INFINITY, f64::min);
        let hidden = law.lines.iter().map(|line| line.probability.to_f64()).filter(|chance| *chance < least);
        let rest: f64 = hidden.sum();
        text.push_str(&format!(
            "  and {} rarer outcomes, together {} (all of them: --all)\n",
            all - shown.len(),
            percent(rest)
        ));
    }
    if law.truncated > Rational::ZERO {
        let most = significant_rounding_up(&law.truncated, 2);
        text.push_str(&format!("  not listed at all: outcomes of together at most {most}\n"));
    }
    text
}

fn left_bars(table: &str) -> String {
    let mut text = String::new();
    for line in table.lines() {
        match line.find('█') {
            None => text.push_str(line),
            Some(at) => {
                let (numbers, bar) = line.split_at(at);
                text.push_str(numbers.trim_end());
                text.push_str("  ");
                text.push_str(bar);
            }
        }
        text.push('\n');
    }
    text
}

fn meets_words(settled: &Settled) -> &'static str {
    match settled.meets_promise() {
        Some(true) => "met",
        Some(false) => "NOT met by this mechanism; `incrowd plan` says why",
        None => "not checked: it could not be accounted for",
    }
}

fn outcome_words(line: &Line) -> String {
    let shown = outcome_text(&line.outcome);
    match &line.told {
        Told::Nothing => shown,
        Told::Levels(levels) => {
            let fired: String = levels.iter().map(|fired| if *fired { '1' } else { '0' }).collect();
            format!("{shown} (levels {fired})")
        }
        Told::EpsilonTotal(epsilon) => format!("{shown} (epsilon {epsilon})"),
    }
}

/// An outcome as people read it.
pub fn outcome_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Suppressed => "nothing".into(),
        Outcome::AtMost(limit) => format!("at most {limit}"),
        Outcome::Value(value) => value.to_string(),
        Outcome::Range(low, high) => format!("{low} to {high}"),
    }
}
