//! `incrowd plan`: the promise, its cost and its error, on one page.
//!
//! It says "met" and "optimal" only where the plan does. It is separate from the plan itself because this is layout. Read
//! `incrowd_release::plan` for the content.

use crate::args::{Format, PlanCommand};
use crate::failure::Failure;
use crate::page::{self, Names, Table};
use crate::{chart, input, reviewed};
use incrowd_exact::{Rational, rational_text, significant, significant_rounding_up};
use incrowd_privacy::{Epsilon, Tightness, Total};
use incrowd_release::batch::{NoSum, together};
use incrowd_release::chance::percent;
use incrowd_release::plan::Plan;
use incrowd_release::plan_json::{JSON_VERSION, delta_text};
use incrowd_release::refusal::readable;
use incrowd_release::request::{Request, printable};
use incrowd_release::sampled::{SampledRelease, delta_words, short};
use incrowd_release::want::{Answer, Want, answer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Runs the command.
pub fn run(command: &PlanCommand, format: Format) -> Result<(), Failure> {
    let counts = (!command.counts.is_empty()).then_some(command.counts.as_slice());
    let wants = command.want.as_deref().map(Want::parse).transpose();
    let wants = wants.map_err(|error| Failure::usage(format!("--want: {error}"), "for example --want \"50: 5\""))?;
    if command.chart.is_some() && command.requests.len() > 1 {
        return Err(Failure::usage("--chart draws one request at a time", "plan the requests one after the other"));
    }
    if command.save.is_some() && command.requests.len() > 1 {
        return Err(Failure::usage("--save takes one request at a time", "save the plans one after the other"));
    }
    let requests: Vec<Request> = command.requests.iter().map(|path| input::request(path)).collect::<Result<_, _>>()?;
    let mut plans = Vec::new();
    for request in &requests {
        let plan = Plan::of(request, counts)?;
        let answers = wants.as_deref().map(|wants| answer(request, wants)).transpose()?.unwrap_or_default();
        plans.push((plan, answers));
    }
    let drawing = |plan: &Plan| {
        let name = plan.settled.deployed.mechanism.name();
        chart::by_size("Error by group size", Some(plan.title()), vec![chart::line(name, plan)])
    };
    if let Some(path) = &command.chart {
        chart::write(&drawing(&plans[0].0), path)?;
    }
    if let Some(path) = &command.save {
        reviewed::save(&plans[0].0, path)?;
    }
    match format {
        Format::Json => page::print_json(&object(&plans)),
        Format::Text => {
            let mut text = String::new();
            for (index, (plan, answers)) in plans.iter().enumerate() {
                if index > 0 {
                    text.push('\n');
                }
                text.push_str(&page_of(plan, answers));
                if !command.no_chart {
                    text.push_str(&chart::text(&drawing(plan)));
                }
            }
            if plans.len() > 1 {
                text.push_str(&batch_text(&plans));
            }
            if let Some(path) = &command.save {
                let hash = plans[0].0.request.request_hash();
                text.push_str(&format!("\nSaved as {}, request {hash}.\n", path.display()));
            }
            text.push_str("\nNothing has been read or spent.");
            if let ([request], true) = (&command.requests[..], can_be_released(&plans[0].0))
                && request != Path::new("-")
            {
                text.push_str(&format!(" Next: incrowd release {}", request.display()));
                if let Some(saved) = &command.save {
                    text.push_str(&format!(" --plan {}", saved.display()));
                }
            }
            text.push('\n');
            page::print(&text)
        }
    }
}

/// Whether the request says all that a release needs.
fn can_be_released(plan: &Plan) -> bool {
    let request = &plan.request;
    let source = request.data.as_ref().is_some_and(|data| data.source.is_some());
    source && !request.bins.is_empty() && request.ledger.dataset.is_some()
}

fn page_of(plan: &Plan, answers: &[Answer]) -> String {
    let mut text = page::heading(&plan.title());
    text.push_str(&page::entry("protects", &plan.unit_words()));
    if let Some(only) = plan.only_words() {
        text.push_str(&page::entry("counts", &only));
    }
    if let Some(sampled) = &plan.sampled {
        text.push_str(&page::entry("sampled", &sampled.words()));
    }
    text.push_str(&page::entry("bins", &plan.universe_words()));
    text.push_str(&page::entries("names", &plan.names_words()));
    text.push_str(&page::entries("empty bins", &plan.empty_words()));
    if let Some(cut) = plan.truncation_words() {
        text.push_str(&page::entry("counted", &cut));
    }
    if let Some(periods) = plan.period_words() {
        text.push_str(&page::entry("periods", &periods));
    }
    let asked = plan.request.promise.delta.clone().unwrap_or(Rational::ZERO);
    let mut promise = plan.curve_words();
    promise.push(format!("delta\u{a0}{}", readable_delta(&asked)));
    if plan.request.periods_per_person() > 1 {
        promise.push("in each period".into());
    }
    text.push_str(&page::entry("promise", &promise.join("    ")));
    text.push_str(&page::entry("called", plan.notion()));
    text.push_str(&page::entries("in words", &plan.odds_words()));
    text.push_str(&page::entry("mechanism", &mechanism_words(plan)));
    text.push_str(&page::entries("top", &plan.top_words()));
    text.push_str(&page::entries("points", &plan.points_words()));
    text.push_str(&page::entry("certified", &certified_words(plan)));
    text.push_str(&page::entry("by theorem", &theorem_words(plan)));
    text.push_str(&page::entry("costs", &cost_words(plan)));
    text.push_str(&page::entries("also means", &plan.implications()));
    let unnamed = plan.cost().epsilon == Epsilon::Infinite && plan.request.ledger.snapshot.is_none();
    let once = unnamed.then(|| ONCE_ONLY.to_string());
    text.push_str(&page::entries("mind", &plan.caveats().into_iter().chain(once).collect::<Vec<_>>()));
    for answer in answers {
        text.push_str(&page::entries("you want", &answer_words(answer)));
    }
    text.push('\n');
    text.push_str(&table(plan));
    if let Some(sampled) = &plan.sampled {
        text.push_str(&sample_text(sampled));
    }
    text
}

/// Said before anything is paid for: afterwards it is too late for a name.
const ONCE_ONLY: &str = "this state of the data has no name, so that nothing else with exact counts will be released beside it: name \
    it now with `snapshot` in [ledger]";

/// What a sample adds: a delta for each epsilon, and what to choose.
fn sample_text(sampled: &SampledRelease) -> String {
    let mut text = String::new();
    for statement in sampled.statements() {
        text.push('\n');
        text.push_str(&page::entry("on a sample", &sampled.statement_words(statement)));
        let mut table = Table::new(&["epsilon", "delta", "by", "any mechanism"], Names::Right);
        for point in &statement.curve {
            let any = point.by_theorem.as_ref().map_or_else(|| "-".into(), short);
            table.row(vec![readable(&point.epsilon), delta_words(point), point.by.words().into(), any]);
        }
        text.push_str(&table.text());
    }
    text.push_str(&page::entries("so", &sampled.advice()));
    text
}

fn mechanism_words(plan: &Plan) -> String {
    let name = plan.settled.deployed.mechanism.name().replace('-', " ");
    let optimal = match (plan.optimal, plan.optimal_at_delta_zero) {
        (true, _) => " (optimal for this promise)",
        (false, true) => " (optimal among mechanisms with delta 0)",
        (false, false) => "",
    };
    let parameters = parameter_words(plan);
    if parameters.is_empty() { format!("{name}{optimal}") } else { format!("{name}{optimal}: {parameters}") }
}

fn parameter_words(plan: &Plan) -> String {
    let object = plan.mechanism_json();
    let Some(parameters) = object["parameters"].as_object() else { return String::new() };
    let mut words = Vec::new();
    for (name, value) in parameters {
        if value.is_null() {
            continue;
        }
        let found = if plan.settled.found.contains(&name.as_str()) { " (found)" } else { "" };
        words.push(format!("{name} {}{found}", plain(value)));
    }
    words.join(", ")
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(" "),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_string(),
        other => other.to_string(),
    }
}

