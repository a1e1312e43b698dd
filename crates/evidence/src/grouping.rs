//! Cells that share the labels of some bins: which group a row belongs to, and in which order groups come.
//!
//! Labels are those of the table, and missing ones are labels of their own; it must never look at anything but keys. It
//! is separate because totals and the consistent table group the same rows. Read `margins.rs` for the sums.

use crate::csv::KeyPlaces;
use crate::glance::Row;
use crate::plan::Plan;
use crate::request::{KeyCells, KeyColumn};
use crate::table::KeyLabels;
use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use incrowd_definition::Codes;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Binary places of values that are added up.
pub(crate) const PLACES: usize = 64;
/// What stands for a bin over which was added up.
pub(crate) const ALL: &str = "(all)";

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

/// Where labels stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// In the second column, the first naming the bin, and without intervals: as certificates of version 2 have it.
    OneBin,
    /// In one column for each bin.
    EachBin,
}

impl Layout {
    pub(crate) fn of(plan: &Plan) -> Layout {
        match &plan.request().output.keys {
            KeyCells::Bare => Layout::OneBin,
            KeyCells::Named { .. } => Layout::EachBin,
        }
    }
}

/// Returns where the labels of totals stand.
pub(crate) fn label_places(plan: &Plan) -> KeyPlaces {
    match Layout::of(plan) {
        Layout::OneBin => KeyPlaces::Second,
        Layout::EachBin => KeyPlaces::First(plan.request().kind.published().len()),
    }
}

/// The columns that say what a total is of.
pub(crate) struct LabelColumns {
    columns: Vec<StringBuilder>,
    layout: Layout,
}

impl LabelColumns {
    pub(crate) fn named() -> LabelColumns {
        LabelColumns { columns: vec![StringBuilder::new(), StringBuilder::new()], layout: Layout::OneBin }
    }

    /// One column for each of so many bins.
    pub(crate) fn of_each(bins: usize) -> LabelColumns {
        LabelColumns { columns: (0..bins).map(|_| StringBuilder::new()).collect(), layout: Layout::EachBin }
    }

    /// Appends the labels of a group.
    pub(crate) fn push(&mut self, names: &[String], grouping: &Grouping, group: usize) {
        let (keys, labels) = (grouping.keys(), grouping.labels(group));
        match self.layout {
            Layout::OneBin => {
                self.columns[0].append_option(keys.first().and_then(|key| names.get(*key)));
                self.columns[1].append_option(labels.first().and_then(|label| label.as_deref()));
            }
            Layout::EachBin => {
                for (at, column) in self.columns.iter_mut().enumerate() {
                    match keys.iter().position(|key| *key == at) {
                        None => column.append_value(ALL),
                        Some(place) => column.append_option(labels[place].as_deref().map(beside_all)),
                    }
                }
            }
        }
    }

    pub(crate) fn finish(self) -> Vec<ArrayRef> {
        self.columns.into_iter().map(|mut column| Arc::new(column.finish()) as ArrayRef).collect()
    }
}

/// A label as it stands beside `(all)`: one that reads so, after any apostrophes, has an apostrophe more.
fn beside_all(label: &str) -> String {
    if label.trim_start_matches('\'') == ALL { format!("'{label}") } else { label.to_string() }
}
