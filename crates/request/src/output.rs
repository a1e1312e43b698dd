//! Where the result goes and how it is presented.
//!
//! Everything here works on published values; it must never change what is promised, and so it is not part of the
//! request's identity. It is separate for that reason. Read `identity.rs` next.

use super::error::{RequestError, quoted};
use super::fields::{Fields, Item};
use super::key_column::KeyColumn;
use super::node::Node;
use super::number::Whole;
use super::report::ReportRequest;
use super::statistics::BandStatistics;

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
    /// Totals by some bins, over the others.
    pub margins: Margins,
    /// What the sum of shown counts is called.
    pub sums: SumsCalled,
    /// Medians, quantiles and means of a number that is cut into bands.
    pub statistics: Option<BandStatistics>,
    /// A column with what is shown, rounded to multiples of this.
    pub rounding: Option<u64>,
    /// A column `shown`, with "fewer than" this in place of published values below it.
    pub small: Option<u64>,
    /// Whether a column says how far each value can be relied on.
    pub quality: QualityColumn,
    /// What counts are called, and whether uncertain ones are marked.
    pub manner: TableManner,
    /// How CSV files begin.
    pub csv_start: CsvStart,
    /// How keys are written.
    pub keys: KeyCells,
    /// What the publisher adds to the report.
    pub report: ReportRequest,
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
    /// A workbook of spreadsheet programs, with all tables of the release in it.
    Xlsx,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 4] = [Format::Csv, Format::Parquet, Format::Arrow, Format::Xlsx];

    /// Returns the name in a request, which is also the file's extension.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
            Format::Arrow => "arrow",
            Format::Xlsx => "xlsx",
        }
    }
}

/// How CSV files begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CsvStart {
    /// With their first column.
    Plain,
    /// With the mark by which spreadsheet programs know UTF-8.
    ByteOrderMark,
}

/// How keys are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyCells {
    /// As certificates of version 2 have them: missing ones are empty, texts stay as they are, and no bounds stand
    /// beside labels.
    Bare,
    /// Missing ones have a name, no text is taken for a formula, and files with types have bounds beside labels.
    Named {
        /// What stands for a missing value, where there are no nulls.
        missing: String,
    },
}

impl KeyCells {
    /// What stands for a missing value, unless the request names it otherwise.
    pub const MISSING: &str = "(missing)";

    /// Returns what people read in place of a missing value.
    pub fn missing(&self) -> &str {
        match self {
            KeyCells::Bare => "missing",
            KeyCells::Named { missing } => missing,
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

/// Totals by some bins, over the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Margins {
    /// None.
    None,
    /// By every bin by itself.
    All,
    /// By each of these sets of bins; the total over all is always there, and the empty set asks for it alone.
    Of(Vec<Vec<String>>),
}

impl Margins {
    /// The most sets of bins.
    pub const MOST: usize = 32;

    /// Returns the totals that go with statistics: those that are asked for, or by each other bin by itself.
    pub fn for_statistics(self, statistics: &BandStatistics, bins: &[String]) -> Margins {
        let others = || bins.iter().filter(|bin| **bin != statistics.of).map(|bin| vec![bin.clone()]);
        match self {
            Margins::None if others().next().is_none() => Margins::Of(vec![Vec::new()]),
            Margins::None => Margins::Of(others().collect()),
            Margins::All | Margins::Of(_) => self,
        }
    }
}

/// What the sum of counts is called where not all of them are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumsCalled {
    /// `sum_of_shown`, which is what it is.
    SumOfShown,
    /// `published_total`, as certificates of version 2 have it; it was none.
    PublishedTotal,
}

/// A column that says how far each value can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QualityColumn {
    /// There is one, wherever values are published.
    Written,
    /// There is none.
    LeftOut,
}

/// What counts are called in tables, and whether uncertain ones are marked for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableManner {
    /// Counts of people who may have been cut to some of their bins are called so, and what is too uncertain to be a
    /// number is grey, with words in its place.
    Careful,
    /// As certificates of version 2 have it: every count is a `count`, and looks like a fact.
    Plain,
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
            statistics: None,
            rounding: None,
            small: None,
            quality: QualityColumn::Written,
            manner: TableManner::Careful,
            csv_start: CsvStart::Plain,
            keys: KeyCells::Named { missing: KeyCells::MISSING.into() },
            report: ReportRequest::default(),
        }
    }
}

