//! What was found, as a page.
//!
//! It begins with the word INTERNAL, and ends with what choosing by it means. It must never leave out a cause or a
//! limit that people are lost by. It is separate from the command so that text and HTML are one. Read `words.rs` for
//! the sentences.

use super::INTERNAL;
use super::verdict::{CheckVerdict, Looked, Report, WiderLimit};
use super::words::{
    CHOSEN_BY_LOOKING, LOST, NOT_COVERED, advice_words, cause_words, day_order_words, ranges, rows_in_quotes_words,
    share_words, uncomputed_words,
};
use incrowd_engine_datafusion::{Advice, BoundedPeople, Damage, Findings, RowsInQuotes};
use incrowd_release::request::Unit;
use incrowd_report::{Align, Block, Facts, Page, PageTable};

/// So many characters of a value are shown.
const WIDEST_VALUE: usize = 60;

/// Returns the page.
pub fn of(report: &Report<'_>, verdict: &CheckVerdict) -> Page {
    let mut page = Page::titled(format!("What a release of {} would read, count and lose", report.name));
    page.warning = Some(INTERNAL.into());
    match report.looked {
        Looked::Unprepared(unprepared) => {
            page.add("", vec![first_facts(report, verdict).block()]);
            damaged(&mut page, &unprepared.damage);
        }
        Looked::Damaged(damage) => {
            page.add("", vec![first_facts(report, verdict).block()]);
            damaged(&mut page, damage);
        }
        Looked::Read(findings) => read(&mut page, report, verdict, findings),
    }
    page.add("", vec![Block::Paragraph(NOT_COVERED.into())]);
    page
}

fn first_facts(report: &Report<'_>, verdict: &CheckVerdict) -> Facts {
    let mut facts = Facts::default();
    facts.add("verdict", verdict.words());
    if let Some(source) = report.request.data.as_ref().and_then(|data| data.source.as_deref()) {
        facts.add("data", source);
    }
    facts
}

fn damaged(page: &mut Page, damage: &[Damage]) {
    if damage.is_empty() {
        return;
    }
    let mut facts = Facts::default();
    for one in damage {
        let place = one.spot.as_ref().map_or_else(|| "file".to_owned(), ToString::to_string);
        facts.add(&place, one.kind.to_string());
    }
    page.add("What is wrong with the files", vec![facts.block()]);
    advised(page, damage.iter().filter_map(|one| one.advice.as_ref()));
}

fn advised<'a>(page: &mut Page, advice: impl Iterator<Item = &'a Advice>) {
    let advice: Vec<String> = advice.map(advice_words).collect();
    if !advice.is_empty() {
        page.add("What would help", vec![Block::List(advice)]);
    }
}

fn read(page: &mut Page, report: &Report<'_>, verdict: &CheckVerdict, findings: &Findings) {
    let mut facts = first_facts(report, verdict);
    facts.add("rows", findings.rows.to_string());
    if findings.bad_rows > 0 {
        let words = "more have too few or too many fields, and are left out: on-bad-row = \"skip\"";
        facts.add("", format!("{} {words}", findings.bad_rows));
    }
    if findings.filtered > 0 {
        facts.add("", format!("{} of them are left out by `where` or [data.split]", findings.filtered));
    }
    if findings.uncomputed > 0 {
        facts.add("", uncomputed_words(findings.uncomputed));
    }
    facts.add("people", findings.people.to_string());
    let (lost, people) = (findings.lost(), findings.people.max(1));
    let allowed = share_words(report.most_lost.to_f64());
    facts.add("lost", format!("{lost}, {} of them; {allowed} are allowed", share_words(lost as f64 / people as f64)));
    if let Some(bounded) = &findings.bounded {
        facts.add_all("limits", limits(bounded, report));
    }
    facts.add_all("bins", bins(report, findings));
    page.add("", vec![facts.block()]);
    who_is_lost(page, report, findings);
    unread(page, findings);
    rows_in_quotes(page, &findings.rows_in_quotes);
    outside(page, findings);
    let nothing = findings.words_for_nothing.iter();
    let nothing = nothing.map(|word| format!("bin {:?}: {:?}, {} people", word.bin, word.word, word.people));
    let nothing: Vec<String> = nothing.collect();
    if !nothing.is_empty() {
        page.add("Found bins that read like words for nothing", vec![Block::List(nothing)]);
    }
    if let Some(orders) = &findings.day_orders {
        page.add("Days that could be other days", vec![Block::Paragraph(day_order_words(orders))]);
    }
    advised(page, findings.advice.iter());
    sizes(page, findings);
}

