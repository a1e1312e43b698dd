//! Which styles of an Excel workbook show numbers as days or times.
//!
//! A day is a number there, and only the style of its cell says so. It must never depend on a value. It is separate
//! because the rule is Excel's. Read `xlsx.rs` next.

use super::xml::{Step, Xml, damaged};
use std::collections::BTreeSet;
use std::io;

/// Most styles that a workbook may have.
const MOST_STYLES: usize = 1 << 20;

/// The styles of a workbook.
#[derive(Debug, Default)]
pub(super) struct Styles {
    shows_days: Vec<bool>,
}

impl Styles {
    /// Reads them.
    pub(super) fn read(mut document: Xml) -> io::Result<Styles> {
        let mut styles = Styles::default();
        let mut days: BTreeSet<String> = BTreeSet::new();
        let mut in_cells = false;
        loop {
            match document.next()? {
                Step::Open(element) if element.is("numFmt") => {
                    let (number, code) = (element.says("numFmtId")?, element.says("formatCode")?);
                    if let (Some(number), Some(code)) = (number, code)
                        && shows_days(&code)
                    {
                        days.insert(number);
                    }
                }
                Step::Open(element) if element.is("cellXfs") => in_cells = true,
                Step::Open(element) if element.is("xf") && in_cells => {
                    let number = element.says("numFmtId")?.unwrap_or_default();
                    styles.shows_days.push(days.contains(&number) || is_known_for_days(&number));
                }
                Step::Close(name) if name == "cellXfs" => in_cells = false,
                Step::Open(_) | Step::Close(_) | Step::Text(_) => {}
                Step::End => return Ok(styles),
            }
            if styles.shows_days.len() > MOST_STYLES || days.len() > MOST_STYLES {
                return Err(damaged());
            }
        }
    }

    /// Returns whether numbers of a style are shown as days or times.
    pub(super) fn show_days(&self, style: usize) -> bool {
        self.shows_days.get(style).copied().unwrap_or(false)
    }
}

/// The formats that every Excel has: days, times and, in some languages, days of their own.
fn is_known_for_days(number: &str) -> bool {
    number.parse::<u16>().is_ok_and(|number| matches!(number, 14..=22 | 27..=36 | 45 | 47 | 50..=58))
}

/// Returns whether a format has a day, a month, a year, an hour, a minute or a second in it, outside of quotes and
/// brackets. What is counted on beyond a day, as `[h]` does, is a number of days.
fn shows_days(code: &str) -> bool {
    let first = code.split(';').next().unwrap_or_default();
    let mut letters = first.chars();
    let mut found = false;
    while let Some(letter) = letters.next() {
        match letter {
            '"' => while letters.next().is_some_and(|letter| letter != '"') {},
            '\\' | '_' | '*' => {
                letters.next();
            }
            '[' => {
                let inside: String = letters.by_ref().take_while(|letter| *letter != ']').collect();
                let counted = !inside.is_empty() && inside.chars().all(|letter| "hHmMsS".contains(letter));
                if counted {
                    return false;
                }
            }
            'd' | 'D' | 'm' | 'M' | 'y' | 'Y' | 'h' | 'H' | 's' | 'S' => found = true,
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_told_from_numbers_by_their_formats() {
        for code in ["yyyy-mm-dd", "d.m.yy", "h:mm AM/PM", "[$-407]dd. mmmm yyyy", "mm:ss.0", "yyyy\\-mm", "dd\"th\""] {
            assert!(shows_days(code), "{code}");
        }
        for code in
            ["0.00", "#,##0", "General", "0.00E+00", "\"days\" 0", "[h]:mm:ss", "[Red]0", "@", "0\\d", "_d0", ""]
        {
            assert!(!shows_days(code), "{code}");
        }
    }

    #[test]
    fn only_styles_of_cells_count() {
        let document = "<styleSheet><numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy\"/></numFmts><cellStyleXfs><xf \
            numFmtId=\"14\"/></cellStyleXfs><cellXfs><xf numFmtId=\"0\"/>\
            <xf numFmtId=\"14\"/><xf numFmtId=\"164\"/><xf \
            numFmtId=\"46\"/></cellXfs></styleSheet>";
        let styles = Styles::read(Xml::new(Box::new(io::Cursor::new(document.as_bytes().to_vec())))).expect("styles");
        let shown: Vec<bool> = (0..5).map(|style| styles.show_days(style)).collect();
        assert_eq!(shown, [false, true, true, false, false]);
    }
}
