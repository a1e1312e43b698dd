//! How text looks: labels, tables, folded lines, and styles that vanish where there is no terminal.
//!
//! Colour must never carry a meaning that the words do not. It is separate so that all commands look alike. Read `plan.rs`
//! for the main page.

use crate::failure::Failure;
use anstyle::{AnsiColor, Style};
use std::io::Write;

/// The column at which the text behind a label starts.
const INDENT: usize = 15;

/// The width of the page: that of the terminal, within reason.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0)).clamp(60, 120)
}

/// Prints an object.
pub fn print_json(object: &serde_json::Value) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(object).unwrap_or_else(|_| object.to_string());
    let mut stdout = std::io::stdout().lock();
    Ok(writeln!(stdout, "{text}")?)
}

/// Prints a page; no-break spaces, which only keep folding away, become plain ones.
pub fn print(text: &str) -> Result<(), Failure> {
    let text = text.replace('\u{a0}', " ");
    Ok(anstream::stdout().write_all(text.as_bytes())?)
}

/// A heading.
pub fn heading(text: &str) -> String {
    let style = Style::new().bold();
    format!("{style}{text}{style:#}\n")
}

/// A label in front of a text.
pub fn label(text: &str) -> String {
    let style = AnsiColor::Cyan.on_default();
    format!("{style}{text}{style:#}")
}

/// What an error starts with.
pub fn error_label() -> String {
    let style = AnsiColor::Red.on_default().bold();
    format!("{style}error:{style:#}")
}

/// A line `  name         text`, folded to the width of the page.
pub fn entry(name: &str, text: &str) -> String {
    entry_at(INDENT, name, text)
}

/// The same with the text starting at another column.
pub fn entry_at(indent: usize, name: &str, text: &str) -> String {
    let padding = " ".repeat(indent.saturating_sub(2 + name.chars().count()).max(1));
    let lines = folded(text, width().saturating_sub(indent));
    let joined = lines.join(&format!("\n{}", " ".repeat(indent)));
    format!("  {}{padding}{joined}\n", label(name))
}

/// Several texts under one label.
pub fn entries(name: &str, texts: &[String]) -> String {
    let mut name = name;
    let mut page = String::new();
    for text in texts {
        page.push_str(&entry(name, text));
        name = "";
    }
    page
}

/// Breaks a text at spaces so that no line is longer than `width`, where words allow.
fn folded(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut space = "";
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() && line.chars().count() + space.len() + word.chars().count() > width {
            lines.push(word.to_string());
        } else {
            line.push_str(space);
            line.push_str(word);
        }
        space = " ";
    }
    lines.into_iter().map(|line| line.trim_end().to_string()).collect()
}

/// A table with right-aligned columns, but for the first if `names` says so.
pub struct Table {
    rows: Vec<Vec<String>>,
    names: Names,
}

/// How the first column is aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// Like numbers.
    Right,
    /// Like names.
    Left,
}

impl Table {
    /// A table with a head.
    pub fn new(head: &[&str], names: Names) -> Self {
        Table { rows: vec![head.iter().map(|cell| (*cell).to_string()).collect()], names }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Returns the table as text, two spaces in.
    pub fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let wide = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(wide).collect();
        let mut page = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let mut line = String::from("  ");
            for (column, cell) in row.iter().enumerate() {
                let padding = " ".repeat(widths[column] - cell.chars().count());
                if column > 0 {
                    line.push_str("  ");
                }
                if column == 0 && self.names == Names::Left {
                    line.push_str(cell);
                    line.push_str(&padding);
                } else {
                    line.push_str(&padding);
                    line.push_str(cell);
                }
            }
            let line = line.trim_end();
            if index == 0 {
                let style = Style::new().underline();
                let body = line.trim_start();
                page.push_str(&format!("{}{style}{body}{style:#}\n", &line[..line.len() - body.len()]));
            } else {
                page.push_str(line);
                page.push('\n');
            }
        }
        page
    }
}

/// An error as people read it: 40, 1.1, 0.0021.
pub fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor();
    if (-3.0..6.0).contains(&magnitude) {
        let places = if magnitude >= 2.0 { 0 } else { (1.0 - magnitude).max(0.0) as usize };
        let text = format!("{value:.places$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
    } else {
        format!("{value:.1e}")
    }
}
