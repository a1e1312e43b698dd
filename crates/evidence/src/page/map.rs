//! Published points on a map: one axis to the right, the other upwards, cells as long and high as they are.
//!
//! Which axis goes upwards and whether they are degrees is told by their names, which are the request's; it must never
//! depend on where points lie. It is separate because only points have a map. Read `../density.rs` for what is counted.

use super::naming::Naming;
use super::picture::{self, MOST_SHADES};
use crate::density;
use crate::glance::Glance;
use crate::kinds::PeopleTable;
use crate::plan::Plan;
use crate::request::Axis;
use incrowd_exact::significant;
use incrowd_report::{Block, CellMap, MapAxis, PageCount};
use std::collections::HashMap;

/// Returns the picture of published points; other pictures where a map has no room.
pub(super) fn blocks(plan: &Plan, table: &dyn PeopleTable, glance: &Glance, naming: Naming<'_>) -> Vec<Block> {
    let drawn = table.map().and_then(|axes| match axes {
        [first, second] if is_upwards(&first.name) && !is_upwards(&second.name) => {
            on_axes(glance, (second, 1), (first, 0), naming)
        }
        [first, second] => on_axes(glance, (first, 0), (second, 1), naming),
        _ => None,
    });
    drawn.map_or_else(|| picture::blocks(plan, glance, naming), |map| vec![Block::Map(map)])
}

/// Whether an axis goes upwards on a map by its name; else the first goes to the right and the second upwards.
fn is_upwards(name: &str) -> bool {
    let name = name.to_lowercase();
    name.starts_with("lat") || name.starts_with("north") || name == "y"
}

/// Every cell of two axes, with how many published points it has.
fn on_axes(glance: &Glance, right: (&Axis, usize), up: (&Axis, usize), naming: Naming<'_>) -> Option<CellMap> {
    let (across, upwards) = (density::labels(right.0), density::labels(up.0));
    let (right_axis, up_axis) = (axis(right.0, naming), axis(up.0, naming));
    if across.len() < 2 || upwards.len() < 2 || upwards.len() > MOST_SHADES.0 || across.len() > MOST_SHADES.1 {
        return None;
    }
    let places = |labels: Vec<String>| labels.into_iter().zip(0usize..).collect::<HashMap<_, _>>();
    let mut cells = vec![vec![PageCount::Hidden; across.len()]; upwards.len()];
    let (across_places, up_places) = (places(across), places(upwards));
    for row in &glance.rows {
        let place = |places: &HashMap<String, usize>, key: usize| places.get(row.get(key)?.as_deref()?).copied();
        if let Some((row_place, column_place)) = place(&up_places, up.1).zip(place(&across_places, right.1)) {
            cells[row_place][column_place] = picture::count(glance, row).map_or(PageCount::Hidden, PageCount::Count);
        }
    }
    Some(CellMap {
        title: "Published points by cell".into(),
        height_of_a_unit: height_of_a_unit((right.0, &right_axis), (up.0, &up_axis)),
        right: right_axis,
        up: up_axis,
        cells,
    })
}

fn axis(axis: &Axis, naming: Naming<'_>) -> MapAxis {
    let edge = |edge: &incrowd_exact::Rational| (edge.to_f64().value(), significant(edge, 8));
    MapAxis { label: naming.column(&axis.name), edges: axis.all_edges().iter().map(edge).collect() }
}

/// How long a unit upwards is, in units to the right: a degree of latitude is longer than one of longitude, the more so
/// the further from the equator; all else has one unit.
fn height_of_a_unit(right: (&Axis, &MapAxis), up: (&Axis, &MapAxis)) -> f64 {
    let within = |axis: &MapAxis, most: f64| axis.edges.iter().all(|edge| edge.0.abs() <= most);
    let name = right.0.name.to_lowercase();
    let degrees = up.0.name.to_lowercase().starts_with("lat")
        && (name.starts_with("lon") || name.starts_with("lng"))
        && within(up.1, 90.0)
        && within(right.1, 360.0);
    match (degrees, up.1.edges.first().zip(up.1.edges.last())) {
        (true, Some((first, last))) => 1.0 / cosine_of_degrees((first.0 + last.0) / 2.0).max(0.05),
        (_, _) => 1.0,
    }
}

/// The cosine by its series: additions and multiplications alone give the same bits on every machine.
fn cosine_of_degrees(degrees: f64) -> f64 {
    let angle = degrees * std::f64::consts::PI / 180.0;
    [90.0, 56.0, 30.0, 12.0, 2.0].iter().fold(1.0, |inner, divisor| 1.0 - angle * angle / divisor * inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cosine_is_that_of_the_library_to_a_millionth() {
        for degrees in -90..=90 {
            let truth = f64::from(degrees).to_radians().cos();
            assert!((cosine_of_degrees(f64::from(degrees)) - truth).abs() < 1e-6, "{degrees}");
        }
    }
}
