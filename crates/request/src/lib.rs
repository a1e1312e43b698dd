//! The request: what a steward asks for, read once and checked at the edge.
//!
//! Everything that follows works on these values; it must never open the data, and never read a number through a
//! float. It is separate from `plan` because a request says what is wanted and a plan what will be done. Read
//! `sections.rs` next for all that can be written, then `kinds.rs` and `promise.rs`.

mod bins;
mod canonical;
mod count_heading;
mod data;
mod date;
mod dialect;
mod edges;
mod error;
mod fields;
mod identity;
mod key_column;
mod keys;
pub mod kinds;
mod ledger;
mod mechanism;
mod node;
mod number;
mod odds;
mod output;
mod parameters;
mod parts_node;
mod policy;
mod policy_name;
mod promise;
mod reference;
mod report;
mod report_file;
mod schema;
mod sections;
mod server;
mod statistics;
mod tried;
mod values;

#[cfg(test)]
mod tests;

pub use count_heading::{COUNT, COUNTED};
pub use data::{Data, PopulationSample};
pub use error::{Colour, RequestError, printable};
pub use incrowd_definition::{
    BinSource, BinValue, CellCount, ColumnType, Cut, Date, Dimension, Edges, Items, ListedValues, Nulls, Other,
    PeriodUnit, Periods, Split, Unit,
};
pub use key_column::KeyColumn;
pub use kinds::{
    Axis, Chosen, Column, Counts, Generalisation, Kind, Mode, NoHierarchy, PeopleInPeriods, Points, Rows, Series, Span,
};
pub use ledger::{LedgerRequest, UNNAMED_SNAPSHOT};
pub use mechanism::{Accounting, MechanismRequest};
pub use output::{
    CsvStart, Estimate, Format, KeyCells, Margins, OutputRefusal, OutputRequest, Prior, QualityColumn, SumsCalled,
    TableManner, fewer_than, read_fewer_than, refuse_missing_name,
};
pub use parameters::Parameters;
pub use policy::Policy;
pub use promise::{PromiseRequest, promise_kinds};
pub use reference::reference;
pub use report::ReportRequest;
pub use schema::schema;
pub use server::{ServerKind, ServerPlace, is_nearly_an_address};
pub use statistics::BandStatistics;

use fields::Fields;
use incrowd_privacy::MechanismName;
use node::{Node, Placed};
use sections::REQUEST;
use toml::de::DeTable;

/// Most bytes that a request may have.
pub const MAX_REQUEST_BYTES: usize = 1_000_000;

/// What a steward asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// What is counted, and what of it is published.
    pub kind: Kind,
    /// Where the data is; not needed to plan.
    pub data: Option<Data>,
    /// What is promised to each person.
    pub promise: PromiseRequest,
    /// The policy that says so, if the request names one.
    pub policy: Option<&'static Policy>,
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
                Some(_) | None => {
                    refused.hint("a request is a text in TOML; `incrowd init DATA` writes one for a file of data")
                }
            }
        })?;
        let root = Placed { node: Node::of_table(document.get_ref()), span: Some(0..0) };
        Request::read(&Fields::of_request(&REQUEST, &root)?)
    }

    /// Returns whether the keys of what is published are public, and how many there are.
    pub fn cells(&self) -> CellCount {
        key_column::cells(&self.kind.published())
    }

    /// Returns the mechanism that was asked for, or the default one; nothing for releases that do not count bins.
    pub fn mechanism_or_default(&self) -> Option<MechanismRequest> {
        if !self.kind.takes_a_mechanism() {
            return None;
        }
        let default = match self.cells() {
            CellCount::Found => MechanismName::Relay,
            CellCount::Declared(_) | CellCount::Unstated => MechanismName::TailoredGeometric,
        };
        Some(self.mechanism.clone().unwrap_or_else(|| MechanismRequest::named(default)))
    }

    /// Returns in at most how many bins a person is counted.
    pub fn bins_per_person(&self) -> u64 {
        self.data.as_ref().map_or(1, |data| data.unit.bins_per_person())
    }

    /// Returns in how many periods of this release a person may be counted: what each costs is added up.
    pub fn periods_per_person(&self) -> u64 {
        self.kind.series().filter(|series| series.repeats_people()).map_or(1, |series| series.span.periods())
    }

    /// Makes a series begin after a period that was released before; says whether any is left.
    pub fn continue_after(&mut self, last: i64) -> bool {
        self.kind.continue_after(last)
    }

    /// Takes the rules of columns from their public files, which `lines_of` reads: a value in each line, then its
    /// names.
    pub fn read_hierarchies(
        &mut self,
        lines_of: impl FnMut(&str) -> Result<Vec<Vec<String>>, NoHierarchy>,
    ) -> Result<(), NoHierarchy> {
        self.kind.rows_mut().map_or(Ok(()), |rows| rows.read_hierarchies(lines_of))
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let mut kind = Kind::read(fields)?;
        let data = fields.section("data")?.map(|below| Data::read(&below)).transpose()?;
        let sections = fields.repeated("bins")?;
        let bins: Vec<Dimension> = sections.iter().map(bins::read_dimension).collect::<Result<_, _>>()?;
        bins::refuse_twins(&sections, bins.iter().map(|bin| &bin.name))?;
        let (promise, policy) = policy::read(fields, &kind, data.as_ref())?;
        let mechanism = fields.section("mechanism")?.map(|below| MechanismRequest::read(&below)).transpose()?;
        let ledger = fields.section("ledger")?.map(|below| LedgerRequest::read(&below)).transpose()?;
        if let Some(bin) = bins.iter().find(|bin| bin.items == Items::Pairs) {
            kind.check_pairs(bin, &bins, data.as_ref()).map_err(|reason| fields.refuse_key("bins", reason))?;
        }
        kind.take_bins(bins, fields)?;
        let mut output = policy::read_output(fields, policy, &kind)?;
        if let Some(below) = fields.section("report")? {
            output.report = ReportRequest::read_for(&below, fields, &kind)?;
        }
        Ok(Request { kind, data, promise, policy, mechanism, ledger: ledger.unwrap_or_default(), output })
    }
}
