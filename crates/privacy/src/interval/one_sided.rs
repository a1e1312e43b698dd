//! One-sided ends of the counts that a published value leaves open, at a row of levels.
//!
//! At a level the lower end is the least count that shows at least the value more often than that, and the upper end
//! the largest count that shows at most the value more often; doubt must always move an end outwards. It is separate
//! from `interval.rs` because what is said of several values together takes many levels of each. Read `../change.rs`
//! for what they are put together to.
//!
//! The levels are `(3/4)^1, (3/4)^2, ...`. Of a true count `k` the chance that at least the value is shown,
//! `P(Y >= y | k, shown)`, is itself at most `u` with a chance of at most `u`, whatever the law and the count, and so
//! is the other side: this is all that is used of them.

use super::Listed;
use super::acceptance::{Lister, Side, TailLevel, last_true};
use super::ladder::LadderReader;
use crate::cells::TooManyOutcomes;
use crate::mechanism::Deployed;
use crate::mechanism::shape::Shape;
use incrowd_exact::{Integer, Rational};
use std::collections::HashMap;
use std::rc::Rc;

/// How many levels there are: the last one is `(3/4)^64`, about one in a hundred million.
pub const LEVELS: usize = 64;
/// The most values whose ends are remembered.
const REMEMBERED: usize = 1 << 16;

/// Returns level number `index`, the first being 3/4.
pub fn level(index: usize) -> Rational {
    Rational::from(Integer::from(3).pow(index + 1)) / Rational::from(Integer::from(4).pow(index + 1))
}

/// The ends of one published value, level by level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneSidedEnds {
    /// The least counts, which do not rise.
    pub low: Vec<u64>,
    /// The largest counts, which do not fall.
    pub high: Vec<u64>,
}

/// The ends of a mechanism's published values.
#[derive(Debug)]
pub struct OneSided<'a> {
    deployed: &'a Deployed,
    levels: Vec<TailLevel>,
    by: Way,
    /// The value from which on ends only shift, and how far below and above a value they are.
    shifted: Option<(i64, OneSidedReach)>,
    known: HashMap<i64, Rc<OneSidedEnds>>,
}

#[derive(Debug)]
enum Way {
    /// By halving: larger counts make larger values likelier.
    Ordered,
    /// From lists of what each count accepts, one for each level.
    Listed(Vec<Listed>),
    /// Backwards from a value.
    Ladder(LadderReader),
}

type OneSidedReach = Vec<(i64, i64)>;

impl<'a> OneSided<'a> {
    /// Makes ready for a mechanism; takes a while where counts must be listed.
    pub fn of(deployed: &'a Deployed) -> Result<Self, TooManyOutcomes> {
        let levels: Vec<TailLevel> = (0..LEVELS).map(|index| TailLevel::of(&level(index))).collect();
        let by = match (LadderReader::of(deployed)?, deployed.shifts_from()?) {
            (Some(ladder), _) => Way::Ladder(ladder),
            (None, None) => Way::Ordered,
            (None, Some((steady, period))) => Way::Listed(listed(deployed, &levels, steady, period)?),
        };
        let mut ends = OneSided { deployed, levels, by, shifted: None, known: HashMap::new() };
        if let Some((from, probe)) = deployed.intervals_shift_from() {
            let known = ends.computed(probe)?;
            let far = |end: u64| i64::try_from(end).unwrap_or(i64::MAX / 4);
            let reach = known.low.iter().zip(&known.high).map(|(low, high)| (probe - far(*low), far(*high) - probe));
            ends.shifted = Some((from, reach.collect()));
        }
        Ok(ends)
    }

    /// Returns the ends of a published value (of a range its middle, of "at most Z" Z).
    pub fn ends(&mut self, value: i64) -> Result<Rc<OneSidedEnds>, TooManyOutcomes> {
        if let Some(known) = self.known.get(&value) {
            return Ok(Rc::clone(known));
        }
        let ends = Rc::new(match &self.shifted {
            Some((from, reach)) if value >= *from => {
                let end = |end: i64| u64::try_from(end).unwrap_or(0).max(self.deployed.least());
                OneSidedEnds {
                    low: reach.iter().map(|(below, _)| end(value.saturating_sub(*below))).collect(),
                    high: reach.iter().map(|(_, above)| end(value.saturating_add(*above))).collect(),
                }
            }
            Some(_) | None => self.computed(value)?,
        });
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(value, Rc::clone(&ends));
        Ok(ends)
    }

