//! Rows of JSON files: an array of objects, or one object after another, each on a line of its own.
//!
//! It must never hold more than a batch: objects are cut out of the stream one by one. A field that is missing or
//! nested is a missing value; anything but objects is damage. It is separate from `object.rs`, which reads one object;
//! read that next.

use super::text::Text;
use super::{BATCH_BYTES, Batches, Fault, LONGEST_RECORD, Reading, object};
use arrow_array::builder::StringViewBuilder;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::SchemaRef;
use incrowd_engine::written::{TextRead, TextReading};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{BufRead, Read};
use std::ops::Range;
use std::sync::Arc;

/// Returns the rows of a file.
pub(super) fn batches(file: Box<dyn Read + Send>, reading: &Reading) -> Batches {
    let names = reading.delivered.fields().iter().enumerate();
    let columns: HashMap<_, _> = names.map(|(place, field)| (field.name().clone(), place)).collect();
    let found = vec![None; reading.delivered.fields().len()];
    let objects = Objects { text: Text::new(file, Vec::new()), form: Form::Unknown, object: Vec::new() };
    let delivered = reading.delivered.clone();
    let (texts, batch_rows) = (Arc::clone(&reading.texts), reading.batch_rows);
    Box::new(Rows { objects, columns, found, delivered, texts, batch_rows })
}

struct Rows {
    objects: Objects,
    columns: HashMap<String, usize>,
    found: Vec<Option<Range<usize>>>,
    delivered: SchemaRef,
    texts: Arc<[Option<TextReading>]>,
    batch_rows: usize,
}

impl Iterator for Rows {
    type Item = Result<RecordBatch, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().transpose()
    }
}

impl Rows {
    fn batch(&mut self) -> Result<Option<RecordBatch>, Fault> {
        let mut texts: Vec<_> = self.found.iter().map(|_| StringViewBuilder::new()).collect();
        let (mut rows, mut bytes) = (0, 0);
        while rows < self.batch_rows && bytes < BATCH_BYTES {
            let Some(text) = self.objects.next()? else { break };
            object::find(text, &self.columns, &mut self.found)?;
            for ((texts, found), reading) in texts.iter_mut().zip(&mut self.found).zip(self.texts.iter()) {
                match found.take() {
                    // The empty text is missing, as in every format.
                    Some(value) => {
                        let written = &text[value];
                        let scalar = object::scalar(written)?.filter(|text| !text.is_empty());
                        texts.append_option(scalar.and_then(|text| said(text, written, reading.as_ref())));
                    }
                    None => texts.append_null(),
                }
            }
            rows += 1;
            bytes += text.len();
        }
        if rows == 0 {
            return Ok(None);
        }
        let columns = texts.iter_mut().map(|texts| Arc::new(texts.finish()) as ArrayRef).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(self.delivered.clone(), columns, &options);
        batch.map(Some).map_err(Fault::damaged)
    }
}

/// Returns what a value says. What JSON calls a number is one, with a point; a text may be a number of the dialect.
fn said<'t>(text: Cow<'t, str>, written: &str, reading: Option<&TextReading>) -> Option<Cow<'t, str>> {
    let Some(reading) = reading else { return Some(text) };
    let is_text = written.starts_with('"');
    let other = match if is_text { reading.read(&text) } else { reading.read_number(&text) } {
        TextRead::Said(Cow::Borrowed(_)) => None,
        TextRead::Said(Cow::Owned(said)) => Some(said),
        TextRead::Missing | TextRead::Unreadable => return None,
    };
    Some(other.map_or(text, Cow::Owned))
}

/// The objects of a file, one after the other.
struct Objects {
    text: Text,
    form: Form,
    object: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Form {
    /// Nothing was read yet.
    Unknown,
    /// Behind an object of an array.
    Array,
    /// Behind an object on a line of its own.
    Lines,
    /// Behind everything.
    Ended,
}

/// What lies between two objects.
#[derive(Clone, Copy, PartialEq)]
enum Blank {
    SameLine,
    NewLine,
}

impl Objects {
    fn next(&mut self) -> Result<Option<&str>, Fault> {
        let (blank, byte) = self.skip_blank()?;
        let (form, is_open) = match (self.form, byte) {
            (Form::Unknown, Some(b'{')) => (Form::Lines, true),
            (Form::Unknown, Some(b'[')) => {
                self.text.consume(1);
                (Form::Array, self.skip_blank()?.1 == Some(b'{'))
            }
            (Form::Array, Some(b',')) => {
                self.text.consume(1);
                if self.skip_blank()?.1 != Some(b'{') {
                    return Err(Fault::Damaged);
                }
                (Form::Array, true)
            }
            (Form::Array, Some(b']')) => (Form::Array, false),
            (Form::Lines, Some(b'{')) if blank == Blank::NewLine => (Form::Lines, true),
            (Form::Unknown | Form::Lines | Form::Ended, None) => return Ok(None),
            (Form::Unknown | Form::Array | Form::Lines | Form::Ended, _) => return Err(Fault::Damaged),
        };
        if !is_open {
            return self.close_array();
        }
        self.form = form;
        self.take_object()?;
        std::str::from_utf8(&self.object).map(Some).map_err(Fault::damaged)
    }

    fn close_array(&mut self) -> Result<Option<&str>, Fault> {
        if self.skip_blank()?.1 != Some(b']') {
            return Err(Fault::Damaged);
        }
        self.text.consume(1);
        self.form = Form::Ended;
        match self.skip_blank()?.1 {
            None => Ok(None),
            Some(_) => Err(Fault::Damaged),
        }
    }

    /// Returns the next byte that is not blank, without taking it.
    fn skip_blank(&mut self) -> Result<(Blank, Option<u8>), Fault> {
        let mut blank = Blank::SameLine;
        loop {
            let byte = self.text.fill_buf().map_err(Fault::damaged)?.first().copied();
            match byte {
                Some(b'\n') => blank = Blank::NewLine,
                Some(b' ' | b'\t' | b'\r') => {}
                Some(_) | None => return Ok((blank, byte)),
            }
            self.text.consume(1);
        }
    }

    /// Cuts out the text up to the brace that closes the first one.
    fn take_object(&mut self) -> Result<(), Fault> {
        self.object.clear();
        let mut depth = 0u64;
        let mut place = Place::Outside;
        loop {
            let chunk = self.text.fill_buf().map_err(Fault::damaged)?;
            if chunk.is_empty() {
                return Err(Fault::Damaged);
            }
            let closing = chunk.iter().position(|byte| {
                place = match (place, byte) {
                    (Place::Outside, b'"') => Place::InString,
                    (Place::InString, b'"') => Place::Outside,
                    (Place::InString, b'\\') => Place::Escaped,
                    (Place::Escaped, _) => Place::InString,
                    (Place::Outside | Place::InString, _) => place,
                };
                match (place, byte) {
                    (Place::Outside, b'{') => depth += 1,
                    (Place::Outside, b'}') => depth -= 1,
                    (Place::Outside | Place::InString | Place::Escaped, _) => return false,
                }
                depth == 0
            });
            let length = closing.map_or(chunk.len(), |position| position + 1);
            // Longer ones are too long, or a brace that was never closed.
            if self.object.len().saturating_add(length) > LONGEST_RECORD {
                return Err(Fault::Damaged);
            }
            self.object.extend_from_slice(&chunk[..length]);
            self.text.consume(length);
            if closing.is_some() {
                return Ok(());
            }
        }
    }
}

/// Where in an object a byte is.
#[derive(Clone, Copy)]
enum Place {
    Outside,
    InString,
    Escaped,
}
