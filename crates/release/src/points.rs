//! Points: the grid they are moved on, and how far.
//!
//! Everything follows from the request: cells, grid and noise are public; it must never look at where points lie. It is
//! separate because points are moved, not counted. Read `protect/points.rs` for how they are drawn, and
//! `incrowd_privacy::points` for the grid.

use crate::plan::Plan;
use crate::refusal::{Refusal, readable};
use crate::request::{Axis, Request, Unit};
use incrowd_counts::Grid;
use incrowd_exact::{Natural, Rational, significant};
use incrowd_privacy::points::{Lattice, rate_for, stray_within};
use incrowd_privacy::{Epsilon, Promise, Sureness};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Numbers of points for which a plan says how far the furthest is moved.
const MANY: [u64; 2] = [1_000, 1_000_000];
/// The most cells of the grid that boxes are made of.
const MOST_CELLS: u64 = 1_000_000;

/// The grid and the noise of points.
#[derive(Debug, Clone)]
pub struct Points {
    /// The grid of each axis.
    pub lattices: Vec<Lattice>,
    /// How coordinates are written.
    pub grid: Vec<Grid>,
    /// The boxes that cells of the grid are put together to; none where every cell is one.
    pub boxes: Option<Boxes>,
    /// What moving within a cell costs.
    pub epsilon: Rational,
}

/// Public boxes, each made of some cells of the grid.
#[derive(Debug, Clone)]
pub struct Boxes {
    /// The box of a cell, by its number, the last axis running fastest.
    of_cell: HashMap<u64, usize>,
    /// How many steps wide each box is, over all axes.
    radii: Vec<u64>,
}

impl Boxes {
    /// Returns the box that a cell is in.
    pub fn of_cell(&self, cell: u64) -> Option<usize> {
        self.of_cell.get(&cell).copied()
    }

    /// Returns how many steps wide a box is, over all axes.
    pub fn radius(&self, number: usize) -> u64 {
        self.radii.get(number).copied().unwrap_or_default()
    }

    /// Puts the cells of boxes together; refuses boxes that overlap.
    fn of(axes: &[Axis], lattices: &[Lattice]) -> Result<Option<Boxes>, String> {
        let count = axes.first().map_or(0, |axis| axis.boxes.len());
        if count == 0 {
            return Ok(None);
        }
        let edges: Vec<Vec<Rational>> = axes.iter().map(Axis::all_edges).collect();
        let mut boxes = Boxes { of_cell: HashMap::new(), radii: Vec::new() };
        for number in 0..count {
            let mut cells = vec![0u64];
            let mut radius = 0u64;
            for ((axis, lattice), edges) in axes.iter().zip(lattices).zip(&edges) {
                let Some((from, to)) = axis.boxes.get(number) else { return Err("a box has no side here".into()) };
                // The ends of all sides are among the edges.
                let first = edges.partition_point(|edge| edge < from) as u64;
                let end = edges.partition_point(|edge| edge < to) as u64;
                radius = radius.saturating_add(lattice.range(first).0.abs_diff(lattice.range(end - 1).1));
                if cells.len() as u64 * (end - first) > MOST_CELLS {
                    return Err(format!("boxes may be made of at most {MOST_CELLS} cells"));
                }
                let number = |cell: &u64, next: u64| cell.checked_mul(lattice.cells())?.checked_add(next);
                let along = cells.iter().flat_map(|cell| (first..end).map(move |next| number(cell, next)));
                cells = along.collect::<Option<Vec<_>>>().ok_or("the edges of its boxes span too many cells")?;
            }
            boxes.radii.push(radius);
            for cell in cells {
                if boxes.of_cell.insert(cell, number).is_some() {
                    return Err("two of its boxes overlap".into());
                }
            }
            if boxes.of_cell.len() as u64 > MOST_CELLS {
                return Err(format!("boxes may be made of at most {MOST_CELLS} cells"));
            }
        }
        Ok(Some(boxes))
    }
}

impl Points {
    /// Returns the grid of a request; nothing if it is about no points.
    pub fn of(request: &Request) -> Result<Option<Points>, Refusal> {
        let Some(axes) = request.axes() else { return Ok(None) };
        if request.data.as_ref().is_some_and(|data| matches!(data.unit, Unit::People { .. })) {
            return Err(Refusal::PointsOfPeople);
        }
        let refused = |axis: &Axis, reason: String| Refusal::Grid { axis: axis.name.clone(), reason };
        let mut lattices = Vec::new();
        let mut grid = Vec::new();
        for axis in axes {
            let decimal = decimal(&axis.step);
            grid.push(
                decimal
                    .ok_or_else(|| refused(axis, "its `step` is not a decimal number of at most 15 digits".into()))?,
            );
            let lattice = Lattice::new(axis.all_edges(), axis.step.clone());
            lattices.push(lattice.map_err(|error| refused(axis, error.to_string()))?);
        }
        let epsilon = match &request.promise.promise {
            Promise::CrowdBlending { epsilon: Epsilon::Finite(epsilon), .. } if epsilon > &Rational::ZERO => {
                epsilon.clone()
            }
            _ => {
                return Err(Refusal::NoNoise {
                    mechanism: "points",
                    epsilon: request.promise.promise.curve().map_or(Epsilon::ZERO, |curve| curve.epsilon(1)),
                });
            }
        };
        let boxes = Boxes::of(axes, &lattices);
        let boxes = boxes.map_err(|reason| Refusal::Grid { axis: axes[0].name.clone(), reason })?;
        Ok(Some(Points { lattices, grid, boxes, epsilon }))
    }

