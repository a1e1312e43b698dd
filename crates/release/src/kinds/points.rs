//! Points, moved.
//!
//! Every place of the grid has a stream of its own, from which all its points draw one after another; it must never
//! move a point by anything but noise of its own cell's width. It is separate because points are not counted. Read
//! `plan/kinds/points.rs` for the grid.

use super::{Asks, Draws, GroupOfPlace};
use crate::failure::ReleaseFailure;
use crate::refusal::Refusal;
use crate::request::{self, Axis};
use incrowd_counts::{Grid, Mover, PublishedCounts, TrueCounts, write_cell};
use incrowd_engine::{BinSource, Cut, Dimension, Edges, Expression, Items, Nulls, Other, Time};
use incrowd_ledger::{Receipt, SpentReceipt};
use incrowd_noise::{BinAddress, BinStreams, PointNoise, RateError, ReleaseSecret};
use incrowd_plan::kinds::{Boxes, PointsPlan, lattice, width};
use incrowd_privacy::points::{Lattice, radius};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The most radii for which noise is made ready.
const MOST_RADII: usize = 10_000;

impl Asks for request::Points {
    /// Places of the grid within cells.
    fn dimensions(&self) -> Result<Vec<Dimension<Expression>>, ReleaseFailure> {
        self.axes.iter().map(|axis| Ok(places(axis, &lattice(axis)?))).collect()
    }

    fn time(&self) -> Option<Time> {
        None
    }

    fn groups_are_bins(&self) -> bool {
        false
    }
}

/// The places of an axis: each value falls to the nearest index of its cell.
fn places(axis: &Axis, lattice: &Lattice) -> Dimension<Expression> {
    Dimension {
        name: axis.name.clone(),
        source: BinSource::Column(axis.column.clone()),
        cut: Cut::Edges(Edges::Numbers(lattice.fine_edges())),
        other: Other::NotCounted,
        nulls: Nulls::Drop,
        items: Items::Each,
    }
}

/// Points and their noise, ready to draw.
struct PointMechanism {
    cells: PointCells,
    grid: Vec<Grid>,
    crowd: u64,
    noises: HashMap<u64, PointNoise>,
}

/// Returns the cell of each place: the crowds that decide what is shown are those of cells.
pub(super) fn groups(points: &PointsPlan) -> GroupOfPlace {
    let cells = PointCells::of(points);
    Arc::new(move |place| cells.cell(place))
}

/// Points of large enough cells are moved, each by noise of its own.
pub(super) fn draws(points: &PointsPlan) -> Result<Box<dyn Draws>, Refusal> {
    Ok(Box::new(PointMechanism::of(points)?))
}

impl Draws for PointMechanism {
    fn publish(
        self: Box<Self>,
        counts: TrueCounts,
        receipt: Receipt,
        secret: &ReleaseSecret,
        charge_id: &str,
    ) -> Result<(PublishedCounts, SpentReceipt), SpentReceipt> {
        counts.move_with(receipt, self.grid.clone(), self.mover(secret, charge_id))
    }
}

impl PointMechanism {
    fn of(points: &PointsPlan) -> Result<Self, Refusal> {
        let no_noise = |_: RateError| Refusal::NothingFits { mechanism: "points", parameter: "epsilon" };
        // Every sum of one width for each axis, unless boxes say which there are.
        let mut radii = BTreeSet::from([0u64]);
        let free = if points.boxes.is_some() { &[][..] } else { &points.lattices };
        for lattice in free {
            let widths: BTreeSet<u64> = (0..lattice.cells()).map(|cell| width(lattice, cell)).collect();
            radii = radii.iter().flat_map(|sum| widths.iter().map(move |width| sum.saturating_add(*width))).collect();
            if radii.len() > MOST_RADII {
                return Err(Refusal::NothingFits { mechanism: "points", parameter: "edges" });
            }
        }
        if let Some(boxes) = &points.boxes {
            radii = (0..points.cells()).map(|number| boxes.radius(number as usize)).collect();
        }
        let mut noises = HashMap::new();
        for radius in radii {
            let noise = PointNoise::new(points.rate(radius).as_ref(), points.lattices.len()).map_err(no_noise)?;
            noises.insert(radius, noise);
        }
        Ok(PointMechanism { cells: PointCells::of(points), grid: points.grid.clone(), crowd: points.crowd, noises })
    }

    fn mover(self, secret: &ReleaseSecret, charge_id: &str) -> Box<dyn Mover> {
        let streams = secret.streams(&BinAddress { release: charge_id, table: "points", purpose: "noise" });
        Box::new(Moving { mechanism: self, streams })
    }
}

/// Which cell each place of a grid is in.
struct PointCells {
    lattices: Vec<Lattice>,
    /// How many places each axis has.
    sizes: Vec<u64>,
    boxes: Option<Boxes>,
}

impl PointCells {
    fn of(points: &PointsPlan) -> PointCells {
        let places = |lattice: &Lattice| lattice.fine_edges().len().saturating_sub(1) as u64;
        PointCells {
            lattices: points.lattices.clone(),
            sizes: points.lattices.iter().map(places).collect(),
            boxes: points.boxes.clone(),
        }
    }

    /// The cell of a place, which is a box where there are boxes; nothing for a place in none of them.
    fn cell(&self, place: u64) -> Option<u64> {
        let spots = self.spots(place);
        let numbered = spots.iter().zip(&self.lattices);
        let cell = numbered.fold(0, |number, ((cell, _), lattice)| number * lattice.cells() + cell);
        match &self.boxes {
            Some(boxes) => boxes.of_cell(cell).map(|number| number as u64),
            None => Some(cell),
        }
    }

    /// The cell and the index of a place along each axis; the last axis runs fastest.
    fn spots(&self, mut place: u64) -> Vec<(u64, i64)> {
        let mut spots: Vec<(u64, i64)> = Vec::with_capacity(self.lattices.len());
        for (lattice, size) in self.lattices.iter().zip(&self.sizes).rev() {
            spots.push(lattice.place(place % size));
            place /= size;
        }
        spots.reverse();
        spots
    }
}

struct Moving {
    mechanism: PointMechanism,
    streams: BinStreams,
}

impl Mover for Moving {
    fn cell(&self, place: u64) -> Option<u64> {
        self.mechanism.cells.cell(place)
    }

    fn is_shown(&self, people: u64) -> bool {
        people >= self.mechanism.crowd
    }

    fn moved(&mut self, place: u64, people: u64, point: &mut dyn FnMut(&[i64])) {
        let spots = self.mechanism.cells.spots(place);
        let cells: Vec<u64> = spots.iter().map(|(cell, _)| *cell).collect();
        let indices: Vec<i64> = spots.iter().map(|(_, index)| *index).collect();
        // Noise was made ready for every radius that a cell can have.
        let radius = match (&self.mechanism.cells.boxes, self.cell(place)) {
            (Some(boxes), Some(number)) => boxes.radius(number as usize),
            (_, _) => radius(&self.mechanism.cells.lattices, &cells),
        };
        let Some(noise) = self.mechanism.noises.get(&radius) else { return };
        let mut key = Vec::new();
        write_cell(place, &mut key);
        let mut bits = self.streams.bin(&key);
        let mut moved = Vec::with_capacity(indices.len());
        for _ in 0..people {
            moved.clear();
            noise.draw(&indices, &mut bits, &mut moved);
            point(&moved);
        }
    }
}
