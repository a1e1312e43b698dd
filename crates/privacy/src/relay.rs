//! The relay: incrowd's mechanism for bins that are found in the data. It publishes as often as any mechanism can.
//!
//! It must never draw from anything but the integers that it accounts for. It is separate from the other mechanisms
//! because its law has no formula: it is a table, a pure function of the curve and delta. Read `relay/walk.rs` next for
//! how the table is built, then `relay/row.rs` for why one step of it is private.
//!
//! Any mechanism that meets `(eps(k), delta)` at every step and never publishes an absent bin obeys, for the chance
//! `pi(k)` that a bin of `k` people is published, `pi(k) <= min(e^eps(k) pi(k-1) + delta, 1 - e^-eps(k) (1 - pi(k-1) -
//! delta), 1)` with `pi(0) = 0`. The relay attains this for every `k` at once (test
//! `publication_meets_the_bound_for_every_count`), and publishes a count as well: the mass that is published is handed
//! on from label to label as the count grows, and each label stands for the smallest count at which it is heaviest. All
//! masses are whole multiples of `2^-128`. The window that serves large counts may peak at a later age than the rows
//! did, so for the few counts around the closing the published values lag or lead by up to one label; they are without
//! bias once the labels of the table have died out.

mod exceeding;
pub(crate) mod mass;
mod row;
mod walk;
mod window;

use crate::curve::{Curve, Epsilon, Level};
use crate::relay::mass::{Growth, Mass};
use crate::relay::walk::{Course, Ending, Walk, walk};
use crate::relay::window::{Window, label_of};
use incrowd_exact::{Enclosure, Integer, Natural, Rational};
use std::collections::BTreeMap;
use std::fmt;

/// The largest number of cells that a relay's table may have: a gigabyte.
pub const MAX_RELAY_CELLS: usize = 1 << 26;
/// The last finite stretch of a curve may not begin later than this: there is a row for every count before it.
const MAX_ROWS: u64 = 1 << 17;
/// A positive delta must be at least `2^-72`, or rounding would matter.
const SMALLEST_DELTA_BITS: usize = 72;

/// Why there is no relay for a curve and a delta.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RelayError {
    /// Delta is below 0 or not below 1.
    DeltaOutOfRange,
    /// Delta is positive but below `2^-72`.
    DeltaTooSmall,
    /// Delta is 0 and every epsilon finite: nothing could ever be published.
    NoPublication,
    /// The table would be too large.
    TooLarge {
        /// How many cells it may have.
        most: usize,
    },
}

impl fmt::Display for RelayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RelayError::DeltaOutOfRange => f.write_str("delta must be at least 0 and below 1"),
            RelayError::DeltaTooSmall => f.write_str(
                "the relay needs a delta of 0 or of at least 2^-72 (about 2.2e-22); for a smaller one use the mechanism `threshold`",
            ),
            RelayError::NoPublication => f.write_str(
                "with delta 0 and a finite epsilon for every group, no group found in the data can ever be published; give a delta, such as 1e-6",
            ),
            RelayError::TooLarge { most } => write!(
                f,
                "the relay's table would have more than {most} cells; use the mechanism `threshold`, or a larger epsilon or delta"
            ),
        }
    }
}

impl std::error::Error for RelayError {}

/// What is published at one count, in units of `2^-128`; all masses add up to `2^128`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelayLaw {
    /// The mass of publishing nothing.
    pub nothing: Natural,
    /// The published values with their masses, from the smallest value on, none without mass.
    pub published: Vec<(u64, Natural)>,
}

/// The relay's law at every count, ready to be drawn from.
#[derive(Debug, Clone)]
pub struct RelayTable {
    course: Course,
    budget: u128,
    walk: Option<Walk>,
    peak_ages: Vec<u32>,
}

/// A law before it is shown: labels with the same published value are already one outcome.
struct Outcomes {
    nothing: Mass,
    published: BTreeMap<u64, Mass>,
}

