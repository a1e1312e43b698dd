//! Bins and what they hold, named by public keys alone.
//!
//! A value that was found in data is never named: such a bin is "any value". It must never print more of a text than
//! fits on a line, nor a character that moves the cursor. It is separate because what a bin holds and which pair of
//! cells makes an example are two questions. Read `pair.rs` next.

use super::judged::{Bins, Judged, ReadAs, Scale, whole};
use crate::bin_value::{BinValue, ValueKind};
use crate::calendar::CivilDay;
use crate::dimension::{BinSource, Nulls, Other};
use crate::listed_values::ListedValues;
use crate::period_unit::PeriodUnit;
use incrowd_exact::{Rational, rational_text};
use std::collections::HashSet;

/// Most characters of one name, value or condition.
const MOST: usize = 60;
/// Most values that are named one by one.
const MOST_VALUES: usize = 3;
/// Most bins of a dimension that are looked at for an example.
const MOST_PARTS: usize = 200;

/// One bin of one dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part<'b> {
    Value(BinValue),
    /// What is in no listed bin.
    Unlisted(&'b ListedValues),
    /// From a first number or day up to but not a second.
    Interval(Scale, Rational, Rational),
    /// Before that, or from its end on.
    Outside(Scale, Rational, Rational),
    /// Any one value that the data has; in the smaller of two cells, one that the larger holds.
    Any,
    /// Any one period that the data has; in the smaller of two cells, one that the larger holds.
    AnyPeriod(PeriodUnit),
    Missing,
}

/// How a bin is named beside another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Alone,
    /// As the same bin as the other one.
    Same,
    /// As one of those in the other.
    Inside,
    /// As one of many.
    One,
    /// As all but that one.
    Others,
}

/// How a smaller bin lies in a larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    /// They hold the same values.
    Equal,
    /// The larger holds more.
    Strictly,
}

/// Returns bins of a dimension, those first that may be compared with bins of a twin.
pub(super) fn parts<'b>(dimension: &'b Judged, twin: &'b Judged) -> Vec<Part<'b>> {
    let start = |one: &Judged| if let Bins::Intervals(_, edges) = &one.bins { Some(edges.range().0) } else { None };
    let starts = start(dimension).into_iter().chain(start(twin)).max();
    let intervals = |scale: Scale, at: &dyn Fn(&Rational) -> Option<(Rational, Rational)>| {
        let first = starts.as_ref().and_then(at);
        let all = std::iter::successors(first, |(_, high)| at(high)).take(MOST_PARTS);
        // Between two edges there may be no integer.
        let some = all.filter(|(low, high)| dimension.reached(low) < dimension.reached(high));
        some.map(|(low, high)| Part::Interval(scale, low, high)).collect()
    };
    let (mut parts, other): (Vec<Part>, _) = match (&dimension.bins, &twin.bins) {
        // A listed text is a found one; so is an integer where all are declared to be.
        (Bins::Found, Bins::Values(keys)) if keys.kind() == ValueKind::Text || dimension.whole => {
            (keys.iter().take(MOST_PARTS).map(Part::Value).collect(), Some(Part::Any))
        }
        (Bins::Found, _) => (vec![Part::Any], None),
        (Bins::Truncated(period), Bins::Intervals(Scale::Day, _)) => {
            let days = |day: i64| (Rational::from(period.first_day(day)), Rational::from(period.next(day)));
            (intervals(Scale::Day, &|place| whole(place).map(days)), None)
        }
        (Bins::Truncated(period), _) => (vec![Part::AnyPeriod(*period)], None),
        (Bins::Values(keys), _) => {
            let listed = keys.iter().take(MOST_PARTS).map(Part::Value).collect();
            (listed, (!keys.covers_booleans()).then_some(Part::Unlisted(keys)))
        }
        (Bins::Intervals(scale, edges), _) => {
            let (low, high) = edges.range();
            (intervals(*scale, &|place| edges.at(place)), Some(Part::Outside(*scale, low, high)))
        }
    };
    parts.extend(other.filter(|part| dimension.other == Other::Counted || *part == Part::Any));
    parts.extend((dimension.nulls == Nulls::Bin).then_some(Part::Missing));
    parts
}

