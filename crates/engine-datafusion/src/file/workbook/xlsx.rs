//! Sheets of Excel workbooks.
//!
//! A cell is a number, a truth value, an error, or the number of a text that lies elsewhere; whether a number is a day,
//! its style says. What a formula gave when it was last computed is read, and no formula. It must never compute one. It
//! is separate because LibreOffice writes its sheets otherwise. Read `strings.rs` and `styles.rs` next.

use super::strings::{MOST_TEXT, Strings, rich_text, some, unescaped};
use super::styles::Styles;
use super::xml::{Element, Step, Xml, damaged};
use super::{Archive, NoColumns, RowCells, SheetRow, decimal};
use crate::file::spelling::{self, Epoch};
use incrowd_engine::{Dialect, Header, Sign};
use std::io;

/// What a workbook says of itself.
struct Parts {
    sheets: Vec<(String, String)>,
    epoch: Epoch,
    strings: Option<String>,
    styles: Option<String>,
}

impl Parts {
    fn of(archive: &Archive) -> io::Result<Parts> {
        let root = relations(archive, "_rels/.rels")?;
        let workbook = root.iter().find(|relation| relation.kind == "officeDocument");
        let workbook = workbook.map_or_else(|| "xl/workbook.xml".into(), |relation| resolved("", &relation.target));
        let (folder, name) = workbook.rsplit_once('/').unwrap_or(("", &workbook));
        let related = relations(archive, &resolved(folder, &format!("_rels/{name}.rels")))?;
        let target = |relation: &Relation| resolved(folder, &relation.target);
        let of_kind = |kind: &str| related.iter().find(|relation| relation.kind == kind).map(target);
        let mut parts = Parts {
            sheets: Vec::new(),
            epoch: Epoch::Of1900,
            strings: of_kind("sharedStrings"),
            styles: of_kind("styles"),
        };
        let mut document = archive.needed(&workbook)?;
        loop {
            match document.next()? {
                Step::Open(element) if element.is("workbookPr") => {
                    if matches!(element.says("date1904")?.as_deref(), Some("1" | "true")) {
                        parts.epoch = Epoch::Of1904;
                    }
                }
                Step::Open(element) if element.is("sheet") => {
                    let (name, id) = (element.says("name")?, element.says("id")?);
                    let sheet = related.iter().find(|relation| Some(&relation.id) == id.as_ref());
                    // Charts and macros have sheets, too, without rows.
                    if let (Some(name), Some(sheet)) = (name, sheet.filter(|sheet| sheet.kind == "worksheet")) {
                        parts.sheets.push((name, target(sheet)));
                    }
                }
                Step::Open(_) | Step::Close(_) | Step::Text(_) => {}
                Step::End => return Ok(parts),
            }
        }
    }

    /// Returns the document of a sheet.
    fn sheet(&self, wanted: Option<&str>) -> Result<&str, NoColumns> {
        let sheet = match wanted {
            None => self.sheets.first(),
            Some(wanted) => self.sheets.iter().find(|(name, _)| name == wanted),
        };
        let names = || self.sheets.iter().map(|(name, _)| name.clone()).collect();
        sheet.map(|(_, document)| document.as_str()).ok_or_else(|| NoColumns::NoSheet(names()))
    }
}

struct Relation {
    id: String,
    kind: String,
    target: String,
}

fn relations(archive: &Archive, name: &str) -> io::Result<Vec<Relation>> {
    let mut relations = Vec::new();
    let Some(mut document) = archive.document(name)? else { return Ok(relations) };
    loop {
        match document.next()? {
            Step::Open(element) if element.is("Relationship") => {
                let says = |name: &str| element.says(name).map(Option::unwrap_or_default);
                let kind = says("Type")?;
                let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
                relations.push(Relation { id: says("Id")?, kind, target: says("Target")? });
            }
            Step::Open(_) | Step::Close(_) | Step::Text(_) => {}
            Step::End => return Ok(relations),
        }
    }
}

/// Returns a path from the folder of the document that names it.
fn resolved(folder: &str, target: &str) -> String {
    let mut path: Vec<&str> = if target.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path.retain(|part| !part.is_empty());
    path.join("/")
}

