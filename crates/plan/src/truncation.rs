//! What cutting people to their bins leaves out, by how much a person has.
//!
//! A function of the request alone, for sizes that anybody may think of; it must never look at how much people really
//! have. It is separate because only data with many rows of a person is cut. Read `plan.rs` next.

use crate::plan::Plan;
use crate::request::Unit;
use incrowd_definition::{CellCount, MOST_ITEMS};
use serde_json::{Value, json};

/// How many different values a person may have.
const SIZES: [u64; 8] = [1, 2, 5, 10, 20, 50, 100, 1000];

/// What is counted of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// How many different values she has.
    pub values: u64,
    /// In how many bins she would be.
    pub bins: u64,
    /// In how many she is counted.
    pub counted: u64,
}

impl Plan {
    /// Returns what is counted of people with so many values; nothing where that is one bin of everybody.
    pub fn truncation(&self) -> Vec<Kept> {
        let unit = self.request.data.as_ref().map(|data| &data.unit);
        let Some(Unit::Person { bins_per_person, .. }) = unit else { return Vec::new() };
        let pairs = self.request.kind.counts_pairs();
        if *bins_per_person == 1 && !pairs {
            return Vec::new();
        }
        let kept = |values: &u64| {
            let used = if pairs { (*values).min(MOST_ITEMS) } else { *values };
            let all = if pairs { values * (values - 1) / 2 } else { *values };
            let possible = if pairs { used * (used - 1) / 2 } else { all };
            Kept { values: *values, bins: all, counted: possible.min(*bins_per_person) }
        };
        SIZES.iter().map(kept).filter(|kept| kept.bins > 0).collect()
    }

    /// Returns the same in a sentence; nothing where nobody is cut.
    pub fn truncation_words(&self) -> Option<String> {
        let cut: Vec<Kept> = self.truncation().into_iter().filter(|kept| kept.counted < kept.bins).collect();
        let bins = if self.request.kind.counts_pairs() { "pairs" } else { "bins" };
        let some = cut.iter().take(4).map(|kept| {
            // Rounded down: what is kept is never said to be more than it is.
            let share = match u128::from(kept.counted) * 100 / u128::from(kept.bins.max(1)) {
                0 => "less than 1 %".to_string(),
                share => format!("{share} %"),
            };
            format!("with {} values {} of {} {bins} ({share})", kept.values, kept.counted, kept.bins)
        });
        let some: Vec<String> = some.collect();
        (!some.is_empty()).then(|| format!("of a person {}", some.join(", ")))
    }

    /// Returns that people may have been cut to some of their bins, and what that makes of counts; nothing where nobody
    /// can be.
    pub fn cut_words(&self) -> Option<String> {
        if !self.request.may_cut_people() {
            return None;
        }
        let most = self.request.bins_per_person();
        let in_each = if self.request.periods_per_person() > 1 { " in each period" } else { "" };
        Some(format!(
            "a person is counted in at most {most} of her bins{in_each}, however many she has: more people may be in a bin than were counted in it, and no number here says how many"
        ))
    }

    /// Returns that nobody can be in as many bins as are paid for, where that is so.
    pub fn spare_bins_words(&self) -> Option<String> {
        let most = self.request.bins_per_person();
        let CellCount::Declared(cells) = self.request.cells() else { return None };
        let bins = if cells == 1 { "1 bin".to_string() } else { format!("{cells} bins") };
        (0 < cells && cells < u128::from(most)).then(|| {
            format!(
                "there are {bins}: bins-per-person = {cells} leaves out no more than bins-per-person = {most} does, and more bins \
                 of a person need more noise or more budget"
            )
        })
    }

    /// Returns what published numbers are about, noise aside: "the true count", or whom the cut has left.
    pub fn count_words(&self) -> &'static str {
        match self.request.may_cut_people() {
            true => "the number of people counted in the bin",
            false => "the true count",
        }
    }

    /// Returns the same for machines.
    pub fn truncation_json(&self) -> Value {
        let kept = |kept: &Kept| json!({ "values": kept.values, "bins": kept.bins, "counted": kept.counted });
        self.truncation().iter().map(kept).collect()
    }
}
