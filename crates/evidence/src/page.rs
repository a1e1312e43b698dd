//! The report: what a release promises and publishes, on one page for people.
//!
//! Made from the plan, the certificate and a glance at the published tables, so that a verifier can make it again; it
//! must never say anything that those do not say. It is separate from the markup, which the crate `report` knows. Read
//! `page/promise.rs` for what is promised, `page/beside.rs` for how it compares with other ways, `page/picture.rs` for
//! the counts, and `words.rs` for the sentences of a plan.

mod beside;
mod picture;
mod promise;
mod sampled;

use crate::csv::{CellOf, KeyPlaces, acts};
use crate::glance::{Glance, Row};
use crate::grouping::label_places;
use crate::kinds::{ItemCounts, PeopleReport, PeopleTable, TableRows};
use crate::plan::Plan;
use crate::refusal::readable;
use crate::request::{Cut, Dimension, KeyCells, KeyColumn, printable};
use crate::sampled::SampleOrigin;
use crate::write::Glances;
use incrowd_exact::number_of;
use incrowd_exact::{Rational, significant_rounding_up};
use incrowd_privacy::Epsilon;
use incrowd_report::{
    Align, Block, Chart, ChartAxis, ChartSeries, ChartShape, Page, PageColumn, PageTable, Scale, Section, html,
};
use serde_json::Value;

/// The headings under which published rows are listed.
pub(crate) const LISTING: [&str; 4] = [PUBLISHED, "Totals", "Sums of what is shown", "Numbers that add up"];
const PUBLISHED: &str = "What is published";
/// How many rows of a table the page lists.
const ROWS_LISTED: usize = 200;
/// Group sizes that people ask about.
const SIZES: [u64; 11] = [1, 2, 3, 5, 10, 20, 50, 100, 500, 1_000, 10_000];

/// Returns the report of a release, an HTML file.
pub fn page(plan: &Plan, certificate: &Value, glances: &Glances) -> String {
    let field = |name: &str| certificate[name].as_str().unwrap_or("").to_string();
    let dataset =
        certificate["dataset"].as_str().map_or_else(|| "no dataset named".into(), |name| format!("dataset {name}"));
    let published = match plan.kind().rows() {
        TableRows::Bins => counts(plan, glances, ItemCounts::Published),
        TableRows::Items(published) => counts(plan, glances, published),
        TableRows::People(table) => people(plan, table, glances),
    };
    let mut sections = vec![promise::section(plan), published];
    sections.extend(glances.margins.as_ref().map(|margins| totals(plan, certificate, margins)));
    sections.extend(glances.consistent.as_ref().map(|consistent| adding_up(plan, certificate, consistent)));
    sections.push(kept(plan));
    sections.extend(plan.sampled().map(sampled::section));
    if plan.kind().is_judged_by_bins() {
        sections.push(beside::section(plan));
    }
    sections.push(cost(plan, certificate));
    sections.push(Section { heading: "What is not protected".into(), blocks: not_protected(certificate) });
    sections.push(Section {
        heading: "What is assumed".into(),
        blocks: vec![Block::List(texts(&certificate["assumptions"]))],
    });
    sections.push(check(certificate));
    html(&Page {
        title: title(plan),
        subtitle: printable(&format!("{dataset}, {}; published by {}", state_words(certificate), field("software"))),
        warning: certificate.get("not_private").map(|_| {
            "NOT PRIVATE: drawn with a known seed from data that is declared to be made up. For trying out only.".into()
        }),
        sections,
    })
}

/// Without the data's source: a path is nobody's business.
fn title(plan: &Plan) -> String {
    let title = plan.by_words();
    let only = plan.only_words().map(|only| format!(", {only}")).unwrap_or_default();
    printable(&format!("{title}{only}"))
}

fn counts(plan: &Plan, glances: &Glances, counts: ItemCounts) -> Section {
    let glance = &glances.counts;
    let shown = match glance.length {
        length if length <= ROWS_LISTED as u64 => "All rows of the table".to_string(),
        length => format!("The first {ROWS_LISTED} of {length} rows of the table; the files hold all"),
    };
    let words = match plan.settled().deployed().publishes_ranges() {
        true => "Low and high surely enclose the true count wherever they are shown.",
        false => {
            "Low and high are a 95 % interval: whatever the true count is, of the times that its bin is shown they miss it at most once in twenty. That holds for each bin by itself: of a long table some miss, and of rows that are picked for what they show more may. A count may be off, also for large groups; some mechanisms publish negative ones."
        }
    };
    let mut blocks = vec![Block::Paragraph(sentence(&plan.universe_words()))];
    blocks.extend(own_words(plan));
    match counts {
        ItemCounts::Published => blocks.push(Block::Paragraph(words.into())),
        ItemCounts::Hidden => {}
    }
    if let Some(periods) = plan.kind().period_words() {
        blocks.push(Block::Paragraph(format!("Periods: {periods}.")));
    }
    if let Some(cut) = plan.truncation_words() {
        blocks
            .push(Block::Paragraph(format!("The true count is that of the people who were counted in a bin: {cut}.")));
    }
    if plan.sampled().is_some_and(|sampled| sampled.how == SampleOrigin::Tossed) {
        blocks.push(Block::Paragraph(
            "The true count is that of the people in the sample; nothing was scaled up.".into(),
        ));
    }
    blocks.extend(picture::over_time(plan, &glances.lines));
    blocks.extend(picture::blocks(plan, glance));
    blocks.extend(silence(plan, glance));
    blocks.extend(spreadsheets(plan));
    let mut rows: Vec<Row> = glance.rows.iter().take(ROWS_LISTED).cloned().collect();
    let keys = plan.request().kind.published().len();
    with_missing(plan, &mut rows, |_, at| at < keys);
    blocks.push(Block::Paragraph(format!("{shown}:")));
    blocks.push(table(&glance.headings, rows));
    Section { heading: PUBLISHED.into(), blocks }
}

