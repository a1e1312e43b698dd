//! A program read as a distribution when the count itself is random.
//!
//! Steps that only look at the working number take a whole law of counts at once; a program with any other step must be
//! refused. It is separate from `law/distribution.rs` because a count that is known is the usual case. Read `walk.rs`
//! next.

use super::binomial::Binomial;
use super::noise::Noise;
use super::walk::Walk;
use crate::cells::{Cells, TooManyOutcomes};
use crate::curve::Epsilon;
use crate::law::distribution::{Distribution, Reader, States, merge, side_value_at_first};
use crate::mechanism::program::{Outcome, Program, Publish, SideValue, Step};
use crate::mechanism::{Deployed, Universe};
use std::ops::Range;

/// Windows begin and end at multiples of this.
const WINDOW_STEP: i64 = 32;

/// A program, ready for many laws of the count.
pub(super) struct Mixture<const N: usize> {
    program: Program,
    universe: Universe,
    tail_bits: usize,
    reading: Reading<N>,
}

/// How the steps are read.
enum Reading<const N: usize> {
    /// Step by step.
    Steps,
    /// One noise, on counts up to a limit.
    Noise { noise: Noise<N>, up_to: i64 },
    /// The tailored geometric law.
    Walk(Walk<N>),
}

impl<const N: usize> Mixture<N> {
    /// Returns the mixture of a mechanism's laws, or nothing if it asks for the count in other ways.
    pub(super) fn of(deployed: &Deployed, tail_bits: usize) -> Option<Self> {
        let program = deployed.program();
        let whole = match &program.publish {
            Publish::Value { from } => from.is_none(),
            Publish::Range { .. } => return None,
        };
        let noise = |then: &[Step], up_to: i64| match then {
            // With a threshold the tails are no longer one outcome.
            [Step::AddNoise(Epsilon::Finite(rate))] if whole => {
                Noise::of(rate).map(|noise| Reading::Noise { noise, up_to })
            }
            _ => None,
        };
        let reading = match program.steps.as_slice() {
            [Step::Walk(curve)] => Reading::Walk(Walk::new(curve)),
            [Step::IfCountAtMost { then, limit }] if then.iter().all(is_blind) => {
                noise(then, as_value(*limit)).unwrap_or(Reading::Steps)
            }
            steps if steps.iter().all(is_blind) => noise(steps, i64::MAX - 1).unwrap_or(Reading::Steps),
            _ => return None,
        };
        Some(Mixture { program, universe: deployed.universe, tail_bits, reading })
    }

    /// Returns the values that are listed one by one for the law with one person more and for that without her.
    ///
    /// In steps, so that the law of one population mostly serves for the next.
    pub(super) fn window(law: &Binomial<N>, next: &Binomial<N>, known: u64) -> Result<Range<i64>, TooManyOutcomes> {
        let known = i64::try_from(known).map_err(|_| TooManyOutcomes)?;
        let (start, end) = (law.cells.start.min(next.cells.start), law.cells.end().max(next.cells.end()));
        let end = end.checked_add(known).ok_or(TooManyOutcomes)?;
        Ok((start + known) / WINDOW_STEP * WINDOW_STEP..end / WINDOW_STEP * WINDOW_STEP + WINDOW_STEP)
    }

    /// Returns what is shown when `known` people and a random number of others are counted.
    ///
    /// Two spreads may only be compared if they have the same window: noisy values beyond it are one outcome on each
    /// side.
    pub(super) fn distribution(
        &mut self,
        law: &Binomial<N>,
        known: u64,
        window: &Range<i64>,
    ) -> Result<Distribution<N>, TooManyOutcomes> {
        let mut reader = Reader::new(&self.program, 0, self.tail_bits);
        reader.distribution.lost = law.outside();
        let start = i64::try_from(known).ok().and_then(|known| law.cells.start.checked_add(known));
        let mut counts = Cells { start: start.ok_or(TooManyOutcomes)?, ..law.cells.clone() };
        if self.universe == Universe::Open {
            // Of a bin in which nobody is sampled nothing is seen.
            let (absent, present) = counts.split_at_most(0);
            reader.no_value(SideValue::Nothing, Outcome::Suppressed, absent.total());
            counts = present;
        }
        let side_value = side_value_at_first(&self.program);
        let states = match (self.program.steps.as_slice(), &mut self.reading) {
            (_, Reading::Walk(walk)) => {
                let walked = walk.distribution(counts, self.tail_bits)?;
                reader.distribution.lost = reader.distribution.lost.plus(walked.lost);
                if let Some((at_most, mass)) = walked.at_most {
                    reader.no_value(side_value.clone(), Outcome::AtMost(at_most), mass);
                }
                States::from([(side_value, walked.values)])
            }
            (_, Reading::Noise { noise, up_to }) => {
                let (small, large) = counts.split_at_most(*up_to);
                let mut values = noise.around(&small, window.start, window.end);
                values.add(large)?;
                States::from([(side_value, values)])
            }
            ([Step::IfCountAtMost { limit, then }], Reading::Steps) => {
                // The working number still is the count.
                let (small, large) = counts.split_at_most(as_value(*limit));
                let mut states = reader.steps(then, States::from([(side_value.clone(), small)]))?;
                merge(&mut states, side_value, large)?;
                states
            }
            (steps, Reading::Steps) => reader.steps(steps, States::from([(side_value, counts)]))?,
        };
        for (side_value, cells) in states {
            reader.publish(&self.program.publish, side_value, cells)?;
        }
        Ok(reader.distribution)
    }
}

fn as_value(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX - 1)
}

/// Whether a step looks at the working number alone.
fn is_blind(step: &Step) -> bool {
    match step {
        Step::AddNoise(_) | Step::Suppress => true,
        Step::IfAtMost { then, .. } => then.iter().all(is_blind),
        Step::AddNoiseOfCount { .. }
        | Step::AddNoiseOfDrawnEpsilon(_)
        | Step::Walk(_)
        | Step::Relay(_)
        | Step::IfCountAtMost { .. } => false,
    }
}
