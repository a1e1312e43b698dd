//! A look at a source, to help a human write a request: names, types, and for text formats a guess from the first rows.
//!
//! Its result goes to the steward's screen and holds no value of the data; a release must never use it, because a type
//! that was guessed from rows depends on who is in them. It is separate for that reason. Read `source.rs` next.

use crate::file::bytes::open;
use crate::scan::partitions;
use crate::source::{Files, Format};
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use datafusion_execution::TaskContext;
use futures::StreamExt;
use incrowd_engine::{ColumnType, Dialect, PrepareError, Unwatched};
use serde_json::{Deserializer, Map, Value};
use std::io::Read;
use std::sync::Arc;

/// How many rows are looked at.
const ROWS: usize = 200;
/// How many bytes of JSON are looked at.
const BYTES: u64 = 1 << 20;

/// What a source looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// Its columns.
    pub columns: Vec<Proposed>,
    /// How many rows were looked at to guess types; nothing where the format says them.
    pub rows: Option<usize>,
    /// What the first line of a CSV file seems to be.
    pub first_line: FirstLine,
}

/// What names of columns seem to be.
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

/// Returns what a source looks like.
pub fn look(source: &str) -> Result<Look, PrepareError> {
    let files = Files::resolve(source, &Dialect::default())?;
    match files.format {
        Format::Parquet | Format::Arrow => {
            let columns = files.columns().into_iter();
            let columns = columns.map(|(name, kind)| Proposed { name, kind }).collect();
            Ok(Look { columns, rows: None, first_line: FirstLine::Names })
        }
        Format::Csv | Format::Tsv | Format::Xlsx | Format::Ods | Format::Sqlite => Ok(csv(&files)),
        Format::Json => Ok(json(&files)),
    }
}

fn csv(files: &Files) -> Look {
    let batch = first_batch(files);
    let rows = batch.as_ref().map_or(0, RecordBatch::num_rows);
    let names = files.schema.fields().iter().map(|field| field.name());
    let is_value = |(index, name): (usize, &String)| {
        let found_below = |batch: &RecordBatch| texts(batch.column(index)).any(|text| text == name);
        is_like_a_value(name) || batch.as_ref().is_some_and(found_below)
    };
    let first_line = if names.enumerate().any(is_value) { FirstLine::Values } else { FirstLine::Names };
    let columns = files.schema.fields().iter().enumerate().map(|(index, field)| {
        let mut guess = Guess::default();
        if let Some(batch) = &batch {
            texts(batch.column(index)).for_each(|text| guess.see(text));
        }
        Proposed { name: field.name().clone(), kind: Some(guess.kind()) }
    });
    Look { columns: columns.collect(), rows: Some(rows), first_line }
}

/// Whether a name is what a value would be and hardly a name.
fn is_like_a_value(name: &str) -> bool {
    let name = name.trim();
    let flag = ["true", "false"].iter().any(|word| name.eq_ignore_ascii_case(word));
    name.is_empty() || name.parse::<f64>().is_ok() || flag || name.get(..10).is_some_and(is_date)
}

fn first_batch(files: &Files) -> Option<RecordBatch> {
    let (_, streams) = partitions(files, Arc::clone(&files.schema), 1, ROWS, Arc::new(Unwatched)).ok()?;
    let mut stream = streams.first()?.execute(Arc::new(TaskContext::default()));
    futures::executor::block_on(stream.next())?.ok()
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

fn json(files: &Files) -> Look {
    let mut bytes = Vec::new();
    if let Some(Ok(file)) = files.files.first().map(|file| open(file, Arc::new(Unwatched))) {
        // What cannot be read is not looked at.
        let _ = file.take(BYTES).read_to_end(&mut bytes);
    }
    let mut columns: Vec<(String, Guess)> = Vec::new();
    let (mut rest, mut rows) = (&bytes[..], 0);
    while rows < ROWS {
        let skipped = rest.iter().take_while(|byte| byte.is_ascii_whitespace() || b"[,".contains(byte)).count();
        rest = &rest[skipped..];
        let mut objects = Deserializer::from_slice(rest).into_iter::<Map<String, Value>>();
        let Some(Ok(object)) = objects.next() else { break };
        rest = &rest[objects.byte_offset()..];
        rows += 1;
        for (name, value) in object {
            let place = columns.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                columns.push((name, Guess::default()));
                columns.len() - 1
            });
            match value {
                Value::String(text) => columns[place].1.see(&text),
                Value::Number(number) => columns[place].1.see(&number.to_string()),
                Value::Bool(flag) => columns[place].1.see(if flag { "true" } else { "false" }),
                Value::Null | Value::Array(_) | Value::Object(_) => {}
            }
        }
    }
    let columns = columns.into_iter().map(|(name, guess)| Proposed { name, kind: Some(guess.kind()) });
    Look { columns: columns.collect(), rows: Some(rows), first_line: FirstLine::Names }
}

/// Which types all texts so far could have.
struct Guess {
    seen: bool,
    integer: bool,
    number: bool,
    boolean: bool,
    date: bool,
    timestamp: bool,
}

impl Default for Guess {
    fn default() -> Self {
        Guess { seen: false, integer: true, number: true, boolean: true, date: true, timestamp: true }
    }
}

impl Guess {
    fn see(&mut self, text: &str) {
        self.seen = true;
        // A leading zero is part of a code, such as a postal code, not of a number.
        let code = text.len() > 1 && text.starts_with('0') && !text.starts_with("0.");
        self.integer &= !code && text.parse::<i64>().is_ok();
        self.number &= !code && text.parse::<f64>().is_ok_and(f64::is_finite);
        self.boolean &= text == "true" || text == "false";
        self.date &= is_date(text);
        self.timestamp &=
            text.get(..10).is_some_and(is_date) && text.get(10..11).is_some_and(|sign| sign == "T" || sign == " ");
    }

    fn kind(&self) -> ColumnType {
        match self {
            Guess { seen: false, .. } => ColumnType::Text,
            Guess { boolean: true, .. } => ColumnType::Boolean,
            Guess { integer: true, .. } => ColumnType::Integer,
            Guess { number: true, .. } => ColumnType::Number,
            Guess { date: true, .. } => ColumnType::Date,
            Guess { timestamp: true, .. } => ColumnType::Timestamp,
            Guess { .. } => ColumnType::Text,
        }
    }
}

fn is_date(text: &str) -> bool {
    let shape = text.bytes().enumerate().all(|(place, byte)| match place {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    shape && text.len() == 10
}
