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
use incrowd_privacy::{Deployed, Epsilon, Mechanism, Universe};
use incrowd_report::{
    Align, Axis, Bar, Block, Chart, Heat, Page, PageColumn, PageTable, Scale, Section, Series, Shape, html,
};
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
    blocks.push(Block::Paragraph(
        match plan.request.bins_per_person() {
            1 => {
                "How protected are you? Find the size of your group: the people who are counted in the same bin as you."
            }
            _ => "How protected are you? Find the size of the largest of your groups: the people in one of your bins.",
        }
        .into(),
    ));
    let except = crate::certificate::asked_delta(plan);
    let mut surest = "from even odds, nobody becomes surer than".to_string();
    if except > incrowd_exact::Rational::ZERO {
        surest = format!("but for a chance of {}, {surest}", number(&except));
    }
    blocks.push(Block::Table(PageTable {
        columns: vec![
            column("a person in", Align::Left),
            column("epsilon", Align::Right),
            column(&surest, Align::Right),
        ],
        rows: plan.curve_rows().into_iter().map(|(who, epsilon, sure)| vec![Some(who), Some(epsilon), sure]).collect(),
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
    let uniform = uniform(plan);
    let errors = plan.utility.iter().map(|utility| {
        let usual = utility.usual.map(|(low, high)| format!("{low} to {high}"));
        let mut row = vec![Some(utility.count.to_string()), Some(format!("{:.3}", utility.mean_absolute_error)), usual];
        row.extend(uniform.iter().map(|(_, noise)| {
            noise.utility(utility.count).ok().map(|other| format!("{:.3}", other.mean_absolute_error))
        }));
        row
    });
    let mut columns = vec![
        column("group of", Align::Right),
        column("mean absolute error", Align::Right),
        column("95 % of published values", Align::Right),
    ];
    columns.extend(
        uniform.iter().map(|(epsilon, _)| column(&format!("error with epsilon {epsilon} for all bins"), Align::Right)),
    );
    let exact = plan.exact.iter().map(|exact| {
        let delta = exact.delta.upper_bound();
        vec![Some(exact.count.to_string()), Some(exact.epsilon.to_string()), Some(number(&delta))]
    });
    let mut claimed = vec![
        Block::Paragraph("What is promised against what the law that ran needs, at chosen sizes of a group:".into()),
        Block::Table(PageTable {
            columns: vec![
                column("group of", Align::Right),
                column("epsilon promised, per bin", Align::Right),
                column("delta needed, exactly or at most", Align::Right),
            ],
            rows: exact.collect(),
        }),
    ];
    let line = |name: String, of: &dyn Fn(u64) -> Option<f64>| Series {
        name,
        points: plan.utility.iter().filter_map(|at| Some((at.count as f64, of(at.count)?.max(1e-3)))).collect(),
        shape: Shape::Line,
    };
    let own = |count: u64| plan.utility.iter().find(|at| at.count == count).map(|at| at.mean_absolute_error);
    let mut series = vec![line("this release".into(), &own)];
    for (epsilon, noise) in &uniform {
        series.push(line(format!("epsilon {epsilon} for all"), &|count| {
            noise.utility(count).ok().map(|utility| utility.mean_absolute_error)
        }));
    }
    if plan.utility.len() > 1 {
        claimed.push(Block::Chart(Box::new(Chart {
            title: "Expected error by the size of a group".into(),
            subtitle: None,
            x: Axis { label: "people in the group".into(), scale: Scale::Logarithmic },
            y: Axis { label: "mean absolute error".into(), scale: Scale::Logarithmic },
            series,
        })));
    }
    Section {
        heading: "How it is kept, and what it costs".into(),
        blocks: vec![
            Block::Facts(vec![
                ("mechanism".into(), plan.settled.deployed.mechanism.name().into()),
                ("proved by".into(), format!("{}: {}", plan.theorem.source, plan.theorem.statement)),
                ("accounted".into(), format!("at the worst count, {worst}")),
                ("costs".into(), format!("as differential privacy: {price}")),
            ]),
            Block::Table(PageTable { columns, rows: errors.collect() }),
        ]
        .into_iter()
        .chain(claimed)
        .collect(),
    }
}

/// Plain differential privacy with the weakest and with the strictest epsilon of the promise, to compare with.
fn uniform(plan: &Plan) -> Vec<(String, Deployed)> {
    let ends = [plan.settled.curve.supremum(), plan.settled.curve.epsilon(1)];
    // Where bins are found, plain noise is no choice: it would show every bin that is there.
    if ends[0] == ends[1] || plan.settled.deployed.universe == Universe::Open {
        return Vec::new();
    }
    let noise = |epsilon: Epsilon| match epsilon {
        Epsilon::Finite(epsilon) if epsilon > incrowd_exact::Rational::ZERO => Some((
            readable(&epsilon),
            Deployed { mechanism: Mechanism::Geometric { epsilon }, universe: Universe::Closed, publish_from: None },
        )),
        Epsilon::Finite(_) | Epsilon::Infinite => None,
    };
    ends.into_iter().filter_map(noise).collect()
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
        ]
        .into_iter()
        .chain(picture(first))
        .chain(silence(plan))
        .chain([Block::Table(PageTable { columns: columns.collect(), rows: first.rows.clone() })])
        .collect(),
    }
}

