//! How useful a mechanism is: its error and its silence, by the size of the group.
//!
//! Everything is read off the exact law, never simulated; floats here only describe and must never decide. It is separate
//! from the accounts because usefulness is shown and privacy is promised. Read `interval.rs` for what a published value says.

use crate::cells::TooManyOutcomes;
use crate::curve::{Curve, Epsilon};
use crate::mechanism::{Deployed, Mechanism, Universe};
use crate::program::{Publish, rate_of_count};
use crate::spread::Spread;
use crate::{tailored, wide};
use incrowd_exact::Rational;

/// Tails below 2^-80 do not change any digit that is shown.
const TAIL_BITS: usize = 80;

/// What to expect of a bin of one count.
#[derive(Debug, Clone, PartialEq)]
pub struct Utility {
    /// How many people.
    pub count: u64,
    /// The mean of the distance between what is published and the truth; negative values and silence count as zero.
    pub mean_absolute_error: f64,
    /// The chance that no count is published.
    pub suppressed: f64,
    /// Where nineteen out of twenty published values lie, if any are.
    pub usual: Option<(i64, i64)>,
}

impl Deployed {
    /// Returns what to expect of a bin of `count` people.
    pub fn utility(&self, count: u64) -> Result<Utility, TooManyOutcomes> {
        if self.universe == Universe::Open && count == 0 {
            return Ok(Utility { count, mean_absolute_error: 0.0, suppressed: 1.0, usual: None });
        }
        if let Some(utility) = self.wide_noise(count) {
            return Ok(utility);
        }
        // Where the law reaches far, geometric sums give the same numbers without listing it.
        if let Mechanism::TailoredGeometric { curve } = &self.mechanism
            && reaches_far(curve, count)
            && let Some(utility) = wide::tailored(curve, count, self.publish_from)
        {
            return Ok(utility);
        }
        let program = self.program();
        let spread = match (Spread::<2>::of(&program, count, TAIL_BITS), &self.mechanism) {
            (Ok(spread), _) => spread,
            (Err(error), Mechanism::TailoredGeometric { curve }) => {
                return wide::tailored(curve, count, self.publish_from).ok_or(error);
            }
            (Err(error), _) => return Err(error),
        };
        let truth = count as f64;
        let mut error = 0.0;
        let mut suppressed = 0.0;
        for mass in spread.others.values() {
            suppressed += mass.low.to_f64();
        }
        error += suppressed * truth;
        let mut by_value: Vec<(i64, f64)> = Vec::new();
        for cells in spread.values.values() {
            for (value, cell) in (cells.start..).zip(&cells.low) {
                let chance = cell.to_f64();
                error += (value.max(0) as f64 - truth).abs() * chance;
                by_value.push((value, chance));
            }
        }
        if let Publish::Range { .. } = program.publish {
            // The middle of a range is what a reader would take for the count.
            by_value.retain(|(_, chance)| *chance > 0.0);
        }
        if spread.values.len() > 1 {
            by_value.sort_by_key(|(value, _)| *value);
        }
        Ok(Utility { count, mean_absolute_error: error, suppressed, usual: usual(&by_value) })
    }

    /// The same in closed form for a single wide noise, whose law would have millions of cells.
    fn wide_noise(&self, count: u64) -> Option<Utility> {
        let rate = match &self.mechanism {
            Mechanism::Geometric { epsilon } | Mechanism::Threshold { epsilon, .. } => epsilon.clone(),
            Mechanism::GroupGeometric { group, epsilon } => epsilon / Rational::from(*group),
            Mechanism::NoisySuppress { epsilon, .. } => epsilon.clone(),
            Mechanism::NoiseBelow { crowd, epsilon } if count < *crowd => epsilon.clone(),
            Mechanism::NoiseUpTo { group, epsilon } if count <= *group => epsilon / Rational::from(*group),
            Mechanism::Fading { curve, at_zero } => rate_of_count(curve, at_zero, count).finite()?.clone(),
            Mechanism::NoiseBelow { .. }
            | Mechanism::NoiseUpTo { .. }
            | Mechanism::TailoredGeometric { .. }
            | Mechanism::Relay { .. }
            | Mechanism::SuppressBelow { .. }
            | Mechanism::SuppressUpTo { .. }
            | Mechanism::NoisyNoise { .. }
            | Mechanism::Staircase { .. }
            | Mechanism::General { .. }
            | Mechanism::Range { .. } => return None,
        };
        let rate = rate.to_f64().value();
        if !(rate < 1e-3) {
            return None;
        }
        let cut = self.single_cut();
        Some(wide::single_noise(count, rate, cut))
    }
}

/// Whether a law has more than about a quarter of a million outcomes above its count.
fn reaches_far(curve: &Curve, count: u64) -> bool {
    let exponent = tailored::exponent_between(curve, count, count.saturating_add(1 << 18), 64);
    exponent.is_some_and(|exponent| exponent.upper() < Rational::from(40u8))
}

/// Returns the shortest central stretch with 2.5 % of the published values on either side.
fn usual(by_value: &[(i64, f64)]) -> Option<(i64, i64)> {
    let total: f64 = by_value.iter().map(|(_, chance)| chance).sum();
    if !(total > 1e-12) {
        return None;
    }
    let low = edge(by_value.iter(), total)?;
    let high = edge(by_value.iter().rev(), total)?;
    Some((low, high))
}

/// Returns the first value at which more than 2.5 % of the total have been passed.
fn edge<'a>(mut values: impl Iterator<Item = &'a (i64, f64)>, total: f64) -> Option<i64> {
    let mut sum = 0.0;
    let found = values.find(|(_, chance)| {
        sum += chance / total;
        sum > 0.025
    });
    found.map(|(value, _)| *value)
}

/// Returns whether nothing is learnt beyond what is promised *and* nothing less: where "optimal" may be said.
///
/// Claim 3: on a closed universe with delta 0 the tailored geometric reaches the best error of all mechanisms that meet the
/// curve, for every loss that does not decrease away from the true count.
pub fn is_optimal(deployed: &Deployed) -> bool {
    match &deployed.mechanism {
        Mechanism::TailoredGeometric { curve } => {
            deployed.universe == Universe::Closed
                && deployed.publish_from.is_none()
                && curve.epsilon(1) != Epsilon::Infinite
        }
        Mechanism::Relay { .. }
        | Mechanism::SuppressBelow { .. }
        | Mechanism::NoiseBelow { .. }
        | Mechanism::SuppressUpTo { .. }
        | Mechanism::NoiseUpTo { .. }
        | Mechanism::Geometric { .. }
        | Mechanism::GroupGeometric { .. }
        | Mechanism::NoisySuppress { .. }
        | Mechanism::NoisyNoise { .. }
        | Mechanism::Staircase { .. }
        | Mechanism::General { .. }
        | Mechanism::Fading { .. }
        | Mechanism::Threshold { .. }
        | Mechanism::Range { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::parse_number;

    #[test]
    fn half_of_the_error_of_a_geometric_is_cut_off_at_zero() {
        let rate = parse_number("1").expect("a number");
        let deployed = Deployed {
            mechanism: Mechanism::Geometric { epsilon: rate },
            universe: Universe::Closed,
            publish_from: None,
        };
        let q = (-1.0f64).exp();
        let whole = 2.0 * q / (1.0 - q * q);
        assert!((deployed.utility(1000).expect("a law").mean_absolute_error - whole).abs() < 1e-12);
        assert!((deployed.utility(0).expect("a law").mean_absolute_error - whole / 2.0).abs() < 1e-12);
    }
}
