//! The keys of a table as columns: the labels of a dimension's bins, in the type that they have.
//!
//! A missing value is a real null. It must never show a label that the definition does not have. It is separate from
//! the labels themselves because only files have columns. Read `definition/labels.rs` for what stands for a bin, and
//! `reading.rs` next.

use crate::request::{KeyColumn, Nulls};
use arrow_array::builder::{BooleanBuilder, Date32Builder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use incrowd_definition::{Label, Labels, ValueKind};
use incrowd_plan::TableRefusal;
use std::sync::Arc;

/// What stands in one column of keys.
pub(crate) struct KeyLabels {
    name: String,
    nulls: Nulls,
    /// Nothing where keys follow from data or noise.
    declared: Option<Labels>,
}

impl KeyLabels {
    /// Returns what stands in a column of keys, or refuses labels that could be confused.
    pub(crate) fn of(column: &KeyColumn<'_>) -> Result<KeyLabels, TableRefusal> {
        let without_nulls = |name: &str, declared| KeyLabels { name: name.into(), nulls: Nulls::Drop, declared };
        match column {
            KeyColumn::Counted(dimension) => {
                let confused = |_| TableRefusal::OtherIsListed { bin: dimension.name.clone() };
                let declared = Labels::of(dimension).map_err(confused)?;
                Ok(KeyLabels { name: dimension.name.clone(), nulls: dimension.nulls, declared })
            }
            KeyColumn::Numbered { name, last } => Ok(without_nulls(name, Some(Labels::numbers(*last)))),
            KeyColumn::Drawn { name, .. } => Ok(without_nulls(name, None)),
        }
    }

    /// Returns the labels of declared bins; nothing if bins are found.
    pub(crate) fn declared(&self) -> Option<&Labels> {
        self.declared.as_ref()
    }

    /// Returns the heading.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether a text is the label of a declared bin; intervals and days are no texts that anybody lists.
    pub(crate) fn lists(&self, text: &str) -> bool {
        self.texts().any(|listed| listed == text)
    }

    /// Returns the texts that are listed, as a steward wrote them.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.declared.iter().flat_map(Labels::texts).map(String::as_str)
    }

    /// Returns how many bins are declared; nothing if they are found.
    pub(crate) fn size(&self) -> Option<u64> {
        self.declared.as_ref().map(Labels::size)
    }

    /// Returns the column's name and type; `found` is the type of one that is found.
    pub(crate) fn field(&self, found: &DataType) -> Field {
        let kind = match self.declared.as_ref().map(Labels::kind) {
            None => found.clone(),
            Some(ValueKind::Text) => DataType::Utf8,
            Some(ValueKind::Integer) => DataType::Int64,
            Some(ValueKind::Boolean) => DataType::Boolean,
            Some(ValueKind::Day) => DataType::Date32,
        };
        Field::new(&self.name, kind, self.nulls == Nulls::Bin)
    }

    /// Returns the labels of some codes as a column; nothing if a code is unknown.
    pub(crate) fn column(&self, codes: &[u64]) -> Option<ArrayRef> {
        let declared = self.declared.as_ref()?;
        let labels = codes.iter().map(|code| declared.label(*code));
        Some(match declared.kind() {
            ValueKind::Integer => {
                let mut column = Int64Builder::with_capacity(codes.len());
                for label in labels {
                    column.append_option(if let Label::Integer(value) = label? { Some(value) } else { None });
                }
                Arc::new(column.finish())
            }
            ValueKind::Boolean => {
                let mut column = BooleanBuilder::with_capacity(codes.len());
                for label in labels {
                    column.append_option(if let Label::Boolean(value) = label? { Some(value) } else { None });
                }
                Arc::new(column.finish())
            }
            ValueKind::Day => {
                let mut column = Date32Builder::with_capacity(codes.len());
                for label in labels {
                    column.append_option(if let Label::Day(value) = label? { Some(value.days()) } else { None });
                }
                Arc::new(column.finish())
            }
            ValueKind::Text => {
                let mut column = StringBuilder::with_capacity(codes.len(), codes.len() * 12);
                for label in labels {
                    column.append_option(label?.text());
                }
                Arc::new(column.finish())
            }
        })
    }

    /// The same for codes that arrive as a column beside found ones.
    pub(crate) fn coded_column(&self, codes: &dyn Array) -> Option<ArrayRef> {
        let codes = codes.as_primitive_opt::<UInt64Type>()?;
        if codes.null_count() > 0 { None } else { self.column(codes.values()) }
    }
}
