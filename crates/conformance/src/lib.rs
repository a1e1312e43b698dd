//! What every engine must count, as data: small tables, requests and the counts that they have. **For tests only.**
//!
//! It must never name an engine, nor hold a count that one of ours computed: expected values come from hand, from
//! DuckDB or from the plain Python beside them (`tests/conformance`). It is separate so that a second engine is held
//! to the same counts as the first by one call of [`check`]. Read `case.rs` for what a case is, `generated.rs` for
//! questions that nobody thought of, `table.rs` for how tables are written, `counting.rs` for the one look at true
//! counts.

mod case;
mod counting;
#[cfg(test)]
mod coverage;
mod expected;
mod generated;
mod row_case;
mod sample;
mod table;
mod value;

pub use case::{Case, Place, cases, table};
pub use counting::{CountsByKey, counted_of, counted_watched};
pub use expected::{difference, expected, question};
pub use generated::{GeneratedQuestion, generated_question, generated_table};
pub use table::{CaseColumn, CaseTable};
pub use value::CaseValue;

use counting::try_counted;
use incrowd_engine::Engine;

/// Which cases an engine was held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Those that it counts as they are expected.
    pub agreed: Vec<String>,
    /// Those whose tables, or whose types, could not be put where it looks.
    pub left_out: Vec<String>,
}

/// CountsByKey every case whose table can be put where the engine finds it, and fails with all cases that differ.
///
/// `put` stores a table and says where; it returns nothing for a table that cannot be stored there.
pub fn check(engine: &dyn Engine, mut put: impl FnMut(&CaseTable) -> Option<Place>) -> Checked {
    let mut checked = Checked { agreed: Vec::new(), left_out: Vec::new() };
    let mut differing = Vec::new();
    for case in cases() {
        let Some(query) = put(&case.table).and_then(|place| case.asked_at(&place)) else {
            checked.left_out.push(case.name);
            continue;
        };
        let counted = try_counted(engine, &query, case.participants());
        match counted.map_or_else(Some, |counted| difference(&counted, &case.expected)) {
            None => checked.agreed.push(case.name),
            Some(difference) => differing.push(format!("{}: {difference}", case.name)),
        }
    }
    assert!(differing.is_empty(), "{} cases differ:\n{}", differing.len(), differing.join("\n"));
    checked
}
