//! A page for people as a tree: a title, sections, and in them sentences, facts, lists, tables and charts. It must
//! never know how it is shown, nor hold markup or an escape code: any text is safe, as those who show it see to that.
//! It is separate so that a terminal, a file for browsers and a notebook show the same page without saying it again.
//! Read `text.rs` or `html.rs` next, which show it.

use crate::chart::{CellMap, Chart, Shades};
use crate::count::PageCount;
use crate::meter::Meter;

/// A page, complete with its words. Any text is safe.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// What the page is about.
    pub title: String,
    /// A quieter line under the title; empty for none.
    pub subtitle: String,
    /// What must be seen before anything else.
    pub warning: Option<String>,
    /// What stands across every sheet of it, where something does; a warning says the same in words.
    pub stamp: Option<Stamp>,
    /// Whether its headings are listed first.
    pub contents: PageContents,
    /// In order.
    pub sections: Vec<Section>,
}

/// What stands across every sheet of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stamp {
    /// Nothing on it is about people, and nothing is private.
    Rehearsal,
    /// It is declared that nothing on it is about people.
    MadeUp,
}

/// Whether the headings of a page are listed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageContents {
    /// The page is short.
    Unlisted,
    /// Each heading leads to its section, where a page has links.
    Listed,
}

/// A part of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// What it is about; empty where what stands above says it.
    pub heading: String,
    /// In order.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// Sentences.
    Paragraph(String),
    /// A sentence that belongs to the block above it.
    Note(String),
    /// Somebody's own words, which nobody verified; blank lines part paragraphs.
    Quote(String),
    /// Lines with bullets.
    List(Vec<String>),
    /// Names and what they stand for; an empty name goes on with the one above.
    Facts(Vec<(String, String)>),
    /// A command to type.
    Command(String),
    /// Rows under headings.
    Table(PageTable),
    /// The same, in which some rows, by their places, are not to be relied on.
    GreyedTable {
        /// The table.
        table: PageTable,
        /// The rows that step back, ascending.
        grey: Vec<usize>,
    },
    /// Files in the same folder, which a browser can open.
    Files(Vec<FileLink>),
    /// Blocks that are shown when they are asked for, and in print.
    Fold {
        /// What they are.
        summary: String,
        /// The blocks.
        blocks: Vec<Block>,
    },
    /// Blocks that are shown when they are asked for; as text only what they are is said, so a command must have a way
    /// to ask.
    FoldedBlocks {
        /// What they are.
        summary: String,
        /// In order.
        blocks: Vec<Block>,
    },
    /// A table that is broken into several, one beneath the other, where its columns have no room side by side.
    WideTable {
        /// The table.
        table: PageTable,
        /// So many of its first columns say what a row is, and stand in front of every part.
        names: usize,
    },
    /// A question with some answers, of which one is shown at a time; left out on paper, so a table must say the same.
    Picker(Picker),
    /// Counts as bars with their intervals, a table with a picture in it.
    Bars(Vec<Bar>),
    /// Amounts that fill a limit, a table with a picture in it.
    Meters(MeterTable),
    /// What happened, one thing after the other.
    Log(Vec<LogEntry>),
    /// Counts of a table with two dimensions, darker where there are more.
    Heat(Heat),
    /// The same without numbers, for tables that are too large for them.
    Shades(Shades),
    /// Counts of cells on a plane, each with its true shape.
    Map(CellMap),
    /// A long text that is shown when it is asked for.
    Folded {
        /// What it is.
        summary: String,
        /// The text, as it is.
        text: String,
    },
    /// A picture of values; what it shows stands in a table beside it as well.
    Chart(Box<Chart>),
}

/// A question with some answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picker {
    /// What is asked.
    pub question: String,
    /// What can be picked, and the answer; at most 16.
    pub answers: Vec<(String, String)>,
    /// Which one is shown first.
    pub first: usize,
}

/// A file in the same folder as the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLink {
    /// Its name: letters, digits, points, hyphens and underscores; any other name is shown and leads nowhere.
    pub name: String,
    /// What it holds.
    pub words: String,
}

/// One count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// What is counted.
    pub label: String,
    /// The published count.
    pub count: PageCount,
    /// Where the count before noise lies.
    pub interval: Option<(i64, i64)>,
}

/// Counts by two dimensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heat {
    /// The heading of the first dimension.
    pub corner: String,
    /// The heading of the second one, which stands above its values; empty where the corner names both.
    pub across: String,
    /// The values of the second dimension.
    pub columns: Vec<String>,
    /// The values of the first dimension, each with its counts.
    pub rows: Vec<(String, Vec<PageCount>)>,
}

/// A table with a picture behind its first column: what was there, what came, and where the limit is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeterTable {
    /// Its columns, without the picture's.
    pub columns: Vec<PageColumn>,
    /// In order.
    pub rows: Vec<MeterRow>,
}

