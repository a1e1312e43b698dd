//! Intervals of mechanisms that add noise level by level and always show something, read backwards from one value.
//!
//! For a value the chance of showing at most as much is wanted at every count at once: walk the levels from the last to
//! the first, and each pass gives the chance for every value before it. Rounding and tails that are cut off only ever
//! make an interval wider; where nothing may be shown, chances are conditional and can be far smaller than that, so
//! such ladders are not read here. It is separate from `interval.rs` because listing the laws of ten thousand counts
//! takes half a minute, and this a moment. Read `account/ladder.rs` for the ladders themselves.

use crate::cells::TooManyOutcomes;
use crate::curve::Epsilon;
use crate::interval::Interval;
use crate::interval::acceptance::TailLevel;
use crate::mechanism::Deployed;
use crate::mechanism::shape::Shape;
use incrowd_exact::{Integer, Rational, exp_neg};
use std::cell::RefCell;
use std::ops::RangeInclusive;

/// Chances are whole multiples of `2^-62`.
const PLACES: usize = 62;
const ONE: u64 = 1 << PLACES;
/// Noise is followed so many units of its scale: what is beyond has a chance below `e^-24 < 2^-34`.
const UNITS: u64 = 24;
/// What tails and rounding may take from a chance, with room to spare: `2^-28`.
const SLACK: u64 = 1 << (PLACES - 28);
/// The widest row of values.
const MAX_VALUES: i64 = 1 << 23;

/// A ladder, read backwards.
#[derive(Debug)]
pub(crate) struct LadderReader {
    levels: Vec<i64>,
    noises: Vec<Noise>,
    /// The last value asked for and its chances: neighbours share them.
    last: RefCell<Option<(i64, Row)>>,
}

/// A noise of a ladder.
#[derive(Debug, Clone, Copy)]
enum Noise {
    /// None at all.
    Sure,
    /// Discrete Laplace: `q` and how far it is followed.
    Laplace { q: u64, reach: i64 },
}

/// Chances by value, from `start` on; beyond either end they stay as they are there.
#[derive(Debug, Clone)]
struct Row {
    start: i64,
    chances: Vec<u64>,
}

