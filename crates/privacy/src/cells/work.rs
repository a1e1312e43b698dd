//! How much work summing laws may take, for those who sum the laws of strangers.
//!
//! Laws are summed cell by cell; within a limit each cell is counted, and beyond it a law counts as too large. It must
//! never change a number, only whether there is one. It is separate because releases know no limit but their own, while
//! a verifier reads certificates that somebody may have made to keep it busy. Read `cells.rs` for where it is spent.

use std::cell::Cell;

thread_local! {
    /// What may still be spent; nothing where there is no limit.
    static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
    static EXCEEDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether the work was done within its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// It was.
    Within,
    /// It would have needed more: what came of it is not the whole truth.
    Exceeded,
}

/// Returns what comes of some work in this thread that sums at most so many cells, and whether that was enough.
pub fn within<T>(most_cells: u64, work: impl FnOnce() -> T) -> (T, Work) {
    let before = (LEFT.replace(Some(most_cells)), EXCEEDED.replace(false));
    // Put back also when the work panics.
    let _again = Again(before);
    let done = work();
    let result = if EXCEEDED.get() { Work::Exceeded } else { Work::Within };
    (done, result)
}

struct Again((Option<u64>, bool));

impl Drop for Again {
    fn drop(&mut self) {
        LEFT.set(self.0.0);
        EXCEEDED.set(self.0.1);
    }
}

/// Spends some cells; false where that is more than may be spent.
pub(crate) fn spend(cells: usize) -> bool {
    match LEFT.get() {
        None => true,
        Some(left) => match left.checked_sub(cells as u64) {
            Some(rest) => {
                LEFT.set(Some(rest));
                true
            }
            None => {
                EXCEEDED.set(true);
                false
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_holds_within_and_is_gone_afterwards() {
        assert_eq!(within(10, || spend(10)), (true, Work::Within));
        assert_eq!(within(10, || spend(6) && spend(6)), (false, Work::Exceeded));
        assert!(spend(usize::MAX), "no limit outside");
        let (inner, outer) = within(10, || within(3, || spend(4)));
        assert_eq!((inner, outer), ((false, Work::Exceeded), Work::Within));
    }
}
