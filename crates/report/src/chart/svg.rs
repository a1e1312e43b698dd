//! A chart as an SVG picture of 740 by 450, with its legend in a panel of its own to the right of the lines.
//! It must never let a word from outside become markup, nor give different bytes for the same chart.
//! It is separate because only here do pixels, colours and fonts matter.
//! Read `pen.rs` next, for what tells the series apart.

use std::error::Error;
use std::fmt;

use plotters::coord::Shift;
use plotters::element::{Circle, Drawable, PathElement, PointCollection, Polygon, Rectangle, Text};
use plotters::prelude::{DrawingArea, IntoDrawingArea, RGBColor, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, TextStyle};

use super::caption::{breadth, clean, fit_breadth, fold};
use super::legend::{NOTHING, description, names};
use super::pen::{Fill, Mark, Outline, Pen, pen};
use super::plot::{Place, Plot};
use super::{Chart, ChartShape};

/// Why a chart could not be drawn.
#[derive(Debug)]
pub enum ChartError {
    /// The drawing library failed; writing into memory, it has no known reason to.
    Drawing {
        /// What the library said.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl fmt::Display for ChartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChartError::Drawing { .. } => f.write_str("the chart could not be drawn"),
        }
    }
}

impl Error for ChartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ChartError::Drawing { source } => Some(source.as_ref()),
        }
    }
}

/// Returns the chart as one SVG element, 740 by 450, ready for a file or for an HTML page.
///
/// The background is opaque, so it reads the same on light and dark pages. The element has no ids, scripts, styles or
/// links, so several can stand in one page. The same chart always gives the same bytes.
pub fn svg(chart: &Chart) -> Result<String, ChartError> {
    let mut body = layer(|area| draw_header(area, chart))?;
    match Plot::of(chart, (7, 7)) {
        Some(plot) => {
            let frame = Frame::around(chart, &plot);
            body += &layer(|area| draw_axes(area, chart, &plot, &frame))?;
            for (place, name) in names(chart, &plot).iter().enumerate() {
                body += &draw_curve(&plot, &frame, place, name)?;
            }
            body += &draw_legend(chart, &frame)?;
        }
        None => body += &layer(draw_nothing)?,
    }
    let title = escape(&clean(&chart.title));
    let desc = escape(&description(chart));
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"740\" height=\"450\" viewBox=\"0 0 7400 4500\" role=\"img\" \
         aria-label=\"{title}\">\n<title>{title}</title>\n<desc>{desc}</desc>\n{body}</svg>\n"
    ))
}

/// The drawing library counts in whole numbers, so a unit is a tenth of a pixel: lines stay smooth.
const PIXEL: i32 = 10;
const WIDTH: i32 = 740 * PIXEL;
const HEIGHT: i32 = 450 * PIXEL;
const MARGIN: i32 = 24 * PIXEL;

const PAPER: RGBColor = RGBColor(255, 255, 255);
const BORDER: RGBColor = RGBColor(205, 211, 218);
const GRID: RGBColor = RGBColor(228, 232, 236);
const AXIS: RGBColor = RGBColor(122, 132, 143);
const QUIET: RGBColor = RGBColor(82, 92, 103);
const INK: RGBColor = RGBColor(27, 34, 42);

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The rectangle between the axes, and the room for a name in the legend to its right.
struct Frame {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
    /// The names of the series, folded to the room there is.
    legend: Vec<Vec<String>>,
    /// The gap between two names.
    legend_skip: i32,
}

const LEGEND_TEXT: i32 = 13 * PIXEL;
const LEGEND_LINE: i32 = 16 * PIXEL;
/// How far the legend may reach below the horizontal axis.
const LEGEND_BELOW: i32 = 26 * PIXEL;
const LEGEND_SWATCH: i32 = 34 * PIXEL;
const LEGEND_GAP: i32 = 26 * PIXEL;
const TICK_TEXT: i32 = 12 * PIXEL;

