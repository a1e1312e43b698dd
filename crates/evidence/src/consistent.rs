//! The consistent table: whole numbers, none below zero, in which every total is the sum of its cells.
//!
//! Made of unbiased values and the widths of intervals, which are functions of published values, in whole numbers and
//! shifts alone, so that everybody gets the same digits; it must never look at anything else, nor call its cells
//! published ones. It is separate from `margins.rs`, whose totals are unbiased and may be below zero. Read
//! `consistent/nearest.rs` for what is nearest, `consistent/whole.rs` for how it becomes whole, and section 7.10 of
//! `docs/certificate.md` for both in words.

mod nearest;
mod whole;

#[cfg(test)]
mod tests;

use crate::glance::Row;
use crate::grouping::{self, Grouping, LabelColumns, Labels};
use crate::request::KeyColumn;
use arrow_array::builder::Int64Builder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use incrowd_exact::Integer;
use nearest::{NearCell, top_down};
use std::cell::OnceCell;
use std::sync::Arc;
use whole::whole;

/// Binary places of values while they are sought.
const PLACES: usize = 32;
/// The largest variance, the others being told as parts of it.
const LARGEST_VARIANCE: i128 = 1 << 24;
/// Values are taken to lie within `2^63` people.
const MOST_UNITS: i128 = 1 << 95;

/// The cells of a table, being gathered.
pub(crate) struct Consistent {
    /// The cells, then each set of bins that totals are asked for and that is not all of them.
    cells: Grouping,
    sets: Vec<Grouping>,
    values: Vec<CellFound>,
    /// The whole numbers, once they are asked for; no cell is added after that.
    solved: OnceCell<Solved>,
}

/// The table, solved.
struct Solved {
    /// The cells, and the groups of each set, in order.
    order: Vec<usize>,
    orders: Vec<Vec<usize>>,
    levels: Vec<Level>,
    /// The number of each cell, in order.
    found: Vec<i128>,
}

/// A cell of the table that adds up.
pub(crate) struct ConsistentCell<'c> {
    /// The labels of all bins.
    pub(crate) labels: &'c Labels,
    /// Its number, moved into its interval.
    pub(crate) people: i128,
}

/// What is known of a cell.
struct CellFound {
    /// Its unbiased value, in units of `2^-64`.
    value: Integer,
    /// The square of its interval's width.
    spread: Integer,
    /// Its interval.
    low: i64,
    high: i64,
}

/// A way to put cells into groups: the whole, the totals of some bins, or every cell by itself.
pub(crate) struct Level {
    /// The bins that tell groups apart, as places among the keys.
    keys: Vec<usize>,
    /// The group of each cell.
    group: Vec<usize>,
    groups: usize,
}

impl Level {
    /// Whether this tells groups apart wherever the other one does, and in more places.
    fn is_finer_than(&self, other: &Level) -> bool {
        self.keys.len() > other.keys.len() && other.keys.iter().all(|key| self.keys.contains(key))
    }
}

impl Consistent {
    /// Makes ready for a table with so many bins, and totals of these sets of them.
    pub(crate) fn of(bins: usize, sets: &[Vec<usize>]) -> Consistent {
        let some = sets.iter().filter(|set| set.len() < bins);
        Consistent {
            cells: Grouping::of((0..bins).collect()),
            sets: [Vec::new()].iter().chain(some).cloned().map(Grouping::of).collect(),
            values: Vec::new(),
            solved: OnceCell::new(),
        }
    }

    /// Adds a cell: its row in the table of counts, its unbiased value in units of `2^-64`, and its interval.
    ///
    /// Its weight comes from the interval, not from the estimate of its variance: that one is unbiased over all draws,
    /// and so takes a value that a small group shows by a long jump for one that is nearly exact. No cell goes below
    /// its interval, so that what is well known does not pay for what is not: a total of many uncertain cells may lie
    /// far below the few large ones among them.
    pub(crate) fn add(&mut self, row: &Row, value: &Integer, (low, high): (Option<i64>, Option<i64>)) {
        if self.cells.group(row) == self.values.len() {
            let low = low.unwrap_or(0).max(0);
            let high = high.unwrap_or(i64::MAX).max(low);
            let width = Integer::from(high) - Integer::from(low);
            self.values.push(CellFound { value: value.clone(), spread: width.clone() * width, low, high });
        }
        for set in &mut self.sets {
            set.group(row);
        }
    }

