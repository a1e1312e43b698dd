//! The key of a row in one dimension, read back from a field of a file.
//!
//! It must never take a label that the request does not declare for one that is found. It is separate because some
//! dimensions are declared and some are found. Read `definition/codes.rs` for the way from labels to numbers, and
//! `order.rs` next.

use crate::table::KeyLabels;
use incrowd_definition::Codes;

/// One key of a row.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum RowKey {
    /// The number of a declared bin.
    Code(u64),
    /// A found value; nothing if it is missing.
    Found(Option<String>),
}

/// The keys of one dimension: those that are declared, or whatever is found.
pub(super) enum RowKeys<'t> {
    Declared(Codes<'t>),
    Found,
}

impl<'t> RowKeys<'t> {
    pub(super) fn of(labels: &'t KeyLabels) -> Self {
        labels.declared().map_or(RowKeys::Found, |labels| RowKeys::Declared(Codes::of(labels)))
    }

    /// Returns the key behind a field; nothing if it is not declared.
    pub(super) fn key(&self, field: &Option<String>) -> Option<RowKey> {
        match self {
            RowKeys::Declared(codes) => codes.code(field.as_deref()).map(RowKey::Code),
            RowKeys::Found => Some(RowKey::Found(field.clone())),
        }
    }
}