impl Frame {
    fn around(chart: &Chart, plot: &Plot) -> Frame {
        let widest_tick = plot.y.ticks.iter().map(|tick| breadth(&tick.label)).max().unwrap_or(0);
        let room = 150 * PIXEL as usize * 1000 / LEGEND_TEXT as usize;
        let top = if chart.subtitle.is_some() { 112 * PIXEL } else { 88 * PIXEL };
        let bottom = HEIGHT - 70 * PIXEL;
        let names = names(chart, plot);
        let folded: Vec<Vec<String>> = names.iter().map(|name| fold(name, room)).collect();
        let short: Vec<Vec<String>> = names.iter().map(|name| vec![fit_breadth(name, room)]).collect();
        let lines = |entries: &[Vec<String>]| entries.iter().map(|lines| lines.len() as i32).sum::<i32>();
        let height = bottom - top + LEGEND_BELOW;
        let skip_for = |entries: &[Vec<String>]| {
            let skips = [12, 9, 6].map(|skip| skip * PIXEL);
            skips.into_iter().find(|skip| lines(entries) * LEGEND_LINE + entries.len() as i32 * skip <= height)
        };
        let (legend, legend_skip) = match skip_for(&folded) {
            Some(skip) => (folded, skip),
            None => {
                let skip = skip_for(&short).unwrap_or(6 * PIXEL);
                (short, skip)
            }
        };
        let widest_name = legend.iter().flatten().map(|line| breadth(line)).max().unwrap_or(0);
        let panel = LEGEND_GAP + LEGEND_SWATCH + 8 * PIXEL + units(widest_name, LEGEND_TEXT) + 16 * PIXEL;
        Frame {
            left: MARGIN + units(widest_tick, TICK_TEXT).max(24 * PIXEL) + 10 * PIXEL,
            right: WIDTH - panel,
            top,
            bottom,
            legend,
            legend_skip,
        }
    }

    fn across(&self, at: f64) -> i32 {
        self.left + (at * f64::from(self.right - self.left)).round() as i32
    }

    fn up(&self, at: f64) -> i32 {
        self.bottom - (at * f64::from(self.bottom - self.top)).round() as i32
    }

    fn spot(&self, (along, up): Place) -> (i32, i32) {
        (self.across(along), self.up(up))
    }
}

/// The length of a text whose breadth is known in thousandths of its size.
fn units(breadth: usize, size: i32) -> i32 {
    (breadth * size as usize / 1000) as i32
}

fn draw_header(area: &Area<'_>, chart: &Chart) -> Result<(), ChartError> {
    let (right, bottom) = (WIDTH - 5, HEIGHT - 5);
    put(area, &Rectangle::new([(0, 0), (WIDTH, HEIGHT)], PAPER.filled()))?;
    let corners = vec![(5, 5), (right, 5), (right, bottom), (5, bottom), (5, 5)];
    put(area, &PathElement::new(corners, BORDER.stroke_width(PIXEL as u32)))?;
    let room = |size: i32| ((WIDTH - 2 * MARGIN) * 1000 / size) as usize;
    let title_size = 19 * PIXEL;
    // Bold letters are about a tenth broader.
    let title = fit_breadth(&clean(&chart.title), room(title_size) * 9 / 10);
    write(
        area,
        &title,
        (MARGIN, 38 * PIXEL),
        Lettering { size: title_size, colour: INK, anchor: HPos::Left, bold: true },
    )?;
    let subtitle = fit_breadth(&clean(chart.subtitle.as_deref().unwrap_or("")), room(14 * PIXEL));
    write(area, &subtitle, (MARGIN, 62 * PIXEL), Lettering::quiet(14 * PIXEL, HPos::Left))
}

fn draw_nothing(area: &Area<'_>) -> Result<(), ChartError> {
    let (left, right, top, bottom) = (MARGIN, WIDTH - MARGIN, 92 * PIXEL, HEIGHT - MARGIN);
    let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    put(area, &PathElement::new(corners, BORDER.stroke_width(PIXEL as u32)))?;
    write(area, NOTHING, (WIDTH / 2, (top + bottom) / 2), Lettering::quiet(16 * PIXEL, HPos::Center))
}