impl LadderReader {
    /// Returns the reader of a mechanism that is a ladder and never silent.
    pub(crate) fn of(deployed: &Deployed) -> Result<Option<Self>, TooManyOutcomes> {
        let Shape::Ladder(ladder) = deployed.shape() else { return Ok(None) };
        if deployed.may_be_silent() {
            return Ok(None);
        }
        let noise = |epsilon: &Epsilon| match epsilon.finite() {
            None => Ok(Noise::Sure),
            Some(rate) => {
                let reach = i64::try_from(&(Rational::from(UNITS) / rate).ceil()).map_err(|_| TooManyOutcomes)?;
                let q = exp_neg(rate, PLACES + 8).with_bits(PLACES);
                let q = u64::try_from(q.low_units()).map_err(|_| TooManyOutcomes)?;
                if reach > MAX_VALUES { Err(TooManyOutcomes) } else { Ok(Noise::Laplace { q, reach }) }
            }
        };
        let noises = ladder.epsilons.iter().map(noise).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(LadderReader { levels: ladder.levels, noises, last: RefCell::new(None) }))
    }

    /// Returns the hull of the counts that leave more than 2.5 % on either side of a value.
    pub(crate) fn interval(&self, value: i64) -> Result<Interval, TooManyOutcomes> {
        let up_to = self.at_most(value)?;
        let below = self.at_most(value.saturating_sub(1))?;
        let least = units(&TailLevel::one_in_forty());
        let likely = |mass: u64| mass + SLACK > least;
        let accepted = |count: &u64| {
            let at = i64::try_from(*count).unwrap_or(i64::MAX);
            likely(up_to.at(at)) && likely(ONE.saturating_sub(below.at(at)))
        };
        let counts = 0..=self.furthest(value);
        let nearest = u64::try_from(value).unwrap_or(0);
        Ok(match (counts.clone().find(accepted), counts.rev().find(accepted)) {
            (Some(low), Some(high)) => Interval { low, high },
            (_, _) => Interval { low: nearest, high: nearest },
        })
    }

    /// Returns, level by level, the first count that makes at least a value likely, and the last one that makes at most
    /// that value likely; levels are far above what tails and rounding may take.
    pub(crate) fn ends(&self, value: i64, levels: &[TailLevel]) -> Result<(Vec<u64>, Vec<u64>), TooManyOutcomes> {
        let up_to = self.at_most(value)?;
        let below = self.at_most(value.saturating_sub(1))?;
        let at = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let furthest = self.furthest(value);
        let end = |least: u64| {
            let is_small = |count: &u64| ONE.saturating_sub(below.at(at(*count))) + SLACK > least;
            let is_large = |count: &u64| up_to.at(at(*count)) + SLACK > least;
            ((0..=furthest).find(is_small).unwrap_or(furthest), (0..=furthest).rev().find(is_large).unwrap_or(0))
        };
        Ok(levels.iter().map(|level| end(units(level))).unzip())
    }

    /// Beyond this count a value is too small to be likely: every test fails, and the first noise does not reach it.
    fn furthest(&self, value: i64) -> u64 {
        let top = self.levels.iter().copied().max().unwrap_or(0).max(value).max(0);
        top.saturating_add(self.reach_of(0)).saturating_add(1).unsigned_abs()
    }

    fn reach_of(&self, noise: usize) -> i64 {
        match self.noises.get(noise) {
            Some(Noise::Laplace { reach, .. }) => *reach,
            Some(Noise::Sure) | None => 0,
        }
    }

    /// The chance of showing at most a value, by count.
    fn at_most(&self, value: i64) -> Result<Row, TooManyOutcomes> {
        if let Some((known, row)) = self.last.borrow().as_ref()
            && *known == value
        {
            return Ok(row.clone());
        }
        let values = self.values(value)?;
        let chances = values.clone().map(|at| if at <= value { ONE } else { 0 });
        let mut row = Row { start: *values.start(), chances: chances.collect() };
        // From the last level back to the first noise.
        for (level, noise) in self.levels.iter().zip(&self.noises[1..]).rev() {
            let blurred = row.blurred(*noise);
            let place = level.saturating_sub(row.start).saturating_add(1).clamp(0, row.chances.len() as i64) as usize;
            row.chances[..place].copy_from_slice(&blurred.chances[..place]);
        }
        let row = row.blurred(self.noises[0]);
        *self.last.borrow_mut() = Some((value, row.clone()));
        Ok(row)
    }

    /// All values that matter for one: from where everything is far below to where everything is far above.
    fn values(&self, value: i64) -> Result<RangeInclusive<i64>, TooManyOutcomes> {
        let reach: i64 = (0..self.noises.len()).map(|noise| self.reach_of(noise)).sum();
        let low = self.levels.iter().copied().chain([0, value]).min().unwrap_or(0).saturating_sub(reach);
        let high = i64::try_from(self.furthest(value)).unwrap_or(i64::MAX).saturating_add(reach);
        if high.saturating_sub(low) > MAX_VALUES { Err(TooManyOutcomes) } else { Ok(low..=high) }
    }
}

impl Row {
    fn at(&self, value: i64) -> u64 {
        let place = value.saturating_sub(self.start).clamp(0, self.chances.len() as i64 - 1);
        self.chances[place as usize]
    }

    /// Returns the chances before a noise is added: two recursive passes, as `q^|s|` falls off on either side.
    fn blurred(&self, noise: Noise) -> Row {
        let (q, gap) = match noise {
            Noise::Sure => return self.clone(),
            Noise::Laplace { q, .. } => (q, ONE - q),
        };
        let (first, last) = (self.chances[0], self.chances[self.chances.len() - 1]);
        let mut blurred = vec![0u64; self.chances.len()];
        let mut sum = first;
        for (cell, chance) in blurred.iter_mut().zip(&self.chances) {
            sum = times(q, sum) + times(gap, *chance);
            *cell = sum;
        }
        let mut sum = last;
        let scale = over(ONE + q);
        for (cell, chance) in blurred.iter_mut().zip(&self.chances).rev() {
            let own = times(gap, *chance);
            sum = times(q, sum) + own;
            *cell = times(scale, (*cell + sum).saturating_sub(own));
        }
        Row { start: self.start, chances: blurred }
    }
}

/// A level in units, rounded down: what is above one is above the other.
fn units(level: &TailLevel) -> u64 {
    u64::try_from(level.of_units(Integer::from(ONE))).unwrap_or(ONE)
}

/// `a b` in units, rounded down; either may be a little above one.
fn times(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> PLACES) as u64
}

/// `1/a` in units, rounded down, for `a` of at least one.
fn over(a: u64) -> u64 {
    ((1u128 << (2 * PLACES)) / u128::from(a)) as u64
}
