//! The request of a certificate, read back.
//!
//! Its canonical JSON is written as the TOML that a steward could have written, and read by the one reader there is, so that
//! every limit holds again; it must never accept a request whose canonical form is another. It is separate because only a
//! verifier goes this way. Read `../request/identity.rs` for the canonical form.

use super::number::{number_of, number_text};
use crate::request::Request;
use incrowd_exact::Rational;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Parameters that may have been found rather than given.
const FINDABLE: [&str; 5] = ["offset", "levels", "alpha", "half-width", "threshold"];

/// Returns the canonical JSON of a request as an object.
pub(super) fn canonical(request: &Request) -> Value {
    serde_json::from_str(&request.canonical_json()).unwrap_or(Value::Null)
}

/// Returns the request behind a canonical object; nothing if it is not canonical.
pub(crate) fn request_of(canonical_form: &Value) -> Option<Request> {
    let request = Request::parse(&toml_of(canonical_form)?).ok()?;
    (&canonical(&request) == canonical_form).then_some(request)
}

/// Returns the same request with the parameters that were found given, so that nothing has to be searched for.
pub(crate) fn planned_request(canonical_form: &Value, parameters: &Value) -> Option<Request> {
    let mut with_found = canonical_form.clone();
    // Kinds without a mechanism of their own have nothing to find.
    if let Some(mechanism) = with_found.get_mut("mechanism")?.as_object_mut() {
        for name in FINDABLE {
            if let (Some(Value::Null), Some(found)) = (mechanism.get(name), parameters.get(name)) {
                mechanism.insert(name.into(), found.clone());
            }
        }
    }
    request_of(&with_found)
}

fn toml_of(request: &Value) -> Option<String> {
    let mut toml = String::new();
    let kind = request.get("release")?.as_str()?;
    match (kind, request.get("kind")?) {
        ("histogram", Value::Null) | ("rows" | "points", Value::Array(_)) | ("series" | "top", Value::Object(_)) => {}
        (_, _) => return None,
    }
    writeln!(toml, "release = {}", text(kind)).ok()?;
    data(request.get("data")?, &mut toml)?;
    let parts = request.get("kind")?.as_array().map_or(&[][..], Vec::as_slice);
    match kind {
        "rows" => parts.iter().try_for_each(|column| column_section(column, &mut toml))?,
        "points" => parts.iter().try_for_each(|axis| axis_section(axis, &mut toml))?,
        "series" => series_section(request.get("kind")?, &mut toml)?,
        "top" => top_section(request.get("kind")?, &mut toml)?,
        _ => {}
    }
    for bin in request.get("bins")?.as_array()? {
        bin_section(bin, &mut toml)?;
    }
    for (name, texts) in [("promise", Texts::Numbers), ("mechanism", Texts::Numbers), ("ledger", Texts::Plain)] {
        // Rows, points and top items have no mechanism to choose.
        if request.get(name)?.is_null() && ["rows", "points", "top"].contains(&kind) {
            continue;
        }
        writeln!(toml, "[{name}]").ok()?;
        entries(request.get(name)?.as_object()?, texts, &mut toml)?;
    }
    Some(toml)
}

/// An axis of points.
fn axis_section(axis: &Value, toml: &mut String) -> Option<()> {
    toml.push_str("[[axes]]\n");
    for key in ["name", "column"] {
        writeln!(toml, "{key} = {}", text(axis.get(key)?.as_str()?)).ok()?;
    }
    entry("step", axis.get("step")?, Texts::Numbers, toml)?;
    if let Some(boxes) = axis.get("boxes") {
        return entry("boxes", boxes, Texts::Numbers, toml);
    }
    let edges = axis.get("edges")?;
    match (edges.get("edges"), edges.get("intervals").and_then(Value::as_u64)) {
        (Some(numbers), _) => entry("edges", numbers, Texts::Numbers, toml),
        (None, Some(intervals)) => {
            let number = |name: &str| number_of(edges.get(name)?.as_str()?);
            listed(&number("from")?, &number("width")?, intervals, toml)
        }
        (None, None) => None,
    }
}

/// The steps of a choice of items.
fn top_section(top: &Value, toml: &mut String) -> Option<()> {
    toml.push_str("[top]\n");
    entry("items", top.get("items")?, Texts::Plain, toml)?;
    for key in ["epsilon-stabilise", "epsilon-select", "epsilon-counts"] {
        entry(key, top.get(key)?, Texts::Numbers, toml)?;
    }
    if !top.get("epsilon-counts")?.is_null() {
        toml.push_str("counts = true\n");
    }
    let always = top.get("always")?;
    if always.as_array().is_some_and(|always| !always.is_empty()) {
        entry("always", always, Texts::Plain, toml)?;
    }
    Some(())
}

