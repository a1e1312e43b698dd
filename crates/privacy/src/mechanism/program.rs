//! What is run in each bin: a few steps on one working number, then what is published.
//!
//! `law/distribution.rs` reads a program as an exact distribution, the noise crate reads the same program as a sampler;
//! nothing may be certified or drawn that is not written here. It is separate so that there is one description and two
//! readings. Read `law/distribution.rs` next.

use super::SideOutput;
use super::lower_bound::LowerBound;
use super::shape::{CountNoise, OneNoise, Shape, SmallCounts};
use crate::curve::{Curve, Epsilon};
use crate::relay::RelayTable;
use incrowd_exact::Rational;
use std::sync::Arc;

/// One step on the working number, which starts as the true count.
#[derive(Debug, Clone)]
pub enum Step {
    /// Adds discrete Laplace noise of this rate (nothing if the rate is infinite). A rate of zero is never written.
    AddNoise(Epsilon),
    /// Adds noise of a rate that depends on the true count.
    AddNoiseOfCount {
        /// The rate from one person on.
        curve: Curve,
        /// The rate in an empty bin.
        at_zero: Rational,
    },
    /// Draws `eps_total` privately, then adds noise of rate `eps_total - eps_A`; suppresses where nothing is left.
    AddNoiseOfDrawnEpsilon(Arc<LowerBound>),
    /// Draws from the tailored geometric law of the curve at the true count.
    Walk(Curve),
    /// Draws from the relay's row for the true count.
    Relay(Arc<RelayTable>),
    /// Runs the inner steps if the *true* count is at most `limit`.
    IfCountAtMost {
        /// Compared with the true count.
        limit: u64,
        /// What is run.
        then: Vec<Step>,
    },
    /// Runs the inner steps if the *working number* is at most `limit`; whether it did may be told.
    IfAtMost {
        /// Compared with the working number.
        limit: i64,
        /// What is run.
        then: Vec<Step>,
    },
    /// Ends without a count.
    Suppress,
}

/// How the working number is published at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Publish {
    /// As it is, from a value on; below, nothing.
    Value {
        /// The smallest value that is published.
        from: Option<i64>,
    },
    /// As an interval around it if that contains the true count, else not at all.
    Range {
        /// Half the width.
        half_width: u64,
    },
}

/// Returns the rate of noise that depends on the true count.
pub fn rate_of_count(curve: &Curve, at_zero: &Rational, count: u64) -> Epsilon {
    if count == 0 { Epsilon::Finite(at_zero.clone()) } else { curve.epsilon(count) }
}

/// A whole per-bin program.
#[derive(Debug, Clone)]
pub struct Program {
    /// Run in order.
    pub steps: Vec<Step>,
    /// What happens with the result.
    pub publish: Publish,
    /// Whether the tests that fired, or the epsilon that was drawn, are published too.
    pub side_output: SideOutput,
}

impl Program {
    /// Returns what a shape runs, with values published from a threshold on.
    pub(crate) fn of(shape: &Shape<'_>, publish_from: Option<i64>) -> Program {
        let value = Publish::Value { from: publish_from };
        let hidden = |steps: Vec<Step>| (steps, value.clone(), SideOutput::Hidden);
        let (steps, publish, side_output) = match shape {
            Shape::OneNoise(one) => hidden(one_noise(one)),
            Shape::Ladder(ladder) => {
                let level = |(epsilon, level): (&Epsilon, &i64)| {
                    let then = if epsilon.is_zero() { Step::Suppress } else { Step::AddNoise(epsilon.clone()) };
                    Step::IfAtMost { limit: *level, then: vec![then] }
                };
                let first = Step::AddNoise(ladder.epsilons[0].clone());
                let rest = ladder.epsilons[1..].iter().zip(&ladder.levels).map(level);
                (std::iter::once(first).chain(rest).collect(), value, ladder.side_output)
            }
            Shape::Walk(curve) => hidden(match curve.last_zero() {
                None => vec![Step::Suppress],
                Some(_) => vec![Step::Walk((*curve).clone())],
            }),
            Shape::Table { table, .. } => hidden(vec![Step::Relay(Arc::clone(table))]),
            Shape::DrawnEpsilon { bound, side_output } => {
                (vec![Step::AddNoiseOfDrawnEpsilon(Arc::clone(bound))], value, *side_output)
            }
            Shape::Range { rate, half_width } => {
                let noise = Step::AddNoise(Epsilon::Finite((*rate).clone()));
                (vec![noise], Publish::Range { half_width: *half_width }, SideOutput::Hidden)
            }
        };
        Program { steps, publish, side_output }
    }
}

/// The noise that each count gets, then silence below the cut.
fn one_noise(one: &OneNoise<'_>) -> Vec<Step> {
    let noise = |rate: &Rational| Step::AddNoise(Epsilon::Finite(rate.clone()));
    let small = |small: &SmallCounts| match small {
        SmallCounts::Silent => Step::Suppress,
        SmallCounts::Noisy(rate) => noise(rate),
    };
    let first = match &one.noise {
        CountNoise::Alike(rate) => noise(rate),
        CountNoise::Below { exact_from, small: counts } => {
            Step::IfCountAtMost { limit: exact_from.saturating_sub(1), then: vec![small(counts)] }
        }
        CountNoise::OfCount { curve, at_zero } => {
            Step::AddNoiseOfCount { curve: (*curve).clone(), at_zero: (*at_zero).clone() }
        }
    };
    // A cut beyond every count leaves nothing, not even the largest value, which stands for all above it.
    let limit = |cut: i64| if cut == i64::MAX { cut } else { cut.saturating_sub(1) };
    let cut = one.cut.map(|cut| Step::IfAtMost { limit: limit(cut), then: vec![Step::Suppress] });
    std::iter::once(first).chain(cut).collect()
}

/// What a bin may show.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// No count. On an open universe this also is what an absent bin shows.
    Suppressed,
    /// "At most this many", and no count.
    AtMost(u64),
    /// A count, possibly negative.
    Value(i64),
    /// An interval, both ends included.
    Range(i64, i64),
}

/// What is published beside an outcome.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum SideValue {
    /// Nothing.
    #[default]
    Nothing,
    /// Which tests fired, in order.
    Levels(Vec<bool>),
    /// The drawn epsilon.
    EpsilonTotal(Epsilon),
}
