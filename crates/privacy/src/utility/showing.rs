//! Whether a bin shows a count at all, by how many people are in it.
//!
//! Chances are enclosed, from the law that runs: by closed forms where the shape has one, else by summing the law; a
//! float must never answer but where people are sampled first, and then for words alone. It is separate from
//! `utility.rs` because sizes are searched for by what is exact. Read `incrowd_plan`'s `shows.rs` for the search.

use super::in_sample;
use crate::cells::{Mass, TooManyOutcomes};
use crate::curve::Epsilon;
use crate::law::distribution::Distribution;
use crate::mechanism::shape::{CountNoise, Shape, Single, SmallCounts};
use crate::mechanism::{Deployed, Universe, tailored};
use crate::two_sided::TwoSided;
use incrowd_exact::{Enclosure, Fixed, Integer, Natural, Rational};
use std::collections::HashMap;

/// Binary places of closed forms.
const PLACES: usize = 192;
/// Tails are cut below two to the minus this where a law is summed.
const TAIL_BITS: usize = 112;
/// Laws that have to be summed are looked at for so many numbers of people in a sample, each for its neighbours.
const MOST_SUMMED: usize = 257;

/// Whether larger bins are shown at least as often as smaller ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShowingBySize {
    /// They are: a size can be searched for by halving.
    Grows,
    /// That is not proved, or not so: sizes have to be looked at one by one.
    Unproved,
}

impl Deployed {
    /// Returns the chance that a bin of `count` people shows a count, or an interval in place of one.
    pub fn shown_chance(&self, count: u64) -> Result<Enclosure, TooManyOutcomes> {
        let never = Enclosure::zero(PLACES);
        if self.universe == Universe::Open && count == 0 {
            return Ok(never);
        }
        Ok(match self.shape() {
            Shape::OneNoise(one) => match (one.law(count), self.cut_of(&one)) {
                (Single::Suppressed, _) => never,
                (Single::Number(_), None) => Enclosure::one(PLACES),
                (Single::Number(number), Some(cut)) => number.between(Some(cut), None, PLACES),
            },
            Shape::Walk(curve) => match curve.last_zero() {
                None => never,
                Some(last_zero) => {
                    let from = self.publish_from.map_or(0, |from| u64::try_from(from).unwrap_or(0));
                    // A zero run is one outcome, which tells no count.
                    let from = if last_zero > 0 { from.max(last_zero.saturating_add(1)) } else { from };
                    tailored::at_least(curve, from, count, PLACES)
                }
            },
            Shape::Table { table, .. } => {
                let from = self.publish_from.map_or(0, |from| u64::try_from(from).unwrap_or(0));
                let shown = table.law(count).published.into_iter().filter(|(value, _)| *value >= from);
                let units = Integer::from(shown.fold(Natural::ZERO, |sum, (_, mass)| sum + mass));
                Enclosure::between(units.clone(), units, 128)
            }
            Shape::Range { rate, half_width } => {
                let half = i64::try_from(half_width).unwrap_or(i64::MAX / 4);
                let noise = TwoSided { centre: 0, rate: Epsilon::Finite(rate.clone()) };
                noise.between(Some(-half), Some(half), PLACES)
            }
            Shape::Ladder(_) | Shape::DrawnEpsilon { .. } => self.summed_shown_chance(count)?,
        })
    }

    /// Returns the chance that a group of `people`, of whom each is counted with `chance`, shows a count; `known` keeps
    /// what was found for single counts from one question to the next.
    pub fn shown_chance_of_sample(
        &self,
        people: u64,
        chance: &Rational,
        known: &mut HashMap<u64, f64>,
    ) -> Result<f64, TooManyOutcomes> {
        let nodes = match self.shape() {
            Shape::Ladder(_) | Shape::DrawnEpsilon { .. } => MOST_SUMMED,
            Shape::OneNoise(_) | Shape::Walk(_) | Shape::Table { .. } | Shape::Range { .. } => usize::MAX,
        };
        let mut shown = 0.0;
        for (count, weight) in in_sample(people, chance.to_f64().value(), nodes) {
            let there = match known.get(&count) {
                Some(there) => *there,
                None => {
                    let there = self.shown_chance(count)?.to_f64();
                    known.insert(count, there);
                    there
                }
            };
            shown += weight * there;
        }
        Ok(shown.clamp(0.0, 1.0))
    }

