//! The steps at which a value may turn out to be unreadable: a declared type, a bin that needs a number or a day, a
//! number of people.
//!
//! From the plan of a row alone. A value is unreadable where it was there before the step and is missing behind it;
//! it must never take a missing value for an unreadable one. It is separate because the first pass counts by it and
//! the second finds the lines. Read `examine.rs` next.

use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::BooleanBuffer;
use arrow_cast::display::array_value_to_string;
use incrowd_engine::written::TextReading;
use incrowd_engine::{BinSource, ColumnType, Expression, Query, RowForm, RowPlan, RowType, RowValue, Unit};
use std::collections::BTreeSet;

/// A step at which a value may turn out to be unreadable.
pub(super) struct ReadStep {
    /// The column that is read.
    pub(super) column: String,
    /// What it is read as.
    pub(super) wanted: RowType,
    /// Whether it is a text before.
    pub(super) is_of_texts: bool,
    place: StepPlace,
}

/// Where in the plan of a row a step stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepPlace {
    /// `[data.types]`.
    Declared,
    /// A dimension, by its place.
    Dimension(usize),
    /// The unit, behind all dimensions.
    Unit(usize),
}

/// One batch at every stage of its plan.
pub(super) struct Stages<'a> {
    /// As the files have it.
    pub(super) delivered: &'a RecordBatch,
    /// How the texts of each delivered column are read.
    pub(super) readings: &'a [Option<TextReading>],
    pub(super) typed: &'a RecordBatch,
    pub(super) values: &'a RecordBatch,
}

/// Returns the steps of a plan.
pub(super) fn read_steps(query: &Query, plan: &RowPlan) -> Vec<ReadStep> {
    let declared = plan.columns.iter().map(|(name, value)| (name, value, StepPlace::Declared));
    let dimensions = query.dimensions.iter().zip(&plan.dimensions).enumerate();
    let dimensions = dimensions.filter_map(|(index, (dimension, value))| match &dimension.source {
        BinSource::Column(name) => Some((name, value, StepPlace::Dimension(index))),
        BinSource::Expression(_) => None,
    });
    let unit = match &query.unit {
        Unit::Row => None,
        Unit::People { column } | Unit::Person { column, .. } => Some(column),
    };
    let unit = unit.zip(plan.unit.as_ref());
    let unit = unit.map(|(name, value)| (name, value, StepPlace::Unit(query.dimensions.len())));
    let all = declared.chain(dimensions).chain(unit).filter(|(_, value, _)| may_fail(value));
    let step = |(name, value, place): (&String, &RowValue, StepPlace)| ReadStep {
        column: name.clone(),
        wanted: value.kind.clone(),
        is_of_texts: is_of_texts(value),
        place,
    };
    all.map(step).collect()
}

fn is_of_texts(value: &RowValue) -> bool {
    match &value.form {
        RowForm::Column(_) => value.kind == RowType::Text,
        _ => value.parts().into_iter().any(is_of_texts),
    }
}

/// Whether a value may be missing where its column is not. A number that is read as a number only loses NaN, which is
/// missing by definition.
fn may_fail(value: &RowValue) -> bool {
    match &value.form {
        RowForm::Read(from) => from.kind != value.kind,
        RowForm::DayIn(_, _) | RowForm::FirstDay(_, _) => true,
        _ => false,
    }
}

impl ReadStep {
    /// Returns the values before the step.
    pub(super) fn before<'b>(&self, stages: &'b Stages<'_>) -> Option<&'b ArrayRef> {
        match self.place {
            StepPlace::Declared => stages.delivered.column_by_name(&self.column),
            StepPlace::Dimension(_) | StepPlace::Unit(_) => stages.typed.column_by_name(&self.column),
        }
    }

    fn after<'b>(&self, stages: &'b Stages<'_>) -> Option<&'b ArrayRef> {
        match self.place {
            StepPlace::Declared => stages.typed.column_by_name(&self.column),
            StepPlace::Dimension(index) | StepPlace::Unit(index) => stages.values.columns().get(index),
        }
    }

    /// Returns which values cannot be read; nothing if all can. Texts that stand for nothing are missing, and not
    /// unreadable.
    pub(super) fn unread(&self, stages: &Stages<'_>) -> Option<BooleanBuffer> {
        let unread = self.lost(stages)?;
        let reading = stages.readings.get(stages.delivered.schema_ref().index_of(&self.column).ok()?)?;
        let (Some(reading), StepPlace::Declared) = (reading, self.place) else { return Some(unread) };
        let before = self.before(stages)?;
        let is_there = |row: usize| array_value_to_string(before, row).is_ok_and(|text| !reading.is_missing(&text));
        let rows = (0..unread.len()).map(|row| unread.value(row) && is_there(row));
        let unread: BooleanBuffer = rows.collect();
        (unread.count_set_bits() > 0).then_some(unread)
    }

    /// Returns which values are there before the step and missing behind it; nothing if none is.
    fn lost(&self, stages: &Stages<'_>) -> Option<BooleanBuffer> {
        let (before, after) = (self.before(stages)?, self.after(stages)?);
        let known = after.logical_nulls()?;
        let there = before.logical_nulls();
        // What was missing stays missing: as many mean the same ones.
        if known.null_count() == there.as_ref().map_or(0, |there| there.null_count()) {
            return None;
        }
        let unread = !known.inner();
        Some(match there {
            Some(there) => &unread & there.inner(),
            None => unread,
        })
    }

    /// Returns the type that a request would declare for it.
    pub(super) fn target(&self) -> Option<ColumnType> {
        match self.wanted {
            RowType::Text => Some(ColumnType::Text),
            RowType::Integer | RowType::Unsigned => Some(ColumnType::Integer),
            RowType::Number | RowType::Decimal { .. } => Some(ColumnType::Number),
            RowType::Boolean => Some(ColumnType::Boolean),
            RowType::Date => Some(ColumnType::Date),
            RowType::Timestamp { .. } => Some(ColumnType::Timestamp),
            RowType::Null | RowType::Foreign(_) => None,
        }
    }

    /// Whether a dimension needs what this step reads.
    pub(super) fn is_for(&self, index: usize, source: &BinSource<Expression>) -> bool {
        match self.place {
            StepPlace::Declared => columns_of(source).contains(&self.column),
            StepPlace::Dimension(place) => place == index,
            StepPlace::Unit(_) => false,
        }
    }

    /// Whether it stands before the condition, so that rows that are left out have it too.
    pub(super) fn is_declared(&self) -> bool {
        self.place == StepPlace::Declared
    }

    /// Whether a condition needs what this step reads.
    pub(super) fn is_for_condition(&self, query: &Query) -> bool {
        let asked = query.condition.as_ref().is_some_and(|condition| condition.columns().contains(&self.column));
        let split = query.split.as_ref().is_some_and(|split| split.column == self.column);
        self.is_declared() && (asked || split)
    }
}

/// Returns the columns that a dimension is made of.
pub(super) fn columns_of(source: &BinSource<Expression>) -> BTreeSet<String> {
    match source {
        BinSource::Column(name) => BTreeSet::from([name.clone()]),
        BinSource::Expression(expression) => expression.columns(),
    }
}
