//! What a certificate says in words, told apart from what it says in numbers.
//!
//! Numbers, names and hashes are computed again for every version of the form; sentences only where this very version
//! of incrowd wrote them, since later ones say the same better. A sentence that was not computed again must never be
//! shown as verified. It is separate because evidence has to outlive the words of a day. Read `report.rs` next.

use crate::certificate::SOFTWARE;
use serde_json::Value;

/// What wrote a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Author<'c> {
    /// This version of incrowd: every sentence can be written again.
    This,
    /// Another version, by its name.
    Another(&'c str),
}

impl<'c> Author<'c> {
    pub(super) fn of(certificate: &'c Value) -> Self {
        match certificate["software"].as_str().unwrap_or_default() {
            SOFTWARE => Author::This,
            other => Author::Another(other),
        }
    }
}

/// The way to every sentence; `*` stands for each entry of a list.
const SENTENCES: [&[&str]; 19] = [
    &["software"],
    &["how_to_read"],
    &["notion"],
    &["unit", "person_rule"],
    &["unit", "neighbours"],
    &["universe", "in_words"],
    &["sampling", "in_words"],
    &["sampling", "statements", "*", "in_words"],
    &["theorem", "source"],
    &["theorem", "statement"],
    &["theorem", "assumptions"],
    &["odds", "in_words"],
    &["postprocessing", "*", "in_words"],
    &["randomness", "in_words"],
    &["derived_from", "in_words"],
    &["floating_point"],
    &["timing"],
    &["assumptions"],
    &["not_protected"],
];

/// The fields that have sentences, for people.
pub(super) const WITH_SENTENCES: &str = "how_to_read, notion, assumptions, not_protected, floating_point, timing, and what unit, universe, sampling, theorem, odds, postprocessing, randomness and derived_from say in words";

/// Returns a certificate whose sentences are all null: what is left can be computed again by any version.
pub(super) fn without_sentences(certificate: &Value) -> Value {
    let mut bare = certificate.clone();
    SENTENCES.iter().for_each(|way| silence(&mut bare, way));
    bare
}

fn silence(value: &mut Value, way: &[&str]) {
    let Some((step, rest)) = way.split_first() else {
        *value = Value::Null;
        return;
    };
    match value {
        Value::Array(entries) if *step == "*" => entries.iter_mut().for_each(|entry| silence(entry, rest)),
        Value::Object(fields) => {
            if let Some(below) = fields.get_mut(*step) {
                silence(below, rest);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn people_are_told_of_every_field_that_has_sentences() {
        for field in SENTENCES.iter().filter_map(|way| way.first()).filter(|field| **field != "software") {
            assert!(WITH_SENTENCES.contains(field), "{field}");
        }
    }

    #[test]
    fn sentences_go_and_numbers_stay() {
        let certificate = json!({
            "notion": "x", "delta": "1/7", "theorem": { "source": "a", "epsilon": "1" },
            "postprocessing": [{ "step": "rounding", "to": "5", "in_words": "b" }, { "in_words": "c" }],
            "sampling": null, "not_protected": { "facts": ["d"] },
        });
        let bare = json!({
            "notion": null, "delta": "1/7", "theorem": { "source": null, "epsilon": "1" },
            "postprocessing": [{ "step": "rounding", "to": "5", "in_words": null }, { "in_words": null }],
            "sampling": null, "not_protected": null,
        });
        assert_eq!(without_sentences(&certificate), bare);
    }
}