impl OutputRequest {
    pub(super) fn read(fields: &Fields<'_>, bins: &[KeyColumn<'_>]) -> Result<Self, RequestError> {
        let prior = fields.item("prior").map(|item| read_prior(&item)).transpose()?;
        let rounding = fields.whole("rounding", Whole::PEOPLE)?;
        let statistics = BandStatistics::read(fields, bins)?;
        let asked = read_margins(fields, bins)?;
        let names: Vec<String> = bins.iter().map(|bin| bin.name().to_string()).collect();
        Ok(OutputRequest {
            folder: fields.text("folder")?,
            formats: read_formats(fields)?,
            estimate: read_estimate(fields, prior)?,
            prior,
            margins: match &statistics {
                Some(statistics) => asked.for_statistics(statistics, &names),
                None => asked,
            },
            sums: SumsCalled::SumOfShown,
            statistics,
            rounding,
            small: fields.item("small").map(|item| read_small(&item, rounding)).transpose()?,
            quality: match fields.flag("quality")? {
                Some(true) | None => QualityColumn::Written,
                Some(false) => QualityColumn::LeftOut,
            },
            manner: TableManner::Careful,
            csv_start: match fields.flag("csv-bom")? {
                Some(true) => CsvStart::ByteOrderMark,
                Some(false) | None => CsvStart::Plain,
            },
            keys: match fields.item("missing") {
                None => OutputRequest::default().keys,
                Some(item) => {
                    let missing = item.text()?;
                    refuse_missing_name(&missing).map_err(|error| item.refuse(error.message()).hint(error.hint()))?;
                    KeyCells::Named { missing }
                }
            },
            // It has a section of its own.
            report: ReportRequest::default(),
        })
    }

    /// Refuses files that could not be checked.
    pub fn refuse_formats(formats: &[Format]) -> Result<(), OutputRefusal> {
        if formats == [Format::Xlsx] { Err(OutputRefusal::WorkbookAlone) } else { Ok(()) }
    }

    /// Refuses a limit of small values that is none, or that rounding would go below.
    ///
    /// Rounding never falls as values grow, so it is enough that the limit itself is not rounded below itself.
    pub fn refuse_small(small: Option<u64>, rounding: Option<u64>) -> Result<(), OutputRefusal> {
        let Some(limit) = small else { return Ok(()) };
        let limits = Whole::SMALL;
        if !(limits.least..=limits.most).contains(&limit) {
            return Err(OutputRefusal::NoSmallValue);
        }
        // Halves go up.
        let rounds_down = |step: u64| u128::from(limit % step) * 2 < u128::from(step) && limit % step > 0;
        match rounding.filter(|step| *step > 1).is_some_and(rounds_down) {
            true => Err(OutputRefusal::SmallIsRoundedTo),
            false => Ok(()),
        }
    }
}

/// Why files cannot be written so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputRefusal {
    /// A workbook has no other file beside it.
    WorkbookAlone,
    /// The name of missing values could be a number, a day, a truth value, an interval, "other", "(all)" or a formula.
    MissingReadsAsAKey,
    /// The name of missing values is too long, or has characters or spaces that nobody sees.
    MissingIsUnreadable,
    /// The limit of small values is below 2, or above any count.
    NoSmallValue,
    /// A value that is not small would be rounded to a small one.
    SmallIsRoundedTo,
    /// Quantiles, and no bin of which.
    QuantilesOfNothing,
    /// Statistics, and no totals beside them.
    StatisticsWithoutTotals,
}

impl OutputRefusal {
    /// Returns what is wrong.
    pub fn message(self) -> &'static str {
        match self {
            OutputRefusal::WorkbookAlone => "a workbook is checked against the rows of another file, and there is none",
            OutputRefusal::MissingReadsAsAKey => {
                "the name of missing values reads like a number, a day, a truth value, an interval, \"other\", \"(all)\" or a formula"
            }
            OutputRefusal::MissingIsUnreadable => {
                "the name of missing values may have 40 characters, none of them hidden, and no space at either end"
            }
            OutputRefusal::NoSmallValue => {
                "`small` must be a whole number from 2 to 10^12, or \"fewer than\" such a number"
            }
            OutputRefusal::SmallIsRoundedTo => {
                "`small` and `rounding` do not go together: a value that is not small would be rounded to a small one"
            }
            OutputRefusal::QuantilesOfNothing => {
                "quantiles are made of a table by bands of a number, and none is named"
            }
            OutputRefusal::StatisticsWithoutTotals => "statistics stand beside totals, and there are to be none",
        }
    }

    /// Returns what to change.
    pub fn hint(self) -> &'static str {
        match self {
            OutputRefusal::WorkbookAlone => "formats = [\"csv\", \"xlsx\"]",
            OutputRefusal::MissingReadsAsAKey | OutputRefusal::MissingIsUnreadable => "missing = \"(missing)\"",
            OutputRefusal::NoSmallValue => "small = \"fewer than 6\", or small = 6, which is the same",
            OutputRefusal::SmallIsRoundedTo => {
                "let `small` be a multiple of `rounding`, such as small = 5 and rounding = 5, or leave one of them out"
            }
            OutputRefusal::QuantilesOfNothing => "--statistics BIN names the bin that has the bands",
            OutputRefusal::StatisticsWithoutTotals => "leave out both: --margins none --statistics none",
        }
    }
}

