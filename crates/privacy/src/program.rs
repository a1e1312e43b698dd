//! What is run in each bin: a few steps on one working number, then what is published.
//!
//! `spread.rs` reads a program as an exact distribution, the noise crate reads the same program as a sampler; nothing may
//! be certified or drawn that is not written here. It is separate so that there is one description and two readings.
//! Read `spread.rs` next.

use crate::curve::{Curve, Epsilon};
use crate::lower_bound::LowerBound;
use crate::mechanism::Telling;
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
    pub telling: Telling,
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
pub enum Told {
    /// Nothing.
    #[default]
    Nothing,
    /// Which tests fired, in order.
    Levels(Vec<bool>),
    /// The drawn epsilon.
    EpsilonTotal(Epsilon),
}
