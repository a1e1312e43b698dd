//! What a mechanism does to a count, whatever it is called: one of six shapes.
//!
//! Laws, accounts, intervals, estimates and utilities ask for the shape; nothing but parameters, theorems and words may
//! depend on a name. It is separate from `mechanism.rs` so that another mechanism of a known shape is a name and a line
//! there. Read `program.rs` next, for what each shape runs.

use super::SideOutput;
use super::lower_bound::LowerBound;
use super::program::rate_of_count;
use crate::curve::{Curve, Epsilon};
use crate::relay::RelayTable;
use crate::two_sided::TwoSided;
use incrowd_exact::Rational;
use std::sync::Arc;

/// The shapes that mechanisms have.
#[derive(Debug, Clone)]
pub(crate) enum Shape<'a> {
    /// Noise is added at most once, then small values may be left out.
    OneNoise(OneNoise<'a>),
    /// Noise level by level, as long as the value is small.
    Ladder(Ladder),
    /// The tailored geometric law of a curve.
    Walk(&'a Curve),
    /// A row of a table for each count, built for a curve.
    Table {
        /// What it meets.
        curve: &'a Curve,
        /// The masses.
        table: &'a Arc<RelayTable>,
    },
    /// An epsilon is drawn first, then noise of what is left of it.
    DrawnEpsilon {
        /// How epsilon is drawn.
        bound: &'a Arc<LowerBound>,
        /// Whether it is published.
        side_output: SideOutput,
    },
    /// An interval around a noisy count, if the count is in it.
    Range {
        /// Rate of the noise.
        rate: &'a Rational,
        /// Half the width of the interval.
        half_width: u64,
    },
}

/// Noise at most once, then a cut.
#[derive(Debug, Clone)]
pub(crate) struct OneNoise<'a> {
    /// Which noise each count gets.
    pub(crate) noise: CountNoise<'a>,
    /// Values below are not published, whatever else the request cuts off.
    pub(crate) cut: Option<i64>,
}

/// The noise that a count gets.
#[derive(Debug, Clone)]
pub(crate) enum CountNoise<'a> {
    /// Every count the same.
    Alike(Rational),
    /// Counts below `exact_from` get noise or are silent; the others are shown as they are.
    Below {
        /// The first count that is shown as it is.
        exact_from: u64,
        /// What becomes of the counts below.
        small: SmallCounts,
    },
    /// Every count a rate of its own.
    OfCount {
        /// The rate from one person on.
        curve: &'a Curve,
        /// The rate in an empty bin.
        at_zero: &'a Rational,
    },
}

/// What becomes of counts that are too small to be shown as they are.
#[derive(Debug, Clone)]
pub(crate) enum SmallCounts {
    /// They show nothing.
    Silent,
    /// They get noise of this rate.
    Noisy(Rational),
}

/// The law of at most one noisy number.
pub(crate) enum Single {
    /// Nothing is shown.
    Suppressed,
    /// The count, with or without noise.
    Number(TwoSided),
}

impl<'a> OneNoise<'a> {
    /// One noise for every count.
    pub(super) fn alike(rate: Rational) -> Self {
        OneNoise { noise: CountNoise::Alike(rate), cut: None }
    }

    /// The counts from `exact_from` on are shown as they are.
    pub(super) fn below(exact_from: u64, small: SmallCounts) -> Self {
        OneNoise { noise: CountNoise::Below { exact_from, small }, cut: None }
    }

    /// The same, published from a value on.
    pub(super) fn cut_below(self, cut: i64) -> Self {
        OneNoise { cut: Some(cut), ..self }
    }

    /// Returns from which count on bins are shown, where they are shown as they are or not at all.
    pub(crate) fn exact_from(&self) -> Option<u64> {
        match &self.noise {
            CountNoise::Below { exact_from, small: SmallCounts::Silent } => Some(*exact_from),
            CountNoise::Below { small: SmallCounts::Noisy(_), .. }
            | CountNoise::Alike(_)
            | CountNoise::OfCount { .. } => None,
        }
    }

    /// Whether every count has a rate of its own.
    pub(crate) fn is_of_count(&self) -> bool {
        matches!(self.noise, CountNoise::OfCount { .. })
    }

    /// Returns counts at which it behaves in a new way.
    pub(crate) fn bends(&self) -> Vec<u64> {
        let mut bends = match &self.noise {
            CountNoise::Below { exact_from, .. } => vec![exact_from.saturating_sub(1), *exact_from, exact_from + 1],
            CountNoise::Alike(_) | CountNoise::OfCount { .. } => Vec::new(),
        };
        if let Some(cut) = self.cut {
            let below = u64::try_from(cut.saturating_sub(1)).unwrap_or(0);
            bends.extend([below, below + 1]);
        }
        bends
    }

    /// Returns what a bin of `count` people shows, before anything is cut off.
    pub(crate) fn law(&self, count: u64) -> Single {
        let centre = i64::try_from(count).unwrap_or(i64::MAX / 4);
        let rate = match &self.noise {
            CountNoise::Alike(rate) => Epsilon::Finite(rate.clone()),
            CountNoise::Below { exact_from, .. } if count >= *exact_from => Epsilon::Infinite,
            CountNoise::Below { small: SmallCounts::Silent, .. } => return Single::Suppressed,
            CountNoise::Below { small: SmallCounts::Noisy(rate), .. } => Epsilon::Finite(rate.clone()),
            CountNoise::OfCount { curve, at_zero } => rate_of_count(curve, at_zero, count),
        };
        Single::Number(TwoSided { centre, rate })
    }
}

/// The rates and tests of noise that is added level by level.
#[derive(Debug, Clone)]
pub(crate) struct Ladder {
    /// The rates, descending, the first noise's first: it may be infinite, and the last one zero, which is silence.
    pub(crate) epsilons: Vec<Epsilon>,
    /// What the tests compare with.
    pub(crate) levels: Vec<i64>,
    /// Whether the tests that fired are published.
    pub(crate) side_output: SideOutput,
}
