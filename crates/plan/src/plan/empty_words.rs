//! What a plan says of empty cells that pass its threshold.
//!
//! It must never say less than is expected. It is separate because it is words about `empty.rs`. Read that file first.

use crate::empty::EmptyCells;
use crate::plan::Plan;
use crate::refusal::MOST_EMPTY_SHOWN;
use incrowd_exact::significant_rounding_up;
use serde_json::{Value, json};

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