fn certified_words(plan: &Plan) -> String {
    let worst = &plan.worst;
    let delta = worst.delta.upper_bound();
    if delta == Rational::ZERO {
        return "met with delta 0 at every group size".into();
    }
    if is_negligible(&delta) {
        return "met with a delta below 1e-40 at every group size (too small to tell from 0 by summing)".into();
    }
    let is = match worst.delta.tightness {
        Tightness::Exact => "exact delta",
        Tightness::UpperBound => "delta at most",
    };
    format!(
        "{is} {} for groups of {} at epsilon {}, the worst of all group sizes{}",
        significant_rounding_up(&delta, 4),
        worst.count,
        worst.epsilon,
        if plan.request.bins_per_person() > 1 { " (per bin)" } else { "" },
    )
}

fn theorem_words(plan: &Plan) -> String {
    let theorem = &plan.theorem;
    let mut words = format!("{}: {}", theorem.source, theorem.statement);
    for (name, values) in &theorem.parameters {
        let values: Vec<String> = values.iter().map(i64::to_string).collect();
        words.push_str(&format!("; it would take {name} {}", values.join(" ")));
    }
    words
}

fn cost_words(plan: &Plan) -> String {
    let cost = plan.cost();
    match &cost.epsilon {
        Epsilon::Finite(epsilon) => {
            format!("as differential privacy: epsilon {}, delta {}", readable(epsilon), readable_delta(&cost.delta))
        }
        Epsilon::Infinite => {
            "no differential privacy for large groups: it adds up only with the same binning, or with releases that have it".into()
        }
    }
}

