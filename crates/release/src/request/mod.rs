//! The request: what a steward asks for, read once and checked at the edge.
//!
//! Everything that follows works on these values; it must never open the data, and never read a number through a
//! float. It is separate from `plan` because a request says what is wanted and a plan what will be done. Read
//! `sections.rs` next for all that can be written, then `promise.rs`.

mod bins;
mod data;
mod date;
mod edges;
mod error;
mod fields;
mod identity;
mod keys;
mod ledger;
mod mechanism;
mod number;
mod output;
mod parameters;
mod points;
mod promise;
mod release_kind;
mod rows;
mod schema;
mod sections;
mod series;
mod top;
mod values;

#[cfg(test)]
mod tests;

pub use bins::{Bin, BinSource, Cut, Items, Nulls, Other, Universe, names_of, universe};
pub use data::{ColumnType, Data, Sampled, Split, Unit};
pub use date::{Date, Periods, Truncate};
pub use edges::Edges;
pub use error::{Colour, RequestError, printable};
pub use identity::reading_json;
pub use ledger::{LedgerRequest, UNNAMED_SNAPSHOT};
pub use mechanism::{Accounting, MechanismName, MechanismRequest};
pub use output::{Estimate, Format, Margins, OutputRequest, Prior, SumsCalled};
pub use parameters::Parameters;
pub use points::Axis;
pub use promise::{PromiseRequest, promise_kinds};
pub use release_kind::ReleaseKind;
pub use rows::{Column, Generalisation, NoHierarchy};
pub use schema::schema;
pub use series::{Mode, People, Series, Span};
pub use top::Top;
pub use values::BinValue;

use fields::Fields;
use toml::de::DeTable;

/// Most bytes that a request may have.
pub const MAX_REQUEST_BYTES: usize = 1_000_000;

/// What a steward asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What is published.
    pub release: ReleaseKind,
    /// Where the data is; not needed to plan.
    pub data: Option<Data>,
    /// The dimensions of the table, in order; of rows, those in which equal rows are counted.
    pub bins: Vec<Bin>,
    /// The bins that the request itself writes; time, ranks and sides of pairs are not among them.
    pub written: Vec<Bin>,
    /// What is promised to each person.
    pub promise: PromiseRequest,
    /// How the promise is kept, if the request says.
    pub mechanism: Option<MechanismRequest>,
    /// Which account pays.
    pub ledger: LedgerRequest,
    /// Where the result goes.
    pub output: OutputRequest,
}

