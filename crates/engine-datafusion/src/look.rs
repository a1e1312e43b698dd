//! A look at a source, to help a human write a request: names, types, and for text formats a guess from the first rows.
//!
//! Its result goes to the steward's screen and holds no value of the data; a release must never use it, because what
//! was guessed from rows depends on who is in them. It is separate for that reason. Read `look/bytes_guess.rs` and
//! `look/values_guess.rs` for the guesses, `source.rs` for what is known without one.

mod bytes_guess;
mod first_rows;
mod stream;
mod titles;
mod values_guess;

pub(crate) use bytes_guess::single_quotes;
pub use first_rows::LookEnd;
pub(crate) use titles::{is_value, title_lines, title_rows};

use crate::file::bytes::open;
use crate::file::workbook::first_widths;
use crate::file::{Signs, StandardInput};
use crate::source::{Files, Format, OneFile, STANDARD_INPUT, first_file};
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use bytes_guess::End;
use first_rows::{FirstRows, first_rows};
use incrowd_engine::{ColumnType, Dialect, Header, PrepareError, Sign, Unwatched};
use serde_json::{Deserializer, Map, Value};
use std::fmt;
use std::io::Read;
use std::sync::Arc;
use stream::Beginning;
use values_guess::{MixedDays, ValuesGuess};

/// How many rows are looked at.
const ROWS: usize = 1000;

/// How many rows of a sheet are looked at for titles.
const TITLE_ROWS: usize = 100;

/// How many bytes of a text file are looked at, to tell its letters.
const BYTES: u64 = 4 << 20;

/// Of formats without signs between fields no bytes are looked at.
const NOT_LOOKED_AT: (Vec<u8>, End) = (Vec::new(), End::Whole);

/// What a source looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// Its columns.
    pub columns: Vec<Proposed>,
    /// How many rows were looked at to guess types; nothing where the format says them.
    pub rows: Option<usize>,
    /// Where the look ends.
    pub end: LookEnd,
    /// What the first line of a text file seems to be.
    pub first_line: FirstLine,
    /// How its files are written: what was said, and what is guessed beside it.
    pub dialect: Dialect,
    /// The keys of the dialect that are guessed, and why.
    pub guessed: Vec<GuessedKey>,
    /// Columns of days for which no reading was found.
    pub two_orders: Vec<TwoOrders>,
}

/// A column whose days are written in two ways that read one text as two days, so that no reading is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TwoOrders {
    /// Its name.
    pub column: String,
    /// The one way.
    pub one: String,
    /// The other way.
    pub other: String,
}

impl fmt::Display for TwoOrders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TwoOrders { column, one, other } = self;
        write!(
            f,
            "{column:?} has days as {one} and, there or in another column, as {other}: no reading of both is right"
        )
    }
}

/// A key of a dialect that is guessed, and why. No value of the data is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuessedKey {
    /// The key as a request writes it.
    pub key: &'static str,
    /// What was seen.
    pub why: GuessReason,
}

/// What was seen in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuessReason {
    /// Standard input begins like this format.
    BeginsSo,
    /// The mark that says in which order bytes come.
    ByteOrderMark,
    /// Every second byte is zero.
    EverySecondByteZero,
    /// Bytes that are no UTF-8.
    NotUtf8,
    /// So many fields in nearly every line.
    FieldsInLines {
        /// How many.
        fields: usize,
    },
    /// Fields between these signs.
    FieldsInQuotes,
    /// Lines that fill hardly any of the fields that most lines have.
    LinesBeforeNames {
        /// How many.
        lines: u64,
    },
    /// A first line of values.
    FirstLineOfValues,
    /// More columns are numbers with this sign.
    NumbersWith(Sign),
    /// All days that were looked at are written so, or as is usual.
    DaysAsWritten,
    /// The same, but with days and months exchanged they could be read as well.
    DaysOrMonths,
    /// Words that usually stand for nothing.
    WordsForNothing,
}

impl fmt::Display for GuessReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuessReason::BeginsSo => f.write_str("standard input begins like this"),
            GuessReason::ByteOrderMark => f.write_str("the file begins with the mark of UTF-16"),
            GuessReason::EverySecondByteZero => f.write_str("every second byte is zero"),
            GuessReason::NotUtf8 => f.write_str("the file is not UTF-8; this is what its letters look like"),
            GuessReason::FieldsInLines { fields } => write!(f, "it makes {fields} fields in nearly every line"),
            GuessReason::FieldsInQuotes => f.write_str("fields begin and end with it"),
            GuessReason::LinesBeforeNames { lines: 1 } => f.write_str("the first line looks like a title"),
            GuessReason::LinesBeforeNames { lines } => write!(f, "the first {lines} lines look like titles"),
            GuessReason::FirstLineOfValues => f.write_str("the first line looks like somebody's values"),
            GuessReason::NumbersWith(sign) => write!(f, "more columns are numbers if \"{sign}\" is read so"),
            GuessReason::DaysAsWritten => f.write_str("all days that were looked at are written so, or as 2026-11-18"),
            GuessReason::DaysOrMonths => f.write_str("look at this: days and months could be exchanged"),
            GuessReason::WordsForNothing => f.write_str("these usually stand for nothing; delete what is a value"),
        }
    }
}

