//! Sheets of LibreOffice workbooks, which are all in one document.
//!
//! A cell says its value beside the text that is shown; the text is read only where it is the value. It must never
//! repeat a row or a cell more often than a sheet has room for. It is separate because Excel writes its sheets
//! otherwise. Read `xml.rs` next.

use super::xml::{Element, Step, Xml, damaged};
use super::{Archive, MOST_COLUMNS, MOST_ROWS, NoColumns, RowCells, SheetRow, decimal};
use crate::file::spelling;
use incrowd_engine::{Dialect, Sign};
use std::io;

/// Where all sheets are.
const CONTENT: &str = "content.xml";

/// Returns the first row that holds something, and reads no further.
pub(super) fn first_row(archive: &Archive, dialect: &Dialect) -> Result<SheetRow, NoColumns> {
    let mut rows = Rows::of(archive, dialect)?;
    let sheets = rows.go_to(dialect.sheet.as_deref())?;
    match sheets {
        Some(others) => Err(NoColumns::NoSheet(others)),
        None => rows.next()?.ok_or(NoColumns::Damaged),
    }
}

/// The rows of a sheet.
pub(super) struct Rows {
    document: Xml,
    decimal: Option<Sign>,
    /// A row that comes again so often.
    again: Option<(SheetRow, u64)>,
    /// How many rows there were.
    rows: u64,
    /// So many rows are not read.
    skipped: u64,
    /// The number of the last row.
    number: u64,
    /// So many cells had a formula, and nothing that it gave.
    uncomputed: u64,
}

impl Rows {
    fn of(archive: &Archive, dialect: &Dialect) -> io::Result<Rows> {
        let (document, skipped) = (archive.needed(CONTENT)?, dialect.skip_lines);
        Ok(Rows { document, decimal: decimal(dialect), again: None, rows: 0, skipped, number: 0, uncomputed: 0 })
    }

    /// Returns the number of the last row, or of the last of those that it stands for, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Returns how many of the cells so far have a formula, and nothing that it gave.
    pub(super) fn uncomputed(&self) -> u64 {
        self.uncomputed
    }

    pub(super) fn open(archive: &Archive, dialect: &Dialect) -> io::Result<Rows> {
        let mut rows = Rows::of(archive, dialect)?;
        match rows.go_to(dialect.sheet.as_deref())? {
            Some(_) => Err(damaged()),
            None => Ok(rows),
        }
    }

    /// Goes to a sheet, past those before it; returns the names of all of them if it is not there.
    fn go_to(&mut self, wanted: Option<&str>) -> io::Result<Option<Vec<String>>> {
        let mut names = Vec::new();
        loop {
            match self.document.next()? {
                Step::Open(element) if element.is("table") => {
                    let name = element.says("table:name")?.unwrap_or_default();
                    if wanted.is_none_or(|wanted| wanted == name) {
                        return Ok(None);
                    }
                    names.push(name);
                    self.document.skip()?;
                }
                // What was there before a change is no sheet.
                Step::Open(element) if element.is("tracked-changes") => self.document.skip()?,
                Step::Open(_) | Step::Close(_) | Step::Text(_) => {}
                Step::End => return Ok(Some(names)),
            }
        }
    }

    /// Returns the next row that holds something; at the end the whole document was read.
    pub(super) fn next(&mut self) -> io::Result<Option<SheetRow>> {
        if let Some((row, left)) = &mut self.again {
            *left -= 1;
            let row = row.clone();
            if *left == 0 {
                self.again = None;
            }
            return Ok(Some(row));
        }
        loop {
            match self.document.next()? {
                Step::Open(element) if element.is("table-row") => {
                    let times = times(&element, "table:number-rows-repeated", MOST_ROWS)?;
                    let before = std::mem::take(&mut self.uncomputed);
                    let row = self.row()?;
                    self.uncomputed = before.saturating_add(self.uncomputed.saturating_mul(times));
                    self.number = self.number.saturating_add(times);
                    // Of rows that are alike some may be skipped and some not.
                    let times = times.min(self.number.saturating_sub(self.skipped));
                    if row.is_empty() || times == 0 {
                        continue;
                    }
                    self.rows = self.rows.saturating_add(times);
                    if self.rows > MOST_ROWS {
                        return Err(damaged());
                    }
                    if times > 1 {
                        self.again = Some((row.clone(), times - 1));
                    }
                    return Ok(Some(row));
                }
                // Drawings on a sheet may hold tables of their own.
                Step::Open(element) if element.is("shapes") || element.is("forms") => self.document.skip()?,
                Step::Close(name) if name == "table" => {
                    // The sheets behind it are passed over: damage there is damage.
                    while !matches!(self.document.next()?, Step::End) {}
                    return Ok(None);
                }
                Step::Open(_) | Step::Close(_) | Step::Text(_) => {}
                Step::End => return Ok(None),
            }
        }
    }

