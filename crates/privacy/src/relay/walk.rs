//! Building the relay's table: one count after another until it closes, ends, or grows too large.
//!
//! It must never depend on anything but the curve and the budget, so that a verifier rebuilds the same table. It is
//! separate from `relay.rs` because building asks different questions than serving. Read `relay/row.rs` for the step
//! itself, then `relay.rs`.

use crate::curve::{Curve, Epsilon, Level};
use crate::relay::mass::{Growth, Mass};
use crate::relay::row::Row;
use crate::relay::window::{Span, Window, label_of};
use incrowd_exact::Rational;
use std::ops::RangeInclusive;

/// From this epsilon on, a curve that grows without end counts as constant.
const STEADY_EPSILON: u64 = 40;

/// The curve as the relay follows it: nowhere above the promise, and constant in the end.
#[derive(Debug, Clone)]
pub(crate) struct Course {
    /// The promise as given.
    pub(crate) curve: Curve,
    /// The last count with a finite epsilon; nothing if there is no infinite one.
    pub(crate) last_finite: Option<u64>,
    /// The count from which on the finite part is constant, and its value there.
    steady: Option<(u64, Rational)>,
}

impl Course {
    /// Returns the course along a curve.
    pub(crate) fn along(curve: &Curve) -> Course {
        let steady = curve.runs().iter().rev().find_map(|run| match &run.level {
            Level::Constant(Epsilon::Infinite) => None,
            Level::Constant(Epsilon::Finite(epsilon)) => Some((run.from, epsilon.clone())),
            Level::Proportional(slope) => {
                // Saturated where the slope is so small that no table gets there.
                let reached = (Rational::from(STEADY_EPSILON) / slope).ceil();
                let from = u64::try_from(&reached).unwrap_or(u64::MAX).max(run.from);
                Some((from, slope * Rational::from(from)))
            }
        });
        Course { curve: curve.clone(), last_finite: curve.last_finite(), steady }
    }

    /// Returns the epsilon of the step to `count >= 1`, or nothing where it is infinite.
    pub(crate) fn epsilon(&self, count: u64) -> Option<Rational> {
        if self.last_finite.is_some_and(|last| count > last) {
            return None;
        }
        match &self.steady {
            Some((from, epsilon)) if count >= *from => Some(epsilon.clone()),
            Some(_) | None => self.curve.epsilon(count).finite().cloned(),
        }
    }

    fn is_steady(&self, count: u64) -> bool {
        self.steady.as_ref().is_some_and(|(from, _)| count >= *from)
    }
}

/// Returns how old the newest label must be before the next is born, or nothing where no label is ever born.
///
/// Written `s(k) = max(1, floor(1/(4 eps(k))))`.
pub(crate) fn spacing(epsilon: &Rational) -> Option<u64> {
    if epsilon <= &Rational::ZERO {
        return None;
    }
    let whole = (Rational::ONE / (epsilon * Rational::from(4u8))).floor();
    Some(u64::try_from(&whole).unwrap_or(u64::MAX).max(1))
}

/// How the table goes on beyond its rows.
#[derive(Debug, Clone)]
pub(crate) enum Ending {
    /// The rows reach the last finite count.
    Complete,
    /// From this count on the last row is repeated: the curve is zero, and "nothing" is empty.
    Still(u64),
    /// From this count on the window shifts, and a label is born every so many counts.
    Shifting {
        /// The first count that the window serves.
        from: u64,
        /// Its law.
        window: Window,
        /// How many births a label covers.
        spacing: u64,
    },
}

/// The rows below the ending, as cumulative words: a label's words end where the next label's start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    starts: Vec<u128>,
    // For each count from 1 on: the oldest label alive, and where its words' start is kept.
    rows: Vec<(u32, u32)>,
}

impl Rows {
    /// Returns the oldest label alive at a count and where the words of each label from it on start; "nothing" comes
    /// first.
    pub(crate) fn row(&self, count: u64) -> Option<(usize, &[u128])> {
        let index = usize::try_from(count).ok()?.checked_sub(1)?;
        let (oldest, from) = self.rows.get(index)?;
        let to = self.rows.get(index + 1).map_or(self.starts.len(), |(_, next)| *next as usize);
        Some((*oldest as usize, &self.starts[*from as usize..to]))
    }

