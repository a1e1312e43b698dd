//! What becomes of a bin that nobody is in: whether it shows a value, and with which chance.
//!
//! It must never round a chance down, nor guess where the law at count 0 has no simple tail. It is separate from
//! `distribution.rs` because universes of any size ask for nothing else. Read `noise/empty_bins.rs` for how such bins
//! are drawn.
//!
//! One tail serves all. `P[DL(w) >= t] = e^-wt/(1+e^-w)` for `t >= 1` is that of the tailored law of the constant curve
//! `w` at count 0, so discrete Laplace noise is read as that curve, and above the threshold both climb by the same
//! chances.

use crate::curve::{Curve, Epsilon};
use crate::mechanism::program::{Program, Publish, Step, rate_of_count};
use crate::mechanism::{Deployed, SideOutput, Universe, tailored};
use incrowd_exact::{Enclosure, Natural};

/// The values from some number on of the tailored law of a curve at count 0; it is above the zero run and has a chance.
#[derive(Debug, Clone)]
pub struct EmptyTail {
    curve: Curve,
    from: u64,
}

/// Lost in a sum of up to 2^17 exponents.
const GUARD_BITS: usize = 64;

impl EmptyTail {
    /// Returns the tail of a curve's law from a number above its zero run on.
    pub fn new(curve: Curve, from: u64) -> Self {
        EmptyTail { curve, from }
    }

    /// Returns the curve whose law it is.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// Returns its first value.
    pub fn from(&self) -> u64 {
        self.from
    }

    /// Returns the chance `P[Y >= T | 0]` that an empty bin passes, below one half.
    pub fn chance(&self, places: usize) -> Enclosure {
        tailored::at_least(&self.curve, self.from, 0, places + GUARD_BITS).with_bits(places)
    }
}

/// What becomes of an empty bin.
#[derive(Debug, Clone)]
pub enum EmptyBin {
    /// It never shows a value.
    Silent,
    /// It passes with the chance of a tail.
    Passes(EmptyTail),
    /// Only a draw can tell.
    Unknown,
}

impl EmptyBin {
    /// Returns what becomes of the empty bins of a mechanism.
    pub fn of(deployed: &Deployed) -> Self {
        match deployed.universe {
            Universe::Open => EmptyBin::Silent,
            Universe::Closed => EmptyBin::read(&deployed.program()),
        }
    }

    /// Reads a program at count 0: a third reading of the steps that are certified and run.
    fn read(program: &Program) -> Self {
        let threshold = match (&program.publish, program.side_output) {
            (Publish::Value { from: Some(threshold) }, SideOutput::Hidden) => *threshold,
            (Publish::Value { from: _ } | Publish::Range { .. }, SideOutput::Hidden | SideOutput::Published) => {
                return EmptyBin::Unknown;
            }
        };
        match Working::Zero.run(&program.steps) {
            Working::Ended => EmptyBin::Silent,
            Working::Tangled => EmptyBin::Unknown,
            Working::Zero if threshold > 0 => EmptyBin::Silent,
            Working::Zero => EmptyBin::Unknown,
            Working::Tail { curve, from } => match u64::try_from(from.max(threshold)) {
                Err(_) | Ok(0) => EmptyBin::Unknown,
                Ok(from) if curve.last_finite().is_some_and(|last| from > last) => EmptyBin::Silent,
                Ok(from) => EmptyBin::Passes(EmptyTail { curve, from }),
            },
        }
    }
}

/// What is known of an empty bin's working number on its way through a program.
enum Working {
    /// It still is zero.
    Zero,
    /// From one on it has the tail of the tailored law of a curve at count 0; below `from` nothing is shown.
    Tail { curve: Curve, from: i64 },
    /// Ended without a count.
    Ended,
    /// No simple tail.
    Tangled,
}

impl Working {
    fn run(self, steps: &[Step]) -> Self {
        steps.iter().fold(self, Working::step)
    }

    fn step(self, step: &Step) -> Self {
        if matches!(self, Working::Ended | Working::Tangled) {
            return self;
        }
        match step {
            Step::AddNoise(rate) => self.with_noise(rate),
            Step::AddNoiseOfCount { curve, at_zero } => self.with_noise(&rate_of_count(curve, at_zero, 0)),
            Step::AddNoiseOfDrawnEpsilon(_) => Working::Tangled,
            Step::Walk(curve) => match curve.last_zero() {
                None => Working::Ended,
                Some(0) => Working::Tail { curve: curve.clone(), from: 0 },
                // Under a threshold "at most Z" is not shown, even where the threshold lies within the zero run.
                Some(last_zero) => Working::Tail { curve: curve.clone(), from: above(last_zero) },
            },
            Step::Relay(table) if table.publication(0) == Natural::ZERO => Working::Ended,
            Step::Relay(_) => Working::Tangled,
            // A count of zero is at most any limit.
            Step::IfCountAtMost { limit: _, then } => self.run(then),
            Step::IfAtMost { limit, then } => self.tested(*limit, then),
            Step::Suppress => Working::Ended,
        }
    }

    fn with_noise(self, rate: &Epsilon) -> Self {
        let Epsilon::Finite(_) = rate else { return self };
        match self {
            // There is no law of such a rate, and nobody draws from one.
            Working::Zero => {
                Curve::constant(rate.clone()).map_or(Working::Tangled, |curve| Working::Tail { curve, from: i64::MIN })
            }
            Working::Tail { .. } | Working::Tangled => Working::Tangled,
            Working::Ended => Working::Ended,
        }
    }

    fn tested(self, limit: i64, then: &[Step]) -> Self {
        match (self, then) {
            (Working::Zero, then) => {
                if limit < 0 {
                    Working::Zero
                } else {
                    Working::Zero.run(then)
                }
            }
            (Working::Tail { curve, from }, [Step::Suppress]) => match limit.checked_add(1) {
                Some(above) => Working::Tail { curve, from: from.max(above) },
                None => Working::Ended,
            },
            (Working::Tail { .. } | Working::Tangled, _) => Working::Tangled,
            (Working::Ended, _) => Working::Ended,
        }
    }
}

fn above(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX).saturating_add(1)
}
