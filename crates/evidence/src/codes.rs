//! From the labels of a row back to the numbers of its bins.
//!
//! A label is looked up, and of a very long row of intervals its place is computed and then compared; it must never accept
//! a label that the request does not declare. It is separate because tables only go the other way. Read `verify/order.rs` next.

use crate::request::{Cut, Edges, KeyColumn};
use crate::table::Dimension;
use incrowd_exact::Natural;
use incrowd_exact::number_of;
use std::collections::HashMap;

/// The most labels that are kept for looking up.
const KEPT: u64 = 1 << 22;

/// One key of a row.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Key {
    /// The number of a declared bin.
    Code(u64),
    /// A found value; nothing if it is missing.
    Found(Option<String>),
}

/// The keys of one dimension.
pub(crate) enum Codes<'t> {
    /// Any value.
    Found,
    /// By its label.
    Listed { labels: HashMap<String, u64>, missing: Option<u64> },
    /// Equal intervals, too many to list.
    Regular { dimension: &'t Dimension, edges: Edges, size: u64 },
}

impl<'t> Codes<'t> {
    pub(crate) fn of(column: &KeyColumn<'_>, dimension: &'t Dimension) -> Self {
        let Some(size) = dimension.size() else { return Codes::Found };
        if let KeyColumn::Counted(bin) = column
            && let Cut::Edges(edges) = &bin.cut
            && size > KEPT
        {
            return Codes::Regular { dimension, edges: edges.clone(), size };
        }
        let mut missing = None;
        let mut labels = HashMap::new();
        for code in 0..size {
            match dimension.label(code).map(|label| label.text()) {
                Some(Some(text)) => {
                    labels.insert(text.into_owned(), code);
                }
                Some(None) => missing = Some(code),
                None => {}
            }
        }
        Codes::Listed { labels, missing }
    }

    /// Returns the number of a declared bin by its label.
    pub(crate) fn code(&self, label: &Option<String>) -> Option<u64> {
        match self.key(label)? {
            Key::Code(code) => Some(code),
            Key::Found(_) => None,
        }
    }

    /// Returns the key behind a field; nothing if it is not declared.
    pub(crate) fn key(&self, field: &Option<String>) -> Option<Key> {
        Some(match self {
            Codes::Found => Key::Found(field.clone()),
            Codes::Listed { labels, missing } => Key::Code(match field {
                Some(text) => *labels.get(text)?,
                None => (*missing)?,
            }),
            Codes::Regular { dimension, edges, size } => {
                let guess = field.as_deref().and_then(|text| place(edges, text));
                // "Other" and the missing ones come last.
                let mut candidates = guess.into_iter().chain(size.saturating_sub(2)..*size);
                let is_it = |code: &u64| {
                    dimension.label(*code).is_some_and(|label| label.text().as_deref() == field.as_deref())
                };
                Key::Code(candidates.find(is_it)?)
            }
        })
    }
}

/// Returns where an interval begins, counted in intervals.
fn place(edges: &Edges, label: &str) -> Option<u64> {
    let Edges::Regular { from, width, .. } = edges else { return None };
    let start = number_of(label.strip_prefix('[')?.split_once(", ")?.0)?;
    let place = (start - from) / width;
    let whole = place.denominator() == &Natural::ONE;
    whole.then(|| u64::try_from(place.numerator()).ok()).flatten()
}
