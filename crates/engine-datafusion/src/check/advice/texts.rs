//! Expressions that would make a bin of what stands in a column: without signs of money, blanks or capital letters.
//!
//! Each is planned and computed as a release would, on the very texts that are in no bin. It must never propose one
//! that takes a listed value out of its bin. It is separate from dialects, which hold for a whole file and cannot say
//! this. Read `numbers.rs` for what dialects can say.

use super::numbers::{UnreadTexts, contradict, other_signs};
use super::{Advice, Change, Helped};
use crate::check::read_steps::ReadStep;
use crate::check::trial::Target;
use crate::compute::RowComputation;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StringViewArray};
use incrowd_engine::{
    BinSource, ColumnType, Cut, Dialect, Dimension, Expression, ListedValues, Query, RequestField, RowPlan, Sign, Unit,
    source_columns,
};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Signs and words of money and parts that people write beside numbers.
const SIGNS: [&str; 14] = ["€", "$", "£", "¥", "%", "EUR", "USD", "CHF", "GBP", "Fr.", "kr", "zł", "R$", "US$"];
/// So many listed values are looked at.
const MOST_LISTED: usize = 10_000;

/// Returns the expression that makes numbers of texts with signs or blanks around them; nothing where none helps.
pub(crate) fn cleaned(query: &Query, step: &ReadStep, texts: &UnreadTexts<'_>) -> Option<Advice> {
    let kind = match step.target()? {
        ColumnType::Integer => "bigint",
        ColumnType::Number => "double",
        ColumnType::Date => "date",
        ColumnType::Boolean => "boolean",
        ColumnType::Text | ColumnType::Timestamp => return None,
    };
    // The dialect reads declared columns alone, and an expression needs the text itself.
    let Dialect { decimal: None, thousands: None, .. } = query.source.dialect else { return None };
    let is_of_column = |dimension: &&Dimension<Expression>| dimension.source == BinSource::Column(step.column.clone());
    let dimension = query.dimensions.iter().find(is_of_column)?;
    let name = name_of(&step.column)?;
    let beside: Vec<&str> =
        SIGNS.into_iter().filter(|sign| texts.texts.iter().any(|(text, _)| text.contains(sign))).collect();
    let stripped: Vec<(String, u64)> = texts.texts.iter().map(|(text, rows)| (without(text, &beside), *rows)).collect();
    // Only texts that were more than a number are meant: signs of numbers are for the dialect.
    let meant = |row: usize| stripped[row].0 != texts.texts[row].0;
    let bare = beside.iter().fold(name, |inner, sign| format!("replace({inner}, '{sign}', '')"));
    let written = format!("cast(trim({}) as {kind})", plainly(bare, &stripped, texts.target)?);
    let all: Vec<&str> = texts.texts.iter().map(|(text, _)| *text).collect();
    let values = evaluated(&written, &step.column, &all, &dimension.cut)?;
    let read = texts.texts.iter().enumerate().filter(|(row, _)| meant(*row) && values.is_valid(*row));
    let rows: u64 = read.clone().map(|(_, (_, rows))| rows).sum();
    let (_, (first, _)) = read.clone().next()?;
    let expression = written;
    let declared = query.source.types.contains_key(&step.column);
    let mut way = vec![Change::Expression { bin: dimension.name.clone(), expression }];
    way.extend(declared.then(|| Change::NoType { column: step.column.clone() }));
    Some(Advice {
        because: format!("`{first}`: a sign or blanks beside the value?"),
        ways: vec![way],
        helped: Some(Helped::Readable { rows, of: texts.rows(), untried: texts.untried }),
    })
}

/// A text without signs beside it, and without blanks around it.
fn without(text: &str, signs: &[&str]) -> String {
    signs.iter().fold(text.to_owned(), |text, sign| text.replace(sign, "")).trim().to_owned()
}

/// Returns what makes plain numbers of texts that have signs for fractions or thousands of their own; nothing where the
/// texts do not tell which they are.
fn plainly(bare: String, stripped: &[(String, u64)], target: Target<'_>) -> Option<String> {
    let texts = stripped.iter().map(|(text, rows)| (text.as_str(), *rows)).collect();
    let texts = UnreadTexts { target, texts, untried: 0 };
    let plain = texts.read_rows(&Dialect::default());
    let candidates = other_signs(std::slice::from_ref(&texts), &Dialect::default());
    let Some(first) = candidates.first().filter(|first| first.rows > plain) else { return Some(bare) };
    if candidates.iter().any(|other| contradict(&first.dialect, &other.dialect)) {
        return None;
    }
    let thousands =
        first.dialect.thousands.map_or(bare.clone(), |sign| format!("replace({bare}, '{}', '')", twice(sign)));
    Some(
        first.dialect.decimal.map_or(thousands.clone(), |sign| format!("replace({thousands}, '{}', '.')", twice(sign))),
    )
}

/// A sign as a text of an expression has it.
fn twice(sign: Sign) -> String {
    sign.to_string().replace('\'', "''")
}

