//! A chart laid out on the unit square: two rulers, and every series as runs of places between 0 and 1.
//! It must never join two points across one that could not be shown.
//! It is separate because both drawings start from it, and differ only in what they do with a place.
//! Read `svg.rs` or `terminal.rs` next.

use super::ruler::Ruler;
use super::{Chart, ChartShape};

/// A place on the unit square, from the lower left corner.
pub(super) type Place = (f64, f64);

/// A chart on the unit square.
pub(super) struct Plot {
    pub x: Ruler,
    pub y: Ruler,
    /// One curve per series of the chart, in the same order.
    pub curves: Vec<Curve>,
}

/// What can be shown of one series.
pub(super) struct Curve {
    pub shape: ChartShape,
    /// Neighbouring points that can all be shown.
    pub runs: Vec<Vec<Place>>,
}

impl Plot {
    /// Returns the chart laid out with at most so many ticks along `(x, y)`, or nothing if it has no point to show.
    pub fn of(chart: &Chart, most_ticks: (usize, usize)) -> Option<Plot> {
        let shown = || chart.series.iter().flat_map(|series| &series.points).filter(|&&point| chart.shows(point));
        let x = Ruler::around(chart.x.scale, shown().map(|point| point.0), most_ticks.0)?;
        let y = Ruler::around(chart.y.scale, shown().map(|point| point.1), most_ticks.1)?;
        let place = |&(along, up): &(f64, f64)| (x.place(along), y.place(up));
        let curves = (chart.series.iter())
            .map(|series| {
                let runs = series.points.split(|&point| !chart.shows(point)).filter(|run| !run.is_empty());
                Curve { shape: series.shape, runs: runs.map(|run| run.iter().map(place).collect()).collect() }
            })
            .collect();
        Some(Plot { x, y, curves })
    }
}

impl Curve {
    /// Whether no point of the series can be shown.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Returns the lines to draw: the corners of steps are filled in, and dots have no line.
    pub fn paths(&self) -> Vec<Vec<Place>> {
        match self.shape {
            ChartShape::Line => self.runs.clone(),
            ChartShape::Steps => self.runs.iter().map(|run| with_corners(run)).collect(),
            ChartShape::Dots => Vec::new(),
        }
    }

    /// Returns the points that get a mark, in the coordinates of a drawing.
    ///
    /// Dots are all marked. Along a line, marks keep `spacing` apart, and a crowded line starts them `lead` later, so
    /// that lines which coincide show the marks of both. A curve that is not empty has at least one mark.
    pub fn marks(&self, spacing: i32, lead: i32, draw: impl Fn(Place) -> (i32, i32)) -> Vec<(i32, i32)> {
        let points: Vec<(i32, i32)> = self.runs.iter().flatten().map(|&place| draw(place)).collect();
        if self.shape == ChartShape::Dots {
            let mut marks = Vec::with_capacity(points.len());
            for point in points {
                if marks.last() != Some(&point) {
                    marks.push(point);
                }
            }
            return marks;
        }
        let far = |a: (i32, i32), b: (i32, i32)| (a.0 - b.0).abs().max((a.1 - b.1).abs());
        let Some(&start) = points.first() else { return Vec::new() };
        let crowded = points.windows(2).filter(|two| far(two[0], two[1]) < spacing).count() * 2 > points.len();
        let mut marks: Vec<(i32, i32)> = Vec::new();
        for &point in &points {
            let free = match marks.last() {
                None => !crowded || far(start, point) >= lead,
                Some(&last) => far(last, point) >= spacing,
            };
            if free {
                marks.push(point);
            }
        }
        if marks.is_empty() {
            marks.push(start);
        }
        // Nothing but its mark shows a point between two gaps.
        let alone = self.runs.iter().filter(|run| run.len() == 1).map(|run| draw(run[0]));
        let alone: Vec<(i32, i32)> = alone.filter(|point| !marks.contains(point)).collect();
        marks.extend(alone);
        marks
    }
}

fn with_corners(run: &[Place]) -> Vec<Place> {
    let mut path = Vec::with_capacity(2 * run.len());
    for &(along, up) in run {
        if let Some(&(_, held)) = path.last() {
            path.push((along, held));
        }
        path.push((along, up));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::super::{ChartAxis, ChartSeries, Scale};
    use super::*;

    fn plot(points: &[(f64, f64)], shape: ChartShape) -> Plot {
        let axis = |scale| ChartAxis { label: String::new(), scale };
        let series = vec![ChartSeries { name: String::new(), points: points.to_vec(), shape }];
        let (x, y) = (axis(Scale::Linear), axis(Scale::Linear));
        Plot::of(&Chart { title: String::new(), subtitle: None, x, y, series }, (5, 5)).unwrap()
    }

    #[test]
    fn a_point_that_cannot_be_shown_leaves_a_gap() {
        let plot = plot(&[(0.0, 0.0), (1.0, 1.0), (2.0, f64::INFINITY), (3.0, 1.0), (4.0, 4.0)], ChartShape::Line);
        assert_eq!(plot.curves[0].paths(), [[(0.0, 0.0), (0.25, 0.25)], [(0.75, 0.25), (1.0, 1.0)]]);
    }

    #[test]
    fn a_step_holds_its_value_until_the_next_point() {
        let plot = plot(&[(0.0, 4.0), (2.0, 2.0), (4.0, 0.0)], ChartShape::Steps);
        assert_eq!(plot.curves[0].paths(), [[(0.0, 1.0), (0.5, 1.0), (0.5, 0.5), (1.0, 0.5), (1.0, 0.0)]]);
    }

    #[test]
    fn marks_keep_apart_on_a_crowded_line_and_coinciding_lines_start_apart() {
        let points: Vec<(f64, f64)> = (0..=100).map(|x| (f64::from(x), 0.0)).collect();
        let plot = plot(&points, ChartShape::Line);
        let draw = |(along, _): Place| ((100.0 * along).round() as i32, 0);
        let columns = |lead| plot.curves[0].marks(30, lead, draw).iter().map(|mark| mark.0).collect::<Vec<_>>();
        assert_eq!(columns(0), [0, 30, 60, 90]);
        assert_eq!(columns(15), [15, 45, 75]);
    }
}
