//! Different texts with how often each was seen, up to a limit.
//!
//! However many there are, it must never keep more than a few thousand. It is separate because unreadable values and
//! values in no bin are gathered alike. Read `tally.rs` next.

use std::collections::HashMap;

/// So many different texts are kept.
const MOST_WORDS: usize = 4096;
/// So many bytes of each.
const LONGEST: usize = 256;

/// Different texts with how often each was seen.
#[derive(Default)]
pub(super) struct Words {
    kept: HashMap<String, u64>,
    rows: u64,
}

impl Words {
    /// Sees a text in so many rows.
    pub(super) fn see(&mut self, text: &str, rows: u64) {
        self.rows = self.rows.saturating_add(rows);
        let text = shortened(text);
        if let Some(seen) = self.kept.get_mut(text) {
            *seen = seen.saturating_add(rows);
        } else if self.kept.len() < MOST_WORDS {
            self.kept.insert(text.to_owned(), rows);
        }
    }

    /// Returns how many rows were seen.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Returns how many rows have texts that were not kept.
    pub(super) fn untried(&self) -> u64 {
        self.rows.saturating_sub(self.kept.values().sum())
    }

    /// Returns the texts that were kept, the most frequent first.
    pub(super) fn by_frequency(&self) -> Vec<(&str, u64)> {
        let mut all: Vec<(&str, u64)> = self.kept.iter().map(|(text, rows)| (text.as_str(), *rows)).collect();
        all.sort_unstable_by(|(one, rows), (other, others)| others.cmp(rows).then(one.cmp(other)));
        all
    }

    /// Adds what another part saw.
    pub(super) fn merge(&mut self, other: Words) {
        let rows = self.rows.saturating_add(other.rows);
        for (text, rows) in other.kept {
            self.see(&text, rows);
        }
        self.rows = rows;
    }
}

/// Returns the beginning of a text.
pub(super) fn shortened(text: &str) -> &str {
    if text.len() <= LONGEST {
        return text;
    }
    let end = (0..=LONGEST).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_whether_their_texts_are_kept_or_not() {
        let mut words = Words::default();
        (0..MOST_WORDS + 10).for_each(|number| words.see(&number.to_string(), 2));
        let mut other = Words::default();
        other.see("7", 5);
        other.see("new", 1);
        words.merge(other);
        assert_eq!(words.rows(), 2 * (MOST_WORDS as u64 + 10) + 6);
        assert_eq!(words.untried(), 2 * 10 + 1);
        assert_eq!(words.by_frequency()[0], ("7", 7));
        assert_eq!(words.by_frequency().len(), MOST_WORDS);
    }

    #[test]
    fn a_long_text_is_cut_between_letters() {
        let text = "é".repeat(LONGEST);
        assert_eq!(shortened(&text).len(), LONGEST);
        assert_eq!(shortened(&format!("a{text}")).len(), LONGEST - 1);
    }
}
