//! The exact law of what a bin may publish, outcome by outcome.
//!
//! It lists every outcome down to a stated truncated mass and never hides one above it. It is separate from
//! `law/distribution.rs` because people read outcomes, not cells. Read `account.rs` for how two laws are compared.

pub(crate) mod distribution;
pub(crate) mod empty_bin;

use crate::cells::{Mass, TooManyOutcomes};
use crate::law::distribution::Distribution;
use crate::mechanism::Deployed;
use crate::mechanism::program::{Outcome, Publish, SideValue};
use incrowd_exact::{Enclosure, Fixed, Integer, Rational};

/// Tails are cut below two to the minus this: well below 1e-30 in all.
const TAIL_BITS: usize = 112;

/// One thing that a bin may show, and how likely.
#[derive(Debug, Clone)]
pub struct Line {
    /// What is shown.
    pub outcome: Outcome,
    /// What is shown beside it.
    pub side_value: SideValue,
    /// How likely.
    pub probability: Enclosure,
}

/// Everything that a bin of one count may show.
#[derive(Debug, Clone)]
pub struct Law {
    /// In a fixed order: by what is told, then outcomes without a value, then values ascending.
    pub lines: Vec<Line>,
    /// An upper bound on the mass of all outcomes that are not listed.
    pub truncated: Rational,
}

impl Deployed {
    /// Returns the law of what is published for a bin of `count` people.
    pub fn law(&self, count: u64) -> Result<Law, TooManyOutcomes> {
        let program = self.program();
        let absent = self.universe == crate::mechanism::Universe::Open && count == 0;
        let distribution =
            if absent { Distribution::<4>::absent() } else { Distribution::<4>::of(&program, count, TAIL_BITS)? };
        let mut lines = Vec::new();
        for ((side_value, outcome), mass) in &distribution.others {
            lines.push(Line { outcome: outcome.clone(), side_value: side_value.clone(), probability: enclose(*mass) });
        }
        for (side_value, cells) in &distribution.values {
            for value in cells.start..cells.start + cells.low.len() as i64 {
                let mass = cells.at(value);
                if mass.low == Fixed::ZERO {
                    continue;
                }
                let outcome = match &program.publish {
                    Publish::Value { .. } => Outcome::Value(value),
                    Publish::Range { half_width } => {
                        let half = i64::try_from(*half_width).unwrap_or(i64::MAX / 4);
                        Outcome::Range(value - half, value + half)
                    }
                };
                lines.push(Line { outcome, side_value: side_value.clone(), probability: enclose(mass) });
            }
        }
        // Cells that rounded down to zero are not listed; each holds at most its error.
        let cells: u64 = distribution.values.values().map(|cells| cells.low.len() as u64 * (cells.error + 1)).sum();
        let truncated = enclose(Mass { low: distribution.lost.plus(Fixed::units(cells)), error: 0 }).upper();
        Ok(Law { lines, truncated })
    }
}

fn enclose(mass: Mass<4>) -> Enclosure {
    let units = |fixed: Fixed<4>| Integer::from(fixed.to_units());
    Enclosure::between(units(mass.low), units(mass.high()), Fixed::<4>::BITS)
}