/// What a row shows beside its keys.
const NUMBERS: [&str; 6] = ["count", "low", "high", "status", "estimate", "levels"];
/// The most bars, and the widest table of shades.
const MOST_BARS: usize = 40;
const MOST_SHADES: (usize, usize) = (40, 12);

/// The first rows as a picture: shades for two dimensions that fit, else bars.
fn picture(first: &FirstRows) -> Option<Block> {
    let place = |name: &str| first.headings.iter().position(|heading| heading == name);
    let keys: Vec<usize> =
        (0..first.headings.len()).filter(|index| !NUMBERS.contains(&first.headings[*index].as_str())).collect();
    let cell =
        |row: &[Option<String>], index: Option<usize>| -> Option<i64> { row.get(index?)?.as_ref()?.parse().ok() };
    let key = |row: &[Option<String>], index: usize| {
        printable(row.get(index).and_then(|cell| cell.as_deref()).unwrap_or("missing"))
    };
    let count = place("count");
    if let ([one, two], More::Nothing) = (keys.as_slice(), first.more) {
        let distinct = |index: usize| {
            let mut seen = Vec::new();
            for row in &first.rows {
                let label = key(row, index);
                if !seen.contains(&label) {
                    seen.push(label);
                }
            }
            seen
        };
        // The longer dimension runs down: pages are higher than wide.
        let (one, two) = if distinct(*two).len() > distinct(*one).len() { (two, one) } else { (one, two) };
        let (rows, columns) = (distinct(*one), distinct(*two));
        if rows.len() <= MOST_SHADES.0
            && columns.len() <= MOST_SHADES.1
            && rows.len() * columns.len() >= first.rows.len()
        {
            let of = |label: &String, column: &String| {
                let found = first.rows.iter().find(|row| key(row, *one) == *label && key(row, *two) == *column);
                found.and_then(|row| cell(row, count))
            };
            let rows = rows.into_iter().map(|label| {
                let counts = columns.iter().map(|column| of(&label, column)).collect();
                (label, counts)
            });
            let corner = printable(&format!("{} \\ {}", first.headings[*one], first.headings[*two]));
            return Some(Block::Heat(Heat { corner, rows: rows.collect(), columns: columns.clone() }));
        }
    }
    let bars = first.rows.iter().take(MOST_BARS).map(|row| Bar {
        label: keys.iter().map(|index| key(row, *index)).collect::<Vec<_>>().join(", "),
        count: cell(row, count),
        interval: cell(row, place("low")).zip(cell(row, place("high"))),
    });
    (!first.rows.is_empty()).then(|| Block::Bars(bars.collect()))
}

/// What silence says, where there may be some.
fn silence(plan: &Plan) -> Option<Block> {
    plan.settled.deployed.may_be_silent().then(|| {
        Block::Paragraph(
"A bin that is suppressed or absent says no more about you than the promise allows: whether it shows is part of what was \
             accounted for, and a bin of nobody looks the same as one whose people are hidden."
                .into(),
        )
    })
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
    let cite = format!(
        "{} ({}), snapshot {}. Counts with a certified privacy promise, {}. Certificate of request {}.",
        field(&certificate["dataset"]),
        "published counts",
        field(&certificate["snapshot"]),
        field(&certificate["software"]),
        field(&certificate["request_hash"]).chars().take(16).collect::<String>()
    );
    Section {
        heading: "How to check it, and how to cite it".into(),
        blocks: vec![
            Block::Paragraph(
                "The file certificate.json holds all that is needed to recompute this promise without the data. In the folder above this one, with NAME for the folder:".into(),
            ),
            Block::Command("incrowd verify NAME".into()),
            Block::Facts(facts),
            Block::Paragraph("To cite it:".into()),
            Block::Command(cite),
            Block::Folded {
                summary: "The certificate".into(),
                text: serde_json::to_string_pretty(certificate).unwrap_or_default(),
            },
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
