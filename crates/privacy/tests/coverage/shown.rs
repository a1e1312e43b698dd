//! What a bin of a given count shows, read off the exact law.
//!
//! Chances are bounded from below one by one and from above in all, tails that were cut off included; no float decides.
//! It is separate from `main.rs` because coverage is counted there for any reading of what is shown. Read `main.rs`
//! next.

use incrowd_exact::{Integer, Rational};
use incrowd_privacy::{Bound, Deployed, Mechanism, Outcome, rate_of_count};

/// Binary places of a law's chances.
const PLACES: usize = 254;

/// What is shown as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sign {
    /// A value, or the middle of a range.
    Value(i64),
    /// "At most Z".
    AtMost(u64),
}

/// What a bin of one count may show, in units of `2^-254`.
#[derive(Clone)]
pub struct Shown {
    /// Lower bounds of chances; a sign may occur more than once.
    pub signs: Vec<(Sign, Integer)>,
    /// An upper bound on the chance that anything is shown.
    pub most: Integer,
}

impl Shown {
    /// Reads the law of a mechanism at a count.
    pub fn by_law(deployed: &Deployed, count: u64) -> Shown {
        let law = deployed.law(count).expect("a law");
        let mut most = (law.truncated * Rational::from(Integer::ONE << PLACES)).ceil();
        let mut signs = Vec::new();
        for line in law.lines {
            let sign = match line.outcome {
                Outcome::Value(value) => Sign::Value(value),
                Outcome::Range(low, high) => Sign::Value((low + high) / 2),
                Outcome::AtMost(limit) => Sign::AtMost(limit),
                Outcome::Suppressed => continue,
            };
            most += line.probability.high_units();
            signs.push((sign, line.probability.low_units().clone()));
        }
        Shown { signs, most }
    }

    /// Returns the same given that a value is shown.
    pub fn values_only(&self) -> Shown {
        let is_value = |(sign, _): &(Sign, Integer)| matches!(sign, Sign::Value(_));
        let (values, others): (Vec<_>, Vec<_>) = self.signs.iter().cloned().partition(is_value);
        let most = others.iter().fold(self.most.clone(), |most, (_, chance)| most - chance);
        Shown { signs: values, most }
    }

    fn moved(&self, by: i64) -> Shown {
        let signs = self.signs.iter().map(|(sign, chance)| match sign {
            Sign::Value(value) => (Sign::Value(value + by), chance.clone()),
            Sign::AtMost(limit) => (Sign::AtMost(*limit), chance.clone()),
        });
        Shown { signs: signs.collect(), most: self.most.clone() }
    }

    fn cut(&self, from: Option<i64>) -> Shown {
        let is_shown = |(sign, _): &(Sign, Integer)| match sign {
            Sign::Value(value) => from.is_none_or(|from| *value >= from),
            Sign::AtMost(_) => from.is_none(),
        };
        let (kept, hidden): (Vec<_>, Vec<_>) = self.signs.iter().cloned().partition(is_shown);
        let most = hidden.iter().fold(self.most.clone(), |most, (_, chance)| most - chance);
        Shown { signs: kept, most }
    }

    /// Whether so little is shown that tails which were cut off are more than a millionth of it.
    fn is_faint(&self) -> bool {
        let listed = self.signs.iter().fold(Integer::ZERO, |sum, (_, chance)| sum + chance);
        (&self.most - listed) * 1_000_000 > self.most
    }
}

/// What a count is known to show.
pub enum Sight {
    /// In all, or given that it shows anything.
    Seen(Shown),
    /// Surely nothing.
    Silent,
    /// Something, with a chance below `2^-90`: the law does not list it.
    Faint,
}

/// The laws of a mechanism at one count after the other.
pub struct Laws<'a> {
    deployed: &'a Deployed,
    /// The law of a count from which on laws only shift, were there no threshold.
    shifting: Option<(u64, Shown)>,
}

impl<'a> Laws<'a> {
    /// From a bound's last change on, the four bounds with noise on epsilon draw the same epsilons at every count: the
    /// laws of `general`, which take long to sum, only shift.
    pub fn of(deployed: &'a Deployed) -> Self {
        let shifting = match &deployed.mechanism {
            Mechanism::General { bound, .. } if bound.parameters().bound != Bound::NoiseOnCount => {
                let whole = Deployed { publish_from: None, ..deployed.clone() };
                Some((bound.constant_from(), Shown::by_law(&whole, bound.constant_from())))
            }
            _ => None,
        };
        Laws { deployed, shifting }
    }

    /// Returns what a count shows.
    pub fn at(&self, count: u64) -> Sight {
        let shown = match &self.shifting {
            Some((from, law)) if count > *from => law.moved((count - from) as i64).cut(self.deployed.publish_from),
            Some(_) | None => Shown::by_law(self.deployed, count),
        };
        match twin(self.deployed, count) {
            _ if shown.most == Integer::ZERO => Sight::Silent,
            _ if !shown.is_faint() => Sight::Seen(shown),
            Twin::Same(deployed, count) => Sight::Seen(Shown::by_law(&deployed, count)),
            Twin::Silent => Sight::Silent,
            Twin::None => Sight::Faint,
        }
    }
}

/// What shows the same as a count below a threshold, once that shows anything.
pub enum Twin {
    /// A mechanism and a count that show it often.
    Same(Box<Deployed>, u64),
    /// It never shows anything.
    Silent,
    /// None is known.
    None,
}

/// Returns the twin of a count.
///
/// Noise has no memory: beyond a value that it must pass it is the same wherever it came from. So for every count below
/// the smallest value that is shown, what is shown has the law of that value itself.
pub fn twin(deployed: &Deployed, count: u64) -> Twin {
    let own = match &deployed.mechanism {
        Mechanism::Threshold { threshold, .. } => Some(*threshold),
        Mechanism::NoisySuppress { group, offset, .. } => Some(*group as i64 + offset + 1),
        _ => None,
    };
    let smallest = own.max(deployed.publish_from).and_then(|value| u64::try_from(value).ok());
    let Some(smallest) = smallest.filter(|value| count < *value) else { return Twin::None };
    let mechanism = match &deployed.mechanism {
        // Up to the last finite epsilon, no value beyond it is ever drawn.
        Mechanism::TailoredGeometric { curve } if curve.last_finite().is_some_and(|last| last < smallest) => {
            return Twin::Silent;
        }
        Mechanism::TailoredGeometric { .. }
        | Mechanism::Geometric { .. }
        | Mechanism::GroupGeometric { .. }
        | Mechanism::NoisySuppress { .. }
        | Mechanism::Threshold { .. } => deployed.mechanism.clone(),
        Mechanism::Fading { curve, at_zero } => match rate_of_count(curve, at_zero, count).finite() {
            Some(epsilon) => Mechanism::Geometric { epsilon: epsilon.clone() },
            None => return Twin::Silent,
        },
        _ => return Twin::None,
    };
    Twin::Same(Box::new(Deployed { mechanism, ..deployed.clone() }), smallest)
}