fn draw_axes(area: &Area<'_>, chart: &Chart, plot: &Plot, frame: &Frame) -> Result<(), ChartError> {
    let grid = GRID.stroke_width(PIXEL as u32);
    let axis = AXIS.stroke_width(PIXEL as u32);
    for tick in &plot.y.ticks {
        let y = frame.up(tick.at);
        put(area, &PathElement::new(vec![(frame.left, y), (frame.right, y)], grid))?;
        write(area, &tick.label, (frame.left - 8 * PIXEL, y), Lettering::quiet(TICK_TEXT, HPos::Right))?;
    }
    let mut free = 0;
    for tick in &plot.x.ticks {
        let x = frame.across(tick.at);
        let half = units(breadth(&tick.label), TICK_TEXT) / 2;
        // A label that would touch its neighbour is left out; its tick with it.
        if x - half < free {
            continue;
        }
        free = x + half + 4 * PIXEL;
        put(area, &PathElement::new(vec![(x, frame.top), (x, frame.bottom)], grid))?;
        put(area, &PathElement::new(vec![(x, frame.bottom), (x, frame.bottom + 5 * PIXEL)], axis))?;
        write(area, &tick.label, (x, frame.bottom + 16 * PIXEL), Lettering::quiet(TICK_TEXT, HPos::Center))?;
    }
    put(area, &PathElement::new(vec![(frame.left, frame.bottom), (frame.right, frame.bottom)], axis))?;
    let size = 13 * PIXEL;
    let room = |units: i32| (units * 1000 / size) as usize;
    // The label of the vertical axis stands above it: nobody has to tilt their head.
    let above = fit_breadth(&clean(&chart.y.label), room(frame.right - MARGIN));
    write(area, &above, (MARGIN, frame.top - 22 * PIXEL), Lettering::label(HPos::Left))?;
    let below = fit_breadth(&clean(&chart.x.label), room(frame.right - frame.left));
    let centre = (frame.left + frame.right) / 2;
    write(area, &below, (centre, frame.bottom + 44 * PIXEL), Lettering::label(HPos::Center))
}

fn draw_curve(plot: &Plot, frame: &Frame, place: usize, name: &str) -> Result<String, ChartError> {
    let (curve, pen) = (&plot.curves[place], pen(place));
    let lines = layer(|area| {
        for path in curve.paths() {
            let mut spots: Vec<(i32, i32)> = Vec::with_capacity(path.len());
            for spot in path.into_iter().map(|place| frame.spot(place)) {
                // A million points in one pixel would only make the file large.
                let near =
                    |last: &(i32, i32)| (last.0 - spot.0).abs() < PIXEL / 2 && (last.1 - spot.1).abs() < PIXEL / 2;
                if !spots.last().is_some_and(near) {
                    spots.push(spot);
                }
            }
            put(area, &PathElement::new(spots, colour(&pen).stroke_width(20)))?;
        }
        Ok(())
    })?;
    let spacing = 44 * PIXEL;
    let lead = spacing * place as i32 / plot.curves.len() as i32;
    let marks = layer(|area| {
        let marks = curve.marks(spacing, lead, |place| frame.spot(place));
        marks.into_iter().try_for_each(|centre| draw_mark(area, centre, &pen))
    })?;
    Ok(format!("<g><title>{}</title>\n{}{marks}</g>\n", escape(name), dashed(&lines, &pen)))
}

fn draw_legend(chart: &Chart, frame: &Frame) -> Result<String, ChartError> {
    let left = frame.right + LEGEND_GAP;
    let text_left = left + LEGEND_SWATCH + 8 * PIXEL;
    let mut top = frame.top;
    let mut legend = String::new();
    for (place, (series, lines)) in chart.series.iter().zip(&frame.legend).enumerate() {
        let left_out = chart.series.len() - place;
        let height = LEGEND_LINE * lines.len() as i32;
        if top + height > frame.bottom + LEGEND_BELOW && left_out > 1 {
            let more = format!("and {left_out} more");
            return Ok(legend
                + &layer(|area| write(area, &more, (text_left, top), Lettering::quiet(LEGEND_TEXT, HPos::Left)))?);
        }
        let pen = pen(place);
        let swatch = vec![(left, top), (left + LEGEND_SWATCH, top)];
        if series.shape != ChartShape::Dots {
            legend +=
                &dashed(&layer(|area| put(area, &PathElement::new(swatch, colour(&pen).stroke_width(20))))?, &pen);
        }
        legend += &layer(|area| {
            draw_mark(area, (left + LEGEND_SWATCH / 2, top), &pen)?;
            for (line, text) in lines.iter().enumerate() {
                let spot = (text_left, top + LEGEND_LINE * line as i32);
                write(area, text, spot, Lettering { size: LEGEND_TEXT, colour: INK, anchor: HPos::Left, bold: false })?;
            }
            Ok(())
        })?;
        top += height + frame.legend_skip;
    }
    Ok(legend)
}

