//! Values become the numbers of bins, batch by batch.
//!
//! Every comparison is exact: edges are rationals, and each is turned into the least value of the column's own type
//! that is not below it; a float stands for its shortest decimal, whether it was stored or read from a text. It must
//! never round an edge, nor fail on a row. It is separate from the engine because this loop runs over every row and
//! decides how long a count takes. Read `cut/texts.rs`, `cut/integers.rs` and `engine::thresholds` for the three kinds
//! of bins, `cut/column.rs` for the loop.

mod column;
mod integers;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
mod texts;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Decimal128Type, Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use column::{Codes, Scale};
use incrowd_engine::thresholds::{
    EqualIntervals, ExactEdges, OUTSIDE, Thresholds, ceil_f64, ceil_i64, ceil_i128, ceil_u64,
};
use incrowd_engine::{
    Cut, Date, Dimension, Edges, Expression, ListedValues, PrepareError, Query, RequestField, RowPlan, RowType,
    coded_names,
};
use incrowd_exact::Rational;
use integers::Integers;
use texts::Texts;

/// What a row has that is in no bin.
pub(crate) const NOT_COUNTED: u64 = u64::MAX;

/// Numbers the bins of one declared dimension. Clone it for another thread: it remembers the last dictionary it saw.
#[derive(Clone)]
pub(crate) struct Cutter {
    bins: Bins,
    codes: Codes,
    size: u64,
}

/// Which bin a value is in, for the type of the column.
#[derive(Clone)]
enum Bins {
    Texts(Texts),
    Booleans([u64; 2]),
    Integers(Integers),
    Days(Integers),
    DayEdges(Thresholds<i32>),
    IntegerEdges(Thresholds<i64>),
    NaturalEdges(Thresholds<u64>),
    DecimalEdges(Thresholds<i128>),
    FloatEdges(Thresholds<f64>),
    RegularIntegers(EqualIntervals),
    RegularNaturals(EqualIntervals),
    RegularDecimals(EqualIntervals),
}

impl Cutter {
    /// Returns the numbering of a declared dimension whose values have this type.
    pub(crate) fn new(dimension: &Dimension<Expression>, kind: &RowType) -> Result<Cutter, PrepareError> {
        let place = || RequestField::Bin(dimension.name.clone());
        let wrong = |wanted| PrepareError::WrongType { place: place(), wanted, has: kind.name().to_owned() };
        let Some(size) = dimension.size() else {
            return Err(wrong("listed"));
        };
        let symbol = |code: Option<u64>| code.unwrap_or(NOT_COUNTED);
        let codes = Codes { other: symbol(dimension.other_code()), missing: symbol(dimension.null_code()) };
        let bins = match (&dimension.cut, kind) {
            (Cut::Found | Cut::Truncated(_), _) => return Err(wrong("listed")),
            (Cut::Values(ListedValues::Texts(texts)), RowType::Text) => Bins::Texts(Texts::new(texts)),
            (Cut::Named(names), RowType::Text) => {
                Bins::Texts(Texts::coded(coded_names(names).map(|(text, _, code)| (text, code))))
            }
            (Cut::Values(ListedValues::Texts(_)) | Cut::Named(_), _) => return Err(wrong("text")),
            (Cut::Values(ListedValues::Booleans(truths)), RowType::Boolean) => {
                let code = |truth| truths.iter().position(|listed| *listed == truth).map(|code| code as u64);
                Bins::Booleans([false, true].map(|truth| code(truth).unwrap_or(OUTSIDE)))
            }
            (Cut::Values(ListedValues::Booleans(_)), _) => return Err(wrong("true or false")),
            (Cut::Values(ListedValues::Integers(values)), RowType::Integer) => {
                Bins::Integers(Integers::new(values.iter().copied()))
            }
            (Cut::Values(ListedValues::Integers(_)), _) => return Err(wrong("an integer")),
            (Cut::Values(ListedValues::Days(days)), RowType::Date) => {
                Bins::Days(Integers::new(days.iter().map(|day| day.day_number())))
            }
            (Cut::Edges(Edges::Dates(days)), RowType::Date) => {
                Bins::DayEdges(Thresholds::of_days(&days.iter().map(|day| day.days()).collect::<Vec<_>>()))
            }
            (Cut::Periods(periods), RowType::Date) => {
                let starts: Vec<i32> = periods.starts().map(Date::days).collect();
                let end = i32::try_from(periods.unit().next(periods.last().day_number())).ok();
                Bins::DayEdges(Thresholds::of_periods(&starts, end))
            }
            (Cut::Values(ListedValues::Days(_)) | Cut::Edges(Edges::Dates(_)) | Cut::Periods(_), _) => {
                return Err(wrong("a date"));
            }
            (Cut::Edges(Edges::Numbers(edges)), kind) => {
                number_edges(&ExactEdges::Listed(edges), kind).ok_or_else(|| wrong("a number"))?
            }
            (Cut::Edges(Edges::Regular { from, width, intervals }), kind) => {
                match regular(from, width, *intervals, kind) {
                    Some(bins) => bins,
                    None => {
                        let exact = ExactEdges::Regular { from, width, intervals: *intervals };
                        if !exact.can_be_kept() {
                            return Err(PrepareError::TooManyBins { place: place() });
                        }
                        number_edges(&exact, kind).ok_or_else(|| wrong("a number"))?
                    }
                }
            }
        };
        Ok(Cutter { bins, codes, size })
    }

