//! What a workbook says about itself: the promise in words, what its columns mean, and where the certificate is.
//!
//! Made from the plan and the columns alone, so that a verifier writes the same; it must never say more than the report
//! does. It is separate from the workbook because people read it without knowing what a cell is. Read `page.rs` for the
//! report.

use crate::certificate::Randomness;
use crate::grouping::ALL;
use crate::kinds::TableRows;
use crate::plan::Plan;
use crate::quality::{LETTERS, ReadAs};
use crate::request::{Estimate, QualityColumn, fewer_than, printable};
use crate::table::{ESTIMATE, QUALITY, SHOWN, STATISTIC, ShowsCounts, Table, from_name, to_name};
use crate::totals::TotalsTable;
use arrow_array::RecordBatch;
use incrowd_privacy::SideColumn;

/// Lines of two: what, and in words.
pub(crate) fn about(
    plan: &Plan,
    table: &Table<'_>,
    totals: &[(TotalsTable, RecordBatch)],
    randomness: Randomness,
) -> Vec<(String, String)> {
    let mut lines = AboutLines(Vec::new());
    if randomness == Randomness::KnownSeed {
        lines.add(
            "NOT PRIVATE",
            "drawn with a known seed from data that is declared to be made up; for trying out only",
        );
    } else if let Some(words) = plan.made_up_words() {
        lines.add("MADE UP", words);
    }
    lines.add("what this is", &printable(&plan.by_words()));
    lines.0.extend(plan.only_words().map(|only| ("counted".to_string(), only)));
    lines.add("bins", &plan.universe_words());
    for words in plan.odds_words() {
        lines.add("promise", &words);
    }
    lines.add("protects", &plan.unit_words());
    lines.add("notion", plan.notion());
    lines.add(
        "certificate",
        "certificate.json in the folder in which this file was delivered states the promise exactly, with the hash of this file; `incrowd verify FOLDER` recomputes it, and report.html says it on a page",
    );
    lines.add(
        "changes",
        "a workbook that was saved again has other bytes than the one that was certified, and is no evidence any more",
    );
    columns(plan, table, &mut lines);
    for (table, rows) in totals {
        lines.add(
            &format!("sheet {}", table.sheet()),
            match table {
                TotalsTable::Margins => {
                    "sums of what the first sheet shows, and of nothing else; the last row is over all"
                }
                TotalsTable::Consistent => {
                    "made of what the first sheet shows, and of nothing else: totals, then cells, in whole numbers that are nowhere below zero and add up"
                }
                TotalsTable::Statistics => {
                    "made of what the first sheet shows, and of nothing else: mean and quantiles of a number that is cut into bands"
                }
            },
        );
        for field in rows.schema().fields() {
            let words = match table {
                TotalsTable::Margins | TotalsTable::Consistent => total_words(field.name()),
                TotalsTable::Statistics => statistics_words(field.name()),
            };
            lines.0.extend(words.map(|words| (format!("{}: {}", table.sheet(), field.name()), words.into())));
        }
    }
    if !totals.is_empty() && table.spelling().missing().is_some() {
        lines.add(ALL, "stands for a bin over which was added up; a label that reads so has an apostrophe before it");
    }
    if let Some(missing) = table.spelling().missing() {
        lines.add(
            "missing values",
            &format!("{missing} stands for a value that is missing; a text that reads so has an apostrophe before it"),
        );
    }
    lines.add(
        "cells",
        "texts are cells of text, also where they begin like a formula; whole numbers of more than 15 digits, days before March 1900 and moments finer than a second are texts, because spreadsheets would change them; an empty text is an empty cell; a text that is too long for a cell stands in the sheet \"long texts\", in parts; a table that is too long for a sheet goes on in the next one",
    );
    lines.0
}

/// The lines, while they are gathered.
struct AboutLines(Vec<(String, String)>);

impl AboutLines {
    fn add(&mut self, what: &str, words: &str) {
        self.0.push((what.into(), words.into()));
    }
}

