//! Published counts as a picture that fits their dimensions: numbers on shades, cells without numbers, bars, a skyline,
//! or lines over time.
//!
//! Only published rows are drawn, in their own order or by their own size; it must never leave a bin without its
//! number, but where there is no room, as numbers are in the table, or join what a gap parts. It is separate because it
//! is all about room. Read `map.rs` for maps, and `../glance.rs` for what is kept of a table.

use super::naming::Naming;
use crate::glance::{Glance, Row};
use crate::plan::Plan;
use crate::request::{CellCount, Cut, KeyColumn, TableManner};
use crate::timeline::{self, TimelineLine};
use crate::write::Glances;
use incrowd_report::{Bar, Block, Chart, ChartAxis, ChartSeries, ChartShape, Heat, PageCount, Scale, Shades};
use std::collections::HashMap;

/// The most bars, and the widest table of shades with numbers.
const MOST_BARS: usize = 40;
pub(super) const MOST_NUMBERS: (usize, usize) = (40, 12);
/// The most rows and columns of cells.
pub(super) const MOST_SHADES: (usize, usize) = (400, 400);

/// Returns the picture of some published rows.
pub(super) fn blocks(plan: &Plan, glance: &Glance, naming: Naming<'_>) -> Vec<Block> {
    let keys = plan.request().kind.published().len();
    if glance.rows.is_empty() {
        return Vec::new();
    }
    let by_two = keys == 2 && !glance.goes_on() && !is_one_list(plan);
    if let Some(block) = by_two.then(|| two_dimensions(plan, glance, naming)).flatten() {
        return vec![block];
    }
    let mut drawn = rows_as_bars(plan, glance, naming);
    if plan.request().output.manner == TableManner::Careful
        && glance.rows.iter().any(|row| number(glance, row, "low").is_some())
        && let Some(at) = drawn.iter().position(|block| matches!(block, Block::Bars(_)))
    {
        let note =
            "The dark mark on a bar reaches from low to high: what that means is told below, under How to read it.";
        drawn.insert(at + 1, Block::Note(note.into()));
    }
    drawn
}

/// Published rows as bars, and all of them as a skyline where they are many.
fn rows_as_bars(plan: &Plan, glance: &Glance, naming: Naming<'_>) -> Vec<Block> {
    let keys = plan.request().kind.published().len();
    let bar = |row: &Row| Bar {
        label: label_of(plan, (row, keys), &glance.headings, naming),
        count: shown(plan, glance, row),
        interval: number(glance, row, "low").zip(number(glance, row, "high")),
    };
    if glance.length <= MOST_BARS as u64 {
        return vec![Block::Bars(glance.rows.iter().map(bar).collect())];
    }
    if glance.largest.is_empty() {
        return vec![Block::Bars(glance.rows.iter().take(MOST_BARS).map(bar).collect())];
    }
    vec![
        Block::Paragraph(format!("The {} largest counts:", glance.largest.len())),
        Block::Bars(glance.largest.iter().map(|(_, row)| bar(row)).collect()),
        Block::Chart(Box::new(skyline(plan, glance))),
    ]
}

/// Whether two keys are no two dimensions: items with their ranks, of which each place of a table would have one, and
/// pairs, of which each is there once and half of a table would look hidden.
fn is_one_list(plan: &Plan) -> bool {
    plan.request().output.manner == TableManner::Careful
        && (starts_with_ranks(plan) || plan.request().kind.counts_pairs())
}

fn starts_with_ranks(plan: &Plan) -> bool {
    match plan.request().kind.published().first() {
        Some(KeyColumn::Numbered { .. }) => true,
        Some(KeyColumn::Counted(_) | KeyColumn::Drawn { .. }) | None => false,
    }
}