    /// Returns the rate of the noise in a cell of this radius; nothing where no noise is needed.
    pub fn rate(&self, radius: u64) -> Option<Rational> {
        rate_for(&self.epsilon, radius)
    }

    /// Returns the smallest and the largest radius of a cell, in steps: both ends of the axes' cells added up.
    pub fn radii(&self) -> (u64, u64) {
        if let Some(boxes) = &self.boxes {
            let least = boxes.radii.iter().copied().min().unwrap_or_default();
            return (least, boxes.radii.iter().copied().max().unwrap_or_default());
        }
        let ends = |lattice: &Lattice| {
            let widths = (0..lattice.cells()).map(|cell| width(lattice, cell));
            widths.fold((u64::MAX, 0), |(least, most), width| (least.min(width), most.max(width)))
        };
        let all = self.lattices.iter().map(ends);
        all.fold((0u64, 0u64), |(least, most), (low, high)| (least.saturating_add(low), most.saturating_add(high)))
    }

    /// Returns how many cells there are.
    pub fn cells(&self) -> u64 {
        match &self.boxes {
            Some(boxes) => boxes.radii.len() as u64,
            None => self.lattices.iter().map(Lattice::cells).fold(1, u64::saturating_mul),
        }
    }

    /// Returns how far points are moved: (radius of a cell, of how many points, so many steps at most, 19 times of 20).
    pub fn strays(&self) -> Vec<(u64, u64, Option<u64>)> {
        let (least, most) = self.radii();
        let radii = if least == most { vec![most] } else { vec![least, most] };
        let dimensions = self.lattices.len() as u64;
        let mut found = Vec::new();
        for radius in radii {
            for points in [1].into_iter().chain(MANY) {
                let chance = Rational::ONE / Rational::from(20u8) / Rational::from(points);
                let steps = stray_within(self.rate(radius).as_ref(), dimensions, &chance);
                found.push((radius, points, steps));
            }
        }
        found
    }
}

/// How many steps wide a cell of an axis is.
pub(crate) fn width(lattice: &Lattice, cell: u64) -> u64 {
    let (low, high) = lattice.range(cell);
    low.abs_diff(high)
}

/// What the theorem takes for granted.
pub(crate) const ASSUMPTIONS: [&str; 3] = [
    "cells and grid are public, and each person has one point",
    "every point goes to a place of the grid in its own cell first, and only that place is moved, by noise of its own",
    "points are published in the order of their coordinates",
];

/// What is proved about moved points, and where.
pub(crate) fn theorem() -> (&'static str, &'static str) {
    (
        "CB section 4, on an integer grid; incrowd, claim 31",
        "whoever shares a cell with enough points blends into them with epsilon: any two of its grid points give every outcome with chances within e^epsilon; nothing is published of smaller cells",
    )
}

/// Returns a decimal number without its point, and how many digits are behind it; nothing for other numbers.
fn decimal(step: &Rational) -> Option<Grid> {
    let mut scale = 0i8;
    let mut digits = step.clone();
    while digits.denominator() != &Natural::ONE {
        digits *= Rational::from(10u8);
        scale += 1;
        if scale > 15 {
            return None;
        }
    }
    let digits = i64::try_from(digits.numerator()).ok().filter(|digits| *digits <= 1_000_000_000_000_000)?;
    Some(Grid { digits, scale })
}

impl Plan {
    /// Returns what happens to points and how far they are moved, in words.
    pub fn points_words(&self) -> Vec<String> {
        let (Some(points), Some(axes)) = (&self.points, self.request.axes()) else { return Vec::new() };
        let cells = points.cells();
        let steps = axes.iter().map(|axis| format!("{} of {}", significant(&axis.step, 6), axis.name));
        let mut lines = vec![
            format!(
                "{cells} public cells; the points of a cell are published if it has at least {} of them, each moved by noise that is as wide as the cell",
                self.crowd()
            ),
            format!(
                "which place of such a cell a person was at is protected with epsilon {}: of two of them, from even odds, nobody becomes surer than {} %",
                readable(&points.epsilon),
                Sureness::of(&points.epsilon)
            ),
            format!("on a grid with steps of {}", steps.collect::<Vec<_>>().join(" and ")),
        ];
        for (radius, many, steps) in points.strays() {
            let Some(steps) = steps else { continue };
            let who = if many == 1 { "a point is".to_string() } else { format!("each of {many} points is") };
            // Where all axes have one step, steps have a length.
            let length = match axes.iter().all(|axis| axis.step == axes[0].step) {
                true => format!(" ({})", significant(&(&axes[0].step * Rational::from(steps)), 3)),
                false => String::new(),
            };
            lines.push(format!(
                "cells {radius} steps wide over all axes: 19 times of 20, {who} moved by at most {steps} steps{length} over all axes (CB Proposition 11, Erlang tail)"
            ));
        }
        lines.push(
            "how far that is depends on cells and epsilon alone: halve the one or double the other to halve it".into(),
        );
        lines
    }

    /// Returns the same for machines.
    pub fn points_json(&self) -> Value {
        let Some(points) = &self.points else { return Value::Null };
        let stray = |(radius, many, steps): (u64, u64, Option<u64>)| json!({ "cell_steps": radius, "points": many, "moved_at_most": steps, "chance": "0.95" });
        json!({
            "cells": points.cells(),
            "useful": points.strays().into_iter().map(stray).collect::<Vec<_>>(),
        })
    }
}
