//! Words that people write where there is nothing: `N/A`, `-`, `unknown`.
//!
//! It must never say that a word stands for nothing, only that it may. It is separate because unreadable values and
//! bins that are found are looked through for the same words. Read `advice.rs` for what is proposed.

use super::words::Words;
use crate::compute::stored::is_text;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use std::collections::BTreeMap;

/// In lower case.
const WORDS: [&str; 36] = [
    "na",
    "n/a",
    "n.a.",
    "n.a",
    "#n/a",
    "#nv",
    "null",
    "nil",
    "none",
    "nan",
    "-",
    "--",
    "---",
    "–",
    "—",
    ".",
    "..",
    "?",
    "??",
    "unknown",
    "unbekannt",
    "inconnu",
    "desconocido",
    "missing",
    "fehlt",
    "(blank)",
    "<na>",
    "\\n",
    "k.a.",
    "k. a.",
    "keine angabe",
    "not available",
    "not applicable",
    "no data",
    "undefined",
    "#value!",
];

/// Whether a text may stand for nothing.
pub(super) fn is_word_for_nothing(text: &str) -> bool {
    // No such word is longer, and most texts are.
    let text = text.trim();
    text.len() <= 16 && WORDS.contains(&text.to_lowercase().as_str())
}

/// Words for nothing among found bins, by dimension.
#[derive(Default)]
pub(super) struct NothingFound(BTreeMap<usize, Words>);

impl NothingFound {
    /// Looks through keys of bins with so many people each.
    pub(super) fn look(&mut self, keys: &[ArrayRef], people: &[u64]) {
        for (dimension, key) in keys.iter().enumerate().filter(|(_, key)| is_text(key.data_type())) {
            let Some(texts) = key.as_string_view_opt() else { continue };
            for (text, people) in texts.iter().zip(people) {
                // An empty text of the data is missing: this one an expression made.
                if let Some(text) = text.filter(|text| text.is_empty() || is_word_for_nothing(text)) {
                    self.0.entry(dimension).or_default().see(text, *people);
                }
            }
        }
    }

    /// Returns each dimension with a word and how many people are in bins with it.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &str, u64)> {
        self.0.iter().flat_map(|(dimension, words)| {
            words.by_frequency().into_iter().map(move |(word, people)| (*dimension, word, people))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_nothing_are_known_in_any_case_and_places_are_none() {
        for word in ["NA", "n/a", "Null", " - ", "Unknown", "#N/A", "K.A."] {
            assert!(is_word_for_nothing(word), "{word}");
        }
        for word in ["Nantes", "0", "Bern", "No", "x", ""] {
            assert!(!is_word_for_nothing(word), "{word}");
        }
    }
}
