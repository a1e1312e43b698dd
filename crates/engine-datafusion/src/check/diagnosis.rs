//! Files that cannot be read, looked through for the cause.
//!
//! Before a release could be prepared the beginnings of files are looked at, and behind a scan that failed their whole
//! texts. What is advised there is a guess by the shapes of lines, tried by preparing the release again; it must never
//! be taken for what a release reads. It is separate from the words for it. Read `damage.rs` for those, `letters.rs`
//! for bytes, `records.rs` for lines.

use super::advice::{Advice, Change};
use super::damage::{Damage, DamageKind};
use super::findings::{Spot, SpotInFile};
use super::letters::{LettersFault, fault};
use super::locate::{RowsSeen, fields_of, file_name};
use super::opened_text::opened_text;
use super::records::{WalkEnd, each_record};
use crate::engine::DataFusionEngine;
use crate::file::bytes::open;
use crate::file::database::{Database, NoTable};
use crate::file::workbook::{self, NoColumns};
use crate::file::{LONGEST_RECORD, Signs};
use crate::look::single_quotes;
use crate::ready::Ready;
use crate::scan::partitions;
use crate::source::{Files, Format, OneFile, all_files};
use datafusion_execution::TaskContext;
use futures::StreamExt;
use incrowd_engine::{BadRows, Dialect, Encoding, Header, Query, Quote, Sign, Unwatched};
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

