//! A workbook of spreadsheet programs: all tables of a release, and a sheet that explains them.
//!
//! Its bytes follow from the published rows and the plan alone: it must never name a person, a machine or a moment, nor
//! hold a formula, and nothing is cut. Texts are cells of text, which no program evaluates; numbers and days are
//! numbers and days as far as a spreadsheet holds them exactly, and texts beyond. It is separate because spreadsheets
//! have limits of their own. Read `../about.rs` for the words in it.

use super::digest::Hashed;
use crate::csv::{CellOf, KeyPlaces, Spelling};
use crate::quality::{CellNumbers, ReadAs};
use crate::write_error::WriteError;
use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Decimal128Type, Float64Type, Int64Type, TimestampSecondType, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, SchemaRef, TimeUnit};
use incrowd_plan::WorkbookLimit;
use rust_xlsxwriter::{Color, DocProperties, ExcelDateTime, Format as CellFormat, Workbook, Worksheet};
use std::fs::File;

/// The first and the last day that all spreadsheet programs count alike: before March 1900 some have a day too many.
const FIRST_DAY: i64 = -25_508;
const LAST_DAY: i64 = 2_932_896;
/// What a spreadsheet calls 1970-01-01.
pub(super) const DAY_ZERO: i64 = 25_569;
/// Spreadsheets show and keep fifteen digits.
const MOST_EXACT: u64 = 999_999_999_999_999;
const MOST_DIGITS: usize = 15;
/// What stands for a text that is too long for a cell.
const LONG: &str = "(long text ";
const LONG_TEXTS: &str = "long texts";
const WIDTH: f64 = 18.0;
/// What is too uncertain to look like a fact.
const GREY: u32 = 0x80_80_80;
const WORDS_WIDTH: f64 = 110.0;

/// A workbook, being written.
pub(crate) struct Sheets {
    book: Workbook,
    stem: String,
    schema: SchemaRef,
    spelling: Spelling,
    columns: SheetColumns,
    sheet: Worksheet,
    /// Rows of this sheet, its names included.
    rows: u32,
    /// How many sheets of the table are full.
    full: u32,
    /// Texts that are too long for a cell, as they are.
    long: Vec<String>,
    most_rows: u32,
    day: CellFormat,
    moment: CellFormat,
    bold: CellFormat,
    grey: CellFormat,
}

/// What the columns of a table hold.
#[derive(Debug, Clone)]
pub(crate) struct SheetColumns {
    /// Which hold keys.
    pub(crate) keys: Vec<CellOf>,
    /// Where counts begin, if uncertain ones are grey, with words in a last column: the count, then both ends of its
    /// interval.
    pub(crate) uncertain_from: Option<usize>,
}

impl SheetColumns {
    /// Returns what to read in place of a row's count, if that is too uncertain to be a number.
    fn read_as(&self, rows: &RecordBatch, row: usize) -> Option<ReadAs> {
        let number = |at: usize| {
            let column = rows.columns().get(at)?.as_primitive_opt::<Int64Type>()?;
            column.is_valid(row).then(|| column.value(row))
        };
        let from = self.uncertain_from?;
        CellNumbers { count: number(from), low: number(from + 1), high: number(from + 2) }.read_as()
    }
}

impl Sheets {
    /// Begins a workbook with the table of this name.
    pub(crate) fn new(
        stem: &str,
        schema: &SchemaRef,
        columns: SheetColumns,
        spelling: &Spelling,
    ) -> Result<Sheets, WriteError> {
        Sheets::with_rows(
            stem,
            schema,
            columns,
            spelling,
            u32::try_from(WorkbookLimit::Rows.most()).unwrap_or(u32::MAX),
        )
    }

    fn with_rows(
        stem: &str,
        schema: &SchemaRef,
        columns: SheetColumns,
        spelling: &Spelling,
        most_rows: u32,
    ) -> Result<Sheets, WriteError> {
        let mut book = Workbook::new();
        let created = ExcelDateTime::from_ymd(1980, 1, 1).map_err(|_| WriteError::Other)?;
        book.set_properties(&DocProperties::new().set_creation_datetime(&created));
        let sheet = book.new_worksheet_with_constant_memory().map_err(|_| WriteError::Other)?;
        let mut sheets = Sheets {
            book,
            stem: stem.into(),
            schema: schema.clone(),
            spelling: spelling.clone(),
            columns,
            sheet,
            rows: 0,
            full: 0,
            long: Vec::new(),
            most_rows,
            day: CellFormat::new().set_num_format("yyyy-mm-dd"),
            moment: CellFormat::new().set_num_format("yyyy-mm-dd hh:mm:ss"),
            bold: CellFormat::new().set_bold(),
            grey: CellFormat::new().set_font_color(Color::RGB(GREY)),
        };
        sheets.begin()?;
        Ok(sheets)
    }

