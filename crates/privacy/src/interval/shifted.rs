//! Intervals of large values, by shifting one that is known.
//!
//! Where a law only moves along with the count, so do its intervals, and one of them gives all; it must never be used
//! below the value from which that holds. It is separate from `interval.rs` because it needs an argument of its own.
//! Read `interval.rs` for the intervals themselves.
//!
//! An interval of `y` is decided by comparing `P(Y <= y | k)` and `P(Y >= y | k)` with 2.5 % of `P(published | k)` at
//! its ends and one count beyond. Let `B` be the last count at which the mechanism changes (bends of a curve,
//! thresholds, zero runs), `r` the rate of its noise from there on. For `y >= B + 100/r` all these counts lie at least
//! `50/r` above `B`. There the two chances depend on `y - k` alone, up to what reaches below `B`, whose chance is below
//! `2 e^-50`; and `P(published | k)` is one, up to as much. So the interval of `y + 1` is that of `y`, one further, and
//! holds with a chance that differs by less than `2^-60` from what is said. Where large counts are published as they
//! are, intervals are single counts from `B + 100/r` on, `r` being the rate of the noise below. Where noise is added
//! level by level `r` is the rate of the slowest one, which small counts get: beyond its reach only counts above all
//! levels come into question. Plain noise without a threshold shifts everywhere, and only ends at zero cut its
//! intervals. Test: `shifted_intervals_are_the_computed_ones`.

use super::{Interval, Intervals};
use crate::curve::Epsilon;
use crate::mechanism::shape::{CountNoise, Shape, SmallCounts};
use crate::mechanism::{Deployed, Universe};
use incrowd_exact::Rational;

/// How many units of its scale noise is followed.
const UNITS: u64 = 100;

/// How the intervals of large values follow from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShiftedIntervals {
    /// The value from which on they do.
    from: i64,
    /// How far below and above a value its interval reaches.
    reach: (i64, i64),
}

impl ShiftedIntervals {
    /// Returns how intervals shift; nothing where they do not, or only for values that nobody will see.
    pub fn of(deployed: &Deployed, intervals: &Intervals<'_>) -> Option<ShiftedIntervals> {
        let (from, probe) = deployed.intervals_shift_from()?;
        let known = intervals.interval(probe).ok()?;
        let end = |end: u64| i64::try_from(end).ok();
        Some(ShiftedIntervals { from, reach: (probe - end(known.low)?, end(known.high)? - probe) })
    }

    /// Returns the interval of a value, if it is known without computing.
    pub fn interval(&self, value: i64) -> Option<Interval> {
        let end = |end: i64| u64::try_from(end).unwrap_or(0);
        let low = end(value.saturating_sub(self.reach.0));
        (value >= self.from).then(|| Interval { low, high: end(value.saturating_add(self.reach.1)) })
    }
}

