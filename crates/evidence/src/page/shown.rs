//! What a release shows: a paragraph for everybody, the picture, the rows, and where the files are.
//!
//! Only published rows are shown, and every sentence holds for whatever was drawn; it must never call a number the
//! truth. It is separate because it is what people come for. Read `picture.rs` for the pictures, `reading.rs` for what
//! the numbers mean.

use super::naming::Naming;
use super::{ADDING_UP, PUBLISHED, ROWS_LISTED, STATISTICS, SUMS, TOTALS, map, picture, sentence};
use crate::csv::{CellOf, KeyPlaces};
use crate::glance::{Glance, Row};
use crate::grouping::{ALL, label_places};
use crate::kinds::{ItemCounts, PeopleReport, PeopleTable, TableRows};
use crate::plan::Plan;
use crate::request::Format;
use crate::table::STATISTIC;
use crate::totals::TotalsTable;
use crate::write::Glances;
use incrowd_exact::{Rational, number_of, parse_number};
use incrowd_report::{Align, Block, FileLink, PageColumn, PageTable, Section};
use serde_json::Value;

/// Longer tables are folded where a picture says the same.
const ROWS_UNFOLDED: usize = 12;

/// Returns the section.
pub(super) fn section(plan: &Plan, certificate: &Value, glances: &Glances, naming: Naming<'_>) -> Section {
    let mut blocks = vec![Block::Paragraph(in_short(plan))];
    blocks.extend(match plan.kind().rows() {
        TableRows::Bins | TableRows::Items(_) => counts(plan, glances, naming),
        TableRows::People(table) => people(plan, table, glances, naming),
    });
    if naming.is_used() {
        blocks.push(Block::Note(
            "Names of columns and values are the publisher's; the files have the values in brackets.".into(),
        ));
    }
    blocks.push(Block::Paragraph("The files of this release stand beside this page:".into()));
    blocks.push(Block::Files(files(certificate)));
    Section { heading: PUBLISHED.into(), blocks }
}

/// One paragraph for readers who know nothing of this: what it is, what was done to it, and what that protects.
fn in_short(plan: &Plan) -> String {
    let what = plan.by_words();
    let done = match plan.kind().rows() {
        TableRows::Items(ItemCounts::Hidden) => {
            "Chance has a hand in which are listed, and in which order: others may be as frequent."
        }
        TableRows::Items(ItemCounts::Published) => {
            "Chance has a hand in which are listed and in every count: others may be as frequent, and no count can be taken as exact."
        }
        TableRows::People(table) if table.map().is_some() => {
            "Each point was moved by chance before it was published, and points where too few people are were left out: no point can be taken for the place of a person."
        }
        TableRows::People(_) => {
            "What could single somebody out was made coarser, and kinds of rows that too few people share were left out."
        }
        TableRows::Bins => bins_in_short(plan),
    };
    let sample = match plan.sampling_chance() {
        Some(_) => " Only some people, picked by chance, were counted at all.",
        None => "",
    };
    let odds = plan.odds_words().into_iter().map(|line| sentence(&line)).collect::<Vec<_>>().join(" ");
    let protects = match plan.weakness() {
        None => "That protects those who are in the data.".to_string(),
        Some(weakness) => sentence(&weakness),
    };
    format!("{} {done}{sample} {protects} {odds}", sentence(&crate::request::printable(&what)))
}

fn bins_in_short(plan: &Plan) -> &'static str {
    let deployed = plan.settled().deployed();
    let exact_if_large = plan.curve().last_finite().is_some();
    match (deployed.publishes_ranges(), deployed.shown_as_it_is_from(), deployed.may_be_silent(), exact_if_large) {
        (true, _, _, _) => {
            "Of a group that is shown there is no number but a range, in which the number of people who were counted lies."
        }
        (_, Some(_), _, _) => "Groups that are too small are not shown; the others are shown as they are.",
        (_, None, true, true) => {
            "Chance has a hand in which groups are shown and in the numbers of small ones; those of large groups may be shown as they are."
        }
        (_, None, true, false) => {
            "Chance has a hand in every number, so that none can be taken as exact, and groups that are too small are not shown."
        }
        (_, None, false, true) => {
            "Chance has a hand in the numbers of small groups; those of large groups may be shown as they are."
        }
        (_, None, false, false) => {
            "Chance has a hand in every number: more people or fewer may have been counted, and a group of nobody may show some."
        }
    }
}

