//! Points, planned: the grid they are moved on, and how far.
//!
//! Everything follows from the request: cells, grid and noise are public; it must never look at where points lie. It is
//! separate because points are moved, not counted. Read `release/kinds/points.rs` for how they are drawn, and
//! `incrowd_privacy::points` for the grid.

use super::{
    AskedKind, KindPlan, PeopleReport, PeopleTable, PlannedKind, RowCheck, SeenRows, ShownThing, TableRows,
    asked_delta, no_choice,
};
use crate::refusal::{Refusal, readable};
use crate::request::{self, Axis, MechanismRequest, Request, Unit};
use crate::settle::{Bins, Settled, SettledRequest, Terms};
use incrowd_exact::{Natural, Rational, significant};
use incrowd_privacy::points::{Lattice, displacement_within, rate_for};
use incrowd_privacy::{Curve, Deployed, Epsilon, MechanismName, Promise, Sureness};
use incrowd_published::Grid;
use serde_json::{Value, json};
use std::collections::HashMap;

pub(super) const TABLE: &str = "points";
/// The field of this kind in a plan for machines.
pub(super) const FIELD: &str = "points";

/// How many points a report lists: a map says more.
const LISTED: usize = 20;
/// Numbers of points for which a plan says how far the furthest is moved.
const MANY: [u64; 2] = [1_000, 1_000_000];
/// The most cells of the grid that boxes are made of.
const MOST_CELLS: u64 = 1_000_000;

/// The grid and the noise of points.
#[derive(Debug, Clone)]
pub struct PointsPlan {
    /// The grid of each axis.
    pub lattices: Vec<Lattice>,
    /// How coordinates are written.
    pub grid: Vec<Grid>,
    /// The boxes that cells of the grid are put together to; none where every cell is one.
    pub boxes: Option<Boxes>,
    /// What moving within a cell costs.
    pub epsilon: Rational,
    /// The smallest number of people of whom the points of a cell are published.
    pub crowd: u64,
    asked: request::Points,
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

impl AskedKind for request::Points {
    /// Points of cells with enough people are moved within them (CB section 4); the others leave no trace.
    fn terms(&self, request: &Request, instead: Option<&MechanismRequest>) -> Result<Terms, Refusal> {
        no_choice(request, instead)?;
        if request.bins_per_person() > 1 {
            return Err(Refusal::OneRowEach);
        }
        Ok(Terms {
            asked: MechanismRequest::named(MechanismName::SuppressBelow),
            promise: request.promise.promise.clone(),
            bins: Bins::Found,
        })
    }

    fn planned(&self, request: &Request, settled: &Settled, _promised: &Curve) -> Result<KindPlan, Refusal> {
        match request.data.as_ref().map(|data| &data.unit) {
            Some(Unit::People { .. }) => return Err(Refusal::PointsOfPeople),
            Some(Unit::Row | Unit::Person { .. }) | None => {}
        }
        let refused = |axis: &Axis, reason: String| Refusal::Grid { axis: axis.name.clone(), reason };
        let mut lattices = Vec::new();
        let mut grid = Vec::new();
        for axis in &self.axes {
            let decimal = decimal(&axis.step);
            grid.push(
                decimal
                    .ok_or_else(|| refused(axis, "its `step` is not a decimal number of at most 15 digits".into()))?,
            );
            lattices.push(lattice(axis)?);
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
        let boxes = Boxes::of(&self.axes, &lattices);
        let boxes = boxes.map_err(|reason| Refusal::Grid { axis: self.axes[0].name.clone(), reason })?;
        let crowd = super::crowd(&settled.deployed.mechanism);
        Ok(KindPlan::Points(PointsPlan { lattices, grid, boxes, epsilon, crowd, asked: self.clone() }))
    }

    fn is_known_on_samples(&self) -> bool {
        false
    }

    fn people_words(&self) -> &'static str {
        "Points of people"
    }

    fn relation_words(&self) -> &'static str {
        "Privacy relation: nothing depends on people in small cells; any two places of a larger cell give every outcome with chances within e^epsilon"
    }
}

