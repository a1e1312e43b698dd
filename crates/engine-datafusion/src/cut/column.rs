//! The loop over a column: from each value to its bin, added to the row's cell.
//!
//! It must never allocate for a row. It is separate from the kinds of bins so that missing values, "other" and the sum
//! are written once. Read `texts.rs` next.

use super::NOT_COUNTED;
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float64Type};
use arrow_array::{Array, BooleanArray, PrimitiveArray};
use arrow_buffer::NullBuffer;
use incrowd_engine::thresholds::{OUTSIDE, Thresholds};

/// The numbers of the bins that are not listed, or `NOT_COUNTED`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Codes {
    pub(super) other: u64,
    pub(super) missing: u64,
}

/// How a bin's number counts in the number of a cell.
///
/// Cells are at most 2^63, so a sum saturates exactly if some part of it is `NOT_COUNTED`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    stride: u64,
    other: u64,
    missing: u64,
}

impl Scale {
    pub(super) fn new(codes: Codes, stride: u64) -> Scale {
        let times = |code: u64| if code == NOT_COUNTED { NOT_COUNTED } else { code.wrapping_mul(stride) };
        Scale { stride, other: times(codes.other), missing: times(codes.missing) }
    }

    /// Returns how many cells apart neighbouring bins are.
    pub(super) fn stride(self) -> u64 {
        self.stride
    }

    /// Returns what a listed bin, or `OUTSIDE`, adds.
    #[inline(always)]
    pub(super) fn part(self, code: u64) -> u64 {
        if code == OUTSIDE { self.other } else { code.wrapping_mul(self.stride) }
    }

    /// Returns what a missing value adds.
    pub(super) fn missing_part(self) -> u64 {
        self.missing
    }

    #[inline(always)]
    pub(super) fn add<T: ArrowPrimitiveType>(
        self,
        values: &dyn Array,
        of: impl Fn(T::Native) -> u64,
        cells: &mut [u64],
    ) {
        let values: &PrimitiveArray<T> = values.as_primitive();
        let parts = values.values().iter().map(|value| self.part(of(*value)));
        self.add_parts(parts, values.nulls(), cells);
    }

    /// Floats: NaN is missing, and what is infinite is in no interval.
    pub(super) fn add_floats(self, values: &PrimitiveArray<Float64Type>, edges: &Thresholds<f64>, cells: &mut [u64]) {
        let parts = values.values().iter().map(|value| {
            if value.is_finite() {
                self.part(edges.of(*value))
            } else if value.is_nan() {
                self.missing
            } else {
                self.other
            }
        });
        self.add_parts(parts, values.nulls(), cells);
    }

    pub(super) fn add_booleans(self, values: &BooleanArray, codes: [u64; 2], cells: &mut [u64]) {
        let parts = codes.map(|code| self.part(code));
        let parts = values.values().iter().map(|truth| parts[usize::from(truth)]);
        self.add_parts(parts, values.nulls(), cells);
    }

    /// Adds a part to each cell; parts of missing values are not looked at.
    #[inline(always)]
    pub(super) fn add_parts(self, parts: impl Iterator<Item = u64>, nulls: Option<&NullBuffer>, cells: &mut [u64]) {
        match nulls.filter(|nulls| nulls.null_count() > 0) {
            None => {
                for (cell, part) in cells.iter_mut().zip(parts) {
                    *cell = cell.saturating_add(part);
                }
            }
            Some(nulls) => {
                for ((cell, part), valid) in cells.iter_mut().zip(parts).zip(nulls.iter()) {
                    *cell = cell.saturating_add(if valid { part } else { self.missing });
                }
            }
        }
    }
}
