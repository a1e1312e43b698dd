//! Why people cannot be sampled, or a release not be charged as a sample, and what to change.
//!
//! Said in the words of the request; it must never offer an epsilon that would be refused again. It is separate because
//! `sampled.rs` computes and this talks. Read `../refusal.rs` for all other refusals.

use super::{Refusal, readable};
use incrowd_exact::{Rational, rare_rounding_down, rare_rounding_up, significant_rounding_up};
use incrowd_privacy::SamplingError;
use std::fmt;

/// Why a release cannot be sampled, or not be charged as a sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSample {
    /// Only counts and rows can be sampled.
    Kind {
        /// What it is instead.
        release: &'static str,
    },
    /// A row stands for many persons, and a coin is one person's.
    PeopleInRows,
    /// The theorems are about people who are in one bin.
    SeveralBins,
    /// The data is a sample already.
    Twice,
    /// Nothing is known at so small an epsilon.
    TooSmall {
        /// What was asked for.
        asked: Rational,
        /// Something is from here on; rounded up.
        smallest: Rational,
    },
    /// Nothing is known about this mechanism on a sample.
    NotKnown(SamplingError),
    /// The delta of the sample is above the one that was asked for.
    Delta {
        /// At this epsilon.
        epsilon: Rational,
        /// What it is.
        has: Rational,
        /// What was asked for.
        asked: Rational,
        /// The smallest epsilon of those shown whose delta fits.
        fits: Option<Rational>,
    },
}

impl fmt::Display for NoSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSample::Kind { release } => write!(f, "samples work with histograms and rows, not with `{release}`"),
            NoSample::PeopleInRows => {
                f.write_str("`sample` tosses a coin for each person, and with `people` a row stands for many of them")
            }
            NoSample::SeveralBins => f.write_str(
                "what a sample adds is known only for people who are in one bin, and `bins-per-person` is above 1",
            ),
            NoSample::Twice => {
                f.write_str("the data is a sample already ([data.sampled]), and `sample` would take one of it")
            }
            NoSample::TooSmall { asked, smallest } => write!(
                f,
                "nothing is known about this release at `sampled-epsilon` {}: it must be at least {}",
                readable(asked),
                significant_rounding_up(smallest, 8)
            ),
            NoSample::NotKnown(error) => error.fmt(f),
            NoSample::Delta { epsilon, has, asked, .. } => write!(
                f,
                "at `sampled-epsilon` {} this sample has delta {}, and {} was asked",
                readable(epsilon),
                rare_rounding_up(has),
                rare_rounding_down(asked)
            ),
        }
    }
}

impl NoSample {
    /// Returns what to change.
    pub fn hint(&self) -> String {
        match self {
            NoSample::Kind { .. } => "leave `sample` and [data.sampled] out".into(),
            NoSample::PeopleInRows => "give each person a row of her own, or leave `sample` out of [data]".into(),
            NoSample::SeveralBins => {
                "set bins-per-person = 1, or leave `sample` and [data.sampled] out: the promise itself stays".into()
            }
            NoSample::Twice => "leave one of the two out".into(),
            NoSample::TooSmall { smallest, .. } => {
                format!(
                    "sampled-epsilon = \"{}\", or choose suppress-below or noise-below, whose laws are known at any epsilon",
                    significant_rounding_up(smallest, 8)
                )
            }
            NoSample::NotKnown(SamplingError::TooManyPeople { .. } | SamplingError::Law(_)) => {
                "choose a larger `sampled-epsilon`".into()
            }
            NoSample::NotKnown(
                SamplingError::NotPositive | SamplingError::NotKnown { .. } | SamplingError::EpsilonTooSmall { .. },
            ) => {
                "leave `sampled-epsilon` out, or choose suppress-below or noise-below, whose laws on a sample are known"
                    .into()
            }
            NoSample::Delta { fits: Some(fits), .. } => {
                format!(
                    "sampled-epsilon = \"{}\" is the smallest in the plan's table that fits; or raise `delta`",
                    readable(fits)
                )
            }
            NoSample::Delta { fits: None, .. } => {
                "raise `delta` or `sampled-epsilon`, lower the chance in `sample`, or promise to larger groups".into()
            }
        }
    }
}

impl From<NoSample> for Refusal {
    fn from(refusal: NoSample) -> Self {
        Refusal::Sampled(Box::new(refusal))
    }
}