impl RelayTable {
    /// Returns the table for a curve and a delta, or why there is none.
    ///
    /// Deterministic: whoever knows the curve and delta rebuilds the same table.
    pub fn build(curve: &Curve, delta: &Rational) -> Result<RelayTable, RelayError> {
        let whole = Rational::from(Natural::ONE << 128);
        let Ok(budget) = u128::try_from(&(delta * whole).floor()) else { return Err(RelayError::DeltaOutOfRange) };
        let runs = curve.runs();
        let last_finite_run = runs.iter().rev().find(|run| run.level != Level::Constant(Epsilon::Infinite));
        if last_finite_run.is_some_and(|run| run.from > MAX_ROWS) {
            return Err(RelayError::TooLarge { most: MAX_RELAY_CELLS });
        }
        let course = Course::along(curve);
        if delta == &Rational::ZERO {
            return match course.last_finite {
                Some(_) => Ok(RelayTable { course, budget, walk: None, peak_ages: Vec::new() }),
                None => Err(RelayError::NoPublication),
            };
        }
        if budget < 1 << (128 - SMALLEST_DELTA_BITS) {
            return Err(RelayError::DeltaTooSmall);
        }
        let Some(walk) = walk(&course, budget, MAX_RELAY_CELLS) else {
            return Err(RelayError::TooLarge { most: MAX_RELAY_CELLS });
        };
        let peak_ages = match &walk.ending {
            Ending::Shifting { window, spacing, .. } => window.peak_ages(*spacing),
            Ending::Complete | Ending::Still(_) => Vec::new(),
        };
        Ok(RelayTable { course, budget, walk: Some(walk), peak_ages })
    }

    /// Returns what is published at a count, and with which mass; an absent bin (count 0) surely publishes nothing.
    pub fn law(&self, count: u64) -> RelayLaw {
        let outcomes = self.outcomes(count);
        RelayLaw {
            nothing: outcomes.nothing.to_natural(),
            published: outcomes.published.into_iter().map(|(value, mass)| (value, mass.to_natural())).collect(),
        }
    }

    /// Returns what is published at a count when a uniform word is drawn; nothing where nothing is published.
    ///
    /// The words of "nothing" come first, then those of the labels from the oldest to the newest.
    pub fn outcome(&self, count: u64, word: u128) -> Option<u64> {
        match self.place(count) {
            Place::Nothing => None,
            Place::Exact => Some(count),
            Place::Row(walk, oldest, starts) => {
                let label = starts.partition_point(|start| *start <= word).checked_sub(1)?;
                walk.values[oldest + label]
            }
            Place::Window(window) => Some(self.value_of_birth(&window, window.window.drawn(count, word))),
        }
    }

    /// Returns the mass of being published at a count, in units of `2^-128`. Written `pi(k) 2^128`.
    pub fn publication(&self, count: u64) -> Natural {
        Mass::WHOLE.minus(self.outcomes(count).nothing).to_natural()
    }

    /// Returns what the step from `count - 1` to `count` costs beyond `eps(count)`, in units of `2^-128`, rounded up.
    ///
    /// That is `max(sum_y max(0, P_k(y) - E P_{k-1}(y)), the same with k and k-1 swapped)` with `E = e^eps(k)`,
    /// computed from the integers that are drawn from; 0 where epsilon is infinite. An uncapped curve is taken at the
    /// epsilon that the relay follows, which is not above its own. Never above `delta_units` (test
    /// `no_step_costs_more_than_delta`).
    pub fn step_delta(&self, count: u64) -> Natural {
        let (Some(before), Some(epsilon)) = (count.checked_sub(1), self.course.epsilon(count.max(1))) else {
            return Natural::ZERO;
        };
        let growth = Growth::new(&epsilon);
        let (before, after) = (self.outcomes(before), self.outcomes(count));
        excess(&before, &after, &growth).max(excess(&after, &before, &growth)).to_natural()
    }

    /// Returns what each step may cost: delta in units of `2^-128`, rounded down.
    pub fn delta_units(&self) -> Natural {
        Natural::from(self.budget)
    }

    /// Returns what each step may cost, and the first one does: delta rounded down to a multiple of `2^-128`.
    pub fn budget(&self) -> Enclosure {
        let units = Integer::from(self.budget);
        Enclosure::between(units.clone(), units, 128)
    }

    /// Returns the promise that the table keeps.
    pub fn curve(&self) -> &Curve {
        &self.course.curve
    }

    /// Returns the first count whose law is that of all larger counts, shifted along; nothing if there is none below
    /// the counts that are published exactly.
    pub fn closed_at(&self) -> Option<u64> {
        match self.walk.as_ref()?.ending {
            Ending::Shifting { from, .. } | Ending::Still(from) => Some(from),
            Ending::Complete => None,
        }
    }

    /// Returns the first count that is always published, and exactly; nothing if epsilon is finite for every count.
    pub fn exact_from(&self) -> Option<u64> {
        self.course.last_finite.map(|last| last.saturating_add(1))
    }

    /// Returns the size of the table: the masses in its rows, the closing one included, and a value for each label.
    pub fn cells(&self) -> usize {
        self.walk.as_ref().map_or(0, |walk| walk.cells)
    }

