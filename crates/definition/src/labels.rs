//! What stands for each bin of a declared dimension.
//!
//! Texts stay as they are, numbers, truth values and days keep their types, intervals are written `[0, 20000)`, periods
//! are their first day; a missing value is missing and "other" a text. It must never give two bins the same label. It
//! is separate because labels follow from definitions alone, and whoever checks a table makes them again. Read
//! `codes.rs` next for the way back.

use crate::bin_value::ValueKind;
use crate::calendar::day_text;
use crate::cut::{Cut, names_of};
use crate::date::Date;
use crate::dimension::{Dimension, Nulls, Other};
use crate::edges::Edges;
use crate::listed_values::ListedValues;
use incrowd_exact::decimal_text;
use std::borrow::Cow;

/// The label of all values that are not listed.
const OTHER: &str = "other";
/// Labels of up to so many intervals are kept; more are written when they are needed.
const KEPT: u64 = 1 << 16;

/// The labels of declared bins: of the listed ones from 0, then of "other", then of the missing ones.
#[derive(Debug, Clone)]
pub struct Labels {
    listed: Listed,
    other: Other,
    nulls: Nulls,
}

#[derive(Debug, Clone)]
enum Listed {
    Values(ListedValues),
    Intervals(Edges),
}

/// What stands for a bin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label<'l> {
    /// A missing value.
    Missing,
    /// A text, the name of a bin, an interval or "other".
    Text(Cow<'l, str>),
    /// A whole number.
    Integer(i64),
    /// `true` or `false`.
    Boolean(bool),
    /// A day.
    Day(Date),
}

/// That a listed text reads like the label of all that are not listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherIsListed;

impl Labels {
    /// Returns the labels of a dimension, nothing if its bins are found in the data; refuses labels that could be
    /// confused.
    pub fn of(dimension: &Dimension) -> Result<Option<Labels>, OtherIsListed> {
        let texts = |texts: Vec<String>| Listed::Values(ListedValues::Texts(texts));
        let listed = match &dimension.cut {
            Cut::Found | Cut::Truncated(_) => return Ok(None),
            Cut::Values(values) => Listed::Values(values.clone()),
            Cut::Named(pairs) => texts(names_of(pairs).into_iter().map(String::from).collect()),
            Cut::Edges(edges) if edges.intervals() <= KEPT => {
                texts((0..edges.intervals()).map(|index| interval_text(edges, index)).collect())
            }
            Cut::Edges(edges) => Listed::Intervals(edges.clone()),
            Cut::Periods(periods) => Listed::Values(ListedValues::Days(periods.starts().collect())),
        };
        if let (Listed::Values(ListedValues::Texts(texts)), Other::Counted) = (&listed, dimension.other)
            && texts.iter().any(|text| text == OTHER)
        {
            return Err(OtherIsListed);
        }
        Ok(Some(Labels { listed, other: dimension.other, nulls: dimension.nulls }))
    }

    /// Returns the numbers from 1 up to a last one: of places in a table, which are in no data.
    pub fn numbers(last: u64) -> Labels {
        let numbers = (1..=i64::try_from(last).unwrap_or(i64::MAX)).collect();
        let listed = Listed::Values(ListedValues::Integers(numbers));
        Labels { listed, other: Other::NotCounted, nulls: Nulls::Drop }
    }

    /// Returns how many there are.
    pub fn size(&self) -> u64 {
        let symbols = u64::from(self.other == Other::Counted) + u64::from(self.nulls == Nulls::Bin);
        self.listed().saturating_add(symbols)
    }

    /// Returns what all labels but the missing one are: texts where "other" is one of them.
    pub fn kind(&self) -> ValueKind {
        match (&self.listed, self.other) {
            (Listed::Values(values), Other::NotCounted) => values.kind(),
            (Listed::Intervals(_), Other::NotCounted) | (Listed::Values(_) | Listed::Intervals(_), Other::Counted) => {
                ValueKind::Text
            }
        }
    }

    /// Returns the labels that are listed as texts; those of very many intervals are not.
    pub fn texts(&self) -> &[String] {
        match &self.listed {
            Listed::Values(ListedValues::Texts(texts)) => texts,
            Listed::Values(ListedValues::Integers(_) | ListedValues::Booleans(_) | ListedValues::Days(_))
            | Listed::Intervals(_) => &[],
        }
    }

    /// Returns the label of a bin; nothing beyond the last.
    pub fn label(&self, code: u64) -> Option<Label<'_>> {
        let Some(symbol) = code.checked_sub(self.listed()) else { return self.listed_label(code) };
        match (symbol, self.other, self.nulls) {
            (0, Other::Counted, _) => Some(Label::Text(Cow::Borrowed(OTHER))),
            (0, Other::NotCounted, Nulls::Bin) | (1, Other::Counted, Nulls::Bin) => Some(Label::Missing),
            (_, Other::Counted | Other::NotCounted, Nulls::Bin | Nulls::Drop) => None,
        }
    }

    /// Returns the intervals, if their labels are not kept.
    pub(crate) fn intervals(&self) -> Option<&Edges> {
        match &self.listed {
            Listed::Intervals(edges) => Some(edges),
            Listed::Values(_) => None,
        }
    }

    fn listed(&self) -> u64 {
        match &self.listed {
            Listed::Values(values) => values.count(),
            Listed::Intervals(edges) => edges.intervals(),
        }
    }

    fn listed_label(&self, code: u64) -> Option<Label<'_>> {
        let at = usize::try_from(code).ok()?;
        Some(match &self.listed {
            Listed::Values(ListedValues::Texts(texts)) => Label::Text(Cow::Borrowed(texts.get(at)?)),
            Listed::Values(ListedValues::Integers(integers)) => Label::Integer(*integers.get(at)?),
            Listed::Values(ListedValues::Booleans(flags)) => Label::Boolean(*flags.get(at)?),
            Listed::Values(ListedValues::Days(days)) => Label::Day(*days.get(at)?),
            Listed::Intervals(edges) => Label::Text(Cow::Owned(interval_text(edges, code))),
        })
    }
}

impl<'l> Label<'l> {
    /// Returns the label as a file without types shows it; nothing if the value is missing.
    pub fn text(self) -> Option<Cow<'l, str>> {
        match self {
            Label::Missing => None,
            Label::Text(text) => Some(text),
            Label::Integer(value) => Some(Cow::Owned(value.to_string())),
            Label::Boolean(flag) => Some(Cow::Borrowed(if flag { "true" } else { "false" })),
            Label::Day(day) => Some(Cow::Owned(day_text(day.day_number()))),
        }
    }
}

/// Returns `[0, 20000)`.
fn interval_text(edges: &Edges, index: u64) -> String {
    let end = |index: u64| match edges {
        Edges::Regular { .. } | Edges::Numbers(_) => edges.number(index).map_or_else(String::new, |x| decimal_text(&x)),
        Edges::Dates(days) => {
            usize::try_from(index).ok().and_then(|at| days.get(at)).map_or_else(String::new, ToString::to_string)
        }
    };
    format!("[{}, {})", end(index), end(index + 1))
}