    fn computed(&self, value: i64) -> Result<OneSidedEnds, TooManyOutcomes> {
        if let Shape::Range { half_width, .. } = self.deployed.shape() {
            // A range is shown only where it holds the count.
            let half = i64::try_from(half_width).unwrap_or(i64::MAX / 4);
            let end = |end: i64| vec![u64::try_from(end).unwrap_or(0); LEVELS];
            return Ok(OneSidedEnds { low: end(value - half), high: end(value + half) });
        }
        Ok(match &self.by {
            Way::Ordered => self.ordered(value),
            Way::Listed(lists) => self.listed_ends(value, lists),
            Way::Ladder(ladder) => {
                let (low, high) = ladder.ends(value, &self.levels)?;
                OneSidedEnds { low, high }
            }
        })
    }

    /// Within a stretch each side fails once and for all, and ends of smaller levels lie further out.
    fn ordered(&self, value: i64) -> OneSidedEnds {
        let nearest = u64::try_from(value).unwrap_or(0).max(self.deployed.least());
        let accepts = |count: u64, side: Side, level: &TailLevel| self.deployed.accepts(count, value, side, level);
        let stretches = self.deployed.stretches();
        let (mut lowest, mut highest) = (vec![None; stretches.len()], vec![None; stretches.len()]);
        let mut ends = OneSidedEnds { low: Vec::new(), high: Vec::new() };
        for level in &self.levels {
            for ((from, to), (low, high)) in stretches.iter().zip(lowest.iter_mut().zip(&mut highest)) {
                let start = nearest.clamp(*from, *to);
                let is_large = |count: u64| accepts(count, Side::AtMost, level);
                let begin = high.or_else(|| [start, *from].into_iter().find(|count| is_large(*count)));
                *high = begin.map(|begin| begin + last_true(to - begin, |by| is_large(begin + by)));
                let is_small = |count: u64| accepts(count, Side::AtLeast, level);
                *low = match low.or_else(|| Some(start).filter(|start| is_small(*start))) {
                    Some(begin) => Some(begin - last_true(begin - from, |by| is_small(begin - by))),
                    None if is_small(*to) => Some(start + last_true(to - start, |by| !is_small(start + by)) + 1),
                    None => None,
                };
            }
            ends.low.push(lowest.iter().flatten().min().copied().unwrap_or(nearest));
            // Where no count shows so little so often, any end is true.
            ends.high.push(highest.iter().flatten().max().copied().unwrap_or(self.deployed.least()));
        }
        ends
    }

    fn listed_ends(&self, value: i64, lists: &[Listed]) -> OneSidedEnds {
        if let Shape::Table { table, .. } = self.deployed.shape()
            && let (Some(exact_from), Ok(value)) = (table.exact_from(), u64::try_from(value))
            && value >= exact_from
        {
            return OneSidedEnds { low: vec![value; LEVELS], high: vec![value; LEVELS] };
        }
        let least = self.deployed.least();
        let ends = lists.iter().map(|listed| {
            let steady = listed.by_count.len() as u64;
            let first = listed.by_count.iter().position(|accepted| accepted.is_some_and(|(_, high)| value <= high));
            let last = listed.by_count.iter().rposition(|accepted| accepted.is_some_and(|(low, _)| low <= value));
            let beyond = |by: i64| u64::try_from(value.saturating_sub(by)).unwrap_or(0);
            let far = Some(beyond(listed.beyond.0)).filter(|far| *far >= steady);
            let low = first.map_or_else(|| beyond(listed.beyond.1).max(steady), |first| first as u64);
            (low.max(least), far.or(last.map(|last| last as u64)).unwrap_or(least))
        });
        let (low, high) = ends.unzip();
        OneSidedEnds { low, high }
    }
}

/// Returns the lists of all levels; a count's law is summed once.
fn listed(deployed: &Deployed, levels: &[TailLevel], steady: u64, period: u64) -> Result<Vec<Listed>, TooManyOutcomes> {
    let lister = Lister::of(deployed)?;
    let mut lists: Vec<Vec<Option<(i64, i64)>>> = vec![Vec::new(); levels.len()];
    for count in 0..steady + period {
        for (list, accepted) in lists.iter_mut().zip(lister.accepted(count, levels)?) {
            list.push(accepted);
        }
    }
    Ok(lists.into_iter().map(|by_count| Listed::of(deployed, by_count, steady)).collect())
}
