//! Texts read as a type in a dialect, by the functions that a release reads with.
//!
//! A change of the request is advised only after it was tried here. It must never read a text otherwise than a
//! release would. It is separate because numbers, days and words for nothing are tried alike. Read `advice.rs` for
//! who tries.

use arrow_array::{Array, ArrayRef, StringViewArray};
use arrow_schema::{DataType, TimeUnit};
use incrowd_engine::steps::{days, read};
use incrowd_engine::written::{TextRead, TextReading};
use incrowd_engine::{ColumnType, Dialect};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What became of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tried {
    /// It has a value.
    Read,
    /// It stands for nothing.
    Missing,
    /// It cannot be read.
    Unread,
}

/// As what texts are read, and in which time zone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'a> {
    pub(super) kind: ColumnType,
    pub(super) timezone: &'a str,
}

/// Returns what becomes of each text in a dialect.
pub(super) fn tried(texts: &[&str], target: Target<'_>, dialect: &Dialect) -> Vec<Tried> {
    let reading = TextReading::of(dialect, Some(target.kind));
    let mut said: Vec<Option<String>> = Vec::with_capacity(texts.len());
    let mut results = Vec::with_capacity(texts.len());
    for text in texts {
        let (value, result) = match reading.as_ref().map(|reading| reading.read(text)) {
            None if text.is_empty() => (None, Tried::Missing),
            None => (Some((*text).to_owned()), Tried::Unread),
            Some(TextRead::Said(value)) => (Some(value.into_owned()), Tried::Unread),
            Some(TextRead::Missing) => (None, Tried::Missing),
            Some(TextRead::Unreadable) => (None, Tried::Unread),
        };
        said.push(value);
        results.push(result);
    }
    let known = has_values(&said, target);
    for (result, known) in results.iter_mut().zip(known) {
        if known {
            *result = Tried::Read;
        }
    }
    results
}

/// Returns which texts have values; where some text fails all of them, each is read by itself.
fn has_values(texts: &[Option<String>], target: Target<'_>) -> Vec<bool> {
    let all: ArrayRef = Arc::new(texts.iter().map(Option::as_deref).collect::<StringViewArray>());
    if let Some(read) = values(&all, target) {
        return (0..read.len()).map(|row| read.is_valid(row)).collect();
    }
    let alone = |row: usize| values(&all.slice(row, 1), target).is_some_and(|read| read.is_valid(0));
    (0..texts.len()).map(alone).collect()
}

fn values(texts: &ArrayRef, target: Target<'_>) -> Option<ArrayRef> {
    let to = match target.kind {
        ColumnType::Text => DataType::Utf8View,
        ColumnType::Integer => DataType::Int64,
        ColumnType::Number => DataType::Float64,
        ColumnType::Boolean => DataType::Boolean,
        ColumnType::Date => return unharmed(|| days(texts, target.timezone).ok()),
        ColumnType::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, None),
    };
    unharmed(|| read(texts, &to).ok())
}

/// A library that panics on a far-off value fails on it like any other.
fn unharmed(run: impl FnOnce() -> Option<ArrayRef>) -> Option<ArrayRef> {
    catch_unwind(AssertUnwindSafe(run)).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use incrowd_engine::Sign;

    fn try_all(texts: &[&str], kind: ColumnType, dialect: &Dialect) -> Vec<Tried> {
        tried(texts, Target { kind, timezone: "UTC" }, dialect)
    }

    #[test]
    fn texts_are_read_by_their_dialect_alone() {
        let plain = Dialect::default();
        let commas = Dialect { decimal: Sign::of(","), missing: vec!["-".into()], ..Dialect::default() };
        let texts = ["1.5", "1,5", "-", "", "x"];
        let (read, missing, unread) = (Tried::Read, Tried::Missing, Tried::Unread);
        assert_eq!(try_all(&texts, ColumnType::Number, &plain), [read, unread, unread, missing, unread]);
        assert_eq!(try_all(&texts, ColumnType::Number, &commas), [unread, read, missing, missing, unread]);
        let days = Dialect { dates: vec!["%d.%m.%Y".into()], ..Dialect::default() };
        let texts = ["31.12.2020", "31.11.2020", "2020-12-31"];
        assert_eq!(try_all(&texts, ColumnType::Date, &plain), [unread, unread, read]);
        assert_eq!(try_all(&texts, ColumnType::Date, &days), [read, unread, read]);
    }
}