/// The name of a row in front of its bar: "1. milk", "bread + milk".
fn label_of(plan: &Plan, (row, keys): (&Row, usize), headings: &[String], naming: Naming<'_>) -> String {
    if !is_one_list(plan) {
        return name_of(row.iter().take(keys), (headings, 0), naming);
    }
    let (first, separator) = (
        usize::from(starts_with_ranks(plan)),
        match plan.request().kind.counts_pairs() {
            true => " + ",
            false => ", ",
        },
    );
    let named = row.iter().zip(headings).take(keys).map(|(value, column)| naming.in_words(column, value.as_deref()));
    let named: Vec<String> = named.collect();
    let (rank, items) = named.split_at(first.min(named.len()));
    rank.iter().map(|rank| format!("{rank}. ")).chain([items.join(separator)]).collect()
}

/// The largest keys of a series, period by period; their numbers are in the table.
pub(super) fn over_time(plan: &Plan, glances: &Glances, naming: Naming<'_>) -> Option<Block> {
    let lines = &glances.lines;
    if lines.iter().map(|line| line.points.len()).max().unwrap_or(0) < 2 {
        return None;
    }
    let asked = plan.request().kind.series()?;
    let (label, scale) = match asked.span.dates() {
        Some(periods) => (
            format!("{}: the first day of each {}", naming.column(&asked.column), periods.unit().as_str()),
            Scale::Days,
        ),
        None => (naming.column(&asked.column), Scale::Whole),
    };
    let places = timeline::places(plan)?;
    let mut order: Vec<i64> = places.values().copied().collect();
    order.sort_unstable();
    let has_gaps = lines.iter().any(|line| line.points.len() < order.len());
    let series = lines.iter().map(|line| ChartSeries {
        name: name_of(line.keys.iter(), (&glances.counts.headings, 1), naming),
        points: points(line, &order),
        shape: ChartShape::Line,
    });
    let gaps = if has_gaps { "; a gap is a period in which nothing is shown" } else { "" };
    Some(Block::Chart(Box::new(Chart {
        title: "Published counts over time".into(),
        subtitle: Some(format!("the largest of all periods together{gaps}")),
        x: ChartAxis { label, scale },
        y: ChartAxis { label: "published count".into(), scale: Scale::Linear },
        series: series.collect(),
    })))
}

/// The counts of a line at every place; where there is none, nothing that could be drawn.
fn points(line: &TimelineLine, order: &[i64]) -> Vec<(f64, f64)> {
    let known: HashMap<i64, i64> = line.points.iter().copied().collect();
    let point = |place: &i64| (*place as f64, known.get(place).map_or(f64::NAN, |count| *count as f64));
    order.iter().map(point).collect()
}

/// All counts at once: in their declared order, or the largest first where bins were found.
fn skyline(plan: &Plan, glance: &Glance) -> Chart {
    let mut counts: Vec<i64> = glance.rows.iter().filter_map(|row| count(glance, row)).collect();
    let what = match glance.goes_on() {
        true => format!("The first {} counts", glance.rows.len()),
        false => "All published counts".to_string(),
    };
    let declared = matches!(plan.request().cells(), CellCount::Declared(_));
    if !declared {
        counts.sort_unstable_by(|one, other| other.cmp(one));
    }
    let points = counts.into_iter().zip(1u32..).map(|(count, place)| (f64::from(place), count as f64));
    let (title, x, scale) = match declared {
        true => (format!("{what}, in the order of the table"), "place in the table", Scale::Linear),
        false => (format!("{what}, the largest first"), "rank", Scale::Logarithmic),
    };
    Chart {
        title,
        subtitle: None,
        x: ChartAxis { label: x.into(), scale },
        y: ChartAxis { label: "published count".into(), scale },
        series: vec![ChartSeries { name: "count".into(), points: points.collect(), shape: ChartShape::Steps }],
    }
}

