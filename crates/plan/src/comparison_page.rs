//! The page of a comparison: every mechanism under the same promise, side by side.
//!
//! Mechanisms that cannot meet the promise are listed with their reason, never with numbers. It is separate from the
//! comparison because it is an order of tables. Read `compare.rs` for what is compared.

use crate::chance::{percent, rounded};
use crate::compare::Comparison;
use crate::plan::Plan;
use crate::plan_page::{errors_chart, line};
use incrowd_exact::{Rational, rare_rounding_down, rare_rounding_up};
use incrowd_privacy::Utility;
use incrowd_report::{Align, Block, Chart, Facts, Page, PageColumn, PageTable};

/// Returns the page of a comparison.
pub fn page(comparison: &Comparison) -> Page {
    let first = comparison.fitting().next().map(|(_, plan)| plan);
    let mut page = Page::titled(first.map_or_else(|| "No mechanism meets this promise".into(), Plan::title));
    if let Some(plan) = first {
        page.subtitle = "the mechanisms that meet the same promise, side by side".into();
        page.add("", vec![promise(plan)]);
        add_numbers(comparison, &mut page);
    }
    let mut refused = Facts::default();
    for candidate in &comparison.candidates {
        if let Err(refusal) = &candidate.result {
            refused.add(candidate.name.as_str(), refusal.to_string());
        }
    }
    page.add("Do not meet this promise, or cannot be tried without more parameters", vec![refused.block()]);
    page
}

/// Returns the errors of all mechanisms that meet the promise as a picture.
pub fn chart(comparison: &Comparison) -> Chart {
    let series = comparison.fitting().map(|(candidate, plan)| line(candidate.name.as_str(), plan));
    errors_chart("Error by group size, same promise", None, series.collect())
}

fn promise(plan: &Plan) -> Block {
    let mut facts = Facts::default();
    facts.add("promise", plan.curve_words().join("    "));
    facts.add("delta", rare_rounding_down(&plan.request.promise.delta.clone().unwrap_or(Rational::ZERO)));
    facts.add_all("mind", plan.weakness());
    facts.add_all("sizes", plan.group_words());
    facts.block()
}

fn add_numbers(comparison: &Comparison, page: &mut Page) {
    let mut errors = vec![numbers(comparison, |utility| rounded(utility.mean_absolute_error))];
    if comparison.fitting().any(|(_, plan)| plan.optimal_at_delta_zero) {
        let note = "* optimal: no mechanism with this promise and delta 0 does better, values read at their best";
        errors.push(Block::Note(note.into()));
    }
    page.add("Mean absolute error by group size (negative and hidden counts as 0)", errors);
    if comparison.fitting().any(|(_, plan)| plan.sampling_chance().is_some()) {
        let scaled = numbers(comparison, |utility| utility.scaled_up_error.map_or_else(|| "-".into(), rounded));
        page.add("The same once values are scaled up", vec![scaled]);
    }
    page.add("Chance that no count is shown", vec![numbers(comparison, |utility| percent(utility.suppressed))]);
}

/// A row for each mechanism, a column for each group size.
fn numbers(comparison: &Comparison, show: impl Fn(&Utility) -> String) -> Block {
    let sizes = comparison.counts.iter().map(|count| (count.to_string(), Align::Right));
    let columns = [("group of".into(), Align::Left), ("delta".into(), Align::Right)].into_iter().chain(sizes);
    let columns = columns.map(|(heading, align)| PageColumn { heading, align });
    let mut table = PageTable { columns: columns.collect(), rows: Vec::new() };
    for (candidate, plan) in comparison.fitting() {
        let mark = if plan.optimal_at_delta_zero { " *" } else { "" };
        let delta = rare_rounding_up(&plan.certified_delta());
        let at = |count: &u64| {
            let known = plan.utility.iter().find(|utility| utility.count == *count);
            known.map_or_else(|| "-".to_string(), &show)
        };
        let names = [format!("{}{mark}", candidate.name.as_str()), delta];
        table.row(names.into_iter().chain(comparison.counts.iter().map(at)));
    }
    Block::WideTable { table, names: 2 }
}
