//! A CSV file as rows within this program have it: without names of missing values, signs and marks.
//!
//! What no writer spells so is an error; it must never guess what was meant. It is separate because only verifiers and
//! renderings read files. Read `spelling.rs` for the rules.

use super::lines::{Fields, Lines, NotCsv};
use super::spelling::{CellOf, KeyPlaces, Spelling};
use super::text::write_fields;
use std::io::{BufRead, Write};

/// Why a file was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotUnspelt {
    /// It is not CSV as incrowd writes it.
    NotCsv,
    /// There is no room for a copy of it.
    NoRoom,
}

impl From<NotCsv> for NotUnspelt {
    fn from(_: NotCsv) -> Self {
        NotUnspelt::NotCsv
    }
}

/// Copies a CSV file, as bare rows.
pub(crate) fn unspelt(
    mut input: impl BufRead,
    spelling: &Spelling,
    places: KeyPlaces,
    output: &mut impl Write,
) -> Result<(), NotUnspelt> {
    let mut start = vec![0; spelling.start().len()];
    input.read_exact(&mut start).map_err(|_| NotUnspelt::NotCsv)?;
    if start != spelling.start().as_bytes() {
        return Err(NotUnspelt::NotCsv);
    }
    let mut lines = Lines::new(input);
    let mut text = Vec::new();
    let mut is_header = true;
    while let Some(fields) = lines.next()? {
        let first_is_there = fields.first().is_some_and(Option::is_some);
        let cell = |column: usize| if is_header { CellOf::Rest } else { places.cell(column, first_is_there) };
        let read = |(column, field): (usize, Option<String>)| value(field, spelling, cell(column));
        let fields = fields.into_iter().enumerate().map(read).collect::<Option<Fields>>().ok_or(NotUnspelt::NotCsv)?;
        text.clear();
        write_fields(&fields, &mut text);
        output.write_all(&text).map_err(|_| NotUnspelt::NoRoom)?;
        is_header = false;
    }
    Ok(())
}

/// The value of a field, missing or not; nothing if it is not written so.
fn value(field: Option<String>, spelling: &Spelling, cell: CellOf) -> Option<Option<String>> {
    match (field, cell, spelling.missing()) {
        (Some(text), CellOf::Key, Some(missing)) if text == missing => Some(None),
        (Some(text), CellOf::Key | CellOf::Rest, _) => spelling.read(&text, cell).map(Some),
        // Where missing keys have a name, no other one is empty.
        (None, CellOf::Key, Some(_)) => None,
        (None, CellOf::Key, None) | (None, CellOf::Rest, _) => Some(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{CsvStart, OutputRequest};

    fn read(text: &str, spelling: &Spelling, places: KeyPlaces) -> Result<String, NotUnspelt> {
        let mut output = Vec::new();
        unspelt(text.as_bytes(), spelling, places, &mut output)?;
        Ok(String::from_utf8(output).expect("text"))
    }

    #[test]
    fn names_signs_and_marks_are_taken_off_and_nothing_else_is_read() {
        let plain = Spelling::of(&OutputRequest::default());
        let marked = Spelling::of(&OutputRequest { csv_start: CsvStart::ByteOrderMark, ..OutputRequest::default() });
        let (one, totals) = (KeyPlaces::First(1), KeyPlaces::Second);
        let text = "'=word,count\n(missing),3\n'(missing),\n'@x,4\n";
        assert_eq!(read(text, &plain, one), Ok("=word,count\n,3\n(missing),\n@x,4\n".into()));
        assert_eq!(read(&format!("\u{feff}{text}"), &marked, one), read(text, &plain, one));
        assert_eq!(read("dimension,value\na,(missing)\n,\n", &plain, totals), Ok("dimension,value\na,\n,\n".into()));
        for wrong in ["w,n\n,3\n", "w,n\n@x,3\n", "w,n\n'a,3\n'-3,4\n", "=w,n\n"] {
            assert_eq!(read(wrong, &plain, one), Err(NotUnspelt::NotCsv), "{wrong:?}");
        }
        assert_eq!(read(text, &marked, one), Err(NotUnspelt::NotCsv), "the mark is missing");
    }
}
