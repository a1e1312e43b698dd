//! A page as text for a terminal: headings, folded sentences, facts behind their names, tables, and charts as sketches.
//! It must never let a character through that acts on a terminal, or let emphasis carry a meaning that words do not.
//! It is separate from what a page says, so that every command looks alike and nobody lays out lines by hand.
//! Read `text/table.rs` next.

mod table;

use crate::chart::{TerminalStyle, columns, terminal};
use crate::count::PageCount;
use crate::harmless::visible;
use crate::page::{Align, Bar, Block, FileLink, Heat, LogEntry, Page, PageContents, PageTable, Section, paragraphs};

/// How a page is shown as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextStyle {
    /// The columns there are; sentences are folded to them, where their words allow.
    pub width: usize,
    /// Whether headings and labels stand out.
    pub emphasis: Emphasis,
    /// The characters of charts.
    pub charts: TerminalStyle,
}

/// Whether headings, labels and heads of tables stand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emphasis {
    /// By their place alone.
    Plain,
    /// By escape codes of a terminal too.
    Ansi,
}

impl TextStyle {
    /// Returns plain text of so many columns.
    pub fn plain(width: usize) -> TextStyle {
        TextStyle { width, emphasis: Emphasis::Plain, charts: TerminalStyle::Unicode }
    }
}

/// Returns the page as text. Maps without numbers, and questions to be clicked on, are left out: tables say the same.
pub fn text(page: &Page, style: &TextStyle) -> String {
    let layout = Layout { style: *style };
    let mut out = String::new();
    for heading in page.warning.iter().chain([&page.title]).filter(|heading| !heading.is_empty()) {
        layout.heading(heading, &mut out);
    }
    if !page.subtitle.is_empty() {
        layout.sentence(&page.subtitle, 0, &mut out);
    }
    for (number, section) in page.sections.iter().enumerate() {
        // What has no heading of its own and comes first is what the title speaks of.
        let belongs_to_title = number == 0 && section.heading.is_empty();
        if !belongs_to_title && !out.is_empty() {
            out.push('\n');
        }
        // In a browser they are links, and stand there, too.
        if page.contents == PageContents::Listed && number == usize::from(page.sections[0].heading.is_empty()) {
            let headings = page.sections[number..].iter().map(|section| section.heading.clone());
            layout.block(&Block::List(headings.collect()), &mut out);
            out.push('\n');
        }
        layout.section(section, &mut out);
    }
    out.replace(NO_BREAK, " ")
}

/// Returns some blocks without a page around them as text.
pub fn text_of_blocks(blocks: Vec<Block>, style: &TextStyle) -> String {
    let mut out = String::new();
    Layout { style: *style }.section(&Section { heading: String::new(), blocks }, &mut out);
    out.replace(NO_BREAK, " ")
}

/// Keeps two words on one line, and is a plain space once lines are folded.
const NO_BREAK: char = '\u{a0}';
/// The shortest and the longest name of a fact that gets a column of its own.
const NAMES: (usize, usize) = (11, 40);
/// How far blocks stand in.
const INDENT: usize = 2;
/// The room of a chart.
const CHART: (usize, usize) = (92, 12);

/// What stands out, and how.
#[derive(Clone, Copy)]
enum Mark {
    Heading,
    Label,
    Head,
}

struct Layout {
    style: TextStyle,
}

impl Layout {
    fn marked(&self, text: &str, mark: Mark) -> String {
        let code = match mark {
            Mark::Heading => 1,
            Mark::Label => 36,
            Mark::Head => 4,
        };
        match self.style.emphasis {
            Emphasis::Ansi if !text.is_empty() => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            Emphasis::Ansi | Emphasis::Plain => text.to_string(),
        }
    }

    fn heading(&self, text: &str, out: &mut String) {
        out.push_str(&self.marked(&visible(text), Mark::Heading));
        out.push('\n');
    }

    fn section(&self, section: &Section, out: &mut String) {
        if !section.heading.is_empty() {
            self.heading(&section.heading, out);
        }
        for (number, block) in section.blocks.iter().enumerate() {
            if number > 0 && stands_apart(block) {
                out.push('\n');
            }
            self.block(block, out);
        }
    }