/// The periods of a series.
fn series_section(series: &Value, toml: &mut String) -> Option<()> {
    toml.push_str("[series]\n");
    let period = series.get("period")?;
    let column = text(period.get("column")?.as_str()?);
    match period.get("truncate") {
        None => writeln!(toml, "period = {column}").ok()?,
        Some(unit) => {
            writeln!(toml, "period = {{ column = {column}, truncate = {} }}", text(unit.as_str()?)).ok()?;
        }
    }
    for key in ["mode", "people"] {
        entry(key, series.get(key)?, Texts::Plain, toml)?;
    }
    for key in ["from", "after", "up-to"] {
        let value = series.get(key)?;
        if !value.is_null() {
            writeln!(toml, "{key} = {}", bin_value(value)?).ok()?;
        }
    }
    Some(())
}

/// A column of published rows, with its rule.
fn column_section(column: &Value, toml: &mut String) -> Option<()> {
    toml.push_str("[[columns]]\n");
    for key in ["name", "column"] {
        writeln!(toml, "{key} = {}", text(column.get(key)?.as_str()?)).ok()?;
    }
    let rule = column.get("rule")?;
    let other = |toml: &mut String| match rule.get("other")?.as_bool()? {
        true => writeln!(toml, "other = true").ok(),
        false => Some(()),
    };
    if rule.as_str() == Some("keep") {
        toml.push_str("keep = true\n");
    } else if let Some(length) = rule.get("prefix").and_then(Value::as_u64) {
        writeln!(toml, "prefix = {length}").ok()?;
    } else if let Some(unit) = rule.get("truncate").and_then(Value::as_str) {
        writeln!(toml, "truncate = {}", text(unit)).ok()?;
    } else if let Some(values) = rule.get("values") {
        let values = values.as_array()?.iter().map(bin_value).collect::<Option<Vec<_>>>()?;
        writeln!(toml, "values = [{}]", values.join(", ")).ok()?;
        other(toml)?;
    } else if let Some(edges) = rule.get("edges") {
        match (edges.get("edges"), edges.get("days"), edges.get("intervals").and_then(Value::as_u64)) {
            (Some(numbers), _, _) => entry("edges", numbers, Texts::Numbers, toml)?,
            (_, Some(days), _) => {
                let days = days.as_array()?.iter().map(|day| plain_day(day.as_str()?)).collect::<Option<Vec<_>>>()?;
                writeln!(toml, "edges = [{}]", days.join(", ")).ok()?;
            }
            (_, _, Some(intervals)) => {
                let number = |name: &str| number_of(edges.get(name)?.as_str()?);
                listed(&number("from")?, &number("width")?, intervals, toml)?;
            }
            (_, _, None) => return None,
        }
        other(toml)?;
    } else if let Some(pairs) = rule.get("names") {
        let pair = |pair: &Value| match pair.as_array()?.as_slice() {
            [value, name] => Some(format!("[{}, {}]", text(value.as_str()?), text(name.as_str()?))),
            _ => None,
        };
        let pairs = pairs.as_array()?.iter().map(pair).collect::<Option<Vec<_>>>()?;
        writeln!(toml, "names = [{}]", pairs.join(", ")).ok()?;
    } else {
        return None;
    }
    Some(())
}

fn data(data: &Value, toml: &mut String) -> Option<()> {
    toml.push_str("[data]\n");
    entries(data.get("unit")?.as_object()?, Texts::Plain, toml)?;
    for key in ["where", "synthetic", "timezone"] {
        entry(key, data.get(key)?, Texts::Plain, toml)?;
    }
    entry("sample", data.get("sample")?, Texts::Numbers, toml)?;
    let types = data.get("types")?.as_object()?;
    if !types.is_empty() {
        toml.push_str("[data.types]\n");
        for (column, kind) in types {
            writeln!(toml, "{} = {}", text(column), text(kind.as_str()?)).ok()?;
        }
    }
    if let Some(sampled) = data.get("sampled")?.as_object() {
        toml.push_str("[data.sampled]\n");
        entry("probability", &json!([sampled.get("least")?, sampled.get("most")?]), Texts::Numbers, toml)?;
        entry("known", sampled.get("known")?, Texts::Plain, toml)?;
    }
    if let Some(split) = data.get("split") {
        toml.push_str("[data.split]\n");
        writeln!(toml, "column = {}", text(split.get("column")?.as_str()?)).ok()?;
        writeln!(toml, "part = {}", bin_value(split.get("part")?)?).ok()?;
    }
    Some(())
}

