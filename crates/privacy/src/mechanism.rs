//! Mechanisms, described once, as data: their names, their parameters and their shapes.
//!
//! Whoever computes asks for the shape (`mechanism/shape.rs`); it must never hold a parameter that the shape does not
//! use. It is separate from the shapes so that people can name what machines run: fifteen names, six shapes. Read
//! `mechanism/shape.rs` next.

mod deployed;
pub(crate) mod lower_bound;
pub(crate) mod program;
pub(crate) mod shape;
pub mod tailored;
pub mod theorem;

pub use deployed::{Deployed, SideColumn, Universe};

use crate::curve::{Curve, Epsilon};
use crate::relay::RelayTable;
use incrowd_exact::Rational;
use lower_bound::LowerBound;
use shape::{CountNoise, Ladder, OneNoise, Shape, SmallCounts};
use std::sync::Arc;

/// The mechanisms that incrowd has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MechanismName {
    /// incrowd's own, for declared bins.
    TailoredGeometric,
    /// incrowd's own, for bins that are found in the data.
    Relay,
    /// CB 3.1.
    SuppressBelow,
    /// CB 3.1.
    NoiseBelow,
    /// OP Example 2.
    SuppressUpTo,
    /// OP Example 3.
    NoiseUpTo,
    /// Two-sided geometric noise.
    Geometric,
    /// OP Example 6.
    GroupGeometric,
    /// OP Example 4.
    NoisySuppress,
    /// OP Example 5.
    NoisyNoise,
    /// OP Example 7.
    Staircase,
    /// OP Example 8.
    General,
    /// LN section 3.
    Fading,
    /// SSB Definition 3.
    Threshold,
    /// SSB section 3.
    Range,
}

impl MechanismName {
    /// All of them, in the order in which they are listed.
    pub const ALL: [MechanismName; 15] = [
        MechanismName::TailoredGeometric,
        MechanismName::Relay,
        MechanismName::SuppressBelow,
        MechanismName::NoiseBelow,
        MechanismName::SuppressUpTo,
        MechanismName::NoiseUpTo,
        MechanismName::Geometric,
        MechanismName::GroupGeometric,
        MechanismName::NoisySuppress,
        MechanismName::NoisyNoise,
        MechanismName::Staircase,
        MechanismName::General,
        MechanismName::Fading,
        MechanismName::Threshold,
        MechanismName::Range,
    ];

    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            MechanismName::TailoredGeometric => "tailored-geometric",
            MechanismName::Relay => "relay",
            MechanismName::SuppressBelow => "suppress-below",
            MechanismName::NoiseBelow => "noise-below",
            MechanismName::SuppressUpTo => "suppress-up-to",
            MechanismName::NoiseUpTo => "noise-up-to",
            MechanismName::Geometric => "geometric",
            MechanismName::GroupGeometric => "group-geometric",
            MechanismName::NoisySuppress => "noisy-suppress",
            MechanismName::NoisyNoise => "noisy-noise",
            MechanismName::Staircase => "staircase",
            MechanismName::General => "general",
            MechanismName::Fading => "fading",
            MechanismName::Threshold => "threshold",
            MechanismName::Range => "range",
        }
    }

    /// Returns the parameters that it takes in a request, beside `accounting` and `threshold`, which all take.
    pub fn parameters(self) -> &'static [&'static str] {
        match self {
            MechanismName::TailoredGeometric | MechanismName::Relay => &[],
            MechanismName::SuppressBelow | MechanismName::NoiseBelow => &["crowd", "epsilon"],
            MechanismName::SuppressUpTo | MechanismName::NoiseUpTo | MechanismName::GroupGeometric => {
                &["group", "epsilon"]
            }
            MechanismName::Geometric | MechanismName::Threshold => &["epsilon"],
            MechanismName::NoisySuppress | MechanismName::NoisyNoise => &["group", "epsilon", "offset"],
            MechanismName::Staircase => &["thresholds", "epsilons", "publish-levels", "levels"],
            MechanismName::General => &["bound", "epsilon-a", "delta-a", "grid", "publish-epsilon", "alpha"],
            MechanismName::Fading => &["group", "width", "epsilon", "factor"],
            MechanismName::Range => &["epsilon", "half-width"],
        }
    }

    /// Whether it only takes bins that are found in the data; declared ones it treats as if they had been found.
    pub fn is_for_found_bins(self) -> bool {
        [MechanismName::Relay, MechanismName::Threshold].contains(&self)
    }
}

