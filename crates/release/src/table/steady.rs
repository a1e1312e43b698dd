//! Intervals of large values, by shifting one that is known.
//!
//! Where a law only moves along with the count, so do its intervals, and one of them gives all; it must never be used
//! below the value from which that holds. It is separate from `reading.rs` because it needs an argument. Read
//! `incrowd_privacy`'s `interval.rs` for the intervals themselves.
//!
//! An interval of `y` is decided by comparing `P(Y <= y | k)` and `P(Y >= y | k)` with 2.5 % of `P(published | k)` at its
//! ends and one count beyond. Let `B` be the last count at which the mechanism changes (bends of a curve, thresholds, zero
//! runs), `r` the rate of its noise from there on. For `y >= B + 100/r` all these counts lie at least `50/r` above `B`. There
//! the two chances depend on `y - k` alone, up to what reaches below `B`, whose chance is below `2 e^-50`; and
//! `P(published | k)` is one, up to as much. So the interval of `y + 1` is that of `y`, one further, and holds with a chance
//! that differs by less than `2^-60` from what is said. Where large counts are published as they are, intervals are single
//! counts from `B + 100/r` on, `r` being the rate of the noise below. Where noise is added level by level `r` is the rate of
//! the slowest one, which small counts get: beyond its reach only counts above all levels come into question. Plain noise without a threshold shifts everywhere, and
//! only ends at zero cut its intervals. Test: `shifted_intervals_are_the_computed_ones`.

use incrowd_exact::Rational;
use incrowd_privacy::{Deployed, Epsilon, Interval, Intervals, Mechanism, Universe};

/// How many units of its scale noise is followed.
const UNITS: u64 = 100;

/// How the intervals of large values follow from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Steady {
    /// The value from which on they do.
    from: i64,
    /// How far below and above a value its interval reaches.
    reach: (i64, i64),
}

impl Steady {
    /// Returns how intervals shift; nothing where they do not, or only for values that nobody will see.
    pub(super) fn of(deployed: &Deployed, intervals: &Intervals<'_>) -> Option<Steady> {
        let (from, probe) = steady_from(deployed)?;
        let known = intervals.interval(probe).ok()?;
        let end = |end: u64| i64::try_from(end).ok();
        Some(Steady { from, reach: (probe - end(known.low)?, end(known.high)? - probe) })
    }

    /// Returns the interval of a value, if it is known without computing.
    pub(super) fn interval(&self, value: i64) -> Option<Interval> {
        let end = |end: i64| u64::try_from(end).unwrap_or(0);
        let low = end(value.saturating_sub(self.reach.0));
        (value >= self.from).then(|| Interval { low, high: end(value.saturating_add(self.reach.1)) })
    }
}

