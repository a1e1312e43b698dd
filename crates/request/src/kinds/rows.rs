//! Generalised rows, `release = "rows"`: columns, and the public rule that makes each coarser.
//!
//! One rule per column, from the request alone; it must never look at how often a value occurs. It is separate
//! because rows are published as they are or not at all. Read `points.rs` next.

use super::{Asked, Kind, KindName, KindOfRelease, Names, named, only_crowd_blending};
use crate::bins::{read_name, read_truncate, refuse_twins};
use crate::edges::read_edges;
use crate::error::{RequestError, quoted};
use crate::fields::Fields;
use crate::key_column::KeyColumn;
use crate::keys::{Key, Section, Shape};
use crate::node::Node;
use crate::number::Whole;
use crate::parts_node::{Texts, Written, edges as edge_nodes, list, text, values as value_nodes};
use crate::promise::PromiseRequest;
use crate::values::read_values;
use incrowd_definition::{BinSource, Cut, Dimension, Edges, Items, ListedValues, Nulls, Other, PeriodUnit};
use incrowd_privacy::Promise;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Generalised rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// At least one.
    pub columns: Vec<Column>,
    counted: Vec<Dimension>,
}

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
    Truncate(PeriodUnit),
    /// Listed values are kept.
    Values {
        /// The list.
        values: ListedValues,
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

pub(super) static ROWS: KindName = KindName {
    name: "rows",
    sections: &["columns"],
    read: Rows::read,
    write: |columns, written| {
        written.put("columns", list(columns, from_canonical)?);
        Some(())
    },
};

pub(super) const KEY: Key = Key::optional(
    "columns",
    Shape::Repeated(&COLUMNS),
    "With release = \"rows\": the columns of the rows, and how each is made coarser.",
);

static COLUMNS: Section = Section {
    title: "[[columns]]",
    about: "One column of the published rows, and the public rule that makes it coarser: exactly one of prefix, edges, \
        truncate, values, hierarchy or keep.",
    keys: &[
        Key::required("name", Shape::Text, "The heading of this column in what is published."),
        Key::required("column", Shape::Text, "The column of the data."),
        Key::optional("prefix", Shape::Whole(Whole::PREFIX), "Keep so many characters from the start."),
        Key::optional("edges", Shape::List(&Shape::Edge), "Strictly ascending; a value becomes its interval."),
        Key::optional(
            "truncate",
            Shape::Choice(|| PeriodUnit::ALL.iter().map(|each| each.as_str()).collect()),
            "Cut dates to days, weeks, months or years.",
        ),
        Key::optional(
            "values",
            Shape::List(&Shape::Value),
            "Keep these values; rows with others are dropped, unless `other`.",
        ),
        Key::with_default(
            "other",
            Shape::Flag,
            "false",
            "What is not listed becomes \"other\". Needs `values` or `edges`.",
        ),
        Key::optional(
            "hierarchy",
            Shape::Text,
            "A CSV file with one value per line and its coarser and coarser names. Needs `level`.",
        ),
        Key::optional(
            "names",
            Shape::List(&Shape::Pair(&Shape::Text)),
            "Instead of a file: each value with its name, [[\"nurse\", \"care\"], [\"cook\", \"kitchen\"]].",
        ),
        Key::optional("level", Shape::Whole(Whole::PREFIX), "How many steps up the hierarchy."),
        Key::optional("keep", Shape::Flag, "Leave the column as it is."),
    ],
};

impl Rows {
    /// Returns the dimensions in which equal rows are counted, which are also what is published.
    pub fn counted(&self) -> &[Dimension] {
        &self.counted
    }

    /// Takes the rules of columns from their public files, which `lines_of` reads.
    pub(crate) fn read_hierarchies(
        &mut self,
        mut lines_of: impl FnMut(&str) -> Result<Vec<Vec<String>>, NoHierarchy>,
    ) -> Result<(), NoHierarchy> {
        for column in &mut self.columns {
            if let Some(file) = column.hierarchy() {
                let lines = lines_of(file)?;
                column.read_hierarchy(&lines)?;
            }
        }
        self.counted = self.columns.iter().map(Column::dimension).collect();
        Ok(())
    }

    fn read(asked: &Asked<'_>) -> Result<Kind, RequestError> {
        let columns = Column::read_all(&asked.repeated("columns")?)?;
        if columns.is_empty() {
            return Err(asked.needs("[[columns]]"));
        }
        let counted = columns.iter().map(Column::dimension).collect();
        Ok(Kind::Rows(Rows { columns, counted }))
    }
}

impl KindOfRelease for Rows {
    fn name(&self) -> &'static str {
        ROWS.name
    }

    fn written(&self) -> &[Dimension] {
        &[]
    }

    /// Rows have none: the section belongs to other kinds.
    fn take_bins(&mut self, _bins: Vec<Dimension>, _fields: &Fields<'_>) -> Result<(), RequestError> {
        Ok(())
    }

    fn published(&self) -> Vec<KeyColumn<'_>> {
        self.counted.iter().map(KeyColumn::Counted).collect()
    }

    fn canonical(&self, names: Names) -> Value {
        let columns = self.columns.iter().map(|column| match names {
            Names::Kept => named(&column.name, column.canonical()),
            Names::Dropped => column.canonical(),
        });
        columns.collect()
    }

    fn add_run(&self, _canonical: &mut Value) {}

    fn check_promise(&self, request: &PromiseRequest, promise: &Fields<'_>) -> Result<(), RequestError> {
        match &request.promise {
            Promise::CrowdBlending { epsilon, .. } if epsilon.is_zero() => Ok(()),
            Promise::CrowdBlending { .. } => Err(promise
                .refuse_value("epsilon", "rows are published as they are or not at all: `epsilon` must be 0")
                .hint("epsilon = 0")),
            Promise::DifferentialPrivacy { .. }
            | Promise::Group { .. }
            | Promise::SimpleOutlier { .. }
            | Promise::SimpleOutlierDp { .. }
            | Promise::Staircase { .. }
            | Promise::Linear { .. }
            | Promise::Fading { .. }
            | Promise::Table { .. } => Err(only_crowd_blending(self, promise)),
        }
    }

    fn takes_a_mechanism(&self) -> bool {
        false
    }

    fn may_count_pairs(&self) -> bool {
        false
    }
}

