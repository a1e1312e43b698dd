//! What stands beside labels in files that have types: where intervals and periods begin and end.
//!
//! Computed from the labels alone, by whoever writes a table and by whoever verifies it. A label is exact; a bound that
//! is no whole number is the double next to it, and must never be taken for more. It is separate because CSV files do
//! without. Read `key_labels.rs` for the labels.

use crate::request::{Cut, KeyCells, KeyColumn};
use arrow_array::builder::{Date32Builder, Float64Builder, Int64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::Date32Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use incrowd_definition::{Date, Edges, PeriodUnit};
use incrowd_exact::{Rational, number_of};
use std::sync::Arc;

/// The columns beside those of the keys; none where keys are written as version 2 does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Beside {
    /// For each column of keys.
    bounds: Vec<Option<LabelBounds>>,
}

/// Where a label begins and ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LabelBounds {
    /// Whole numbers.
    Integers,
    /// Numbers, the nearest doubles.
    Doubles,
    /// Days.
    Days,
    /// The first day of a period, and the first one after it.
    Periods(PeriodUnit),
}

impl Beside {
    /// Nothing beside any column.
    pub(crate) const NOTHING: Beside = Beside { bounds: Vec::new() };

    /// Returns what stands beside the keys of a table.
    pub(crate) fn of(columns: &[KeyColumn<'_>], cells: &KeyCells) -> Beside {
        match cells {
            KeyCells::Bare => Beside::NOTHING,
            KeyCells::Named { .. } => Beside { bounds: columns.iter().map(LabelBounds::of).collect() },
        }
    }

    /// Returns all columns of a file with types.
    pub(crate) fn schema(&self, schema: &Schema) -> SchemaRef {
        let mut fields = Vec::new();
        for (at, field) in schema.fields().iter().enumerate() {
            fields.push(field.as_ref().clone());
            fields.extend(self.at(at).into_iter().flat_map(|bounds| bounds.fields(field.name())));
        }
        Arc::new(Schema::new(fields))
    }

    /// Returns rows with what stands beside their keys; nothing if they have no such columns.
    pub(crate) fn rows(&self, rows: &RecordBatch) -> Option<RecordBatch> {
        let mut columns = Vec::new();
        for (at, column) in rows.columns().iter().enumerate() {
            columns.push(Arc::clone(column));
            if let Some(bounds) = self.at(at) {
                columns.extend(bounds.columns(column.as_ref())?);
            }
        }
        RecordBatch::try_new(self.schema(&rows.schema()), columns).ok()
    }

    /// Returns rows without what stands beside their keys.
    pub(crate) fn without(&self, rows: &RecordBatch) -> Option<RecordBatch> {
        rows.project(&self.places(rows.num_columns())).ok()
    }

    /// Returns where the columns stand that every file has, of so many.
    pub(crate) fn places(&self, all: usize) -> Vec<usize> {
        let (mut places, mut at) = (Vec::new(), 0);
        while at < all {
            let own = places.len();
            places.push(at);
            at += if self.at(own).is_some() { 3 } else { 1 };
        }
        places
    }

    /// Returns the first name that two columns would have.
    pub(crate) fn taken(&self, schema: &Schema) -> Option<String> {
        let all = self.schema(schema);
        let mut names: Vec<&String> = all.fields().iter().map(|field| field.name()).collect();
        names.sort();
        names.windows(2).find(|two| two[0] == two[1]).map(|two| two[0].clone())
    }

    fn at(&self, column: usize) -> Option<LabelBounds> {
        self.bounds.get(column).copied().flatten()
    }
}

impl LabelBounds {
    fn of(column: &KeyColumn<'_>) -> Option<LabelBounds> {
        let KeyColumn::Counted(dimension) = column else { return None };
        match &dimension.cut {
            Cut::Found | Cut::Values(_) | Cut::Named(_) => None,
            Cut::Edges(Edges::Dates(_)) => Some(LabelBounds::Days),
            Cut::Edges(edges) => Some(if are_whole(edges) { LabelBounds::Integers } else { LabelBounds::Doubles }),
            Cut::Truncated(unit) => Some(LabelBounds::Periods(*unit)),
            Cut::Periods(periods) => Some(LabelBounds::Periods(periods.unit())),
        }
    }

