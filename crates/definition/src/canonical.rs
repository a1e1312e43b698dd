//! What all canonical texts are made of: objects with known keys, and numbers in one spelling.
//!
//! Each noun of this crate writes its own canonical form and reads it back; it must never skip a key that it does not
//! know, for that may decide where a row falls. It is separate because all of them read alike. Read `cut.rs` for the
//! richest of these forms, and `binning/read.rs` for the whole text.

use incrowd_exact::{Integer, Natural, Rational, rational_text};
use serde_json::{Value, json};

/// Most digits above or below a line: more than any request may write.
const MOST_DIGITS: usize = 4096;

/// Returns compact JSON with sorted keys, in whatever order a JSON library keeps them.
pub fn sorted_text(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let mut keys: Vec<&String> = entries.keys().collect();
            keys.sort();
            let inside =
                keys.into_iter().map(|key| format!("{}:{}", Value::from(key.as_str()), sorted_text(&entries[key])));
            format!("{{{}}}", inside.collect::<Vec<_>>().join(","))
        }
        Value::Array(entries) => format!("[{}]", entries.iter().map(sorted_text).collect::<Vec<_>>().join(",")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// Returns a number, reduced: `3`, `-1/10`.
pub fn number(value: &Rational) -> Value {
    json!(rational_text(value))
}

/// Returns the number that is written exactly so.
pub(crate) fn read_number(value: &Value) -> Option<Rational> {
    let text = value.as_str().filter(|text| text.len() <= MOST_DIGITS)?;
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let below = Natural::from_str_radix(below, 10).ok().filter(|below| *below != Natural::ZERO)?;
    let number = Rational::from_parts(Integer::from_str_radix(above, 10).ok()?, below);
    (rational_text(&number) == text).then_some(number)
}

/// Returns the values of an object that has exactly these keys.
pub(crate) fn fields<'v, const N: usize>(value: &'v Value, names: [&str; N]) -> Option<[&'v Value; N]> {
    let object = value.as_object().filter(|object| object.len() == N)?;
    let values: Vec<&Value> = names.iter().map(|name| object.get(*name)).collect::<Option<_>>()?;
    values.try_into().ok()
}

/// Returns a text.
pub(crate) fn owned(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}
