//! What of a person's items is counted.
//!
//! It must never say more than a request does. It is separate because engines and promises both depend on it. Read
//! `binning.rs` next.

/// What of a person's items is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Items {
    /// Each by itself.
    Each,
    /// Every two different ones that she has. Both dimensions are the same, found in the data; the lower value comes
    /// first, texts by their bytes.
    ///
    /// Of a person with more than [`MOST_ITEMS`] items those with the lowest hashes make pairs.
    Pairs,
}

/// The most items of one person that make pairs.
pub const MOST_ITEMS: u64 = 1000;

impl Items {
    /// Both.
    pub const ALL: [Items; 2] = [Items::Each, Items::Pairs];

    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            Items::Each => "each",
            Items::Pairs => "pairs",
        }
    }
}
