//! Cells of a plane with their true shapes: where they lie along two axes, and how long a step up is beside one to the
//! right. It must never stretch a cell, or turn the plane: the first axis goes to the right, the second upwards.
//! It is separate from shades, whose rows and columns have names and no lengths.
//! Read `shades.rs` next, for how a count is drawn.

use super::caption::{breadth, clean, fit_breadth};
use super::shades::{draw_count, draw_key, tinted};
use super::svg::{ChartError, Lettering, escape, layer_of, put, write};
use crate::count::PageCount;
use plotters::element::{PathElement, Rectangle};
use plotters::prelude::RGBColor;
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

/// Counts of cells on a plane.
#[derive(Debug, Clone, PartialEq)]
pub struct CellMap {
    /// What the map shows.
    pub title: String,
    /// The axis that goes to the right.
    pub right: MapAxis,
    /// The axis that goes upwards.
    pub up: MapAxis,
    /// How long a unit upwards is, in units to the right.
    pub height_of_a_unit: f64,
    /// Rows from the lowest on, each with its cells from the left.
    pub cells: Vec<Vec<PageCount>>,
}

/// An axis of a map.
#[derive(Debug, Clone, PartialEq)]
pub struct MapAxis {
    /// What it measures.
    pub label: String,
    /// Where cells end, ascending, one more than there are cells; each with its name.
    pub edges: Vec<(f64, String)>,
}

/// A unit is a tenth of a pixel.
const PIXEL: i32 = 10;
const WIDTH: i32 = 740 * PIXEL;
/// Where cells begin at least, and how much room they have.
const LEFT: i32 = 80 * PIXEL;
const TOP: i32 = 86 * PIXEL;
const ROOM: (i32, i32) = (640 * PIXEL, 600 * PIXEL);
const TEXT: i32 = 12 * PIXEL;
const PAPER: RGBColor = RGBColor(255, 255, 255);
const BORDER: RGBColor = RGBColor(122, 132, 143);

/// Returns the map as one SVG element; darker where there are more.
pub fn cell_map(map: &CellMap) -> Result<String, ChartError> {
    let (across, up) = (extent(&map.right), extent(&map.up));
    let height_of_a_unit = if map.height_of_a_unit > 0.0 { map.height_of_a_unit } else { 1.0 };
    let scale = (f64::from(ROOM.0) / across).min(f64::from(ROOM.1) / (up * height_of_a_unit));
    let (wide, high) = ((across * scale) as i32, (up * height_of_a_unit * scale) as i32);
    let height = TOP + high + 66 * PIXEL;
    let left = LEFT.max((WIDTH - wide) / 2);
    let place = |axis: &MapAxis, edge: f64, length: i32| {
        let start = axis.edges.first().map_or(0.0, |first| first.0);
        ((edge - start) / extent(axis) * f64::from(length)).round() as i32
    };
    let columns: Vec<i32> = map.right.edges.iter().map(|edge| left + place(&map.right, edge.0, wide)).collect();
    let rows: Vec<i32> = map.up.edges.iter().map(|edge| TOP + high - place(&map.up, edge.0, high)).collect();
    let counts = || map.cells.iter().flatten();
    let most = counts().filter_map(PageCount::count).max().unwrap_or(1).max(1);
    // All numbers, or none: a cell without one would look like another kind of cell.
    let narrowest = |edges: &[i32]| edges.windows(2).map(|two| (two[1] - two[0]).abs()).min().unwrap_or(0);
    let room = (narrowest(&columns) - 2 * PIXEL, narrowest(&rows) - 4 * PIXEL);
    let longest = counts().filter_map(PageCount::count).map(|count| breadth(&count.to_string())).max().unwrap_or(0);
    let fits = |size: &i32| (longest * *size as usize / 1000) as i32 <= room.0 && *size <= room.1;
    let size = [TEXT, 10 * PIXEL].into_iter().find(fits);
    let body = layer_of((WIDTH, height), |area| {
        put(area, &Rectangle::new([(0, 0), (WIDTH, height)], PAPER.filled()))?;
        for (cells, bounds) in map.cells.iter().zip(rows.windows(2)) {
            for (count, sides) in cells.iter().zip(columns.windows(2)) {
                draw_count(area, count, most, [(sides[0], bounds[1]), (sides[1], bounds[0])])?;
                if let (PageCount::Count(count), Some(size)) = (count, size) {
                    let middle = ((sides[0] + sides[1]) / 2, (bounds[0] + bounds[1]) / 2);
                    write(area, &count.to_string(), middle, Lettering::on_tint(size, tinted(*count, most)))?;
                }
            }
        }
        let frame = [(0, 0), (wide, 0), (wide, high), (0, high), (0, 0)];
        let frame = frame.map(|(right, down)| (left + right, TOP + down)).to_vec();
        put(area, &PathElement::new(frame, BORDER.stroke_width(PIXEL as u32)))?;
        // As many names of edges as there is room for.
        let mut free = i32::MIN;
        for (at, (_, name)) in columns.iter().zip(&map.right.edges) {
            let name = clean(name);
            if *at - length(&name) / 2 > free {
                free = *at + length(&name) / 2 + 10 * PIXEL;
                write(area, &name, (*at, TOP + high + 16 * PIXEL), Lettering::quiet(TEXT, HPos::Center))?;
            }
        }
        let mut free = i32::MAX;
        for (at, (_, name)) in rows.iter().zip(&map.up.edges) {
            if *at < free {
                free = *at - 18 * PIXEL;
                let name = fit_breadth(&clean(name), text_room(left - 14 * PIXEL));
                write(area, &name, (left - 8 * PIXEL, *at), Lettering::quiet(TEXT, HPos::Right))?;
            }
        }
        let (right, up) = (clean(&map.right.label), clean(&map.up.label));
        let below = fit_breadth(&right, text_room(ROOM.0));
        write(area, &below, (left + wide / 2, TOP + high + 40 * PIXEL), Lettering::quiet(TEXT, HPos::Center))?;
        let title = fit_breadth(&clean(&map.title), text_room(WIDTH - 40 * PIXEL) * 7 / 10);
        write(area, &title, (10 * PIXEL, 16 * PIXEL), Lettering::title(16 * PIXEL))?;
        let axes = format!("{up} upwards, {right} to the right");
        let axes = fit_breadth(&axes, text_room(WIDTH - 40 * PIXEL));
        write(area, &axes, (10 * PIXEL, 38 * PIXEL), Lettering::quiet(13 * PIXEL, HPos::Left))?;
        draw_key(area, most, counts(), (10 * PIXEL, 60 * PIXEL))
    })?;
    let title = escape(&clean(&map.title));
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{title}\">\n<title>{title}</title>\n{body}</svg>\n",
        WIDTH / PIXEL,
        height / PIXEL
    ))
}