/// The lines that only this kind of release has, if any.
fn own_words(plan: &Plan) -> Option<Block> {
    Some(plan.kind_words()).filter(|words| !words.is_empty()).map(Block::List)
}

/// Published rows of people: those that are alike stand together, with how many there are; on a map where there is one.
fn people(plan: &Plan, table: &dyn PeopleTable, glances: &Glances) -> Section {
    let glance = &glances.counts;
    let outside = glances.density.as_ref().map_or(0, |(_, outside)| *outside);
    let PeopleReport { holds, missing, listed, above_list } = table.report(&glance.seen_rows(outside));
    let mut blocks = vec![Block::Paragraph(sentence(&plan.universe_words()))];
    blocks.extend(own_words(plan));
    blocks.push(Block::Paragraph(holds));
    blocks.extend(match &glances.density {
        None => picture::blocks(plan, glance),
        Some((map, _)) => map.as_ref().map(|map| picture::map(plan, table, map)).unwrap_or_default(),
    });
    blocks.push(Block::Paragraph(missing.into()));
    blocks.extend(spreadsheets(plan));
    blocks.push(Block::Paragraph(above_list));
    let mut rows: Vec<Row> = glance.rows.iter().take(listed).cloned().collect();
    let keys = plan.request().kind.published().len();
    with_missing(plan, &mut rows, |_, at| at < keys);
    blocks.push(self::table(&glance.headings, rows));
    Section { heading: PUBLISHED.into(), blocks }
}

/// What to know of a table that is opened in a spreadsheet, where it may hold any text.
fn spreadsheets(plan: &Plan) -> Option<Block> {
    let is_harmful = |text: &str| acts(text) || text.contains(char::is_control);
    let any_text = |column: &KeyColumn<'_>| match column {
        KeyColumn::Counted(Dimension { cut, .. }) => match cut {
            Cut::Found => true,
            Cut::Values(values) => values.iter().any(|value| is_harmful(&value.to_string())),
            Cut::Named(pairs) => pairs.iter().any(|(_, name)| is_harmful(name)),
            Cut::Edges(_) | Cut::Periods(_) | Cut::Truncated(_) => false,
        },
        KeyColumn::Numbered { .. } | KeyColumn::Drawn { .. } => false,
    };
    let named = matches!(plan.request().output.keys, KeyCells::Named { .. });
    (named && plan.request().kind.published().iter().any(any_text)).then(|| {
        Block::Paragraph(
            "In CSV files an apostrophe comes before a text that begins like a formula (=, +, -, @, tab), so that no spreadsheet runs it; it is not part of the text. Control characters stay as they are.".into(),
        )
    })
}

/// Gives missing keys of rows their name.
fn with_missing(plan: &Plan, rows: &mut [Row], is_key: impl Fn(&Row, usize) -> bool) {
    let KeyCells::Named { missing } = &plan.request().output.keys else { return };
    for row in rows {
        for at in 0..row.len() {
            if row[at].is_none() && is_key(row, at) {
                row[at] = Some(missing.clone());
            }
        }
    }
}

/// Columns that hold numbers.
const NUMBERS: [&str; 11] = [
    "count",
    "low",
    "high",
    "estimate",
    "rounded",
    "total",
    "sum_of_shown",
    "published_total",
    "standard_error",
    "cells",
    "consistent",
];

fn table(headings: &[String], rows: Vec<Row>) -> Block {
    let columns = headings.iter().map(|heading| {
        let right = NUMBERS.contains(&heading.as_str()) || heading == "omitted";
        PageColumn { heading: printable(heading), align: if right { Align::Right } else { Align::Left } }
    });
    Block::Table(PageTable { columns: columns.collect(), rows })
}

/// What silence says, where there may be some.
fn silence(plan: &Plan, glance: &Glance) -> Option<Block> {
    if !plan.settled().deployed().may_be_silent() {
        return None;
    }
    let ranges = plan.settled().deployed().publishes_ranges();
    let how_many = match (glance.silent, glance.length) {
        (_, _) if ranges => String::new(),
        (0, _) => String::new(),
        (1, length) => format!("1 of {length} bins shows no count. "),
        (silent, length) => format!("{silent} of {length} bins show no count. "),
    };
    Some(Block::Paragraph(format!(
        "{how_many}A bin that is suppressed or absent says no more about you than the promise allows: whether it shows is part of what was accounted for, and a bin of nobody looks the same as one whose people are hidden."
    )))
}

