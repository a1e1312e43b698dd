//! Where the result goes and how it is presented.
//!
//! Everything here works on published values; it must never change what is promised, and so it is not part of the
//! request's identity. It is separate for that reason. Read `identity.rs` next.

use super::error::{RequestError, quoted};
use super::fields::{Fields, Item};
use super::node::Node;
use super::number::Whole;
use incrowd_definition::Dimension;

/// Where the result goes and how it is presented.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputRequest {
    /// The folder that is made.
    pub folder: Option<String>,
    /// The files that the table is written to, at least one, each once.
    pub formats: Vec<Format>,
    /// A column with a best guess.
    pub estimate: Option<Estimate>,
    /// The counts that are thought possible, for a median; all of them if not given.
    pub prior: Option<Prior>,
    /// Sums over the other dimensions.
    pub margins: Margins,
    /// What the sum of shown counts is called.
    pub sums: SumsCalled,
    /// A column with what is shown, rounded to multiples of this.
    pub rounding: Option<u64>,
}

/// A file format for tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text, comma separated.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow.
    Arrow,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 3] = [Format::Csv, Format::Parquet, Format::Arrow];

    /// Returns the name in a request, which is also the file's extension.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
        }
    }
}

/// A best guess from a published value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Estimate {
    /// The published value, at least 0.
    Clamped,
    /// The median of the counts, weighed by how likely each would have shown the value.
    Median,
    /// The value whose mean is the count.
    Unbiased,
}

impl Estimate {
    /// All of them.
    pub const ALL: [Estimate; 3] = [Estimate::Clamped, Estimate::Median, Estimate::Unbiased];

    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            Estimate::Clamped => "clamped",
            Estimate::Median => "median",
            Estimate::Unbiased => "unbiased",
        }
    }
}

/// The counts that are thought possible, all equally likely, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prior {
    /// The least.
    pub low: u64,
    /// The most, not below `low`.
    pub high: u64,
}

/// Sums over the other dimensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Margins {
    /// None.
    None,
    /// For every dimension.
    All,
    /// For the dimensions of these names.
    Of(Vec<String>),
}

/// What the sum of counts is called where not all of them are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumsCalled {
    /// `sum_of_shown`, which is what it is.
    SumOfShown,
    /// `published_total`, as certificates of version 2 have it; it was none.
    PublishedTotal,
}

impl Default for OutputRequest {
    fn default() -> Self {
        OutputRequest {
            folder: None,
            formats: vec![Format::Csv],
            estimate: None,
            prior: None,
            margins: Margins::None,
            sums: SumsCalled::SumOfShown,
            rounding: None,
        }
    }
}

impl OutputRequest {
    pub(super) fn read(fields: &Fields<'_>, bins: &[Dimension]) -> Result<Self, RequestError> {
        let prior = fields.item("prior").map(|item| read_prior(&item)).transpose()?;
        Ok(OutputRequest {
            folder: fields.text("folder")?,
            formats: read_formats(fields)?,
            estimate: read_estimate(fields, prior)?,
            prior,
            margins: read_margins(fields, bins)?,
            sums: SumsCalled::SumOfShown,
            rounding: fields.whole("rounding", Whole::PEOPLE)?,
        })
    }
}

fn read_formats(fields: &Fields<'_>) -> Result<Vec<Format>, RequestError> {
    let Some(items) = fields.list("formats")? else { return Ok(OutputRequest::default().formats) };
    let mut formats = Vec::new();
    for item in items {
        let format = item.choice(&Format::ALL, Format::as_str)?;
        if formats.contains(&format) {
            return Err(item.refuse("this format is listed twice"));
        }
        formats.push(format);
    }
    Ok(formats)
}

fn read_prior(item: &Item<'_>) -> Result<Prior, RequestError> {
    let (low, high) = item.pair("[low, high]")?;
    let prior = Prior { low: low.whole(Whole::COUNT)?, high: high.whole(Whole::COUNT)? };
    if prior.low <= prior.high { Ok(prior) } else { Err(item.refuse("`prior` must be [low, high], the smaller first")) }
}

/// `true`, or a prior alone, asks for the best estimate that there is.
fn read_estimate(fields: &Fields<'_>, prior: Option<Prior>) -> Result<Option<Estimate>, RequestError> {
    let best = if prior.is_some() { Estimate::Median } else { Estimate::Clamped };
    Ok(match fields.item("estimate") {
        None => prior.map(|_| best),
        Some(item) if matches!(item.value(), Node::Flag(_)) => item.flag()?.then_some(best),
        Some(item) => Some(item.choice(&Estimate::ALL, Estimate::as_str)?),
    })
}

fn read_margins(fields: &Fields<'_>, bins: &[Dimension]) -> Result<Margins, RequestError> {
    let Some(item) = fields.item("margins") else { return Ok(Margins::None) };
    if let Node::Flag(_) = item.value() {
        return Ok(if item.flag()? { Margins::All } else { Margins::None });
    }
    let mut names = Vec::new();
    for item in item.list()? {
        let name = item.text()?;
        if !bins.iter().any(|bin| bin.name == name) {
            return Err(item.refuse(format!("there is no bin named {}", quoted(&name))));
        }
        if names.contains(&name) {
            return Err(item.refuse("this bin is listed twice"));
        }
        names.push(name);
    }
    Ok(Margins::Of(names))
}
