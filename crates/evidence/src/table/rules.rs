//! What the columns after the keys may hold, and what they say that a bin shows.
//!
//! Every number that follows from a published value is computed again; it must never accept one that a table of this
//! plan cannot have. It is separate because verifiers read tables to judge them, and renderings to write them once
//! more. Read `reading.rs` for the other direction.

use super::{Guess, Numbers, Reading, Status, listing};
use crate::kinds::{ItemCounts, TableRows};
use crate::plan::Plan;
use crate::quality::{CellNumbers, Quality};
use incrowd_exact::number_of;
use incrowd_privacy::{Deployed, Epsilon, Outcome, Publish, SideColumn, SideValue};
use incrowd_published::{Listing, Shown};

/// What the columns after the keys may hold.
pub(crate) struct Rules<'p> {
    deployed: &'p Deployed,
    side_column: SideColumn,
    listing: Listing,
    /// The smallest value that can be published.
    least: Option<i64>,
    /// The limit of "at most", where there is one.
    at_most: Option<u64>,
    /// Whether items were chosen, with their counts or without.
    chosen: Option<ItemCounts>,
}

impl<'p> Rules<'p> {
    pub(crate) fn of(plan: &'p Plan, side_column: SideColumn) -> Self {
        let deployed = plan.shown_by();
        let chosen = match plan.kind().rows() {
            TableRows::Items(counts) => Some(counts),
            TableRows::Bins | TableRows::People(_) => None,
        };
        Rules {
            deployed,
            side_column,
            listing: listing(plan),
            least: deployed.least_value(),
            at_most: deployed.at_most(),
            chosen,
        }
    }

    /// Returns what a bin shows by its columns after the keys, or what is wrong with them.
    pub(crate) fn read(&self, fields: &[Option<String>], reading: &mut Reading<'_>) -> Result<Shown, &'static str> {
        let [count, low, high, status, rest @ ..] = fields else { return Err("columns are missing") };
        let whole = |field: &Option<String>| match field {
            None => Ok(None),
            Some(text) => {
                canonical_integer(text).map(Some).ok_or("a number that is not a whole one, or beyond any count")
            }
        };
        let (count, low, high) = (whole(count)?, whole(low)?, whole(high)?);
        let status = Status::ALL.into_iter().find(|known| Some(known.as_str()) == status.as_deref());
        let status = status.ok_or("a status that is not known")?;
        let mut rest = rest.iter();
        let mut next = |there: bool| if there { rest.next().ok_or("columns are missing").map(Some) } else { Ok(None) };
        let side_value = next(self.side_column != SideColumn::Nothing)?;
        let estimate = next(reading.estimate_type().is_some())?;
        let rounded = next(reading.rounds())?;
        let readers = next(reading.hides_small())?;
        let letter = next(reading.judges())?;
        let side_value = self.side_value(side_value.unwrap_or(&None))?;
        if low.zip(high).is_some_and(|(low, high)| low > high) {
            return Err("low is above high");
        }
        let outcome = self.outcome(status, count, low, high)?;
        let again = reading.numbers(&outcome);
        let ends = match outcome {
            // A range is cut at 0, so its lower end is not known from the table alone.
            Outcome::Range(_, _) => true,
            Outcome::Value(_) | Outcome::AtMost(_) | Outcome::Suppressed => (again.low, again.high) == (low, high),
        };
        if !ends {
            return Err("an interval that does not follow from the published value");
        }
        if estimate.is_some_and(|estimate| !matches_guess(&again, estimate.as_deref())) {
            return Err("an estimate that does not follow from the published value");
        }
        if let Some(rounded) = rounded
            && whole(rounded)? != again.rounded
        {
            return Err("a rounded number that does not follow from the published value");
        }
        if let Some(readers) = readers
            && *readers != reading.shown(&outcome)
        {
            return Err("something else is shown to readers than follows from the published value");
        }
        // By the interval as it is published, which is that of the value, or a range whose lower end is cut at 0.
        let quality = CellNumbers { count, low, high }.quality();
        if letter.is_some_and(|letter| letter.as_deref() != quality.map(Quality::letter)) {
            return Err("a quality that does not follow from the count and its interval");
        }
        Ok(Shown { outcome, side_value })
    }

    fn outcome(
        &self,
        status: Status,
        count: Option<i64>,
        low: Option<i64>,
        high: Option<i64>,
    ) -> Result<Outcome, &'static str> {
        match (status, count, self.deployed.program().publish) {
            (Status::Suppressed, None, _) if self.listing == Listing::EveryCell && self.deployed.may_be_silent() => {
                Ok(Outcome::Suppressed)
            }
            (Status::Suppressed, _, _) => Err("a bin that cannot be shown as suppressed"),
            (Status::Chosen, None, _) if self.chosen == Some(ItemCounts::Hidden) => Ok(Outcome::Suppressed),
            (Status::Chosen, _, _) => Err("an item that cannot be chosen without a count"),
            (Status::Published, _, _) if self.chosen == Some(ItemCounts::Hidden) => {
                Err("a count where none is published")
            }
            (Status::AtMost, None, _) => match self.at_most {
                Some(limit) => Ok(Outcome::AtMost(limit)),
                None => Err("a bin that cannot be shown as at most something"),
            },
            (Status::AtMost, Some(_), _) => Err("a count beside a status that has none"),
            (Status::Published, None, Publish::Range { half_width }) => {
                let (Some(low), Some(high)) = (low, high) else { return Err("a range without ends") };
                let width = i64::try_from(half_width).unwrap_or(i64::MAX / 4).saturating_mul(2);
                let whole = high.saturating_sub(low) == width || (low == 0 && high >= 0 && high <= width);
                let middle = high.saturating_sub(width / 2);
                if whole {
                    Ok(Outcome::Range(middle.saturating_sub(width / 2), high))
                } else {
                    Err("a range of another width")
                }
            }
            (Status::Published, Some(value), Publish::Value { .. }) => {
                if self.least.is_some_and(|least| value < least) {
                    return Err("a value below the smallest that can be published");
                }
                Ok(Outcome::Value(value))
            }
            (Status::Published, _, _) => Err("a published bin without its count"),
        }
    }

