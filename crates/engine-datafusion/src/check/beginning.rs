//! The beginnings of files for which a release cannot be prepared, looked at for the cause.
//!
//! What is advised here is a guess by the shapes of first lines, tried by preparing the release again; it must never be
//! taken for what a release reads. It is separate from files whose beginnings are good. Read `diagnosis.rs` for those,
//! `damage.rs` for the words.

use super::advice::{Advice, Change};
use super::damage::{Damage, DamageKind};
use super::damaged_letters::damaged_letters;
use super::findings::{Spot, SpotInFile};
use super::letters::fault;
use super::packed::not_unpacked;
use super::records::each_record;
use crate::engine::DataFusionEngine;
use crate::file::Signs;
use crate::file::bytes::open;
use crate::file::database::{Database, NoTable};
use crate::file::workbook::{self, NoColumns, first_widths};
use crate::look::{is_value, single_quotes, title_lines, title_rows};
use crate::source::{Format, OneFile, all_files};
use incrowd_engine::{DataFormat, Dialect, Encoding, Header, Query, Quote, Sign, Unwatched};
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

/// So much of a file is looked at.
const BEGINNING: u64 = 1 << 20;
/// So many files are looked at, and so many faults told.
const MOST_FILES: usize = 8;
/// So many lines before the names may be titles.
const MOST_TITLES: usize = 20;
/// Signs that stand between fields.
const DELIMITERS: [&str; 4] = [";", "tab", "|", ","];

/// Returns what is wrong with the beginnings of files for which a release cannot be prepared.
pub(super) fn before_reading(engine: &DataFusionEngine, query: &Query) -> Vec<Damage> {
    let files = all_files(&query.source.location, &query.source.dialect);
    let many = files.len() > 1;
    let mut found = Vec::new();
    for (format, file) in files.into_iter().take(MOST_FILES) {
        let name = file.path.file_name().map(|name| name.to_string_lossy().into_owned()).filter(|_| many);
        let mut bytes = Vec::new();
        let read = open(&file, Arc::new(Unwatched)).and_then(|file| file.take(BEGINNING).read_to_end(&mut bytes));
        let beginning = Beginning { engine, query, format, name, bytes };
        match (read, format) {
            (Err(error), _) => found.push(not_unpacked(&error, &file, beginning.name)),
            (Ok(0), _) => found.push(beginning.damage(DamageKind::Empty, None, None)),
            (Ok(_), Format::Csv | Format::Tsv | Format::Json) if other_format(&beginning.bytes).is_some() => {
                found.extend(beginning.of_other_format());
            }
            (Ok(_), Format::Csv | Format::Tsv) => found.extend(beginning.of_fields()),
            (Ok(_), Format::Json) => found.extend(beginning.of_letters().map(|(damage, _)| damage)),
            (Ok(_), Format::Xlsx | Format::Ods | Format::Sqlite) => found.extend(beginning.of_parts(&file)),
            (Ok(_), Format::Parquet | Format::Arrow) => {}
        }
        if found.len() >= MOST_FILES {
            break;
        }
    }
    found
}

/// The beginning of a file for which a release cannot be prepared.
struct Beginning<'a> {
    engine: &'a DataFusionEngine,
    query: &'a Query,
    format: Format,
    name: Option<String>,
    bytes: Vec<u8>,
}

