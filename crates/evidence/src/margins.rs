//! Totals of published cells, by any sets of bins, and over all.
//!
//! Sums of what is in the table of counts and of nothing else: no cell is counted again, so a total never tells more
//! than its cells do. It must never call a sum a total, or an estimate, where cells are missing: values that noise made
//! large are shown more often, so that such a sum may lie far above the number of people as well as below it. It is
//! separate from the table because it is made from the table's own rows, by whoever writes it and by whoever verifies
//! it. Read `table/reading.rs` for unbiased values, `grouping.rs` for what is added up, and `consistent.rs` for
//! the table in which totals are the sums of their cells.

use crate::consistent::Consistent;
use crate::glance::Row;
use crate::grouping::{Grouping, LabelColumns, Layout, PLACES};
use crate::plan::Plan;
use crate::request::{KeyColumn, SumsCalled};
use crate::statistics::Statistics;
use crate::table::{Reading, listing, thousandths_f64};
use arrow_array::builder::{Float64Builder, Int64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use incrowd_exact::{Enclosure, Integer};
use incrowd_plan::totals::TotalsAddUp;
use incrowd_published::Listing;
use std::collections::HashMap;
use std::sync::Arc;

/// Half of an interval is so many standard errors.
const ERRORS_ASIDE: i128 = 2;

/// The totals of a plan, being added up.
pub(crate) struct Margins<'p> {
    /// One for each set of bins, the whole last.
    sums: Vec<Sums>,
    kind: Kind,
    layout: Layout,
    columns: Vec<String>,
    /// How many cells are declared; nothing where bins are found.
    cells: Option<u128>,
    listing: Listing,
    /// Unbiased values of counts seen before: values repeat.
    known: HashMap<i64, (Integer, Integer)>,
    /// The cells of the table that adds up, where one is made.
    consistent: Option<Consistent>,
    /// What is told of a number that is cut into bands, where that is asked for.
    statistics: Option<Statistics<'p>>,
}

/// What is added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Unbiased values, with a standard error.
    Unbiased,
    /// Counts that are shown, whatever was left out and however they were picked.
    Shown(SumsCalled),
}

