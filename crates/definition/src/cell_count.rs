//! How many cells a table has.
//!
//! It must never give a number where a dimension is found in the data. It is separate because that difference decides
//! what has to be paid for, and tables have columns that are no dimensions. Read `labels.rs` next.

/// How many cells a table has, symbols for other and missing values included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellCount {
    /// There is no dimension.
    Unstated,
    /// Every cell is declared; there are so many (at most `u128::MAX`).
    Declared(u128),
    /// At least one dimension is found in the data.
    Found,
}

impl CellCount {
    /// Returns the number of cells of dimensions with so many bins; nothing stands for a dimension that is found.
    ///
    /// The cell of codes `c_1, ..., c_n` in dimensions of sizes `s_1, ..., s_n` has the number
    /// `((c_1 * s_2 + c_2) * s_3 + ...) + c_n`: the last dimension runs fastest.
    pub fn of(sizes: impl IntoIterator<Item = Option<u64>>) -> CellCount {
        let mut cells = CellCount::Unstated;
        for size in sizes {
            cells = match (cells, size) {
                (CellCount::Found, _) | (_, None) => CellCount::Found,
                (CellCount::Unstated, Some(size)) => CellCount::Declared(u128::from(size)),
                (CellCount::Declared(cells), Some(size)) => CellCount::Declared(cells.saturating_mul(u128::from(size))),
            };
        }
        cells
    }

    /// Returns how many cells are declared.
    pub fn declared(self) -> Option<u128> {
        match self {
            CellCount::Declared(cells) => Some(cells),
            CellCount::Found | CellCount::Unstated => None,
        }
    }
}
