//! Empty cells of a declared universe that pass its threshold: how many are expected, and when they are too many.
//!
//! A function of the request alone, computed from the law at count 0 as it is drawn; it must never let a release start
//! that would write without end. It is separate because only thresholds on declared cells have such cells. Read
//! `release/bin_by_bin.rs` for how they are drawn.

use crate::refusal::{MOST_EMPTY_SHOWN, Refusal};
use crate::request::{CellCount, Request};
use crate::settle::Settled;
use incrowd_exact::{Integer, Rational};
use incrowd_privacy::{Deployed, EmptyBin, Universe};

/// Binary places of a chance.
const BITS: usize = 256;
/// No higher threshold is looked for.
const HIGHEST: i64 = 1 << 40;

/// The cells that nobody may be in, and how many of them would be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmptyCells {
    /// How many cells are declared; all of them may be empty.
    pub cells: u128,
    /// How many are shown on average if all are empty, rounded up.
    pub expected: Rational,
}

impl EmptyCells {
    /// Returns what is expected of a request's empty cells; nothing where none can pass or each is listed; or refuses
    /// too many.
    pub fn of(request: &Request, settled: &Settled) -> Result<Option<EmptyCells>, Refusal> {
        let deployed = &settled.deployed;
        let (CellCount::Declared(cells), Universe::Closed, Some(threshold)) =
            (request.cells(), deployed.universe, deployed.publish_from)
        else {
            return Ok(None);
        };
        let Some(expected) = expected(deployed, cells) else { return Ok(None) };
        if expected <= Rational::from(MOST_EMPTY_SHOWN) {
            return Ok(Some(EmptyCells { cells, expected }));
        }
        let enough = |from: i64| {
            let higher = Deployed { publish_from: Some(from), ..deployed.clone() };
            self::expected(&higher, cells).is_some_and(|expected| expected <= Rational::from(MOST_EMPTY_SHOWN))
        };
        Err(Refusal::Flood { cells, expected, threshold: smallest_above(threshold, enough) })
    }
}

/// How many of so many empty cells are shown on average, rounded up; nothing where the law at count 0 has no simple
/// tail.
fn expected(deployed: &Deployed, cells: u128) -> Option<Rational> {
    match EmptyBin::of(deployed) {
        EmptyBin::Silent => Some(Rational::ZERO),
        EmptyBin::Passes(tail) => Some(tail.chance(BITS).upper() * Rational::from(Integer::from(cells))),
        EmptyBin::Unknown => None,
    }
}

/// Returns the smallest number above one that fails which passes, where passing never stops again.
fn smallest_above(fails: i64, passes: impl Fn(i64) -> bool) -> Option<i64> {
    let (mut low, mut stride) = (fails, 1i64);
    let mut high = loop {
        let probe = low.saturating_add(stride);
        if probe > HIGHEST {
            return None;
        }
        if passes(probe) {
            break probe;
        }
        low = probe;
        stride *= 2;
    };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if passes(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}
