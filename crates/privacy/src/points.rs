//! Synthetic points: the whole-number grid that they are moved on.
//!
//! Coordinates are exact rationals and places on the grid are integers; it must never round a coordinate by a float. It
//! is separate because a point is a place, not a count. Read `points/displacement.rs` for how far points move, and
//! `incrowd-noise`'s `points.rs` for the noise.
//!
//! Source: CB section 4 on the grid of `docs/errata.md` 4.5. Every value of a cell goes to a grid point of the cell, at
//! most [`radius`] steps from every other one, so noise of rate `epsilon / radius` per coordinate hides which one it
//! was.

mod displacement;

pub use displacement::displacement_within;
use incrowd_exact::{Integer, Rational};
use std::fmt;

/// So many intervals may an axis have, over all its cells.
pub const MAX_FINE: u64 = 1 << 17;
/// Grid points lie within so many steps of zero: noise never reaches the ends of 64-bit integers.
const FURTHEST: i64 = 1 << 61;

/// One axis cut into cells, and the grid points that stand for the values of each.
///
/// A cell `[a, b)` has the grid points `i` with `a <= i step < b`. A value of the cell is rounded to the nearest grid
/// point, half up, and if that is not in the cell, to the nearest that is: it moves by less than a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lattice {
    edges: Vec<Rational>,
    step: Rational,
    /// The first and the last grid point of each cell.
    ranges: Vec<(i64, i64)>,
    /// How many fine intervals lie before each cell.
    before: Vec<u64>,
}

/// Why edges and a step make no grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LatticeError {
    /// Fewer than two edges leave no cell.
    TooFewEdges,
    /// An edge is not above the one before it.
    NotAscending {
        /// Its number, from 0.
        edge: u64,
    },
    /// The step is zero or negative.
    StepNotPositive,
    /// A cell has no grid point, so its points could not be placed.
    NoPoint {
        /// Its number, from 0.
        cell: u64,
    },
    /// There would be more than `2^17` intervals.
    TooFine,
    /// A cell lies more than `2^61` steps from zero.
    TooFar {
        /// Its number, from 0.
        cell: u64,
    },
}

impl fmt::Display for LatticeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LatticeError::TooFewEdges => f.write_str("an axis needs at least two edges"),
            LatticeError::NotAscending { edge } => write!(f, "edge {edge} is not above the one before it"),
            LatticeError::StepNotPositive => f.write_str("the step of a grid must be positive"),
            LatticeError::NoPoint { cell } => write!(f, "cell {cell} has no grid point; a smaller step has more"),
            LatticeError::TooFine => {
                write!(f, "an axis may have at most {MAX_FINE} grid points; a larger step has fewer")
            }
            LatticeError::TooFar { cell } => write!(f, "cell {cell} is too many steps away from zero"),
        }
    }
}

impl std::error::Error for LatticeError {}

impl Lattice {
    /// Returns the grid of an axis with cells between neighbouring edges, or says why there is none.
    pub fn new(edges: Vec<Rational>, step: Rational) -> Result<Self, LatticeError> {
        // Rationals are totally ordered: there is no NaN that could slip between the cases.
        if step <= Rational::ZERO {
            return Err(LatticeError::StepNotPositive);
        }
        if edges.len() < 2 {
            return Err(LatticeError::TooFewEdges);
        }
        let (mut ranges, mut before) = (Vec::new(), Vec::new());
        let mut fine = 0u64;
        for (cell, pair) in (0u64..).zip(edges.windows(2)) {
            let (a, b) = (&pair[0], &pair[1]);
            if a >= b {
                return Err(LatticeError::NotAscending { edge: cell + 1 });
            }
            // a <= i step < b
            let (low, end) = ((a / &step).ceil(), (b / &step).ceil());
            if low >= end {
                return Err(LatticeError::NoPoint { cell });
            }
            let far = |index: Integer| i64::try_from(index).ok().filter(|index| index.abs() <= FURTHEST);
            let range = far(low).zip(far(end)).ok_or(LatticeError::TooFar { cell })?;
            ranges.push((range.0, range.1 - 1));
            before.push(fine);
            fine += range.1.abs_diff(range.0);
            if fine > MAX_FINE {
                return Err(LatticeError::TooFine);
            }
        }
        Ok(Lattice { edges, step, ranges, before })
    }

