//! The certificate as the text of a file: one form, whatever library holds the object.
//!
//! Fields come in the order in which people read them, keys inside them are sorted; it must never depend on the order
//! in which a JSON library keeps keys, as a verifier compares bytes. It is separate because `certificate.rs` says what,
//! and this how. Read `request.rs` next.

use super::version::FIELDS;
use serde_json::Value;

/// Returns the text of `certificate.json`.
pub fn certificate_text(certificate: &Value) -> String {
    let mut text = String::from("{\n");
    let known = FIELDS.iter().filter_map(|(name, _)| Some((*name, certificate.get(*name)?)));
    for (index, (name, value)) in known.enumerate() {
        if index > 0 {
            text.push_str(",\n");
        }
        text.push_str("  ");
        text.push_str(&Value::from(name).to_string());
        text.push_str(": ");
        write(value, 1, &mut text);
    }
    text.push_str("\n}\n");
    text
}

/// Short things stay on one line.
const LINE: usize = 100;

fn write(value: &Value, depth: usize, text: &mut String) {
    let compact = one_line(value);
    if compact.len() + 2 * depth <= LINE {
        return text.push_str(&compact);
    }
    let line = |text: &mut String, index: usize, depth: usize| {
        text.push_str(if index > 0 { ",\n" } else { "\n" });
        text.push_str(&"  ".repeat(depth));
    };
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            text.push('{');
            for (index, key) in sorted(entries.keys()).into_iter().enumerate() {
                line(text, index, depth + 1);
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push_str(": ");
                write(&entries[key], depth + 1, text);
            }
            text.push('\n');
            text.push_str(&"  ".repeat(depth));
            text.push('}');
        }
        Value::Array(entries) if !entries.is_empty() => {
            text.push('[');
            for (index, entry) in entries.iter().enumerate() {
                line(text, index, depth + 1);
                write(entry, depth + 1, text);
            }
            text.push('\n');
            text.push_str(&"  ".repeat(depth));
            text.push(']');
        }
        Value::Object(_) | Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            text.push_str(&compact)
        }
    }
}

fn one_line(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let inside = sorted(entries.keys())
                .into_iter()
                .map(|key| format!("{}: {}", Value::from(key.as_str()), one_line(&entries[key])));
            format!("{{{}}}", inside.collect::<Vec<_>>().join(", "))
        }
        Value::Array(entries) => format!("[{}]", entries.iter().map(one_line).collect::<Vec<_>>().join(", ")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

fn sorted<'k>(keys: impl Iterator<Item = &'k String>) -> Vec<&'k String> {
    let mut keys: Vec<&String> = keys.collect();
    keys.sort();
    keys
}
