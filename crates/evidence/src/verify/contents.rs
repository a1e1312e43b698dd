//! The rows of a table against the plan that was made again.
//!
//! Keys must be declared and in order, and every number that follows from a published value is computed again; it must
//! never quote a row in its answer. It is separate from the files because all formats hold the same rows. Read
//! `row_key.rs` next.

use super::order::{Orders, may_ascend};
use super::row_key::{RowKey, RowKeys};
use crate::csv::{Fields, Lines, NotCsv};
use crate::density::Density;
use crate::glance::Glance;
use crate::kinds::{ItemCounts, PeopleTable, RowCheck, TableRows};
use crate::margins::Margins;
use crate::plan::Plan;
use crate::request::CellCount;
use crate::table::{Guess, KeyLabels, Numbers, Reading, Status, Table, listing};
use crate::timeline::{Timeline, TimelineLine};
use incrowd_exact::number_of;
use incrowd_privacy::{Deployed, Outcome, Publish, SideColumn};
use incrowd_published::Listing;
use std::io::BufRead;

/// Checks all rows; returns a glance at them and their totals, or what is wrong with the first row that is wrong.
pub(super) fn check(
    input: impl BufRead,
    plan: &Plan,
    table: &mut Table<'_>,
) -> Result<(Glance, Option<Margins>, Vec<TimelineLine>), String> {
    let damaged = |_: NotCsv| "it is not CSV as incrowd writes it".to_string();
    let mut lines = Lines::new(input);
    let header = lines.next().map_err(damaged)?.ok_or("it has no header")?;
    let schema = table.schema();
    let names = schema.fields().iter().map(|field| Some(field.name().clone()));
    if !names.eq(header.iter().cloned()) {
        return Err("its columns are not those of the request".into());
    }
    let dimensions = plan.request().kind.published().iter().map(KeyLabels::of).collect::<Result<Vec<_>, _>>();
    let dimensions = dimensions.map_err(|refusal| refusal.to_string())?;
    let keys = dimensions.len();
    let mut places = Places::of(plan, &dimensions);
    let mut row_check = plan.kind().row_check();
    let rules = Rules::of(plan, table.side_column());
    let mut rows = 0u64;
    let mut glance = Glance::new(header.iter().flatten().cloned().collect());
    let mut margins = Margins::of(plan);
    let mut timeline = Timeline::of(plan);
    while let Some(fields) = lines.next().map_err(damaged)? {
        let wrong = |what: &str| format!("row {}: {what}", rows + 1);
        if fields.len() != header.len() {
            return Err(wrong("another number of fields than the header has"));
        }
        places.check(&fields[..keys], rows).map_err(wrong)?;
        if plan.request().kind.counts_pairs() && !is_pair(&fields[..keys]) {
            return Err(wrong("a pair whose first side is not below its second"));
        }
        row_check.row(rows, &fields[..keys]).map_err(wrong)?;
        rules.check(&fields[keys..], table.reading()).map_err(wrong)?;
        rows += 1;
        if let Some(margins) = &mut margins {
            margins.add(&fields, table.reading());
        }
        if let Some(timeline) = &mut timeline {
            timeline.see(&fields);
        }
        glance.see(fields);
    }
    row_check.end(rows)?;
    match (listing(plan), plan.request().cells()) {
        (Listing::EveryCell, CellCount::Declared(cells)) => {
            if u128::from(rows) != cells {
                return Err(format!("it has {rows} rows, and {cells} bins are declared and listed"));
            }
        }
        // As many as were found, or show something.
        (Listing::EveryCell, CellCount::Found | CellCount::Unstated)
        | (Listing::OnlyShown, CellCount::Declared(_) | CellCount::Found | CellCount::Unstated) => {}
    }
    Ok((glance, margins, timeline.map(Timeline::largest).unwrap_or_default()))
}