fn readable_delta(delta: &Rational) -> String {
    if delta == &Rational::ZERO { "0".into() } else { significant_rounding_up(delta, 4) }
}

fn answer_words(answer: &Answer) -> Vec<String> {
    let want = format!("groups of {} within {} on average", answer.want.count, significant(&answer.want.error, 4));
    let now = answer.now.map_or_else(|| "unknown".to_string(), page::short);
    let now = match answer.scaled_up {
        None => now,
        Some(scaled) => {
            format!("{now}, of counts of the sample as they are published ({} scaled up)", page::short(scaled))
        }
    };
    if answer.is_met() {
        return vec![format!("{want}: met, the error is {now}")];
    }
    let mut lines = vec![format!("{want}: the error is {now}; one of these would do")];
    lines.extend(answer.changes.iter().map(|change| format!("- {change}")));
    lines
}

fn table(plan: &Plan) -> String {
    if let Some(words) = plan.group_words() {
        return format!("{}{}", page::entry("sizes", &words), sample_table(plan));
    }
    let several = plan.request.bins_per_person() > 1;
    let (epsilon, delta) =
        if several { ("epsilon per bin", "exact delta per bin") } else { ("epsilon", "exact delta") };
    let mut table =
        Table::new(&["group of", epsilon, delta, "mean error", "not shown", "95 % of values"], Names::Right);
    for utility in &plan.utility {
        let exact = plan.exact.iter().find(|at| at.count == utility.count);
        let delta = exact.map_or_else(String::new, |at| {
            let delta = at.delta.upper_bound();
            match (delta == Rational::ZERO, is_negligible(&delta), at.delta.tightness) {
                (true, _, _) => "0".into(),
                (false, true, _) => "< 1e-40".into(),
                (false, false, Tightness::Exact) => significant_rounding_up(&delta, 3),
                (false, false, Tightness::UpperBound) => format!("<= {}", significant_rounding_up(&delta, 3)),
            }
        });
        table.row(vec![
            utility.count.to_string(),
            exact.map_or_else(String::new, |at| epsilon_text(&at.epsilon)),
            delta,
            page::short(utility.mean_absolute_error),
            percent(utility.suppressed),
            utility.usual.map_or_else(|| "-".into(), |(low, high)| format!("{low} to {high}")),
        ]);
    }
    table.text()
}

/// Of groups of all people, where only some are counted; what a group in the sample costs is summed in the certificate.
fn sample_table(plan: &Plan) -> String {
    let head = ["group of", "epsilon", "mean error", "scaled up", "not shown", "95 % of values"];
    let mut table = Table::new(&head, Names::Right);
    for utility in &plan.utility {
        let exact = plan.exact.iter().find(|at| at.count == utility.count);
        table.row(vec![
            utility.count.to_string(),
            exact.map_or_else(String::new, |at| epsilon_text(&at.epsilon)),
            page::short(utility.mean_absolute_error),
            utility.scaled_up_error.map_or_else(String::new, page::short),
            percent(utility.suppressed),
            utility.usual.map_or_else(|| "-".into(), |(low, high)| format!("{low} to {high}")),
        ]);
    }
    table.text()
}

/// Sums that should be zero come out as what rounding leaves.
fn is_negligible(delta: &Rational) -> bool {
    delta < &(Rational::ONE / Rational::from(incrowd_exact::Integer::from(10u8).pow(40)))
}

fn epsilon_text(epsilon: &Epsilon) -> String {
    match epsilon {
        Epsilon::Finite(epsilon) => readable(epsilon),
        Epsilon::Infinite => "infinite".into(),
    }
}

/// Several plans of one data set, and what they promise together; nothing where no data set is named, so that none could pay.
struct Batch {
    releases: usize,
    total: Option<Result<Total, NoSum>>,
}