    /// Returns the table: the whole, the totals set by set, and the cells, each in the order of the table of counts.
    pub(crate) fn rows(&self, columns: &[KeyColumn<'_>]) -> Option<RecordBatch> {
        let Solved { order, orders, levels, found } = self.solved(columns);
        let names: Vec<String> = columns.iter().map(|column| column.name().to_string()).collect();
        let mut labels = LabelColumns::of_each(columns.len());
        let (mut values, mut cells) = (Int64Builder::new(), Int64Builder::new());
        let groupings = self.sets.iter().chain([&self.cells]).zip(orders.iter().chain([order]));
        for ((grouping, order), level) in groupings.zip(levels) {
            let (mut sums, mut members) = (vec![0i128; level.groups], vec![0i64; level.groups]);
            for (cell, group) in level.group.iter().enumerate() {
                sums[*group] += found[cell];
                members[*group] += 1;
            }
            for (rank, group) in order.iter().enumerate() {
                labels.push(&names, grouping, *group);
                values.append_value(i64::try_from(sums[rank]).unwrap_or(i64::MAX));
                cells.append_value(members[rank]);
            }
        }
        let mut arrays = labels.finish();
        arrays.extend([Arc::new(values.finish()) as ArrayRef, Arc::new(cells.finish())]);
        let mut fields: Vec<Field> = names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
        fields.extend(["consistent", "cells"].map(|name| Field::new(name, DataType::Int64, false)));
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).ok()
    }

    /// Returns the cells in the order of the table of counts, each number moved into the interval of its cell: one that
    /// lies far above it makes totals right, and a mean wrong.
    pub(crate) fn cells(&self, columns: &[KeyColumn<'_>]) -> Vec<ConsistentCell<'_>> {
        let Solved { order, found, .. } = self.solved(columns);
        let cells = order.iter().zip(found);
        let moved = |(cell, people): (&usize, &i128)| {
            let CellFound { low, high, .. } = &self.values[*cell];
            let people = (*people).clamp(i128::from(*low), i128::from(*high));
            ConsistentCell { labels: self.cells.labels(*cell), people }
        };
        cells.map(moved).collect()
    }

    fn solved(&self, columns: &[KeyColumn<'_>]) -> &Solved {
        self.solved.get_or_init(|| {
            let order = self.cells.order(columns);
            let orders: Vec<Vec<usize>> = self.sets.iter().map(|set| set.order(columns)).collect();
            let levels = self.levels(&order, &orders);
            let found = solved(&self.near_cells(&order), &levels);
            Solved { order, orders, levels, found }
        })
    }

    /// The whole, the sets and the cells, with cells and groups numbered in their order.
    fn levels(&self, order: &[usize], orders: &[Vec<usize>]) -> Vec<Level> {
        let mut levels = Vec::new();
        for (set, order_of_set) in self.sets.iter().zip(orders) {
            let mut rank = vec![0; set.len()];
            for (place, group) in order_of_set.iter().enumerate() {
                rank[*group] = place;
            }
            let group_of = |cell: &usize| {
                let labels = self.cells.labels(*cell);
                let own: Vec<Option<String>> = set.keys().iter().map(|key| labels[*key].clone()).collect();
                set.place(&own).map_or(0, |group| rank[group])
            };
            levels.push(Level {
                keys: set.keys().to_vec(),
                group: order.iter().map(group_of).collect(),
                groups: set.len(),
            });
        }
        let cells = order.len();
        levels.push(Level { keys: self.cells.keys().to_vec(), group: (0..cells).collect(), groups: cells });
        levels
    }

    /// The cells in order, in fixed point.
    fn near_cells(&self, order: &[usize]) -> Vec<NearCell> {
        let largest = self.values.iter().map(|cell| &cell.spread).max().cloned().unwrap_or_default();
        let near = |CellFound { value, spread, low, .. }: &CellFound| {
            let value = i128::try_from(&(value >> (grouping::PLACES - PLACES)));
            let value = value.unwrap_or(MOST_UNITS).clamp(-MOST_UNITS, MOST_UNITS);
            if spread <= &Integer::ZERO {
                return NearCell { value, variance: 0, least: value.max(0) };
            }
            let part = i128::try_from(&(spread * Integer::from(LARGEST_VARIANCE) / &largest));
            let least = (i128::from(*low) << PLACES).min(MOST_UNITS);
            NearCell { value, variance: part.unwrap_or(LARGEST_VARIANCE).max(1), least }
        };
        order.iter().map(|cell| near(&self.values[*cell])).collect()
    }
}

/// Returns the places of the levels that hold each other, from the whole to the cells: each the first that is finer
/// than the last.
fn chain(levels: &[Level]) -> Vec<usize> {
    let mut chain: Vec<usize> = Vec::new();
    for (at, level) in levels.iter().enumerate() {
        if chain.last().is_none_or(|last| level.is_finer_than(&levels[*last])) {
            chain.push(at);
        }
    }
    chain
}

/// Returns the whole number of each cell.
fn solved(cells: &[NearCell], levels: &[Level]) -> Vec<i128> {
    whole(&top_down(cells, levels), levels)
}