/// Whether what happened on the way is published beside the count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideOutput {
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
        side_output: SideOutput,
    },
    /// A private lower bound on epsilon decides the noise (OP Example 8).
    General {
        /// How epsilon is drawn.
        bound: Arc<LowerBound>,
        /// Whether the drawn epsilon is published.
        side_output: SideOutput,
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
        self.named().as_str()
    }

    /// Returns which of the fifteen it is.
    pub fn named(&self) -> MechanismName {
        match self {
            Mechanism::TailoredGeometric { .. } => MechanismName::TailoredGeometric,
            Mechanism::Relay { .. } => MechanismName::Relay,
            Mechanism::SuppressBelow { .. } => MechanismName::SuppressBelow,
            Mechanism::NoiseBelow { .. } => MechanismName::NoiseBelow,
            Mechanism::SuppressUpTo { .. } => MechanismName::SuppressUpTo,
            Mechanism::NoiseUpTo { .. } => MechanismName::NoiseUpTo,
            Mechanism::Geometric { .. } => MechanismName::Geometric,
            Mechanism::GroupGeometric { .. } => MechanismName::GroupGeometric,
            Mechanism::NoisySuppress { .. } => MechanismName::NoisySuppress,
            Mechanism::NoisyNoise { .. } => MechanismName::NoisyNoise,
            Mechanism::Staircase { .. } => MechanismName::Staircase,
            Mechanism::General { .. } => MechanismName::General,
            Mechanism::Fading { .. } => MechanismName::Fading,
            Mechanism::Threshold { .. } => MechanismName::Threshold,
            Mechanism::Range { .. } => MechanismName::Range,
        }
    }

    /// Returns what it does to a count.
    pub(crate) fn shape(&self) -> Shape<'_> {
        let shared = |epsilon: &Rational, group: u64| epsilon / Rational::from(group);
        match self {
            Mechanism::TailoredGeometric { curve } => Shape::Walk(curve),
            Mechanism::Relay { curve, table } => Shape::Table { curve, table },
            Mechanism::SuppressBelow { crowd } => Shape::OneNoise(OneNoise::below(*crowd, SmallCounts::Silent)),
            Mechanism::NoiseBelow { crowd, epsilon } => {
                Shape::OneNoise(OneNoise::below(*crowd, SmallCounts::Noisy(epsilon.clone())))
            }
            Mechanism::SuppressUpTo { group } => {
                Shape::OneNoise(OneNoise::below(group.saturating_add(1), SmallCounts::Silent))
            }
            Mechanism::NoiseUpTo { group, epsilon } => {
                Shape::OneNoise(OneNoise::below(group.saturating_add(1), SmallCounts::Noisy(shared(epsilon, *group))))
            }
            Mechanism::Geometric { epsilon } => Shape::OneNoise(OneNoise::alike(epsilon.clone())),
            Mechanism::GroupGeometric { group, epsilon } => Shape::OneNoise(OneNoise::alike(shared(epsilon, *group))),
            Mechanism::NoisySuppress { group, epsilon, offset } => {
                let first = level(*group, *offset).saturating_add(1);
                Shape::OneNoise(OneNoise::alike(epsilon.clone()).cut_below(first))
            }
            Mechanism::NoisyNoise { group, epsilon, offset } => Shape::Ladder(Ladder {
                epsilons: vec![Epsilon::Finite(epsilon.clone()), Epsilon::Finite(shared(epsilon, *group))],
                levels: vec![level(*group, *offset)],
                side_output: SideOutput::Hidden,
            }),
            Mechanism::Staircase { epsilons, levels, side_output } => {
                Shape::Ladder(Ladder { epsilons: epsilons.clone(), levels: levels.clone(), side_output: *side_output })
            }
            Mechanism::General { bound, side_output } => Shape::DrawnEpsilon { bound, side_output: *side_output },
            Mechanism::Fading { curve, at_zero } => {
                Shape::OneNoise(OneNoise { noise: CountNoise::OfCount { curve, at_zero }, cut: None })
            }
            Mechanism::Threshold { epsilon, threshold } => {
                Shape::OneNoise(OneNoise::alike(epsilon.clone()).cut_below(*threshold))
            }
            Mechanism::Range { epsilon, half_width } => Shape::Range { rate: epsilon, half_width: *half_width },
        }
    }
}

/// Returns `group + offset`, the last value that a test catches, within what a count can be.
fn level(group: u64, offset: i64) -> i64 {
    i64::try_from(group).unwrap_or(i64::MAX).saturating_add(offset)
}
