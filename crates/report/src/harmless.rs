//! Characters that act instead of being seen, and what each way of showing a page does with them. It must never let an
//! escape code, a mark that turns the direction of writing, or markup through: names come from anybody. It is separate
//! so that text, HTML and captions of charts decide it here, and nobody who writes a sentence has to. Read `text.rs` or
//! `html.rs` next, which send every text through here.

/// Stands where a character was that may not be shown.
const REPLACEMENT: char = '\u{fffd}';

/// Returns a text that a terminal shows as it is, on one line. What controls a terminal, hides or reorders text is
/// replaced.
pub(crate) fn visible(text: &str) -> String {
    let seen = |c: char| match c {
        '\t' => ' ',
        // A selector chooses among two forms of the letter before it, and hides nothing.
        '\u{fe00}'..='\u{fe0f}' => c,
        c if is_acting(c) => REPLACEMENT,
        c => c,
    };
    text.chars().map(seen).collect()
}

/// Returns a text that a browser shows as it is. Controls and marks that turn the direction of writing are replaced.
///
/// Joiners stay, without which some languages are misspelt: a browser shows each text in an element of its own.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push('\n'),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push(REPLACEMENT),
            control if control.is_control() => out.push(REPLACEMENT),
            plain => out.push(plain),
        }
    }
    out
}

/// Whether a character acts on others instead of being seen: controls, joiners, direction marks, selectors and tags,
/// and the two code points that XML forbids.
pub(crate) fn is_acting(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_acts_is_left_in_a_text_for_terminals() {
        for c in (0..=0x10_ffff).filter_map(char::from_u32) {
            let shown = visible(&c.to_string());
            assert_eq!(shown.chars().count(), 1, "{c:?}");
            let shown = shown.chars().next().expect("one");
            assert!(!is_acting(shown) || ('\u{fe00}'..='\u{fe0f}').contains(&shown), "{c:?}");
        }
        assert_eq!(visible("a\tb\u{1b}[31m\u{202e}\u{a0}c\n"), "a b\u{fffd}[31m\u{fffd}\u{a0}c\u{fffd}");
    }

    #[test]
    fn nothing_becomes_markup_or_turns_the_direction_of_writing() {
        assert_eq!(
            escaped("<a href='x'>\u{1b}\u{202e}&\"\n"),
            "&lt;a href=&#39;x&#39;&gt;\u{fffd}\u{fffd}&amp;&quot;\n"
        );
    }
}
