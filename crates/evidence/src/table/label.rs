//! The keys of a table: what stands for each bin of a dimension.
//!
//! Texts stay as they are, numbers, truth values and days keep their types, intervals are written `[0, 20000)`, periods are
//! their first day; a missing value is a real null and "other" a text. It must never give two bins the same label. It is
//! separate because labels follow from the request alone. Read `reading.rs` next.

use crate::request::{Bin, BinValue, Cut, Edges, KeyColumn, Nulls, Other, names_of};
use arrow_array::builder::{BooleanBuilder, Date32Builder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use incrowd_definition::Date;
use incrowd_definition::calendar::day_text;
use incrowd_exact::decimal_text;
use incrowd_plan::TableRefusal;
use std::borrow::Cow;
use std::sync::Arc;

/// The label of all values that are not listed.
const OTHER: &str = "other";
/// Labels of up to so many intervals are kept; more are written when they are needed.
const KEPT: u64 = 1 << 16;

/// One dimension of a table.
pub(crate) struct Dimension {
    name: String,
    nulls: Nulls,
    listed: Option<Listed>,
}

/// A dimension whose bins are declared: the listed ones from 0, then "other", then the missing ones.
struct Listed {
    labels: Labels,
    count: u64,
    other: Other,
}

enum Labels {
    Texts(Vec<String>),
    Integers(Vec<i64>),
    Flags(Vec<bool>),
    Days(Vec<i32>),
    Intervals(Edges),
}

/// What stands for a bin.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Label<'a> {
    Missing,
    Text(Cow<'a, str>),
    Integer(i64),
    Flag(bool),
    Day(i32),
}

impl Dimension {
    /// Returns what stands in a column of keys, or refuses labels that could be confused.
    pub(crate) fn of(column: &KeyColumn<'_>) -> Result<Dimension, TableRefusal> {
        let without_nulls = |name: &str, listed| Dimension { name: name.into(), nulls: Nulls::Drop, listed };
        match column {
            KeyColumn::Counted(bin) => Dimension::of_bin(bin),
            KeyColumn::Numbered { name, last } => {
                let labels = Labels::Integers((1..=i64::try_from(*last).unwrap_or(i64::MAX)).collect());
                Ok(without_nulls(name, Some(Listed { labels, count: *last, other: Other::NotCounted })))
            }
            KeyColumn::Drawn { name, .. } => Ok(without_nulls(name, None)),
        }
    }

    /// Returns the dimension of a bin, or refuses labels that could be confused.
    fn of_bin(bin: &Bin) -> Result<Dimension, TableRefusal> {
        let labels = match &bin.cut {
            Cut::Found | Cut::Truncated(_) => None,
            Cut::Values(values) => Some(listed_values(values)),
            Cut::Named(pairs) => Some(Labels::Texts(names_of(pairs).into_iter().map(String::from).collect())),
            Cut::Edges(edges) if edges.intervals() <= KEPT => {
                Some(Labels::Texts((0..edges.intervals()).map(|index| interval_text(edges, index)).collect()))
            }
            Cut::Edges(edges) => Some(Labels::Intervals(edges.clone())),
            Cut::Periods(periods) => Some(Labels::Days(periods.starts().map(Date::days).collect())),
        };
        let listed = labels.map(|labels| Listed { count: labels.count(), labels, other: bin.other });
        if let Some(Listed { labels: Labels::Texts(texts), other: Other::Counted, .. }) = &listed
            && texts.iter().any(|text| text == OTHER)
        {
            return Err(TableRefusal::OtherIsListed { bin: bin.name.clone() });
        }
        Ok(Dimension { name: bin.name.clone(), nulls: bin.nulls, listed })
    }

    /// Returns how many bins are declared; nothing if they are found.
    pub(crate) fn size(&self) -> Option<u64> {
        let listed = self.listed.as_ref()?;
        let symbols = u64::from(listed.other == Other::Counted) + u64::from(self.nulls == Nulls::Bin);
        listed.count.checked_add(symbols)
    }

    /// Returns the column's name and type; `found` is the type of one that is found.
    pub(crate) fn field(&self, found: &DataType) -> Field {
        let kind = self.listed.as_ref().map_or_else(|| found.clone(), Listed::data_type);
        Field::new(&self.name, kind, self.nulls == Nulls::Bin)
    }

    /// Returns the label of a declared bin; nothing beyond the last.
    pub(crate) fn label(&self, code: u64) -> Option<Label<'_>> {
        let listed = self.listed.as_ref()?;
        if code < listed.count {
            return listed.label(code);
        }
        match (code - listed.count, listed.other, self.nulls) {
            (0, Other::Counted, _) => Some(Label::Text(Cow::Borrowed(OTHER))),
            (0, Other::NotCounted, Nulls::Bin) | (1, Other::Counted, Nulls::Bin) => Some(Label::Missing),
            (_, _, _) => None,
        }
    }

    /// Returns the labels of some codes as a column; nothing if a code is unknown.
    pub(crate) fn column(&self, codes: &[u64]) -> Option<ArrayRef> {
        let labels = codes.iter().map(|code| self.label(*code));
        Some(match self.listed.as_ref()?.data_type() {
            DataType::Int64 => {
                let mut column = Int64Builder::with_capacity(codes.len());
                for label in labels {
                    column.append_option(if let Label::Integer(value) = label? { Some(value) } else { None });
                }
                Arc::new(column.finish())
            }
            DataType::Boolean => {
                let mut column = BooleanBuilder::with_capacity(codes.len());
                for label in labels {
                    column.append_option(if let Label::Flag(value) = label? { Some(value) } else { None });
                }
                Arc::new(column.finish())
            }
            DataType::Date32 => {
                let mut column = Date32Builder::with_capacity(codes.len());
                for label in labels {
                    column.append_option(if let Label::Day(value) = label? { Some(value) } else { None });
                }
                Arc::new(column.finish())
            }
            _ => {
                let mut column = StringBuilder::with_capacity(codes.len(), codes.len() * 12);
                for label in labels {
                    column.append_option(label?.text());
                }
                Arc::new(column.finish())
            }
        })
    }

    /// The same for codes that arrive as a column beside found ones.
    pub(crate) fn coded_column(&self, codes: &dyn Array) -> Option<ArrayRef> {
        let codes = codes.as_primitive_opt::<UInt64Type>()?;
        if codes.null_count() > 0 { None } else { self.column(codes.values()) }
    }
}