    /// Returns the smallest value that is ever published.
    pub fn first_value(&self) -> u64 {
        let labels = self.walk.iter().flat_map(|walk| walk.values.iter().copied().flatten());
        labels.chain(self.exact_from()).min().unwrap_or(u64::MAX)
    }

    fn outcomes(&self, count: u64) -> Outcomes {
        let mut outcomes = Outcomes { nothing: Mass::ZERO, published: BTreeMap::new() };
        let mut publish = |value: u64, mass: Mass| {
            if mass > Mass::ZERO {
                let sum = outcomes.published.entry(value).or_insert(Mass::ZERO);
                *sum = sum.plus(mass);
            }
        };
        match self.place(count) {
            Place::Nothing => outcomes.nothing = Mass::WHOLE,
            Place::Exact => publish(count, Mass::WHOLE),
            Place::Row(walk, oldest, starts) => {
                for (index, start) in starts.iter().enumerate() {
                    let mass = Mass::between(*start, starts.get(index + 1).copied());
                    if let Some(value) = walk.values[oldest + index] {
                        publish(value, mass);
                    }
                }
                outcomes.nothing = starts.first().map_or(Mass::WHOLE, |start| Mass::new(*start));
            }
            Place::Window(shifting) => {
                for (birth, mass) in shifting.window.births(count) {
                    publish(self.value_of_birth(&shifting, birth), mass);
                }
            }
        }
        outcomes
    }

    /// Where the law at a count is kept.
    fn place(&self, count: u64) -> Place<'_> {
        if self.course.last_finite.is_some_and(|last| count > last) {
            return Place::Exact;
        }
        let Some(walk) = &self.walk else { return Place::Nothing };
        let row = match &walk.ending {
            Ending::Shifting { from, window, spacing } if count >= *from => {
                return Place::Window(Shifting { walk, window, spacing: *spacing });
            }
            Ending::Still(from) if count >= *from => walk.rows.row(from - 1),
            Ending::Shifting { .. } | Ending::Still(_) | Ending::Complete => walk.rows.row(count),
        };
        row.map_or(Place::Nothing, |(oldest, starts)| Place::Row(walk, oldest, starts))
    }

    /// The value published for a birth in the window: that of its label, be it one of the table or born later.
    fn value_of_birth(&self, shifting: &Shifting<'_>, birth: u64) -> u64 {
        let births = &shifting.walk.births;
        let last = births.last().copied().unwrap_or(1);
        let labels_later = birth.saturating_sub(last) / shifting.spacing;
        if labels_later == 0 {
            return shifting.walk.values[label_of(births, birth)].unwrap_or(birth);
        }
        // Where the curve turns infinite, labels born shortly before never reach their peak.
        let born = last + labels_later * shifting.spacing;
        let oldest_age = self.course.last_finite.map_or(u64::MAX, |last| last.saturating_sub(born));
        let entry = oldest_age.min(self.peak_ages.len() as u64 - 1) as usize;
        born.saturating_add(u64::from(self.peak_ages[entry]))
    }
}

/// Where the law at a count is kept.
enum Place<'a> {
    /// Nowhere: surely nothing.
    Nothing,
    /// Nowhere: the count itself.
    Exact,
    /// In the row whose oldest label is the given one.
    Row(&'a Walk, usize, &'a [u128]),
    /// In the window.
    Window(Shifting<'a>),
}

/// The window with what is needed to name its labels.
struct Shifting<'a> {
    walk: &'a Walk,
    window: &'a Window,
    spacing: u64,
}

/// Returns `sum_y max(0, after(y) - E before(y))`, rounded up once.
///
/// The sign of a term is decided exactly by `floor(E before(y))`; the terms that count add up to `A - E B` with whole
/// numbers `A > E B`, whose ceiling is `A - floor(E B)`.
fn excess(before: &Outcomes, after: &Outcomes, growth: &Growth) -> Mass {
    let nothing = (before.nothing, after.nothing);
    let published = after.published.iter().map(|(value, mass)| {
        let before = before.published.get(value).copied().unwrap_or(Mass::ZERO);
        (before, *mass)
    });
    let (mut sum_before, mut sum_after) = (Mass::ZERO, Mass::ZERO);
    for (before, after) in published.chain([nothing]) {
        if after > growth.rise(before) {
            sum_before = sum_before.plus(before);
            sum_after = sum_after.plus(after);
        }
    }
    sum_after.minus(growth.rise(sum_before))
}

#[cfg(test)]
mod tests;