/// How far an axis goes; never nothing.
fn extent(axis: &MapAxis) -> f64 {
    let ends = axis.edges.first().zip(axis.edges.last()).map_or(0.0, |(first, last)| last.0 - first.0);
    if ends > 0.0 && ends.is_finite() { ends } else { 1.0 }
}

/// The breadth of text that has so much room.
fn text_room(units: i32) -> usize {
    (units * 1000 / TEXT).max(0) as usize
}

fn length(text: &str) -> i32 {
    (breadth(text) * TEXT as usize / 1000) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(label: &str, edges: &[f64]) -> MapAxis {
        MapAxis { label: label.into(), edges: edges.iter().map(|edge| (*edge, edge.to_string())).collect() }
    }

    #[test]
    fn cells_have_their_true_shape_and_up_is_up() {
        let map = CellMap {
            title: "<b>points".into(),
            right: axis("lng", &[0.0, 1.0, 3.0]),
            up: axis("lat", &[50.0, 51.0, 52.0]),
            height_of_a_unit: 2.0,
            cells: vec![vec![PageCount::Count(9), PageCount::Hidden], vec![PageCount::Count(4), PageCount::Count(1)]],
        };
        let drawing = cell_map(&map).expect("a drawing");
        let parsed = roxmltree::Document::parse(&drawing).expect("well-formed");
        let number =
            |node: &roxmltree::Node<'_, '_>, name: &str| node.attribute(name).and_then(|n| n.parse::<f64>().ok());
        let cells: Vec<[f64; 4]> = parsed
            .descendants()
            .filter(|node| node.has_tag_name("rect"))
            .filter(|node| number(node, "y").is_some_and(|y| y >= f64::from(TOP)))
            .map(|node| ["x", "y", "width", "height"].map(|name| number(&node, name).expect("a number")))
            .collect();
        let [lower, upper, wider] = cells.as_slice() else { panic!("three cells: {cells:?}") };
        assert!(lower[1] > upper[1] && lower[0] == upper[0], "south is below north");
        assert!((lower[3] / lower[2] - 2.0).abs() < 0.01, "twice as high as wide: {lower:?}");
        assert!((wider[2] / upper[2] - 2.0).abs() < 0.01 && wider[1] == upper[1], "twice as wide: {wider:?}");
    }

    #[test]
    fn an_axis_without_extent_is_drawn() {
        let none = CellMap {
            title: String::new(),
            right: axis("x", &[]),
            up: axis("y", &[1.0]),
            height_of_a_unit: f64::NAN,
            cells: vec![vec![]],
        };
        assert!(cell_map(&none).is_ok());
    }
}