    fn block(&self, block: &Block, out: &mut String) {
        match block {
            Block::Paragraph(text) => self.sentence(text, 0, out),
            Block::Note(text) => self.sentence(text, INDENT, out),
            Block::List(lines) => lines.iter().for_each(|line| {
                out.push_str("  - ");
                self.folded(line, INDENT + 2, out);
            }),
            Block::Facts(facts) => self.facts(facts, INDENT, out),
            Block::Command(text) => lines(text, out),
            Block::Quote(text) => paragraphs(text).for_each(|part| self.sentence(part, INDENT, out)),
            Block::Files(files) => {
                let lines = files.iter().map(|FileLink { name, words }| format!("{name} {words}"));
                self.block(&Block::List(lines.collect()), out);
            }
            Block::FoldedBlocks { summary, .. } => self.sentence(summary, INDENT, out),
            Block::Fold { summary, blocks } => {
                self.sentence(summary, 0, out);
                let section = Section { heading: String::new(), blocks: blocks.clone() };
                self.section(&section, out);
            }
            Block::Table(table) | Block::GreyedTable { table, .. } => table::write(table, self, out),
            Block::WideTable { table, names } => table::write_in_parts(table, *names, self, out),
            Block::Bars(bars) => table::write(&bars_table(bars), self, out),
            Block::Meters(meters) => table::write_folding_last(&meters.table(), self, out),
            Block::Log(entries) => self.log(entries, out),
            Block::Heat(heat) => table::write_in_parts(&heat_table(heat), 1, self, out),
            Block::Folded { summary, text } => {
                self.sentence(summary, 0, out);
                lines(text, out);
            }
            Block::Chart(chart) => {
                let width = self.style.width.min(CHART.0);
                out.push_str(&terminal(chart, width, CHART.1, self.style.charts));
                out.push('\n');
            }
            // What they show stands in a table as well.
            Block::Picker(_) | Block::Shades(_) | Block::Map(_) => {}
        }
    }

    /// What happened, each with its facts further in.
    fn log(&self, entries: &[LogEntry], out: &mut String) {
        for entry in entries {
            self.sentence(&entry.heading, INDENT, out);
            self.facts(&entry.facts, 2 * INDENT, out);
        }
    }

    /// Names in one column, and what they stand for in the next.
    fn facts(&self, facts: &[(String, String)], from: usize, out: &mut String) {
        let longest = facts.iter().map(|(name, _)| columns(&visible(name))).max().unwrap_or(0);
        let indent = from + longest.clamp(NAMES.0, NAMES.1) + 2;
        for (name, text) in facts {
            let name = visible(name);
            let padding = indent.saturating_sub(from + columns(&name)).max(1);
            out.push_str(&" ".repeat(from));
            out.push_str(&self.marked(&name, Mark::Label));
            out.push_str(&" ".repeat(padding));
            self.folded(text, indent, out);
        }
    }

    fn sentence(&self, text: &str, indent: usize, out: &mut String) {
        out.push_str(&" ".repeat(indent));
        self.folded(text, indent, out);
    }

    /// Writes a text from a column on, broken at spaces so that no line is wider than the page, where words allow.
    fn folded(&self, text: &str, indent: usize, out: &mut String) {
        let room = self.style.width.saturating_sub(indent);
        let mut lines = vec![String::new()];
        let mut space = "";
        for word in visible(text).split(' ') {
            let full = |line: &String| !line.is_empty() && columns(line) + space.len() + columns(word) > room;
            match lines.last_mut() {
                Some(line) if !full(line) => line.extend([space, word]),
                Some(_) | None => lines.push(word.to_string()),
            }
            space = " ";
        }
        let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
        out.push_str(&lines.join(&format!("\n{}", " ".repeat(indent))));
        out.push('\n');
    }
}

/// Whether a blank line stands before a block that is not the first of its section.
fn stands_apart(block: &Block) -> bool {
    match block {
        Block::Paragraph(_)
        | Block::Quote(_)
        | Block::Command(_)
        | Block::Folded { .. }
        | Block::Fold { .. }
        | Block::FoldedBlocks { .. }
        | Block::Chart(_) => true,
        Block::Note(_)
        | Block::Files(_)
        | Block::GreyedTable { .. }
        | Block::Map(_)
        | Block::List(_)
        | Block::Facts(_)
        | Block::Table(_)
        | Block::WideTable { .. }
        | Block::Bars(_)
        | Block::Meters(_)
        | Block::Log(_)
        | Block::Heat(_)
        | Block::Picker(_)
        | Block::Shades(_) => false,
    }
}

/// Lines as they are, further in.
fn lines(text: &str, out: &mut String) {
    for line in text.lines() {
        out.push_str(format!("    {}", visible(line)).trim_end());
        out.push('\n');
    }
}

fn bars_table(bars: &[Bar]) -> PageTable {
    let mut table = PageTable::new(&[("", Align::Left), ("count", Align::Right), ("low to high", Align::Right)]);
    for bar in bars {
        let count = bar.count.words().unwrap_or_else(|| "not shown".into());
        let interval = bar.interval.map(|(low, high)| format!("{low} to {high}"));
        table.rows.push(vec![Some(bar.label.clone()), Some(count), interval]);
    }
    table
}

fn heat_table(heat: &Heat) -> PageTable {
    let columns = heat.columns.iter().map(|column| (column.as_str(), Align::Right));
    let corner = match heat.across.as_str() {
        "" => heat.corner.clone(),
        across => format!("{} \\ {across}", heat.corner),
    };
    let columns: Vec<(&str, Align)> = std::iter::once((corner.as_str(), Align::Left)).chain(columns).collect();
    let mut table = PageTable::new(&columns);
    for (label, counts) in &heat.rows {
        let cells = counts.iter().map(PageCount::words);
        table.rows.push(std::iter::once(Some(label.clone())).chain(cells).collect());
    }
    table
}

#[cfg(test)]
mod tests;
