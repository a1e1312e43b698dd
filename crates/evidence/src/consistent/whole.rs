//! Nearest values as whole people: from the whole downwards, by largest remainders.
//!
//! Every total of the chain, and every cell, becomes the whole number below or above it; what is whole already stays.
//! It must never make a total that is not the sum of its cells. It is separate from `nearest.rs`, which knows no whole
//! people. Read section 7.10 of `docs/certificate.md` for the rule in words.

use super::{Level, PLACES, chain};

const ONE: i128 = 1 << PLACES;

/// Returns the whole number of each cell. `levels` begin with the whole and end with the cells.
pub(super) fn whole(values: &[i128], levels: &[Level]) -> Vec<i128> {
    let chain = chain(levels);
    let all: i128 = values.iter().sum();
    // Halves up: no more than the whole number above.
    let mut parents = vec![(all + ONE / 2) >> PLACES];
    let mut parent_of: Vec<usize> = vec![0; values.len()];
    for level in chain.iter().map(|at| &levels[*at]) {
        let others = levels.iter().enumerate().filter(|(at, _)| !chain.contains(at)).map(|(_, other)| other);
        let crossing: Vec<&Level> = others.filter(|other| level.is_finer_than(other)).collect();
        parents = Rounded::of(values, level, (&parents, &parent_of)).by_remainders(&crossing);
        parent_of.clone_from(&level.group);
    }
    parents
}

/// A level whose parents are whole already.
struct Rounded<'p> {
    sums: Vec<i128>,
    /// A cell of each group, by which its crossing totals are found.
    a_cell: Vec<usize>,
    children: Vec<Vec<usize>>,
    parents: &'p [i128],
}

impl<'p> Rounded<'p> {
    fn of(values: &[i128], level: &Level, (parents, parent_of): (&'p [i128], &[usize])) -> Rounded<'p> {
        let mut sums = vec![0; level.groups];
        let mut a_cell = vec![0; level.groups];
        for (cell, group) in level.group.iter().enumerate() {
            sums[*group] += values[cell];
            a_cell[*group] = cell;
        }
        let mut children = vec![Vec::new(); parents.len()];
        for (group, cell) in a_cell.iter().enumerate() {
            children[parent_of[*cell]].push(group);
        }
        Rounded { sums, a_cell, children, parents }
    }

    /// Every group is rounded down; then, parent by parent, those with the largest remainders get one more until the
    /// parent is reached. What crossing totals have lost or won with the parents before is shared by their groups here.
    fn by_remainders(&self, crossing: &[&Level]) -> Vec<i128> {
        let mut whole: Vec<i128> = self.sums.iter().map(|sum| sum >> PLACES).collect();
        let mut carried: Vec<Vec<i128>> = crossing.iter().map(|level| vec![0; level.groups]).collect();
        let mut sharers: Vec<Vec<i128>> = carried.clone();
        for (parent, children) in self.parents.iter().zip(&self.children) {
            let mut left = parent - children.iter().map(|group| whole[*group]).sum::<i128>();
            let broken: Vec<usize> = children.iter().copied().filter(|group| self.remainder(*group) > 0).collect();
            let each = |place: usize| crossing.iter().map(move |level| level.group[self.a_cell[place]]).enumerate();
            for group in &broken {
                each(*group).for_each(|(level, total)| sharers[level][total] += 1);
            }
            let score = |group: &usize| {
                let share = |(level, total): (usize, usize)| carried[level][total].div_euclid(sharers[level][total]);
                self.remainder(*group) + each(*group).map(share).sum::<i128>()
            };
            let mut scored: Vec<(i128, usize)> = broken.iter().map(|group| (-score(group), *group)).collect();
            scored.sort_unstable();
            for (_, group) in scored {
                if left == 0 {
                    break;
                }
                whole[group] += 1;
                left -= 1;
            }
            for group in &broken {
                for (level, total) in each(*group) {
                    sharers[level][total] = 0;
                    carried[level][total] += self.sums[*group] - (whole[*group] << PLACES);
                }
            }
        }
        whole
    }

    fn remainder(&self, group: usize) -> i128 {
        self.sums[group] & (ONE - 1)
    }
}
