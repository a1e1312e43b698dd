//! Totals of published cells, over all dimensions but one, and over all.
//!
//! Sums of what is in the table of counts and of nothing else: no cell is counted again, so a total never tells more
//! than its cells do. It must never call a sum a total, or an estimate, where cells are missing: values that noise made
//! large are shown more often, so that such a sum may lie far above the number of people as well as below it. It is
//! separate from the table because it is made from the table's own rows, by whoever writes it and by whoever verifies
//! it. Read `table/reading.rs` for unbiased values.

use crate::glance::Row;
use crate::plan::Plan;
use crate::request::{KeyColumn, Margins as Asked, SumsCalled};
use crate::table::{KeyLabels, Reading, listing, thousandths_f64};
use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use incrowd_definition::Codes;
use incrowd_exact::{Enclosure, Integer};
use incrowd_published::Listing;
use std::collections::HashMap;
use std::sync::Arc;

/// Binary places of the sums.
const PLACES: usize = 64;

/// The totals of a plan, being added up.
pub(crate) struct Margins {
    sums: Vec<ByLabel>,
    whole: Sum,
    kind: Kind,
    /// The place of `count` in a row.
    count: usize,
    /// How many cells are declared; nothing where bins are found.
    cells: Option<u128>,
    listing: Listing,
    /// Unbiased values of counts seen before: values repeat.
    known: HashMap<i64, (Integer, Integer)>,
}

/// What is added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Unbiased values, with a standard error.
    Unbiased,
    /// Counts that are shown, whatever was left out and however they were picked.
    Shown(SumsCalled),
}

/// The totals of one dimension.
struct ByLabel {
    name: String,
    /// Its place among the keys.
    key: usize,
    size: Option<u64>,
    /// In order of appearance.
    labels: Vec<Option<String>>,
    places: HashMap<Option<String>, usize>,
    sums: Vec<Sum>,
}

#[derive(Clone, Default)]
struct Sum {
    /// Cells in the table, and those of them that show a count.
    listed: u64,
    shown: u64,
    /// In units of `2^-64`.
    total: Integer,
    variance: Integer,
}

impl Sum {
    fn add(&mut self, value: Option<&(Integer, Integer)>) {
        self.listed += 1;
        if let Some((total, variance)) = value {
            self.shown += 1;
            self.total += total;
            self.variance += variance;
        }
    }
}

impl Kind {
    pub(crate) fn of(plan: &Plan) -> Kind {
        match plan.settled().deployed().spreads() {
            Some(_) => Kind::Unbiased,
            None => Kind::Shown(plan.request().output.sums),
        }
    }

    /// Returns the heading of the column of totals.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Kind::Unbiased => "total",
            Kind::Shown(SumsCalled::SumOfShown) => "sum_of_shown",
            Kind::Shown(SumsCalled::PublishedTotal) => "published_total",
        }
    }
}

impl Margins {
    /// Returns the totals that a plan asks for, if it does.
    pub(crate) fn of(plan: &Plan) -> Option<Margins> {
        let columns = plan.request().kind.published();
        let asked = asked(plan)?;
        let by_label = |name: &String| {
            let key = columns.iter().position(|column| column.name() == name)?;
            Some(ByLabel {
                name: name.clone(),
                key,
                size: columns[key].size(),
                labels: Vec::new(),
                places: HashMap::new(),
                sums: Vec::new(),
            })
        };
        Some(Margins {
            sums: asked.iter().filter_map(by_label).collect(),
            whole: Sum::default(),
            kind: Kind::of(plan),
            count: columns.len(),
            cells: plan.request().cells().declared(),
            listing: listing(plan),
            known: HashMap::new(),
        })
    }

    /// Adds a row of the table of counts.
    pub(crate) fn add(&mut self, row: &Row, reading: &Reading<'_>) {
        let count = row.get(self.count).and_then(|cell| cell.as_ref()?.parse::<i64>().ok());
        if let Some(count) = count
            && !self.known.contains_key(&count)
        {
            let value = match (self.kind, reading.unbiased(count)) {
                (Kind::Unbiased, Some(unbiased)) => (units(&unbiased.value), units(&unbiased.variance)),
                (Kind::Unbiased, None) | (Kind::Shown(_), _) => (Integer::from(count) << PLACES, Integer::ZERO),
            };
            if self.known.len() >= 1 << 20 {
                self.known.clear();
            }
            self.known.insert(count, value);
        }
        let value = count.and_then(|count| self.known.get(&count));
        self.whole.add(value);
        for by_label in &mut self.sums {
            let label = row.get(by_label.key).cloned().flatten();
            let next = by_label.sums.len();
            let place = *by_label.places.entry(label.clone()).or_insert(next);
            if place == next {
                by_label.labels.push(label);
                by_label.sums.push(Sum::default());
            }
            by_label.sums[place].add(value);
        }
    }

