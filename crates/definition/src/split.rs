//! A declared part of the people.
//!
//! It must never be two parts: a text names one only in a column of texts, an integer only in one of integers. It is
//! separate because a request asks for a part, an engine looks for it, and the book adds up what several cost. Read
//! `binning.rs` next.

use crate::bin_value::BinValue;
use crate::canonical::{fields, owned};
use serde_json::{Value, json};

/// A part of the people: those whose rows have exactly this value in this column, which is a public function of the
/// person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The column.
    pub column: String,
    /// The value: a text or an integer in all requests.
    pub part: BinValue,
}

impl Split {
    /// Returns the canonical form.
    pub fn canonical(&self) -> Value {
        json!({ "column": self.column, "part": self.part.canonical() })
    }

    /// Returns the part behind a canonical form; nothing for any other text.
    pub fn from_canonical(split: &Value) -> Option<Split> {
        let [column, part] = fields(split, ["column", "part"])?;
        Some(Split { column: owned(column)?, part: BinValue::from_canonical(part)? })
    }
}
