//! How many lines stand before the names: titles, dates, blank lines.
//!
//! A title fills hardly any of the fields that most lines have. It must never decide for a release, which skips what
//! its request says. It is separate because texts and sheets have titles alike. Read `../look.rs` for who asks.

use crate::file::Signs;
use crate::file::workbook::CellsInRow;

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
    let records = reader.records().take(LINES).map_while(Result::ok);
    let lines = records.map(|record| FirstLines {
        before: record.position().map_or(0, |position| position.line().saturating_sub(1)),
        fields: record.len(),
        filled: record.iter().filter(|field| !field.trim().is_empty()).count(),
    });
    before_names(&lines.collect::<Vec<_>>())
}

/// Returns how many rows of a sheet stand before the one with the names.
pub(crate) fn title_rows(rows: &[CellsInRow]) -> u64 {
    let lines = rows.iter().map(|row| FirstLines { before: row.number - 1, fields: row.cells, filled: row.cells });
    before_names(&lines.collect::<Vec<_>>())
}

fn before_names(lines: &[FirstLines]) -> u64 {
    let alike = |fields: usize| lines.iter().filter(|line| line.fields == fields).count();
    let Some(most) = lines.iter().map(|line| line.fields).max_by_key(|fields| (alike(*fields), *fields)) else {
        return 0;
    };
    // Names and one row, at least.
    if most < 2 || alike(most) < 2 {
        return 0;
    }
    let is_title = |line: &FirstLines| line.fields == 1 || line.filled * 2 < most;
    match lines.iter().position(|line| !is_title(line)) {
        Some(first @ 1..=MOST_TITLES) => lines[first].before,
        Some(_) | None => 0,
    }
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
            ("sex\nf\nm\n", 0),
            ("sex,age\n,\n,\n", 0),
            ("HR export\n", 0),
            ("", 0),
        ] {
            assert_eq!(title_lines(text, COMMAS), lines, "{text:?}");
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