    fn row(&mut self) -> io::Result<SheetRow> {
        let mut row = RowCells::new();
        let mut column = 0usize;
        loop {
            match self.document.next()? {
                Step::Open(element) if element.is("table-cell") || element.is("covered-table-cell") => {
                    let most = u64::MAX;
                    let times = times(&element, "table:number-columns-repeated", most)?;
                    let said = Said::of(&element)?;
                    let (has_formula, shown) = (said.has_formula, self.shown()?);
                    let is_computed = said.error || !said.kind.is_empty() || said.value.is_some() || !shown.is_empty();
                    if has_formula && !is_computed {
                        self.uncomputed = self.uncomputed.saturating_add(times);
                    }
                    let cell = said.spelled(shown, self.decimal)?;
                    let last = column.saturating_add(usize::try_from(times).unwrap_or(usize::MAX));
                    if let Some(text) = cell.filter(|text| !text.is_empty()) {
                        if last > MOST_COLUMNS {
                            return Err(damaged());
                        }
                        for column in column..last {
                            row.push(column, text.clone(), text.len())?;
                        }
                    }
                    column = last;
                }
                Step::Close(name) if name == "table-row" => return Ok(row.cells),
                Step::Open(_) | Step::Close(_) | Step::Text(_) => {}
                Step::End => return Err(damaged()),
            }
        }
    }

    /// Returns the text that a cell shows: its paragraphs, each on a line.
    fn shown(&mut self) -> io::Result<String> {
        let mut all = String::new();
        let mut paragraphs = 0u64;
        let mut inside = 0u64;
        loop {
            match self.document.next()? {
                Step::Open(element) if element.is("annotation") => self.document.skip()?,
                // A table in a cell would end the sheet too early.
                Step::Open(element) if element.is("table") => return Err(damaged()),
                Step::Open(element) if element.is("p") => {
                    if paragraphs > 0 {
                        all.push('\n');
                    }
                    paragraphs += 1;
                    inside += 1;
                }
                Step::Open(element) if element.is("s") => {
                    let blanks = times(&element, "text:c", super::LONGEST_ROW as u64)?;
                    all.extend(std::iter::repeat_n(' ', usize::try_from(blanks).unwrap_or(0)));
                }
                Step::Open(element) if element.is("tab") => all.push('\t'),
                Step::Open(element) if element.is("line-break") => all.push('\n'),
                Step::Close(name) if name == "p" => inside = inside.saturating_sub(1),
                Step::Close(name) if name == "table-cell" || name == "covered-table-cell" => return Ok(all),
                Step::Text(text) if inside > 0 => all.push_str(&text),
                Step::Open(_) | Step::Close(_) | Step::Text(_) => {}
                Step::End => return Err(damaged()),
            }
            if all.len() > super::LONGEST_ROW {
                return Err(damaged());
            }
        }
    }
}

/// Returns how often something is repeated: once, unless it is said.
fn times(element: &Element<'_>, name: &str, most: u64) -> io::Result<u64> {
    let Some(text) = element.says(name)? else { return Ok(1) };
    let times: u64 = text.parse().map_err(|_| damaged())?;
    if (1..=most).contains(&times) { Ok(times) } else { Err(damaged()) }
}

/// What a cell says of itself.
struct Said {
    kind: String,
    value: Option<String>,
    /// Whether what it shows is an error.
    error: bool,
    has_formula: bool,
}

impl Said {
    fn of(element: &Element<'_>) -> io::Result<Said> {
        let kind = element.says("office:value-type")?.unwrap_or_default();
        let value = match kind.as_str() {
            "float" | "percentage" | "currency" => element.says("office:value")?,
            "date" => element.says("office:date-value")?,
            "time" => element.says("office:time-value")?,
            "boolean" => element.says("office:boolean-value")?,
            _ => element.says("office:string-value")?,
        };
        let error = element.says("calcext:value-type")?.as_deref() == Some("error");
        let has_formula = element.says("table:formula")?.is_some();
        Ok(Said { kind, value, error, has_formula })
    }

    fn spelled(self, shown: String, decimal: Option<Sign>) -> io::Result<Option<String>> {
        if self.error {
            return Ok(None);
        }
        Ok(match (self.kind.as_str(), self.value) {
            ("float" | "percentage" | "currency", Some(value)) => {
                let number: f64 = value.parse().map_err(|_| damaged())?;
                spelling::number(number, decimal)
            }
            ("float" | "percentage" | "currency", None) => return Err(damaged()),
            ("date", Some(value)) => Some(spelling::written_moment(&value)),
            ("time", Some(value)) => Some(written_clock(&value).unwrap_or(value)),
            ("boolean", Some(value)) => Some(spelling::truth(value == "true")),
            (_, Some(value)) => Some(value),
            ("", None) if shown.is_empty() => None,
            (_, None) => Some(shown),
        })
    }
}

/// Returns `18:00:00` for `PT18H00M00S`; nothing for what is longer than a day.
fn written_clock(text: &str) -> Option<String> {
    let (hours, rest) = text.strip_prefix("PT")?.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds = rest.strip_suffix('S')?;
    let (whole, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, ""));
    let [hours, minutes, whole] = [hours, minutes, whole].map(|part| part.parse::<u8>().ok());
    let (hours, minutes, whole) = (hours.filter(|hours| *hours < 24)?, minutes?, whole?);
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let fraction = match fraction.trim_end_matches('0') {
        "" => String::new(),
        fraction => format!(".{fraction}"),
    };
    Some(format!("{hours:02}:{minutes:02}:{whole:02}{fraction}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_day_are_written_as_clocks_show_them() {
        let written = ["PT18H00M00S", "PT07H05M09.500S", "PT30H00M00S", "18:00"].map(written_clock);
        assert_eq!(written, [Some("18:00:00".into()), Some("07:05:09.5".into()), None, None]);
    }
}