const RULES: [&str; 7] = ["prefix", "edges", "truncate", "values", "hierarchy", "names", "keep"];
/// The most values of a hierarchy.
const MOST_NAMES: usize = 10_000;

/// Why the lines of a hierarchy are none.
pub type NoHierarchy = String;

/// Returns the rule of a list of values and their names, each value once.
fn rule_of_names(pairs: Vec<(String, String)>) -> Result<Generalisation, NoHierarchy> {
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
            Generalisation::Prefix(_)
            | Generalisation::Edges { .. }
            | Generalisation::Truncate(_)
            | Generalisation::Values { .. }
            | Generalisation::Names(_)
            | Generalisation::Keep => None,
        }
    }

    fn canonical(&self) -> Value {
        let rule = match &self.rule {
            Generalisation::Prefix(length) => json!({ "prefix": length }),
            Generalisation::Edges { edges, other } => {
                json!({ "edges": edges.canonical(), "other": *other == Other::Counted })
            }
            Generalisation::Truncate(unit) => json!({ "truncate": unit.as_str() }),
            Generalisation::Values { values, other } => {
                json!({ "values": values.canonical(), "other": *other == Other::Counted })
            }
            Generalisation::Hierarchy { file, level } => json!({ "hierarchy": file, "level": level }),
            Generalisation::Names(pairs) => json!({ "names": pairs }),
            Generalisation::Keep => json!("keep"),
        };
        json!({ "column": self.column, "rule": rule })
    }

    /// Takes the rule from the lines of its public file: a value, then its coarser and coarser names.
    fn read_hierarchy(&mut self, lines: &[Vec<String>]) -> Result<(), NoHierarchy> {
        let Generalisation::Hierarchy { level, .. } = &self.rule else { return Ok(()) };
        let level = usize::try_from(*level).unwrap_or(usize::MAX);
        let pair = |line: &Vec<String>| {
            let name = line.get(level).ok_or(format!("a line of the hierarchy has no name {level} steps up"))?;
            Ok((line[0].clone(), name.clone()))
        };
        self.rule = rule_of_names(lines.iter().map(pair).collect::<Result<_, NoHierarchy>>()?)?;
        Ok(())
    }

    /// Returns the dimension in which rows with the same published value are counted together.
    ///
    /// Missing values stay missing; what a rule has no place for is not published.
    fn dimension(&self) -> Dimension {
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
        Dimension { name: self.name.clone(), source, cut, other, nulls: Nulls::Bin, items: Items::Each }
    }

    fn read_all(sections: &[Fields<'_>]) -> Result<Vec<Self>, RequestError> {
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
        "edges" => Ok(Generalisation::Edges { edges: read_edges(&item.list()?)?, other }),
        "truncate" => Ok(Generalisation::Truncate(read_truncate(fields)?)),
        "values" => Ok(Generalisation::Values { values: read_values(&item.list()?)?, other }),
        "names" => {
            let mut pairs = Vec::new();
            for item in item.list()? {
                let (value, name) = item.pair("[value, name]")?;
                pairs.push((value.text()?, name.text()?));
            }
            rule_of_names(pairs).map_err(|reason| item.refuse(reason))
        }
        "hierarchy" => {
            Ok(Generalisation::Hierarchy { file: item.text()?, level: fields.required("level")?.whole(Whole::PREFIX)? })
        }
        _ if item.flag()? => Ok(Generalisation::Keep),
        _ => Err(item.refuse("`keep` can only be true").hint("leave the column out, or choose a rule")),
    }
}

/// A column of published rows, with its rule.
fn from_canonical(column: &Value) -> Option<Node<'_>> {
    let mut written = Written::default();
    for key in ["name", "column"] {
        written.put_text(key, column.get(key)?)?;
    }
    let rule = column.get("rule")?;
    if rule == "keep" {
        written.put("keep", Node::Flag(true));
    } else if let Some(length) = rule.get("prefix") {
        written.put_given("prefix", length, Texts::Plain)?;
    } else if let Some(unit) = rule.get("truncate") {
        written.put_text("truncate", unit)?;
    } else if let Some(values) = rule.get("values") {
        written.put("values", value_nodes(&ListedValues::from_canonical(values)?));
        written.put_flag("other", rule.get("other")?)?;
    } else if let Some(intervals) = rule.get("edges") {
        written.put("edges", edge_nodes(&Edges::from_canonical(intervals)?)?);
        written.put_flag("other", rule.get("other")?)?;
    } else {
        written.put("names", list(rule.get("names")?, |pair| list(pair, text))?);
    }
    Some(written.done())
}
