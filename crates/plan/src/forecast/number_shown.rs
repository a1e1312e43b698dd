//! How many of many bins show, each with a chance of its own, independently: the law of a sum of coins.
//!
//! An interval must hold with at least the chance that is said: the law is added up, or a theorem gives the interval.
//! Floats serve, since nothing is decided by it. It is separate because it knows neither plans nor sizes. Read
//! `../forecast.rs` for where the chances come from.
//!
//! Bins with the same chance make a binomial law; binomial laws are convolved. That is cheap while the standard
//! deviation is small. Beyond, `P[|N - mean| > 2 sd]` is at most `2 (Phi(-2) + 0.56/sd)`, because the distribution
//! function of a sum of independent coins is within `0.56 sum E|X - p|^3 / sd^3 <= 0.56/sd` of the normal one
//! (Shevtsova 2010, for summands that need not be alike): below 5 % from a standard deviation of 250 on.

use super::IntervalBy;

/// From this standard deviation on the theorem is used.
const WIDE: f64 = 250.0;
/// Chances of numbers that are so much smaller than the largest one are left out.
const NEGLIGIBLE: f64 = 1e-18;
/// What may lie on either side of the interval; a hair less than 2.5 %, for what was left out and rounded.
const TAIL: f64 = 0.025 - 1e-9;

/// How many bins show.
pub(super) struct NumberShown {
    mean: f64,
    deviation: f64,
    /// The chances of numbers, from the first one on, where they were added up.
    law: Option<(u64, Vec<f64>)>,
}

impl NumberShown {
    /// Returns the law of how many show, of groups of so many bins that each show with this chance.
    pub(super) fn of(groups: impl Iterator<Item = (u128, f64)>) -> Self {
        let groups: Vec<(f64, f64)> = groups.map(|(bins, chance)| (bins as f64, chance.clamp(0.0, 1.0))).collect();
        let mean = groups.iter().map(|(bins, chance)| bins * chance).sum();
        let deviation = groups.iter().map(|(bins, chance)| bins * chance * (1.0 - chance)).sum::<f64>().sqrt();
        let law = (deviation < WIDE).then(|| {
            let mut laws: Vec<(u64, Vec<f64>)> = groups.iter().map(|(bins, chance)| binomial(*bins, *chance)).collect();
            laws.sort_by_key(|(_, chances)| chances.len());
            laws.iter().fold((0, vec![1.0]), |sum, next| convolved(&sum, next))
        });
        NumberShown { mean, deviation, law }
    }

    pub(super) fn mean(&self) -> f64 {
        self.mean
    }

    pub(super) fn interval_by(&self) -> IntervalBy {
        match self.law {
            Some(_) => IntervalBy::Exactly,
            None => IntervalBy::Bound,
        }
    }

    /// Returns the smallest and the largest number that are not in a tail of 2.5 %.
    pub(super) fn interval(&self) -> (u64, u64) {
        let Some((start, chances)) = &self.law else {
            let reach = 2.0 * self.deviation;
            return ((self.mean - reach).max(0.0).floor() as u64, (self.mean + reach).ceil() as u64);
        };
        let low = passed(chances.iter());
        let high = chances.len() - 1 - passed(chances.iter().rev());
        (start + low as u64, start + high as u64)
    }
}

/// Returns how many chances may be left out from this end.
fn passed<'a>(chances: impl Iterator<Item = &'a f64>) -> usize {
    let mut sum = 0.0;
    let within = |chance: &&f64| {
        sum += **chance;
        sum <= TAIL
    };
    chances.take_while(within).count()
}

/// The law of how many of `bins` show: from the likeliest number in both directions, each chance from its neighbour's.
fn binomial(bins: f64, chance: f64) -> (u64, Vec<f64>) {
    if chance <= 0.0 {
        return (0, vec![1.0]);
    }
    if chance >= 1.0 {
        return (bins as u64, vec![1.0]);
    }
    let odds = chance / (1.0 - chance);
    let likeliest = ((bins + 1.0) * chance).floor().min(bins);
    let mut down = Vec::new();
    let (mut at, mut weight) = (likeliest, 1.0f64);
    while at > 0.0 {
        weight *= at / ((bins - at + 1.0) * odds);
        if !(weight > NEGLIGIBLE) {
            break;
        }
        at -= 1.0;
        down.push(weight);
    }
    let start = at as u64;
    let mut weights: Vec<f64> = down.into_iter().rev().chain([1.0]).collect();
    let (mut at, mut weight) = (likeliest, 1.0f64);
    while at < bins {
        weight *= (bins - at) * odds / (at + 1.0);
        if !(weight > NEGLIGIBLE) {
            break;
        }
        at += 1.0;
        weights.push(weight);
    }
    (start, normalised(weights))
}

/// The law of the sum of two numbers, without what is negligible at its ends.
fn convolved(one: &(u64, Vec<f64>), other: &(u64, Vec<f64>)) -> (u64, Vec<f64>) {
    if let [_] = other.1.as_slice() {
        return (one.0 + other.0, one.1.clone());
    }
    let mut sum = vec![0.0; one.1.len() + other.1.len() - 1];
    for (place, chance) in other.1.iter().enumerate() {
        for (cell, with) in sum[place..].iter_mut().zip(&one.1) {
            *cell += chance * with;
        }
    }
    let least = sum.iter().copied().fold(0.0, f64::max) * NEGLIGIBLE;
    let first = sum.iter().position(|chance| *chance > least).unwrap_or(0);
    let last = sum.iter().rposition(|chance| *chance > least).unwrap_or(0);
    (one.0 + other.0 + first as u64, normalised(sum[first..=last].to_vec()))
}

fn normalised(mut weights: Vec<f64>) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= total);
    weights
}
