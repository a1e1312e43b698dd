//! What the reports of earlier versions list: headings, pictures and rows in the order of 0.1.0, and nothing else.
//!
//! A verifier compares it with what such a report lists; it must never change with the report of this version. It is
//! separate because evidence outlives the layout of a day. Read `../verify/report.rs` for what is compared.

use super::naming::Naming;
use super::{PUBLISHED, ROWS_LISTED, SUMS, TOTALS, column, map, picture};
use crate::glance::{Glance, Row};
use crate::kinds::{PeopleTable, TableRows};
use crate::plan::Plan;
use crate::write::Glances;
use incrowd_report::{Align, Block, Heat, MapAxis, Page, PageTable, Section, html};
use serde_json::Value;

/// The headings under which published rows are listed.
pub(crate) const LISTING: [&str; 3] = [PUBLISHED, TOTALS, SUMS];

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
    "omitted",
];

/// Returns a page with what such a report lists, an HTML file.
pub(crate) fn page(plan: &Plan, certificate: &Value, glances: &Glances) -> String {
    let mut page = Page::titled("");
    page.warning = certificate.get("not_private").map(|_| "NOT PRIVATE".into());
    page.add("What is promised", Vec::new());
    page.sections.push(match plan.kind().rows() {
        TableRows::Bins | TableRows::Items(_) => counts(plan, glances),
        TableRows::People(table) => people(plan, table, glances),
    });
    page.sections.extend(glances.margins.as_ref().map(totals));
    page.add("How it is kept", Vec::new());
    if plan.sampled().is_some() {
        page.add("What the sample adds", Vec::new());
    }
    if plan.kind().is_judged_by_bins() {
        page.add("How accurate it is, beside other ways", Vec::new());
    }
    for heading in ["What it costs, and what is left", "What is not protected", "What is assumed"] {
        page.add(heading, Vec::new());
    }
    page.add("How to check it, and how to cite it", Vec::new());
    html(&page)
}

fn counts(plan: &Plan, glances: &Glances) -> Section {
    let (glance, naming) = (&glances.counts, Naming::of(plan));
    let mut blocks: Vec<Block> = picture::over_time(plan, glances, naming).into_iter().collect();
    blocks.extend(picture::blocks(plan, glance, naming));
    blocks.push(table(&glance.headings, glance.rows.iter().take(ROWS_LISTED).cloned().collect()));
    Section { heading: PUBLISHED.into(), blocks }
}

fn people(plan: &Plan, table: &dyn PeopleTable, glances: &Glances) -> Section {
    let (glance, naming) = (&glances.counts, Naming::of(plan));
    let outside = glances.density.as_ref().map_or(0, |(_, outside)| *outside);
    let listed = table.report(&glance.seen_rows(outside)).listed;
    let mut blocks = match &glances.density {
        None => picture::blocks(plan, glance, naming),
        Some((cells, _)) => {
            let drawn = cells.as_ref().map(|cells| map::blocks(plan, table, cells, naming)).unwrap_or_default();
            drawn.into_iter().map(as_numbers).collect()
        }
    };
    blocks.push(self::table(&glance.headings, glance.rows.iter().take(listed).cloned().collect()));
    Section { heading: PUBLISHED.into(), blocks }
}

/// A map that has room for it as a table of numbers: the highest row first, cells by their bounds.
fn as_numbers(block: Block) -> Block {
    let Block::Map(map) = block else { return block };
    let labels = |axis: &MapAxis| -> Vec<String> {
        axis.edges.windows(2).map(|ends| format!("[{}, {})", ends[0].1, ends[1].1)).collect()
    };
    let (up, right) = (labels(&map.up), labels(&map.right));
    if up.len() > picture::MOST_NUMBERS.0 || right.len() > picture::MOST_NUMBERS.1 {
        return Block::Map(map);
    }
    let corner = format!("{} \\ {}", map.up.label, map.right.label);
    Block::Heat(Heat {
        corner,
        across: String::new(),
        columns: right,
        rows: up.into_iter().zip(map.cells).rev().collect(),
    })
}

fn totals(margins: &Glance) -> Section {
    let mut rows: Vec<Row> = margins.rows.iter().take(ROWS_LISTED).cloned().collect();
    // The last row, the whole, is always shown.
    if margins.length > ROWS_LISTED as u64 && !margins.goes_on() {
        rows.extend(margins.rows.last().cloned());
    }
    for row in &mut rows {
        if let [dimension @ None, value @ None, ..] = row.as_mut_slice() {
            (*dimension, *value) = (Some("all".into()), Some("everything".into()));
        }
    }
    let heading = if margins.place("total").is_some() { TOTALS } else { SUMS };
    Section { heading: heading.into(), blocks: vec![table(&margins.headings, rows)] }
}

fn table(headings: &[String], rows: Vec<Row>) -> Block {
    let columns = headings.iter().map(|heading| {
        let align = if NUMBERS.contains(&heading.as_str()) { Align::Right } else { Align::Left };
        column(&crate::request::printable(heading), align)
    });
    Block::Table(PageTable { columns: columns.collect(), rows })
}
