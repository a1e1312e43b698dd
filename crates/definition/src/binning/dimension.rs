//! One dimension of a table, and when the bins of one are a function of the bins of another.
//!
//! A row is read by the cut: a text that is no number is missing where edges are asked for, and another value where texts
//! are listed. It must never compare cuts that read a row differently, unless the first keeps the value itself. It is
//! separate because every proof of `../binning.rs` is made of these. Read `pair.rs` next.

use super::edges::Edges;
use crate::period_unit::PeriodUnit;
use incrowd_exact::Rational;
use std::collections::HashSet;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dimension {
    pub(super) source: Source,
    /// Whether the source is a column that is declared to hold integers: then every cut reads the same ones.
    pub(super) whole: bool,
    pub(super) cut: Cut,
    /// What happens to values in no listed bin; dropped where there is nothing to be outside of.
    pub(super) other: Fate,
    /// What happens to missing values.
    pub(super) nulls: Fate,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Column(String),
    Expression(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Dropped,
    Counted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cut {
    /// Whatever values the data has.
    Found,
    /// Whatever periods the data has.
    Truncated(PeriodUnit),
    /// Different values of one kind, at least one.
    Values(Vec<Key>),
    /// Intervals; listed periods as well.
    Edges(Scale, Edges),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    Number,
    /// Days since 1970.
    Day,
}

/// A public value. The text "1" is not the integer 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Text(String),
    Integer(i64),
    Boolean(bool),
    /// In days since 1970.
    Day(i64),
}

/// How a cut reads the value of a row; rows that cannot be read so are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// As it is.
    Own,
    Text,
    Integer,
    Boolean,
    Number,
    Day,
}

impl Key {
    pub(super) fn kind(&self) -> Reading {
        match self {
            Key::Text(_) => Reading::Text,
            Key::Integer(_) => Reading::Integer,
            Key::Boolean(_) => Reading::Boolean,
            Key::Day(_) => Reading::Day,
        }
    }

    /// Returns an integer, or a day by its number.
    pub(super) fn whole(&self) -> Option<i64> {
        match self {
            Key::Integer(whole) | Key::Day(whole) => Some(*whole),
            Key::Text(_) | Key::Boolean(_) => None,
        }
    }
}

impl Dimension {
    pub(super) fn reading(&self) -> Reading {
        match &self.cut {
            Cut::Found => Reading::Own,
            Cut::Truncated(_) | Cut::Edges(Scale::Day, _) => Reading::Day,
            Cut::Values(keys) => keys.first().map_or(Reading::Own, Key::kind),
            Cut::Edges(Scale::Number, _) if self.whole => Reading::Integer,
            Cut::Edges(Scale::Number, _) => Reading::Number,
        }
    }

    /// Returns the least value that is not below an edge, where values are known to be whole.
    pub(super) fn reached(&self, edge: &Rational) -> Rational {
        match self.reading() {
            Reading::Integer => Rational::from(edge.ceil()),
            Reading::Own | Reading::Text | Reading::Boolean | Reading::Number | Reading::Day => edge.clone(),
        }
    }

    /// Whether every row is counted.
    pub(super) fn drops_nothing(&self) -> bool {
        self.nulls == Fate::Counted && !self.drops_others()
    }

    /// Whether values in no listed bin exist and are dropped.
    fn drops_others(&self) -> bool {
        match &self.cut {
            Cut::Found | Cut::Truncated(_) => false,
            Cut::Values(keys) => self.other == Fate::Dropped && !covers_booleans(keys),
            Cut::Edges(_, _) => self.other == Fate::Dropped,
        }
    }

    /// Whether every row that this dimension drops is dropped by a later one, provably.
    ///
    /// What is missing here is missing there: both read alike, or this one reads the value itself. Where this one
    /// determines the later, what is in no listed bin here is in none there.
    pub(super) fn drops_within(&self, later: &Dimension) -> bool {
        self.determines(later)
            && (self.nulls == Fate::Counted || later.nulls == Fate::Dropped)
            && (!self.drops_others() || later.other == Fate::Dropped)
    }

    /// Whether the outcome in a later dimension is provably a function of the bin in this one, for rows that have one.
    pub(super) fn determines(&self, later: &Dimension) -> bool {
        if self.source != later.source {
            return false;
        }
        match (&self.cut, &later.cut) {
            (one, other) if one == other => true,
            (Cut::Found, _) => true,
            (_, _) if self.reading() != later.reading() => false,
            (Cut::Truncated(short), Cut::Truncated(long)) => short.divides(*long),
            (Cut::Truncated(PeriodUnit::Day), Cut::Values(_) | Cut::Edges(_, _)) => true,
            // A period whose first day is no day of the engine is missing, though the day itself is only outside.
            (Cut::Truncated(period), Cut::Edges(_, edges)) => {
                let dropped = (later.nulls, later.other) == (Fate::Dropped, Fate::Dropped);
                dropped && edges.all(|edge| whole(edge).is_some_and(|day| period.first_day(day) == day))
            }
            (Cut::Values(listed), Cut::Values(fewer)) => {
                let listed: HashSet<&Key> = listed.iter().collect();
                fewer.iter().all(|key| listed.contains(key))
            }
            (Cut::Values(listed), Cut::Edges(_, edges)) => self.lists_all_in(listed, edges),
            (Cut::Edges(_, edges), Cut::Edges(_, fewer)) => fewer.all_among(edges),
            (Cut::Truncated(_) | Cut::Edges(_, _), Cut::Values(_))
            | (Cut::Truncated(_) | Cut::Values(_) | Cut::Edges(_, _), Cut::Found)
            | (Cut::Values(_) | Cut::Edges(_, _), Cut::Truncated(_)) => false,
        }
    }

    /// Whether all integers, or days, between the first edge and the last are listed: then nothing else is inside.
    fn lists_all_in(&self, listed: &[Key], edges: &Edges) -> bool {
        let (low, high) = edges.range();
        let (Ok(low), Ok(high)) = (i64::try_from(low.ceil()), i64::try_from(high.ceil())) else { return false };
        let inside = listed.iter().filter_map(Key::whole).filter(|whole| (low..high).contains(whole)).count();
        u64::try_from(inside).is_ok_and(|inside| inside == high.abs_diff(low))
    }
}

/// Returns a number without a fraction, if it is not too large.
pub(super) fn whole(number: &Rational) -> Option<i64> {
    if number.is_int() { i64::try_from(number.numerator().clone()).ok() } else { None }
}

/// Whether both truth values are listed.
pub(super) fn covers_booleans(keys: &[Key]) -> bool {
    keys.contains(&Key::Boolean(true)) && keys.contains(&Key::Boolean(false))
}