    fn side_value(&self, text: &Option<String>) -> Result<SideValue, &'static str> {
        let Some(text) = text else { return Ok(SideValue::Nothing) };
        let told = match self.side_column {
            SideColumn::Levels { tests } => {
                let level = |part: &str| match part {
                    "0" => Some(false),
                    "1" => Some(true),
                    _ => None,
                };
                let levels = text.split(',').map(level).collect::<Option<Vec<bool>>>();
                levels.filter(|levels| levels.len() == tests).map(SideValue::Levels)
            }
            SideColumn::EpsilonTotal if text == "infinite" => Some(SideValue::EpsilonTotal(Epsilon::Infinite)),
            SideColumn::EpsilonTotal => {
                number_of(text).map(|epsilon| SideValue::EpsilonTotal(Epsilon::Finite(epsilon)))
            }
            SideColumn::Nothing => None,
        };
        told.ok_or("something told beside the count that the mechanism does not tell")
    }
}

/// No table of people has larger numbers; beyond them there would be no room to compute with.
const LARGEST: i64 = 1 << 62;

/// Returns a whole number that is written as incrowd writes it, and could be of a table.
fn canonical_integer(text: &str) -> Option<i64> {
    let number = text.parse::<i64>().ok().filter(|number| number.to_string() == text)?;
    (-LARGEST..=LARGEST).contains(&number).then_some(number)
}

fn matches_guess(again: &Numbers, shown: Option<&str>) -> bool {
    match (again.estimate, shown) {
        (None, None) => true,
        (Some(Guess::Whole(guess)), Some(shown)) => canonical_integer(shown) == Some(guess),
        (Some(guess @ Guess::Thousandths(_)), Some(shown)) => {
            shown.parse::<f64>().is_ok_and(|shown| shown == guess.to_f64())
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}
