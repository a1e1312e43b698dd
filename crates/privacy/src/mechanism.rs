//! Mechanisms, described once, as data.
//!
//! A mechanism with all its parameters compiles to a short per-bin program (`program.rs`); it must never hold a parameter
//! that the program does not use. It is separate from the program so that people can name what machines run. Read
//! `program.rs` next.

use crate::curve::{Curve, Epsilon};
use crate::lower_bound::LowerBound;
use crate::program::{Program, Publish, Step};
use crate::relay::RelayTable;
use incrowd_exact::Rational;
use std::sync::Arc;

/// Whether the list of bins is public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Universe {
    /// The bins are declared; every one of them gets a draw.
    Closed,
    /// The bins are found in the data; that a bin appears at all is an output.
    Open,
}

/// OP Example 8's five private lower bounds on epsilon, corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// 1: noise on the count.
    NoiseOnCount,
    /// 2: noise on epsilon, by its global sensitivity.
    GlobalEpsilon,
    /// 3: noise on epsilon, by its smooth sensitivity.
    SmoothEpsilon,
    /// 4: noise on 1/epsilon, by its global sensitivity.
    GlobalInverse,
    /// 5: noise on 1/epsilon, by its smooth sensitivity.
    SmoothInverse,
}

impl Bound {
    /// All five, in the paper's order.
    pub const ALL: [Bound; 5] =
        [Bound::NoiseOnCount, Bound::GlobalEpsilon, Bound::SmoothEpsilon, Bound::GlobalInverse, Bound::SmoothInverse];

    /// Returns the name in a request.
    pub fn name(self) -> &'static str {
        match self {
            Bound::NoiseOnCount => "noise-on-count",
            Bound::GlobalEpsilon => "global-epsilon",
            Bound::SmoothEpsilon => "smooth-epsilon",
            Bound::GlobalInverse => "global-inverse",
            Bound::SmoothInverse => "smooth-inverse",
        }
    }
}

/// Whether what happened on the way is published beside the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    /// Only the count.
    Hidden,
    /// Also which levels fired, or which epsilon was drawn.
    Published,
}

/// A histogram mechanism with every parameter decided.
#[derive(Debug, Clone)]
pub enum Mechanism {
    /// incrowd's own: meets any curve exactly (claim 1).
    TailoredGeometric {
        /// What it meets.
        curve: Curve,
    },
    /// incrowd's own for open universes (claim 2).
    Relay {
        /// What it meets, with the delta that its table was built for.
        curve: Curve,
        /// The masses.
        table: Arc<RelayTable>,
    },
    /// Publishes counts of at least `crowd` exactly (CB 3.1).
    SuppressBelow {
        /// The smallest count that is published.
        crowd: u64,
    },
    /// Adds noise below `crowd`, nothing from there on (CB 3.1).
    NoiseBelow {
        /// The smallest count without noise.
        crowd: u64,
        /// Rate of the noise.
        epsilon: Rational,
    },
    /// Publishes counts above `group` exactly (OP Example 2).
    SuppressUpTo {
        /// The largest count that is not published.
        group: u64,
    },
    /// Adds noise up to `group`, nothing above (OP Example 3).
    NoiseUpTo {
        /// The largest count with noise.
        group: u64,
        /// For the whole group: the rate is `epsilon / group`.
        epsilon: Rational,
    },
    /// The two-sided geometric mechanism.
    Geometric {
        /// Rate of the noise.
        epsilon: Rational,
    },
    /// The two-sided geometric mechanism for groups (OP Example 6).
    GroupGeometric {
        /// How many people together.
        group: u64,
        /// For all of them: the rate is `epsilon / group`.
        epsilon: Rational,
    },
    /// Noise, then suppression of small noisy counts (OP Example 4).
    NoisySuppress {
        /// The largest group with the stricter protection.
        group: u64,
        /// Rate of the noise.
        epsilon: Rational,
        /// Noisy counts up to `group + offset` are suppressed.
        offset: i64,
    },
    /// Noise, then more noise on small noisy counts (OP Example 5).
    NoisyNoise {
        /// The largest group with the stricter protection.
        group: u64,
        /// Rate of the first noise; the second has `epsilon / group`.
        epsilon: Rational,
        /// Noisy counts up to `group + offset` get more noise.
        offset: i64,
    },
    /// Noise level by level (OP Example 7).
    Staircase {
        /// Rates, descending; the first may be infinite, the last zero.
        epsilons: Vec<Epsilon>,
        /// The i-th test is `c <= levels[i]`.
        levels: Vec<i64>,
        /// Whether the tests that fired are published.
        telling: Telling,
    },
    /// A private lower bound on epsilon decides the noise (OP Example 8).
    General {
        /// How epsilon is drawn.
        bound: Arc<LowerBound>,
        /// Whether the drawn epsilon is published.
        telling: Telling,
    },
    /// Noise whose rate is the curve's own value (LN `Out_h`).
    Fading {
        /// The rate at each count from one on.
        curve: Curve,
        /// The rate in an empty bin.
        at_zero: Rational,
    },
    /// Noise, published from `threshold` on (SSB Definition 3).
    Threshold {
        /// Rate of the noise.
        epsilon: Rational,
        /// The smallest value that is published.
        threshold: i64,
    },
    /// An interval that surely contains the count, or nothing (SSB section 3).
    Range {
        /// Rate of the noise.
        epsilon: Rational,
        /// Half the width of the interval.
        half_width: u64,
    },
}

