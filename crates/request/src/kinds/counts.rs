//! Counts of bins: `release = "histogram"`, and over time `release = "series"`.
//!
//! What is counted is what is published: the bins of the request, and with time a first dimension of periods; it must
//! never look for bins or periods in the data that the request does not say are found. It is separate because only
//! counts have a mechanism that the request may choose. Read `counts/series.rs` for time, then `chosen.rs`.

mod series;

pub use series::{Mode, PeopleInPeriods, Series, Span};

use super::{Asked, Kind, KindName, KindOfRelease, Names};
use crate::error::RequestError;
use crate::fields::Fields;
use crate::key_column::KeyColumn;
use crate::keys::{Key, Shape};
use crate::promise::PromiseRequest;
use incrowd_definition::Dimension;
use serde_json::{Value, json};

/// Counts of bins, once or period after period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// The periods, if counts go on over time.
    pub time: Option<Series>,
    written: Vec<Dimension>,
    counted: Vec<Dimension>,
}

pub(super) static HISTOGRAM: KindName = KindName {
    name: "histogram",
    sections: &["bins", "mechanism"],
    read: |_| Ok(Kind::Counts(Counts::over(None))),
    write: |nothing, _| nothing.is_null().then_some(()),
};

pub(super) static SERIES: KindName = KindName {
    name: "series",
    sections: &["bins", "mechanism", "series"],
    read: |asked: &Asked<'_>| Ok(Kind::Counts(Counts::over(Some(Series::read(&asked.section("series")?)?)))),
    write: |periods, written| {
        written.put("series", series::from_canonical(periods)?);
        Some(())
    },
};

pub(super) const KEY: Key =
    Key::optional("series", Shape::Section(&series::SECTION), "With release = \"series\": what a period is.");

impl Counts {
    fn over(time: Option<Series>) -> Counts {
        Counts { time, written: Vec::new(), counted: Vec::new() }
    }

    /// Returns the dimensions that are counted, and published: periods, then the bins, of pairs both sides.
    pub fn counted(&self) -> &[Dimension] {
        &self.counted
    }

    /// Makes a series begin after a period that was released before; says whether any is left.
    pub(super) fn continue_after(&mut self, last: i64) -> bool {
        let Some(series) = &mut self.time else { return true };
        let left = series.continue_after(last);
        if let (true, Some(first)) = (left, self.counted.first_mut()) {
            *first = series.dimension();
        }
        left
    }
}

impl KindOfRelease for Counts {
    fn name(&self) -> &'static str {
        match self.time {
            None => HISTOGRAM.name,
            Some(_) => SERIES.name,
        }
    }

    fn written(&self) -> &[Dimension] {
        &self.written
    }

    fn take_bins(&mut self, bins: Vec<Dimension>, fields: &Fields<'_>) -> Result<(), RequestError> {
        let sides: Vec<Dimension> = bins.iter().flat_map(Dimension::sides).collect();
        if let Some(series) = &self.time
            && sides.iter().any(|bin| bin.name == series.column)
        {
            return Err(fields.refuse_key("series", "a bin has the same name as the column of the periods"));
        }
        self.counted = self.time.iter().map(Series::dimension).chain(sides).collect();
        self.written = bins;
        Ok(())
    }

    fn published(&self) -> Vec<KeyColumn<'_>> {
        self.counted.iter().map(KeyColumn::Counted).collect()
    }

    fn canonical(&self, names: Names) -> Value {
        self.time.as_ref().map_or(Value::Null, |series| series.canonical(names))
    }

    fn add_run(&self, canonical: &mut Value) {
        if let Some(series) = &self.time {
            canonical["first"] = json!(series.span.first());
            canonical["last"] = json!(series.span.last());
            canonical["periods"] = json!(series.span.periods());
        }
    }

    fn check_promise(&self, _request: &PromiseRequest, _promise: &Fields<'_>) -> Result<(), RequestError> {
        Ok(())
    }

    fn takes_a_mechanism(&self) -> bool {
        true
    }

    fn may_count_pairs(&self) -> bool {
        self.time.is_none()
    }
}
