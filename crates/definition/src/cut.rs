//! Into which bins values fall.
//!
//! A cut lists its bins, or says that they are found in the data; it must never make found ones look listed, for that
//! difference decides what has to be paid for. It is separate because requests read cuts, engines cut by them and the
//! book compares them. Read `dimension.rs` next.

use crate::canonical::fields;
use crate::date::Date;
use crate::edges::Edges;
use crate::listed_values::ListedValues;
use crate::period::Periods;
use crate::period_unit::PeriodUnit;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Into which bins. Listed bins are numbered from 0, in the order in which they are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cut {
    /// Whatever values the data has: open.
    Found,
    /// A public list: closed.
    Values(ListedValues),
    /// A public list of texts, each with the name of its bin, which several may share: closed.
    Named(Vec<(String, String)>),
    /// Public intervals: closed.
    Edges(Edges),
    /// Whatever periods the data has, by their first days: open.
    Truncated(PeriodUnit),
    /// A public list of periods, compared after cutting dates: closed.
    Periods(Periods),
}

impl Cut {
    /// Returns how many bins are listed, or nothing if they are found.
    pub fn listed(&self) -> Option<u64> {
        match self {
            Cut::Found | Cut::Truncated(_) => None,
            Cut::Values(values) => Some(values.count()),
            Cut::Named(pairs) => Some(names_of(pairs).len() as u64),
            Cut::Edges(edges) => Some(edges.intervals()),
            Cut::Periods(periods) => Some(periods.count()),
        }
    }

    /// Whether values outside of what is listed may be counted together; periods are cut from all days there are.
    pub fn may_count_others(&self) -> bool {
        match self {
            Cut::Values(_) | Cut::Named(_) | Cut::Edges(_) => true,
            Cut::Found | Cut::Truncated(_) | Cut::Periods(_) => false,
        }
    }

    /// Returns the canonical form.
    pub fn canonical(&self) -> Value {
        match self {
            Cut::Found => json!("found"),
            Cut::Values(values) => json!({ "values": values.canonical() }),
            Cut::Named(pairs) => json!({ "names": pairs }),
            Cut::Edges(edges) => edges.canonical(),
            Cut::Truncated(unit) => json!({ "truncate": unit.as_str() }),
            Cut::Periods(periods) => json!({
                "truncate": periods.unit().as_str(),
                "first": periods.first().to_string(),
                "last": periods.last().to_string(),
            }),
        }
    }

    /// Returns the cut behind a canonical form; nothing for any other text, and for shared names, which no book has:
    /// the columns that have them are part of a kind, about which nothing is proved.
    pub fn from_canonical(cut: &Value) -> Option<Cut> {
        if let Some(word) = cut.as_str() {
            return (word == "found").then_some(Cut::Found);
        }
        if let Some([values]) = fields(cut, ["values"]) {
            return ListedValues::from_canonical(values).map(Cut::Values);
        }
        let period = |name: &Value| PeriodUnit::ALL.into_iter().find(|period| name == period.as_str());
        if let Some([unit]) = fields(cut, ["truncate"]) {
            return period(unit).map(Cut::Truncated);
        }
        if let Some([unit, first, last]) = fields(cut, ["truncate", "first", "last"]) {
            let day = |day: &Value| Date::from_text(day.as_str()?);
            return Periods::between(period(unit)?, day(first)?, day(last)?).map(Cut::Periods);
        }
        Edges::from_canonical(cut).map(Cut::Edges)
    }
}

/// Returns the names of shared bins, each once, in order of appearance.
pub fn names_of(pairs: &[(String, String)]) -> Vec<&str> {
    let mut names = Vec::new();
    for (_, name, code) in coded_names(pairs) {
        if code == names.len() as u64 {
            names.push(name);
        }
    }
    names
}

/// Returns each text with the name and the number of its bin.
pub fn coded_names(pairs: &[(String, String)]) -> impl Iterator<Item = (&str, &str, u64)> {
    let mut codes: HashMap<&str, u64> = HashMap::new();
    pairs.iter().map(move |(text, name)| {
        let next = codes.len() as u64;
        (text.as_str(), name.as_str(), *codes.entry(name.as_str()).or_insert(next))
    })
}
