//! A chart as data: a title, two axes and some named series of points.
//! It must never know how it is drawn, nor change, sort or round a point that it was given.
//! It is separate so that the picture in a report and the sketch in a terminal come from one description.
//! Read `chart/plot.rs` next, then `chart/svg.rs` or `chart/terminal.rs`.

mod calendar;
mod canvas;
mod caption;
mod legend;
mod map;
mod number;
mod pen;
mod plot;
mod ruler;
mod shades;
mod svg;
mod terminal;

pub use caption::columns;
pub use map::{CellMap, MapAxis, cell_map};
pub use shades::{Shades, shades};
pub use svg::{ChartError, svg};
pub use terminal::{TerminalStyle, terminal};

/// A chart, complete with its words, ready for [`svg`] or [`terminal`].
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What the reader should look at. Any text is safe: it is cleaned, escaped and shortened when drawn.
    pub title: String,
    /// A second, quieter line under the title.
    pub subtitle: Option<String>,
    /// The horizontal axis.
    pub x: ChartAxis,
    /// The vertical axis.
    pub y: ChartAxis,
    /// The series, in the order of the legend.
    pub series: Vec<ChartSeries>,
}

/// One axis: its label and its scale. Its limits and ticks follow from the points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChartAxis {
    /// What is measured, with its unit: "people in the group".
    pub label: String,
    /// How values are spread along the axis.
    pub scale: Scale,
}

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally far apart.
    Linear,
    /// Whole numbers such as years: equally far apart, and no tick stands between two of them.
    Whole,
    /// Days since 1970-01-01, equally far apart, labelled with dates.
    Days,
    /// Equal ratios are equally far apart; zero and negative values cannot be shown and are skipped.
    Logarithmic,
}

/// A named sequence of points.
///
/// A point that cannot be shown (not finite, beyond `1e300`, or not positive on a logarithmic axis) is skipped and
/// leaves a gap in the line, so that the drawing never claims a value that is not there.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartSeries {
    /// The name in the legend. Any text is safe.
    pub name: String,
    /// Points `(x, y)`, joined in this order.
    pub points: Vec<(f64, f64)>,
    /// How the points are joined.
    pub shape: ChartShape,
}

/// How the points of a series are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChartShape {
    /// Straight lines from point to point.
    Line,
    /// Each value holds until the next point, then jumps.
    Steps,
    /// Not joined.
    Dots,
}

impl Scale {
    /// Whether an axis of this scale has a place for the value.
    fn shows(self, value: f64) -> bool {
        // Beyond this, the difference of two values could overflow.
        let bounded = value.abs() <= 1e300;
        match self {
            Scale::Linear | Scale::Whole => bounded,
            // Years 1 to 9999, which have names.
            Scale::Days => (-719_162.0..2_932_897.0).contains(&value),
            Scale::Logarithmic => bounded && value > 0.0,
        }
    }
}

impl Chart {
    /// Whether the point has a place on both axes.
    fn shows(&self, point: (f64, f64)) -> bool {
        self.x.scale.shows(point.0) && self.y.scale.shows(point.1)
    }
}