/// So much of a file is looked at before a release could be prepared.
const BEGINNING: u64 = 1 << 20;
/// So many files are looked at, and so many faults told.
const MOST_FILES: usize = 8;
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
            (Err(_), _) => found.push(beginning.damage(DamageKind::Broken, None, None)),
            (Ok(0), _) => found.push(beginning.damage(DamageKind::Empty, None, None)),
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
        if dialect.header == Header::Names
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

    /// The other sheets or tables of the file that the request fits.
    fn of_parts(&self, file: &OneFile) -> Option<Damage> {
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

/// Returns the words for letters that are wrong behind so many lines, and the encoding that they may have.
fn damaged_letters(fault: LettersFault, lines: u64, file: Option<String>) -> (Damage, Option<Encoding>) {
    let line = |line: u64| Some(Spot { file: file.clone(), place: SpotInFile::Line(lines + line) });
    let known = |name: &str| Encoding::ALL.into_iter().find(|encoding| encoding.as_str() == name);
    let advice = |because: &str, encoding: Encoding| Advice {
        because: because.to_owned(),
        ways: vec![vec![Change::text("encoding", encoding.as_str())]],
        helped: None,
    };
    match fault {
        LettersFault::Utf16(name) => {
            let encoding = known(name);
            let spot = file.clone().map(|file| Spot { file: Some(file), place: SpotInFile::Line(1) });
            let advice = encoding.map(|encoding| advice("this is not UTF-8", encoding));
            (Damage { kind: DamageKind::Utf16, spot, advice }, encoding)
        }
        LettersFault::Nul { line: at } => {
            let change = Change::ByHand("write the file again without bytes of zero".into());
            let because = "no text has a byte of zero".to_owned();
            let advice = Advice { because, ways: vec![vec![change]], helped: None };
            (Damage { kind: DamageKind::Nul, spot: line(at), advice: Some(advice) }, None)
        }
        LettersFault::NotUtf8(wrong) => {
            let encoding = wrong.reads.as_ref().and_then(|_| known("windows-1252"));
            let because = "this is not UTF-8; it reads as windows-1252, if the line above looks right";
            let advice = encoding.map(|encoding| advice(because, encoding));
            let reads = wrong.reads.unwrap_or_default();
            let kind = DamageKind::NotUtf8 { byte: wrong.byte, place: wrong.place, reads };
            (Damage { kind, spot: line(wrong.line), advice }, encoding)
        }
    }
}

/// The records of a text's beginning: how many fields each of the first ones has.
fn widths(text: &str, signs: Signs) -> Vec<usize> {
    let mut widths = Vec::new();
    // What is cut at the end is one record less.
    let whole = text.rfind('\n').map_or(text, |end| &text[..=end]);
    let _ = each_record(whole.as_bytes(), signs, |record| {
        widths.push(record.fields);
        if widths.len() < 100 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    widths
}

/// Returns the sign that cuts all first lines into as many fields, where the present one cuts none.
fn other_delimiter(text: &str, signs: Signs) -> Option<(DamageKind, Sign)> {
    if widths(text, signs).first().copied().unwrap_or(0) > 1 {
        return None;
    }
    let candidates = DELIMITERS.iter().filter_map(|text| Sign::of(text)).filter(|sign| sign.byte() != signs.delimiter);
    let even = candidates.filter_map(|sign| {
        let widths = widths(text, Signs { delimiter: sign.byte(), ..signs });
        let columns = widths.first().copied().filter(|columns| *columns > 1)?;
        let alike = widths.iter().filter(|width| **width == columns).count();
        Some((alike, columns, sign))
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

/// Whether a text is what a value would be and hardly a name: a number, a date, true or false.
fn is_value(text: &str) -> bool {
    let is_flag = ["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word));
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b".,:/-+ T".contains(&byte));
    is_flag || (digits > 0 && is_plain)
}

/// Whether the data can be read to its end in a dialect.
pub(super) type Reads<'r> = &'r dyn Fn(Dialect) -> bool;

/// Returns what is wrong with files whose scan failed.
pub(super) fn of_files(ready: &Ready, reads: Reads<'_>) -> Vec<Damage> {
    let mut found = Vec::new();
    for (place, file) in ready.files.files.iter().enumerate() {
        match ready.files.format {
            Format::Csv | Format::Tsv => found.extend(of_text(&ready.files, place, file, reads)),
            _ => found.extend(of_rows(ready, place, file)),
        }
        if found.len() >= MOST_FILES {
            break;
        }
    }
    if found.is_empty() {
        found.push(Damage { kind: DamageKind::Unknown, spot: None, advice: None });
    }
    found
}

/// What is wrong with a text of fields between signs.
fn of_text(files: &Files, place: usize, file: &OneFile, reads: Reads<'_>) -> Option<Damage> {
    let name = file_name(files, place);
    if files.dialect.encoding == Encoding::UTF_8
        && let Some((mut damage, encoding)) = wrong_letters(file, name.clone())
    {
        let other = encoding.map(|encoding| Dialect { encoding, ..files.dialect.clone() });
        damage.advice = damage.advice.and_then(|advice| tried(advice, other?, reads));
        return Some(damage);
    }
    let line = |line: u64| Some(Spot { file: name.clone(), place: SpotInFile::Line(line) });
    let signs = Signs::of(files.format, &files.dialect);
    let (mut rows, mut ragged, mut long) = (RowsSeen::of(files), None, None);
    let columns = fields_of(files);
    let walked = each_record(opened_text(file, files).ok()?, signs, |record| {
        if record.bytes > LONGEST_RECORD as u64 {
            long = long.or(Some(record));
        }
        let before = rows.uneven;
        rows.row(record);
        if rows.uneven > before {
            ragged = ragged.or(Some(record));
        }
        ControlFlow::Continue(())
    });
    let quoted = |line: Option<Spot>| {
        let by_hand = vec![Change::ByHand("close the quote in the file".into())];
        let because = "a quote is open".to_owned();
        let closed = Advice { because, ways: vec![by_hand], helped: None };
        let because = "quotes mean nothing in this file?".to_owned();
        let none = Advice { because, ways: vec![vec![Change::text("quote", "none")]], helped: None };
        let advice = tried(none, Dialect { quote: Quote::None, ..files.dialect.clone() }, reads).unwrap_or(closed);
        Damage { kind: DamageKind::OpenQuote, spot: line, advice: Some(advice) }
    };
    match (walked, long, ragged) {
        // Behind an open quote everything is one field: what comes before is told first only if it is another fault.
        (Ok(WalkEnd::OpenQuote { line: at }), _, None) => Some(quoted(line(at))),
        (Ok(WalkEnd::OpenQuote { line: at }), _, Some(first)) if at <= first.line => Some(quoted(line(at))),
        (_, Some(record), None) => Some(Damage { kind: DamageKind::TooLong, spot: line(record.line), advice: None }),
        (Ok(_), _, Some(first)) => {
            let kind = DamageKind::Ragged { fields: first.fields, expected: columns, rows: rows.uneven };
            let skipped = if rows.uneven == 1 { "1 row is".to_owned() } else { format!("{} rows are", rows.uneven) };
            let way = vec![Change::text("on-bad-row", BadRows::Skip.as_str())];
            let advice = Advice { because: format!("{skipped} left out then"), ways: vec![way], helped: None };
            let advice = tried(advice, Dialect { bad_rows: BadRows::Skip, ..files.dialect.clone() }, reads);
            Some(Damage { kind, spot: line(first.line), advice })
        }
        (Err(_), _, _) => Some(Damage { kind: DamageKind::Broken, spot: None, advice: None }),
        (Ok(_), _, None) => None,
    }
}

/// Returns an advice whose dialect lets the data be read to its end; nothing for any other.
fn tried(mut advice: Advice, dialect: Dialect, reads: Reads<'_>) -> Option<Advice> {
    advice.because.push_str("; the data can be read to its end then");
    reads(dialect).then_some(advice)
}

/// Looks for the first byte of a file that is no letter of UTF-8, and for the encoding that it may have.
fn wrong_letters(file: &OneFile, name: Option<String>) -> Option<(Damage, Option<Encoding>)> {
    let mut source = open(file, Arc::new(Unwatched)).ok()?;
    let (mut chunk, mut lines) = (Vec::new(), 0u64);
    loop {
        let before = chunk.len();
        let read = source.by_ref().take(BEGINNING).read_to_end(&mut chunk).ok()?;
        match fault(&chunk) {
            Some(LettersFault::Nul { .. }) | None => {}
            Some(found) => return Some(damaged_letters(found, lines, name)),
        }
        if read == 0 {
            return None;
        }
        // A line goes on in the next chunk.
        let kept = chunk[before..].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| before + at + 1);
        lines += chunk[..kept].iter().filter(|byte| **byte == b'\n').count() as u64;
        chunk.drain(..kept);
        if chunk.len() > LONGEST_RECORD {
            return None;
        }
    }
}

/// What is wrong with a file that is read row by row: behind which row the scan ends.
fn of_rows(ready: &Ready, place: usize, file: &OneFile) -> Option<Damage> {
    let name = file_name(&ready.files, place);
    let files = ready.files.only(file);
    let at = |row: u64| SpotInFile::Row(row);
    let spot = |row: u64| {
        let place = if ready.files.format == Format::Json { SpotInFile::Object(row) } else { at(row) };
        Some(Spot { file: name.clone(), place })
    };
    let opened = partitions(&files, Arc::clone(&ready.wanted), 1, 1, Arc::new(Unwatched));
    let Ok((_, streams)) = opened else {
        return Some(Damage { kind: DamageKind::Broken, spot: spot(1), advice: None });
    };
    let mut rows = 0u64;
    for stream in streams {
        let mut stream = stream.execute(Arc::new(TaskContext::default()));
        while let Some(batch) = futures::executor::block_on(stream.next()) {
            match batch {
                Ok(batch) => rows += batch.num_rows() as u64,
                Err(_) => return Some(Damage { kind: DamageKind::Broken, spot: spot(rows + 1), advice: None }),
            }
        }
    }
    None
}

/// Returns how many rows of text files have too few or too many fields and are left out.
pub(super) fn bad_rows(files: &Files) -> u64 {
    let is_text = matches!(files.format, Format::Csv | Format::Tsv);
    let Dialect { bad_rows: BadRows::Skip, .. } = files.dialect else { return 0 };
    if !is_text {
        return 0;
    }
    let of_file = |file: &OneFile| {
        let mut rows = RowsSeen::of(files);
        let text = opened_text(file, files).ok()?;
        let walked = each_record(text, Signs::of(files.format, &files.dialect), |record| {
            rows.row(record);
            ControlFlow::Continue(())
        });
        walked.ok().map(|_| rows.uneven)
    };
    files.files.iter().filter_map(of_file).sum()
}
