//! Published counts as a picture that fits their dimensions: numbers on shades, a map of cells, bars, or a skyline.
//!
//! Only published rows are drawn, in their own order or by their own size; it must never leave a bin without its
//! number, but in maps and skylines, whose numbers are in the table. It is separate because it is all about room. Read
//! `../glance.rs` for what is kept of a table.

use crate::density;
use crate::glance::{Glance, Row};
use crate::kinds::PeopleTable;
use crate::plan::Plan;
use crate::request::{Axis as RequestAxis, CellCount, KeyCells, TableManner, printable};
use crate::timeline::TimelineLine;
use incrowd_report::{Bar, Block, Chart, ChartAxis, ChartSeries, ChartShape, Heat, HeatCell, Scale, Shades};
use std::collections::HashMap;

/// The most bars, and the widest table of shades with numbers.
const MOST_BARS: usize = 40;
const MOST_NUMBERS: (usize, usize) = (40, 12);
/// The largest map of cells.
const MOST_SHADES: (usize, usize) = (400, 400);

/// Returns the picture of some published rows.
pub(super) fn blocks(plan: &Plan, glance: &Glance) -> Vec<Block> {
    let keys = plan.request().kind.published().len();
    if glance.rows.is_empty() {
        return Vec::new();
    }
    if let (2, false, Some(block)) = (keys, glance.goes_on(), two_dimensions(plan, glance)) {
        return vec![block];
    }
    let bar = |row: &Row| Bar {
        label: row.iter().take(keys).map(|cell| label(plan, cell)).collect::<Vec<_>>().join(", "),
        count: count(glance, row),
        interval: number(glance, row, "low").zip(number(glance, row, "high")),
        read_as: read_as(plan, glance, row),
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

/// Published points on their axes: the one to the right, the other upwards, as on a map; other pictures where that has
/// no room.
pub(super) fn map(plan: &Plan, table: &dyn PeopleTable, glance: &Glance) -> Vec<Block> {
    let drawn = table.map().and_then(|axes| match axes {
        [first, second] if is_upwards(&first.name) && !is_upwards(&second.name) => {
            on_axes(glance, (second, 1), (first, 0))
        }
        [first, second] => on_axes(glance, (first, 0), (second, 1)),
        _ => None,
    });
    drawn.map_or_else(|| blocks(plan, glance), |block| vec![block])
}

/// Whether an axis goes upwards on a map by its name; else the first goes to the right and the second upwards.
fn is_upwards(name: &str) -> bool {
    let name = name.to_lowercase();
    name.starts_with("lat") || name.starts_with("north") || name == "y"
}

/// Every cell of two axes, with how many published points it has.
fn on_axes(glance: &Glance, right: (&RequestAxis, usize), up: (&RequestAxis, usize)) -> Option<Block> {
    let (across, mut down) = (density::labels(right.0), density::labels(up.0));
    if across.len() < 2 || down.len() < 2 || down.len() > MOST_SHADES.0 || across.len() > MOST_SHADES.1 {
        return None;
    }
    // North is at the top.
    down.reverse();
    let places = |labels: &[String]| labels.iter().cloned().zip(0usize..).collect::<HashMap<_, _>>();
    let (across_places, down_places) = (places(&across), places(&down));
    let mut cells = vec![vec![HeatCell::default(); across.len()]; down.len()];
    for row in &glance.rows {
        let place = |places: &HashMap<String, usize>, key: usize| places.get(row.get(key)?.as_deref()?).copied();
        if let Some((down, across)) = place(&down_places, up.1).zip(place(&across_places, right.1)) {
            cells[down][across] = HeatCell { count: count(glance, row), read_as: None };
        }
    }
    let (up, right) = (printable(&up.0.name), printable(&right.0.name));
    let title = format!("Published points: {right} to the right, {up} upwards");
    let room = down.len() <= MOST_NUMBERS.0 && across.len() <= MOST_NUMBERS.1;
    let rows: Vec<(String, Vec<HeatCell>)> = down.into_iter().zip(cells).collect();
    Some(match room {
        true => Block::Heat(Heat { corner: format!("{up} \\ {right}"), rows, columns: across }),
        false => Block::Shades(Shades { title, down: up, across: right, columns: across, rows: shaded(rows) }),
    })
}

/// The largest keys of a series, period by period; their numbers are in the table.
pub(super) fn over_time(plan: &Plan, lines: &[TimelineLine]) -> Option<Block> {
    if lines.iter().map(|line| line.points.len()).max().unwrap_or(0) < 2 {
        return None;
    }
    let column = plan.request().kind.series().map_or_else(String::new, |series| printable(&series.column));
    let dates = plan.request().kind.series().and_then(|series| series.span.dates());
    let (label, scale) = match dates {
        Some(periods) => (format!("{column}: the first day of each {}", periods.unit().as_str()), Scale::Days),
        None => (column, Scale::Linear),
    };
    let series = lines.iter().map(|line| ChartSeries {
        name: printable(&line.name),
        points: line.points.iter().map(|(place, count)| (*place as f64, *count as f64)).collect(),
        shape: ChartShape::Line,
    });
    Some(Block::Chart(Box::new(Chart {
        title: "Published counts over time".into(),
        subtitle: Some(
            "the largest of all periods together; a line passes over periods in which nothing was shown".into(),
        ),
        x: ChartAxis { label, scale },
        y: ChartAxis { label: "published count".into(), scale: Scale::Linear },
        series: series.collect(),
    })))
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
        series: vec![ChartSeries {
            name: plan.request().count_heading().into(),
            points: points.collect(),
            shape: ChartShape::Steps,
        }],
    }
}

/// A table of two dimensions: with numbers if there is room, as a map of cells if not; nothing if even that is too
/// large.
fn two_dimensions(plan: &Plan, glance: &Glance) -> Option<Block> {
    let distinct = |key: usize| {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut labels = Vec::new();
        for row in &glance.rows {
            let label = label(plan, row.get(key).unwrap_or(&None));
            if !places.contains_key(&label) {
                places.insert(label.clone(), labels.len());
                labels.push(label);
            }
        }
        (labels, places)
    };
    let (first, second) = (distinct(0), distinct(1));
    // The longer dimension runs down: pages are higher than wide.
    let turned = second.0.len() > first.0.len();
    let ((down, down_places), (across, across_places), keys) =
        if turned { (second, first, (1, 0)) } else { (first, second, (0, 1)) };
    if down.len() < 2 || across.len() < 2 || down.len() > MOST_SHADES.0 || across.len() > MOST_SHADES.1 {
        return None;
    }
    let mut cells = vec![vec![HeatCell::default(); across.len()]; down.len()];
    for row in &glance.rows {
        let place = |key: usize| label(plan, row.get(key).unwrap_or(&None));
        let spot = down_places.get(&place(keys.0)).zip(across_places.get(&place(keys.1)));
        if let Some((row_place, column_place)) = spot {
            cells[*row_place][*column_place] =
                HeatCell { count: count(glance, row), read_as: read_as(plan, glance, row) };
        }
    }
    // Sparse tables are better told by their largest cells.
    if glance.rows.len() * 4 < down.len() * across.len() {
        return None;
    }
    let heading = |key: usize| glance.headings.get(key).map_or_else(String::new, |heading| printable(heading));
    let numbers = down.len() <= MOST_NUMBERS.0 && across.len() <= MOST_NUMBERS.1;
    let rows: Vec<(String, Vec<HeatCell>)> = down.into_iter().zip(cells).collect();
    Some(if numbers {
        Block::Heat(Heat { corner: format!("{} \\ {}", heading(keys.0), heading(keys.1)), rows, columns: across })
    } else {
        Block::Shades(Shades {
            title: format!("Published counts by {} and {}", heading(keys.0), heading(keys.1)),
            down: heading(keys.0),
            across: heading(keys.1),
            columns: across,
            rows: shaded(rows),
        })
    })
}

/// A map of cells without their numbers.
fn shaded(rows: Vec<(String, Vec<HeatCell>)>) -> Vec<(String, Vec<Option<i64>>)> {
    rows.into_iter().map(|(label, cells)| (label, cells.into_iter().map(|cell| cell.count).collect())).collect()
}

/// What to read in place of a row's count, where that is too uncertain to be a number.
pub(super) fn read_as(plan: &Plan, glance: &Glance, row: &Row) -> Option<String> {
    match plan.request().output.manner {
        TableManner::Careful => glance.read_as(row).map(|words| words.to_string()),
        TableManner::Plain => None,
    }
}

fn count(glance: &Glance, row: &Row) -> Option<i64> {
    row.get(glance.count_place()?)?.as_ref()?.parse().ok()
}

fn number(glance: &Glance, row: &Row, heading: &str) -> Option<i64> {
    row.get(glance.place(heading)?)?.as_ref()?.parse().ok()
}

/// A missing value has the name that it has in the tables.
fn label(plan: &Plan, cell: &Option<String>) -> String {
    let missing = match &plan.request().output.keys {
        KeyCells::Bare => "missing",
        KeyCells::Named { missing } => missing,
    };
    printable(cell.as_deref().unwrap_or(missing))
}
