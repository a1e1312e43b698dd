//! Who is one person in the data.
//!
//! It must never depend on a row: columns are named, not looked at. It is separate because requests say it, engines
//! count by it and the book compares it. Read `binning.rs` next.

use crate::canonical::{fields, owned};
use serde_json::{Value, json};

/// Who is one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    /// Each row.
    Row,
    /// Each row stands for as many persons as this column says; missing or negative is none.
    People {
        /// The column.
        column: String,
    },
    /// All rows with the same value in this column; rows without one are not counted.
    Person {
        /// The column.
        column: String,
        /// In at most how many bins a person is counted, 1 to 10^6. Written l0 in the literature.
        bins_per_person: u64,
    },
}

impl Unit {
    /// Returns in at most how many bins a person is counted.
    pub fn bins_per_person(&self) -> u64 {
        match self {
            Unit::Row | Unit::People { .. } => 1,
            Unit::Person { bins_per_person, .. } => *bins_per_person,
        }
    }

    /// Returns the canonical form.
    pub fn canonical(&self) -> Value {
        match self {
            Unit::Row => json!({ "bins-per-person": 1 }),
            Unit::People { column } => json!({ "people": column, "bins-per-person": 1 }),
            Unit::Person { column, bins_per_person } => json!({ "person": column, "bins-per-person": bins_per_person }),
        }
    }

    /// Returns the unit behind a canonical form; nothing for any other text.
    pub fn from_canonical(unit: &Value) -> Option<Unit> {
        let bins_per_person = unit.get("bins-per-person")?.as_u64().filter(|bins| *bins >= 1)?;
        if let Some([column, _]) = fields(unit, ["person", "bins-per-person"]) {
            return Some(Unit::Person { column: owned(column)?, bins_per_person });
        }
        if bins_per_person != 1 {
            return None;
        }
        match fields(unit, ["people", "bins-per-person"]) {
            Some([column, _]) => Some(Unit::People { column: owned(column)? }),
            None => fields(unit, ["bins-per-person"]).map(|_| Unit::Row),
        }
    }
}
