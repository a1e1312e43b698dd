//! How useful a mechanism is: its error and its silence, by the size of the group.
//!
//! Everything is read off the exact law, never simulated; floats here only describe and must never decide. It is
//! separate from the accounts because usefulness is shown and privacy is promised. Read `interval.rs` for what a
//! published value says.

mod closed_form;
pub(crate) mod showing;

use crate::cells::TooManyOutcomes;
use crate::curve::{Curve, Epsilon};
use crate::law::distribution::Distribution;
use crate::mechanism::program::Publish;
use crate::mechanism::shape::{Shape, Single};
use crate::mechanism::{Deployed, Universe, tailored};
use crate::two_sided::TwoSided;
use incrowd_exact::{Fixed, Rational};

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
    /// Where people are sampled first: the same mean once published values are divided by the chance of being sampled.
    pub scaled_up_error: Option<f64>,
}

/// The largest chance below one: what is not certain must not be said to be, however near it is.
const NEARLY_SURE: f64 = 1.0 - f64::EPSILON / 2.0;
/// So many chances of values are added up for one group of a sample, at about.
const MOST_MIXED: usize = 2_000_000;

impl Utility {
    /// What to expect where everybody is counted.
    pub(crate) fn of_everybody(
        count: u64,
        mean_absolute_error: f64,
        suppressed: f64,
        usual: Option<(i64, i64)>,
    ) -> Utility {
        Utility { count, mean_absolute_error, suppressed, usual, scaled_up_error: None }
    }
}

/// Returns a chance that is known to be below one.
pub(crate) fn below_one(chance: f64) -> f64 {
    chance.min(NEARLY_SURE)
}

/// What a bin of one count shows: values ascending with their chances, and the chance of none.
struct Shown {
    by_value: Vec<(i64, f64)>,
    suppressed: f64,
}

impl Deployed {
    /// Returns what to expect of a bin of `count` people.
    pub fn utility(&self, count: u64) -> Result<Utility, TooManyOutcomes> {
        if self.universe == Universe::Open && count == 0 {
            return Ok(Utility::of_everybody(count, 0.0, 1.0, None));
        }
        if let Some(utility) = self.wide_noise(count) {
            return Ok(utility);
        }
        // Where the law reaches far, geometric sums give the same numbers without listing it.
        if let Shape::Walk(curve) = self.shape()
            && reaches_far(curve, count)
            && let Some(utility) = closed_form::tailored(curve, count, self.publish_from)
        {
            return Ok(utility);
        }
        let shown = match (self.shown(count), self.shape()) {
            (Ok(shown), _) => shown,
            (Err(error), Shape::Walk(curve)) => {
                return closed_form::tailored(curve, count, self.publish_from).ok_or(error);
            }
            (Err(error), _) => return Err(error),
        };
        let error = shown.error(count as f64, 1.0);
        Ok(Utility::of_everybody(count, error, shown.suppressed, usual(&shown.by_value)))
    }

    /// Returns what to expect of a group of `people` of whom each is counted with this chance: the law of a bin, mixed
    /// over how many of them are in the sample. Values are compared with all of the group, as published and divided by
    /// the chance.
    pub fn utility_of_sample(&self, people: u64, chance: &Rational) -> Result<Utility, TooManyOutcomes> {
        if let Shape::Walk(curve) = self.shape()
            && reaches_far(curve, people)
        {
            return Err(TooManyOutcomes);
        }
        let chance = chance.to_f64().value();
        let truth = people as f64;
        // Larger groups show more often: if all of it in the sample is hidden for sure, everything is.
        let whole = self.shown(people)?;
        let nodes = (MOST_MIXED / whole.by_value.len().max(1)).clamp(3, 257);
        let (mut error, mut scaled, mut suppressed) = (0.0, 0.0, 0.0);
        let mut surely_silent = whole.suppressed >= 1.0;
        let mut mixed: Vec<(i64, f64)> = Vec::new();
        for (count, weight) in in_sample(people, chance, nodes) {
            let shown = self.shown(count)?;
            error += weight * shown.error(truth, 1.0);
            scaled += weight * shown.error(truth, chance);
            suppressed += weight * shown.suppressed;
            surely_silent &= shown.suppressed >= 1.0;
            mixed.extend(shown.by_value.into_iter().map(|(value, mass)| (value, mass * weight)));
        }
        mixed.sort_by_key(|(value, _)| *value);
        let suppressed = if surely_silent { 1.0 } else { below_one(suppressed) };
        Ok(Utility {
            count: people,
            mean_absolute_error: error,
            suppressed,
            usual: usual(&mixed),
            scaled_up_error: Some(scaled),
        })
    }

