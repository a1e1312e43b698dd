//! A map of cells: a table with two dimensions, a tint for each count, for tables that are too large for numbers.
//! It must never tell apart what it does not show: a missing count is hatched by a dot, and never a light tint.
//! It is separate from the charts of lines because cells have no axes, only rows and columns.
//! Read `../page.rs` next.

use super::caption::{breadth, clean, fit_breadth};
use super::svg::{Area, ChartError, Lettering, Tinted, escape, layer_of, put, write};
use crate::count::PageCount;
use plotters::element::{Circle, Rectangle};
use plotters::prelude::RGBColor;
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

/// Counts by two dimensions, without room for numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shades {
    /// What the map shows.
    pub title: String,
    /// The heading of the rows.
    pub down: String,
    /// The heading of the columns.
    pub across: String,
    /// The values of the second dimension.
    pub columns: Vec<String>,
    /// The values of the first dimension, each with its counts.
    pub rows: Vec<(String, Vec<PageCount>)>,
}

/// A unit is a tenth of a pixel.
const PIXEL: i32 = 10;
const WIDTH: i32 = 740 * PIXEL;
const LEFT: i32 = 150 * PIXEL;
const TOP: i32 = 96 * PIXEL;
/// Not that of lines: a browser that shows a page light on dark gives letters on it enough contrast.
const TINT: RGBColor = RGBColor(0, 113, 179);
const QUIET: RGBColor = RGBColor(82, 92, 103);
/// How much room the name of a column has.
const LONGEST_LABEL: i32 = 130 * PIXEL;
/// How many tints are told apart.
const TINTS: i128 = 16;

/// Returns the map as one SVG element; darker where there are more.
///
/// Tints are steps of the square root of the count: small counts stay visible beside large ones.
pub fn shades(map: &Shades) -> Result<String, ChartError> {
    let columns = map.columns.len().max(1) as i32;
    let rows = map.rows.len().max(1) as i32;
    let wide = ((WIDTH - LEFT - 10 * PIXEL) / columns).clamp(PIXEL, 40 * PIXEL);
    let high = (600 * PIXEL / rows).clamp(3 * PIXEL, 22 * PIXEL);
    let height = TOP + rows * high + 30 * PIXEL;
    let most =
        map.rows.iter().flat_map(|(_, counts)| counts.iter().filter_map(PageCount::count)).max().unwrap_or(1).max(1);
    let body = layer_of((WIDTH, height), |area| {
        put(area, &Rectangle::new([(0, 0), (WIDTH, height)], RGBColor(255, 255, 255).filled()))?;
        for (row, (_, counts)) in map.rows.iter().enumerate() {
            for (column, count) in counts.iter().enumerate() {
                let corner = (LEFT + column as i32 * wide, TOP + row as i32 * high);
                draw_count(area, count, most, [corner, (corner.0 + wide, corner.1 + high)])?;
            }
        }
        let small = |anchor| Lettering::quiet(13 * PIXEL, anchor);
        let room = |units: i32| (units * 1000 / (13 * PIXEL)) as usize;
        // As many labels as there is room for.
        let every = (16 * PIXEL / high).max(1) as usize;
        for (row, (label, _)) in
            map.rows.iter().enumerate().step_by(every + usize::from(16 * PIXEL % high > 0 && high < 16 * PIXEL))
        {
            let label = fit_breadth(&clean(label), room(LEFT - 16 * PIXEL));
            write(area, &label, (LEFT - 8 * PIXEL, TOP + row as i32 * high + high / 2), small(HPos::Right))?;
        }
        let longest =
            map.columns.iter().map(|label| breadth(&clean(label))).max().unwrap_or(0).min(room(LONGEST_LABEL));
        let every = ((longest * 13 * PIXEL as usize / 1000) as i32 + 8 * PIXEL + wide - 1) / wide;
        let every = every.max(1) as usize;
        for (column, label) in map.columns.iter().enumerate().step_by(every) {
            let label = fit_breadth(&clean(label), room(LONGEST_LABEL));
            write(area, &label, (LEFT + column as i32 * wide, TOP - 10 * PIXEL), small(HPos::Left))?;
        }
        write(
            area,
            &fit_breadth(&clean(&map.title), room(WIDTH - 40 * PIXEL) / 2),
            (10 * PIXEL, 16 * PIXEL),
            Lettering::title(16 * PIXEL),
        )?;
        let axes = format!("{} down, {} across", clean(&map.down), clean(&map.across));
        write(area, &fit_breadth(&axes, room(WIDTH - 40 * PIXEL)), (10 * PIXEL, 38 * PIXEL), small(HPos::Left))?;
        draw_key(area, most, map.rows.iter().flat_map(|(_, counts)| counts), (10 * PIXEL, 60 * PIXEL))
    })?;
    let title = escape(&clean(&map.title));
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{title}\">\n<title>{title}</title>\n{body}</svg>\n",
        WIDTH / PIXEL,
        height / PIXEL
    ))
}

/// Draws one count into a rectangle: a tint, a dot for what is not shown, grey for what says little.
pub(super) fn draw_count(
    area: &Area<'_>,
    count: &PageCount,
    most: i64,
    [corner, far]: [(i32, i32); 2],
) -> Result<(), ChartError> {
    let centre = ((corner.0 + far.0) / 2, (corner.1 + far.1) / 2);
    let radius = ((far.0 - corner.0).min(far.1 - corner.1) / 8).max(3);
    match count {
        PageCount::Hidden => put(area, &Circle::new(centre, radius, QUIET.mix(0.5).filled())),
        PageCount::Uncertain { .. } => {
            put(area, &Rectangle::new([corner, (far.0 - 3, far.1 - 3)], QUIET.mix(0.12).filled()))
        }
        PageCount::Count(count) => match tint(*count, most) {
            0 => Ok(()),
            tint => {
                let opacity = f64::from(tint as u32) / TINTS as f64;
                put(area, &Rectangle::new([corner, (far.0 - 3, far.1 - 3)], TINT.mix(opacity).filled()))
            }
        },
    }
}

