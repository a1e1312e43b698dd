//! How results reach a terminal: pages as text or HTML, objects as JSON, and styles that vanish where there is no
//! terminal.
//!
//! Colour must never carry a meaning that the words do not. It is separate so that all commands print alike. Read the
//! crate `report` for how a page becomes text.

use crate::args::PrintFormat;
use crate::failure::Failure;
use crate::talk;
use incrowd_release::plan_json::JSON_VERSION;
use incrowd_report::{Block, Emphasis, Page, TerminalStyle, TextStyle, html, text, text_of_blocks};
use std::io::Write;

/// How pages look here; what is printed loses its escape codes where nobody would see them.
pub fn style() -> TextStyle {
    let width = terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0)).clamp(60, 120);
    TextStyle { width, emphasis: Emphasis::Ansi, charts: TerminalStyle::Unicode }
}

/// Prints an object, with the version of its fields and the command that made it.
pub fn print_json(object: &serde_json::Value) -> Result<(), Failure> {
    print_schema(&of_this_command(object.clone()))
}

/// Returns an object with the version of its fields and the command that made it.
pub fn of_this_command(mut object: serde_json::Value) -> serde_json::Value {
    object["version"] = JSON_VERSION.into();
    object["command"] = talk::command().into();
    object
}

/// Prints a schema, which has a form that others have set.
pub fn print_schema(object: &serde_json::Value) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(object).unwrap_or_else(|_| object.to_string());
    let mut stdout = std::io::stdout().lock();
    Ok(writeln!(stdout, "{text}")?)
}

/// Prints a text.
pub fn print(text: &str) -> Result<(), Failure> {
    Ok(anstream::stdout().write_all(text.as_bytes())?)
}

/// Several pages that belong together, and what is said below them.
pub struct Printed<'a> {
    /// What they are, where they stand in one file.
    pub title: &'a str,
    /// In order.
    pub pages: Vec<Page>,
    /// Said below all of them; empty for nothing.
    pub closing: &'a str,
    /// Said behind it to whoever sits at a terminal.
    pub next: String,
}

impl Printed<'_> {
    /// Returns pages with nothing below them.
    pub fn only(title: &str, pages: Vec<Page>) -> Printed<'_> {
        Printed { title, pages, closing: "", next: String::new() }
    }

    /// Prints them, as one HTML file where that is asked for.
    pub fn print(self, format: PrintFormat) -> Result<(), Failure> {
        if format == PrintFormat::Html {
            let mut page = Page::together(self.title, self.pages);
            if !self.closing.is_empty() {
                page.add("", vec![Block::Paragraph(self.closing.into())]);
            }
            return Ok(std::io::stdout().lock().write_all(html(&page).as_bytes())?);
        }
        let mut parts: Vec<String> = self.pages.iter().map(|page| text(page, &style())).collect();
        // A command is to be copied: it is never folded.
        let below = format!("{}{}", self.closing, self.next);
        if !below.is_empty() {
            parts.push(format!("{below}\n"));
        }
        print(&parts.join("\n"))
    }
}

/// Prints a page, and a line below it.
pub fn print_page(page: &Page, next: &str) -> Result<(), Failure> {
    let next = if next.is_empty() { String::new() } else { format!("\n{next}\n") };
    print(&format!("{}{next}", text(page, &style())))
}

/// Prints blocks without a page around them.
pub fn print_blocks(blocks: Vec<Block>) -> Result<(), Failure> {
    print(&text_of_blocks(blocks, &style()))
}
