//! The request with what was advised, its comments and its order kept.
//!
//! Only what the data decides is written: where two ways are possible, or something is to be done by hand, the
//! request stays as it is. It must never write a request that cannot be read, or over a file that is there. It is
//! separate because it knows TOML. Read `incrowd_engine_datafusion::Change` for what there is to change.

use crate::failure::Failure;
use incrowd_engine_datafusion::{Advice, Change};
use incrowd_release::request::Request;
use std::io::Write;
use std::path::Path;
use toml_edit::{DocumentMut, Item, TableLike, value};

/// Writes the request of a file with what was advised to another file, and returns how many changes it has; writes none
/// where there are no changes.
pub fn write(request: &Path, advice: &[&Advice], target: &Path) -> Result<usize, Failure> {
    let text = std::fs::read_to_string(request)?;
    let Some((fixed, changes)) = fixed(&text, advice).filter(|(fixed, _)| Request::parse(fixed).is_ok()) else {
        let message = format!("{} could not be changed", request.display());
        return Err(Failure::usage(message, "write the keys that are advised into it by hand"));
    };
    if changes == 0 {
        return Ok(0);
    }
    let file = std::fs::OpenOptions::new().write(true).create_new(true).open(target);
    let mut file = file.map_err(|error| {
        let message = format!("{} could not be written: {error}", target.display());
        Failure::usage(message, "an existing file is not overwritten: name another one")
    })?;
    file.write_all(fixed.as_bytes())?;
    Ok(changes)
}

/// Writes what was advised into a request of ours, and returns how many changes that makes.
pub fn improve(target: &Path, advice: &[&Advice]) -> Result<usize, Failure> {
    let text = std::fs::read_to_string(target)?;
    let improved = fixed(&text, advice).filter(|(fixed, _)| *fixed != text && Request::parse(fixed).is_ok());
    let Some((fixed, changes)) = improved else { return Ok(0) };
    std::fs::write(target, fixed)?;
    Ok(changes)
}

/// Returns a request with changes, and how many were made; nothing if it is no TOML.
fn fixed(text: &str, advice: &[&Advice]) -> Option<(String, usize)> {
    let mut document: DocumentMut = text.parse().ok()?;
    let mut changes = 0;
    for advice in advice {
        let [way] = advice.ways.as_slice() else { continue };
        for change in way {
            changes += usize::from(make(&mut document, change).is_some());
        }
    }
    Some((document.to_string(), changes))
}

/// Makes a change; nothing where there is no place for it.
fn make(document: &mut DocumentMut, change: &Change) -> Option<()> {
    match change {
        Change::Data { key, value } => {
            let written: DocumentMut = format!("{key} = {value}\n").parse().ok()?;
            let item = written.get(key)?.clone();
            data(document)?.insert(key, item);
        }
        Change::Type { column, kind } => {
            let types = data(document)?.entry("types").or_insert_with(toml_edit::table);
            types.as_table_like_mut()?.insert(column, value(kind.as_str()));
        }
        Change::NoType { column } => {
            data(document)?.get_mut("types")?.as_table_like_mut()?.remove(column)?;
        }
        Change::Expression { bin, expression } => {
            let bins = document.get_mut("bins")?.as_array_of_tables_mut()?;
            let named = |table: &&mut toml_edit::Table| table.get("name").and_then(Item::as_str) == Some(bin.as_str());
            let bin = bins.iter_mut().find(named)?;
            bin.remove("column")?;
            bin.insert("expression", value(expression.as_str()));
        }
        Change::ByHand(_) => return None,
    }
    Some(())
}

fn data(document: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    document.entry("data").or_insert_with(toml_edit::table).as_table_like_mut()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_made_where_they_belong_and_comments_stay() {
        let text = "# ours\n[data]\nsource = \"d.csv\" # from Bern\n[data.types]\nsalary = \"number\"\n\n\
                    [[bins]]\nname = \"town\"\ncolumn = \"town\" # as written\nvalues = [\"Bern\"]\n";
        let advice = |ways: Vec<Vec<Change>>| Advice { because: String::new(), ways, helped: None };
        let decimal = Change::Data { key: "decimal", value: "\",\"".into() };
        let thousands = Change::Data { key: "thousands", value: "\",\"".into() };
        let all = [
            advice(vec![vec![decimal.clone(), Change::NoType { column: "salary".into() }]]),
            advice(vec![vec![Change::Expression { bin: "town".into(), expression: "trim(town)".into() }]]),
            advice(vec![vec![decimal], vec![thousands]]),
            advice(vec![vec![Change::ByHand("close the quote".into())]]),
            advice(vec![vec![Change::Expression { bin: "age".into(), expression: "trim(age)".into() }]]),
        ];
        let (fixed, changes) = fixed(text, &all.iter().collect::<Vec<_>>()).expect("TOML");
        assert_eq!(changes, 3);
        let expected = "# ours\n[data]\nsource = \"d.csv\" # from Bern\ndecimal = \",\"\n[data.types]\n\n\
                        [[bins]]\nname = \"town\"\nvalues = [\"Bern\"]\nexpression = \"trim(town)\"\n";
        assert_eq!(fixed, expected);
    }
}