/// Returns how a bin lies in a bin of another dimension of the same source; nothing where that is not known.
pub(super) fn within(wide: &Judged, larger: &Part, narrow: &Judged, smaller: &Part) -> Option<Within> {
    let order = |holds: bool, equal: bool| match (holds, equal) {
        (true, true) => Some(Within::Equal),
        (true, false) => Some(Within::Strictly),
        (false, _) => None,
    };
    let lies_in = |low: &Rational, high: &Rational, from: &Rational, to: &Rational| {
        let [low, high, from, to] = [low, high, from, to].map(|edge| wide.reached(edge));
        order(low <= from && to <= high, low == from && to == high)
    };
    let alike = wide.reading() == narrow.reading();
    let truncated = |one: &Judged| match one.bins {
        Bins::Truncated(_) => true,
        Bins::Found | Bins::Values(_) | Bins::Intervals(_, _) => false,
    };
    match (larger, smaller) {
        (Part::Any, Part::Any) => Some(Within::Equal),
        (Part::Value(one), Part::Value(other)) => order(one == other, true),
        (Part::Interval(_, low, high), Part::Any) => order(!is_one(wide, low, high), false),
        (Part::Unlisted(_), Part::Any) => order(wide.reading() != ReadAs::Value(ValueKind::Boolean), false),
        (Part::Outside(_, _, _), Part::Any) => Some(Within::Strictly),
        (Part::AnyPeriod(period), Part::Any) => order(*period != PeriodUnit::Day, false),
        (_, _) if !alike => None,
        (Part::Missing, Part::Missing) => order(!truncated(wide) && !truncated(narrow), true),
        (Part::AnyPeriod(long), Part::AnyPeriod(short)) => order(short.divides(*long), short == long),
        (Part::Unlisted(fewer), Part::Unlisted(more)) => order(fewer.all_among(more), fewer.count() == more.count()),
        // Of two truth values, the one that is not listed is "other".
        (Part::Unlisted(listed), Part::Value(key)) => {
            order(!listed.contains(key), wide.reading() == ReadAs::Value(ValueKind::Boolean))
        }
        (Part::Interval(_, low, high), Part::Interval(_, from, to)) => lies_in(low, high, from, to),
        (Part::Outside(_, low, high), Part::Outside(_, from, to)) => lies_in(from, to, low, high),
        (Part::Outside(_, low, high), Part::Interval(_, from, to)) => order(to <= low || high <= from, false),
        (Part::Interval(_, low, high), Part::Value(key)) => {
            let key = Rational::from(key.whole()?);
            if *low <= key && key < *high { order(true, is_one(wide, low, high)) } else { None }
        }
        (Part::Outside(_, low, high), Part::Value(key)) => {
            let key = Rational::from(key.whole()?);
            order(key < *low || *high <= key, false)
        }
        (_, _) => None,
    }
}

/// Whether an interval of integers or days holds no two of them.
fn is_one(dimension: &Judged, low: &Rational, high: &Rational) -> bool {
    let few = dimension.reached(high) - dimension.reached(low) <= Rational::ONE;
    few && matches!(dimension.reading(), ReadAs::Value(ValueKind::Integer | ValueKind::Day))
}