impl Listed {
    fn data_type(&self) -> DataType {
        match (&self.labels, self.other) {
            (Labels::Texts(_) | Labels::Intervals(_), _) | (_, Other::Counted) => DataType::Utf8,
            (Labels::Integers(_), Other::NotCounted) => DataType::Int64,
            (Labels::Flags(_), Other::NotCounted) => DataType::Boolean,
            (Labels::Days(_), Other::NotCounted) => DataType::Date32,
        }
    }

    fn label(&self, code: u64) -> Option<Label<'_>> {
        let at = usize::try_from(code).ok()?;
        Some(match &self.labels {
            Labels::Texts(texts) => Label::Text(Cow::Borrowed(texts.get(at)?)),
            Labels::Integers(values) => Label::Integer(*values.get(at)?),
            Labels::Flags(values) => Label::Flag(*values.get(at)?),
            Labels::Days(values) => Label::Day(*values.get(at)?),
            Labels::Intervals(edges) => Label::Text(Cow::Owned(interval_text(edges, code))),
        })
    }
}

impl Labels {
    fn count(&self) -> u64 {
        match self {
            Labels::Texts(texts) => texts.len() as u64,
            Labels::Integers(values) => values.len() as u64,
            Labels::Flags(values) => values.len() as u64,
            Labels::Days(values) => values.len() as u64,
            Labels::Intervals(edges) => edges.intervals(),
        }
    }
}

impl<'a> Label<'a> {
    /// Returns the label as a file without types shows it; nothing if the value is missing.
    pub(crate) fn text(self) -> Option<Cow<'a, str>> {
        match self {
            Label::Missing => None,
            Label::Text(text) => Some(text),
            Label::Integer(value) => Some(Cow::Owned(value.to_string())),
            Label::Flag(value) => Some(Cow::Borrowed(if value { "true" } else { "false" })),
            Label::Day(day) => Some(Cow::Owned(day_text(i64::from(day)))),
        }
    }
}

fn listed_values(values: &[BinValue]) -> Labels {
    // A list is of one kind: the first value tells which.
    let numbers = values.iter();
    match values.first() {
        Some(BinValue::Integer(_)) => Labels::Integers(
            numbers
                .filter_map(|value| if let BinValue::Integer(value) = value { Some(*value) } else { None })
                .collect(),
        ),
        Some(BinValue::Boolean(_)) => Labels::Flags(
            numbers
                .filter_map(|value| if let BinValue::Boolean(value) = value { Some(*value) } else { None })
                .collect(),
        ),
        Some(BinValue::Date(_)) => Labels::Days(
            numbers.filter_map(|value| if let BinValue::Date(day) = value { Some(day.days()) } else { None }).collect(),
        ),
        Some(BinValue::Text(_)) | None => Labels::Texts(values.iter().map(ToString::to_string).collect()),
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
