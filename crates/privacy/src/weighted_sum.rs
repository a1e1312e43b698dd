//! How far a weighted sum of counts may lie from what their published values say: for medians, quantiles and means.
//!
//! Whatever the true counts, a bound is wrong with at most one chance in forty; it must never be said to hold more
//! often, and doubt must always move it outwards. It is separate from `change.rs`, which puts a few values together
//! exactly, because here there may be thousands, with weights. Read `interval/one_sided.rs` for the ends.
//!
//! **The argument** is that of `change.rs`. For a true count `k_i` and one direction let `p_i` be the chance of showing
//! at most (or at least) as much as was shown: `P(p_i <= u) <= u`, and values that are drawn independently have
//! independent `p_i`. How many of the levels `(3/4)^1, (3/4)^2, ...` are not below `p_i` is at most a geometric number
//! `G_i`. Let `M` be so large that `G_1 + ... + G_n > M` has, together with the chance `n (3/4)^64` that some `p_i`
//! lies beyond the last level, at most one chance in forty. Otherwise there are `j_1 + ... + j_n <= M` such that each
//! count lies within its end at level `j_i`, and the sum of `w_i k_i` is at most the largest sum of `w_i` times the end
//! of `k_i` at `j_i` in its direction: the upper end where `w_i` is above zero, the lower one where it is below. That
//! largest sum is not looked for: each row of ends is replaced by the least concave one that is nowhere below it, for
//! which taking the steepest steps first is best, and a part of a step is rounded up.

use crate::change::TooManyTerms;
use crate::interval::{LEVELS, OneSidedEnds};
use incrowd_exact::Integer;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

/// The most counts that are added up.
pub const MOST_SUMMED: usize = 4096;
/// The largest weight, of either sign; so that sums of ends fit.
pub const LARGEST_WEIGHT: i64 = 1 << 40;
/// No end lies further out than this.
const FURTHEST_END: u64 = 1 << 62;

/// Counts that are added up with one weight: what their published values leave open together.
#[derive(Debug, Clone)]
pub struct SummedEnds {
    counts: usize,
    /// The sum of the upper ends, and of the lower ends below zero, at the first level.
    high: i128,
    low: i128,
    /// How both go on from there, the steepest steps first.
    high_steps: Vec<Step>,
    low_steps: Vec<Step>,
}

/// Counts with a weight.
#[derive(Debug, Clone, Copy)]
pub struct Weighted<'e> {
    /// The counts.
    pub ends: &'e SummedEnds,
    /// At most [`LARGEST_WEIGHT`], of either sign.
    pub weight: i64,
}

/// How many levels so many counts may use up together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelsWithin {
    counts: usize,
    levels: u64,
}

impl LevelsWithin {
    /// Returns it for so many counts, from 1 to [`MOST_SUMMED`].
    pub fn of(counts: usize) -> Result<LevelsWithin, TooManyTerms> {
        if counts == 0 || counts > MOST_SUMMED {
            return Err(TooManyTerms);
        }
        // P(G_1 + ... + G_n = s) is C(s + n - 1, n - 1) 3^s / 4^(s + n); sums of it are kept as parts of 4^(s + n).
        let (last, all_levels) = (Integer::from(3).pow(LEVELS), Integer::ONE << (2 * LEVELS));
        let (mut mass, mut within) = (Integer::ONE, Integer::ONE);
        let mut sum = 0u64;
        loop {
            let whole = Integer::ONE << (2 * (sum as usize + counts));
            let beyond_levels = if sum < LEVELS as u64 { Integer::ZERO } else { &last * Integer::from(counts) };
            // 1 - within/whole + n (3/4)^64 <= 1/40, times 40 and both denominators.
            let allowed = Integer::from(39) * &all_levels + Integer::from(40) * beyond_levels;
            if within.clone() * Integer::from(40) * &all_levels >= whole * allowed {
                return Ok(LevelsWithin { counts, levels: sum });
            }
            mass = mass * Integer::from(3 * (sum + counts as u64)) / Integer::from(sum + 1);
            within = (within << 2usize) + &mass;
            sum += 1;
        }
    }