/// A row with its picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeterRow {
    /// A cell for every column; a missing value is nothing.
    pub cells: Vec<Option<String>>,
    /// Nothing where there is nothing to be drawn.
    pub meter: Option<Meter>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogEntry {
    /// What and when.
    pub heading: String,
    /// How much it matters.
    pub weight: LogWeight,
    /// Who, what, where and why, each with its name.
    pub facts: Vec<(String, String)>,
}

/// How much something that happened matters. No meaning hangs on it that words do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogWeight {
    /// What is to be expected.
    Usual,
    /// What somebody should look at.
    Striking,
}

/// Rows under headings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageTable {
    /// One for each column.
    pub columns: Vec<PageColumn>,
    /// Cells; a missing value is nothing.
    pub rows: Vec<Vec<Option<String>>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageColumn {
    /// Its heading.
    pub heading: String,
    /// On which side its cells stand.
    pub align: Align,
}

/// On which side cells stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

impl Page {
    /// Returns a page without sections.
    pub fn titled(title: impl Into<String>) -> Page {
        Page {
            title: title.into(),
            subtitle: String::new(),
            warning: None,
            stamp: None,
            contents: PageContents::Unlisted,
            sections: Vec::new(),
        }
    }

    /// Adds a section under a heading, which is empty where what stands above says it.
    pub fn add(&mut self, heading: &str, blocks: Vec<Block>) {
        self.sections.push(Section { heading: heading.into(), blocks });
    }

    /// Returns several pages as one, each under its own title; one page stays as it is.
    pub fn together(title: &str, pages: Vec<Page>) -> Page {
        let mut pages = pages;
        if pages.len() == 1
            && let Some(only) = pages.pop()
        {
            return only;
        }
        let mut all = Page::titled(title);
        for page in pages {
            all.warning = all.warning.or(page.warning);
            all.stamp = all.stamp.or(page.stamp);
            let blocks = if page.subtitle.is_empty() { Vec::new() } else { vec![Block::Note(page.subtitle)] };
            let mut own = Section { heading: page.title, blocks };
            let mut sections = page.sections.into_iter().peekable();
            if let Some(first) = sections.next_if(|first| first.heading.is_empty()) {
                own.blocks.extend(first.blocks);
            }
            all.sections.push(own);
            all.sections.extend(sections);
        }
        all
    }
}

/// Returns the paragraphs of a text, which blank lines part.
pub(crate) fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n\n").map(str::trim).filter(|part| !part.is_empty())
}

/// Facts while they are gathered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts(Vec<(String, String)>);

impl Facts {
    /// Adds what a name stands for.
    pub fn add(&mut self, name: &str, text: impl Into<String>) {
        self.0.push((name.into(), text.into()));
    }

    /// Adds several texts under one name; no text, no name.
    pub fn add_all(&mut self, name: &str, texts: impl IntoIterator<Item = String>) {
        let mut name = name;
        for text in texts {
            self.add(name, text);
            name = "";
        }
    }

    /// Returns them as a block.
    pub fn block(self) -> Block {
        Block::Facts(self.0)
    }
}

impl MeterTable {
    /// Returns a table without rows.
    pub fn new(columns: &[(&str, Align)]) -> MeterTable {
        MeterTable { columns: PageTable::new(columns).columns, rows: Vec::new() }
    }

    /// Returns the table without its pictures, which say nothing else.
    pub(crate) fn table(&self) -> PageTable {
        let rows = self.rows.iter().map(|row| row.cells.clone()).collect();
        PageTable { columns: self.columns.clone(), rows }
    }
}

impl IntoIterator for Facts {
    type Item = (String, String);
    type IntoIter = std::vec::IntoIter<(String, String)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl PageTable {
    /// Returns a table without rows.
    pub fn new(columns: &[(&str, Align)]) -> PageTable {
        let column = |(heading, align): &(&str, Align)| PageColumn { heading: (*heading).into(), align: *align };
        PageTable { columns: columns.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a row in which nothing is missing.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(Some).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_together_keep_their_titles_and_every_section() {
        let page = |title: &str| {
            let mut page = Page::titled(title);
            page.add("", vec![Block::Paragraph(format!("{title} is this"))]);
            page.add("more", vec![Block::Note("note".into())]);
            page
        };
        assert_eq!(Page::together("all", vec![page("one")]), page("one"));
        let all = Page::together("all", vec![page("one"), page("two")]);
        let headings: Vec<&str> = all.sections.iter().map(|section| section.heading.as_str()).collect();
        assert_eq!((all.title.as_str(), headings), ("all", vec!["one", "more", "two", "more"]));
        assert_eq!(all.sections[2].blocks, [Block::Paragraph("two is this".into())]);
    }
}