/// What the limits on a person's bins leave.
fn limits(bounded: &BoundedPeople, report: &Report<'_>) -> Vec<String> {
    let limit = match report.request.data.as_ref().map(|data| &data.unit) {
        Some(Unit::Person { bins_per_person, .. }) => *bins_per_person,
        Some(Unit::Row | Unit::People { .. }) | None => 1,
    };
    let in_a_period = if report.request.kind.series().is_some() { " in each period" } else { "" };
    let share = |some: u64, all: u64| share_words(some as f64 / all.max(1) as f64);
    let mut words = vec![format!(
        "of {} bins that people are in, {} are counted ({}), at most {limit} of a person{in_a_period}",
        bounded.person_bins,
        bounded.counted,
        share(bounded.counted, bounded.person_bins)
    )];
    words.push(match bounded.cut_people {
        0 => format!("nobody is in more: bins-per-person = {limit} cuts nothing"),
        cut => format!("{cut} people ({}) are in more: bins-per-person = {limit}", share(cut, bounded.people)),
    });
    if let Some(WiderLimit { bins_per_person, counted }) = report.wider_limit() {
        words.push(format!(
            "bins-per-person = {bins_per_person} would count {} of them; more bins of a person need more noise or more \
             budget, and {CHOSEN_BY_LOOKING}",
            share(counted, bounded.person_bins)
        ));
    }
    if bounded.cut_baskets > 0 {
        let most = incrowd_engine::MOST_ITEMS;
        words.push(format!(
            "{} people have more than {most} items, which is the most that make pairs",
            bounded.cut_baskets
        ));
    }
    words
}

/// How many bins there are, and how many would be shown.
fn bins(report: &Report<'_>, findings: &Findings) -> Vec<String> {
    let bins: u64 = findings.bins_by_size.values().fold(0, |sum, bins| sum.saturating_add(*bins));
    let mut words = vec![format!("{bins} with somebody in them")];
    if let Ok(plan) = report.plan {
        words.extend(report.forecast.as_ref().map(|forecast| forecast.words(plan)));
        words.extend(plan.shows_words());
    }
    words
}

fn who_is_lost(page: &mut Page, report: &Report<'_>, findings: &Findings) {
    if findings.losses.is_empty() {
        return;
    }
    let mut table = PageTable::new(&[("cause", Align::Left), ("people", Align::Right), ("share", Align::Right)]);
    for loss in &findings.losses {
        let share = share_words(loss.people as f64 / findings.people.max(1) as f64);
        table.row([cause_words(&loss.cause, report.request), loss.people.to_string(), share]);
    }
    page.add("Who is lost", vec![Block::Table(table), Block::Note(LOST.into())]);
}

fn unread(page: &mut Page, findings: &Findings) {
    let mut blocks = Vec::new();
    for column in &findings.unread {
        let (name, rows, wanted) = (&column.column, column.rows, column.wanted);
        let verb = if rows == 1 { "value is" } else { "values are" };
        blocks.push(Block::Paragraph(format!("Column {name:?}: {rows} {verb} not {wanted}.")));
        let mut table = PageTable::new(&[("where", Align::Left), ("value", Align::Left), ("why", Align::Left)]);
        for value in &column.first {
            table.row([value.spot.to_string(), shortened(&value.value), value.reason.clone()]);
        }
        blocks.push(Block::Table(table));
    }
    if !blocks.is_empty() {
        page.add("What cannot be read", blocks);
    }
}

fn rows_in_quotes(page: &mut Page, found: &RowsInQuotes) {
    if found.fields == 0 {
        return;
    }
    let paragraph = Block::Paragraph(rows_in_quotes_words(found));
    let first = found.first.iter().map(|(spot, closed)| format!("{spot}: the field ends on line {closed}"));
    page.add("Rows that may stand between quotes", vec![paragraph, Block::List(first.collect())]);
}

fn outside(page: &mut Page, findings: &Findings) {
    if findings.outside.is_empty() {
        return;
    }
    let head = [("bin", Align::Left), ("value", Align::Left), ("rows", Align::Right), ("near", Align::Left)];
    let mut table = PageTable::new(&head);
    for outside in &findings.outside {
        for value in &outside.values {
            let near = value.near.clone().unwrap_or_default();
            table.row([outside.bin.clone(), shortened(&value.value), value.rows.to_string(), near]);
        }
        let shown: u64 = outside.values.iter().map(|value| value.rows).sum();
        if outside.rows > shown {
            let (bin, others) = (outside.bin.clone(), (outside.rows - shown).to_string());
            table.row([bin, "(others)".into(), others, String::new()]);
        }
    }
    page.add("Values in none of the listed bins", vec![Block::Table(table)]);
}

fn sizes(page: &mut Page, findings: &Findings) {
    if findings.bins_by_size.is_empty() {
        return;
    }
    let mut table =
        PageTable::new(&[("people in the bin", Align::Left), ("bins", Align::Right), ("people", Align::Right)]);
    for (range, bins, people) in ranges(&findings.bins_by_size) {
        table.row([range, bins.to_string(), people.to_string()]);
    }
    page.add("Bins by size", vec![Block::Table(table)]);
}

/// A value that fits on a screen. What acts on a screen is made harmless by whoever shows the page.
fn shortened(value: &str) -> String {
    let short: String = value.chars().take(WIDEST_VALUE).collect();
    let more = if short.len() < value.len() { "..." } else { "" };
    // Between quotes blanks are seen.
    format!("{short:?}{more}")
}
