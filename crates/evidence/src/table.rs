//! The published table: which columns it has, and how published bins become its rows.
//!
//! Every cell is a function of the plan and of what the mechanism drew; it must never see a true count, nor a bin that
//! is not published. It is separate from `write.rs` because a table is the same whatever file holds it. Read
//! `table/key_labels.rs` for the keys, then `table/reading.rs` for the numbers.

mod bounds;
mod key_labels;
mod key_type;
mod published_again;
mod reading;
mod rules;
mod workbook_limits;

pub use incrowd_plan::TableRefusal;
pub use key_type::KeyType;

pub(crate) use bounds::{Beside, from_name, to_name};
pub(crate) use key_labels::KeyLabels;
pub(crate) use published_again::published_again;
pub(crate) use reading::{Guess, Numbers, Reading, ShowsCounts, Status, levels_text, thousandths_f64};
pub(crate) use rules::Rules;

use crate::csv::{KeyPlaces, Spelling};
use crate::kinds::TableRows;
use crate::plan::Plan;
use crate::quality::{Quality, ReadAs};
use crate::refusal::Refusal;
use crate::request::{Format, KeyCells, Margins, TableManner};
use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use incrowd_privacy::{SideColumn, SideValue, Universe};
use incrowd_published::{Keys, Listing, PublishedBatch, Shown};
use std::fmt;
use std::sync::Arc;

/// The column of what readers are shown.
pub(crate) const SHOWN: &str = "shown";
/// The column of how far a value can be relied on.
pub(crate) const QUALITY: &str = "quality";

/// The published table of a plan.
pub struct Table<'p> {
    dimensions: Vec<KeyLabels>,
    /// What the columns of dimensions that are found in the data turned out to be; text until then.
    found: Vec<DataType>,
    side_column: SideColumn,
    reading: Reading<'p>,
    /// How keys are spelt in files without types, and what stands beside them in those with types.
    spelling: Spelling,
    beside: Beside,
    /// What the column of counts is called.
    heading: &'static str,
    uncertain: UncertainCells,
}

/// Whether values that are too uncertain to be numbers look otherwise where cells can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UncertainCells {
    Marked,
    Plain,
}

/// The headings of statistics, beside those of the bins.
pub(crate) const STATISTIC: &str = "statistic";
pub(crate) const ESTIMATE: &str = "estimate";
/// The headings of what is made of the rows of the table.
const HEADINGS: [&str; 8] =
    ["total", "standard_error", "sum_of_shown", "cells", "omitted", "consistent", STATISTIC, ESTIMATE];

/// Published bins that do not fit the plan: an engine broke its contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableError;

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the published bins do not fit the bins of the request")
    }
}

impl std::error::Error for TableError {}

