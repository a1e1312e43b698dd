//! Bins: the dimensions of the table that is counted.
//!
//! Says whether the list of cells is public or found in the data; it must never make an open dimension look closed.
//! It is separate because that difference decides what has to be paid for. Read `promise.rs` next.

use super::date::read_date;
use super::edges::Edges;
use super::error::{RequestError, quoted};
use super::fields::Fields;
use super::values::BinValue;
pub use incrowd_definition::Items;
use incrowd_definition::{PeriodUnit, Periods};
use std::collections::HashSet;

/// One dimension of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bin {
    /// The heading in what is published.
    pub name: String,
    /// What is binned.
    pub source: BinSource,
    /// Into which bins.
    pub cut: Cut,
    /// What happens to values that are in none of them.
    pub other: Other,
    /// What happens to missing values.
    pub nulls: Nulls,
    /// What of a person's values is counted.
    pub items: Items,
}

/// What is binned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BinSource {
    /// A column, by its exact name.
    Column(String),
    /// An SQL expression on one row.
    Expression(String),
}

/// Into which bins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cut {
    /// Whatever values the data has: open.
    Found,
    /// A public list: closed.
    Values(Vec<BinValue>),
    /// A public list of texts, each with the name of its bin, which several may share: closed.
    Named(Vec<(String, String)>),
    /// Public intervals: closed.
    Edges(Edges),
    /// Whatever periods the data has: open.
    Truncated(PeriodUnit),
    /// A public list of periods, compared after cutting dates: closed.
    Periods(Periods),
}

/// What happens to values that are in no listed bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// Not counted.
    NotCounted,
    /// Counted under one symbol of their own.
    Counted,
}

/// What happens to missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nulls {
    /// Not counted.
    Drop,
    /// Counted under one symbol of their own.
    Bin,
}

impl Nulls {
    /// All of them.
    pub const ALL: [Nulls; 2] = [Nulls::Drop, Nulls::Bin];

    /// Returns the name in a request.
    pub fn as_str(self) -> &'static str {
        match self {
            Nulls::Drop => "drop",
            Nulls::Bin => "bin",
        }
    }
}

/// Whether the list of cells is public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Universe {
    /// The request has no bins.
    Unstated,
    /// Every cell is declared; there are so many (at most `u128::MAX`).
    Closed {
        /// How many, the symbols for other and null included.
        cells: u128,
    },
    /// At least one dimension is found in the data.
    Open,
}

/// Returns the names of shared bins, each once, in order of appearance.
pub fn names_of(pairs: &[(String, String)]) -> Vec<&str> {
    let mut known = HashSet::new();
    pairs.iter().map(|(_, name)| name.as_str()).filter(|name| known.insert(*name)).collect()
}

impl Bin {
    /// Returns how many bins this dimension has, symbols included, or nothing if they are found in the data.
    pub fn size(&self) -> Option<u64> {
        let listed = match &self.cut {
            Cut::Found | Cut::Truncated(_) => return None,
            Cut::Values(values) => values.len() as u64,
            Cut::Named(pairs) => names_of(pairs).len() as u64,
            Cut::Edges(edges) => edges.intervals(),
            Cut::Periods(periods) => periods.count(),
        };
        Some(listed + u64::from(self.other == Other::Counted) + u64::from(self.nulls == Nulls::Bin))
    }

    /// Returns the dimensions that are published of this one: itself, or both sides of a pair.
    pub(super) fn sides(&self) -> Vec<Bin> {
        match self.items {
            Items::Each => vec![self.clone()],
            Items::Pairs => (1..=2).map(|side| Bin { name: format!("{} {side}", self.name), ..self.clone() }).collect(),
        }
    }

    pub(super) fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        let name = fields.required("name")?;
        let cut = read_cut(fields)?;
        Ok(Bin {
            name: read_name(&name)?,
            source: read_source(fields)?,
            other: read_other(fields, &cut)?,
            cut,
            nulls: fields.choice("nulls", &Nulls::ALL, Nulls::as_str)?.unwrap_or(Nulls::Drop),
            items: fields.choice("items", &Items::ALL, Items::as_str)?.unwrap_or(Items::Each),
        })
    }
}

/// Names of columns that a table of counts already has.
const TAKEN: [&str; 6] = ["count", "low", "high", "status", "estimate", "rounded"];

