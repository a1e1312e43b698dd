//! Where published points lie: how many are in each cell of the request.
//!
//! Counted from published points alone, by whoever writes them and again by whoever verifies them; it must never know
//! how many there were in the data. It is separate because a map of cells fits on a page and a million points do not.
//! Read `page/picture.rs` for the map.

use crate::glance::{Glance, Row};
use crate::kinds::PeopleTable;
use crate::request::{Axis, COUNT};
use incrowd_exact::{Rational, parse_number, significant};
use std::collections::BTreeMap;

/// The most cells of which a map is kept.
const MOST_CELLS: usize = 8192;

/// Published points by cell.
pub(crate) struct Density {
    axes: Vec<Cells>,
    counts: BTreeMap<Vec<usize>, u64>,
    outside: u64,
}

/// The cells along one axis.
struct Cells {
    name: String,
    edges: Vec<Rational>,
}

impl Density {
    /// Returns an empty map, where published rows have axes to be drawn on.
    pub(crate) fn of(table: &dyn PeopleTable) -> Option<Density> {
        let cells = |axis: &Axis| Cells { name: axis.name.clone(), edges: axis.all_edges() };
        let axes = table.map()?.iter().map(cells).collect();
        Some(Density { axes, counts: BTreeMap::new(), outside: 0 })
    }

    /// Takes in so many points with these coordinates, as they are written.
    pub(crate) fn see(&mut self, point: &Row, alike: u64) {
        let cell = |(cells, text): (&Cells, &Option<String>)| {
            let value = parse_number(text.as_deref()?).ok()?;
            let above = cells.edges.partition_point(|edge| *edge <= value);
            (above > 0 && above < cells.edges.len()).then(|| above - 1)
        };
        match self.axes.iter().zip(point).map(cell).collect::<Option<Vec<usize>>>() {
            Some(cell) => *self.counts.entry(cell).or_default() += alike,
            None => self.outside += alike,
        }
    }

    /// How many points were moved out of every cell.
    pub(crate) fn outside(&self) -> u64 {
        self.outside
    }

    /// Returns the map as a table: a row for each cell that holds a published point, in order; nothing if it is too
    /// large.
    pub(crate) fn glance(&self) -> Option<Glance> {
        if self.counts.len() > MOST_CELLS {
            return None;
        }
        let names = self.axes.iter().map(|cells| cells.name.clone());
        let mut glance = Glance::new(names.chain([COUNT.to_string()]).collect());
        for (cell, count) in &self.counts {
            let label = |(cells, at): (&Cells, &usize)| Some(label(&cells.edges, *at));
            glance.see_alike(self.axes.iter().zip(cell).map(label).collect(), *count);
        }
        Some(glance)
    }
}

/// Returns the names of all cells along an axis, ascending.
pub(crate) fn labels(axis: &Axis) -> Vec<String> {
    let edges = axis.all_edges();
    (0..edges.len().saturating_sub(1)).map(|at| label(&edges, at)).collect()
}

fn label(edges: &[Rational], at: usize) -> String {
    let end = |edge: usize| edges.get(edge).map_or_else(String::new, |edge| significant(edge, 8));
    format!("[{}, {})", end(at), end(at + 1))
}