/// Where the names of columns are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// In the first line, whatever it looks like.
    OnTop,
    /// In the first line, unless it looks like somebody's values.
    Guessed,
}

/// What the first line of a file seems to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstLine {
    /// Names, as far as can be told.
    Names,
    /// Somebody's values: one is a number, a date, true or false or nothing, or is found again below itself.
    Values,
}

/// A column and the type that it may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// Its name.
    pub name: String,
    /// Its type; nothing for what cannot be counted.
    pub kind: Option<ColumnType>,
}

/// Returns what a source looks like, as far as `said` does not say it. Of standard input the beginning is taken.
pub fn look(source: &str, said: &Dialect, names: Names) -> Result<Look, PrepareError> {
    let mut dialect = said.clone();
    let mut guessed = Vec::new();
    let mut format_guess = None;
    // Whoever says where the names are is believed.
    let has_titles = names == Names::Guessed && said.skip_lines == 0;
    let passing = match source {
        STANDARD_INPUT => {
            let passing = Beginning::of(&StandardInput::default(), said.format, BYTES)?;
            dialect.format = Some(passing.format);
            format_guess = said.format.is_none().then_some(GuessedKey { key: "format", why: GuessReason::BeginsSo });
            Some(passing)
        }
        _ => None,
    };
    let resolved = |dialect: &Dialect| match &passing {
        Some(passing) => passing.files(dialect),
        None => Files::resolve(source, dialect),
    };
    let first = match &passing {
        Some(passing) => Some((Format::said(passing.format), passing.bytes.to_vec(), passing.end)),
        None => first_file(source, said)?.map(|(format, file)| {
            let (bytes, end) =
                if usual_delimiter(format).is_some() { first_bytes(&file, BYTES) } else { NOT_LOOKED_AT };
            (format, bytes, end)
        }),
    };
    if let Some((format, bytes, end)) = first
        && let Some(usual) = usual_delimiter(format)
    {
        let (written, keys) = bytes_guess::of_bytes(&bytes, end, usual);
        dialect = Dialect { encoding: written.encoding, quote: written.quote, delimiter: written.delimiter, ..dialect };
        guessed = keys;
        if has_titles {
            let text = bytes_guess::decoded(&bytes, dialect.encoding);
            dialect.skip_lines = title_lines(&text, Signs::of(format, &dialect));
        }
    }
    guessed.splice(0..0, format_guess);
    let mut files = resolved(&dialect)?;
    if has_titles && matches!(files.format, Format::Xlsx | Format::Ods) {
        dialect.skip_lines = titles_of_sheet(&files);
        files = resolved(&dialect)?;
    }
    if has_titles && dialect.skip_lines > 0 {
        guessed
            .push(GuessedKey { key: "skip-lines", why: GuessReason::LinesBeforeNames { lines: dialect.skip_lines } });
    }
    if is_typed(files.format) {
        let columns = files.columns().into_iter().map(|(name, kind)| Proposed { name, kind }).collect();
        let (rows, end, first_line, two_orders) = (None, LookEnd::Enough, FirstLine::Names, Vec::new());
        return Ok(Look { columns, rows, end, first_line, dialect, guessed, two_orders });
    }
    if files.format == Format::Json {
        let mut look = json(&files, dialect);
        look.guessed.splice(0..0, guessed);
        return Ok(look);
    }
    let mut first_line = FirstLine::Names;
    if names == Names::Guessed && has_first_line(files.format) && has_values_on_top(&files) {
        first_line = FirstLine::Values;
        dialect.header = Header::Row;
        guessed.push(GuessedKey { key: "header", why: GuessReason::FirstLineOfValues });
        files = resolved(&dialect)?;
    }
    let FirstRows { batch, end } = first_rows(&files);
    let columns: Vec<Vec<&str>> = files
        .schema
        .fields()
        .iter()
        .enumerate()
        .map(|(index, _)| batch.as_ref().map(|batch| texts(batch.column(index)).collect()).unwrap_or_default())
        .collect();
    let ValuesGuess { kinds, dialect, keys, mixed } = values_guess::of_columns(&columns, dialect);
    guessed.extend(keys);
    let fields = files.schema.fields().iter().zip(kinds);
    let columns: Vec<Proposed> =
        fields.map(|(field, kind)| Proposed { name: field.name().clone(), kind: Some(kind) }).collect();
    let two_orders = named(mixed, &columns);
    let rows = Some(batch.as_ref().map_or(0, RecordBatch::num_rows));
    Ok(Look { columns, rows, end, first_line, dialect, guessed, two_orders })
}

fn named(mixed: Vec<MixedDays>, columns: &[Proposed]) -> Vec<TwoOrders> {
    let name = |place: usize| columns.get(place).map(|column| column.name.clone()).unwrap_or_default();
    mixed.into_iter().map(|MixedDays { column, one, other }| TwoOrders { column: name(column), one, other }).collect()
}