    /// Returns whether it is proved that larger bins are shown at least as often.
    ///
    /// One noise of one rate moves with the count. The tailored laws of two counts have a ratio that grows with the
    /// value, so larger counts give larger values. The relay's chance of showing grows by construction (claim 2); with
    /// a threshold on top that is not used. A ladder's draws at `k` and `k + 1`, from the same noise, stay one apart
    /// until a test catches the smaller alone, and then the larger is its level plus one and is caught by no lower
    /// level: it is shown where no threshold is above that.
    pub fn showing_by_size(&self) -> ShowingBySize {
        let grows = match self.shape() {
            Shape::OneNoise(one) => {
                let cut = self.cut_of(&one);
                match &one.noise {
                    CountNoise::Alike(_) | CountNoise::Below { small: SmallCounts::Silent, .. } => true,
                    CountNoise::Below { exact_from, small: SmallCounts::Noisy(_) } => {
                        cut.is_none_or(|cut| u64::try_from(cut).unwrap_or(0) <= *exact_from)
                    }
                    CountNoise::OfCount { .. } => cut.is_none(),
                }
            }
            Shape::Walk(_) | Shape::Range { .. } => true,
            Shape::Table { .. } => self.publish_from.is_none(),
            Shape::Ladder(ladder) => {
                let falling = ladder.levels.windows(2).all(|two| two[1] <= two[0]);
                let passed = |cut: i64| ladder.levels.iter().all(|level| cut <= level.saturating_add(1));
                falling && self.publish_from.is_none_or(passed)
            }
            Shape::DrawnEpsilon { .. } => false,
        };
        if grows { ShowingBySize::Grows } else { ShowingBySize::Unproved }
    }

