//! What is counted, put together into the text that a book keeps.
//!
//! The other direction of `read.rs`. It must never depend on where data or book lie, nor on a heading, nor on the order
//! in which a JSON library keeps keys: equal definitions have equal bytes. It is separate from the proofs because it
//! says what is asked, and they judge what was written. Read `read.rs` next.

use crate::canonical::{number, sorted_text};
use crate::column_type::ColumnType;
use crate::dimension::Dimension;
use crate::split::Split;
use crate::unit::Unit;
use incrowd_exact::Rational;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What is counted, whatever the state of the data.
#[derive(Debug, Clone)]
pub struct Definition<'r> {
    /// Whose data it is.
    pub dataset: Option<&'r str>,
    /// A condition on one row.
    pub condition: Option<&'r str>,
    /// The declared part of the people, if not all.
    pub split: Option<&'r Split>,
    /// Who is one person.
    pub unit: &'r Unit,
    /// Declared types of columns.
    pub types: &'r BTreeMap<String, ColumnType>,
    /// Where days begin.
    pub timezone: &'r str,
    /// The canonical form of what only one kind of release has; null for counts of bins.
    pub kind: Value,
    /// The dimensions, in order.
    pub dimensions: &'r [Dimension],
}

/// What of the data is counted, and how it is read.
#[derive(Debug, Clone, Copy)]
pub struct CountedState<'r> {
    /// The name of the state of the data, if somebody gave it one.
    pub snapshot: Option<&'r str>,
    /// The chance of each person to be counted, where a sample is.
    pub sample: Option<&'r Rational>,
    /// How values are read, in the canonical form of a reading; without it the text is that of incrowd 0.1.
    pub reading: Option<&'r Value>,
}

impl Definition<'_> {
    /// Returns the text of the definition alone: it stays the same from state to state.
    pub fn text(&self) -> String {
        sorted_text(&self.canonical())
    }

    /// Returns the text that a book keeps, which [`Binning::read`](crate::Binning::read) reads.
    pub fn text_in(&self, state: CountedState<'_>) -> String {
        let mut binning = self.canonical();
        binning["snapshot"] = json!(state.snapshot);
        if let Some(reading) = state.reading {
            binning["reading"] = reading.clone();
        }
        if let Some(chance) = state.sample {
            binning["sample"] = number(chance);
        }
        sorted_text(&binning)
    }

    fn canonical(&self) -> Value {
        let mut binning = json!({
            "dataset": self.dataset,
            "where": self.condition,
            "unit": self.unit.canonical(),
            "types": ColumnType::canonical_of(self.types),
            "timezone": self.timezone,
            "kind": self.kind,
            "bins": self.dimensions.iter().map(Dimension::canonical).collect::<Vec<_>>(),
        });
        // Only where there is one: definitions without a split keep their identity.
        if let Some(split) = self.split {
            binning["split"] = split.canonical();
        }
        binning
    }
}