impl Beginning<'_> {
    fn damage(&self, kind: DamageKind, line: Option<u64>, advice: Option<Advice>) -> Damage {
        let spot = line.map(|line| Spot { file: self.name.clone(), place: SpotInFile::Line(line) });
        Damage { kind, spot, advice }
    }

    /// What is wrong with a text of fields between signs: its letters, then its signs, then its first line.
    fn of_fields(&self) -> Vec<Damage> {
        let (mut found, mut dialect) = (Vec::new(), self.query.source.dialect.clone());
        if let Some((damage, encoding)) = self.of_letters() {
            found.push(damage);
            match encoding {
                Some(encoding) => dialect.encoding = encoding,
                None => return found,
            }
        }
        let Some(text) = self.decoded(dialect.encoding) else { return found };
        let signs = Signs::of(self.format, &dialect);
        if let Some((kind, sign)) = other_delimiter(&text, signs) {
            dialect.delimiter = Some(sign);
            let change = Change::text("delimiter", &sign.to_string());
            found.push(self.damage(kind, Some(1), Some(self.advice("another sign between fields", change))));
        }
        if dialect.quote == Quote::Double
            && let Some(sign) = single_quotes(&text)
        {
            dialect.quote = Quote::Other(sign);
            let advice = self.advice("another sign around fields", Change::text("quote", &sign.to_string()));
            found.push(self.damage(DamageKind::OtherQuote { sign: sign.to_string() }, Some(1), Some(advice)));
        }
        let signs = Signs::of(self.format, &dialect);
        let titles = if dialect.skip_lines == 0 { title_lines(&text, signs) } else { 0 };
        if titles > 0 {
            dialect.skip_lines = titles;
            found.push(self.titles(titles));
        }
        if titles == 0
            && dialect.header == Header::Names
            && let Some((values, columns)) = first_line_values(&text, signs)
        {
            let change = Change::Data { key: "header", value: "false".into() };
            let because = format!("columns are then named by their places, column1 to column{columns}");
            let kind = DamageKind::FirstLineIsARow { values, columns };
            found.push(self.damage(kind, Some(1), Some(Advice { because, ways: vec![vec![change]], helped: None })));
        }
        // All keys together: does the request fit the file then?
        let mut fitted = self.query.clone();
        fitted.source.dialect = dialect;
        let fits = !found.is_empty() && self.engine.ready(&fitted).is_ok();
        if fits && let Some(advice) = found.last_mut().and_then(|damage| damage.advice.as_mut()) {
            advice.because.push_str("; the request fits the file then");
        }
        found
    }

    fn of_other_format(&self) -> Option<Damage> {
        let format = other_format(&self.bytes)?.as_str();
        let advice = self.advice("another format", Change::text("format", format));
        Some(self.damage(DamageKind::OtherFormat { format }, None, Some(advice)))
    }

    fn titles(&self, lines: u64) -> Damage {
        let change = Change::Data { key: "skip-lines", value: lines.to_string() };
        self.damage(DamageKind::Titles { lines }, Some(1), Some(self.advice("the names come behind them", change)))
    }

    /// Titles of a sheet, or the other sheets or tables of the file that the request fits.
    fn of_parts(&self, file: &OneFile) -> Option<Damage> {
        let dialect = &self.query.source.dialect;
        if matches!(self.format, Format::Xlsx | Format::Ods) && dialect.skip_lines == 0 {
            let widths = first_widths(file, self.format, dialect, FIRST_ROWS).unwrap_or_default();
            let lines = title_rows(&widths);
            let mut behind = self.query.clone();
            behind.source.dialect.skip_lines = lines;
            if lines > 0 && self.engine.ready(&behind).is_ok() {
                return Some(self.titles(lines));
            }
        }
        let (key, names) = match self.format {
            Format::Xlsx | Format::Ods => ("sheet", sheets(file, self.format)),
            Format::Sqlite => ("table", tables(file)),
            Format::Csv | Format::Tsv | Format::Json | Format::Parquet | Format::Arrow => return None,
        };
        let fits = |name: &&String| {
            let mut other = self.query.clone();
            let part = Some((*name).clone());
            match key {
                "sheet" => other.source.dialect.sheet = part,
                _ => other.source.dialect.table = part,
            }
            self.engine.ready(&other).is_ok()
        };
        let ways: Vec<Vec<Change>> = names.iter().filter(fits).map(|name| vec![Change::text(key, name)]).collect();
        if ways.is_empty() {
            return None;
        }
        let because = format!("another {key}; the request fits it");
        Some(self.damage(DamageKind::OtherPart { key }, None, Some(Advice { because, ways, helped: None })))
    }

    /// What is wrong with the letters, and the encoding that they may have.
    fn of_letters(&self) -> Option<(Damage, Option<Encoding>)> {
        if self.query.source.dialect.encoding != Encoding::UTF_8 {
            return None;
        }
        Some(damaged_letters(fault(&self.bytes)?, 0, self.name.clone()))
    }

    fn decoded(&self, encoding: Encoding) -> Option<String> {
        let source = Box::new(std::io::Cursor::new(self.bytes.clone()));
        let mut decoded = Vec::new();
        // A letter that is cut at the end of the beginning is no fault.
        let _ = crate::file::letters::in_utf8(source, encoding).read_to_end(&mut decoded);
        let text = String::from_utf8_lossy(&decoded).into_owned();
        Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)).filter(|text| !text.is_empty())
    }

    fn advice(&self, because: &str, change: Change) -> Advice {
        Advice { because: because.to_owned(), ways: vec![vec![change]], helped: None }
    }
}