    /// Lists what a bin of one count shows.
    fn shown(&self, count: u64) -> Result<Shown, TooManyOutcomes> {
        if self.universe == Universe::Open && count == 0 {
            return Ok(Shown { by_value: Vec::new(), suppressed: 1.0 });
        }
        let program = self.program();
        let distribution = Distribution::<2>::of(&program, count, TAIL_BITS)?;
        let mut suppressed: f64 = distribution.others.values().map(|mass| mass.low.to_f64()).sum();
        let mut by_value: Vec<(i64, f64)> = Vec::new();
        for cells in distribution.values.values() {
            by_value.extend((cells.start..).zip(&cells.low).map(|(value, cell)| (value, cell.to_f64())));
        }
        if let Publish::Range { .. } = program.publish {
            // The middle of a range is what a reader would take for the count.
            by_value.retain(|(_, chance)| *chance > 0.0);
        }
        if distribution.values.len() > 1 {
            by_value.sort_by_key(|(value, _)| *value);
        }
        // What was cut off or rounded away may be shown too.
        if distribution.lost > Fixed::ZERO || by_value.iter().any(|(_, chance)| *chance > 0.0) {
            suppressed = below_one(suppressed);
        }
        Ok(Shown { by_value, suppressed })
    }

    /// The same in closed form for a single wide noise, whose law would have millions of cells.
    fn wide_noise(&self, count: u64) -> Option<Utility> {
        let Shape::OneNoise(one) = self.shape() else { return None };
        let Single::Number(TwoSided { rate: Epsilon::Finite(rate), .. }) = one.law(count) else { return None };
        let rate = rate.to_f64().value();
        if !(rate < 1e-3) {
            return None;
        }
        let cut = self.cut_of(&one);
        Some(closed_form::single_noise(count, rate, cut))
    }
}

impl Shown {
    /// The mean distance of what is published, divided by a chance, from the truth; negative values and silence count
    /// as zero.
    fn error(&self, truth: f64, chance: f64) -> f64 {
        let distance = |(value, mass): &(i64, f64)| ((*value).max(0) as f64 / chance - truth).abs() * mass;
        self.suppressed * truth + self.by_value.iter().map(distance).sum::<f64>()
    }
}

