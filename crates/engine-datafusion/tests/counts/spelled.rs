//! Tables of the conformance kit as workbooks, databases and folders, in the types that those have.

use crate::stored::{Columns, batch};
use crate::workbook::{Cell, SheetCells};
use incrowd_conformance::{CaseColumn, CaseTable, CaseValue};
use incrowd_engine::{Precision, RowType};
use std::path::Path;

/// Returns the cells of a sheet; nothing if a number is none, or a row has nothing in it, which is no row of a sheet.
pub fn cells(table: &CaseTable) -> Option<SheetCells> {
    let is_empty = |value: &CaseValue| matches!(value, CaseValue::Missing) || *value == CaseValue::Text(String::new());
    if (0..table.rows()).any(|row| table.columns.iter().all(|column| is_empty(&column.values[row]))) {
        return None;
    }
    let head = table.columns.iter().map(|column| Cell::Text(column.name.clone())).collect();
    let row = |row: usize| table.columns.iter().map(|column| cell(&column.values[row], &column.kind)).collect();
    std::iter::once(Some(head)).chain((0..table.rows()).map(row)).collect()
}

/// The first day that both kinds of workbooks count alike.
const MARCH_1900: i64 = -25_508;

fn cell(value: &CaseValue, kind: &RowType) -> Option<Cell> {
    let text = value.text(kind)?;
    let serial = |days: i64| (days + 25_569) as f64;
    Some(match value {
        CaseValue::Missing => Cell::Empty,
        CaseValue::Text(text) if text.is_empty() => Cell::Empty,
        // A workbook has floats: what they do not hold is a text there.
        CaseValue::Integer(integer) if integer.unsigned_abs() <= 1 << 53 => Cell::Number(text),
        CaseValue::Number(number) if !number.is_finite() => return None,
        CaseValue::Number(number) => Cell::Number(format!("{number:e}")),
        CaseValue::Boolean(truth) => Cell::Truth(*truth),
        CaseValue::Date(days) if i64::from(*days) >= MARCH_1900 => Cell::Day(serial(i64::from(*days)), text),
        CaseValue::Timestamp(moment) if is_whole_second(*moment, kind) => {
            let seconds = moment / 1_000_000;
            let share = seconds.rem_euclid(86_400) as f64 / 86_400.0;
            Cell::Day(serial(seconds.div_euclid(86_400)) + share, text)
        }
        CaseValue::Text(_)
        | CaseValue::Integer(_)
        | CaseValue::Unsigned(_)
        | CaseValue::Decimal(_)
        | CaseValue::Date(_)
        | CaseValue::Timestamp(_) => Cell::Text(text),
    })
}

/// Whether a moment is a second that both kinds of workbooks count alike.
fn is_whole_second(moment: i64, kind: &RowType) -> bool {
    let is_usual = matches!(kind, RowType::Timestamp { precision: Precision::Microsecond, zone: None });
    is_usual && moment % 1_000_000 == 0 && moment / 1_000_000 / 86_400 > MARCH_1900
}

/// Writes a table of SQLite; nothing if a number is none.
pub fn sqlite(table: &CaseTable, path: &Path) -> Option<()> {
    let _ = std::fs::remove_file(path);
    let connection = rusqlite::Connection::open(path).expect("a database");
    let quoted = |name: &String| format!("\"{}\"", name.replace('"', "\"\""));
    let names: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
    connection.execute_batch(&format!("CREATE TABLE people ({}); BEGIN;", names.join(", "))).expect("made");
    let places = vec!["?"; names.len()].join(", ");
    let mut insert = connection.prepare(&format!("INSERT INTO people VALUES ({places})")).expect("asked");
    for row in 0..table.rows() {
        let value = |column: &CaseColumn| {
            let value = &column.values[row];
            Some(match value {
                CaseValue::Missing => rusqlite::types::Value::Null,
                CaseValue::Integer(integer) => (*integer).into(),
                CaseValue::Number(number) if !number.is_finite() => return None,
                CaseValue::Number(number) => (*number).into(),
                CaseValue::Text(_)
                | CaseValue::Unsigned(_)
                | CaseValue::Decimal(_)
                | CaseValue::Boolean(_)
                | CaseValue::Date(_)
                | CaseValue::Timestamp(_) => value.text(&column.kind)?.into(),
            })
        };
        let values = table.columns.iter().map(value).collect::<Option<Vec<_>>>()?;
        insert.execute(rusqlite::params_from_iter(values)).expect("a row");
    }
    connection.execute_batch("COMMIT").expect("kept");
    Some(())
}

/// Writes a folder for each value of the first column; nothing if a value is too long for a name.
pub fn folders(table: &CaseTable, path: &Path) -> Option<()> {
    let _ = std::fs::remove_dir_all(path);
    let (first, others) = table.columns.split_first()?;
    if others.is_empty() {
        return None;
    }
    for row in 0..table.rows() {
        let value = match first.values[row].text(&first.kind)? {
            value if value.is_empty() && row % 2 == 0 => "__HIVE_DEFAULT_PARTITION__".to_owned(),
            value => encoded(&value),
        };
        let name = format!("{}={value}", encoded(&first.name));
        if name.len() > 255 {
            return None;
        }
        let folder = path.join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let one = |column: &CaseColumn| CaseColumn { values: vec![column.values[row].clone()], ..column.clone() };
        let part = CaseTable { name: table.name.clone(), columns: others.iter().map(one).collect() };
        let batch = batch(&part, Columns::Usual);
        let file = std::fs::File::create(folder.join(format!("part-{row}.parquet"))).expect("a file");
        let mut parquet = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
        parquet.write(&batch).expect("written");
        parquet.close().expect("closed");
    }
    Some(())
}

fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
