//! The one way to look at true counts without protection. **For tests only.**
//!
//! Nothing published may ever come from here, and no crate but tests may call it: `cli/tests/architecture.rs` searches
//! for its name. It is separate so that the word `testing` stands in every line that uses it. Read `true_counts.rs`
//! next.

use crate::true_counts::TrueCounts;
use arrow_array::RecordBatch;
use incrowd_published::CountError;

/// Returns the true counts as they are.
pub fn reveal_true_counts(counts: TrueCounts) -> Result<Vec<RecordBatch>, CountError> {
    counts.into_batches().collect()
}