    /// Writes the number of each row's bin, `NOT_COUNTED` where there is none.
    #[cfg(test)]
    pub(crate) fn codes(&mut self, values: &dyn Array, codes: &mut Vec<u64>) {
        codes.clear();
        codes.resize(values.len(), 0);
        self.add(values, 1, codes);
    }

    /// Adds the number of each row's bin, times a stride; a row that is not counted stays so.
    fn add(&mut self, values: &dyn Array, stride: u64, cells: &mut [u64]) {
        let scale = Scale::new(self.codes, stride);
        match &mut self.bins {
            Bins::Texts(texts) => texts.add(values, scale, cells),
            Bins::Booleans(codes) => scale.add_booleans(values.as_boolean(), *codes, cells),
            Bins::Integers(table) => scale.add::<Int64Type>(values, |value| table.of(value), cells),
            Bins::Days(table) => scale.add::<Date32Type>(values, |day| table.of(i64::from(day)), cells),
            Bins::DayEdges(edges) => scale.add::<Date32Type>(values, |day| edges.of(day), cells),
            Bins::IntegerEdges(edges) => scale.add::<Int64Type>(values, |value| edges.of(value), cells),
            Bins::NaturalEdges(edges) => scale.add::<UInt64Type>(values, |value| edges.of(value), cells),
            Bins::DecimalEdges(edges) => scale.add::<Decimal128Type>(values, |value| edges.of(value), cells),
            Bins::FloatEdges(edges) => scale.add_floats(values.as_primitive::<Float64Type>(), edges, cells),
            Bins::RegularIntegers(bins) => scale.add::<Int64Type>(values, |value| bins.of(value.into()), cells),
            Bins::RegularNaturals(bins) => scale.add::<UInt64Type>(values, |value| bins.of(value.into()), cells),
            Bins::RegularDecimals(bins) => scale.add::<Decimal128Type>(values, |value| bins.of(value), cells),
        }
    }
}

/// Returns the numbering of every dimension of a query; nothing where its values are found.
pub(crate) fn cutters(query: &Query, plan: &RowPlan) -> Result<Vec<Option<Cutter>>, PrepareError> {
    let dimensions = query.dimensions.iter().zip(&plan.dimensions);
    let cutter = |(dimension, value): (&Dimension<Expression>, &incrowd_engine::RowValue)| {
        dimension.cut.listed().map(|_| Cutter::new(dimension, &value.kind)).transpose()
    };
    dimensions.map(cutter).collect()
}

/// Writes the number of each row's cell, `NOT_COUNTED` where one of its values is in no bin.
///
/// The last dimension runs fastest, as in `Query::cells`, whose product of sizes is at most 2^63.
pub(crate) fn cells(cutters: &mut [Cutter], columns: &[ArrayRef], cells: &mut Vec<u64>) {
    let rows = columns.first().map_or(0, |column| column.len());
    cells.clear();
    cells.resize(rows, 0);
    let mut stride = 1u64;
    for (cutter, column) in cutters.iter_mut().zip(columns).rev() {
        cutter.add(column.as_ref(), stride, cells);
        stride = stride.saturating_mul(cutter.size);
    }
}

fn regular(from: &Rational, width: &Rational, intervals: u64, kind: &RowType) -> Option<Bins> {
    match kind {
        RowType::Integer => EqualIntervals::new(from, width, intervals, 0).map(Bins::RegularIntegers),
        RowType::Unsigned => EqualIntervals::new(from, width, intervals, 0).map(Bins::RegularNaturals),
        RowType::Decimal { scale, .. } => {
            EqualIntervals::new(from, width, intervals, *scale).map(Bins::RegularDecimals)
        }
        _ => None,
    }
}

fn number_edges(edges: &ExactEdges<'_>, kind: &RowType) -> Option<Bins> {
    Some(match kind {
        RowType::Integer => Bins::IntegerEdges(edges.thresholds(ceil_i64)),
        RowType::Unsigned => Bins::NaturalEdges(edges.thresholds(ceil_u64)),
        RowType::Number => Bins::FloatEdges(edges.thresholds(ceil_f64)),
        RowType::Decimal { scale, .. } => Bins::DecimalEdges(edges.thresholds(|edge| ceil_i128(edge, *scale))),
        _ => return None,
    })
}
