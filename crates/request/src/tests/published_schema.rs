//! The schema against the reader.
//!
//! Both are made from one table; this looks at them from outside, and must never read that table. The small validator
//! knows only the words that our schema uses and stops at any other. It is separate because no other test needs it.
//! Read `random.rs` next.

use super::super::{Request, schema};
use super::{accept, examples};
use serde_json::{Value, json};
use toml::de::{DeTable, DeValue};

#[test]
fn every_example_is_valid_under_the_schema() {
    let schema = schema();
    for text in examples::all() {
        accept(&text);
        let value = table(DeTable::parse(&text).expect("TOML").get_ref());
        assert_eq!(invalid(&schema, &value), None, "{text}");
    }
}

#[test]
fn the_schema_refuses_what_the_reader_refuses_by_shape() {
    let schema = schema();
    for text in [
        "release = \"histogram\"",
        "release = \"histogram\"\n[promise]\nkind = \"group\"\nepsilon = 1",
        "release = \"histogram\"\n[promise]\nkind = \"group\"\ngroup = 1\nepsilon = 1\ncrowd = 3",
        "release = \"histogram\"\n[promise]\nkind = \"table\"\nvalues = []",
        "release = \"histogram\"\n[promise]\nepsilon = 1",
        "release = \"histogram\"\n[promise]\nsmall = 6\nodds = \"75 %\"",
        "release = \"histogram\"\n[promise]\nsmall = 6\nsmall-odds = \"55 %\"",
        "release = \"histogram\"\n[promise]\nodds = \"75 %\"\nepsilon = 1",
        "release = \"histogram\"\n[promise]\nodds = 0.75",
        "policy = \"fewer-than-7\"",
        "policy = \"fewer-than-6\"\n[promise]\nodds = \"75 %\"",
        "policy = \"fewer-than-6\"\n[promise]\nkind = \"table\"\nvalues = [1]",
        "release = \"histogram\"\n[promise]\nkind = \"table\"\nvalues = [true]",
        "release = \"histogram\"\nextra = 1\n[promise]\nkind = \"table\"\nvalues = [1]",
        "release = \"histogram\"\n[promise]\nkind = \"table\"\nvalues = [1]\n[mechanism]\nname = \"geometric\"\noffset = 1",
        "release = \"histogram\"\n[promise]\nkind = \"table\"\nvalues = [1]\n[mechanism]\nname = \"general\"",
    ] {
        assert!(Request::parse(text).is_err(), "{text}");
        let value = table(DeTable::parse(text).expect("TOML").get_ref());
        assert!(invalid(&schema, &value).is_some(), "{text}");
    }
}

/// A key that only the schema knows would be refused by the reader as unknown; one that only the reader knows would be
/// missing from the list of known keys in its own hint.
#[test]
fn the_schema_and_the_reader_know_the_same_keys() {
    let schema = schema();
    for (path, header) in [
        ("", ""),
        ("/properties/data", "[data]\n"),
        ("/properties/data/properties/sampled", "[data.sampled]\n"),
        ("/properties/bins/items", "[[bins]]\n"),
        ("/properties/promise", "[promise]\n"),
        ("/properties/mechanism", "[mechanism]\n"),
        ("/properties/ledger", "[ledger]\n"),
        ("/properties/output", "[output]\n"),
        ("/properties/report", "[report]\n"),
        ("/properties/columns/items", "[[columns]]\n"),
        ("/properties/axes/items", "[[axes]]\n"),
        ("/properties/series", "[series]\n"),
        ("/properties/top", "[top]\n"),
    ] {
        let release = match header.trim_matches(['[', ']', '\n']) {
            "columns" => "rows",
            "axes" => "points",
            "series" => "series",
            "top" => "top",
            _ => "histogram",
        };
        let known = schema.pointer(path).expect("a section")["properties"].as_object().expect("properties");
        let promise = if header == "[promise]\n" { "" } else { "[promise]\nkind = \"table\"\nvalues = [1]\n" };
        let text = format!("release = \"{release}\"\n{promise}{header}zzzz = 1\n");
        let text = if header.is_empty() { format!("zzzz = 1\n{text}") } else { text };
        let error = Request::parse(&text).expect_err("an unknown key");
        let hint = error.hint_text().expect("a hint").to_string();
        let (_, listed) = hint.split_once("takes: ").unwrap_or_else(|| panic!("{text}{error}"));
        let mut listed: Vec<&str> = listed.split(", ").collect();
        let mut properties: Vec<&str> = known.keys().map(String::as_str).collect();
        listed.sort_unstable();
        properties.sort_unstable();
        assert_eq!(listed, properties, "{header}");
    }
}