/// The totals of one set of bins.
struct Sums {
    grouping: Grouping,
    /// How many groups are declared.
    size: Option<u128>,
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
    /// The interval of the last cell that was added, which counts where it is the only one.
    interval: (Option<i64>, Option<i64>),
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

impl<'p> Margins<'p> {
    /// Returns the totals that a plan asks for, if it does.
    pub(crate) fn of(plan: &'p Plan) -> Option<Margins<'p>> {
        let columns = plan.request().kind.published();
        let sets = plan.margin_sets()?;
        let sums = |keys: Vec<usize>| {
            let sizes = keys.iter().map(|key| columns[*key].size().map(u128::from));
            let size = sizes.into_iter().try_fold(1u128, |product, size| product.checked_mul(size?.max(1)));
            Sums { grouping: Grouping::of(keys), size, sums: Vec::new() }
        };
        let mut all: Vec<Sums> = sets.iter().cloned().chain([Vec::new()]).map(sums).collect();
        // The whole is there even if no cell is.
        if let Some(whole) = all.last_mut() {
            whole.grouping.group(&Row::new());
            whole.sums.push(Sum::default());
        }
        Some(Margins {
            sums: all,
            kind: Kind::of(plan),
            layout: Layout::of(plan),
            columns: columns.iter().map(|column| column.name().to_string()).collect(),
            cells: plan.request().cells().declared(),
            listing: listing(plan),
            known: HashMap::new(),
            consistent: (plan.totals_add_up() == TotalsAddUp::Yes).then(|| Consistent::of(columns.len(), &sets)),
            statistics: Statistics::of(plan),
        })
    }

    /// Adds a row of the table of counts.
    pub(crate) fn add(&mut self, row: &Row, reading: &Reading<'_>) {
        let number = |at: usize| row.get(at).and_then(|cell| cell.as_ref()?.parse::<i64>().ok());
        let keys = self.columns.len();
        let count = number(keys);
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
        let interval = (number(keys + 1), number(keys + 2));
        for Sums { grouping, sums, .. } in &mut self.sums {
            let group = grouping.group(row);
            if group == sums.len() {
                sums.push(Sum::default());
            }
            sums[group].add(value, interval);
        }
        if let (Some(consistent), Some(value)) = (&mut self.consistent, value) {
            consistent.add(row, &value.0, interval);
        }
        if let Some(statistics) = &mut self.statistics {
            statistics.add(row, count);
        }
    }

    /// Returns the columns.
    pub(crate) fn schema(&self) -> SchemaRef {
        let text = |name: &str| Field::new(name, DataType::Utf8, true);
        let whole = |name: &str| Field::new(name, DataType::Int64, true);
        let mut fields = match self.layout {
            Layout::OneBin => vec![text("dimension"), text("value")],
            Layout::EachBin => self.columns.iter().map(|name| text(name)).collect(),
        };
        match self.kind {
            Kind::Unbiased => {
                fields.push(Field::new("total", DataType::Float64, false));
                fields.push(Field::new("standard_error", DataType::Float64, false));
                match self.layout {
                    Layout::OneBin => {}
                    Layout::EachBin => fields.extend([whole("low"), whole("high")]),
                }
            }
            Kind::Shown(_) => fields.push(Field::new(self.kind.heading(), DataType::Int64, false)),
        }
        fields.extend([whole("cells"), whole("omitted")]);
        Arc::new(Schema::new(fields))
    }

    /// Returns the totals as rows: set by set, each in the order of the table, then all.
    pub(crate) fn rows(&self, columns: &[KeyColumn<'_>]) -> Option<RecordBatch> {
        let mut labels = match self.layout {
            Layout::OneBin => LabelColumns::named(),
            Layout::EachBin => LabelColumns::of_each(self.columns.len()),
        };
        let (mut floats, mut errors) = (Float64Builder::new(), Float64Builder::new());
        let (mut lows, mut highs) = (Int64Builder::new(), Int64Builder::new());
        let (mut totals, mut cells, mut omitted) = (Int64Builder::new(), Int64Builder::new(), Int64Builder::new());
        for Sums { grouping, size, sums } in &self.sums {
            let each = self.cells.zip(*size).map(|(cells, size)| cells / size);
            for group in grouping.order(columns) {
                let sum = &sums[group];
                labels.push(&self.columns, grouping, group);
                floats.append_value(thousandths_f64(in_thousandths(&sum.total)));
                errors.append_value(thousandths_f64(root_in_thousandths(&sum.variance)));
                let (low, high) = sum.interval();
                lows.append_option(low);
                highs.append_option(high);
                totals.append_value(i64::try_from(&(&sum.total >> PLACES)).unwrap_or(i64::MAX));
                cells.append_value(i64::try_from(sum.shown).unwrap_or(i64::MAX));
                let listed = match self.listing {
                    Listing::EveryCell => Some(u128::from(sum.listed)),
                    Listing::OnlyShown => each,
                };
                omitted.append_option(listed.and_then(|listed| i64::try_from(listed - u128::from(sum.shown)).ok()));
            }
        }
        let mut arrays = labels.finish();
        match self.kind {
            Kind::Unbiased => {
                arrays.extend([Arc::new(floats.finish()) as ArrayRef, Arc::new(errors.finish())]);
                match self.layout {
                    Layout::OneBin => {}
                    Layout::EachBin => arrays.extend([Arc::new(lows.finish()) as ArrayRef, Arc::new(highs.finish())]),
                }
            }
            Kind::Shown(_) => arrays.push(Arc::new(totals.finish())),
        }
        arrays.extend([Arc::new(cells.finish()) as ArrayRef, Arc::new(omitted.finish())]);
        RecordBatch::try_new(self.schema(), arrays).ok()
    }

    /// Returns the table in which totals are the sums of their cells, where one is made.
    pub(crate) fn consistent_rows(&self, columns: &[KeyColumn<'_>]) -> Option<RecordBatch> {
        self.consistent.as_ref()?.rows(columns)
    }

    /// Returns the statistics of a number that is cut into bands, where they are made.
    pub(crate) fn statistics_rows(&self, columns: &[KeyColumn<'_>]) -> Option<RecordBatch> {
        self.statistics.as_ref()?.rows(columns, &self.consistent.as_ref()?.cells(columns))
    }
}

impl Sum {
    fn add(&mut self, value: Option<&(Integer, Integer)>, interval: (Option<i64>, Option<i64>)) {
        self.listed += 1;
        if let Some((total, variance)) = value {
            self.shown += 1;
            self.total += total;
            self.variance += variance;
            self.interval = interval;
        }
    }

    /// The interval of the only cell, as wide as it takes to hold the total beside it, which is another reading of the
    /// cell than the value that the interval is about; else two standard errors on either side. Outwards to whole
    /// people, and never below zero.
    fn interval(&self) -> (Option<i64>, Option<i64>) {
        let (total, error) = (in_thousandths(&self.total), root_in_thousandths(&self.variance));
        let around = |aside: i128| {
            let end = |end: i128| i64::try_from(end.max(0)).unwrap_or(i64::MAX);
            let (low, high) = (total.saturating_sub(aside), total.saturating_add(aside).saturating_add(999));
            (end(low.div_euclid(1000)), end(high.div_euclid(1000)))
        };
        if self.shown == 1 {
            let (low, high) = around(0);
            return (self.interval.0.map(|end| end.min(low)), self.interval.1.map(|end| end.max(high)));
        }
        let (low, high) = around(error.saturating_mul(ERRORS_ASIDE));
        (Some(low), Some(high))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The interval of a total in thousandths, with the same standard error; of so many cells, the last of which has an
    /// interval.
    fn interval(total: i128, error: i128, (shown, interval): (u64, (i64, i64))) -> (Option<i64>, Option<i64>) {
        let units = |thousandths: i128, whole: i128| (Integer::from(thousandths) << PLACES) / Integer::from(whole);
        let (total, variance) = (units(total, 1000), units(error * error, 1_000_000));
        Sum { listed: shown, shown, total, variance, interval: (Some(interval.0), Some(interval.1)) }.interval()
    }

    #[test]
    fn the_interval_of_one_cell_holds_the_total_beside_it_unless_that_is_below_zero() {
        let one = |total: i128, cell: (i64, i64)| interval(total, 50_000, (1, cell));
        assert_eq!(one(40_500, (20, 60)), (Some(20), Some(60)), "the interval of the cell, which is proved");
        assert_eq!(one(205_375, (0, 103)), (Some(0), Some(206)));
        assert_eq!(one(17_990, (20, 60)), (Some(17), Some(60)));
        assert_eq!(one(-98_200, (0, 102)), (Some(0), Some(102)), "nobody is fewer than none");
        assert_eq!(one(-98_200, (20, 60)), (Some(0), Some(60)));
        for total in (-300_000..300_000).step_by(7_919) {
            let (low, high) = one(total, (10, 40));
            let (low, high) = (low.expect("an end"), high.expect("an end"));
            assert!(low <= 10 && high >= 40, "never narrower than the cell's");
            assert!(i128::from(low) * 1000 <= total.max(0) && total <= i128::from(high) * 1000, "{total}");
        }
    }

    #[test]
    fn the_interval_of_several_cells_is_two_standard_errors_on_either_side() {
        assert_eq!(interval(100_000, 10_400, (2, (0, 5))), (Some(79), Some(121)));
        assert_eq!(interval(5_000, 10_400, (2, (0, 5))), (Some(0), Some(26)));
    }
}