fn draw_mark(area: &Area<'_>, centre: (i32, i32), pen: &Pen) -> Result<(), ChartError> {
    let Mark { outline, fill } = pen.mark;
    let inside = match fill {
        Fill::Solid => colour(pen),
        Fill::Hollow => PAPER,
    };
    let radius = 4 * PIXEL;
    // Solid marks get an edge of paper, so that they stand out where lines cross.
    let (edge, width) = match fill {
        Fill::Solid => (PAPER, 8),
        Fill::Hollow => (colour(pen), 16),
    };
    if outline == Outline::Circle {
        put(area, &Circle::new(centre, radius, inside.filled()))?;
        return put(area, &Circle::new(centre, radius, edge.stroke_width(width)));
    }
    let mut corners: Vec<(i32, i32)> = (outline.corners(f64::from(radius)).into_iter())
        .map(|(along, down)| (centre.0 + along, centre.1 + down))
        .collect();
    put(area, &Polygon::new(corners.clone(), inside.filled()))?;
    // Twice past the start, so that the last corner is as sharp as the others.
    corners.extend_from_within(..2);
    put(area, &PathElement::new(corners, edge.stroke_width(width)))
}

fn colour(pen: &Pen) -> RGBColor {
    let (red, green, blue) = pen.colour;
    RGBColor(red, green, blue)
}

/// The drawing library has no dashes; a group hands them down to the lines in it.
fn dashed(lines: &str, pen: &Pen) -> String {
    let dashes: Vec<String> = pen.dashes.iter().map(|pixels| (pixels * PIXEL as u32).to_string()).collect();
    match dashes.as_slice() {
        [] => format!("<g stroke-linejoin=\"round\">\n{lines}</g>\n"),
        dashes => format!("<g stroke-linejoin=\"round\" stroke-dasharray=\"{}\">\n{lines}</g>\n", dashes.join(" ")),
    }
}

/// What letters stand on.
#[derive(Clone, Copy)]
pub(super) enum Tinted {
    Light,
    Dark,
}

pub(super) struct Lettering {
    size: i32,
    colour: RGBColor,
    anchor: HPos,
    bold: bool,
}

impl Lettering {
    pub(super) fn title(size: i32) -> Lettering {
        Lettering { size, colour: INK, anchor: HPos::Left, bold: true }
    }

    /// A number in the middle of a cell, which can be read on its tint.
    pub(super) fn on_tint(size: i32, tinted: Tinted) -> Lettering {
        let colour = match tinted {
            Tinted::Light => INK,
            Tinted::Dark => PAPER,
        };
        Lettering { size, colour, anchor: HPos::Center, bold: false }
    }

    pub(super) fn quiet(size: i32, anchor: HPos) -> Lettering {
        Lettering { size, colour: QUIET, anchor, bold: false }
    }

    fn label(anchor: HPos) -> Lettering {
        Lettering { size: 13 * PIXEL, colour: INK, anchor, bold: false }
    }
}

/// Writes one line of text, vertically centred on the spot.
pub(super) fn write(area: &Area<'_>, text: &str, spot: (i32, i32), lettering: Lettering) -> Result<(), ChartError> {
    if text.is_empty() {
        return Ok(());
    }
    let weight = if lettering.bold { FontStyle::Bold } else { FontStyle::Normal };
    // The library divides font sizes by 1.24 on their way into an SVG.
    let size = f64::from(lettering.size) * 1.24;
    let font = FontDesc::new(FontFamily::Name("Helvetica, Arial, sans-serif"), size, weight);
    let style = TextStyle::from(font).color(&lettering.colour).pos(Pos::new(lettering.anchor, VPos::Center));
    put(area, &Text::new(text, spot, style))
}

pub(super) fn put<'a, 'b, E>(area: &Area<'b>, element: &'a E) -> Result<(), ChartError>
where
    &'a E: PointCollection<'a, (i32, i32)>,
    E: Drawable<SVGBackend<'b>>,
{
    area.draw(element).map_err(|error| ChartError::Drawing { source: Box::new(error) })
}

/// Returns what was drawn, without the root element around it: the root and the groups are ours.
fn layer(draw: impl FnOnce(&Area<'_>) -> Result<(), ChartError>) -> Result<String, ChartError> {
    layer_of((WIDTH, HEIGHT), draw)
}

/// The same in a picture of another size.
pub(super) fn layer_of(
    (width, height): (i32, i32),
    draw: impl FnOnce(&Area<'_>) -> Result<(), ChartError>,
) -> Result<String, ChartError> {
    let mut document = String::new();
    {
        let area = SVGBackend::with_string(&mut document, (width as u32, height as u32)).into_drawing_area();
        draw(&area)?;
        area.present().map_err(|error| ChartError::Drawing { source: Box::new(error) })?;
    }
    let inside = document.split_once(">\n").and_then(|(_, rest)| rest.strip_suffix("</svg>\n"));
    inside.map(str::to_string).ok_or_else(|| ChartError::Drawing { source: "not an SVG document".into() })
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&apos;")
}
