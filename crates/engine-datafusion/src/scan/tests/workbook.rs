//! Workbooks that tests write, as Excel and LibreOffice write them.
//!
//! It must never use what reads them. It is separate because two sets of tests write workbooks. Read `sheets.rs` for
//! what is read of them.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A text.
    Text(String),
    /// A number, as it is written.
    Number(String),
    /// A truth value.
    Truth(bool),
    /// A day or a moment: as a number of days, and as ISO 8601.
    Day(f64, String),
    /// `#N/A`.
    Error,
}

/// SheetCells of cells.
pub type SheetCells = Vec<Vec<Cell>>;

/// Returns rows in which every cell is a text, or nothing where the text is empty.
pub fn texts(rows: &[Vec<String>]) -> SheetCells {
    let cell = |text: &String| if text.is_empty() { Cell::Empty } else { Cell::Text(text.clone()) };
    rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

/// Returns an archive of these documents.
pub fn archive(documents: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, text) in documents {
        archive.start_file(*name, stored).expect("a file");
        archive.write_all(text.as_bytes()).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The second style shows days.
pub const STYLES: &str = "<styleSheet><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>";

/// Returns a workbook of Excel. Every other text is shared.
pub fn xlsx(sheets: &[(&str, &SheetCells)]) -> Vec<u8> {
    let mut shared = String::from("<sst>");
    let mut numbers = 0;
    let documents: Vec<String> = sheets.iter().map(|(_, rows)| xlsx_sheet(rows, &mut shared, &mut numbers)).collect();
    shared.push_str("</sst>");
    let named: Vec<(&str, &str)> =
        sheets.iter().map(|(name, _)| *name).zip(documents.iter().map(String::as_str)).collect();
    xlsx_of(&named, &shared, STYLES)
}

/// Returns a workbook of Excel of these documents.
pub fn xlsx_of(sheets: &[(&str, &str)], shared: &str, styles: &str) -> Vec<u8> {
    let mut workbook = String::from("<workbook><workbookPr/><sheets>");
    let mut relations = format!(
        "<Relationships><Relationship Id=\"s\" Type=\"{RELATIONS}/sharedStrings\" Target=\"sharedStrings.xml\"/>\
         <Relationship Id=\"t\" Type=\"{RELATIONS}/styles\" Target=\"/xl/styles.xml\"/>"
    );
    let mut paths = Vec::new();
    for (place, (name, _)) in sheets.iter().enumerate() {
        write!(workbook, "<sheet name=\"{}\" sheetId=\"{}\" r:id=\"r{place}\"/>", escaped(name), place + 1)
            .expect("text");
        write!(
            relations,
            "<Relationship Id=\"r{place}\" Type=\"{RELATIONS}/worksheet\" Target=\"worksheets/sheet{place}.xml\"/>"
        )
        .expect("text");
        paths.push(format!("xl/worksheets/sheet{place}.xml"));
    }
    workbook.push_str("</sheets></workbook>");
    relations.push_str("</Relationships>");
    let root = format!(
        "<Relationships><Relationship Id=\"w\" Type=\"{RELATIONS}/officeDocument\" \
         Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let mut documents = vec![
        ("_rels/.rels", root.as_str()),
        ("xl/workbook.xml", &workbook),
        ("xl/_rels/workbook.xml.rels", &relations),
        ("xl/styles.xml", styles),
        ("xl/sharedStrings.xml", shared),
    ];
    documents.extend(paths.iter().map(String::as_str).zip(sheets.iter().map(|(_, document)| *document)));
    archive(&documents)
}

fn xlsx_sheet(rows: &SheetCells, shared: &mut String, numbers: &mut usize) -> String {
    let mut sheet = String::from("<worksheet><sheetData>");
    for (row, cells) in rows.iter().enumerate() {
        write!(sheet, "<row r=\"{}\">", row + 1).expect("text");
        for (column, cell) in cells.iter().enumerate() {
            let place = format!("{}{}", letters(column), row + 1);
            match cell {
                Cell::Empty => Ok(()),
                Cell::Text(text) if (row + column) % 2 == 0 => {
                    let number = *numbers;
                    *numbers += 1;
                    write!(shared, "<si><t xml:space=\"preserve\">{}</t></si>", excel(text)).expect("text");
                    write!(sheet, "<c r=\"{place}\" t=\"s\"><v>{number}</v></c>")
                }
                Cell::Text(text) => {
                    let text = excel(text);
                    write!(sheet, "<c r=\"{place}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{text}</t></is></c>")
                }
                Cell::Number(number) => write!(sheet, "<c r=\"{place}\"><f>SUM(Z1:Z9)</f><v>{number}</v></c>"),
                Cell::Truth(truth) => write!(sheet, "<c r=\"{place}\" t=\"b\"><v>{}</v></c>", u8::from(*truth)),
                Cell::Day(serial, _) => write!(sheet, "<c r=\"{place}\" s=\"1\"><v>{serial}</v></c>"),
                Cell::Error => write!(sheet, "<c r=\"{place}\" t=\"e\"><v>#N/A</v></c>"),
            }
            .expect("text");
        }
        sheet.push_str("</row>");
    }
    sheet.push_str("</sheetData><pageMargins/></worksheet>");
    sheet
}

fn letters(column: usize) -> String {
    let mut letters = String::new();
    let mut rest = column + 1;
    while rest > 0 {
        let letter = u8::try_from((rest - 1) % 26).expect("a letter");
        letters.insert(0, char::from(b'A' + letter));
        rest = (rest - 1) / 26;
    }
    letters
}

/// A text as Excel writes it: signs that XML has not, and what looks like one of them, by their numbers.
fn excel(text: &str) -> String {
    let text = text.replace("_x", "_x005F_x");
    let signs = text.chars().map(|sign| match sign {
        '\t' | '\n' => sign.to_string(),
        sign if sign < ' ' => format!("_x{:04X}_", u32::from(sign)),
        sign => escaped(&sign.to_string()),
    });
    signs.collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a workbook of LibreOffice. Equal cells and rows that follow each other are written once.
pub fn ods(sheets: &[(&str, &SheetCells)]) -> Vec<u8> {
    let mut content = String::new();
    for (name, rows) in sheets {
        write!(content, "<table:table table:name=\"{}\"><table:table-column/>", escaped(name)).expect("text");
        for (cells, times) in repeated(rows) {
            write!(content, "<table:table-row table:number-rows-repeated=\"{times}\">").expect("text");
            for (cell, times) in repeated(cells) {
                content.push_str(&ods_cell(cell, times));
            }
            content.push_str("</table:table-row>");
        }
        content.push_str("<table:table-row table:number-rows-repeated=\"1000000\"><table:table-cell ");
        content.push_str("table:number-columns-repeated=\"16384\"/></table:table-row></table:table>");
    }
    ods_of(&content)
}

/// Returns a workbook of LibreOffice with these tables.
pub fn ods_of(tables: &str) -> Vec<u8> {
    let content = format!(
        "<?xml version=\"1.0\"?><office:document-content><office:automatic-styles><style:style style:family=\"table\"/>\
         </office:automatic-styles><office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>\
         </office:document-content>"
    );
    archive(&[("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", &content)])
}

fn repeated<T: PartialEq>(all: &[T]) -> Vec<(&T, usize)> {
    let mut repeated: Vec<(&T, usize)> = Vec::new();
    for one in all {
        match repeated.last_mut() {
            Some((last, times)) if *last == one => *times += 1,
            Some(_) | None => repeated.push((one, 1)),
        }
    }
    repeated
}

fn ods_cell(cell: &Cell, times: usize) -> String {
    let (said, shown) = match cell {
        Cell::Empty => (String::new(), String::new()),
        Cell::Text(text) if text.chars().all(|sign| sign > ' ') => {
            ("office:value-type=\"string\"".into(), format!("<text:p>{}</text:p>", escaped(text)))
        }
        // Blanks and signs that XML would change are written by their numbers.
        Cell::Text(text) => {
            let signs = text.chars().map(|sign| match sign {
                sign if sign <= ' ' => format!("&#{};", u32::from(sign)),
                sign => escaped(&sign.to_string()),
            });
            let value: String = signs.collect();
            (format!("office:value-type=\"string\" office:string-value=\"{value}\""), "<text:p>shown</text:p>".into())
        }
        Cell::Number(number) => {
            (format!("office:value-type=\"float\" office:value=\"{number}\""), "<text:p>7</text:p>".into())
        }
        Cell::Truth(truth) => {
            (format!("office:value-type=\"boolean\" office:boolean-value=\"{truth}\""), "<text:p>TRUE</text:p>".into())
        }
        Cell::Day(_, day) => {
            (format!("office:value-type=\"date\" office:date-value=\"{day}\""), "<text:p>1.1.20</text:p>".into())
        }
        Cell::Error => {
            ("office:value-type=\"string\" calcext:value-type=\"error\"".into(), "<text:p>#N/A</text:p>".into())
        }
    };
    let note = "<office:annotation><text:p>a note</text:p></office:annotation>";
    format!("<table:table-cell {said} table:number-columns-repeated=\"{times}\">{note}{shown}</table:table-cell>")
}