/// Returns the expression that finds more of the texts in listed bins; nothing where none helps.
pub(crate) fn renamed(dimension: &Dimension<Expression>, texts: &[(&str, u64)], untried: u64) -> Option<Advice> {
    let BinSource::Column(column) = &dimension.source else { return None };
    let listed: HashSet<&str> = match &dimension.cut {
        Cut::Values(ListedValues::Texts(listed)) => listed.iter().map(String::as_str).collect(),
        Cut::Named(pairs) => pairs.iter().map(|(text, _)| text.as_str()).collect(),
        Cut::Values(ListedValues::Integers(_) | ListedValues::Booleans(_) | ListedValues::Days(_))
        | Cut::Edges(_)
        | Cut::Periods(_)
        | Cut::Found
        | Cut::Truncated(_) => return None,
    };
    if listed.len() > MOST_LISTED {
        return None;
    }
    let name = name_of(column)?;
    let all: Vec<&str> = texts.iter().map(|(text, _)| *text).collect();
    let kept: Vec<&str> = listed.iter().copied().collect();
    let mut best: Option<(u64, String)> = None;
    for function in ["", "lower", "upper", "initcap"] {
        let trimmed = format!("trim({name})");
        let written = if function.is_empty() { trimmed } else { format!("{function}({trimmed})") };
        let keeps = evaluated(&written, column, &kept, &dimension.cut);
        let keeps = keeps.is_some_and(|values| (0..kept.len()).all(|row| text_at(&values, row) == Some(kept[row])));
        let Some(values) = evaluated(&written, column, &all, &dimension.cut).filter(|_| keeps) else { continue };
        let found = texts.iter().enumerate();
        let found = found.filter(|(row, _)| text_at(&values, *row).is_some_and(|text| listed.contains(text)));
        let rows = found.map(|(_, (_, rows))| rows).sum();
        if rows > best.as_ref().map_or(0, |(rows, _)| *rows) {
            best = Some((rows, written));
        }
    }
    let (found, expression) = best?;
    Some(Advice {
        because: format!("bin {:?}: blanks or capital letters?", dimension.name),
        ways: vec![vec![Change::Expression { bin: dimension.name.clone(), expression }]],
        helped: Some(Helped::Binned { rows: found, of: texts.iter().map(|(_, rows)| rows).sum(), untried }),
    })
}

fn text_at(values: &ArrayRef, row: usize) -> Option<&str> {
    let texts = values.as_string_view_opt()?;
    texts.is_valid(row).then(|| texts.value(row))
}

/// Returns a column's name as an expression has it.
pub(crate) fn name_of(column: &str) -> Option<String> {
    let quoted = format!("\"{}\"", column.replace('"', "\"\""));
    [column.to_owned(), quoted].into_iter().find(|written| {
        let parsed = Expression::parse(&format!("trim({written})"), RequestField::Condition);
        parsed.is_ok_and(|parsed| parsed.columns().iter().eq([column]))
    })
}

/// Returns the values of an expression on some texts of one column, as a release would compute them.
fn evaluated(written: &str, column: &str, texts: &[&str], cut: &Cut) -> Option<ArrayRef> {
    let expression = Expression::parse(written, RequestField::Condition).ok()?;
    let dimension = Dimension {
        name: String::new(),
        source: BinSource::Expression(expression),
        cut: cut.clone(),
        other: incrowd_engine::Other::NotCounted,
        nulls: incrowd_engine::Nulls::Drop,
        items: incrowd_engine::Items::Each,
    };
    let source = incrowd_engine::Source {
        location: String::new(),
        secret_variable: None,
        dialect: Dialect::default(),
        types: BTreeMap::new(),
        timezone: "UTC".into(),
    };
    let query = Query {
        plan_hash: String::new(),
        source,
        condition: None,
        split: None,
        unit: Unit::Row,
        bounding_key: String::new(),
        dimensions: vec![dimension],
        time: None,
    };
    let texts: ArrayRef = Arc::new(texts.iter().copied().map(Some).collect::<StringViewArray>());
    let batch = RecordBatch::try_from_iter([(column, texts)]).ok()?;
    let plan = RowPlan::of(&query, &source_columns(batch.schema_ref())).ok()?;
    let values = RowComputation::of(&plan, &query, batch.schema_ref()).ok()?;
    Some(Arc::clone(values.counted(&batch).ok()?.column(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bins(listed: &[&str]) -> Dimension<Expression> {
        Dimension {
            name: "town".into(),
            source: BinSource::Column("Town".into()),
            cut: Cut::Values(ListedValues::Texts(listed.iter().map(|text| (*text).to_owned()).collect())),
            other: incrowd_engine::Other::NotCounted,
            nulls: incrowd_engine::Nulls::Drop,
            items: incrowd_engine::Items::Each,
        }
    }

    fn way(listed: &[&str], texts: &[(&str, u64)]) -> Option<String> {
        let advice = renamed(&bins(listed), texts, 0)?;
        Some(advice.ways.concat().iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn blanks_and_capital_letters_are_taken_away_where_that_breaks_no_bin() {
        let trim = r#"bin "town": expression = "trim(Town)" in place of column"#;
        assert_eq!(way(&["Bern", "Chur"], &[("Bern ", 3), (" Chur", 1)]).as_deref(), Some(trim));
        let upper = r#"bin "town": expression = "upper(trim(Town))" in place of column"#;
        assert_eq!(way(&["BERN"], &[("bern ", 3)]).as_deref(), Some(upper));
        // In lower case nothing would be listed any more, and "BERN" is not one of these.
        assert_eq!(way(&["Bern", "CHUR"], &[("bern", 3)]), None);
        assert_eq!(way(&["Bern"], &[("Wien", 3)]), None);
    }
}