impl Request {
    /// Returns the request that a TOML text stands for, or the first thing that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, RequestError> {
        if text.len() > MAX_REQUEST_BYTES {
            let message = format!("a request may have at most {MAX_REQUEST_BYTES} bytes; this has {}", text.len());
            return Err(RequestError::new(message).hint("was a data file given instead of the request?"));
        }
        let document = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let refused = RequestError::new(format!("this is not TOML: {}", error.message())).at(span.clone());
            match text.get(span) {
                Some("infinite") => refused.hint("write \"infinite\", in quotes"),
                Some(_) | None => refused,
            }
        })?;
        let fields = Fields::new(&sections::REQUEST, document.get_ref(), 0..0)?;
        Request::read(&fields)
    }

    /// Returns whether the cells are public, and how many there are.
    pub fn universe(&self) -> Universe {
        universe(&self.bins)
    }

    /// Returns the mechanism that was asked for, or the default one; nothing for releases that do not count bins.
    pub fn mechanism_or_default(&self) -> Option<MechanismRequest> {
        if !self.release.counts_bins() {
            return None;
        }
        let default = match self.universe() {
            Universe::Open => MechanismName::Relay,
            Universe::Closed { .. } | Universe::Unstated => MechanismName::TailoredGeometric,
        };
        Some(self.mechanism.clone().unwrap_or_else(|| MechanismRequest::named(default)))
    }

    /// Returns in at most how many bins a person is counted.
    pub fn bins_per_person(&self) -> u64 {
        self.data.as_ref().map_or(1, |data| data.unit.bins_per_person())
    }

    /// Returns the series, if that is what is released.
    pub fn series(&self) -> Option<&Series> {
        match &self.release {
            ReleaseKind::Series(series) => Some(series),
            ReleaseKind::Histogram | ReleaseKind::Rows(_) | ReleaseKind::Points(_) | ReleaseKind::Top(_) => None,
        }
    }

    /// Returns the choice of items, if that is what is released.
    pub fn top(&self) -> Option<&Top> {
        match &self.release {
            ReleaseKind::Top(top) => Some(top),
            ReleaseKind::Histogram | ReleaseKind::Rows(_) | ReleaseKind::Points(_) | ReleaseKind::Series(_) => None,
        }
    }

    /// Returns the axes of points, if that is what is released.
    pub fn axes(&self) -> Option<&[Axis]> {
        match &self.release {
            ReleaseKind::Points(axes) => Some(axes),
            ReleaseKind::Histogram | ReleaseKind::Rows(_) | ReleaseKind::Top(_) | ReleaseKind::Series(_) => None,
        }
    }

    /// Returns in how many periods of this release a person may be counted: what each costs is added up.
    pub fn periods_per_person(&self) -> u64 {
        self.series().filter(|series| series.repeats_people()).map_or(1, |series| series.span.periods())
    }

    /// Makes a series begin after a period that was released before; says whether any is left.
    pub fn continue_after(&mut self, last: i64) -> bool {
        let ReleaseKind::Series(series) = &mut self.release else { return true };
        let left = series.continue_after(last);
        if let (true, Some(first)) = (left, self.bins.first_mut()) {
            *first = series.bin();
        }
        left
    }

    /// Takes the rules of columns from their public files, which `lines_of` reads: a value in each line, then its names.
    pub fn read_hierarchies(
        &mut self,
        mut lines_of: impl FnMut(&str) -> Result<Vec<Vec<String>>, NoHierarchy>,
    ) -> Result<(), NoHierarchy> {
        let ReleaseKind::Rows(columns) = &mut self.release else { return Ok(()) };
        for column in columns.iter_mut() {
            if let Some(file) = column.hierarchy() {
                let lines = lines_of(file)?;
                column.read_hierarchy(&lines)?;
            }
        }
        self.bins = columns.iter().map(Column::bin).collect();
        Ok(())
    }

    /// Whether pairs of a person's items are counted.
    pub fn counts_pairs(&self) -> bool {
        self.written.iter().any(|bin| bin.items == Items::Pairs)
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let release = ReleaseKind::read(fields)?;
        let data = fields.section("data")?.map(|below| Data::read(&below)).transpose()?;
        let sections = fields.repeated("bins")?;
        let bins: Vec<Bin> = sections.iter().map(Bin::read).collect::<Result<_, _>>()?;
        bins::refuse_twins(&sections, bins.iter().map(|bin| &bin.name))?;
        let Some(below) = fields.section("promise")? else {
            let hint = "[promise] says what each person is promised: kind = \"differential-privacy\", epsilon = 1";
            return Err(fields.refuse("the request needs a [promise]").hint(hint));
        };
        let promise = PromiseRequest::read(&below)?;
        release.check_promise(&promise, &below)?;
        if promise.sampled_epsilon.is_some() && data.as_ref().is_none_or(|data| data.sample.is_none()) {
            let message =
                "`sampled-epsilon` needs `sample` in [data]: only a fresh sample of each release can be charged so";
            return Err(below.refuse_key("sampled-epsilon", message).hint("add sample = \"1/10\" to [data]"));
        }
        let mechanism = fields.section("mechanism")?.map(|below| MechanismRequest::read(&below)).transpose()?;
        let ledger = fields.section("ledger")?.map(|below| LedgerRequest::read(&below)).transpose()?;
        let output = fields.section("output")?.map(|below| OutputRequest::read(&below, &bins)).transpose()?;
        let (ledger, output) = (ledger.unwrap_or_default(), output.unwrap_or_default());
        let written = if release.writes_bins() { bins.clone() } else { Vec::new() };
        if let Some(bin) = bins.iter().find(|bin| bin.items == Items::Pairs) {
            check_pairs(bin, &bins, &release, data.as_ref()).map_err(|reason| fields.refuse_key("bins", reason))?;
        }
        let bins: Vec<Bin> = bins.iter().flat_map(Bin::sides).collect();
        let bins = match &release {
            ReleaseKind::Rows(columns) => columns.iter().map(Column::bin).collect(),
            ReleaseKind::Series(series) => {
                if bins.iter().any(|bin| bin.name == series.column) {
                    return Err(fields.refuse_key("series", "a bin has the same name as the column of the periods"));
                }
                [series.bin()].into_iter().chain(bins).collect()
            }
            ReleaseKind::Points(axes) => axes.iter().map(Axis::bin).collect(),
            ReleaseKind::Top(top) => {
                if bins.is_empty() {
                    return Err(fields.refuse("release = \"top\" needs [[bins]]: what an item is"));
                }
                if bins.iter().any(|bin| bin.name == top::RANK) {
                    return Err(fields.refuse_key("bins", "the published table already has a column \"rank\""));
                }
                if !top.always.is_empty()
                    && !matches!(bins.as_slice(), [Bin { cut: Cut::Found, nulls: Nulls::Drop, .. }])
                {
                    let message = "`always` needs one bin whose values are found in the data";
                    return Err(fields.refuse_key("top", message).hint("leave `values`, `edges` and `nulls` out"));
                }
                [top.bin()].into_iter().chain(bins).collect()
            }
            ReleaseKind::Histogram => bins,
        };
        Ok(Request { release, data, bins, written, promise, mechanism, ledger, output })
    }
}

/// Pairs are of one person's items, found in the data.
fn check_pairs(bin: &Bin, all: &[Bin], release: &ReleaseKind, data: Option<&Data>) -> Result<(), &'static str> {
    let kind = matches!(release, ReleaseKind::Histogram | ReleaseKind::Top(_));
    let person = data.is_some_and(|data| matches!(data.unit, Unit::Person { .. }));
    match (kind, all.len(), bin.cut == Cut::Found && bin.nulls == Nulls::Drop, person) {
        (false, _, _, _) => Err("pairs are counted in a histogram, or chosen as top items"),
        (_, 2.., _, _) => Err("pairs are counted by themselves: one [[bins]] with items = \"pairs\" and no other"),
        (_, _, false, _) => Err("pairs are of values that are found in the data: no `values`, `edges` or `nulls`"),
        (_, _, _, false) => Err("pairs are of one person's items: [data] needs `person`"),
        (true, _, true, true) => Ok(()),
    }
}
