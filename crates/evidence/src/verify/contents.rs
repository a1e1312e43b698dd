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
use crate::kinds::{PeopleTable, RowCheck};
use crate::margins::Margins;
use crate::plan::Plan;
use crate::request::CellCount;
use crate::table::{KeyLabels, KeyType, Rules, Table, listing};
use crate::timeline::{Timeline, TimelineLine};
use incrowd_published::Listing;
use std::io::BufRead;

/// Checks all rows; returns a glance at them and their totals, or what is wrong with the first row that is wrong.
pub(super) fn check<'p>(
    input: impl BufRead,
    plan: &'p Plan,
    table: &mut Table<'_>,
) -> Result<(Glance, Option<Margins<'p>>, Vec<TimelineLine>), String> {
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
    let mut places = Places::of(plan, &dimensions, table.key_types());
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
        rules.read(&fields[keys..], table.reading()).map_err(wrong)?;
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
    let mut places = Places::of(plan, &dimensions, table.key_types());
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
    types: Vec<KeyType>,
    sizes: Vec<Option<u64>>,
    orders: Orders,
    listing: Listing,
}

impl<'d> Places<'d> {
    fn of(plan: &Plan, dimensions: &'d [KeyLabels], types: Vec<KeyType>) -> Self {
        Places {
            codes: dimensions.iter().map(RowKeys::of).collect(),
            types,
            sizes: dimensions.iter().map(KeyLabels::size).collect(),
            orders: Orders::of(dimensions.len()),
            listing: listing(plan),
        }
    }

    fn check(&mut self, fields: &[Option<String>], row: u64) -> Result<(), &'static str> {
        let reads = |(known, field): (&KeyType, &Option<String>)| field.as_ref().is_none_or(|text| known.reads(text));
        if !self.types.iter().zip(fields).all(reads) {
            return Err("a key that is not of the type that the certificate states");
        }
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
