//! Edges as exact rationals, and the least value of a type that is not below one.
//!
//! It must never round but upwards, and must never take a value beyond the type for its last one. It is separate
//! because it runs once for each edge, where exactness may cost time. Read `../thresholds.rs` for how they are used.

use super::Thresholds;
use incrowd_exact::{Integer, Natural, Rational};

/// So many intervals are kept as thresholds; more must be counted in whole units.
const MOST_KEPT: u64 = 10_000_000;

/// Ascending edges.
pub enum ExactEdges<'a> {
    /// All of them.
    Listed(&'a [Rational]),
    /// Of equal width.
    Regular {
        /// The first.
        from: &'a Rational,
        /// How far apart they are.
        width: &'a Rational,
        /// How many intervals they make.
        intervals: u64,
    },
}

impl ExactEdges<'_> {
    /// Whether there are few enough edges to be kept.
    pub fn can_be_kept(&self) -> bool {
        match self {
            ExactEdges::Listed(_) => true,
            ExactEdges::Regular { intervals, .. } => *intervals <= MOST_KEPT,
        }
    }

    /// Turns each edge into a threshold; an edge that has none lies beyond every value, and so do those after it.
    pub fn thresholds<T: Copy + PartialOrd>(&self, ceil: impl Fn(&Rational) -> Option<T>) -> Thresholds<T> {
        match self {
            ExactEdges::Listed(edges) => {
                let thresholds = edges.iter().map_while(ceil).collect();
                Thresholds::new(thresholds, edges.len() as u64)
            }
            ExactEdges::Regular { from, width, intervals } => {
                let edges = std::iter::successors(Some((*from).clone()), |edge| Some(edge + *width));
                let edges = edges.zip(0..=*intervals);
                let thresholds = edges.map_while(|(edge, _)| ceil(&edge)).collect();
                Thresholds::new(thresholds, intervals.saturating_add(1))
            }
        }
    }
}

/// Returns the least i64 that is not below a number; nothing if there is none.
pub fn ceil_i64(edge: &Rational) -> Option<i64> {
    let ceil = edge.ceil();
    if ceil <= Integer::from(i64::MIN) { Some(i64::MIN) } else { i64::try_from(ceil).ok() }
}

/// Returns the least u64 that is not below a number; nothing if there is none.
pub fn ceil_u64(edge: &Rational) -> Option<u64> {
    let ceil = edge.ceil();
    if ceil <= Integer::ZERO { Some(0) } else { u64::try_from(ceil).ok() }
}

/// Returns the least i128 that, in units of `10^-scale`, is not below a number; nothing if there is none.
pub fn ceil_i128(edge: &Rational, scale: i8) -> Option<i128> {
    let ceil = (edge * power_of_ten(scale)).ceil();
    if ceil <= Integer::from(i128::MIN) { Some(i128::MIN) } else { i128::try_from(ceil).ok() }
}

/// Returns the least finite f64 whose shortest decimal is not below a number; nothing if there is none.
///
/// The float 0.3 is a little less than three tenths; what was meant is the shortest decimal that is read as it, and
/// that is what other formats say. Shortest decimals are in the order of their floats, because each lies among the
/// numbers that are rounded to its float: so one threshold decides, and it is next to the float that is nearest to the
/// edge.
pub fn ceil_f64(edge: &Rational) -> Option<f64> {
    let mut least = edge.to_f64().value().clamp(-f64::MAX, f64::MAX);
    while shortest(least) < *edge {
        least = least.next_up();
        if least.is_infinite() {
            return None;
        }
    }
    while least > -f64::MAX && shortest(least.next_down()) >= *edge {
        least = least.next_down();
    }
    Some(least)
}

/// Returns the shortest decimal that is read as a finite float.
fn shortest(number: f64) -> Rational {
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // At most seventeen digits, and an exponent of at most three.
    let units: i64 = format!("{whole}{fraction}").parse().unwrap_or(0);
    let exponent = exponent.parse::<i64>().unwrap_or(0) - fraction.len() as i64;
    let power = Natural::from(10u8).pow(usize::try_from(exponent.unsigned_abs()).unwrap_or(0));
    let units = Integer::from(units);
    if exponent < 0 { Rational::from_parts(units, power) } else { Rational::from(units * power) }
}

pub(super) fn power_of_ten(scale: i8) -> Rational {
    let power = Natural::from(10u8).pow(usize::from(scale.unsigned_abs()));
    if scale < 0 { Rational::from_parts(Integer::ONE, power) } else { Rational::from(power) }
}