    /// One minus the chance of all outcomes without a number.
    fn summed_shown_chance(&self, count: u64) -> Result<Enclosure, TooManyOutcomes> {
        let distribution = Distribution::<4>::of(&self.program(), count, TAIL_BITS)?;
        let units = |fixed: Fixed<4>| Integer::from(fixed.to_units());
        let sum = |of: fn(&Mass<4>) -> Fixed<4>| {
            distribution.others.values().map(|mass| units(of(mass))).fold(Integer::ZERO, |sum, mass| sum + mass)
        };
        let (least, most) = (sum(|mass| mass.low), sum(|mass| mass.high()) + units(distribution.lost));
        let hidden = Enclosure::between(least, most, Fixed::<4>::BITS);
        Ok(Enclosure::one(Fixed::<4>::BITS).minus(&hidden).positive_part())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Curve;
    use crate::mechanism::{Mechanism, SideOutput};
    use crate::relay::RelayTable;
    use incrowd_exact::parse_number;
    use std::sync::Arc;

    fn number(text: &str) -> Rational {
        parse_number(text).expect("a number")
    }

    fn curve(values: &[&str]) -> Curve {
        Curve::table(values.iter().map(|text| Epsilon::Finite(number(text))).collect()).expect("a curve")
    }

    fn closed(mechanism: Mechanism, publish_from: Option<i64>) -> Deployed {
        Deployed { mechanism, universe: Universe::Closed, publish_from }
    }

    fn relay(publish_from: Option<i64>) -> Deployed {
        let curve = curve(&["1/10", "1/10", "1/10", "1"]);
        let table = Arc::new(RelayTable::build(&curve, &number("1/1000")).expect("a table"));
        Deployed { mechanism: Mechanism::Relay { curve, table }, universe: Universe::Open, publish_from }
    }

    fn several() -> Vec<Deployed> {
        let ladder = |levels: &[i64], last: &str| Mechanism::Staircase {
            epsilons: vec![Epsilon::Finite(number("1")), Epsilon::Finite(number("1/2")), Epsilon::Finite(number(last))],
            levels: levels.to_vec(),
            side_output: SideOutput::Hidden,
        };
        vec![
            closed(Mechanism::Geometric { epsilon: number("1/2") }, Some(12)),
            closed(Mechanism::SuppressBelow { crowd: 9 }, None),
            closed(Mechanism::SuppressBelow { crowd: 9 }, Some(14)),
            closed(Mechanism::NoiseBelow { crowd: 20, epsilon: number("1/2") }, Some(15)),
            closed(Mechanism::NoiseBelow { crowd: 6, epsilon: number("1/4") }, Some(15)),
            closed(Mechanism::NoisySuppress { group: 5, epsilon: number("1"), offset: 4 }, None),
            closed(Mechanism::NoisyNoise { group: 5, epsilon: number("1"), offset: 2 }, Some(7)),
            closed(Mechanism::NoisyNoise { group: 5, epsilon: number("1"), offset: 2 }, Some(25)),
            closed(ladder(&[12, 8], "0"), None),
            closed(ladder(&[12, 8], "1/4"), Some(9)),
            closed(Mechanism::TailoredGeometric { curve: curve(&["0", "0", "1/2", "1/2", "2"]) }, None),
            closed(Mechanism::TailoredGeometric { curve: curve(&["1/10", "1/5", "1/2"]) }, Some(11)),
            closed(Mechanism::Fading { curve: curve(&["1/10", "1/5", "1/2", "2"]), at_zero: number("1/20") }, Some(9)),
            closed(Mechanism::Range { epsilon: number("1"), half_width: 3 }, None),
            relay(None),
            relay(Some(20)),
        ]
    }

    #[test]
    fn the_chance_of_showing_is_that_of_all_outcomes_with_a_number() {
        use crate::mechanism::program::Outcome;
        for deployed in several() {
            for count in (0..40).chain([100, 1000]) {
                let law = deployed.law(count).expect("a law");
                let numbers = law.lines.iter().filter(|line| match line.outcome {
                    Outcome::Value(_) | Outcome::Range(_, _) => true,
                    Outcome::Suppressed | Outcome::AtMost(_) => false,
                });
                let (low, high) = numbers.fold((Rational::ZERO, law.truncated.clone()), |(low, high), line| {
                    (low + line.probability.lower(), high + line.probability.upper())
                });
                let told = deployed.shown_chance(count).expect("a chance");
                assert!(told.upper() >= low && told.lower() <= high, "{deployed:?} at {count}: {}", told.to_f64());
                let width = (told.upper() - told.lower()).to_f64().value();
                assert!(width < 1e-25, "{deployed:?} at {count}: {width} wide");
            }
        }
    }

    #[test]
    fn what_is_said_to_grow_with_the_size_does() {
        let mut unproved = 0;
        for deployed in several() {
            let chances: Vec<Enclosure> =
                (1..80).map(|count| deployed.shown_chance(count).expect("a chance")).collect();
            let grows = chances.windows(2).all(|two| two[1].upper() >= two[0].lower());
            match deployed.showing_by_size() {
                ShowingBySize::Grows => assert!(grows, "{deployed:?}"),
                ShowingBySize::Unproved => unproved += usize::from(!grows),
            }
        }
        assert!(unproved >= 2, "exact counts below a threshold, and rates that rise, show less often than noise does");
    }

    #[test]
    fn a_sample_shows_what_it_shows_on_average() {
        let quarter = number("1/4");
        for deployed in [relay(None), closed(Mechanism::SuppressBelow { crowd: 9 }, None)] {
            for people in [0u64, 1, 7, 30, 60] {
                let mut expected = 0.0;
                for count in 0..=people {
                    let ways: f64 = (0..count).map(|at| (people - at) as f64 / (count - at) as f64).product();
                    let weight = ways * 0.25f64.powi(count as i32) * 0.75f64.powi((people - count) as i32);
                    expected += weight * deployed.shown_chance(count).expect("a chance").to_f64();
                }
                let told = deployed.shown_chance_of_sample(people, &quarter, &mut HashMap::new()).expect("a chance");
                assert!((told - expected).abs() < 1e-12, "{people}: {told}, and {expected} is true");
            }
        }
    }
}