fn counts(plan: &Plan, glances: &Glances, naming: Naming<'_>) -> Vec<Block> {
    let glance = &glances.counts;
    if glance.length == 0 {
        return vec![Block::Paragraph(nothing_shown(plan))];
    }
    let mut blocks: Vec<Block> = picture::over_time(plan, glances, naming).into_iter().collect();
    // Few keys over time are all there already.
    let points = glances.lines.iter().map(|line| line.points.len() as u64).sum::<u64>();
    if blocks.is_empty() || points < glance.length {
        blocks.extend(picture::blocks(plan, glance, naming));
    }
    let above = match glance.length {
        1 => "The one row of the table".to_string(),
        length if length <= ROWS_LISTED as u64 => format!("All {length} rows of the table"),
        length => format!("The first {ROWS_LISTED} of {length} rows of the table; the files hold all"),
    };
    let rows: Vec<Row> = glance.rows.iter().take(ROWS_LISTED).cloned().collect();
    blocks.extend(listed(plan, (glance, naming), rows, above));
    blocks
}

/// Why a table has no row.
fn nothing_shown(plan: &Plan) -> String {
    let shows = plan.shows_words().map(|words| format!(" {}", sentence(&words))).unwrap_or_default();
    format!(
        "Nothing is shown. That is no mistake, and it says no more about anybody than the promise allows: the data may hold nobody, or no group that is large enough.{shows}"
    )
}

/// Published rows of people: those that are alike stand together, with how many there are; on a map where there is one.
fn people(plan: &Plan, table: &dyn PeopleTable, glances: &Glances, naming: Naming<'_>) -> Vec<Block> {
    let glance = &glances.counts;
    let outside = glances.density.as_ref().map_or(0, |(_, outside)| *outside);
    let PeopleReport { holds, missing, listed: most, above_list } = table.report(&glance.seen_rows(outside));
    let mut blocks = vec![Block::Paragraph(holds)];
    if glance.length == 0 {
        blocks.push(Block::Paragraph(nothing_shown(plan)));
        return blocks;
    }
    blocks.extend(match &glances.density {
        None => picture::blocks(plan, glance, naming),
        Some((cells, _)) => cells.as_ref().map(|cells| map::blocks(plan, table, cells, naming)).unwrap_or_default(),
    });
    blocks.push(Block::Paragraph(missing.into()));
    let rows: Vec<Row> = glance.rows.iter().take(most).cloned().collect();
    blocks.extend(listed(plan, (glance, naming), rows, above_list.trim_end_matches(':').to_string()));
    blocks
}

/// Rows of the main table under a line that says which; folded if there are many.
fn listed(plan: &Plan, (glance, naming): (&Glance, Naming<'_>), rows: Vec<Row>, above: String) -> Vec<Block> {
    let keys = plan.request().kind.published().len();
    let is_grey = |row: &Row| picture::read_as(plan, glance, row).is_some();
    let grey = rows.iter().enumerate().filter(|(_, row)| is_grey(row)).map(|(place, _)| place).collect();
    let name = |at: usize| glance.headings.get(at).map_or("", String::as_str);
    let mut rows = rows;
    for row in &mut rows {
        for (at, cell) in row.iter_mut().enumerate().take(keys) {
            *cell = Some(naming.value(name(at), cell.as_deref()));
        }
    }
    let headings: Vec<String> = (0..glance.headings.len())
        .map(|at| if at < keys { naming.column(name(at)) } else { name(at).to_string() })
        .collect();
    // What every row says is said once, above: it is published.
    let status = glance
        .place("status")
        .filter(|at| rows.iter().all(|row| row.get(*at).is_some_and(|status| status.as_deref() == Some("published"))));
    let without = |row: Vec<_>| row.into_iter().enumerate().filter(|(at, _)| Some(*at) != status).map(|(_, cell)| cell);
    let headings: Vec<String> =
        headings.into_iter().enumerate().filter(|(at, _)| Some(*at) != status).map(|(_, heading)| heading).collect();
    let rows: Vec<Row> = rows.into_iter().map(|row| without(row).collect()).collect();
    folded(above, table(&headings, rows), grey)
}

fn folded(above: String, table: PageTable, grey: Vec<usize>) -> Vec<Block> {
    let is_short = table.rows.len() <= ROWS_UNFOLDED;
    let table = if grey.is_empty() { Block::Table(table) } else { Block::GreyedTable { table, grey } };
    match is_short {
        true => vec![Block::Paragraph(format!("{above}:")), table],
        false => vec![Block::Fold { summary: above, blocks: vec![table] }],
    }
}

/// Columns that hold words; all others hold numbers.
const WORDS: [&str; 5] = ["status", "levels", "shown", "quality", STATISTIC];

fn table(headings: &[String], rows: Vec<Row>) -> PageTable {
    let is_number = |at: usize| {
        let cells = || rows.iter().filter_map(|row| row.get(at)?.as_deref());
        cells().next().is_some() && cells().all(|cell| cell.parse::<f64>().is_ok())
    };
    let columns = headings.iter().enumerate().map(|(at, heading)| PageColumn {
        heading: crate::request::printable(heading),
        align: if is_number(at) && !WORDS.contains(&heading.as_str()) { Align::Right } else { Align::Left },
    });
    PageTable { columns: columns.collect(), rows }
}

/// What a step of a certificate says.
fn step_words<'c>(certificate: &'c Value, name: &str) -> &'c str {
    let steps = certificate["postprocessing"].as_array().map_or(&[][..], Vec::as_slice);
    let step = steps.iter().find(|step| step["step"] == name);
    step.and_then(|step| step["in_words"].as_str()).unwrap_or_default()
}

