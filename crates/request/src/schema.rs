//! The published JSON Schema of a request.
//!
//! Printed from the table of keys; it must never know a key that the reader does not, nor the other way round. It is
//! separate because editors read it and the reader does not. Read `sections.rs` for the table.

use super::keys::{Key, Need, Section, Shape};
use super::number::{Bounds, MOST};
use super::odds;
use super::promise::{BESIDE_A_POLICY, KINDS};
use super::sections::{MECHANISM, PROMISE, REQUEST};
use incrowd_privacy::MechanismName;
use serde_json::{Map, Value, json};

/// Digits, decimals, exponents and fractions, in quotes.
const NUMBER: &str = r"^\s*[+-]?[0-9_.]+([eE][+-]?[0-9]+)?(\s*/\s*[+-]?[0-9_.]+([eE][+-]?[0-9]+)?)?\s*$";

/// A percentage, in quotes.
const ODDS: &str = r"^\s*[0-9]+(\.[0-9]+)?\s*%\s*$";

/// Returns the JSON Schema (draft 2020-12) of a request, with what each key means.
pub fn schema() -> Value {
    let mut schema = section(&REQUEST);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("A request for incrowd");
    schema
}

fn section(section: &'static Section) -> Value {
    let properties: Map<String, Value> = section.keys.iter().map(|key| (key.name.to_string(), property(key))).collect();
    let required: Vec<&str> =
        section.keys.iter().filter(|key| key.need == Need::Required).map(|key| key.name).collect();
    let mut found = json!({
        "type": "object",
        "description": section.about,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    if std::ptr::eq(section, &PROMISE) {
        let kinds = KINDS.iter().map(|kind| {
            let own = kind.needs.iter().chain(kind.may_have).chain(&["kind"]).chain(&BESIDE_A_POLICY);
            choice("kind", kind.name, own.copied().collect(), kind.needs.to_vec())
        });
        let own: Vec<&str> = odds::KEYS.into_iter().chain(BESIDE_A_POLICY).collect();
        let by_odds = json!({ "if": { "required": ["odds"] }, "then": { "propertyNames": { "enum": own } } });
        let small = ["small", "small-odds"]
            .map(|key| json!({ "if": { "required": [key] }, "then": { "required": odds::KEYS } }));
        found["allOf"] = kinds.chain([by_odds]).chain(small).collect();
    }
    if std::ptr::eq(section, &REQUEST) {
        let said = json!({ "anyOf": [{ "required": ["kind"] }, { "required": ["odds"] }] });
        let beside = json!({ "propertyNames": { "enum": BESIDE_A_POLICY } });
        found["allOf"] = json!([
            { "anyOf": [{ "required": ["policy"] }, { "required": ["promise"], "properties": { "promise": said } }] },
            { "if": { "required": ["policy"] }, "then": { "properties": { "promise": beside } } },
        ]);
    }
    if std::ptr::eq(section, &MECHANISM) {
        let names = MechanismName::ALL.into_iter().map(|name| {
            let own = name.parameters().iter().chain(&["name", "accounting", "threshold"]);
            let needs = if name == MechanismName::General { vec!["epsilon-a"] } else { vec![] };
            choice("name", name.as_str(), own.copied().collect(), needs)
        });
        found["allOf"] = names.collect();
    }
    found
}

/// Returns a rule: where `key` is `name`, only the keys `own` may be written, and `needs` must.
fn choice(key: &str, name: &str, own: Vec<&str>, needs: Vec<&str>) -> Value {
    let chosen = json!({ key: { "const": name } });
    json!({
        "if": { "properties": chosen, "required": [key] },
        "then": { "propertyNames": { "enum": own }, "required": needs },
    })
}

fn property(key: &'static Key) -> Value {
    let mut found = shape(&key.shape);
    let below = found.get("description").and_then(Value::as_str).unwrap_or_default();
    let about =
        if below.is_empty() || below == key.about { key.about.into() } else { format!("{} {below}", key.about) };
    found["description"] = json!(about);
    if let Need::Default(default) = key.need {
        found["default"] = serde_json::from_str(default).unwrap_or(Value::Null);
    }
    found
}

fn shape(shape_of: &'static Shape) -> Value {
    match shape_of {
        Shape::Text => json!({ "type": "string", "minLength": 1 }),
        Shape::AnyText => json!({ "type": "string" }),
        Shape::FewerThan => json!({ "type": "string", "pattern": "^fewer than [1-9][0-9]*$" }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Whole(limits) => json!({ "anyOf": [
            { "type": "number", "minimum": limits.least, "maximum": limits.most },
            { "type": "string", "pattern": NUMBER },
        ], "description": format!("{}.", capital(&limits.words())) }),
        Shape::Integer => json!({ "anyOf": [
            { "type": "number", "minimum": -(MOST as i64), "maximum": MOST },
            { "type": "string", "pattern": NUMBER },
        ], "description": "A whole number within 10^12 either way." }),
        Shape::Number(bounds) => number(*bounds),
        Shape::Epsilon => {
            let mut found = number(Bounds::FiniteEpsilon);
            if let Some(ways) = found["anyOf"].as_array_mut() {
                ways.push(json!({ "const": "infinite" }));
            }
            found["description"] =
                json!("0, or between 1e-9 and 1000, or \"infinite\". Exact: decimals, or fractions in quotes.");
            found
        }
        Shape::Odds => {
            json!({ "type": "string", "pattern": ODDS, "description": "From 50 % to below 100 %, in quotes." })
        }
        Shape::Choice(names) => json!({ "enum": names() }),
        Shape::Value => json!({ "type": ["string", "integer", "boolean"] }),
        Shape::Edge => json!({ "type": ["number", "string"] }),
        Shape::List(each) => json!({ "type": "array", "items": shape(each), "minItems": 1, "maxItems": 1 << 17 }),
        Shape::AnyList(each) => json!({ "type": "array", "items": shape(each), "maxItems": 1 << 17 }),
        Shape::Pair(each) => json!({ "type": "array", "items": shape(each), "minItems": 2, "maxItems": 2 }),
        Shape::AnyOf(shapes) => json!({ "anyOf": shapes.iter().map(shape).collect::<Vec<_>>() }),
        Shape::Section(below) => section(below),
        Shape::Repeated(below) => json!({ "type": "array", "items": section(below) }),
        Shape::Free(each) => json!({ "type": "object", "additionalProperties": shape(each) }),
    }
}

fn number(bounds: Bounds) -> Value {
    let range = match bounds {
        Bounds::Any => json!({ "type": "number" }),
        Bounds::Positive => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": MOST }),
        Bounds::FiniteEpsilon => json!({ "type": "number", "minimum": 0, "maximum": 1000 }),
        Bounds::PositiveEpsilon => json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 1000 }),
        Bounds::Delta => json!({ "type": "number", "minimum": 0, "exclusiveMaximum": 1 }),
        Bounds::Chance => json!({ "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 }),
    };
    let about = format!("{}. Exact: decimals, or fractions in quotes.", capital(bounds.words()));
    json!({ "anyOf": [range, { "type": "string", "pattern": NUMBER }], "description": about })
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