    fn fields(self, name: &str) -> [Field; 2] {
        let kind = match self {
            LabelBounds::Integers => DataType::Int64,
            LabelBounds::Doubles => DataType::Float64,
            LabelBounds::Days | LabelBounds::Periods(_) => DataType::Date32,
        };
        [from_name(name), to_name(name)].map(|name| Field::new(name, kind.clone(), true))
    }

    fn columns(self, labels: &dyn Array) -> Option<[ArrayRef; 2]> {
        if let LabelBounds::Periods(unit) = self {
            // A table without rows does not know yet that its keys are days.
            if labels.is_empty() {
                return Some([Date32Builder::new(), Date32Builder::new()].map(|mut none| Arc::new(none.finish()) as _));
            }
            let days = labels.as_primitive_opt::<Date32Type>()?;
            let (mut from, mut to) = (Date32Builder::new(), Date32Builder::new());
            for day in days {
                from.append_option(day);
                to.append_option(day.and_then(|day| i32::try_from(unit.next(i64::from(day))).ok()));
            }
            return Some([Arc::new(from.finish()), Arc::new(to.finish())]);
        }
        let labels = labels.as_string_opt::<i32>()?;
        let ends = labels
            .iter()
            .map(|label| label.and_then(|label| label.strip_prefix('[')?.strip_suffix(')')?.split_once(", ")));
        let (from, to): (Vec<_>, Vec<_>) = ends.map(|ends| (ends.map(|ends| ends.0), ends.map(|ends| ends.1))).unzip();
        Some([from, to].map(|ends| self.column(&ends)))
    }