/// Returns what stands for values below a limit: "fewer than 6".
pub fn fewer_than(limit: u64) -> String {
    format!("{FEWER_THAN}{limit}")
}

/// Reads a limit of small values as it is shown, "fewer than 6", or as its number alone, "6".
///
/// Nothing if it is written otherwise: other words, such as "up to 5" or "< 6", would have to be understood.
pub fn read_fewer_than(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(FEWER_THAN).unwrap_or(text);
    digits.parse::<u64>().ok().filter(|limit| limit.to_string() == digits)
}

const FEWER_THAN: &str = "fewer than ";

/// The longest name of missing values.
const LONGEST_MISSING: usize = 40;

/// Refuses a name of missing values that a key could be taken for.
pub fn refuse_missing_name(name: &str) -> Result<(), OutputRefusal> {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    if name.is_empty() || name.trim() != name || name.chars().count() > LONGEST_MISSING || name.contains(hidden) {
        return Err(OutputRefusal::MissingIsUnreadable);
    }
    // What keys that are no texts look like, and what texts look like that are no keys of their own.
    let first = |c: char| c.is_numeric() || "=+-@'[\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".contains(c);
    let words = ["true", "false", "inf", "nan", "other", "(all)"];
    if name.starts_with(first) || words.contains(&name.to_lowercase().as_str()) {
        return Err(OutputRefusal::MissingReadsAsAKey);
    }
    Ok(())
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
    match (OutputRequest::refuse_formats(&formats), fields.item("formats")) {
        (Err(refusal), Some(item)) => Err(item.refuse(refusal.message()).hint(refusal.hint())),
        (Err(_) | Ok(()), _) => Ok(formats),
    }
}

/// "fewer than 6", or 6, which is the same.
fn read_small(item: &Item<'_>, rounding: Option<u64>) -> Result<u64, RequestError> {
    let refuse = |refusal: OutputRefusal| item.refuse(refusal.message()).hint(refusal.hint());
    let limit = match item.value() {
        Node::Text(text) => read_fewer_than(text).ok_or_else(|| refuse(OutputRefusal::NoSmallValue))?,
        _ => item.whole(Whole::SMALL).map_err(|error| error.hint(OutputRefusal::NoSmallValue.hint()))?,
    };
    OutputRequest::refuse_small(Some(limit), rounding).map_err(refuse)?;
    Ok(limit)
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

fn read_margins(fields: &Fields<'_>, bins: &[KeyColumn<'_>]) -> Result<Margins, RequestError> {
    let Some(item) = fields.item("margins") else { return Ok(Margins::None) };
    if let Node::Flag(_) = item.value() {
        return Ok(if item.flag()? { Margins::All } else { Margins::None });
    }
    let mut sets: Vec<Vec<String>> = Vec::new();
    for item in item.list()? {
        let set = match item.value() {
            Node::List(entries) if entries.is_empty() => Vec::new(),
            Node::List(_) => read_set(&item.list()?, bins)?,
            _ => read_set(std::slice::from_ref(&item), bins)?,
        };
        if sets.contains(&set) {
            return Err(item.refuse("these totals are listed twice"));
        }
        sets.push(set);
    }
    if sets.len() > Margins::MOST {
        return Err(item.refuse(format!("`margins` may list {} sets of bins", Margins::MOST)));
    }
    Ok(Margins::Of(sets))
}

/// The names of a set of bins, in the order of the table.
fn read_set(items: &[Item<'_>], bins: &[KeyColumn<'_>]) -> Result<Vec<String>, RequestError> {
    let mut places: Vec<usize> = Vec::new();
    for item in items {
        let name = item.text()?;
        let Some(place) = bins.iter().position(|bin| bin.name() == name) else {
            return Err(item.refuse(format!("there is no bin named {}", quoted(&name))));
        };
        if places.contains(&place) {
            return Err(item.refuse("this bin is listed twice"));
        }
        places.push(place);
    }
    places.sort_unstable();
    Ok(places.into_iter().map(|place| bins[place].name().to_string()).collect())
}
