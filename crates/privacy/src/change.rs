//! What several published values say about a sum of their counts, some added and some taken off: the change of a count.
//!
//! From the ends of each value at a row of levels, by exact arithmetic alone; it must never say that an interval holds,
//! or that a change is more than noise, with a smaller chance of being wrong than is true. It is separate from
//! `interval.rs`, which knows one value. Read `interval/one_sided.rs` for the ends.
//!
//! **The argument.** For a true count `k_i` and one direction, let `p_i` be the chance of showing at least as much (or
//! at most as much) as was shown. Whatever the law, `P(p_i <= u) <= u`, and values that are drawn independently have
//! independent `p_i`. Let `G_i` be how many of the levels `(3/4)^1, (3/4)^2, ...` are not below `p_i`: it is at most a
//! geometric number, `P(G_i >= j) <= (3/4)^j`. So the sum of `n` of them exceeds `M` with at most the chance of a
//! negative binomial one, `P(G_1 + ... + G_n > M)`, which is a rational number. If it does not exceed `M`, there are
//! `j_1 + ... + j_n <= M` with `p_i > (3/4)^(j_i + 1)`, so each count lies within its own end at level `j_i`, and the
//! sum within the furthest sum of such ends, which is found by trying all. Levels end at `(3/4)^64`: that some `p_i` is
//! not above it has at most the chance `n (3/4)^64`, which is added where it matters. (The same with `-2 ln p_i` in
//! place of levels is Fisher's method of combining tests.) Test: `tests/coverage/change.rs`.

use crate::interval::{LEVELS, OneSidedEnds, level};
use incrowd_exact::{Integer, Rational};
use std::rc::Rc;

/// The most values that are put together.
pub const MOST_TERMS: usize = 200;

/// What some values say about the sum of their counts.
#[derive(Debug, Clone)]
pub struct CountChange {
    /// The largest sum that is left open at each sum of levels, which does not fall.
    highest: Vec<i128>,
    /// The smallest.
    lowest: Vec<i128>,
}

/// Why values are not put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyTerms;

/// Where a sum lies, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeInterval {
    /// The smallest.
    pub low: i128,
    /// The largest.
    pub high: i128,
}

/// The chances that sums of levels are exceeded by so many values.
#[derive(Debug, Clone)]
pub struct ChangeOdds {
    terms: usize,
    /// At most the chance of exceeding 0, 1, 2, ..., which does not rise.
    beyond: Vec<Rational>,
}

/// Whether a change is more than noise, and in which direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Were there no change, noise would show one as large with at most this chance, in either direction.
    pub chance: Rational,
    /// Which way it points.
    pub direction: Direction,
}

/// Which way a change points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// More people.
    Up,
    /// Fewer people.
    Down,
    /// Neither.
    Open,
}

/// What is said of one of many comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// More than noise.
    MoreThanNoise,
    /// Noise may be all there is.
    MayBeNoise,
}

impl ChangeOdds {
    /// Returns the chances for so many values, as far as they matter.
    pub fn of(terms: usize) -> Result<ChangeOdds, TooManyTerms> {
        if terms == 0 || terms > MOST_TERMS {
            return Err(TooManyTerms);
        }
        let beyond_levels = level(LEVELS - 1) * Rational::from(terms);
        let mut beyond = Vec::new();
        let mut left = Rational::ONE;
        // P(sum = s) = C(s + n - 1, n - 1) 3^s / 4^(s + n).
        let mut mass = Rational::ONE / Rational::from(Integer::ONE << (2 * terms));
        for sum in 0.. {
            left -= &mass;
            mass *= Rational::from(3 * (sum + terms)) / Rational::from(4 * (sum + 1));
            let cut = if sum < LEVELS { Rational::ZERO } else { beyond_levels.clone() };
            let chance = &left + cut;
            // The last levels come in all at once: a smaller sum may have the smaller chance, and leaves less open.
            let least = beyond.last().filter(|before| **before < chance).cloned();
            beyond.push(least.unwrap_or(chance));
            if left < beyond_levels && sum >= LEVELS {
                break;
            }
        }
        Ok(ChangeOdds { terms, beyond })
    }

    /// Returns the smallest sum of levels that is exceeded with at most this chance.
    fn least(&self, chance: &Rational) -> Option<usize> {
        self.beyond.iter().position(|beyond| beyond <= chance)
    }
}

impl CountChange {
    /// Puts values together, as many as the odds are for.
    pub fn of(added: &[Rc<OneSidedEnds>], taken: &[Rc<OneSidedEnds>], odds: &ChangeOdds) -> Result<Self, TooManyTerms> {
        if added.len() + taken.len() != odds.terms {
            return Err(TooManyTerms);
        }
        let steps = odds.beyond.len();
        let up = |ends: &[u64]| ends.iter().map(|end| i128::from(*end)).collect::<Vec<_>>();
        let down = |ends: &[u64]| ends.iter().map(|end| -i128::from(*end)).collect::<Vec<_>>();
        let highest = added.iter().map(|ends| up(&ends.high)).chain(taken.iter().map(|ends| down(&ends.low)));
        let lowest = added.iter().map(|ends| down(&ends.low)).chain(taken.iter().map(|ends| up(&ends.high)));
        Ok(CountChange {
            highest: furthest(highest, steps),
            lowest: furthest(lowest, steps).into_iter().map(|end| -end).collect(),
        })
    }

