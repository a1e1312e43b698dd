//! A table as text: columns that stand beneath each other, whatever letters a name is written with.
//! It must never cut a cell, or leave a column out because there is no room.
//! It is separate because it measures in columns of a terminal, cell by cell, where the rest of a page folds words.
//! Read `../text.rs` for the rest of the page.

use super::{Layout, Mark};
use crate::chart::columns;
use crate::harmless::visible;
use crate::page::{Align, PageTable};

/// How far a table stands in, and how far its columns stand apart.
const GAP: usize = 2;

/// A table whose cells are what a terminal shows.
struct Cells {
    aligns: Vec<Align>,
    /// The head first.
    rows: Vec<Vec<String>>,
}

/// Writes a table.
pub(super) fn write(table: &PageTable, layout: &Layout, out: &mut String) {
    let cells = Cells::of(table);
    let all: Vec<usize> = (0..table.columns.len()).collect();
    cells.write(&all, layout, out);
}

/// Writes a table whose last column holds words, which go on below where they have no room.
pub(super) fn write_folding_last(table: &PageTable, layout: &Layout, out: &mut String) {
    let cells = Cells::of(table);
    let Some(last) = table.columns.len().checked_sub(1) else { return };
    let from = GAP + (0..last).map(|column| cells.width(column) + GAP).sum::<usize>();
    let room = layout.style.width.saturating_sub(from).max(LEAST_ROOM);
    let mut folded = Cells { aligns: cells.aligns.clone(), rows: Vec::new() };
    for row in &cells.rows {
        let mut lines = lines_of(row.get(last).map_or("", String::as_str), room).into_iter();
        let mut first = row.clone();
        if let (Some(cell), Some(line)) = (first.get_mut(last), lines.next()) {
            *cell = line;
        }
        folded.rows.push(first);
        folded.rows.extend(lines.map(|line| std::iter::repeat_n(String::new(), last).chain([line]).collect()));
    }
    let all: Vec<usize> = (0..table.columns.len()).collect();
    folded.write(&all, layout, out);
}

/// The room that words have at the least.
const LEAST_ROOM: usize = 16;

/// A text in lines of at most so many columns, where its words allow.
fn lines_of(text: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if columns(line) + 1 + columns(word) <= room => line.extend([" ", word]),
            Some(_) | None => lines.push(word.to_string()),
        }
    }
    lines
}

/// Writes a table, broken into several where it is too wide: the first columns stand in front of every part.
pub(super) fn write_in_parts(table: &PageTable, names: usize, layout: &Layout, out: &mut String) {
    let cells = Cells::of(table);
    let (named, others) = (0..names.min(table.columns.len()), names.min(table.columns.len())..table.columns.len());
    let room = layout.style.width.saturating_sub(named.clone().map(|column| GAP + cells.width(column)).sum());
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut left = 0;
    for column in others {
        let needed = GAP + cells.width(column);
        match parts.last_mut() {
            Some(part) if needed <= left => part.push(column),
            Some(_) | None => {
                parts.push(vec![column]);
                left = room;
            }
        }
        left = left.saturating_sub(needed);
    }
    if parts.is_empty() {
        parts.push(Vec::new());
    }
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let shown: Vec<usize> = named.clone().chain(part.iter().copied()).collect();
        cells.write(&shown, layout, out);
    }
}

impl Cells {
    fn of(table: &PageTable) -> Self {
        let head = table.columns.iter().map(|column| visible(&column.heading)).collect();
        let row = |row: &Vec<Option<String>>| {
            row.iter().take(table.columns.len()).map(|cell| visible(cell.as_deref().unwrap_or(""))).collect()
        };
        Cells {
            aligns: table.columns.iter().map(|column| column.align).collect(),
            rows: std::iter::once(head).chain(table.rows.iter().map(row)).collect(),
        }
    }

    fn width(&self, column: usize) -> usize {
        self.rows.iter().filter_map(|row| row.get(column)).map(|cell| columns(cell)).max().unwrap_or(0)
    }

    fn write(&self, shown: &[usize], layout: &Layout, out: &mut String) {
        let widths: Vec<usize> = shown.iter().map(|column| self.width(*column)).collect();
        for (number, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for (column, width) in shown.iter().zip(&widths) {
                let cell = row.get(*column).map_or("", String::as_str);
                let padding = " ".repeat(width - columns(cell));
                line.push_str(&" ".repeat(GAP));
                match self.aligns[*column] {
                    Align::Left => line.extend([cell, &padding]),
                    Align::Right => line.extend([&padding, cell]),
                }
            }
            let line = line.trim_end();
            let words = line.trim_start();
            out.push_str(&line[..line.len() - words.len()]);
            out.push_str(&if number == 0 { layout.marked(words, Mark::Head) } else { words.to_string() });
            out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Emphasis, TextStyle};

    fn layout(width: usize) -> Layout {
        Layout { style: TextStyle { emphasis: Emphasis::Plain, ..TextStyle::plain(width) } }
    }

    #[test]
    fn columns_stand_beneath_each_other_also_with_wide_letters() {
        let mut table = PageTable::new(&[("town", Align::Left), ("count", Align::Right)]);
        table.row(["漢字".into(), "7".into()]);
        table.row(["cafe\u{301}s".into(), "12".into()]);
        table.rows.push(vec![Some("Bern".into()), None]);
        let mut out = String::new();
        write(&table, &layout(80), &mut out);
        assert_eq!(out, "  town   count\n  漢字       7\n  cafe\u{301}s     12\n  Bern\n");
    }

    #[test]
    fn words_in_the_last_column_go_on_below_where_they_have_no_room() {
        let mut table = PageTable::new(&[("month", Align::Left), ("left", Align::Right), ("what", Align::Left)]);
        table.row(["May".into(), "1".into(), "two releases and nothing else".into()]);
        table.rows.push(vec![Some("June".into()), None, Some("nothing".into())]);
        let mut out = String::new();
        write_folding_last(&table, &layout(32), &mut out);
        let expected = "  month  left  what\n  May       1  two releases and\n               nothing else\n  June         nothing\n";
        assert_eq!(out, expected);
    }

    #[test]
    fn a_table_that_is_too_wide_goes_on_below_with_its_names() {
        let mut table =
            PageTable::new(&[("name", Align::Left), ("1", Align::Right), ("2", Align::Right), ("3", Align::Right)]);
        table.row(["a".into(), "100".into(), "200".into(), "300".into()]);
        let mut out = String::new();
        write_in_parts(&table, 1, &layout(16), &mut out);
        assert_eq!(out, "  name    1    2\n  a     100  200\n\n  name    3\n  a     300\n");
        let mut narrow = String::new();
        write_in_parts(&table, 1, &layout(5), &mut narrow);
        assert_eq!(narrow.matches("name").count(), 3, "every part has a column, whatever room there is");
    }
}