    /// Returns the columns.
    pub(crate) fn schema(&self) -> SchemaRef {
        let text = |name: &str| Field::new(name, DataType::Utf8, true);
        let whole = |name: &str| Field::new(name, DataType::Int64, true);
        let mut fields = vec![text("dimension"), text("value")];
        match self.kind {
            Kind::Unbiased => {
                fields.push(Field::new("total", DataType::Float64, false));
                fields.push(Field::new("standard_error", DataType::Float64, false));
            }
            Kind::Shown(_) => fields.push(Field::new(self.kind.heading(), DataType::Int64, false)),
        }
        fields.extend([whole("cells"), whole("omitted")]);
        Arc::new(Schema::new(fields))
    }

    /// Returns the totals as rows: by dimension in the order of the request, by label in the order of the table, then
    /// all.
    pub(crate) fn rows(&self, columns: &[KeyColumn<'_>]) -> Option<RecordBatch> {
        let (mut dimensions, mut values) = (StringBuilder::new(), StringBuilder::new());
        let (mut floats, mut errors) = (Float64Builder::new(), Float64Builder::new());
        let (mut totals, mut cells, mut omitted) = (Int64Builder::new(), Int64Builder::new(), Int64Builder::new());
        let mut push = |name: Option<&str>, label: Option<&str>, sum: &Sum, declared: Option<u128>| {
            dimensions.append_option(name);
            values.append_option(label);
            floats.append_value(thousandths_f64(in_thousandths(&sum.total)));
            errors.append_value(thousandths_f64(root_in_thousandths(&sum.variance)));
            totals.append_value(i64::try_from(&(&sum.total >> PLACES)).unwrap_or(i64::MAX));
            cells.append_value(i64::try_from(sum.shown).unwrap_or(i64::MAX));
            let listed = match self.listing {
                Listing::EveryCell => Some(u128::from(sum.listed)),
                Listing::OnlyShown => declared,
            };
            omitted.append_option(listed.and_then(|listed| i64::try_from(listed - u128::from(sum.shown)).ok()));
        };
        for by_label in &self.sums {
            let each = self.cells.zip(by_label.size).map(|(cells, size)| cells / u128::from(size.max(1)));
            for place in by_label.order(columns) {
                push(Some(&by_label.name), by_label.labels[place].as_deref(), &by_label.sums[place], each);
            }
        }
        push(None, None, &self.whole, self.cells);
        let mut arrays: Vec<ArrayRef> = vec![Arc::new(dimensions.finish()), Arc::new(values.finish())];
        match self.kind {
            Kind::Unbiased => arrays.extend([Arc::new(floats.finish()) as ArrayRef, Arc::new(errors.finish())]),
            Kind::Shown(_) => arrays.push(Arc::new(totals.finish())),
        }
        arrays.extend([Arc::new(cells.finish()) as ArrayRef, Arc::new(omitted.finish())]);
        RecordBatch::try_new(self.schema(), arrays).ok()
    }
}

impl ByLabel {
    /// Returns the places of the labels in order: as declared; found ones by number if all are whole numbers, else by
    /// text; the missing one last.
    fn order(&self, columns: &[KeyColumn<'_>]) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.labels.len()).collect();
        let labels = columns.get(self.key).and_then(|column| KeyLabels::of(column).ok());
        if let Some(declared) = labels.as_ref().and_then(KeyLabels::declared) {
            let codes = Codes::of(declared);
            places.sort_by_cached_key(|place| codes.code(self.labels[*place].as_deref()));
            return places;
        }
        let number = |label: &Option<String>| label.as_ref().and_then(|label| label.parse::<i128>().ok());
        let numbers = self.labels.iter().flatten().all(|label| label.parse::<i128>().is_ok());
        places.sort_by_cached_key(|place| {
            let label = &self.labels[*place];
            (label.is_none(), if numbers { number(label) } else { None }, label.clone())
        });
        places
    }
}

/// Returns the names of the dimensions whose totals are asked for, in the order of the request.
pub(crate) fn asked(plan: &Plan) -> Option<Vec<String>> {
    let columns = plan.request().kind.published();
    let all = columns.iter().map(|column| column.name().to_string());
    match &plan.request().output.margins {
        Asked::None => None,
        Asked::All => Some(all.collect()),
        Asked::Of(names) => Some(all.filter(|name| names.contains(name)).collect()),
    }
}

/// A number in units of `2^-64`, rounded down.
fn units(value: &Enclosure) -> Integer {
    value.with_bits(PLACES).low_units().clone()
}

/// Thousandths of a number in units, halves up.
fn in_thousandths(units: &Integer) -> i128 {
    let doubled: Integer = ((units * Integer::from(2000)) >> PLACES) + Integer::ONE;
    i128::try_from(&(doubled >> 1usize)).unwrap_or(i128::MAX)
}

/// Thousandths of the root of a number in units, rounded up: an error is never stated too small.
fn root_in_thousandths(units: &Integer) -> i128 {
    let scaled = u128::try_from(&((units * Integer::from(1_000_000)) >> PLACES)).unwrap_or(u128::MAX);
    let root = scaled.isqrt();
    i128::try_from(if root * root == scaled { root } else { root + 1 }).unwrap_or(i128::MAX)
}
