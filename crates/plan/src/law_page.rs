//! The page of a law: what a bin of a given size may publish, and how likely.
//!
//! It works for mechanisms that do not meet the promise too, and says so. It is separate because a law is an object of
//! the crate `privacy`, which knows no words. Read `incrowd_privacy`'s `law.rs` for the content.

use crate::chance::{percent, rounded};
use crate::request::Request;
use crate::settle::Settled;
use incrowd_exact::{Rational, significant_rounding_up};
use incrowd_privacy::{Law, Line, Outcome, SideValue};
use incrowd_report::{Align, Block, Facts, Page, PageTable};

/// So many outcomes are listed where not all are.
const SHOWN: usize = 40;
/// The longest bar.
const WIDEST_BAR: f64 = 40.0;

/// Which outcomes are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// The likeliest.
    Likeliest,
    /// All of them.
    All,
}

/// Returns the page of the law of a bin with so many people.
pub fn page(request: &Request, settled: &Settled, (count, law): (u64, &Law), listed: Listed) -> Page {
    let name = settled.deployed.mechanism.name().replace('-', " ");
    let sampled = request.data.as_ref().is_some_and(|data| data.sample.is_some());
    let people = if sampled { "people in the sample" } else { "people" };
    let mut page = Page::titled(format!("What a bin of {count} {people} may show, by the {name} mechanism"));
    let mut facts = Facts::default();
    facts.add("promise", meets_words(settled));
    page.add("", vec![facts.block()]);
    page.add("", outcomes(law, listed));
    page
}

fn outcomes(law: &Law, listed: Listed) -> Vec<Block> {
    let mut shown: Vec<&Line> = law.lines.iter().filter(|line| line.probability.to_f64() > 0.0).collect();
    let all = shown.len();
    if listed == Listed::Likeliest && all > SHOWN {
        let mut chances: Vec<f64> = shown.iter().map(|line| line.probability.to_f64()).collect();
        chances.sort_by(|a, b| b.total_cmp(a));
        let least = chances[SHOWN - 1];
        shown.retain(|line| line.probability.to_f64() >= least);
    }
    let largest = shown.iter().map(|line| line.probability.to_f64()).fold(0.0, f64::max);
    let head = [("shows", Align::Right), ("probability", Align::Right), ("", Align::Left)];
    let mut table = PageTable::new(&head);
    for line in &shown {
        let chance = line.probability.to_f64();
        let bar = "█".repeat((chance / largest * WIDEST_BAR).round() as usize);
        table.row([outcome_words(line), rounded(chance), bar]);
    }
    let mut blocks = vec![Block::Table(table)];
    if shown.len() < all {
        let least = shown.iter().map(|line| line.probability.to_f64()).fold(f64::INFINITY, f64::min);
        let hidden = law.lines.iter().map(|line| line.probability.to_f64()).filter(|chance| *chance < least);
        let rest: f64 = hidden.sum();
        blocks.push(Block::Note(format!(
            "and {} rarer outcomes, together {} (all of them: --all)",
            all - shown.len(),
            percent(rest)
        )));
    }
    if law.truncated > Rational::ZERO {
        let most = significant_rounding_up(&law.truncated, 2);
        blocks.push(Block::Note(format!("not listed at all: outcomes of together at most {most}")));
    }
    blocks
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
    match &line.side_value {
        SideValue::Nothing => shown,
        SideValue::Levels(levels) => {
            let fired: String = levels.iter().map(|fired| if *fired { '1' } else { '0' }).collect();
            format!("{shown} (levels {fired})")
        }
        SideValue::EpsilonTotal(epsilon) => format!("{shown} (epsilon {epsilon})"),
    }
}

/// Returns an outcome as people read it.
pub fn outcome_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Suppressed => "nothing".into(),
        Outcome::AtMost(limit) => format!("at most {limit}"),
        Outcome::Value(value) => value.to_string(),
        Outcome::Range(low, high) => format!("{low} to {high}"),
    }
}
