//! From the canonical text to a binning.
//!
//! Every key, shape and spelling that is not known makes the whole text unreadable: it must never skip what a later version
//! wrote, which may decide where a row falls. It is separate because it is the only part that knows JSON. Read
//! `dimension.rs` next.

use super::dimension::{Cut, Dimension, Fate, Key, Scale, Source};
use super::edges::Edges;
use super::{Binning, Frame, Kind, Reading, Series, Split, Unit};
use crate::{Date, PeriodUnit};
use incrowd_exact::{Integer, Natural, Rational, rational_text};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// Most digits above or below a line: more than any request may write.
const MOST_DIGITS: usize = 4096;

/// The name that a version which did not record readings gave to a state of the data that nobody named.
const UNNAMED: &str = "1";

pub(super) fn binning(text: &str) -> Option<Binning> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    // Only one spelling: no key twice, no blank, no number in another form.
    let written = value.to_string();
    if written != text {
        return None;
    }
    let series = read_series(&value);
    let pairs = take_pairs(&mut value)?;
    let split = match value.as_object_mut()?.remove("split") {
        None => None,
        Some(split) => Some(read_split(&split)?),
    };
    let sample = match value.as_object_mut()?.remove("sample") {
        None => None,
        Some(chance) => Some(number(&chance).filter(|chance| *chance > Rational::ZERO && *chance < Rational::ONE)?),
    };
    let reading = match value.as_object_mut()?.remove("reading") {
        None => None,
        Some(reading) => Some(read_reading(&reading)?),
    };
    let names = ["bins", "dataset", "kind", "snapshot", "timezone", "types", "unit", "where"];
    let [bins, dataset, kind, snapshot, timezone, types, unit, condition] = fields(&value, names)?;
    let types: BTreeMap<String, String> = types.as_object()?.iter().map(column_type).collect::<Option<_>>()?;
    let dimensions: Vec<Dimension> =
        bins.as_array()?.iter().map(|bin| dimension(bin, &types)).collect::<Option<_>>()?;
    let kind = match kind {
        Value::Null if pairs => Kind::Other,
        Value::Null => Kind::Histogram,
        Value::Object(_) => series.map_or(Kind::Other, Kind::Series),
        Value::Array(_) | Value::String(_) | Value::Number(_) | Value::Bool(_) => Kind::Other,
    };
    if kind == Kind::Histogram && dimensions.is_empty() {
        return None;
    }
    Some(Binning {
        frame: Frame { dataset: owned(dataset)?, unit: read_unit(unit)?, types, timezone: owned(timezone)? },
        snapshot: match (snapshot, &reading) {
            (Value::Null, Some(_)) => None,
            (named, None) => Some(owned(named)?).filter(|name| name != UNNAMED),
            (named, Some(_)) => Some(owned(named)?),
        },
        reading,
        condition: if condition.is_null() { None } else { Some(owned(condition)?) },
        split,
        sample,
        kind,
        dimensions,
        text: text.to_owned(),
    })
}

/// Returns the values of an object that has exactly these keys.
fn fields<'v, const N: usize>(value: &'v Value, names: [&str; N]) -> Option<[&'v Value; N]> {
    let object = value.as_object().filter(|object| object.len() == N)?;
    let values: Vec<&Value> = names.iter().map(|name| object.get(*name)).collect::<Option<_>>()?;
    values.try_into().ok()
}