#[test]
fn every_key_is_explained_and_every_default_is_valid() {
    fn visit(schema: &Value, path: &str) {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{name}");
            let about = property["description"].as_str().unwrap_or_default();
            assert!(about.len() > 15 && about.ends_with('.'), "{path}: {about}");
            if let Some(default) = property.get("default") {
                assert_eq!(invalid(property, default), None, "{path}");
            }
            visit(property, &path);
            visit(&property["items"], &path);
        }
    }
    visit(&schema(), "");
}

fn table(table: &DeTable<'_>) -> Value {
    table.iter().map(|(key, value)| (key.get_ref().to_string(), json_of(value.get_ref()))).collect()
}

fn json_of(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(digits) => json!(digits.as_str().parse::<i64>().expect("an integer")),
        DeValue::Float(digits) => json!(digits.as_str().parse::<f64>().expect("a float")),
        DeValue::Boolean(flag) => json!(flag),
        DeValue::Datetime(when) => json!(when.to_string()),
        DeValue::Array(entries) => entries.iter().map(|entry| json_of(entry.get_ref())).collect(),
        DeValue::Table(below) => table(below),
    }
}

/// Returns where and why a value is not valid.
fn invalid(schema: &Value, value: &Value) -> Option<String> {
    schema.as_object().expect("a schema").iter().find_map(|(word, rule)| {
        let holds = match word.as_str() {
            "$schema" | "title" | "description" | "default" | "then" | "pattern" | "maxItems" => true,
            "type" => match rule {
                Value::Array(types) => types.iter().any(|each| has_type(each, value)),
                each => has_type(each, value),
            },
            "enum" => rule.as_array().expect("a list").contains(value),
            "const" => rule == value,
            "minLength" => {
                value.as_str().is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().expect("a length"))
            }
            "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().expect("a length")),
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().expect("a number")),
            "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().expect("a number")),
            "exclusiveMinimum" => value.as_f64().is_none_or(|number| number > rule.as_f64().expect("a number")),
            "exclusiveMaximum" => value.as_f64().is_none_or(|number| number < rule.as_f64().expect("a number")),
            "anyOf" => rule.as_array().expect("a list").iter().any(|each| invalid(each, value).is_none()),
            "required" => {
                rule.as_array().expect("a list").iter().all(|key| value.get(key.as_str().expect("a key")).is_some())
            }
            "allOf" => return rule.as_array().expect("a list").iter().find_map(|each| invalid(each, value)),
            "if" if invalid(rule, value).is_none() => return invalid(&schema["then"], value),
            "if" => true,
            "propertyNames" => {
                value.as_object().is_none_or(|map| map.keys().all(|key| invalid(rule, &json!(key)).is_none()))
            }
            "items" => return value.as_array().into_iter().flatten().find_map(|each| invalid(rule, each)),
            "properties" => {
                let known = |(key, below): (&String, &Value)| invalid(rule.get(key)?, below);
                return value.as_object().into_iter().flatten().find_map(known);
            }
            "additionalProperties" => {
                let others = |key: &String| schema.get("properties").and_then(|known| known.get(key)).is_none();
                let entries = || value.as_object().into_iter().flatten().filter(|(key, _)| others(key));
                match rule {
                    Value::Bool(false) => entries().next().is_none(),
                    rule => return entries().find_map(|(_, below)| invalid(rule, below)),
                }
            }
            other => panic!("a word that this validator does not know: {other}"),
        };
        (!holds).then(|| format!("{word} {rule} does not hold for {value}"))
    })
}

fn has_type(name: &Value, value: &Value) -> bool {
    match name.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("a type that this validator does not know: {other}"),
    }
}
