//! What one part of the rows has shown, and all parts together.
//!
//! Sums saturate and never wrap. It is separate because each thread has one of its own. Read `examine.rs` for who
//! adds to it.

use super::findings::LossCause;
use super::words::Words;
use incrowd_engine::{Cut, Query};
use std::sync::{Arc, Mutex, PoisonError};

/// What rows have shown.
pub(super) struct Tally {
    pub(super) rows: u64,
    pub(super) filtered: u64,
    /// People who are counted; persons with many rows are found out later.
    pub(super) counted: u64,
    /// People who are lost, by the number of the cause.
    pub(super) lost: Vec<u64>,
    /// Unreadable values, by step.
    pub(super) unread: Vec<Words>,
    /// Values in no bin, by dimension.
    pub(super) outside: Vec<Words>,
    /// How many people are in each declared cell, where there are few.
    pub(super) cells: Vec<u64>,
}

impl Tally {
    /// Returns an empty one.
    pub(super) fn of(causes: &Causes, steps: usize, cells: usize) -> Tally {
        let words = |count: usize| (0..count).map(|_| Words::default()).collect();
        let dimensions = causes.dimensions.len();
        Tally {
            rows: 0,
            filtered: 0,
            counted: 0,
            lost: vec![0; causes.count()],
            unread: words(steps),
            outside: words(dimensions),
            cells: vec![0; cells],
        }
    }

    /// Loses so many people for a cause.
    pub(super) fn lose(&mut self, cause: u16, people: u64) {
        if let Some(lost) = self.lost.get_mut(usize::from(cause)) {
            *lost = lost.saturating_add(people);
        }
    }

    fn merge(&mut self, other: Tally) {
        self.rows = self.rows.saturating_add(other.rows);
        self.filtered = self.filtered.saturating_add(other.filtered);
        self.counted = self.counted.saturating_add(other.counted);
        let add = |sums: &mut [u64], parts: Vec<u64>| {
            sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum = sum.saturating_add(part));
        };
        add(&mut self.lost, other.lost);
        add(&mut self.cells, other.cells);
        self.unread.iter_mut().zip(other.unread).for_each(|(words, part)| words.merge(part));
        self.outside.iter_mut().zip(other.outside).for_each(|(words, part)| words.merge(part));
    }
}

/// The tallies of all parts.
#[derive(Clone, Default)]
pub(super) struct Tallies(Arc<Mutex<Vec<Arc<Mutex<Tally>>>>>);

impl Tallies {
    /// Returns the tally of one more part.
    pub(super) fn one_more(&self, tally: Tally) -> Arc<Mutex<Tally>> {
        let tally = Arc::new(Mutex::new(tally));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&tally));
        tally
    }

    /// Returns all of them together, added to a first one.
    pub(super) fn sum(self, mut sum: Tally) -> Tally {
        for part in std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            let empty = Tally {
                rows: 0,
                filtered: 0,
                counted: 0,
                lost: Vec::new(),
                unread: Vec::new(),
                outside: Vec::new(),
                cells: Vec::new(),
            };
            sum.merge(std::mem::replace(&mut *part.lock().unwrap_or_else(PoisonError::into_inner), empty));
        }
        sum
    }
}

/// The numbers of causes, in the order in which the first one counts.
#[derive(Clone)]
pub(super) struct Causes {
    /// The headings of dimensions, and whether they are periods.
    dimensions: Vec<(String, bool)>,
}

/// The unit of a row is missing.
pub(super) const NO_UNIT: u16 = 0;
/// The condition cannot be decided.
pub(super) const UNDECIDED: u16 = 1;

/// What is wrong with the value of a dimension.
#[derive(Clone, Copy)]
pub(super) enum Wrong {
    Unread,
    Missing,
    Outside,
    CountedAsMissing,
}

const KINDS: [Wrong; 4] = [Wrong::Unread, Wrong::Missing, Wrong::Outside, Wrong::CountedAsMissing];

impl Causes {
    /// Returns the causes of a query.
    pub(super) fn of(query: &Query) -> Causes {
        let dimensions = query.dimensions.iter().enumerate();
        let is_time = |index: usize, cut: &Cut| matches!(cut, Cut::Periods(_)) || index == 0 && query.time.is_some();
        Causes { dimensions: dimensions.map(|(index, one)| (one.name.clone(), is_time(index, &one.cut))).collect() }
    }

    fn count(&self) -> usize {
        2 + KINDS.len() * self.dimensions.len()
    }

    /// Returns the number of a cause in a dimension.
    pub(super) fn number(dimension: usize, wrong: Wrong) -> u16 {
        u16::try_from(2 + KINDS.len() * dimension + wrong as usize).unwrap_or(u16::MAX)
    }

    /// Returns all causes, in order.
    pub(super) fn all(&self) -> Vec<LossCause> {
        let mut all = vec![LossCause::NoUnit, LossCause::Undecided];
        for (bin, is_period) in &self.dimensions {
            let bin = || bin.clone();
            all.extend(KINDS.map(|wrong| match wrong {
                Wrong::Unread => LossCause::Unread { bin: bin() },
                Wrong::Missing => LossCause::Missing { bin: bin() },
                Wrong::Outside if *is_period => LossCause::NoPeriod { bin: bin() },
                Wrong::Outside => LossCause::NoBin { bin: bin() },
                Wrong::CountedAsMissing => LossCause::CountedAsMissing { bin: bin() },
            }));
        }
        all
    }
}

/// Whether a cause is that a value is counted as missing: such a row has its bin.
pub(super) fn is_counted_as_missing(cause: u16) -> bool {
    let kinds = KINDS.len() as u16;
    cause >= 2 && (cause - 2) % kinds == Wrong::CountedAsMissing as u16
}
