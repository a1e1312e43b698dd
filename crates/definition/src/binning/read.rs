//! From the canonical text to a binning, of every version that wrote one.
//!
//! Every key, shape and spelling that is not known makes the whole text unreadable: it must never skip what a later
//! version wrote, which may decide where a row falls. It is separate because it is the only part of the proofs that
//! knows JSON. Read `judged.rs` next.

use super::judged::Judged;
use super::{Binning, Frame, Kind, RecordedReading, SeriesRun};
use crate::canonical::{fields, owned, read_number};
use crate::column_type::ColumnType;
use crate::dimension::Dimension;
use crate::items::Items;
use crate::split::Split;
use crate::unit::Unit;
use incrowd_exact::Rational;
use serde_json::Value;

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
    let split = match value.as_object_mut()?.remove("split") {
        None => None,
        Some(split) => Some(Split::from_canonical(&split)?),
    };
    let sample = match value.as_object_mut()?.remove("sample") {
        None => None,
        Some(chance) => {
            Some(read_number(&chance).filter(|chance| *chance > Rational::ZERO && *chance < Rational::ONE)?)
        }
    };
    let reading = match value.as_object_mut()?.remove("reading") {
        None => None,
        Some(reading) => Some(read_reading(&reading)?),
    };
    let names = ["bins", "dataset", "kind", "snapshot", "timezone", "types", "unit", "where"];
    let [bins, dataset, kind, snapshot, timezone, types, unit, condition] = fields(&value, names)?;
    let types = ColumnType::from_canonical_of(types)?;
    // Headings are no part of what is counted, and no book has them.
    let dimension = |bin: &Value| Dimension::from_canonical("", bin);
    let dimensions: Vec<Dimension> = bins.as_array()?.iter().map(dimension).collect::<Option<_>>()?;
    let pairs = dimensions.iter().any(|dimension| dimension.items == Items::Pairs);
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
        dimensions: dimensions.into_iter().map(|one| Judged::of(one, &types)).collect::<Option<_>>()?,
        frame: Frame { dataset: owned(dataset)?, unit: Unit::from_canonical(unit)?, types, timezone: owned(timezone)? },
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
        text: text.to_owned(),
    })
}

fn read_reading(value: &Value) -> Option<RecordedReading> {
    let [columns, person] = fields(value, ["columns", "person"])?;
    let columns = columns.as_object()?.iter().map(|(column, kind)| Some((column.clone(), owned(kind)?)));
    Some(RecordedReading {
        columns: columns.collect::<Option<_>>()?,
        person: if person.is_null() { None } else { Some(owned(person)?) },
    })
}

/// Returns the periods of a series; its identity is the text without them, without the snapshot and how it was read.
fn read_series(value: &Value) -> Option<SeriesRun> {
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
    Some(SeriesRun { identity: identity.to_string(), column, first, last, periods, once })
}