impl Mechanism {
    /// Returns the name in a request.
    pub fn name(&self) -> &'static str {
        match self {
            Mechanism::TailoredGeometric { .. } => "tailored-geometric",
            Mechanism::Relay { .. } => "relay",
            Mechanism::SuppressBelow { .. } => "suppress-below",
            Mechanism::NoiseBelow { .. } => "noise-below",
            Mechanism::SuppressUpTo { .. } => "suppress-up-to",
            Mechanism::NoiseUpTo { .. } => "noise-up-to",
            Mechanism::Geometric { .. } => "geometric",
            Mechanism::GroupGeometric { .. } => "group-geometric",
            Mechanism::NoisySuppress { .. } => "noisy-suppress",
            Mechanism::NoisyNoise { .. } => "noisy-noise",
            Mechanism::Staircase { .. } => "staircase",
            Mechanism::General { .. } => "general",
            Mechanism::Fading { .. } => "fading",
            Mechanism::Threshold { .. } => "threshold",
            Mechanism::Range { .. } => "range",
        }
    }
}

/// A mechanism as it is run: on which universe, and from which value on results are published.
#[derive(Debug, Clone)]
pub struct Deployed {
    /// What is run in each bin.
    pub mechanism: Mechanism,
    /// Where.
    pub universe: Universe,
    /// Values below are not published; a function of the request only.
    pub publish_from: Option<i64>,
}

impl Deployed {
    /// Whether a bin of some count may show no value at all.
    pub fn may_be_silent(&self) -> bool {
        if self.publish_from.is_some() || self.universe == Universe::Open {
            return true;
        }
        match &self.mechanism {
            Mechanism::TailoredGeometric { curve } => curve.last_zero() != Some(0),
            Mechanism::Staircase { epsilons, .. } => epsilons.iter().any(Epsilon::is_zero),
            Mechanism::General { bound, .. } => {
                bound.parameters().bound != Bound::NoiseOnCount
                    || Epsilon::Finite(bound.parameters().epsilon_a.clone()) == bound.curve().epsilon(1)
            }
            Mechanism::Relay { .. }
            | Mechanism::SuppressBelow { .. }
            | Mechanism::SuppressUpTo { .. }
            | Mechanism::NoisySuppress { .. }
            | Mechanism::Threshold { .. }
            | Mechanism::Range { .. } => true,
            Mechanism::NoiseBelow { .. }
            | Mechanism::NoiseUpTo { .. }
            | Mechanism::Geometric { .. }
            | Mechanism::GroupGeometric { .. }
            | Mechanism::NoisyNoise { .. }
            | Mechanism::Fading { .. } => false,
        }
    }

