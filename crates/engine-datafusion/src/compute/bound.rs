//! The bound on texts: what a function takes or makes has at most 65,536 bytes, and is missing above.
//!
//! A request may nest functions that make texts longer; without a bound one row could take all memory, and whether a
//! release is delivered would tell that the row exists. Where a length can be foretold the text is never made. It must
//! never cut a text off, nor let a row decide about another. It is separate because the bound is a promise of its own.
//! Read `total.rs` for where it is kept.

use super::stored::is_text;
use arrow_array::builder::StringViewBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use arrow_select::nullif::nullif;
use datafusion_common::{Result, ScalarValue};
use datafusion_expr::ColumnarValue;
use incrowd_engine::{LONGEST_TEXT, pattern};
use regex::Regex;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How many bytes of texts the functions of an expression may have made at a time, in one thread.
const TEXTS_AT_A_TIME: usize = 64 << 20;

/// Returns how many rows are computed at a time, if so many steps make a text of each.
pub(crate) fn rows_at_a_time(steps: usize, most: usize) -> usize {
    match LONGEST_TEXT.saturating_mul(steps) {
        0 => most,
        of_a_row => (TEXTS_AT_A_TIME / of_a_row).clamp(1, most),
    }
}

/// How long the result of a step can become.
#[derive(Clone, Copy)]
pub(super) enum Growth {
    /// As long as its arguments together, with one of them between the others.
    Joined { separated: bool },
    /// As the number of places tells where a text is replaced.
    Replaced,
    /// At most a few times as long as its argument, or so long as the request says.
    Little,
}

/// Returns which rows have a text that is too long, or would get one.
pub(super) fn too_long(growth: Growth, arguments: &[ColumnarValue], rows: usize) -> Result<Option<BooleanArray>> {
    let mut lengths = Vec::new();
    for argument in arguments.iter().filter(|argument| is_text(&argument.data_type())) {
        lengths.push(Lengths::of(argument)?);
    }
    let lengths = &lengths;
    let foretold: Box<dyn Fn(usize) -> u64> = match growth {
        Growth::Joined { separated } => Box::new(move |row| {
            let sum = lengths.iter().fold(0u64, |sum, lengths| sum.saturating_add(lengths.at(row)));
            let between = lengths.len().saturating_sub(2) as u64;
            let separator = lengths.first().map_or(0, |lengths| lengths.at(row));
            if separated { sum.saturating_add(separator.saturating_mul(between)) } else { sum }
        }),
        Growth::Replaced => match (arguments, lengths.first()) {
            ([value, from, to], Some(own)) => {
                let (from, to) = (constant(from), constant(to));
                let places = places(value, from)?;
                let (gone, come) = (from.len() as u64, to.len() as u64);
                Box::new(move |row| {
                    let places = places.get(row).or(places.first()).copied().unwrap_or(0);
                    own.at(row).saturating_sub(places.saturating_mul(gone)).saturating_add(places.saturating_mul(come))
                })
            }
            (_, _) => Box::new(|_| 0),
        },
        Growth::Little => Box::new(|_| 0),
    };
    let limit = LONGEST_TEXT as u64;
    let is_long = |row: usize| foretold(row) > limit || lengths.iter().any(|lengths| lengths.at(row) > limit);
    let long: Vec<bool> = (0..rows).map(is_long).collect();
    Ok(long.contains(&true).then(|| BooleanArray::from(long)))
}

/// Returns the same arguments without the rows that are too long; a constant is left, whatever row it meets.
pub(super) fn without(arguments: &mut [ColumnarValue], long: &BooleanArray) -> Result<()> {
    for argument in arguments {
        if let ColumnarValue::Array(array) = argument {
            *array = nullif(array, long)?;
        }
    }
    Ok(())
}

/// Returns a result in which the rows that were too long, and texts that became too long, are missing.
pub(super) fn bounded(result: ColumnarValue, long: Option<&BooleanArray>, rows: usize) -> Result<ColumnarValue> {
    let result = match long {
        None => result,
        Some(long) if long.len() == rows => ColumnarValue::Array(nullif(&result.into_array(rows)?, long)?),
        Some(_) => result,
    };
    if !is_text(&result.data_type()) {
        return Ok(result);
    }
    let lengths = Lengths::of(&result)?;
    match result {
        ColumnarValue::Scalar(scalar) if lengths.at(0) > LONGEST_TEXT as u64 => {
            Ok(ColumnarValue::Scalar(ScalarValue::try_from(&scalar.data_type())?))
        }
        ColumnarValue::Scalar(scalar) => Ok(ColumnarValue::Scalar(scalar)),
        ColumnarValue::Array(array) => {
            let long: Vec<bool> = (0..array.len()).map(|row| lengths.at(row) > LONGEST_TEXT as u64).collect();
            if !long.contains(&true) {
                return Ok(ColumnarValue::Array(array));
            }
            Ok(ColumnarValue::Array(nullif(&array, &BooleanArray::from(long))?))
        }
    }
}