    /// Appends rows of the table; where a sheet is full, the next one goes on.
    pub(crate) fn write(&mut self, rows: &RecordBatch) -> Result<(), WriteError> {
        for row in 0..rows.num_rows() {
            if self.rows > self.most_rows {
                let next = self.book.new_worksheet_with_constant_memory().map_err(|_| WriteError::Other)?;
                let full = std::mem::replace(&mut self.sheet, next);
                self.book.push_worksheet(full);
                self.full += 1;
                self.begin()?;
            }
            let read_as = self.columns.read_as(rows, row);
            for (at, column) in rows.columns().iter().enumerate() {
                let cell = self.columns.keys.get(at).copied().unwrap_or(CellOf::Rest);
                let value = self.value(column.as_ref(), row, cell)?;
                let place = (self.rows, column_number(at)?);
                match read_as.is_some() && self.columns.uncertain_from.is_some_and(|from| at >= from) {
                    true => put_grey(&mut self.sheet, place, &value, &self.grey)?,
                    false => put(&mut self.sheet, place, &value, (&self.day, &self.moment))?,
                }
            }
            if let Some(read_as) = read_as {
                let place = (self.rows, column_number(rows.num_columns())?);
                put_grey(&mut self.sheet, place, &CellValue::Text(read_as.to_string()), &self.grey)?;
            }
            self.rows += 1;
        }
        Ok(())
    }

