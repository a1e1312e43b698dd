//! Sampled releases: what is promised when only a secret random part of the people is counted at all.
//!
//! Every delta here is summed from binomial laws with outward rounding and is never below the truth; a float decides
//! nothing, and a mechanism that cannot be summed is refused, not guessed at. It is separate from `account.rs` because
//! the count itself is random here, and the worst population must be found. Read `sampling/scan.rs` for how the search
//! ends, `sampling/crowd.rs` for the theorems and `sampling/direct.rs` for a given mechanism.

mod binomial;
mod crowd;
mod direct;
mod exceeding;
mod mixture;
mod noise;
mod scan;
mod walk;

pub use crowd::{crowd_blending_delta, simple_outlier_delta};

use crate::account::Delta;
use crate::cells::TooManyOutcomes;
use incrowd_exact::{Enclosure, Rational, exp_neg, ln, parse_number, significant_rounding_up};
use std::fmt;

/// How people come into the sample: each one independently, by coins that nobody sees and that are used once.
///
/// Two releases from one and the same sample are one release: their deltas do not add up (`docs/errata.md` 4.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sampling {
    least: Rational,
    most: Rational,
    known: u64,
}

impl Sampling {
    /// Returns the sampling in which every person has the same probability, and nobody is known to be in or out.
    pub fn by(probability: Rational) -> Result<Self, ChanceError> {
        Self::between(probability.clone(), probability, 0)
    }

    /// Returns the sampling with probabilities from `least` to `most`, where so many people may be known to be in or
    /// out.
    pub fn between(least: Rational, most: Rational, known: u64) -> Result<Self, ChanceError> {
        if !(least > Rational::ZERO && most < Rational::ONE) {
            return Err(ChanceError::NotBetweenZeroAndOne);
        }
        if least > most {
            return Err(ChanceError::OutOfOrder);
        }
        Ok(Sampling { least, most, known })
    }

    /// The smallest probability of anybody.
    pub fn least(&self) -> &Rational {
        &self.least
    }

    /// The largest probability of anybody.
    pub fn most(&self) -> &Rational {
        &self.most
    }

    /// How many people may be known to be in or out of the sample.
    pub fn known(&self) -> u64 {
        self.known
    }
}

/// Why probabilities do not describe a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChanceError {
    /// With probability zero nobody is counted, with one everybody.
    NotBetweenZeroAndOne,
    /// The least is above the most.
    OutOfOrder,
}

impl fmt::Display for ChanceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ChanceError::NotBetweenZeroAndOne => "a sampling probability must be above 0 and below 1",
            ChanceError::OutOfOrder => "the least sampling probability must not be above the most",
        })
    }
}

impl std::error::Error for ChanceError {}

/// What a sampled release promises to everybody, sampled or not: `(epsilon, delta)`-differential privacy.
#[derive(Debug, Clone)]
pub struct Sampled {
    /// What was asked for.
    pub epsilon: Rational,
    /// The delta that goes with it, in the worst population.
    pub delta: Delta,
    /// The worst class for a person: how many others have the least and how many the most probability of being sampled.
    ///
    /// The first is always zero (see `sampling/scan.rs`); people who are known to be in or out are not counted.
    pub worst: (u64, u64),
}

/// Why no delta is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SamplingError {
    /// At epsilon zero or below, no population is the worst.
    NotPositive,
    /// The theorem says nothing at so small an epsilon.
    EpsilonTooSmall {
        /// It does from here on; rounded up.
        smallest: Rational,
    },
    /// The law of this mechanism on a sample is not known here.
    NotKnown {
        /// Its name in a request.
        mechanism: &'static str,
    },
    /// The worst population was not found within the work that is allowed.
    TooManyPeople {
        /// So many others were looked at.
        others: u64,
    },
    /// A law is too large.
    Law(TooManyOutcomes),
}