/// Joins texts; missing where one of them is.
pub(super) fn joined(left: &ColumnarValue, right: &ColumnarValue) -> Result<ColumnarValue, ArrowError> {
    let arrays = ColumnarValue::values_to_arrays(&[left.clone(), right.clone()])?;
    let views = |array: &ArrayRef| cast(array, &DataType::Utf8View);
    let (left, right) = (views(&arrays[0])?, views(&arrays[1])?);
    let mut texts = StringViewBuilder::new();
    let mut text = String::new();
    for pair in left.as_string_view().iter().zip(right.as_string_view().iter()) {
        match pair {
            (Some(left), Some(right)) => {
                text.clear();
                text.push_str(left);
                text.push_str(right);
                texts.append_value(&text);
            }
            (_, _) => texts.append_null(),
        }
    }
    Ok(ColumnarValue::Array(Arc::new(texts.finish())))
}

/// A pattern and what replaces the places that it matches, both the request's own.
#[derive(Debug, Clone)]
pub(crate) struct Replacing {
    pattern: Regex,
    with: String,
    everywhere: bool,
}

impl Replacing {
    /// Returns what a pattern, a replacement and flags mean; nothing if they cannot be read or are too large.
    ///
    /// As in PostgreSQL `\1` is the first group, and the flag `g` means every place.
    pub(super) fn new(text: &str, with: &str, flags: &str) -> Option<Replacing> {
        let pattern = pattern(text, &flags.replace('g', ""))?;
        let groups = Regex::new(r"\\{1,2}(\d+)").ok()?;
        let with = groups.replace_all(with, "$${$1}").into_owned();
        Some(Replacing { pattern, with, everywhere: flags.contains('g') })
    }

    pub(super) fn replaced(&self, texts: &ArrayRef) -> Result<ArrayRef, ArrowError> {
        let texts = cast(texts, &DataType::Utf8View)?;
        let mut replaced = StringViewBuilder::new();
        let mut text = String::new();
        for one in texts.as_string_view().iter() {
            match one.and_then(|one| self.replace(one, &mut text)) {
                Some(()) => replaced.append_value(&text),
                None => replaced.append_null(),
            }
        }
        Ok(Arc::new(replaced.finish()))
    }

    /// Stops as soon as the text is too long.
    fn replace(&self, text: &str, out: &mut String) -> Option<()> {
        out.clear();
        let mut copied = 0;
        let places = if self.everywhere { usize::MAX } else { 1 };
        for place in self.pattern.captures_iter(text).take(places) {
            let whole = place.get(0)?;
            out.push_str(&text[copied..whole.start()]);
            place.expand(&self.with, out);
            copied = whole.end();
            if out.len() > LONGEST_TEXT {
                return None;
            }
        }
        out.push_str(&text[copied..]);
        (out.len() <= LONGEST_TEXT).then_some(())
    }
}

impl PartialEq for Replacing {
    fn eq(&self, other: &Self) -> bool {
        (self.pattern.as_str(), &self.with, self.everywhere) == (other.pattern.as_str(), &other.with, other.everywhere)
    }
}

impl Eq for Replacing {}

impl Hash for Replacing {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.pattern.as_str(), &self.with, self.everywhere).hash(state);
    }
}

fn constant(value: &ColumnarValue) -> &str {
    match value {
        ColumnarValue::Scalar(
            ScalarValue::Utf8View(Some(text)) | ScalarValue::Utf8(Some(text)) | ScalarValue::LargeUtf8(Some(text)),
        ) => text,
        ColumnarValue::Scalar(_) | ColumnarValue::Array(_) => "",
    }
}

/// Counts the places of a text in each row; around every character where it is empty.
fn places(value: &ColumnarValue, from: &str) -> Result<Vec<u64>> {
    let array = match value {
        ColumnarValue::Array(array) => Arc::clone(array),
        ColumnarValue::Scalar(scalar) => scalar.to_array()?,
    };
    let views = cast(&array, &DataType::Utf8View)?;
    let count = |text: &str| text.matches(from).count() as u64;
    Ok(views.as_string_view().iter().map(|text| text.map_or(0, count)).collect())
}

/// How long the text of each row is.
enum Lengths {
    Each(Vec<u64>),
    Same(u64),
}

impl Lengths {
    fn of(value: &ColumnarValue) -> Result<Lengths> {
        let lengths = |array: &ArrayRef| -> Result<Vec<u64>> {
            let views = cast(array, &DataType::Utf8View)?;
            let views = views.as_string_view();
            // A view begins with the length of its text; a missing one has none.
            let length = |(row, view): (usize, &u128)| if views.is_valid(row) { u64::from(*view as u32) } else { 0 };
            Ok(views.views().iter().enumerate().map(length).collect())
        };
        Ok(match value {
            ColumnarValue::Array(array) => Lengths::Each(lengths(array)?),
            ColumnarValue::Scalar(scalar) => Lengths::Same(lengths(&scalar.to_array()?)?.first().copied().unwrap_or(0)),
        })
    }

    fn at(&self, row: usize) -> u64 {
        match self {
            Lengths::Each(lengths) => lengths.get(row).copied().unwrap_or(0),
            Lengths::Same(length) => *length,
        }
    }
}
