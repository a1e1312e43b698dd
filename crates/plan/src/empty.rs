//! Empty cells of a declared universe that pass its threshold: how many are expected, and when they are too many.
//!
//! A function of the request alone, computed from the law at count 0 as it is drawn; it must never let a release start that would
//! write without end. It is separate because only thresholds on declared cells have such cells. Read `release/bin_by_bin.rs` for how they are
//! drawn.

use crate::plan::Plan;
use crate::refusal::Refusal;
use crate::request::{CellCount, Request};
use crate::settle::Settled;
use incrowd_exact::{Integer, Rational, significant_rounding_up};
use incrowd_privacy::{Deployed, EmptyBin, Universe};
use serde_json::{Value, json};

/// The most empty cells that may be expected in a table.
pub const MOST_EMPTY_SHOWN: u64 = 10_000_000;
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
    /// Returns what is expected of a request's empty cells; nothing where none can pass or each is listed; or refuses too many.
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

/// How many of so many empty cells are shown on average, rounded up; nothing where the law at count 0 has no simple tail.
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

impl Plan {
    /// Returns how many empty bins are expected to be shown, in words.
    pub fn empty_words(&self) -> Vec<String> {
        let words = |empty: &EmptyCells| {
            format!(
                "up to {} of the {} declared bins are expected to be shown although nobody is in them, with values that are noise alone (more than {MOST_EMPTY_SHOWN} are refused)",
                significant_rounding_up(&empty.expected, 3),
                empty.cells
            )
        };
        self.empty.iter().map(words).collect()
    }

    /// Returns the same for machines; null where no empty cell passes a threshold.
    pub fn empty_json(&self) -> Value {
        match &self.empty {
            None => Value::Null,
            Some(EmptyCells { cells, expected }) => json!({
                "cells": cells.to_string(),
                "expected_shown": significant_rounding_up(expected, 6),
                "most": MOST_EMPTY_SHOWN,
            }),
        }
    }
}