/// Checks a table with a row for each person: keys in order, equal rows together, each as its kind of release allows.
/// Returns a glance at them, and where they lie on a map.
pub(super) fn check_people(
    input: impl BufRead,
    (plan, people): (&Plan, &dyn PeopleTable),
    table: &Table<'_>,
) -> Result<(Glance, Option<Density>), String> {
    let damaged = |_: NotCsv| "it is not CSV as incrowd writes it".to_string();
    let mut lines = Lines::new(input);
    let header = lines.next().map_err(damaged)?.ok_or("it has no header")?;
    let schema = table.key_schema();
    if !schema.fields().iter().map(|field| Some(field.name().clone())).eq(header.iter().cloned()) {
        return Err("its columns are not those of the request".into());
    }
    let dimensions = plan.request().kind.published().iter().map(KeyLabels::of).collect::<Result<Vec<_>, _>>();
    let dimensions = dimensions.map_err(|refusal| refusal.to_string())?;
    let mut places = Places::of(plan, &dimensions);
    let mut row_check = plan.kind().row_check();
    let mut glance = Glance::of_kinds(plan);
    let mut density = Density::of(people);
    let mut alike: Option<(Fields, u64)> = None;
    let mut rows = 0u64;
    let mut close = |row_check: &mut dyn RowCheck, kind: Option<(Fields, u64)>| {
        let Some((kind, people)) = kind else { return Ok(()) };
        row_check.alike(people)?;
        if let Some(density) = &mut density {
            density.see(&kind, people);
        }
        glance.see_alike(kind, people);
        Ok::<(), String>(())
    };
    while let Some(fields) = lines.next().map_err(damaged)? {
        rows += 1;
        let wrong = |what: &str| format!("row {rows}: {what}");
        if fields.len() != header.len() {
            return Err(wrong("another number of fields than the header has"));
        }
        match &mut alike {
            Some((kind, people)) if *kind == fields => *people += 1,
            Some(_) | None => {
                places.check(&fields, 0).map_err(wrong)?;
                row_check.row(rows - 1, &fields).map_err(wrong)?;
                close(row_check.as_mut(), alike.take())?;
                alike = Some((fields, 1));
            }
        }
    }
    close(row_check.as_mut(), alike)?;
    row_check.end(rows)?;
    Ok((glance, density))
}

/// Whether the last two keys are a pair in some order that keys may have, the lower first.
fn is_pair(keys: &[Option<String>]) -> bool {
    match keys {
        [.., Some(first), Some(second)] => may_ascend(first, second),
        _ => false,
    }
}

/// Which bins may come, and in which order.
struct Places<'d> {
    codes: Vec<RowKeys<'d>>,
    sizes: Vec<Option<u64>>,
    orders: Orders,
    listing: Listing,
}

impl<'d> Places<'d> {
    fn of(plan: &Plan, dimensions: &'d [KeyLabels]) -> Self {
        Places {
            codes: dimensions.iter().map(RowKeys::of).collect(),
            sizes: dimensions.iter().map(KeyLabels::size).collect(),
            orders: Orders::of(dimensions.len()),
            listing: listing(plan),
        }
    }

    fn check(&mut self, fields: &[Option<String>], row: u64) -> Result<(), &'static str> {
        let keys = self.codes.iter().zip(fields).map(|(codes, field)| codes.key(field));
        let keys = keys.collect::<Option<Vec<RowKey>>>().ok_or("a key that is not declared")?;
        if self.listing == Listing::EveryCell && number(&keys, &self.sizes) != Some(row) {
            return Err("not the bin that comes next in the declared order");
        }
        if self.orders.accepts(keys) { Ok(()) } else { Err("out of order, or a bin that was there before") }
    }
}

/// The number of a cell: mixed radix, the last dimension fastest.
fn number(keys: &[RowKey], sizes: &[Option<u64>]) -> Option<u64> {
    keys.iter().zip(sizes).try_fold(0u64, |number, (key, size)| match key {
        RowKey::Code(code) => number.checked_mul((*size)?)?.checked_add(*code),
        RowKey::Found(_) => None,
    })
}

/// What the columns after the keys may hold.
struct Rules<'p> {
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
    fn of(plan: &'p Plan, side_column: SideColumn) -> Self {
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

    fn check(&self, fields: &[Option<String>], reading: &mut Reading<'_>) -> Result<(), &'static str> {
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
        let side_value = side_value.unwrap_or(&None);
        self.check_side_value(side_value)?;
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
        Ok(())
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

    fn check_side_value(&self, side_value: &Option<String>) -> Result<(), &'static str> {
        let (Some(side_value), known) = (side_value, self.side_column) else { return Ok(()) };
        let fits = match known {
            SideColumn::Levels { tests } => {
                let parts: Vec<&str> = side_value.split(',').collect();
                parts.len() == tests && parts.iter().all(|part| ["0", "1"].contains(part))
            }
            SideColumn::EpsilonTotal => side_value == "infinite" || number_of(side_value).is_some(),
            SideColumn::Nothing => false,
        };
        if fits { Ok(()) } else { Err("something told beside the count that the mechanism does not tell") }
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