/// A table of two dimensions: with numbers if there is room, as cells without if not; nothing if even that is too
/// large.
fn two_dimensions(plan: &Plan, glance: &Glance, naming: Naming<'_>) -> Option<Block> {
    let distinct = |key: usize| {
        let mut places: HashMap<Option<&str>, usize> = HashMap::new();
        let mut values = Vec::new();
        for row in &glance.rows {
            let value = value_of(row, key);
            places.entry(value).or_insert_with(|| {
                values.push(value);
                values.len() - 1
            });
        }
        (values, places)
    };
    let (first, second) = (distinct(0), distinct(1));
    // The longer dimension runs down: pages are higher than wide. Of cells without numbers every row has its name and
    // only some columns have, which is enough for what has an order.
    let fits = |down: usize, across: usize| down <= MOST_NUMBERS.0 && across <= MOST_NUMBERS.1;
    let longer = second.0.len() > first.0.len();
    let (least, most) = (first.0.len().min(second.0.len()), first.0.len().max(second.0.len()));
    let turned = match (plan.request().output.manner, is_ordered(plan, 0), is_ordered(plan, 1)) {
        (TableManner::Careful, true, false) if !fits(most, least) => true,
        (TableManner::Careful, false, true) if !fits(most, least) => false,
        (TableManner::Careful | TableManner::Plain, _, _) => longer,
    };
    let ((down, down_places), (across, across_places), keys) =
        if turned { (second, first, (1, 0)) } else { (first, second, (0, 1)) };
    if down.len() < 2 || across.len() < 2 || down.len() > MOST_SHADES.0 || across.len() > MOST_SHADES.1 {
        return None;
    }
    let mut cells = vec![vec![PageCount::Hidden; across.len()]; down.len()];
    for row in &glance.rows {
        let place = |places: &HashMap<Option<&str>, usize>, key: usize| places.get(&value_of(row, key)).copied();
        if let Some((row_place, column_place)) = place(&down_places, keys.0).zip(place(&across_places, keys.1)) {
            cells[row_place][column_place] = shown(plan, glance, row);
        }
    }
    // Sparse tables are better told by their largest cells.
    if glance.rows.len() * 4 < down.len() * across.len() {
        return None;
    }
    let column = |key: usize| glance.headings.get(key).map_or("", String::as_str);
    let heading = |key: usize| naming.column(column(key));
    let numbers = fits(down.len(), across.len());
    let rows = down.into_iter().map(|value| naming.in_words(column(keys.0), value)).zip(cells).collect();
    let columns = across.into_iter().map(|value| naming.in_words(column(keys.1), value)).collect();
    Some(if numbers {
        let (corner, across) = match plan.request().output.manner {
            TableManner::Plain => (format!("{} \\ {}", heading(keys.0), heading(keys.1)), String::new()),
            TableManner::Careful => (heading(keys.0), heading(keys.1)),
        };
        Block::Heat(Heat { corner, across, rows, columns })
    } else {
        Block::Shades(Shades {
            title: format!("Published counts by {} and {}", heading(keys.0), heading(keys.1)),
            down: heading(keys.0),
            across: heading(keys.1),
            columns,
            rows,
        })
    })
}

/// Whether the values of a key have an order that people know: bands and periods, and years of a series.
fn is_ordered(plan: &Plan, key: usize) -> bool {
    let is_period = key == 0 && plan.request().kind.series().is_some();
    is_period
        || match plan.request().kind.published().get(key) {
            Some(KeyColumn::Counted(dimension)) => match &dimension.cut {
                Cut::Edges(_) | Cut::Truncated(_) | Cut::Periods(_) => true,
                Cut::Found | Cut::Values(_) | Cut::Named(_) => false,
            },
            Some(KeyColumn::Numbered { .. }) => true,
            Some(KeyColumn::Drawn { .. }) | None => false,
        }
}