/// Returns the format that bytes have, if it is none of texts.
fn other_format(bytes: &[u8]) -> Option<DataFormat> {
    let has = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
    match bytes {
        [b'P', b'A', b'R', b'1', ..] => Some(DataFormat::Parquet),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] => Some(DataFormat::Arrow),
        [b'S', b'Q', b'L', b'i', b't', b'e', b' ', ..] => Some(DataFormat::Sqlite),
        [b'P', b'K', 3, 4, ..] if has(b"opendocument.spreadsheet") => Some(DataFormat::Ods),
        [b'P', b'K', 3, 4, ..] if has(b"xl/") => Some(DataFormat::Xlsx),
        _ => None,
    }
}

/// So many rows of a sheet are looked at for titles.
const FIRST_ROWS: usize = 100;

/// A name that no sheet and no table has: whoever asks for it is told which there are.
const NOBODYS_NAME: &str = "\u{0}";

fn sheets(file: &OneFile, format: Format) -> Vec<String> {
    let dialect = Dialect { sheet: Some(NOBODYS_NAME.into()), ..Dialect::default() };
    match workbook::columns(file, format, &dialect) {
        Err(NoColumns::NoSheet(sheets)) => sheets,
        Ok(_) | Err(_) => Vec::new(),
    }
}

fn tables(file: &OneFile) -> Vec<String> {
    let dialect = Dialect { table: Some(NOBODYS_NAME.into()), ..Dialect::default() };
    match Database::open(file, &dialect) {
        Err(NoTable::Tables { tables }) => tables,
        Ok(_) | Err(_) => Vec::new(),
    }
}

/// The records of a text's beginning: how many fields each of the first ones has.
fn widths(text: &str, signs: Signs) -> Vec<usize> {
    let mut widths = Vec::new();
    // What is cut at the end is one record less.
    let whole = text.rfind('\n').map_or(text, |end| &text[..=end]);
    let _ = each_record(whole.as_bytes(), 0, signs, |record| {
        widths.push(record.fields);
        if widths.len() < 100 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    widths
}

/// Returns the sign that cuts all first lines into as many fields, where the present one cuts none.
fn other_delimiter(text: &str, signs: Signs) -> Option<(DamageKind, Sign)> {
    let present = widths(text, signs);
    // Titles may stand above a table that this sign cuts well; a decimal comma cuts rows, but no names.
    let is_cut = |width: &usize| *width > 1;
    if present.first().is_some_and(is_cut) {
        return None;
    }
    let candidates = DELIMITERS.iter().filter_map(|text| Sign::of(text)).filter(|sign| sign.byte() != signs.delimiter);
    let even = candidates.filter_map(|sign| {
        let widths = widths(text, Signs { delimiter: sign.byte(), ..signs });
        let columns = widths.iter().copied().take(MOST_TITLES + 1).find(|columns| *columns > 1)?;
        let alike = widths.iter().filter(|width| **width == columns).count();
        (alike * 2 > widths.len()).then_some((alike, columns, sign))
    });
    let (_, columns, sign) = even.max_by_key(|(alike, columns, _)| (*alike, *columns))?;
    Some((DamageKind::OneColumn { sign: sign.to_string(), times: columns - 1 }, sign))
}

/// Returns the fields of a first line that are values and no names, and how many fields there are; nothing if it reads
/// like names.
fn first_line_values(text: &str, signs: Signs) -> Option<(Vec<String>, usize)> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    let fields: Vec<&str> = first.split(char::from(signs.delimiter)).collect();
    let bare = |field: &str| field.trim().trim_matches(char::from(signs.quote)).to_owned();
    let values = fields.iter().map(|field| bare(field)).filter(|field| is_value(field));
    let values: Vec<String> = values.take(3).collect();
    (!values.is_empty()).then_some((values, fields.len()))
}
