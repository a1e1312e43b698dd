//! The page of a plan: what people ask first, then its cost and its error, then what readers of proofs ask for.
//!
//! It says "met" and "optimal" only where the plan does, and must never know who shows it. It is separate from the plan
//! because it is an order of sentences. Read `questions.rs` and `words.rs` for most of them, and the crate `report` for
//! how a page is shown.

use crate::by_size;
use crate::chance::{percent, rounded};
use crate::plan::Plan;
use crate::questions::{AccountFacts, PlainAnswer};
use crate::refusal::readable;
use crate::sampled::{SampledRelease, delta_words, short};
use crate::want::Answer;
use crate::{statistics, totals};
use incrowd_exact::{Integer, Rational, rare_rounding_up, significant, significant_rounding_up};
use incrowd_privacy::{Epsilon, Tightness, Utility};
use incrowd_report::{Align, Block, Chart, ChartAxis, ChartSeries, ChartShape, Facts, Page, PageTable, Scale};
use serde_json::Value;

/// Said of every plan and comparison.
pub const NOTHING_SPENT: &str = "Nothing has been read or spent.";

/// Said before anything is paid for: afterwards it is too late for a name.
const ONCE_ONLY: &str = "this state of the data has no name, so that nothing else with exact counts will be released beside it: name \
    it now with `snapshot` in [ledger]";

/// Whether details of a plan are shown at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Details {
    /// As they are.
    Shown,
    /// When they are asked for.
    Folded {
        /// How to ask, where a click does not do.
        ask: &'static str,
    },
}

/// What the details are.
const DETAILS: &str = "Details: the mechanism, its theorem, exact deltas and the names of notions";

/// Returns the page of a plan: what people ask first, with what is known of the account that pays; then costs and
/// errors, with what was answered to wants; then details.
pub fn page(plan: &Plan, account: &AccountFacts, answers: &[Answer], details: Details) -> Page {
    let mut page = Page::titled(plan.title());
    page.warning =
        plan.weakness().map(|words| words.to_uppercase().chars().take(1).chain(words.chars().skip(1)).collect());
    for PlainAnswer { question, answers } in plan.plain_answers(account) {
        page.add(&question, vec![Block::List(answers)]);
    }
    page.add("What is released", vec![facts(plan, answers)]);
    let mut errors = Vec::new();
    if let Some(words) = plan.group_words() {
        errors.push(Block::Facts(vec![("sizes".into(), words)]));
        errors.push(sample_table(plan));
    } else {
        errors.push(table(plan));
    }
    errors.extend(totals::blocks(plan));
    errors.extend(statistics::blocks(plan));
    page.add("", errors);
    let mut blocks = vec![details_of(plan), exact_table(plan)];
    blocks.extend(plan.sampled.as_ref().map(sample_blocks).unwrap_or_default());
    match details {
        Details::Shown => page.add(DETAILS, blocks),
        Details::Folded { ask } => {
            let summary = format!("{DETAILS}{ask}");
            page.add("", vec![Block::FoldedBlocks { summary, blocks }]);
        }
    }
    page
}

/// Returns the error of a plan by group size as a picture.
pub fn chart(plan: &Plan) -> Chart {
    errors_chart("Error by group size", Some(plan.title()), vec![line(plan.settled.deployed.mechanism.name(), plan)])
}

/// Returns lines of error by group size as a picture.
pub(crate) fn errors_chart(title: &str, subtitle: Option<String>, series: Vec<ChartSeries>) -> Chart {
    Chart {
        title: title.to_string(),
        subtitle,
        x: ChartAxis { label: "people in the group".into(), scale: Scale::Logarithmic },
        y: ChartAxis { label: "mean absolute error".into(), scale: Scale::Logarithmic },
        series,
    }
}

/// Returns the line of a plan: mean absolute error by group size.
pub(crate) fn line(name: &str, plan: &Plan) -> ChartSeries {
    ChartSeries { name: name.to_string(), points: by_size::line(plan, &plan.settled.deployed), shape: ChartShape::Line }
}

/// Returns whether the request says all that a release needs.
pub fn can_be_released(plan: &Plan) -> bool {
    let request = &plan.request;
    let source = request.data.as_ref().is_some_and(|data| data.source.is_some());
    source && !request.kind.published().is_empty() && request.ledger.dataset.is_some()
}

fn facts(plan: &Plan, answers: &[Answer]) -> Block {
    let mut facts = Facts::default();
    facts.add("protects", plan.unit_words());
    if let Some(only) = plan.only_words() {
        facts.add("counts", only);
    }
    if let Some(sampled) = &plan.sampled {
        facts.add("sampled", sampled.words());
    }
    facts.add("bins", plan.universe_words());
    facts.add_all("names", plan.names_words());
    facts.add_all("empty bins", plan.empty_words());
    if let Some(cut) = plan.truncation_words() {
        facts.add("counted", cut);
    }
    if let Some(periods) = plan.kind.period_words() {
        facts.add("periods", periods);
    }
    if let Some(policy) = plan.request.policy {
        facts.add("policy", format!("{}, `incrowd policies {0}` says all of it", policy.name));
    }
    facts.add_all("small", plan.small_spellings());
    let mut promise = plan.curve_words();
    promise.push(format!("delta\u{a0}{}", plan.delta_words()));
    if plan.request.periods_per_person() > 1 {
        promise.push("in each period".into());
    }
    facts.add("promise", promise.join("    "));
    facts.add_all(plan.request.kind.name(), plan.kind_words());
    facts.add("costs", cost_words(plan));
    let unnamed = plan.cost().epsilon == Epsilon::Infinite && plan.request.ledger.snapshot.is_none();
    let once = unnamed.then(|| ONCE_ONLY.to_string());
    facts.add_all("mind", plan.caveats().into_iter().chain(plan.spare_bins_words()).chain(once));
    for answer in answers {
        facts.add_all("you want", answer_words(answer));
    }
    facts.block()
}

