//! What is shown of one count: a number, that there is none, or words in place of a number that says little.
//! It must never be shown as a plain number where it is uncertain: those who draw it match every case.
//! It is separate because tables, bars and maps show the same.
//! Read `page.rs` next.

/// What is shown of a count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageCount {
    /// Nothing.
    Hidden,
    /// The published count.
    Count(i64),
    /// Something was published that says little, or is no number: these words stand in its place, and it steps back.
    Uncertain {
        /// The published count, if there is one.
        count: Option<i64>,
        /// What is known: "at most 24".
        words: String,
    },
}

impl PageCount {
    /// The published count, if there is one.
    pub fn count(&self) -> Option<i64> {
        match self {
            PageCount::Hidden => None,
            PageCount::Count(count) => Some(*count),
            PageCount::Uncertain { count, .. } => *count,
        }
    }

    /// What stands in its cell; nothing where nothing is shown.
    pub fn words(&self) -> Option<String> {
        match self {
            PageCount::Hidden => None,
            PageCount::Count(count) => Some(count.to_string()),
            PageCount::Uncertain { words, .. } => Some(words.clone()),
        }
    }
}
