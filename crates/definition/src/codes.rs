//! From the label of a bin back to its number.
//!
//! A label is looked up, and of a very long row of intervals its place is computed and then compared; it must never
//! accept a label that the definition does not declare. It is separate because tables only go the other way. Read
//! `binning.rs` next.

use crate::edges::Edges;
use crate::labels::Labels;
use incrowd_exact::number_of;
use std::collections::HashMap;

/// The most labels that are kept for looking up.
const KEPT: u64 = 1 << 22;

/// The numbers of declared bins by their labels.
#[derive(Debug)]
pub struct Codes<'l> {
    labels: &'l Labels,
    kept: Option<Kept>,
}

#[derive(Debug)]
struct Kept {
    codes: HashMap<String, u64>,
    missing: Option<u64>,
}

impl<'l> Codes<'l> {
    /// Returns the numbers behind some labels.
    pub fn of(labels: &'l Labels) -> Self {
        if labels.size() > KEPT && labels.intervals().is_some() {
            return Codes { labels, kept: None };
        }
        let mut kept = Kept { codes: HashMap::new(), missing: None };
        for code in 0..labels.size() {
            match labels.label(code).map(|label| label.text()) {
                Some(Some(text)) => {
                    kept.codes.insert(text.into_owned(), code);
                }
                Some(None) => kept.missing = Some(code),
                None => {}
            }
        }
        Codes { labels, kept: Some(kept) }
    }

    /// Returns the number of the bin with a label, as a file without types shows it; nothing if there is no such bin.
    pub fn code(&self, label: Option<&str>) -> Option<u64> {
        match (&self.kept, label) {
            (Some(kept), Some(text)) => kept.codes.get(text).copied(),
            (Some(kept), None) => kept.missing,
            (None, label) => {
                let size = self.labels.size();
                let guess = label.and_then(|text| place(self.labels.intervals()?, text));
                // "Other" and the missing ones come last.
                let mut candidates = guess.into_iter().chain(size.saturating_sub(2)..size);
                candidates.find(|code| self.labels.label(*code).is_some_and(|is| is.text().as_deref() == label))
            }
        }
    }
}

/// Returns where an interval begins, counted in intervals.
fn place(edges: &Edges, label: &str) -> Option<u64> {
    let Edges::Regular { from, width, .. } = edges else { return None };
    let start = number_of(label.strip_prefix('[')?.split_once(", ")?.0)?;
    let place = (start - from) / width;
    if place.is_int() { u64::try_from(place.numerator()).ok() } else { None }
}
