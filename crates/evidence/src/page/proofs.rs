//! Proofs: how the promise is kept, what a sample adds, what it costs, what it rests on, and how to check all of it.
//!
//! Everything is what the certificate states, in words; it must never be needed to read the numbers, and is folded. It
//! is separate because referees and auditors read it, and they alone. Read `promise.rs` for what is promised.

use super::{SIZES, column, number, sampled, sentence, state_words, texts};
use crate::plan::Plan;
use crate::refusal::{readable, readable_below};
use crate::request::printable;
use incrowd_exact::{Rational, number_of, rare_rounding_down, rare_rounding_up};
use incrowd_privacy::Epsilon;
use incrowd_report::{Align, Block, Chart, ChartAxis, ChartSeries, ChartShape, PageTable, Scale, Section};
use serde_json::Value;

/// Returns the sections: what is not protected, then everything that is folded.
pub(super) fn sections(plan: &Plan, certificate: &Value) -> Vec<Section> {
    let fold = |summary: &str, blocks: Vec<Block>| Block::Fold { summary: summary.into(), blocks };
    let mut proofs = vec![fold("How the promise is kept", kept(plan))];
    proofs.extend(plan.sampled().map(|sampled| fold("What the sample adds", sampled::blocks(sampled))));
    proofs.push(fold("What it costs, and what is left", cost(plan, certificate)));
    proofs.push(fold("What is assumed", vec![Block::List(texts(&certificate["assumptions"]))]));
    proofs.push(Block::Folded {
        summary: "The certificate".into(),
        text: serde_json::to_string_pretty(certificate).unwrap_or_default(),
    });
    vec![
        Section { heading: "What is not protected".into(), blocks: not_protected(certificate) },
        Section { heading: "Proofs and costs".into(), blocks: proofs },
        check(certificate),
    ]
}

/// How the promise is kept: the mechanism, its proof, and the account at chosen counts.
fn kept(plan: &Plan) -> Vec<Block> {
    let worst = format!(
        "groups of {}: epsilon {}, delta {}",
        plan.worst().count,
        plan.worst().epsilon,
        number(&plan.worst().delta.upper_bound())
    );
    let exact = plan.exact().iter().map(|exact| {
        let delta = exact.delta.upper_bound();
        vec![Some(exact.count.to_string()), Some(exact.epsilon.to_string()), Some(number(&delta))]
    });
    let mut blocks = vec![
        Block::Facts(vec![
            ("notion".into(), plan.notion().into()),
            ("mechanism".into(), plan.settled().deployed().mechanism.name().into()),
            ("proved by".into(), format!("{}: {}", plan.theorem().source, plan.theorem().statement)),
            ("accounted".into(), format!("at the worst count, {worst}")),
        ]),
        Block::Paragraph(format!(
            "What is promised against what the law that ran needs, at chosen sizes of a group{}:",
            if plan.sampling_chance().is_some() { " in the sample" } else { "" }
        )),
        Block::Table(PageTable {
            columns: vec![
                column("group of", Align::Right),
                column("epsilon promised, per bin", Align::Right),
                column("delta needed, exactly or at most", Align::Right),
            ],
            rows: exact.collect(),
        }),
    ];
    blocks.extend(curve_chart(plan));
    let implied = plan.implications();
    if !implied.is_empty() {
        blocks.push(Block::Paragraph("It follows:".into()));
        blocks.push(Block::List(implied));
    }
    blocks
}

/// The curve as a picture, where it has a bend; its values stand in the table of the promise.
fn curve_chart(plan: &Plan) -> Option<Block> {
    if plan.curve().runs().len() < 2 {
        return None;
    }
    let furthest = plan.curve().runs().iter().filter_map(|run| run.to).max().unwrap_or(1).saturating_mul(2).max(10);
    let mut counts: Vec<u64> = plan.exact().iter().map(|exact| exact.count).chain(SIZES).collect();
    counts.extend(plan.curve().runs().iter().take(200).flat_map(|run| [Some(run.from), run.to]).flatten());
    counts.retain(|count| *count <= furthest);
    counts.push(furthest);
    counts.sort_unstable();
    counts.dedup();
    let epsilon = |count: u64| match plan.curve().epsilon(count) {
        Epsilon::Finite(epsilon) => Some((count as f64, epsilon.to_f64().value())),
        Epsilon::Infinite => None,
    };
    Some(Block::Chart(Box::new(Chart {
        title: "Protection by the size of a group".into(),
        subtitle: Some(match plan.curve().last_finite() {
            Some(_) => "smaller is stricter; to larger groups nothing is promised".into(),
            None => "smaller is stricter".into(),
        }),
        x: ChartAxis { label: "people in the group".into(), scale: Scale::Logarithmic },
        y: ChartAxis { label: "epsilon".into(), scale: Scale::Logarithmic },
        series: vec![ChartSeries {
            name: "promised, and kept".into(),
            points: counts.into_iter().filter_map(epsilon).collect(),
            shape: ChartShape::Steps,
        }],
    })))
}

