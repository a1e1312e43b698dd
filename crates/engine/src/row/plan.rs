//! What is asked of each row: its columns in their declared types, whether it counts, its values and whose row it is.
//!
//! Planned from a query and from names and types alone, before anything is charged or read. It must never contain
//! anything that looks at another row. It is separate because every way to count, in every engine, starts from it. Read
//! `dimension.rs` for the values, `../steps.rs` for what they are on a row.

use super::columns::{Columns, SourceColumn};
use super::types::RowType;
use super::{RowForm, RowValue, dimension as values};
use crate::expression::nearest;
use crate::prepare_error::{PrepareError, RequestField};
use crate::query::Query;
use crate::steps::is_timezone;
use incrowd_definition::{ColumnType, Unit};
use std::collections::{BTreeSet, HashSet};

/// What is computed of each row.
#[derive(Debug, Clone, PartialEq)]
pub struct RowPlan {
    /// The columns that are used, in the order of the source, each read as its declared type: all other values are
    /// computed of these.
    pub columns: Vec<(String, RowValue)>,
    /// Whether a row counts; one for which it is missing does not.
    pub condition: Option<RowValue>,
    /// The value in each dimension.
    pub dimensions: Vec<RowValue>,
    /// Whose row it is, or for how many people it stands.
    pub unit: Option<RowValue>,
}

impl RowPlan {
    /// Plans a query on the columns of a source.
    pub fn of(query: &Query, source: &[SourceColumn]) -> Result<RowPlan, PrepareError> {
        refuse_twins(source)?;
        let typed = typed_columns(query, source)?;
        let columns = Columns::new(&typed);
        let asked = query.condition.as_ref().map(|condition| values::condition(&columns, condition)).transpose()?;
        let part = query.split.as_ref().map(|split| values::part(&columns, split)).transpose()?;
        let condition = match (asked, part) {
            (Some(asked), Some(part)) => Some(RowValue::truth(RowForm::And(Box::new(asked), Box::new(part)))),
            (one, other) => one.or(other),
        };
        let zone = &query.source.timezone;
        let dimensions = query.dimensions.iter().map(|dimension| values::dimension(&columns, dimension, zone));
        let dimensions = dimensions.collect::<Result<Vec<_>, _>>()?;
        let unit = match &query.unit {
            Unit::Row => None,
            Unit::People { column } => Some(values::people(&columns, column)?),
            Unit::Person { column, .. } => Some(values::person(&columns, column)?),
        };
        let mut used = BTreeSet::new();
        for value in dimensions.iter().chain(&condition).chain(&unit) {
            value.each(&mut |part| {
                if let RowForm::Column(name) = &part.form {
                    used.insert(name.clone());
                }
            });
        }
        let columns = typed.into_iter().filter(|(name, _)| used.contains(name)).collect();
        Ok(RowPlan { columns, condition, dimensions, unit })
    }

    /// Returns how many steps make a text of a row: what a row may take grows with it.
    pub fn texts_made(&self) -> usize {
        let mut made = 0;
        for value in self.dimensions.iter().chain(&self.condition) {
            value.each(&mut |part| {
                let makes = match &part.form {
                    RowForm::Read(_) | RowForm::Join(_, _) | RowForm::Case { .. } | RowForm::Call(_, _) => true,
                    RowForm::Column(_)
                    | RowForm::Constant(_)
                    | RowForm::DayIn(_, _)
                    | RowForm::FirstDay(_, _)
                    | RowForm::Arithmetic(_, _, _)
                    | RowForm::Compare(_, _, _)
                    | RowForm::And(_, _)
                    | RowForm::Or(_, _)
                    | RowForm::Not(_)
                    | RowForm::IsNull(_)
                    | RowForm::Is(_, _)
                    | RowForm::In(_, _)
                    | RowForm::Like(_, _, _) => false,
                };
                made += usize::from(makes && part.kind == RowType::Text);
            });
        }
        made
    }
}

fn typed_columns(query: &Query, source: &[SourceColumn]) -> Result<Vec<(String, RowValue)>, PrepareError> {
    let types = &query.source.types;
    let names: HashSet<&str> = source.iter().map(|column| column.name.as_str()).collect();
    for name in types.keys() {
        if !names.contains(name.as_str()) {
            let nearest = nearest(name, source.iter().map(|column| column.name.as_str()));
            return Err(PrepareError::NoColumn { place: RequestField::Types, column: name.clone(), nearest });
        }
    }
    let zone = &query.source.timezone;
    if types.values().any(|kind| *kind == ColumnType::Date) && !is_timezone(zone) {
        return Err(PrepareError::UnknownTimezone { name: zone.clone() });
    }
    let typed = source.iter().map(|column| {
        let value = values::typed(column, types.get(&column.name).copied(), zone)?;
        Ok((column.name.clone(), value))
    });
    typed.collect()
}

fn refuse_twins(source: &[SourceColumn]) -> Result<(), PrepareError> {
    let mut seen = HashSet::new();
    match source.iter().find(|column| !seen.insert(&column.name)) {
        None => Ok(()),
        Some(twin) => Err(PrepareError::TwinColumns { column: twin.name.clone() }),
    }
}
