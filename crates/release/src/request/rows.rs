//! Columns of published rows, and the public rule that makes each coarser.
//!
//! One rule per column, from the request alone; it must never look at how often a value occurs. It is separate
//! because rows are not counted into bins. Read `points.rs` next.

use super::bins::{Other, read_name, read_truncate, refuse_twins};
use super::date::Truncate;
use super::edges::Edges;
use super::error::{RequestError, quoted};
use super::fields::Fields;
use super::number::Whole;
use super::values::BinValue;

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
    /// A value becomes its name so many steps up.
    Hierarchy {
        /// A CSV file.
        file: String,
        /// How many steps.
        level: u64,
    },
    /// The column stays as it is.
    Keep,
}

const RULES: [&str; 6] = ["prefix", "edges", "truncate", "values", "hierarchy", "keep"];

impl Column {
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
        "hierarchy" => {
            Ok(Generalisation::Hierarchy { file: item.text()?, level: fields.required("level")?.whole(Whole::PREFIX)? })
        }
        _ if item.flag()? => Ok(Generalisation::Keep),
        _ => Err(item.refuse("`keep` can only be true").hint("leave the column out, or choose a rule")),
    }
}
