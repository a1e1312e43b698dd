//! Cells that share the labels of some bins: which group a row belongs to, and in which order groups come.
//!
//! Labels are those of the table, and missing ones are labels of their own; it must never look at anything but keys. It
//! is separate because totals and the consistent table group the same rows. Read `../margins.rs` for the sums.

use crate::glance::Row;
use crate::request::KeyColumn;
use crate::table::KeyLabels;
use incrowd_definition::Codes;
use std::collections::{BTreeSet, HashMap};

/// The labels of some bins, one for each.
pub(crate) type Labels = Vec<Option<String>>;

/// The groups that the labels of some bins make.
pub(crate) struct Grouping {
    /// The places of the bins among the keys, in their order.
    keys: Vec<usize>,
    /// In order of appearance.
    labels: Vec<Labels>,
    places: HashMap<Labels, usize>,
}

impl Grouping {
    pub(crate) fn of(keys: Vec<usize>) -> Grouping {
        Grouping { keys, labels: Vec::new(), places: HashMap::new() }
    }

    pub(crate) fn keys(&self) -> &[usize] {
        &self.keys
    }

    /// Returns how many groups were seen.
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// Returns the labels of a group.
    pub(crate) fn labels(&self, group: usize) -> &Labels {
        &self.labels[group]
    }

    /// Returns the group of some labels, if it was seen.
    pub(crate) fn place(&self, labels: &Labels) -> Option<usize> {
        self.places.get(labels).copied()
    }

    /// Returns the group of a row, which may be new.
    pub(crate) fn group(&mut self, row: &Row) -> usize {
        let labels: Labels = self.keys.iter().map(|key| row.get(*key).cloned().flatten()).collect();
        if let Some(place) = self.places.get(&labels) {
            return *place;
        }
        let next = self.labels.len();
        self.labels.push(labels.clone());
        self.places.insert(labels, next);
        next
    }

    /// Returns the groups in order, the last bin fastest: labels as declared; found ones by number if all are whole
    /// numbers, else by text; the missing one last.
    pub(crate) fn order(&self, columns: &[KeyColumn<'_>]) -> Vec<usize> {
        let ranks: Vec<HashMap<&Option<String>, usize>> =
            self.keys.iter().enumerate().map(|(at, key)| self.ranks(at, columns.get(*key))).collect();
        let mut places: Vec<usize> = (0..self.len()).collect();
        places.sort_by_cached_key(|place| {
            let labels = self.labels[*place].iter().zip(&ranks);
            labels.map(|(label, ranks)| ranks.get(label).copied().unwrap_or(usize::MAX)).collect::<Vec<_>>()
        });
        places
    }

    /// The place of every label of one of the bins in that bin's order.
    fn ranks(&self, at: usize, column: Option<&KeyColumn<'_>>) -> HashMap<&Option<String>, usize> {
        let distinct: BTreeSet<&Option<String>> = self.labels.iter().map(|labels| &labels[at]).collect();
        let mut labels: Vec<&Option<String>> = distinct.into_iter().collect();
        let known = column.and_then(|column| KeyLabels::of(column).ok());
        if let Some(declared) = known.as_ref().and_then(KeyLabels::declared) {
            let codes = Codes::of(declared);
            labels.sort_by_cached_key(|label| codes.code(label.as_deref()));
        } else {
            let number = |label: &Option<String>| label.as_ref().and_then(|label| label.parse::<i128>().ok());
            let numbers = labels.iter().copied().flatten().all(|label| label.parse::<i128>().is_ok());
            labels.sort_by_cached_key(|label| {
                (label.is_none(), if numbers { number(label) } else { None }, (*label).clone())
            });
        }
        labels.into_iter().enumerate().map(|(rank, label)| (label, rank)).collect()
    }
}