    fn column(self, ends: &[Option<&str>]) -> ArrayRef {
        let ends = ends.iter().copied();
        match self {
            LabelBounds::Integers => {
                let mut column = Int64Builder::new();
                ends.for_each(|end| column.append_option(end.and_then(|end| end.parse().ok())));
                Arc::new(column.finish())
            }
            LabelBounds::Doubles => {
                let mut column = Float64Builder::new();
                ends.for_each(|end| column.append_option(end.and_then(number_of).map(|end| nearest(&end))));
                Arc::new(column.finish())
            }
            LabelBounds::Days | LabelBounds::Periods(_) => {
                let mut column = Date32Builder::new();
                ends.for_each(|end| column.append_option(end.and_then(Date::from_text).map(Date::days)));
                Arc::new(column.finish())
            }
        }
    }
}

/// Returns the heading of where a label begins.
pub(crate) fn from_name(name: &str) -> String {
    format!("{name}_from")
}

/// Returns the heading of where a label ends.
pub(crate) fn to_name(name: &str) -> String {
    format!("{name}_to")
}

/// Whether all edges are whole numbers that a column can hold.
fn are_whole(edges: &Edges) -> bool {
    let whole = |edge: &Rational| edge.is_int() && i64::try_from(edge.numerator()).is_ok();
    match edges {
        Edges::Regular { from, width, intervals } => {
            width.is_int() && whole(from) && edges.number(*intervals).is_some_and(|last| whole(&last))
        }
        Edges::Numbers(numbers) => numbers.iter().all(whole),
        Edges::Dates(_) => false,
    }
}

/// The double next to a number; of two that are as close the even one.
fn nearest(number: &Rational) -> f64 {
    number.to_f64().value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::plan_of;
    use crate::request::OutputRequest;
    use arrow_array::{Date32Array, Float64Array, Int64Array, StringArray};

    fn beside(bin: &str) -> (Beside, Schema) {
        let text = format!(
            "[[bins]]\nname = \"b\"\ncolumn = \"b\"\n{bin}\n[promise]\nkind = \"differential-privacy\"\nepsilon = 1\ndelta = \"1e-6\"\n"
        );
        let plan = plan_of(&text);
        let beside = Beside::of(&plan.request().kind.published(), &OutputRequest::default().keys);
        let table = crate::table::Table::of(&plan).expect("a table");
        let schema = table.schema().as_ref().clone();
        (beside, schema)
    }

    fn widened(bin: &str, labels: ArrayRef) -> RecordBatch {
        let rows = RecordBatch::try_from_iter([("b", labels)]).expect("rows");
        let rows = beside(bin).0.rows(&rows).expect("wider rows");
        assert_eq!(beside(bin).0.without(&rows).expect("rows").num_columns(), 1);
        rows
    }

    #[test]
    fn intervals_have_whole_bounds_where_all_edges_are_whole_and_doubles_elsewhere() {
        let labels = |texts: &[&str]| Arc::new(StringArray::from(texts.to_vec())) as ArrayRef;
        let rows = widened("edges = [-5, 0, 20]\nother = true", labels(&["[-5, 0)", "[0, 20)", "other"]));
        assert_eq!(rows.column(1).as_ref(), &Int64Array::from(vec![Some(-5), Some(0), None]));
        assert_eq!(rows.column(2).as_ref(), &Int64Array::from(vec![Some(0), Some(20), None]));
        assert_eq!(rows.schema().field(1).name(), "b_from");
        let rows = widened("edges = [0, 0.1, \"100/3\"]", labels(&["[0, 0.1)", "[0.1, 100/3)"]));
        assert_eq!(rows.column(2).as_ref(), &Float64Array::from(vec![0.1, 100.0 / 3.0]));
        let rows = widened("from = 0\nto = 1\nwidth = 0.25", labels(&["[0.5, 0.75)"]));
        assert_eq!(rows.column(1).as_ref(), &Float64Array::from(vec![0.5]));
        let rows = widened("edges = [0, 9223372036854775808]", labels(&["[0, 9223372036854775808)"]));
        assert_eq!(rows.column(2).as_ref(), &Float64Array::from(vec![9_223_372_036_854_775_808.0]));
        assert_eq!(nearest(&number_of("9007199254740993").expect("a number")), 9_007_199_254_740_992.0, "a tie");
        assert_eq!(nearest(&number_of("9007199254740995").expect("a number")), 9_007_199_254_740_996.0, "a tie");
    }

    #[test]
    fn days_and_periods_have_days_as_bounds() {
        let labels = Arc::new(StringArray::from(vec!["[1970-01-02, 1970-02-01)"])) as ArrayRef;
        let rows = widened("edges = [1970-01-02, 1970-02-01]", labels);
        assert_eq!(rows.column(1).as_ref(), &Date32Array::from(vec![1]));
        assert_eq!(rows.column(2).as_ref(), &Date32Array::from(vec![31]));
        for bin in ["truncate = \"month\"", "truncate = \"month\"\nfrom = 1970-01-01\nto = 1970-03-01"] {
            let rows = widened(bin, Arc::new(Date32Array::from(vec![Some(0), None])));
            assert_eq!(rows.column(1).as_ref(), &Date32Array::from(vec![Some(0), None]));
            assert_eq!(rows.column(2).as_ref(), &Date32Array::from(vec![Some(31), None]));
        }
    }

    #[test]
    fn values_have_no_bounds_and_names_that_are_taken_are_found() {
        let (nothing, schema) = beside("values = [1, 2]");
        assert_eq!(nothing.schema(&schema).fields().len(), schema.fields().len());
        assert_eq!(nothing.taken(&schema), None);
        let (some, schema) = beside("edges = [0, 1]");
        assert_eq!(some.taken(&schema), None);
        let mut fields: Vec<Field> = schema.fields().iter().map(|field| field.as_ref().clone()).collect();
        fields.push(Field::new("b_to", DataType::Utf8, false));
        assert_eq!(some.taken(&Schema::new(fields)), Some("b_to".into()));
    }
}