    /// Returns a bound that the sum of the counts, each times its weight, exceeds with at most one chance in forty,
    /// whatever the counts are; nothing if they are not as many, or a weight is too large.
    pub fn highest(self, sums: &[Weighted<'_>]) -> Option<i128> {
        let fits = |sum: &Weighted<'_>| (-LARGEST_WEIGHT..=LARGEST_WEIGHT).contains(&sum.weight);
        let counts: usize = sums.iter().map(|sum| sum.ends.counts).sum();
        if counts != self.counts || !sums.iter().all(fits) {
            return None;
        }
        let mut total = 0i128;
        let mut steps: Vec<Step> = Vec::new();
        for Weighted { ends, weight } in sums {
            let size = i128::from(weight.unsigned_abs());
            let (first, own) = match weight {
                ..=0 => (ends.low, &ends.low_steps),
                1.. => (ends.high, &ends.high_steps),
            };
            total += first * size;
            // Nothing is gained where the weight is zero.
            if size > 0 {
                steps.extend(own.iter().map(|step| Step { rise: step.rise * size, levels: step.levels }));
            }
        }
        steps.sort_unstable_by(Step::steepest_first);
        let mut left = i128::from(self.levels);
        for Step { rise, levels } in steps {
            let taken = levels.min(left);
            // Rounded up; rises are not below zero.
            total += (rise * taken + levels - 1) / levels;
            left -= taken;
            if left == 0 {
                break;
            }
        }
        Some(total)
    }

    /// Returns a bound that the sum falls below with at most one chance in forty; nothing in the same cases.
    pub fn lowest(self, sums: &[Weighted<'_>]) -> Option<i128> {
        let turned = sums.iter().map(|sum| Weighted { ends: sum.ends, weight: -sum.weight });
        Some(-self.highest(&turned.collect::<Vec<_>>())?)
    }
}

impl SummedEnds {
    /// Returns what some published values leave open together.
    pub fn of(counts: &[Rc<OneSidedEnds>]) -> SummedEnds {
        let mut known: HashMap<*const OneSidedEnds, usize> = HashMap::new();
        for ends in counts {
            *known.entry(Rc::as_ptr(ends)).or_default() += 1;
        }
        let mut summed =
            SummedEnds { counts: counts.len(), high: 0, low: 0, high_steps: Vec::new(), low_steps: Vec::new() };
        for ends in counts {
            // Counts that show the same have the same ends.
            let Some(times) = known.remove(&Rc::as_ptr(ends)) else { continue };
            let times = times as i128;
            let end = |end: &u64| i128::from((*end).min(FURTHEST_END));
            let (high, low) =
                (not_falling(ends.high.iter().map(end)), not_falling(ends.low.iter().map(|low| -end(low))));
            let steps = |row: &[i128]| {
                concave(row)
                    .into_iter()
                    .map(|step| Step { rise: step.rise * times, levels: step.levels * times })
                    .collect::<Vec<_>>()
            };
            summed.high += high[0] * times;
            summed.low += low[0] * times;
            summed.high_steps.extend(steps(&high));
            summed.low_steps.extend(steps(&low));
        }
        for steps in [&mut summed.high_steps, &mut summed.low_steps] {
            steps.sort_unstable_by(Step::steepest_first);
            // Steps that are as steep are one, and what does not rise is none.
            steps.dedup_by(|next, step| {
                let same = step.steepest_first(next) == Ordering::Equal;
                if same {
                    step.rise += next.rise;
                    step.levels += next.levels;
                }
                same
            });
            steps.retain(|step| step.rise > 0);
        }
        summed
    }
}

/// The largest so far of each.
fn not_falling(row: impl Iterator<Item = i128>) -> Vec<i128> {
    let mut highest = i128::MIN;
    row.map(|end| {
        highest = highest.max(end);
        highest
    })
    .collect()
}

impl Step {
    fn steepest_first(&self, other: &Step) -> Ordering {
        (other.rise * self.levels).cmp(&(self.rise * other.levels))
    }
}

/// A straight piece of a concave row: how far it rises over how many levels.
#[derive(Debug, Clone)]
struct Step {
    rise: i128,
    levels: i128,
}

/// Returns the pieces of the least concave row that is nowhere below this one, the steepest first.
fn concave(row: &[i128]) -> Vec<Step> {
    let mut corners: Vec<(i128, i128)> = Vec::new();
    for (level, end) in row.iter().enumerate() {
        let corner = (level as i128, *end);
        // The last corner is none if it does not lie above the line from the one before it to this one.
        while let [.., before, last] = corners[..]
            && (last.1 - before.1) * (corner.0 - last.0) <= (corner.1 - last.1) * (last.0 - before.0)
        {
            corners.pop();
        }
        corners.push(corner);
    }
    corners.windows(2).map(|two| Step { rise: two[1].1 - two[0].1, levels: two[1].0 - two[0].0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{ChangeOdds, CountChange};
    use incrowd_exact::Rational;

    fn ends(low: impl Fn(u64) -> u64, high: impl Fn(u64) -> u64) -> Rc<OneSidedEnds> {
        let levels = 0..LEVELS as u64;
        Rc::new(OneSidedEnds { low: levels.clone().map(low).collect(), high: levels.map(high).collect() })
    }

    /// The chance that some geometric numbers add up to more than a sum, by a walk over their sums in fractions.
    fn beyond(terms: usize, sum: u64) -> Rational {
        let (quarter, three) = (Rational::ONE / Rational::from(4u8), Rational::from(3u8) / Rational::from(4u8));
        let mut chances = vec![Rational::ZERO; sum as usize + 1];
        chances[0] = Rational::ONE;
        for _ in 0..terms {
            // c'_s = 1/4 (c_s + 3/4 c_(s-1) + ...), which is 3/4 c'_(s-1) + 1/4 c_s.
            let mut before = Rational::ZERO;
            for chance in &mut chances {
                before = &before * &three + &*chance * &quarter;
                *chance = before.clone();
            }
        }
        Rational::ONE - chances.into_iter().fold(Rational::ZERO, |sum, chance| sum + chance)
    }

    #[test]
    fn levels_are_the_fewest_that_are_exceeded_at_most_once_in_forty() {
        let limit = Rational::ONE / Rational::from(40u8);
        let last = Rational::from(Integer::from(3).pow(64)) / Rational::from(Integer::from(4).pow(64));
        for terms in [1, 2, 3, 10, 40] {
            let levels = LevelsWithin::of(terms).expect("levels").levels;
            let cut = |sum: u64| if sum < 64 { Rational::ZERO } else { &last * Rational::from(terms) };
            assert!(beyond(terms, levels) + cut(levels) <= limit, "{terms}");
            assert!(beyond(terms, levels - 1) + cut(levels - 1) > limit, "{terms}");
        }
        assert!(LevelsWithin::of(0).is_err() && LevelsWithin::of(MOST_SUMMED + 1).is_err());
        // 3n on average, with a variance of 12n: at most 1.96 deviations and some more.
        let most = LevelsWithin::of(MOST_SUMMED).expect("levels").levels;
        assert!((12_700..12_750).contains(&most), "{most}");
    }

    #[test]
    fn bounds_of_plain_sums_are_those_of_changes_and_never_nearer() {
        let narrow = ends(|level| 40 - level.min(30) / 3, |level| 40 + level / 3);
        let steep = ends(|level| 90 - level, |level| 100 + 2 * level);
        // Far from concave: nothing happens for twenty levels, and then much.
        let late = ends(|level| if level < 20 { 60 } else { 0 }, |level| if level < 20 { 60 } else { 160 });
        for (added, taken) in [
            (vec![&narrow, &steep], vec![]),
            (vec![&narrow, &narrow], vec![&steep]),
            (vec![&steep], vec![&narrow, &steep, &narrow]),
            (vec![&late, &narrow], vec![&late]),
        ] {
            let owned = |of: &[&Rc<OneSidedEnds>]| of.iter().map(|ends| Rc::clone(ends)).collect::<Vec<_>>();
            let odds = ChangeOdds::of(added.len() + taken.len()).expect("odds");
            let change = CountChange::of(&owned(&added), &owned(&taken), &odds).expect("a change");
            let exact = change.interval(&odds, &(Rational::ONE / Rational::from(20u8))).expect("an interval");
            // One by one, and all with one weight together.
            let one_by_one =
                |of: &[&Rc<OneSidedEnds>]| of.iter().map(|ends| SummedEnds::of(&[Rc::clone(ends)])).collect::<Vec<_>>();
            let (plus, minus) = (one_by_one(&added), one_by_one(&taken));
            let weighted =
                |of: &'_ [SummedEnds], weight: i64| of.iter().map(|ends| (ends.clone(), weight)).collect::<Vec<_>>();
            let apart = [weighted(&plus, 1), weighted(&minus, -1)].concat();
            let counts: Vec<Weighted<'_>> =
                apart.iter().map(|(ends, weight)| Weighted { ends, weight: *weight }).collect();
            let levels = LevelsWithin::of(counts.len()).expect("levels");
            let (plus, minus) = (SummedEnds::of(&owned(&added)), SummedEnds::of(&owned(&taken)));
            let together = [Weighted { ends: &plus, weight: 1 }, Weighted { ends: &minus, weight: -1 }];
            assert_eq!(levels.highest(&together), levels.highest(&counts));
            assert_eq!(levels.lowest(&together), levels.lowest(&counts));
            let (low, high) = (levels.lowest(&counts).expect("a bound"), levels.highest(&counts).expect("a bound"));
            assert!(low <= exact.low && exact.high <= high, "{low} {high} {exact:?}");
            // Concave rows are no further off than rounding; the late ones are.
            let is_concave = !added.iter().chain(&taken).any(|ends| Rc::ptr_eq(ends, &late));
            let slack = if is_concave { 3 } else { 100 };
            assert!(exact.low - low <= slack && high - exact.high <= slack, "{low} {high} {exact:?}");
        }
    }

    #[test]
    fn weights_multiply_and_turn_ends() {
        let one = SummedEnds::of(&[ends(|level| 1000 - level, |level| 1000 + level)]);
        let counts = [3, -2].map(|weight| Weighted { ends: &one, weight });
        let levels = LevelsWithin::of(2).expect("levels");
        // All levels go where they weigh most.
        assert_eq!(levels.highest(&counts), Some(1000 + 3 * i128::from(levels.levels)));
        assert_eq!(levels.lowest(&counts), Some(1000 - 3 * i128::from(levels.levels)));
        assert_eq!(levels.highest(&counts[..1]), None, "not as many");
        let heavy = counts.map(|count| Weighted { weight: LARGEST_WEIGHT + 1, ..count });
        assert_eq!(levels.highest(&heavy), None);
        let none = SummedEnds::of(&vec![ends(|_| 0, |_| u64::MAX); MOST_SUMMED]);
        let many = [Weighted { ends: &none, weight: LARGEST_WEIGHT }];
        let levels = LevelsWithin::of(MOST_SUMMED).expect("levels");
        assert!(levels.highest(&many).is_some_and(|bound| bound > 1 << 113), "no sum is too large");
        assert_eq!(levels.lowest(&many), Some(0));
    }

    #[test]
    fn a_concave_row_is_nowhere_below_and_touches_at_its_corners() {
        let rows = [vec![0i128, 0, 5, 5, 6, 20, 20], vec![3, 3, 3], vec![1, 2, 3, 4], vec![7], vec![0, 10, 11, 11]];
        for row in rows {
            let mut at = (0i128, row[0]);
            let mut last_slope: Option<(i128, i128)> = None;
            for Step { rise, levels } in concave(&row) {
                assert!(last_slope.is_none_or(|(r, l)| r * levels > rise * l), "{row:?}");
                for by in 0..=levels {
                    let below = row[(at.0 + by) as usize];
                    assert!(below * levels <= at.1 * levels + rise * by, "{row:?}");
                }
                at = (at.0 + levels, at.1 + rise);
                assert_eq!(row[at.0 as usize], at.1, "{row:?}");
                last_slope = Some((rise, levels));
            }
            assert_eq!(at.0 as usize, row.len() - 1);
        }
    }
}