    /// Returns where the sum lies: whatever the counts, it is missed with at most this chance.
    pub fn interval(&self, odds: &ChangeOdds, error: &Rational) -> Option<ChangeInterval> {
        let sum = odds.least(&(error / Rational::from(2u8)))?;
        Some(ChangeInterval { low: self.lowest[sum], high: self.highest[sum] })
    }

    /// Returns with which chance noise alone would tell as much against a sum of zero, in either direction.
    pub fn evidence(&self, odds: &ChangeOdds) -> Evidence {
        let refuted = |is_refuted: &dyn Fn(usize) -> bool| {
            let last = (0..odds.beyond.len()).take_while(|sum| is_refuted(*sum)).last();
            last.map_or(Rational::ONE, |last| odds.beyond[last].clone())
        };
        let down = refuted(&|sum| self.highest[sum] < 0);
        let up = refuted(&|sum| self.lowest[sum] > 0);
        let direction = match () {
            () if up < down => Direction::Up,
            () if down < up => Direction::Down,
            () => Direction::Open,
        };
        let chance = up.min(down) * Rational::from(2u8);
        Evidence { chance: chance.min(Rational::ONE), direction }
    }
}

/// Returns the furthest sum of ends, one of each row, whose places add up to at most 0, 1, 2, ....
fn furthest(rows: impl Iterator<Item = Vec<i128>>, steps: usize) -> Vec<i128> {
    let mut best = vec![0; steps];
    for row in rows {
        best = (0..steps)
            .map(|sum| {
                let sums = (0..=sum.min(row.len() - 1)).map(|place| row[place] + best[sum - place]);
                sums.max().unwrap_or(best[sum])
            })
            .collect();
    }
    best
}

/// Returns which of many comparisons are more than noise, so that one that is not is called so with at most this chance
/// in all, however the comparisons hang together (Holm's method).
pub fn more_than_noise(chances: &[Rational], error: &Rational) -> Vec<Signal> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|one, other| chances[*one].cmp(&chances[*other]));
    let mut signals = vec![Signal::MayBeNoise; chances.len()];
    for (before, place) in order.iter().enumerate() {
        let left = Rational::from(chances.len() - before);
        if &chances[*place] * left > *error {
            break;
        }
        signals[*place] = Signal::MoreThanNoise;
    }
    signals
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::testing::number;

    /// Adds up all numbers of levels that some values can have, up to a sum, by their geometric chances.
    fn chance_up_to(terms: usize, sum: usize) -> Rational {
        if terms == 0 {
            return Rational::ONE;
        }
        let one = |count: usize| level(count) / Rational::from(3u8);
        (0..=sum).map(|count| one(count) * chance_up_to(terms - 1, sum - count)).fold(Rational::ZERO, |a, b| a + b)
    }

    #[test]
    fn sums_of_levels_are_exceeded_with_the_stated_chance() {
        for terms in 1..=3 {
            let odds = ChangeOdds::of(terms).expect("odds");
            for sum in [0, 1, 2, 7, 19] {
                assert_eq!(odds.beyond[sum], Rational::ONE - chance_up_to(terms, sum), "{terms} {sum}");
            }
            // Where the levels end, no chance is below the truth, and larger sums leave no more open.
            let last = odds.beyond.len() - 1;
            assert!(last >= LEVELS);
            for sum in [LEVELS - 1, LEVELS, last] {
                assert!(odds.beyond[sum] >= Rational::ONE - chance_up_to(terms, sum), "{terms} {sum}");
            }
            assert!(odds.beyond.is_sorted_by(|one, other| one >= other));
        }
        assert!(ChangeOdds::of(0).is_err() && ChangeOdds::of(MOST_TERMS + 1).is_err());
    }

    #[test]
    fn the_furthest_sum_is_the_largest_of_all_that_can_be() {
        let rows = [vec![0i128, 1, 5, 6], vec![-3, -3, 2, 9], vec![4, 4, 4, 5]];
        let found = furthest(rows.iter().cloned(), 12);
        for (sum, best) in found.iter().enumerate() {
            let mut most = i128::MIN;
            for (a, one) in rows[0].iter().enumerate() {
                for (b, two) in rows[1].iter().enumerate() {
                    for (c, three) in rows[2].iter().enumerate() {
                        if a + b + c <= sum {
                            most = most.max(one + two + three);
                        }
                    }
                }
            }
            assert_eq!(*best, most, "{sum}");
        }
    }

    #[test]
    fn many_comparisons_ask_more_of_each() {
        let chances = ["1/1000", "1/30", "1/60", "1"].map(number);
        let error = number("1/20");
        use Signal::{MayBeNoise, MoreThanNoise};
        assert_eq!(more_than_noise(&chances, &error), [MoreThanNoise, MayBeNoise, MoreThanNoise, MayBeNoise]);
        assert_eq!(more_than_noise(&chances[1..2], &error), [MoreThanNoise]);
        assert_eq!(more_than_noise(&[number("1/20"), number("1/40")], &error), [MoreThanNoise, MoreThanNoise]);
        assert_eq!(more_than_noise(&[number("1/20"), number("1/39")], &error), [MayBeNoise, MayBeNoise]);
        assert!(more_than_noise(&[], &error).is_empty());
    }
}
