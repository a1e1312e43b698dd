//! The columns of a source, as it stores them and in their declared types.
//!
//! It must never know a column by anything but its exact name. It is separate because expressions and dimensions both
//! ask. Read `types.rs` next.

use super::RowValue;
use super::types::RowType;
use crate::expression::nearest;
use crate::prepare_error::{PrepareError, RequestField};
use incrowd_definition::ColumnType;

/// A column as a source has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceColumn {
    /// Its exact name.
    pub name: String,
    /// What it holds.
    pub kind: RowType,
    /// Of a foreign type: what it can be declared to be.
    pub readable_as: Vec<ColumnType>,
}

/// The columns of a source in their declared types.
pub(super) struct Columns<'a>(&'a [(String, RowValue)]);

impl<'a> Columns<'a> {
    pub(super) fn new(typed: &'a [(String, RowValue)]) -> Columns<'a> {
        Columns(typed)
    }

    /// Returns the type of a column.
    pub(super) fn kind(&self, name: &str, place: &RequestField) -> Result<&RowType, PrepareError> {
        match self.0.iter().find(|(column, _)| column == name) {
            Some((_, typed)) => Ok(&typed.kind),
            None => {
                let nearest = nearest(name, self.0.iter().map(|(column, _)| column.as_str()));
                Err(PrepareError::NoColumn { place: place.clone(), column: name.to_owned(), nearest })
            }
        }
    }

    /// Returns a column in its declared type.
    pub(super) fn value(&self, name: &str, place: &RequestField) -> Result<RowValue, PrepareError> {
        Ok(RowValue::column(name, self.kind(name, place)?))
    }
}