/// Reads the heading of a published column.
pub(super) fn read_name(item: &super::fields::Item<'_>) -> Result<String, RequestError> {
    let name = item.text()?;
    if TAKEN.contains(&name.as_str()) {
        return Err(item.refuse(format!("the published table already has a column {}", quoted(&name))));
    }
    if name.chars().any(char::is_control) {
        return Err(item.refuse("a name may not have line breaks or other control characters"));
    }
    Ok(name)
}

/// Refuses two sections of the same name.
pub(super) fn refuse_twins<'n>(
    fields: &[Fields<'_>],
    names: impl Iterator<Item = &'n String>,
) -> Result<(), RequestError> {
    let mut seen = std::collections::HashSet::new();
    match names.zip(fields).find(|(name, _)| !seen.insert(*name)) {
        None => Ok(()),
        Some((name, fields)) => Err(fields.refuse_value("name", format!("there are two named {}", quoted(name)))),
    }
}

fn read_source(fields: &Fields<'_>) -> Result<BinSource, RequestError> {
    match (fields.text("column")?, fields.text("expression")?) {
        (Some(column), None) => Ok(BinSource::Column(column)),
        (None, Some(expression)) => Ok(BinSource::Expression(expression)),
        (Some(_), Some(_)) => {
            Err(fields.refuse_key("expression", "a bin has either `column` or `expression`, not both"))
        }
        (None, None) => Err(fields.refuse("[[bins]] needs `column` or `expression`").hint("column = \"department\"")),
    }
}

fn read_cut(fields: &Fields<'_>) -> Result<Cut, RequestError> {
    let ways = ["values", "edges", "width", "truncate"];
    let given: Vec<&'static str> = ways.into_iter().filter(|key| fields.has(key)).collect();
    if let [first, second, ..] = given[..] {
        return Err(fields.refuse_key(second, format!("a bin has either `{first}` or `{second}`, not both")));
    }
    let range = (fields.item("from"), fields.item("to"));
    match (given.first().copied(), range) {
        (Some("values"), (None, None)) => {
            let items = fields.required("values")?.list()?;
            Ok(Cut::Values(BinValue::read_all(&items)?))
        }
        (Some("edges"), (None, None)) => Ok(Cut::Edges(Edges::read(&fields.required("edges")?.list()?)?)),
        (Some("width"), (Some(from), Some(to))) => {
            Ok(Cut::Edges(Edges::read_range(&from, &to, &fields.required("width")?)?))
        }
        (Some("truncate"), (None, None)) => Ok(Cut::Truncated(read_truncate(fields)?)),
        (Some("truncate"), (Some(from), Some(to))) => {
            let (first, end) = (read_date(&from)?, read_date(&to)?);
            let periods = Periods::touching(read_truncate(fields)?, first, end);
            periods.map(Cut::Periods).ok_or_else(|| to.refuse("`to` must be after `from`"))
        }
        (None, (None, None)) => Ok(Cut::Found),
        (Some("values" | "edges"), _) => {
            let extra = if fields.has("from") { "from" } else { "to" };
            Err(fields.refuse_key(extra, format!("`{extra}` goes with `width` or `truncate`, not with a list")))
        }
        (None, (Some(_), Some(_))) => {
            Err(fields.refuse("`from` and `to` need `width`, or `truncate` for dates").hint("width = 10"))
        }
        (Some(_) | None, _) => {
            Err(fields.refuse("`from`, `to` and `width` belong together, and so do `from`, `to` and `truncate`"))
        }
    }
}

/// Reads what dates are cut to.
pub(super) fn read_truncate(fields: &Fields<'_>) -> Result<PeriodUnit, RequestError> {
    fields.required("truncate")?.choice(&PeriodUnit::ALL, PeriodUnit::as_str)
}

fn read_other(fields: &Fields<'_>, cut: &Cut) -> Result<Other, RequestError> {
    if !fields.flag("other")?.unwrap_or(false) {
        return Ok(Other::NotCounted);
    }
    match cut {
        Cut::Values(_) | Cut::Named(_) | Cut::Edges(_) => Ok(Other::Counted),
        Cut::Found | Cut::Truncated(_) | Cut::Periods(_) => Err(fields
            .refuse_key("other", "`other` needs `values` or `edges`")
            .hint("without a public list there is nothing that a value could be outside of")),
    }
}