/// Gives the labels of sums their names; what is summed over stays as it is written.
fn named_sums(places: KeyPlaces, headings: &[String], rows: &mut [Row], naming: Naming<'_>) {
    for row in rows {
        let first_is_there = row.first().is_some_and(Option::is_some);
        let of = match places {
            KeyPlaces::First(_) => None,
            KeyPlaces::Second => row.first().cloned().flatten(),
        };
        for (at, cell) in row.iter_mut().enumerate() {
            match (places.cell(at, first_is_there), cell.as_deref()) {
                (CellOf::Rest, _) | (CellOf::Key, Some(ALL)) => {}
                (CellOf::Key, value) => {
                    let column = of.as_deref().or(headings.get(at).map(String::as_str)).unwrap_or_default();
                    *cell = Some(naming.value(column, value));
                }
            }
        }
        if let (KeyPlaces::Second, [dimension, value, ..]) = (places, row.as_mut_slice()) {
            match dimension.as_deref() {
                None => (*dimension, *value) = (Some("all".into()), Some("everything".into())),
                Some(name) => *dimension = Some(naming.column(name)),
            }
        }
    }
}

/// Rounds totals to the nearest whole number and standard errors up.
fn in_whole_people(headings: &[String], rows: &mut [Row]) {
    for (heading, up) in [("total", Rational::from_parts(1.into(), 2u8.into())), ("standard_error", Rational::ONE)] {
        // The last column of that name: a bin may be called so, too, and stands before it.
        let Some(at) = headings.iter().rposition(|known| known == heading) else { continue };
        for cell in rows.iter_mut().filter_map(|row| row.get_mut(at)?.as_mut()) {
            if let Ok(number) = parse_number(cell) {
                let whole = number == number.clone().floor().into();
                *cell = if whole { number.floor() } else { (number + &up).floor() }.to_string();
            }
        }
    }
}

/// Returns the headings of sums, with the names of columns of keys.
fn sum_headings(places: KeyPlaces, headings: &[String], naming: Naming<'_>) -> Vec<String> {
    let keys = match places {
        KeyPlaces::First(keys) => keys,
        KeyPlaces::Second => 0,
    };
    let named = headings.iter().enumerate();
    named.map(|(at, heading)| if at < keys { naming.column(heading) } else { heading.replace('_', " ") }).collect()
}

/// The table in which totals are the sums of their cells: its totals, and its cells as far as there is room.
pub(super) fn adding_up(plan: &Plan, certificate: &Value, consistent: &Glance, naming: Naming<'_>) -> Section {
    let mut rows: Vec<Row> = consistent.rows.iter().take(ROWS_LISTED).cloned().collect();
    named_sums(label_places(plan), &consistent.headings, &mut rows, naming);
    let above = match consistent.length {
        length if length <= ROWS_LISTED as u64 => format!("All {length} rows"),
        length => format!("The first {ROWS_LISTED} of {length} rows; the files hold all"),
    };
    let mut blocks = vec![
        Block::Paragraph(
            "Here every total is the sum of its cells, and no number is below zero: for tables that must add up. The numbers are made of the published values alone and lie near them. A single cell may be further from the truth than what is published above, and above its interval."
                .into(),
        ),
        Block::Fold {
            summary: "How these numbers are found".into(),
            blocks: vec![Block::Paragraph(sentence(step_words(certificate, "consistent")))],
        },
    ];
    blocks.extend(folded(
        above,
        table(&sum_headings(label_places(plan), &consistent.headings, naming), rows),
        Vec::new(),
    ));
    Section { heading: ADDING_UP.into(), blocks }
}