fn bin_section(bin: &Value, toml: &mut String) -> Option<()> {
    toml.push_str("[[bins]]\n");
    writeln!(toml, "name = {}", text(bin.get("name")?.as_str()?)).ok()?;
    for (key, value) in bin.get("source")?.as_object()? {
        writeln!(toml, "{} = {}", text(key), text(value.as_str()?)).ok()?;
    }
    let cut = bin.get("cut")?;
    let field = |name: &str| cut.get(name).and_then(Value::as_str);
    if let Some(values) = cut.get("values") {
        let values = values.as_array()?.iter().map(bin_value).collect::<Option<Vec<_>>>()?;
        writeln!(toml, "values = [{}]", values.join(", ")).ok()?;
    } else if let Some(edges) = cut.get("edges") {
        entry("edges", edges, Texts::Numbers, toml)?;
    } else if let Some(days) = cut.get("days") {
        let days = days.as_array()?.iter().map(|day| plain_day(day.as_str()?)).collect::<Option<Vec<_>>>()?;
        writeln!(toml, "edges = [{}]", days.join(", ")).ok()?;
    } else if let Some(intervals) = cut.get("intervals").and_then(Value::as_u64) {
        regular(&number_of(field("from")?)?, &number_of(field("width")?)?, intervals, toml)?;
    } else if let Some(unit) = field("truncate") {
        writeln!(toml, "truncate = {}", text(unit)).ok()?;
        if let (Some(first), Some(last)) = (field("first"), field("last")) {
            writeln!(toml, "from = {}\nto = {}", plain_day(first)?, next_day(last)?).ok()?;
        }
    } else if cut.as_str() != Some("found") {
        return None;
    }
    if bin.get("other")?.as_bool()? {
        toml.push_str("other = true\n");
    }
    if let Some(items) = bin.get("items") {
        writeln!(toml, "items = {}", text(items.as_str()?)).ok()?;
    }
    writeln!(toml, "nulls = {}", text(bin.get("nulls")?.as_str()?)).ok()
}

/// Equal distances are written as a rule, unless they are too wide for one.
fn regular(from: &Rational, width: &Rational, intervals: u64, toml: &mut String) -> Option<()> {
    let edge = |index: u64| number_text(&(from + width * Rational::from(index))).map(|edge| text(&edge));
    if width <= &Rational::from(1_000_000_000_000u64) {
        return writeln!(
            toml,
            "from = {}\nto = {}\nwidth = {}",
            edge(0)?,
            edge(intervals)?,
            text(&number_text(width)?)
        )
        .ok();
    }
    listed(from, width, intervals, toml)
}

/// Equal distances, edge by edge.
fn listed(from: &Rational, width: &Rational, intervals: u64, toml: &mut String) -> Option<()> {
    let edge = |index: u64| number_text(&(from + width * Rational::from(index))).map(|edge| text(&edge));
    if intervals > 1 << 17 {
        return None;
    }
    let edges = (0..=intervals).map(edge).collect::<Option<Vec<_>>>()?;
    writeln!(toml, "edges = [{}]", edges.join(", ")).ok()
}

fn bin_value(value: &Value) -> Option<String> {
    match value {
        Value::String(value) => Some(text(value)),
        Value::Number(_) => value.as_i64().map(|value| value.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Object(date) => plain_day(date.get("date")?.as_str()?),
        Value::Null | Value::Array(_) => None,
    }
}

/// Whether texts may stand for numbers, which must be short enough to be read again.
#[derive(Clone, Copy)]
enum Texts {
    Plain,
    Numbers,
}

fn entries(object: &Map<String, Value>, texts: Texts, toml: &mut String) -> Option<()> {
    object.iter().try_for_each(|(key, value)| entry(key, value, texts, toml))
}

/// Writes what is not null.
fn entry(key: &str, value: &Value, texts: Texts, toml: &mut String) -> Option<()> {
    if value.is_null() { Some(()) } else { writeln!(toml, "{} = {}", text(key), scalar(value, texts)?).ok() }
}

fn scalar(value: &Value, texts: Texts) -> Option<String> {
    match (value, texts) {
        (Value::Bool(value), _) => Some(value.to_string()),
        (Value::Number(_), _) => value.as_i64().map(|value| value.to_string()),
        (Value::String(value), Texts::Numbers) => match number_of(value) {
            Some(number) => number_text(&number).map(|number| text(&number)),
            None => Some(text(value)),
        },
        (Value::String(value), Texts::Plain) => Some(text(value)),
        (Value::Array(values), _) => {
            let values = values.iter().map(|value| scalar(value, texts)).collect::<Option<Vec<_>>>()?;
            Some(format!("[{}]", values.join(", ")))
        }
        (Value::Null | Value::Object(_), _) => None,
    }
}

/// A quoted TOML string.
fn text(value: &str) -> String {
    let mut quoted = String::with_capacity(value.len() + 2);
    quoted.push('"');
    for character in value.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            control if control.is_control() => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(control));
            }
            plain => quoted.push(plain),
        }
    }
    quoted.push('"');
    quoted
}

fn plain_day(day: &str) -> Option<String> {
    let plain = day.len() == 10 && day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    plain.then(|| day.to_string())
}

/// Returns the day after: a range of periods ends before it.
fn next_day(day: &str) -> Option<String> {
    let mut parts =
        plain_day(day)?.split('-').map(|part| part.parse::<u16>().ok()).collect::<Option<Vec<_>>>()?.into_iter();
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let date = crate::request::Date::new(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)?;
    Some(date.next(crate::request::Truncate::Day)?.to_string())
}
