//! A forecast in words and for machines, and whether a release is expected to show nothing.
//!
//! It must say whose sizes these are, and what choosing by them means. It is separate from the figures because several
//! commands say the same. Read `../forecast.rs` first.

use super::{Forecast, IntervalBy};
use crate::chance::{percent, rounded};
use crate::kinds::ShownThing;
use crate::plan::Plan;
use serde_json::{Value, json};

/// Where nothing is known of sizes, it is worth asking if less than half of the bins of so many people would show.
const LARGE_GROUP: u64 = 100;

/// What is said beside every forecast.
pub const ONLY_THESE_SIZES: &str = "a forecast from these sizes alone; sizes of this very data are not protected, and what \
    is chosen by looking at them is not covered by the promise";

/// Whether a release is expected to show anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outlook {
    /// It is, as far as is known.
    Something,
    /// Nothing is known of sizes: from which one on bins show, in words.
    Unknown {
        /// The words.
        shows: String,
        /// Whether that is a lot of people.
        need: PeopleNeeded,
    },
    /// It is not: why, in words.
    HardlyAnything(String),
}

/// How many people a bin needs to be shown in half of all draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeopleNeeded {
    /// Not more than a hundred.
    Few,
    /// More, or it is not known.
    Many,
}

/// What a look at this state of the data has found out before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckedOutlook {
    /// Nothing, or there was none.
    Unknown,
    /// Something will be shown.
    Something,
    /// Hardly anything will.
    HardlyAnything,
}

impl Plan {
    /// Returns whether a release is expected to show anything: by the sizes of a forecast, or by what a look at the
    /// data has found. Where there is neither nothing is known: a size from which on bins show is large for one table
    /// and small for another.
    pub fn outlook(&self, forecast: Option<&Forecast>, checked: CheckedOutlook) -> Outlook {
        let Some(shows) = self.shows_words() else { return Outlook::Something };
        if let Some(forecast) = forecast {
            return match forecast.shown_expected < 1.0 {
                true => Outlook::HardlyAnything(format!("{shows}; {}", forecast.words(self))),
                false => Outlook::Something,
            };
        }
        match checked {
            CheckedOutlook::Something => return Outlook::Something,
            CheckedOutlook::HardlyAnything => {
                return Outlook::HardlyAnything(format!("{shows}; `incrowd check` looked at this state of the data"));
            }
            CheckedOutlook::Unknown => {}
        }
        match self.shows().map(|shows| shows.at_50_percent) {
            // No bin shows in half of all draws, however large it is.
            Some(None) => Outlook::HardlyAnything(shows),
            Some(Some(size)) if size <= LARGE_GROUP => Outlook::Unknown { shows, need: PeopleNeeded::Few },
            Some(Some(_)) | None => Outlook::Unknown { shows, need: PeopleNeeded::Many },
        }
    }
}

impl Forecast {
    /// Returns "of 3,896 bins about 12 will be shown (95 %: 7 to 18), 9 % of all counts; the shown ones are off by
    /// about 1.2 on average".
    pub fn words(&self, plan: &Plan) -> String {
        let ShownThing { things, shown, at_most, .. } = plan.kind.planned().shown_thing();
        let bins = grouped(&self.bins.to_string());
        let hides = plan.settled.deployed.may_be_silent();
        let mut words = if hides {
            let share =
                self.share_of_counts.map_or_else(String::new, |share| format!(", {} of all counts", percent(share)));
            format!(
                "of {bins} {things} about {} will be {shown} (95 %: {} to {}){share}",
                about(self.shown_expected),
                grouped(&self.low.to_string()),
                grouped(&self.high.to_string()),
            )
        } else {
            format!("all of the {bins} {things} will be {shown}")
        };
        if plan.sampling_chance().is_some() && plan.request.bins_per_person() > 1 {
            words.push_str(", as if each bin had a sample of its own");
        }
        if let Some(most) = at_most {
            words.push_str(&format!(", and at most {} of them are chosen", grouped(&most.to_string())));
        }
        if let Some(error) = self.mean_absolute_error.filter(|_| self.shown_expected >= 0.5) {
            let which = if at_most.is_some() { "published" } else { shown };
            match error == 0.0 {
                true => words.push_str(&format!("; the {which} ones are exact")),
                false => words.push_str(&format!("; the {which} ones are off by about {} on average", rounded(error))),
            }
        }
        if let Some(error) = self.scaled_up_error.filter(|_| self.shown_expected >= 0.5) {
            words.push_str(&format!(", as they are published, of the sample ({} scaled up)", rounded(error)));
        }
        words
    }

    /// Returns the same for machines.
    pub fn to_json(&self, plan: &Plan) -> Value {
        json!({
            "bins": self.bins.to_string(),
            "shown_expected": self.shown_expected,
            "low": self.low,
            "high": self.high,
            "interval_by": match self.interval {
                IntervalBy::Exactly => "sum",
                IntervalBy::Bound => "bound",
            },
            "share_of_counts": self.share_of_counts,
            "mean_absolute_error": self.mean_absolute_error,
            "scaled_up_error": self.scaled_up_error,
            "in_words": self.words(plan),
        })
    }
}

/// A number of bins as people read it: whole, unless that would say nothing.
fn about(number: f64) -> String {
    if number < 10.0 { rounded((number * 10.0).round() / 10.0) } else { grouped(&format!("{number:.0}")) }
}

/// Returns 3,896 for 3896.
fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