    /// How many cells there are.
    pub fn cells(&self) -> u64 {
        self.ranges.len() as u64
    }

    /// The first and the last grid point of a cell.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn range(&self, cell: u64) -> (i64, i64) {
        self.ranges[cell as usize]
    }

    /// Returns the edges of the intervals whose values go to one grid point each: ascending, first and last those of
    /// the axis.
    ///
    /// In a cell `[a, b)` with grid points `lo..=hi` these are `a, (lo + 1/2) step, ..., (hi - 1/2) step`, and then
    /// `b`. None is empty: `a <= lo step < (lo + 1/2) step` and `(hi - 1/2) step < hi step < b`. A value below `(lo +
    /// 1/2) step` rounds to `lo` or to less and is kept at `lo`; one from `(hi - 1/2) step` on rounds to `hi` or to
    /// more and is kept at `hi`.
    pub fn fine_edges(&self) -> Vec<Rational> {
        let half = Rational::ONE / Rational::from(2u8);
        let mut edges = Vec::new();
        for (first, (low, high)) in self.edges.iter().zip(&self.ranges) {
            edges.push(first.clone());
            edges.extend((*low..*high).map(|index| (Rational::from(index) + &half) * &self.step));
        }
        edges.extend(self.edges.last().cloned());
        edges
    }

    /// Returns the cell and the grid point of an interval of [`Lattice::fine_edges`], both counted from 0.
    ///
    /// # Panics
    /// If there is no such interval.
    pub fn place(&self, fine: u64) -> (u64, i64) {
        let cell = self.before.partition_point(|before| *before <= fine) - 1;
        let (low, high) = self.ranges[cell];
        let within = fine - self.before[cell];
        assert!(within <= high.abs_diff(low), "an axis has no interval {fine}");
        (cell as u64, low + within as i64)
    }

    /// Returns the coordinate of a grid point, in a cell or beyond.
    pub fn value(&self, index: i64) -> Rational {
        Rational::from(index) * &self.step
    }
}

/// Returns how many steps the furthest two grid points of a cell are apart, over all axes: its diameter.
///
/// # Panics
/// If an axis has no such cell, or there is not one number for each axis.
pub fn radius(lattices: &[Lattice], cell: &[u64]) -> u64 {
    assert_eq!(lattices.len(), cell.len(), "a cell has one number for each axis");
    let across = |(lattice, cell): (&Lattice, &u64)| {
        let (low, high) = lattice.range(*cell);
        high.abs_diff(low)
    };
    lattices.iter().zip(cell).map(across).sum()
}