impl<'p> Table<'p> {
    /// Returns the table that a plan publishes, or why it cannot be written; nothing has been charged then.
    ///
    /// May take a while: intervals of some mechanisms are listed count by count.
    pub fn of(plan: &'p Plan) -> Result<Table<'p>, Refusal> {
        let request = plan.request();
        let deployed = plan.settled().deployed();
        let side_column = deployed.side_column();
        let columns = request.kind.published();
        if columns.is_empty() {
            return Err(TableRefusal::NoBins.into());
        }
        if deployed.publishes_ranges() && request.output.margins != Margins::None {
            return Err(TableRefusal::NoMargins { mechanism: deployed.mechanism.name() }.into());
        }
        let output = &request.output;
        let adds = output.margins != Margins::None || output.estimate.is_some() || output.rounding.is_some();
        let silence = match plan.kind().rows() {
            TableRows::Bins => Status::Suppressed,
            TableRows::Items(_) | TableRows::People(_) if adds => return Err(TableRefusal::RowsAsTheyAre.into()),
            TableRows::Items(_) => Status::Chosen,
            TableRows::People(_) => Status::Suppressed,
        };
        let shows = ShowsCounts::of(plan);
        if output.small.is_some() && shows == ShowsCounts::No {
            return Err(TableRefusal::NoCountsToShow.into());
        }
        if output.margins != Margins::None
            && output.keys != KeyCells::Bare
            && let Some(column) = columns.iter().find(|column| HEADINGS.contains(&column.name()))
        {
            return Err(TableRefusal::HeadingTaken { bin: column.name().into() }.into());
        }
        if let Some(Err(refusal)) = plan.statistics() {
            return Err(refusal.into());
        }
        let dimensions = columns.iter().map(KeyLabels::of).collect::<Result<Vec<_>, _>>()?;
        let reading = Reading::of(plan.shown_by(), &request.output, silence, shows)?;
        let found = vec![DataType::Utf8; dimensions.len()];
        let (spelling, beside) = (Spelling::of(output), Beside::of(&columns, &output.keys));
        if let Some(missing) = spelling.missing()
            && let Some(bin) = dimensions.iter().find(|dimension| dimension.lists(missing))
        {
            return Err(TableRefusal::MissingIsListed { bin: bin.name().into(), missing: missing.into() }.into());
        }
        let uncertain = match (shows, output.manner) {
            (ShowsCounts::Yes, TableManner::Careful) => UncertainCells::Marked,
            (ShowsCounts::No, _) | (_, TableManner::Plain) => UncertainCells::Plain,
        };
        let heading = request.count_heading();
        let table = Table { dimensions, found, side_column, reading, spelling, beside, heading, uncertain };
        if let Some(bin) = table.taken(plan) {
            return Err(TableRefusal::HeadingTaken { bin }.into());
        }
        let has_types = |format: &Format| match format {
            Format::Csv => false,
            Format::Parquet | Format::Arrow | Format::Xlsx => true,
        };
        if output.formats.iter().any(has_types)
            && let Some(column) = table.beside.taken(&table.file_schema(plan))
        {
            return Err(TableRefusal::BoundTaken { column }.into());
        }
        if output.formats.contains(&Format::Xlsx) {
            workbook_limits::check(plan, &table)?;
        }
        Ok(table)
    }

    /// Returns a bin with the name of a column that this table has beside its bins.
    fn taken(&self, plan: &Plan) -> Option<String> {
        let words = match (self.uncertain, plan.request().output.formats.contains(&Format::Xlsx)) {
            (UncertainCells::Marked, true) => Some(ReadAs::HEADING),
            (UncertainCells::Marked, false) | (UncertainCells::Plain, _) => None,
        };
        let (schema, keys) = (self.file_schema(plan), self.dimensions.len());
        let own = schema.fields().iter().skip(keys).map(|field| field.name().as_str()).chain(words);
        let names: Vec<&str> = own.collect();
        let bin = self.dimensions.iter().find(|dimension| names.contains(&dimension.name()))?;
        Some(bin.name().into())
    }

    /// Returns where counts begin, if uncertain ones look otherwise.
    pub(crate) fn uncertain_from(&self) -> Option<usize> {
        match self.uncertain {
            UncertainCells::Marked => Some(self.dimensions.len()),
            UncertainCells::Plain => None,
        }
    }

    /// Returns the columns of the main table's CSV file: keys alone where rows are people.
    pub(crate) fn file_schema(&self, plan: &Plan) -> SchemaRef {
        match plan.kind().rows() {
            TableRows::Bins | TableRows::Items(_) => self.schema(),
            TableRows::People(_) => self.key_schema(),
        }
    }

    /// Returns how texts are spelt in files without types.
    pub(crate) fn spelling(&self) -> &Spelling {
        &self.spelling
    }

    /// Returns where the keys stand.
    pub(crate) fn places(&self) -> KeyPlaces {
        KeyPlaces::First(self.dimensions.len())
    }

    /// Returns what stands beside keys in files with types.
    pub(crate) fn beside(&self) -> &Beside {
        &self.beside
    }

    /// Returns the types of the keys; text where they are found and there are no rows.
    pub fn key_types(&self) -> Vec<KeyType> {
        let fields = self.dimensions.iter().zip(&self.found).map(|(dimension, found)| dimension.field(found));
        fields.filter_map(|field| KeyType::of(field.data_type())).collect()
    }

    /// Takes the types of keys from a certificate; nothing if a declared one has another.
    pub(crate) fn with_key_types(mut self, types: &[KeyType]) -> Option<Self> {
        if types.len() != self.dimensions.len() {
            return None;
        }
        self.found = types.iter().map(|known| known.data_type().clone()).collect();
        (self.key_types() == types).then_some(self)
    }

    /// Returns the columns of published rows: the keys alone.
    pub(crate) fn key_schema(&self) -> SchemaRef {
        let keys = self.dimensions.iter().zip(&self.found).map(|(dimension, found)| dimension.field(found));
        Arc::new(Schema::new(keys.collect::<Vec<Field>>()))
    }

    /// Returns the keys of some published bins, in their order.
    pub(crate) fn key_rows(&mut self, batch: &PublishedBatch) -> Result<RecordBatch, TableError> {
        let columns = self.columns_of(&batch.keys)?;
        RecordBatch::try_new(self.key_schema(), columns).map_err(|_| TableError)
    }

    /// Returns the columns. Those of dimensions that are found in the data are text until the first rows are there.
    pub fn schema(&self) -> SchemaRef {
        let keys = self.dimensions.iter().zip(&self.found).map(|(dimension, found)| dimension.field(found));
        let mut fields: Vec<Field> = keys.collect();
        fields.extend([self.heading, "low", "high"].map(|name| Field::new(name, DataType::Int64, true)));
        fields.push(Field::new("status", DataType::Utf8, false));
        fields.extend(self.side_column.heading().map(|name| Field::new(name, DataType::Utf8, true)));
        fields.extend(self.reading.estimate_type().map(|kind| Field::new("estimate", kind, true)));
        fields.extend(self.reading.rounds().then(|| Field::new("rounded", DataType::Int64, true)));
        fields.extend(self.reading.hides_small().then(|| Field::new(SHOWN, DataType::Utf8, true)));
        fields.extend(self.reading.judges().then(|| Field::new(QUALITY, DataType::Utf8, true)));
        Arc::new(Schema::new(fields))
    }

    /// Returns the rows of some published bins, in their order.
    pub fn rows(&mut self, batch: &PublishedBatch) -> Result<RecordBatch, TableError> {
        let mut columns = self.columns_of(&batch.keys)?;
        columns.extend(self.number_columns(&batch.shown));
        RecordBatch::try_new(self.schema(), columns).map_err(|_| TableError)
    }

    /// Whether the column at this place is of a dimension that is found in the data.
    pub(crate) fn is_found(&self, column: usize) -> bool {
        self.dimensions.get(column).is_some_and(|dimension| dimension.size().is_none())
    }

    pub(crate) fn side_column(&self) -> SideColumn {
        self.side_column
    }

    pub(crate) fn reading(&mut self) -> &mut Reading<'p> {
        &mut self.reading
    }

