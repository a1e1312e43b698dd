//! `incrowd compare`: every mechanism under the same promise, side by side.
//!
//! Mechanisms that cannot meet the promise are listed with their reason, never with numbers. It is separate because it is
//! layout. Read `incrowd_release::compare` for the content.

use crate::args::{CompareCommand, Format};
use crate::failure::Failure;
use crate::page::{self, Names, Table};
use crate::{chart, input};
use incrowd_exact::{Rational, significant_rounding_up};
use incrowd_release::chance::percent;
use incrowd_release::compare::Comparison;
use incrowd_release::plan::Plan;
use incrowd_release::plan_json::{JSON_VERSION, curve_json, delta_text, utility_json};
use incrowd_release::request::Request;
use serde_json::json;

/// Runs the command.
pub fn run(command: &CompareCommand, format: Format) -> Result<(), Failure> {
    let request = input::request(&command.request)?;
    let counts = (!command.counts.is_empty()).then_some(command.counts.as_slice());
    let comparison = Comparison::of(&request, counts)?;
    let drawing = || {
        let series = comparison.fitting().map(|(candidate, plan)| chart::line(candidate.name.as_str(), plan));
        chart::by_size("Error by group size, same promise", None, series.collect())
    };
    if let Some(path) = &command.chart {
        chart::write(&drawing(), path)?;
    }
    match format {
        Format::Json => page::print_json(&object(&request, &comparison)),
        Format::Text => {
            let mut text = page_of(&comparison);
            if !command.no_chart && comparison.fitting().next().is_some() {
                text.push_str(&chart::text(&drawing()));
            }
            text.push_str("\nNothing has been read or spent.\n");
            page::print(&text)
        }
    }
}

fn page_of(comparison: &Comparison) -> String {
    let mut text = String::new();
    if let Some((_, plan)) = comparison.fitting().next() {
        text.push_str(&page::heading(&plan.title()));
        text.push_str(&page::entry("promise", &plan.curve_words().join("    ")));
        let delta = plan.request.promise.delta.clone().unwrap_or(Rational::ZERO);
        text.push_str(&page::entry(
            "delta",
            &if delta == Rational::ZERO { "0".into() } else { significant_rounding_up(&delta, 4) },
        ));
        text.push_str(&plan.group_words().map(|words| page::entry("sizes", &words)).unwrap_or_default());
        text.push('\n');
    }
    text.push_str(&page::heading("Mean absolute error by group size (negative and hidden counts as 0)"));
    text.push_str(&numbers(comparison, |utility| page::short(utility.mean_absolute_error)));
    if comparison.fitting().any(|(_, plan)| plan.optimal_at_delta_zero) {
        text.push_str(
            "  * optimal: no mechanism with this promise and delta 0 does better, values read at their best\n",
        );
    }
    if comparison.fitting().any(|(_, plan)| plan.sampling_chance().is_some()) {
        text.push('\n');
        text.push_str(&page::heading("The same once values are scaled up"));
        text.push_str(&numbers(comparison, |utility| utility.scaled_up_error.map_or_else(|| "-".into(), page::short)));
    }
    text.push('\n');
    text.push_str(&page::heading("Chance that no count is shown"));
    text.push_str(&numbers(comparison, |utility| percent(utility.suppressed)));
    text.push('\n');
    text.push_str(&page::heading("Do not meet this promise, or cannot be tried without more parameters"));
    for candidate in &comparison.candidates {
        if let Err(refusal) = &candidate.result {
            text.push_str(&page::entry_at(22, candidate.name.as_str(), &refusal.to_string()));
        }
    }
    text
}

/// One table for as many group sizes as fit the page, then the next.
fn numbers(comparison: &Comparison, show: impl Fn(&incrowd_privacy::Utility) -> String) -> String {
    let plans: Vec<(String, String, &Plan)> = comparison
        .fitting()
        .map(|(candidate, plan)| {
            let mark = if plan.optimal_at_delta_zero { " *" } else { "" };
            let delta = plan.certified_delta();
            let delta = if delta == Rational::ZERO { "0".to_string() } else { significant_rounding_up(&delta, 2) };
            (format!("{}{mark}", candidate.name.as_str()), delta, plan)
        })
        .collect();
    let at = |plan: &Plan, count: u64| {
        let known = plan.utility.iter().find(|utility| utility.count == count);
        known.map_or_else(|| "-".to_string(), &show)
    };
    let column = |count: &u64| {
        let cells = plans.iter().map(|(_, _, plan)| at(plan, *count));
        std::iter::once(count.to_string()).chain(cells).collect::<Vec<String>>()
    };
    let columns: Vec<Vec<String>> = comparison.counts.iter().map(column).collect();
    let wide = |column: &Vec<String>| column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0) + 2;
    let mut text = String::new();
    let mut start = 0;
    while start < columns.len() {
        let mut room = page::width().saturating_sub(34);
        let fitting = columns[start..].iter().take_while(|column| {
            let fits = wide(column) <= room;
            room = room.saturating_sub(wide(column));
            fits
        });
        let end = start + fitting.count().max(1);
        let mut head = vec!["group of", "delta"];
        head.extend(columns[start..end].iter().map(|column| column[0].as_str()));
        let mut table = Table::new(&head, Names::Left);
        for (row, (name, delta, _)) in plans.iter().enumerate() {
            let cells = columns[start..end].iter().map(|column| column[row + 1].clone());
            table.row([name.clone(), delta.clone()].into_iter().chain(cells).collect());
        }
        if start > 0 {
            text.push('\n');
        }
        text.push_str(&table.text());
        start = end;
    }
    text
}

fn object(request: &Request, comparison: &Comparison) -> serde_json::Value {
    let curve = request.promise.promise.curve().map(|curve| curve_json(&curve)).unwrap_or_default();
    let mechanisms = comparison.candidates.iter().map(|candidate| match &candidate.result {
        Ok(plan) => json!({
            "name": candidate.name.as_str(),
            "meets_promise": true,
            "mechanism": plan.mechanism_json(),
            "delta": delta_text(&plan.certified_delta()),
            "utility": plan.utility.iter().map(utility_json).collect::<Vec<_>>(),
        }),
        Err(refusal) => json!({
            "name": candidate.name.as_str(),
            "meets_promise": false,
            "reason": refusal.to_string(),
            "hint": refusal.hint(),
        }),
    });
    json!({
        "version": JSON_VERSION,
        "command": "compare",
        "request_hash": request.request_hash(),
        "promise": { "kind": request.promise.promise.kind(), "curve": curve },
        "counts": comparison.counts,
        "mechanisms": mechanisms.collect::<Vec<_>>(),
    })
}