/// What the release cost its account, and what is left.
fn cost(plan: &Plan, certificate: &Value) -> Vec<Block> {
    let cost = plan.cost();
    let price = match &cost.epsilon {
        Epsilon::Finite(epsilon) => format!("epsilon {}, delta {}", readable(epsilon), rare_rounding_up(&cost.delta)),
        Epsilon::Infinite => "not bounded: large groups are promised nothing".into(),
    };
    let exact = |value: &Value| value.as_str().and_then(number_of);
    let after = &certificate["ledger"]["after"];
    let releases = after["releases"].as_u64().unwrap_or(1);
    let delta =
        exact(&after["delta"]).map_or_else(String::new, |delta| format!(", delta {}", rare_rounding_up(&delta)));
    let together = match exact(&after["epsilon"]) {
        Some(epsilon) => format!("epsilon {}{delta}", readable(&epsilon)),
        None => format!("no bound for everybody{delta}"),
    };
    let left = |name: &str, words: fn(&Rational) -> String| {
        exact(&after["left"][name]).map(|left| format!("{name} {}", words(&left)))
    };
    let left: Vec<String> =
        [left("epsilon", readable_below), left("delta", rare_rounding_down)].into_iter().flatten().collect();
    vec![Block::Facts(vec![
        ("this release".into(), format!("as differential privacy: {price}")),
        (
            "together".into(),
            match releases {
                1 => format!("the first release about these people: {together}"),
                many => format!("{many} releases about these people: {together}"),
            },
        ),
        ("left".into(), if left.is_empty() { "the account has no limit".into() } else { left.join(", ") }),
    ])]
}

fn not_protected(certificate: &Value) -> Vec<Block> {
    let not_protected = &certificate["not_protected"];
    let columns = not_protected["columns"].as_array().map_or(&[][..], Vec::as_slice);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let rows = columns.iter().map(|entry| vec![Some(printable(&text(&entry["column"]))), Some(text(&entry["what"]))]);
    vec![
        Block::List(texts(&not_protected["facts"])),
        Block::Paragraph("Of the columns that were read, this is public:".into()),
        Block::Table(PageTable {
            columns: vec![column("column", Align::Left), column("what is public", Align::Left)],
            rows: rows.collect(),
        }),
    ]
}

fn check(certificate: &Value) -> Section {
    let field = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut facts = vec![
        ("request".into(), field(&certificate["request_hash"])),
        ("binning".into(), field(&certificate["binning_hash"])),
        (
            "ledger entry".into(),
            format!("{}, {}", field(&certificate["ledger"]["seq"]), field(&certificate["ledger"]["head"])),
        ),
    ];
    if let Some(from) = certificate["derived_from"]["certificates"].as_array() {
        facts.push(("made from".into(), from.iter().map(field).collect::<Vec<_>>().join(", ")));
    }
    for table in certificate["tables"].as_array().map_or(&[][..], Vec::as_slice) {
        facts.push((field(&table["name"]), field(&table["sha256"])));
    }
    let cite = format!(
        "{} (published counts), {}. Counts with a certified privacy promise, {}. Certificate of request {}.",
        field(&certificate["dataset"]),
        state_words(certificate),
        field(&certificate["software"]),
        field(&certificate["request_hash"]).chars().take(16).collect::<String>()
    );
    let derived = certificate["derived_from"]["in_words"].as_str().map(|words| Block::Paragraph(sentence(words)));
    Section {
        heading: "How to check it, and how to cite it".into(),
        blocks: derived.into_iter().chain([
            Block::Paragraph(
                "The file certificate.json holds all that is needed to recompute this promise without the data. In the folder above this one, with NAME for the folder:".into(),
            ),
            Block::Command("incrowd verify NAME".into()),
            Block::Paragraph(
                "Whoever trusts neither incrowd nor its verifier can read docs/certificate.md and verify.py of its source: a second verifier, in Python.".into(),
            ),
            Block::Facts(facts),
            Block::Paragraph("To cite it:".into()),
            Block::Command(cite),
        ]).collect(),
    }
}