impl Deployed {
    /// Returns the value from which on intervals shift, and one to compute.
    pub(super) fn intervals_shift_from(&self) -> Option<(i64, i64)> {
        let after = |bend: u64, cut: Option<i64>, rate: &Rational| {
            if rate == &Rational::ZERO {
                return None;
            }
            let reach = u64::try_from(&(Rational::from(UNITS) / rate).ceil()).ok()?;
            let threshold = cut.map_or(0, |from| u64::try_from(from).unwrap_or(0));
            let from = i64::try_from(bend.max(threshold).checked_add(reach)?.checked_add(2)?).ok()?;
            Some((from, from))
        };
        match self.shape() {
            Shape::OneNoise(one) => {
                let cut = self.cut_of(&one);
                match &one.noise {
                    CountNoise::Alike(rate) => {
                        let probe = after(0, cut, rate)?;
                        let plain = cut.is_none() && self.universe == Universe::Closed;
                        Some(if plain { (i64::MIN, probe.1) } else { probe })
                    }
                    CountNoise::Below { exact_from, small: SmallCounts::Noisy(rate) } => after(*exact_from, cut, rate),
                    CountNoise::Below { exact_from, small: SmallCounts::Silent } => {
                        after(*exact_from, cut, &Rational::ONE)
                    }
                    // Every count has a law of its own: they are listed.
                    CountNoise::OfCount { .. } => None,
                }
            }
            // Small counts may get the slowest noise of all: only beyond its reach does the first one alone decide.
            Shape::Ladder(ladder) => {
                let rates = ladder.epsilons.iter().filter_map(Epsilon::finite).filter(|rate| **rate > Rational::ZERO);
                let top = u64::try_from(ladder.levels.iter().copied().max()?).unwrap_or(0).saturating_add(1);
                after(top, self.publish_from, rates.min().unwrap_or(&Rational::ONE))
            }
            Shape::Walk(curve) => match curve.supremum() {
                Epsilon::Finite(rate) if rate > Rational::ZERO => {
                    after(curve.constant_from()?, self.publish_from, &rate)
                }
                Epsilon::Finite(_) => None,
                // From the first infinite step on, counts are published as they are.
                Epsilon::Infinite => after(curve.last_finite()?.checked_add(1)?, self.publish_from, &Rational::ONE),
            },
            // These are listed count by count, or need no interval.
            Shape::Table { .. } | Shape::DrawnEpsilon { .. } | Shape::Range { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Curve;
    use crate::mechanism::{Mechanism, SideOutput};
    use incrowd_exact::testing::number;

    fn epsilon(text: &str) -> Epsilon {
        if text == "infinite" { Epsilon::Infinite } else { Epsilon::Finite(number(text)) }
    }

    fn tailored(values: &[&str]) -> Mechanism {
        let curve = Curve::table(values.iter().map(|text| epsilon(text)).collect()).expect("a curve");
        Mechanism::TailoredGeometric { curve }
    }

    fn staircase() -> Mechanism {
        let epsilons = ["2", "1/2", "1/10"].map(epsilon).to_vec();
        Mechanism::Staircase { epsilons, levels: vec![43, 45], side_output: SideOutput::Hidden }
    }

    #[test]
    fn shifted_intervals_are_the_computed_ones() {
        let outlier = Curve::steps(vec![(20, epsilon("3/40"))], epsilon("3/2")).expect("a curve");
        let outlier = Mechanism::TailoredGeometric { curve: outlier };
        let blending = Curve::steps(vec![(19, epsilon("1/2"))], Epsilon::Infinite).expect("a curve");
        let geometric = || Mechanism::Geometric { epsilon: Rational::ONE };
        let noisy_suppress = |offset| Mechanism::NoisySuppress { group: 20, epsilon: number("3/2"), offset };
        let (closed, open) = (Universe::Closed, Universe::Open);
        let settings = [
            (outlier.clone(), closed, None),
            (Mechanism::TailoredGeometric { curve: blending }, closed, None),
            (tailored(&["0", "0", "1/2", "1"]), closed, None),
            (outlier.clone(), closed, Some(30)),
            (outlier, open, Some(150)),
            (geometric(), closed, None),
            (geometric(), closed, Some(7)),
            (Mechanism::GroupGeometric { group: 3, epsilon: number("2") }, closed, None),
            (Mechanism::Threshold { epsilon: Rational::ONE, threshold: 15 }, open, None),
            (noisy_suppress(9), closed, None),
            (noisy_suppress(-30), closed, None),
            (Mechanism::NoiseBelow { crowd: 20, epsilon: number("1/2") }, closed, None),
            (Mechanism::NoiseUpTo { group: 20, epsilon: number("4") }, closed, Some(30)),
            (Mechanism::SuppressBelow { crowd: 20 }, closed, None),
            (Mechanism::SuppressUpTo { group: 20 }, closed, None),
            (Mechanism::NoisyNoise { group: 20, epsilon: number("3/2"), offset: 9 }, closed, None),
            (staircase(), closed, None),
            (staircase(), open, Some(150)),
        ];
        for (mechanism, universe, publish_from) in settings {
            let deployed = Deployed { mechanism, universe, publish_from };
            let intervals = Intervals::of(&deployed).expect("intervals");
            let shifted = ShiftedIntervals::of(&deployed, &intervals).expect("they shift");
            let first = shifted.from.max(-3);
            let below = if shifted.from == i64::MIN { -1000 } else { first };
            // What is read backwards does not reach that far.
            let backwards = matches!(deployed.shape(), Shape::Ladder(_));
            let far = if backwards { 123_456 } else { 123_456_789 };
            for value in (first..first + 3).chain([below, first + 17, first + 1000, first + far]) {
                assert_eq!(shifted.interval(value), intervals.interval(value).ok(), "{value} of {deployed:?}");
            }
            assert_eq!(shifted.interval(shifted.from.saturating_sub(1)).is_some(), shifted.from == i64::MIN);
        }
    }
}
