//! Comparing values with rational edges, exactly: half-open intervals between edges, and intervals of equal width.
//!
//! An edge becomes the least value of the column's own type that is not below it, so that comparing a row is exact and
//! fast. It must never round an edge down, nor put a value into an interval by way of a rounded quotient. It is
//! separate from the engines so that all of them mean the same by an edge; one that compares elsewhere asks for the
//! same thresholds, and `tests/conformance` has values beside them. Read `thresholds/exact.rs` for where they come
//! from.

mod exact;

pub use exact::{ExactEdges, ceil_f64, ceil_i64, ceil_i128, ceil_u64};

use incrowd_exact::Rational;
use std::sync::Arc;

/// The number of the interval of a value that is in none.
pub const OUTSIDE: u64 = u64::MAX;

/// So many edges are compared one after the other, without a branch.
const FEW: usize = 16;

/// Half-open intervals between ascending edges.
#[derive(Clone)]
pub struct Thresholds<T> {
    /// The edges that values of the type can reach.
    thresholds: Arc<[T]>,
    /// How many edges there are, with those beyond the type.
    edges: u64,
}

impl<T: Copy + PartialOrd> Thresholds<T> {
    /// Takes the ascending thresholds that can be reached, and how many edges there are in all.
    pub fn new(thresholds: Vec<T>, edges: u64) -> Thresholds<T> {
        Thresholds { thresholds: thresholds.into(), edges }
    }

    /// Returns the number of the interval, or `OUTSIDE`.
    #[inline(always)]
    pub fn of(&self, value: T) -> u64 {
        let below = if self.thresholds.len() <= FEW {
            let count = |below: u64, threshold: &T| below.wrapping_add(u64::from(*threshold <= value));
            self.thresholds.iter().fold(0, count)
        } else {
            self.thresholds.partition_point(|threshold| *threshold <= value) as u64
        };
        // The i-th interval lies after i + 1 edges; after none or all of them is outside.
        if below == self.edges { OUTSIDE } else { below.wrapping_sub(1) }
    }
}

impl Thresholds<i32> {
    /// Intervals between days.
    pub fn of_days(edges: &[i32]) -> Thresholds<i32> {
        Thresholds::new(edges.to_vec(), edges.len() as u64)
    }

    /// Periods begin on their first days; the last ends where the next would begin, if that is a day at all.
    pub fn of_periods(starts: &[i32], end: Option<i32>) -> Thresholds<i32> {
        let thresholds = starts.iter().copied().chain(end).collect();
        Thresholds::new(thresholds, (starts.len() as u64).saturating_add(1))
    }
}

/// Intervals of equal width over whole numbers (of units of a decimal).
#[derive(Clone)]
pub struct EqualIntervals {
    from: i128,
    width: u128,
    intervals: u64,
}

impl EqualIntervals {
    /// Returns the intervals, if they can be counted in whole units of `10^-scale`.
    ///
    /// A whole value v is at or above `from + k * width` exactly if it is at or above `ceil(from) + k * width`, as long
    /// as the width is whole.
    pub fn new(from: &Rational, width: &Rational, intervals: u64, scale: i8) -> Option<EqualIntervals> {
        let unit = exact::power_of_ten(scale);
        let width = width * &unit;
        if !width.is_int() {
            return None;
        }
        let from = i128::try_from((from * unit).ceil()).ok()?;
        let width = u128::try_from(width.numerator().clone()).ok().filter(|width| *width > 0)?;
        Some(EqualIntervals { from, width, intervals })
    }

    /// Returns the number of the interval, or `OUTSIDE`.
    #[inline(always)]
    pub fn of(&self, value: i128) -> u64 {
        if value < self.from {
            return OUTSIDE;
        }
        // The distance of two i128 is a u128.
        let distance = value.abs_diff(self.from);
        let place = match (u64::try_from(distance), u64::try_from(self.width)) {
            (Ok(distance), Ok(width)) => u128::from(distance / width),
            (_, _) => distance / self.width,
        };
        if place < u128::from(self.intervals) { place as u64 } else { OUTSIDE }
    }
}