impl fmt::Display for SamplingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SamplingError::NotPositive => f.write_str("the epsilon of a sampled release must be above zero"),
            SamplingError::EpsilonTooSmall { smallest } => {
                let smallest = significant_rounding_up(smallest, TOLD_DIGITS);
                write!(f, "this theorem needs an epsilon of at least {smallest}")
            }
            SamplingError::NotKnown { mechanism } => {
                write!(f, "incrowd does not know what {mechanism} promises on sampled data")
            }
            SamplingError::TooManyPeople { others } => write!(
                f,
                "the worst group may have more than {others} people, too many to check one by one; a larger epsilon needs fewer"
            ),
            SamplingError::Law(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SamplingError {}

impl From<TooManyOutcomes> for SamplingError {
    fn from(error: TooManyOutcomes) -> Self {
        SamplingError::Law(error)
    }
}

/// Returns the deltas at a list of epsilons, without those that are too small for the theorem behind `delta`.
pub fn delta_epsilon_curve(
    epsilons: &[Rational],
    delta: impl Fn(&Rational) -> Result<Sampled, SamplingError>,
) -> Result<Vec<Sampled>, SamplingError> {
    let too_small = |result: &Result<Sampled, SamplingError>| match result {
        Err(SamplingError::EpsilonTooSmall { .. } | SamplingError::NotPositive) => true,
        Err(SamplingError::NotKnown { .. } | SamplingError::TooManyPeople { .. } | SamplingError::Law(_)) | Ok(_) => {
            false
        }
    };
    epsilons.iter().map(delta).filter(|result| !too_small(result)).collect()
}

/// Returns `ln(1 + p (e^epsilon - 1))`, rounded up: what sampling makes of `epsilon`-differential privacy, with delta
/// 0.
///
/// With `Q` the law without her and `Q'` the one with her surely sampled, hers is `P = (1-p) Q + p Q'`, and `e^-epsilon
/// Q <= Q' <= e^epsilon Q`. So `P <= (1 - p + p e^epsilon) Q`, and `Q <= P / (1 - p + p e^-epsilon)`, which is the
/// smaller factor because the two multiply to `1 + p(1-p)(e^epsilon + e^-epsilon - 2) >= 1`.
pub fn amplified_epsilon(epsilon: &Rational, sampling: &Sampling) -> Rational {
    if epsilon <= &Rational::ZERO {
        return Rational::ZERO;
    }
    let bits = crate::precision::bits_for(epsilon);
    // 1 - p + p e^eps = e^eps (p + (1 - p) e^-eps)
    let shrunk = Enclosure::rational(&(Rational::ONE - &sampling.most), bits).times(&exp_neg(epsilon, bits));
    let inside = Enclosure::rational(&sampling.most, bits).plus(&shrunk);
    rounded_up(&(epsilon + ln(&inside.upper(), bits).upper()))
}

/// So many digits of a smallest epsilon are told.
const TOLD_DIGITS: usize = 8;

/// Returns a short number that is not below a positive one.
fn rounded_up(value: &Rational) -> Rational {
    parse_number(&significant_rounding_up(value, TOLD_DIGITS)).unwrap_or_else(|_| value.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_exact::testing::number;

    #[test]
    fn a_sample_of_nobody_or_of_everybody_is_refused() {
        for text in ["0", "1", "-1/2", "3/2"] {
            assert_eq!(Sampling::by(number(text)), Err(ChanceError::NotBetweenZeroAndOne), "{text}");
        }
        assert_eq!(Sampling::between(number("0.2"), number("0.1"), 0), Err(ChanceError::OutOfOrder));
        let sampling = Sampling::between(number("0.1"), number("0.2"), 3).expect("a sampling");
        assert_eq!((sampling.least(), sampling.most(), sampling.known()), (&number("0.1"), &number("0.2"), 3));
    }

    #[test]
    fn amplification_is_rounded_up() {
        let sampling = Sampling::by(number("0.1")).expect("a sampling");
        let amplified = amplified_epsilon(&number("1"), &sampling).to_f64().value();
        let truth = (0.1 * 1f64.exp_m1()).ln_1p();
        assert!(amplified >= truth && amplified < truth * 1.000_000_1, "{amplified} {truth}");
        assert_eq!(amplified_epsilon(&Rational::ZERO, &sampling), Rational::ZERO);
    }
}
