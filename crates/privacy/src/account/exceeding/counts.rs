//! Which counts must be looked at to find where a loss exceeds a level most often.
//!
//! A count is left out only where an argument here says that another one exceeds at least as often; where there is none
//! and the counts are too many there is no answer, and the caller has a bound from `(epsilon, delta)`. It is separate
//! from the chances themselves because the arguments are other ones. Read `sampling/exceeding.rs` for sampled releases.

use super::{Chance, either_way, is_within};
use crate::account::Tightness;
use crate::account::drawn_epsilon::is_pure;
use crate::law::distribution::Distribution;
use crate::mechanism::shape::{CountNoise, OneNoise, Shape};
use crate::mechanism::{Deployed, SideOutput, Universe};
use incrowd_exact::Rational;
use std::collections::BTreeSet;

/// The most counts with closed forms that are looked at one by one.
const MOST_COUNTS: u64 = 1 << 10;
/// The most counts whose laws are summed.
const MOST_SUMMED: u64 = 1 << 8;
/// The most cells of laws that are summed, and births of a relay.
const MOST_CELLS: u64 = 1 << 23;

/// The largest chance among some counts.
#[derive(Debug, Clone)]
pub struct LargestChance {
    /// The chance.
    pub chance: Chance,
    /// A count that has it; nothing where no loss exceeds.
    pub count: Option<u64>,
}

impl LargestChance {
    fn none() -> Self {
        LargestChance { chance: Chance::none(), count: None }
    }

    /// Takes in the chance at one more count.
    fn see(&mut self, count: u64, chance: Chance) {
        if chance.upper_bound() > self.chance.upper_bound() {
            self.count = Some(count);
        }
        self.chance = self.chance.clone().max(chance);
    }
}

impl Deployed {
    /// Returns the largest chance that the loss of a person in a group of `from` to `to` (any larger one, if nothing)
    /// exceeds `ln odds`; nothing where there are too many counts to look at.
    pub fn exceeding(&self, from: u64, to: Option<u64>, odds: &Rational) -> Option<Chance> {
        Some(self.most_exceeding(from, to, odds)?.chance)
    }

    /// Returns the same with a count that has it.
    pub fn most_exceeding(&self, from: u64, to: Option<u64>, odds: &Rational) -> Option<LargestChance> {
        match self.shape() {
            // Beyond the first step all ratios are within the curve's own epsilon, which does not fall.
            Shape::Walk(curve) => {
                let largest = to.map_or_else(|| curve.supremum(), |to| curve.epsilon(to));
                is_within(&largest, odds).then(|| self.first_only(from, odds))?
            }
            Shape::Ladder(ladder) if is_within(&ladder.epsilons[0], odds) => self.first_only(from, odds),
            Shape::Ladder(_) => self.law_by_law(from, to?, odds),
            Shape::Table { table, .. } => {
                let counts = table.telling_counts(from, to, MOST_CELLS)?;
                self.largest(counts, odds)
            }
            Shape::DrawnEpsilon { bound, side_output } => {
                // Beyond the last change the draw moves on with the count, or not at all.
                let settled = bound.constant_from().max(from) + 2;
                let to = match to {
                    Some(to) => to,
                    None if is_pure(bound, settled, odds) => settled,
                    None => return None,
                };
                if to - from >= MOST_SUMMED {
                    return None;
                }
                let pure = |count: u64| {
                    let first = self.universe == Universe::Open && count == 1;
                    !first && is_pure(bound, count, odds)
                };
                match (side_output, (from..=to).all(pure)) {
                    (_, true) => Some(LargestChance::none()),
                    (SideOutput::Published, false) if self.publish_from.is_none() => self.largest(from..=to, odds),
                    (SideOutput::Published | SideOutput::Hidden, false) => self.law_by_law(from, to, odds),
                }
            }
            Shape::OneNoise(one) => self.exceeding_of_one_noise(&one, from, to, odds),
            Shape::Range { .. } => self.between_bends(self.publish_from, from, to, odds),
        }
    }

    fn exceeding_of_one_noise(
        &self,
        one: &OneNoise<'_>,
        from: u64,
        to: Option<u64>,
        odds: &Rational,
    ) -> Option<LargestChance> {
        match (&one.noise, self.cut_of(one)) {
            (CountNoise::Alike(_), Some(cut)) => self.below_a_cut(one, from, to, u64::try_from(cut).unwrap_or(0), odds),
            (CountNoise::Alike(_), None) => {
                self.largest([from, from.saturating_add(1).min(to.unwrap_or(u64::MAX))], odds)
            }
            (CountNoise::Below { .. }, cut) => self.between_bends(cut, from, to, odds),
            (CountNoise::OfCount { curve, .. }, _) => self.every(from, to, curve.constant_from(), odds),
        }
    }