/// Returns the value from which on intervals shift, and one to compute.
fn steady_from(deployed: &Deployed) -> Option<(i64, i64)> {
    let after = |bend: u64, rate: &Rational| {
        if rate == &Rational::ZERO {
            return None;
        }
        let reach = u64::try_from(&(Rational::from(UNITS) / rate).ceil()).ok()?;
        let threshold = deployed.publish_from.map_or(0, |from| u64::try_from(from).unwrap_or(0));
        let from = i64::try_from(bend.max(threshold).checked_add(reach)?.checked_add(2)?).ok()?;
        Some((from, from))
    };
    let plain = deployed.publish_from.is_none() && deployed.universe == Universe::Closed;
    let everywhere = |rate: &Rational| match plain {
        true => after(0, rate).map(|(_, probe)| (i64::MIN, probe)),
        false => after(0, rate),
    };
    let natural = |level: i64| u64::try_from(level).unwrap_or(0);
    match &deployed.mechanism {
        Mechanism::Geometric { epsilon } => everywhere(epsilon),
        Mechanism::GroupGeometric { group, epsilon } => everywhere(&(epsilon / Rational::from(*group))),
        Mechanism::Threshold { epsilon, threshold } => after(natural(*threshold), epsilon),
        Mechanism::NoisySuppress { group, epsilon, offset } => {
            after(natural(i64::try_from(*group).ok()?.saturating_add(*offset)).saturating_add(1), epsilon)
        }
        Mechanism::SuppressBelow { crowd } => after(*crowd, &Rational::ONE),
        Mechanism::SuppressUpTo { group } => after(*group, &Rational::ONE),
        Mechanism::NoiseBelow { crowd, epsilon } => after(*crowd, epsilon),
        Mechanism::NoiseUpTo { group, epsilon } => after(*group, &(epsilon / Rational::from(*group))),
        Mechanism::TailoredGeometric { curve } => match curve.supremum() {
            Epsilon::Finite(rate) if rate > Rational::ZERO => after(curve.constant_from()?, &rate),
            Epsilon::Finite(_) => None,
            // From the first infinite step on, counts are published as they are.
            Epsilon::Infinite => after(curve.last_finite()?.checked_add(1)?, &Rational::ONE),
        },
        // Small counts may get the slowest noise of all: only beyond its reach does the first one alone decide.
        Mechanism::NoisyNoise { group, epsilon, offset } => after(
            natural(i64::try_from(*group).ok()?.saturating_add(*offset)).saturating_add(1),
            &(epsilon / Rational::from(*group)),
        ),
        Mechanism::Staircase { epsilons, levels, .. } => {
            let rates = epsilons.iter().filter_map(Epsilon::finite).filter(|rate| **rate > Rational::ZERO);
            after(natural(levels.iter().copied().max()?).saturating_add(1), rates.min().unwrap_or(&Rational::ONE))
        }
        // These are listed count by count, or need no interval.
        Mechanism::Relay { .. } | Mechanism::General { .. } | Mechanism::Fading { .. } | Mechanism::Range { .. } => {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::plan_of;

    #[test]
    fn shifted_intervals_are_the_computed_ones() {
        let closed = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\nvalues = [1]\n";
        let open = "[[bins]]\nname = \"b\"\ncolumn = \"b\"\n";
        let dp = "[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n";
        let outlier = "[promise]\nkind = \"simple-outlier-dp\"\ngroup = 20\nepsilon = \"3/2\"\ndelta = \"1e-6\"\n";
        let blending = "[promise]\nkind = \"crowd-blending\"\ncrowd = 20\nepsilon = \"1/2\"\n";
        let stairs = "[promise]\nkind = \"staircase\"\nthresholds = [30, 5]\nepsilons = [2, \"1/2\", \"1/10\"]\ndelta = \"1e-6\"\n[mechanism]\nname = \"staircase\"\n";
        for request in [
            format!("{closed}{outlier}"),
            format!("{closed}{blending}"),
            format!("{closed}[promise]\nkind = \"table\"\nvalues = [0, 0, \"1/2\", 1]\n"),
            format!("{closed}{outlier}[mechanism]\nname = \"tailored-geometric\"\nthreshold = 30\n"),
            format!("{open}{outlier}[mechanism]\nname = \"tailored-geometric\"\n"),
            format!("{closed}{dp}[mechanism]\nname = \"geometric\"\n"),
            format!("{closed}{dp}[mechanism]\nname = \"geometric\"\nthreshold = 7\n"),
            format!(
                "{closed}[promise]\nkind = \"group\"\ngroup = 3\nepsilon = 2\n[mechanism]\nname = \"group-geometric\"\n"
            ),
            format!("{open}{dp}[mechanism]\nname = \"threshold\"\n"),
            format!("{closed}{outlier}[mechanism]\nname = \"noisy-suppress\"\n"),
            format!("{closed}{blending}[mechanism]\nname = \"noise-below\"\n"),
            format!("{closed}{blending}[mechanism]\nname = \"suppress-below\"\n"),
            format!("{closed}{outlier}[mechanism]\nname = \"noisy-noise\"\n"),
            format!("{closed}{stairs}"),
            format!("{open}{stairs}threshold = 150\n"),
        ] {
            let plan = plan_of(&request);
            let deployed = &plan.settled.deployed;
            let intervals = Intervals::of(deployed).expect("intervals");
            let steady = Steady::of(deployed, &intervals).expect("steady");
            let first = steady.from.max(-3);
            let below = if steady.from == i64::MIN { -1000 } else { first };
            // What is read backwards does not reach that far.
            let backwards = matches!(deployed.mechanism, Mechanism::NoisyNoise { .. } | Mechanism::Staircase { .. });
            let far = if backwards { 123_456 } else { 123_456_789 };
            for value in (first..first + 3).chain([below, first + 17, first + 1000, first + far]) {
                assert_eq!(steady.interval(value), intervals.interval(value).ok(), "{value} in {request}");
            }
            assert_eq!(steady.interval(steady.from.saturating_sub(1)).is_some(), steady.from == i64::MIN);
        }
    }
}
