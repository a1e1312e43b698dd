//! Mechanisms that add noise level by level, and the proof that spares most counts.
//!
//! Computing `delta_k` for a ladder means summing whole laws, so counts are left out where a bound shows that they
//! cannot be the worst; that bound must hold in both directions, with levels hidden or published. It is separate
//! because only ladders need it. Read `account/worst.rs` for the other mechanisms.

use crate::account::worst::{AccountError, Worst, keep_worst};
use crate::account::{Delta, QuickBounds, Tightness};
use crate::cells::{Cells, TooManyOutcomes};
use crate::curve::{Curve, Epsilon, Level};
use crate::mechanism::shape::Ladder;
use crate::mechanism::{Deployed, Mechanism, Universe};
use crate::precision::BITS;
use incrowd_exact::{Enclosure, Fixed, Integer, Rational};

/// The most counts of one stretch that are looked at one by one.
const MAX_LOOKS: usize = 2048;

/// Deltas below this, about 1e-30, are bounded and not computed.
fn negligible() -> Rational {
    Rational::ONE / Rational::from(1u128 << 100)
}

impl Ladder {
    /// Returns the worst count under a curve, if any count costs anything.
    ///
    /// A count with `eps(k) >= eps_0` costs nothing: all that follows the first noise is post-processing. For the
    /// others let `i` be the first level with `eps_i <= eps(k)`. Coupling the noises of both counts (`docs/errata.md`
    /// 1.5) shows, in both directions and with levels published too, `delta_k(eps(k)) <= Pr[not all tests 1..i fire |
    /// k]`, which is at most the sum over `j <= i` of `Pr[k + G_0 + ... + G_{j-1} > level_j]` and does not decrease in
    /// `k`. So from the last count of a stretch downwards, we may stop where that sum is no larger than the largest
    /// delta found. (The step from an absent bin is not covered by this; `account/worst.rs` looks at it first.)
    pub(crate) fn worst(&self, deployed: &Deployed, curve: &Curve) -> Result<Option<Worst>, AccountError> {
        let mut worst = None;
        let mut stretches = Vec::new();
        let far = self.levels.iter().copied().chain(deployed.publish_from).max().unwrap_or(0).clamp(1, i64::MAX / 4);
        let far = far as u64 + 4;
        for run in curve.runs() {
            if curve.epsilon(run.from) >= self.epsilons[0] {
                continue;
            }
            let to = match (&run.level, run.to, &self.epsilons[0]) {
                (_, Some(to), _) => to,
                // Without end: `delta_k` grows towards what the first noise alone costs, and never beyond.
                (Level::Constant(_), None, _) | (Level::Proportional(_), None, Epsilon::Infinite) => {
                    let count = run.from.max(far);
                    let epsilon = curve.epsilon(count);
                    let delta = Delta { tightness: Tightness::UpperBound, ..self.first_noise(&epsilon)? };
                    keep_worst(&mut worst, Worst { count, epsilon, delta });
                    continue;
                }
                (Level::Proportional(slope), None, Epsilon::Finite(rate)) => {
                    u64::try_from(&(rate / slope).ceil()).unwrap_or(u64::MAX / 4).max(run.from)
                }
            };
            let to = if curve.epsilon(to) < self.epsilons[0] { to } else { self.last_below(curve, run.from, to) };
            stretches.push((run.from, to, matches!(run.level, Level::Constant(_))));
        }
        // First the ends: they are usually the worst, and spare the rest.
        for (_, to, _) in &stretches {
            keep_worst(&mut worst, self.look(deployed, curve, *to)?);
        }
        for (from, to, constant) in &stretches {
            self.look_below(deployed, curve, (*from, *to, *constant), &mut worst)?;
        }
        Ok(worst)
    }