/// Returns the rate of the noise that hides which of its grid points a point of a cell was; nothing where there is only
/// one and no noise is needed.
///
/// Points of one cell differ by at most [`radius`] steps, so their chances of any output by a factor `e^(rate radius)`.
pub fn rate_for(epsilon: &Rational, radius: u64) -> Option<Rational> {
    (radius > 0).then(|| epsilon / Rational::from(radius))
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::testing::number;
    use proptest::prelude::*;

    fn lattice(edges: &[&str], step: &str) -> Result<Lattice, LatticeError> {
        Lattice::new(edges.iter().map(|edge| number(edge)).collect(), number(step))
    }

    /// The definition: round half up, then keep within the cell.
    fn defined(lattice: &Lattice, cell: u64, value: &Rational) -> i64 {
        let nearest = (value / &lattice.step + number("1/2")).floor();
        let (low, high) = lattice.range(cell);
        i64::try_from(nearest).expect("small").clamp(low, high)
    }

    /// Checks both ends and the middle of every fine interval against the definition.
    fn check(lattice: &Lattice) {
        let fine = lattice.fine_edges();
        assert_eq!(fine.first(), lattice.edges.first());
        assert_eq!(fine.last(), lattice.edges.last());
        for (number_of, pair) in (0u64..).zip(fine.windows(2)) {
            assert!(pair[0] < pair[1], "no interval is empty");
            let (cell, index) = lattice.place(number_of);
            let middle = (&pair[0] + &pair[1]) / Rational::from(2u8);
            let nearly_last = (&pair[0] + &pair[1] * Rational::from(999_999u32)) / Rational::from(1_000_000u32);
            for value in [&pair[0], &middle, &nearly_last] {
                let inside = lattice.edges.partition_point(|edge| edge <= value) - 1;
                assert_eq!(cell, inside as u64, "{value}");
                assert_eq!(index, defined(lattice, cell, value), "{value}");
                let moved = lattice.value(index) - value;
                assert!(moved < lattice.step && -moved < lattice.step);
                assert!(
                    lattice.edges[inside] <= lattice.value(index) && lattice.value(index) < lattice.edges[inside + 1]
                );
            }
        }
    }

    #[test]
    fn every_value_goes_where_rounding_and_clamping_put_it() {
        for (edges, step, intervals) in [
            // Edges on the grid, between grid points, and at halves.
            (&["0", "3"][..], "1", 3),
            (&["-8", "-6", "2"], "1/10", 100),
            (&["0.4", "3.2"], "1", 3),
            (&["0.6", "3.9"], "1", 3),
            (&["-1/2", "1/2", "3/2"], "1", 2),
            (&["1/4", "5/4", "9/4", "100"], "1/2", 199),
            // One grid point in a cell, at its lower edge and inside.
            (&["1", "1.01", "2.5"], "1", 2),
            (&["0.99", "1.01", "3"], "1", 2),
            (&["-1/3", "1/7", "22/7"], "1/11", 38),
        ] {
            let lattice = lattice(edges, step).expect("a grid");
            assert_eq!(lattice.fine_edges().len(), intervals + 1, "{edges:?}");
            check(&lattice);
        }
    }

    proptest! {
        #[test]
        fn so_does_any_grid(first in -300i64..300, widths in prop::collection::vec(1i64..200, 1..5), below in 1u64..60, step in 1i64..200) {
            let below = Rational::from(below);
            let mut edges = vec![Rational::from(first) / &below];
            for width in widths {
                edges.push(edges.last().expect("one") + Rational::from(width) / &below);
            }
            let step = Rational::from(step) / Rational::from(97u8);
            match Lattice::new(edges.clone(), step.clone()) {
                Ok(lattice) => check(&lattice),
                Err(LatticeError::NoPoint { cell }) => {
                    let (a, b) = (&edges[cell as usize], &edges[cell as usize + 1]);
                    prop_assert!(Rational::from((a / &step).ceil()) * &step >= *b);
                }
                Err(other) => panic!("{other}"),
            }
        }
    }

    #[test]
    fn what_makes_no_grid_is_refused() {
        assert_eq!(lattice(&["0", "1"], "0"), Err(LatticeError::StepNotPositive));
        assert_eq!(lattice(&["0", "1"], "-1"), Err(LatticeError::StepNotPositive));
        assert_eq!(lattice(&["0"], "1"), Err(LatticeError::TooFewEdges));
        assert_eq!(lattice(&[], "1"), Err(LatticeError::TooFewEdges));
        assert_eq!(lattice(&["0", "2", "2"], "1"), Err(LatticeError::NotAscending { edge: 2 }));
        assert_eq!(lattice(&["0", "1", "1.2", "1.9"], "1"), Err(LatticeError::NoPoint { cell: 2 }));
        assert_eq!(lattice(&["1e200", "1e201"], "1"), Err(LatticeError::TooFar { cell: 0 }));
        assert_eq!(lattice(&["0", "131073"], "1"), Err(LatticeError::TooFine));
        assert_eq!(lattice(&["0", "131072"], "1").expect("a grid").place(131_071), (0, 131_071));
    }

    #[test]
    #[should_panic(expected = "no interval 3")]
    fn an_interval_that_does_not_exist_has_no_place() {
        lattice(&["0", "3"], "1").expect("a grid").place(3);
    }

    #[test]
    fn the_radius_adds_up_the_axes() {
        let axes = [lattice(&["0", "3", "3.5"], "1").expect("a grid"), lattice(&["0", "2"], "1").expect("a grid")];
        assert_eq!(radius(&axes, &[0, 0]), 3);
        assert_eq!(radius(&axes, &[1, 0]), 1);
        assert_eq!(radius(&axes[..1], &[1]), 0);
        assert_eq!(rate_for(&Rational::ONE, 3), Some(number("1/3")));
        assert_eq!(rate_for(&Rational::ONE, 0), None);
    }
}
