//! Columns of published rows, and the public rule that makes each coarser.
//!
//! One rule per column, from the request alone; it must never look at how often a value occurs. It is separate
//! because rows are not counted into bins. Read `points.rs` next.

use super::bins::{Bin, BinSource, Cut, Items, Nulls, Other, read_name, read_truncate, refuse_twins};
use super::date::Truncate;
use super::edges::Edges;
use super::error::{RequestError, quoted};
use super::fields::Fields;
use super::number::Whole;
use super::values::BinValue;
use std::collections::HashSet;

/// One column of the published rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The heading in what is published.
    pub name: String,
    /// The column of the data.
    pub column: String,
    /// How it is made coarser.
    pub rule: Generalisation,
}

/// How a column is made coarser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Generalisation {
    /// Keep so many characters from the start.
    Prefix(u64),
    /// A value becomes its interval.
    Edges {
        /// The intervals.
        edges: Edges,
        /// What happens outside.
        other: Other,
    },
    /// Dates become the first day of their period.
    Truncate(Truncate),
    /// Listed values are kept.
    Values {
        /// The list.
        values: Vec<BinValue>,
        /// What happens to others.
        other: Other,
    },
    /// A value becomes its name so many steps up, as a public file says that has not been read yet.
    Hierarchy {
        /// A CSV file.
        file: String,
        /// How many steps.
        level: u64,
    },
    /// A value becomes its name.
    Names(Vec<(String, String)>),
    /// The column stays as it is.
    Keep,
}

const RULES: [&str; 7] = ["prefix", "edges", "truncate", "values", "hierarchy", "names", "keep"];
/// The most values of a hierarchy.
const MOST_NAMES: usize = 10_000;

/// Why the lines of a hierarchy are none.
pub type NoHierarchy = String;

/// Returns the rule of a list of values and their names, each value once.
fn named(pairs: Vec<(String, String)>) -> Result<Generalisation, NoHierarchy> {
    if pairs.len() > MOST_NAMES {
        return Err(format!("a hierarchy may have at most {MOST_NAMES} values"));
    }
    if pairs.iter().any(|(value, name)| value.is_empty() || name.is_empty()) {
        return Err("a value or a name of the hierarchy is empty".into());
    }
    let mut known = HashSet::new();
    match pairs.iter().find(|(value, _)| !known.insert(value.as_str())) {
        Some(_) => Err("a value of the hierarchy is there twice".into()),
        None if pairs.is_empty() => Err("the hierarchy has no values".into()),
        None => Ok(Generalisation::Names(pairs)),
    }
}

impl Column {
    /// Returns the public file that this column's rule still has to be read from.
    pub fn hierarchy(&self) -> Option<&str> {
        match &self.rule {
            Generalisation::Hierarchy { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Takes the rule from the lines of its public file: a value, then its coarser and coarser names.
    pub(super) fn read_hierarchy(&mut self, lines: &[Vec<String>]) -> Result<(), NoHierarchy> {
        let Generalisation::Hierarchy { level, .. } = &self.rule else { return Ok(()) };
        let level = usize::try_from(*level).unwrap_or(usize::MAX);
        let pair = |line: &Vec<String>| {
            let name = line.get(level).ok_or(format!("a line of the hierarchy has no name {level} steps up"))?;
            Ok((line[0].clone(), name.clone()))
        };
        self.rule = named(lines.iter().map(pair).collect::<Result<_, NoHierarchy>>()?)?;
        Ok(())
    }

    /// Returns the dimension in which rows with the same published value are counted together.
    ///
    /// Missing values stay missing; what a rule has no place for is not published.
    pub(super) fn bin(&self) -> Bin {
        let own = BinSource::Column(self.column.clone());
        let (source, cut, other) = match &self.rule {
            Generalisation::Prefix(length) => {
                let column = self.column.replace('"', "\"\"");
                (BinSource::Expression(format!("left(\"{column}\", {length})")), Cut::Found, Other::NotCounted)
            }
            Generalisation::Edges { edges, other } => (own, Cut::Edges(edges.clone()), *other),
            Generalisation::Truncate(unit) => (own, Cut::Truncated(*unit), Other::NotCounted),
            Generalisation::Values { values, other } => (own, Cut::Values(values.clone()), *other),
            // A file that has not been read names nothing yet; nothing is released from such a request.
            Generalisation::Hierarchy { .. } => (own, Cut::Named(Vec::new()), Other::NotCounted),
            Generalisation::Names(pairs) => (own, Cut::Named(pairs.clone()), Other::NotCounted),
            Generalisation::Keep => (own, Cut::Found, Other::NotCounted),
        };
        Bin { name: self.name.clone(), source, cut, other, nulls: Nulls::Bin, items: Items::Each }
    }

    pub(super) fn read_all(sections: &[Fields<'_>]) -> Result<Vec<Self>, RequestError> {
        let columns: Vec<Column> = sections.iter().map(Column::read).collect::<Result<_, _>>()?;
        refuse_twins(sections, columns.iter().map(|column| &column.name))?;
        Ok(columns)
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RequestError> {
        Ok(Column {
            name: read_name(&fields.required("name")?)?,
            column: fields.required("column")?.text()?,
            rule: read_rule(fields)?,
        })
    }
}

fn read_rule(fields: &Fields<'_>) -> Result<Generalisation, RequestError> {
    let given: Vec<&'static str> = RULES.into_iter().filter(|key| fields.has(key)).collect();
    let rule = match given[..] {
        [rule] => rule,
        [first, second, ..] => {
            return Err(fields.refuse_key(second, format!("a column has either `{first}` or `{second}`, not both")));
        }
        [] => {
            let listed = RULES.map(quoted).join(", ");
            return Err(fields
                .refuse("[[columns]] needs a rule")
                .hint(format!("one of {listed}; keep = true as it is")));
        }
    };
    if fields.has("level") && rule != "hierarchy" {
        return Err(fields.refuse_key("level", "`level` goes with `hierarchy`"));
    }
    let other = match fields.flag("other")? {
        Some(true) if !["values", "edges"].contains(&rule) => {
            return Err(fields.refuse_key("other", "`other` needs `values` or `edges`"));
        }
        Some(true) => Other::Counted,
        Some(false) | None => Other::NotCounted,
    };
    let item = fields.required(rule)?;
    match rule {
        "prefix" => Ok(Generalisation::Prefix(item.whole(Whole::PREFIX)?)),
        "edges" => Ok(Generalisation::Edges { edges: Edges::read(&item.list()?)?, other }),
        "truncate" => Ok(Generalisation::Truncate(read_truncate(fields)?)),
        "values" => Ok(Generalisation::Values { values: BinValue::read_all(&item.list()?)?, other }),
        "names" => {
            let mut pairs = Vec::new();
            for item in item.list()? {
                let (value, name) = item.pair("[value, name]")?;
                pairs.push((value.text()?, name.text()?));
            }
            named(pairs).map_err(|reason| item.refuse(reason))
        }
        "hierarchy" => {
            Ok(Generalisation::Hierarchy { file: item.text()?, level: fields.required("level")?.whole(Whole::PREFIX)? })
        }
        _ if item.flag()? => Ok(Generalisation::Keep),
        _ => Err(item.refuse("`keep` can only be true").hint("leave the column out, or choose a rule")),
    }
}