impl PointsPlan {
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
                let steps = displacement_within(self.rate(radius).as_ref(), dimensions, &chance);
                found.push((radius, points, steps));
            }
        }
        found
    }
}

/// Returns the grid of an axis: what is counted are its places.
pub fn lattice(axis: &Axis) -> Result<Lattice, Refusal> {
    let refused = |reason: String| Refusal::Grid { axis: axis.name.clone(), reason };
    Lattice::new(axis.all_edges(), axis.step.clone()).map_err(|error| refused(error.to_string()))
}

/// How many steps wide a cell of an axis is.
pub fn width(lattice: &Lattice, cell: u64) -> u64 {
    let (low, high) = lattice.range(cell);
    low.abs_diff(high)
}

/// What the theorem takes for granted.
const ASSUMPTIONS: [&str; 3] = [
    "cells and grid are public, and each person has one point",
    "every point goes to a place of the grid in its own cell first, and only that place is moved, by noise of its own",
    "points are published in the order of their coordinates",
];

impl PlannedKind for PointsPlan {
    fn title(&self) -> (String, Vec<String>) {
        ("Points of people:".into(), self.asked.axes.iter().map(|axis| axis.name.clone()).collect())
    }

    fn universe_words(&self, _plan: &SettledRequest<'_>) -> String {
        "cells of the axes; the points of a cell are published, moved by noise as wide as the cell, only if enough people share it".into()
    }

    fn period_words(&self) -> Option<String> {
        None
    }

    /// What happens to points and how far they are moved.
    fn own_words(&self, _plan: &SettledRequest<'_>) -> Vec<String> {
        let axes = &self.asked.axes;
        let steps = axes.iter().map(|axis| format!("{} of {}", significant(&axis.step, 6), axis.name));
        let mut lines = vec![
            format!(
                "{} public cells; the points of a cell are published if it has at least {} of them, each moved by noise that is as wide as the cell",
                self.cells(),
                self.crowd
            ),
            format!(
                "which place of such a cell a person was at is protected with epsilon {}: of two of them, from even odds, nobody becomes surer than {} %",
                readable(&self.epsilon),
                Sureness::of(&self.epsilon)
            ),
            format!("on a grid with steps of {}", steps.collect::<Vec<_>>().join(" and ")),
        ];
        for (radius, many, steps) in self.strays() {
            let Some(steps) = steps else { continue };
            let who = if many == 1 { "a point is".to_string() } else { format!("each of {many} points is") };
            // Where all axes have one step, steps have a length.
            let length = match axes.iter().all(|axis| axis.step == axes[0].step) {
                true => format!(" ({})", significant(&(&axes[0].step * Rational::from(steps)), 3)),
                false => String::new(),
            };
            lines.push(format!(
                "cells {radius} steps wide over all axes: 19 times of 20, {who} moved by at most {steps} steps{length} over all axes"
            ));
        }
        lines.push(
            "how far that is depends on cells and epsilon alone: halve the one or double the other to halve it".into(),
        );
        lines
    }

    fn own_json(&self, _plan: &SettledRequest<'_>) -> Option<(&'static str, Value)> {
        let stray = |(radius, many, steps): (u64, u64, Option<u64>)| json!({ "cell_steps": radius, "points": many, "moved_at_most": steps, "chance": "0.95" });
        let useful = self.strays().into_iter().map(stray).collect::<Vec<_>>();
        Some((FIELD, json!({ "cells": self.cells(), "useful": useful })))
    }

    fn further_steps(&self) -> Option<Value> {
        None
    }