    /// Closes the table, and adds its totals, what explains it, and texts that were too long.
    pub(crate) fn finish<'t>(
        mut self,
        totals: impl Iterator<Item = (&'static str, KeyPlaces, &'t RecordBatch)>,
        about: &[(String, String)],
        file: File,
    ) -> Result<String, WriteError> {
        let spare = Worksheet::new();
        let last = std::mem::replace(&mut self.sheet, spare);
        self.book.push_worksheet(last);
        for (name, places, rows) in totals {
            self.totals(name, rows, places)?;
        }
        self.long_texts()?;
        self.about(about)?;
        let mut hashed = Hashed::new(file);
        let failure = hashed.failure();
        self.book.save_to_writer(&mut hashed).map_err(|_| failure.error())?;
        hashed.finish()
    }

    /// Begins a sheet with the names of the columns.
    fn begin(&mut self) -> Result<(), WriteError> {
        let name = if self.full == 0 { self.stem.clone() } else { format!("{} {}", self.stem, self.full + 1) };
        self.sheet.set_name(name).map_err(|_| WriteError::Other)?;
        self.sheet.set_freeze_panes(1, 0).map_err(|_| WriteError::Other)?;
        let words = self.columns.uncertain_from.map(|_| ReadAs::HEADING.to_string());
        let names: Vec<String> = self.schema.fields().iter().map(|field| field.name().clone()).chain(words).collect();
        for (at, name) in names.iter().enumerate() {
            let name = self.text(name, CellOf::Rest);
            let at = column_number(at)?;
            self.sheet.set_column_width(at, WIDTH).map_err(|_| WriteError::Other)?;
            self.sheet.write_string_with_format(0, at, name, &self.bold).map_err(|_| WriteError::Other)?;
        }
        self.rows = 1;
        Ok(())
    }

    fn totals(&mut self, name: &str, totals: &RecordBatch, places: KeyPlaces) -> Result<(), WriteError> {
        let most = self.most_rows as usize;
        for (part, from) in (1u32..).zip((0..totals.num_rows().max(1)).step_by(most)) {
            let name = if part == 1 { name.to_string() } else { format!("{name} {part}") };
            let rows = totals.slice(from, most.min(totals.num_rows() - from));
            self.totals_sheet(&name, &rows, places)?;
        }
        Ok(())
    }

    fn totals_sheet(&mut self, name: &str, totals: &RecordBatch, places: KeyPlaces) -> Result<(), WriteError> {
        let mut sheet = Worksheet::new();
        sheet.set_name(name).map_err(|_| WriteError::Other)?;
        sheet.set_freeze_panes(1, 0).map_err(|_| WriteError::Other)?;
        for (at, field) in totals.schema().fields().iter().enumerate() {
            let at = column_number(at)?;
            sheet.set_column_width(at, WIDTH).map_err(|_| WriteError::Other)?;
            sheet.write_string_with_format(0, at, field.name(), &self.bold).map_err(|_| WriteError::Other)?;
        }
        for row in 0..totals.num_rows() {
            let place = u32::try_from(row + 1).map_err(|_| WriteError::Other)?;
            let first_is_there = totals.columns().first().is_some_and(|first| first.is_valid(row));
            for (at, column) in totals.columns().iter().enumerate() {
                let value = self.value(column.as_ref(), row, places.cell(at, first_is_there))?;
                put(&mut sheet, (place, column_number(at)?), &value, (&self.day, &self.moment))?;
            }
        }
        self.book.push_worksheet(sheet);
        Ok(())
    }

    /// Texts that are too long for a cell, in parts.
    fn long_texts(&mut self) -> Result<(), WriteError> {
        if self.long.is_empty() {
            return Ok(());
        }
        let mut sheet = Worksheet::new();
        sheet.set_name(LONG_TEXTS).map_err(|_| WriteError::Other)?;
        let mut row = 0;
        for (at, name) in ["text", "part", "characters"].into_iter().zip(0..).map(|(name, at)| (at, name)) {
            sheet.write_string_with_format(0, at, name, &self.bold).map_err(|_| WriteError::Other)?;
        }
        for (number, text) in (1u32..).zip(&self.long) {
            for (part, characters) in (1u32..).zip(parts(text)) {
                row += 1;
                sheet.write_number(row, 0, number).map_err(|_| WriteError::Other)?;
                sheet.write_number(row, 1, part).map_err(|_| WriteError::Other)?;
                sheet.write_string(row, 2, characters).map_err(|_| WriteError::Other)?;
            }
        }
        self.book.push_worksheet(sheet);
        Ok(())
    }

    fn about(&mut self, lines: &[(String, String)]) -> Result<(), WriteError> {
        let mut sheet = Worksheet::new();
        sheet.set_name("about").map_err(|_| WriteError::Other)?;
        sheet.set_column_width(0, WIDTH).map_err(|_| WriteError::Other)?;
        sheet.set_column_width(1, WORDS_WIDTH).map_err(|_| WriteError::Other)?;
        let wrapped = CellFormat::new().set_text_wrap();
        for (row, (what, words)) in (0..).zip(lines) {
            sheet.write_string_with_format(row, 0, first_part(what), &self.bold).map_err(|_| WriteError::Other)?;
            sheet.write_string_with_format(row, 1, first_part(words), &wrapped).map_err(|_| WriteError::Other)?;
        }
        self.book.push_worksheet(sheet);
        Ok(())
    }

    /// Returns a text as a cell has it: what stands for something else is told apart from a text that reads so.
    fn text(&mut self, text: &str, cell: CellOf) -> String {
        let bare = text.trim_start_matches('\'');
        let is_missing = cell == CellOf::Key && self.spelling.missing() == Some(bare);
        if is_missing || bare.starts_with(LONG) {
            return self.short(format!("'{text}"));
        }
        self.short(text.to_string())
    }

    /// Returns a text that fits into a cell, or what stands for it.
    fn short(&mut self, text: String) -> String {
        if units(&text) <= WorkbookLimit::Characters.most() {
            return text;
        }
        let known = self.long.iter().position(|long| *long == text);
        let place = known.unwrap_or_else(|| {
            self.long.push(text);
            self.long.len() - 1
        });
        format!("{LONG}{})", place + 1)
    }

    fn value(&mut self, column: &dyn Array, row: usize, cell: CellOf) -> Result<CellValue, WriteError> {
        if column.is_null(row) {
            let missing = self.spelling.missing().filter(|_| cell == CellOf::Key);
            return Ok(missing.map_or(CellValue::Nothing, |missing| CellValue::Text(missing.to_string())));
        }
        let known = match column.data_type() {
            DataType::Utf8 => column.as_string_opt::<i32>().map(|texts| texts.value(row).to_string()),
            DataType::Boolean => {
                return column.as_boolean_opt().map(|flags| CellValue::Flag(flags.value(row))).ok_or(WriteError::Other);
            }
            DataType::Int64 => {
                return column
                    .as_primitive_opt::<Int64Type>()
                    .map(|numbers| whole(numbers.value(row)))
                    .ok_or(WriteError::Other);
            }
            DataType::UInt64 => {
                return column
                    .as_primitive_opt::<UInt64Type>()
                    .map(|numbers| whole(numbers.value(row)))
                    .ok_or(WriteError::Other);
            }
            DataType::Float64 => {
                return column
                    .as_primitive_opt::<Float64Type>()
                    .map(|numbers| number(numbers.value(row)))
                    .ok_or(WriteError::Other);
            }
            DataType::Date32 => {
                let days = column.as_primitive_opt::<Date32Type>().ok_or(WriteError::Other)?;
                let day = i64::from(days.value(row));
                match (FIRST_DAY..=LAST_DAY).contains(&day) {
                    true => return Ok(CellValue::Day((day + DAY_ZERO) as f64)),
                    false => bare_text(column, row)?,
                }
            }
            DataType::Timestamp(TimeUnit::Second, _) => {
                let moments = column.as_primitive_opt::<TimestampSecondType>().ok_or(WriteError::Other)?;
                let seconds = moments.value(row);
                let day = seconds.div_euclid(86_400);
                match (FIRST_DAY..=LAST_DAY).contains(&day) {
                    true => {
                        let of_day = seconds.rem_euclid(86_400) as f64 / 86_400.0;
                        return Ok(CellValue::Moment((day + DAY_ZERO) as f64 + of_day));
                    }
                    false => bare_text(column, row)?,
                }
            }
            DataType::Decimal128(_, _) => {
                let numbers = column.as_primitive_opt::<Decimal128Type>().ok_or(WriteError::Other)?;
                let digits = numbers.value(row).unsigned_abs().to_string().len();
                let text = bare_text(column, row)?;
                match (&text, digits <= MOST_DIGITS) {
                    (Some(text), true) => return text.parse().map(CellValue::Number).map_err(|_| WriteError::Other),
                    (_, _) => text,
                }
            }
            // Finer moments than seconds are no numbers that a spreadsheet holds exactly.
            _ => bare_text(column, row)?,
        };
        let known = known.ok_or(WriteError::Other)?;
        Ok(CellValue::Text(self.text(&known, cell)))
    }
}

