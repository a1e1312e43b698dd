//! The nearest values that are nowhere below zero and add up: from the whole down to the cells.
//!
//! Each level of totals, and at last the cells, is the table that is nearest to its unbiased values in weighted least
//! squares, the sum of `(x - u)^2 / v`, among those that are nowhere below what is surely there and have the coarser
//! totals, found before, as their sums. It must never round to whole numbers, nor use anything but whole numbers of
//! units. It is separate from `whole.rs` because what is nearest has nothing to do with whole people. Read `whole.rs`
//! next.
//!
//! The minimum has the form `x_c = max(least_c, u_c + v_c (sum of y_t))` with one number `y_t` for each coarser total
//! `t` that the cell is in (the conditions of Karush, Kuhn and Tucker). Each `y_t` in turn is set to the smallest
//! number with which the cells of `t` reach it, sweep by sweep, until nothing changes: coordinate ascent of the dual.
//! With totals of one kind a single sweep is enough. Where no table has all these sums, which can happen with three
//! crossing kinds or beside exact cells, the sweeps end after 64, and those of the chain hold, which come last in each.

use super::{LARGEST_VARIANCE, Level, chain};

/// A cell, or a total that is treated as one, in units of `2^-32` people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NearCell {
    /// Its unbiased value.
    pub(super) value: i128,
    /// Its variance, as a part of the largest in units of `2^-24`; 0 only if the value is exact.
    pub(super) variance: i128,
    /// What is surely there: the exact part of it.
    pub(super) least: i128,
}

/// How often every total is reached anew, at most.
const MOST_SWEEPS: usize = 64;
/// `y` is in units of `2^-41`, so that the sum of `2^17` cells still moves by single units.
const Y_PLACES: u32 = 41;
/// `y` lies between minus this and this; that of the chain may outweigh all others.
const MOST_Y: i128 = 1 << 84;
const MOST_Y_OF_CHAIN: i128 = 1 << 90;
/// Beyond this a remainder is divided before it is shifted.
const LARGE: i128 = 1 << 84;

/// Returns the value of each cell, in units. `levels` begin with the whole and end with the cells.
pub(super) fn top_down(cells: &[NearCell], levels: &[Level]) -> Vec<i128> {
    let chain = chain(levels);
    let mut found: Vec<Vec<i128>> = Vec::new();
    for (at, level) in levels.iter().enumerate() {
        let own = totals(cells, level);
        let coarser: Vec<usize> = (0..at).filter(|other| level.is_finer_than(&levels[*other])).collect();
        // What a total between them and this level says is said of them already.
        let is_next = |other: &usize| !coarser.iter().any(|between| levels[*between].is_finer_than(&levels[*other]));
        let mut next: Vec<usize> = coarser.iter().copied().filter(is_next).collect();
        // What the chain says comes last, and so is kept even where not all can be.
        next.sort_by_key(|other| chain.contains(other));
        let goal = |other: &usize| Goal {
            members: members(level, &levels[*other]),
            totals: &found[*other],
            most: if chain.contains(other) { MOST_Y_OF_CHAIN } else { MOST_Y },
        };
        let goals: Vec<Goal<'_>> = next.iter().map(goal).collect();
        found.push(nearest(&own, &goals));
    }
    found.pop().unwrap_or_default()
}

/// Totals that are reached, and which cells each of them is the sum of.
struct Goal<'f> {
    members: Vec<Vec<usize>>,
    totals: &'f [i128],
    /// The most that their `y` may be.
    most: i128,
}

/// The totals of a level, as cells of their own.
fn totals(cells: &[NearCell], level: &Level) -> Vec<NearCell> {
    let mut own = vec![NearCell { value: 0, variance: 0, least: 0 }; level.groups];
    for (cell, group) in cells.iter().zip(&level.group) {
        let total = &mut own[*group];
        total.value += cell.value;
        total.variance += cell.variance;
        total.least += cell.least;
    }
    let largest = own.iter().map(|total| total.variance).max().unwrap_or(0);
    for total in own.iter_mut().filter(|total| total.variance > 0) {
        total.variance = (total.variance * LARGEST_VARIANCE / largest).max(1);
    }
    own
}

