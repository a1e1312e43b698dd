//! A workbook of plain rows: sheets of texts, numbers and moments, for what is no table of a release.
//!
//! Its bytes follow from its rows alone: it must never name a person, a machine or the moment when it was written, nor
//! hold a formula, and a number that a spreadsheet does not hold is a text. It is separate from `workbook.rs` because
//! nothing in it was published through a mechanism, so nothing is spelt or marked. Read `workbook.rs` for that one.

use super::workbook::{CellValue, DAY_ZERO, column_number, first_part, put, units};
use crate::write_error::WriteError;
use incrowd_plan::WorkbookLimit;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format as CellFormat, Workbook, Worksheet};

const SECONDS_PER_DAY: u64 = 86_400;

/// A sheet of rows under headings.
#[derive(Debug, Clone, PartialEq)]
pub struct PlainSheet {
    /// What it is called.
    pub name: String,
    /// Its columns.
    pub columns: Vec<PlainColumn>,
    /// Its rows, each with a cell for every column.
    pub rows: Vec<Vec<PlainCell>>,
}

/// A column of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainColumn {
    /// Its heading.
    pub heading: String,
    /// How many letters are seen at once.
    pub width: u16,
}

/// What a cell holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlainCell {
    /// Nothing.
    Nothing,
    /// A text, which no program evaluates.
    Text(String),
    /// A decimal, which spreadsheets add up.
    Decimal(String),
    /// A second since 1970 began (UTC).
    Moment(u64),
}

/// Returns a workbook of these sheets; `long` stands in place of a text that is too long for a cell.
pub fn plain_workbook(sheets: &[PlainSheet], long: &str) -> Result<Vec<u8>, WriteError> {
    let most_rows = usize::try_from(WorkbookLimit::Rows.most()).unwrap_or(usize::MAX);
    plain_workbook_with_rows(sheets, long, most_rows)
}

fn plain_workbook_with_rows(sheets: &[PlainSheet], long: &str, most_rows: usize) -> Result<Vec<u8>, WriteError> {
    let mut book = Workbook::new();
    let created = ExcelDateTime::from_ymd(1980, 1, 1).map_err(|_| WriteError::Other)?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&created));
    for sheet in sheets {
        let mut parts: Vec<&[Vec<PlainCell>]> = sheet.rows.chunks(most_rows).collect();
        if parts.is_empty() {
            parts.push(&[]);
        }
        for (part, rows) in (1u32..).zip(parts) {
            let name = if part == 1 { sheet.name.clone() } else { format!("{} {part}", sheet.name) };
            let written = worksheet(&name, &sheet.columns, rows, long)?;
            book.push_worksheet(written);
        }
    }
    book.save_to_buffer().map_err(|_| WriteError::Other)
}

fn worksheet(
    name: &str,
    columns: &[PlainColumn],
    rows: &[Vec<PlainCell>],
    long: &str,
) -> Result<Worksheet, WriteError> {
    let bold = CellFormat::new().set_bold();
    let moment = CellFormat::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    let mut sheet = Worksheet::new();
    sheet.set_name(name).map_err(|_| WriteError::Other)?;
    sheet.set_freeze_panes(1, 0).map_err(|_| WriteError::Other)?;
    for (at, column) in columns.iter().enumerate() {
        let at = column_number(at)?;
        sheet.set_column_width(at, f64::from(column.width)).map_err(|_| WriteError::Other)?;
        let heading = first_part(&column.heading);
        sheet.write_string_with_format(0, at, heading, &bold).map_err(|_| WriteError::Other)?;
    }
    for (row, cells) in (1u32..).zip(rows) {
        for (at, cell) in cells.iter().enumerate() {
            put(&mut sheet, (row, column_number(at)?), &value(cell, long), (&moment, &moment))?;
        }
    }
    Ok(sheet)
}