/// What a cell holds.
#[derive(Debug, PartialEq)]
pub(super) enum CellValue {
    Nothing,
    Text(String),
    Number(f64),
    Flag(bool),
    Day(f64),
    Moment(f64),
}

pub(super) fn put(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    value: &CellValue,
    (day, moment): (&CellFormat, &CellFormat),
) -> Result<(), WriteError> {
    let written = match value {
        CellValue::Nothing => return Ok(()),
        CellValue::Text(text) => sheet.write_string(row, column, text),
        CellValue::Number(number) => sheet.write_number(row, column, *number),
        CellValue::Flag(flag) => sheet.write_boolean(row, column, *flag),
        CellValue::Day(number) => sheet.write_number_with_format(row, column, *number, day),
        CellValue::Moment(number) => sheet.write_number_with_format(row, column, *number, moment),
    };
    written.map(|_| ()).map_err(|_| WriteError::Other)
}

/// A value that is too uncertain to look like a fact.
fn put_grey(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    value: &CellValue,
    grey: &CellFormat,
) -> Result<(), WriteError> {
    let written = match value {
        CellValue::Nothing => return Ok(()),
        CellValue::Text(text) => sheet.write_string_with_format(row, column, text, grey),
        CellValue::Number(number) | CellValue::Day(number) | CellValue::Moment(number) => {
            sheet.write_number_with_format(row, column, *number, grey)
        }
        CellValue::Flag(flag) => sheet.write_boolean_with_format(row, column, *flag, grey),
    };
    written.map(|_| ()).map_err(|_| WriteError::Other)
}

/// A whole number, as digits where a spreadsheet would round it.
fn whole<T: Copy + Into<i128>>(value: T) -> CellValue {
    let value: i128 = value.into();
    match value.unsigned_abs() <= u128::from(MOST_EXACT) {
        true => CellValue::Number(value as f64),
        false => CellValue::Text(value.to_string()),
    }
}

fn number(value: f64) -> CellValue {
    if value.is_finite() { CellValue::Number(value) } else { CellValue::Text(value.to_string()) }
}

/// A value as a file without types shows it.
fn bare_text(column: &dyn Array, row: usize) -> Result<Option<String>, WriteError> {
    let rows = RecordBatch::try_from_iter([("", column.slice(row, 1))]).map_err(|_| WriteError::Other)?;
    let mut text = crate::csv::CsvText::bare();
    let mut lines = crate::csv::Lines::new(text.rows(&rows)?);
    let mut fields = lines.next().map_err(|_| WriteError::Other)?.unwrap_or_default();
    Ok(fields.pop().flatten())
}

pub(super) fn column_number(at: usize) -> Result<u16, WriteError> {
    u16::try_from(at).map_err(|_| WriteError::Other)
}

/// How long a text is for a spreadsheet.
pub(super) fn units(text: &str) -> u64 {
    text.encode_utf16().count() as u64
}

/// The parts of a text, each of which fits into a cell.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut length) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        let more = c.len_utf16() as u64;
        if length + more > WorkbookLimit::Characters.most() {
            parts.push(&text[start..at]);
            (start, length) = (at, 0);
        }
        length += more;
    }
    parts.push(&text[start..]);
    parts
}

/// As much of a sentence as fits into a cell; the certificate has all of it.
pub(super) fn first_part(text: &str) -> &str {
    parts(text).first().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests;
