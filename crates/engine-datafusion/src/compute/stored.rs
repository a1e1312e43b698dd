//! Which columns hold texts, however they are stored.
//!
//! From types alone. It is separate because every step on texts asks. Read `../compute.rs` next.

use arrow_schema::DataType;

/// Whether values of the type are texts.
pub(crate) fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}