/// Returns the first row that holds something, and reads no further.
pub(super) fn first_row(archive: &Archive, dialect: &Dialect) -> Result<SheetRow, NoColumns> {
    let parts = Parts::of(archive)?;
    let sheet = parts.sheet(dialect.sheet.as_deref())?;
    let is_long = |name: &String| archive.find(name).is_some_and(|file| file.unpacked > MOST_TEXT);
    if parts.strings.as_ref().is_some_and(is_long) {
        return Err(NoColumns::TooLong);
    }
    let mut cells = Cells::of(archive, &parts, sheet, dialect)?;
    let row = cells.next()?.ok_or(NoColumns::Damaged)?;
    let numbers: Vec<usize> = match dialect.header {
        Header::Names => row.iter().filter_map(|(_, cell)| cell.shared()).collect(),
        // Its cells are counted, and their texts are nobody's names.
        Header::Row => Vec::new(),
    };
    let document = match &parts.strings {
        Some(name) => archive.document(name)?,
        None => None,
    };
    let texts = some(document, &numbers)?;
    let text = |cell: Cell| match cell {
        Cell::Text(text) => text,
        Cell::Shared(number) => texts.get(&number).cloned().unwrap_or_default(),
    };
    Ok(row.into_iter().map(|(column, cell)| (column, text(cell))).collect())
}

/// The rows of a sheet with their texts.
pub(super) struct Rows {
    cells: Cells,
    strings: Strings,
}

impl Rows {
    pub(super) fn open(archive: &Archive, dialect: &Dialect) -> io::Result<Rows> {
        let parts = Parts::of(archive)?;
        let sheet = parts.sheet(dialect.sheet.as_deref()).map_err(|_| damaged())?;
        let strings = match &parts.strings {
            Some(name) => archive.document(name)?.map(Strings::read).transpose()?.unwrap_or_default(),
            None => Strings::default(),
        };
        Ok(Rows { cells: Cells::of(archive, &parts, sheet, dialect)?, strings })
    }

    /// Returns the number of the last row, from 1.
    pub(super) fn number(&self) -> u64 {
        self.cells.number
    }

    /// Returns how many of the cells so far have a formula, and nothing that it gave.
    pub(super) fn uncomputed(&self) -> u64 {
        self.cells.uncomputed
    }

    pub(super) fn next(&mut self) -> io::Result<Option<SheetRow>> {
        let Some(cells) = self.cells.next()? else { return Ok(None) };
        let mut row = RowCells::new();
        for (column, cell) in cells {
            let text = match cell {
                Cell::Text(text) => text,
                Cell::Shared(number) => self.strings.get(number)?.to_owned(),
            };
            let bytes = text.len();
            row.push(column, text, bytes)?;
        }
        Ok(Some(row.cells))
    }
}

/// What a cell holds.
enum Cell {
    Text(String),
    /// The text of this number.
    Shared(usize),
}

impl Cell {
    fn shared(&self) -> Option<usize> {
        match self {
            Cell::Text(_) => None,
            Cell::Shared(number) => Some(*number),
        }
    }
}

/// The cells of a sheet, row by row.
struct Cells {
    document: Xml,
    /// Whether all rows were read: what follows says how they look.
    is_over: bool,
    styles: Styles,
    epoch: Epoch,
    decimal: Option<Sign>,
    /// So many rows are not read.
    skipped: u64,
    /// The number of the last row.
    number: u64,
    /// So many cells had a formula, and nothing that it gave.
    uncomputed: u64,
}

impl Cells {
    fn of(archive: &Archive, parts: &Parts, sheet: &str, dialect: &Dialect) -> io::Result<Cells> {
        let styles = match &parts.styles {
            Some(name) => archive.document(name)?.map(Styles::read).transpose()?.unwrap_or_default(),
            None => Styles::default(),
        };
        let (document, decimal, skipped) = (archive.needed(sheet)?, decimal(dialect), dialect.skip_lines);
        let (is_over, epoch, number, uncomputed) = (false, parts.epoch, 0, 0);
        Ok(Cells { document, is_over, styles, epoch, decimal, skipped, number, uncomputed })
    }