/// What a reader of proofs asks for.
fn details_of(plan: &Plan) -> Block {
    let mut facts = Facts::default();
    facts.add("called", plan.notion());
    facts.add("mechanism", mechanism_words(plan));
    facts.add("certified", certified_words(plan));
    facts.add("by theorem", theorem_words(plan));
    facts.add_all("also means", plan.implications());
    facts.block()
}

/// What a sample adds: a delta for each epsilon, and what to choose.
fn sample_blocks(sampled: &SampledRelease) -> Vec<Block> {
    let mut blocks = Vec::new();
    for statement in sampled.statements() {
        let mut table = PageTable::new(&[
            ("epsilon", Align::Right),
            ("delta", Align::Right),
            ("by", Align::Right),
            ("any mechanism", Align::Right),
        ]);
        for point in &statement.curve {
            let any = point.by_theorem.as_ref().map_or_else(|| "-".into(), short);
            table.row([readable(&point.epsilon), delta_words(point), point.by.words().into(), any]);
        }
        blocks.push(Block::Facts(vec![("on a sample".into(), sampled.statement_words(statement))]));
        blocks.push(Block::Table(table));
    }
    let mut advice = Facts::default();
    advice.add_all("so", sampled.advice());
    blocks.push(advice.block());
    blocks
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
            format!("as differential privacy: epsilon {}, delta {}", readable(epsilon), rare_rounding_up(&cost.delta))
        }
        Epsilon::Infinite => {
            "no differential privacy for large groups: it adds up only with the same binning, or with releases that have it".into()
        }
    }
}

fn answer_words(answer: &Answer) -> Vec<String> {
    let want = format!("groups of {} within {} on average", answer.want.count, significant(&answer.want.error, 4));
    let now = answer.now.map_or_else(|| "unknown".to_string(), rounded);
    let now = match answer.scaled_up {
        None => now,
        Some(scaled) => {
            format!("{now}, of counts of the sample as they are published ({} scaled up)", rounded(scaled))
        }
    };
    if answer.is_met() {
        return vec![format!("{want}: met, the error is {now}")];
    }
    let mut lines = vec![format!("{want}: the error is {now}; one of these would do")];
    lines.extend(answer.changes.iter().map(|change| format!("- {change}")));
    lines
}

fn table(plan: &Plan) -> Block {
    let head = ["group of", "mean error", "not shown", "95 % of values"];
    let mut table = PageTable::new(&head.map(|heading| (heading, Align::Right)));
    for utility in &plan.utility {
        table.row([
            utility.count.to_string(),
            rounded(utility.mean_absolute_error),
            percent(utility.suppressed),
            usual_words(utility),
        ]);
    }
    Block::Table(table)
}

/// What is promised to groups of some sizes, and what of it the law needs.
fn exact_table(plan: &Plan) -> Block {
    let several = plan.request.bins_per_person() > 1;
    let (epsilon, delta) =
        if several { ("epsilon per bin", "exact delta per bin") } else { ("epsilon", "exact delta") };
    let mut table = PageTable::new(&["group of", epsilon, delta].map(|heading| (heading, Align::Right)));
    for at in &plan.exact {
        let delta = at.delta.upper_bound();
        let delta = match (delta == Rational::ZERO, is_negligible(&delta), at.delta.tightness) {
            (true, _, _) => "0".into(),
            (false, true, _) => "< 1e-40".into(),
            (false, false, Tightness::Exact) => significant_rounding_up(&delta, 3),
            (false, false, Tightness::UpperBound) => format!("<= {}", significant_rounding_up(&delta, 3)),
        };
        table.row([at.count.to_string(), epsilon_text(&at.epsilon), delta]);
    }
    Block::Table(table)
}

/// Of groups of all people, where only some are counted; what a group in the sample costs is summed in the certificate.
fn sample_table(plan: &Plan) -> Block {
    let head = ["group of", "mean error", "scaled up", "not shown", "95 % of values"];
    let mut table = PageTable::new(&head.map(|heading| (heading, Align::Right)));
    for utility in &plan.utility {
        table.rows.push(vec![
            Some(utility.count.to_string()),
            Some(rounded(utility.mean_absolute_error)),
            utility.scaled_up_error.map(rounded),
            Some(percent(utility.suppressed)),
            Some(usual_words(utility)),
        ]);
    }
    Block::Table(table)
}

fn usual_words(utility: &Utility) -> String {
    utility.usual.map_or_else(|| "-".into(), |(low, high)| format!("{low} to {high}"))
}

/// Sums that should be zero come out as what rounding leaves.
fn is_negligible(delta: &Rational) -> bool {
    delta < &(Rational::ONE / Rational::from(Integer::from(10u8).pow(40)))
}

fn epsilon_text(epsilon: &Epsilon) -> String {
    match epsilon {
        Epsilon::Finite(epsilon) => readable(epsilon),
        Epsilon::Infinite => "infinite".into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::request::printable;
    use incrowd_report::{Page, TextStyle, text};

    #[test]
    fn what_an_error_message_would_replace_no_page_lets_through() {
        let acting: String = (0..=0x10_ffff)
            .filter_map(char::from_u32)
            .filter(|c| printable(&c.to_string()).contains('\u{fffd}'))
            .collect();
        assert!(acting.contains('\u{1b}') && acting.contains('\u{202e}'));
        let shown = text(&Page::titled(&*acting), &TextStyle::plain(80));
        assert!(shown.trim_end().chars().all(|c| c == '\u{fffd}'), "{shown:?}");
    }
}