/// What is shown of a row: words where its count is too uncertain to be a number, or where it has only a range.
pub(super) fn shown(plan: &Plan, glance: &Glance, row: &Row) -> PageCount {
    match (count(glance, row), read_as(plan, glance, row)) {
        (None, words) => match words.or_else(|| range(plan, glance, row)) {
            Some(words) => PageCount::Uncertain { count: None, words },
            None => PageCount::Hidden,
        },
        (Some(count), None) => PageCount::Count(count),
        (Some(count), Some(words)) => PageCount::Uncertain { count: Some(count), words },
    }
}

/// The range that stands in place of a count.
fn range(plan: &Plan, glance: &Glance, row: &Row) -> Option<String> {
    match plan.request().output.manner {
        TableManner::Careful => {
            let (low, high) = number(glance, row, "low").zip(number(glance, row, "high"))?;
            Some(format!("{low} to {high}"))
        }
        TableManner::Plain => None,
    }
}

/// What to read in place of a row's count, where that is too uncertain to be a number.
pub(super) fn read_as(plan: &Plan, glance: &Glance, row: &Row) -> Option<String> {
    match plan.request().output.manner {
        TableManner::Careful => glance.read_as(row).map(|words| words.to_string()),
        TableManner::Plain => None,
    }
}

/// The number in a row's column of counts.
pub(super) fn count(glance: &Glance, row: &Row) -> Option<i64> {
    row.get(glance.count_place()?)?.as_ref()?.parse().ok()
}

fn number(glance: &Glance, row: &Row, heading: &str) -> Option<i64> {
    row.get(glance.place(heading)?)?.as_ref()?.parse().ok()
}

fn value_of(row: &Row, key: usize) -> Option<&str> {
    row.get(key)?.as_deref()
}

/// The values of some columns, from the given one on, as one name.
fn name_of<'v>(
    values: impl Iterator<Item = &'v Option<String>>,
    (headings, first): (&[String], usize),
    naming: Naming<'_>,
) -> String {
    let columns = headings.iter().skip(first);
    let named = columns.zip(values).map(|(column, value)| naming.in_words(column, value.as_deref()));
    named.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::plan_of;

    #[test]
    fn a_period_without_a_count_is_a_gap_and_dates_stand_on_the_axis() {
        let plan = plan_of(
            "release = \"series\"\n[series]\nperiod = { column = \"day\", truncate = \"week\" }\nfrom = 2024-01-01\nup-to = 2024-01-29\npeople = \"once\"\n[[bins]]\nname = \"word\"\ncolumn = \"w\"\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n",
        );
        let places = timeline::places(&plan).expect("a series");
        let mut seen = timeline::Timeline::of(&plan).expect("a series");
        for (week, count) in [("2024-01-01", "30"), ("2024-01-08", "31"), ("2024-01-29", "40")] {
            assert!(places.contains_key(week), "{week} in {places:?}");
            seen.see(&vec![Some(week.into()), Some("flu".into()), Some(count.into())]);
        }
        let headings = ["day", "word", "count"].map(String::from).to_vec();
        let glances = Glances {
            counts: Glance::new(headings),
            margins: None,
            consistent: None,
            statistics: None,
            density: None,
            lines: seen.largest(),
        };
        let Some(Block::Chart(chart)) = over_time(&plan, &glances, Naming::of(&plan)) else { panic!("a chart") };
        assert_eq!((chart.x.scale, chart.series[0].name.as_str()), (Scale::Days, "flu"));
        // 2024-01-01 is day 19723.
        let drawn: Vec<(f64, Option<f64>)> = chart.series[0]
            .points
            .iter()
            .map(|(at, count)| (*at, Some(*count).filter(|count| count.is_finite())))
            .collect();
        let days = [19_723.0, 19_730.0, 19_737.0, 19_744.0, 19_751.0];
        assert_eq!(drawn, days.into_iter().zip([Some(30.0), Some(31.0), None, None, Some(40.0)]).collect::<Vec<_>>());
        assert!(chart.subtitle.as_deref().is_some_and(|words| words.contains("a gap is a period")));
    }
}