    fn columns_of(&mut self, keys: &Keys) -> Result<Vec<ArrayRef>, TableError> {
        match keys {
            Keys::Cells(cells) => self.cell_columns(cells),
            Keys::Columns(arrays) => self.key_columns(arrays),
            Keys::Labels(arrays) => {
                self.found = arrays.iter().map(|array| array.data_type().clone()).collect();
                Ok(arrays.clone())
            }
        }
    }

    /// Cell numbers are mixed radix, the last dimension fastest.
    fn cell_columns(&self, cells: &[u64]) -> Result<Vec<ArrayRef>, TableError> {
        let mut columns = Vec::with_capacity(self.dimensions.len() + 6);
        let mut codes = vec![0; cells.len()];
        let mut left = cells.to_vec();
        for dimension in self.dimensions.iter().rev() {
            let size = dimension.size().filter(|size| *size > 0).ok_or(TableError)?;
            for (code, rest) in codes.iter_mut().zip(&mut left) {
                (*code, *rest) = (*rest % size, *rest / size);
            }
            columns.push(dimension.column(&codes).ok_or(TableError)?);
        }
        if left.iter().any(|rest| *rest != 0) {
            return Err(TableError);
        }
        columns.reverse();
        Ok(columns)
    }

    fn key_columns(&mut self, arrays: &[ArrayRef]) -> Result<Vec<ArrayRef>, TableError> {
        if arrays.len() != self.dimensions.len() {
            return Err(TableError);
        }
        let mut columns = Vec::with_capacity(arrays.len() + 6);
        for ((dimension, found), array) in self.dimensions.iter().zip(&mut self.found).zip(arrays) {
            columns.push(match dimension.size() {
                None => {
                    *found = array.data_type().clone();
                    Arc::clone(array)
                }
                Some(_) => dimension.coded_column(array.as_ref()).ok_or(TableError)?,
            });
        }
        Ok(columns)
    }

