//! What to expect of the counts, beside what plain noise and plain suppression would have done.
//!
//! All numbers are expectations of laws; it must never compare with what happened to come out. It is separate because a
//! statistician reads it first. Read `plan/plan.rs` for the figures.

use super::{column, sentence};
use crate::by_size;
use crate::chance::percent;
use crate::plan::Plan;
use crate::refusal::readable;
use incrowd_exact::Rational;
use incrowd_privacy::{Deployed, Epsilon, Mechanism, Universe, Utility};
use incrowd_report::{Align, Block, Chart, ChartAxis, ChartSeries, ChartShape, PageTable, Scale};

/// The smallest cell that plain suppression usually shows, where the promise names no size.
const USUAL_SUPPRESSION: u64 = 5;

/// Returns the blocks on errors.
pub(super) fn blocks(plan: &Plan) -> Vec<Block> {
    let uniform = uniform(plan);
    let error = |utility: &Utility| format!("{:.3}", utility.mean_absolute_error);
    let silent = plan.settled().deployed().may_be_silent();
    let mut columns = vec![column("group of", Align::Right), column("mean absolute error", Align::Right)];
    if plan.sampling_chance().is_some() {
        columns.push(column("error once scaled up", Align::Right));
    }
    if silent {
        columns.push(column("not shown", Align::Right));
    }
    columns.push(column("95 % of published values", Align::Right));
    columns.extend(
        uniform.iter().map(|(epsilon, _)| column(&format!("error with epsilon {epsilon} for all"), Align::Right)),
    );
    let hidden_below = suppressed_below(plan);
    columns.extend(hidden_below.map(|below| column(&format!("plain suppression below {below}"), Align::Right)));
    let rows = plan.utility().iter().map(|utility| {
        let mut row = vec![Some(utility.count.to_string()), Some(error(utility))];
        row.extend(utility.scaled_up_error.map(|error| Some(format!("{error:.3}"))));
        if silent {
            row.push(Some(percent(utility.suppressed)));
        }
        row.push(utility.usual.map(|(low, high)| format!("{low} to {high}")));
        row.extend(uniform.iter().map(|(_, noise)| plan.expected(noise, utility.count).ok().as_ref().map(error)));
        row.extend(
            hidden_below.map(|below| Some(if utility.count < below { "hidden".into() } else { "exact".into() })),
        );
        row
    });
    let mut blocks = vec![
        Block::Paragraph(format!(
            "{} Errors are of values as they are drawn, clamped at 0.",
            match silent {
                true =>
                    "What to expect of a count, by the size of its group; where a group is not shown, its error is its size.",
                false => "What to expect of a count, by the size of its group.",
            }
        )),
        Block::Table(PageTable { columns, rows: rows.collect() }),
    ];
    if let Some(words) = plan.group_words() {
        blocks.insert(1, Block::Paragraph(sentence(&words)));
    }
    let line = |name: String, deployed: &Deployed| ChartSeries {
        name,
        points: by_size::line(plan, deployed),
        shape: ChartShape::Line,
    };
    let mut series = vec![line("this release".into(), plan.settled().deployed())];
    series.extend(uniform.iter().map(|(epsilon, noise)| line(format!("epsilon {epsilon} for all"), noise)));
    if plan.utility().len() > 1 {
        let lines: Vec<_> = series.iter().map(|series| series.points.clone()).collect();
        blocks.push(Block::Chart(Box::new(Chart {
            title: "Expected error by the size of a group".into(),
            subtitle: by_size::least_words(&lines).map(String::from),
            x: ChartAxis { label: "people in the group".into(), scale: Scale::Logarithmic },
            y: ChartAxis { label: "mean absolute error".into(), scale: Scale::Logarithmic },
            series,
        })));
    }
    let ways = other_ways(plan, &uniform, hidden_below);
    if !ways.is_empty() {
        blocks.push(Block::Paragraph("The same by other means:".into()));
        blocks.push(Block::List(ways));
    }
    blocks
}

fn other_ways(plan: &Plan, uniform: &[(String, Deployed)], hidden_below: Option<u64>) -> Vec<String> {
    let first = plan.settled().curve().epsilon(1);
    let mut lines = Vec::new();
    if let [(weakest, _), rest @ ..] = uniform {
        lines.push(format!(
            "Plain noise with epsilon {weakest} for everybody keeps the same worst case and is as accurate for large groups; but it protects a person in a small group no better than one in a crowd, where this release gives her epsilon {}.",
            match &first {
                Epsilon::Finite(epsilon) => readable(epsilon),
                Epsilon::Infinite => "infinite".into(),
            }
        ));
        if let [(strictest, _)] = rest {
            lines.push(format!(
                "Plain noise with epsilon {strictest} for everybody protects all as well as this release protects its smallest groups, and spends on the largest what they do not need: compare the last columns."
            ));
        }
    }
    lines.extend(hidden_below.map(|below| {
        format!(
            "Plain suppression, all counts below {below} hidden and the others exact, is differentially private at no epsilon: a hidden count is a known total minus the counts beside it, and one person more or less shows at the edge. To everybody who is shown it promises nothing."
        )
    }));
    lines
}

/// What plain suppression would be asked to hide: groups as small as the strictest that are promised something of their
/// own.
///
/// Nothing where this release itself shows large groups as they are, which would be compared with itself, nor on a
/// sample, of which no count is exact.
fn suppressed_below(plan: &Plan) -> Option<u64> {
    match (plan.curve().last_finite(), plan.sampling_chance()) {
        (Some(_), _) | (_, Some(_)) => None,
        (None, None) => Some(plan.curve().runs()[0].to.map_or(USUAL_SUPPRESSION, |to| to.saturating_add(1))),
    }
}

/// Plain differential privacy with the weakest and with the strictest epsilon of the promise, to compare with.
fn uniform(plan: &Plan) -> Vec<(String, Deployed)> {
    let ends = [plan.settled().curve().supremum(), plan.settled().curve().epsilon(1)];
    // Where bins are found, plain noise is no choice: it would show every bin that is there.
    if ends[0] == ends[1] || plan.settled().deployed().universe == Universe::Open {
        return Vec::new();
    }
    let noise = |epsilon: Epsilon| match epsilon {
        Epsilon::Finite(epsilon) if epsilon > Rational::ZERO => Some((
            readable(&epsilon),
            Deployed { mechanism: Mechanism::Geometric { epsilon }, universe: Universe::Closed, publish_from: None },
        )),
        Epsilon::Finite(_) | Epsilon::Infinite => None,
    };
    ends.into_iter().filter_map(noise).collect()
}