/// Returns how many of a group are in a sample, with the chance of each number: all numbers that matter, or so many of
/// them, each standing for its neighbours.
fn in_sample(people: u64, chance: f64, nodes: usize) -> Vec<(u64, f64)> {
    if !(chance < 1.0) {
        return vec![(people, 1.0)];
    }
    // From the likeliest number in both directions, each chance from its neighbour's; what is below 1e-18 of it does
    // not show.
    let odds = chance / (1.0 - chance);
    let likeliest = (((people as f64 + 1.0) * chance) as u64).min(people);
    let mut weights: Vec<(u64, f64)> = Vec::new();
    let (mut count, mut weight) = (likeliest, 1.0f64);
    while weight > 1e-18 {
        weights.push((count, weight));
        if count == 0 {
            break;
        }
        weight *= count as f64 / ((people - count + 1) as f64 * odds);
        count -= 1;
    }
    weights.reverse();
    let (mut count, mut weight) = (likeliest, 1.0f64);
    while count < people {
        weight *= (people - count) as f64 * odds / (count + 1) as f64;
        if !(weight > 1e-18) {
            break;
        }
        count += 1;
        weights.push((count, weight));
    }
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let blocks = weights.chunks(weights.len().div_ceil(nodes.max(1)).max(1)).map(|block| {
        let mass: f64 = block.iter().map(|(_, weight)| weight).sum();
        let mean: f64 = block.iter().map(|(count, weight)| *count as f64 * weight).sum::<f64>() / mass;
        (mean.round() as u64, mass / total)
    });
    blocks.collect()
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
/// Claim 3: on a closed universe with delta 0 the tailored geometric reaches the best error of all mechanisms that meet
/// the curve, for every loss that does not decrease away from the true count.
pub fn is_optimal(deployed: &Deployed) -> bool {
    match deployed.shape() {
        Shape::Walk(curve) => {
            deployed.universe == Universe::Closed
                && deployed.publish_from.is_none()
                && curve.epsilon(1) != Epsilon::Infinite
        }
        Shape::OneNoise(_)
        | Shape::Ladder(_)
        | Shape::Table { .. }
        | Shape::DrawnEpsilon { .. }
        | Shape::Range { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::Mechanism;
    use incrowd_exact::parse_number;

    /// The chance of `hits` out of `people`, term by term.
    fn binomial(people: u64, chance: f64, hits: u64) -> f64 {
        let ways: f64 = (0..hits).map(|at| (people - at) as f64 / (hits - at) as f64).product();
        ways * chance.powi(hits as i32) * (1.0 - chance).powi((people - hits) as i32)
    }

    #[test]
    fn a_group_of_a_sample_is_mixed_over_how_many_of_it_are_counted() {
        // Counts below 20 get noise of epsilon 1/2, others are exact; of 50 people about 12 are counted.
        let half = parse_number("1/2").expect("a number");
        let noisy = Deployed {
            mechanism: Mechanism::NoiseBelow { crowd: 20, epsilon: half },
            universe: Universe::Closed,
            publish_from: None,
        };
        let quarter = parse_number("1/4").expect("a number");
        let q = (-0.5f64).exp();
        let noise = |value: i64, count: i64| (1.0 - q) / (1.0 + q) * q.powi((value - count).abs() as i32);
        for people in [1u64, 20, 50, 100] {
            let (mut error, mut scaled) = (0.0, 0.0);
            for count in 0..=people {
                let weight = binomial(people, 0.25, count);
                let distance = |value: i64, by: f64| (value.max(0) as f64 * by - people as f64).abs();
                let mean = |by: f64| match count < 20 {
                    false => distance(count as i64, by),
                    true => (-200..300).map(|value| noise(value, count as i64) * distance(value, by)).sum::<f64>(),
                };
                error += weight * mean(1.0);
                scaled += weight * mean(4.0);
            }
            let told = noisy.utility_of_sample(people, &quarter).expect("a law");
            assert!((told.mean_absolute_error - error).abs() < 1e-9, "{people}: {told:?}, and {error} is true");
            let told_scaled = told.scaled_up_error.expect("an error");
            assert!((told_scaled - scaled).abs() < 1e-9, "{people}: {told:?}, and {scaled} is true");
        }
        let fifty = noisy.utility_of_sample(50, &quarter).expect("a law");
        assert!((fifty.mean_absolute_error - 37.5).abs() < 0.1, "{fifty:?}");
    }

    #[test]
    fn a_group_of_a_sample_is_hidden_unless_enough_of_it_are_counted() {
        let hiding = Deployed {
            mechanism: Mechanism::SuppressBelow { crowd: 20 },
            universe: Universe::Closed,
            publish_from: None,
        };
        let tenth = parse_number("1/10").expect("a number");
        let hidden = |people: u64| hiding.utility_of_sample(people, &tenth).expect("a law").suppressed;
        // Twenty people are shown with a chance of 1e-20, which is not never.
        assert!(hidden(20) < 1.0 && hidden(20) > 0.999_999 && hidden(19) == 1.0);
        let shown: f64 = (20..=200).map(|count| binomial(200, 0.1, count)).sum();
        assert!((1.0 - hidden(200) - shown).abs() < 1e-9, "{} {shown}", hidden(200));
    }

    #[test]
    fn many_people_of_a_sample_are_mixed_in_steps() {
        let geometric = Deployed {
            mechanism: Mechanism::Geometric { epsilon: Rational::ONE },
            universe: Universe::Closed,
            publish_from: None,
        };
        // A normal law has the mean distance sigma sqrt(2/pi); sigma^2 is n (1-p)/p, and the noise adds 1.84/p^2.
        for people in [100_000u64, 10_000_000] {
            let told = geometric.utility_of_sample(people, &parse_number("1/10").expect("a number")).expect("a law");
            let variance = people as f64 * 0.9 / 0.1 + 100.0 * 2.0 * (-1.0f64).exp() / (1.0 - (-1.0f64).exp()).powi(2);
            let error = (variance * 2.0 / std::f64::consts::PI).sqrt();
            let scaled = told.scaled_up_error.expect("an error");
            assert!((scaled / error - 1.0).abs() < 1e-2, "{people}: {scaled}, about {error}");
            assert!((told.mean_absolute_error / (0.9 * people as f64) - 1.0).abs() < 1e-3, "{told:?}");
        }
    }

    #[test]
    fn what_is_nearly_sure_is_not_sure() {
        let rate = parse_number("2").expect("a number");
        let hidden = |threshold: i64, count: u64| {
            let mechanism = Mechanism::Threshold { epsilon: rate.clone(), threshold };
            let deployed = Deployed { mechanism, universe: Universe::Open, publish_from: None };
            deployed.utility(count).expect("a law").suppressed
        };
        assert!(hidden(30, 1) < 1.0 && hidden(2000, 1) < 1.0, "e^-4000 is above zero");
        assert_eq!(hidden(30, 0), 1.0, "a bin of nobody is never shown");
    }

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
