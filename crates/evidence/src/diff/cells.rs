//! What two folders say of one cell: both values, the change, where it lies, and whether it is more than noise.
//!
//! Intervals and verdicts are functions of published values and of the laws that drew them, by exact arithmetic; a cell
//! that one of the two does not show must never get a number for it. It is separate from the tables because it is about
//! numbers alone. Read `incrowd_privacy`'s `change.rs` for the argument.

use super::diff_error::{DiffError, WhichFolder};
use super::error;
use super::one_folder::{CellKey, Cells};
use super::tables::{Aligned, ColumnOrder};
use incrowd_definition::Codes;
use incrowd_exact::{Enclosure, Rational, number_of};
use incrowd_privacy::{
    ChangeInterval, ChangeOdds, CountChange, Deployed, Direction, OneSided, OneSidedEnds, Outcome, Signal,
    more_than_noise,
};
use std::collections::HashMap;
use std::rc::Rc;

/// What is said of one cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellDiff {
    /// Its labels; nothing where a value is missing.
    pub key: Vec<Option<String>>,
    /// What the old table says.
    pub old: CellValue,
    /// What the new table says.
    pub new: CellValue,
    /// The new value less the old one, in thousandths; nothing unless both have one.
    pub change: Option<i128>,
    /// Where the change of the true count lies, 95 times of 100 whatever the counts; nothing unless both are shown.
    pub interval: Option<ChangeInterval>,
    /// The change in parts of the old value; nothing where the old count may be 0.
    pub relative: Option<Rational>,
    /// Were there no change, noise would show as much with at most this chance.
    pub chance: Option<Rational>,
    /// Whether it is more than noise, with all comparisons taken into account.
    pub verdict: Verdict,
}

/// What a table says of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellValue {
    /// A count, or an unbiased sum of counts, in thousandths; so many cells make it up.
    Count {
        /// The value.
        thousandths: i128,
        /// The cells.
        cells: usize,
    },
    /// No count, but where it lies.
    Between {
        /// The least.
        low: u64,
        /// The largest.
        high: u64,
    },
    /// Nothing.
    Hidden,
}

/// Whether a change is more than noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is, and there are more people.
    Up,
    /// It is, and there are fewer.
    Down,
    /// Noise may be all there is.
    MayBeNoise,
    /// One of the two tables does not show the cell.
    NotCompared,
}

impl Verdict {
    /// Returns the word for machines.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Up => "up",
            Verdict::Down => "down",
            Verdict::MayBeNoise => "may-be-noise",
            Verdict::NotCompared => "not-compared",
        }
    }
}

/// The laws of both tables.
pub(super) struct Comparison<'f> {
    old: TableLaw<'f>,
    new: TableLaw<'f>,
    odds: OddsBySize,
}

/// Odds by how many values are put together: one table needs few of them.
#[derive(Default)]
struct OddsBySize(HashMap<usize, Rc<ChangeOdds>>);

impl OddsBySize {
    fn of(&mut self, terms: usize) -> Result<Rc<ChangeOdds>, DiffError> {
        if let Some(known) = self.0.get(&terms) {
            return Ok(Rc::clone(known));
        }
        let odds = Rc::new(ChangeOdds::of(terms).map_err(|_| DiffError::TooManyParts)?);
        self.0.insert(terms, Rc::clone(&odds));
        Ok(odds)
    }

    /// Where the sum of some counts lies, 95 times of 100.
    fn interval(&mut self, ends: &[Rc<OneSidedEnds>]) -> Result<ChangeInterval, DiffError> {
        let odds = self.of(ends.len())?;
        let sum = CountChange::of(ends, &[], &odds).map_err(|_| DiffError::TooManyParts)?;
        sum.interval(&odds, &error()).ok_or(DiffError::TooManyParts)
    }
}

struct TableLaw<'f> {
    deployed: &'f Deployed,
    ends: OneSided<'f>,
    which: WhichFolder,
}

/// What a table says of a cell, and what follows from its law.
struct Side {
    value: CellValue,
    /// Nothing where the cell is not shown.
    ends: Option<Vec<Rc<OneSidedEnds>>>,
}

/// Labels in the order of the table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Declared(u64),
    Number(Rational),
    Text(String),
    Missing,
}

