//! Numbers that look random and are the same everywhere.
//!
//! Whole numbers alone, so that no machine rounds otherwise; it must never be used where something is to stay secret.
//! It is separate so that every example's data comes from one generator. Read `../example.rs` for who uses it.

/// A generator with a seed (SplitMix64; Steele, Lea and Flood 2014).
pub struct MadeUpNumbers(u64);

impl MadeUpNumbers {
    /// Returns the generator of a seed.
    pub fn of(seed: u64) -> MadeUpNumbers {
        MadeUpNumbers(seed)
    }

    /// Returns a whole number below a limit.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % limit
    }

    /// Returns one of the things in a list, each as often as its weight says.
    pub fn pick<'a, T>(&mut self, weighted: &'a [(T, u64)]) -> &'a T {
        let all: u64 = weighted.iter().map(|(_, weight)| weight).sum();
        let mut left = self.below(all.max(1));
        for (thing, weight) in weighted {
            if left < *weight {
                return thing;
            }
            left -= weight;
        }
        &weighted[0].0
    }

    /// Returns a number around 0, hardly ever farther than `reach` from it: four uniform ones added up.
    pub fn around(&mut self, reach: u64) -> i64 {
        let sum: u64 = (0..4).map(|_| self.below(reach.max(1))).sum();
        (sum / 2).cast_signed() - reach.cast_signed()
    }
}