    /// Without a cut laws only shift between two bends, and so do the pairs of neighbours; with one, every count is
    /// looked at.
    fn between_bends(&self, cut: Option<i64>, from: u64, to: Option<u64>, odds: &Rational) -> Option<LargestChance> {
        if cut.is_some() {
            return self.every(from, to, Some(0), odds);
        }
        let bends = self.bends().into_iter().chain([1, 2]);
        let inside = bends.filter(|count| *count >= from && to.is_none_or(|to| *count <= to));
        self.largest(inside.chain([from]).chain(to).collect::<BTreeSet<u64>>(), odds)
    }

    /// The step from an absent bin, if it is one of these counts: nothing else exceeds.
    fn first_only(&self, from: u64, odds: &Rational) -> Option<LargestChance> {
        match (self.universe, from) {
            (Universe::Open, 1) => self.largest([1], odds),
            (Universe::Open | Universe::Closed, _) => Some(LargestChance::none()),
        }
    }

    fn largest(&self, counts: impl IntoIterator<Item = u64>, odds: &Rational) -> Option<LargestChance> {
        let mut largest = LargestChance::none();
        for count in counts {
            largest.see(count, self.exceeding_at(count, odds).ok()?);
        }
        Some(largest)
    }

    /// Looks at every count, to the end or to two beyond the last bend, from where on laws only shift.
    fn every(&self, from: u64, to: Option<u64>, constant_from: Option<u64>, odds: &Rational) -> Option<LargestChance> {
        let last_bend = self.bends().into_iter().max().unwrap_or(0).max(constant_from.unwrap_or(u64::MAX - 4));
        let steady = (last_bend + 2).max(from);
        let end = to.map_or(steady, |to| to.min(steady));
        (end - from < MOST_COUNTS).then(|| self.largest(from..=end, odds))?
    }

    /// One noise of one rate, of which values below `cut` are merged into silence.
    ///
    /// From `cut` on nothing changes with the count but the place: silence is a part of the values below the count, all
    /// of which have one ratio. Below it, what shows has the ratio `e^rate` and a chance of `q^(cut - k)/(1 + q)`,
    /// which grows with the count; and the ratio of silence, `(1 - q^(cut-k+1)/(1+q)) / (1 - q^(cut-k)/(1+q))`, grows
    /// too. So from `cut - 1` downwards nothing is left to look for once silence is within the odds. (The step from an
    /// absent bin is looked at by itself.)
    fn below_a_cut(
        &self,
        one: &OneNoise<'_>,
        from: u64,
        to: Option<u64>,
        cut: u64,
        odds: &Rational,
    ) -> Option<LargestChance> {
        let mut largest = LargestChance::none();
        let at_the_cut = to.is_none_or(|to| to >= cut).then(|| cut.max(from).max(2));
        for count in at_the_cut.into_iter().chain((from == 1).then_some(1)) {
            largest.see(count, self.exceeding_at(count, odds).ok()?);
        }
        let top = to.map_or(cut.saturating_sub(1), |to| to.min(cut.saturating_sub(1)));
        for count in (from.max(2)..=top).rev() {
            if top - count >= MOST_COUNTS {
                return None;
            }
            let (forward, reverse) = self.single_exceeding(one, count, odds);
            let silent = reverse.upper() == Rational::ZERO;
            largest.see(count, Chance::within(forward.max(&reverse)));
            if silent {
                break;
            }
        }
        Some(largest)
    }

    /// Looks at every count from the last downwards, each law summed once and used twice.
    fn law_by_law(&self, from: u64, to: u64, odds: &Rational) -> Option<LargestChance> {
        if to - from >= MOST_SUMMED {
            return None;
        }
        let program = self.program();
        let law = |count| Distribution::<2>::of(&program, count, 100).ok();
        let mut here = law(to)?;
        let mut largest = LargestChance::none();
        let mut cells = 0;
        for count in (from..=to).rev() {
            let absent = self.universe == Universe::Open && count == 1;
            let before = if absent { Distribution::absent() } else { law(count - 1)? };
            largest.see(count, Chance::within(either_way(&here, &before, odds)));
            cells += here.values.values().map(|cells| cells.low.len() as u64).sum::<u64>();
            if cells > MOST_CELLS {
                return None;
            }
            here = before;
        }
        match largest.chance.tightness {
            Tightness::Exact => Some(largest),
            // The others are not above its first bounds.
            Tightness::UpperBound => {
                let exact = self.summed_exceeding(largest.count.unwrap_or(to), odds).ok()?;
                let is_below = exact.upper_bound() < largest.chance.upper_bound();
                Some(if is_below { largest } else { LargestChance { chance: exact, ..largest } })
            }
        }
    }
}
