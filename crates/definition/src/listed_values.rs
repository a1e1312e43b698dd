//! Lists of public values of one kind.
//!
//! The number of a value is its place in the list; it must never mix kinds, which a column could not have together. It
//! is separate because a list of a million values is kept as what they are. Read `cut.rs` next.

use crate::bin_value::{BinValue, ValueKind};
use crate::date::Date;
use serde_json::Value;
use std::collections::HashSet;
use std::hash::Hash;

/// Different public values of one kind, in the order in which they are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListedValues {
    /// Texts, compared exactly.
    Texts(Vec<String>),
    /// Integers.
    Integers(Vec<i64>),
    /// Truth values.
    Booleans(Vec<bool>),
    /// Days.
    Days(Vec<Date>),
}

impl ListedValues {
    /// Returns a list of at least one value; nothing if they are not different values of one kind.
    pub fn of(values: &[BinValue]) -> Option<ListedValues> {
        let mut seen = HashSet::with_capacity(values.len());
        if !values.iter().all(|value| seen.insert(value)) {
            return None;
        }
        let all = values.iter();
        match values.first()?.kind() {
            ValueKind::Text => {
                let texts = all.map(|value| if let BinValue::Text(text) = value { Some(text.clone()) } else { None });
                texts.collect::<Option<_>>().map(ListedValues::Texts)
            }
            ValueKind::Integer => {
                let integers = all.map(|value| if let BinValue::Integer(whole) = value { Some(*whole) } else { None });
                integers.collect::<Option<_>>().map(ListedValues::Integers)
            }
            ValueKind::Boolean => {
                let flags = all.map(|value| if let BinValue::Boolean(flag) = value { Some(*flag) } else { None });
                flags.collect::<Option<_>>().map(ListedValues::Booleans)
            }
            ValueKind::Day => {
                let days = all.map(|value| if let BinValue::Date(day) = value { Some(*day) } else { None });
                days.collect::<Option<_>>().map(ListedValues::Days)
            }
        }
    }

    /// Returns what all of them are.
    pub fn kind(&self) -> ValueKind {
        match self {
            ListedValues::Texts(_) => ValueKind::Text,
            ListedValues::Integers(_) => ValueKind::Integer,
            ListedValues::Booleans(_) => ValueKind::Boolean,
            ListedValues::Days(_) => ValueKind::Day,
        }
    }

    /// Returns how many there are.
    pub fn count(&self) -> u64 {
        let count = match self {
            ListedValues::Texts(texts) => texts.len(),
            ListedValues::Integers(integers) => integers.len(),
            ListedValues::Booleans(flags) => flags.len(),
            ListedValues::Days(days) => days.len(),
        };
        count as u64
    }

    /// Returns the value at a place, from 0.
    pub fn get(&self, place: usize) -> Option<BinValue> {
        match self {
            ListedValues::Texts(texts) => texts.get(place).cloned().map(BinValue::Text),
            ListedValues::Integers(integers) => integers.get(place).copied().map(BinValue::Integer),
            ListedValues::Booleans(flags) => flags.get(place).copied().map(BinValue::Boolean),
            ListedValues::Days(days) => days.get(place).copied().map(BinValue::Date),
        }
    }

    /// Returns all of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = BinValue> + '_ {
        (0..).map_while(|place| self.get(place))
    }

    /// Returns the last.
    pub fn last(&self) -> Option<BinValue> {
        self.get(usize::try_from(self.count().checked_sub(1)?).ok()?)
    }

    /// Whether a value is one of them.
    pub fn contains(&self, value: &BinValue) -> bool {
        match (self, value) {
            (ListedValues::Texts(texts), BinValue::Text(text)) => texts.contains(text),
            (ListedValues::Integers(integers), BinValue::Integer(integer)) => integers.contains(integer),
            (ListedValues::Booleans(flags), BinValue::Boolean(flag)) => flags.contains(flag),
            (ListedValues::Days(days), BinValue::Date(day)) => days.contains(day),
            (
                ListedValues::Texts(_) | ListedValues::Integers(_) | ListedValues::Booleans(_) | ListedValues::Days(_),
                BinValue::Text(_) | BinValue::Integer(_) | BinValue::Boolean(_) | BinValue::Date(_),
            ) => false,
        }
    }

    /// Whether each of these is one of the others.
    pub(crate) fn all_among(&self, others: &ListedValues) -> bool {
        match (self, others) {
            (ListedValues::Texts(texts), ListedValues::Texts(others)) => are_among(texts, others),
            (ListedValues::Integers(integers), ListedValues::Integers(others)) => are_among(integers, others),
            (ListedValues::Booleans(flags), ListedValues::Booleans(others)) => are_among(flags, others),
            (ListedValues::Days(days), ListedValues::Days(others)) => are_among(days, others),
            (
                ListedValues::Texts(_) | ListedValues::Integers(_) | ListedValues::Booleans(_) | ListedValues::Days(_),
                _,
            ) => false,
        }
    }

    /// Whether both truth values are listed: then there is no other.
    pub(crate) fn covers_booleans(&self) -> bool {
        match self {
            ListedValues::Booleans(flags) => flags.contains(&true) && flags.contains(&false),
            ListedValues::Texts(_) | ListedValues::Integers(_) | ListedValues::Days(_) => false,
        }
    }

    /// Returns the canonical form: a list.
    pub fn canonical(&self) -> Value {
        self.iter().map(|value| value.canonical()).collect()
    }

    /// Returns the list behind a canonical form; nothing for any other text.
    pub fn from_canonical(values: &Value) -> Option<ListedValues> {
        let values: Vec<BinValue> = values.as_array()?.iter().map(BinValue::from_canonical).collect::<Option<_>>()?;
        ListedValues::of(&values)
    }
}

fn are_among<T: Eq + Hash>(these: &[T], others: &[T]) -> bool {
    let others: HashSet<&T> = others.iter().collect();
    these.iter().all(|one| others.contains(one))
}
