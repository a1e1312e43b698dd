//! A mechanism's program read as a sampler: the same steps that `incrowd_privacy` reads as a law.
//!
//! It must never take a step that the program does not name, nor skip one. It is separate from the samplers of single
//! noises because this is where a certified description becomes draws. Read `walk.rs` for the tailored geometric.

use crate::bits::Bits;
use crate::laplace::{DiscreteLaplace, laplace_untabled};
use crate::rate::{RateError, check};
use crate::walk::{Landing, Walk};
use incrowd_exact::Rational;
use incrowd_privacy::{
    Curve, Deployed, Epsilon, LowerBound, Outcome, Publish, RelayTable, SideOutput, SideValue, Step, Universe,
    rate_of_count,
};
use std::sync::Arc;

/// One draw of a bin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawn {
    /// What is shown.
    pub outcome: Outcome,
    /// What is shown beside it.
    pub side_value: SideValue,
}

/// A mechanism made ready for drawing; usable from many threads.
pub struct Sampler {
    steps: Vec<Ready>,
    publish: Publish,
    side_output: SideOutput,
    universe: Universe,
}

enum Ready {
    AddNoise(DiscreteLaplace),
    Pass,
    AddNoiseOfCount { curve: Curve, at_zero: Rational },
    AddNoiseOfDrawnEpsilon(Arc<LowerBound>),
    Walk(Box<Walk>),
    Relay(Arc<RelayTable>),
    IfCountAtMost { limit: u64, then: Vec<Ready> },
    IfAtMost { limit: i64, then: Vec<Ready> },
    Suppress,
}

impl Sampler {
    /// Returns the sampler of a mechanism, or why one of its noises cannot be drawn.
    pub fn new(deployed: &Deployed) -> Result<Self, RateError> {
        let program = deployed.program();
        Ok(Sampler {
            steps: program.steps.iter().map(ready).collect::<Result<_, _>>()?,
            publish: program.publish,
            side_output: program.side_output,
            universe: deployed.universe,
        })
    }

    /// Returns what a bin of `count` people shows this time.
    pub fn draw(&self, count: u64, bits: &mut impl Bits) -> Drawn {
        if self.universe == Universe::Open && count == 0 {
            return Drawn { outcome: Outcome::Suppressed, side_value: SideValue::Nothing };
        }
        let start = i64::try_from(count).unwrap_or(i64::MAX);
        let mut working =
            Working { count, value: start, side_value: SideValue::Nothing, side_output: self.side_output, end: None };
        if self.side_output == SideOutput::Published
            && self.steps.iter().any(|step| matches!(step, Ready::IfAtMost { .. }))
        {
            working.side_value = SideValue::Levels(Vec::new());
        }
        working.run(&self.steps, bits);
        let outcome = match working.end {
            Some(Outcome::AtMost(_)) if matches!(self.publish, Publish::Value { from: Some(_) }) => Outcome::Suppressed,
            Some(outcome) => outcome,
            None => self.published(start, working.value),
        };
        Drawn { outcome, side_value: working.side_value }
    }

    fn published(&self, count: i64, value: i64) -> Outcome {
        match &self.publish {
            Publish::Value { from: None } => Outcome::Value(value),
            Publish::Value { from: Some(from) } if value >= *from => Outcome::Value(value),
            Publish::Value { from: Some(_) } => Outcome::Suppressed,
            Publish::Range { half_width } if value.abs_diff(count) <= *half_width => {
                let half = i64::try_from(*half_width).unwrap_or(i64::MAX);
                Outcome::Range(value.saturating_sub(half), value.saturating_add(half))
            }
            Publish::Range { .. } => Outcome::Suppressed,
        }
    }
}