    /// Looks at the counts of one stretch from its last but one downwards, as far as any of them could be the worst.
    fn look_below(
        &self,
        deployed: &Deployed,
        curve: &Curve,
        (from, to, constant): (u64, u64, bool),
        worst: &mut Option<Worst>,
    ) -> Result<(), AccountError> {
        let mut tails = Tails::new(self, curve.epsilon(to))?;
        let mut quick = QuickBounds::default();
        let mut looked = 0;
        for count in (from..to).rev() {
            let Epsilon::Finite(epsilon) = curve.epsilon(count) else { continue };
            tails.for_epsilon(self, Epsilon::Finite(epsilon.clone()))?;
            let known = worst.as_ref().map_or(Rational::ZERO, |worst| worst.delta.upper_bound());
            let first_noise = self.first_noise(&Epsilon::Finite(epsilon.clone()))?.upper_bound();
            let bound = tails.bound(self, count).map_or(first_noise.clone(), |bound| bound.min(first_noise));
            if bound <= known {
                // Where epsilon falls with the count, a smaller count may need more levels.
                if constant {
                    return Ok(());
                }
                continue;
            }
            looked += 1;
            if looked > MAX_LOOKS || (constant && bound <= negligible()) {
                // All that is left costs no more than this.
                let rest = if constant { bound } else { self.first_noise(&curve.epsilon(from))?.upper_bound() };
                let delta = Delta { enclosure: Enclosure::rational(&rest, BITS), tightness: Tightness::UpperBound };
                keep_worst(worst, Worst { count, epsilon: Epsilon::Finite(epsilon), delta });
                return Ok(());
            }
            // A quick upper bound is enough to see that a count is not the worst.
            if quick.upper_bound(deployed, count, &epsilon)? > known {
                keep_worst(worst, self.look(deployed, curve, count)?);
            }
        }
        Ok(())
    }

    /// What the first noise alone costs: never less than the whole ladder, which only post-processes it.
    fn first_noise(&self, epsilon: &Epsilon) -> Result<Delta, AccountError> {
        let Epsilon::Finite(rate) = &self.epsilons[0] else { return Ok(Delta::exact(Enclosure::one(BITS))) };
        let alone = Deployed {
            mechanism: Mechanism::Geometric { epsilon: rate.clone() },
            universe: Universe::Closed,
            publish_from: None,
        };
        Ok(alone.delta(2, epsilon)?)
    }

    fn look(&self, deployed: &Deployed, curve: &Curve, count: u64) -> Result<Worst, AccountError> {
        let epsilon = curve.epsilon(count);
        let delta = deployed.delta(count, &epsilon)?;
        Ok(Worst { count, epsilon, delta })
    }

    /// The last count of a proportional stretch whose epsilon is still below the first rate.
    fn last_below(&self, curve: &Curve, from: u64, to: u64) -> u64 {
        let (mut low, mut high) = (from, to);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if curve.epsilon(middle) < self.epsilons[0] {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }
}

/// Upper tails of the sums of the first noises, for the level that protects a count.
struct Tails {
    level: Option<usize>,
    /// `tails[j][x]`: an upper bound on `Pr[G_0 + ... + G_j > start_j + x]`.
    sums: Vec<(i64, Vec<Fixed<2>>)>,
}

impl Tails {
    fn new(ladder: &Ladder, epsilon: Epsilon) -> Result<Self, TooManyOutcomes> {
        let mut tails = Tails { level: None, sums: Vec::new() };
        tails.for_epsilon(ladder, epsilon)?;
        Ok(tails)
    }

    /// Makes ready for counts with this promise; the first level that is strict enough is `level`.
    fn for_epsilon(&mut self, ladder: &Ladder, epsilon: Epsilon) -> Result<(), TooManyOutcomes> {
        self.level = ladder.epsilons.iter().position(|level| level <= &epsilon);
        let needed = self.level.unwrap_or(0);
        if needed <= self.sums.len() {
            return Ok(());
        }
        let mut cells = Cells::<2>::sure(0);
        let mut lost = Fixed::ZERO;
        for index in 0..needed {
            if let Epsilon::Finite(rate) = &ladder.epsilons[index] {
                cells = cells.with_noise(rate, 110, &mut lost)?;
            }
            if index < self.sums.len() {
                continue;
            }
            let mut above = vec![Fixed::ZERO; cells.low.len()];
            let mut sum = lost;
            for place in (0..cells.low.len()).rev() {
                above[place] = sum;
                sum = sum.plus(cells.low[place]).plus(Fixed::units(cells.error));
            }
            self.sums.push((cells.start, above));
        }
        Ok(())
    }

    /// Returns the bound on `delta_count`, or nothing where no level protects it.
    fn bound(&self, ladder: &Ladder, count: u64) -> Option<Rational> {
        let level = self.level?;
        let count = i64::try_from(count).ok()?;
        let mut sum = Fixed::<2>::ZERO;
        for index in 0..level {
            let (start, above) = &self.sums[index];
            let place = ladder.levels[index].saturating_sub(count).saturating_sub(*start);
            sum = sum.plus(match usize::try_from(place) {
                Err(_) => Fixed::one(),
                Ok(place) => *above.get(place).or(above.last())?,
            });
        }
        let units = Integer::from(sum.to_units());
        Some(Enclosure::between(units.clone(), units, Fixed::<2>::BITS).upper())
    }
}