fn batches(plans: &[(Plan, Vec<Answer>)]) -> BTreeMap<Option<String>, Batch> {
    let mut by_dataset: BTreeMap<Option<String>, Vec<&Plan>> = BTreeMap::new();
    for (plan, _) in plans {
        by_dataset.entry(plan.request.ledger.dataset.clone()).or_default().push(plan);
    }
    let batch = |(name, plans): (Option<String>, Vec<&Plan>)| {
        let total = name.is_some().then(|| together(&plans));
        (name, Batch { releases: plans.len(), total })
    };
    by_dataset.into_iter().map(batch).collect()
}

fn batch_name(name: &Option<String>) -> String {
    name.as_deref().map_or_else(|| "(no data set named)".into(), printable)
}

fn batch_text(plans: &[(Plan, Vec<Answer>)]) -> String {
    let mut text = String::from("\n");
    text.push_str(&page::heading("All together"));
    let batches = batches(plans);
    let indent = batches.keys().map(|name| batch_name(name).chars().count()).max().unwrap_or(0).clamp(11, 40) + 4;
    for (name, batch) in &batches {
        let words = format!("{} {}", releases(batch.releases), together_words(batch));
        text.push_str(&page::entry_at(indent, &batch_name(name), &words));
    }
    text
}

/// What a batch promises, as an account that declares nothing adds it up.
fn together_words(batch: &Batch) -> String {
    match &batch.total {
        None => {
            "that no account would pay for: name the people in [ledger] with `dataset` to see what they cost together"
                .into()
        }
        Some(Ok(Total::Everybody { epsilon, delta })) => {
            let (epsilon, delta) = (readable(epsilon), readable_delta(delta));
            format!("together, as differential privacy: epsilon {epsilon}, delta {delta}, as the ledger adds them up")
        }
        Some(Ok(Total::Crowd { crowd, epsilon, delta })) => format!(
            "together, as crowd-blending: everybody blends into a crowd of {crowd}, or is protected with epsilon {}, delta {}",
            readable(epsilon),
            readable_delta(delta)
        ),
        Some(Ok(Total::Growing { up_to: Some((up_to, epsilon)), delta })) => format!(
            "together: people whose groups are all of up to {up_to} are protected with epsilon {}, delta {}; nothing bounds it for others",
            readable(epsilon),
            readable_delta(delta)
        ),
        Some(Ok(Total::Growing { up_to: None, .. })) => "together: epsilon grows without a bound".into(),
        Some(Err(NoSum::Plan(refusal))) => format!("without a sum: {refusal} (hint: {})", refusal.hint()),
        Some(Err(NoSum::Account { plan, error })) => {
            let hint = error.hint();
            format!("without a sum: number {} would be refused after the others: {error} (hint: {hint})", plan + 1)
        }
    }
}

fn releases(count: usize) -> String {
    if count == 1 { "1 release".into() } else { format!("{count} releases") }
}

fn object(plans: &[(Plan, Vec<Answer>)]) -> Value {
    let one = |(plan, answers): &(Plan, Vec<Answer>)| {
        let mut object = plan.to_json();
        if !answers.is_empty() {
            object["want"] = answers
                .iter()
                .map(|answer| {
                    json!({
                        "count": answer.want.count,
                        "mean_absolute_error": significant(&answer.want.error, 15),
                        "met": answer.is_met(),
                        "now": answer.now,
                        "scaled_up": answer.scaled_up,
                        "changes": answer.changes,
                    })
                })
                .collect();
        }
        object
    };
    if let [only] = plans {
        return one(only);
    }
    let batch = batches(plans).into_iter().map(|(name, batch)| {
        let (notion, epsilon, delta) = match &batch.total {
            Some(Ok(total @ Total::Everybody { .. })) => {
                (Some("differential-privacy"), total.epsilon(), Some(total.delta()))
            }
            Some(Ok(total @ Total::Crowd { .. })) => (Some("crowd-blending"), total.epsilon(), Some(total.delta())),
            Some(Ok(total @ Total::Growing { .. })) => (Some("small-groups"), total.epsilon(), Some(total.delta())),
            Some(Err(_)) | None => (None, None, None),
        };
        json!({
            "dataset": name,
            "releases": batch.releases,
            "together": notion,
            "epsilon": epsilon.map(rational_text),
            "delta": delta.map(delta_text),
            "in_words": together_words(&batch),
        })
    });
    json!({
        "version": JSON_VERSION,
        "command": "plan",
        "plans": plans.iter().map(one).collect::<Vec<_>>(),
        "batch": batch.collect::<Vec<_>>(),
    })
}