fn titles_of_sheet(files: &Files) -> u64 {
    let widths = files.files.first().map(|file| first_widths(file, files.format, &files.dialect, TITLE_ROWS));
    widths.and_then(Result::ok).map_or(0, |widths| title_rows(&widths))
}

/// The sign between fields where nothing is said, in formats that have such a sign.
fn usual_delimiter(format: Format) -> Option<Sign> {
    match format {
        Format::Csv => Sign::of(","),
        Format::Tsv => Some(Sign::TAB),
        Format::Parquet | Format::Json | Format::Arrow | Format::Xlsx | Format::Ods | Format::Sqlite => None,
    }
}

/// Whether a first line may be names or values: a database knows which it has.
fn has_first_line(format: Format) -> bool {
    match format {
        Format::Csv | Format::Tsv | Format::Xlsx | Format::Ods => true,
        Format::Json | Format::Parquet | Format::Arrow | Format::Sqlite => false,
    }
}

/// Whether the format itself says of which types its columns are.
fn is_typed(format: Format) -> bool {
    match format {
        Format::Parquet | Format::Arrow => true,
        Format::Csv | Format::Tsv | Format::Json | Format::Xlsx | Format::Ods | Format::Sqlite => false,
    }
}

/// Returns the first bytes of a file, unpacked; what cannot be read is not looked at.
fn first_bytes(file: &OneFile, most: u64) -> (Vec<u8>, End) {
    let mut bytes = Vec::new();
    if let Ok(file) = open(file, Arc::new(Unwatched)) {
        let _ = file.take(most + 1).read_to_end(&mut bytes);
    }
    let end = if bytes.len() as u64 > most { End::Cut } else { End::Whole };
    bytes.truncate(usize::try_from(most).unwrap_or(usize::MAX));
    (bytes, end)
}

/// Whether some name is what a value would be, or is found again below itself.
fn has_values_on_top(files: &Files) -> bool {
    let batch = first_rows(files).batch;
    let names = files.schema.fields().iter().map(|field| field.name());
    let is_value = |(index, name): (usize, &String)| {
        let found_below = |batch: &RecordBatch| texts(batch.column(index)).any(|text| text == name);
        is_like_a_value(name) || batch.as_ref().is_some_and(found_below)
    };
    names.enumerate().any(is_value)
}

/// Whether a name is what a value would be and hardly a name.
fn is_like_a_value(name: &str) -> bool {
    let name = name.trim();
    let flag = ["true", "false"].iter().any(|word| name.eq_ignore_ascii_case(word));
    let number = |sign: &str| name.replace(',', sign).parse::<f64>().is_ok();
    let day = name.get(..10).is_some_and(values_guess::is_day);
    name.is_empty() || number(",") || number(".") || flag || day
}

fn texts(array: &dyn Array) -> Box<dyn Iterator<Item = &str> + '_> {
    if let Some(texts) = array.as_string_opt::<i32>() {
        return Box::new(texts.iter().flatten());
    }
    match array.as_string_view_opt() {
        Some(texts) => Box::new(texts.iter().flatten()),
        None => Box::new(std::iter::empty()),
    }
}

fn json(files: &Files, dialect: Dialect) -> Look {
    let bytes = files.files.first().map(|file| first_bytes(file, BYTES).0).unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    let mut seen: Vec<Vec<String>> = Vec::new();
    let (mut rest, mut rows) = (&bytes[..], 0);
    while rows < ROWS {
        let skipped = rest.iter().take_while(|byte| byte.is_ascii_whitespace() || b"[,".contains(byte)).count();
        rest = &rest[skipped..];
        let mut objects = Deserializer::from_slice(rest).into_iter::<Map<String, Value>>();
        let Some(Ok(object)) = objects.next() else { break };
        rest = &rest[objects.byte_offset()..];
        rows += 1;
        for (name, value) in object {
            let place = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                seen.push(Vec::new());
                names.len() - 1
            });
            match value {
                Value::String(text) if text.is_empty() => {}
                Value::String(text) => seen[place].push(text),
                Value::Number(number) => seen[place].push(number.to_string()),
                Value::Bool(flag) => seen[place].push(flag.to_string()),
                Value::Null | Value::Array(_) | Value::Object(_) => {}
            }
        }
    }
    let columns: Vec<Vec<&str>> = seen.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
    let ValuesGuess { kinds, dialect, keys: guessed, mixed } = values_guess::of_columns(&columns, dialect);
    let columns = names.into_iter().zip(kinds).map(|(name, kind)| Proposed { name, kind: Some(kind) });
    let columns: Vec<Proposed> = columns.collect();
    let two_orders = named(mixed, &columns);
    let (rows, end, first_line) = (Some(rows), LookEnd::Enough, FirstLine::Names);
    Look { columns, rows, end, first_line, dialect, guessed, two_orders }
}
