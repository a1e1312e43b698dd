//! The report: what a release promises and publishes, on one page for people.
//!
//! Made from the plan, the certificate and the first published rows, so that a verifier can make it again; it must never
//! say anything that those do not say. It is separate from the markup, which the crate `report` knows. Read `words.rs` for
//! the sentences of a plan.

use crate::plan::Plan;
use crate::refusal::readable;
use crate::request::printable;
use crate::verify::csv::Lines;
use crate::write::{CsvText, More, Written};
use incrowd_exact::significant_rounding_up;
use incrowd_privacy::Epsilon;
use incrowd_report::{Align, Block, Page, PageColumn, PageTable, Section, html};
use serde_json::Value;

/// The first rows of a table, as a CSV file shows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstRows {
    /// The names of the columns.
    pub headings: Vec<String>,
    /// Cells; a missing value is nothing.
    pub rows: Vec<Vec<Option<String>>>,
    /// Whether there are more.
    pub more: More,
}

impl FirstRows {
    /// Returns the first rows of what was written.
    pub fn of(written: &Written) -> FirstRows {
        let mut text = CsvText::new();
        let headings = written.first_rows.schema().fields().iter().map(|field| field.name().clone()).collect();
        let mut rows = Vec::new();
        if let Ok(lines) = text.rows(&written.first_rows) {
            let mut lines = Lines::new(lines);
            while let Ok(Some(fields)) = lines.next() {
                rows.push(fields);
            }
        }
        FirstRows { headings, rows, more: written.more }
    }
}

/// Returns the report of a release, an HTML file.
pub fn page(plan: &Plan, certificate: &Value, first_rows: &FirstRows) -> String {
    let field = |name: &str| certificate[name].as_str().unwrap_or("").to_string();
    let dataset =
        certificate["dataset"].as_str().map_or_else(|| "no dataset named".into(), |name| format!("dataset {name}"));
    html(&Page {
        title: title(plan),
        subtitle: printable(&format!("{dataset}, snapshot {}; published by {}", field("snapshot"), field("software"))),
        warning: certificate.get("not_private").map(|_| {
            "NOT PRIVATE: drawn with a known seed from data that is declared to be made up. For trying out only.".into()
        }),
        sections: vec![
            promise(plan),
            cost(plan),
            counts(plan, first_rows),
            Section {
                heading: "What is not protected".into(),
                blocks: vec![Block::List(texts(&certificate["not_protected"]))],
            },
            Section {
                heading: "What is assumed".into(),
                blocks: vec![Block::List(texts(&certificate["assumptions"]))],
            },
            check(certificate),
        ],
    })
}

/// Without the data's source: a path is nobody's business.
fn title(plan: &Plan) -> String {
    let names: Vec<&str> = plan.request.bins.iter().map(|bin| bin.name.as_str()).collect();
    let title = match names.as_slice() {
        [] => "A histogram of people".to_string(),
        [one] => format!("People by {one}"),
        [first @ .., last] => format!("People by {} and {last}", first.join(", ")),
    };
    let only = plan.only_words().map(|only| format!(", {only}")).unwrap_or_default();
    printable(&format!("{title}{only}"))
}

fn promise(plan: &Plan) -> Section {
    let mut blocks: Vec<Block> = plan.odds_words().into_iter().map(|line| Block::Paragraph(sentence(&line))).collect();
    if let Some(only) = plan.only_words() {
        blocks.push(Block::Facts(vec![("counted".into(), only)]));
    }
    blocks.push(Block::Facts(vec![
        ("protects".into(), plan.unit_words()),
        ("notion".into(), plan.notion().into()),
        ("delta".into(), number(&crate::certificate::asked_delta(plan))),
    ]));
    blocks.push(Block::Table(PageTable {
        columns: vec![column("promised to", Align::Left), column("epsilon", Align::Left)],
        rows: plan
            .curve_words()
            .iter()
            .map(|line| match line.split_once(": ") {
                Some((who, epsilon)) => vec![Some(who.into()), Some(epsilon.trim_start_matches("epsilon ").into())],
                None => vec![Some(line.clone()), None],
            })
            .collect(),
    }));
    let implied = plan.implications();
    if !implied.is_empty() {
        blocks.push(Block::Paragraph("It follows:".into()));
        blocks.push(Block::List(implied));
    }
    Section { heading: "What is promised".into(), blocks }
}

fn cost(plan: &Plan) -> Section {
    let cost = plan.cost();
    let price = match &cost.epsilon {
        Epsilon::Finite(epsilon) => format!("epsilon {}, delta {}", readable(epsilon), number(&cost.delta)),
        Epsilon::Infinite => "not bounded: large groups are promised nothing".into(),
    };
    let worst = format!(
        "groups of {}: epsilon {}, delta {}",
        plan.worst.count,
        plan.worst.epsilon,
        number(&plan.worst.delta.upper_bound())
    );
    let errors = plan.utility.iter().map(|utility| {
        let usual = utility.usual.map(|(low, high)| format!("{low} to {high}"));
        vec![Some(utility.count.to_string()), Some(format!("{:.3}", utility.mean_absolute_error)), usual]
    });
    Section {
        heading: "How it is kept, and what it costs".into(),
        blocks: vec![
            Block::Facts(vec![
                ("mechanism".into(), plan.settled.deployed.mechanism.name().into()),
                ("proved by".into(), format!("{}: {}", plan.theorem.source, plan.theorem.statement)),
                ("accounted".into(), format!("at the worst count, {worst}")),
                ("costs".into(), format!("as differential privacy: {price}")),
            ]),
            Block::Table(PageTable {
                columns: vec![
                    column("group of", Align::Right),
                    column("mean absolute error", Align::Right),
                    column("95 % of published values", Align::Right),
                ],
                rows: errors.collect(),
            }),
        ],
    }
}

fn counts(plan: &Plan, first: &FirstRows) -> Section {
    let numbers = ["count", "low", "high", "estimate"];
    let columns = first.headings.iter().map(|heading| {
        let align = if numbers.contains(&heading.as_str()) { Align::Right } else { Align::Left };
        PageColumn { heading: printable(heading), align }
    });
    let shown = match first.more {
        More::Nothing => "All rows of the table.".to_string(),
        More::Rows => format!("The first {} rows of the table; the files hold all.", first.rows.len()),
    };
    Section {
        heading: "What is published".into(),
        blocks: vec![
            Block::Paragraph(sentence(&plan.universe_words())),
            Block::Paragraph(format!(
                "{shown} Low and high enclose the true count: whatever it is, they miss it at most once in twenty times. A count may be off, also for large groups; some mechanisms publish negative ones."
            )),
            Block::Table(PageTable { columns: columns.collect(), rows: first.rows.clone() }),
        ],
    }
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
    for table in certificate["tables"].as_array().map_or(&[][..], Vec::as_slice) {
        facts.push((field(&table["name"]), field(&table["sha256"])));
    }
    Section {
        heading: "How to check it".into(),
        blocks: vec![
            Block::Paragraph(
                "The file certificate.json holds all that is needed to recompute this promise without the data. In the folder above this one, with NAME for the folder:".into(),
            ),
            Block::Command("incrowd verify NAME".into()),
            Block::Facts(facts),
        ],
    }
}

fn column(heading: &str, align: Align) -> PageColumn {
    PageColumn { heading: heading.into(), align }
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str).map(sentence).collect()
}

fn number(value: &incrowd_exact::Rational) -> String {
    significant_rounding_up(value, 6)
}

/// Begins with a capital and ends with a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
