//! How many bins, or groups of bins, have so many people.
//!
//! Where several declared cells make one group, as places make the cell of a map, it is the groups whose sizes decide
//! what is shown. It must never count somebody in a group who is in none. It is separate because rows and persons are
//! added up alike. Read `rows.rs` and `persons.rs` for who adds.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Returns the group of a declared cell; nothing if it belongs to none.
pub type GroupOfCell = Arc<dyn Fn(u64) -> Option<u64> + Send + Sync>;

/// The sizes of bins, or of groups of them.
#[derive(Default)]
pub(super) struct Sizes {
    groups: Option<GroupOfCell>,
    in_groups: HashMap<u64, u64>,
    bins_by_size: BTreeMap<u64, u64>,
    in_no_group: u64,
}

impl Sizes {
    /// Returns those of nobody, in groups where there are some.
    pub(super) fn of(groups: Option<&GroupOfCell>) -> Sizes {
        Sizes { groups: groups.cloned(), ..Sizes::default() }
    }

    /// Sees a bin of so many people; its number says in which group it is.
    pub(super) fn see(&mut self, cell: u64, people: u64) {
        match self.groups.as_ref().map(|group_of| group_of(cell)) {
            _ if people == 0 => {}
            None => *self.bins_by_size.entry(people).or_default() += 1,
            Some(None) => self.in_no_group = self.in_no_group.saturating_add(people),
            Some(Some(group)) => {
                let size = self.in_groups.entry(group).or_default();
                *size = size.saturating_add(people);
            }
        }
    }

    /// Returns how many have so many people, and how many people are in none.
    pub(super) fn by_size(mut self) -> (BTreeMap<u64, u64>, u64) {
        self.in_groups.values().for_each(|size| *self.bins_by_size.entry(*size).or_default() += 1);
        (self.bins_by_size, self.in_no_group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_one_group_are_added_up_and_cells_of_none_are_lost() {
        let mut alone = Sizes::of(None);
        [(0, 3), (1, 0), (2, 3)].into_iter().for_each(|(cell, people)| alone.see(cell, people));
        assert_eq!(alone.by_size(), (BTreeMap::from([(3, 2)]), 0));
        let halves: GroupOfCell = Arc::new(|cell| (cell < 4).then_some(cell / 2));
        let mut together = Sizes::of(Some(&halves));
        [(0, 3), (1, 4), (2, 5), (3, 0), (4, 6)].into_iter().for_each(|(cell, people)| together.see(cell, people));
        assert_eq!(together.by_size(), (BTreeMap::from([(7, 1), (5, 1)]), 6));
    }
}
