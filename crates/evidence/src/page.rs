//! The report: what a release shows and promises, on one page for people.
//!
//! Made from the plan, the certificate and a glance at the published tables, so that a verifier can make it again; it
//! must never say anything that those do not say, but the publisher's own words, which are shown as such. It is
//! separate from the markup, which the crate `report` knows. Read `page/shown.rs` for what comes first,
//! `page/reading.rs` for how to read it, `page/promise.rs` for what is promised, `page/proofs.rs` for the rest, and
//! `words.rs` for the sentences of a plan.

mod beside;
mod earlier;
mod map;
mod naming;
mod picture;
mod promise;
mod proofs;
mod reading;
mod sampled;
mod shown;

pub(crate) use earlier::{LISTING, page as earlier_page};

use crate::plan::Plan;
use crate::request::printable;
use crate::write::Glances;
use incrowd_exact::{Rational, significant_rounding_up};
use incrowd_report::{Align, Block, Page, PageColumn, PageContents, Section, Stamp, html};
use naming::Naming;
use serde_json::Value;

/// The headings under which published rows are listed.
const PUBLISHED: &str = "What is published";
const TOTALS: &str = "Totals";
const SUMS: &str = "Sums of what is shown";
const ADDING_UP: &str = "Numbers that add up";
const STATISTICS: &str = "Medians and means";
/// How many rows of a table the page lists.
const ROWS_LISTED: usize = 200;
/// Group sizes that people ask about.
const SIZES: [u64; 11] = [1, 2, 3, 5, 10, 20, 50, 100, 500, 1_000, 10_000];
/// What is said where nothing is private, before anything else.
const REHEARSAL: &str = "REHEARSAL. NOT PRIVATE: drawn with a known seed from data that is declared to be made up. Nothing here is about people; for trying out only.";

/// What is said, before anything else, of what came of data that is declared to be made up.
const MADE_UP: &str = "MADE UP: the data is declared to be made up (synthetic = true). If that is so, nothing here is about people; it is asserted, and nobody checked it.";

/// Returns the report of a release, an HTML file.
pub fn page(plan: &Plan, certificate: &Value, glances: &Glances) -> String {
    html(&tree(plan, certificate, glances))
}

/// Returns the report of a release.
fn tree(plan: &Plan, certificate: &Value, glances: &Glances) -> Page {
    let naming = Naming::of(plan);
    let mark = Mark::of(plan, certificate);
    let mut sections = vec![introduction(plan, certificate)];
    sections.push(shown::section(plan, certificate, glances, naming));
    sections.extend(glances.margins.as_ref().map(|margins| shown::totals(plan, certificate, margins, naming)));
    sections.extend(glances.consistent.as_ref().map(|table| shown::adding_up(plan, certificate, table, naming)));
    sections.extend(glances.statistics.as_ref().map(|table| shown::statistics(plan, certificate, table, naming)));
    sections.push(reading::section(plan, glances));
    sections.push(promise::section(plan));
    sections.extend(proofs::sections(plan, certificate));
    let title = match &plan.request().output.report.title {
        Some(title) => printable(title),
        None => counted(plan),
    };
    Page {
        title: mark.as_ref().map_or(title.clone(), |mark| format!("{}: {title}", mark.word)),
        subtitle: subtitle(plan),
        warning: mark.as_ref().map(|mark| mark.warning.into()),
        stamp: mark.map(|mark| mark.stamp),
        contents: PageContents::Listed,
        sections,
    }
}

/// What is said of a whole page that must not be taken for a release about people.
struct Mark {
    word: &'static str,
    warning: &'static str,
    stamp: Stamp,
}

impl Mark {
    fn of(plan: &Plan, certificate: &Value) -> Option<Mark> {
        match (certificate.get("not_private"), plan.made_up_words()) {
            (Some(_), _) => Some(Mark { word: "REHEARSAL", warning: REHEARSAL, stamp: Stamp::Rehearsal }),
            (None, Some(_)) => Some(Mark { word: "MADE UP", warning: MADE_UP, stamp: Stamp::MadeUp }),
            (None, None) => None,
        }
    }
}

/// What is counted, without the data's source: a path is nobody's business.
fn counted(plan: &Plan) -> String {
    let title = plan.by_words();
    let only = plan.only_words().map(|only| format!(", {only}")).unwrap_or_default();
    printable(&format!("{title}{only}"))
}

/// Who publishes it, and when.
fn subtitle(plan: &Plan) -> String {
    let report = &plan.request().output.report;
    let said: Vec<String> =
        [&report.publisher, &report.date].into_iter().flatten().map(|text| printable(text)).collect();
    said.join(", ")
}

/// What the publisher says, and of which data this is.
fn introduction(plan: &Plan, certificate: &Value) -> Section {
    let report = &plan.request().output.report;
    let field = |name: &str| certificate[name].as_str().unwrap_or("").to_string();
    let dataset =
        certificate["dataset"].as_str().map_or_else(|| "no dataset named".into(), |name| format!("dataset {name}"));
    let mut blocks: Vec<Block> = report.text.iter().map(|text| Block::Quote(text.clone())).collect();
    if report.title.is_some() {
        blocks.push(Block::Note(sentence(&counted(plan))));
    }
    let said_by = if report.is_empty() {
        ""
    } else {
        " Title, names and words of the publisher are nobody's but the publisher's."
    };
    blocks.push(Block::Note(printable(&format!(
        "{}; published with {}.{said_by}",
        capital(&format!("{dataset}, {}", state_words(certificate))),
        field("software")
    ))));
    blocks.extend(report.contact.iter().map(|contact| Block::Note(printable(&format!("Contact: {contact}")))));
    Section { heading: String::new(), blocks }
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
    format!("{}.", capital(text))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

/// "snapshot 2026", or that nobody named it.
pub(crate) fn state_words(certificate: &Value) -> String {
    match certificate["snapshot"].as_str() {
        Some(name) => format!("snapshot {name}"),
        None => "a state of the data without a name".into(),
    }
}
