//! The smallest free parameters that meet a promise, by exact accounting.
//!
//! It searches with quick sums and certifies what it found with exact ones; it must never return parameters that were
//! not certified. It is separate because a found parameter is a convenience, and the certificate is not. Read
//! `mechanism/theorem.rs` for what the papers would have taken instead.

mod float_ladder;

use crate::account::worst::AccountError;
use crate::cells::TooManyOutcomes;
use crate::curve::{Curve, Epsilon};
use crate::mechanism::shape::Shape;
use crate::mechanism::{Deployed, Mechanism, SideOutput, Universe};
use crate::search::float_ladder::FloatLadder;
use incrowd_exact::Rational;

/// No parameter is looked for beyond this.
const FURTHEST: i64 = 1 << 40;

/// What was looked for, with everything else decided.
pub struct ParameterSearch<'a> {
    /// The promise.
    pub curve: &'a Curve,
    /// With at most this delta.
    pub delta: &'a Rational,
    /// Where it will run.
    pub universe: Universe,
    /// Values below are not published.
    pub publish_from: Option<i64>,
}

impl ParameterSearch<'_> {
    fn deploy(&self, mechanism: Mechanism) -> Deployed {
        Deployed { mechanism, universe: self.universe, publish_from: self.publish_from }
    }

    fn is_met(&self, deployed: &Deployed) -> Result<bool, AccountError> {
        Ok(&deployed.worst(self.curve)?.delta.upper_bound() <= self.delta)
    }

    /// Returns the smallest parameter from `least` on for which the mechanism meets the promise, or nothing.
    ///
    /// For mechanisms that a larger parameter makes more private and whose accounts are closed forms.
    pub fn smallest(&self, least: i64, build: impl Fn(i64) -> Mechanism) -> Result<Option<i64>, AccountError> {
        smallest(least, |parameter| self.is_met(&self.deploy(build(parameter))))
    }

    /// The same for mechanisms whose accounts are slow: searched at the ends of the promise's stretches, then
    /// certified.
    ///
    /// A parameter without a mechanism does not fit.
    pub fn smallest_by_bends(
        &self,
        least: i64,
        build: impl Fn(i64) -> Option<Mechanism>,
    ) -> Result<Option<i64>, AccountError> {
        let mut ends: Vec<u64> = self.curve.runs().iter().flat_map(|run| [run.to, Some(run.from)]).flatten().collect();
        ends.truncate(64);
        let found = smallest(least, |parameter| {
            let Some(mechanism) = build(parameter) else { return Ok(false) };
            let deployed = self.deploy(mechanism);
            for count in &ends {
                if &deployed.delta(*count, &self.curve.epsilon(*count))?.upper_bound() > self.delta {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        let Some(found) = found else { return Ok(None) };
        for parameter in found..found + 64 {
            if let Some(mechanism) = build(parameter)
                && self.is_met(&self.deploy(mechanism))?
            {
                return Ok(Some(parameter));
            }
        }
        Ok(None)
    }

    /// Returns the smallest offset of a two-level ladder: searched at the largest protected group, then certified.
    pub fn smallest_offset(&self, group: u64, build: impl Fn(i64) -> Mechanism) -> Result<Option<i64>, AccountError> {
        let Epsilon::Finite(epsilon) = self.curve.epsilon(group) else { return self.smallest(0, build) };
        let asked = self.delta.to_f64().value();
        let rough = |offset: i64| {
            let deployed = self.deploy(build(offset));
            let Shape::Ladder(ladder) = deployed.shape() else { return Ok(false) };
            let rough = FloatLadder::new(&ladder, asked).ok_or(TooManyOutcomes)?;
            Ok(rough.delta(group, epsilon.to_f64().value()) <= asked)
        };
        let Some(mut offset) = smallest(0, rough)? else { return Ok(None) };
        // The guess may be off by one either way: step down while that is right, then up until all counts are.
        while offset > 0 {
            let below = self.deploy(build(offset - 1)).delta(group, &Epsilon::Finite(epsilon.clone()))?;
            if &below.upper_bound() > self.delta {
                break;
            }
            offset -= 1;
        }
        for offset in offset..offset + 64 {
            if self.is_met(&self.deploy(build(offset)))? {
                return Ok(Some(offset));
            }
        }
        Ok(None)
    }

    /// Returns staircase levels with the least sum found, then the least last level, certified at every count.
    ///
    /// `start` must meet the promise (the theorem's levels do). Levels are lowered one after the other as far as they
    /// go, in both orders, then exchanged against each other; with two levels the whole frontier is walked.
    pub fn smallest_levels(
        &self,
        thresholds: &[u64],
        epsilons: &[Epsilon],
        side_output: SideOutput,
        start: Vec<i64>,
    ) -> Result<Option<Vec<i64>>, AccountError> {
        let mechanism =
            |levels: &[i64]| Mechanism::Staircase { epsilons: epsilons.to_vec(), levels: levels.to_vec(), side_output };
        let asked = self.delta.to_f64().value();
        let search = LevelSearch {
            floors: thresholds.iter().map(|threshold| i64::try_from(*threshold).unwrap_or(FURTHEST)).collect(),
            fits: &|levels: &[i64]| {
                let deployed = self.deploy(mechanism(levels));
                let Shape::Ladder(ladder) = deployed.shape() else { return Ok(false) };
                let rough = FloatLadder::new(&ladder, asked).ok_or(TooManyOutcomes)?;
                Ok(thresholds.iter().rev().all(|threshold| match self.curve.epsilon(*threshold) {
                    Epsilon::Finite(epsilon) => rough.delta(*threshold, epsilon.to_f64().value()) <= asked,
                    Epsilon::Infinite => true,
                }))
            },
        };
        if !(search.fits)(&start)? {
            return Ok(self.is_met(&self.deploy(mechanism(&start)))?.then_some(start));
        }
        let mut levels = search.best(start)?;
        // Certify; where an inner count is worse than the ends, give way evenly.
        for _ in 0..64 {
            if self.is_met(&self.deploy(mechanism(&levels)))? {
                return Ok(Some(levels));
            }
            for level in &mut levels {
                *level += 1;
            }
        }
        Ok(None)
    }
}

/// Returns the smallest number from `least` on that passes; passing must not stop once begun.
fn smallest(least: i64, mut fits: impl FnMut(i64) -> Result<bool, AccountError>) -> Result<Option<i64>, AccountError> {
    if fits(least)? {
        return Ok(Some(least));
    }
    let (mut low, mut stride) = (least, 1i64);
    let mut high = loop {
        let probe = low.saturating_add(stride);
        if probe > FURTHEST {
            return Ok(None);
        }
        match fits(probe) {
            Ok(true) => break probe,
            Ok(false) => {}
            Err(AccountError::Law(TooManyOutcomes)) if stride > 1 => return Ok(None),
            Err(error) => return Err(error),
        }
        low = probe;
        stride = stride.saturating_mul(2);
    };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(Some(high))
}

struct LevelSearch<'a> {
    floors: Vec<i64>,
    fits: &'a dyn Fn(&[i64]) -> Result<bool, AccountError>,
}

impl LevelSearch<'_> {
    fn best(&self, start: Vec<i64>) -> Result<Vec<i64>, AccountError> {
        let count = start.len();
        let upward: Vec<usize> = (0..count).collect();
        let downward: Vec<usize> = (0..count).rev().collect();
        let mut best = self.lowered(start.clone(), &upward)?;
        let other = self.lowered(start, &downward)?;
        if rank(&other) < rank(&best) {
            best = other;
        }
        // Exchanges are worth their time for a few levels; with many, the frontier that was reached will do.
        let rounds = if (2..=4).contains(&count) { 16 } else { 0 };
        for _ in 0..rounds {
            let mut better: Option<Vec<i64>> = None;
            for raised in 0..count {
                for lowered in (0..count).filter(|lowered| *lowered != raised) {
                    if let Some(found) = self.exchanged(&best, raised, lowered)?
                        && rank(&found) < rank(better.as_ref().unwrap_or(&best))
                    {
                        better = Some(found);
                    }
                }
            }
            match better {
                Some(found) => best = found,
                None => break,
            }
        }
        Ok(best)
    }

    /// Lowers each level in turn as far as it goes.
    fn lowered(&self, mut levels: Vec<i64>, order: &[usize]) -> Result<Vec<i64>, AccountError> {
        for index in order {
            self.lower(&mut levels, *index)?;
        }
        Ok(levels)
    }

    fn lower(&self, levels: &mut [i64], index: usize) -> Result<(), AccountError> {
        let (mut low, mut high) = (self.floors[index] - 1, levels[index]);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            levels[index] = middle;
            if (self.fits)(levels)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        levels[index] = high;
        Ok(())
    }

    /// Raises one level by 1, 2, 4, ... and lowers another as far as it goes; the best that came of it.
    fn exchanged(&self, levels: &[i64], raised: usize, lowered: usize) -> Result<Option<Vec<i64>>, AccountError> {
        let mut best: Option<Vec<i64>> = None;
        let room = levels[lowered] - self.floors[lowered];
        let mut step = 1;
        while step < room.max(2) && step <= 4096 {
            let mut trial = levels.to_vec();
            trial[raised] += step;
            // Worth it only if the other can go down by at least as much.
            trial[lowered] -= step;
            if trial[lowered] >= self.floors[lowered] && (self.fits)(&trial)? {
                self.lower(&mut trial, lowered)?;
                if rank(&trial) < best.as_ref().map_or_else(|| rank(levels), |best| rank(best)) {
                    best = Some(trial);
                }
            }
            step *= 2;
        }
        Ok(best)
    }
}

/// Least sum first, then least last level.
fn rank(levels: &[i64]) -> (i64, i64) {
    (levels.iter().sum(), levels.last().copied().unwrap_or(0))
}