impl Part<'_> {
    pub(super) fn is_any(&self) -> bool {
        matches!(self, Part::Any | Part::AnyPeriod(_))
    }

    /// Returns `age [20, 30)`, as a table shows it beside the name of its column.
    pub(super) fn named(&self, dimension: &Judged, naming: Naming) -> String {
        let name = source(dimension);
        let any = |what: &str| match naming {
            Naming::Alone => format!("any one {what} of {name}"),
            Naming::Same => format!("the same {what} of {name}"),
            Naming::Inside => format!("one {what} of {name} in it"),
            Naming::One => format!("one {what} of {name}"),
            Naming::Others => format!("every other {what} of {name}"),
        };
        match self {
            Part::Any => any("value"),
            Part::AnyPeriod(period) => any(period.as_str()),
            Part::Value(_) | Part::Unlisted(_) | Part::Outside(_, _, _) | Part::Interval(_, _, _) | Part::Missing => {
                format!("{name} {}", self.label())
            }
        }
    }

    /// Returns `[20, 30)`, as a table shows it.
    pub(super) fn label(&self) -> String {
        match self {
            Part::Value(key) => value(key),
            Part::Unlisted(_) | Part::Outside(_, _, _) => "other".into(),
            Part::Interval(scale, low, high) => interval(*scale, low, high),
            Part::Any => "any value".into(),
            Part::AnyPeriod(period) => format!("any {}", period.as_str()),
            Part::Missing => "missing".into(),
        }
    }

    /// Returns the name of what is left of a bin without a smaller one that lies in it, where there is one.
    pub(super) fn without(&self, smaller: &Part, dimension: &Judged) -> Option<String> {
        let name = source(dimension);
        let between = |scale: Scale, edges: [(&Rational, &Rational); 2]| {
            let edges = edges.iter().filter(|(low, high)| dimension.reached(low) < dimension.reached(high));
            let intervals: Vec<String> = edges.map(|(low, high)| interval(scale, low, high)).collect();
            format!("{name} {}", intervals.join(" or "))
        };
        Some(match (self, smaller) {
            (Part::Interval(scale, low, high), Part::Interval(_, from, to)) => {
                between(*scale, [(low, from), (to, high)])
            }
            (Part::Outside(scale, low, high), Part::Outside(_, from, to)) => between(*scale, [(from, low), (high, to)]),
            (Part::Unlisted(fewer), Part::Unlisted(more)) => {
                let fewer: HashSet<BinValue> = fewer.iter().collect();
                let extra: Vec<BinValue> = more.iter().filter(|key| !fewer.contains(key)).collect();
                let named: Vec<String> = extra.iter().take(MOST_VALUES).map(value).collect();
                let others = extra.len().saturating_sub(MOST_VALUES);
                let others = if others == 0 { String::new() } else { format!(" or one of {others} more values") };
                format!("{name} {}{others}", named.join(" or "))
            }
            (_, _) => return None,
        })
    }
}

/// Returns the name of what is binned.
pub(super) fn source(dimension: &Judged) -> String {
    match &dimension.source {
        BinSource::Column(text) | BinSource::Expression(text) => short(text),
    }
}

/// Returns `Sales`, `"a, b"`, `12`, `true` or `2026-01-31`: a text is quoted where its ends could be mistaken.
pub(super) fn value(key: &BinValue) -> String {
    let plain = |sign: char| sign.is_alphanumeric() || "-_.&/".contains(sign);
    match key {
        BinValue::Text(text) if !text.is_empty() && text.chars().all(plain) => short(text),
        BinValue::Text(text) => quoted(text),
        BinValue::Integer(_) | BinValue::Boolean(_) | BinValue::Date(_) => key.to_string(),
    }
}

/// Returns a text between quotation marks.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", short(text))
}

/// Returns the beginning of a text, on one line.
pub(super) fn short(text: &str) -> String {
    let mut shown = String::new();
    for sign in text.chars().take(MOST) {
        // Marks that turn the direction of writing are no control characters, and as good at hiding a text.
        let turns = matches!(sign, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if sign.is_control() || turns { shown.extend(sign.escape_unicode()) } else { shown.push(sign) }
    }
    if text.chars().nth(MOST).is_some() { shown + "..." } else { shown }
}

fn interval(scale: Scale, low: &Rational, high: &Rational) -> String {
    let edge = |edge: &Rational| match (scale, whole(edge)) {
        (Scale::Day, Some(day)) => shown(day),
        (Scale::Number, _) | (Scale::Day, None) => short(&rational_text(edge)),
    };
    format!("[{}, {})", edge(low), edge(high))
}

/// Returns `2026-01-31`.
fn shown(day: i64) -> String {
    let CivilDay { year, month, day } = CivilDay::of(day);
    format!("{year:04}-{month:02}-{day:02}")
}
