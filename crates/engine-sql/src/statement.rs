//! The statement that counts a query: every bin that somebody is in, once, in the order of keys, and how many are in
//! it.
//!
//! Step by step as `docs/theory.md` 7 has it: typed columns, the condition, bins, periods, distinct bins of persons, at
//! most so many of each, counts. It must never ask for anything of a row but this, nor leave the order to the server.
//! It is separate because steps are put together here and nowhere else. Read `value.rs` and `bins.rs` for the parts.

use crate::answer::{KeyKind, ServerStatement, WeightKind};
use crate::bins;
use crate::dialect::SqlDialect;
use crate::key_text::part;
use crate::table::{ServerColumn, ServerTable};
use crate::value::{NotPushed, Writer};
use incrowd_engine::{
    Dialect, Items, MOST_ITEMS, Nulls, Query, QueryCells, RequestField, RowPlan, RowType, RowValue, Shape, Time, Unit,
};

/// No statement is longer than this.
const LONGEST_STATEMENT: usize = 4 << 20;

/// Returns the statement that counts a query, or why rows are to be delivered.
pub fn statement(
    dialect: &dyn SqlDialect,
    table: &ServerTable,
    query: &Query,
    plan: &RowPlan,
) -> Result<ServerStatement, NotPushed> {
    if !(Dialect { table: None, ..query.source.dialect.clone() }).is_default() {
        return Err(NotPushed::because("texts are written in a dialect of their own"));
    }
    let rows = Rows::of(dialect, table, query, plan)?;
    let made = match &query.unit {
        Unit::Row | Unit::People { .. } => rows.counted()?,
        Unit::Person { bins_per_person, .. } if query.items() == Items::Pairs => rows.pairs(*bins_per_person)?,
        Unit::Person { bins_per_person, .. } => rows.persons(*bins_per_person)?,
    };
    if made.sql.len() > LONGEST_STATEMENT {
        return Err(NotPushed::because("the request is longer than a server may read"));
    }
    Ok(made)
}

/// Rows in bins: the first steps of a statement, and the names of what they give.
struct Rows<'a> {
    dialect: &'a dyn SqlDialect,
    query: &'a Query,
    /// `WITH` and what follows, up to a step named `rows_in_bins`.
    begun: String,
    keys: Vec<(String, KeyKind)>,
    /// The keys that a row must have to be counted.
    must_be_there: Vec<String>,
    person: Option<RowType>,
}

