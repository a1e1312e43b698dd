//! Edges as exact rationals, and the least value of a type that is not below one.
//!
//! It must never round but upwards, and must never take a value beyond the type for its last one. It is separate because it
//! runs once for each edge, where exactness may cost time. Read `edges.rs` for how thresholds are used.

use super::edges::Edges;
use incrowd_exact::{Integer, Natural, Rational};

/// So many intervals are kept as thresholds; more must be counted in whole units.
const MOST_KEPT: u64 = 10_000_000;

/// Ascending edges.
pub(super) enum Exact<'a> {
    Listed(&'a [Rational]),
    Regular { from: &'a Rational, width: &'a Rational, intervals: u64 },
}

impl Exact<'_> {
    /// Whether there are few enough edges to be kept.
    pub(super) fn can_be_kept(&self) -> bool {
        match self {
            Exact::Listed(_) => true,
            Exact::Regular { intervals, .. } => *intervals <= MOST_KEPT,
        }
    }

    /// Turns each edge into a threshold; an edge that has none lies beyond every value, and so do those after it.
    pub(super) fn thresholds<T: Copy + PartialOrd>(&self, ceil: impl Fn(&Rational) -> Option<T>) -> Edges<T> {
        match self {
            Exact::Listed(edges) => {
                let thresholds = edges.iter().map_while(ceil).collect();
                Edges::new(thresholds, edges.len() as u64)
            }
            Exact::Regular { from, width, intervals } => {
                let edges = std::iter::successors(Some((*from).clone()), |edge| Some(edge + *width));
                let edges = edges.zip(0..=*intervals);
                let thresholds = edges.map_while(|(edge, _)| ceil(&edge)).collect();
                Edges::new(thresholds, intervals.saturating_add(1))
            }
        }
    }
}

/// Returns the least i64 that is not below a number; nothing if there is none.
pub(super) fn ceil_i64(edge: &Rational) -> Option<i64> {
    let ceil = edge.ceil();
    if ceil <= Integer::from(i64::MIN) { Some(i64::MIN) } else { i64::try_from(ceil).ok() }
}

/// Returns the least u64 that is not below a number; nothing if there is none.
pub(super) fn ceil_u64(edge: &Rational) -> Option<u64> {
    let ceil = edge.ceil();
    if ceil <= Integer::ZERO { Some(0) } else { u64::try_from(ceil).ok() }
}

/// Returns the least i128 that, in units of `10^-scale`, is not below a number; nothing if there is none.
pub(super) fn ceil_i128(edge: &Rational, scale: i8) -> Option<i128> {
    let ceil = (edge * power_of_ten(scale)).ceil();
    if ceil <= Integer::from(i128::MIN) { Some(i128::MIN) } else { i128::try_from(ceil).ok() }
}

/// Returns the least finite f64 that is not below a number; nothing if there is none.
pub(super) fn ceil_f64(edge: &Rational) -> Option<f64> {
    let mut least = edge.to_f64().value().clamp(-f64::MAX, f64::MAX);
    // The nearest float may lie on either side: one step decides, more do no harm.
    while exactly(least) < *edge {
        least = least.next_up();
        if least.is_infinite() {
            return None;
        }
    }
    while least > -f64::MAX && exactly(least.next_down()) >= *edge {
        least = least.next_down();
    }
    Some(least)
}

/// Returns the f64 nearest to a number; nothing beyond the largest.
///
/// A text is read as the nearest float, and that never puts two numbers into the other order: a text that says what the edge
/// says is read as this float, and lies in the interval that begins there.
pub(super) fn nearest_f64(edge: &Rational) -> Option<f64> {
    Some(edge.to_f64().value()).filter(|nearest| nearest.is_finite())
}

/// Returns a finite float as a rational.
fn exactly(number: f64) -> Rational {
    let bits = number.to_bits();
    let exponent = i64::try_from(bits >> 52 & 0x7ff).unwrap_or(0);
    let fraction = bits & ((1 << 52) - 1);
    // Below the least exponent the leading one is not implied.
    let (mantissa, exponent) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let mantissa = if number < 0.0 { -Integer::from(mantissa) } else { Integer::from(mantissa) };
    let power = Natural::ONE << usize::try_from(exponent.unsigned_abs()).unwrap_or(0);
    if exponent < 0 { Rational::from_parts(mantissa, power) } else { Rational::from(mantissa * power) }
}

pub(super) fn power_of_ten(scale: i8) -> Rational {
    let power = Natural::from(10u8).pow(usize::from(scale.unsigned_abs()));
    if scale < 0 { Rational::from_parts(Integer::ONE, power) } else { Rational::from(power) }
}
