//! One dimension as the proofs see it, and when the bins of one are a function of the bins of another.
//!
//! A row is read by the cut: a text that is no number is missing where edges are asked for, and another value where
//! texts are listed. It must never compare cuts that read a row differently, unless the first keeps the value itself.
//! It is separate because every proof of `../binning.rs` is made of these. Read `pair.rs` next.

use crate::bin_value::{BinValue, ValueKind};
use crate::column_type::ColumnType;
use crate::cut::Cut;
use crate::dimension::{BinSource, Dimension, Nulls, Other};
use crate::edges::Edges;
use crate::listed_values::ListedValues;
use crate::period::Periods;
use crate::period_unit::PeriodUnit;
use incrowd_exact::Rational;
use std::collections::BTreeMap;

/// A dimension, with its cut in the form that proofs compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) source: BinSource,
    /// Whether the source is a column that is declared to hold integers: then every cut reads the same ones.
    pub(super) whole: bool,
    pub(super) bins: Bins,
    pub(super) other: Other,
    pub(super) nulls: Nulls,
}

/// A cut as proofs compare it: listed periods are intervals of days, for a day falls into either in the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Bins {
    /// Whatever values the data has.
    Found,
    /// Whatever periods the data has.
    Truncated(PeriodUnit),
    Values(ListedValues),
    Intervals(Scale, Edges),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    Number,
    /// Days since 1970.
    Day,
}

/// How a cut reads the value of a row; rows that cannot be read so are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadAs {
    /// As it is.
    Own,
    /// As a number with a fraction.
    Number,
    /// As a value of this kind.
    Value(ValueKind),
}

impl Bins {
    /// Returns the form of a cut that proofs compare; nothing for shared names, of which nothing is proved.
    fn of(cut: Cut) -> Option<Bins> {
        match cut {
            Cut::Found => Some(Bins::Found),
            Cut::Truncated(unit) => Some(Bins::Truncated(unit)),
            Cut::Values(values) => Some(Bins::Values(values)),
            Cut::Named(_) => None,
            Cut::Edges(edges @ (Edges::Regular { .. } | Edges::Numbers(_))) => {
                Some(Bins::Intervals(Scale::Number, edges))
            }
            Cut::Edges(edges @ Edges::Dates(_)) => Some(Bins::Intervals(Scale::Day, edges)),
            Cut::Periods(periods) => day_edges(&periods).map(|edges| Bins::Intervals(Scale::Day, edges)),
        }
    }
}

/// Returns the days at which periods begin and the last ends, by their numbers: that end may be after the last date
/// there is.
fn day_edges(periods: &Periods) -> Option<Edges> {
    let (first, last) = (periods.first().day_number(), periods.last().day_number());
    let regular = |days: i64| {
        let intervals = u64::try_from((last - first) / days + 1).ok()?;
        Edges::regular(Rational::from(first), Rational::from(days), intervals)
    };
    match periods.unit() {
        PeriodUnit::Day => regular(1),
        PeriodUnit::Week => regular(7),
        unit @ (PeriodUnit::Month | PeriodUnit::Quarter | PeriodUnit::Year) => {
            let starts = std::iter::successors(Some(first), |day| (*day <= last).then(|| unit.next(*day)));
            Edges::numbers(starts.map(Rational::from).collect())
        }
    }
}

impl Judged {
    /// Returns a dimension as proofs see it, among columns of these types; nothing where nothing is proved.
    pub(super) fn of(dimension: Dimension, types: &BTreeMap<String, ColumnType>) -> Option<Judged> {
        let Dimension { name: _, source, cut, other, nulls, items: _ } = dimension;
        let whole = match &source {
            BinSource::Column(column) => types.get(column) == Some(&ColumnType::Integer),
            BinSource::Expression(_) => false,
        };
        Some(Judged { source, whole, bins: Bins::of(cut)?, other, nulls })
    }