impl<'a> Rows<'a> {
    fn of(
        dialect: &'a dyn SqlDialect,
        table: &ServerTable,
        query: &'a Query,
        plan: &RowPlan,
    ) -> Result<Rows<'a>, NotPushed> {
        let typed = typed(dialect, table, plan)?;
        let names: Vec<&str> = plan.columns.iter().map(|(name, _)| name.as_str()).collect();
        let column = |name: &str| {
            let place = names.iter().position(|known| *known == name);
            place.map(|place| format!("c{place}")).ok_or_else(|| NotPushed::because("a column is not known"))
        };
        let writer = |place: String| Writer { dialect, place, column: &column };
        let condition = match &plan.condition {
            None => String::new(),
            Some(condition) => {
                let place = if query.condition.is_some() { RequestField::Condition } else { RequestField::Split };
                format!(" WHERE {}", writer(place.to_string()).value(condition)?)
            }
        };
        let mut given = Vec::new();
        let mut must_be_there = Vec::new();
        let mut kinds = Vec::new();
        for (place, (dimension, value)) in query.dimensions.iter().zip(&plan.dimensions).enumerate() {
            let written = writer(format!("bin {:?}", dimension.name)).value(value)?;
            let name = format!("d{place}");
            if dimension.cut.listed().is_some() {
                given.push(format!("{} AS {name}", bins::code(dialect, dimension, &written, &value.kind)?));
                must_be_there.push(name.clone());
                kinds.push((name, KeyKind::Code));
            } else {
                given.push(format!("{written} AS {name}"));
                if dimension.nulls == Nulls::Drop {
                    must_be_there.push(name.clone());
                }
                kinds.push((name, KeyKind::Value(value.kind.clone())));
            }
        }
        let unit = |value: &RowValue, place: RequestField| writer(place.to_string()).value(value);
        let (mut person, mut of_somebody) = (None, "");
        match (&query.unit, &plan.unit) {
            (Unit::Row, _) | (_, None) => {}
            (Unit::People { .. }, Some(weight)) => {
                let weight = unit(weight, RequestField::People)?;
                given.push(format!("CASE WHEN {weight} > 0 THEN {weight} ELSE {} END AS w", dialect.integer(0)));
            }
            (Unit::Person { .. }, Some(whose)) => {
                given.push(format!("{} AS u", unit(whose, RequestField::Person)?));
                of_somebody = " WHERE u IS NOT NULL";
                person = Some(whose.kind.clone());
            }
        }
        if given.is_empty() {
            given.push("1 AS one".to_owned());
        }
        let begun = format!(
            "WITH typed AS ({typed}), valued AS (SELECT {} FROM typed{condition}), \
             counted AS (SELECT * FROM valued{of_somebody})",
            given.join(", ")
        );
        Rows { dialect, query, begun, keys: kinds, must_be_there, person }.in_periods()?.in_cells()
    }

    /// Each row once for its period, and for all later ones where totals run on.
    fn in_periods(mut self) -> Result<Self, NotPushed> {
        let from = match self.query.time {
            Some(Time::Running) => {
                let periods = self.query.dimensions.first().and_then(|dimension| dimension.size());
                let last = periods.and_then(|periods| periods.checked_sub(1));
                let onwards = last.and_then(|last| self.dialect.onwards("counted", "d0", last, "later"));
                let from = onwards.ok_or_else(|| NotPushed::because("its periods run on"))?;
                let others = self.keys.iter().skip(1).map(|(name, _)| name.clone()).chain(self.of_rows());
                let columns: Vec<String> = std::iter::once("later AS d0".to_owned()).chain(others).collect();
                format!("SELECT {} FROM {from}", columns.join(", "))
            }
            Some(Time::Apart) | None => "SELECT * FROM counted".to_owned(),
        };
        self.begun += &format!(", onwards AS ({from})");
        Ok(self)
    }

    /// What a row has beside its bins.
    fn of_rows(&self) -> Option<String> {
        match self.query.unit {
            Unit::Row => None,
            Unit::People { .. } => Some("w".into()),
            Unit::Person { .. } => Some("u".into()),
        }
    }

    /// One number for all bins of a row, where all are declared.
    fn in_cells(mut self) -> Result<Self, NotPushed> {
        let QueryCells::Declared(_) = self.query.cells() else {
            self.begun += ", rows_in_bins AS (SELECT * FROM onwards)";
            return Ok(self);
        };
        let mut stride = 1u64;
        let mut sum = Vec::new();
        for ((name, _), dimension) in self.keys.iter().zip(&self.query.dimensions).rev() {
            let step =
                i64::try_from(stride).map_err(|_| NotPushed::because("it has more bins than a server numbers"))?;
            sum.push(format!("{name} * {}", self.dialect.integer(step)));
            stride = stride.saturating_mul(dimension.size().unwrap_or(1));
        }
        if sum.is_empty() {
            sum.push(self.dialect.integer(0));
        }
        let period = self.query.time.map(|_| "d0".to_owned());
        let columns = std::iter::once(format!("{} AS k", sum.join(" + "))).chain(period).chain(self.of_rows());
        let columns = columns.collect::<Vec<_>>().join(", ");
        self.begun += &format!(", rows_in_bins AS (SELECT {columns} FROM onwards)");
        self.keys = vec![("k".to_owned(), KeyKind::Cell)];
        self.must_be_there = vec!["k".to_owned()];
        Ok(self)
    }

    /// Leaves groups out in which a key is missing that must be there. It names an aggregate, so that a server looks at
    /// the keys of groups, and does not make the key of each row a second time to look at it.
    fn having(&self) -> String {
        if self.must_be_there.is_empty() {
            return String::new();
        }
        let missing: Vec<String> = self.must_be_there.iter().map(|name| format!("{name} IS NULL")).collect();
        format!(" HAVING CASE WHEN {} THEN 0 ELSE count(*) END > 0", missing.join(" OR "))
    }

    /// Distinct rows of these columns that are counted.
    fn distinct(&self, columns: &str) -> String {
        format!("SELECT {columns} FROM rows_in_bins GROUP BY {columns}{}", self.having())
    }

    /// Counts rows, or the people that they stand for.
    fn counted(self) -> Result<ServerStatement, NotPushed> {
        let (people, kind) = match self.query.unit {
            Unit::People { .. } => {
                let sum = self.dialect.people("w").ok_or_else(|| NotPushed::because("`people` is added up"))?;
                (sum, WeightKind::Added)
            }
            Unit::Row | Unit::Person { .. } => ("count(*)".to_owned(), WeightKind::Counted),
        };
        let (begun, keys) = (self.begun.clone(), self.keys.clone());
        let having = self.having();
        Ok(self.finished(begun, "rows_in_bins", &people, kind, keys, &having))
    }

    /// Counts the chosen bins of persons.
    fn persons(self, bins_per_person: u64) -> Result<ServerStatement, NotPushed> {
        let period = self.query.time.map(|_| "d0");
        let mut distinct: Vec<&str> = vec!["u"];
        distinct.extend(period.filter(|period| self.keys.iter().all(|(name, _)| name != period)));
        distinct.extend(self.keys.iter().map(|(name, _)| name.as_str()));
        let whose = std::iter::once("u").chain(period).collect::<Vec<_>>().join(", ");
        let mut begun = format!("{}, bins AS ({})", self.begun, self.distinct(&distinct.join(", ")));
        let from = if self.may_exceed(bins_per_person) {
            let keys = self.keys.iter().map(|(name, kind)| (name.clone(), kind.clone())).collect::<Vec<_>>();
            begun += &self.chosen("bins", &whose, &keys, bins_per_person, "chosen")?;
            "chosen"
        } else {
            "bins"
        };
        let keys = self.keys.clone();
        Ok(self.finished(begun, from, "count(*)", WeightKind::Counted, keys, ""))
    }

    /// Whether somebody may be in more bins than count.
    fn may_exceed(&self, bins_per_person: u64) -> bool {
        match self.query.cells() {
            QueryCells::Declared(cells) => {
                let periods = match self.query.time {
                    Some(_) => self.query.dimensions.first().and_then(|dimension| dimension.size()).unwrap_or(1),
                    None => 1,
                };
                cells / periods.max(1) > bins_per_person
            }
            QueryCells::Found | QueryCells::TooMany => true,
        }
    }

    /// The steps that leave at most so many bins of each person: all of them, or the lowest hashes, ties by bin.
    fn chosen(
        &self,
        from: &str,
        whose: &str,
        keys: &[(String, KeyKind)],
        most: u64,
        named: &str,
    ) -> Result<String, NotPushed> {
        let cannot = || NotPushed::because("the bins of a person are chosen by a hash that this server does not make");
        let person = self.person.as_ref().ok_or_else(cannot)?;
        let most = i64::try_from(most).map(|most| self.dialect.integer(most)).map_err(|_| cannot())?;
        let mut key = vec![];
        for (name, kind) in keys {
            key.push(part(self.dialect, name, kind).ok_or_else(cannot)?);
        }
        let key = self.dialect.joined(&key);
        let begun = self.dialect.text(&self.query.bounding_key).ok_or_else(cannot)?;
        let person = part(self.dialect, "u", &KeyKind::Value(person.clone())).ok_or_else(cannot)?;
        let hash = self.dialect.hash(&self.dialect.joined(&[begun, person, key.clone()])).ok_or_else(cannot)?;
        // Only of people with too many bins anything is hashed.
        let if_too_many = |what: &str| format!("CASE WHEN bins_of_person > {most} THEN {what} END");
        Ok(format!(
            ", {named}_all AS (SELECT *, count(*) OVER (PARTITION BY {whose}) AS bins_of_person FROM {from}), \
             {named}_placed AS (SELECT *, row_number() OVER (PARTITION BY {whose} ORDER BY {}, {}) AS place \
             FROM {named}_all), {named} AS (SELECT * FROM {named}_placed WHERE place <= {most})",
            if_too_many(&hash),
            if_too_many(&key),
        ))
    }

    /// Counts every two items that a person has.
    fn pairs(mut self, pairs_per_person: u64) -> Result<ServerStatement, NotPushed> {
        let Some((item, kind)) = self.keys.first().cloned() else {
            return Err(NotPushed::because("its pairs have no items"));
        };
        if self.query.time.is_some() {
            return Err(NotPushed::because("pairs are counted in each period by itself"));
        }
        // Both sides of a pair are the same items.
        self.must_be_there.retain(|name| *name == item);
        let mut begun = format!("{}, items AS ({})", self.begun, self.distinct(&format!("u, {item}")));
        begun += &self.chosen("items", "u", &[(item.clone(), kind.clone())], MOST_ITEMS, "basket")?;
        begun += &format!(
            ", basket_sorted AS (SELECT u, {item} AS item, \
             row_number() OVER (PARTITION BY u ORDER BY {item} ASC NULLS LAST) AS item_place FROM basket), \
             pairs AS (SELECT one.u AS u, one.item AS first, other.item AS second FROM basket_sorted AS one \
             JOIN basket_sorted AS other ON one.u = other.u AND one.item_place < other.item_place)"
        );
        let keys = [("first".to_owned(), kind.clone()), ("second".to_owned(), kind)];
        begun += &self.chosen("pairs", "u", &keys, pairs_per_person, "chosen")?;
        Ok(self.finished(begun, "chosen", "count(*)", WeightKind::Counted, keys.to_vec(), ""))
    }

    fn finished(
        self,
        begun: String,
        from: &str,
        people: &str,
        kind: WeightKind,
        keys: Vec<(String, KeyKind)>,
        having: &str,
    ) -> ServerStatement {
        let named = |(place, (name, _)): (usize, &(String, KeyKind))| format!("{name} AS key{place}");
        let given: Vec<String> = keys.iter().enumerate().map(named).collect();
        let group: Vec<&str> = keys.iter().map(|(name, _)| name.as_str()).collect();
        let sorted: Vec<String> = (0..keys.len()).map(|place| format!("key{place} ASC NULLS LAST")).collect();
        let sql = format!(
            "{begun} SELECT {}, {people} AS people FROM {from} GROUP BY {}{having} ORDER BY {}",
            given.join(", "),
            group.join(", "),
            sorted.join(", "),
        );
        let shape = match self.query.cells() {
            QueryCells::Declared(cells) => Shape::Declared { cells },
            QueryCells::Found | QueryCells::TooMany => Shape::Found { dimensions: keys.len() },
        };
        ServerStatement { sql, shape, keys: keys.into_iter().map(|(_, kind)| kind).collect(), people: kind }
    }
}

/// The step that reads each used column in its declared type.
fn typed(dialect: &dyn SqlDialect, table: &ServerTable, plan: &RowPlan) -> Result<String, NotPushed> {
    let stored = |name: &str| -> Result<String, NotPushed> {
        let column: &ServerColumn = table
            .columns
            .iter()
            .find(|column| column.name == name)
            .ok_or_else(|| NotPushed::because(format!("column {name:?} is not known")))?;
        column.value.clone().map_err(|why| NotPushed::because(format!("column {name:?} {why}")))
    };
    let mut given = Vec::new();
    for (place, (name, value)) in plan.columns.iter().enumerate() {
        let writer = Writer { dialect, place: format!("column {name:?}"), column: &stored };
        given.push(format!("{} AS c{place}", writer.value(value)?));
    }
    if given.is_empty() {
        given.push("1 AS one".to_owned());
    }
    Ok(format!("SELECT {} FROM {}", given.join(", "), table.from))
}
