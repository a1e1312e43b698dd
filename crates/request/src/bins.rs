//! Bins as a request writes them: the dimensions of the table that is counted.
//!
//! Reads `[[bins]]`, and says what is wrong with one; it must never make an open dimension look closed. It is separate
//! because what a dimension means is no matter of how it is written. Read `definition/dimension.rs` for that, and
//! `promise.rs` next.

use super::date::read_date;
use super::edges::{read_edges, read_range};
use super::error::{RequestError, quoted};
use super::fields::Fields;
use super::values::read_values;
use incrowd_definition::{BinSource, Cut, Dimension, Items, Nulls, Other, PeriodUnit, Periods};

/// Reads one dimension.
pub(super) fn read_dimension(fields: &Fields<'_>) -> Result<Dimension, RequestError> {
    let name = fields.required("name")?;
    let cut = read_cut(fields)?;
    Ok(Dimension {
        name: read_name(&name)?,
        source: read_source(fields)?,
        other: read_other(fields, &cut)?,
        cut,
        nulls: fields.choice("nulls", &Nulls::ALL, Nulls::as_str)?.unwrap_or(Nulls::Drop),
        items: fields.choice("items", &Items::ALL, Items::as_str)?.unwrap_or(Items::Each),
    })
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
            Ok(Cut::Values(read_values(&items)?))
        }
        (Some("edges"), (None, None)) => Ok(Cut::Edges(read_edges(&fields.required("edges")?.list()?)?)),
        (Some("width"), (Some(from), Some(to))) => Ok(Cut::Edges(read_range(&from, &to, &fields.required("width")?)?)),
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
    if cut.may_count_others() {
        return Ok(Other::Counted);
    }
    Err(fields
        .refuse_key("other", "`other` needs `values` or `edges`")
        .hint("without a public list there is nothing that a value could be outside of"))
}