/// Returns the section of totals.
pub(super) fn totals(plan: &Plan, certificate: &Value, margins: &Glance, naming: Naming<'_>) -> Section {
    let words = step_words(certificate, "margins");
    let mut rows: Vec<Row> = margins.rows.iter().take(ROWS_LISTED).cloned().collect();
    // The last row, the whole, is always shown.
    if margins.length > ROWS_LISTED as u64 && !margins.goes_on() {
        rows.extend(margins.rows.last().cloned());
    }
    named_sums(label_places(plan), &margins.headings, &mut rows, naming);
    let is_total = margins.place("total").is_some();
    let above = match margins.length {
        length if length <= ROWS_LISTED as u64 => format!("All {length} sums"),
        length => format!("The first {ROWS_LISTED} of {length} sums; the files hold all"),
    };
    let mut blocks = Vec::new();
    if is_total {
        in_whole_people(&margins.headings, &mut rows);
        let intervals = match margins.place("low") {
            Some(_) => " Between low and high lies the number of people, about 19 times of 20.",
            None => "",
        };
        blocks.push(Block::Paragraph(format!(
            "How many people there are in some cells together, as far as the published values tell. A total is made so that errors cancel where many cells are added: it may differ from the sum of the counts, and be below zero.{intervals} Totals and standard errors are rounded to whole people here; the files have three decimals."
        )));
    }
    blocks.push(Block::Paragraph(sentence(words)));
    blocks.extend(folded(above, table(&sum_headings(label_places(plan), &margins.headings, naming), rows), Vec::new()));
    Section { heading: if is_total { TOTALS } else { SUMS }.into(), blocks }
}

/// Medians, quantiles and means of a number that is cut into bands.
pub(super) fn statistics(plan: &Plan, certificate: &Value, told: &Glance, naming: Naming<'_>) -> Section {
    let places = TotalsTable::Statistics.label_places(plan);
    let mut rows: Vec<Row> = told.rows.iter().take(ROWS_LISTED).cloned().collect();
    named_sums(places, &told.headings, &mut rows, naming);
    if let (Some(at), Some(asked)) = (told.place(STATISTIC), &plan.request().output.statistics) {
        for cell in rows.iter_mut().filter_map(|row| row.get_mut(at)?.as_mut()) {
            if let Some(which) = cell.strip_suffix(&format!(" of {}", asked.of)) {
                *cell = format!("{which} of {}", naming.column(&asked.of));
            }
        }
    }
    let mut blocks = vec![
        Block::Paragraph(
            "Made of the published bands alone, about the people who are counted in them. At least half of them have at most the median, and at least half no less. Low and high hold for the noise, and for what bands cannot tell: where in her band each person lies. The estimate takes people to lie evenly within their bands."
                .into(),
        ),
        Block::Fold {
            summary: "How these numbers are found".into(),
            blocks: vec![Block::Paragraph(sentence(step_words(certificate, "statistics")))],
        },
    ];
    let grey = open_rows(plan, told);
    if !grey.is_empty() {
        blocks.push(Block::Note("Grey: the interval leaves every band open, so the estimate says nothing.".into()));
    }
    let table = table(&sum_headings(places, &told.headings, naming), rows);
    match told.length {
        length if length <= STATISTICS_OPEN => blocks.push(Block::GreyedTable { table, grey }),
        length if length <= ROWS_LISTED as u64 => blocks.extend(folded(format!("All {length} rows"), table, grey)),
        length => {
            let above = format!("The first {ROWS_LISTED} of {length} rows; the files hold all");
            blocks.extend(folded(above, table, grey));
        }
    }
    Section { heading: STATISTICS.into(), blocks }
}

/// The listed rows whose interval is as wide as all bands together.
fn open_rows(plan: &Plan, told: &Glance) -> Vec<usize> {
    let Some(Ok(planned)) = plan.statistics() else { return Vec::new() };
    let (Some(low), Some(high)) = (told.place("low"), told.place("high")) else { return Vec::new() };
    let end = |row: &Row, at: usize| row.get(at)?.as_deref().and_then(number_of);
    let is_open = |row: &Row| {
        let (first, last) = (planned.edges.first()?, planned.edges.last()?);
        Some(&end(row, low)? <= first && &end(row, high)? >= last)
    };
    let rows = told.rows.iter().take(ROWS_LISTED).enumerate();
    rows.filter(|(_, row)| is_open(row) == Some(true)).map(|(at, _)| at).collect()
}

/// So many rows of statistics are not folded.
const STATISTICS_OPEN: u64 = 40;

/// The tables that a certificate lists, with what each is for.
fn files(certificate: &Value) -> Vec<FileLink> {
    let tables = certificate["tables"].as_array().map_or(&[][..], Vec::as_slice);
    let link = |table: &Value| {
        let name = table["name"].as_str()?;
        let (stem, ending) = name.rsplit_once('.')?;
        let what = match stem {
            "margins" => "the sums",
            "consistent" => "numbers that add up",
            "statistics" => "medians and means",
            _ => "the table",
        };
        let format = Format::ALL.into_iter().find(|format| format.as_str() == ending)?;
        let words = match format {
            Format::Csv => format!("{what}, for any program"),
            Format::Parquet => format!("{what} with types, for data tools"),
            Format::Arrow => format!("{what} with types, for memory"),
            Format::Xlsx => "everything as a workbook, with explanations".to_string(),
        };
        Some(FileLink { name: name.into(), words })
    };
    tables.iter().filter_map(link).collect()
}
