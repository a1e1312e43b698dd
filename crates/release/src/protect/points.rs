//! Points, moved.
//!
//! Every place of the grid has a stream of its own, from which all its points draw one after another; it must never move a
//! point by anything but noise of its own cell's width. It is separate because points are not counted. Read `../points.rs`
//! for the grid.

use crate::plan::Plan;
use crate::points::{Boxes, Points, width};
use crate::refusal::Refusal;
use incrowd_counts::{Grid, Mover, write_cell};
use incrowd_noise::{BinAddress, BinStreams, PointNoise, RateError, ReleaseSecret};
use incrowd_privacy::points::{Lattice, radius};
use std::collections::{BTreeSet, HashMap};

/// The most radii for which noise is made ready.
const MOST_RADII: usize = 10_000;

/// Points and their noise, ready to draw; made before anything is charged.
pub(super) struct PointMechanism {
    lattices: Vec<Lattice>,
    /// How many places each axis has.
    sizes: Vec<u64>,
    pub(super) grid: Vec<Grid>,
    crowd: u64,
    boxes: Option<Boxes>,
    noises: HashMap<u64, PointNoise>,
}

impl PointMechanism {
    pub(super) fn of(plan: &Plan, points: &Points) -> Result<Self, Refusal> {
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
        Ok(PointMechanism {
            sizes: points.lattices.iter().map(|lattice| lattice.fine_edges().len().saturating_sub(1) as u64).collect(),
            lattices: points.lattices.clone(),
            grid: points.grid.clone(),
            crowd: plan.crowd(),
            boxes: points.boxes.clone(),
            noises,
        })
    }

    pub(super) fn mover(self, secret: &ReleaseSecret, charge_id: &str) -> Box<dyn Mover> {
        let streams = secret.streams(&BinAddress { release: charge_id, table: "points", purpose: "noise" });
        Box::new(Moving { mechanism: self, streams })
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
        let spots = self.mechanism.spots(place);
        let numbered = spots.iter().zip(&self.mechanism.lattices);
        let cell = numbered.fold(0, |number, ((cell, _), lattice)| number * lattice.cells() + cell);
        match &self.mechanism.boxes {
            Some(boxes) => boxes.of_cell(cell).map(|number| number as u64),
            None => Some(cell),
        }
    }

    fn is_shown(&self, people: u64) -> bool {
        people >= self.mechanism.crowd
    }

    fn moved(&mut self, place: u64, people: u64, point: &mut dyn FnMut(&[i64])) {
        let spots = self.mechanism.spots(place);
        let cells: Vec<u64> = spots.iter().map(|(cell, _)| *cell).collect();
        let indices: Vec<i64> = spots.iter().map(|(_, index)| *index).collect();
        // Noise was made ready for every radius that a cell can have.
        let radius = match (&self.mechanism.boxes, self.cell(place)) {
            (Some(boxes), Some(number)) => boxes.radius(number as usize),
            (_, _) => radius(&self.mechanism.lattices, &cells),
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