    /// Returns the next row that holds something; at the end the whole document was read.
    fn next(&mut self) -> io::Result<Option<Vec<(usize, Cell)>>> {
        let mut row = RowCells::new();
        let mut next_column = 0;
        loop {
            match self.document.next()? {
                Step::Close(name) if name == "sheetData" => self.is_over = true,
                Step::Open(element) if element.is("row") && !self.is_over => {
                    let said = element.says("r")?.and_then(|number| number.parse().ok());
                    self.number = said.unwrap_or(self.number.saturating_add(1));
                    if self.number <= self.skipped {
                        self.document.skip()?;
                    }
                }
                Step::Open(element) if element.is("c") && !self.is_over => {
                    let said = Said::of(&element, next_column)?;
                    next_column = said.column + 1;
                    let column = said.column;
                    if let Some(cell) = self.cell(said)? {
                        let bytes = if let Cell::Text(text) = &cell { text.len() } else { 0 };
                        row.push(column, cell, bytes)?;
                    }
                }
                Step::Close(name) if name == "row" => {
                    if !row.cells.is_empty() {
                        return Ok(Some(row.cells));
                    }
                    next_column = 0;
                }
                Step::Open(_) | Step::Close(_) | Step::Text(_) => {}
                Step::End => return Ok(None),
            }
        }
    }

    fn cell(&mut self, said: Said) -> io::Result<Option<Cell>> {
        let (mut value, mut has_formula): (Option<String>, bool) = (None, false);
        loop {
            match self.document.next()? {
                Step::Open(element) if element.is("f") => {
                    has_formula = true;
                    self.document.skip()?;
                }
                Step::Open(element) if element.is("v") => value = Some(self.document.text()?),
                Step::Open(element) if element.is("is") => value = Some(rich_text(&mut self.document, "is")?),
                Step::Open(_) => self.document.skip()?,
                Step::Close(name) if name == "c" => break,
                Step::Close(_) | Step::Text(_) => {}
                Step::End => return Err(damaged()),
            }
        }
        // An empty text is what a formula may give.
        self.uncomputed += u64::from(has_formula && value.is_none());
        let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(None) };
        let text = match said.kind.as_str() {
            "s" => return Ok(Some(Cell::Shared(value.trim().parse().map_err(|_| damaged())?))),
            "e" => None,
            "b" => Some(spelling::truth(matches!(value.trim(), "1" | "true"))),
            "inlineStr" => Some(value),
            "str" => Some(unescaped(&value)),
            "d" => Some(spelling::written_moment(value.trim())),
            _ => {
                let number: f64 = value.trim().parse().map_err(|_| damaged())?;
                let moment = self.styles.show_days(said.style).then(|| spelling::moment(number, self.epoch)).flatten();
                moment.or_else(|| spelling::number(number, self.decimal))
            }
        };
        Ok(text.map(Cell::Text))
    }
}

/// What a cell says of itself.
struct Said {
    column: usize,
    kind: String,
    style: usize,
}

impl Said {
    fn of(element: &Element<'_>, next_column: usize) -> io::Result<Said> {
        let column = match element.says("r")? {
            Some(place) => column_of(&place).ok_or_else(damaged)?,
            None => next_column,
        };
        let style = element.says("s")?.and_then(|style| style.parse().ok()).unwrap_or(0);
        Ok(Said { column, kind: element.says("t")?.unwrap_or_default(), style })
    }
}

/// Returns the column of a cell such as `AB12`, from 0 on.
fn column_of(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic);
    let column =
        letters.take(4).fold(0, |column, letter| column * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1);
    column.checked_sub(1).filter(|column| *column < super::MOST_COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_by_letters() {
        let places = ["A1", "Z9", "AA1", "XFD1048576", "XFE1", "AAAA1", "1", ""].map(column_of);
        assert_eq!(places, [Some(0), Some(25), Some(26), Some(16_383), None, None, None, None]);
    }

    #[test]
    fn paths_are_found_from_the_document_that_names_them() {
        assert_eq!(resolved("xl", "worksheets/sheet1.xml"), "xl/worksheets/sheet1.xml");
        assert_eq!(resolved("xl", "/xl/styles.xml"), "xl/styles.xml");
        assert_eq!(resolved("xl/a", "../b.xml"), "xl/b.xml");
        assert_eq!(resolved("", "_rels/workbook.xml.rels"), "_rels/workbook.xml.rels");
    }
}