fn columns(plan: &Plan, table: &Table<'_>, lines: &mut AboutLines) {
    let schema = table.beside().schema(&table.file_schema(plan));
    let columns = plan.request().kind.published();
    let has = |name: &str| schema.fields().iter().any(|field| field.name() == name);
    for column in &columns {
        let name = printable(column.name());
        let (from, to) = (from_name(column.name()), to_name(column.name()));
        lines.add(
            &name,
            match plan.kind().rows() {
                TableRows::Bins | TableRows::Items(_) => "which bin a row is of",
                TableRows::People(_) => "what is published of each person",
            },
        );
        if has(&from) && has(&to) {
            lines.add(
                &printable(&from),
                "where the interval or period begins, which is in it; empty where there is none",
            );
            lines.add(&printable(&to), "where it ends, which is not in it any more; the label is exact, and a bound with decimals is the nearest that a file holds");
        }
    }
    match plan.kind().rows() {
        TableRows::Bins | TableRows::Items(_) => {}
        TableRows::People(_) => return,
    }
    let ranges = plan.settled().deployed().publishes_ranges();
    let what = plan.count_words();
    let cut = plan.cut_words().map(|cut| format!("; {cut}")).unwrap_or_default();
    lines.add(
        plan.request().count_heading(),
        &match ranges {
            true => "empty: this mechanism publishes ranges".to_string(),
            false => format!(
                "the published number: as it was drawn, so it may be off, and some mechanisms publish negative ones{cut}"
            ),
        },
    );
    lines.add("low, high", &match ranges {
        true => format!("they surely enclose {what} wherever they are shown{cut}"),
        false => format!("a 95 % interval of {what}: of the times that a bin is shown, whatever it is, they miss it at most once in twenty"),
    });
    lines.add("status", "published: with its numbers; at-most: only that it is small; suppressed: nothing is shown; chosen: chosen, without a count");
    match table.side_column() {
        SideColumn::Nothing => {}
        SideColumn::Levels { .. } => lines.add("levels", "which tests of the mechanism fired, in their order"),
        SideColumn::EpsilonTotal => lines.add("epsilon_total", "the epsilon that the mechanism spent on this bin"),
    }
    match plan.request().output.estimate {
        None => {}
        Some(Estimate::Clamped) => lines.add("estimate", "the published count, at least 0"),
        Some(Estimate::Median) => {
            lines.add("estimate", "the median of the counts that may have shown the published one")
        }
        Some(Estimate::Unbiased) => lines.add("estimate", "a value whose mean is the count before noise"),
    }
    if let Some(step) = plan.request().output.rounding.filter(|step| *step > 1) {
        lines.add("rounded", &format!("the estimate, else the count, to multiples of {step}"));
    }
    certainty(plan, table, lines);
    if let Some(small) = plan.request().output.small {
        let few = fewer_than(small);
        let rounded = match plan.request().output.rounding.filter(|step| *step > 1) {
            Some(step) => format!("to multiples of {step}"),
            None => "as it is".to_string(),
        };
        lines.add(
            SHOWN,
            &format!("{few:?} where the published count is below {small}, else the published count {rounded}; noise is in it: more people may be in a bin that shows {few:?}, and fewer in one that does not"),
        );
    }
}

/// How far values can be relied on.
fn certainty(plan: &Plan, table: &Table<'_>, lines: &mut AboutLines) {
    match (plan.request().output.quality, ShowsCounts::of(plan)) {
        (QualityColumn::Written, ShowsCounts::Yes) => lines.add(QUALITY, LETTERS),
        (QualityColumn::LeftOut, _) | (_, ShowsCounts::No) => {}
    }
    if table.uncertain_from().is_some() {
        lines.add(
            ReadAs::HEADING,
            "what to say of a value that is too uncertain to be told as a number, and is grey: its interval; empty where the number may stand",
        );
    }
}

fn statistics_words(name: &str) -> Option<&'static str> {
    Some(match name {
        STATISTIC => {
            "the mean, or what at least that share of the people counted in the bands have at most, and at least the rest of them at least; the median is that of half"
        }
        ESTIMATE => {
            "made of the numbers that add up, each moved into the interval of its cell, as if people lay evenly within their bands; empty where those have nobody"
        }
        "low" => "where the interval begins: it holds for the noise, and for what bands cannot tell",
        "high" => {
            "where it ends: whatever the counts are, both together miss the mean or the quantile of these people at most once in twenty times"
        }
        _ => return None,
    })
}

fn total_words(name: &str) -> Option<&'static str> {
    Some(match name {
        "dimension" => "of which bin; empty in the last row, which is over all",
        "value" => "which label of it",
        "total" => "the sum of unbiased values: it may differ from the sum of the counts, and be below zero",
        "standard_error" => {
            "the root of the variance of the total, estimated from the same values, or an upper bound of it"
        }
        "sum_of_shown" | "published_total" => {
            "the sum of the counts that are shown: no total, as it leaves out what is not shown"
        }
        "low" => {
            "two standard errors below the total, at least 0; where a total has one cell, the interval of that cell, or wider to hold the total"
        }
        "high" => {
            "two standard errors above it, likewise: together they hold the number of people about 19 times in 20"
        }
        "consistent" => "the number that adds up: near the published ones, but not one of them",
        "cells" => "how many cells were added",
        "omitted" => "how many declared cells show no count; empty where bins are found",
        _ => return None,
    })
}