/// What a step of a certificate says.
fn step_words<'c>(certificate: &'c Value, name: &str) -> &'c str {
    let steps = certificate["postprocessing"].as_array().map_or(&[][..], Vec::as_slice);
    let step = steps.iter().find(|step| step["step"] == name);
    step.and_then(|step| step["in_words"].as_str()).unwrap_or_default()
}

/// The table in which totals are the sums of their cells: its totals, and its cells as far as there is room.
fn adding_up(plan: &Plan, certificate: &Value, consistent: &Glance) -> Section {
    let mut rows: Vec<Row> = consistent.rows.iter().take(ROWS_LISTED).cloned().collect();
    let keys = plan.request().kind.published().len();
    with_missing(plan, &mut rows, |_, at| at < keys);
    let mut blocks = vec![Block::Paragraph(sentence(step_words(certificate, "consistent")))];
    if consistent.length > ROWS_LISTED as u64 {
        blocks.push(Block::Paragraph(format!("The first {ROWS_LISTED} of {} rows:", consistent.length)));
    }
    blocks.push(table(&consistent.headings, rows));
    Section { heading: LISTING[3].into(), blocks }
}

fn totals(plan: &Plan, certificate: &Value, margins: &Glance) -> Section {
    let words = step_words(certificate, "margins");
    let mut rows: Vec<Row> = margins.rows.iter().take(ROWS_LISTED).cloned().collect();
    // The last row, the whole, is always shown.
    if margins.length > ROWS_LISTED as u64 && !margins.goes_on() {
        rows.extend(margins.rows.last().cloned());
    }
    let places = label_places(plan);
    with_missing(plan, &mut rows, |row, at| places.cell(at, row[0].is_some()) == CellOf::Key);
    for row in rows.iter_mut().filter(|_| places == KeyPlaces::Second) {
        if let [dimension @ None, value @ None, ..] = row.as_mut_slice() {
            (*dimension, *value) = (Some("all".into()), Some("everything".into()));
        }
    }
    let is_total = margins.place("total").is_some();
    Section {
        heading: if is_total { LISTING[1] } else { LISTING[2] }.into(),
        blocks: vec![Block::Paragraph(sentence(words)), table(&margins.headings, rows)],
    }
}

/// How the promise is kept: the mechanism, its proof, and the account at chosen counts.
fn kept(plan: &Plan) -> Section {
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
    Section { heading: "How it is kept".into(), blocks }
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
fn cost(plan: &Plan, certificate: &Value) -> Section {
    let cost = plan.cost();
    let price = match &cost.epsilon {
        Epsilon::Finite(epsilon) => format!("epsilon {}, delta {}", readable(epsilon), number(&cost.delta)),
        Epsilon::Infinite => "not bounded: large groups are promised nothing".into(),
    };
    let exact = |value: &Value| value.as_str().and_then(number_of);
    let after = &certificate["ledger"]["after"];
    let releases = after["releases"].as_u64().unwrap_or(1);
    let delta = exact(&after["delta"]).map_or_else(String::new, |delta| format!(", delta {}", number(&delta)));
    let together = match exact(&after["epsilon"]) {
        Some(epsilon) => format!("epsilon {}{delta}", readable(&epsilon)),
        None => format!("no bound for everybody{delta}"),
    };
    let left = |name: &str| exact(&after["left"][name]).map(|left| format!("{name} {}", readable(&left)));
    let left: Vec<String> = [left("epsilon"), left("delta")].into_iter().flatten().collect();
    Section {
        heading: "What it costs, and what is left".into(),
        blocks: vec![Block::Facts(vec![
            ("this release".into(), format!("as differential privacy: {price}")),
            (
                "together".into(),
                match releases {
                    1 => format!("the first release about these people: {together}"),
                    many => format!("{many} releases about these people: {together}"),
                },
            ),
            ("left".into(), if left.is_empty() { "the account has no budget".into() } else { left.join(", ") }),
        ])],
    }
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
            Block::Folded {
                summary: "The certificate".into(),
                text: serde_json::to_string_pretty(certificate).unwrap_or_default(),
            },
        ]).collect(),
    }
}

fn column(heading: &str, align: Align) -> PageColumn {
    PageColumn { heading: heading.into(), align }
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str).map(sentence).collect()
}

fn number(value: &Rational) -> String {
    significant_rounding_up(value, 6)
}

/// Begins with a capital and ends with a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// "snapshot 2026", or that nobody named it.
pub(crate) fn state_words(certificate: &Value) -> String {
    match certificate["snapshot"].as_str() {
        Some(name) => format!("snapshot {name}"),
        None => "a state of the data without a name".into(),
    }
}
