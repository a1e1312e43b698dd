//! Rows that may stand between quotes: fields over several lines of which every line looks like a row.
//!
//! Text over several lines is lawful, and such a file is read to its end: this is a question to somebody who knows the
//! file. It must never decide what a release reads. It is separate from damage, which is no question. Read `records.rs`
//! for what is seen of a field, `diagnosis.rs` for quotes that are closed in the middle of a field.

use super::advice::{Advice, Change};
use super::diagnosis::Reads;
use super::findings::{RowsInQuotes, Spot, SpotInFile};
use super::locate::{fields_of, file_name};
use super::opened_text::opened_text;
use super::records::each_record;
use crate::file::Signs;
use crate::source::{Files, Format, OneFile};
use incrowd_engine::{Dialect, Quote};
use memchr::memchr;
use std::io::{self, BufRead};
use std::ops::ControlFlow;

/// So many of them are shown.
const SHOWN: usize = 5;

/// Returns the fields that look like rows between quotes.
pub(super) fn rows_in_quotes(files: &Files) -> RowsInQuotes {
    let mut found = RowsInQuotes::default();
    let is_text = matches!(files.format, Format::Csv | Format::Tsv);
    if is_text && files.dialect.quote != Quote::None {
        for (place, file) in files.files.iter().enumerate() {
            // What was read a moment ago and cannot be read again has nothing to tell.
            let _ = in_file(files, place, file, &mut found);
        }
    }
    found
}

fn in_file(files: &Files, place: usize, file: &OneFile, found: &mut RowsInQuotes) -> io::Result<()> {
    let signs = Signs::of(files.format, &files.dialect);
    if !has(&mut opened_text(file, files)?, signs.quote)? {
        return Ok(());
    }
    let columns = fields_of(files);
    each_record(opened_text(file, files)?, files.dialect.skip_lines, signs, |record| {
        let looks_like_rows = |width: usize| width == columns && width > 1;
        if let Some(field) = record.over_lines.filter(|field| field.width.is_some_and(looks_like_rows)) {
            found.fields += 1;
            found.rows += field.closed - field.opened;
            if found.first.len() < SHOWN {
                let spot = Spot { file: file_name(files, place), place: SpotInFile::Line(field.opened) };
                found.first.push((spot, field.closed));
            }
        }
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// Whether a text has a sign anywhere.
fn has(text: &mut impl BufRead, sign: u8) -> io::Result<bool> {
    loop {
        let chunk = text.fill_buf()?;
        if chunk.is_empty() || memchr(sign, chunk).is_some() {
            return Ok(!chunk.is_empty());
        }
        let taken = chunk.len();
        text.consume(taken);
    }
}

/// Returns what may be done about them; `reads` says whether the data can be read to its end in a dialect.
pub(super) fn advised(found: &RowsInQuotes, dialect: &Dialect, reads: Reads<'_>) -> Option<Advice> {
    let (first, _) = found.first.first()?;
    let because = format!("{first}: are these rows, and is a quote missing or one too many?");
    let by_hand = vec![Change::ByHand("close the quote in the file".into())];
    let none = Dialect { quote: Quote::None, ..dialect.clone() };
    let ways = if reads(none) { vec![by_hand, vec![Change::text("quote", "none")]] } else { vec![by_hand] };
    Some(Advice { because, ways, helped: None })
}
