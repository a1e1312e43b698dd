//! The words that go with a drawing: the names of the series, and a description for those who cannot see it.
//! It must never be empty where a reader would look for a name, nor hide that a series has no point to show.
//! It is separate because the legend and the description must say the same in every drawing.
//! Read `svg.rs` next.

use super::calendar;
use super::caption::clean;
use super::number::roughly;
use super::plot::Plot;
use super::{Chart, ChartAxis, ChartSeries, Scale};

/// What a chart without points says instead.
pub(super) const NOTHING: &str = "nothing to show";

/// Returns the clean name of every series, in order.
pub(super) fn names(chart: &Chart, plot: &Plot) -> Vec<String> {
    (chart.series.iter().zip(&plot.curves).enumerate())
        .map(|(place, (series, curve))| {
            let name = name(place, series);
            if curve.is_empty() { format!("{name} ({NOTHING})") } else { name }
        })
        .collect()
}

fn name(place: usize, series: &ChartSeries) -> String {
    let name = clean(&series.name);
    if name.is_empty() { format!("series {}", place + 1) } else { name }
}

/// Returns the chart in sentences: its axes, and where each series begins and ends.
pub(super) fn description(chart: &Chart) -> String {
    let mut sentences = vec![format!("{} against {}.", axis(&chart.y, "vertical"), axis(&chart.x, "horizontal"))];
    sentences.extend(chart.subtitle.as_deref().map(clean).filter(|text| !text.is_empty()));
    let along = |value: f64| match chart.x.scale {
        Scale::Linear | Scale::Logarithmic => roughly(value),
        Scale::Whole => format!("{value:.0}"),
        Scale::Days => calendar::name(value as i64),
    };
    for (place, series) in chart.series.iter().enumerate() {
        let shown = || series.points.iter().filter(|&&point| chart.shows(point));
        let name = name(place, series);
        sentences.push(match (shown().next(), shown().next_back()) {
            (Some(first), Some(last)) if first != last => {
                let ([x0, x1], [y0, y1]) = ([first.0, last.0].map(along), [first.1, last.1].map(roughly));
                format!("{name}: from {y0} at {x0} to {y1} at {x1}.")
            }
            (Some(only), _) => format!("{name}: {} at {}.", roughly(only.1), along(only.0)),
            (None, _) => format!("{name}: {NOTHING}."),
        });
    }
    if chart.series.is_empty() {
        sentences.push(format!("There is {NOTHING}."));
    }
    sentences.join(" ")
}

fn axis(axis: &ChartAxis, direction: &str) -> String {
    let label = clean(&axis.label);
    let label = if label.is_empty() { format!("the {direction} axis") } else { label };
    match axis.scale {
        Scale::Linear | Scale::Whole | Scale::Days => label,
        Scale::Logarithmic => format!("{label} (logarithmic)"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::ChartShape;
    use super::*;

    #[test]
    fn the_description_tells_where_each_series_begins_and_ends() {
        let series = |name: &str, points: &[(f64, f64)]| ChartSeries {
            name: name.to_string(),
            points: points.to_vec(),
            shape: ChartShape::Line,
        };
        let chart = Chart {
            title: "Error".to_string(),
            subtitle: Some("Smaller is better.".to_string()),
            x: ChartAxis { label: "group size".to_string(), scale: Scale::Logarithmic },
            y: ChartAxis { label: "error".to_string(), scale: Scale::Linear },
            series: vec![
                series("geometric", &[(0.0, 9.0), (1.0, 1.5), (1000.0, 0.123456)]),
                series("", &[(2.0, 3.0)]),
                series("none", &[]),
            ],
        };
        assert_eq!(
            description(&chart),
            "error against group size (logarithmic). Smaller is better. geometric: from 1.5 at 1 to 0.123 at 1000. \
             series 2: 3 at 2. none: nothing to show."
        );
    }
}