    pub(super) fn reading(&self) -> ReadAs {
        match &self.bins {
            Bins::Found => ReadAs::Own,
            Bins::Truncated(_) | Bins::Intervals(Scale::Day, _) => ReadAs::Value(ValueKind::Day),
            Bins::Values(values) => ReadAs::Value(values.kind()),
            Bins::Intervals(Scale::Number, _) if self.whole => ReadAs::Value(ValueKind::Integer),
            Bins::Intervals(Scale::Number, _) => ReadAs::Number,
        }
    }

    /// Returns the least value that is not below an edge, where values are known to be whole.
    pub(super) fn reached(&self, edge: &Rational) -> Rational {
        match self.reading() {
            ReadAs::Value(ValueKind::Integer) => Rational::from(edge.ceil()),
            ReadAs::Value(ValueKind::Text | ValueKind::Boolean | ValueKind::Day) | ReadAs::Own | ReadAs::Number => {
                edge.clone()
            }
        }
    }

    /// Whether every row is counted.
    pub(super) fn drops_nothing(&self) -> bool {
        self.nulls == Nulls::Bin && !self.drops_others()
    }

    /// Whether values in no listed bin exist and are dropped.
    fn drops_others(&self) -> bool {
        match &self.bins {
            Bins::Found | Bins::Truncated(_) => false,
            Bins::Values(values) => self.other == Other::NotCounted && !values.covers_booleans(),
            Bins::Intervals(_, _) => self.other == Other::NotCounted,
        }
    }

    /// Whether every row that this dimension drops is dropped by a later one, provably.
    ///
    /// What is missing here is missing there: both read alike, or this one reads the value itself. Where this one
    /// determines the later, what is in no listed bin here is in none there.
    pub(super) fn drops_within(&self, later: &Judged) -> bool {
        self.determines(later)
            && (self.nulls == Nulls::Bin || later.nulls == Nulls::Drop)
            && (!self.drops_others() || later.other == Other::NotCounted)
    }

    /// Whether the outcome in a later dimension is provably a function of the bin in this one, for rows that have one.
    pub(super) fn determines(&self, later: &Judged) -> bool {
        if self.source != later.source {
            return false;
        }
        match (&self.bins, &later.bins) {
            (one, other) if one == other => true,
            (Bins::Found, _) => true,
            (_, _) if self.reading() != later.reading() => false,
            (Bins::Truncated(short), Bins::Truncated(long)) => short.divides(*long),
            (Bins::Truncated(PeriodUnit::Day), Bins::Values(_) | Bins::Intervals(_, _)) => true,
            // A period whose first day is no day of the engine is missing, though the day itself is only outside.
            (Bins::Truncated(period), Bins::Intervals(_, edges)) => {
                let dropped = (later.nulls, later.other) == (Nulls::Drop, Other::NotCounted);
                dropped && edges.all(|edge| whole(edge).is_some_and(|day| period.first_day(day) == day))
            }
            (Bins::Values(listed), Bins::Values(fewer)) => fewer.all_among(listed),
            (Bins::Values(listed), Bins::Intervals(_, edges)) => self.lists_all_in(listed, edges),
            (Bins::Intervals(_, edges), Bins::Intervals(_, fewer)) => fewer.all_among(edges),
            (Bins::Truncated(_) | Bins::Intervals(_, _), Bins::Values(_))
            | (Bins::Truncated(_) | Bins::Values(_) | Bins::Intervals(_, _), Bins::Found)
            | (Bins::Values(_) | Bins::Intervals(_, _), Bins::Truncated(_)) => false,
        }
    }

    /// Whether all integers, or days, between the first edge and the last are listed: then nothing else is inside.
    fn lists_all_in(&self, listed: &ListedValues, edges: &Edges) -> bool {
        let (low, high) = edges.range();
        let (Ok(low), Ok(high)) = (i64::try_from(low.ceil()), i64::try_from(high.ceil())) else { return false };
        let inside = listed
            .iter()
            .filter_map(|value| BinValue::whole(&value))
            .filter(|whole| (low..high).contains(whole))
            .count();
        u64::try_from(inside).is_ok_and(|inside| inside == high.abs_diff(low))
    }
}

/// Returns a number without a fraction, if it is not too large.
pub(super) fn whole(number: &Rational) -> Option<i64> {
    if number.is_int() { i64::try_from(number.numerator().clone()).ok() } else { None }
}
