//! Changes of a request.

/// A change of the request that was tried.
pub struct Advice {
    /// What it is about.
    pub because: String,
    /// Ways to change the request.
    pub ways: Vec<Vec<Change>>,
    /// What it helps.
    pub helped: Option<Helped>,
}

/// Helped.
pub struct Helped {
    /// Values.
    pub readable: u64,
    /// Of.
    pub of: u64,
}

/// A change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// `[data]`
    Data {
        /// Key.
        key: &'static str,
        /// Value.
        value: String,
    },
}
