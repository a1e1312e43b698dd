//! What is wrong with a request, where, and what to write instead.
//!
//! It shows the offending line; it must never panic, print a control character or flood the screen, whatever the file
//! holds. It is separate because it draws (`ariadne` prints a line of a megabyte in full and passes escape codes
//! through). Read `fields.rs` next for where errors come from.

use std::fmt;
use std::ops::Range;

/// Whether a terminal that understands colours is listening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Plain,
    /// With ANSI escape codes; they carry no meaning of their own.
    Ansi,
}

/// Why a request is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestError {
    message: String,
    hint: Option<String>,
    span: Option<Range<usize>>,
}

/// Most characters of a line that are shown, and most of a quotation within a message.
const MAX_LINE: usize = 100;
const MAX_QUOTE: usize = 60;

impl RequestError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        RequestError { message: message.into(), hint: None, span: None }
    }

    /// Says where it is, in what has places.
    pub(super) fn at(self, span: impl Into<Option<Range<usize>>>) -> Self {
        RequestError { span: span.into(), ..self }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        RequestError { hint: Some(hint.into()), ..self }
    }

    /// What is wrong, in one sentence.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    pub fn hint_text(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Where it is, in bytes of the request's text.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// Returns the message with the file, the line, the offending text underlined, and the hint.
    pub fn render(&self, file_name: &str, source: &str, colour: Colour) -> String {
        let paint = |code: &str, text: &str| match colour {
            Colour::Plain => text.to_string(),
            Colour::Ansi => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        };
        let mut out = format!("{}: {}\n", paint("1;31", "error"), printable(&self.message));
        match self.span.as_ref().map(|span| Place::find(source, span)) {
            None => out += &format!("  --> {}\n", printable(file_name)),
            Some(place) => {
                let number = place.line.to_string();
                let margin = " ".repeat(number.len());
                let under = format!("{}{}", " ".repeat(place.indent), paint("1;31", &"^".repeat(place.marks)));
                out += &format!("{margin} --> {}:{}:{}\n", printable(file_name), place.line, place.column);
                out += &format!("{margin} |\n{number} | {}\n{margin} | {under}\n", place.text);
            }
        }
        if let Some(hint) = &self.hint {
            out += &format!("{}: {}\n", paint("1;36", "hint"), printable(hint));
        }
        out
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RequestError {}

/// A line of the request, cut to what fits, and what to underline in it.
struct Place {
    line: usize,
    column: usize,
    text: String,
    indent: usize,
    marks: usize,
}

impl Place {
    fn find(source: &str, span: &Range<usize>) -> Self {
        let start = floor_boundary(source, span.start);
        let end = floor_boundary(source, span.end.max(start));
        let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |at| start + at);
        let before = source[line_start..start].chars().count();
        let marked = source[start..end.min(line_end)].chars().count();
        // A long line is shown from a little before the place on.
        let skipped = if before + marked.min(20) > MAX_LINE { before - before.min(20) } else { 0 };
        let line = source[line_start..line_end].trim_end_matches('\r');
        let line = without_passwords(line);
        let shown: String = line.chars().skip(skipped).take(MAX_LINE).collect();
        let more = line.chars().nth(skipped + MAX_LINE).is_some();
        let ahead = if skipped > 0 { "..." } else { "" };
        let indent = before - skipped + ahead.len();
        Place {
            line: source[..start].matches('\n').count() + 1,
            column: before + 1,
            text: format!("{ahead}{}{}", printable(&shown), if more { "..." } else { "" }),
            indent,
            marks: marked.clamp(1, MAX_LINE - (before - skipped).min(MAX_LINE - 1)),
        }
    }
}

/// Returns a line without the password of an address in it, as long as before.
fn without_passwords(line: &str) -> String {
    let (Some(scheme), Some(at)) = (line.find("://"), line.rfind('@')) else { return line.to_owned() };
    let start = scheme.saturating_add(3);
    match line.get(start..at).and_then(|who| who.find(':').map(|colon| start + colon + 1)) {
        None => line.to_owned(),
        Some(from) => {
            let hidden = "*".repeat(line[from..at].chars().count());
            format!("{}{hidden}{}", &line[..from], &line[at..])
        }
    }
}

fn floor_boundary(source: &str, at: usize) -> usize {
    let mut at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns a text that cannot speak to a terminal: control characters and those that reverse or hide text are replaced.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c == '\t' {
                ' '
            } else if is_unprintable(c) {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

fn is_unprintable(c: char) -> bool {
    // Beside control characters: those that reverse or hide text.
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns a text for quoting in a message: in backticks, and short.
pub(super) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(MAX_QUOTE).collect();
    let more = if text.chars().nth(MAX_QUOTE).is_some() { "..." } else { "" };
    format!("`{}{more}`", printable(&short))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(span: Range<usize>) -> RequestError {
        RequestError::new("this is wrong").hint("write it right").at(span)
    }

    #[test]
    fn an_error_shows_file_line_place_and_hint() {
        let source = "a = 1\nepsilom = 2\n";
        let shown = error(6..13).render("request.toml", source, Colour::Plain);
        let expected =
            "error: this is wrong\n  --> request.toml:2:1\n  |\n2 | epsilom = 2\n  | ^^^^^^^\nhint: write it right\n";
        assert_eq!(shown, expected);
        let coloured = error(6..13).render("request.toml", source, Colour::Ansi);
        assert!(coloured.contains("\u{1b}[1;31m^^^^^^^\u{1b}[0m"));
    }

    #[test]
    fn places_outside_the_text_or_inside_a_character_do_not_panic() {
        let backwards = Range { start: 2, end: 1 };
        for span in [0..0, 1..2, backwards, 5..5, 6..999, 999..1000] {
            for source in ["", "é", "aé\r\nb", "\n\n", "日本\u{1b}[31m"] {
                let shown = error(span.clone()).render("r.toml", source, Colour::Plain);
                assert!(shown.contains("r.toml:") && !shown.contains('\u{1b}'), "{shown}");
            }
        }
    }

    #[test]
    fn a_line_of_a_megabyte_is_shown_around_the_place_only() {
        let source = "x".repeat(1_000_000);
        for start in [0, 95, 500_000, 999_999] {
            let shown = error(start..start + 7).render("r.toml", &source, Colour::Plain);
            assert!(shown.len() < 500 && shown.contains('^'), "{shown}");
        }
        assert!(quoted(&source).len() < 80);
    }
}
