//! Words from outside, made safe to draw: cleaned of what cannot be shown, and shortened to the room there is.
//! It must never let through a control character, or a text that is longer than asked.
//! It is separate because names come from data and from strangers: every drawing takes its words from here alone.
//! Read `legend.rs` next, which is mostly words.

use crate::harmless::is_acting;
use unicode_width::UnicodeWidthChar;

/// No caption keeps more characters than this, whatever they look like.
const LONGEST: usize = 400;

/// A letter keeps at most so many accents: a pile of them would paint over the neighbouring lines.
const MOST_ACCENTS: usize = 3;

/// Returns the text on one line, without characters that control a terminal, break XML, or hide or reorder others.
pub(super) fn clean(text: &str) -> String {
    let mut kept = String::new();
    let mut accents = 0;
    let one_line = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|&c| !is_acting(c));
    for (length, c) in one_line.take(LONGEST + 1).enumerate() {
        if length == LONGEST {
            kept.push('…');
            break;
        }
        accents = if columns_of(c) == 0 { accents + 1 } else { 0 };
        let repeated_space = c == ' ' && (kept.is_empty() || kept.ends_with(' '));
        let stray_accent = accents > MOST_ACCENTS || (accents > 0 && kept.is_empty());
        if !repeated_space && !stray_accent {
            kept.push(c);
        }
    }
    kept.truncate(kept.trim_end().len());
    kept
}

/// Returns the text with every character outside ASCII replaced by a question mark.
pub(super) fn in_ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect()
}

/// Returns the columns that the text takes in a terminal.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// Returns the text, shortened to so many columns of a terminal and then ending in `ellipsis`.
pub(super) fn fit_columns(text: &str, room: usize, ellipsis: &str) -> String {
    fit(text, room, ellipsis, columns_of)
}

/// Returns the width of the text in thousandths of the font size, rather too wide than too narrow.
pub(super) fn breadth(text: &str) -> usize {
    text.chars().map(breadth_of).sum()
}

fn breadth_of(c: char) -> usize {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 340,
        'f' | 't' | 'r' | '(' | ')' | '-' | '/' => 430,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 980,
        'A'..='Z' => 730,
        _ if columns_of(c) == 0 => 0,
        _ if columns_of(c) > 1 => 1300,
        _ => 640,
    }
}

/// Returns the text, shortened to a breadth in thousandths of the font size.
pub(super) fn fit_breadth(text: &str, room: usize) -> String {
    fit(text, room, "…", breadth_of)
}

/// Returns the text on at most two lines of the given breadth, broken at a space where there is one.
pub(super) fn fold(text: &str, room: usize) -> Vec<String> {
    if breadth(text) <= room {
        return vec![text.to_string()];
    }
    let spaces = text.match_indices(' ').map(|(at, _)| at);
    match spaces.take_while(|&at| breadth(&text[..at]) <= room).last() {
        Some(at) => vec![text[..at].to_string(), fit_breadth(&text[at + 1..], room)],
        None => vec![fit_breadth(text, room)],
    }
}

fn fit(text: &str, room: usize, ellipsis: &str, size: impl Fn(char) -> usize) -> String {
    let total = |text: &str| text.chars().map(&size).sum::<usize>();
    if total(text) <= room {
        return text.to_string();
    }
    let Some(room) = room.checked_sub(total(ellipsis)) else { return String::new() };
    let mut used = 0;
    let kept: String = (text.chars())
        .take_while(|&c| {
            used += size(c);
            used <= room
        })
        .collect();
    format!("{}{ellipsis}", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_becomes_one_harmless_line() {
        assert_eq!(clean("  a\n\tb\u{0}\u{1b}[31m\u{202e}c\u{feff}\u{ffff}  "), "a b[31mc");
        assert_eq!(clean("\u{1f468}\u{200d}\u{1f469}"), "\u{1f468}\u{1f469}");
        assert_eq!(clean(&"x".repeat(10_000)).chars().count(), LONGEST + 1);
    }

    #[test]
    fn accents_stay_but_do_not_pile_up() {
        assert_eq!(clean("cafe\u{301} हिन्दी"), "cafe\u{301} हिन्दी");
        assert_eq!(clean(&format!("o{}", "\u{301}".repeat(10_000))), format!("o{}…", "\u{301}".repeat(MOST_ACCENTS)));
    }

    #[test]
    fn a_shortened_text_fits_and_says_so() {
        assert_eq!(fit_columns("tailored geometric", 18, "…"), "tailored geometric");
        assert_eq!(fit_columns("tailored geometric", 10, "…"), "tailored…");
        assert_eq!(fit_columns("漢字漢字", 5, "…"), "漢字…");
        assert_eq!(fit_columns("漢字漢字", 0, "…"), "");
        assert_eq!(in_ascii("naïve 漢"), "na?ve ?");
    }

    #[test]
    fn a_long_name_folds_at_a_space() {
        assert_eq!(fold("tailored geometric mechanism", 13_000), ["tailored geometric", "mechanism"]);
        assert_eq!(fold("short", 13_000), ["short"]);
        assert_eq!(fold(&"x".repeat(100), 6_500).len(), 1);
    }
}
