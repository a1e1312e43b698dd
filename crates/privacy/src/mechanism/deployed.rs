//! A mechanism as it is run: on which universe, and from which value on; what follows from that before any account.
//!
//! Every answer is a function of the request alone. It is separate from `mechanism.rs` because it asks for shapes,
//! never for names. Read `program.rs` for what is run.

use super::lower_bound::Bound;
use super::program::Program;
use super::shape::{CountNoise, Ladder, OneNoise, Shape, SmallCounts};
use super::{Mechanism, SideOutput};
use crate::curve::Epsilon;

/// Whether the list of bins is public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Universe {
    /// The bins are declared; every one of them gets a draw.
    Closed,
    /// The bins are found in the data; that a bin appears at all is an output.
    Open,
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

/// What stands beside each count of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideColumn {
    /// Nothing.
    Nothing,
    /// Which of so many tests fired.
    Levels {
        /// How many there are.
        tests: usize,
    },
    /// The drawn epsilon.
    EpsilonTotal,
}

impl SideColumn {
    /// Returns the heading, if there is a column.
    pub fn heading(self) -> Option<&'static str> {
        match self {
            SideColumn::Nothing => None,
            SideColumn::Levels { .. } => Some("levels"),
            SideColumn::EpsilonTotal => Some("epsilon_total"),
        }
    }
}

impl Deployed {
    /// Returns what the mechanism does to a count.
    pub(crate) fn shape(&self) -> Shape<'_> {
        self.mechanism.shape()
    }

    /// Returns the program that is run in each bin; both the law and the sampler read this.
    pub fn program(&self) -> Program {
        Program::of(&self.shape(), self.publish_from)
    }

    /// Returns the smallest value that one noise shows, for all that cuts it off.
    pub(crate) fn cut_of(&self, one: &OneNoise<'_>) -> Option<i64> {
        one.cut.max(self.publish_from)
    }

    /// Whether this mechanism may run on this universe at all, before any accounting (`docs/theory.md` section 5).
    pub fn is_admitted(&self) -> bool {
        let cut = self.publish_from.is_some();
        match (self.universe, self.shape()) {
            (Universe::Closed, _) => !self.mechanism.named().is_for_found_bins(),
            (Universe::Open, Shape::Table { .. } | Shape::OneNoise(OneNoise { cut: Some(_), .. })) => true,
            (Universe::Open, Shape::OneNoise(OneNoise { noise, cut: None })) => match noise {
                CountNoise::Below { exact_from, small: SmallCounts::Silent } => exact_from >= 2 || cut,
                CountNoise::Below { small: SmallCounts::Noisy(_), .. }
                | CountNoise::Alike(_)
                | CountNoise::OfCount { .. } => cut,
            },
            (Universe::Open, Shape::Walk(curve)) => cut || curve.last_zero().is_none(),
            // What stands beside a count stands beside silence too, and an absent bin tells nothing.
            (
                Universe::Open,
                Shape::Range { .. }
                | Shape::Ladder(Ladder { side_output: SideOutput::Published, .. })
                | Shape::DrawnEpsilon { side_output: SideOutput::Published, .. },
            ) => false,
            (Universe::Open, Shape::Ladder(_) | Shape::DrawnEpsilon { .. }) => cut,
        }
    }

    /// Whether a bin of some count may show no value at all.
    pub fn may_be_silent(&self) -> bool {
        if self.publish_from.is_some() || self.universe == Universe::Open {
            return true;
        }
        match self.shape() {
            Shape::OneNoise(OneNoise { cut: Some(_), .. }) | Shape::Table { .. } | Shape::Range { .. } => true,
            Shape::OneNoise(OneNoise { noise, cut: None }) => match noise {
                CountNoise::Below { small: SmallCounts::Silent, .. } => true,
                CountNoise::Below { small: SmallCounts::Noisy(_), .. }
                | CountNoise::Alike(_)
                | CountNoise::OfCount { .. } => false,
            },
            Shape::Ladder(ladder) => ladder.epsilons.iter().any(Epsilon::is_zero),
            Shape::Walk(curve) => curve.last_zero() != Some(0),
            Shape::DrawnEpsilon { bound, .. } => {
                bound.parameters().bound != Bound::NoiseOnCount
                    || Epsilon::Finite(bound.parameters().epsilon_a.clone()) == bound.curve().epsilon(1)
            }
        }
    }

    /// Returns the smallest value that a bin can show; nothing if there is none.
    pub fn least_value(&self) -> Option<i64> {
        let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        let own = match self.shape() {
            Shape::OneNoise(one) => one.exact_from().map(signed).max(one.cut),
            Shape::Walk(curve) => curve.last_zero().map(|last| if last > 0 { signed(last) + 1 } else { 0 }),
            Shape::Table { table, .. } => Some(signed(table.first_value())),
            Shape::Ladder(_) | Shape::DrawnEpsilon { .. } | Shape::Range { .. } => None,
        };
        own.max(self.publish_from)
    }

    /// Returns the number that small bins are said to be at most, in place of a value; nothing if none are.
    pub fn at_most(&self) -> Option<u64> {
        match self.shape() {
            // With a threshold, "at most" is silence.
            Shape::Walk(curve) if self.publish_from.is_none() => curve.last_zero().filter(|last| *last > 0),
            Shape::Walk(_)
            | Shape::OneNoise(_)
            | Shape::Ladder(_)
            | Shape::Table { .. }
            | Shape::DrawnEpsilon { .. }
            | Shape::Range { .. } => None,
        }
    }

    /// Returns from how many people on a bin is shown, where it is shown as it is or not at all; nothing where noise
    /// has a part in what is shown.
    pub fn shown_as_it_is_from(&self) -> Option<u64> {
        match self.shape() {
            Shape::OneNoise(one) => {
                let cut = self.cut_of(&one).map_or(0, |cut| u64::try_from(cut).unwrap_or(0));
                one.exact_from().map(|from| from.max(cut))
            }
            Shape::Ladder(_)
            | Shape::Walk(_)
            | Shape::Table { .. }
            | Shape::DrawnEpsilon { .. }
            | Shape::Range { .. } => None,
        }
    }

    /// Whether intervals are published that surely hold the true count, and no counts.
    pub fn publishes_ranges(&self) -> bool {
        matches!(self.shape(), Shape::Range { .. })
    }

    /// Returns what stands beside each count.
    pub fn side_column(&self) -> SideColumn {
        match self.shape() {
            Shape::Ladder(Ladder { side_output: SideOutput::Published, levels, .. }) => {
                SideColumn::Levels { tests: levels.len() }
            }
            Shape::DrawnEpsilon { side_output: SideOutput::Published, .. } => SideColumn::EpsilonTotal,
            Shape::Ladder(Ladder { side_output: SideOutput::Hidden, .. })
            | Shape::DrawnEpsilon { side_output: SideOutput::Hidden, .. }
            | Shape::OneNoise(_)
            | Shape::Walk(_)
            | Shape::Table { .. }
            | Shape::Range { .. } => SideColumn::Nothing,
        }
    }
}