fn ready(step: &Step) -> Result<Ready, RateError> {
    let all = |steps: &[Step]| steps.iter().map(ready).collect::<Result<Vec<_>, _>>();
    Ok(match step {
        Step::AddNoise(Epsilon::Infinite) => Ready::Pass,
        Step::AddNoise(Epsilon::Finite(rate)) => Ready::AddNoise(DiscreteLaplace::new(rate)?),
        Step::AddNoiseOfCount { curve, at_zero } => {
            // The curve does not decrease, so its first value is its smallest.
            check(at_zero)?;
            if let Epsilon::Finite(rate) = curve.epsilon(1) {
                check(&rate)?;
            }
            Ready::AddNoiseOfCount { curve: curve.clone(), at_zero: at_zero.clone() }
        }
        Step::AddNoiseOfDrawnEpsilon(bound) => {
            check(&bound.smallest_rate())?;
            Ready::AddNoiseOfDrawnEpsilon(Arc::clone(bound))
        }
        Step::Walk(curve) => Ready::Walk(Box::new(Walk::new(curve)?)),
        Step::Relay(table) => Ready::Relay(Arc::clone(table)),
        Step::IfCountAtMost { limit, then } => Ready::IfCountAtMost { limit: *limit, then: all(then)? },
        Step::IfAtMost { limit, then } => Ready::IfAtMost { limit: *limit, then: all(then)? },
        Step::Suppress => Ready::Suppress,
    })
}

struct Working {
    count: u64,
    value: i64,
    side_value: SideValue,
    side_output: SideOutput,
    end: Option<Outcome>,
}

impl Working {
    fn run(&mut self, steps: &[Ready], bits: &mut impl Bits) {
        for step in steps {
            if self.end.is_some() {
                return;
            }
            self.step(step, bits);
        }
    }

    fn step(&mut self, step: &Ready, bits: &mut impl Bits) {
        match step {
            Ready::Pass => {}
            Ready::AddNoise(noise) => self.value = self.value.saturating_add(noise.draw(bits)),
            Ready::AddNoiseOfCount { curve, at_zero } => self.add(&rate_of_count(curve, at_zero, self.count), bits),
            Ready::AddNoiseOfDrawnEpsilon(bound) => self.draw_epsilon(bound, bits),
            Ready::Walk(walk) => match walk.draw(self.count, bits) {
                Landing::Value(value) => self.value = i64::try_from(value).unwrap_or(i64::MAX),
                Landing::AtMost(limit) => self.end = Some(Outcome::AtMost(limit)),
            },
            Ready::Relay(table) => {
                let word = (u128::from(bits.next_u64()) << 64) | u128::from(bits.next_u64());
                match table.outcome(self.count, word) {
                    Some(value) => self.value = i64::try_from(value).unwrap_or(i64::MAX),
                    None => self.end = Some(Outcome::Suppressed),
                }
            }
            Ready::IfCountAtMost { limit, then } => {
                if self.count <= *limit {
                    self.run(then, bits);
                }
            }
            Ready::IfAtMost { limit, then } => {
                let fires = self.value <= *limit;
                if let SideValue::Levels(levels) = &mut self.side_value {
                    levels.push(fires);
                }
                if fires {
                    self.run(then, bits);
                }
            }
            Ready::Suppress => self.end = Some(Outcome::Suppressed),
        }
    }

    fn draw_epsilon(&mut self, bound: &LowerBound, bits: &mut impl Bits) {
        let law = bound.number(self.count);
        let noise = match &law.rate {
            Epsilon::Infinite => 0,
            Epsilon::Finite(rate) => exact_noise(rate, bits),
        };
        let total = bound.epsilon_total(law.centre.saturating_add(noise));
        let left = bound.left_for_the_count(&total);
        if self.side_output == SideOutput::Published {
            self.side_value = SideValue::EpsilonTotal(total);
        }
        if left.is_zero() {
            self.end = Some(Outcome::Suppressed);
        } else {
            self.add(&left, bits);
        }
    }

    fn add(&mut self, rate: &Epsilon, bits: &mut impl Bits) {
        if let Epsilon::Finite(rate) = rate {
            self.value = self.value.saturating_add(exact_noise(rate, bits));
        }
    }
}

/// Returns one draw at a rate that is used once; every such rate was checked when the sampler was made ready.
fn exact_noise(rate: &Rational, bits: &mut impl Bits) -> i64 {
    laplace_untabled(rate, bits).expect("a checked rate")
}
