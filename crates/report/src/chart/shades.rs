//! A map of cells: a table with two dimensions, a tint for each count, for tables that are too large for numbers.
//! It must never tell apart what it does not show: a missing count is hatched by a dot, and never a light tint.
//! It is separate from the charts of lines because cells have no axes, only rows and columns.
//! Read `../page.rs` next.

use super::caption::{clean, fit_breadth};
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
const WIDTH: i32 = 900 * PIXEL;
const LEFT: i32 = 150 * PIXEL;
const TOP: i32 = 74 * PIXEL;
const TINT: RGBColor = RGBColor(0, 114, 178);
const QUIET: RGBColor = RGBColor(82, 92, 103);
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
        let every = (90 * PIXEL / wide).max(1) as usize;
        for (column, label) in map.columns.iter().enumerate().step_by(every) {
            let label = fit_breadth(&clean(label), room(84 * PIXEL));
            write(area, &label, (LEFT + column as i32 * wide, TOP - 10 * PIXEL), small(HPos::Left))?;
        }
        write(
            area,
            &fit_breadth(&clean(&map.title), room(WIDTH - 40 * PIXEL) / 2),
            (10 * PIXEL, 16 * PIXEL),
            Lettering::title(16 * PIXEL),
        )?;
        let axes = format!(
            "{} down, {} across; {}",
            clean(&map.down),
            clean(&map.across),
            key_words(most, map.rows.iter().flat_map(|(_, counts)| counts))
        );
        write(area, &fit_breadth(&axes, room(WIDTH - 40 * PIXEL)), (10 * PIXEL, 38 * PIXEL), small(HPos::Left))
    })?;
    let title = escape(&clean(&map.title));
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"{}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{title}\">\n<title>{title}</title>\n{body}</svg>\n",
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
    if tint(count, most) * 8 > TINTS * 5 { Tinted::Dark } else { Tinted::Light }
}

/// What tints, dots and grey mean, of those that are there.
pub(super) fn key_words<'c>(most: i64, counts: impl Iterator<Item = &'c PageCount>) -> String {
    let (mut dots, mut greys) = ("", "");
    for count in counts {
        match count {
            PageCount::Hidden => dots = ", a dot is not shown",
            PageCount::Uncertain { .. } => greys = ", grey is uncertain",
            PageCount::Count(_) => {}
        }
    }
    format!("the darkest is {most}{dots}{greys}")
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
            let rectangles = parsed.descendants().filter(|node| node.has_tag_name("rect")).count();
            assert_eq!(rectangles, visible + 1, "{rows} by {columns}, and the paper");
            let dots = parsed.descendants().filter(|node| node.has_tag_name("circle")).count();
            assert_eq!(dots, if columns > 1 { rows } else { 0 });
        }
    }

    #[test]
    fn tints_grow_with_the_count_and_small_counts_are_seen() {
        assert_eq!((tint(0, 100), tint(-3, 100), tint(1, 1_000_000), tint(100, 100)), (0, 0, 1, 16));
        assert!((1..100).all(|count| tint(count, 100) <= tint(count + 1, 100)));
    }
}
