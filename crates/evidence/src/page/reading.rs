//! How to read what is shown: which bins there are, what low and high mean, what silence says, how large errors are.
//!
//! Each sentence is chosen by the plan and holds for whatever was drawn; it must never promise more than the law keeps.
//! It is separate because people look at numbers first. Read `beside.rs` for the errors.

use super::{beside, sentence};
use crate::csv::acts;
use crate::glance::Glance;
use crate::kinds::{ItemCounts, TableRows};
use crate::plan::Plan;
use crate::quality::LETTERS;
use crate::request::{Cut, Dimension, KeyCells, KeyColumn, QualityColumn, TableManner};
use crate::sampled::SampleOrigin;
use crate::write::Glances;
use incrowd_report::{Block, Section};

/// Returns the section.
pub(super) fn section(plan: &Plan, glances: &Glances) -> Section {
    let mut blocks = vec![Block::Paragraph(sentence(&plan.universe_words()))];
    match plan.kind().rows() {
        TableRows::Bins => blocks.extend(counts(plan, &glances.counts, ItemCounts::Published)),
        TableRows::Items(published) => blocks.extend(counts(plan, &glances.counts, published)),
        TableRows::People(_) => {}
    }
    blocks.extend(bands(plan, &glances.counts));
    blocks.extend(spreadsheets(plan));
    let steps = plan.kind_words();
    if !steps.is_empty() {
        blocks.push(Block::Fold {
            summary: "What was done, and how far it can be off".into(),
            blocks: vec![Block::List(steps)],
        });
    }
    if plan.kind().is_judged_by_bins() {
        blocks.push(Block::Fold {
            summary: "How large errors are, beside those of other ways".into(),
            blocks: beside::blocks(plan),
        });
    }
    Section { heading: "How to read it".into(), blocks }
}

fn counts(plan: &Plan, glance: &Glance, counts: ItemCounts) -> Vec<Block> {
    let mut blocks = Vec::new();
    let is_empty = glance.length == 0;
    let what = plan.count_words();
    let words = match plan.settled().deployed().publishes_ranges() {
        true => format!("Low and high surely enclose {what} wherever they are shown."),
        false => format!(
            "Low and high are a 95 % interval: whatever {what} is, of the times that the bin is shown they miss it at most once in twenty. That holds for each bin by itself: of a long table some miss, and of rows that are picked for what they show more may. A published number may be off, also for large groups; some mechanisms publish negative ones."
        ),
    };
    match counts {
        ItemCounts::Published if is_empty => {}
        ItemCounts::Published => {
            blocks.push(Block::Paragraph(words));
            blocks.extend(certainty(plan));
        }
        ItemCounts::Hidden => {}
    }
    if let Some(periods) = plan.kind().period_words() {
        blocks.push(Block::Paragraph(format!("Periods: {periods}.")));
    }
    if let Some(cut) = plan.cut_words() {
        let some = plan.truncation_words().map(|some| format!("; {some}")).unwrap_or_default();
        blocks.push(Block::Paragraph(sentence(&format!("{cut}{some}"))));
    }
    if plan.sampled().is_some_and(|sampled| sampled.how == SampleOrigin::Tossed) {
        blocks.push(Block::Paragraph("Counted are the people in the sample; nothing was scaled up.".into()));
    }
    blocks.extend(silence(plan, glance));
    blocks
}

/// How lists and files write bands, by the first one that is shown.
fn bands(plan: &Plan, glance: &Glance) -> Option<Block> {
    let columns = plan.request().kind.published();
    let is_band = |column: &KeyColumn<'_>| match column {
        KeyColumn::Counted(Dimension { cut: Cut::Edges(_), .. }) => true,
        KeyColumn::Counted(_) | KeyColumn::Numbered { .. } | KeyColumn::Drawn { .. } => false,
    };
    let bands = columns.iter().enumerate().filter(|(_, column)| is_band(column)).map(|(at, _)| at);
    let shown = bands.flat_map(|at| glance.rows.iter().filter_map(move |row| row.get(at)?.as_deref()));
    let band = |label: &str| {
        let (from, to) = label.strip_prefix('[')?.strip_suffix(')')?.split_once(", ")?;
        Some(format!("In lists and files {label} is from {from} to under {to}: {from} is in it, and {to} is not."))
    };
    shown.filter_map(band).next().map(Block::Paragraph)
}

/// What grey means, and the letters beside it.
fn certainty(plan: &Plan) -> Option<Block> {
    let output = &plan.request().output;
    let grey = match output.manner {
        TableManner::Careful => Some(
            "Grey is what is too uncertain to be told as a number: pictures say \"at most 24\", or \"3 to 19\", which is its interval, where a number would look like a fact.".to_string(),
        ),
        TableManner::Plain => None,
    };
    let letters = match output.quality {
        QualityColumn::Written => Some(sentence(LETTERS)),
        QualityColumn::LeftOut => None,
    };
    let words: Vec<String> = grey.into_iter().chain(letters).collect();
    (!words.is_empty()).then(|| Block::Paragraph(words.join(" ")))
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