    fn push(&mut self, row: &Row) {
        self.rows.push((row.oldest as u32, self.starts.len() as u32));
        let mut start = row.nothing;
        for mass in &row.masses {
            // A start at the whole belongs to labels without mass at the row's end.
            let Some(units) = start.units() else { break };
            self.starts.push(units);
            start = start.plus(*mass);
        }
    }
}

/// What a walk leaves behind.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    pub(crate) rows: Rows,
    /// The first birth of each label.
    pub(crate) births: Vec<u64>,
    /// The smallest count at which each label is heaviest; nothing where it never has any mass.
    pub(crate) values: Vec<Option<u64>>,
    pub(crate) ending: Ending,
    /// Masses in the rows, the closing one included, and one published value for each label.
    pub(crate) cells: usize,
}

/// Walks along the course with a positive budget; nothing if the table would have more than `most` cells.
///
/// Once "nothing" is empty and the curve constant, steps use the window's smaller budget, and the table closes at the
/// first count where the step to the window is within the full one; it never closes earlier, even where that step would
/// already be within. The finite part of a curve with an infinite tail is closed likewise if it is constant for long
/// enough, so that a promise up to a million million people has a table.
pub(crate) fn walk(course: &Course, budget: u128, most: usize) -> Option<Walk> {
    let mut rows = Rows::default();
    let mut births: Vec<u64> = Vec::new();
    let mut peaks: Vec<(Mass, u64)> = Vec::new();
    let mut row = Row::absent();
    let mut growth: Option<Growth> = None;
    let mut window: Option<Window> = None;
    let mut cells = 0;
    let mut count = 0;
    let ending = loop {
        count += 1;
        let Some(epsilon) = course.epsilon(count) else { break Ending::Complete };
        let growth = match growth.take() {
            Some(same) if same.epsilon() == &epsilon => growth.insert(same),
            Some(_) | None => growth.insert(Growth::new(&epsilon)),
        };
        let spacing = spacing(&epsilon);
        // The first label is born with the first person even where epsilon is zero: there is no older one to rise.
        let born = births.last().is_none_or(|last| spacing.is_some_and(|spacing| count - last >= spacing));
        if born {
            births.push(count);
            peaks.push((Mass::ZERO, count));
            row.add_label();
        }
        let mut step_budget = budget;
        if row.nothing == Mass::ZERO && course.is_steady(count) {
            let Some(spacing) = spacing else { break Ending::Still(count) };
            let closing = window.take().unwrap_or_else(|| Window::within(budget, growth));
            if closing.follows(&row, count, &births, growth, budget) {
                let alive = births.len() - label_of(&births, (count + 1).saturating_sub(closing.width()));
                cells += alive;
                break Ending::Shifting { from: count, window: closing, spacing };
            }
            step_budget = closing.budget;
            window = Some(closing);
        }
        row.advance(growth, step_budget);
        rows.push(&row);
        for (mass, peak) in row.masses.iter().zip(&mut peaks[row.oldest..]) {
            if *mass > peak.0 {
                *peak = (*mass, count);
            }
        }
        cells += row.masses.len();
        if cells + births.len() > most {
            return None;
        }
    };
    if let Ending::Shifting { from, window, spacing } = &ending {
        let last = course.last_finite.unwrap_or(u64::MAX);
        raise_peaks(&mut peaks, &births, *from..=last, window, *spacing);
    }
    let cells = cells + births.len();
    let values = peaks.into_iter().map(|(mass, count)| (mass > Mass::ZERO).then_some(count)).collect();
    Some(Walk { rows, births, values, ending, cells })
}

/// Moves the peaks of the table's labels to where the window makes them heavier still.
fn raise_peaks(peaks: &mut [(Mass, u64)], births: &[u64], served: RangeInclusive<u64>, window: &Window, spacing: u64) {
    let mut bounds = births.to_vec();
    bounds.extend(births.last().map(|last| last.saturating_add(spacing)));
    let (from, last) = served.into_inner();
    for (label, peak) in peaks.iter_mut().enumerate() {
        // Beyond age 2J a label gains no births, and the first label gains none at all.
        let until = if label == 0 { from } else { births[label].saturating_add(window.width() - 1).max(from) };
        for count in from..=until.min(last) {
            let mass = window.mass(count, Span::of(&bounds, label));
            if mass > peak.0 {
                *peak = (mass, count);
            }
        }
    }
}
