//! The choice of a person's bins: those whose hashes are lowest.
//!
//! The hash is SHA-256 over the public bounding key, the person and the bin, each in canonical bytes
//! (`counts::KeyColumn`), so the choice depends on that person's rows alone and every engine makes the same one
//! (`docs/theory.md` 7). It must never depend on the order in which cells arrive. It is separate because other engines
//! must repeat it exactly: the cases in `tests/conformance` say what it gives. Read `query.rs` next.

use sha2::{Digest, Sha256};

/// Chooses at most so many bins of each person.
pub struct Chooser {
    bins_per_person: usize,
    begun: Sha256,
    hashed: Vec<([u8; 32], u64)>,
    bin: Vec<u8>,
}

impl Chooser {
    /// Returns a choice that depends on a public key.
    pub fn new(bounding_key: &str, bins_per_person: u64) -> Self {
        let bins_per_person = usize::try_from(bins_per_person).unwrap_or(usize::MAX);
        Chooser {
            bins_per_person,
            begun: Sha256::new_with_prefix(bounding_key.as_bytes()),
            hashed: Vec::new(),
            bin: Vec::new(),
        }
    }

    /// Calls `chosen` with the bins of a person that count: all of them, or the lowest hashes, ties by bin.
    ///
    /// `cells` are distinct; `key` writes the canonical bytes of a bin.
    pub fn choose(
        &mut self,
        person: &[u8],
        cells: &[u64],
        key: impl Fn(u64, &mut Vec<u8>),
        mut chosen: impl FnMut(u64),
    ) {
        if cells.len() <= self.bins_per_person {
            cells.iter().copied().for_each(chosen);
            return;
        }
        let mut begun = self.begun.clone();
        begun.update(person);
        self.hashed.clear();
        for cell in cells {
            self.bin.clear();
            key(*cell, &mut self.bin);
            self.hashed.push((begun.clone().chain_update(&self.bin).finalize().into(), *cell));
        }
        // Two bins with one hash have never been seen; if they are, the lower key is chosen.
        self.hashed.select_nth_unstable_by(self.bins_per_person, |(one, cell), (other, another)| {
            one.cmp(other).then_with(|| written(&key, *cell).cmp(&written(&key, *another)))
        });
        self.hashed.iter().take(self.bins_per_person).for_each(|(_, cell)| chosen(*cell));
    }
}

fn written(key: &impl Fn(u64, &mut Vec<u8>), cell: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    key(cell, &mut bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_counts::write_cell;

    fn chosen(chooser: &mut Chooser, person: &str, cells: &[u64]) -> Vec<u64> {
        let mut found = Vec::new();
        chooser.choose(person.as_bytes(), cells, write_cell, |cell| found.push(cell));
        found.sort_unstable();
        found
    }

    #[test]
    fn the_choice_is_the_lowest_sha256() {
        let mut chooser = Chooser::new("key", 1);
        let hashes: Vec<String> = (0..5u64)
            .map(|cell| {
                let text = format!("keyt5:alicec1:{cell}");
                Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
            })
            .collect();
        let lowest = (0..5).min_by_key(|cell| &hashes[*cell]).expect("five");
        assert_eq!(chosen(&mut chooser, "t5:alice", &[0, 1, 2, 3, 4]), [lowest as u64]);
    }

    #[test]
    fn the_choice_does_not_depend_on_the_order() {
        let mut chooser = Chooser::new("key", 2);
        let forwards = chosen(&mut chooser, "t3:bob", &[1, 2, 3, 4, 5, 6]);
        let backwards = chosen(&mut chooser, "t3:bob", &[6, 5, 4, 3, 2, 1]);
        assert_eq!(forwards, backwards);
        assert_eq!(forwards.len(), 2);
    }

    #[test]
    fn who_leaves_a_bin_that_was_not_chosen_changes_nothing() {
        let mut chooser = Chooser::new("key", 1);
        let kept = chosen(&mut chooser, "t3:bob", &[1, 2, 3]);
        let fewer: Vec<u64> = [1, 2, 3].into_iter().filter(|cell| *cell == kept[0] || *cell == 3).collect();
        assert_eq!(chosen(&mut chooser, "t3:bob", &fewer), kept);
    }

    #[test]
    fn people_with_few_bins_keep_them_all() {
        assert_eq!(chosen(&mut Chooser::new("key", 3), "t3:bob", &[9, 4]), [4, 9]);
    }
}