impl<'f> Comparison<'f> {
    /// Makes ready; may take a while where laws are listed count by count.
    pub(super) fn of(old: &'f Deployed, new: &'f Deployed) -> Result<Self, DiffError> {
        let law = |deployed: &'f Deployed, which: WhichFolder| {
            let ends = OneSided::of(deployed).map_err(|_| DiffError::NoLaw { which })?;
            Ok(TableLaw { deployed, ends, which })
        };
        Ok(Comparison {
            old: law(old, WhichFolder::Old)?,
            new: law(new, WhichFolder::New)?,
            odds: OddsBySize::default(),
        })
    }

    /// Returns what is said of every cell that one of the two shows, in the order of the table.
    pub(super) fn cells(mut self, old: Cells, new: Cells, aligned: &Aligned) -> Result<Vec<CellDiff>, DiffError> {
        let mut keys: Vec<CellKey> =
            old.keys().chain(new.keys().filter(|key| !old.contains_key(*key))).cloned().collect();
        let order: Vec<LabelOrder<'_>> = aligned.columns.iter().map(LabelOrder::of).collect();
        keys.sort_by_cached_key(|key| {
            let places: Vec<Place> =
                key.iter().zip(&order).map(|(label, order)| order.place(label.as_deref())).collect();
            (places, key.clone())
        });
        let mut cells = Vec::with_capacity(keys.len());
        let mut directions = Vec::new();
        for key in keys {
            let (before, after) =
                (self.old.side(old.get(&key), &mut self.odds)?, self.new.side(new.get(&key), &mut self.odds)?);
            let (cell, direction) = self.cell(key, before, after)?;
            cells.push(cell);
            directions.push(direction);
        }
        let chances: Vec<Rational> = cells.iter().filter_map(|cell| cell.chance.clone()).collect();
        let mut signals = more_than_noise(&chances, &error()).into_iter();
        for (cell, direction) in cells.iter_mut().zip(directions) {
            let signal = if cell.chance.is_some() { signals.next() } else { None };
            cell.verdict = match (signal, direction) {
                (None, _) => Verdict::NotCompared,
                (Some(Signal::MoreThanNoise), Direction::Up) => Verdict::Up,
                (Some(Signal::MoreThanNoise), Direction::Down) => Verdict::Down,
                (Some(Signal::MoreThanNoise), Direction::Open) | (Some(Signal::MayBeNoise), _) => Verdict::MayBeNoise,
            };
        }
        Ok(cells)
    }

    fn cell(&mut self, key: CellKey, before: Side, after: Side) -> Result<(CellDiff, Direction), DiffError> {
        let change = match (before.value, after.value) {
            (CellValue::Count { thousandths: old, .. }, CellValue::Count { thousandths: new, .. }) => Some(new - old),
            (CellValue::Count { .. } | CellValue::Between { .. } | CellValue::Hidden, _) => None,
        };
        let mut cell = CellDiff {
            key,
            old: before.value,
            new: after.value,
            change,
            interval: None,
            relative: None,
            chance: None,
            verdict: Verdict::NotCompared,
        };
        let (Some(taken), Some(added)) = (before.ends, after.ends) else { return Ok((cell, Direction::Open)) };
        let odds = self.odds.of(taken.len() + added.len())?;
        let found = CountChange::of(&added, &taken, &odds).map_err(|_| DiffError::TooManyParts)?;
        let evidence = found.evidence(&odds);
        cell.interval = found.interval(&odds, &error());
        cell.chance = Some(evidence.chance);
        if let (Some(change), CellValue::Count { thousandths: old, .. }) = (change, cell.old)
            && old > 0
            && self.odds.interval(&taken)?.low > 0
        {
            cell.relative = Some(Rational::from(change) / Rational::from(old));
        }
        Ok((cell, evidence.direction))
    }
}

impl TableLaw<'_> {
    fn side(&mut self, shown: Option<&Vec<Outcome>>, odds: &mut OddsBySize) -> Result<Side, DiffError> {
        let hidden = Side { value: CellValue::Hidden, ends: None };
        let Some(shown) = shown else { return Ok(hidden) };
        let value = |outcome: &Outcome| match outcome {
            Outcome::Value(value) => Some(*value),
            Outcome::AtMost(limit) => Some(i64::try_from(*limit).unwrap_or(i64::MAX)),
            Outcome::Range(low, high) => Some(low + (high - low) / 2),
            Outcome::Suppressed => None,
        };
        let Some(values) = shown.iter().map(value).collect::<Option<Vec<i64>>>() else { return Ok(hidden) };
        let which = self.which;
        let ends = values.iter().map(|value| self.ends.ends(*value)).collect::<Result<Vec<_>, _>>();
        let ends = ends.map_err(|_| DiffError::NoLaw { which })?;
        let is_count = |outcome: &Outcome| match outcome {
            Outcome::Value(_) => true,
            Outcome::AtMost(_) | Outcome::Range(_, _) | Outcome::Suppressed => false,
        };
        let value = match values.as_slice() {
            [] => return Ok(hidden),
            [value] if is_count(&shown[0]) => CellValue::Count { thousandths: i128::from(*value) * 1000, cells: 1 },
            values if shown.iter().all(is_count) => match self.unbiased_sum(values) {
                Some(thousandths) => CellValue::Count { thousandths, cells: values.len() },
                None => between(odds.interval(&ends)?),
            },
            _ => between(odds.interval(&ends)?),
        };
        Ok(Side { value, ends: Some(ends) })
    }

    /// The sum of the unbiased values of some counts, in thousandths, halves up.
    fn unbiased_sum(&self, values: &[i64]) -> Option<i128> {
        let unbiased = values.iter().map(|value| self.deployed.unbiased(*value).map(|unbiased| unbiased.value));
        let sum = unbiased.collect::<Option<Vec<Enclosure>>>()?.into_iter().reduce(|one, other| one.plus(&other))?;
        let half = Rational::ONE / Rational::from(2u8);
        i128::try_from(&(sum.lower() * Rational::from(1000u32) + half).floor()).ok()
    }
}

fn between(ChangeInterval { low, high }: ChangeInterval) -> CellValue {
    let end = |end: i128| u64::try_from(end).unwrap_or(0);
    CellValue::Between { low: end(low), high: end(high) }
}

/// How the labels of one column are put in order.
enum LabelOrder<'l> {
    Declared(Codes<'l>),
    Numbers,
    Texts,
}

impl<'l> LabelOrder<'l> {
    fn of(order: &'l ColumnOrder) -> Self {
        match order {
            ColumnOrder::Declared(labels) => LabelOrder::Declared(Codes::of(labels)),
            ColumnOrder::Numbers => LabelOrder::Numbers,
            ColumnOrder::Texts => LabelOrder::Texts,
        }
    }

    fn place(&self, label: Option<&str>) -> Place {
        match (self, label) {
            (LabelOrder::Declared(codes), label) => codes.code(label).map_or(Place::Missing, Place::Declared),
            (LabelOrder::Numbers | LabelOrder::Texts, None) => Place::Missing,
            (LabelOrder::Numbers, Some(text)) => {
                number_of(text).map_or_else(|| Place::Text(text.into()), Place::Number)
            }
            (LabelOrder::Texts, Some(text)) => Place::Text(text.into()),
        }
    }
}