fn owned(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// Takes the word "pairs" from bins of pairs, and says whether there are any.
fn take_pairs(value: &mut Value) -> Option<bool> {
    let mut pairs = false;
    for bin in value.get_mut("bins")?.as_array_mut()? {
        match bin.as_object_mut()?.remove("items") {
            None => {}
            Some(Value::String(items)) if items == "pairs" => pairs = true,
            Some(_) => return None,
        }
    }
    Some(pairs)
}

fn read_reading(value: &Value) -> Option<Reading> {
    let [columns, person] = fields(value, ["columns", "person"])?;
    let columns = columns.as_object()?.iter().map(|(column, kind)| Some((column.clone(), owned(kind)?)));
    Some(Reading {
        columns: columns.collect::<Option<_>>()?,
        person: if person.is_null() { None } else { Some(owned(person)?) },
    })
}

/// Returns the periods of a series; its identity is the text without them, without the snapshot and how it was read.
fn read_series(value: &Value) -> Option<Series> {
    let names = ["first", "from", "last", "mode", "people", "period", "periods"];
    let [first, _, last, mode, people, period, periods] = fields(value.get("kind")?, names)?;
    let column = owned(period.get("column")?)?;
    let once = match (mode.as_str()?, people.as_str()?) {
        ("per-period", "once") => true,
        ("per-period", "many") | ("cumulative", "once" | "many") => false,
        (_, _) => return None,
    };
    let (first, last) = (first.as_i64()?, last.as_i64()?);
    let periods = periods.as_u64().filter(|periods| *periods >= 1 && first <= last)?;
    let mut identity = value.clone();
    identity.as_object_mut()?.remove("snapshot");
    identity.as_object_mut()?.remove("reading");
    for name in ["first", "last", "periods"] {
        identity.get_mut("kind")?.as_object_mut()?.remove(name);
    }
    Some(Series { identity: identity.to_string(), column, first, last, periods, once })
}

fn read_split(value: &Value) -> Option<Split> {
    let [column, part] = fields(value, ["column", "part"])?;
    Some(Split { column: owned(column)?, part: key(part)? })
}

fn column_type((column, kind): (&String, &Value)) -> Option<(String, String)> {
    let known = ["text", "integer", "number", "boolean", "date", "timestamp"];
    let kind = kind.as_str().filter(|kind| known.contains(kind))?;
    Some((column.clone(), kind.to_owned()))
}

fn read_unit(value: &Value) -> Option<Unit> {
    let bins_per_person = value.get("bins-per-person")?.as_u64().filter(|bins| *bins >= 1)?;
    if let Some([column, _]) = fields(value, ["person", "bins-per-person"]) {
        return Some(Unit::Person { column: owned(column)?, bins_per_person });
    }
    match fields(value, ["people", "bins-per-person"]) {
        _ if bins_per_person != 1 => None,
        Some([column, _]) => Some(Unit::People { column: owned(column)? }),
        None => fields(value, ["bins-per-person"]).map(|_| Unit::Row),
    }
}

fn dimension(value: &Value, types: &BTreeMap<String, String>) -> Option<Dimension> {
    let [cut, nulls, other, source] = fields(value, ["cut", "nulls", "other", "source"])?;
    let source = match (fields(source, ["column"]), fields(source, ["expression"])) {
        (Some([column]), _) => Source::Column(owned(column)?),
        (None, Some([expression])) => Source::Expression(owned(expression)?),
        (None, None) => return None,
    };
    let whole = match &source {
        Source::Column(column) => types.get(column).is_some_and(|kind| kind == "integer"),
        Source::Expression(_) => false,
    };
    let nulls = match nulls.as_str()? {
        "drop" => Fate::Dropped,
        "bin" => Fate::Counted,
        _ => return None,
    };
    let other = if other.as_bool()? { Fate::Counted } else { Fate::Dropped };
    let cut = match cut.as_str() {
        Some("found") => Cut::Found,
        Some(_) => return None,
        None => listed(cut).or_else(|| periods(cut, other))?,
    };
    let outside = matches!(cut, Cut::Values(_) | Cut::Edges(_, _));
    (outside || other == Fate::Dropped).then_some(Dimension { source, whole, cut, other, nulls })
}

fn listed(cut: &Value) -> Option<Cut> {
    if let Some([values]) = fields(cut, ["values"]) {
        let keys: Vec<Key> = values.as_array()?.iter().map(key).collect::<Option<_>>()?;
        let kind = keys.first()?.kind();
        let mut seen = HashSet::new();
        let different = keys.iter().all(|key| key.kind() == kind && seen.insert(key));
        return different.then_some(Cut::Values(keys));
    }
    if let Some([from, width, intervals]) = fields(cut, ["from", "width", "intervals"]) {
        let edges = Edges::regular(number(from)?, number(width)?, intervals.as_u64()?)?;
        return Some(Cut::Edges(Scale::Number, edges));
    }
    if let Some([edges]) = fields(cut, ["edges"]) {
        let edges: Vec<Rational> = edges.as_array()?.iter().map(number).collect::<Option<_>>()?;
        return Some(Cut::Edges(Scale::Number, Edges::listed(edges)?));
    }
    let [days] = fields(cut, ["days"])?;
    let days: Vec<Rational> =
        days.as_array()?.iter().map(|day| read_day(day).map(Rational::from)).collect::<Option<_>>()?;
    Some(Cut::Edges(Scale::Day, Edges::listed(days)?))
}

/// Periods that the data has, or listed ones: these are intervals of days, and what is outside is not counted.
fn periods(cut: &Value, other: Fate) -> Option<Cut> {
    let period = |name: &Value| PeriodUnit::ALL.into_iter().find(|period| name == period.as_str());
    if let Some([unit]) = fields(cut, ["truncate"]) {
        return period(unit).map(Cut::Truncated);
    }
    let [unit, first, last] = fields(cut, ["truncate", "first", "last"])?;
    let (period, first, last) = (period(unit)?, read_day(first)?, read_day(last)?);
    let whole = period.first_day(first) == first && period.first_day(last) == last && first <= last;
    if !whole || other == Fate::Counted {
        return None;
    }
    let regular = |days: i64| {
        let intervals = u64::try_from((last - first) / days + 1).ok()?;
        Edges::regular(Rational::from(first), Rational::from(days), intervals)
    };
    let edges = match period {
        PeriodUnit::Day => regular(1)?,
        PeriodUnit::Week => regular(7)?,
        PeriodUnit::Month | PeriodUnit::Quarter | PeriodUnit::Year => {
            let starts = std::iter::successors(Some(first), |day| (*day <= last).then(|| period.next(*day)));
            Edges::listed(starts.map(Rational::from).collect())?
        }
    };
    Some(Cut::Edges(Scale::Day, edges))
}

fn key(value: &Value) -> Option<Key> {
    match value {
        Value::String(text) => Some(Key::Text(text.clone())),
        Value::Number(number) => number.as_i64().map(Key::Integer),
        Value::Bool(truth) => Some(Key::Boolean(*truth)),
        Value::Object(_) => fields(value, ["date"]).and_then(|[date]| read_day(date)).map(Key::Day),
        Value::Null | Value::Array(_) => None,
    }
}

fn read_day(value: &Value) -> Option<i64> {
    Date::from_text(value.as_str()?).map(Date::day_number)
}

/// Returns the number that is written exactly so: `3`, `-1/10`.
fn number(value: &Value) -> Option<Rational> {
    let text = value.as_str().filter(|text| text.len() <= MOST_DIGITS)?;
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let below = Natural::from_str_radix(below, 10).ok().filter(|below| *below != Natural::ZERO)?;
    let number = Rational::from_parts(Integer::from_str_radix(above, 10).ok()?, below);
    (rational_text(&number) == text).then_some(number)
}