    fn number_columns(&mut self, shown: &[Shown]) -> Vec<ArrayRef> {
        let whole = || Int64Builder::with_capacity(shown.len());
        let (mut counts, mut lows, mut highs) = (whole(), whole(), whole());
        let mut statuses = StringBuilder::with_capacity(shown.len(), shown.len() * 9);
        let (mut guesses, mut fractions, mut rounded) =
            (Int64Builder::new(), Float64Builder::new(), Int64Builder::new());
        let (mut side_value, mut readers, mut letters) =
            (StringBuilder::new(), StringBuilder::new(), StringBuilder::new());
        for shows in shown {
            let numbers = self.reading.numbers(&shows.outcome);
            counts.append_option(numbers.count);
            lows.append_option(numbers.low);
            highs.append_option(numbers.high);
            statuses.append_value(numbers.status.as_str());
            match numbers.estimate {
                None => {
                    guesses.append_null();
                    fractions.append_null();
                }
                Some(Guess::Whole(guess)) => guesses.append_value(guess),
                Some(guess @ Guess::Thousandths(_)) => fractions.append_value(guess.to_f64()),
            }
            rounded.append_option(numbers.rounded);
            readers.append_option(self.reading.shown(&shows.outcome));
            letters.append_option(numbers.quality().map(Quality::letter));
            match &shows.side_value {
                SideValue::Nothing => side_value.append_null(),
                SideValue::Levels(levels) => side_value.append_value(levels_text(levels)),
                SideValue::EpsilonTotal(epsilon) => side_value.append_value(epsilon.to_string()),
            }
        }
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(counts.finish()),
            Arc::new(lows.finish()),
            Arc::new(highs.finish()),
            Arc::new(statuses.finish()),
        ];
        if self.side_column != SideColumn::Nothing {
            columns.push(Arc::new(side_value.finish()));
        }
        match self.reading.estimate_type() {
            None => {}
            Some(DataType::Float64) => columns.push(Arc::new(fractions.finish())),
            Some(_) => columns.push(Arc::new(guesses.finish())),
        }
        if self.reading.rounds() {
            columns.push(Arc::new(rounded.finish()));
        }
        if self.reading.hides_small() {
            columns.push(Arc::new(readers.finish()));
        }
        if self.reading.judges() {
            columns.push(Arc::new(letters.finish()));
        }
        columns
    }
}

/// Returns which declared bins a plan lists: every one, unless the mechanism or a threshold hides some without a trace.
pub fn listing(plan: &Plan) -> Listing {
    let deployed = plan.settled().deployed();
    match (deployed.universe, deployed.publish_from) {
        (Universe::Closed, None) => Listing::EveryCell,
        (Universe::Closed, Some(_)) | (Universe::Open, _) => Listing::OnlyShown,
    }
}

#[cfg(test)]
mod tests;