fn value(cell: &PlainCell, long: &str) -> CellValue {
    match cell {
        PlainCell::Nothing => CellValue::Nothing,
        PlainCell::Text(text) if units(text) > WorkbookLimit::Characters.most() => CellValue::Text(long.into()),
        PlainCell::Text(text) => CellValue::Text(text.clone()),
        PlainCell::Decimal(text) => decimal(text),
        PlainCell::Moment(second) => {
            let of_day = (second % SECONDS_PER_DAY) as f64 / SECONDS_PER_DAY as f64;
            CellValue::Moment((second / SECONDS_PER_DAY) as f64 + DAY_ZERO as f64 + of_day)
        }
    }
}

/// A number as far as a spreadsheet has it: one that it would take for 0, or for more than any, stays a text.
fn decimal(text: &str) -> CellValue {
    let is_zero = |text: &str| !text.contains(|digit: char| ('1'..='9').contains(&digit));
    match text.parse::<f64>() {
        Ok(number) if number == 0.0 && is_zero(text) => CellValue::Number(0.0),
        Ok(number) if number.is_normal() => CellValue::Number(number),
        Ok(_) | Err(_) => CellValue::Text(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::{Data, Reader, Xlsx, open_workbook_from_rs};
    use std::io::Cursor;

    fn opened(bytes: &[u8]) -> Xlsx<Cursor<Vec<u8>>> {
        open_workbook_from_rs(Cursor::new(bytes.to_vec())).expect("another reader opens it")
    }

    fn sheet(cells: Vec<PlainCell>) -> PlainSheet {
        let columns = vec![PlainColumn { heading: "=what".into(), width: 20 }];
        PlainSheet { name: "rows".into(), columns, rows: cells.into_iter().map(|cell| vec![cell]).collect() }
    }

    fn column(bytes: &[u8], sheet: &str) -> Vec<Data> {
        let range = opened(bytes).worksheet_range(sheet).expect("a sheet");
        range.rows().map(|row| row[0].clone()).collect()
    }

    #[test]
    fn texts_stay_texts_decimals_are_numbers_and_moments_are_moments() {
        let text = |text: &str| PlainCell::Text(text.into());
        let decimal = |text: &str| PlainCell::Decimal(text.into());
        let cells = vec![
            text("1/2"),
            text("=1+1"),
            text(&"x".repeat(40_000)),
            decimal("0.5"),
            decimal("3e-6"),
            decimal("0"),
            decimal("infinite"),
            decimal("1e-400"),
            decimal("1e999"),
            PlainCell::Moment(951_782_400 + 43_200),
            PlainCell::Nothing,
            text("last"),
        ];
        let bytes = plain_workbook(&[sheet(cells)], "too long").expect("a workbook");
        let found = column(&bytes, "rows");
        let string = |text: &str| Data::String(text.into());
        assert_eq!(found[..4], ["=what", "1/2", "=1+1", "too long"].map(string));
        assert_eq!(found[4..7], [0.5, 3e-6, 0.0].map(Data::Float));
        assert_eq!(found[7..10], ["infinite", "1e-400", "1e999"].map(string));
        let Data::DateTime(moment) = &found[10] else { panic!("{:?}", found[10]) };
        assert_eq!(moment.to_ymd_hms_milli(), (2000, 2, 29, 12, 0, 0, 0));
        assert_eq!(found[11..], [Data::Empty, string("last")]);
        assert!(opened(&bytes).worksheet_formula("rows").expect("a sheet").is_empty());
    }

    #[test]
    fn what_a_sheet_does_not_hold_goes_on_in_the_next_one_and_no_rows_are_a_heading() {
        let cells = (1..=5).map(|number| PlainCell::Decimal(number.to_string())).collect();
        let bytes = plain_workbook_with_rows(&[sheet(cells)], "", 2).expect("a workbook");
        assert_eq!(opened(&bytes).sheet_names(), ["rows", "rows 2", "rows 3"]);
        assert_eq!(column(&bytes, "rows 3"), [Data::String("=what".into()), Data::Float(5.0)]);
        let empty = plain_workbook(&[sheet(Vec::new())], "").expect("a workbook");
        assert_eq!(column(&empty, "rows"), [Data::String("=what".into())]);
        assert_eq!(empty, plain_workbook(&[sheet(Vec::new())], "").expect("again"));
    }
}