/// Which groups of a level are in each group of a coarser one.
fn members(level: &Level, coarser: &Level) -> Vec<Vec<usize>> {
    let mut parent = vec![None; level.groups];
    for (group, above) in level.group.iter().zip(&coarser.group) {
        parent[*group] = Some(*above);
    }
    let mut members = vec![Vec::new(); coarser.groups];
    for (group, above) in parent.into_iter().enumerate() {
        if let Some(above) = above {
            members[above].push(group);
        }
    }
    members
}

/// The nearest values that reach all goals.
fn nearest(cells: &[NearCell], goals: &[Goal<'_>]) -> Vec<i128> {
    // The sum of all `y` of a cell, and each `y` by itself.
    let mut pushes = vec![0i128; cells.len()];
    let mut ys: Vec<Vec<i128>> = goals.iter().map(|goal| vec![0; goal.totals.len()]).collect();
    for _ in 0..MOST_SWEEPS {
        let mut settled = true;
        for (goal, ys) in goals.iter().zip(&mut ys) {
            for ((members, total), y) in goal.members.iter().zip(goal.totals).zip(ys) {
                let reached =
                    Reach { cells, pushes: &pushes, members, total: *total, before: *y, most: goal.most }.smallest();
                if reached != *y {
                    settled = false;
                    for cell in members {
                        pushes[*cell] += reached - *y;
                    }
                    *y = reached;
                }
            }
        }
        if settled {
            break;
        }
    }
    cells.iter().zip(&pushes).map(|(cell, push)| cell.moved(*push)).collect()
}

impl NearCell {
    fn moved(&self, push: i128) -> i128 {
        self.least.max(self.value + ((self.variance * push) >> Y_PLACES))
    }
}

/// The cells of one total, and what moves them but for its own `y`.
struct Reach<'c> {
    cells: &'c [NearCell],
    pushes: &'c [i128],
    members: &'c [usize],
    total: i128,
    before: i128,
    most: i128,
}

impl Reach<'_> {
    /// Returns the smallest `y` with which the cells reach the total, the largest that there is if none does, and the
    /// one before where no cell moves.
    fn smallest(&self) -> i128 {
        if self.members.iter().all(|cell| self.cells[*cell].variance == 0) {
            return self.before;
        }
        // Not reached below, reached above; Newton's steps come close, and only the search at their end decides.
        let (mut below, mut above) = (-self.most - 1, self.most);
        let mut at = self.before;
        while below < at && at < above {
            let (excess, slope) = self.at(at);
            if excess >= 0 {
                above = at
            } else {
                below = at
            }
            let step = if excess.abs() < LARGE {
                (excess << Y_PLACES) / slope
            } else {
                (excess / slope).saturating_mul(1 << Y_PLACES)
            };
            at = at.saturating_sub(step).clamp(-self.most, self.most - 1);
        }
        let mut stride = 1i128;
        while above - below > 1 {
            // From the end at which the steps arrived, in growing strides, then by halves.
            let middle = below + (above - below) / 2;
            let next = if at >= above { (above - stride).max(middle) } else { (below + stride).min(middle) };
            stride = (4 * stride).min(self.most);
            if self.at(next).0 >= 0 { above = next } else { below = next }
        }
        above
    }

    /// By how much the cells are above the total with some `y`, and how fast that grows.
    fn at(&self, y: i128) -> (i128, i128) {
        let (mut excess, mut slope) = (-self.total, 0);
        for place in self.members {
            let cell = &self.cells[*place];
            let value = cell.moved(self.pushes[*place] - self.before + y);
            excess += value;
            if value > cell.least {
                slope += cell.variance;
            }
        }
        (excess, slope.max(1))
    }
}