/// Whether a count's tint is so dark that letters on it are light.
pub(super) fn tinted(count: i64, most: i64) -> Tinted {
    if tint(count, most) * 16 > TINTS * 13 { Tinted::Dark } else { Tinted::Light }
}

/// Draws what tints, grey and dots mean, of those that are there, from a place to the right.
///
/// The number beside a tint is the largest that has it: no tint is called dark or light, as pages are shown both ways.
pub(super) fn draw_key<'c>(
    area: &Area<'_>,
    most: i64,
    counts: impl Iterator<Item = &'c PageCount>,
    (left, middle): (i32, i32),
) -> Result<(), ChartError> {
    const SWATCH: i32 = 14 * PIXEL;
    let (mut dots, mut greys) = (false, false);
    for count in counts {
        match count {
            PageCount::Hidden => dots = true,
            PageCount::Uncertain { .. } => greys = true,
            PageCount::Count(_) => {}
        }
    }
    let mut steps: Vec<i64> = [4, 8, 12, TINTS].map(|step| largest_of(step, most)).to_vec();
    steps.retain(|step| *step > 0);
    steps.dedup();
    let tints = steps.into_iter().map(|step| (PageCount::Count(step), format!("up to {step}")));
    let grey = greys.then(|| (PageCount::Uncertain { count: None, words: String::new() }, "uncertain".to_string()));
    let dot = dots.then(|| (PageCount::Hidden, "not shown".to_string()));
    let mut left = left;
    for (count, words) in tints.chain(grey).chain(dot) {
        let corner = (left, middle - SWATCH / 2);
        draw_count(area, &count, most, [corner, (corner.0 + SWATCH, corner.1 + SWATCH)])?;
        left += SWATCH + 6 * PIXEL;
        write(area, &words, (left, middle), Lettering::quiet(12 * PIXEL, HPos::Left))?;
        left += (breadth(&words) * 12 * PIXEL as usize / 1000) as i32 + 14 * PIXEL;
    }
    Ok(())
}

/// The largest count with a tint.
fn largest_of(step: i128, most: i64) -> i64 {
    let above = (step + 1) * (step + 1) * i128::from(most);
    let bound = (above + TINTS * TINTS - 1) / (TINTS * TINTS) - 1;
    i64::try_from(bound).unwrap_or(most).min(most)
}

/// The step of a count among the tints: whole numbers only, the same on every machine.
fn tint(count: i64, most: i64) -> i128 {
    let part = i128::from(count.clamp(0, most)) * TINTS * TINTS;
    let root = (part / i128::from(most)).isqrt();
    if count > 0 { root.max(1) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(rows: usize, columns: usize) -> Shades {
        Shades {
            title: "<b>\"counts\"".into(),
            down: "age".into(),
            across: "year".into(),
            columns: (0..columns).map(|column| column.to_string()).collect(),
            rows: (0..rows)
                .map(|row| {
                    (
                        format!("row {row}"),
                        (0..columns)
                            .map(|column| match column {
                                1 => PageCount::Hidden,
                                _ => PageCount::Count((row * column) as i64),
                            })
                            .collect(),
                    )
                })
                .collect(),
        }
    }

    #[test]
    fn every_count_is_drawn_and_no_text_becomes_markup() {
        for (rows, columns) in [(1, 1), (50, 100), (5000, 1), (3, 2000)] {
            let drawing = shades(&map(rows, columns)).expect("a drawing");
            let parsed = roxmltree::Document::parse(&drawing).expect("well-formed");
            let visible = (0..rows)
                .map(|row| (0..columns).filter(|column| *column != 1 && row * column > 0).count())
                .sum::<usize>();
            // Paper and key stand above the cells.
            let is_cell = |node: &roxmltree::Node<'_, '_>, at: &str| {
                node.attribute(at).and_then(|at| at.parse::<i32>().ok()).is_some_and(|at| at >= TOP)
            };
            let drawn = |name: &str, at: &str| {
                parsed.descendants().filter(|node| node.has_tag_name(name) && is_cell(node, at)).count()
            };
            assert_eq!(drawn("rect", "y"), visible, "{rows} by {columns}");
            let dots = drawn("circle", "cy");
            assert_eq!(dots, if columns > 1 { rows } else { 0 });
        }
    }

    #[test]
    fn tints_grow_with_the_count_and_small_counts_are_seen() {
        assert_eq!((tint(0, 100), tint(-3, 100), tint(1, 1_000_000), tint(100, 100)), (0, 0, 1, 16));
        assert!((1..100).all(|count| tint(count, 100) <= tint(count + 1, 100)));
        for (most, step) in
            [1, 3, 16, 100, 4785, 1_000_000].into_iter().flat_map(|most| (1..=TINTS).map(move |s| (most, s)))
        {
            let last = largest_of(step, most);
            assert!(last == 0 || tint(last, most) <= step, "{last} of {most}");
            assert!(last == most || tint(last + 1, most) > step, "{last} of {most}");
        }
    }
}
