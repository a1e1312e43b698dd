//! How many lines stand before the names: titles, dates, blank lines.
//!
//! A title fills hardly any of the fields that most lines have, or has fewer and a line of names below it. It must
//! never decide for a release, which skips what its request says. It is separate because texts and sheets have titles
//! alike. Read `../look.rs` for who asks.

use crate::file::Signs;
use crate::file::workbook::CellsInRow;
use csv::StringRecord;
use std::collections::BTreeSet;

/// Titles are looked for among so many lines.
const LINES: usize = 200;
/// At most so many lines are titles.
const MOST_TITLES: usize = 20;

/// One of the first lines that hold something.
struct FirstLines {
    /// So many lines are before it.
    before: u64,
    fields: usize,
    filled: usize,
}

/// Returns how many lines of a text stand before the one with the names.
pub(crate) fn title_lines(text: &str, signs: Signs) -> u64 {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(signs.delimiter)
        .quote(signs.quote)
        .from_reader(text.as_bytes());
    let records: Vec<StringRecord> = reader.records().take(LINES).map_while(Result::ok).collect();
    let lines = records.iter().map(|record| FirstLines {
        before: record.position().map_or(0, |position| lines_before(text, position.byte())),
        fields: record.len(),
        filled: record.iter().filter(|field| !field.trim().is_empty()).count(),
    });
    before_names(&lines.collect::<Vec<_>>(), &|line| reads_like_names(&records[line..]))
}

/// How many lines end before a place; the end of a line that was left over by the record before is passed.
fn lines_before(text: &str, place: u64) -> u64 {
    let bytes = text.as_bytes();
    let place = usize::try_from(place).unwrap_or(bytes.len()).min(bytes.len());
    let left_over = bytes[place..].iter().take_while(|byte| b"\r\n".contains(byte)).count();
    bytes[..place + left_over].iter().filter(|byte| **byte == b'\n').count() as u64
}

/// Returns how many rows of a sheet stand before the one with the names.
pub(crate) fn title_rows(rows: &[CellsInRow]) -> u64 {
    let lines = rows.iter().map(|row| FirstLines { before: row.number - 1, fields: row.cells, filled: row.cells });
    // Of a sheet only the filled cells are known, not what they hold.
    before_names(&lines.collect::<Vec<_>>(), &|_| false)
}

/// Whether the first of some lines has names: filled, different, no values, and none that stands below itself again.
fn reads_like_names(lines: &[StringRecord]) -> bool {
    let Some((first, below)) = lines.split_first() else { return false };
    let names: BTreeSet<&str> = first.iter().map(str::trim).collect();
    let is_again = |(place, name): (usize, &str)| below.iter().any(|line| line.get(place).map(str::trim) == Some(name));
    names.len() == first.len()
        && !names.iter().any(|name| name.is_empty() || is_value(name))
        && !first.iter().map(str::trim).enumerate().any(is_again)
}

fn before_names(lines: &[FirstLines], reads_like_names: &dyn Fn(usize) -> bool) -> u64 {
    let alike = |fields: usize| lines.iter().filter(|line| line.fields == fields).count();
    let Some(most) = lines.iter().map(|line| line.fields).max_by_key(|fields| (alike(*fields), *fields)) else {
        return 0;
    };
    // Names and one row, at least.
    if most < 2 || alike(most) < 2 {
        return 0;
    }
    let is_title = |line: &FirstLines| line.fields == 1 || line.filled * 2 < most;
    let first = lines.iter().position(|line| !is_title(line));
    // A title may have the sign between fields in it. Names may be fewer than the fields of rows, too: so that it takes
    // a wider line that reads like names.
    let wide = lines.iter().position(|line| line.fields == most && !is_title(line));
    match wide.filter(|wide| reads_like_names(*wide)).or(first) {
        Some(first @ 1..=MOST_TITLES) => lines[first].before,
        Some(_) | None => 0,
    }
}

/// Whether a text is what a value would be and hardly a name: a number, a date, true or false.
pub(crate) fn is_value(text: &str) -> bool {
    let is_flag = ["true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word));
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || b".,:/-+ T".contains(&byte));
    is_flag || (digits > 0 && is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAS: Signs = Signs { delimiter: b',', quote: b'"' };

    #[test]
    fn lines_that_fill_hardly_any_field_are_titles() {
        for (text, lines) in [
            ("HR export\nsex,age,town\nf,1,Bern\nm,2,Chur\n", 1),
            ("HR export,,\n,,\nsex,age,town\nf,1,Bern\nm,2,Chur\n", 2),
            ("\"HR export,\nZurich\"\nsex,age\nf,1\nm,2\n", 2),
            ("sex,age\nf,1\nm,2\n", 0),
            // Titles with commas in them; names that are fewer than the fields of rows are no title.
            ("Staff, Bern, 2026\nsex,age,town,note\nf,1,Bern,x\nm,2,Chur,y\n", 1),
            ("Staff, Bern\nas of 1 May, 2026\nsex,age,town\nf,1,Bern\nm,2,Chur\n", 2),
            ("age,town\n1,20,Bern\n2,30,Chur\n3,30,Chur\n", 0),
            ("sex,town\nf,Bern,x\nm,Chur,x\nf,Chur,y\n", 0),
            ("sex,town\nf,Bern,\nm,Chur,\n", 0),
            ("sex\nf\nm\n", 0),
            ("sex,age\n,\n,\n", 0),
            ("HR export\n", 0),
            ("", 0),
        ] {
            assert_eq!(title_lines(text, COMMAS), lines, "{text:?}");
        }
        // As Windows ends lines.
        for (text, lines) in [("HR export\nsex,age,town\nf,1,Bern\nm,2,Chur\n", 1), ("a\nb\nsex,age\nf,1\nm,2\n", 2)] {
            assert_eq!(title_lines(&text.replace('\n', "\r\n"), COMMAS), lines, "{text:?}");
        }
        // A blank line behind titles may be counted or not: before names it is no line.
        assert!((1..=2).contains(&title_lines("HR export\n\nsex,age\nf,1\nm,2\n", COMMAS)));
    }

    #[test]
    fn rows_of_a_sheet_keep_their_numbers() {
        let rows = |rows: &[(u64, usize)]| -> Vec<CellsInRow> {
            rows.iter().map(|(number, cells)| CellsInRow { number: *number, cells: *cells }).collect()
        };
        assert_eq!(title_rows(&rows(&[(1, 1), (2, 1), (4, 5), (5, 5), (6, 5)])), 3);
        assert_eq!(title_rows(&rows(&[(1, 5), (2, 5)])), 0);
    }
}