    /// Returns the program that is run in each bin; both the law and the sampler read this.
    pub fn program(&self) -> Program {
        let noise = |rate: &Rational| Step::AddNoise(Epsilon::Finite(rate.clone()));
        let group_rate = |epsilon: &Rational, group: u64| epsilon / Rational::from(group);
        let mut publish = Publish::Value { from: self.publish_from };
        let mut telling = Telling::Hidden;
        let steps = match &self.mechanism {
            Mechanism::TailoredGeometric { curve } => match curve.last_zero() {
                None => vec![Step::Suppress],
                Some(_) => vec![Step::Walk(curve.clone())],
            },
            Mechanism::Relay { table, .. } => vec![Step::Relay(Arc::clone(table))],
            Mechanism::SuppressBelow { crowd } => {
                vec![Step::IfCountAtMost { limit: crowd.saturating_sub(1), then: vec![Step::Suppress] }]
            }
            Mechanism::NoiseBelow { crowd, epsilon } => {
                vec![Step::IfCountAtMost { limit: crowd.saturating_sub(1), then: vec![noise(epsilon)] }]
            }
            Mechanism::SuppressUpTo { group } => {
                vec![Step::IfCountAtMost { limit: *group, then: vec![Step::Suppress] }]
            }
            Mechanism::NoiseUpTo { group, epsilon } => {
                vec![Step::IfCountAtMost { limit: *group, then: vec![noise(&group_rate(epsilon, *group))] }]
            }
            Mechanism::Geometric { epsilon } | Mechanism::Threshold { epsilon, .. } => vec![noise(epsilon)],
            Mechanism::GroupGeometric { group, epsilon } => vec![noise(&group_rate(epsilon, *group))],
            Mechanism::NoisySuppress { group, epsilon, offset } => {
                let limit = level(*group, *offset);
                vec![noise(epsilon), Step::IfAtMost { limit, then: vec![Step::Suppress] }]
            }
            Mechanism::NoisyNoise { group, epsilon, offset } => {
                let limit = level(*group, *offset);
                let more = noise(&group_rate(epsilon, *group));
                vec![noise(epsilon), Step::IfAtMost { limit, then: vec![more] }]
            }
            Mechanism::Staircase { epsilons, levels, telling: told } => {
                telling = *told;
                let first = Step::AddNoise(epsilons[0].clone());
                let rest = epsilons[1..].iter().zip(levels).map(|(epsilon, level)| {
                    let then = if epsilon.is_zero() { Step::Suppress } else { Step::AddNoise(epsilon.clone()) };
                    Step::IfAtMost { limit: *level, then: vec![then] }
                });
                std::iter::once(first).chain(rest).collect()
            }
            Mechanism::General { bound, telling: told } => {
                telling = *told;
                vec![Step::AddNoiseOfDrawnEpsilon(Arc::clone(bound))]
            }
            Mechanism::Fading { curve, at_zero } => {
                vec![Step::AddNoiseOfCount { curve: curve.clone(), at_zero: at_zero.clone() }]
            }
            Mechanism::Range { epsilon, half_width } => {
                publish = Publish::Range { half_width: *half_width };
                vec![noise(epsilon)]
            }
        };
        if let Mechanism::Threshold { threshold, .. } = &self.mechanism {
            publish = Publish::Value { from: Some(self.publish_from.map_or(*threshold, |from| from.max(*threshold))) };
        }
        Program { steps, publish, telling }
    }
}

/// Returns `group + offset`, within what a count can be.
fn level(group: u64, offset: i64) -> i64 {
    i64::try_from(group).unwrap_or(i64::MAX).saturating_add(offset)
}