    fn caveat(&self) -> Option<&'static str> {
        Some(
            "how many points a published cell has is exact: who is one of many blends into them, but the cell's number is as it is",
        )
    }

    fn published_names(&self) -> Vec<(&str, &[(String, String)])> {
        Vec::new()
    }

    fn theorem(&self) -> Option<(&'static str, &'static str)> {
        Some((
            "CB section 4, on an integer grid; incrowd, claim 31",
            "whoever shares a cell with enough points blends into them with epsilon: any two of its grid points give every outcome with chances within e^epsilon; nothing is published of smaller cells",
        ))
    }

    fn theorem_assumptions(&self, _deployed: &Deployed) -> Vec<&'static str> {
        ASSUMPTIONS.to_vec()
    }

    /// What moving within a cell costs.
    fn theorem_cost(&self, plan: &SettledRequest<'_>) -> (Epsilon, Rational) {
        (Epsilon::Finite(self.epsilon.clone()), asked_delta(plan.request))
    }

    fn spent(&self, promised: &Curve) -> Epsilon {
        promised.supremum()
    }

    fn shown_thing(&self) -> ShownThing {
        ShownThing { asked_as: ["cell", "cells"], things: "cells", show: "show", shown: "shown", at_most: None }
    }

    fn shown_by<'p>(&'p self, settled: &'p Settled) -> &'p Deployed {
        &settled.deployed
    }

    fn is_one_law(&self) -> bool {
        true
    }

    fn is_judged_by_bins(&self) -> bool {
        false
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    fn rows(&self) -> TableRows<'_> {
        TableRows::People(self)
    }

    fn row_check(&self) -> Box<dyn RowCheck + '_> {
        Box::new(PointsOnGrid { grid: &self.grid, crowd: self.crowd })
    }
}

impl PeopleTable for PointsPlan {
    fn step_words(&self) -> &'static str {
        "each moved point is written once, as its index on the grid times the step; points are in the order of their coordinates"
    }

    fn map(&self) -> Option<&[Axis]> {
        Some(&self.asked.axes)
    }

    fn checked_words(&self, seen: &SeenRows) -> String {
        format!("{} points; all on the grid of the request, in the order of their coordinates", seen.rows)
    }

    fn report(&self, seen: &SeenRows) -> PeopleReport {
        let SeenRows { rows, kinds, outside } = seen;
        PeopleReport {
            holds: format!(
                "The file holds {rows} points, in the order of their coordinates. Each is a person's point, moved by noise as wide as its cell; {outside} of them were moved out of every cell. The map counts published points alone."
            ),
            missing: "A cell without points says no more about you than the promise allows: it may have nobody, or a few.",
            listed: LISTED,
            above_list: match *kinds > LISTED as u64 {
                true => format!("The first {LISTED} different points, and how many there are of each:"),
                false => "All different points, and how many there are of each:".into(),
            },
        }
    }
}

/// Each point is on the grid; there are none, or as many as one cell must have.
struct PointsOnGrid<'p> {
    grid: &'p [Grid],
    crowd: u64,
}

impl RowCheck for PointsOnGrid<'_> {
    /// Every coordinate is written as a multiple of its step, with all its decimals.
    fn row(&mut self, _place: u64, keys: &[Option<String>]) -> Result<(), &'static str> {
        let on_grid = keys.iter().zip(self.grid).all(|(field, grid)| {
            let Some(text) = field.as_deref() else { return false };
            let Ok(whole) = text.replacen('.', "", 1).parse::<i128>() else { return false };
            let index = whole / i128::from(grid.digits);
            // Only one spelling: another would tell something beside the point.
            whole % i128::from(grid.digits) == 0
                && i64::try_from(index).is_ok()
                && decimal_text(whole, grid.scale) == text
        });
        if on_grid { Ok(()) } else { Err("a point that is not on the grid") }
    }

    fn alike(&mut self, _people: u64) -> Result<(), String> {
        Ok(())
    }

    fn end(&mut self, rows: u64) -> Result<(), String> {
        match rows > 0 && rows < self.crowd {
            true => Err(format!("fewer points than the {} of a single cell", self.crowd)),
            false => Ok(()),
        }
    }
}

/// Returns a decimal number as tables write it: all its decimals, and no sign before zero.
fn decimal_text(whole: i128, scale: i8) -> String {
    let scale = usize::try_from(scale).unwrap_or(0);
    let digits = format!("{:0>width$}", whole.unsigned_abs(), width = scale + 1);
    let (above, below) = digits.split_at(digits.len() - scale);
    let point = if scale == 0 { "" } else { "." };
    format!("{}{above}{point}{below}", if whole < 0 { "-" } else { "" })
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
